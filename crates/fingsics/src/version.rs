//! The two published versions of Fingsics, by name.

use std::fmt;
use std::str::FromStr;

use crate::Rules;

/// A published version of Fingsics: which rules a run follows, or which program wrote a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FingsicsVersion {
    /// The newest version. Its reports have a column `DrawTime`.
    #[default]
    Newest,
    /// The version of September 2021. Its reports have a column `MoveTime`.
    September2021,
}

impl FingsicsVersion {
    /// All versions.
    pub const ALL: [Self; 2] = [Self::Newest, Self::September2021];

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Newest => "fingsics",
            Self::September2021 => "fingsics-2021-09",
        }
    }

    /// What it does, in a sentence or two.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Newest => {
                "The Fingsics rules (newest version): impulses averaged per world axis, no friction, explicit Euler, \
                 speeds capped at 50 m/s and 10 rad/s. Counts equal its published results row for row."
            }
            Self::September2021 => {
                "The Fingsics rules of September 2021: no speed caps, contacts of equal depth act. For the results \
                 shipped with its binaries."
            }
        }
    }

    /// Its rules.
    #[must_use]
    pub fn rules(self) -> Rules {
        match self {
            Self::Newest => Rules::NEWEST,
            Self::September2021 => Rules::SEPTEMBER_2021,
        }
    }
}

impl fmt::Display for FingsicsVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no version of Fingsics.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown solver '{0}': expected one of {names}",
    names = FingsicsVersion::ALL.map(FingsicsVersion::name).join(", ")
)]
pub struct UnknownFingsicsVersion(pub String);

impl FromStr for FingsicsVersion {
    type Err = UnknownFingsicsVersion;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|version| version.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownFingsicsVersion(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for version in FingsicsVersion::ALL {
            assert_eq!(version.name().parse(), Ok(version));
        }
        let error = "soft-step".parse::<FingsicsVersion>().unwrap_err().to_string();
        assert_eq!(error, "unknown solver 'soft-step': expected one of fingsics, fingsics-2021-09");
    }
}
