//! The algorithms by name.

use std::fmt;
use std::str::FromStr;

/// A family of narrow-phase algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum NarrowMethod {
    /// Whichever is fastest for the kinds of the two shapes.
    #[default]
    Auto,
    /// Formulas without iteration.
    Analytic,
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
pub struct NarrowMethodInfo {
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

impl NarrowMethod {
    /// All methods, in the order `carom list narrow` shows them.
    pub const ALL: [Self; 6] = [Self::Auto, Self::Analytic, Self::Sat, Self::GjkEpa, Self::Mpr, Self::VClip];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Analytic => "analytic",
            Self::Sat => "sat",
            Self::GjkEpa => "gjk-epa",
            Self::Mpr => "mpr",
            Self::VClip => "v-clip",
        }
    }
}

impl NarrowMethod {
    /// What it is.
    #[must_use]
    pub const fn about(self) -> NarrowMethodInfo {
        let name = self.name();
        match self {
            Self::Auto => NarrowMethodInfo {
                name,
                what: "Takes the fastest of the others for the kinds of the two shapes.",
                shapes: "All convex shapes and the half-space.",
                accuracy: "That of the method taken.",
                cost: "One look at the kinds.",
                best: "Always, unless a method is to be studied.",
            },
            Self::Analytic => NarrowMethodInfo {
                name,
                what: "Formulas: closest points of cores, radii taken off; least depth over the few directions that matter.",
                shapes: "Sphere, capsule, tile, box, triangle with each other; sphere with cylinder, cone, convex; \
                         half-space with everything.",
                accuracy: "Exact up to rounding, distances and depths.",
                cost: "A few nanoseconds to some hundred; several pairs at once for the round ones.",
                best: "Wherever there is a formula.",
            },
            Self::Sat => NarrowMethodInfo {
                name,
                what: "Separating axes: normals of faces, and of pairs of edges whose arcs cross on the sphere of normals.",
                shapes: "Box, tile, triangle, convex.",
                accuracy: "Exact up to rounding; closest points that belong to no axis are found by GJK.",
                cost: "Grows with faces and with edges times edges; almost nothing while the last axis still holds.",
                best: "Contact points of polyhedra: faces are known when the axis is.",
            },
            Self::GjkEpa => NarrowMethodInfo {
                name,
                what: "Distance by a simplex that creeps towards the origin of the Minkowski difference, depth by a \
                       polytope that grows in it.",
                shapes: "All convex shapes.",
                accuracy: "Proved to a few rounding errors; round shapes deep in each other as near as the polytope gets.",
                cost: "A handful of support points cold, one to three warm; depth costs some ten times more.",
                best: "Shapes with a support function and no faces; exact distances.",
            },
            Self::Mpr => NarrowMethodInfo {
                name,
                what: "A portal that a ray through the origin of the Minkowski difference passes, pushed out to its surface.",
                shapes: "All convex shapes.",
                accuracy: "Touching or not as exact as GJK; the depth is an upper bound, usually the depth; no distances.",
                cost: "About that of GJK, for touching and depth alike.",
                best: "Touching and a good guess of the depth of smooth shapes.",
            },
            Self::VClip => NarrowMethodInfo {
                name,
                what: "Walks over features until the closest points lie in each other's Voronoi regions.",
                shapes: "Convex with convex.",
                accuracy: "Exact closest features; depth by the expanding polytope from the witness.",
                cost: "Grows with the way walked: next to nothing while the features stay, whatever the size.",
                best: "Large polytopes that move little between queries.",
            },
        }
    }
}

impl fmt::Display for NarrowMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

carom_core::error_type! {
    /// No method has this name.
    #[error("there is no narrow phase \"{name}\"; there are auto, analytic, sat, gjk-epa, mpr and v-clip")]
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct UnknownNarrowMethod {
        /// The name.
        pub name: String,
    }
}

impl FromStr for NarrowMethod {
    type Err = UnknownNarrowMethod;

    fn from_str(name: &str) -> Result<Self, UnknownNarrowMethod> {
        let found = Self::ALL.into_iter().find(|method| method.name() == name);
        // The former name of the analytic formulas is still read.
        let found = found.or((name == "closed").then_some(Self::Analytic));
        found.ok_or_else(|| UnknownNarrowMethod { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for method in NarrowMethod::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        assert_eq!("closed".parse(), Ok(NarrowMethod::Analytic));
        let error = "GJK".parse::<NarrowMethod>().unwrap_err().to_string();
        assert!(error.contains("\"GJK\"") && NarrowMethod::ALL.iter().all(|m| error.contains(m.name())));
    }
}
