//! A conveyor belt: a body that stands still and whose surface moves, and one that turns off it.
use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    // One belt along x; at its end another one, slower, along z.
    let belt = |velocity: Vec3| Material { friction: 0.8, surface_velocity: velocity, ..Material::default() };
    let long = ShapeDef::new(Cuboid::new(Vec3::new(5.0, 0.5, 1.0))?).material(belt(Vec3::X * 2.0));
    let cross = ShapeDef::new(Cuboid::new(Vec3::new(1.0, 0.5, 5.0))?).material(belt(Vec3::Z * 1.0));
    world.add_body(BodyDef::fixed().at(0.0, -0.5, 0.0), [long])?;
    world.add_body(BodyDef::fixed().at(6.0, -0.5, 4.0), [cross])?;
    // A stop, so that parcels stay on the second belt.
    let stop = ShapeDef::new(Cuboid::new(Vec3::new(0.1, 0.5, 5.0))?).friction(0.0);
    world.add_body(BodyDef::fixed().at(7.1, 0.5, 4.0), [stop])?;
    let parcel = ShapeDef::new(Cuboid::new(Vec3::splat(0.25))?).density(200.0);
    let parcels: Vec<BodyId> = (0..4)
        .map(|k| {
            world.add_body(BodyDef::dynamic().at(-4.0 + 1.5 * f64::from(k), 0.25, 0.0), [parcel.clone()])
        })
        .collect::<Result<_, _>>()?;
    for second in 0..=8 {
        let places: Vec<String> = parcels
            .iter()
            .map(|id| {
                let at = world.body(*id)?.position();
                Ok(format!("({:5.2}, {:5.2})", at.x, at.z))
            })
            .collect::<Result<_, WorldError>>()?;
        println!("after {second} s the parcels are at (x, z) = {}", places.join(" "));
        for _ in 0..60 {
            world.step(1.0 / 60.0)?;
        }
    }
    Ok(())
}
