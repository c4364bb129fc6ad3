//! The same bits for every width of lanes, every number of threads, and in every run.

use carom_dynamics::{SimdWidth, World, WorldDef};

use crate::scenes::{heap, run};

fn hashes(def: WorldDef, bodies: u32) -> Vec<u64> {
    let (mut world, _) = heap(def, bodies);
    let step = |world: &mut World| {
        run(world, 0.5);
        world.state_hash()
    };
    (0..6).map(|_| step(&mut world)).collect()
}

#[test]
fn lanes_of_any_width_give_the_same_bits() {
    let of_width = |width| hashes(WorldDef::default().simd_width(width), 90);
    let one = of_width(SimdWidth::One);
    for width in [SimdWidth::Auto, SimdWidth::Four, SimdWidth::Eight, SimdWidth::Sixteen] {
        assert_eq!(of_width(width), one, "{width:?}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    // Enough bodies for many parts.
    let with = |threads, lanes| hashes(WorldDef::default().threads(threads).simd_width(lanes), 400);
    let one = with(1, SimdWidth::Auto);
    for threads in [2, 4, 8] {
        assert_eq!(with(threads, SimdWidth::Auto), one, "{threads} threads");
    }
    // Narrow lanes make many groups, which threads share in the sweeps.
    assert_eq!(with(3, SimdWidth::One), one);
}

#[test]
fn any_broad_phase_gives_the_same_bits() {
    let of = |name: &str| hashes(WorldDef::default().broad(name.parse().unwrap()), 60);
    let own = hashes(WorldDef::default(), 60);
    for name in ["none", "aabb", "sphere", "sap", "grid", "dbvt", "bvh", "kd-sweep", "loose-octree"] {
        assert_eq!(of(name), own, "{name}");
    }
}

#[test]
fn threads_may_come_and_go() {
    let mut world = heap(WorldDef::default(), 200).0;
    let mut other = heap(WorldDef::default(), 200).0;
    for threads in [3, 1, 2] {
        world.set_threads(threads);
        assert_eq!(world.threads(), threads);
        run(&mut world, 0.2);
        run(&mut other, 0.2);
        let share = world.report().times.serial_share();
        assert_eq!(share < 1.0, threads > 1, "{share}");
        assert_eq!(world.state_hash(), other.state_hash());
    }
}

/// A change of this number changes what every user sees: it needs a line in the changelog.
#[test]
fn the_heap_is_the_golden_one() {
    let last = hashes(WorldDef::default(), 90)[5];
    assert_eq!(format!("{last:016x}"), "ca1a135befd54fa9");
}
