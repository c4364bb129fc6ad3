//! `cargo bench -p carom-geometry [-- WORD… [--best]]`: every primitive beside parry3d's, in one
//! run.
//!
//! Each row runs both sides on the same inputs in the order ours, theirs, theirs, ours, many times
//! over, and takes the median of each: a slow spell of the machine hits both. Both sides return a
//! number built from all their results, so that nothing is optimised away, and rows that can be
//! compared exactly check that the results agree. Words on the command line keep the rows whose
//! name contains one of them; `--best` takes the shortest samples instead, for machines that are
//! busy with other things.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // a program for developers: failing is its report

mod bounds;
mod clip;
mod closest;
mod hull;
mod intersect;
mod mass;
mod mesh;
mod rotation;
mod shapes;
mod table;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let mut table = table::Table::new(words);
    rotation::rows(&mut table);
    mesh::rows(&mut table);
    shapes::rows(&mut table);
    mass::rows(&mut table);
    closest::rows(&mut table);
    intersect::rows(&mut table);
    clip::rows(&mut table);
    bounds::rows(&mut table);
    hull::rows(&mut table);
    table.finish();
}
