//! A one-way platform: balls jump through it from below and stand on it.
use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let ledge = ShapeDef::new(Cuboid::new(Vec3::new(4.0, 0.1, 1.0))?);
    let ledge = world.add_body(BodyDef::fixed().at(0.0, 2.0, 0.0), [ledge])?;
    let platform = world.body(ledge)?.shapes().next().ok_or("the ledge has a shape")?;
    // The hook sees every contact before it is solved.
    world.set_contact_modifier(move |contact| contact.one_way(platform, Vec3::Y));
    let ball = ShapeDef::new(Sphere::new(0.3)?);
    let speeds = [5.0, 6.0, 7.0, 8.0];
    let balls: Vec<BodyId> = speeds
        .iter()
        .zip(0..)
        .map(|(speed, k)| {
            let jumper = BodyDef::dynamic().at(f64::from(k) - 1.5, 0.3, 0.0).velocity(Vec3::Y * *speed);
            world.add_body(jumper, [ball.clone()])
        })
        .collect::<Result<_, _>>()?;
    for _ in 0..240 {
        world.step(1.0 / 60.0)?;
    }
    println!("the platform is at a height of 2.1 m");
    for (speed, id) in speeds.iter().zip(balls) {
        let bottom = world.body(id)?.position().y - 0.3;
        println!("a ball that jumped at {speed} m/s stands at a height of {bottom:.2} m");
    }
    Ok(())
}
