//! k-DOPs by id, for a second test (Klosowski and others).
//!
//! The thing inside a box lies in its oriented box and in its sphere, so the interval along each
//! direction is the smaller one of the two. Intervals are enlarged by 16ε of all that was summed, a
//! multiple of the rounding of the sums, so that volumes which share a point share their intervals.
//! Volumes beyond [`FAR`] are taken to be infinite: there sums overflow.

use carom_geometry::bounds::Kdop;

use super::spheres::LEAST;
use crate::{Bound, Table};

/// Coordinates and sizes up to here are summed, metres.
const FAR: f32 = 1e30;
const GROWTH: f32 = 16.0 * f32::EPSILON;

const fn everything<const K2: usize>() -> Kdop<K2> {
    Kdop { min: [f32::NEG_INFINITY; K2], max: [f32::INFINITY; K2] }
}

/// The volume of a bound; one that overlaps everything for none.
pub(crate) fn dop<const K2: usize>(bound: Option<&Bound>) -> Kdop<K2> {
    let mut dop = everything();
    let Some(Bound { obb, radius }) = bound else { return dop };
    let centre = obb.centre.to_array();
    let size = centre.iter().fold(0.0, |sum, c| sum + c.abs());
    let widest = obb.half.x + obb.half.y + obb.half.z;
    // Written so that NaN fails.
    if !(size <= FAR && widest <= FAR && *radius <= FAR) {
        return dop;
    }
    for (k, direction) in Kdop::<K2, f32>::DIRECTIONS.iter().enumerate() {
        let d = direction.map(f32::from);
        let along = |v: [f32; 3]| d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
        let of_box: f32 = (0..3).map(|i| along(obb.axes.columns[i].to_array()).abs() * obb.half[i]).sum();
        // The radius of a tiny box is 0: its squares underflow.
        let of_sphere = along(d).sqrt() * (radius + LEAST);
        let reach = if of_box < of_sphere { of_box } else { of_sphere };
        // The products with an oblique axis may cancel: their rounding is one of the half extents,
        // not of the sum.
        let margin = GROWTH * (size + widest + reach) + f32::MIN_POSITIVE;
        let at = along(centre);
        dop.min[k] = at - reach - margin;
        dop.max[k] = at + reach + margin;
    }
    dop
}

/// The volumes of a table by id.
#[derive(Clone, Debug, Default)]
pub(super) struct Dops<const K2: usize> {
    dops: Vec<Kdop<K2>>,
}

impl<const K2: usize> Dops<K2> {
    pub(super) fn follow<const D: usize>(&mut self, table: &Table<D>) {
        self.dops.resize(table.slots(), everything());
        for &id in table.changed() {
            self.dops[id as usize] = dop(table.bound(id).as_ref());
        }
    }

    #[inline]
    pub(super) fn overlap(&self, a: u32, b: u32) -> bool {
        self.dops[a as usize].overlaps(&self.dops[b as usize])
    }

    pub(super) fn bytes(&self) -> usize {
        self.dops.capacity() * size_of::<Kdop<K2>>()
    }
}
