//! Restitution: how high balls come back that are dropped from two metres.
//!
//! A ball that gives back the share e of its speed comes back to e² of its height.
//!
//!     cargo run -p carom --example bouncing_balls

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let radius = 0.1;
    let bounciness = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mut balls = Vec::new();
    for (k, share) in bounciness.into_iter().enumerate() {
        let place = BodyDef::dynamic().at(k as f64, 2.0 + f64::from(radius), 0.0).can_sleep(false);
        balls.push(world.add_body(place, [ShapeDef::new(Sphere::new(radius)?).restitution(share)])?);
    }
    // The highest place of each ball after its first touch.
    let mut highest = [0.0f64; 5];
    for _ in 0..100 {
        world.step(1.0 / 60.0)?;
        for (ball, highest) in balls.iter().zip(&mut highest) {
            let body = world.body(*ball)?;
            if body.velocity().y >= 0.0 {
                *highest = highest.max(body.position().y - f64::from(radius));
            }
        }
    }
    for (share, height) in bounciness.into_iter().zip(highest) {
        println!(
            "restitution {share:4.2}: back to {height:.2} m, by the formula {:.2} m",
            2.0 * share * share
        );
        assert!((height - f64::from(2.0 * share * share)).abs() < 0.15);
    }
    Ok(())
}
