//! From the contacts of many triangles to few manifolds.
//!
//! Contacts whose normals differ by less than 5° become one manifold of up to four points, with the normal of the largest
//! triangle: that of a sliver is the least certain. The angle is Box3D's and parry's.

use carom_geometry::{Real, Vector};
use glam::Vec3;

use crate::manifold::reduce::MAX_CANDIDATES;
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

    /// Writes one manifold per cluster, in the order of the largest triangles. `previous` are the manifolds in use so far.
    pub(super) fn write(&mut self, pieces: &[Piece], previous: &[Manifold], out: &mut Vec<Manifold>) {
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
            for piece in pieces.iter().filter(|p| p.cluster as usize == number) {
                for point in piece.manifold.points() {
                    let mut point = *point;
                    point.feature = point.feature.within(piece.part);
                    push_distinct(&mut self.points, &point);
                    if self.points.len() == MAX_CANDIDATES {
                        thin(&mut self.points, cluster.normal);
                    }
                }
            }
            let old = previous.iter().find(|m| m.normal.dot(cluster.normal) >= SAME_COSINE);
            out.push(self.reduced(cluster.normal, old.unwrap_or(&Manifold::default())));
        }
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
    ///
    /// The deepest is always among those chosen. On a flat floor all are equally deep but for rounding, and a point in the middle
    /// of a side would cost a corner: of those as deep as the deepest the one farthest from the middle stands for it.
    fn reduced(&mut self, normal: Vec3, old: &Manifold) -> Manifold {
        let points = &mut self.points;
        let count = points.len() as f32;
        let middle = points.iter().fold(Vec3::ZERO, |sum, p| sum + p.on_a) * (1.0 / count);
        let away = |p: &ManifoldPoint| (p.on_a - middle).length_squared();
        let extent = points.iter().fold(0.0, |most, p| Real::max(away(p), most));
        let deepest = points.iter().fold(f32::INFINITY, |least, p| Real::min(p.separation, least));
        let limit = deepest + SAME_DEPTH * Real::sqrt(extent);
        let mut first: Option<usize> = None;
        for (k, point) in points.iter().enumerate() {
            if point.separation <= limit && first.is_none_or(|f| away(point) > away(&points[f])) {
                first = Some(k);
            }
        }
        let mut ids = [FeatureId::default(); Manifold::CAPACITY];
        for (id, point) in ids.iter_mut().zip(old.points()) {
            *id = point.feature;
        }
        let mut manifold = Manifold::new(normal);
        let Some(first) = first else { return manifold };
        if points.len() > Manifold::CAPACITY
            && let Some(ends) = ends_of_line(points, first)
        {
            for k in ends {
                manifold.push(points[k]);
            }
            return manifold;
        }
        let separation = points[first].separation;
        points[first].separation = Real::min(separation, deepest) - SAME_DEPTH * Real::sqrt(extent);
        let chosen = reduce(points, normal, &ids[..old.points().len()]);
        points[first].separation = separation;
        for &k in chosen.indices() {
            manifold.push(points[usize::from(k)]);
        }
        manifold
    }
}

/// Width over length below which points are on a line.
const LINE: f32 = 1e-3;

/// The two ends of points that are on a line; the area that rounding gives them must not choose.
fn ends_of_line(points: &[ManifoldPoint], first: usize) -> Option<[usize; 2]> {
    let farthest = |from: usize| {
        let square = |k: usize| (points[k].on_a - points[from].on_a).length_squared();
        (0..points.len()).fold(from, |f, k| if square(k) > square(f) { k } else { f })
    };
    let end = farthest(first);
    let start = farthest(end);
    let (origin, along) = (points[end].on_a, points[start].on_a - points[end].on_a);
    let limit = LINE * along.length_squared();
    let is_line = points.iter().all(|p| (p.on_a - origin).cross(along).length_squared() <= limit * limit);
    is_line.then_some([end, start])
}

/// Depths that differ by less than this share of the extent are equal.
const SAME_DEPTH: f32 = 1e-5;

/// Square of the distance below which two points are one, relative to the square of their coordinates.
const SAME_PLACE: f32 = 1e-10;

/// Adds a point unless there is one at the same place, as there is where triangles share corners; the deeper one stays.
fn push_distinct(points: &mut Vec<ManifoldPoint>, point: &ManifoldPoint) {
    let reach = SAME_PLACE * point.on_a.length_squared() + f32::MIN_POSITIVE;
    match points.iter_mut().find(|p| (p.on_a - point.on_a).length_squared() <= reach) {
        Some(same) => {
            // Of equals the lower name, so that the order of triangles does not matter.
            if (point.separation, point.feature) < (same.separation, same.feature) {
                *same = *point;
            }
        }
        None => points.push(*point),
    }
}

/// Directions in which [`thin`] looks: multiples of 22.5°.
const WAYS: [(f32, f32); 16] = {
    const C: f32 = 0.923_879_5;
    const S: f32 = 0.382_683_43;
    const D: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [
        (1.0, 0.0),
        (C, S),
        (D, D),
        (S, C),
        (0.0, 1.0),
        (-S, C),
        (-D, D),
        (-C, S),
        (-1.0, 0.0),
        (-C, -S),
        (-D, -D),
        (-S, -C),
        (0.0, -1.0),
        (S, -C),
        (D, -D),
        (C, -S),
    ]
};

/// Leaves the deepest point and the farthest in sixteen directions: four points chosen later span at least 92 % of the width
/// in every direction that they would have spanned otherwise.
fn thin(points: &mut Vec<ManifoldPoint>, normal: Vec3) {
    let (u, v) = normal.frame();
    let origin = points[0].on_a;
    let mut keep = 0u64;
    for (x, y) in WAYS {
        let (mut farthest, mut best) = (0, f32::NEG_INFINITY);
        for (k, point) in points.iter().enumerate() {
            let from = point.on_a - origin;
            let along = u.dot(from) * x + v.dot(from) * y;
            if along > best {
                (farthest, best) = (k, along);
            }
        }
        keep |= 1 << farthest;
    }
    let deepest =
        (1..points.len()).fold(0, |d, k| if points[k].separation < points[d].separation { k } else { d });
    keep |= 1 << deepest;
    let mut k = 0;
    points.retain(|_| {
        k += 1;
        keep >> (k - 1) & 1 == 1
    });
}
