//! The point of a simplex nearest to the origin.
//!
//! The barycentric weights of the origin decide: where all are positive, the nearest point is inside; otherwise it is on a
//! face opposite to a corner with a weight that is not, and the nearest point of those faces is found the same way. A simplex
//! too flat for its weights to be trusted counts as if all were negative. So no region is decided by a single sign that
//! rounding could turn, as in Johnson's algorithm; the order of ideas is that of M. Montanari, N. Petrinic and E. Barbieri,
//! "Improving the GJK algorithm for faster and more reliable distance queries between convex objects" (2017). Weights are
//! taken relative to a corner, so their error grows with the distance of the origin and not with its square.

use glam::DVec3;

/// The nearest point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    pub(crate) point: DVec3,
    /// Square of its distance.
    pub(crate) square: f64,
    /// One weight per corner of the simplex, sum 1; zero for those that are not needed.
    pub(crate) weights: [f64; 4],
}

impl Nearest {
    #[inline]
    fn new(point: DVec3, weights: [f64; 4]) -> Self {
        Self { point, square: point.dot(point), weights }
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        if other.square < self.square { other } else { self }
    }

    const FAR: Self = Self { point: DVec3::ZERO, square: f64::INFINITY, weights: [0.0; 4] };
}

/// Sine of the angle, or ratio of a volume to the product of edges, below which a simplex is too flat.
const FLAT: f64 = 1e-13;

/// The point of the hull of one to four corners nearest to the origin.
#[inline]
pub(crate) fn nearest(corners: &[DVec3; 4], count: usize) -> Nearest {
    match count {
        4 => of_tetrahedron(corners),
        3 => of_triangle(corners, [0, 1, 2]),
        2 => of_segment(corners, [0, 1]),
        _ => Nearest::new(corners[0], [1.0, 0.0, 0.0, 0.0]),
    }
}

#[inline]
fn of_segment(corners: &[DVec3; 4], [i, j]: [usize; 2]) -> Nearest {
    let (p, q) = (corners[i], corners[j]);
    let along = q - p;
    let (share, whole) = (-p.dot(along), along.dot(along));
    let mut weights = [0.0; 4];
    if share <= 0.0 || whole <= 0.0 {
        weights[i] = 1.0;
        Nearest::new(p, weights)
    } else if share >= whole {
        weights[j] = 1.0;
        Nearest::new(q, weights)
    } else {
        let t = share / whole;
        weights[i] = 1.0 - t;
        weights[j] = t;
        Nearest::new(p + along * t, weights)
    }
}

#[inline]
fn of_triangle(corners: &[DVec3; 4], [i, j, k]: [usize; 3]) -> Nearest {
    let p = corners[i];
    let (to_j, to_k) = (corners[j] - p, corners[k] - p);
    let normal = to_j.cross(to_k);
    let area = normal.dot(normal);
    let flat = area <= FLAT * FLAT * to_j.dot(to_j) * to_k.dot(to_k);
    let side = normal.cross(p);
    // Weights times the area: the normal part of p does not count.
    let (weight_j, weight_k) = (-side.dot(to_k), side.dot(to_j));
    let weight_i = area - weight_j - weight_k;
    if weight_i > 0.0 && weight_j > 0.0 && weight_k > 0.0 && !flat {
        let inverse = 1.0 / area;
        let mut weights = [0.0; 4];
        (weights[i], weights[j], weights[k]) = (weight_i * inverse, weight_j * inverse, weight_k * inverse);
        // Along the normal, not a sum of corners: the direction is as good as the normal even if the point is close.
        return Nearest::new(normal * (p.dot(normal) * inverse), weights);
    }
    let mut best = Nearest::FAR;
    if flat || weight_i <= 0.0 {
        best = of_segment(corners, [j, k]);
    }
    if flat || weight_j <= 0.0 {
        best = best.or(of_segment(corners, [i, k]));
    }
    if flat || weight_k <= 0.0 {
        best = best.or(of_segment(corners, [i, j]));
    }
    best
}

#[inline]
fn of_tetrahedron(corners: &[DVec3; 4]) -> Nearest {
    // Seen from the last corner, which is the newest.
    let p = corners[3];
    let [u, v, w] = [corners[0] - p, corners[1] - p, corners[2] - p];
    let vw = v.cross(w);
    let volume = u.dot(vw);
    let size = u.dot(u) * v.dot(v) * w.dot(w);
    let flat = volume * volume <= FLAT * FLAT * size;
    // Weights times the volume, with its sign taken out.
    let sign = if volume < 0.0 { -1.0 } else { 1.0 };
    let across = u.cross(p) * sign;
    let weight_u = -p.dot(vw) * sign;
    let weight_v = -across.dot(w);
    let weight_w = across.dot(v);
    let weight_p = volume * sign - weight_u - weight_v - weight_w;
    if weight_u > 0.0 && weight_v > 0.0 && weight_w > 0.0 && weight_p > 0.0 && !flat {
        let inverse = 1.0 / (volume * sign);
        let weights = [weight_u, weight_v, weight_w, weight_p].map(|weight| weight * inverse);
        return Nearest { point: DVec3::ZERO, square: 0.0, weights };
    }
    let mut best = Nearest::FAR;
    for (weight, face) in
        [(weight_p, [0, 1, 2]), (weight_u, [1, 2, 3]), (weight_v, [0, 2, 3]), (weight_w, [0, 1, 3])]
    {
        if flat || weight <= 0.0 {
            best = best.or(of_triangle(corners, face));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(corners: &[DVec3; 4], count: usize) {
        let found = nearest(corners, count);
        let sum: f64 = found.weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9 && found.weights.iter().all(|&w| w >= 0.0), "{found:?}");
        assert!(found.weights[count..].iter().all(|&w| w == 0.0));
        let point: DVec3 = (0..count).map(|k| corners[k] * found.weights[k]).sum();
        assert!((point - found.point).length() < 1e-9, "{found:?} {point}");
        // Optimal: moving towards no corner gains anything.
        for corner in &corners[..count] {
            let gap = found.square - corner.dot(found.point);
            let way = (*corner - found.point).length_squared();
            let gain = if gap < way { gap * gap / way } else { gap };
            assert!(gap <= 0.0 || gain <= 1e-15, "{corners:?} {count} {found:?} {gap}");
        }
    }

    #[test]
    fn the_nearest_point_of_a_simplex_is_optimal() {
        let mut state = 1u64;
        let mut number = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f64 / (1u64 << 24) as f64 * 2.0 - 1.0
        };
        for k in 0..20_000 {
            let scale = if k % 3 == 0 { 4.0 } else { 1e6 };
            // On a coarse grid for touching and flat ones.
            let mut coordinate = || (number() * scale).round() / scale;
            let mut corners: [DVec3; 4] =
                std::array::from_fn(|_| DVec3::new(coordinate(), coordinate(), coordinate()));
            if k % 5 == 0 {
                corners.iter_mut().for_each(|c| c.z = 0.5 + c.z * 1e-9);
            }
            (1..=4).for_each(|count| check(&corners, count));
        }
    }

    #[test]
    fn flat_simplices_count_as_what_they_cover() {
        let p = DVec3::new(1.0, 2.0, 3.0);
        for count in 1..=4 {
            assert_eq!(nearest(&[p; 4], count).point, p);
        }
        let [x, y] = [DVec3::X, DVec3::Y];
        let above = DVec3::Z;
        let square = [x + above, y + above, -x + above, -y + above];
        assert_eq!(nearest(&square, 4).point, above);
    }
}
