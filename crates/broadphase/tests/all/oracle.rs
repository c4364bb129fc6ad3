//! What the pairs should be, in the plainest words.

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

    fn given(&self, id: u32) -> Option<Bound> {
        self.bounds.get(id as usize).copied().flatten()
    }

    fn bound(&self, id: u32) -> Option<Bound> {
        self.given(id).or_else(|| self.boxes[id as usize].and_then(|(aabb, _)| Bound::of_box(&aabb)))
    }

    /// The pairs of a list whose volumes overlap, judged strictly or generously.
    fn kept(&self, mut list: Vec<Pair>, by: Refinement, generously: bool) -> Vec<Pair> {
        list.retain(|pair| overlap(by, self.bound(pair.a), self.bound(pair.b), generously));
        list
    }

    /// The pairs that must be reported and those that may be; `exact` are those whose boxes
    /// overlap.
    fn expected(&self, contract: Contract, exact: &[Pair]) -> (Vec<Pair>, Vec<Pair>) {
        // Volumes of the boxes themselves are not smaller than the boxes, whatever was rounded.
        let with_boxes = |mut required: Vec<Pair>| {
            let plain = |p: &&Pair| self.given(p.a).is_none() && self.given(p.b).is_none();
            required.extend(exact.iter().filter(plain));
            required.sort_unstable();
            required.dedup();
            required
        };
        match contract {
            Contract::Exact => (exact.to_vec(), exact.to_vec()),
            Contract::Fattened { margin } => (exact.to_vec(), self.pairs(margin)),
            Contract::Everything => (self.pairs(f32::INFINITY), self.pairs(f32::INFINITY)),
            Contract::OrientedSubset => {
                (with_boxes(self.kept(exact.to_vec(), Refinement::Obb, false)), exact.to_vec())
            }
            Contract::Spheres | Contract::OrientedBoxes => {
                let by = if contract == Contract::Spheres { Refinement::Sphere } else { Refinement::Obb };
                let all = self.pairs(f32::INFINITY);
                (with_boxes(self.kept(all.clone(), by, false)), self.kept(all, by, true))
            }
            Contract::Refined { by, also, margin } => {
                let required = self.kept(exact.to_vec(), by, false);
                let required = match also {
                    Some(also) => self.kept(required, also, false),
                    None => required,
                };
                (with_boxes(required), self.kept(self.pairs(margin), by, true))
            }
        }
    }
}

/// What is in `a` and not in `b`; both ascend.
fn difference(a: &[Pair], b: &[Pair]) -> Vec<Pair> {
    a.iter().copied().filter(|pair| b.binary_search(pair).is_err()).collect()
}

/// Updates a space and compares its pairs and changes with the model, whose pairs are `exact`.
/// `before` are the pairs it had at the last comparison.
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
    let (required, allowed) = model.expected(space.contract(), exact);
    if let Some(missed) = difference(&required, &found).first() {
        return Err(format!("{choice}: misses {missed:?}"));
    }
    if let Some(extra) = difference(&found, &allowed).first() {
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

/// Options and refinements beside the plain methods.
const VARIANTS: [&str; 19] = [
    "aabb?lanes=1",
    "box-pruning?sort=full",
    "box-pruning?sort=insertion",
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

/// The methods to test: all, or those named in the environment variable `CAROM_BROAD`
/// (comma-separated).
pub(crate) fn choices() -> Vec<Choice> {
    match std::env::var("CAROM_BROAD") {
        Ok(names) => names.split(',').map(|name| name.parse().unwrap()).collect(),
        Err(_) => {
            let plain = Method::ALL.into_iter().map(Choice::from);
            plain.chain(VARIANTS.iter().map(|name| name.parse().unwrap())).collect()
        }
    }
}
