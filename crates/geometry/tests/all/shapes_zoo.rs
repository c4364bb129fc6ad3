//! Shapes of every kind with what is known about them from elsewhere: a function that is negative
//! inside, and points of the surface. Everything here is written in `f64` and shares nothing with
//! the code under test.

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{
    Bounded, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, RayCast, Sphere, Support, Tile,
};
use carom_geometry::{Pose, Real, Rotation, Vector};
use glam::{DVec2, DVec3};
use proptest::prelude::*;

pub(crate) trait Shape<S: Real>: Support<S> + Bounded<S> + RayCast<S> {}
impl<S: Real, T: Support<S> + Bounded<S> + RayCast<S>> Shape<S> for T {}

/// xorshift64*.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub(crate) fn angle(&mut self) -> f64 {
        self.between(0.0, std::f64::consts::TAU)
    }
}

/// The sizes of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Sphere(f32),
    Capsule([f32; 3], [f32; 3], f32),
    Tile(f32, f32),
    Cuboid([f32; 3]),
    Cylinder(f32, f32),
    Cone(f32, f32),
    Ellipsoid([f32; 3]),
    Triangle([[f32; 3]; 3]),
}

fn three<S: Real>(a: [f32; 3]) -> S::Vec3 {
    S::Vec3::from_array(a.map(|c| S::of(f64::from(c))))
}

fn wide(a: [f32; 3]) -> DVec3 {
    three::<f64>(a)
}

impl Kind {
    pub(crate) fn build<S: Real>(&self) -> Box<dyn Shape<S>> {
        let s = |value: f32| S::of(f64::from(value));
        match *self {
            Self::Sphere(r) => Box::new(Sphere::new(s(r)).unwrap()),
            Self::Capsule(a, b, r) => {
                Box::new(Capsule::<S>::new(three::<S>(a), three::<S>(b), s(r)).unwrap())
            }
            Self::Tile(x, z) => Box::new(Tile::new(s(x), s(z)).unwrap()),
            Self::Cuboid(half) => Box::new(Cuboid::<S>::new(three::<S>(half)).unwrap()),
            Self::Cylinder(h, r) => Box::new(Cylinder::new(s(h), s(r)).unwrap()),
            Self::Cone(h, r) => Box::new(Cone::new(s(h), s(r)).unwrap()),
            Self::Ellipsoid(radii) => Box::new(Ellipsoid::<S>::new(three::<S>(radii)).unwrap()),
            Self::Triangle([a, b, c]) => {
                Box::new(Triangle::<S>::new(three::<S>(a), three::<S>(b), three::<S>(c)))
            }
        }
    }

    pub(crate) fn is_surface(&self) -> bool {
        matches!(self, Self::Tile(..) | Self::Triangle(_))
    }

    /// Largest distance of a point of the shape from the origin, roughly.
    pub(crate) fn size(&self) -> f64 {
        match *self {
            Self::Sphere(r) => f64::from(r),
            Self::Capsule(a, b, r) => wide(a).length().max(wide(b).length()) + f64::from(r),
            Self::Tile(a, b) | Self::Cylinder(a, b) | Self::Cone(a, b) => f64::from(a.max(b)) * 1.5,
            Self::Cuboid(half) | Self::Ellipsoid(half) => wide(half).length(),
            Self::Triangle(c) => c.into_iter().map(|c| wide(c).length()).fold(0.0, f64::max),
        }
    }

    /// Distance from the surface, negative inside solids. For the ellipsoid only a lower bound.
    /// Convex in the point.
    pub(crate) fn level(&self, p: DVec3) -> f64 {
        match *self {
            Self::Sphere(r) => p.length() - f64::from(r),
            Self::Capsule(a, b, r) => {
                let (a, b) = (wide(a), wide(b));
                let t = ((p - a).dot(b - a) / (b - a).length_squared().max(1e-300)).clamp(0.0, 1.0);
                p.distance(a + (b - a) * t) - f64::from(r)
            }
            Self::Tile(x, z) => {
                let half = DVec3::new(x.into(), 0.0, z.into());
                p.distance(p.clamp(-half, half))
            }
            Self::Cuboid(half) => {
                let beyond = p.abs() - wide(half);
                beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0)
            }
            Self::Cylinder(h, r) => {
                let beyond = DVec2::new(p.truncate().length() - f64::from(r), p.z.abs() - f64::from(h));
                beyond.max(DVec2::ZERO).length() + beyond.max_element().min(0.0)
            }
            Self::Cone(h, r) => cone_distance(p, h.into(), r.into()),
            Self::Ellipsoid(radii) => ((p / wide(radii)).length() - 1.0) * wide(radii).min_element(),
            Self::Triangle([a, b, c]) => triangle_distance(p, wide(a), wide(b), wide(c)),
        }
    }

    /// A point of the surface, not uniform, with more than a fair share of edges and corners.
    pub(crate) fn surface_point(&self, random: &mut Random) -> DVec3 {
        let on_circle = |random: &mut Random, r: f64| {
            let angle = random.angle();
            DVec2::new(r * angle.cos(), r * angle.sin())
        };
        match *self {
            Self::Sphere(r) => random.direction() * f64::from(r),
            Self::Capsule(a, b, r) => {
                let t = random.between(-0.3, 1.3).clamp(0.0, 1.0);
                let axis = (wide(b) - wide(a)).normalize_or_zero();
                let mut out = random.direction();
                let along = out.dot(axis);
                if t == 0.0 && along > 0.0 || t == 1.0 && along < 0.0 {
                    out = -out;
                } else if t > 0.0 && t < 1.0 {
                    out = (out - axis * along).normalize();
                }
                wide(a).lerp(wide(b), t) + out * f64::from(r)
            }
            Self::Tile(x, z) => {
                let v = (random.vector() * 1.3).clamp(DVec3::NEG_ONE, DVec3::ONE);
                DVec3::new(v.x * f64::from(x), 0.0, v.z * f64::from(z))
            }
            Self::Cuboid(half) => {
                let mut v = (random.vector() * 1.3).clamp(DVec3::NEG_ONE, DVec3::ONE);
                let axis = (random.unit() * 3.0) as usize;
                v[axis] = v[axis].signum();
                v * wide(half)
            }
            Self::Cylinder(h, r) => {
                let z = random.between(-1.3, 1.3);
                let inner = if z.abs() > 1.0 { random.unit().sqrt() } else { 1.0 };
                on_circle(random, f64::from(r) * inner).extend(z.clamp(-1.0, 1.0) * f64::from(h))
            }
            Self::Cone(h, r) => {
                let t = random.between(-0.3, 1.1).clamp(-0.3, 1.0);
                let radius = if t < 0.0 { random.unit().sqrt() } else { 1.0 - t };
                let z = -1.0 + 2.0 * t.max(0.0);
                on_circle(random, f64::from(r) * radius).extend(z * f64::from(h))
            }
            Self::Ellipsoid(radii) => random.direction() * wide(radii),
            Self::Triangle([a, b, c]) => {
                let (mut u, mut v) = (random.between(-0.1, 1.1).clamp(0.0, 1.0), random.unit());
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                wide(a) + (wide(b) - wide(a)) * u + (wide(c) - wide(a)) * v
            }
        }
    }
}

fn cone_distance(p: DVec3, h: f64, r: f64) -> f64 {
    // In the half-plane of the point: a triangle with the axis as one side, which is inside.
    let q = DVec2::new(p.truncate().length(), p.z);
    let (rim, tip) = (DVec2::new(r, -h), DVec2::new(0.0, h));
    let to_segment = |a: DVec2, b: DVec2| {
        let t = ((q - a).dot(b - a) / (b - a).length_squared().max(1e-300)).clamp(0.0, 1.0);
        q.distance(a + (b - a) * t)
    };
    let distance = to_segment(DVec2::new(0.0, -h), rim).min(to_segment(rim, tip));
    let out = (tip - rim).perp_dot(q - rim) < 0.0 || q.y < -h;
    if out { distance } else { -distance }
}

fn triangle_distance(p: DVec3, a: DVec3, b: DVec3, c: DVec3) -> f64 {
    let n = (b - a).cross(c - a).normalize();
    let inside = [(a, b), (b, c), (c, a)].into_iter().all(|(u, v)| (v - u).cross(p - u).dot(n) >= 0.0);
    if inside {
        return (p - a).dot(n).abs();
    }
    let to_segment = |(u, v): (DVec3, DVec3)| {
        let t = ((p - u).dot(v - u) / (v - u).length_squared()).clamp(0.0, 1.0);
        p.distance(u + (v - u) * t)
    };
    [(a, b), (b, c), (c, a)].into_iter().map(to_segment).fold(f64::INFINITY, f64::min)
}

fn length() -> impl Strategy<Value = f32> {
    (-2.0f32..1.5).prop_map(|exponent| 10f32.powf(exponent))
}

/// Shapes with sizes from a hundredth to thirty, in every proportion.
pub(crate) fn kind() -> impl Strategy<Value = Kind> {
    let point = || prop::array::uniform3(-3.0f32..3.0);
    prop_oneof![
        length().prop_map(Kind::Sphere),
        (point(), point(), length()).prop_map(|(a, b, r)| Kind::Capsule(a, b, r)),
        (length(), length()).prop_map(|(x, z)| Kind::Tile(x, z)),
        prop::array::uniform3(length()).prop_map(Kind::Cuboid),
        (length(), length()).prop_map(|(h, r)| Kind::Cylinder(h, r)),
        (length(), length()).prop_map(|(h, r)| Kind::Cone(h, r)),
        prop::array::uniform3(length()).prop_map(Kind::Ellipsoid),
        prop::array::uniform3(point())
            .prop_filter("thin triangle", |c| {
                let [a, b, c] = c.map(wide);
                (b - a).cross(c - a).length() > 0.05
            })
            .prop_map(Kind::Triangle),
    ]
}

pub(crate) fn pose() -> impl Strategy<Value = Pose<f64>> {
    let turn = prop_oneof![
        prop::array::uniform4(-1.0f64..1.0),
        // Quarter and half turns.
        prop::array::uniform4(-1i32..=1).prop_map(|q| q.map(f64::from)),
    ];
    (prop::array::uniform3(-5.0f64..5.0), turn).prop_filter_map("null quaternion", |(t, q)| {
        // Representable in both precisions.
        let place: DVec3 = Vector::to::<f64>(DVec3::from(t).as_vec3());
        Some(Pose::new(place, Rotation::from_xyzw(q)?))
    })
}

/// Every kind once, in ordinary sizes.
pub(crate) fn zoo() -> Vec<Kind> {
    vec![
        Kind::Sphere(1.5),
        Kind::Capsule([0.2, -0.5, 1.0], [1.0, 0.4, -1.5], 0.6),
        Kind::Tile(1.5, 0.4),
        Kind::Cuboid([0.5, 1.0, 2.0]),
        Kind::Cylinder(1.2, 0.5),
        Kind::Cylinder(0.1, 2.0),
        Kind::Cone(1.0, 0.8),
        Kind::Cone(0.3, 2.0),
        Kind::Ellipsoid([0.5, 1.0, 2.0]),
        Kind::Triangle([[0.0, 0.1, 0.2], [1.5, 0.3, -0.4], [-0.3, 1.2, 0.8]]),
    ]
}
