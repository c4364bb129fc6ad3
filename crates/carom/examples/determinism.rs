//! Determinism: the same world ends in the same state to the last bit, however wide the processor
//! computes.
//!
//!     cargo run -p carom --example determinism

use carom::prelude::*;

fn heap(lanes: SimdWidth) -> Result<(usize, u64), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default().simd_width(lanes));
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let (ball, cube) = (ShapeDef::new(Sphere::new(0.3)?), ShapeDef::new(Cuboid::cube(0.25)?));
    for k in 0..150 {
        let (x, z) = (f64::from(k * 7 % 11) * 0.21, f64::from(k * 5 % 13) * 0.19);
        let place = BodyDef::dynamic().at(x, 0.5 + 0.12 * f64::from(k), z);
        world.add_body(place, [if k % 2 == 0 { ball.clone() } else { cube.clone() }])?;
    }
    for _ in 0..240 {
        world.step(1.0 / 60.0)?;
    }
    Ok((world.simd_width(), world.state_hash()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (_, expected) = heap(SimdWidth::One)?;
    for lanes in [SimdWidth::One, SimdWidth::Four, SimdWidth::Eight, SimdWidth::Sixteen, SimdWidth::Auto] {
        let (width, hash) = heap(lanes)?;
        println!("{width:2} numbers at a time: {hash:016x}");
        assert_eq!(hash, expected);
    }
    Ok(())
}
