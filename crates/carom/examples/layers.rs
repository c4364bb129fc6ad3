//! Layers: ghosts fall through the floor that holds everybody else.
//!
//!     cargo run -p carom --example layers

use carom::prelude::*;

const SOLID: u32 = 0b01;
const GHOST: u32 = 0b10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    // Two shapes collide if each is in a layer of the other's mask.
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace).layers(SOLID, SOLID)])?;
    let ball = ShapeDef::new(Sphere::new(0.5)?);
    let solid = world.add_body(BodyDef::dynamic().at(0.0, 2.0, 0.0), [ball.clone().layers(SOLID, SOLID)])?;
    let ghost = world.add_body(BodyDef::dynamic().at(0.0, 4.0, 0.0), [ball.layers(GHOST, GHOST)])?;
    for _ in 0..120 {
        world.step(1.0 / 60.0)?;
    }
    let [solid, ghost] = [world.body(solid)?.position().y, world.body(ghost)?.position().y];
    println!("after two seconds the ball rests at {solid:.2} m, the ghost is at {ghost:.2} m");
    assert!((solid - 0.5).abs() < 0.02 && ghost < -10.0);
    Ok(())
}
