//! Space cut into cells, each with the boxes that reach into it.
//!
//! Every cut is a plane across one axis; a cell is half open (its low faces belong to it, its high
//! faces to the next), so each point is in one cell. A box is an entry of every cell it reaches
//! into. A box in more than [`MOST`] cells is none of their business: it goes to the list of large
//! ones.
//!
//! Invariants, checked by `validate` in tests: cells tile space; a box that is not large is an
//! entry of exactly those cells that it reaches into, `count` says how many, and `home` which one
//! if it is one. At most [`DEEPEST`] cuts lie above a cell.

use carom_geometry::Aabb;

use crate::broad_phase::Hierarchy;

/// A box in more cells than this is large.
const MOST: usize = 64;
/// Most cuts above a cell.
pub(super) const DEEPEST: usize = 60;
/// No cell, no node.
pub(super) const NONE: u32 = u32::MAX;

/// A cut, or a cell.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    depth: u32,
    /// The two sides of a cut stand together: this and the next. [`NONE`] for a cell.
    first: u32,
    axis: u32,
    cut: f32,
    cell: u32,
}

/// A cell.
#[derive(Clone, Debug)]
pub(super) struct Cell<const D: usize> {
    /// Low faces included, high faces not.
    pub(super) bounds: Aabb<D>,
    pub(super) ids: Vec<u32>,
    /// Something in it moved.
    pub(super) is_marked: bool,
    node: u32,
    /// Not to be cut below this many entries, because cutting did not help.
    patience: usize,
}

/// What is known of a box.
#[derive(Clone, Copy, Debug)]
struct Place<const D: usize> {
    /// As it was when it was put in.
    aabb: Aabb<D>,
    /// Number of cells; 0 for large ones and such as are not in.
    count: u32,
    /// The cell, if it is one.
    home: u32,
    is_large: bool,
}

/// Cells and what is in them.
#[derive(Clone, Debug)]
pub(super) struct Cells<const D: usize> {
    nodes: Vec<Node>,
    /// By node: around all boxes in it, perhaps with room to spare. For queries, which must not
    /// miss the part of a box that is in another cell.
    contents: Vec<Aabb<D>>,
    /// Pairs of free nodes, by the first.
    free_nodes: Vec<u32>,
    pub(super) cells: Vec<Cell<D>>,
    free_cells: Vec<u32>,
    places: Vec<Place<D>>,
    pub(super) large: Vec<u32>,
    /// Entries above which a cell is cut.
    full: usize,
    reached: Vec<u32>,
    centres: Vec<f32>,
    evicted: Vec<u32>,
}

/// Does a box reach into a half-open cell?
#[inline]
fn reaches_into<const D: usize>(aabb: &Aabb<D>, cell: &Aabb<D>) -> bool {
    (0..D).all(|k| aabb.min[k] < cell.max[k] || cell.max[k] == f32::INFINITY)
        && (0..D).all(|k| aabb.max[k] >= cell.min[k])
}

/// Is a box in no cell but this one?
#[inline]
fn is_inside<const D: usize>(aabb: &Aabb<D>, cell: &Aabb<D>) -> bool {
    (0..D).fold(true, |all, k| {
        all & (aabb.min[k] >= cell.min[k]) & ((aabb.max[k] < cell.max[k]) | (cell.max[k] == f32::INFINITY))
    })
}

impl<const D: usize> Cells<D> {
    /// Cells are cut when they have more than `full` entries.
    pub(super) fn new(full: usize) -> Self {
        let mut cells = Self {
            nodes: vec![Node { parent: NONE, depth: 0, first: NONE, axis: 0, cut: 0.0, cell: 0 }],
            contents: vec![Aabb::EMPTY],
            free_nodes: Vec::new(),
            cells: Vec::new(),
            free_cells: Vec::new(),
            places: Vec::new(),
            large: Vec::new(),
            full,
            reached: Vec::new(),
            centres: Vec::new(),
            evicted: Vec::new(),
        };
        cells.new_cell(Aabb::EVERYTHING, 0);
        cells
    }

    /// Makes room for ids below `ids`.
    pub(super) fn reserve(&mut self, ids: usize) {
        if self.places.len() < ids {
            self.places.resize(ids, Place { aabb: Aabb::EMPTY, count: 0, home: NONE, is_large: false });
        }
    }

    /// Takes all boxes out and appends their ids to `ids`, neighbours together; the cells stay.
    pub(super) fn empty(&mut self, ids: &mut Vec<u32>) {
        for cell in &mut self.cells {
            for &id in &cell.ids {
                // An entry in several cells is taken from the first.
                if std::mem::take(&mut self.places[id as usize].count) > 0 {
                    ids.push(id);
                }
            }
            cell.ids.clear();
        }
        for &id in &self.large {
            self.places[id as usize].is_large = false;
        }
        ids.append(&mut self.large);
        self.contents.fill(Aabb::EMPTY);
    }

    /// Widens the contents of a node and all above it.
    #[inline]
    fn widen(&mut self, mut node: u32, aabb: &Aabb<D>) {
        while node != NONE && !self.contents[node as usize].contains(aabb) {
            self.contents[node as usize] = self.contents[node as usize].union(aabb);
            node = self.nodes[node as usize].parent;
        }
    }

    /// Puts in a box that was taken out by [`Self::empty`].
    #[inline]
    pub(super) fn put_back(&mut self, id: u32, aabb: &Aabb<D>) {
        let place = &mut self.places[id as usize];
        // Wherever it was, that is a good guess.
        if let Some(cell) = self.cells.get_mut(place.home as usize)
            && cell.node != NONE
            && is_inside(aabb, &cell.bounds)
        {
            (place.aabb, place.count) = (*aabb, 1);
            cell.ids.push(id);
            cell.is_marked = true;
            let node = cell.node;
            self.widen(node, aabb);
        } else {
            self.insert(id, aabb);
        }
    }

    /// Is the box in the list of large ones?
    #[inline]
    pub(super) fn is_large(&self, id: u32) -> bool {
        self.places[id as usize].is_large
    }

    /// Puts in a box that is not in, and marks its cells.
    pub(super) fn insert(&mut self, id: u32, aabb: &Aabb<D>) {
        let complete = self.reach(aabb);
        let place = &mut self.places[id as usize];
        place.aabb = *aabb;
        if !complete {
            (place.count, place.is_large) = (0, true);
            self.large.push(id);
            return;
        }
        place.count = self.reached.len() as u32;
        place.home = self.reached[0];
        for i in 0..self.reached.len() {
            let cell = &mut self.cells[self.reached[i] as usize];
            cell.ids.push(id);
            cell.is_marked = true;
            let node = cell.node;
            self.widen(node, aabb);
        }
    }

    /// Takes a box out.
    pub(super) fn remove(&mut self, id: u32) {
        let place = self.places[id as usize];
        if place.is_large {
            self.large.retain(|&other| other != id);
        } else if place.count == 1 {
            self.drop_entry(place.home, id);
        } else if place.count > 1 {
            // It is in at most MOST cells, so all are reached.
            self.reach(&place.aabb);
            for i in 0..self.reached.len() {
                self.drop_entry(self.reached[i], id);
            }
        }
        (self.places[id as usize].count, self.places[id as usize].is_large) = (0, false);
    }

    /// Moves a box; if it stays in its cell, only the cell is marked.
    #[inline]
    pub(super) fn set(&mut self, id: u32, aabb: &Aabb<D>) {
        let place = &mut self.places[id as usize];
        if place.count == 1 && is_inside(aabb, &self.cells[place.home as usize].bounds) {
            place.aabb = *aabb;
            let cell = &mut self.cells[place.home as usize];
            cell.is_marked = true;
            let node = cell.node;
            self.widen(node, aabb);
            return;
        }
        self.remove(id);
        self.insert(id, aabb);
    }

    /// Cuts cells that are too full and joins those that are nearly empty. Cells of boxes that
    /// changed are marked.
    pub(super) fn tidy(&mut self) {
        let mut cell = 0;
        while cell < self.cells.len() {
            // The low side of a cut keeps the number of the cell and is looked at again.
            if !self.cut(cell as u32) {
                cell += 1;
            }
        }
        self.join_all();
    }

    fn drop_entry(&mut self, cell: u32, id: u32) {
        let ids = &mut self.cells[cell as usize].ids;
        if let Some(at) = ids.iter().position(|&other| other == id) {
            ids.swap_remove(at);
        }
    }

    /// Fills `reached` with the cells a box reaches into; false if they are more than [`MOST`].
    fn reach(&mut self, aabb: &Aabb<D>) -> bool {
        let mut stack = [0; DEEPEST + 2];
        let mut height = 1;
        self.reached.clear();
        while height > 0 {
            height -= 1;
            let mut node = &self.nodes[stack[height] as usize];
            while node.first != NONE {
                let axis = node.axis as usize;
                let (low, high) = (aabb.min[axis] < node.cut, aabb.max[axis] >= node.cut);
                if low && high {
                    stack[height] = node.first + 1;
                    height += 1;
                }
                node = &self.nodes[(node.first + u32::from(!low)) as usize];
            }
            if self.reached.len() == MOST {
                return false;
            }
            self.reached.push(node.cell);
        }
        true
    }

    fn new_cell(&mut self, bounds: Aabb<D>, node: u32) -> u32 {
        let cell = self.free_cells.pop().unwrap_or(self.cells.len() as u32);
        if cell as usize == self.cells.len() {
            let ids = Vec::with_capacity(self.full + 1);
            self.cells.push(Cell { bounds, ids, is_marked: false, node, patience: 0 });
        } else {
            let cell = &mut self.cells[cell as usize];
            (cell.bounds, cell.node, cell.patience, cell.is_marked) = (bounds, node, 0, false);
        }
        cell
    }

    /// A plane that leaves not much more than half the entries on each side.
    fn find_cut(&mut self, cell: u32) -> Option<(usize, f32)> {
        let Self { cells, places, centres, .. } = self;
        let Cell { bounds, ids, .. } = &cells[cell as usize];
        let mut best: Option<(usize, usize, f32)> = None;
        for axis in 0..D {
            centres.clear();
            for &id in ids {
                let aabb = &places[id as usize].aabb;
                let centre = 0.5 * aabb.min[axis] + 0.5 * aabb.max[axis];
                if centre > bounds.min[axis] && centre < bounds.max[axis] {
                    centres.push(centre);
                }
            }
            if centres.is_empty() {
                continue;
            }
            let half = centres.len() / 2;
            let cut = *centres.select_nth_unstable_by(half, f32::total_cmp).1;
            let (mut low, mut high) = (0, 0);
            for &id in ids {
                let aabb = &places[id as usize].aabb;
                low += usize::from(aabb.min[axis] < cut);
                high += usize::from(aabb.max[axis] >= cut);
            }
            // A sweep is quadratic: the sides should be small, and few entries in both.
            let cost = low * low + high * high;
            if low.max(high) * 10 <= ids.len() * 9 && best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, cut));
            }
        }
        best.map(|(_, axis, cut)| (axis, cut))
    }

    fn cut(&mut self, cell: u32) -> bool {
        let Cell { node, bounds, .. } = self.cells[cell as usize];
        let count = self.cells[cell as usize].ids.len();
        if node == NONE || count <= self.full || count < self.cells[cell as usize].patience {
            return false;
        }
        let depth = self.nodes[node as usize].depth;
        let found = if (depth as usize) < DEEPEST { self.find_cut(cell) } else { None };
        let Some((axis, at)) = found else {
            self.cells[cell as usize].patience = 2 * count;
            return false;
        };
        let first = self.free_nodes.pop().unwrap_or(self.nodes.len() as u32);
        let (mut low, mut high) = (bounds, bounds);
        (low.max[axis], high.min[axis]) = (at, at);
        let other = self.new_cell(high, first + 1);
        let child = Node { parent: node, depth: depth + 1, first: NONE, axis: 0, cut: 0.0, cell };
        if first as usize == self.nodes.len() {
            self.nodes.extend([child, child]);
            self.contents.extend([Aabb::EMPTY; 2]);
        }
        self.nodes[first as usize] = child;
        self.nodes[first as usize + 1] = Node { cell: other, ..child };
        let parent = &mut self.nodes[node as usize];
        (parent.first, parent.axis, parent.cut) = (first, axis as u32, at);
        (self.cells[cell as usize].node, self.cells[cell as usize].bounds) = (first, low);
        self.cells[other as usize].is_marked = self.cells[cell as usize].is_marked;
        self.share(cell, other, axis, at);
        true
    }

    /// Moves the entries of a cell that was cut to the side where they belong, or to both.
    fn share(&mut self, cell: u32, other: u32, axis: usize, at: f32) {
        let mut ids = std::mem::take(&mut self.cells[cell as usize].ids);
        let high = &mut self.cells[other as usize].ids;
        let (places, evicted) = (&mut self.places, &mut self.evicted);
        ids.retain(|&id| {
            let place = &mut places[id as usize];
            let is_high = place.aabb.max[axis] >= at;
            let is_low = place.aabb.min[axis] < at;
            if is_high {
                high.push(id);
            }
            if is_high && is_low {
                place.count += 1;
                if place.count as usize > MOST {
                    evicted.push(id);
                }
            } else if place.count == 1 {
                place.home = if is_high { other } else { cell };
            }
            is_low
        });
        self.cells[cell as usize].ids = ids;
        for side in [cell, other] {
            let Cell { node, ids, .. } = &self.cells[side as usize];
            let boxes = ids.iter().map(|&id| &self.places[id as usize].aabb);
            self.contents[*node as usize] = boxes.fold(Aabb::EMPTY, |all, aabb| all.union(aabb));
        }
        while let Some(id) = self.evicted.pop() {
            self.evict(id);
        }
    }

    /// Makes a box large.
    fn evict(&mut self, id: u32) {
        let aabb = self.places[id as usize].aabb;
        for cell in 0..self.cells.len() {
            if self.cells[cell].node != NONE && reaches_into(&aabb, &self.cells[cell].bounds) {
                self.drop_entry(cell as u32, id);
            }
        }
        let place = &mut self.places[id as usize];
        (place.count, place.is_large) = (0, true);
        self.large.push(id);
    }

    /// Takes back cuts with few entries on both sides.
    fn join_all(&mut self) {
        for cell in 0..self.cells.len() as u32 {
            while self.join(cell) {}
        }
    }

    /// Joins a cell with the other side of its cut, if that is a cell too.
    fn join(&mut self, cell: u32) -> bool {
        let node = self.cells[cell as usize].node;
        if node == NONE || self.nodes[node as usize].parent == NONE {
            return false;
        }
        let parent = self.nodes[node as usize].parent;
        let first = self.nodes[parent as usize].first;
        let sides = [self.nodes[first as usize], self.nodes[first as usize + 1]];
        if sides[0].first != NONE || sides[1].first != NONE {
            return false;
        }
        let [low, high] = sides.map(|side| side.cell);
        let count = |cell: u32| self.cells[cell as usize].ids.len();
        if (count(low) + count(high)) * 3 > self.full {
            return false;
        }
        let (gone, kept) = if low == cell { (high, low) } else { (low, high) };
        let bounds = self.cells[low as usize].bounds.union(&self.cells[high as usize].bounds);
        let mut ids = std::mem::take(&mut self.cells[gone as usize].ids);
        for id in ids.drain(..) {
            let place = &mut self.places[id as usize];
            if place.count > 1 && reaches_into(&place.aabb, &self.cells[kept as usize].bounds) {
                place.count -= 1;
            } else {
                self.cells[kept as usize].ids.push(id);
            }
        }
        let is_marked = self.cells[gone as usize].is_marked;
        let empty = &mut self.cells[gone as usize];
        (empty.ids, empty.node, empty.is_marked) = (ids, NONE, false);
        let cell = &mut self.cells[kept as usize];
        (cell.bounds, cell.node, cell.patience) = (bounds, parent, 0);
        cell.is_marked |= is_marked;
        for &id in &cell.ids {
            let place = &mut self.places[id as usize];
            // Where it is one cell, it is this one.
            place.home = kept;
        }
        let node = &mut self.nodes[parent as usize];
        (node.first, node.cell) = (NONE, kept);
        self.free_cells.push(gone);
        self.free_nodes.push(first);
        true
    }

    pub(super) fn bytes(&self) -> usize {
        let entries: usize = self.cells.iter().map(|cell| cell.ids.capacity()).sum();
        let words = entries
            + self.free_nodes.capacity()
            + self.free_cells.capacity()
            + self.large.capacity()
            + self.reached.capacity()
            + self.centres.capacity()
            + self.evicted.capacity();
        self.nodes.capacity() * size_of::<Node>()
            + self.contents.capacity() * size_of::<Aabb<D>>()
            + self.cells.capacity() * size_of::<Cell<D>>()
            + self.places.capacity() * size_of::<Place<D>>()
            + words * size_of::<u32>()
    }
}

impl<const D: usize> Hierarchy<D> for Cells<D> {
    fn descend(&self, enter: &mut dyn FnMut(&Aabb<D>) -> bool, visit: &mut dyn FnMut(u32)) {
        self.large.iter().for_each(|&id| visit(id));
        let mut stack = [0; DEEPEST + 2];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let contents = &self.contents[stack[height] as usize];
            // Not valid: nothing in it.
            if !contents.is_valid() || !enter(contents) {
                continue;
            }
            let node = &self.nodes[stack[height] as usize];
            if node.first == NONE {
                self.cells[node.cell as usize].ids.iter().for_each(|&id| visit(id));
            } else {
                stack[height] = node.first + 1;
                stack[height + 1] = node.first;
                height += 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn validate(cells: &Cells<2>, boxes: &[Option<Aabb<2>>]) {
        let mut stack = vec![(0u32, Aabb::EVERYTHING, 0u32)];
        let (mut nodes, mut in_use) = (0, vec![false; cells.cells.len()]);
        while let Some((at, bounds, depth)) = stack.pop() {
            nodes += 1;
            let node = &cells.nodes[at as usize];
            assert_eq!(node.depth, depth);
            assert!(depth as usize <= DEEPEST);
            if node.first == NONE {
                let cell = &cells.cells[node.cell as usize];
                assert_eq!((cell.bounds, cell.node), (bounds, at));
                assert!(!std::mem::replace(&mut in_use[node.cell as usize], true), "a cell is in two places");
                continue;
            }
            let (mut low, mut high) = (bounds, bounds);
            (low.max[node.axis as usize], high.min[node.axis as usize]) = (node.cut, node.cut);
            assert!(low.min[node.axis as usize] < node.cut && node.cut < high.max[node.axis as usize]);
            for (side, bounds) in [(node.first, low), (node.first + 1, high)] {
                assert_eq!(cells.nodes[side as usize].parent, at);
                stack.push((side, bounds, depth + 1));
            }
        }
        assert_eq!(nodes + 2 * cells.free_nodes.len(), cells.nodes.len(), "nodes are lost");
        for (cell, used) in cells.cells.iter().zip(&in_use) {
            assert_eq!(cell.node == NONE, !used);
            assert!(*used || cell.ids.is_empty());
        }
        assert_eq!(in_use.iter().filter(|used| !**used).count(), cells.free_cells.len(), "cells are lost");
        for (id, aabb) in boxes.iter().enumerate() {
            let place = &cells.places[id];
            let holders: Vec<u32> = (0..cells.cells.len() as u32)
                .filter(|&c| cells.cells[c as usize].ids.contains(&(id as u32)))
                .collect();
            let entries: usize = cells.cells.iter().flat_map(|c| &c.ids).filter(|&&i| i == id as u32).count();
            assert_eq!(entries, holders.len(), "an entry is double");
            assert_eq!(cells.large.iter().filter(|&&l| l == id as u32).count(), usize::from(place.is_large));
            assert_eq!(holders.len(), place.count as usize);
            let Some(aabb) = aabb else {
                assert!(!place.is_large && place.count == 0);
                continue;
            };
            assert_eq!(place.aabb, *aabb);
            if place.is_large {
                assert_eq!(place.count, 0);
                continue;
            }
            if place.count == 1 {
                assert_eq!(place.home, holders[0]);
            }
            let expected: Vec<u32> = (0..cells.cells.len() as u32)
                .filter(|&c| in_use[c as usize] && reaches_into(aabb, &cells.cells[c as usize].bounds))
                .collect();
            assert_eq!(holders, expected);
            for &cell in &holders {
                let mut node = cells.cells[cell as usize].node;
                while node != NONE {
                    assert!(cells.contents[node as usize].contains(aabb), "a box sticks out");
                    node = cells.nodes[node as usize].parent;
                }
            }
        }
    }

    fn any_box() -> impl Strategy<Value = Aabb<2>> {
        let end = prop_oneof![9 => (-99i8..99).prop_map(f32::from), 1 => Just(f32::INFINITY), 1 => Just(f32::NEG_INFINITY)];
        let width = prop_oneof![6 => 0.0f32..5.0, 1 => Just(200.0), 1 => Just(f32::INFINITY)];
        prop::array::uniform2((end, width)).prop_map(|e| Aabb {
            min: e.map(|(c, _)| c),
            max: e.map(|(c, w)| if c + w >= c { c + w } else { c }),
        })
    }

    proptest! {
        #[test]
        fn cells_stay_sound(ops in prop::collection::vec((0u32..200, prop::option::weighted(0.8, any_box()), 0u8..8), 0..500)) {
            let mut cells = Cells::new(4);
            cells.reserve(200);
            let mut boxes: Vec<Option<Aabb<2>>> = vec![None; 200];
            for (id, aabb, tidy) in ops {
                if tidy == 1 {
                    let mut ids = Vec::new();
                    cells.empty(&mut ids);
                    for id in ids {
                        cells.put_back(id, &boxes[id as usize].unwrap());
                    }
                }
                match (boxes[id as usize], aabb) {
                    (None, Some(aabb)) => cells.insert(id, &aabb),
                    (Some(_), Some(aabb)) => cells.set(id, &aabb),
                    (Some(_), None) => cells.remove(id),
                    (None, None) => {}
                }
                boxes[id as usize] = aabb;
                if tidy == 0 {
                    cells.tidy();
                    validate(&cells, &boxes);
                }
            }
            validate(&cells, &boxes);
        }
    }
}
