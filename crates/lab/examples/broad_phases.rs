//! Runs one library scene with every broad phase and prints what each let through.
//!
//!     cargo run --release -p carom-lab --example broad_phases

use std::error::Error;
use std::ops::ControlFlow;

use carom_fingsics::{FingsicsSettings, FingsicsWorld};
use carom_lab::{Method, run};
use carom_scene::library::{self, SceneSource};

fn main() -> Result<(), Box<dyn Error>> {
    let SceneSource::Spatial(scene) = library::build("box:200")? else {
        return Err("box is a three-dimensional scene".into());
    };
    println!("{:8} {:>10} {:>12} {:>18}", "method", "tests", "collisions", "state hash");
    let mut hashes = Vec::new();
    for method in Method::ALL {
        let mut world =
            FingsicsWorld::from_scene(&scene, FingsicsSettings { method, ..FingsicsSettings::default() })?;
        let figures = run::run(&mut world, 120, |_, _| ControlFlow::Continue(()));
        println!("{method:8} {:>10} {:>12} {:>18x}", figures.tested, figures.contacts, figures.state_hash);
        hashes.push(figures.state_hash);
    }
    assert!(hashes.windows(2).all(|two| two[0] == two[1]), "the broad phase must not change the result");
    Ok(())
}
