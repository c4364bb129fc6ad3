//! Meshes: a hundred balls and boxes roll into the valleys of a landscape of triangles.
//!
//!     cargo run -p carom --example mesh_terrain

use carom::geometry::mesh::generate;
use carom::prelude::*;

fn height(x: f32, z: f32) -> f32 {
    // A bowl with a little roughness; any formula will do.
    0.02 * (x * x + z * z) + 0.1 * (x - x.floor() - 0.5).abs()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    let (vertices, triangles) = generate::terrain(40, 40, 0.5, height);
    let ground = Mesh::new(vertices, triangles, &MeshOptions::default())?;
    println!("{} triangles", ground.triangle_count());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(ground)])?;
    let (ball, cube) = (ShapeDef::new(Sphere::new(0.2)?), ShapeDef::new(Cuboid::cube(0.2)?));
    let mut things = Vec::new();
    for k in 0..100 {
        let place = BodyDef::dynamic().at(f64::from(k % 10) - 4.5, 3.0, f64::from(k / 10) - 4.5);
        let shape = if k % 2 == 0 { &ball } else { &cube };
        things.push(world.add_body(place, [shape.clone()])?);
    }
    let mean_distance = |world: &World| -> Result<f64, WorldError> {
        let mut sum = 0.0;
        for id in &things {
            let place = world.body(*id)?.position();
            sum += (place.x * place.x + place.z * place.z).sqrt();
        }
        Ok(sum / things.len() as f64)
    };
    let before = mean_distance(&world)?;
    for _ in 0..300 {
        world.step(1.0 / 60.0)?;
    }
    let after = mean_distance(&world)?;
    println!("mean distance from the middle: {before:.2} m at the start, {after:.2} m after five seconds");
    for id in &things {
        let place = world.body(*id)?.position();
        assert!(place.y > -0.1, "{id} fell through the ground at {place}");
    }
    assert!(after < before);
    Ok(())
}
