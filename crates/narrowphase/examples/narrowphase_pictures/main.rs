//! Draws the pictures of `docs/narrowphase.md` from what the algorithms compute.
//!
//! `cargo run -p carom-narrowphase --example narrowphase_pictures` draws them in memory and
//! compares them with the files in `docs/images/narrowphase`, so that the documentation cannot
//! drift from the code; `-- --write` writes the files. Where an algorithm does not tell its steps,
//! its rule is followed in the plane with the same support points, and the end is compared with the
//! answer of the algorithm. (The steps of V-Clip are drawn by the example `vclip_steps`.)
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // a program for developers: failing is its report

mod analytic;
#[allow(dead_code)] // the canvas can do more than is needed here
#[path = "../../../broadphase/examples/broadphase_pictures/canvas.rs"]
mod canvas;
mod epa;
mod ghosts;
mod gjk;
mod manifold;
mod mpr;
mod planar;
mod sat;
mod scene;
mod toi;

use std::process::ExitCode;

fn main() -> ExitCode {
    let sheets = [
        ("analytic.svg", analytic::sheet()),
        ("sat.svg", sat::sheet()),
        ("gjk.svg", gjk::sheet()),
        ("epa.svg", epa::sheet()),
        ("mpr.svg", mpr::sheet()),
        ("manifold.svg", manifold::sheet()),
        ("ghosts.svg", ghosts::sheet()),
        ("toi.svg", toi::sheet()),
        ("planar.svg", planar::sheet()),
    ];
    canvas::settle("narrowphase", &sheets)
}
