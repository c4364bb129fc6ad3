//! What the oracle asks of a shape: how far a point is outside, and the features of cores that are
//! polyhedra.

use carom_geometry::Polytope;
use carom_geometry::closest::{TrianglePoint, closest_points};
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere, Tile};
use glam::DVec3;

use crate::Convex;

/// A convex shape that the oracle can check.
pub trait OracleShape: Convex<f64> {
    /// How far a local point is from the core; zero if it belongs to it.
    fn core_excess(&self, point: DVec3) -> f64;

    /// How far a local point is from the shape, radius included; zero if it belongs to it.
    fn excess(&self, point: DVec3) -> f64 {
        (self.core_excess(point) - self.radius()).max(0.0)
    }

    /// The core if it is a polyhedron, a flat or a degenerate one included.
    fn polyhedron(&self) -> Option<OraclePolyhedron> {
        None
    }
}

/// The features of a core, in local coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OraclePolyhedron {
    /// All corners.
    pub vertices: Vec<DVec3>,
    /// A unit normal of every face; opposite faces may share one.
    pub normals: Vec<DVec3>,
    /// A vector along every edge; parallel edges may share one.
    pub edges: Vec<DVec3>,
    /// The surface in triangles, degenerate ones if it is a segment or a point.
    pub triangles: Vec<Triangle<f64>>,
}

impl OraclePolyhedron {
    fn of_point(point: DVec3) -> Self {
        Self { vertices: vec![point], triangles: vec![Triangle::new(point, point, point)], ..Self::default() }
    }

    fn of_segment(segment: &Segment<f64>) -> Self {
        let Segment { a, b } = *segment;
        Self {
            vertices: vec![a, b],
            edges: vec![b - a],
            triangles: vec![Triangle::new(a, b, b)],
            ..Self::default()
        }
    }

    fn of_triangle(triangle: &Triangle<f64>) -> Self {
        Self {
            vertices: triangle.corners().to_vec(),
            normals: triangle.normal().into_iter().collect(),
            edges: triangle.edges().map(|e| e.direction()).to_vec(),
            triangles: vec![*triangle],
        }
    }

    /// A box, flat or not.
    fn of_box(half: DVec3) -> Self {
        let corner = |i: usize| {
            DVec3::from_array(std::array::from_fn(|k| if i >> k & 1 == 1 { half[k] } else { -half[k] }))
        };
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = faces.iter().flat_map(|f| {
            let [a, b, c, d] = f.map(corner);
            [Triangle::new(a, b, c), Triangle::new(a, c, d)]
        });
        Self {
            vertices: (0..8).map(corner).collect(),
            normals: DVec3::AXES.to_vec(),
            edges: DVec3::AXES.to_vec(),
            triangles: triangles.collect(),
        }
    }

    fn of_polytope(polytope: &Polytope<f64>) -> Self {
        Self {
            vertices: polytope.points().to_vec(),
            normals: polytope.planes().iter().map(|p| p.normal).collect(),
            edges: polytope.edges().map(|h| polytope.segment(h).direction()).collect(),
            triangles: polytope.triangles().collect(),
        }
    }
}

fn beyond_box(half: DVec3, point: DVec3) -> f64 {
    (point.abs() - half).max(DVec3::ZERO).length()
}

impl OracleShape for Sphere<f64> {
    fn core_excess(&self, point: DVec3) -> f64 {
        point.length()
    }

    fn polyhedron(&self) -> Option<OraclePolyhedron> {
        Some(OraclePolyhedron::of_point(DVec3::ZERO))
    }
}

impl OracleShape for Capsule<f64> {
    fn core_excess(&self, point: DVec3) -> f64 {
        closest_points(&self.segment, &point).distance()
    }

    fn polyhedron(&self) -> Option<OraclePolyhedron> {
        Some(OraclePolyhedron::of_segment(&self.segment))
    }
}

impl OracleShape for Tile<f64> {
    fn core_excess(&self, point: DVec3) -> f64 {
        beyond_box(DVec3::new(self.half_x, 0.0, self.half_z), point)
    }

    fn polyhedron(&self) -> Option<OraclePolyhedron> {
        Some(OraclePolyhedron::of_box(DVec3::new(self.half_x, 0.0, self.half_z)))
    }
}

impl OracleShape for Cuboid<f64> {
    fn core_excess(&self, point: DVec3) -> f64 {
        beyond_box(self.half, point)
    }

    fn polyhedron(&self) -> Option<OraclePolyhedron> {
        Some(OraclePolyhedron::of_box(self.half))
    }
}

impl OracleShape for Triangle<f64> {
    fn core_excess(&self, point: DVec3) -> f64 {
        (TrianglePoint::nearest(self, point).point - point).length()
    }

    fn polyhedron(&self) -> Option<OraclePolyhedron> {
        Some(OraclePolyhedron::of_triangle(self))
    }
}

impl OracleShape for Polytope<f64> {
    fn core_excess(&self, point: DVec3) -> f64 {
        if self.contains(point) {
            return 0.0;
        }
        let to = |t: Triangle<f64>| (TrianglePoint::nearest(&t, point).point - point).length();
        self.triangles().map(to).fold(f64::INFINITY, f64::min)
    }

    fn polyhedron(&self) -> Option<OraclePolyhedron> {
        Some(OraclePolyhedron::of_polytope(self))
    }
}

impl OracleShape for Cylinder<f64> {
    fn core_excess(&self, point: DVec3) -> f64 {
        self.signed_distance(point).max(0.0)
    }
}

impl OracleShape for Cone<f64> {
    /// The cone and the point are turned round the axis until the point is in the x–z plane.
    fn core_excess(&self, point: DVec3) -> f64 {
        let (r, h) = (self.radius, self.half_length);
        let cut = Triangle::new(DVec3::new(-r, 0.0, -h), DVec3::new(r, 0.0, -h), DVec3::new(0.0, 0.0, h));
        let rotated = DVec3::new((point.x * point.x + point.y * point.y).sqrt(), 0.0, point.z);
        (TrianglePoint::nearest(&cut, rotated).point - rotated).length()
    }
}

impl OracleShape for Ellipsoid<f64> {
    /// Of the points `rᵢ²pᵢ / (t + rᵢ²)` the nearest is the one on the surface; as their quadric
    /// falls with t, halving finds it (D. Eberly, "Distance from a Point to an Ellipsoid").
    fn core_excess(&self, point: DVec3) -> f64 {
        let (p, r) = (point.abs(), self.radii);
        // Along an axis of no extent every point is moved to the middle.
        let stretched = |k: usize, t: f64| if r[k] > 0.0 { r[k] * p[k] / (t + r[k] * r[k]) } else { 0.0 };
        let quadric = |t: f64| (0..3).map(|k| stretched(k, t) * stretched(k, t)).sum::<f64>();
        let (mut low, mut high) = (0.0, (r * p).length());
        if quadric(0.0) <= 1.0 {
            high = 0.0;
        }
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if quadric(middle) > 1.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        DVec3::from_array(std::array::from_fn(|k| p[k] - r[k] * stretched(k, high))).length()
    }
}
