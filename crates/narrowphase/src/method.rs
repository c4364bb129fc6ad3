//! The algorithms by name.

use std::fmt;
use std::str::FromStr;

/// A family of narrow-phase algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Whichever is fastest for the kinds of the two shapes.
    #[default]
    Auto,
    /// Formulas without iteration.
    Closed,
    /// Separating axes of polyhedra.
    Sat,
    /// Distance of cores by Gilbert, Johnson and Keerthi; depth by expanding polytope.
    GjkEpa,
    /// Minkowski portal refinement.
    Mpr,
    /// Closest features by Voronoi clipping.
    VClip,
}

/// What a method is, for lists and manuals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Name on the command line.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    /// Which shapes it takes.
    pub shapes: &'static str,
    /// How exact it is.
    pub accuracy: &'static str,
    /// What it costs.
    pub cost: &'static str,
    /// When to use it.
    pub best: &'static str,
}

impl Method {
    /// All methods, in the order `carom list narrow` shows them.
    pub const ALL: [Self; 6] = [Self::Auto, Self::Closed, Self::Sat, Self::GjkEpa, Self::Mpr, Self::VClip];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Closed => "closed",
            Self::Sat => "sat",
            Self::GjkEpa => "gjk-epa",
            Self::Mpr => "mpr",
            Self::VClip => "v-clip",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No method has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no narrow phase \"{name}\"; there are auto, closed, sat, gjk-epa, mpr and v-clip")]
pub struct UnknownMethod {
    /// The name.
    pub name: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let found = Self::ALL.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| UnknownMethod { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        let error = "GJK".parse::<Method>().unwrap_err().to_string();
        assert!(error.contains("\"GJK\"") && Method::ALL.iter().all(|m| error.contains(m.name())));
    }
}
