//! Why a world refused something.

use carom_geometry::shape::ShapeMassError;

carom_core::error_type! {
    /// Why a world refused something. Nothing has changed then.
    #[derive(Clone, Debug, PartialEq)]
    pub enum WorldError {
        /// The id names nothing, or no longer.
        #[error("{id} is not in this world: it was removed, or belongs to another world")]
        Stale {
            /// The id as it prints.
            id: String,
        },
        /// A number that no body can have.
        #[error("{what} of {id} cannot be {value}: {hint}")]
        Value {
            /// Whose it is.
            id: String,
            /// Which number.
            what: &'static str,
            /// The value as it prints.
            value: String,
            /// What it should be.
            hint: &'static str,
        },
        /// The shapes of a body that forces should move have no mass.
        #[error(
            "a dynamic body needs a mass above 0, and its shapes make {mass} kg: give a density or a mass, or make it static"
        )]
        NoMass {
            /// What they make.
            mass: f32,
        },
        /// A shape has no volume to compute a mass from.
        #[error("shape {shape} of a dynamic body: {reason}; give the body's mass, or make it static")]
        ShapeMass {
            /// Which shape of the body.
            shape: usize,
            /// Why.
            reason: ShapeMassError,
        },
        /// More shapes than ids.
        #[error("a world holds at most {limit} {what}")]
        Full {
            /// Of what.
            what: &'static str,
            /// How many.
            limit: u32,
        },
        /// One of many was refused, and so all were.
        #[error("body {index} of the batch: {reason}")]
        InBatch {
            /// Which, from 0.
            index: usize,
            /// Why.
            reason: Box<Self>,
        },
        /// More pairs of AABBs overlap than the world may have.
        #[error(
            "more than {limit} pairs of bodies are near each other: spread them, remove some, or raise WorldDef::max_pairs"
        )]
        TooManyPairs {
            /// How many there may be.
            limit: usize,
        },
        /// A step of no sensible length.
        #[error("a step cannot take {dt} s: give a number above 0 and at most 1")]
        TimeStep {
            /// The length.
            dt: f32,
        },
    }
}

impl WorldError {
    pub(crate) fn stale(id: impl std::fmt::Display) -> Self {
        Self::Stale { id: id.to_string() }
    }

    pub(crate) fn value(
        id: impl std::fmt::Display,
        what: &'static str,
        value: impl std::fmt::Debug,
        hint: &'static str,
    ) -> Self {
        Self::Value { id: id.to_string(), what, value: format!("{value:?}"), hint }
    }
}
