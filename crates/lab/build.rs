//! Compiles the bridge to Bullet, if the feature `peers` asks for it.
#![forbid(unsafe_code)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=peers/bullet.cpp");
    #[cfg(feature = "peers")]
    bullet();
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
