//! BSP trees over oriented boxes: they separate what no axis-aligned cut separates, and lose no
//! pair that may touch.

use carom_broadphase::partition::{CellTree, Kind, Limits};
use carom_broadphase::{Bound, Choice, Contract, Filter, Method, Space};
use carom_geometry::bounds::Obb;
use carom_geometry::{Aabb, Pose, Rotation};
use glam::Vec3;
use proptest::prelude::*;

use crate::oracle::{Model, compare};

/// Long boards, parallel and askew, side by side: their axis-aligned boxes overlap, they do not.
fn boards(count: usize) -> Vec<Obb> {
    let turn = Rotation::about_axis(Vec3::Z, std::f32::consts::FRAC_PI_4);
    let across = turn.rotate(Vec3::Y);
    let board =
        |i: usize| Obb::of_pose(&Pose::new(across * (i as f32 * 1.0), turn), Vec3::new(20.0, 0.2, 1.0));
    (0..count).map(board).collect()
}

fn space_of(obbs: &[Obb], choice: &Choice) -> Space<3> {
    let mut space = Space::<3>::with_broad_phase(choice.broad_phase());
    for obb in obbs {
        let id = space.insert(obb.aabb()).unwrap();
        space.set_bound(id, Bound::of_obb(*obb)).unwrap();
    }
    space
}

#[test]
fn planes_separate_boards_that_lie_askew() {
    let obbs = boards(32);
    let mut plain = space_of(&obbs, &Method::Aabb.into());
    assert!(plain.update().len() > 400);
    let mut space = space_of(&obbs, &"bsp?leaf=1".parse().unwrap());
    assert_eq!(space.update(), []);
    assert_eq!(space.contract(), Contract::OrientedSubset);
    // The same boxes without the tighter volumes: no plane separates them.
    let aabbs: Vec<Aabb<3>> = obbs.iter().map(Obb::aabb).collect();
    let tree = CellTree::build(Kind::Bsp, &aabbs, Limits { leaf: 1, depth: 20 }).unwrap();
    assert_eq!(tree.pairs(), plain.pairs());
    let tree = CellTree::of_table(Kind::Bsp, space.table(), Limits { leaf: 1, depth: 20 });
    assert!(tree.nodes().iter().all(|node| node.depth <= 20));
    let inner = (0..tree.nodes().len()).filter(|&i| tree.children(i).count() > 0);
    for node in inner {
        assert_eq!(tree.children(node).count(), 2);
        assert_eq!(tree.listed(node).count(), 0, "only leaves hold boxes");
    }
}

fn obb() -> impl Strategy<Value = Obb> {
    let coordinate = prop_oneof![(-6i8..6).prop_map(f32::from), -6.0f32..6.0];
    let centre = prop::array::uniform3(coordinate);
    let half = prop::array::uniform3(prop_oneof![Just(0.0f32), Just(0.5), 0.0f32..4.0]);
    let quarter = (0u8..8).prop_map(|n| f32::from(n) * std::f32::consts::FRAC_PI_4);
    (centre, half, prop::array::uniform3(-1.0f32..1.0), prop_oneof![quarter, -3.0f32..3.0]).prop_map(
        |(centre, half, axis, angle)| {
            let axis = Vec3::from(axis).try_normalize().unwrap_or(Vec3::Z);
            Obb::of_pose(&Pose::new(centre.into(), Rotation::about_axis(axis, angle)), half.into())
        },
    )
}

proptest! {
    #[test]
    fn no_pair_of_overlapping_oriented_boxes_is_lost(
        obbs in prop::collection::vec((obb(), any::<bool>()), 2..60),
        leaf in 1u32..6,
    ) {
        let choice: Choice = format!("bsp?leaf={leaf}").parse().unwrap();
        let mut space = Space::<3>::with_broad_phase(choice.broad_phase());
        let mut model = Model::default();
        for (obb, given) in &obbs {
            let id = space.insert(obb.aabb()).unwrap();
            if *given {
                space.set_bound(id, Bound::of_obb(*obb)).unwrap();
            }
            model.boxes.push(Some((obb.aabb(), Filter::default())));
            model.bounds.push(given.then(|| Bound::of_obb(*obb)));
        }
        prop_assert_eq!(compare(&choice, &mut space, &model, &model.pairs(0.0), &mut Vec::new()), Ok(()));
    }
}
