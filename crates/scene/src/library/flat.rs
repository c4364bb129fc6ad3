//! The two-dimensional scenes, from [`carom_planar`].

use carom_planar::generate::GenerateError;
use carom_planar::{PlanarScene, scenarios};

use super::request::{LibraryError, Parameter};
use super::{Dimensions, Generator, SceneSource};
use crate::limits;

/// Triangles along a side of `equidistribution` at most: their square is within the limit of items.
const MOST_TO_A_SIDE: usize = 2000;

const fn plane(
    name: &'static str,
    description: &'static str,
    parameters: &'static [Parameter],
    build: super::Build,
) -> Generator {
    Generator { name, description, parameters, sample: "", dimensions: Dimensions::Two, build }
}

/// `random2d`.
pub(super) const RANDOM: Generator = plane(
    "random2d",
    "Polygons of equal area that glide in random directions (TestAleatorio)",
    &[
        Parameter { name: "n", default: "100", meaning: "number of polygons" },
        Parameter { name: "occupancy", default: "5", meaning: "share of the frame they cover, per cent" },
        Parameter { name: "seed", default: "1", meaning: "seed of everything" },
    ],
    |arguments| {
        let n = arguments.count("n", 1..=limits::MAX_ITEMS)?;
        let percent = arguments.number_f64("occupancy", 1e-6..=10_000.0)?;
        made("random2d", scenarios::random(n, percent / 100.0, arguments.seed("seed")?))
    },
);

/// `sp-direct`.
pub(super) const DIRECT: Generator = plane(
    "sp-direct",
    "Two resting polygons whose boxes overlap; they touch in cases 1 and 3 (TestSPDirecto)",
    &[Parameter { name: "case", default: "1", meaning: "1 to 4" }],
    |arguments| {
        let cases = scenarios::direct_cases();
        let case = arguments.count("case", 1..=cases.len())?;
        let [first, ..] = &cases;
        Ok(SceneSource::Planar(cases.get(case - 1).unwrap_or(first).clone()))
    },
);

/// `sp-incremental`.
pub(super) const INCREMENTAL: Generator = plane(
    "sp-incremental",
    "Concentric rhombi moving left and right in turn (TestIncrementalSP)",
    &[Parameter { name: "n", default: "10", meaning: "number of rhombi" }],
    |arguments| {
        let n = arguments.count("n", 1..=limits::MAX_ITEMS)?;
        made("sp-incremental", scenarios::incremental(n))
    },
);

/// `equidistribution`.
pub(super) const EQUIDISTRIBUTION: Generator = plane(
    "equidistribution",
    "Triangles that each stay in a cell of their own: no pair is ever a candidate (TestEquidistribucion)",
    &[
        Parameter { name: "n", default: "10", meaning: "triangles along each side" },
        Parameter { name: "seed", default: "1", meaning: "seed of the directions" },
    ],
    |arguments| {
        let n = arguments.count("n", 1..=MOST_TO_A_SIDE)?;
        made("equidistribution", scenarios::equidistribution(n, arguments.seed("seed")?))
    },
);

/// `three-objects`.
pub(super) const THREE_OBJECTS: Generator = plane(
    "three-objects",
    "Three polygons with 17 events, one of them multiple (TestTresObjetos)",
    &[],
    |_| Ok(SceneSource::Planar(scenarios::three_objects())),
);

fn made(scene: &str, result: Result<PlanarScene, GenerateError>) -> Result<SceneSource, LibraryError> {
    match result {
        Ok(planar) => Ok(SceneSource::Planar(planar)),
        Err(error) => Err(LibraryError::Impossible { scene: scene.to_owned(), reason: error.to_string() }),
    }
}
