//! Compiles the bridges to Bullet, FCL and libccd, if the feature `peers` asks for it.
#![forbid(unsafe_code)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=peers/bullet.cpp");
    println!("cargo::rerun-if-changed=peers/fcl.cpp");
    #[cfg(feature = "peers")]
    bullet();
    #[cfg(feature = "peers")]
    fcl();
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

/// Debian's libfcl-dev with libccd-dev and Eigen; another place of Eigen's headers is given by `EIGEN_INCLUDE`.
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
