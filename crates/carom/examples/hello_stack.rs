//! The first program: five cubes fall onto each other and stand.
//!
//!     cargo run -p carom --example hello_stack

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let cube = ShapeDef::new(Cuboid::cube(0.5)?);
    let mut stack = Vec::new();
    for k in 0..5 {
        let place = BodyDef::dynamic().at(0.0, 0.6 + 1.1 * f64::from(k), 0.0);
        stack.push(world.add_body(place, [cube.clone()])?);
    }
    for step in 0..120 {
        if step % 20 == 0 {
            let heights: Vec<String> = stack
                .iter()
                .map(|id| Ok(format!("{:5.2}", world.body(*id)?.position().y)))
                .collect::<Result<_, WorldError>>()?;
            println!("{:4.2} s: {}", f64::from(step) / 60.0, heights.join(" "));
        }
        world.step(1.0 / 60.0)?;
    }
    let top = world.body(stack[4])?.position();
    println!("the highest cube stands at {:.3} m", top.y);
    assert!((top.y - 4.5).abs() < 0.01);
    Ok(())
}
