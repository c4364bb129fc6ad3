//! Which version of Fingsics' rules to follow, and which of its quirks to keep.

use crate::narrow_phase::Quirks;
use crate::obb::ParallelEdges;

/// Highest linear speed under the newer rules, m/s.
pub(crate) const MAX_SPEED: f32 = 50.0;
/// Highest angular speed under the newer rules, rad/s.
pub(crate) const MAX_ANGULAR_SPEED: f32 = 10.0;

/// A set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Cap speeds at 50 m/s and 10 rad/s whenever they change.
    pub speed_caps: bool,
    /// Let a contact act whose depth equals that of the step before, not only one that grew.
    pub equal_depths_act: bool,
    /// Quirks of the narrow phase.
    pub quirks: Quirks,
    /// Fingsics' oriented boxes: those of tiles twice too large in both directions, and no
    /// tolerance where edges are nearly parallel, so that now and then a real contact is missed.
    /// Only the methods with oriented boxes notice.
    pub obb_quirk: bool,
}

impl Rules {
    /// The newest version of Fingsics, fixed where that changes none of its results.
    pub const NEWEST: Self =
        Self { speed_caps: true, equal_depths_act: false, quirks: Quirks::HARMLESS_FIXED, obb_quirk: false };

    /// The version of September 2021: no speed caps, equal depths act. Its published results depend
    /// on two of the narrow phase's quirks, so they are all kept.
    pub const SEPTEMBER_2021: Self =
        Self { speed_caps: false, equal_depths_act: true, quirks: Quirks::KEPT, ..Self::NEWEST };
}

impl Rules {
    pub(crate) fn parallel_edges(&self) -> ParallelEdges {
        if self.obb_quirk { ParallelEdges::Trust } else { ParallelEdges::Widen }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::NEWEST
    }
}
