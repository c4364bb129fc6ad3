//! Simulations by name: the registry of all there are, and which one a scene gets.

use std::sync::OnceLock;

use carom_fingsics::FingsicsVersion;
use carom_fingsics::simulation::FingsicsFactory;
use carom_scene::Scene;
use carom_sim::engine::{self, EngineFactory};
use carom_sim::registry::UnknownSimulation;
use carom_sim::spec::SpecError;
use carom_sim::{Registry, Session, SimulationSpec};

/// Name of the engine.
pub const ENGINE: &str = engine::NAME;
/// Name of the newest rules of Fingsics.
pub const FINGSICS: &str = "fingsics";

/// All simulations, in the order `carom list solvers` shows them.
pub fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let mut registry = Registry::default();
        registry.register(Box::new(EngineFactory));
        for version in FingsicsVersion::ALL {
            registry.register(Box::new(FingsicsFactory(version)));
        }
        registry
    })
}

/// A text that is no simulation with settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// It is none at all.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There is none of this name.
    #[error(transparent)]
    Unknown(#[from] UnknownSimulation),
}

/// Reads a simulation with settings, such as `soft-step@substeps=8`; its name must be known.
///
/// # Errors
/// If it is none, or not known.
pub fn parse(text: &str) -> Result<SimulationSpec, SolverError> {
    let mut spec: SimulationSpec = text.parse()?;
    // Names are written in one way in files.
    registry().factory(&spec.name)?.name().clone_into(&mut spec.name);
    Ok(spec)
}

/// The simulation of a scene: the one asked for, else the one the scene names, else the engine.
///
/// # Errors
/// If it does not exist.
pub fn choose(scene: &Scene, asked: Option<&SimulationSpec>) -> Result<SimulationSpec, SolverError> {
    let named = scene.solver.solver.as_deref().filter(|name| !name.is_empty());
    match (asked, named) {
        (Some(spec), _) => parse(&spec.to_string()),
        (None, Some(name)) => parse(name),
        (None, None) => Ok(SimulationSpec::named(ENGINE)),
    }
}

/// What a session was built as: what was asked for, else what its scene names, else the simulation
/// that it got. For files: another version may have another default.
#[must_use]
pub fn used(asked: Option<&SimulationSpec>, session: &Session) -> SimulationSpec {
    let named = session.scene().solver.solver.as_deref().and_then(|name| parse(name).ok());
    asked.cloned().or(named).unwrap_or_else(|| SimulationSpec::named(session.info().name.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::model::{Body, Shape, ShapeKind};

    #[test]
    fn names_are_read_back() {
        for name in registry().names() {
            assert_eq!(parse(name).unwrap().to_string(), name);
        }
        assert_eq!(parse("Soft-Step@threads=2").unwrap().to_string(), "soft-step@threads=2");
        let error = parse("pgs").unwrap_err().to_string();
        assert_eq!(error, "unknown solver 'pgs': expected one of soft-step, fingsics, fingsics-2021-09");
    }

    #[test]
    fn the_user_wins_over_the_scene_and_the_engine_is_the_default() {
        let of = |kind| Scene {
            bodies: vec![Body { shapes: vec![Shape::new(kind)], ..Body::default() }],
            ..Scene::default()
        };
        let chosen = |scene: &Scene, asked: Option<&str>| {
            let asked = asked.map(SimulationSpec::named);
            choose(scene, asked.as_ref()).map(|spec| spec.name)
        };
        let balls = of(ShapeKind::Sphere { radius: 1.0 });
        let mut boxes = of(ShapeKind::Box { size: [1.0; 3] });
        assert_eq!(chosen(&balls, None).unwrap(), ENGINE);
        assert_eq!(chosen(&boxes, None).unwrap(), ENGINE);
        boxes.solver.solver = Some("fingsics".into());
        assert_eq!(chosen(&boxes, None).unwrap(), FINGSICS, "to be refused with the reasons");
        assert_eq!(chosen(&boxes, Some(ENGINE)).unwrap(), ENGINE);
        boxes.solver.solver = Some("magic".into());
        assert!(chosen(&boxes, None).is_err());
    }
}
