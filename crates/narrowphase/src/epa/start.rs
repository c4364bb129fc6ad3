//! A tetrahedron with the origin in it, from whatever simplex is at hand.
//!
//! A search for the distance ends with a simplex that holds the origin: a tetrahedron if it is
//! inside, but also a triangle, a segment or a point if the cores just touch or are flat. Each is
//! blown up by a support point across it, on the side where the difference reaches farther. If it
//! reaches nowhere across a simplex, the difference is flat there and the simplex with its normal
//! is the answer: depth zero.

use carom_geometry::{Real, Vector};
use glam::DVec3;

use crate::Convex;
use crate::gjk::difference::{Difference, Vertex};
use crate::gjk::simplex::{Corners, nearest, nearest_of};

/// What a simplex could be grown to.
pub(super) enum Start<S: Real> {
    /// Four corners that span a volume.
    Solid([Vertex<S>; 4]),
    /// The difference has no thickness along the normal; the origin is the weighted mean of the
    /// corners.
    Flat { corners: [Vertex<S>; 4], weights: [f64; 4], normal: DVec3 },
}

/// Extents below this share of the size of the difference are none.
const THIN: f64 = 1e-11;

/// Grows `count` corners to a tetrahedron.
pub(super) fn grow<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    difference: &mut Difference<'_, S, A, B>,
    mut corners: [Vertex<S>; 4],
    mut count: usize,
) -> Start<S> {
    if count == 0 {
        corners[0] = difference.lowest(difference.first_direction());
        count = 1;
    }
    let mut thin = f64::MIN_POSITIVE;
    let mut extend = |corners: &mut [Vertex<S>; 4], count: usize, direction: DVec3| {
        // The side that reaches farther from the first corner.
        let sides = [difference.lowest(direction), difference.lowest(-direction)];
        let base = corners[0].w;
        let reach = sides.map(|v| direction.dot(v.w - base).abs());
        for side in &sides {
            thin = Real::max(thin, THIN * side.w.length());
        }
        let best = usize::from(reach[1] > reach[0]);
        corners[count] = sides[best];
        reach[best] > thin
    };
    // Only the corners that the point nearest to the origin needs.
    let carriers = nearest_of::<false>(&corners.map(|c| c.w), Corners::first(count)).carriers;
    count = carriers.count();
    for (kept, place) in carriers.places().enumerate() {
        corners[kept] = corners[place];
    }
    if count == 1 {
        let found = DVec3::AXES.into_iter().any(|axis| extend(&mut corners, 1, axis));
        if !found {
            return flat(corners, 1, DVec3::X);
        }
        count = 2;
    }
    // The triangle of the caller may be a segment, then another one is looked for; if that is one
    // too, all that reaches across the segment is rounding.
    for _ in 0..2 {
        if count == 2 {
            let along = (corners[1].w - corners[0].w).unit();
            let (u, v) = along.unwrap_or(DVec3::X).frame();
            let found = along.is_some() && [u, v].into_iter().any(|across| extend(&mut corners, 2, across));
            if !found {
                return flat(corners, 2, u);
            }
            count = 3;
        }
        if count == 4 {
            break;
        }
        let [p, q, r] = [corners[0].w, corners[1].w, corners[2].w];
        let normal = (q - p).cross(r - p);
        let size = (q - p).length() * (r - p).length();
        if let Some(normal) = normal.unit().filter(|_| normal.length() > THIN * size) {
            if !extend(&mut corners, 3, normal) {
                return flat(corners, 3, normal);
            }
            return Start::Solid(corners);
        }
        // Forget the corner between.
        let spans = [[q, r], [p, r], [p, q]].map(|[a, b]| (a - b).length_squared());
        let least = (0..3).fold(0, |l, k| if spans[k] > spans[l] { k } else { l });
        corners.swap(least, 2);
        count = 2;
    }
    if count == 4 {
        return Start::Solid(corners);
    }
    let along = (corners[1].w - corners[0].w).unit().unwrap_or(DVec3::X);
    flat(corners, 2, along.frame().0)
}

fn flat<S: Real>(corners: [Vertex<S>; 4], count: usize, normal: DVec3) -> Start<S> {
    let (_, weights) = nearest(&corners.map(|c| c.w), count);
    Start::Flat { corners, weights, normal }
}
