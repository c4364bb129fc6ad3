//! Notes the compiler and the commit for [`machine`](src/machine.rs), and compiles the bridges to
//! Bullet, FCL and libccd if the feature `peers` asks for it.
#![forbid(unsafe_code)]

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=peers/bullet.cpp");
    println!("cargo::rerun-if-changed=peers/fcl.cpp");
    note_compiler();
    note_commit();
    #[cfg(feature = "peers")]
    bullet();
    #[cfg(feature = "peers")]
    fcl();
}

fn note_compiler() {
    let of_cargo = |name: &str| std::env::var(name).unwrap_or_else(|_| "unknown".to_owned());
    let compiler = printed(Command::new(of_cargo("RUSTC")).arg("--version"));
    note("CAROM_COMPILER", &compiler.unwrap_or_else(|| "unknown".to_owned()));
    note("CAROM_TARGET", &of_cargo("TARGET"));
    note("CAROM_PROFILE", &of_cargo("PROFILE"));
}

/// What can be measured is made of these; changes elsewhere (documents, the command line) do not
/// make a build another one.
const MEASURED: [&str; 13] = [
    "Cargo.toml",
    "Cargo.lock",
    "crates/core/src",
    "crates/planar/src",
    "crates/fingsics/src",
    "crates/sim/src",
    "crates/geometry/src",
    "crates/broadphase/src",
    "crates/narrowphase/src",
    "crates/dynamics/src",
    "crates/scene/src",
    "crates/recording/src",
    "crates/lab/src",
];

/// The commit, if the sources lie in a repository and there is a `git`: neither is needed to build.
fn note_commit() {
    let git = |arguments: &[&str]| printed(Command::new("git").arg("-C").arg("../..").args(arguments));
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    let status = git(&[&["status", "--porcelain", "--"], &MEASURED[..]].concat());
    let dirty = match (&commit, status) {
        (Some(_), Some(changes)) => {
            if changes.is_empty() {
                "no"
            } else {
                "yes"
            }
        }
        _ => "unknown",
    };
    note("CAROM_COMMIT", commit.as_deref().unwrap_or("unknown"));
    note("CAROM_DIRTY", dirty);
    if commit.is_some() {
        MEASURED.iter().for_each(|path| println!("cargo::rerun-if-changed=../../{path}"));
        // Every commit and every change of branch leaves a line here.
        if let Some(log) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
            println!("cargo::rerun-if-changed={log}");
        }
    }
}

fn note(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={value}");
}

/// What a program prints, if there is one and it likes its arguments.
fn printed(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}

/// Debian's libbullet-dev; another place of its headers is given by `BULLET_INCLUDE`.
#[cfg(feature = "peers")]
fn bullet() {
    println!("cargo::rerun-if-env-changed=BULLET_INCLUDE");
    let headers = std::env::var("BULLET_INCLUDE").unwrap_or_else(|_| "/usr/include/bullet".to_owned());
    cc::Build::new()
        .cpp(true)
        .std("c++14")
        // As fast as it gets, whatever profile our side has: Bullet itself is a release build.
        .opt_level(3)
        .flag("-isystem")
        .flag(headers)
        .file("peers/bullet.cpp")
        .compile("carom_bullet");
    println!("cargo::rustc-link-lib=BulletCollision");
    println!("cargo::rustc-link-lib=LinearMath");
}

/// Debian's libfcl-dev with libccd-dev and Eigen; another place of Eigen's headers is given by
/// `EIGEN_INCLUDE`.
#[cfg(feature = "peers")]
fn fcl() {
    println!("cargo::rerun-if-env-changed=EIGEN_INCLUDE");
    let headers = std::env::var("EIGEN_INCLUDE").unwrap_or_else(|_| "/usr/include/eigen3".to_owned());
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .opt_level(3)
        .flag("-isystem")
        .flag(headers)
        .file("peers/fcl.cpp")
        .compile("carom_fcl");
    println!("cargo::rustc-link-lib=fcl");
    println!("cargo::rustc-link-lib=ccd");
}
