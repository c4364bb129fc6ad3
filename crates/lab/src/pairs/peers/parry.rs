//! Parry's tree.

use carom_broadphase::{BoxError, Counters, Pair};
use carom_geometry::Aabb;
use parry3d::bounding_volume::Aabb as ParryBox;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

use crate::pairs::check::Promise;
use crate::pairs::contender::Contender;
use crate::pairs::frames::Frame;

/// `parry-bvh`.
#[derive(Default)]
pub(super) struct ParryBvh {
    tree: Bvh,
    workspace: BvhWorkspace,
    /// Pairs in the order of the traversal.
    pairs: Vec<(u32, u32)>,
    has_changed: bool,
}

/// A box of ours as one of theirs, flat in the plane.
fn parry_box<const D: usize>(aabb: &Aabb<D>) -> ParryBox {
    let corner = |c: &[f32; D]| Vector::new(c[0], c[1], c.get(2).copied().unwrap_or(0.0));
    ParryBox::new(corner(&aabb.min), corner(&aabb.max))
}

impl<const D: usize> Contender<D> for ParryBvh {
    fn start(&mut self, frame: &Frame<'_, D>) -> Result<(), BoxError> {
        let leaves: Vec<ParryBox> = frame.boxes.iter().map(parry_box).collect();
        self.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        self.has_changed = true;
        Ok(())
    }

    fn follow(&mut self, frame: &Frame<'_, D>) -> Result<(), BoxError> {
        let changes = frame.changes;
        changes.removed.iter().for_each(|&id| self.tree.remove(id));
        for &id in changes.inserted.iter().chain(&changes.moved) {
            self.tree.insert_or_update_partially(parry_box(&frame.boxes[id as usize]), id, 0.0);
        }
        self.has_changed =
            !(changes.removed.is_empty() && changes.inserted.is_empty() && changes.moved.is_empty());
        Ok(())
    }

    fn update(&mut self) {
        if !self.has_changed {
            return;
        }
        self.tree.refit(&mut self.workspace);
        self.tree.optimize_incremental(&mut self.workspace);
        self.pairs.clear();
        let pairs = &mut self.pairs;
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| pairs.push((a, b)));
    }

    fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    fn pairs(&mut self, frame: &Frame<'_, D>) -> Vec<Pair> {
        super::read_out(frame, &self.pairs)
    }

    fn promise(&self) -> Promise {
        Promise::EXACT
    }

    fn work(&self) -> Option<Counters> {
        None
    }

    fn bytes(&self) -> Option<usize> {
        Some(self.tree.total_memory_size() + self.pairs.capacity() * size_of::<(u32, u32)>())
    }

    fn remark(&self) -> Option<String> {
        None
    }
}
