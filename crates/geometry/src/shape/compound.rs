//! Several shapes with poses of their own, used as one.
//!
//! Children lie in the order they were given; a tree of their boxes answers questions about regions
//! and rays. Children may be compounds again, to a depth of [`MAX_DEPTH`].

use super::any::{Shape, ShapeMassError};
use super::{Bounded, Cone, Cylinder, RayCast, ShapeError};
use crate::bounds::Aabb;
use crate::bvh::{Bvh, Item, Slabs};
use crate::mass::MassProperties;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit};
use crate::rotation::Rotation;
use glam::Vec3;

/// Deepest nesting of compounds.
pub const MAX_DEPTH: usize = 8;

/// A shape with its place in the compound, or on a body. Any shape is one, at the origin.
#[derive(Clone, Debug)]
pub struct Child {
    /// Place and orientation in the frame of the compound.
    pub pose: Pose,
    /// The shape.
    pub shape: Shape,
}

impl<T: Into<Shape>> From<T> for Child {
    fn from(shape: T) -> Self {
        Self { pose: Pose::IDENTITY, shape: shape.into() }
    }
}

impl Child {
    /// A shape whose z axis is turned into another axis: 0 for x, 1 for y, 2 for z.
    pub(super) fn turned(shape: impl Into<Shape>, axis: usize) -> Self {
        const H: f32 = std::f32::consts::FRAC_1_SQRT_2;
        let rotation = match axis {
            0 => Rotation { xyz: Vec3::new(0.0, H, 0.0), w: H },
            1 => Rotation { xyz: Vec3::new(-H, 0.0, 0.0), w: H },
            _ => Rotation::IDENTITY,
        };
        Self { pose: Pose::new(Vec3::ZERO, rotation), shape: shape.into() }
    }
}

/// The constructors of a shape along z for the other axes.
macro_rules! along_axes {
    ($shape:ident, $what:literal) => {
        impl $shape {
            #[doc = concat!($what, " along x: the shape, which is along z, with the turn that puts it there.")]
            ///
            /// # Errors
            /// If a size is negative or not finite.
            pub fn along_x(half_length: f32, radius: f32) -> Result<Child, ShapeError> {
                Ok(Child::turned(Self::new(half_length, radius)?, 0))
            }

            #[doc = concat!($what, " along y, with the turn that puts it there.")]
            ///
            /// # Errors
            /// If a size is negative or not finite.
            ///
            /// ```
            #[doc = concat!("use carom_geometry::shape::{Bounded, Compound, ", stringify!($shape), "};")]
            #[doc = concat!("let upright = ", stringify!($shape), "::along_y(1.0, 0.25)?;")]
            /// let aabb = upright.shape.aabb_at(&upright.pose);
            /// assert!((aabb.max[1] - 1.0).abs() < 1e-6 && (aabb.max[0] - 0.25).abs() < 1e-6);
            /// assert!(Compound::new(vec![upright]).is_ok());
            /// # Ok::<(), carom_geometry::shape::ShapeError>(())
            /// ```
            pub fn along_y(half_length: f32, radius: f32) -> Result<Child, ShapeError> {
                Ok(Child::turned(Self::new(half_length, radius)?, 1))
            }

            #[doc = concat!($what, " along z, as [`Self::new`] makes it.")]
            ///
            /// # Errors
            /// If a size is negative or not finite.
            pub fn along_z(half_length: f32, radius: f32) -> Result<Child, ShapeError> {
                Ok(Child::turned(Self::new(half_length, radius)?, 2))
            }
        }
    };
}

along_axes!(Cylinder, "Cylinder");
along_axes!(Cone, "Cone with its tip");

/// Several shapes as one. Immutable once built.
///
/// ```
/// use carom_geometry::Pose;
/// use carom_geometry::shape::{Bounded, Child, Compound, Cuboid, Sphere};
/// use glam::Vec3;
/// let bar = Cuboid::new(Vec3::new(1.0, 0.1, 0.1))?;
/// let ball = Sphere::new(0.5)?;
/// let at = |x: f32| Pose::at(Vec3::new(x, 0.0, 0.0));
/// let dumbbell = Compound::new(vec![
///     Child { pose: at(0.0), shape: bar.into() },
///     Child { pose: at(-1.0), shape: ball.into() },
///     Child { pose: at(1.0), shape: ball.into() },
/// ])?;
/// assert_eq!(dumbbell.aabb().max, [1.5, 0.5, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compound {
    children: Vec<Child>,
    /// Which child a leaf of the tree is.
    order: Vec<u32>,
    tree: Bvh,
    depth: usize,
}

carom_core::error_type! {
    /// Why shapes cannot be one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CompoundError {
        /// No children.
        #[error("a compound needs at least one child")]
        Empty,
        /// More children than can be numbered.
        #[error("a compound takes at most {limit} children, not {count}")]
        TooMany {
            /// How many there are.
            count: usize,
            /// How many there may be.
            limit: usize,
        },
        /// A pose holds NaN or infinity, or the shape with it reaches beyond the finite numbers.
        #[error("child {child} is not at a finite place")]
        NotFinite {
            /// Which child.
            child: usize,
        },
        /// A half-space has no box.
        #[error("child {child} is a half-space, which has no end: put it on a body of its own")]
        Unbounded {
            /// Which child.
            child: usize,
        },
        /// Compounds within compounds.
        #[error("child {child} nests compounds more than {MAX_DEPTH} deep: flatten it")]
        TooDeep {
            /// Which child.
            child: usize,
        },
    }
}

/// Most children: what the tree can number.
const MAX_CHILDREN: usize = 1 << 24;

impl Compound {
    /// Compound of these children.
    ///
    /// # Errors
    ///
    /// No children or too many, poses that are not finite, half-spaces, nesting that is too deep.
    pub fn new(children: Vec<Child>) -> Result<Self, CompoundError> {
        if children.is_empty() {
            return Err(CompoundError::Empty);
        }
        if children.len() > MAX_CHILDREN {
            return Err(CompoundError::TooMany { count: children.len(), limit: MAX_CHILDREN });
        }
        let mut depth = 1;
        let mut items = Vec::with_capacity(children.len());
        for (index, child) in children.iter().enumerate() {
            if let Shape::Compound(inner) = &child.shape {
                depth = depth.max(inner.depth + 1);
            }
            if depth > MAX_DEPTH {
                return Err(CompoundError::TooDeep { child: index });
            }
            if matches!(child.shape, Shape::HalfSpace(_)) {
                return Err(CompoundError::Unbounded { child: index });
            }
            let bounds = child.shape.aabb_at(&child.pose);
            let finite = bounds.min.iter().chain(&bounds.max).all(|c| c.is_finite());
            if !(child.pose.is_finite() && finite) {
                return Err(CompoundError::NotFinite { child: index });
            }
            items.push(Item::new(index as u32, &bounds));
        }
        let tree = Bvh::build(&mut items);
        Ok(Self { children, order: items.iter().map(Item::index).collect(), tree, depth })
    }

    /// The children, in the order they were given.
    #[must_use]
    pub fn children(&self) -> &[Child] {
        &self.children
    }

    /// Calls `visit` with the index of every child whose box meets the region (local coordinates),
    /// in no useful order.
    pub fn for_each_in_box(&self, region: &Aabb<3>, mut visit: impl FnMut(u32)) {
        self.tree.walk_box(region, |leaf| {
            visit(self.order[leaf as usize]);
            true
        });
    }

    /// The children that `start`, moved by `displacement` over the times 0 to 1, may touch: see
    /// [`Mesh::sweep_box`](crate::Mesh::sweep_box).
    pub fn sweep_box(&self, start: &Aabb<3>, displacement: Vec3, mut visit: impl FnMut(u32, f32) -> f32) {
        let Some(slabs) = Slabs::new(start.centre(), start.half(), displacement, self.tree.bounds()) else {
            return;
        };
        self.tree.walk_slabs(&slabs, slabs.scaled(1.0), |leaf, time| {
            slabs.scaled(visit(self.order[leaf as usize], slabs.unscaled(time)))
        });
    }

    /// The first child met by a ray in local coordinates with `0 ≤ t ≤ max`, and the hit; of
    /// several at the same time the one with the lowest index.
    #[must_use]
    pub fn cast(&self, ray: &Ray, max: f32) -> Option<(u32, RayHit)> {
        let slabs = Slabs::new(ray.origin, Vec3::ZERO, ray.direction, self.tree.bounds())?;
        let mut best: Option<(u32, RayHit)> = None;
        self.tree.walk_slabs(&slabs, slabs.scaled(max), |leaf, _| {
            let index = self.order[leaf as usize];
            let child = &self.children[index as usize];
            let limit = best.map_or(max, |(_, hit)| hit.t);
            if let Some(hit) = child.shape.cast_ray_at(&child.pose, ray, limit) {
                let is_first =
                    best.is_none_or(|(other, found)| hit.t < found.t || (hit.t == found.t && index < other));
                if is_first {
                    best = Some((index, hit));
                }
            }
            slabs.scaled(best.map_or(max, |(_, hit)| hit.t))
        });
        best
    }

    /// Mass properties of all children together; where they overlap, mass counts twice.
    ///
    /// # Errors
    ///
    /// A child that has none; the error names it.
    pub fn mass_properties(&self, density: f32) -> Result<MassProperties, ShapeMassError> {
        let mut sum = MassProperties::NOTHING;
        for (index, child) in self.children.iter().enumerate() {
            let own = child
                .shape
                .mass_properties(density)
                .map_err(|reason| ShapeMassError::Child { child: index, reason: Box::new(reason) })?;
            sum = sum.plus(&own.posed(&child.pose));
        }
        Ok(sum)
    }
}

impl Bounded<f32> for Compound {
    fn aabb(&self) -> Aabb<3> {
        *self.tree.bounds()
    }

    /// The union of the exact boxes of the children; those that cannot reach its faces are not
    /// looked at.
    fn aabb_at(&self, pose: &Pose) -> Aabb<3> {
        let box_of = |leaf: u32| {
            let child = &self.children[self.order[leaf as usize] as usize];
            child.shape.aabb_at(&(*pose * child.pose))
        };
        self.tree.box_at(pose, box_of(0), |leaf, _, _, bounds| *bounds = bounds.union(&box_of(leaf)))
    }
}

impl RayCast<f32> for Compound {
    fn cast_ray(&self, ray: &Ray, max: f32) -> Option<RayHit> {
        self.cast(ray, max).map(|(_, hit)| hit)
    }
}
