//! Draws the pictures of `docs/geometry.md` with the crate's own functions.
//!
//! `cargo run -p carom-geometry --example pictures` draws them in memory and compares them with the
//! files in `docs/images/geometry`, so that the documentation cannot drift from the code;
//! `-- --write` writes the files.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // a program for developers: failing is its report

mod canvas;
mod draw;
mod measures;
mod shapes;
mod volumes;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/geometry");
    let write = std::env::args().any(|argument| argument == "--write");
    let sheets = [
        ("shapes.svg", shapes::sheet()),
        ("bounds.svg", volumes::bounds_sheet()),
        ("motion.svg", volumes::motion_sheet()),
        ("measures.svg", measures::sheet()),
        ("mesh.svg", measures::mesh_sheet()),
    ];
    if write {
        std::fs::create_dir_all(&folder).unwrap();
    }
    let mut stale = 0;
    for (name, svg) in sheets {
        let path = folder.join(name);
        if write {
            std::fs::write(&path, svg).unwrap();
            println!("wrote {name}");
        } else if std::fs::read_to_string(&path).is_ok_and(|old| old == svg) {
            println!("{name} is as the code draws it");
        } else {
            println!("{name} differs: run with --write, look at it, and commit it");
            stale += 1;
        }
    }
    if stale > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
