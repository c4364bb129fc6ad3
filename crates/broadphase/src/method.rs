//! The methods by name, with their options, and the refinement that may follow.

use std::fmt;
use std::str::FromStr;

use crate::broad_phase::BroadPhase;
use crate::options::{BroadPhaseOptions, OptionError};
use crate::refine::Refinement;
use crate::{auto, brute, bvh, grid, partition, pruning, refine, sap};

/// A broad-phase method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Every pair.
    None,
    /// Every pair of boxes, tested.
    Aabb,
    /// Every pair of bounding spheres, tested.
    Sphere,
    /// Every pair of oriented boxes, tested.
    Obb,
    /// Persistent sweep and prune on all axes.
    Sap,
    /// Sweep and prune, then oriented boxes.
    SapObb,
    /// Sort and sweep every axis again, intersect the pairs of the axes.
    DirectSap,
    /// Sorted axes are kept, pairs recomputed when an order changed.
    IncrementalSap,
    /// Sweep and prune in the cells of a coarse grid.
    MultiSap,
    /// One axis sorted, several boxes tested per instruction.
    BoxPruning,
    /// Box pruning in columns that follow the density; what rests is kept.
    BucketPruning,
    /// Space halved until a sweep is cheap.
    KdSweep,
    /// Uniform grid.
    Grid,
    /// Uniform grid in a hash table.
    HashGrid,
    /// A grid for each size.
    HierGrid,
    /// Quadtree.
    Quadtree,
    /// Loose quadtree.
    LooseQuadtree,
    /// Octree.
    Octree,
    /// Loose octree.
    LooseOctree,
    /// Tree cut at half the density of each axis.
    KdTree,
    /// Tree cut at the median of one axis.
    BinaryKdTree,
    /// Tree cut by planes of any direction.
    Bsp,
    /// Dynamic tree of fat boxes.
    Dbvt,
    /// Tree rebuilt each update.
    Bvh,
    /// Tree refitted each update.
    BvhRefit,
    /// Whichever is cheapest.
    #[default]
    Auto,
}

/// What a method is, for lists and manuals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Name on the command line.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    /// What its pairs are.
    pub contract: &'static str,
    /// What it costs.
    pub cost: &'static str,
    /// When to use it.
    pub best: &'static str,
    /// Keys of the options it takes.
    pub options: &'static [&'static str],
}

impl Method {
    /// All methods, in the order `carom list broad` shows them.
    pub const ALL: [Self; 26] = [
        Self::None,
        Self::Aabb,
        Self::Sphere,
        Self::Obb,
        Self::Sap,
        Self::SapObb,
        Self::DirectSap,
        Self::IncrementalSap,
        Self::MultiSap,
        Self::BoxPruning,
        Self::BucketPruning,
        Self::KdSweep,
        Self::Grid,
        Self::HashGrid,
        Self::HierGrid,
        Self::Quadtree,
        Self::LooseQuadtree,
        Self::Octree,
        Self::LooseOctree,
        Self::KdTree,
        Self::BinaryKdTree,
        Self::Bsp,
        Self::Dbvt,
        Self::Bvh,
        Self::BvhRefit,
        Self::Auto,
    ];

    /// What it is.
    #[must_use]
    pub fn about(self) -> About {
        match self {
            Self::None | Self::Aabb | Self::Sphere | Self::Obb => brute::about(self),
            Self::Sap | Self::SapObb | Self::DirectSap | Self::IncrementalSap | Self::MultiSap => {
                sap::about(self)
            }
            Self::BoxPruning | Self::BucketPruning | Self::KdSweep => pruning::about(self),
            Self::Grid | Self::HashGrid | Self::HierGrid => grid::about(self),
            Self::Quadtree
            | Self::LooseQuadtree
            | Self::Octree
            | Self::LooseOctree
            | Self::KdTree
            | Self::BinaryKdTree
            | Self::Bsp => partition::about(self),
            Self::Dbvt | Self::Bvh | Self::BvhRefit => bvh::about(self),
            Self::Auto => auto::about(),
        }
    }

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Do the pairs have to pass an oriented-box test?
    #[must_use]
    pub fn uses_oriented_boxes(self) -> bool {
        matches!(self, Self::Obb | Self::SapObb)
    }

    /// The method at work, with its default options.
    #[must_use]
    pub fn broad_phase<const D: usize>(self) -> Box<dyn BroadPhase<D>> {
        self.broad_phase_with(&BroadPhaseOptions::default())
    }

    fn broad_phase_with<const D: usize>(self, options: &BroadPhaseOptions) -> Box<dyn BroadPhase<D>> {
        match self {
            Self::None | Self::Aabb | Self::Sphere | Self::Obb => brute::broad_phase(self, options),
            Self::Sap | Self::SapObb | Self::DirectSap | Self::IncrementalSap | Self::MultiSap => {
                sap::broad_phase(self, options)
            }
            Self::BoxPruning | Self::BucketPruning | Self::KdSweep => pruning::broad_phase(self, options),
            Self::Grid | Self::HashGrid | Self::HierGrid => grid::broad_phase(self, options),
            Self::Quadtree
            | Self::LooseQuadtree
            | Self::Octree
            | Self::LooseOctree
            | Self::KdTree
            | Self::BinaryKdTree
            | Self::Bsp => partition::broad_phase(self, options),
            Self::Dbvt | Self::Bvh | Self::BvhRefit => bvh::broad_phase(self, options),
            Self::Auto => auto::broad_phase(),
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

    /// Names are accepted in any case, so that Fingsics' `SAPOBB` works.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|method| method.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

/// A method with options and refinement: `NAME[?key=value&…][+REFINEMENT]`, for example
/// `grid?cell=2+obb`.
///
/// ```
/// use carom_broadphase::{Choice, Space};
/// let choice: Choice = "grid?cell=2+sphere".parse()?;
/// assert_eq!(choice.to_string(), "grid?cell=2+sphere");
/// let space = Space::<3>::with_broad_phase(choice.broad_phase());
/// # Ok::<(), carom_broadphase::ChoiceError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Choice {
    /// What finds the pairs.
    pub method: Method,
    /// Its options.
    pub options: BroadPhaseOptions,
    /// A second, tighter test.
    pub refinement: Option<Refinement>,
}

impl From<Method> for Choice {
    fn from(method: Method) -> Self {
        Self { method, ..Self::default() }
    }
}

impl Choice {
    /// The method at work.
    #[must_use]
    pub fn broad_phase<const D: usize>(&self) -> Box<dyn BroadPhase<D>> {
        let broad_phase = self.method.broad_phase_with(&self.options);
        match self.refinement {
            Some(refinement) => Box::new(refine::Refined::new(broad_phase, refinement)),
            None => broad_phase,
        }
    }
}

carom_core::error_type! {
    /// Why a text names no choice.
    #[derive(Clone, Debug, PartialEq)]
    pub enum ChoiceError {
        /// No such method.
        #[error(transparent)]
        Method(#[from] UnknownMethod),
        /// A bad option.
        #[error(transparent)]
        Option(#[from] OptionError),
        /// No such refinement.
        #[error("unknown refinement '{name}': expected one of {}", Refinement::ALL.map(Refinement::name).join(", "))]
        Refinement {
            /// The name given.
            name: String,
        },
    }
}

impl FromStr for Choice {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (rest, refinement) = match text.split_once('+') {
            None => (text, None),
            Some((rest, name)) => {
                let found = Refinement::ALL.into_iter().find(|r| r.name().eq_ignore_ascii_case(name));
                (rest, Some(found.ok_or_else(|| ChoiceError::Refinement { name: name.to_owned() })?))
            }
        };
        let (name, options) = rest.split_once('?').unwrap_or((rest, ""));
        let method: Method = name.parse()?;
        let options = BroadPhaseOptions::parse(options, method)?;
        Ok(Self { method, options, refinement })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let refinement = self.refinement.map_or(String::new(), |r| format!("+{}", r.name()));
        f.pad(&format!("{}{}{refinement}", self.method.name(), self.options))
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
        assert!(error.starts_with("unknown broad phase 'sapp': expected one of none, aabb, "), "{error}");
    }

    #[test]
    fn choices_are_read_back() {
        for text in [
            "sap",
            "aabb?lanes=1",
            "grid?cell=2",
            "dbvt?margin=0.1+obb",
            "bvh+kdop26",
            "direct-sap?sort=full&pairs=hash",
        ] {
            assert_eq!(text.parse::<Choice>().unwrap().to_string(), text);
        }
        let message = |text: &str| text.parse::<Choice>().unwrap_err().to_string();
        assert_eq!(
            message("sap+oob"),
            "unknown refinement 'oob': expected one of sphere, obb, kdop14, kdop18, kdop26"
        );
        assert_eq!(message("sap?cell=2"), "broad phase 'sap' takes no option 'cell': it takes none");
        assert_eq!(message("aabb?lanes=2"), "option 'lanes' is '2': expected one of 1, 8");
        assert_eq!(
            message("box-pruning?sort=scratch"),
            "option 'sort' is 'scratch': expected one of full, insertion"
        );
        assert_eq!(message("grid?cell=-2"), "option 'cell' is '-2': expected a positive number");
        assert_eq!(
            message("direct-sap?sort=quick"),
            "option 'sort' is 'quick': expected one of full, scratch, insertion"
        );
    }
}
