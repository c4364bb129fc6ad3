//! Heaps of hulls and boxes from Box3D's benchmarks: `convex_pile`, `junkyard`, `washer`.

use carom_core::trig::sin_cos_f64;

use super::request::Parameter;
use super::setting::{body, engine_scene, ground, rough};
use super::walls::{colour, fixed};
use super::{Dimensions, Generator, SceneSource};
use crate::model::{AngularVelocity, Body, BodyKind, Material, Shape, ShapeKind};

const MATERIAL: Material = rough(0.6, 1000.0);

/// `convex_pile`.
pub(super) const CONVEX_PILE: Generator = Generator {
    name: "convex_pile",
    description: "A column of hulls of 32 points, eight by eight and eighty high, falls into a heap (Box3D's benchmark)",
    parameters: &[
        Parameter { name: "height", default: "80", meaning: "layers" },
        Parameter { name: "side", default: "8", meaning: "hulls along each side of a layer" },
    ],
    sample: ":3?side=2",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let height = arguments.count("height", 1..=10_000)?;
        let side = arguments.count("side", 1..=100)?;
        let points = random_hull();
        let mut bodies = vec![ground(125.0, 125.0, MATERIAL)];
        for k in 0..side * side * height {
            let [x, z] = [k % side, k / side % side].map(|i| (i as f32 - (side - 1) as f32 * 0.5) * 4.0);
            let layer = k / (side * side);
            let place = [x, 4.0 * (layer + 1) as f32, z];
            let hull = body(place, ShapeKind::Convex { points: points.clone() }, MATERIAL);
            bodies.push(Body { look: colour(layer), ..hull });
        }
        let about = format!("{} equal hulls fall", bodies.len() - 1);
        let view = ([0.0, 2.0 * height as f32, 0.0], 2.0 * (height + side) as f32);
        let name = format!("convex_pile-{height}");
        Ok(SceneSource::Spatial(engine_scene(name, about, 10.0, 500, bodies, view)))
    },
};

/// 32 points on a sphere of radius 2 by the generator of PEEL, which the benchmark took over.
fn random_hull() -> Vec<[f32; 3]> {
    let mut state = 42u32;
    let mut next = || {
        state = state.wrapping_mul(2_147_001_325).wrapping_add(715_136_305);
        (state & 0xffff) as f32 / 65_535.0 * 2.0 - 1.0
    };
    let mut points = Vec::with_capacity(32);
    while points.len() < 32 {
        let point: [f32; 3] = std::array::from_fn(|_| next());
        let length = point.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 1e-3 && length <= 1.0 {
            points.push(point.map(|x| x / length * 2.0));
        }
    }
    points
}

/// `junkyard`.
pub(super) const JUNKYARD: Generator = Generator {
    name: "junkyard",
    description: "Rocks rain into a yard where a column ploughs round in a circle (Box3D's benchmark)",
    parameters: &[
        Parameter { name: "side", default: "21", meaning: "rocks along each side of a layer" },
        Parameter { name: "layers", default: "24", meaning: "layers of rocks" },
    ],
    sample: ":3?layers=3",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let side = arguments.count("side", 1..=21)?;
        let layers = arguments.count("layers", 1..=1000)?;
        let mut bodies = vec![yard(), plough()];
        let points: Vec<[f32; 3]> = (0..10).map(|i| on_sphere(i, 10).map(|x| x * 1.5)).collect();
        for k in 0..side * side * layers {
            let [x, z] = [k % side, k / side % side].map(|i| (i as f32 - (side - 1) as f32 * 0.5) * 4.0);
            let layer = k / (side * side);
            let rock = body(
                [x, 25.0 + 4.0 * layer as f32, z],
                ShapeKind::Convex { points: points.clone() },
                MATERIAL,
            );
            bodies.push(Body { look: colour(layer), ..rock });
        }
        let about = format!("{} rocks and a column that circles at 6 degrees per second", bodies.len() - 2);
        let name = format!("junkyard-{side}");
        Ok(SceneSource::Spatial(engine_scene(name, about, 10.0, 500, bodies, ([0.0, 20.0, 0.0], 80.0))))
    },
};

/// Ground with four walls of 16 m at ±50 m.
fn yard() -> Body {
    let mut yard = ground(120.0, 120.0, MATERIAL);
    for (x, z) in [(50.0, 0.0), (-50.0, 0.0), (0.0, 50.0), (0.0, -50.0)] {
        let size = if z == 0.0 { [2.0, 16.0, 102.0] } else { [102.0, 16.0, 2.0] };
        let mut wall = Shape::new(ShapeKind::Box { size }).with_material(MATERIAL);
        // The body's frame is a metre below the ground.
        wall.position = [x, 9.0, z];
        yard.shapes.push(wall);
    }
    yard
}

/// A column of 16 sides, 24 m high, that goes round a circle of 35 m: it turns with its body, about
/// the middle.
fn plough() -> Body {
    let mut column = Shape::new(prism(16, 4.0, 24.0)).with_material(MATERIAL);
    column.position = [35.0, 12.0, 0.0];
    Body {
        kind: BodyKind::Kinematic,
        shapes: vec![column],
        angular_velocity: AngularVelocity::Degrees([0.0, -6.0, 0.0]),
        look: colour(3),
        ..Body::default()
    }
}

/// A prism along y as a hull.
pub(super) fn prism(sides: usize, radius: f32, length: f32) -> ShapeKind {
    let mut points = Vec::with_capacity(2 * sides);
    for k in 0..sides {
        let [x, z] = on_circle(k as f64 / sides as f64).map(|c| c * radius);
        points.extend([[x, -0.5 * length, z], [x, 0.5 * length, z]]);
    }
    ShapeKind::Convex { points }
}

/// A point of the unit circle at this share of the turn.
fn on_circle(turn: f64) -> [f32; 2] {
    let (sine, cosine) = sin_cos_f64(std::f64::consts::TAU * turn);
    [cosine as f32, sine as f32]
}

/// Point `index` of `count` spread evenly over the unit sphere, along a spiral of golden angles.
fn on_sphere(index: usize, count: usize) -> [f32; 3] {
    let golden = 0.5 * (3.0 - 5.0f64.sqrt());
    let height = 1.0 - (2 * index + 1) as f64 / count as f64;
    let radius = (1.0 - height * height).sqrt() as f32;
    let [x, z] = on_circle(golden * index as f64);
    [x * radius, height as f32, z * radius]
}

/// `washer`.
pub(super) const WASHER: Generator = Generator {
    name: "washer",
    description: "Small boxes in a drum with paddles that turns for ever (Box3D's benchmark)",
    parameters: &[Parameter { name: "side", default: "20", meaning: "boxes along each side of a cube" }],
    sample: ":4",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let side = arguments.count("side", 1..=24)?;
        let mut bodies = vec![ground(60.0, 60.0, MATERIAL), drum()];
        for k in 0..side * side * side {
            let index = [k % side, k / side % side, k / (side * side)];
            let [x, y, z] = index.map(|i| (i as f32 - (side - 1) as f32 * 0.5) * 0.8);
            let cube = body([x, 21.0 + y, z], ShapeKind::Box { size: [0.4; 3] }, MATERIAL);
            bodies.push(Body { look: colour(index[1]), ..cube });
        }
        let about =
            format!("{} boxes in a drum of 16 m that turns by 25 degrees per second", side * side * side);
        let name = format!("washer-{side}");
        Ok(SceneSource::Spatial(engine_scene(name, about, 10.0, 1000, bodies, ([0.0, 21.0, 0.0], 25.0))))
    },
};

/// A ring of 36 pieces about z and four paddles inside. The slow drift keeps it from ever counting
/// as at rest.
fn drum() -> Body {
    /// A piece between two radii and two shares of the turn, 20 m deep.
    fn piece(inner: f32, outer: f32, from: f64, to: f64) -> Shape {
        let mut points = Vec::with_capacity(8);
        for turn in [from, to] {
            let [x, y] = on_circle(turn);
            for radius in [inner, outer] {
                points.extend([-10.0, 10.0].map(|z| [x * radius, y * radius, z]));
            }
        }
        Shape::new(ShapeKind::Convex { points }).with_material(MATERIAL)
    }
    let ring = (0..36).map(|k| piece(16.0, 18.0, f64::from(k) / 36.0, f64::from(k + 1) / 36.0));
    let paddles = (0..4).map(|k| piece(14.0, 16.0, f64::from(k) / 4.0 - 0.005, f64::from(k) / 4.0 + 0.005));
    Body {
        kind: BodyKind::Kinematic,
        position: [0.0, 21.0, 0.0],
        velocity: [0.001, -0.002, 0.0],
        angular_velocity: AngularVelocity::Degrees([0.0, 0.0, 25.0]),
        shapes: ring.chain(paddles).collect(),
        ..fixed(ShapeKind::HalfSpace, MATERIAL)
    }
}
