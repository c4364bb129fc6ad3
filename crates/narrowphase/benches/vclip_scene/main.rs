//! The scene that the thesis on V-Clip measures: 500 convex bodies fall into an upside-down
//! pyramid, ten per second, for a minute. Places are recorded, ten frames of each second, and asked
//! of every method.
//!
//! `cargo bench -p carom-narrowphase --bench vclip_scene`; `-- --quick` for 300 bodies and half a
//! minute, `-- --single` for single precision. All distances are compared before anything is timed.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // a program for developers: failing is its report

mod bodies;
mod replay;
mod simulation;

use std::time::Instant;

use simulation::{Call, Scene};

/// Frames recorded in a row, in each second of 60.
const RUN: usize = 10;

fn main() {
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    let (seconds, rows) = if has("--quick") { (30, 30) } else { (60, 50) };
    let shapes = bodies::all();
    for (shape, name) in shapes.iter().zip(bodies::NAMES) {
        println!("{name}: {} vertices, {} faces", shape.vertex_count(), shape.face_count());
    }
    let start = Instant::now();
    let frames = recorded(&shapes, seconds, rows);
    println!("simulated {seconds} s in {:.1} s", start.elapsed().as_secs_f64());
    let calls: usize = frames.iter().map(Vec::len).sum();
    println!("recorded {} frames, {calls} calls", frames.len());
    if has("--single") {
        replay::all::<f32>(&shapes, &frames, 1e-4);
    } else {
        replay::all::<f64>(&shapes, &frames, 1e-8);
    }
}

/// The calls of the frames that are kept.
fn recorded(shapes: &[carom_geometry::Polytope<f64>; 3], seconds: usize, rows: usize) -> Vec<Vec<Call>> {
    let mut scene = Scene::new(shapes);
    let mut frames = Vec::new();
    for second in 0..seconds {
        if second < rows {
            scene.drop_row();
        }
        for frame in 0..60 {
            let calls = scene.calls();
            scene.step(&calls);
            if frame >= 60 - RUN {
                frames.push(calls);
            }
        }
        if second % 10 == 9 {
            let calls = frames.last().map_or(0, Vec::len);
            let (count, top, energy) = (scene.count(), scene.top(), scene.energy());
            println!(
                "{:3} s: {count} bodies, top at {top:.1}, {energy:.2} J each, {calls} pairs",
                second + 1
            );
        }
    }
    frames
}
