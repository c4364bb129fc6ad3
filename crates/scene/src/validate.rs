//! All problems of a scene at once.
//!
//! The model holds whatever a file says; this module holds the rules. [`validate`] goes once
//! through the scene, in linear time, and reports everything it finds with place, value and reason,
//! so that a person mends a file in one go. A scene without problems can be built into a world
//! without further questions.
//!
//! | file | rules about |
//! |---|---|
//! | `report.rs` | how a problem is recorded; ranges of numbers |
//! | `body.rs` | bodies and their masses |
//! | `shape.rs` | shapes, materials, mesh paths |
//! | `joint.rs` | joints and motors |
//! | `scene.rs` | settings, fields, events and references between the parts |

mod body;
mod joint;
mod report;
mod scene;
mod shape;

#[cfg(test)]
mod tests;

use std::fmt;

use crate::model::Scene;

/// What sort of rule is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A number is infinite or not a number.
    NotFinite,
    /// A number or a list is outside its range.
    OutOfRange,
    /// A name that must be unique is not.
    Duplicate,
    /// A reference to a body or joint that is not there.
    Unknown,
    /// Two parts do not go together, or one is missing.
    Inconsistent,
    /// More than [`crate::limits`] allows.
    TooMany,
    /// A path that leads out of the scene's folder.
    Path,
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What sort of rule.
    pub cause: Cause,
    /// Where, such as `body "7" shape 0: capsule radius`.
    pub place: String,
    /// The value found.
    pub value: String,
    /// Why it is wrong.
    pub reason: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {}", self.place, self.value, self.reason)
    }
}

/// Everything that is wrong with a scene, in the order of its parts; empty if nothing is.
#[must_use]
pub fn validate(scene: &Scene) -> Vec<Problem> {
    let mut report = report::Report::default();
    scene::check(scene, &mut report);
    report.problems
}
