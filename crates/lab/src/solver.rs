//! Solvers by name.

use std::fmt;
use std::str::FromStr;

use carom_dynamics::fingsics::Rules;

/// A set of rules a scene can be run by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// The original program's newest rules.
    #[default]
    Fingsics,
    /// Its rules of September 2021.
    Fingsics202109,
}

impl Solver {
    /// All solvers, in the order `carom list solvers` shows them.
    pub const ALL: [Self; 2] = [Self::Fingsics, Self::Fingsics202109];

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fingsics => "fingsics",
            Self::Fingsics202109 => "fingsics-2021-09",
        }
    }

    /// What it does, in a sentence or two.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Fingsics => {
                "The original's rules (newest version): impulses averaged per world axis, no friction, explicit Euler, \
                 speeds capped at 50 m/s and 10 rad/s. Counts equal its published results row for row."
            }
            Self::Fingsics202109 => {
                "The original's rules of September 2021: no speed caps, contacts of equal depth act. For the results \
                 shipped with its binaries."
            }
        }
    }

    /// Its rules.
    #[must_use]
    pub fn rules(self) -> Rules {
        match self {
            Self::Fingsics => Rules::NEWEST,
            Self::Fingsics202109 => Rules::SEPTEMBER_2021,
        }
    }
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown solver '{0}': expected one of {names}", names = Solver::ALL.map(Solver::name).join(", "))]
pub struct UnknownSolver(pub String);

impl FromStr for Solver {
    type Err = UnknownSolver;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|solver| solver.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownSolver(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for solver in Solver::ALL {
            assert_eq!(solver.name().parse(), Ok(solver));
        }
        let error = "pgs".parse::<Solver>().unwrap_err().to_string();
        assert_eq!(error, "unknown solver 'pgs': expected one of fingsics, fingsics-2021-09");
    }
}
