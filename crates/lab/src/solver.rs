//! Solvers by name, and which one a scene gets.

use std::fmt;
use std::str::FromStr;

use carom_dynamics::fingsics::Rules;
use carom_scene::Scene;

use crate::build;

/// A set of rules of the original program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compatible {
    /// Its newest rules.
    #[default]
    Newest,
    /// Its rules of September 2021.
    September2021,
}

impl Compatible {
    /// All sets.
    pub const ALL: [Self; 2] = [Self::Newest, Self::September2021];

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Newest => "fingsics",
            Self::September2021 => "fingsics-2021-09",
        }
    }

    /// The rules themselves.
    #[must_use]
    pub fn rules(self) -> Rules {
        match self {
            Self::Newest => Rules::NEWEST,
            Self::September2021 => Rules::SEPTEMBER_2021,
        }
    }
}

/// What moves a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// The engine.
    SoftStep,
    /// The original program's rules.
    Compatible(Compatible),
}

impl Solver {
    /// All solvers, in the order `carom list solvers` shows them.
    pub const ALL: [Self; 3] =
        [Self::SoftStep, Self::Compatible(Compatible::Newest), Self::Compatible(Compatible::September2021)];

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SoftStep => "soft-step",
            Self::Compatible(rules) => rules.name(),
        }
    }

    /// What it does, in a sentence or two.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::SoftStep => {
                "The engine: any convex shape, mesh or compound, friction, restitution, stacking and sleep, solved in \
                 substeps with soft contacts. The default of scenes that the original's rules cannot run."
            }
            Self::Compatible(Compatible::Newest) => {
                "The original's rules (newest version): impulses averaged per world axis, no friction, explicit Euler, \
                 speeds capped at 50 m/s and 10 rad/s. Counts equal its published results row for row."
            }
            Self::Compatible(Compatible::September2021) => {
                "The original's rules of September 2021: no speed caps, contacts of equal depth act. For the results \
                 shipped with its binaries."
            }
        }
    }

    /// The solver of a scene: the one asked for, else the one the scene names, else the original's rules if they know
    /// everything in it, else the engine.
    ///
    /// # Errors
    /// If the scene names a solver that does not exist.
    pub fn choose(scene: &Scene, asked: Option<Self>) -> Result<Self, UnknownSolver> {
        let named = scene.solver.solver.as_deref().filter(|name| !name.is_empty());
        match (asked, named) {
            (Some(solver), _) => Ok(solver),
            (None, Some(name)) => name.parse(),
            (None, None) if build::knows(scene) => Ok(Self::Compatible(Compatible::Newest)),
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

macro_rules! by_name {
    ($($type:ty),*) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownSolver;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.into_iter().find(|solver| solver.name().eq_ignore_ascii_case(name));
                found.ok_or_else(|| UnknownSolver {
                    name: name.to_owned(),
                    known: Self::ALL.iter().map(|solver| solver.name()).collect(),
                })
            }
        }
    )*};
}

by_name!(Solver, Compatible);

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
        let error = "soft-step".parse::<Compatible>().unwrap_err().to_string();
        assert_eq!(error, "unknown solver 'soft-step': expected one of fingsics, fingsics-2021-09");
    }

    #[test]
    fn the_user_wins_over_the_scene_and_the_scene_over_what_it_needs() {
        let newest = Solver::Compatible(Compatible::Newest);
        let of = |kind| Scene {
            bodies: vec![Body { shapes: vec![Shape::new(kind)], ..Body::default() }],
            ..Scene::default()
        };
        let balls = of(ShapeKind::Sphere { radius: 1.0 });
        let mut boxes = of(ShapeKind::Box { size: [1.0; 3] });
        assert_eq!(Solver::choose(&balls, None), Ok(newest));
        assert_eq!(Solver::choose(&boxes, None), Ok(Solver::SoftStep));
        boxes.solver.solver = Some("fingsics".into());
        assert_eq!(Solver::choose(&boxes, None), Ok(newest), "to be refused with the reasons");
        assert_eq!(Solver::choose(&boxes, Some(Solver::SoftStep)), Ok(Solver::SoftStep));
        boxes.solver.solver = Some("magic".into());
        assert!(Solver::choose(&boxes, None).is_err());
    }
}
