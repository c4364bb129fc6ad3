//! Draws the pictures of `docs/broadphase.md` from what the methods do.
//!
//! `cargo run -p carom-broadphase --example broadphase_pictures` draws them in memory and compares
//! them with the files in `docs/images/broadphase`, so that the documentation cannot drift from the
//! code; `-- --write` writes the files.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // a program for developers: failing is its report

mod all_pairs;
mod bounding_trees;
mod buckets;
mod canvas;
mod chosen;
mod cuts;
mod grids;
mod scene;
mod sweeps;
mod volumes;

use std::process::ExitCode;

fn main() -> ExitCode {
    let sheets = [
        ("all-pairs.svg", all_pairs::sheet()),
        ("sphere-obb.svg", volumes::close_up()),
        ("sap.svg", sweeps::persistent()),
        ("direct-sap.svg", sweeps::direct()),
        ("multi-sap.svg", sweeps::multi()),
        ("box-pruning.svg", sweeps::box_pruning()),
        ("bucket-pruning.svg", buckets::bucket_pruning()),
        ("kd-sweep.svg", buckets::kd_sweep()),
        ("grid.svg", grids::uniform()),
        ("hash-grid.svg", grids::hashed()),
        ("hier-grid.svg", grids::hierarchical()),
        ("quadtree-octree.svg", cuts::halves()),
        ("loose-trees.svg", cuts::loose()),
        ("kd-trees.svg", cuts::kd_trees()),
        ("bsp.svg", cuts::bsp()),
        ("dbvt.svg", bounding_trees::dynamic()),
        ("bvh.svg", bounding_trees::rebuilt()),
        ("bvh-refit.svg", bounding_trees::refitted()),
        ("auto.svg", chosen::sheet()),
        ("refinement.svg", volumes::refinement()),
        ("queries.svg", bounding_trees::queries()),
    ];
    canvas::settle("broadphase", &sheets)
}
