//! Solvers by name, and which one a scene gets.

use std::fmt;
use std::str::FromStr;

use carom_fingsics::FingsicsVersion;
use carom_scene::Scene;

/// What moves a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// The engine.
    SoftStep,
    /// The rules of a version of Fingsics.
    Fingsics(FingsicsVersion),
}

impl Solver {
    /// All solvers, in the order `carom list solvers` shows them.
    pub const ALL: [Self; 3] = [
        Self::SoftStep,
        Self::Fingsics(FingsicsVersion::Newest),
        Self::Fingsics(FingsicsVersion::September2021),
    ];

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SoftStep => "soft-step",
            Self::Fingsics(version) => version.name(),
        }
    }

    /// What it does, in a sentence or two.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::SoftStep => {
                "The engine: any convex shape, mesh or compound, friction, restitution, stacking and sleep, solved in \
                 substeps with soft contacts. The default."
            }
            Self::Fingsics(version) => version.description(),
        }
    }

    /// The solver of a scene: the one asked for, else the one the scene names, else the engine.
    ///
    /// # Errors
    /// If the scene names a solver that does not exist.
    pub fn choose(scene: &Scene, asked: Option<Self>) -> Result<Self, UnknownSolver> {
        let named = scene.solver.solver.as_deref().filter(|name| !name.is_empty());
        match (asked, named) {
            (Some(solver), _) => Ok(solver),
            (None, Some(name)) => name.parse(),
            (None, None) => Ok(Self::SoftStep),
        }
    }
}

/// A name that is no solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown solver '{name}': expected one of {}", known.join(", "))]
pub struct UnknownSolver {
    /// As asked for.
    pub name: String,
    /// What there is to choose from.
    pub known: Vec<&'static str>,
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Solver {
    type Err = UnknownSolver;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|solver| solver.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownSolver {
            name: name.to_owned(),
            known: Self::ALL.iter().map(|solver| solver.name()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::model::{Body, Shape, ShapeKind};

    #[test]
    fn names_are_read_back() {
        for solver in Solver::ALL {
            assert_eq!(solver.name().parse(), Ok(solver));
        }
        let error = "pgs".parse::<Solver>().unwrap_err().to_string();
        assert_eq!(error, "unknown solver 'pgs': expected one of soft-step, fingsics, fingsics-2021-09");
    }

    #[test]
    fn the_user_wins_over_the_scene_and_the_engine_is_the_default() {
        let newest = Solver::Fingsics(FingsicsVersion::Newest);
        let of = |kind| Scene {
            bodies: vec![Body { shapes: vec![Shape::new(kind)], ..Body::default() }],
            ..Scene::default()
        };
        let balls = of(ShapeKind::Sphere { radius: 1.0 });
        let mut boxes = of(ShapeKind::Box { size: [1.0; 3] });
        assert_eq!(Solver::choose(&balls, None), Ok(Solver::SoftStep));
        assert_eq!(Solver::choose(&boxes, None), Ok(Solver::SoftStep));
        boxes.solver.solver = Some("fingsics".into());
        assert_eq!(Solver::choose(&boxes, None), Ok(newest), "to be refused with the reasons");
        assert_eq!(Solver::choose(&boxes, Some(Solver::SoftStep)), Ok(Solver::SoftStep));
        boxes.solver.solver = Some("magic".into());
        assert!(Solver::choose(&boxes, None).is_err());
    }
}
