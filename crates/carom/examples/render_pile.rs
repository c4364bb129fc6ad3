//! Ten thousand bodies for a renderer: after each frame the poses of what moved are copied into
//! arrays, and from there into one instance buffer of 4 × 4 matrices in `f32`, relative to the
//! camera, as a graphics card wants it.
//!
//!     cargo run --release -p carom --example render_pile

use carom::prelude::*;

/// Column-major, as OpenGL, Vulkan and wgpu read it.
type Instance = [f32; 16];

fn instance(position: DVec3, rotation: Rotation, camera: DVec3) -> Instance {
    // Subtract in f64: near the camera nothing is lost, however far from the origin that is.
    let place = (position - camera).as_vec3();
    let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| rotation.rotate(axis));
    [x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0, z.x, z.y, z.z, 0.0, place.x, place.y, place.z, 1.0]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let shapes = [ShapeDef::new(Cuboid::cube(0.2)?), ShapeDef::new(Sphere::new(0.22)?)];
    let heap = (0..10_000u32).map(|k| {
        let (column, row, layer) = (k % 20, k / 20 % 20, k / 400);
        let shift = 0.05 * f64::from(layer % 3);
        let place = [column, layer, row].map(|cell| 0.5 * f64::from(cell));
        let def =
            BodyDef::dynamic().at(place[0] + shift, place[1] + 0.3, place[2] - shift).user_data(u64::from(k));
        (def, [shapes[k as usize % 2].clone()])
    });
    // All at once: the definitions are checked first, and then none is left out.
    let bodies = world.add_bodies(heap)?;

    let camera = DVec3::new(5.0, 4.0, 25.0);
    let mut instances = vec![Instance::default(); bodies.len()];
    let mut moved = BodyArrays::default();
    for frame in 1..=12 {
        world.step(1.0 / 60.0)?;
        // The arrays keep their memory from frame to frame.
        world.read_moved_bodies(&mut moved);
        for (at, id) in moved.ids.iter().enumerate() {
            let row = world.body(*id)?.user_data() as usize;
            instances[row] = instance(moved.positions[at], moved.rotations[at], camera);
        }
        if frame % 4 == 0 {
            let report = world.report();
            println!("frame {frame:2}: {} poses copied, {} pairs touch", moved.len(), report.touching);
        }
    }
    // What is in the buffer is where the bodies are.
    for (row, id) in bodies.iter().enumerate() {
        let place = (world.body(*id)?.position() - camera).as_vec3();
        assert_eq!(place.to_array(), instances[row][12..15], "body {row}");
    }
    let bytes = size_of_val(instances.as_slice());
    println!("{} instances, {} KiB for the graphics card", instances.len(), bytes / 1024);
    assert_eq!(bodies.len(), 10_000);
    Ok(())
}
