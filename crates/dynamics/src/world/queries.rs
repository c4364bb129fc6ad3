//! Questions to a world: what does a ray hit, what does a shape hit on its way, what is here, what
//! is nearest?
//!
//! | module | answers |
//! |---|---|
//! | [`ray`] | what a ray hits: the first, or everything in order |
//! | [`cast`] | what a shape of any kind hits on its way |
//! | [`overlap`] | which shapes a shape, box or point meets |
//! | [`closest`] | which shape is nearest to a point |
//!
//! Every shape is asked itself; its box in the broad phase only rules it out. Positions are in
//! `f64`, and the question is asked near the shape and in its frame, so answers are as good a
//! hundred kilometres from the origin as at home. Queries are right at any time between steps,
//! whatever was inserted, moved or removed since the last one: they read the world and change
//! nothing.
//!
//! What is found does not depend on the broad phase, and of equals the one with the lower slot
//! comes first. Shapes that are disabled, or on a disabled body, are not found. Input that is not
//! finite finds nothing. Surfaces (meshes, height fields) have no inside.

pub mod cast;
pub mod closest;
pub mod overlap;
pub mod ray;

use std::fmt;

use carom_geometry::{Aabb, Pose, Rotation};
use glam::DVec3;

use super::World;
use crate::state::definition::Layers;
use crate::state::id::{BodyId, ShapeId};
use crate::state::shapes::ShapeRow;

/// Whether sensors are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sensors {
    /// They are passed over.
    #[default]
    Ignore,
    /// They are found like everything else.
    Include,
    /// Only they are found.
    Only,
}

/// What a query looks at: by default everything but sensors.
///
/// ```
/// use carom_dynamics::{QueryFilter, ShapeId};
/// let even = |shape: ShapeId| shape.index() % 2 == 0;
/// let filter = QueryFilter::default().layers(1, 0b110).predicate(&even);
/// assert_eq!(filter.layers.map(|layers| layers.mask), Some(0b110));
/// ```
#[derive(Clone, Copy, Default)]
pub struct QueryFilter<'a> {
    /// Layers of the question, which meets a shape as another shape of these layers would; `None`
    /// meets all.
    pub layers: Option<Layers>,
    /// A body whose shapes are passed over.
    pub exclude: Option<BodyId>,
    /// Whether sensors are found.
    pub sensors: Sensors,
    /// Shapes of which it is false are passed over. Asked of shapes near the question, in no useful
    /// order.
    pub predicate: Option<&'a (dyn Fn(ShapeId) -> bool + Sync)>,
}

impl fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryFilter")
            .field("layers", &self.layers)
            .field("exclude", &self.exclude)
            .field("sensors", &self.sensors)
            .field("predicate", &self.predicate.map(|_| "…"))
            .finish()
    }
}

impl<'a> QueryFilter<'a> {
    /// As a shape in these layers that collides with that mask.
    #[must_use]
    pub fn layers(mut self, category: u32, mask: u32) -> Self {
        self.layers = Some(Layers { category, mask, group: 0 });
        self
    }

    /// Not this body.
    #[must_use]
    pub fn exclude(mut self, body: BodyId) -> Self {
        self.exclude = Some(body);
        self
    }

    /// Whether sensors are found.
    #[must_use]
    pub fn sensors(mut self, sensors: Sensors) -> Self {
        self.sensors = sensors;
        self
    }

    /// Only shapes of which this is true.
    #[must_use]
    pub fn predicate(mut self, predicate: &'a (dyn Fn(ShapeId) -> bool + Sync)) -> Self {
        self.predicate = Some(predicate);
        self
    }

    fn admits(&self, world: &World, slot: u32, row: &ShapeRow) -> Option<Found> {
        let wanted = match self.sensors {
            Sensors::Ignore => !row.is_sensor,
            Sensors::Include => true,
            Sensors::Only => row.is_sensor,
        };
        if !wanted || !row.is_enabled {
            return None;
        }
        let shape: ShapeId = world.state.shapes.cold.id_of(slot)?;
        let body: BodyId = world.state.bodies.cold.id_of(row.body)?;
        if self.exclude == Some(body) {
            return None;
        }
        if let Some(mine) = self.layers {
            let theirs = world.state.shapes.cold.get(slot)?.layers;
            if !mine.admit(&theirs) {
                return None;
            }
        }
        self.predicate.is_none_or(|is_wanted| is_wanted(shape)).then_some(Found { shape, body })
    }
}

/// A shape that a filter admits.
#[derive(Clone, Copy, Debug)]
struct Found {
    shape: ShapeId,
    body: BodyId,
}

/// Where a shape is: a point in `f64` and a rotation.
#[derive(Clone, Copy, Debug)]
struct Place {
    position: DVec3,
    rotation: Rotation,
}

impl Place {
    /// A place as seen from this one.
    fn seen(&self, position: DVec3, rotation: Rotation) -> Pose {
        let between = (position - self.position).as_vec3();
        Pose::new(self.rotation.rotate_back(between), self.rotation.inverse() * rotation)
    }

    /// The world coordinates of a local point.
    fn apply(&self, point: glam::Vec3) -> DVec3 {
        self.position + self.rotation.rotate(point).as_dvec3()
    }
}

/// A box of the broad phase in `f64`, where it is exact.
fn exact(aabb: &Aabb<3>) -> Aabb<3, f64> {
    Aabb { min: aabb.min.map(f64::from), max: aabb.max.map(f64::from) }
}

impl World {
    /// Where a shape is in the world.
    fn shape_pose(&self, row: &ShapeRow) -> Place {
        let motion = &self.state.bodies.motion[row.body as usize];
        let offset = motion.rotation.rotate(row.local_pose.translation);
        Place {
            position: motion.position + offset.as_dvec3(),
            rotation: motion.rotation * row.local_pose.rotation,
        }
    }

    /// Calls `ask` with every shape that the filter admits and of whose box `enter` is true, each
    /// at least once.
    fn ask_all(
        &self,
        filter: &QueryFilter<'_>,
        enter: impl Fn(&Aabb<3, f64>) -> bool,
        mut ask: impl FnMut(&Aabb<3, f64>, &ShapeRow, Found),
    ) {
        self.state.space.walk(&mut |volume| enter(&exact(volume)), &mut |proxy| {
            let aabb = exact(self.state.space.table().aabb(proxy));
            if enter(&aabb)
                && let Some((row, found)) = self.admitted(proxy, filter)
            {
                ask(&aabb, row, found);
            }
        });
    }

    /// Calls `ask` with shapes that the filter admits from near to far, roughly: with each that is
    /// not farther off than `limit`, with how far off its box is. Both functions may say less when
    /// something was found.
    fn ask_nearest(
        &self,
        filter: &QueryFilter<'_>,
        near: impl Fn(&Aabb<3, f64>) -> Option<f64>,
        limit: impl Fn() -> f64,
        mut ask: impl FnMut(f64, &ShapeRow, Found),
    ) {
        self.state.space.walk_near(&mut |volume| near(&exact(volume)), &mut |proxy| {
            let far = near(&exact(self.state.space.table().aabb(proxy)));
            if let Some(far) = far.filter(|far| *far <= limit())
                && let Some((row, found)) = self.admitted(proxy, filter)
            {
                ask(far, row, found);
            }
            limit()
        });
    }

    /// The shape of a box, if the filter admits it.
    fn admitted(&self, proxy: u32, filter: &QueryFilter<'_>) -> Option<(&ShapeRow, Found)> {
        let slot = self.state.shapes.of_proxy(proxy);
        let row = &self.state.shapes.rows[slot as usize];
        Some((row, filter.admits(self, slot, row)?))
    }
}
