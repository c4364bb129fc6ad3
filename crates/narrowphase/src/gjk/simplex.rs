//! The point of a simplex nearest to the origin.
//!
//! The barycentric weights of the origin decide: where all are positive, the nearest point is
//! inside; otherwise it is on a face opposite to a corner with a weight that is not, and the
//! nearest point of those faces is found the same way. A simplex too flat for its weights to be
//! trusted counts as if all were negative. So no region is decided by a single sign that rounding
//! could turn, as in Johnson's algorithm; the order of ideas is that of M. Montanari, N. Petrinic
//! and E. Barbieri, "Improving the GJK algorithm for faster and more reliable distance queries
//! between convex objects" (2017). Weights are taken relative to a corner, so their error grows
//! with the distance of the origin and not with its square.

use carom_geometry::Real;
use glam::DVec3;

/// The nearest point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    pub(crate) point: DVec3,
    /// Square of its distance.
    pub(crate) square: f64,
    /// The corners that carry it: none other is needed.
    pub(crate) carriers: Corners,
}

impl Nearest {
    #[inline]
    fn new(point: DVec3, carriers: u8) -> Self {
        Self { point, square: point.dot(point), carriers: Corners { set: carriers, newest: 0 } }
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        if other.square < self.square { other } else { self }
    }

    const FAR: Self =
        Self { point: DVec3::ZERO, square: f64::INFINITY, carriers: Corners { set: 0, newest: 0 } };
}

/// Which of four places are corners of the simplex. Corners stay in their places while others come
/// and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Corners {
    /// A bit per place.
    set: u8,
    /// The place of the newest.
    newest: u8,
}

/// The places of each set, in order.
const PLACES: [[u8; 4]; 16] = {
    let mut all = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut place, mut count) = (0, 0);
        while place < 4 {
            if set >> place & 1 == 1 {
                all[set][count] = place;
                count += 1;
            }
            place += 1;
        }
        set += 1;
    }
    all
};

impl Corners {
    /// The first places.
    #[inline]
    pub(crate) fn first(count: usize) -> Self {
        let count = count.min(4) as u8;
        Self { set: (1 << count) - 1, newest: count.saturating_sub(1) }
    }

    #[inline]
    pub(crate) fn count(self) -> usize {
        self.set.count_ones() as usize
    }

    /// Their places in order.
    #[inline]
    pub(crate) fn places(self) -> impl Iterator<Item = usize> {
        PLACES[usize::from(self.set % 16)].into_iter().take(self.count()).map(usize::from)
    }

    /// A place that is no corner, if there are fewer than four.
    #[inline]
    pub(crate) fn free(self) -> usize {
        self.set.trailing_ones() as usize % 4
    }

    /// With the free place as newest corner.
    #[inline]
    pub(crate) fn grown(self) -> Self {
        let free = self.free() as u8;
        Self { set: self.set | 1 << free, newest: free }
    }

    /// The old ones in order.
    #[inline]
    fn old(self) -> [usize; 3] {
        let [i, j, k, _] = PLACES[usize::from(self.set & !(1 << self.newest)) % 16];
        [usize::from(i % 4), usize::from(j % 4), usize::from(k % 4)]
    }
}

/// Sine of the angle, or ratio of a volume to the product of edges, below which a simplex is too
/// flat.
const FLAT: f64 = 1e-13;

/// Triangles less high than this, relative to their edges, have their weights corrected.
const THIN: f64 = 1e-6;

/// Corrections of weights. Each takes at least two digits off what rounding did to a simplex that
/// is just not flat.
const ROUNDS: u32 = 3;

/// The point of the hull of one to four corners nearest to the origin, and its [weights].
#[inline]
pub(crate) fn nearest(points: &[DVec3; 4], count: usize) -> (Nearest, [f64; 4]) {
    let found = nearest_of::<false>(points, Corners::first(count));
    (found, weights(points, found.carriers))
}

/// The same for the corners among four places. `IMPROVED` says that the newest corner lies nearer
/// than the hull of the others along the way to its nearest point, so that it carries the answer:
/// hulls without it are not looked at, and where rounding finds nothing better the answer is
/// infinitely far away.
#[inline]
pub(crate) fn nearest_of<const IMPROVED: bool>(points: &[DVec3; 4], corners: Corners) -> Nearest {
    let [i, j, k] = corners.old();
    let l = usize::from(corners.newest % 4);
    match corners.count() {
        4 => of_tetrahedron::<IMPROVED>(points, [i, j, k, l]),
        3 => of_triangle::<IMPROVED>(points, [i, j, l]),
        2 => of_segment(points, [i, l]),
        _ => Nearest::new(points[l], 1 << l),
    }
}

#[inline(always)]
fn of_segment(points: &[DVec3; 4], [i, j]: [usize; 2]) -> Nearest {
    let (p, q) = (points[i], points[j]);
    let along = q - p;
    let (share, whole) = (-p.dot(along), along.dot(along));
    if share <= 0.0 || whole <= 0.0 {
        Nearest::new(p, 1 << i)
    } else if share >= whole {
        Nearest::new(q, 1 << j)
    } else {
        Nearest::new(p + along * (share / whole), 1 << i | 1 << j)
    }
}

/// A triangle before it is known where its nearest point lies.
struct Spanned {
    normal: DVec3,
    /// Square of the normal.
    area: f64,
    flat: bool,
    /// Barycentric weights times the area.
    weights: [f64; 3],
}

impl Spanned {
    #[inline(always)]
    fn new([p, q, r]: [DVec3; 3]) -> Self {
        let (to_q, to_r) = (q - p, r - p);
        let normal = to_q.cross(to_r);
        let area = normal.dot(normal);
        let flat = area <= FLAT * FLAT * to_q.dot(to_q) * to_r.dot(to_r);
        // The normal part of p does not count.
        let side = normal.cross(p);
        let (weight_q, weight_r) = (-side.dot(to_r), side.dot(to_q));
        Self { normal, area, flat, weights: [area - weight_q - weight_r, weight_q, weight_r] }
    }
}

#[inline]
fn of_triangle<const IMPROVED: bool>(points: &[DVec3; 4], [i, j, k]: [usize; 3]) -> Nearest {
    let p = points[i];
    let Spanned { normal, area, flat, weights: [weight_i, weight_j, weight_k] } =
        Spanned::new([p, points[j], points[k]]);
    if weight_i > 0.0 && weight_j > 0.0 && weight_k > 0.0 && !flat {
        // Along the normal, not a sum of corners: the direction is as good as the normal even if
        // the point is close.
        return Nearest::new(normal * (p.dot(normal) / area), 1 << i | 1 << j | 1 << k);
    }
    let mut best = Nearest::FAR;
    if flat || weight_i <= 0.0 {
        best = of_segment(points, [j, k]);
    }
    if flat || weight_j <= 0.0 {
        best = best.or(of_segment(points, [i, k]));
    }
    if !IMPROVED && (flat || weight_k <= 0.0) {
        best = best.or(of_segment(points, [i, j]));
    }
    best
}

/// Barycentric weights of the origin times the volume of a tetrahedron, and whether it is too flat
/// for them.
#[inline(always)]
fn of_volume([a, b, c, p]: [DVec3; 4]) -> ([f64; 4], bool) {
    let [u, v, w] = [a - p, b - p, c - p];
    let vw = v.cross(w);
    let volume = u.dot(vw);
    let size = u.dot(u) * v.dot(v) * w.dot(w);
    let flat = volume * volume <= FLAT * FLAT * size;
    // With the sign of the volume taken out.
    let sign = if volume < 0.0 { -1.0 } else { 1.0 };
    let across = u.cross(p) * sign;
    let weight_u = -p.dot(vw) * sign;
    let weight_v = -across.dot(w);
    let weight_w = across.dot(v);
    ([weight_u, weight_v, weight_w, volume * sign - weight_u - weight_v - weight_w], flat)
}

#[inline]
fn of_tetrahedron<const IMPROVED: bool>(points: &[DVec3; 4], [i, j, k, l]: [usize; 4]) -> Nearest {
    // Seen from the last corner, which is the newest.
    let ([weight_i, weight_j, weight_k, weight_l], flat) =
        of_volume([points[i], points[j], points[k], points[l]]);
    if weight_i > 0.0 && weight_j > 0.0 && weight_k > 0.0 && weight_l > 0.0 && !flat {
        return Nearest { point: DVec3::ZERO, square: 0.0, carriers: Corners::first(4) };
    }
    let mut best = Nearest::FAR;
    for (weight, face) in [(weight_i, [j, k, l]), (weight_j, [i, k, l]), (weight_k, [i, j, l])] {
        if flat || weight <= 0.0 {
            best = best.or(of_triangle::<IMPROVED>(points, face));
        }
    }
    if !IMPROVED && (flat || weight_l <= 0.0) {
        best = best.or(of_triangle::<false>(points, [i, j, k]));
    }
    best
}

/// The nearest point of a segment, rounded to be across it: the nearer the point, the more its
/// direction is rounding, but what is left along the segment can be taken away again. Points of
/// other simplices are what they are.
pub(crate) fn straightened(points: &[DVec3; 4], nearest: &Nearest) -> DVec3 {
    let mut places = nearest.carriers.places();
    if let (2, Some(i), Some(j)) = (nearest.carriers.count(), places.next(), places.next()) {
        let along = points[j] - points[i];
        return nearest.point - along * (nearest.point.dot(along) / along.dot(along));
    }
    nearest.point
}

/// The weights of the corners that carry the nearest point: one per place, sum 1, zero for the
/// others.
pub(crate) fn weights(points: &[DVec3; 4], carriers: Corners) -> [f64; 4] {
    let mut at = [0; 4];
    let mut count = 0;
    for place in carriers.places() {
        at[count] = place;
        count += 1;
    }
    let [p, q, r, s] = at.map(|place| points[place]);
    let shares = match count {
        4 => of_volume([p, q, r, s]).0,
        3 => {
            let [a, b, c] = Spanned::new([p, q, r]).weights;
            [a, b, c, 0.0]
        }
        2 => {
            let along = q - p;
            [q.dot(along), -p.dot(along), 0.0, 0.0]
        }
        _ => [1.0, 0.0, 0.0, 0.0],
    };
    let mut shares = normalised(shares, count);
    if count == 4 || count == 3 && is_thin([p, q, r]) {
        match corrected(&[p, q, r, s], count, shares) {
            Ok(better) => shares = better,
            Err(face) => shares = weights(&[p, q, r, s], face),
        }
    }
    let mut weights = [0.0; 4];
    for k in 0..count {
        weights[at[k]] = shares[k];
    }
    weights
}

/// Is the direction of a triangle known to less than most digits? The shorter an edge beside the
/// others, the less.
#[inline]
fn is_thin([p, q, r]: [DVec3; 3]) -> bool {
    let (u, v) = (q - p, r - p);
    let normal = u.cross(v);
    let longest = Real::max(u.dot(u), v.dot(v));
    normal.dot(normal) < THIN * THIN * longest * longest
}

/// The weights of a simplex that may be thin, corrected by what their mean misses the origin by; or
/// the face that comes closer to it, as the weights are nothing but rounding.
#[cold]
#[inline(never)]
fn corrected(points: &[DVec3; 4], count: usize, mut shares: [f64; 4]) -> Result<[f64; 4], Corners> {
    let [p, q, r, s] = *points;
    let missed = |shares: [f64; 4]| -> DVec3 { (0..count).map(|k| points[k] * shares[k]).sum() };
    for _ in 0..ROUNDS {
        let off = missed(shares);
        let corrections = if count == 4 {
            let [u, v, w] = [p - s, q - s, r - s];
            let sides = [v.cross(w), w.cross(u), u.cross(v)];
            let [a, b, c] = sides.map(|side| off.dot(side) / u.dot(sides[0]));
            [-a, -b, -c, a + b + c]
        } else {
            let (u, v) = (q - p, r - p);
            let normal = u.cross(v);
            let [b, c] = [off.cross(v), u.cross(off)].map(|side| side.dot(normal) / normal.dot(normal));
            [b + c, -b, -c, 0.0]
        };
        let better = normalised(std::array::from_fn(|k| shares[k] + corrections[k]), count);
        if missed(better).length_squared() < off.length_squared() {
            shares = better;
        } else {
            break;
        }
    }
    let face = if count == 4 {
        [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
            .into_iter()
            .fold(Nearest::FAR, |best, face| best.or(of_triangle::<false>(points, face)))
    } else {
        [[0, 1], [0, 2], [1, 2]]
            .into_iter()
            .fold(Nearest::FAR, |best, edge| best.or(of_segment(points, edge)))
    };
    if face.square < missed(shares).length_squared() { Err(face.carriers) } else { Ok(shares) }
}

/// None negative, sum 1.
#[inline]
fn normalised(shares: [f64; 4], count: usize) -> [f64; 4] {
    let shares = shares.map(|share| Real::max(share, 0.0));
    let sum: f64 = shares.iter().sum();
    let none = 1.0 / count as f64;
    shares.map(|share| if sum > 0.0 { share / sum } else { none })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(corners: &[DVec3; 4], count: usize) {
        let (found, weights) = nearest(corners, count);
        let sum: f64 = weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9 && weights.iter().all(|&w| w >= 0.0), "{found:?}");
        assert!(weights[count..].iter().all(|&w| w == 0.0));
        let point: DVec3 = (0..count).map(|k| corners[k] * weights[k]).sum();
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
            assert_eq!(nearest(&[p; 4], count).0.point, p);
        }
        let [x, y] = [DVec3::X, DVec3::Y];
        let above = DVec3::Z;
        let square = [x + above, y + above, -x + above, -y + above];
        assert_eq!(nearest(&square, 4).0.point, above);
    }
}
