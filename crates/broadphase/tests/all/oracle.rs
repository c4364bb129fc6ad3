//! What the pairs should be, in the plainest words.

use carom_broadphase::{Choice, Contract, Filter, Pair, Space};
use carom_geometry::Aabb;

/// A model of a space that cannot be wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model<const D: usize> {
    pub(crate) boxes: Vec<Option<(Aabb<D>, Filter)>>,
}

impl<const D: usize> Model<D> {
    /// All admissible pairs of boxes that overlap when each is grown by `margin`, ascending.
    pub(crate) fn pairs(&self, margin: f32) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (a, first) in self.boxes.iter().enumerate() {
            let Some((box_a, filter_a)) = first else { continue };
            for (b, second) in self.boxes.iter().enumerate().skip(a + 1) {
                let Some((box_b, filter_b)) = second else { continue };
                // In f64 the growth does not round away.
                let gap = |low: f32, high: f32| f64::from(high) + 2.0 * f64::from(margin) < f64::from(low);
                let apart =
                    (0..D).any(|k| gap(box_a.min[k], box_b.max[k]) || gap(box_b.min[k], box_a.max[k]));
                if !apart && filter_a.admits(filter_b) {
                    pairs.push(Pair::new(a as u32, b as u32));
                }
            }
        }
        pairs
    }
}

/// What is in `a` and not in `b`; both ascend.
fn difference(a: &[Pair], b: &[Pair]) -> Vec<Pair> {
    a.iter().copied().filter(|pair| b.binary_search(pair).is_err()).collect()
}

/// Updates a space and compares its pairs and changes with the model, whose pairs are `exact`. `before` are the pairs it had
/// at the last comparison.
pub(crate) fn compare<const D: usize>(
    choice: &Choice,
    space: &mut Space<D>,
    model: &Model<D>,
    exact: &[Pair],
    before: &mut Vec<Pair>,
) -> Result<(), String> {
    let found = space.update().to_vec();
    if !found.is_sorted_by(|a, b| a < b) {
        return Err(format!("{choice}: pairs are not in ascending order, or one occurs twice: {found:?}"));
    }
    if let Some(missed) = difference(exact, &found).first() {
        return Err(format!("{choice}: misses {missed:?}"));
    }
    let extra = match space.contract() {
        Contract::Exact => difference(&found, exact),
        Contract::Fattened { margin } => difference(&found, &model.pairs(margin)),
        Contract::Everything => difference(&found, &model.pairs(f32::INFINITY)),
    };
    if let Some(extra) = extra.first() {
        return Err(format!("{choice}: reports {extra:?}, which its contract does not allow"));
    }
    let changes = space.changes();
    let (begun, ended) = (difference(&found, before), difference(before, &found));
    if changes.begun != begun || changes.ended != ended {
        return Err(format!("{choice}: says {changes:?}, but {begun:?} began and {ended:?} ended"));
    }
    *before = found;
    Ok(())
}

/// The methods to test: all, or those named in the environment variable `CAROM_BROAD` (comma-separated).
pub(crate) fn choices() -> Vec<Choice> {
    match std::env::var("CAROM_BROAD") {
        Ok(names) => names.split(',').map(|name| name.parse().unwrap()).collect(),
        Err(_) => carom_broadphase::Method::ALL.into_iter().map(Choice::from).collect(),
    }
}
