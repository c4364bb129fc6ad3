//! What the pairs should be, in the plainest words.

use std::collections::BTreeSet;

use carom_broadphase::{Choice, Contract, Filter, Pair, Space};
use carom_geometry::Aabb;

/// A model of a space that cannot be wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model<const D: usize> {
    pub(crate) boxes: Vec<Option<(Aabb<D>, Filter)>>,
}

impl<const D: usize> Model<D> {
    /// All admissible pairs of boxes that overlap when each is grown by `margin`.
    pub(crate) fn pairs(&self, margin: f32) -> BTreeSet<Pair> {
        let mut pairs = BTreeSet::new();
        for (a, first) in self.boxes.iter().enumerate() {
            for (b, second) in self.boxes.iter().enumerate().skip(a + 1) {
                let (Some((box_a, filter_a)), Some((box_b, filter_b))) = (first, second) else { continue };
                let apart = (0..D).any(|k| {
                    // In f64 the growth does not round away.
                    let (margin, end) = (2.0 * f64::from(margin), |c: f32| f64::from(c));
                    end(box_a.max[k]) + margin < end(box_b.min[k])
                        || end(box_b.max[k]) + margin < end(box_a.min[k])
                });
                if !apart && filter_a.admits(filter_b) {
                    pairs.insert(Pair::new(a as u32, b as u32));
                }
            }
        }
        pairs
    }
}

/// Compares the pairs and changes of a space with the model. `before` are the pairs it had at the last comparison.
pub(crate) fn compare<const D: usize>(
    choice: &Choice,
    space: &mut Space<D>,
    model: &Model<D>,
    before: &mut BTreeSet<Pair>,
) -> Result<(), String> {
    let found = space.update().to_vec();
    if !found.is_sorted_by(|a, b| a < b) {
        return Err(format!("{choice}: pairs are not in ascending order, or one occurs twice: {found:?}"));
    }
    let found: BTreeSet<Pair> = found.into_iter().collect();
    let exact = model.pairs(0.0);
    let oriented = space.contract() == Contract::OrientedSubset;
    let is_required = |pair: &&Pair| !oriented || bounds_meet(space, **pair);
    if let Some(missed) = exact.difference(&found).find(is_required) {
        return Err(format!("{choice}: misses {missed:?}"));
    }
    let allowed = match space.contract() {
        Contract::Exact | Contract::OrientedSubset => exact,
        Contract::Fattened { margin } => model.pairs(margin),
        Contract::Everything => model.pairs(f32::INFINITY),
    };
    if let Some(extra) = found.difference(&allowed).next() {
        return Err(format!("{choice}: reports {extra:?}, which its contract does not allow"));
    }
    let changes = space.changes();
    let begun: Vec<Pair> = found.difference(before).copied().collect();
    let ended: Vec<Pair> = before.difference(&found).copied().collect();
    if changes.begun != begun || changes.ended != ended {
        return Err(format!("{choice}: says {changes:?}, but {begun:?} began and {ended:?} ended"));
    }
    *before = found;
    Ok(())
}

/// Do the oriented boxes of a pair overlap by more than the test may err?
fn bounds_meet<const D: usize>(space: &Space<D>, pair: Pair) -> bool {
    let obb = |id| space.table().bound(id).map(|bound| bound.obb);
    match (obb(pair.a), obb(pair.b)) {
        (Some(a), Some(b)) => {
            let slack = 1e-4 * (a.half + b.half).element_sum();
            a.grown(-slack).half.min_element() >= 0.0 && a.grown(-slack).overlaps(&b)
        }
        _ => true,
    }
}

/// The methods to test: all, or those named in the environment variable `CAROM_BROAD` (comma-separated).
pub(crate) fn choices() -> Vec<Choice> {
    match std::env::var("CAROM_BROAD") {
        Ok(names) => names.split(',').map(|name| name.parse().unwrap()).collect(),
        Err(_) => carom_broadphase::Method::ALL.into_iter().map(Choice::from).collect(),
    }
}
