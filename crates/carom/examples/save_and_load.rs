//! A world in a file: saved, loaded into a new world, and gone on with to the same bits.
//!
//! The bytes are the same on every machine, and a file that something happened to is refused.
//!
//!     cargo run -p carom --example save_and_load

use carom::prelude::*;

const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    // One hull that all stones share: it is in the file once.
    let points: Vec<Vec3> = (0..40u32)
        .map(|k| {
            Vec3::new((k * 7 % 11) as f32 - 5.0, (k * 5 % 7) as f32 - 3.0, (k * 3 % 13) as f32 - 6.0) * 0.05
        })
        .collect();
    let stone = Shape::from(convex_hull(&points, &HullOptions::default())?);
    for k in 0..60u32 {
        let at = BodyDef::dynamic().at(f64::from(k % 5), 1.0 + f64::from(k / 5), f64::from(k % 3));
        world.add_body(at, [ShapeDef::new(stone.clone())])?;
    }
    for _ in 0..60 {
        world.step(DT)?;
    }

    let file = std::env::temp_dir().join(format!("carom-save-and-load-{}", std::process::id()));
    std::fs::write(&file, world.snapshot().to_bytes())?;
    let bytes = std::fs::read(&file)?;
    std::fs::remove_file(&file)?;
    println!("60 stones after a second: {} bytes", bytes.len());

    // The settings are the program's: the file holds the state alone.
    let mut loaded = World::new(WorldDef::default());
    loaded.restore(&Snapshot::from_bytes(&bytes)?);
    for _ in 0..240 {
        world.step(DT)?;
        loaded.step(DT)?;
        assert_eq!(loaded.state_hash(), world.state_hash());
    }
    println!("four seconds later both are {:016x}", loaded.state_hash());

    let mut damaged = bytes;
    damaged[1000] ^= 1;
    match Snapshot::from_bytes(&damaged) {
        Ok(_) => return Err("a damaged file was taken".into()),
        Err(error) => println!("one bit changed: {error}"),
    }
    Ok(())
}
