//! Draws the shapes of the plane for `docs/geometry.md` with the crate's own functions.
//!
//! `cargo run -p carom-planar --example planar_pictures` draws them in memory and compares them
//! with `docs/images/geometry/plane.svg`; `-- --write` writes the file.
#![allow(missing_docs, clippy::unwrap_used)] // a program for developers: failing is its report

#[allow(dead_code)] // the canvas can do more than is needed here
#[path = "../../geometry/examples/pictures/canvas.rs"]
mod canvas;

use std::f32::consts::TAU;
use std::path::Path;
use std::process::ExitCode;

use carom_core::trig;
use carom_planar::polygon::{ShapeName, convex_hull, unit_shape};
use glam::Vec3;

use crate::canvas::{BODY, Picture, SECOND};

fn main() -> ExitCode {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/geometry/plane.svg");
    let svg = sheet();
    if std::env::args().any(|argument| argument == "--write") {
        std::fs::write(&path, &svg).unwrap();
    }
    if std::fs::read_to_string(&path).is_ok_and(|old| old == svg) {
        println!("plane.svg is as the code draws it");
        return ExitCode::SUCCESS;
    }
    println!("plane.svg differs: run with --write, look at it, and commit it");
    ExitCode::FAILURE
}

/// Points on a circle of radius 1.
fn circle(points: usize) -> Vec<Vec3> {
    let point = |k: usize| {
        let (sine, cosine) = trig::sin_cos(TAU * k as f32 / points as f32);
        Vec3::new(cosine, 0.0, sine)
    };
    (0..points).map(point).collect()
}

/// The shapes of the plane, drawn lying in x–y.
fn sheet() -> String {
    let mut pictures = Vec::new();
    let mut add = |caption: &str, outline: Vec<Vec3>| {
        let mut picture = Picture::new(caption);
        let close = outline.len();
        for k in 0..close {
            picture.outline(outline[k], outline[(k + 1) % close], BODY, 2.0, true);
            if close < 20 {
                picture.dot(outline[k], SECOND, 2.5);
            }
        }
        pictures.push(picture);
    };
    let lift =
        |points: &[[f64; 2]]| points.iter().map(|p| Vec3::new(p[0] as f32, 0.0, -p[1] as f32)).collect();
    add("circle", circle(64));
    add("convex polygon", lift(&unit_shape(ShapeName::Hexagon).vertices));
    add("simple polygon\nmay be non-convex", lift(&unit_shape(ShapeName::Star5).vertices));
    let star = unit_shape(ShapeName::Star5);
    let hull = convex_hull(&star.vertices).unwrap();
    add("hull in the plane\nof the star", lift(hull.vertices()));
    canvas::sheet("Shapes of the plane", 4, pictures)
}
