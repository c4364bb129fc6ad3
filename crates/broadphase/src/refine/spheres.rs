//! Spheres by id, for a second test.
//!
//! A sphere is four numbers: its centre and a radius that is enlarged so that spheres which share a
//! point are never judged apart. With u = ε/2 the rounding unit, the radius of an oriented box is
//! off by 4u, the square of the distance of two centres by 6u, the square of the sum of the radii
//! by 4u; 16ε on each radius is more than all of them. Below 10⁻¹⁹ m squares underflow, which the
//! least radius covers; above 10¹⁹ m they overflow to infinity, where `∞ > ∞` does not separate.

use crate::{Bound, Table};

/// Enlargement of a radius against rounding, relative.
const GROWTH: f32 = 16.0 * f32::EPSILON;
/// Enlargement against underflow, metres: its square is a normal number with room for rounding.
pub(super) const LEAST: f32 = 1e-18;

/// Centre and enlarged radius.
pub(crate) type Ball = [f32; 4];

/// The sphere of a bound; one that overlaps everything for none.
#[inline]
pub(crate) fn ball(bound: Option<&Bound>) -> Ball {
    bound.map_or([0.0, 0.0, 0.0, f32::INFINITY], |bound| {
        let [x, y, z] = bound.obb.centre.to_array();
        [x, y, z, bound.radius + bound.radius * GROWTH + LEAST]
    })
}

/// Do two balls overlap? NaN does not separate.
#[inline]
pub(crate) fn overlap(a: &Ball, b: &Ball) -> bool {
    let (x, y, z) = (b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    let reach = a[3] + b[3];
    // Not `<=`: what is not a number must not be lost.
    let apart = x * x + y * y + z * z > reach * reach;
    !apart
}

/// The balls of a table by id.
#[derive(Clone, Debug, Default)]
pub(super) struct Spheres {
    balls: Vec<Ball>,
}

impl Spheres {
    pub(super) fn follow<const D: usize>(&mut self, table: &Table<D>) {
        self.balls.resize(table.slots(), ball(None));
        for &id in table.changed() {
            self.balls[id as usize] = ball(table.bound(id).as_ref());
        }
    }

    #[inline]
    pub(super) fn overlap(&self, a: u32, b: u32) -> bool {
        overlap(&self.balls[a as usize], &self.balls[b as usize])
    }

    pub(super) fn bytes(&self) -> usize {
        self.balls.capacity() * size_of::<Ball>()
    }
}
