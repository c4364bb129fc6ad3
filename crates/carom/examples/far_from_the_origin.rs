//! Large worlds: a tower a million metres from the origin stands as it does at home, because places
//! are `f64`.
//!
//!     cargo run -p carom --example far_from_the_origin

use carom::prelude::*;

fn top_of_a_tower(x: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    let floor = ShapeDef::new(Cuboid::new(Vec3::new(5.0, 0.5, 5.0))?);
    world.add_body(BodyDef::fixed().at(x, -0.5, 0.0), [floor])?;
    let cube = ShapeDef::new(Cuboid::cube(0.5)?);
    let mut top = None;
    for k in 0..8 {
        top = Some(world.add_body(BodyDef::dynamic().at(x, 0.5 + f64::from(k), 0.0), [cube.clone()])?);
    }
    for _ in 0..180 {
        world.step(1.0 / 60.0)?;
    }
    let top = top.ok_or("a tower has a top")?;
    Ok(world.body(top)?.position().y)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let home = top_of_a_tower(0.0)?;
    for kilometres in [0.0, 1.0, 100.0, 1000.0] {
        let height = top_of_a_tower(kilometres * 1000.0)?;
        println!("{kilometres:6} km away the eighth cube stands at {height:.6} m");
        assert!((height - home).abs() < 1e-3);
    }
    Ok(())
}
