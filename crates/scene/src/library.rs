//! Named scenes: generators with parameters, and a showcase of small hand-made ones.
//!
//! A scene is asked for as `NAME[:n][?key=value&…]`, for example `box:3162?seed=7`. The number
//! after the colon is the generator's first parameter. Results depend on the parameters only, to
//! the bit, on every platform.
//!
//! | file | holds |
//! |---|---|
//! | `request.rs` | parsing and checking of requests |
//! | `gas.rs` | `dense-gas` and `capsules`, the experiments E1 and E2 of Fingsics, and `box` |
//! | `crowds.rs` | dense crowds of fast bodies and of bodies of all sizes |
//! | `pyramid.rs`, `pile.rs`, `joints.rs` | the scenes that other engines are compared on |
//! | `stacks.rs`, `heaps.rs`, `terrain.rs`, `open_space.rs`, `ragdolls.rs` | benchmarks of Box3D and Jolt, rebuilt |
//! | `brick_tower.rs` | the tower of Obugre's benchmark |
//! | `broadmark.rs` | the scenes that Broadmark records |
//! | `flat.rs` | the two-dimensional scenes |
//! | `showcase.rs` | the hand-made scenes, embedded TOML files |

mod brick_tower;
mod broadmark;
mod crowds;
mod flat;
mod gas;
mod heaps;
mod joints;
mod open_space;
mod pile;
mod pyramid;
mod ragdolls;
pub(crate) mod request;
mod setting;
mod showcase;
mod stacks;
mod terrain;
mod walls;

#[cfg(test)]
mod tests;

pub use request::{Arguments, LibraryError, Parameter};

use carom_planar::PlanarScene;

use crate::model::Scene;
use request::Request;

/// A scene of either world.
#[allow(clippy::large_enum_variant)] // a program holds one or two of them
#[derive(Clone, Debug, PartialEq)]
pub enum SceneSource {
    /// Three-dimensional.
    Spatial(Scene),
    /// Two-dimensional.
    Planar(PlanarScene),
}

/// How a generator makes its scene.
type Build = fn(&Arguments<'_>) -> Result<SceneSource, LibraryError>;

/// Number of dimensions of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimensions {
    /// Polygons in a plane.
    Two,
    /// Bodies in space.
    Three,
}

/// A generator of the library.
pub struct Generator {
    /// Its name in requests.
    pub name: &'static str,
    /// What it makes, in one line.
    pub description: &'static str,
    /// Parameters; the first one may be given after a colon.
    pub parameters: &'static [Parameter],
    /// Arguments that make a small one, for checks that go through the whole library; none where it
    /// is small by itself.
    sample: &'static str,
    /// Two or three dimensions.
    pub dimensions: Dimensions,
    /// Makes the scene.
    build: Build,
}

/// One line of the library's table of contents.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// Name to ask for.
    pub name: &'static str,
    /// What it is.
    pub description: String,
    /// Parameters; none for hand-made scenes.
    pub parameters: &'static [Parameter],
    /// Two or three dimensions.
    pub dimensions: Dimensions,
}

/// Every generator, in the order they are listed.
pub static GENERATORS: &[Generator] = &[
    gas::BOX,
    gas::DENSE,
    gas::CAPSULES,
    crowds::FAST_FOUNTAIN,
    crowds::MIXED_RAIN,
    pyramid::PYRAMID,
    pile::PILE,
    joints::JOINTS,
    stacks::LARGE,
    stacks::MANY,
    joints::JOINT_GRID,
    heaps::CONVEX_PILE,
    heaps::JUNKYARD,
    heaps::WASHER,
    ragdolls::RAGDOLL_RAIN,
    terrain::TREES_100,
    terrain::TREES_50,
    terrain::TREES_25,
    open_space::LARGE_WORLD,
    stacks::JOLT_PYRAMID,
    terrain::CONVEX_VS_MESH,
    terrain::LARGE_MESH,
    open_space::HIGH_SPEED,
    brick_tower::BRICK_TOWER,
    broadmark::FREEFALL,
    broadmark::GRAVITY,
    flat::RANDOM,
    flat::DIRECT,
    flat::INCREMENTAL,
    flat::EQUIDISTRIBUTION,
    flat::THREE_OBJECTS,
];

/// The table of contents: generators first, then the showcase.
#[must_use]
pub fn list() -> Vec<Listing> {
    let generators = GENERATORS.iter().map(|generator| Listing {
        name: generator.name,
        description: generator.description.to_owned(),
        parameters: generator.parameters,
        dimensions: generator.dimensions,
    });
    let showcase = showcase::SCENES.iter().map(|&(name, text)| Listing {
        name,
        description: showcase::read(name, text).map_or_else(|e| e.to_string(), |scene| scene.description),
        parameters: &[],
        dimensions: Dimensions::Three,
    });
    generators.chain(showcase).collect()
}

/// All names, in the order of [`list`].
pub fn names() -> impl Iterator<Item = &'static str> {
    GENERATORS.iter().map(|generator| generator.name).chain(showcase::SCENES.iter().map(|(name, _)| *name))
}

/// A request for each scene, small ones where the default is large: for checks that go through the
/// whole library.
pub fn samples() -> impl Iterator<Item = String> {
    let generators = GENERATORS.iter().map(|generator| format!("{}{}", generator.name, generator.sample));
    generators.chain(showcase::SCENES.iter().map(|(name, _)| (*name).to_owned()))
}

/// True if the request names something in the library, whether or not its parameters are good.
#[must_use]
pub fn knows(request: &str) -> bool {
    let name = Request::parse(request).name;
    names().any(|known| known == name)
}

/// The scene of a request such as `box:3162?seed=7`.
///
/// # Errors
/// Names the scene or parameter that is unknown, or the value that is no good, with what would be.
pub fn build(request: &str) -> Result<SceneSource, LibraryError> {
    let request = Request::parse(request);
    if let Some(generator) = GENERATORS.iter().find(|generator| generator.name == request.name) {
        let arguments = request.arguments(generator.parameters)?;
        return (generator.build)(&arguments);
    }
    if let Some(&(name, text)) = showcase::SCENES.iter().find(|(name, _)| *name == request.name) {
        request.arguments(&[])?;
        return showcase::read(name, text).map(SceneSource::Spatial);
    }
    Err(LibraryError::unknown_scene(request.name, names()))
}
