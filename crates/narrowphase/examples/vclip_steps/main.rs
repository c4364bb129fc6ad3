//! Steps V-Clip through the three examples of the thesis that it follows, state by state.
//!
//! `cargo run -p carom-narrowphase --example vclip_steps` prints the states and compares the
//! pictures of them with the files in `docs/images/narrowphase`; `-- --write` writes the files. The
//! current features are green, the closest points of the features red.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // a program for developers: failing is its report

#[allow(dead_code)] // the canvas can do more than is needed here
#[path = "../../../geometry/examples/pictures/canvas.rs"]
mod canvas;
mod cases;

use std::path::Path;
use std::process::ExitCode;

use canvas::{BODY, BOUND, Colour, Picture, SECOND, View, sheet};
use carom_geometry::polytope::Feature;
use carom_geometry::{Polytope, Pose, Vector};
use carom_narrowphase::alternatives::vclip::Stepper;
use carom_narrowphase::vclip::{VClip, Witness};
use cases::Case;
use glam::DVec3;

const CURRENT: Colour = [0.10, 0.62, 0.24];

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/narrowphase");
    let write = std::env::args().any(|argument| argument == "--write");
    let mut stale = 0;
    for (name, case) in [
        ("separated", cases::separated()),
        ("penetrating", cases::penetrating()),
        ("inside", cases::inside()),
    ] {
        let pictures = step_through(name, &case);
        let columns = pictures.len().min(5);
        let svg = sheet(&format!("V-Clip, {name}"), columns, pictures);
        let file = folder.join(format!("vclip-{name}.svg"));
        if write {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, svg).unwrap();
        } else if !std::fs::read_to_string(&file).is_ok_and(|old| old == svg) {
            println!("the picture differs: run with --write, look at it, and commit it");
            stale += 1;
        }
    }
    if stale > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Prints every state of a query and draws it.
fn step_through(name: &str, (a, b, relative_pose): &Case) -> Vec<Picture> {
    println!("{name}");
    let mut stepper = Stepper::new(a, b, relative_pose, Witness::VERTICES);
    let mut pictures = Vec::new();
    for step in 0.. {
        let (features, distance) = (stepper.features(), stepper.distance());
        let said = format!("{} – {}", called(features[0]), called(features[1]));
        println!("  {step:2}  {}  {said:<24} {distance:.5} apart", stepper.state());
        let caption = format!("{step}: {}\n{said}: {distance:.3} m", stepper.state());
        pictures.push(drawn(&caption, a, b, relative_pose, features, stepper.points()));
        if let Some(answer) = stepper.iterate() {
            let near = VClip::default().proximity(a, b, relative_pose, &mut Witness::VERTICES.clone());
            println!("      {:?} at {}; signed distance {:.5}", answer.status, answer.state, near.distance);
            break;
        }
    }
    pictures
}

fn called(feature: Feature) -> String {
    match feature {
        Feature::Vertex(v) => format!("vertex {}", v.0),
        Feature::Edge(h) => format!("edge {}", h.0),
        Feature::Face(f) => format!("face {}", f.0),
    }
}

fn drawn(
    caption: &str,
    a: &Polytope<f64>,
    b: &Polytope<f64>,
    relative_pose: &Pose<f64>,
    features: [Feature; 2],
    points: [DVec3; 2],
) -> Picture {
    let mut picture = Picture::new(caption);
    wires(&mut picture, a, &Pose::IDENTITY, BODY, features[0]);
    wires(&mut picture, b, relative_pose, SECOND, features[1]);
    let [p, q] = points.map(Vector::to::<f32>);
    picture.outline(p, q, BOUND, 1.0, true);
    picture.dot(p, BOUND, 2.0);
    picture.dot(q, BOUND, 2.0);
    picture
}

/// The edges of a polytope, the current feature among them in green.
fn wires(picture: &mut Picture, shape: &Polytope<f64>, pose: &Pose<f64>, colour: Colour, current: Feature) {
    let eye = View::new().eye.to::<f64>();
    let ends = |h| shape.ends(h).map(|v| pose.apply(shape.point(v)).to::<f32>());
    for h in shape.edges() {
        let faces_eye = |f| pose.rotation.rotate(shape.plane(f).normal).dot(eye) > 0.0;
        let visible = shape.sides(h).into_iter().any(faces_eye);
        let [tail, head] = ends(h);
        picture.outline(tail, head, colour, 1.0, visible);
    }
    match current {
        Feature::Vertex(v) => picture.dot(pose.apply(shape.point(v)).to::<f32>(), CURRENT, 4.0),
        Feature::Edge(h) => {
            let [tail, head] = ends(h);
            picture.outline(tail, head, CURRENT, 3.0, true);
        }
        Feature::Face(f) => {
            for h in shape.around_face(f) {
                let [tail, head] = ends(h);
                picture.outline(tail, head, CURRENT, 3.0, true);
            }
        }
    }
}
