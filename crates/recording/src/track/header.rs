//! What a recording says of itself before its first frame.

use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer as Bytes};

/// In which precision positions are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionKind {
    /// `f32`, for simulations whose positions are.
    Single,
    /// `f64`.
    #[default]
    Double,
}

/// In which form rotations are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RotationKind {
    /// Quaternions x, y, z, w.
    #[default]
    Quaternion,
    /// Matrices by rows.
    Rows,
}

/// The form of poses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoseKind {
    /// Of positions.
    pub position: PositionKind,
    /// Of rotations.
    pub rotation: RotationKind,
}

/// What is recorded beside poses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channels {
    /// Linear and angular velocities.
    pub velocities: bool,
    /// Contacts.
    pub contacts: bool,
    /// Events.
    pub events: bool,
}

/// How exactly poses and velocities are recorded; contacts and events always are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Precision {
    /// To the bit.
    #[default]
    Exact,
    /// On grids. A frame with numbers that have no place there (infinite, not a number, more than
    /// 2³¹ steps out) is exact.
    Quantised {
        /// Step of positions in metres: a coordinate is off by at most half of it.
        position: f64,
        /// A rotation is off by at most this angle in radians, from 0.00001 to 0.5. Quaternions
        /// come back with a length that differs from theirs by at most half of it.
        rotation: f64,
        /// Step of velocities in m/s and rad/s: a component is off by at most half of it.
        velocity: f64,
    },
}

impl Precision {
    /// Step of the components of a rotation for an angle. A quaternion whose four components are
    /// each off by half a step is off by a step s, which turns by at most 2·asin(s); the hundredth
    /// that is left takes the rounding to `f32` and the curve of the arc sine.
    const ROTATION_SHARE: f64 = 0.49;

    /// Steps of positions, rotations, velocities.
    pub(super) fn steps(self) -> [Option<f64>; 3] {
        match self {
            Self::Exact => [None; 3],
            Self::Quantised { position, rotation, velocity } => {
                [Some(position), Some(rotation * Self::ROTATION_SHARE), Some(velocity)]
            }
        }
    }

    /// The first step that cannot be: its name, value and what it should be.
    pub(super) fn fault(self) -> Option<(&'static str, f64, &'static str)> {
        let Self::Quantised { position, rotation, velocity } = self else { return None };
        let is_step = |step: f64| step.is_normal() && step > 0.0;
        let hint = "a step must be a number above 0";
        if !is_step(position) {
            return Some(("position", position, hint));
        }
        if !(1e-5..=0.5).contains(&rotation) {
            return Some(("rotation", rotation, "the angle must be between 0.00001 and 0.5 radians"));
        }
        (!is_step(velocity)).then_some(("velocity", velocity, hint))
    }
}

/// What a recording says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Steps per simulated second.
    pub steps_per_second: u32,
    /// Form of poses.
    pub pose: PoseKind,
    /// What is recorded beside them.
    pub channels: Channels,
    /// How exactly.
    pub precision: Precision,
    /// Names of the bodies, by number.
    pub names: Vec<String>,
    /// The scene in its binary form ([`carom_scene::native::write_binary`]), or nothing.
    pub scene: Vec<u8>,
    /// Any text, for instance how the run was made.
    pub about: String,
}

impl Header {
    /// Unpacked bytes per body and frame, its number included.
    pub(super) fn body_bytes(&self) -> u64 {
        let position = match self.pose.position {
            PositionKind::Single => 12,
            PositionKind::Double => 24,
        };
        let rotation = match self.pose.rotation {
            RotationKind::Quaternion => 16,
            RotationKind::Rows => 36,
        };
        4 + position + rotation + if self.channels.velocities { 24 } else { 0 }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Bytes::default();
        self.steps_per_second.put(&mut out);
        u8::from(self.pose.position == PositionKind::Double).put(&mut out);
        u8::from(self.pose.rotation == RotationKind::Rows).put(&mut out);
        [self.channels.velocities, self.channels.contacts, self.channels.events].put(&mut out);
        match self.precision {
            Precision::Exact => false.put(&mut out),
            Precision::Quantised { position, rotation, velocity } => {
                true.put(&mut out);
                [position, rotation, velocity].put(&mut out);
            }
        }
        put_text(&self.about, &mut out);
        put_names(&self.names, &mut out);
        out.list(&self.scene);
        out.into_bytes()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, BytesReadError> {
        let mut from = Reader::new(bytes);
        let from = &mut from;
        let steps_per_second = from.field("steps_per_second")?;
        let position = if from.field("is_double")? { PositionKind::Double } else { PositionKind::Single };
        let rotation = if from.field("has_rows")? { RotationKind::Rows } else { RotationKind::Quaternion };
        let [velocities, contacts, events] = from.field("channels")?;
        let mut precision = Precision::Exact;
        if from.field("is_quantised")? {
            let start = from.at();
            let [position, rotation, velocity] = from.field("steps")?;
            precision = Precision::Quantised { position, rotation, velocity };
            if let Some((name, value, hint)) = precision.fault() {
                return Err(BytesReadError::of(start, value, hint).inside(name));
            }
        }
        let about = take_text(from).map_err(|error| error.inside("about"))?;
        let names = take_names(from).map_err(|error| error.inside("names"))?;
        let length = from.length(1)?;
        let scene = from.slice(length)?.to_vec();
        if from.left() > 0 {
            return Err(from.refused(format_args!("{} bytes are left over", from.left())));
        }
        let pose = PoseKind { position, rotation };
        let channels = Channels { velocities, contacts, events };
        Ok(Self { steps_per_second, pose, channels, precision, names, scene, about })
    }
}

fn put_text(text: &str, out: &mut Bytes) {
    (text.len() as u32).put(out);
    out.raw(text.as_bytes());
}

fn take_text(from: &mut Reader<'_>) -> Result<String, BytesReadError> {
    let length = from.length(1)?;
    let start = from.at();
    let bytes = from.slice(length)?;
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            Err(BytesReadError::of(start + error.valid_up_to(), bytes[error.valid_up_to()], "no UTF-8 text"))
        }
    }
}

/// Writes names of bodies.
pub(super) fn put_names(names: &[String], out: &mut Bytes) {
    (names.len() as u32).put(out);
    for name in names {
        put_text(name, out);
    }
}

/// Reads names of bodies.
///
/// # Errors
/// Bytes that are missing, or no text.
pub(super) fn take_names(from: &mut Reader<'_>) -> Result<Vec<String>, BytesReadError> {
    // A name takes at least the four bytes of its length.
    let count = from.length(4)?;
    (0..count).map(|number| take_text(from).map_err(|error| error.entry(number))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            steps_per_second: 60,
            pose: PoseKind { position: PositionKind::Single, rotation: RotationKind::Rows },
            channels: Channels { velocities: true, contacts: false, events: true },
            precision: Precision::Quantised { position: 1e-4, rotation: 1e-3, velocity: 1e-3 },
            names: vec!["floor".to_owned(), String::new(), "Kügelchen".to_owned()],
            scene: vec![1, 2, 3],
            about: "{}".to_owned(),
        }
    }

    #[test]
    fn a_header_reads_back_and_every_shorter_one_is_refused() {
        for header in [header(), Header::default()] {
            let bytes = header.to_bytes();
            assert_eq!(Header::from_bytes(&bytes), Ok(header));
            for length in 0..bytes.len() {
                assert!(Header::from_bytes(&bytes[..length]).is_err(), "cut at {length}");
            }
            let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
            assert!(Header::from_bytes(&longer).is_err());
        }
    }

    #[test]
    fn steps_that_cannot_be_are_named() {
        let of = |position, rotation, velocity| Precision::Quantised { position, rotation, velocity }.fault();
        assert_eq!(of(1.0, 0.5, 1.0), None);
        assert_eq!(of(0.0, 0.5, 1.0).map(|fault| fault.0), Some("position"));
        assert_eq!(of(1.0, f64::NAN, 1.0).map(|fault| fault.0), Some("rotation"));
        assert_eq!(of(1.0, 0.5, f64::INFINITY).map(|fault| fault.0), Some("velocity"));
    }
}
