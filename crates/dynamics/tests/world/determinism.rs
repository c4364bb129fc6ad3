//! The same bits for every width of lanes, and in every run.

use carom_dynamics::{LaneWidth, World, WorldDef};

use crate::scenes::{heap, run};

fn hashes(lanes: LaneWidth) -> Vec<u64> {
    let (mut world, _) = heap(WorldDef::default().lanes(lanes), 90);
    let step = |world: &mut World| {
        run(world, 0.5);
        world.state_hash()
    };
    (0..6).map(|_| step(&mut world)).collect()
}

#[test]
fn lanes_of_any_width_give_the_same_bits() {
    let one = hashes(LaneWidth::One);
    for width in [LaneWidth::Auto, LaneWidth::Four, LaneWidth::Eight, LaneWidth::Sixteen] {
        assert_eq!(hashes(width), one, "{width:?}");
    }
}

/// A change of this number changes what every user sees: it needs a line in the changelog.
#[test]
fn the_heap_is_the_golden_one() {
    let last = hashes(LaneWidth::Auto)[5];
    assert_eq!(format!("{last:016x}"), "2259356c2d400cc5");
}
