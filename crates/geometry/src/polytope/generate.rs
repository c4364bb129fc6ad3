//! Polytopes given by a few numbers, and random ones.
//!
//! Pyramids and prisms stand on the plane y = 0 and rise along y; boxes and tetrahedra are centred
//! on the origin. Angles use [`carom_core::trig`], so all platforms get the same bits.

use std::f64::consts::TAU;

use carom_core::random::SplitMix64;
use carom_core::trig::sin_cos_f64;

use super::{BuildError, Polytope};
use crate::hull::{HullError, HullOptions, convex_hull};
use crate::real::{Real, Vector};

/// Most sides of a pyramid or prism, and most random points.
pub const MAX_COUNT: usize = 1 << 20;

carom_core::error_type! {
    /// Why a polytope cannot be generated.
    #[derive(Clone, Debug, PartialEq)]
    pub enum GenerateError {
        /// A length is not positive or not finite.
        #[error("the {name} is {value}, but must be positive and finite")]
        BadLength {
            /// Which length.
            name: &'static str,
            /// Its value.
            value: f64,
        },
        /// The number of sides is outside of 3 to [`MAX_COUNT`].
        #[error("{sides} sides do not make a pyramid or prism, 3 to {MAX_COUNT} do")]
        BadSides {
            /// Its value.
            sides: usize,
        },
        /// More than [`MAX_COUNT`] points.
        #[error("{count} points are more than {MAX_COUNT}")]
        TooManyPoints {
            /// How many were asked for.
            count: usize,
        },
        /// The lengths differ so much that the polytope has no volume in this precision.
        #[error("the sizes do not fit together: {0}")]
        Degenerate(#[from] BuildError),
        /// The points have no hull.
        #[error(transparent)]
        Hull(#[from] HullError),
    }
}

fn positive<S: Real>(name: &'static str, value: S) -> Result<(), GenerateError> {
    if value > S::ZERO && value.is_finite() {
        Ok(())
    } else {
        Err(GenerateError::BadLength { name, value: value.to_f64() })
    }
}

/// Corners of a regular polygon round the y axis, counter-clockwise seen from below (from −y), the
/// first on the x axis.
fn ring<S: Real>(sides: usize, radius: S, y: S) -> impl Iterator<Item = S::Vec3> {
    (0..sides).map(move |k| {
        let (sine, cosine) = sin_cos_f64(TAU * k as f64 / sides as f64);
        S::Vec3::new(radius * S::of(cosine), y, radius * S::of(sine))
    })
}

fn checked_sides(sides: usize) -> Result<u32, GenerateError> {
    if (3..=MAX_COUNT).contains(&sides) { Ok(sides as u32) } else { Err(GenerateError::BadSides { sides }) }
}

impl<S: Real> Polytope<S> {
    /// A cube round the origin of half this side length.
    ///
    /// # Errors
    ///
    /// A length that is not positive and finite.
    pub fn cube(half: S) -> Result<Self, GenerateError> {
        Self::cuboid(S::Vec3::splat(half))
    }

    /// A box round the origin with these half extents.
    ///
    /// # Errors
    ///
    /// A length that is not positive and finite, or that vanishes beside the others.
    pub fn cuboid(half: S::Vec3) -> Result<Self, GenerateError> {
        for (name, axis) in
            [("half extent along x", 0), ("half extent along y", 1), ("half extent along z", 2)]
        {
            positive(name, half[axis])?;
        }
        let corner = |i: usize| {
            let sign = |k: usize| if i >> k & 1 == 1 { half[k] } else { -half[k] };
            S::Vec3::new(sign(0), sign(1), sign(2))
        };
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Ok(Self::from_faces((0..8).map(corner).collect(), &faces)?)
    }

    /// A regular tetrahedron round the origin with its corners on a sphere of this radius, one of
    /// them up.
    ///
    /// # Errors
    ///
    /// A radius that is not positive and finite.
    pub fn tetrahedron(radius: S) -> Result<Self, GenerateError> {
        positive("radius", radius)?;
        let mut points: Vec<S::Vec3> =
            ring::<S>(3, radius * S::of(8f64.sqrt() / 3.0), -radius / S::of(3.0)).collect();
        points.push(S::Vec3::new(S::ZERO, radius, S::ZERO));
        Ok(Self::from_faces(points, &[[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]])?)
    }

    /// A pyramid over a regular polygon in y = 0, with its apex at (0, height, 0).
    ///
    /// # Errors
    ///
    /// Fewer than three sides, or lengths that are not positive and finite or vanish beside each
    /// other.
    pub fn pyramid(sides: usize, height: S, radius: S) -> Result<Self, GenerateError> {
        let n = checked_sides(sides)?;
        positive("height", height)?;
        positive("radius", radius)?;
        let mut points: Vec<S::Vec3> = ring::<S>(sides, radius, S::ZERO).collect();
        points.push(S::Vec3::new(S::ZERO, height, S::ZERO));
        let mut faces: Vec<Vec<u32>> = vec![(0..n).collect()];
        faces.extend((0..n).map(|k| vec![(k + 1) % n, k, n]));
        Ok(Self::from_faces(points, &faces)?)
    }

    /// A prism over a regular polygon, from y = 0 to y = height.
    ///
    /// # Errors
    ///
    /// Fewer than three sides, or lengths that are not positive and finite or vanish beside each
    /// other.
    pub fn prism(sides: usize, height: S, radius: S) -> Result<Self, GenerateError> {
        let n = checked_sides(sides)?;
        positive("height", height)?;
        positive("radius", radius)?;
        let points = ring::<S>(sides, radius, S::ZERO).chain(ring::<S>(sides, radius, height)).collect();
        let mut faces: Vec<Vec<u32>> = vec![(0..n).collect(), (n..2 * n).rev().collect()];
        faces.extend((0..n).map(|k| {
            let next = (k + 1) % n;
            vec![next, k, k + n, next + n]
        }));
        Ok(Self::from_faces(points, &faces)?)
    }

    /// The hull of random points on a sphere round the origin; the same seed gives the same hull.
    ///
    /// # Errors
    ///
    /// A radius that is not positive and finite, too many points, or too few for a hull.
    pub fn random_on_sphere(count: usize, radius: S, seed: u64) -> Result<Self, GenerateError> {
        positive("radius", radius)?;
        if count > MAX_COUNT {
            return Err(GenerateError::TooManyPoints { count });
        }
        let mut random = SplitMix64::new(seed);
        let mut coordinate = || random.signed_unit_f64();
        let mut points = Vec::with_capacity(count);
        while points.len() < count {
            let p = glam::DVec3::new(coordinate(), coordinate(), coordinate());
            // Uniform in the ball without its middle, hence uniform on the sphere.
            if (0.01..=1.0).contains(&p.length_squared()) {
                points.push((p / p.length()).to::<S>() * radius);
            }
        }
        Ok(convex_hull(&points, &HullOptions::default())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Bounded;

    #[test]
    fn generated_polytopes_have_the_size_they_were_asked_for() {
        let pyramid = Polytope::<f64>::pyramid(6, 3.0, 2.0).unwrap();
        assert_eq!((pyramid.vertex_count(), pyramid.edge_count(), pyramid.face_count()), (7, 12, 7));
        assert_eq!((pyramid.aabb().min[1], pyramid.aabb().max[1], pyramid.aabb().max[0]), (0.0, 3.0, 2.0));
        let prism = Polytope::<f32>::prism(5, 3.0, 2.0).unwrap();
        assert_eq!((prism.vertex_count(), prism.edge_count(), prism.face_count()), (10, 15, 7));
        assert_eq!((prism.aabb().min[1], prism.aabb().max[1]), (0.0, 3.0));
        let cuboid = Polytope::<f32>::cuboid(glam::Vec3::new(1.0, 2.0, 3.0)).unwrap();
        assert_eq!(cuboid.aabb().max, [1.0, 2.0, 3.0]);
        assert_eq!((cuboid.vertex_count(), cuboid.edge_count(), cuboid.face_count()), (8, 12, 6));
        let tetrahedron = Polytope::<f64>::tetrahedron(2.0).unwrap();
        assert!(tetrahedron.points().iter().all(|p| (p.length() - 2.0).abs() < 1e-14));
        let side = |h| tetrahedron.segment(h).direction().length();
        assert!(tetrahedron.edges().all(|h| (side(h) - 2.0 * (8.0f64 / 3.0).sqrt()).abs() < 1e-14));
    }

    #[test]
    fn generated_polytopes_are_sound() {
        for sides in [3, 4, 5, 17, 64, 300] {
            assert_eq!(Polytope::<f32>::prism(sides, 0.3, 5.0).unwrap().check(), Ok(()));
            assert_eq!(Polytope::<f64>::prism(sides, 1e-20, 1e-20).unwrap().check(), Ok(()));
            assert_eq!(Polytope::<f32>::pyramid(sides, 1e10, 1e10).unwrap().check(), Ok(()));
        }
        for count in [4, 10, 200, 1000] {
            let hull = Polytope::<f32>::random_on_sphere(count, 3.0, 7).unwrap();
            assert_eq!(hull.check(), Ok(()));
            assert_eq!(hull.vertex_count(), count);
            assert_eq!(Polytope::<f32>::random_on_sphere(count, 3.0, 7).unwrap(), hull);
        }
    }

    #[test]
    fn sizes_that_make_no_sense_are_refused() {
        assert!(matches!(
            Polytope::<f32>::cube(-1.0),
            Err(GenerateError::BadLength { name: "half extent along x", value: -1.0 })
        ));
        assert!(Polytope::<f32>::cube(f32::NAN).is_err());
        assert!(Polytope::<f64>::tetrahedron(f64::INFINITY).is_err());
        assert_eq!(Polytope::<f32>::prism(2, 1.0, 1.0), Err(GenerateError::BadSides { sides: 2 }));
        assert_eq!(
            Polytope::<f32>::pyramid(usize::MAX, 1.0, 1.0),
            Err(GenerateError::BadSides { sides: usize::MAX })
        );
        assert!(Polytope::<f32>::pyramid(5, 0.0, 1.0).is_err());
        assert!(Polytope::<f32>::random_on_sphere(3, 1.0, 1).is_err());
        assert!(Polytope::<f32>::random_on_sphere(usize::MAX, 1.0, 1).is_err());
    }
}
