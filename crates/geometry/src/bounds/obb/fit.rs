//! Oriented boxes fitted to points and triangles.
//!
//! Finding the smallest box exactly takes cubic time (O'Rourke). Two cheaper ways:
//!
//! * [`around_points`], [`around_triangles`]: along the principal axes of the covariance
//!   (Gottschalk). Of points this depends on how densely they lie; of triangles it is weighted by
//!   area and does not.
//! * [`near_minimal`]: one axis along an edge of the hull, the other two from the smallest
//!   rectangle around the projection (rotating calipers; Shamos, Toussaint), then improved by
//!   turning about each axis of the result in turn. At least one edge of the hull lies in a face of
//!   the smallest box, though not always along an axis, so this is not always the optimum.
//!
//! Every result contains all points, rounding included (see [`Obb`]).

use super::Obb;
use crate::bounds::Aabb;
use crate::primitive::Triangle;
use crate::real::{Real, Vector};
use crate::rotation::Matrix3;
use crate::symmetric::principal_axes;

/// Rounds of improvement in [`near_minimal`]; each one tries three axes, and most searches end
/// after two.
const MAX_ROUNDS: usize = 8;
/// Two boxes whose volumes differ by less than this share count as equal, so that rounding does not
/// prolong the search.
const LEAST_GAIN: f64 = 1e-6;

/// Box along the principal axes of points, or `None` without points or if one is not finite.
#[must_use]
pub fn around_points<V: Vector>(points: &[V]) -> Option<Obb<V::Scalar>> {
    Obb::around(principal_frame(points), points)
}

/// Box along the principal axes of a surface, or `None` without triangles or if a corner is not
/// finite.
///
/// Triangles without area count by their corners only if all of them are such.
#[must_use]
pub fn around_triangles<S: Real>(triangles: &[Triangle<S>]) -> Option<Obb<S>> {
    let corners: Vec<S::Vec3> = triangles.iter().flat_map(Triangle::corners).collect();
    Obb::around(surface_frame(triangles).unwrap_or_else(|| principal_frame(&corners)), &corners)
}

/// A box that is nearly as small as possible, or `None` without points or if one is not finite.
///
/// `edge_directions` are the directions of the edges of the convex hull of `vertices`, of any
/// length, each once up to its sign. Without them the search starts from the axes of the world and
/// the principal axes only. Takes time for each direction in proportion to n log n.
#[must_use]
pub fn near_minimal<V: Vector>(vertices: &[V], edge_directions: &[V]) -> Option<Obb<V::Scalar>> {
    let reference = *vertices.first()?;
    let spread =
        Aabb::<3, V::Scalar>::of_points(vertices.iter().map(|p| *p - reference)).half().max_element();
    let mut search = Search {
        vertices,
        reference,
        // A flat set has many boxes without volume; a least thickness makes the one of the smallest
        // area win.
        thinnest: spread * V::Scalar::EPSILON.sqrt(),
        flat: Vec::with_capacity(vertices.len()),
        hull: Vec::new(),
    };
    let mut best = Candidate { axes: Matrix3::IDENTITY, volume: V::Scalar::INFINITY };
    for axes in [Matrix3::IDENTITY, principal_frame(vertices)] {
        search.consider(axes, &mut best);
    }
    for direction in edge_directions.iter().filter_map(|d| d.unit()) {
        search.turn_about(direction, &mut best);
    }
    for _ in 0..MAX_ROUNDS {
        let before = best.volume;
        for axis in best.axes.columns {
            search.turn_about(axis, &mut best);
        }
        if best.volume >= before {
            break;
        }
    }
    Obb::around(best.axes, vertices)
}

struct Candidate<S: Real> {
    axes: Matrix3<S>,
    volume: S,
}

struct Search<'a, S: Real> {
    vertices: &'a [S::Vec3],
    reference: S::Vec3,
    thinnest: S,
    flat: Vec<[S; 2]>,
    hull: Vec<[S; 2]>,
}

impl<S: Real> Search<'_, S> {
    fn consider(&self, axes: Matrix3<S>, best: &mut Candidate<S>) {
        let seen =
            Aabb::<3, S>::of_points(self.vertices.iter().map(|p| axes.transposed_times(*p - self.reference)));
        let [x, y, z] = seen.half().to_array().map(|h| Real::max(h, self.thinnest));
        let volume = x * y * z;
        if volume < best.volume * S::of(1.0 - LEAST_GAIN) {
            *best = Candidate { axes, volume };
        }
    }

    /// The best box with one axis along a unit vector.
    fn turn_about(&mut self, axis: S::Vec3, best: &mut Candidate<S>) {
        let (u, v) = axis.frame();
        self.flat.clear();
        self.flat.extend(self.vertices.iter().map(|p| {
            let d = *p - self.reference;
            [u.dot(d), v.dot(d)]
        }));
        convex_hull(&mut self.flat, &mut self.hull);
        let [x, y] = smallest_rectangle(&self.hull, self.thinnest);
        let first = u * x + v * y;
        let Some(first) = first.unit() else { return };
        let Some(second) = axis.cross(first).unit() else { return };
        self.consider(Matrix3 { columns: [axis, first, second] }, best);
    }
}

/// Convex hull of plane points, counter-clockwise without repeats (monotone chain, Andrew). Points
/// within rounding of an edge may be left out or kept; the search measures all points anyway.
fn convex_hull<S: Real>(points: &mut Vec<[S; 2]>, hull: &mut Vec<[S; 2]>) {
    points.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    points.dedup();
    hull.clear();
    let turns_left = |hull: &[[S; 2]], p: &[S; 2]| {
        let [.., a, b] = hull else { return true };
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > S::ZERO
    };
    for p in points.iter() {
        while !turns_left(hull, p) {
            hull.pop();
        }
        hull.push(*p);
    }
    let lower = hull.len();
    for p in points.iter().rev().skip(1) {
        while hull.len() > lower && !turns_left(&hull[lower - 1..], p) {
            hull.pop();
        }
        hull.push(*p);
    }
    if hull.len() > 1 {
        hull.pop();
    }
}

/// Direction of a side of the smallest rectangle around a convex polygon, by rotating calipers.
fn smallest_rectangle<S: Real>(hull: &[[S; 2]], thinnest: S) -> [S; 2] {
    let n = hull.len();
    let along = |p: [S; 2], d: [S; 2]| p[0] * d[0] + p[1] * d[1];
    let mut best = ([S::ONE, S::ZERO], S::INFINITY);
    // The points farthest along the side, across it, and back along it. They only ever advance.
    let mut far = [1, 1, 1];
    for i in 0..n {
        let (p, q) = (hull[i], hull[(i + 1) % n]);
        let d = [q[0] - p[0], q[1] - p[1]];
        let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
        if length <= S::ZERO {
            continue;
        }
        let d = [d[0] / length, d[1] / length];
        let directions = [d, [-d[1], d[0]], [-d[0], -d[1]]];
        for k in 0..3 {
            // Each caliper starts no earlier than the one before it.
            let start = if k == 0 { i + 1 } else { far[k - 1] };
            far[k] = far[k].max(start);
            while far[k] < i + n
                && along(hull[(far[k] + 1) % n], directions[k]) > along(hull[far[k] % n], directions[k])
            {
                far[k] += 1;
            }
        }
        let at = |k: usize| along(hull[far[k] % n], directions[k]);
        let width = Real::max(at(0) + at(2), thinnest);
        let height = Real::max(at(1) - along(p, directions[1]), thinnest);
        if width * height < best.1 {
            best = (d, width * height);
        }
    }
    best.0
}

/// Principal axes of points.
pub(crate) fn principal_frame<S: Real>(points: &[S::Vec3]) -> Matrix3<S> {
    let Some(&reference) = points.first() else { return Matrix3::IDENTITY };
    let count = S::of(points.len() as f64);
    let mean = points.iter().fold(S::Vec3::ZERO, |sum, p| sum + (*p - reference)) / count;
    let mut moments = Moments::<S>::default();
    for p in points {
        moments.add(*p - reference - mean, S::ONE);
    }
    moments.frame()
}

/// Principal axes of a surface; `None` if it has no area.
pub(crate) fn surface_frame<S: Real>(triangles: &[Triangle<S>]) -> Option<Matrix3<S>> {
    let reference = triangles.first()?.a;
    let third = S::of(1.0 / 3.0);
    let (mut area, mut mean) = (S::ZERO, S::Vec3::ZERO);
    for t in triangles {
        let weight = t.area_vector().length();
        area += weight;
        mean += ((t.a - reference) + (t.b - reference) + (t.c - reference)) * (third * weight);
    }
    if !(area > S::ZERO && area.is_finite()) {
        return None;
    }
    let mean = mean / area;
    let mut moments = Moments::<S>::default();
    for t in triangles {
        // ∫ x xᵀ over a triangle = area/12 · (9 m mᵀ + a aᵀ + b bᵀ + c cᵀ), m the mean of the
        // corners.
        let weight = t.area_vector().length() / area;
        let [a, b, c] = t.corners().map(|p| p - reference - mean);
        moments.add((a + b + c) * third, weight * S::of(9.0));
        for p in [a, b, c] {
            moments.add(p, weight);
        }
    }
    Some(moments.frame())
}

/// Sum of weighted products of coordinates: a symmetric matrix.
struct Moments<S: Real>(Matrix3<S>);

impl<S: Real> Default for Moments<S> {
    fn default() -> Self {
        Self(Matrix3::ZERO)
    }
}

impl<S: Real> Moments<S> {
    fn add(&mut self, p: S::Vec3, weight: S) {
        for (column, coordinate) in self.0.columns.iter_mut().zip(p.to_array()) {
            *column += p * (coordinate * weight);
        }
    }

    fn frame(&self) -> Matrix3<S> {
        let finite = self.0.columns.iter().all(|c| c.is_finite());
        if !finite {
            return Matrix3::IDENTITY;
        }
        // Through a quaternion: the frame is then as orthonormal as the invariant of `Obb` asks.
        principal_axes(&self.0).rotation().to_matrix()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::Rotation;
    use glam::{DVec3, Vec3};

    fn rotated_box() -> (Obb<f64>, Vec<DVec3>) {
        let rotation = Rotation::<f64>::from_rotation_vector(DVec3::new(0.4, -1.1, 0.7));
        let right = Obb {
            centre: DVec3::new(3.0, -2.0, 9.0),
            half: DVec3::new(1.0, 2.0, 0.5),
            axes: rotation.to_matrix(),
        };
        (right, right.corners().to_vec())
    }

    #[test]
    fn the_smallest_box_around_the_corners_of_a_box_is_that_box() {
        let (right, corners) = rotated_box();
        let found = near_minimal::<DVec3>(&corners, &right.axes.columns).unwrap();
        assert!((found.volume() / right.volume() - 1.0).abs() < 1e-12, "{}", found.volume());
        assert!(corners.iter().all(|c| found.contains_point(*c)));
        // In f32 too, and without being told the edges, improvement alone gets there from the
        // principal axes.
        let corners: Vec<Vec3> = corners.iter().map(|c| c.as_vec3()).collect();
        let found = near_minimal::<Vec3>(&corners, &[]).unwrap();
        assert!((found.volume() / 8.0 - 1.0).abs() < 1e-4, "{}", found.volume());
    }

    #[test]
    fn the_regular_tetrahedron_fits_a_cube() {
        let corners = [[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]].map(DVec3::from);
        let rotation = Rotation::<f64>::from_rotation_vector(DVec3::new(-0.8, 0.3, 1.9));
        let corners = corners.map(|c| rotation.rotate(c));
        let mut edges = Vec::new();
        for i in 0..4 {
            for j in 0..i {
                edges.push(corners[i] - corners[j]);
            }
        }
        let found = near_minimal::<DVec3>(&corners, &edges).unwrap();
        assert!((found.volume() - 8.0).abs() < 1e-9, "{}", found.volume());
    }

    #[test]
    fn surface_axes_do_not_depend_on_how_finely_a_face_is_divided() {
        let (right, c) = rotated_box();
        let quad = |a: usize, b: usize, d: usize, e: usize| {
            [Triangle::new(c[a], c[b], c[d]), Triangle::new(c[a], c[d], c[e])]
        };
        let faces = [
            quad(0, 1, 3, 2),
            quad(4, 5, 7, 6),
            quad(0, 1, 5, 4),
            quad(2, 3, 7, 6),
            quad(0, 2, 6, 4),
            quad(1, 3, 7, 5),
        ];
        let mut triangles: Vec<Triangle<f64>> = faces.into_iter().flatten().collect();
        // Split one triangle into many thin ones: points crowd there, area does not.
        let t = triangles.remove(0);
        for k in 0..50 {
            let edge = crate::primitive::Segment::<f64>::new(t.b, t.c);
            triangles.push(Triangle::new(
                t.a,
                edge.at(f64::from(k) / 50.0),
                edge.at(f64::from(k + 1) / 50.0),
            ));
        }
        let found = around_triangles(&triangles).unwrap();
        assert!((found.volume() / right.volume() - 1.0).abs() < 1e-9, "{}", found.volume());
        let corners: Vec<DVec3> = triangles.iter().flat_map(Triangle::corners).collect();
        assert!(
            around_points::<DVec3>(&corners).unwrap().volume() > right.volume() * 1.01,
            "points do depend on it"
        );
    }

    #[test]
    fn flat_straight_and_single_sets() {
        let flat = [[0., 0., 0.], [4., 0., 0.], [4., 2., 0.], [0., 2., 0.]].map(Vec3::from);
        let tilt = Rotation::<f32>::from_rotation_vector(Vec3::new(0.5, 0.6, -0.7));
        let flat = flat.map(|p| tilt.rotate(p));
        let edges = [flat[1] - flat[0], flat[2] - flat[1]];
        let found = near_minimal::<Vec3>(&flat, &edges).unwrap();
        assert!((found.surface_area() - 16.0).abs() < 1e-3, "{found:?}");
        let line = [Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, 4.0, 6.0)];
        let found = near_minimal::<Vec3>(&line, &[line[1]]).unwrap();
        assert!((found.half.max_element() - 14f32.sqrt()).abs() < 1e-4 && found.half.min_element() < 1e-4);
        let found = near_minimal::<Vec3>(&[line[1]; 4], &[]).unwrap();
        assert_eq!((found.centre, found.half), (line[1], Vec3::ZERO));
        assert_eq!(near_minimal::<Vec3>(&[], &[]), None);
        assert_eq!(near_minimal::<Vec3>(&[Vec3::NAN], &[]), None);
        assert_eq!(around_triangles::<f32>(&[]), None);
    }
}
