//! Planes of any direction, chosen so that they part the oriented boxes best.
//!
//! Candidates for the normal are the axes of the world and those of a few of the boxes; the
//! displacement of each comes from the same bisection as the cuts of a kd-tree. Candidates are
//! rated on a sample by the tests they would leave. A box goes to each side that its oriented box
//! reaches: in double precision and widened by more than the rounding error, so two boxes that
//! share a point are together on the side of that point, always.

use carom_geometry::bounds::Obb;
use glam::Vec3;

use super::cut::best_cut;
use crate::Bound;
use crate::grid::sample;

/// Boxes whose axes are tried, per cut.
const TRIED_BOXES: usize = 4;
/// Boxes on which candidates are rated.
const SAMPLE: usize = 64;
/// Tries of the bisection.
const MOST_TRIES: u32 = 12;
/// Normals with a greater cosine are the same.
const SAME: f32 = 0.9999;
/// Relative widening of an interval: far above the error of nine products and their sums in double
/// precision.
const WIDENING: f64 = 1e-13;

/// Points p with `normal · p = offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneCut<const D: usize> {
    pub(super) normal: [f32; D],
    pub(super) offset: f32,
}

/// The oriented boxes and what has been tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Planes<const D: usize> {
    obbs: Vec<Obb>,
    normals: Vec<[f32; 3]>,
    intervals: Vec<(f64, f64)>,
}

impl<const D: usize> Planes<D> {
    /// Takes the oriented boxes of the boxes in a list.
    pub(super) fn take(&mut self, count: usize, list: &[u32], bound: impl Fn(u32) -> Option<Bound>) {
        self.obbs.clear();
        self.obbs.resize(count, Obb::of_aabb(&carom_geometry::Aabb::default()));
        for &at in list {
            // Listed boxes are finite, so there is a bound.
            if let Some(bound) = bound(at) {
                self.obbs[at as usize] = bound.obb;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.obbs.capacity() * size_of::<Obb>()
            + self.normals.capacity() * size_of::<[f32; 3]>()
            + self.intervals.capacity() * size_of::<(f64, f64)>()
    }

    /// The children that a box goes to: bit 0 below the plane, bit 1 above. NaN goes to both.
    pub(super) fn sides(&self, at: u32, plane: &PlaneCut<D>) -> u8 {
        let (low, high) = interval(&self.obbs[at as usize], padded(&plane.normal));
        let offset = f64::from(plane.offset);
        let (apart_above, apart_below) = (low > offset, high < offset);
        u8::from(!apart_above) | u8::from(!apart_below) << 1
    }

    /// The best plane found for a list; `None` if there is none at all.
    pub(super) fn choose(&mut self, list: &[u32]) -> Option<PlaneCut<D>> {
        self.collect_normals(list);
        let mut best: Option<(f64, PlaneCut<D>)> = None;
        for &normal in &self.normals {
            self.intervals.clear();
            self.intervals.extend(sample(list, SAMPLE).map(|&at| interval(&self.obbs[at as usize], normal)));
            let middle = |&(low, high): &(f64, f64)| 0.5 * (low + high);
            let (low, high) =
                self.intervals.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |ends, interval| {
                    let at = middle(interval);
                    (ends.0.min(at), ends.1.max(at))
                });
            let below = |at: f64| self.intervals.iter().filter(|interval| middle(interval) < at).count();
            let at = best_cut(low, high, self.intervals.len(), below, MOST_TRIES).at as f32;
            if !at.is_finite() {
                continue;
            }
            let count =
                |side: &dyn Fn(&(f64, f64)) -> bool| self.intervals.iter().filter(|i| side(i)).count() as f64;
            let under = count(&|interval| interval.0 <= f64::from(at));
            let over = count(&|interval| interval.1 >= f64::from(at));
            let tests = under * under + over * over;
            if best.is_none_or(|(least, _)| tests < least) {
                let normal = std::array::from_fn(|k| normal[k]);
                best = Some((tests, PlaneCut { normal, offset: at }));
            }
        }
        best.map(|(_, plane)| plane)
    }

    fn collect_normals(&mut self, list: &[u32]) {
        self.normals.clear();
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let own = sample(list, TRIED_BOXES).flat_map(|&at| self.obbs[at as usize].axes.columns);
        for axis in axes.into_iter().take(D).chain(own) {
            // In the plane only what lies in the plane.
            let normal: [f32; 3] = std::array::from_fn(|k| if k < D { axis[k] } else { 0.0 });
            let square = dot(normal, normal);
            let known = |other: &[f32; 3]| dot(normal, *other).abs() > SAME;
            if square > SAME && square < 1.01 && !self.normals.iter().any(known) {
                self.normals.push(normal);
            }
        }
    }
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn padded<const D: usize>(normal: &[f32; D]) -> [f32; 3] {
    std::array::from_fn(|k| normal.get(k).copied().unwrap_or(0.0))
}

/// The interval of `normal · p` over an oriented box, widened.
fn interval(obb: &Obb, normal: [f32; 3]) -> (f64, f64) {
    let product = |v: Vec3, size: bool| {
        (0..3).fold(0.0, |sum, k| {
            let term = f64::from(v[k]) * f64::from(normal[k]);
            sum + if size { term.abs() } else { term }
        })
    };
    let centre = product(obb.centre, false);
    let mut reach = 0.0;
    let mut magnitude = product(obb.centre, true);
    for k in 0..3 {
        let half = f64::from(obb.half[k]);
        reach += half * product(obb.axes.columns[k], false).abs();
        magnitude += half * product(obb.axes.columns[k], true);
    }
    let reach = reach + WIDENING * magnitude;
    (centre - reach, centre + reach)
}
