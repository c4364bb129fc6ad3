//! The test scenes of the kinetic sweep-and-prune study, under their original names.
//!
//! | scene | what it proves |
//! |---|---|
//! | `TestSPDirecto` 1–4 | candidate pairs of boxes, with and without contact of the polygons |
//! | `TestIncrementalSP` | an endpoint order that changes in every frame |
//! | `TestEquidistribucion` | no pair where there is none |
//! | `TestTresObjetos` | 17 events, one of them multiple |
//! | `TestAleatorio` | the benchmark |
//!
//! The coordinates of the first and fourth exist only as drawings, so they are invented here to
//! have the stated outcome, with coordinates in halves: exact in `f64`, and with crossing times
//! that are small fractions. The tests prove the outcomes with rational arithmetic.

use std::f64::consts::TAU;

use carom_core::random::Random;
use carom_core::trig::sin_cos_f64;

use crate::generate::{GenerateError, RandomScene};
use crate::polygon::{Polygon, ShapeName, unit_shape};
use crate::scene::{MAX_OBJECTS, PlanarObject, PlanarScene};

/// The frame of the small scenes: 20 × 20 about the origin.
const FRAME: [[f64; 2]; 2] = [[-10.0, 10.0], [-10.0, 10.0]];

/// Side of a cell of `TestEquidistribucion`; circumradius of its triangles; their speed. In one
/// second a triangle stays 0.05 away from the border of its cell.
const CELL: f64 = 1.0;
const TRIANGLE_RADIUS: f64 = 0.25;
const SLOW: f64 = 0.2;

fn still(vertices: &[[f64; 2]]) -> PlanarObject {
    PlanarObject { velocity: [0.0; 2], vertices: vertices.to_vec() }
}

fn still_shape(shape: &Polygon) -> PlanarObject {
    still(&shape.vertices)
}

/// `TestSPDirecto`: four resting pairs whose boxes overlap.
///
/// 1. Square and hexagon, in contact.
/// 2. Triangle and square beyond its slanting side: no contact.
/// 3. Star with four tips and star with six, in contact.
/// 4. Arrowhead and rectangle inside its notch: no contact, though their convex hulls overlap.
#[must_use]
pub fn direct_cases() -> [PlanarScene; 4] {
    let pairs = [
        [
            still(&[[-4.0, -2.0], [0.0, -2.0], [0.0, 2.0], [-4.0, 2.0]]),
            still_shape(&unit_shape(ShapeName::Hexagon).scaled(3.0).translated([2.0, 1.0])),
        ],
        [
            still(&[[-2.0, -2.0], [2.0, -2.0], [-2.0, 2.0]]),
            still(&[[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]]),
        ],
        [
            still_shape(&unit_shape(ShapeName::Star4).scaled(3.0).translated([-1.5, 0.0])),
            still_shape(&unit_shape(ShapeName::Star6).scaled(3.0).translated([1.5, 0.5])),
        ],
        [
            still_shape(&unit_shape(ShapeName::Boomerang).scaled(4.0)),
            still(&[[-1.0, -4.0], [1.0, -4.0], [1.0, -1.5], [-1.0, -1.5]]),
        ],
    ];
    let mut case = 0;
    pairs.map(|objects| {
        case += 1;
        PlanarScene {
            name: format!("TestSPDirecto-{case}"),
            frame: FRAME,
            time: [0.0, 1.0],
            frames_per_second: 10,
            objects: objects.to_vec(),
        }
    })
}

/// `TestIncrementalSP`: concentric rhombi of growing size that move along +x and −x in turn, one
/// second at 10 frames.
///
/// # Errors
/// If there are more than any scene may have.
pub fn incremental(rhombi: usize) -> Result<PlanarScene, GenerateError> {
    if rhombi > MAX_OBJECTS {
        return Err(GenerateError::TooManyObjects { count: rhombi });
    }
    let objects = (0..rhombi).map(|i| {
        let half = (i + 1) as f64;
        let direction = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        PlanarObject {
            velocity: [direction, 0.0],
            vertices: vec![[half, 0.0], [0.0, half], [-half, 0.0], [0.0, -half]],
        }
    });
    let reach = rhombi as f64 + 2.0;
    Ok(PlanarScene {
        name: "TestIncrementalSP".to_owned(),
        frame: [[-reach, reach]; 2],
        time: [0.0, 1.0],
        frames_per_second: 10,
        objects: objects.collect(),
    })
}

/// `TestEquidistribucion`: `side` × `side` equal triangles, each in a cell of its own, that drift
/// in random directions too slowly to leave their cells within the second the scene lasts.
///
/// # Errors
/// If there are more than any scene may have.
pub fn equidistribution(side: usize, seed: u64) -> Result<PlanarScene, GenerateError> {
    let count = side.saturating_mul(side);
    if count > MAX_OBJECTS {
        return Err(GenerateError::TooManyObjects { count });
    }
    let mut random = Random::new(seed);
    let triangle = unit_shape(ShapeName::Triangle).scaled(TRIANGLE_RADIUS);
    let objects = (0..count).map(|i| {
        let cell = [i % side, i / side].map(|k| (k as f64 + 0.5) * CELL);
        let (sine, cosine) = sin_cos_f64(random.range_f64(0.0, TAU));
        PlanarObject { velocity: [SLOW * cosine, SLOW * sine], vertices: triangle.translated(cell).vertices }
    });
    let extent = side.max(1) as f64 * CELL;
    Ok(PlanarScene {
        name: "TestEquidistribucion".to_owned(),
        frame: [[0.0, extent]; 2],
        time: [0.0, 1.0],
        frames_per_second: 10,
        objects: objects.collect(),
    })
}

/// `TestTresObjetos`: three polygons, the second not convex, for ten seconds.
///
/// Their boxes have 17 events. At t = 2 the right sides of objects 0 and 1 and the left side of
/// object 2 meet at x = 3/2: the only multiple event. The last event is at t = 6, when objects 1
/// and 2 part.
#[must_use]
pub fn three_objects() -> PlanarScene {
    PlanarScene {
        name: "TestTresObjetos".to_owned(),
        frame: FRAME,
        time: [0.0, 10.0],
        frames_per_second: 10,
        objects: vec![
            PlanarObject { velocity: [2.0, -2.0], vertices: vec![[-5.5, 1.0], [-2.5, 2.0], [-4.0, 5.0]] },
            PlanarObject {
                velocity: [1.0, 0.5],
                vertices: vec![[-4.0, -8.0], [-2.0, -6.0], [-0.5, -7.5], [-2.0, -3.0]],
            },
            PlanarObject {
                velocity: [-1.0, 0.5],
                vertices: vec![[3.5, -3.0], [5.5, -3.5], [8.0, -2.5], [6.0, -2.0]],
            },
        ],
    }
}

/// `TestAleatorio`: random polygons that cover a share of the frame, one second at 1000 frames.
///
/// # Errors
/// If a parameter is out of range.
pub fn random(count: usize, occupancy: f64, seed: u64) -> Result<PlanarScene, GenerateError> {
    RandomScene { count, occupancy, seed, ..RandomScene::default() }.build("TestAleatorio")
}
