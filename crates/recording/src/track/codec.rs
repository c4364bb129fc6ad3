//! Frames of one chunk to bytes and back.
//!
//! A frame is its stamp, the numbers of its bodies unless they are those of the frame before, and
//! one [`Group`] after the other. Writer and reader carry the same past along; it begins anew with
//! each chunk, so that a chunk needs nothing but itself and the header.

use carom_geometry::bytes::{BytesReadError, Reader, Stored};

use super::column::NEWCOMER;
use super::frame::{Contact, Event, EventKind, Frame, Stamp};
use super::group::Group;
use super::header::{Header, PositionKind, RotationKind};
use super::pack::{BLOCK, pack_block, unpack_block};

/// The past that predictions are made from.
#[derive(Debug)]
pub(super) struct Codec {
    header: Header,
    /// Is there no frame yet in this chunk?
    is_fresh: bool,
    bodies: Vec<u32>,
    /// Places of bodies that were not in the frame before.
    newcomers: Vec<u32>,
    /// Place of each body in the frame before.
    places: Vec<u32>,
    singles: Group<f32, 3>,
    doubles: Group<f64, 3>,
    quaternions: Group<f32, 4>,
    rows: Group<f32, 9>,
    velocities: Group<f32, 6>,
    contact_bodies: Group<u32, 2>,
    contact_points: Group<f64, 3>,
    /// Normal, depth, impulse.
    contact_rest: Group<f32, 5>,
    /// Kind and bodies.
    event_bodies: Group<u32, 3>,
    event_strengths: Group<f32, 1>,
}

impl Codec {
    /// For frames of a recording with this header; its names and its scene do not matter here.
    pub(super) fn new(header: &Header) -> Self {
        let [position, rotation, velocity] = header.precision.steps();
        Self {
            header: Header { names: Vec::new(), scene: Vec::new(), about: String::new(), ..header.clone() },
            is_fresh: true,
            bodies: Vec::new(),
            newcomers: Vec::new(),
            places: Vec::new(),
            singles: Group::new(position),
            doubles: Group::new(position),
            quaternions: Group::new(rotation),
            rows: Group::new(rotation),
            velocities: Group::new(velocity),
            contact_bodies: Group::new(None),
            contact_points: Group::new(None),
            contact_rest: Group::new(None),
            event_bodies: Group::new(None),
            event_strengths: Group::new(None),
        }
    }

    /// Begins a chunk.
    pub(super) fn restart(&mut self) {
        self.is_fresh = true;
        self.bodies.clear();
        self.contact_bodies.reset(0);
        self.contact_points.reset(0);
        self.contact_rest.reset(0);
        self.event_bodies.reset(0);
        self.event_strengths.reset(0);
    }

    /// Appends a frame.
    pub(super) fn encode(&mut self, frame: &Frame, out: &mut Vec<u8>) {
        out.extend(frame.stamp.number.to_le_bytes());
        out.extend(frame.stamp.time.to_bits().to_le_bytes());
        out.extend(frame.stamp.state_hash.to_le_bytes());
        let is_other = self.is_fresh || self.bodies != frame.bodies;
        out.push(u8::from(is_other));
        if is_other {
            encode_bodies(&frame.bodies, out);
        }
        self.take_bodies(&frame.bodies, is_other);
        let newcomers = &self.newcomers;
        match self.header.pose.position {
            PositionKind::Single => self.singles.encode(|i| frame.singles[i], newcomers, out),
            PositionKind::Double => self.doubles.encode(|i| frame.doubles[i], newcomers, out),
        }
        match self.header.pose.rotation {
            RotationKind::Quaternion => self.quaternions.encode(|i| frame.quaternions[i], newcomers, out),
            RotationKind::Rows => self.rows.encode(|i| frame.rows[i], newcomers, out),
        }
        if self.header.channels.velocities {
            self.velocities.encode(|i| frame.velocities[i], newcomers, out);
        }
        if self.header.channels.contacts {
            self.encode_contacts(&frame.contacts, out);
        }
        if self.header.channels.events {
            self.encode_events(&frame.events, out);
        }
    }

    /// Reads the next frame into an empty one, which may take at most `budget` bytes unpacked.
    ///
    /// # Errors
    /// Bytes that are missing or mean nothing.
    pub(super) fn decode(
        &mut self,
        from: &mut Reader<'_>,
        frame: &mut Frame,
        budget: u64,
    ) -> Result<(), BytesReadError> {
        frame.stamp = Stamp {
            number: from.field("number")?,
            time: f64::from_bits(from.field("time")?),
            state_hash: from.field("state_hash")?,
        };
        let start = from.at();
        let is_other: bool = from.field("has_bodies")?;
        let per_body = self.header.body_bytes();
        if is_other {
            let count = take_count(from, per_body, budget).map_err(|error| error.inside("bodies"))?;
            decode_bodies(from, count, &mut frame.bodies).map_err(|error| error.inside("bodies"))?;
        } else if self.is_fresh {
            return Err(BytesReadError::of(start, is_other, "the first frame of a chunk names its bodies"));
        } else {
            check_budget(from, self.bodies.len(), per_body, budget)?;
            frame.bodies.extend_from_slice(&self.bodies);
        }
        self.take_bodies(&frame.bodies, is_other);
        let newcomers = &self.newcomers;
        match self.header.pose.position {
            PositionKind::Single => self.singles.decode(from, newcomers, |p| frame.singles.push(p)),
            PositionKind::Double => self.doubles.decode(from, newcomers, |p| frame.doubles.push(p)),
        }
        .map_err(|error| error.inside("positions"))?;
        match self.header.pose.rotation {
            RotationKind::Quaternion => {
                self.quaternions.decode(from, newcomers, |q| frame.quaternions.push(q))
            }
            RotationKind::Rows => self.rows.decode(from, newcomers, |r| frame.rows.push(r)),
        }
        .map_err(|error| error.inside("rotations"))?;
        if self.header.channels.velocities {
            let decoded = self.velocities.decode(from, newcomers, |v| frame.velocities.push(v));
            decoded.map_err(|error| error.inside("velocities"))?;
        }
        if self.header.channels.contacts {
            let decoded = self.decode_contacts(from, &mut frame.contacts, budget);
            decoded.map_err(|error| error.inside("contacts"))?;
        }
        if self.header.channels.events {
            let decoded = self.decode_events(from, &mut frame.events, budget);
            decoded.map_err(|error| error.inside("events"))?;
        }
        Ok(())
    }

    /// The bodies of the frame at hand: whose past is whose, and who has none.
    fn take_bodies(&mut self, bodies: &[u32], is_other: bool) {
        self.newcomers.clear();
        if is_other {
            self.places.clear();
            let mut before = self.bodies.iter().enumerate().peekable();
            for (place, body) in bodies.iter().enumerate() {
                while before.next_if(|(_, known)| **known < *body).is_some() {}
                match before.next_if(|(_, known)| *known == body) {
                    Some((known, _)) => self.places.push(known as u32),
                    None => {
                        self.places.push(NEWCOMER);
                        self.newcomers.push(place as u32);
                    }
                }
            }
            self.bodies.clear();
            self.bodies.extend_from_slice(bodies);
            match self.header.pose.position {
                PositionKind::Single => self.singles.realign(&self.places),
                PositionKind::Double => self.doubles.realign(&self.places),
            }
            match self.header.pose.rotation {
                RotationKind::Quaternion => self.quaternions.realign(&self.places),
                RotationKind::Rows => self.rows.realign(&self.places),
            }
            if self.header.channels.velocities {
                self.velocities.realign(&self.places);
            }
        }
        self.is_fresh = false;
    }

    fn encode_contacts(&mut self, contacts: &[Contact], out: &mut Vec<u8>) {
        out.extend((contacts.len() as u32).to_le_bytes());
        self.contact_bodies.resize(contacts.len());
        self.contact_bodies.encode(|i| contacts[i].bodies, &[], out);
        self.contact_points.resize(contacts.len());
        self.contact_points.encode(|i| contacts[i].point, &[], out);
        self.contact_rest.resize(contacts.len());
        let rest = |i: usize| {
            let Contact { normal: [x, y, z], depth, impulse, .. } = contacts[i];
            [x, y, z, depth, impulse]
        };
        self.contact_rest.encode(rest, &[], out);
    }

    fn decode_contacts(
        &mut self,
        from: &mut Reader<'_>,
        contacts: &mut Vec<Contact>,
        budget: u64,
    ) -> Result<(), BytesReadError> {
        let count = take_count(from, 52, budget)?;
        self.contact_bodies.resize(count);
        self.contact_bodies
            .decode(from, &[], |bodies| contacts.push(Contact { bodies, ..Contact::default() }))?;
        self.contact_points.resize(count);
        let mut each = contacts.iter_mut();
        let give = |point| each.by_ref().take(1).for_each(|contact| contact.point = point);
        self.contact_points.decode(from, &[], give)?;
        self.contact_rest.resize(count);
        let mut each = contacts.iter_mut();
        let give = |[x, y, z, depth, impulse]: [f32; 5]| {
            if let Some(contact) = each.next() {
                *contact = Contact { normal: [x, y, z], depth, impulse, ..*contact };
            }
        };
        self.contact_rest.decode(from, &[], give)
    }

    fn encode_events(&mut self, events: &[Event], out: &mut Vec<u8>) {
        out.extend((events.len() as u32).to_le_bytes());
        self.event_bodies.resize(events.len());
        let bodies = |i: usize| [events[i].kind as u32, events[i].bodies[0], events[i].bodies[1]];
        self.event_bodies.encode(bodies, &[], out);
        self.event_strengths.resize(events.len());
        self.event_strengths.encode(|i| [events[i].strength], &[], out);
    }

    fn decode_events(
        &mut self,
        from: &mut Reader<'_>,
        events: &mut Vec<Event>,
        budget: u64,
    ) -> Result<(), BytesReadError> {
        let start = from.at();
        let count = take_count(from, 16, budget)?;
        self.event_bodies.resize(count);
        let mut unknown = None;
        self.event_bodies.decode(from, &[], |[kind, a, b]| match EventKind::of_number(kind) {
            Some(kind) => events.push(Event { kind, bodies: [a, b], strength: 0.0 }),
            None => unknown = Some(kind),
        })?;
        if let Some(kind) = unknown {
            return Err(BytesReadError::of(start, kind, "no kind of event has this number"));
        }
        self.event_strengths.resize(count);
        let mut each = events.iter_mut();
        self.event_strengths.decode(from, &[], |[strength]| {
            each.by_ref().take(1).for_each(|event| event.strength = strength);
        })
    }
}

/// Ascending numbers: the gaps between them.
fn encode_bodies(bodies: &[u32], out: &mut Vec<u8>) {
    out.extend((bodies.len() as u32).to_le_bytes());
    let mut next = 0;
    for block in bodies.chunks(BLOCK) {
        let mut gaps = [0u32; BLOCK];
        for (gap, body) in gaps.iter_mut().zip(block) {
            *gap = body - next;
            next = body.wrapping_add(1);
        }
        pack_block(&gaps[..block.len()], out);
    }
}

fn decode_bodies(from: &mut Reader<'_>, count: usize, bodies: &mut Vec<u32>) -> Result<(), BytesReadError> {
    let start = from.at();
    bodies.resize(count, 0);
    // One more than the last number, which has 33 bits in the worst case.
    let mut next = 0u64;
    for block in bodies.chunks_mut(BLOCK) {
        unpack_block(from, block)?;
        for body in block {
            let number = next + u64::from(*body);
            *body = u32::try_from(number)
                .map_err(|_| BytesReadError::of(start, number, "no body has this number"))?;
            next = number + 1;
        }
    }
    Ok(())
}

/// A number of entries that the budget and the bytes that are left allow.
fn take_count(from: &mut Reader<'_>, bytes_each: u64, budget: u64) -> Result<usize, BytesReadError> {
    let count = u32::take(from)? as usize;
    check_budget(from, count, bytes_each, budget)?;
    Ok(count)
}

fn check_budget(from: &Reader<'_>, count: usize, bytes_each: u64, budget: u64) -> Result<(), BytesReadError> {
    let wanted = count as u64 * bytes_each;
    if wanted > budget || count.div_ceil(BLOCK) > from.left() {
        let why = format_args!(
            "{count} entries of {bytes_each} bytes do not fit: {budget} bytes unpacked are announced, {} packed are left",
            from.left()
        );
        return Err(from.refused(why));
    }
    Ok(())
}
