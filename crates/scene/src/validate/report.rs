//! Records problems, and holds the checks of single numbers.
//!
//! Places are passed as `&dyn Display` and formatted only when there is something to report: a
//! scene of 100 000 good bodies allocates nothing here.

use std::fmt::{self, Display};

use super::{Cause, Problem};
use crate::limits;

/// The problems so far.
#[derive(Default)]
pub(super) struct Report {
    pub(super) problems: Vec<Problem>,
}

/// A part of a scene and one of its values, `body "7" shape 0: capsule radius`.
pub(super) struct At<'a>(pub(super) &'a dyn Display, pub(super) &'a str);

impl Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0, self.1)
    }
}

impl Report {
    /// Records a problem.
    pub(super) fn add(&mut self, cause: Cause, place: &dyn Display, value: impl Display, reason: &str) {
        let (place, value) = (place.to_string(), value.to_string());
        self.problems.push(Problem { cause, place, value, reason: reason.to_owned(), hint: None });
    }

    /// Advice for the problem recorded last.
    pub(super) fn hint(&mut self, hint: impl Into<String>) {
        if let Some(problem) = self.problems.last_mut() {
            problem.hint = Some(hint.into());
        }
    }

    /// All values must be finite. True if they are.
    pub(super) fn finite(&mut self, part: &dyn Display, name: &str, values: &[f32]) -> bool {
        match values.iter().find(|value| !value.is_finite()) {
            Some(value) => {
                self.add(Cause::NotFinite, &At(part, name), value, "is not a finite number");
                false
            }
            None => true,
        }
    }

    /// All values must be finite and above zero.
    pub(super) fn positive(&mut self, part: &dyn Display, name: &str, values: &[f32]) {
        if self.finite(part, name, values)
            && let Some(value) = values.iter().find(|value| **value <= 0.0)
        {
            self.add(Cause::OutOfRange, &At(part, name), value, "must be greater than 0");
        }
    }

    /// All values must be finite and not below zero.
    pub(super) fn not_negative(&mut self, part: &dyn Display, name: &str, values: &[f32]) {
        if self.finite(part, name, values)
            && let Some(value) = values.iter().find(|value| **value < 0.0)
        {
            self.add(Cause::OutOfRange, &At(part, name), value, "must not be negative");
        }
    }

    /// A direction must be finite and not zero.
    pub(super) fn direction(&mut self, part: &dyn Display, name: &str, axis: [f32; 3]) {
        if self.finite(part, name, &axis) && axis == [0.0; 3] {
            self.add(Cause::OutOfRange, &At(part, name), Numbers(&axis), "has no direction");
            self.hint("an axis such as [0, 1, 0] points up");
        }
    }

    /// A box or range must not be inside out.
    pub(super) fn ordered(&mut self, part: &dyn Display, name: &str, min: &[f32], max: &[f32]) {
        let finite = self.finite(part, name, min) && self.finite(part, name, max);
        if finite && let Some((low, high)) = min.iter().zip(max).find(|(low, high)| low > high) {
            let place = At(part, name);
            self.add(
                Cause::OutOfRange,
                &place,
                format_args!("minimum {low}"),
                &format!("is above the maximum {high}"),
            );
            self.hint("swap the two");
        }
    }

    /// A list must not be longer than `limit`.
    pub(super) fn at_most(&mut self, place: &dyn Display, count: usize, limit: usize) {
        if count > limit {
            self.add(Cause::TooMany, place, count, &format!("is more than the limit of {limit}"));
        }
    }

    /// A name must not be empty or very long.
    pub(super) fn name(&mut self, place: &dyn Display, name: &str) {
        if name.is_empty() {
            self.add(Cause::OutOfRange, place, "\"\"", "is no id");
            self.hint("leave the id out to use the index");
        }
        self.short_name(place, name);
    }

    /// A name must not be very long.
    pub(super) fn short_name(&mut self, place: &dyn Display, name: &str) {
        if name.len() > limits::MAX_NAME_BYTES {
            let length = format_args!("{} bytes", name.len()).to_string();
            self.add(Cause::TooMany, place, length, &format!("are more than {}", limits::MAX_NAME_BYTES));
        }
    }
}

/// Several numbers, `[0, 1, 0]`.
pub(super) struct Numbers<'a>(pub(super) &'a [f32]);

impl Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, value) in self.0.iter().enumerate() {
            write!(f, "{}{value}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str("]")
    }
}
