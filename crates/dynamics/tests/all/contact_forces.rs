//! Events of contact forces above thresholds, against forces that are known.

use carom_dynamics::{BodyDef, BodyId, ContactForceEvent, ShapeDef, ShapeId, Snapshot, World, WorldDef};
use carom_geometry::Rotation;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, capsule, cuboid, ground, run};

const WEIGHT: f32 = 9810.0;

fn cube() -> ShapeDef {
    cuboid(0.5, 0.5, 0.5)
}

/// A cube of a tonne that lies on a kinematic floor; the floor has the threshold.
fn lift(threshold: f32, acceleration: f32) -> Vec<Option<ContactForceEvent>> {
    let mut world = World::new(WorldDef::default().can_sleep(false));
    let floor = cuboid(2.0, 0.5, 2.0).contact_force_threshold(threshold);
    let floor = world.add_body(BodyDef::kinematic().at(0.0, -0.5, 0.0), [floor]).unwrap();
    world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cube()]).unwrap();
    run(&mut world, 0.5);
    let mut seen = Vec::new();
    for step in 1..=40 {
        world.body_mut(floor).unwrap().set_velocity(Vec3::Y * (acceleration * step as f32 * DT)).unwrap();
        world.step(DT).unwrap();
        let events = world.events().contact_forces();
        assert!(events.len() <= 1);
        seen.push(events.first().copied());
    }
    seen.split_off(10)
}

#[test]
fn a_lift_tells_of_what_presses_harder_than_the_threshold() {
    for acceleration in [-3.0, 0.0, 3.0f32] {
        let force = WEIGHT * (1.0 + acceleration / 9.81);
        for event in lift(0.98 * force, acceleration) {
            let event = event.expect("the force is above the threshold");
            assert!((event.total_force / force - 1.0).abs() < 0.02, "{event:?}");
            let up = if event.normal.y > 0.0 { event.force } else { -event.force };
            assert!((up - Vec3::Y * force).length() < 0.02 * force, "{event:?}");
            assert!((event.normal.y.abs() - 1.0).abs() < 1e-4);
            assert!((event.strongest_force / force - 0.25).abs() < 0.05, "a quarter at each corner");
            assert!((event.point.x.abs() - 0.5).abs() < 0.01 && (event.point.z.abs() - 0.5).abs() < 0.01);
        }
        assert!(lift(1.02 * force, acceleration).iter().all(Option::is_none));
    }
}

#[test]
fn the_lower_threshold_of_two_shapes_counts_and_can_be_changed() {
    let mut world = ground(WorldDef::default());
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cube()]).unwrap();
    run(&mut world, 0.5);
    assert_eq!(world.events().contact_forces(), []);
    let [ours, theirs] = [1, 0].map(|at| world.shape_ids().nth(at).unwrap());
    assert_eq!(world.shape(ours).unwrap().contact_force_threshold(), f32::INFINITY);
    for (of_cube, of_ground, count) in [
        (0.5, f32::INFINITY, 1),
        (0.5, 2.0, 1),
        (2.0, 0.5, 1),
        (2.0, 2.0, 0),
        (f32::INFINITY, 0.0, 1),
        (f32::INFINITY, f32::INFINITY, 0),
    ] {
        world.shape_mut(ours).unwrap().set_contact_force_threshold(of_cube * WEIGHT).unwrap();
        world.shape_mut(theirs).unwrap().set_contact_force_threshold(of_ground * WEIGHT).unwrap();
        world.step(DT).unwrap();
        assert_eq!(world.events().contact_forces().len(), count, "{of_cube} {of_ground}");
    }
    for bad in [-1.0, f32::NAN] {
        assert!(world.shape_mut(ours).unwrap().set_contact_force_threshold(bad).is_err());
        assert!(world.add_body(BodyDef::dynamic(), [cube().contact_force_threshold(bad)]).is_err());
    }
    // A shape that takes another form keeps its threshold.
    world.shape_mut(ours).unwrap().set_contact_force_threshold(5.0).unwrap().set_density(500.0).unwrap();
    assert_eq!(world.shape(ours).unwrap().contact_force_threshold(), 5.0);
    world.step(DT).unwrap();
    assert_eq!(world.events().contact_forces().len(), 1);
    world.body_mut(id).unwrap().set_position(DVec3::Y * 5.0).unwrap();
    world.step(DT).unwrap();
    assert_eq!(world.events().contact_forces(), [], "nothing presses in the air");
}

#[test]
fn an_impact_presses_with_its_momentum_whether_it_bounces_or_not() {
    for (restitution, tolerance) in [(0.0, 0.02), (0.5, 0.03), (1.0, 0.03)] {
        let mut world = ground(WorldDef::default());
        let shape = ball(0.5).restitution(restitution).contact_force_threshold(0.0);
        let id = world.add_body(BodyDef::dynamic().at(0.0, 3.0, 0.0), [shape]).unwrap();
        let mass = world.body(id).unwrap().mass();
        let (mut impulse, mut highest) = (0.0, 0.0f32);
        let (mut before, mut after) = (0.0f32, 0.0f32);
        while after <= 0.0 && impulse == 0.0 || world.events().contact_forces().len() == 1 && impulse < 1.0 {
            before = before.min(world.body(id).unwrap().velocity().y);
            world.step(DT).unwrap();
            after = world.body(id).unwrap().velocity().y;
            for event in world.events().contact_forces() {
                impulse += event.total_force * DT;
                highest = highest.max(event.strongest_force);
            }
        }
        // Gravity pulls on in the step of the impact.
        let change = mass * (after - before + 9.81 * DT);
        assert!((impulse / change - 1.0).abs() < tolerance, "{impulse} and not {change} at {restitution}");
        assert!((highest * DT / impulse - 1.0).abs() < 0.01, "a ball has one point");
    }
}

#[test]
fn what_is_wedged_in_is_pressed_more_than_it_is_pushed() {
    // A ball in a groove of a mesh: its flanks push against each other.
    let mut world = World::new(WorldDef::default().can_sleep(false));
    let (vertices, triangles) = generate::terrain(8, 8, 1.0, |x, _| 2.0 * x.abs());
    let groove = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    let groove = ShapeDef::new(groove).contact_force_threshold(1.0).friction(0.0);
    world.add_body(BodyDef::fixed(), [groove]).unwrap();
    let id = world.add_body(BodyDef::dynamic().at(0.1, 2.0, 0.0), [ball(0.5).friction(0.0)]).unwrap();
    run(&mut world, 4.0);
    let weight = world.body(id).unwrap().mass() * 9.81;
    let [event] = world.events().contact_forces() else { panic!("one pair presses") };
    assert!((event.force.y.abs() / weight - 1.0).abs() < 0.02, "{event:?} of {weight}");
    // Each flank pushes along its normal, which leans by the slope.
    let slope = 1.0 / 5.0f32.sqrt();
    assert!((event.total_force / (weight / slope) - 1.0).abs() < 0.05, "{event:?} of {weight}");
}

/// A heap of everything with thresholds here and there.
fn heap(threads: usize) -> (World, Vec<BodyId>) {
    let mut world = ground(WorldDef::default().threads(threads));
    let mut numbers = Numbers(3);
    let ids = (0..150u32).map(|k| {
        let shape = match k % 3 {
            0 => cuboid(0.3, 0.2, 0.25),
            1 => ball(0.25),
            _ => capsule(0.2, 0.15),
        };
        let shape = if k % 4 == 0 { shape.contact_force_threshold(300.0) } else { shape };
        let at = Vec3::new(numbers.next(), 0.6 + 0.1 * k as f32, numbers.next()).as_dvec3();
        let turned = Rotation::about_axis(Vec3::X, numbers.next());
        world.add_body(BodyDef::dynamic().at(at.x, at.y, at.z).rotated(turned), [shape]).unwrap()
    });
    let ids = ids.collect();
    (world, ids)
}

fn told(world: &mut World, steps: usize) -> String {
    let mut told = String::new();
    for _ in 0..steps {
        world.step(DT).unwrap();
        let events = world.events().contact_forces();
        let key = |event: &ContactForceEvent| event.shapes.map(ShapeId::index);
        assert!(events.windows(2).all(|pair| key(&pair[0]) < key(&pair[1])), "sorted, each pair once");
        told += &format!("{events:?}\n");
    }
    told
}

#[test]
fn events_of_forces_are_the_same_for_any_number_of_threads_and_after_a_snapshot() {
    let (mut one, _) = heap(1);
    let (mut two, _) = heap(2);
    assert!(told(&mut one, 60) == told(&mut two, 60));
    let bytes = one.snapshot().to_bytes();
    let late = told(&mut one, 60);
    assert!(late.matches("ContactForceEvent").count() > 500);
    let mut other = ground(WorldDef::default().threads(2));
    other.restore(&Snapshot::from_bytes(&bytes).unwrap());
    assert!(told(&mut other, 60) == late);
}

#[test]
fn forces_of_events_are_those_of_the_contacts() {
    let (mut world, _) = heap(1);
    run(&mut world, 2.0);
    let events = world.events().contact_forces();
    assert!(events.len() > 5);
    for event in events {
        let contacts = world.contacts().filter(|c| c.shapes() == event.shapes.map(Some));
        let (force, total) = contacts.fold((Vec3::ZERO, 0.0), |(force, total), contact| {
            (force + contact.force(), total + contact.force().length())
        });
        assert!((force - event.force).length() <= 1e-3 * total && (total - event.total_force).abs() <= 1e-3);
        assert!(event.total_force > 300.0);
    }
    // Pairs without a threshold are not told, those below theirs neither.
    let loud = |contact: &carom_dynamics::ContactRef<'_>| {
        let threshold = |shape: ShapeId| world.shape(shape).unwrap().contact_force_threshold();
        contact.shapes().iter().flatten().any(|shape| threshold(*shape) < contact.force().length())
    };
    assert_eq!(world.contacts().filter(loud).count(), events.len());
}
