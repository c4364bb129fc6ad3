//! Quirks of Fingsics that can be kept or fixed, by name.

use std::fmt;
use std::str::FromStr;

use crate::Rules;

/// A quirk of the Fingsics program: a mistake that its results depend on, or might.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// Parallel capsules, the second shorter: pulled together.
    ParallelNormal,
    /// Capsule along a tile's edge: corners projected from the world's origin.
    CornerProjection,
    /// Both ends of a capsule on a tile: the normal of one end only.
    FirstEndNormal,
    /// A tile's edge wins over its face.
    EdgeBeforeFace,
    /// Oriented boxes of tiles doubled, none tolerant of parallel edges.
    Obb,
}

impl Quirk {
    /// All quirks.
    pub const ALL: [Self; 5] =
        [Self::ParallelNormal, Self::CornerProjection, Self::FirstEndNormal, Self::EdgeBeforeFace, Self::Obb];

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ParallelNormal => "parallel-normal",
            Self::CornerProjection => "corner-projection",
            Self::FirstEndNormal => "first-end-normal",
            Self::EdgeBeforeFace => "edge-before-face",
            Self::Obb => "obb",
        }
    }

    /// What Fingsics does.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::ParallelNormal => {
                "parallel capsules, the second shorter, are pulled together instead of apart"
            }
            Self::CornerProjection => {
                "a capsule along a tile's edge meets corners measured from the world's origin"
            }
            Self::FirstEndNormal => "a capsule lying on a tile uses the normal of its first end only",
            Self::EdgeBeforeFace => {
                "a capsule over a tile's edge answers the edge, not the face its end is on"
            }
            Self::Obb => "oriented boxes of tiles are doubled, and none has a tolerance for parallel edges",
        }
    }

    /// Is it kept by these rules?
    #[must_use]
    pub fn is_kept(self, rules: &Rules) -> bool {
        match self {
            Self::ParallelNormal => rules.quirks.parallel_normal,
            Self::CornerProjection => rules.quirks.corner_projection,
            Self::FirstEndNormal => rules.quirks.first_end_normal,
            Self::EdgeBeforeFace => rules.quirks.edge_before_face,
            Self::Obb => rules.obb_quirk,
        }
    }

    /// Keeps or fixes it.
    pub fn set(self, rules: &mut Rules, keep: bool) {
        let switch = match self {
            Self::ParallelNormal => &mut rules.quirks.parallel_normal,
            Self::CornerProjection => &mut rules.quirks.corner_projection,
            Self::FirstEndNormal => &mut rules.quirks.first_end_normal,
            Self::EdgeBeforeFace => &mut rules.quirks.edge_before_face,
            Self::Obb => &mut rules.obb_quirk,
        };
        *switch = keep;
    }
}

impl fmt::Display for Quirk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no quirk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown quirk '{0}': expected all or some of {names}", names = Quirk::ALL.map(Quirk::name).join(", "))]
pub struct UnknownQuirk(pub String);

/// Some of the quirks: `all`, or names joined by commas or plus signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuirkList(pub Vec<Quirk>);

impl fmt::Display for QuirkList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.iter().map(|quirk| quirk.name()).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for QuirkList {
    type Err = UnknownQuirk;

    fn from_str(list: &str) -> Result<Self, Self::Err> {
        if list == "all" {
            return Ok(Self(Quirk::ALL.to_vec()));
        }
        let one = |name: &str| {
            Quirk::ALL
                .into_iter()
                .find(|quirk| quirk.name() == name)
                .ok_or_else(|| UnknownQuirk(name.to_owned()))
        };
        list.split([',', '+']).map(|name| one(name.trim())).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_quirk_has_its_own_switch() {
        for quirk in Quirk::ALL {
            let mut rules = Rules::NEWEST;
            Quirk::ALL.iter().for_each(|s| s.set(&mut rules, false));
            quirk.set(&mut rules, true);
            for other in Quirk::ALL {
                assert_eq!(other.is_kept(&rules), other == quirk);
            }
        }
    }

    #[test]
    fn lists_are_read() {
        assert_eq!("obb,parallel-normal".parse(), Ok(QuirkList(vec![Quirk::Obb, Quirk::ParallelNormal])));
        assert_eq!("all".parse::<QuirkList>().map(|s| s.0.len()), Ok(5));
        assert!(
            "obb,nonsense"
                .parse::<QuirkList>()
                .unwrap_err()
                .to_string()
                .starts_with("unknown quirk 'nonsense'")
        );
    }
}
