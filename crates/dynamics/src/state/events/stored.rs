//! Events as bytes: those of the last step, and those that wait for the next. Ids are read as they
//! are: whoever looks up a stale one gets an error.

use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::stored;
use glam::{DVec3, Vec3};

use super::super::id::{BodyId, ShapeId};
use super::{ContactForceEvent, Ended, Events, HitEvent, ReportedContact, SensorEvent, TouchEvent};

stored!(ReportedContact { approach: f32 });
stored!(Ended { shapes: [u32; 2], is_sensor: bool });
stored!(TouchEvent { shapes: [ShapeId; 2], bodies: [BodyId; 2] });
stored!(SensorEvent { sensor: ShapeId, visitor: ShapeId, sensor_body: BodyId, visitor_body: BodyId });
stored!(HitEvent {
    shapes: [ShapeId; 2],
    bodies: [BodyId; 2],
    point: DVec3,
    normal: Vec3,
    approach: f32,
    impulse: f32,
});

stored!(ContactForceEvent {
    shapes: [ShapeId; 2],
    bodies: [BodyId; 2],
    force: Vec3,
    total_force: f32,
    strongest_force: f32,
    point: DVec3,
    normal: Vec3,
});

impl Stored for Events {
    const LEAST: usize = 40;

    fn put(&self, out: &mut Writer) {
        self.touch_begin.put(out);
        self.touch_end.put(out);
        self.hits.put(out);
        self.contact_forces.put(out);
        self.sensor_begin.put(out);
        self.sensor_end.put(out);
        self.slept.put(out);
        self.woken.put(out);
        self.pending.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self {
            touch_begin: from.field("touch_begin")?,
            touch_end: from.field("touch_end")?,
            hits: from.field("hits")?,
            contact_forces: from.field("contact_forces")?,
            sensor_begin: from.field("sensor_begin")?,
            sensor_end: from.field("sensor_end")?,
            slept: from.field("slept")?,
            woken: from.field("woken")?,
            pending: from.field("pending")?,
        })
    }
}
