//! The swarms by name, with their parameters.

use super::Swarm;
use super::start::{Behaviour, Plan, Region};
use super::things::Things;
use crate::library::request::Request;
use crate::library::{Arguments, LibraryError, Parameter};
use crate::limits;

/// A swarm in either number of dimensions.
#[derive(Clone, Debug)]
pub enum AnySwarm {
    /// In the plane.
    Plane(Swarm<2>),
    /// In space.
    Space(Swarm<3>),
}

/// One swarm of the catalogue.
pub struct Entry {
    /// Name to ask for.
    pub name: &'static str,
    /// What it does, in one line.
    pub description: &'static str,
    /// Parameters; the first one may follow a colon.
    pub parameters: &'static [Parameter],
    plan: fn(&Arguments<'_>) -> Result<Plan, LibraryError>,
}

const N: Parameter = Parameter { name: "n", default: "1000", meaning: "number of boxes" };
const DIMENSIONS: Parameter = Parameter { name: "d", default: "3", meaning: "dimensions: 2 or 3" };
const DENSITY: Parameter =
    Parameter { name: "density", default: "0.01", meaning: "boxes per unit of volume, or of area if d=2" };
const ON_PLANE: Parameter = Parameter { name: "density", default: "0.05", meaning: "boxes per unit of area" };
const ON_LINE: Parameter = Parameter { name: "density", default: "1", meaning: "boxes per unit of length" };
const OBJECTS: Parameter = Parameter {
    name: "objects",
    default: "cubes",
    meaning: "cubes: boxes of turned unit cubes; assorted: of bars, planks, plates and cubes",
};
const SPEED: Parameter =
    Parameter { name: "speed", default: "0.75", meaning: "highest speed, sides of the world per second" };
const LINE_SPEED: Parameter = Parameter { name: "speed", default: "0.001", ..SPEED };
const SEED: Parameter = Parameter { name: "seed", default: "1", meaning: "seed of everything" };
const TENTH: Parameter =
    Parameter { name: "share", default: "0.1", meaning: "share of the boxes that moves" };
const HUNDREDTH: Parameter =
    Parameter { name: "share", default: "0.01", meaning: "share of the boxes, each frame" };
const ALONG: Parameter =
    Parameter { name: "axis", default: "x", meaning: "direction of the line: x, y or z" };
const ACROSS: Parameter =
    Parameter { name: "axis", default: "y", meaning: "normal of the plane: x, y or z; no effect if d=2" };
const EACH: Parameter = Parameter { name: "each", default: "500", meaning: "boxes of a cluster" };

const COMMON: &[Parameter] = &[N, DIMENSIONS, DENSITY, OBJECTS, SPEED, SEED];
const WITH_HUNDREDTH: &[Parameter] = &[N, DIMENSIONS, DENSITY, OBJECTS, SPEED, SEED, HUNDREDTH];

/// Every swarm, in the order they are listed.
pub static SWARMS: &[Entry] = &[
    Entry {
        name: "brownian",
        description: "All boxes drift, each redirected once in a hundred frames: everything moves, low coherence",
        parameters: COMMON,
        plan: |arguments| plan(arguments, Behaviour::Drift { share: 1.0 }),
    },
    Entry {
        name: "freefall-ghost",
        description: "A cloud falls, bounces and comes to rest as a heap: from all moving to none",
        parameters: COMMON,
        plan: |arguments| plan(arguments, Behaviour::Fall),
    },
    Entry {
        name: "gravity-ghost",
        description: "Gravity turns round and round: the cloud sloshes along all walls and never rests",
        parameters: COMMON,
        plan: |arguments| plan(arguments, Behaviour::Turn),
    },
    Entry {
        name: "at-rest",
        description: "Nothing moves",
        parameters: &[N, DIMENSIONS, DENSITY, OBJECTS, SEED],
        plan: |arguments| plan(arguments, Behaviour::Rest),
    },
    Entry {
        name: "tenth-moving",
        description: "A tenth of the boxes drifts, the others rest",
        parameters: &[N, DIMENSIONS, DENSITY, OBJECTS, SPEED, SEED, TENTH],
        plan: |arguments| plan(arguments, Behaviour::Drift { share: share(arguments)? }),
    },
    Entry {
        name: "one-huge",
        description: "One box of half the world's side among many small ones; all drift",
        parameters: COMMON,
        plan: |arguments| Ok(Plan { one_huge: true, ..plan(arguments, Behaviour::Drift { share: 1.0 })? }),
    },
    Entry {
        name: "line",
        description: "All centres on a line: two of three axes tell nothing; all drift along it",
        parameters: &[N, DIMENSIONS, ON_LINE, OBJECTS, LINE_SPEED, SEED, ALONG],
        plan: |arguments| {
            let along = axis(arguments)?;
            if along >= dimensions(arguments)? {
                return Err(arguments.bad("axis", "is no direction of the plane"));
            }
            Ok(Plan { region: Region::Line(along), ..plan(arguments, Behaviour::Drift { share: 1.0 })? })
        },
    },
    Entry {
        name: "plane",
        description: "All centres in a plane: one axis tells nothing; all drift in it",
        parameters: &[N, DIMENSIONS, ON_PLANE, OBJECTS, SPEED, SEED, ACROSS],
        plan: |arguments| {
            let region = Region::Plane(axis(arguments)?);
            Ok(Plan { region, ..plan(arguments, Behaviour::Drift { share: 1.0 })? })
        },
    },
    Entry {
        name: "clusters",
        description: "Groups that keep together, ten times as dense as the rest of the world; all drift",
        parameters: &[N, DIMENSIONS, DENSITY, OBJECTS, SPEED, SEED, EACH],
        plan: |arguments| {
            plan(arguments, Behaviour::Clusters { each: arguments.count("each", 1..=limits::MAX_ITEMS)? })
        },
    },
    Entry {
        name: "sizes",
        description: "Cubes with edges from 0.1 to 10, every size as frequent as any other; all drift",
        parameters: &[N, DIMENSIONS, DENSITY, SPEED, SEED],
        plan: |arguments| {
            Ok(Plan { things: Things::AnySize, ..plan(arguments, Behaviour::Drift { share: 1.0 })? })
        },
    },
    Entry {
        name: "churn",
        description: "As brownian, and each frame a hundredth of the boxes is removed and as many are inserted",
        parameters: WITH_HUNDREDTH,
        plan: |arguments| plan(arguments, Behaviour::Churn { share: share(arguments)? }),
    },
    Entry {
        name: "teleports",
        description: "Each frame a hundredth of the boxes is suddenly somewhere else; the others rest",
        parameters: WITH_HUNDREDTH,
        plan: |arguments| plan(arguments, Behaviour::Jump { share: share(arguments)? }),
    },
];

fn dimensions(arguments: &Arguments<'_>) -> Result<usize, LibraryError> {
    arguments.count("d", 2..=3)
}

fn share(arguments: &Arguments<'_>) -> Result<f32, LibraryError> {
    arguments.number("share", 0.0..=1.0)
}

fn axis(arguments: &Arguments<'_>) -> Result<usize, LibraryError> {
    const AXES: [&str; 3] = ["x", "y", "z"];
    let chosen = arguments.choice("axis", &AXES)?;
    Ok(AXES.iter().position(|axis| *axis == chosen).unwrap_or(0))
}

/// What all swarms have in common.
fn plan(arguments: &Arguments<'_>, behaviour: Behaviour) -> Result<Plan, LibraryError> {
    let things = match arguments.has("objects") {
        true if arguments.choice("objects", &["cubes", "assorted"])? == "assorted" => Things::Assorted,
        _ => Things::Cubes,
    };
    let speed = if arguments.has("speed") { arguments.number("speed", 0.0..=10.0)? } else { 0.0 };
    Ok(Plan {
        n: arguments.count("n", 1..=limits::MAX_ITEMS)?,
        density: arguments.number("density", 1e-6..=1e3)?,
        things,
        speed,
        seed: arguments.seed("seed")?,
        region: Region::Ball,
        behaviour,
        one_huge: false,
    })
}

/// True if the request names a swarm, whether or not its parameters are good.
#[must_use]
pub fn knows(request: &str) -> bool {
    let name = Request::parse(request).name;
    SWARMS.iter().any(|swarm| swarm.name == name)
}

/// The swarm of a request such as `brownian:16000?d=2`, at its first frame.
///
/// # Errors
/// Names the swarm or parameter that is unknown, or the value that is no good, with what would be.
pub fn build(request: &str) -> Result<AnySwarm, LibraryError> {
    let request = Request::parse(request);
    let Some(entry) = SWARMS.iter().find(|swarm| swarm.name == request.name) else {
        return Err(LibraryError::unknown_scene(request.name, SWARMS.iter().map(|swarm| swarm.name)));
    };
    let arguments = request.arguments(entry.parameters)?;
    let plan = (entry.plan)(&arguments)?;
    Ok(match dimensions(&arguments)? {
        2 => AnySwarm::Plane(plan.swarm()),
        _ => AnySwarm::Space(plan.swarm()),
    })
}
