//! Contacts as bytes: those that are there with what they remember, and the order in which the
//! others will be used again.

use carom_broadphase::Pair;
use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::stored;
use carom_narrowphase::Manifold;
use carom_narrowphase::composite::CompositeCache;
use carom_narrowphase::manifold::PoseRecord;
use carom_narrowphase::pair::PairCache;
use glam::Vec3;

use super::{ActiveManifold, Composite, ContactInfo, Contacts, ManifoldRecord, SeparationBound, StepFlag};
use crate::state::events::ReportedContact;
use crate::state::id::NONE;
use crate::state::impulses::Impulses;

stored!(Impulses {
    normal: [f32; 4],
    friction: Vec3,
    twist: f32,
    rolling: Vec3,
    total_normal: f32,
    total_friction: Vec3,
});
stored!(ManifoldRecord { record: PoseRecord, margin: f32, gap: f32 });
stored!(ContactInfo {
    shapes: [u32; 2],
    bodies: [u32; 2],
    friction: f32,
    restitution: f32,
    level: u8,
    is_touching: bool,
    is_reported: bool,
    is_active: bool,
    is_sensor: bool,
    is_recyclable: bool,
    is_composite: bool,
});

stored!(ActiveManifold {
    contact: u32,
    part: u16,
    points: u16,
    bodies: [u32; 2],
    friction: f32,
    restitution: f32,
    rolling: [f32; 2],
    surface_velocity: Vec3,
    disabled_points: u8,
    level: u8,
    wakes: bool,
    is_driven: bool,
    has_parts: bool,
    is_centred: [bool; 2],
    has_siblings: [bool; 2],
    is_known: StepFlag,
});

/// Takes no bytes: between steps it means nothing.
impl Stored for StepFlag {
    const LEAST: usize = 0;

    fn put(&self, _: &mut Writer) {}

    fn take(_: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self::default())
    }
}

/// Without what the narrow phase only uses while it runs.
impl Stored for Composite {
    const LEAST: usize = CompositeCache::LEAST + 8;

    fn put(&self, out: &mut Writer) {
        self.cache.put(out);
        self.manifolds.put(out);
        self.impulses.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let cache = from.field("cache")?;
        let (manifolds, impulses): (Vec<Manifold>, Vec<Impulses>) =
            (from.field("manifolds")?, from.field("impulses")?);
        if manifolds.len() != impulses.len() {
            let counts = (manifolds.len(), impulses.len());
            return Err(from.refused(format_args!("{} manifolds have {} impulses", counts.0, counts.1)));
        }
        Ok(Self { cache, manifolds, impulses, ..Self::default() })
    }
}

/// Everything of one contact.
struct One {
    info: ContactInfo,
    manifold: Manifold,
    impulses: Impulses,
    memory: PairCache,
    record: Option<ManifoldRecord>,
    composite: Option<Box<Composite>>,
    reported: ReportedContact,
}

impl Default for One {
    /// A contact that has ended.
    fn default() -> Self {
        Self {
            info: ContactInfo {
                shapes: [NONE; 2],
                bodies: [NONE; 2],
                friction: 0.0,
                restitution: 0.0,
                level: 0,
                is_touching: false,
                is_reported: false,
                is_active: false,
                is_sensor: false,
                is_recyclable: false,
                is_composite: false,
            },
            manifold: Manifold::default(),
            impulses: Impulses::default(),
            memory: PairCache::default(),
            record: None,
            composite: None,
            reported: ReportedContact::default(),
        }
    }
}

impl Contacts {
    fn put_one(&self, at: usize, out: &mut Writer) {
        self.infos[at].put(out);
        self.reported[at].put(out);
        match &self.composites[at] {
            Some(composite) => composite.put(out),
            None => {
                self.manifolds[at].put(out);
                self.impulses[at].put(out);
                self.memories[at].put(out);
                self.records[at].put(out);
            }
        }
    }

    fn add(&mut self, one: One) {
        self.infos.push(one.info);
        self.manifolds.push(one.manifold);
        self.impulses.push(one.impulses);
        self.memories.push(one.memory);
        self.records.push(one.record);
        self.composites.push(one.composite);
        self.reported.push(one.reported);
    }
}

fn take_one(from: &mut Reader<'_>) -> Result<One, BytesReadError> {
    let (info, reported): (ContactInfo, ReportedContact) = (from.field("info")?, from.field("reported")?);
    if info.is_composite {
        let composite = from.field("composite")?;
        return Ok(One { info, reported, composite: Some(composite), ..One::default() });
    }
    Ok(One {
        info,
        reported,
        manifold: from.field("manifold")?,
        impulses: from.field("impulses")?,
        memory: from.field("memory")?,
        record: from.field("record")?,
        composite: None,
    })
}

/// Fewest bytes of a pair.
const PAIR: usize = 21;

impl Stored for Contacts {
    const LEAST: usize = 20;

    fn put(&self, out: &mut Writer) {
        (self.infos.len() as u32).put(out);
        for at in 0..self.infos.len() {
            let is_live = self.is_live(at as u32);
            is_live.put(out);
            if is_live {
                self.put_one(at, out);
            }
        }
        self.free.put(out);
        (self.pairs.len() as u32).put(out);
        for ((pair, slot), bound) in self.pairs.iter().zip(&self.slots).zip(&self.separation_bounds) {
            [pair.a, pair.b, *slot].put(out);
            bound.bodies.put(out);
            // They are skipped while their bodies have not come far, or not at all.
            bound.until.is_finite().then_some(bound.until).put(out);
        }
        self.ended.put(out);
        self.changes.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let mut contacts = Self::default();
        for number in 0..from.length(1)? {
            let named = |error: BytesReadError| error.entry(number);
            let is_live = bool::take(from).map_err(named)?;
            contacts.add(if is_live { take_one(from).map_err(named)? } else { One::default() });
        }
        contacts.free = from.field("free")?;
        for number in 0..from.length(PAIR)? {
            let named = |error: BytesReadError| error.entry(number).inside("pairs");
            let [a, b, slot]: [u32; 3] = Stored::take(from).map_err(named)?;
            let bodies = Stored::take(from).map_err(named)?;
            let until: Option<f64> = Stored::take(from).map_err(named)?;
            let until = until.unwrap_or(f64::NEG_INFINITY);
            contacts.pairs.push(Pair { a, b });
            contacts.slots.push(slot);
            contacts.separation_bounds.push(SeparationBound { bodies, until });
        }
        contacts.ended = from.field("ended")?;
        contacts.changes = from.field("changes")?;
        Ok(contacts)
    }
}
