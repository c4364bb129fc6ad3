//! Queries: what a ray hits, what is within a ball, what is nearest to a point.
//!
//!     cargo run -p carom --example ray_casts

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let cube = ShapeDef::new(Cuboid::cube(0.5)?);
    let mut row = Vec::new();
    for k in 0..5 {
        row.push(world.add_body(BodyDef::dynamic().at(2.0 * f64::from(k), 0.5, 0.0), [cube.clone()])?);
    }
    let all = QueryFilter::default();

    // A ray along the row: the first, and all in order.
    let ray = Ray::new(DVec3::new(-3.0, 0.5, 0.0), Vec3::X, 20.0);
    let hit = world.cast_ray(&ray, &all).ok_or("it hits a cube")?;
    println!("the ray hits {} after {:.3} m, normal {}", hit.body, hit.distance, hit.normal);
    assert!(hit.body == row[0] && (hit.distance - 2.5).abs() < 1e-6);
    let mut hits = Vec::new();
    world.ray_hits(&ray, &all, &mut hits);
    let behind: Vec<String> = hits.iter().skip(1).map(|hit| format!("{:.3} m", hit.distance)).collect();
    println!("behind it: {}", behind.join(", "));
    assert_eq!(hits.len(), 5);

    // Straight down, without the cube that is in the way.
    let down = Ray::new(DVec3::new(0.0, 5.0, 0.0), Vec3::NEG_Y, 20.0);
    let through = QueryFilter { exclude: Some(row[0]), ..all };
    let floor = world.cast_ray(&down, &through).ok_or("it hits the floor")?;
    println!("without {} the ray down goes on to y = {:.1}", row[0], floor.point.y.abs());
    assert!(floor.point.y.abs() < 1e-6);

    // Who is within three metres, and who is nearest?
    let ball = Shape::from(Sphere::new(3.0)?);
    let place = DVec3::new(4.0, 2.0, 0.0);
    let mut found = Vec::new();
    world.overlapping_shapes(&ball, place, Rotation::IDENTITY, &all, &mut found);
    println!("{} shapes are within 3 m of {place}, the floor among them", found.len());
    assert_eq!(found.len(), 4);
    let nearest = world.closest(place, 3.0, &all).ok_or("something is near")?;
    println!("the nearest is {} at {:.1} m", nearest.body, nearest.distance);
    assert_eq!(nearest.body, row[2]);

    // How far could a small ball roll?
    let small = Shape::from(Sphere::new(0.25)?);
    let cast = ShapeCast::new(&small, DVec3::new(-3.0, 0.3, 0.0), Vec3::X * 20.0);
    let stop = world.cast_shape(&cast, &all).ok_or("it stops at a cube")?;
    println!(
        "a ball of 0.25 m would be stopped by {} after {:.1} % of 20 m",
        stop.body,
        100.0 * stop.fraction
    );
    Ok(())
}
