//! Going back, and on again to the same bits.

use carom_broadphase::{Choice, Method};
use carom_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, cuboid, heap, run};
use crate::zoo::{add, zoo};

/// What a world shows of itself: state, events, contacts.
fn seen(world: &World) -> (u64, Vec<String>) {
    let events = world.events();
    let told = [
        format!("{:?} {:?}", events.touch_begin(), events.touch_end()),
        format!("{:?} {:?} {:?}", events.hits(), events.slept(), events.woken()),
        format!(
            "{:?}",
            world
                .contacts()
                .map(|c| (c.shapes(), c.force().to_array().map(f32::to_bits)))
                .collect::<Vec<_>>()
        ),
    ];
    (world.state_hash(), told.to_vec())
}

fn steps(world: &mut World, count: usize, dt: impl Fn(usize) -> f32) -> Vec<(u64, Vec<String>)> {
    let mut step = |k| {
        world.step(dt(k)).unwrap();
        assert_eq!(world.validate(), []);
        seen(world)
    };
    (0..count).map(&mut step).collect()
}

#[test]
fn sixty_frames_back_and_on_again_are_the_same_bits() {
    for method in [Method::BvhRefit, Method::Bvh, Method::Sap] {
        let (mut world, _) = heap(WorldDef::default().broad(Choice::from(method)), 60);
        run(&mut world, 1.0);
        // Lengths of steps vary, and impulses are carried over in proportion: the last length is a
        // part of the state.
        world.step(0.5 * DT).unwrap();
        let then = world.snapshot();
        let dt = |k: usize| if k % 9 == 4 { 0.5 * DT } else { DT };
        let first = steps(&mut world, 60, dt);
        world.restore(&then);
        assert_eq!(world.validate(), []);
        assert!(steps(&mut world, 60, dt) == first, "{method}");
        // Into a world that has never seen any of it.
        let mut other = World::new(WorldDef::default().can_sleep(false).broad(Choice::from(method)));
        other.restore(&then);
        assert!(steps(&mut other, 60, dt) == first, "{method}");
    }
}

/// Changes a world between steps; the same changes each time.
fn disturb(world: &mut World, seed: u64) -> Vec<BodyId> {
    let mut numbers = Numbers(seed);
    let ids: Vec<BodyId> = world.body_ids().collect();
    for id in ids.iter().skip(2).step_by(5) {
        world.remove_body(*id).unwrap();
    }
    let new: Vec<BodyId> = (0..6).map(|kind| add(world, kind, DVec3::Y * 2.0, 1.0, &mut numbers)).collect();
    for id in &new {
        world.body_mut(*id).unwrap().set_velocity(numbers.vector()).unwrap();
    }
    let shape = world.body(new[2]).unwrap().shapes().next().unwrap();
    world.add_shape(new[2], &ball(0.3)).unwrap();
    // It may be the last one that has a mass.
    let _ = world.remove_shape(shape);
    new
}

#[test]
fn insertions_and_removals_before_and_after_give_the_same_ids_and_bits() {
    let mut world = zoo(DVec3::ZERO, 12);
    run(&mut world, 0.5);
    // Changes that no step has seen yet are in the snapshot too.
    disturb(&mut world, 3);
    let then = world.snapshot();
    let go_on = |world: &mut World| {
        let mut history = steps(world, 20, |_| DT);
        let ids = disturb(world, 4);
        history.extend(steps(world, 40, |_| DT));
        (history, ids)
    };
    let first = go_on(&mut world);
    world.restore(&then);
    let second = go_on(&mut world);
    assert_eq!(first.1, second.1);
    assert!(first == second);
}

#[test]
fn sleepers_and_meshes_come_back_as_they_were() {
    let mut world = World::new(WorldDef::default());
    let (vertices, triangles) = generate::terrain(20, 20, 0.5, |x, z| 0.1 * x * z);
    let floor = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    world.add_body(BodyDef::fixed(), [ShapeDef::new(floor)]).unwrap();
    let mut numbers = Numbers(9);
    let ids: Vec<BodyId> = (0..12)
        .map(|k| {
            let at = numbers.vector() * 1.5 + Vec3::Y * (2.0 + 0.3 * k as f32);
            let def = BodyDef::dynamic().at(at.x.into(), at.y.into(), at.z.into());
            world.add_body(def, [if k % 2 == 0 { ball(0.2) } else { cuboid(0.2, 0.2, 0.2) }]).unwrap()
        })
        .collect();
    run(&mut world, 4.0);
    let then = world.snapshot();
    let go_on = |world: &mut World| {
        let mut history = steps(world, 30, |_| DT);
        world.body_mut(ids[0]).unwrap().set_velocity(Vec3::new(1.0, 3.0, 0.0)).unwrap();
        history.extend(steps(world, 60, |_| DT));
        history
    };
    let first = go_on(&mut world);
    world.restore(&then);
    assert!(go_on(&mut world) == first);
}

#[test]
fn a_reused_snapshot_is_a_new_one_and_allocates_nothing() {
    let (mut world, ids) = heap(WorldDef::default(), 60);
    let mesh = generate::terrain(20, 20, 0.5, |x, z| 0.05 * x * z);
    let mesh = Mesh::new(mesh.0, mesh.1, &MeshOptions::default()).unwrap();
    world.add_body(BodyDef::fixed().at(0.0, 0.2, 0.0), [ShapeDef::new(mesh)]).unwrap();
    world.add_joint(carom_dynamics::JointDef::ball(ids[0], ids[1])).unwrap();
    run(&mut world, 1.5);
    let mut reused = carom_dynamics::Snapshot::default();
    world.snapshot_into(&mut reused);
    let allocated = allocation_counter::measure(|| world.snapshot_into(&mut reused));
    assert_eq!(allocated.count_total, 0);
    // Into one of quite another world.
    for _ in 0..3 {
        disturb(&mut world, 5);
        run(&mut world, 0.2);
        world.snapshot_into(&mut reused);
        assert!(reused.to_bytes() == world.snapshot().to_bytes());
    }
    let first = steps(&mut world, 30, |_| DT);
    world.restore(&reused);
    assert!(steps(&mut world, 30, |_| DT) == first);
}
