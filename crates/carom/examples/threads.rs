//! Threads: more of them may be faster, and never change a bit.
//!
//!     cargo run --release -p carom --example threads

use std::time::Instant;

use carom::prelude::*;

fn heap(threads: usize) -> Result<(f64, u64), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default().threads(threads));
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let (ball, cube) = (ShapeDef::new(Sphere::new(0.3)?), ShapeDef::new(Cuboid::cube(0.25)?));
    for k in 0..1000 {
        let (x, z) = (f64::from(k % 10) * 0.7, f64::from(k / 10 % 10) * 0.7);
        let place = BodyDef::dynamic().at(x + 0.01 * f64::from(k % 7), 0.5 + 0.7 * f64::from(k / 100), z);
        world.add_body(place, [if k % 3 == 0 { ball.clone() } else { cube.clone() }])?;
    }
    let start = Instant::now();
    for _ in 0..60 {
        world.step(1.0 / 60.0)?;
    }
    Ok((start.elapsed().as_secs_f64() * 1000.0 / 60.0, world.state_hash()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (_, expected) = heap(1)?;
    for threads in [1, 2, 4] {
        let (ms, hash) = heap(threads)?;
        println!("{threads} threads: {ms:5.2} ms per step, state {hash:016x}");
        assert_eq!(hash, expected);
    }
    Ok(())
}
