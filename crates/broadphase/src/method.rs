//! The methods by name.
//!
//! A method is a finder of pairs, possibly followed by a refinement with oriented boxes. `obb` has no finder of its own:
//! it tests the oriented boxes of all pairs ([`crate::refine::all_pairs`]).

use std::fmt;
use std::str::FromStr;

use crate::BroadPhase;
use crate::brute_force::{AllBoxes, AllPairs};
use crate::sap::Sap;

/// A broad-phase method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Every pair.
    None,
    /// Every pair of boxes, tested.
    Aabb,
    /// Every pair of oriented boxes, tested.
    Obb,
    /// Sweep and prune.
    #[default]
    Sap,
    /// Sweep and prune, then oriented boxes.
    SapObb,
}

impl Method {
    /// All methods, in the order `carom list broad` shows them.
    pub const ALL: [Self; 5] = [Self::None, Self::Aabb, Self::Obb, Self::Sap, Self::SapObb];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Aabb => "aabb",
            Self::Obb => "obb",
            Self::Sap => "sap",
            Self::SapObb => "sapobb",
        }
    }

    /// What it does and when to use it, in a sentence or two.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::None => {
                "Every pair goes to the narrow phase. O(n²); the baseline and the oracle of oracles."
            }
            Self::Aabb => {
                "Every pair of axis-aligned boxes is tested, touching counts. O(n²); the oracle of sap."
            }
            Self::Obb => {
                "Every pair of oriented boxes is tested on 15 axes. O(n²); fewest pairs for long shapes."
            }
            Self::Sap => {
                "Persistent sweep and prune on three axes (Terdiman). O(n + swaps); the default. Boxes that exactly \
                 touch count or not by history, as in the original."
            }
            Self::SapObb => {
                "sap, then oriented boxes on its pairs: pays off when shapes are long and tests dear."
            }
        }
    }

    /// Do the pairs have to pass an oriented-box test?
    #[must_use]
    pub fn uses_oriented_boxes(self) -> bool {
        matches!(self, Self::Obb | Self::SapObb)
    }

    /// The finder of pairs; `None` for `obb`, which looks at all pairs itself.
    #[must_use]
    pub fn finder(self) -> Option<Box<dyn BroadPhase<3>>> {
        match self {
            Self::None => Some(Box::new(AllPairs::default())),
            Self::Aabb => Some(Box::new(AllBoxes::default())),
            Self::Obb => None,
            Self::Sap | Self::SapObb => Some(Box::new(Sap::default())),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMethod(pub String);

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Method::ALL.map(Method::name).join(", ");
        write!(f, "unknown broad phase '{}': expected one of {names}", self.0)
    }
}

impl std::error::Error for UnknownMethod {}

impl FromStr for Method {
    type Err = UnknownMethod;

    /// Names are accepted in any case, so that the original's `SAPOBB` works.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|method| method.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_in_any_case() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            assert_eq!(method.name().to_uppercase().parse(), Ok(method));
        }
        let error = "sapp".parse::<Method>().unwrap_err().to_string();
        assert_eq!(error, "unknown broad phase 'sapp': expected one of none, aabb, obb, sap, sapobb");
    }
}
