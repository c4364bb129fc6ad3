//! Groups: shapes of one negative group never collide, those of a positive one always do, whatever
//! their layers.
//!
//!     cargo run -p carom --example groups

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, group, distance) in [("no group", 0, 1.0), ("group −1", -1, 0.4)] {
        let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
        let ball = ShapeDef::new(Sphere::new(0.5)?).group(group);
        let a = world.add_body(BodyDef::dynamic(), [ball.clone()])?;
        let b = world.add_body(BodyDef::dynamic().at(0.4, 0.0, 0.0), [ball])?;
        for _ in 0..120 {
            world.step(1.0 / 60.0)?;
        }
        let apart = world.body(a)?.position().distance(world.body(b)?.position());
        println!("{name}: two balls of 0.5 m that begin 0.4 m apart are {apart:.2} m apart");
        assert!((apart - distance).abs() < 0.03);
    }
    Ok(())
}
