//! What the pairs should be, in the plainest words.

use std::collections::BTreeSet;

use carom_broadphase::refine::Refinement;
use carom_broadphase::{Bound, Choice, Contract, Filter, Method, Pair, Space};
use carom_geometry::Aabb;

use crate::volumes::overlap;

/// A model of a space that cannot be wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model<const D: usize> {
    pub(crate) boxes: Vec<Option<(Aabb<D>, Filter)>>,
    /// Tighter volumes that were given; may be shorter.
    pub(crate) bounds: Vec<Option<Bound>>,
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

    fn given(&self, id: u32) -> Option<Bound> {
        self.bounds.get(id as usize).copied().flatten()
    }

    fn bound(&self, id: u32) -> Option<Bound> {
        self.given(id).or_else(|| self.boxes[id as usize].and_then(|(aabb, _)| Bound::of_box(&aabb)))
    }

    /// The pairs of a set whose volumes overlap, judged strictly or generously.
    fn kept(&self, set: BTreeSet<Pair>, by: Refinement, generously: bool) -> BTreeSet<Pair> {
        let keep = |pair: &Pair| overlap(by, self.bound(pair.a), self.bound(pair.b), generously);
        set.into_iter().filter(keep).collect()
    }

    /// The pairs that must be reported and those that may be.
    fn expected(&self, contract: Contract) -> (BTreeSet<Pair>, BTreeSet<Pair>) {
        let exact = self.pairs(0.0);
        // Volumes of the boxes themselves are not smaller than the boxes, whatever was rounded.
        let of_boxes =
            || exact.iter().copied().filter(|p| self.given(p.a).is_none() && self.given(p.b).is_none());
        match contract {
            Contract::Exact => (exact.clone(), exact),
            Contract::Fattened { margin } => (exact, self.pairs(margin)),
            Contract::Everything => (self.pairs(f32::INFINITY), self.pairs(f32::INFINITY)),
            Contract::Spheres | Contract::OrientedBoxes => {
                let by = if contract == Contract::Spheres { Refinement::Sphere } else { Refinement::Obb };
                let all = || self.pairs(f32::INFINITY);
                let mut required = self.kept(all(), by, false);
                required.extend(of_boxes());
                (required, self.kept(all(), by, true))
            }
            Contract::Refined { by, also, margin } => {
                let kept = |set, generously| {
                    let set = self.kept(set, by, generously);
                    also.map_or(set.clone(), |also| self.kept(set, also, generously))
                };
                let mut required = kept(self.pairs(0.0), false);
                required.extend(of_boxes());
                (required, kept(self.pairs(margin), true))
            }
        }
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
    let (required, allowed) = model.expected(space.contract());
    if let Some(missed) = required.difference(&found).next() {
        return Err(format!("{choice}: misses {missed:?}"));
    }
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

/// Options and refinements beside the plain methods.
const VARIANTS: [&str; 16] = [
    "direct-sap?sort=full&pairs=positions",
    "direct-sap?sort=full&pairs=hash",
    "direct-sap?sort=full&pairs=sorted",
    "direct-sap?sort=scratch",
    "direct-sap?sort=insertion&pairs=hash",
    "incremental-sap?sort=full&pairs=hash",
    "incremental-sap?sort=scratch&pairs=positions",
    "incremental-sap?pairs=sorted&update=recompute",
    "incremental-sap?update=delta",
    "multi-sap?cell=0.25",
    "multi-sap?cell=3",
    "sap+sphere",
    "aabb+obb",
    "multi-sap+kdop14",
    "incremental-sap?update=delta+kdop18",
    "none+kdop26",
];

/// The methods to test: all, or those named in the environment variable `CAROM_BROAD` (comma-separated).
pub(crate) fn choices() -> Vec<Choice> {
    match std::env::var("CAROM_BROAD") {
        Ok(names) => names.split(',').map(|name| name.parse().unwrap()).collect(),
        Err(_) => {
            let plain = Method::ALL.into_iter().map(Choice::from);
            plain.chain(VARIANTS.iter().map(|name| name.parse().unwrap())).collect()
        }
    }
}
