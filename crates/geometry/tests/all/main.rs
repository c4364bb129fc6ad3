//! The tests of behaviour of the crate, one module per topic. They are one program because linking
//! a program takes longer than running most of them.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod bounds_kdop;
mod bounds_motion;
mod bounds_obb;
mod bounds_sphere;
mod bounds_tree;
mod clip;
mod closest;
mod closest_oracle;
mod every_shape;
mod every_triangle;
mod height_field;
mod hull;
mod hull_queries;
mod intersect;
mod mass;
mod mesh;
mod mesh_files;
mod mesh_queries;
mod shapes_bounds;
mod shapes_rays;
mod shapes_zoo;
