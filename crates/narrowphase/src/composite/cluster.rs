//! From the contacts of many triangles to few manifolds.
//!
//! Contacts whose normals differ by less than 5° become one manifold of up to four points, with the normal of the largest
//! triangle: that of a sliver is the least certain. The angle is Box3D's and parry's.

use carom_geometry::{Real, Vector};
use glam::Vec3;

use crate::manifold::reduce::MAX_CANDIDATES;
use crate::manifold::{Manifold, ManifoldPoint, reduce};

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
    /// Of a ball (`single`) only the deepest point counts.
    pub(super) fn write(
        &mut self,
        pieces: &[Piece],
        previous: &[Manifold],
        single: bool,
        out: &mut Vec<Manifold>,
    ) {
        for (number, cluster) in self.clusters.iter().enumerate() {
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
            let mut manifold = Manifold::new(cluster.normal);
            if single {
                let deepest = self.points.iter().min_by(|a, b| a.separation.total_cmp(&b.separation));
                deepest.into_iter().for_each(|point| _ = manifold.push(*point));
            } else {
                let old = previous.iter().find(|m| m.normal.dot(cluster.normal) >= SAME_COSINE);
                let names = old.map(|m| m.points()).unwrap_or_default();
                let mut ids = [crate::FeatureId::default(); Manifold::CAPACITY];
                for (id, point) in ids.iter_mut().zip(names) {
                    *id = point.feature;
                }
                for &k in reduce(&self.points, cluster.normal, &ids[..names.len()]).indices() {
                    manifold.push(self.points[usize::from(k)]);
                }
            }
            out.push(manifold);
        }
    }
}

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
