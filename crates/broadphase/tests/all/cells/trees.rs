//! What every tree must be, whatever it was built over.

use std::collections::BTreeMap;

use carom_broadphase::partition::{CellTree, Kind, Limits};
use carom_geometry::Aabb;
use proptest::prelude::*;

use super::Random;
use super::scenes::{SCENES, Scene, boxes};
use crate::contract::any_box;

/// Does the box meet the half-open cell?
fn meets<const D: usize>(cell: &Aabb<D>, aabb: &Aabb<D>) -> bool {
    (0..D).all(|k| aabb.min[k] < cell.max[k] && aabb.max[k] >= cell.min[k])
}

fn check<const D: usize>(tree: &CellTree<D>, boxes: &[Aabb<D>], limits: Limits) {
    let kind = tree.kind();
    let mut places: BTreeMap<u32, usize> = tree.large().map(|(id, _)| (id, 1)).collect();
    for (index, node) in tree.nodes().iter().enumerate() {
        assert!(node.depth <= limits.depth, "{kind:?}");
        let children: Vec<usize> = tree.children(index).collect();
        for &child in &children {
            assert!(tree.nodes()[child].depth == node.depth + 1 && tree.nodes()[child].end <= node.end);
            assert!(tree.nodes()[child].end as usize > child);
        }
        let ways = match (kind, D) {
            (Kind::BinaryKdTree | Kind::Bsp, _) => 2,
            (Kind::Quadtree | Kind::LooseQuadtree, _) | (_, 2) => 4,
            _ => 8,
        };
        let listed: Vec<u32> = tree.listed(index).map(|(id, _)| id).collect();
        if kind.is_loose() {
            assert!(children.len() <= ways, "{kind:?}: {} children", children.len());
        } else {
            assert!(children.is_empty() || children.len() == ways, "{kind:?}: {} children", children.len());
            assert!(children.is_empty() || listed.is_empty(), "only leaves hold boxes");
        }
        for id in listed {
            let aabb = &boxes[id as usize];
            assert!(node.volume.contains(aabb), "{kind:?}");
            assert!(
                kind.is_loose() || meets(&node.cell, aabb),
                "{kind:?}: {aabb:?} is not in {:?}",
                node.cell
            );
            *places.entry(id).or_default() += 1;
        }
    }
    assert_eq!(places.len(), boxes.len(), "{kind:?}: every box is somewhere");
    for (id, count) in places {
        let leaf_cells = |index: usize| {
            tree.children(index).count() == 0 && meets(&tree.nodes()[index].cell, &boxes[id as usize])
        };
        let is_large = tree.large().any(|(large, _)| large == id);
        let cells = (0..tree.nodes().len()).filter(|&i| leaf_cells(i)).count();
        let expected = if kind.is_loose() || is_large { 1 } else { cells };
        assert!(
            kind == Kind::Bsp || count == expected,
            "{kind:?}: box {id} in {count} leaves, meets {cells}"
        );
    }
    let figures = tree.statistics();
    assert_eq!(figures.nodes, tree.nodes().len());
    assert!(figures.leaves <= figures.nodes && figures.depth <= limits.depth);
}

#[test]
fn trees_over_scenes_keep_their_invariants() {
    for scene in SCENES {
        let all = boxes::<3>(scene, 300, &mut Random::new(1));
        let flat = boxes::<2>(scene, 300, &mut Random::new(1));
        for kind in Kind::ALL {
            for limits in [Limits::default(), Limits { leaf: 2, depth: 5 }, Limits { leaf: 1, depth: 18 }] {
                check(&CellTree::build(kind, &all, limits).unwrap(), &all, limits);
                check(&CellTree::build(kind, &flat, limits).unwrap(), &flat, limits);
            }
        }
    }
}

proptest! {
    #[test]
    fn trees_over_anything_keep_their_invariants(
        boxes in prop::collection::vec(any_box::<3>(), 0..50),
        leaf in 1u32..5,
        depth in 1u32..12,
    ) {
        let limits = Limits { leaf, depth };
        for kind in Kind::ALL {
            check(&CellTree::build(kind, &boxes, limits).unwrap(), &boxes, limits);
        }
    }
}

/// A dense heap in a corner of a wide field.
fn heap() -> Vec<Aabb<3>> {
    let mut random = Random::new(4);
    let mut at = |reach: f32| -> [f32; 3] { std::array::from_fn(|_| reach * random.unit()) };
    let place = |i: usize, p: [f32; 3], q: [f32; 3]| if i.is_multiple_of(4) { p } else { q };
    (0..2000)
        .map(|i| {
            let p = place(i, at(100.0), at(4.0));
            Aabb::new(p, p.map(|c| c + 0.05))
        })
        .collect()
}

#[test]
fn leaves_are_small_where_boxes_are_dense_and_hold_few() {
    let (boxes, limits) = (heap(), Limits { leaf: 10, depth: 18 });
    for kind in [Kind::Quadtree, Kind::Octree, Kind::KdTree, Kind::BinaryKdTree, Kind::Bsp] {
        let tree = CellTree::build(kind, &boxes, limits).unwrap();
        let figures = tree.statistics();
        // Points, nearly: everything can be parted, except what stands one above the other or is
        // too dense for one axis.
        let most = if matches!(kind, Kind::Quadtree | Kind::BinaryKdTree) { 24 } else { 10 };
        assert!(figures.largest_leaf <= most, "{kind:?}: {figures:?}");
        assert_eq!(figures.large, 0);
    }
    let tree = CellTree::build(Kind::Octree, &boxes, limits).unwrap();
    let depth_at = |p: [f32; 3]| {
        let point = Aabb::new(p, p);
        let leaf = (0..tree.nodes().len())
            .find(|&i| tree.children(i).count() == 0 && meets(&tree.nodes()[i].cell, &point));
        tree.nodes()[leaf.unwrap()].depth
    };
    assert!(depth_at([2.0; 3]) > depth_at([70.0; 3]) + 1, "{} {}", depth_at([2.0; 3]), depth_at([70.0; 3]));
}

#[test]
fn density_cuts_balance_better_than_halves() {
    let (boxes, limits) = (heap(), Limits { leaf: 10, depth: 18 });
    let share = |kind| CellTree::build(kind, &boxes, limits).unwrap().statistics().largest_share;
    assert!(share(Kind::KdTree) < share(Kind::Octree), "{} {}", share(Kind::KdTree), share(Kind::Octree));
    assert!(share(Kind::BinaryKdTree) < 0.6, "{}", share(Kind::BinaryKdTree));
}

#[test]
fn a_quadtree_in_space_does_not_cut_heights() {
    let boxes = boxes::<3>(Scene::Even, 500, &mut Random::new(8));
    for kind in [Kind::Quadtree, Kind::LooseQuadtree] {
        let tree = CellTree::build(kind, &boxes, Limits { leaf: 4, depth: 8 }).unwrap();
        assert!(tree.nodes().len() > 20);
        let open = |node: &carom_broadphase::partition::Node<3>| (node.cell.min[1], node.cell.max[1]);
        assert!(tree.nodes().iter().all(|node| open(node) == (f32::NEG_INFINITY, f32::INFINITY)));
    }
}

#[test]
fn boxes_that_are_none_are_refused() {
    let bad = [Aabb::new([0.0; 2], [1.0; 2]), Aabb::new([0.0, f32::NAN], [1.0; 2])];
    let error = CellTree::build(Kind::Octree, &bad, Limits::default()).unwrap_err().to_string();
    assert!(error.starts_with("box 1: on axis y the minimum is NaN"), "{error}");
}
