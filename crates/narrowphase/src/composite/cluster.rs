//! From the contacts of many triangles to few manifolds.
//!
//! Contacts whose normals differ by less than 5° become one manifold of up to four points, with the
//! normal of the largest triangle: that of a sliver is the least certain. The angle is Box3D's and
//! parry's.

use carom_core::simd::{SimdFloat, f32x8};
use carom_geometry::{Real, Vector};
use glam::Vec3;

use crate::manifold::{FeatureId, Manifold, ManifoldPoint, reduce};

/// Cosine of the angle below which contacts are one: 5°.
pub(super) const SAME_COSINE: f32 = 0.996;

/// The contact of one part of a composite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) manifold: Manifold,
    /// Number of the triangle, or of the pair of children.
    pub(super) part: u32,
    /// Larger ones give the normal.
    pub(super) weight: f32,
    /// Number of the cluster.
    pub(super) cluster: u32,
}

/// Contacts with one normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster {
    pub(super) normal: Vec3,
    pub(super) deepest: f32,
}

/// The clusters of a call, and memory for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Clusters {
    clusters: Vec<Cluster>,
    points: Vec<ManifoldPoint>,
}

impl Clusters {
    pub(super) fn clear(&mut self) {
        self.clusters.clear();
    }

    /// Brings pieces into an order of their own and tells each its cluster.
    pub(super) fn assign(&mut self, pieces: &mut [Piece]) {
        self.clusters.clear();
        pieces.sort_unstable_by(|a, b| b.weight.total_cmp(&a.weight).then(a.part.cmp(&b.part)));
        for piece in pieces {
            self.add(piece);
        }
    }

    /// Tells one more piece its cluster.
    pub(super) fn add(&mut self, piece: &mut Piece) {
        let (normal, deepest) = (piece.manifold.normal, piece.manifold.deepest());
        let at = self.position(normal).unwrap_or_else(|| {
            self.clusters.push(Cluster { normal, deepest });
            self.clusters.len() - 1
        });
        piece.cluster = at as u32;
        self.clusters[at].deepest = Real::min(self.clusters[at].deepest, deepest);
    }

    /// The cluster that a normal belongs to.
    pub(super) fn like(&self, normal: Vec3) -> Option<&Cluster> {
        self.position(normal).map(|at| &self.clusters[at])
    }

    fn position(&self, normal: Vec3) -> Option<usize> {
        self.clusters.iter().position(|c| c.normal.dot(normal) >= SAME_COSINE)
    }

    /// Writes one manifold per cluster, in the order of the largest triangles, and a second one
    /// where [points protrude](protruding) from the plane of the first. `previous` are the
    /// manifolds in use so far.
    pub(super) fn write(
        &mut self,
        pieces: &[Piece],
        previous: &[Manifold],
        uneven: Uneven,
        out: &mut Vec<Manifold>,
    ) {
        for number in 0..self.clusters.len() {
            let cluster = self.clusters[number];
            let mut own = pieces.iter().filter(|p| p.cluster as usize == number);
            if let (Some(only), None) = (own.next(), own.next()) {
                let mut manifold = only.manifold;
                manifold.rename(|feature| feature.within(only.part));
                out.push(manifold);
                continue;
            }
            self.points.clear();
            let mut count = 0;
            for piece in pieces.iter().filter(|p| p.cluster as usize == number) {
                let named = |p: &ManifoldPoint| ManifoldPoint { feature: p.feature.within(piece.part), ..*p };
                self.points.extend(piece.manifold.points().iter().map(named));
                count += piece.manifold.points().len();
            }
            if self.points.len() > MANY {
                thin(&mut self.points, cluster.normal);
            }
            merge_equal(&mut self.points);
            let mut old = previous.iter().filter(|m| m.normal.dot(cluster.normal) >= SAME_COSINE);
            let chosen = self.reduced(cluster.normal, old.next().unwrap_or(&Manifold::default()));
            out.push(chosen);
            if count > chosen.points().len() {
                let own = pieces.iter().filter(|p| p.cluster as usize == number);
                let known = old.next().map_or(&[][..], Manifold::points);
                let more = protruding(&own, &chosen, known, uneven);
                if !more.is_empty() {
                    out.push(more);
                }
            }
        }
    }
}

/// Share of the slop by which a point must protrude to count, and by which one that counted before
/// must.
const PROTRUDES: [f32; 2] = [0.1, 0.03];

/// Points of a cluster that four points do not stand for.
///
/// Four points that span a large area hold a shape on a flat surface. On an uneven one, a point
/// between them that protrudes from their plane would sink in until it is the deepest and is
/// chosen, others would sink in its place, and the shape would never rest. Such points, the
/// deepest first, which bear the shape, make a manifold of their own. `known` are the points of
/// that manifold in the
/// last call.
fn protruding<'a>(
    pieces: &(impl Iterator<Item = &'a Piece> + Clone),
    chosen: &Manifold,
    known: &[ManifoldPoint],
    Uneven { slop, of }: Uneven,
) -> Manifold {
    let (normal, mut more) = (chosen.normal, Manifold::new(chosen.normal));
    let plane = Plane::fit(chosen, |point| point.separation);
    let ground = Plane::fit(chosen, |point| normal.dot(point.on_a));
    let is_bump = |point: &ManifoldPoint, least: f32| match of {
        Part::First => normal.dot(point.on_a) - ground.height(point.on_a) > least,
        Part::Any => true,
    };
    for _ in 0..Manifold::CAPACITY {
        let mut best: Option<ManifoldPoint> = None;
        for piece in pieces.clone() {
            for point in piece.manifold.points().iter().filter(|point| point.separation <= slop) {
                let feature = point.feature.within(piece.part);
                let is_known = known.iter().any(|p| p.feature == feature);
                let by = plane.height(point.on_a) - point.separation;
                let deeper = best.is_none_or(|known| point.separation < known.separation);
                if deeper
                    && by > slop * PROTRUDES[usize::from(is_known)]
                    && is_bump(point, 0.5 * slop * PROTRUDES[usize::from(is_known)])
                    && !is_one_of(chosen.points(), point)
                    && !is_one_of(more.points(), point)
                {
                    best = Some(ManifoldPoint { feature, ..*point });
                }
            }
        }
        let Some(point) = best else { break };
        more.push(point);
    }
    more
}

/// Where points may protrude.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uneven {
    /// Differences of depth that do not matter.
    pub(super) slop: f32,
    /// Whose bumps count. The bumps of a convex body do not: four points hold it on a flat floor.
    pub(super) of: Part,
}

/// Which of two shapes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// The first.
    First,
    /// Any.
    Any,
}

/// Heights of points over their plane of contact: the plane that fits them best.
struct Plane {
    origin: Vec3,
    axes: (Vec3, Vec3),
    height: f32,
    slope: (f32, f32),
}

impl Plane {
    fn fit(manifold: &Manifold, height_of: impl Fn(&ManifoldPoint) -> f32) -> Self {
        let points = manifold.points();
        let share = 1.0 / Real::max(points.len() as f32, 1.0);
        let origin = points.iter().fold(Vec3::ZERO, |sum, p| sum + p.on_a) * share;
        let height = points.iter().fold(0.0, |sum, p| sum + height_of(p)) * share;
        let axes = manifold.normal.frame();
        let (mut xx, mut xy, mut yy, mut xh, mut yh) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for point in points {
            let from = point.on_a - origin;
            let (x, y, h) = (axes.0.dot(from), axes.1.dot(from), height_of(point) - height);
            xx += x * x;
            xy += x * y;
            yy += y * y;
            xh += x * h;
            yh += y * h;
        }
        let determinant = xx * yy - xy * xy;
        // Points on a line say nothing of the slope across it.
        let is_flat = determinant <= LINE * LINE * (xx + yy) * (xx + yy);
        let slope = if is_flat {
            let sum = Real::max(xx + yy, f32::MIN_POSITIVE);
            (xh / sum, yh / sum)
        } else {
            ((yy * xh - xy * yh) / determinant, (xx * yh - xy * xh) / determinant)
        };
        Self { origin, axes, height, slope }
    }

    fn height(&self, point: Vec3) -> f32 {
        let from = point - self.origin;
        self.height + self.slope.0 * self.axes.0.dot(from) + self.slope.1 * self.axes.1.dot(from)
    }
}

impl Clusters {
    /// Writes of every cluster the deepest piece as it is: a ball has one point in each direction.
    pub(super) fn write_deepest(&self, pieces: &[Piece], out: &mut Vec<Manifold>) {
        for number in 0..self.clusters.len() {
            let own = pieces.iter().filter(|p| p.cluster as usize == number);
            let deepest = own.min_by(|a, b| a.manifold.deepest().total_cmp(&b.manifold.deepest()));
            out.extend(deepest.map(|piece| piece.manifold));
        }
    }

    /// Four of the points that have been gathered.
    fn reduced(&self, normal: Vec3, old: &Manifold) -> Manifold {
        let points = &self.points;
        let mut manifold = Manifold::new(normal);
        if points.len() > Manifold::CAPACITY
            && let Some(ends) = ends_of_line(points)
        {
            for k in ends {
                manifold.push(points[k]);
            }
            return manifold;
        }
        let mut ids = [FeatureId::default(); Manifold::CAPACITY];
        for (id, point) in ids.iter_mut().zip(old.points()) {
            *id = point.feature;
        }
        for &k in reduce(points, normal, &ids[..old.points().len()]).indices() {
            manifold.push(points[usize::from(k)]);
        }
        manifold
    }
}

/// Width over length below which points are on a line.
const LINE: f32 = 1e-3;

/// The two ends of points that are on a line; the area that rounding gives them must not choose.
fn ends_of_line(points: &[ManifoldPoint]) -> Option<[usize; 2]> {
    let farthest = |from: usize| {
        let square = |k: usize| (points[k].on_a - points[from].on_a).length_squared();
        (0..points.len()).fold(from, |f, k| if square(k) > square(f) { k } else { f })
    };
    let end = farthest(0);
    let start = farthest(end);
    let (origin, along) = (points[end].on_a, points[start].on_a - points[end].on_a);
    let limit = LINE * along.length_squared();
    let is_line = points.iter().all(|p| (p.on_a - origin).cross(along).length_squared() <= limit * limit);
    is_line.then_some([end, start])
}

/// Square of the distance below which two points are one, relative to the square of their
/// coordinates.
const SAME_PLACE: f32 = 1e-10;

/// Are two points at one place?
fn is_same_place(one: &ManifoldPoint, other: &ManifoldPoint) -> bool {
    let reach = SAME_PLACE * other.on_a.length_squared() + f32::MIN_POSITIVE;
    (one.on_a - other.on_a).length_squared() <= reach
}

/// Is there a point at the place of another?
fn is_one_of(points: &[ManifoldPoint], point: &ManifoldPoint) -> bool {
    points.iter().any(|p| is_same_place(p, point))
}

/// Leaves one of the points at a place, as there are where triangles share corners: the deeper one.
fn merge_equal(points: &mut Vec<ManifoldPoint>) {
    let mut kept = 0;
    for k in 0..points.len() {
        let point = points[k];
        match points[..kept].iter_mut().find(|p| is_same_place(p, &point)) {
            // Of equals the lower name, so that the order of triangles does not matter.
            Some(same) if (point.separation, point.feature) < (same.separation, same.feature) => {
                *same = point;
            }
            Some(_) => {}
            None => {
                points[kept] = point;
                kept += 1;
            }
        }
    }
    points.truncate(kept);
}

/// Points above which [`thin`] comes before the search for the best four, whose time grows with the
/// square of the number.
const MANY: usize = 16;

/// Cosines of the directions in which [`thin`] looks, multiples of 22.5°; the sines are those a
/// quarter turn back.
const COSINES: [f32; 16] = {
    const C: f32 = 0.923_879_5;
    const S: f32 = 0.382_683_43;
    const D: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [1.0, C, D, S, 0.0, -S, -D, -C, -1.0, -C, -D, -S, 0.0, S, D, C]
};

/// Leaves the deepest point and the farthest in sixteen directions: four points chosen later span
/// at least 92 % of the width in every direction that they would have spanned otherwise. Takes the
/// first of equals.
fn thin(points: &mut Vec<ManifoldPoint>, normal: Vec3) {
    let (u, v) = normal.frame();
    let origin = points[0].on_a;
    let ways = [0, 8].map(|start| {
        let cosine = |k: usize| COSINES[k % COSINES.len()];
        (f32x8::from_fn(|k| cosine(start + k)), f32x8::from_fn(|k| cosine(start + k + 12)))
    });
    let mut best = [(f32x8::splat(f32::NEG_INFINITY), f32x8::splat(0.0)); 2];
    let mut deepest = 0;
    for (k, point) in points.iter().enumerate() {
        let from = point.on_a - origin;
        let (x, y) = (f32x8::splat(u.dot(from)), f32x8::splat(v.dot(from)));
        // Exact up to 2²⁴ points, and more than that have no room in memory that a contact should
        // take.
        let number = f32x8::splat(k as f32);
        for (best, way) in best.iter_mut().zip(ways) {
            let along = way.0 * x + way.1 * y;
            let is_farther = best.0.below(along);
            *best = (f32x8::select(is_farther, along, best.0), f32x8::select(is_farther, number, best.1));
        }
        if point.separation < points[deepest].separation {
            deepest = k;
        }
    }
    let mut kept = [deepest; 17];
    for (lane, pose) in kept[1..].iter_mut().enumerate() {
        *pose = best[lane / 8].1.get(lane % 8) as usize;
    }
    kept.sort_unstable();
    let mut count = 0;
    for k in 0..kept.len() {
        if k == 0 || kept[k] != kept[k - 1] {
            points[count] = points[kept[k]];
            count += 1;
        }
    }
    points.truncate(count);
}
