//! `bvh`: the tree is rebuilt in every update.
//!
//! Nothing is kept, so how far boxes move does not matter: the cost is that of sorting n codes and
//! of the tree against itself, O(n log n + pairs) for boxes of similar size. Building by sorted
//! codes is the idea of Lauterbach et al. 2009, "Fast BVH Construction on GPUs".

use carom_core::threads::ThreadPool;

use super::order::Order;
use super::search::{Kind, Search};
use super::tree::WideTree;
use crate::Table;
use crate::broad_phase::{BroadPhase, Counters, Found, Hierarchy, Outcome};

/// The method `bvh`.
#[derive(Clone, Debug, Default)]
pub struct RebuiltTree<const D: usize> {
    order: Order,
    tree: WideTree<D>,
    search: Search,
    counters: Counters,
}

impl<const D: usize> BroadPhase<D> for RebuiltTree<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.order.sort(table.boxes(), table.ids());
        self.tree.build(&self.order, table.boxes(), pool);
        self.search.run(&self.tree, table, pool, Kind::All, (&mut found.pairs, &mut self.counters));
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        self.order.bytes() + self.tree.bytes() + self.search.bytes()
    }

    fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        Some(&self.tree)
    }
}
