//! The narrow phase of Fingsics.
//!
//! Balls, capsules and (static) tiles; one contact point per pair; strict comparisons throughout;
//! all arithmetic from [`crate::arithmetic`], in Fingsics' order, so that counts come out the same
//! row for row. Some contact points lie oddly along the normal line (a radius ratio the wrong way
//! round, the far side of a cylinder). They are kept: they change neither lever arm nor relative
//! normal speed in exact arithmetic, but they do change roundings.
//!
//! Where Fingsics stops with an error or goes on with NaN (coincident centres, a centre exactly on
//! an axis or an edge) a sensible normal is taken instead. Its other quirks are [`Quirks`], each of
//! which can be fixed or kept.

mod round;
mod tile;

use crate::arithmetic::{RowMatrix, cross, normalised};
use glam::Vec3;

/// A sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball {
    /// Centre.
    pub centre: Vec3,
    /// Radius.
    pub radius: f32,
}

/// A capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Capsule {
    /// Centre.
    pub centre: Vec3,
    /// Direction of the axis (unit but for the drift of its matrix).
    pub axis: Vec3,
    /// Radius.
    pub radius: f32,
    /// Length of the cylindrical part.
    pub length: f32,
}

impl Capsule {
    /// Centre of the end ball on the positive side of the axis.
    #[inline]
    #[must_use]
    pub(crate) fn positive_end(&self) -> Vec3 {
        self.centre + self.axis * self.length / 2.0
    }

    /// Centre of the end ball on the negative side of the axis.
    #[inline]
    #[must_use]
    pub(crate) fn negative_end(&self) -> Vec3 {
        self.centre - self.axis * self.length / 2.0
    }

    /// The end on the side of a parameter along the axis: positive only if it is above zero.
    #[inline]
    fn end_towards(&self, parameter: f32) -> Vec3 {
        if parameter > 0.0 { self.positive_end() } else { self.negative_end() }
    }
}

/// A rectangle without thickness, two-sided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tile {
    /// Centre.
    pub centre: Vec3,
    /// Normal (local +y).
    pub normal: Vec3,
    /// Direction of `length` (local x).
    pub along: Vec3,
    /// Direction of `width` (local z).
    pub across: Vec3,
    /// Full extent along `along`.
    pub length: f32,
    /// Full extent along `across`.
    pub width: f32,
}

impl Tile {
    /// The corner on the given sides of `along` and `across`.
    #[inline]
    #[must_use]
    pub(crate) fn corner(&self, along: Side, across: Side) -> Vec3 {
        let (a, b) = (self.along * self.length / 2.0, self.across * self.width / 2.0);
        let edge = match along {
            Side::Plus => self.centre + a,
            Side::Minus => self.centre - a,
        };
        match across {
            Side::Plus => edge + b,
            Side::Minus => edge - b,
        }
    }
}

/// A side of a tile's centre along one of its directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Towards the direction.
    Plus,
    /// Against it.
    Minus,
}

/// A shape in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Posed {
    /// Sphere.
    Ball(Ball),
    /// Capsule.
    Capsule(Capsule),
    /// Tile.
    Tile(Tile),
}

impl Posed {
    /// Moves the shape to a centre and an orientation.
    #[inline]
    pub(crate) fn place(&mut self, centre: Vec3, rotation: &RowMatrix) {
        match self {
            Self::Ball(ball) => ball.centre = centre,
            Self::Capsule(capsule) => {
                capsule.centre = centre;
                capsule.axis = rotation.column(2);
            }
            Self::Tile(tile) => {
                tile.centre = centre;
                tile.along = rotation.column(0);
                tile.normal = rotation.column(1);
                tile.across = rotation.column(2);
            }
        }
    }
}

/// The kinds of pair that are tested; two tiles never collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// Two capsules.
    CapsuleCapsule,
    /// A ball and a capsule.
    BallCapsule,
    /// Two balls.
    BallBall,
    /// A ball and a tile.
    BallTile,
    /// A capsule and a tile.
    CapsuleTile,
}

impl PairKind {
    /// All kinds, in the order of Fingsics' summary.
    pub const ALL: [Self; 5] =
        [Self::CapsuleCapsule, Self::BallCapsule, Self::BallBall, Self::BallTile, Self::CapsuleTile];

    /// Name in Fingsics' summary.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CapsuleCapsule => "capsule-capsule",
            Self::BallCapsule => "ball-capsule",
            Self::BallBall => "ball-ball",
            Self::BallTile => "ball-tile",
            Self::CapsuleTile => "capsule-tile",
        }
    }

    /// The kind of a pair; `None` for two tiles.
    #[inline]
    #[must_use]
    pub(crate) fn of(a: &Posed, b: &Posed) -> Option<Self> {
        use Posed::{Ball, Capsule, Tile};
        match (a, b) {
            (Ball(_), Ball(_)) => Some(Self::BallBall),
            (Ball(_), Capsule(_)) | (Capsule(_), Ball(_)) => Some(Self::BallCapsule),
            (Capsule(_), Capsule(_)) => Some(Self::CapsuleCapsule),
            (Ball(_), Tile(_)) | (Tile(_), Ball(_)) => Some(Self::BallTile),
            (Capsule(_), Tile(_)) | (Tile(_), Capsule(_)) => Some(Self::CapsuleTile),
            (Tile(_), Tile(_)) => None,
        }
    }
}

/// Where two shapes touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FingsicsContact {
    /// Point, world coordinates.
    pub point: Vec3,
    /// Unit vector from the first shape to the second.
    pub normal: Vec3,
    /// How deep they overlap.
    pub depth: f32,
}

impl FingsicsContact {
    /// The same contact seen from the other shape.
    #[inline]
    fn flipped(mut self) -> Self {
        self.normal *= -1.0;
        self
    }
}

/// Quirks of Fingsics' narrow phase that change results and can be kept (`true`) or fixed
/// (`false`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quirks {
    /// Parallel capsules of which both ends of the second touch the first: the normal points the
    /// wrong way, so the two are pulled together.
    pub parallel_normal: bool,
    /// Capsule parallel to a tile's edge: corners are projected on the axis as if the world's
    /// origin were its centre.
    pub corner_projection: bool,
    /// Both ends of a capsule on a tile: the normal of the first end is taken twice instead of the
    /// mean of both.
    pub first_end_normal: bool,
    /// A contact with a tile's edge wins over a contact of one end with its face.
    pub edge_before_face: bool,
}

impl Quirks {
    /// As Fingsics is.
    pub const KEPT: Self = Self {
        parallel_normal: true,
        corner_projection: true,
        first_end_normal: true,
        edge_before_face: true,
    };
    /// Those fixed that change none of Fingsics' results on its own scenes; the one that does
    /// (`confetti` from row 10, `bulldozer` from row 425) is kept.
    pub const HARMLESS_FIXED: Self = Self { edge_before_face: true, ..Self::FIXED };
    /// All fixed.
    pub const FIXED: Self = Self {
        parallel_normal: false,
        corner_projection: false,
        first_end_normal: false,
        edge_before_face: false,
    };
}

/// The contact of two shapes, its normal from `a` to `b`, or none.
#[must_use]
pub(crate) fn collide(a: &Posed, b: &Posed, quirks: Quirks) -> Option<FingsicsContact> {
    use Posed::{Ball, Capsule, Tile};
    match (a, b) {
        (Ball(a), Ball(b)) => round::ball_ball(a.centre, a.radius, b.centre, b.radius),
        (Ball(a), Capsule(b)) => round::ball_capsule(a.centre, a.radius, b),
        (Capsule(a), Ball(b)) => round::ball_capsule(b.centre, b.radius, a).map(FingsicsContact::flipped),
        (Capsule(a), Capsule(b)) => round::capsule_capsule(a, b, quirks),
        (Tile(a), Ball(b)) => tile::ball(b.centre, b.radius, a).map(|hit| hit.contact),
        (Ball(a), Tile(b)) => tile::ball(a.centre, a.radius, b).map(|hit| hit.contact.flipped()),
        (Tile(a), Capsule(b)) => tile::capsule(b, a, quirks),
        (Capsule(a), Tile(b)) => tile::capsule(a, b, quirks).map(FingsicsContact::flipped),
        (Tile(_), Tile(_)) => None,
    }
}

/// The vector made unit, or any unit vector across `axis` where it has no direction.
fn normalised_or_across(v: Vec3, axis: Vec3) -> Vec3 {
    normalised(v).unwrap_or_else(|| {
        let helper = if axis.x.abs() < 0.5 { Vec3::X } else { Vec3::Y };
        normalised(cross(axis, helper)).unwrap_or(Vec3::Y)
    })
}

#[cfg(test)]
mod tests;
