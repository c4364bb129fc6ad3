//! What the world tells of a step.

use std::collections::BTreeSet;

use carom_dynamics::{BodyDef, BodyId, ShapeId, World, WorldDef};
use carom_geometry::Rotation;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, capsule, cuboid, ground, heap, room, space};

/// Follows the events of a world and checks that begins and ends alternate.
#[derive(Default)]
struct Ledger {
    touching: BTreeSet<[u64; 2]>,
    begun: usize,
    ended: usize,
}

fn key(shapes: [ShapeId; 2]) -> [u64; 2] {
    let mut key = shapes.map(ShapeId::to_bits);
    key.sort_unstable();
    key
}

impl Ledger {
    fn follow(&mut self, world: &World) {
        let events = world.events();
        for event in events.touch_end() {
            assert!(self.touching.remove(&key(event.shapes)), "{event:?} ended and had not begun");
            self.ended += 1;
        }
        for event in events.touch_begin() {
            assert!(self.touching.insert(key(event.shapes)), "{event:?} began twice");
            self.begun += 1;
        }
        for hit in events.hits() {
            assert!(events.touch_begin().iter().any(|begin| begin.shapes == hit.shapes));
            assert!(hit.approach >= world.settings().hit_event_threshold && hit.impulse >= 0.0, "{hit:?}");
        }
        // What touched when the step began has been told.
        for shapes in world.touching_shapes() {
            assert!(self.touching.contains(&key(shapes)), "{shapes:?}");
        }
    }
}

#[test]
fn a_falling_ball_hits_once_with_its_speed_and_momentum() {
    // Heights at which the impact falls differently into steps and substeps.
    for k in 0..24 {
        let mut world = ground(WorldDef::default());
        let height = 2.0 + 0.013 * f64::from(k);
        let id = world.add_body(BodyDef::dynamic().at(0.0, height + 0.5, 0.0), [ball(0.5)]).unwrap();
        let (mut hits, mut ledger) = (Vec::new(), Ledger::default());
        for _ in 0..180 {
            world.step(DT).unwrap();
            ledger.follow(&world);
            hits.extend_from_slice(world.events().hits());
        }
        assert_eq!((hits.len(), ledger.begun, ledger.ended), (1, 1, 0), "{height}: {hits:?}");
        let (hit, speed) = (hits[0], (2.0 * 9.81 * height).sqrt() as f32);
        let mass = world.body(id).unwrap().mass();
        assert!(hit.bodies.contains(&id) && hit.normal.y.abs() > 0.999);
        assert!((hit.approach / speed - 1.0).abs() < 0.04, "{height}: {} and not {speed}", hit.approach);
        assert!((hit.impulse / (mass * speed) - 1.0).abs() < 0.04, "{height}: {hit:?}");
        assert!(hit.point.length() < 0.3, "{hit:?}");
    }
}

#[test]
fn a_bouncing_ball_begins_and_ends_at_every_bounce() {
    let mut world = ground(WorldDef::default());
    let shape = ball(0.25).restitution(0.8);
    world.add_body(BodyDef::dynamic().at(0.0, 3.0, 0.0), [shape]).unwrap();
    let (mut ledger, mut hits, mut turns, mut falling) = (Ledger::default(), 0, 0, true);
    let id = world.body_ids().last().unwrap();
    for _ in 0..240 {
        world.step(DT).unwrap();
        ledger.follow(&world);
        hits += world.events().hits().len();
        let down = world.body(id).unwrap().velocity().y < 0.0;
        turns += usize::from(falling && !down);
        falling = down;
    }
    assert!(turns >= 4 && hits == turns, "{hits} hits, {turns} bounces");
    assert_eq!(ledger.begun, hits);
}

#[test]
fn begins_and_ends_alternate_in_heaps_and_gases_of_bodies_that_come_and_go() {
    let (mut world, mut ids) = heap(WorldDef::default(), 60);
    let mut ledger = Ledger::default();
    for round in 0..300u32 {
        world.step(DT).unwrap();
        ledger.follow(&world);
        if round % 20 == 19 {
            let gone = ids.remove((round as usize * 7) % ids.len());
            world.remove_body(gone).unwrap();
            ids.push(world.add_body(BodyDef::dynamic().at(0.0, 4.0, 0.0), [cuboid(0.2, 0.2, 0.2)]).unwrap());
            let moved = ids[(round as usize * 3) % ids.len()];
            let mut body = world.body_mut(moved).unwrap();
            body.set_pose(DVec3::new(1.0, 5.0, 0.0), Rotation::IDENTITY).unwrap();
        }
    }
    assert!(ledger.begun > 200 && ledger.ended > 50, "{} {}", ledger.begun, ledger.ended);
    // When all are gone, every touch has ended.
    ids.into_iter().for_each(|id| world.remove_body(id).unwrap());
    world.step(DT).unwrap();
    ledger.follow(&world);
    assert_eq!((ledger.touching.len(), ledger.begun), (0, ledger.ended));

    let mut gas = space();
    room(&mut gas, 4.0);
    let mut numbers = Numbers(2);
    for k in 0..80 {
        let at = numbers.vector().as_dvec3() * 3.0;
        let shape = if k % 2 == 0 { ball(0.2) } else { capsule(0.3, 0.1) };
        let def = BodyDef::dynamic().at(at.x, at.y, at.z).velocity(numbers.vector() * 5.0);
        gas.add_body(def, [shape.friction(0.0).restitution(1.0)]).unwrap();
    }
    let (mut ledger, mut hits) = (Ledger::default(), 0);
    for _ in 0..300 {
        gas.step(DT).unwrap();
        ledger.follow(&gas);
        hits += gas.events().hits().len();
    }
    assert!(hits > 200, "{hits}");
}

#[test]
fn a_removed_body_ends_its_touches_with_ids_that_are_stale() {
    let mut world = ground(WorldDef::default());
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    world.step(DT).unwrap();
    assert_eq!(world.events().touch_begin().len(), 1);
    world.remove_body(id).unwrap();
    // The slots are taken by somebody else before the event is seen.
    let other = world.add_body(BodyDef::dynamic().at(9.0, 5.0, 0.0), [ball(0.5)]).unwrap();
    world.step(DT).unwrap();
    let ends = world.events().touch_end();
    assert_eq!(ends.len(), 1);
    assert!(ends[0].bodies.contains(&id) && !ends[0].bodies.contains(&other));
    assert_eq!(ends[0].shapes.iter().filter(|id| world.shape(**id).is_err()).count(), 1);
    world.step(DT).unwrap();
    assert!(world.events().touch_end().is_empty());
}

#[test]
fn sensors_notice_who_comes_and_who_goes() {
    let mut world = ground(WorldDef::default());
    let gate = world.add_body(BodyDef::fixed().at(0.0, 2.0, 0.0), [cuboid(1.0, 0.2, 1.0).sensor()]).unwrap();
    let guest = world.add_body(BodyDef::dynamic().at(0.0, 4.0, 0.0), [ball(0.3)]).unwrap();
    let (mut begins, mut ends, mut ledger) = (Vec::new(), Vec::new(), Ledger::default());
    for step in 0..120 {
        world.step(DT).unwrap();
        let events = world.events();
        begins.extend(events.sensor_begin().iter().map(|event| (step, *event)));
        ends.extend(events.sensor_end().iter().map(|event| (step, *event)));
        assert!(events.touch_begin().iter().all(|event| !event.bodies.contains(&gate)));
        ledger.ended += events.touch_end().len();
    }
    assert_eq!((begins.len(), ends.len()), (1, 1));
    let (begin, end) = (begins[0], ends[0]);
    assert_eq!((begin.1.sensor_body, begin.1.visitor_body), (gate, guest));
    assert_eq!(begin.1, end.1);
    // It falls 1.5 m to the gate and 2.5 m to its other side: 0.553 s and 0.714 s, in steps of 1/60
    // s.
    assert!(
        (begin.0 as f32 - 33.2).abs() < 2.0 && (end.0 as f32 - 42.8).abs() < 2.0,
        "{} {}",
        begin.0,
        end.0
    );
}

#[test]
fn bodies_that_fall_asleep_and_wake_are_told() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [cuboid(9.0, 1.0, 9.0)]).unwrap();
    let low = world.add_body(BodyDef::dynamic().at(0.0, 1.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    let high = world.add_body(BodyDef::dynamic().at(0.0, 2.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    let mut slept: Vec<BodyId> = Vec::new();
    for _ in 0..120 {
        world.step(DT).unwrap();
        slept.extend_from_slice(world.events().slept());
        assert!(world.events().woken().is_empty());
    }
    assert_eq!(slept, [low, high]);
    // A push wakes one at once, and its neighbour in the step.
    world.body_mut(high).unwrap().apply_impulse(Vec3::Y * 10.0).unwrap();
    world.step(DT).unwrap();
    assert_eq!(world.events().woken(), [low, high]);
    world.step(DT).unwrap();
    assert!(world.events().woken().is_empty() && world.events().slept().is_empty());
}

#[test]
fn events_change_nothing_and_can_be_switched_off() {
    let (mut with, _) = heap(WorldDef::default(), 40);
    let (mut without, _) = heap(WorldDef::default().events(false), 40);
    for _ in 0..120 {
        with.step(DT).unwrap();
        without.step(DT).unwrap();
        let events = without.events();
        assert!(events.touch_begin().is_empty() && events.touch_end().is_empty() && events.hits().is_empty());
    }
    assert_eq!(with.state_hash(), without.state_hash());
}
