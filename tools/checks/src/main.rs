//! The repository checks. `cargo run -p carom-checks` from anywhere in the repository prints every
//! finding as `file:line: [check] what is wrong` and ends with status 1 if there is any.
//!
//! These rules cannot be said in Rust or Clippy: which crate may know which, where `unsafe` may
//! stand, which floating point operations differ between platforms, and whether the documents still
//! tell the truth. Each check is one file under `checks` and a pure function over plain data, so
//! its own tests show on made-up input that it can fail. A shell script of `grep`s was the
//! alternative; it cannot tell code from comments, strings and tests.
#![forbid(unsafe_code)]

mod allow_list;
mod checks;
mod finding;
mod manifest;
mod markdown;
mod repository;
mod rust_source;

use std::io::{self, Write};
use std::process::ExitCode;

use repository::Repository;

fn main() -> ExitCode {
    let repository = match Repository::open() {
        Ok(repository) => repository,
        Err(error) => {
            eprintln!("carom-checks: {error}");
            return ExitCode::from(2);
        }
    };
    let findings = checks::run_all(&repository);
    match report(&findings, repository.files.len()) {
        Ok(()) if findings.is_empty() => ExitCode::SUCCESS,
        Ok(()) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("carom-checks: cannot write the report: {error}");
            ExitCode::from(2)
        }
    }
}

fn report(findings: &[finding::Finding], files: usize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for finding in findings {
        writeln!(out, "{finding}")?;
    }
    match findings.len() {
        0 => writeln!(out, "checks: {files} files, no findings"),
        1 => writeln!(out, "checks: {files} files, 1 finding"),
        n => writeln!(out, "checks: {files} files, {n} findings"),
    }
}
