#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! | module | holds |
//! |---|---|
//! | [`prelude`] | what most programs need, in one `use` |
//! | [`dynamics`] | the world: bodies, contacts, joints, queries, events, steps |
//! | [`planar`] | worlds of two dimensions, on the same engine |
//! | [`geometry`] | shapes, hulls, meshes, masses, rotations, closest points |
//! | [`narrowphase`] | whether two shapes touch, where, how deep and when |
//! | [`broadphase`] | which of many boxes overlap |
//! | [`glam`] | the vectors that all of them speak |
//!
//! The last four stand on their own: use them without a [`World`](prelude::World) where that is all
//! a program needs.
//!
//! # Learning by example
//!
//! The folder `examples` has a small program for each thing the engine does; each prints what it
//! shows and ends within a second or two: `cargo run -p carom --example hello_stack`. The guide in
//! the folder `docs/guide` of the repository explains one subject per page.
#![forbid(unsafe_code)]

pub use carom_broadphase as broadphase;
pub use carom_dynamics as dynamics;
pub use carom_dynamics2d as planar;
pub use carom_geometry as geometry;
pub use carom_narrowphase as narrowphase;
pub use glam;

/// What most programs need: `use carom::prelude::*`.
pub mod prelude {
    pub use carom_dynamics::{
        Axis, BodyArrays, BodyDef, BodyId, BodyKind, BodyMut, BodyRef, ClosestPoint, Colour, CombineRule,
        ContactForceEvent, ContactModifier, ContactPoint, ContactRef, DebugColours, DebugDraw,
        DebugDrawOptions, DebugLines, Events, FixedFrame, FixedStep, HitEvent, JointAxis, JointBreak,
        JointDef, JointError, JointFrames, JointId, JointKind, JointMut, JointRef, Layers, LockedAxes,
        Material, ModifiedPoint, Motion, Motor, PreparedBody, QueryFilter, Ray, RayHit, SensorEvent, Sensors,
        ShapeCast, ShapeDef, ShapeHit, ShapeId, ShapeMut, ShapePair, ShapeRef, SimdWidth, Snapshot,
        SnapshotError, Spring, SpringLaw, StepReport, TouchEvent, Violation, World, WorldDef, WorldError,
    };
    pub use carom_geometry::hull::{HullOptions, convex_hull};
    pub use carom_geometry::mass::MassProperties;
    pub use carom_geometry::mesh::MeshOptions;
    pub use carom_geometry::shape::{
        Capsule, Child, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere, Tile,
    };
    pub use carom_geometry::{HeightField, Mesh, Polytope, Pose, Rotation};
    pub use glam::{DVec3, Vec3};
}

/// Compiles and runs the code on the pages of the guide.
#[cfg(doctest)]
mod guide {
    macro_rules! pages {
        ($($page:ident: $file:literal),* $(,)?) => {
            $(#[doc = include_str!(concat!("../../../docs/guide/", $file))]
            mod $page {})*
        };
    }

    pages! {
        first_world: "first-world.md",
        tasks: "tasks.md",
        shapes_and_masses: "shapes-and-masses.md",
        bodies: "bodies.md",
        joints: "joints.md",
        queries: "queries.md",
        events: "events.md",
        hooks: "hooks.md",
        determinism: "determinism.md",
        two_dimensions: "two-dimensions.md",
        performance: "performance.md",
        coming_from_rapier: "coming-from-rapier.md",
        coming_from_jolt: "coming-from-jolt.md",
        coming_from_bullet: "coming-from-bullet.md",
        index: "README.md",
    }
}
