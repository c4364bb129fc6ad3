//! Debug drawing: a scene with shapes of many kinds, joints with limits and contacts is simulated,
//! drawn as plain lines, points and triangles, and written as a picture. Seen from a camera with
//! perspective; what is far is drawn first.
//!
//!     cargo run -p carom --example debug_draw [picture.svg]

use std::fmt::Write;

use carom::geometry::mesh::generate;
use carom::prelude::*;

/// Pixels.
const SIZE: [f32; 2] = [1200.0, 800.0];
const EYE: DVec3 = DVec3::new(5.0, 5.5, 13.0);
const TARGET: DVec3 = DVec3::new(0.5, 1.0, 0.0);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = scene()?;
    for _ in 0..150 {
        world.step(1.0 / 60.0)?;
    }
    let options = DebugDrawOptions {
        faces: true,
        face_opacity: 40,
        islands: true,
        contact_forces: true,
        force_scale: 3e-4,
        joint_limits: true,
        joint_frames: true,
        centres_of_mass: true,
        velocities: true,
        labels: true,
        ..DebugDrawOptions::default()
    };
    // Relative to the camera: nothing is lost in `f32`, however far from the origin that is.
    let mut drawing = DebugLines::relative_to(EYE);
    world.debug_draw(&options, &mut drawing);
    println!(
        "{} lines, {} triangles, {} points and {} words for {} bodies",
        drawing.lines.len() / 2,
        drawing.triangles.len() / 3,
        drawing.points.len(),
        drawing.labels.len(),
        world.len()
    );
    let path = std::env::args().nth(1).map(std::path::PathBuf::from);
    let path = path.unwrap_or_else(|| std::env::temp_dir().join("carom_debug_draw.svg"));
    std::fs::write(&path, picture(&drawing)?)?;
    println!("written to {}", path.display());
    Ok(())
}

fn scene() -> Result<World, Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    let (vertices, triangles) = generate::terrain(16, 10, 1.0, |x, z| 0.15 * (x * x + z * z).sqrt() - 1.0);
    let bowl = ShapeDef::new(Mesh::new(vertices, triangles, &MeshOptions::default())?);
    world.add_body(BodyDef::fixed(), [bowl])?;
    let corners: Vec<Vec3> = (0..16)
        .map(|k| Vec3::new((k * 7 % 5) as f32 - 2.0, (k * 3 % 7) as f32 - 3.0, (k % 3) as f32 - 1.0) * 0.15)
        .collect();
    let shapes = [
        ShapeDef::new(Sphere::new(0.4)?),
        ShapeDef::new(Cuboid::new(Vec3::new(0.5, 0.3, 0.4))?),
        ShapeDef::new(Capsule::along_y(0.3, 0.25)?),
        ShapeDef::new(Cylinder::along_y(0.3, 0.35)?),
        ShapeDef::new(Cone::along_y(0.4, 0.4)?),
        ShapeDef::new(Ellipsoid::new(Vec3::new(0.5, 0.3, 0.4))?),
        ShapeDef::new(convex_hull(&corners, &HullOptions::default())?),
    ];
    for k in 0..21u32 {
        let (column, layer) = (k % 7, k / 7);
        let at = [f64::from(column) - 3.0, 1.5 + f64::from(layer), 0.3 * f64::from(k % 2)];
        world.add_body(BodyDef::dynamic().at(at[0], at[1], at[2]), [shapes[k as usize % 7].clone()])?;
    }
    // A gate on a hinge, a lamp on a ball joint with a cone, a lift on a slider.
    let post = world.add_body(BodyDef::fixed().at(-6.0, 2.0, 0.0), [ShapeDef::new(Cuboid::cube(0.2)?)])?;
    let gate = ShapeDef::new(Cuboid::new(Vec3::new(0.8, 0.5, 0.05))?);
    let gate =
        BodyDef::dynamic().at(-5.0, 2.0, 0.0).angular_velocity(Vec3::Y).with_shape(&mut world, gate)?;
    let swing = Axis::FREE.range(-1.2, 1.2);
    world.add_joint(JointDef::hinge(post, gate, swing).at(DVec3::new(-5.8, 2.0, 0.0)).axis(Vec3::Y))?;
    let lamp = ShapeDef::new(Cone::along_y(0.4, 0.3)?);
    let lamp = BodyDef::dynamic().at(5.5, 3.0, 1.0).velocity(Vec3::X * 2.0).with_shape(&mut world, lamp)?;
    let cord = JointKind::Ball { cone: Some(0.6), twist: Some([-0.5, 0.5]), friction: 0.0, spring: None };
    let hook = world.add_body(BodyDef::fixed().at(5.5, 4.5, 1.0), [])?;
    world.add_joint(JointDef::new(hook, lamp, cord).at(DVec3::new(5.5, 4.5, 1.0)).axis(Vec3::NEG_Y))?;
    let lift = ShapeDef::new(Cuboid::new(Vec3::new(0.6, 0.1, 0.6))?);
    let lift = BodyDef::dynamic().at(7.0, 2.0, -2.0).with_shape(&mut world, lift)?;
    let shaft = world.add_body(BodyDef::fixed().at(7.0, 1.0, -2.0), [])?;
    let travel = Axis::FREE.range(0.0, 2.0).motor(Motor::new(0.5, 1e5));
    world.add_joint(JointDef::slider(shaft, lift, travel).at(DVec3::new(7.0, 2.0, -2.0)).axis(Vec3::Y))?;
    Ok(world)
}

/// Adds a body of one shape.
trait WithShape {
    fn with_shape(self, world: &mut World, shape: ShapeDef) -> Result<BodyId, WorldError>;
}

impl WithShape for BodyDef {
    fn with_shape(self, world: &mut World, shape: ShapeDef) -> Result<BodyId, WorldError> {
        world.add_body(self, [shape])
    }
}

/// A part of the picture with its distance from the eye.
type Part = (f32, String);

/// The drawing as SVG.
fn picture(drawing: &DebugLines) -> Result<String, std::fmt::Error> {
    let ahead = (TARGET - EYE).as_vec3().normalize();
    let right = ahead.cross(Vec3::Y).normalize();
    let up = right.cross(ahead);
    // Right and down in pixels, and how far ahead; what is behind the eye is left out.
    let seen = |position: &[f32; 3]| -> Option<[f32; 3]> {
        let v = Vec3::from(*position);
        let far = v.dot(ahead);
        let scale = SIZE[1] * 1.1 / far;
        (far > 0.1).then(|| [SIZE[0] * 0.5 + v.dot(right) * scale, SIZE[1] * 0.5 - v.dot(up) * scale, far])
    };
    let paint = |[red, green, blue, opacity]: [u8; 4]| {
        format!("rgba({red},{green},{blue},{:.2})", f32::from(opacity) / 255.0)
    };
    let mut parts: Vec<Part> = Vec::new();
    for (corners, colours) in drawing.triangles.positions.chunks(3).zip(drawing.triangles.colours.chunks(3)) {
        if let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|k| seen(&corners[k])) {
            let points = [a, b, c].map(|[x, y, _]| format!("{x:.1},{y:.1}")).join(" ");
            let far = (a[2] + b[2] + c[2]) / 3.0;
            parts.push((far, format!("<polygon points=\"{points}\" fill=\"{}\"/>\n", paint(colours[0]))));
        }
    }
    for (ends, colours) in drawing.lines.positions.chunks(2).zip(drawing.lines.colours.chunks(2)) {
        if let [Some([x, y, near]), Some([u, v, far])] = [0, 1].map(|k| seen(&ends[k])) {
            let line = format!(
                "<path d=\"M{x:.1} {y:.1}L{u:.1} {v:.1}\" stroke=\"{}\" stroke-width=\"{:.2}\"/>\n",
                paint(colours[0]),
                14.0 / near
            );
            parts.push((0.5 * (near + far), line));
        }
    }
    for (at, colour) in drawing.points.positions.iter().zip(&drawing.points.colours) {
        if let Some([x, y, far]) = seen(at) {
            let (radius, fill) = (40.0 / far, paint(*colour));
            let dot = format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\"/>\n");
            parts.push((far, dot));
        }
    }
    for label in &drawing.labels {
        if let Some([x, y, far]) = seen(&label.position) {
            let fill = paint(label.colour.0);
            parts.push((
                far,
                format!("<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{fill}\">{}</text>\n", label.text),
            ));
        }
    }
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let [width, height] = SIZE;
    let mut svg = String::new();
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-size=\"11\">"
    )?;
    writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"#15181c\"/>")?;
    parts.iter().for_each(|(_, part)| svg.push_str(part));
    svg.push_str("</svg>\n");
    Ok(svg)
}
