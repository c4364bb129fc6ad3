//! Broken invariants of a world, as data.

use crate::state::definition::BodyKind;
use crate::state::id::{BodyId, JointId, ShapeId};

/// What is wrong with a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactFault {
    /// The list names a slot that does not exist.
    NoSuchSlot,
    /// No list names it.
    Lost,
    /// Several lists name it.
    NamedTwice,
    /// A shape or body of it has been removed.
    DeadShape,
    /// It is not the contact of its pair of boxes, or a shape is not on its body.
    WrongShape,
    /// It has parts and should not, or the other way round.
    Parts,
    /// A normal that is no unit vector, an impulse that is not finite or pulls, or a level of
    /// substeps that is none.
    Numbers,
}

carom_core::error_type! {
    /// A broken invariant, with its place.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Violation {
        /// A number of a body is not finite, or too far out.
        #[error("{body}: {what} is not finite, or too far out")]
        NotFinite {
            /// Whose.
            body: BodyId,
            /// Which number.
            what: &'static str,
        },
        /// The orientation is no unit quaternion.
        #[error("{body}: its orientation is no unit quaternion")]
        Rotation {
            /// Whose.
            body: BodyId,
        },
        /// Masses that do not fit the kind of the body.
        #[error("{body}: its mass does not fit a {kind:?} body")]
        Mass {
            /// Whose.
            body: BodyId,
            /// What it is.
            kind: BodyKind,
        },
        /// Flags that do not fit the kind of the body.
        #[error("{body}: its flags do not fit a {kind:?} body")]
        Flags {
            /// Whose.
            body: BodyId,
            /// What it is.
            kind: BodyKind,
        },
        /// A row of the solver outlived its step.
        #[error("{body}: it has a row in the solver between steps")]
        Row {
            /// Whose.
            body: BodyId,
        },
        /// A shape reaches farther than its body knows.
        #[error("{shape}: it reaches farther than {body} knows")]
        Extent {
            /// Which.
            shape: ShapeId,
            /// Whose.
            body: BodyId,
        },
        /// The list of shapes of a body names one that is not its own, or does not end.
        #[error("{body}: its list of shapes goes wrong at slot {slot}")]
        Chain {
            /// Whose list.
            body: BodyId,
            /// Where.
            slot: u32,
        },
        /// A shape that no body names.
        #[error("{shape}: no body names it")]
        Orphan {
            /// Which.
            shape: ShapeId,
        },
        /// A shape has no box in the broad phase, or the box of another.
        #[error("{shape}: it has no box of its own in the broad phase")]
        NoBox {
            /// Which.
            shape: ShapeId,
        },
        /// A shape is not within its box.
        #[error("{shape}: it is not within its box")]
        OutOfBox {
            /// Which.
            shape: ShapeId,
        },
        /// The broad phase pairs it with others than its layers say.
        #[error("{shape}: the broad phase knows other layers of it")]
        Filter {
            /// Which.
            shape: ShapeId,
        },
        /// A shape takes part though it or its body is disabled, or the other way round.
        #[error("{shape}: it takes part though it is disabled, or the other way round")]
        Enabled {
            /// Which.
            shape: ShapeId,
        },
        /// A target of a body that is not kinematic, or out of order.
        #[error("slot {slot} has a target and is not kinematic, or has it in the wrong place")]
        Target {
            /// Whose.
            slot: u32,
        },
        /// The list of the awake is not that of the flags.
        #[error("the list of awake bodies does not fit slot {slot}")]
        AwakeList {
            /// Where.
            slot: u32,
        },
        /// Arrays of contacts of different lengths.
        #[error("{infos} contacts have arrays of the lengths {others:?}")]
        ContactArrays {
            /// Contacts.
            infos: usize,
            /// Lengths.
            others: Vec<usize>,
        },
        /// The contacts do not run parallel to the pairs.
        #[error("{contacts} contacts do not fit {pairs} pairs of boxes")]
        ContactPairs {
            /// Contacts in the list.
            contacts: usize,
            /// Pairs of the broad phase.
            pairs: usize,
        },
        /// A contact that is wrong.
        #[error("contact {contact}: {fault:?}")]
        Contact {
            /// Its slot.
            contact: u32,
            /// What is wrong.
            fault: ContactFault,
        },
        /// The list of joints of a body names one that is not its own, or does not end.
        #[error("{body}: its list of joints goes wrong at slot {slot}")]
        JointChain {
            /// Whose list.
            body: BodyId,
            /// Where.
            slot: u32,
        },
        /// What the last step left names something that is not there.
        #[error("the last step left something of {what} {slot}, which is not there")]
        Trace {
            /// Contact or shape.
            what: &'static str,
            /// Its slot.
            slot: u32,
        },
        /// A joint that is wrong.
        #[error("{joint}: {what}")]
        Joint {
            /// Which.
            joint: JointId,
            /// What is wrong.
            what: &'static str,
        },
    }
}
