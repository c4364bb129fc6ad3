//! Definitions of bodies for the Fingsics world.

use crate::arithmetic::{EPS, RowMatrix};
use crate::narrow_phase::{Ball, Capsule, Posed, Side, Tile};
use carom_geometry::Aabb;
use glam::Vec3;

/// Shape and size of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FingsicsShape {
    /// Sphere.
    Ball {
        /// Radius.
        radius: f32,
    },
    /// Capsule along local z.
    Capsule {
        /// Radius.
        radius: f32,
        /// Length of the cylindrical part.
        length: f32,
    },
    /// Rectangle in the local x–z plane.
    Tile {
        /// Extent along local x.
        length: f32,
        /// Extent along local z.
        width: f32,
    },
}

/// A body as it enters the world.
#[derive(Clone, Debug, PartialEq)]
pub struct FingsicsBody {
    /// Unique name. Its order *as a string* decides who is first in a pair.
    pub id: String,
    /// Shape.
    pub shape: FingsicsShape,
    /// True for a body that takes no impulses. It still moves by its own velocity.
    pub immovable: bool,
    /// Position.
    pub position: Vec3,
    /// Orientation.
    pub rotation: RowMatrix,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vec3,
    /// Constant acceleration, m/s².
    pub acceleration: Vec3,
    /// Mass, kg.
    pub mass: f32,
    /// Elasticity; a contact uses the mean of its two bodies.
    pub elasticity: f32,
}

impl FingsicsBody {
    /// The first thing wrong with the definition: its name and value.
    pub(crate) fn problem(&self) -> Option<(&'static str, String)> {
        let vectors = [
            ("position", self.position),
            ("velocity", self.velocity),
            ("angular_velocity", self.angular_velocity),
            ("acceleration", self.acceleration),
            ("rotation", self.rotation.0[0]),
            ("rotation", self.rotation.0[1]),
            ("rotation", self.rotation.0[2]),
        ];
        if let Some((name, value)) = vectors.into_iter().find(|(_, v)| !v.is_finite()) {
            return Some((name, value.to_string()));
        }
        // Whether zero is allowed: a capsule may have no cylinder, an immovable body needs no mass.
        let (sizes, zero_allowed) = match self.shape {
            FingsicsShape::Ball { radius } => ([("radius", radius); 2], false),
            FingsicsShape::Capsule { radius, length } => ([("radius", radius), ("length", length)], true),
            FingsicsShape::Tile { length, width } => ([("length", length), ("width", width)], false),
        };
        let bad_size = |&(name, value): &(&str, f32)| {
            !value.is_finite() || value < 0.0 || (value == 0.0 && !(zero_allowed && name == "length"))
        };
        if let Some((name, value)) = sizes.into_iter().find(bad_size) {
            return Some((name, value.to_string()));
        }
        if !self.elasticity.is_finite() {
            return Some(("elasticity", self.elasticity.to_string()));
        }
        let massless = !self.immovable && self.mass <= 0.0;
        (!self.mass.is_finite() || massless).then(|| ("mass", self.mass.to_string()))
    }

    pub(crate) fn posed(&self) -> Posed {
        let centre = self.position;
        let mut posed = match self.shape {
            FingsicsShape::Ball { radius } => Posed::Ball(Ball { centre, radius }),
            FingsicsShape::Capsule { radius, length } => {
                Posed::Capsule(Capsule { centre, axis: Vec3::Z, radius, length })
            }
            FingsicsShape::Tile { length, width } => {
                Posed::Tile(Tile { centre, normal: Vec3::Y, along: Vec3::X, across: Vec3::Z, length, width })
            }
        };
        posed.place(centre, &self.rotation);
        posed
    }

    /// Principal moments of inertia in the body frame; `None` for a tile, which impulses never
    /// turn.
    ///
    /// A capsule counts as a solid cylinder lengthened by two thirds of its diameter. Roundings as
    /// in Fingsics: 2/3 is rounded to `f32` first, the extra length once, each moment once.
    pub(crate) fn inertia(&self) -> Option<Vec3> {
        let mass = f64::from(self.mass);
        match self.shape {
            FingsicsShape::Ball { radius } => {
                let r = f64::from(radius);
                Some(Vec3::splat((2.0 / 5.0 * mass * r * r) as f32))
            }
            FingsicsShape::Capsule { radius, length } => {
                let r = f64::from(radius);
                let two_thirds = (2.0f64 / 3.0) as f32;
                let extra = (r * 2.0 * f64::from(two_thirds)) as f32;
                let cylinder = length + extra;
                let squared = f64::from(cylinder * cylinder);
                let across = (1.0 / 12.0 * mass * (3.0 * r * r + squared)) as f32;
                let axial = (1.0 / 2.0 * mass * r * r) as f32;
                Some(Vec3::new(across, across, axial))
            }
            FingsicsShape::Tile { .. } => None,
        }
    }
}

/// The axis-aligned box of a shape: of a capsule by its ends, of a tile by its corners (flat boxes
/// stay flat).
#[inline]
pub(crate) fn aabb(shape: &Posed) -> Aabb<3> {
    let (low, high, margin) = match shape {
        Posed::Ball(ball) => (ball.centre, ball.centre, ball.radius),
        Posed::Capsule(capsule) => {
            let (a, b) = (capsule.positive_end(), capsule.negative_end());
            (a.min(b), a.max(b), capsule.radius)
        }
        Posed::Tile(tile) => {
            use Side::{Minus, Plus};
            let corners = [(Plus, Plus), (Minus, Plus), (Plus, Minus), (Minus, Minus)]
                .map(|(along, across)| tile.corner(along, across));
            let [a, b, c, d] = corners;
            (a.min(b).min(c).min(d), a.max(b).max(c).max(d), 0.0)
        }
    };
    Aabb { min: (low - margin).to_array(), max: (high + margin).to_array() }
}

/// Half extents of the oriented box of a shape; those of a tile are doubled if asked, as in
/// Fingsics.
#[inline]
pub(crate) fn half_extents(shape: &Posed, doubled_tiles: bool) -> Vec3 {
    match shape {
        Posed::Ball(ball) => Vec3::splat(ball.radius),
        Posed::Capsule(capsule) => {
            Vec3::new(capsule.radius, capsule.radius, capsule.length / 2.0 + capsule.radius)
        }
        Posed::Tile(tile) if doubled_tiles => Vec3::new(tile.length, EPS, tile.width),
        Posed::Tile(tile) => Vec3::new(tile.length / 2.0, EPS, tile.width / 2.0),
    }
}
