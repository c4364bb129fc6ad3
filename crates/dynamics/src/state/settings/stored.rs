//! Settings as bytes: all that results depend on. Threads, SIMD width and clock are those of the
//! machine that reads them.

use std::fmt::Display;
use std::str::FromStr;

use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};

use super::WorldDef;

/// More substeps are no world but an attempt to keep somebody busy.
const MOST_SUBSTEPS: u32 = 1024;

fn put_text(value: impl Display, out: &mut Writer) {
    value.to_string().into_bytes().put(out);
}

fn take_text<T: FromStr>(name: &'static str, from: &mut Reader<'_>) -> Result<T, BytesReadError>
where
    T::Err: Display,
{
    let start = from.at();
    let bytes: Vec<u8> = from.field(name)?;
    let text = String::from_utf8_lossy(&bytes);
    let unknown = || BytesReadError::of(start, &text, "there is no such method").inside(name);
    text.parse().map_err(|_| unknown())
}

impl Stored for WorldDef {
    const LEAST: usize = 82;

    fn put(&self, out: &mut Writer) {
        self.gravity.put(out);
        self.substeps.put(out);
        let lengths = [self.speculative_distance, self.slop];
        let stiffness = [self.contact_hertz, self.contact_damping, self.joint_hertz, self.joint_damping];
        let limits = [
            self.max_contact_push_speed,
            self.restitution_threshold,
            self.sleep_speed,
            self.sleep_time,
            self.hit_event_threshold,
        ];
        for number in lengths.into_iter().chain(stiffness).chain(limits) {
            out.unbounded(number);
        }
        [self.can_sleep, self.events].put(out);
        put_text(self.solver, out);
        put_text(self.broad, out);
        put_text(self.narrow, out);
        (self.max_pairs as u64).put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let mut def = Self { gravity: from.field("gravity")?, ..Self::default() };
        let start = from.at();
        def.substeps = from.field("substeps")?;
        if !(1..=MOST_SUBSTEPS).contains(&def.substeps) {
            return Err(BytesReadError::of(start, def.substeps, "give 1 to 1024").inside("substeps"));
        }
        for (name, number) in [
            ("speculative_distance", &mut def.speculative_distance),
            ("slop", &mut def.slop),
            ("contact_hertz", &mut def.contact_hertz),
            ("contact_damping", &mut def.contact_damping),
            ("joint_hertz", &mut def.joint_hertz),
            ("joint_damping", &mut def.joint_damping),
        ] {
            *number = from.number(name, 0.0, f32::MAX)?;
        }
        for (name, number) in [
            ("max_contact_push_speed", &mut def.max_contact_push_speed),
            ("restitution_threshold", &mut def.restitution_threshold),
            ("sleep_speed", &mut def.sleep_speed),
            ("sleep_time", &mut def.sleep_time),
            ("hit_event_threshold", &mut def.hit_event_threshold),
        ] {
            *number = from.number(name, 0.0, f32::INFINITY)?;
        }
        [def.can_sleep, def.events] = from.field("switches")?;
        def.solver = take_text("solver", from)?;
        def.broad = take_text("broad", from)?;
        def.narrow = take_text("narrow", from)?;
        def.max_pairs = usize::try_from(from.field::<u64>("max_pairs")?).unwrap_or(usize::MAX);
        Ok(def)
    }
}
