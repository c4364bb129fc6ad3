//! Fast bodies do not pass through things.
//!
//! Contact points are sought where bodies are at the beginning of a step, and what moves or turns
//! by more than its own thickness may meet something that was not near any of them. So the ways of
//! such bodies are looked at when all have moved: their cores, which are their shapes shrunk by a
//! little, are swept from where they were to where they are, and a body whose core met something is
//! put back to that moment. It overlaps a little then, keeps its velocity, and the contact is found
//! in the next step. Shapes that lie or slide on something have their cores clear of it, so nothing
//! is held back that contacts can deal with.
//!
//! Fast bodies are swept against what does not give way: static and kinematic bodies. Bullets are
//! swept against everything; two fast bodies of which one is a bullet are swept against each other,
//! and both are put back. Bodies are taken in the order of their slots, bullets last, and of
//! several impacts the earliest counts, so the outcome depends on nothing else. In steps in which
//! nothing is fast, all this is a copy of the places and a look at a flag.

use carom_broadphase::Space;
use carom_geometry::shape::{Capsule, Cuboid, Sphere};
use carom_geometry::{Aabb, Pose, Rotation, Shape};
use carom_narrowphase::toi::{self, Toi, ToiOptions, time_of_impact_of_shapes};
use glam::{DVec3, Vec3};

use super::update_aabbs::UpdateAabbs;
use crate::state::bodies::{Bodies, flag};
use crate::state::context::StepContext;
use crate::state::id::NONE;
use crate::state::joints::Joints;
use crate::state::motion::Motion;
use crate::state::shapes::{ShapeRow, Shapes};
use crate::state::world_state::WorldState;

/// The stage with its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContinuousCollision {
    /// Where every awake body was at the beginning, in the order of [`Bodies::awake`].
    starts: Vec<Start>,
    /// Fast bodies of this step, by their numbers among the awake.
    fast: Vec<u32>,
}

/// Where a body was.
#[derive(Clone, Copy, Debug)]
struct Start {
    position: DVec3,
    rotation: Rotation,
}

/// What the stage reads, and how large differences are that do not matter.
#[derive(Clone, Copy)]
struct Course<'a> {
    shapes: &'a Shapes,
    joints: &'a Joints,
    space: &'a Space<3>,
    slop: f32,
}

/// When on a way.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moment {
    /// Part of the way.
    t: f32,
    /// The body turns on: it was inside from the beginning, and only its middle is held.
    turns: bool,
}

/// The first impact on a way.
#[derive(Clone, Copy, Debug)]
struct CcdHit {
    at: Moment,
    /// Slot of the shape that is met.
    shape: u32,
    /// Slot of its body, if that is put back too.
    other: u32,
}

impl ContinuousCollision {
    /// Notes where everybody is, before anything moves.
    pub(crate) fn remember(&mut self, bodies: &Bodies) {
        self.starts.clear();
        self.starts.extend(bodies.awake.iter().map(|slot| {
            let Motion { position, rotation, .. } = bodies.motion[*slot as usize];
            Start { position, rotation }
        }));
        self.fast.clear();
    }

    /// How many fast bodies there are in this step.
    pub(crate) fn swept(&self) -> u32 {
        self.fast.len() as u32
    }

    /// Puts fast bodies back that went through something; returns how many. Queries between steps
    /// rely on boxes that contain their shapes, and so do bullets: boxes that were left are
    /// rebuilt.
    pub(crate) fn run(
        &mut self,
        context: &StepContext<'_>,
        update_aabbs: &UpdateAabbs,
        state: &mut WorldState,
    ) -> u32 {
        let slop = context.settings.slop;
        let mut stopped = {
            let WorldState { bodies, shapes, joints, space, .. } = &mut *state;
            self.stop(bodies, Course { shapes, joints, space, slop })
        };
        let mut moved = update_aabbs.catch_up(state);
        if self.swept() > 0 {
            let WorldState { bodies, shapes, joints, space, .. } = &mut *state;
            let met = self.stop_bullets(bodies, Course { shapes, joints, space, slop });
            if met > 0 {
                moved += update_aabbs.catch_up(state);
            }
            stopped += met;
        }
        state.is_space_changed |= moved > 0;
        stopped
    }

    /// Finds the fast bodies, and puts those that went through something that does not give way
    /// back. Returns how many.
    fn stop(&mut self, bodies: &mut Bodies, course: Course<'_>) -> u32 {
        // Bodies of which the user may already know that they woke are not in the list.
        for (number, slot) in bodies.awake.iter().enumerate() {
            let state = &bodies.state[*slot as usize];
            if state.flags & (flag::FAST | flag::DYNAMIC) == flag::FAST | flag::DYNAMIC {
                self.fast.push(number as u32);
            }
        }
        if self.fast.is_empty() {
            return 0;
        }
        self.put_back(false, bodies, course)
    }

    /// Puts bullets back that went through anything, and whom they met if that is fast as well.
    /// Returns how many.
    fn stop_bullets(&mut self, bodies: &mut Bodies, course: Course<'_>) -> u32 {
        let is_bullet = |number: &u32| is_bullet(bodies, bodies.awake[*number as usize]);
        let stopped = if self.fast.iter().any(is_bullet) { self.put_back(true, bodies, course) } else { 0 };
        for slot in &bodies.awake {
            bodies.state[*slot as usize].flags &= !flag::FAST;
        }
        stopped
    }

    fn put_back(&self, bullets: bool, bodies: &mut Bodies, course: Course<'_>) -> u32 {
        let mut stopped = 0;
        for &number in &self.fast {
            let slot = bodies.awake[number as usize];
            if is_bullet(bodies, slot) != bullets {
                continue;
            }
            let way = self.way(number as usize, bodies);
            if let Some(met) = course.first_met(self, slot, &way, bullets, bodies) {
                way.put_back(met.at, slot, bodies);
                stopped += 1;
                if met.other != NONE
                    && let Ok(number) = bodies.awake.binary_search(&met.other)
                {
                    self.way(number, bodies).put_back(met.at, met.other, bodies);
                    stopped += 1;
                }
            }
        }
        stopped
    }

    /// The way of an awake body in this step.
    fn way(&self, number: usize, bodies: &Bodies) -> SweptMotion {
        SweptMotion::new(self.starts[number], &bodies.motion[bodies.awake[number] as usize])
    }
}

fn is_bullet(bodies: &Bodies, slot: u32) -> bool {
    bodies.cold.get(slot).is_some_and(|cold| cold.is_bullet)
}

/// From where a body was to where it is, about where it was.
#[derive(Clone, Copy, Debug)]
struct SweptMotion {
    start: Motion,
    end: Motion,
    motion: toi::Motion,
}

impl SweptMotion {
    fn new(start: Start, end: &Motion) -> Self {
        let Start { position, rotation } = start;
        let from = Pose::new(Vec3::ZERO, rotation);
        let to = Pose::new((end.position - position).as_vec3(), end.rotation);
        Self {
            start: Motion { position, rotation, ..*end },
            end: *end,
            motion: toi::Motion::between(&from, &to, Vec3::ZERO),
        }
    }

    /// Of a body that stays where it is.
    fn still(at: &Motion) -> Self {
        Self::new(Start { position: at.position, rotation: at.rotation }, at)
    }

    /// The motion of a shape on the body, seen from `origin`.
    fn of_shape(&self, row: &ShapeRow, origin: DVec3) -> toi::Motion {
        let mut motion = self.motion;
        motion.start.translation = (self.start.position - origin).as_vec3();
        motion.carrying(&row.local_pose)
    }

    /// A box around a shape wherever it was on the way, with some room.
    fn bounds(&self, row: &ShapeRow, extent: f32, room: f32) -> Aabb<3> {
        // Points leave the chords of their arcs by at most an eighth of the square of the angle.
        let arc = 0.125 * self.motion.angle * self.motion.angle * extent;
        row.tight_box(&self.start).union(&row.tight_box(&self.end)).grown(arc + room)
    }

    /// Puts the body to a time of its way; its velocities stay.
    fn put_back(&self, Moment { t, turns }: Moment, slot: u32, bodies: &mut Bodies) {
        let pose = self.motion.at(t);
        let motion = &mut bodies.motion[slot as usize];
        motion.position = self.start.position + pose.translation.as_dvec3();
        if !turns {
            motion.rotation = pose.rotation.normalised();
        }
        let state = &mut bodies.state[slot as usize];
        let moved = (1.0 - t) * (self.motion.displacement.length() + self.motion.angle * state.extent);
        state.budget -= moved;
    }
}

impl Course<'_> {
    /// The first shape that a body met on its way.
    fn first_met(
        &self,
        impact: &ContinuousCollision,
        slot: u32,
        way: &SweptMotion,
        is_bullet: bool,
        bodies: &Bodies,
    ) -> Option<CcdHit> {
        let mut best: Option<CcdHit> = None;
        let first = bodies.cold.get(slot)?.first_shape;
        for mine in self.shapes.chain(first) {
            let row = &self.shapes.rows[mine as usize];
            if row.is_sensor {
                continue;
            }
            let bounds = way.bounds(row, bodies.state[slot as usize].extent, self.slop);
            let sweep = Sweep::new(row, way, self.slop);
            self.space.walk(&mut |aabb| bounds.overlaps(aabb), &mut |proxy| {
                let theirs = self.shapes.of_proxy(proxy);
                let is_near = bounds.overlaps(self.space.table().aabb(proxy));
                if !(is_near && self.collide(mine, theirs, is_bullet, bodies)) {
                    return;
                }
                let target = &self.shapes.rows[theirs as usize];
                let (other, moves) = impact.way_of_other(target.body, bodies);
                let limit = best.map_or(1.0, |met| met.at.t);
                if let Some(at) = sweep.moment(target, &other, limit)
                    && best.is_none_or(|met| at.t < met.at.t || at.t == met.at.t && theirs < met.shape)
                {
                    best = Some(CcdHit { at, shape: theirs, other: if moves { target.body } else { NONE } });
                }
            });
        }
        best
    }

    /// Is a shape of a fast body stopped by another?
    fn collide(&self, mine: u32, theirs: u32, is_bullet: bool, bodies: &Bodies) -> bool {
        let [a, b] = [mine, theirs].map(|shape| &self.shapes.rows[shape as usize]);
        let gives_way = bodies.state[b.body as usize].has(flag::DYNAMIC);
        if a.body == b.body || b.is_sensor || gives_way && !is_bullet {
            return false;
        }
        let (Some(one), Some(other)) = (self.shapes.cold.get(mine), self.shapes.cold.get(theirs)) else {
            return false;
        };
        one.layers.admit(&other.layers) && !self.joints.forbids(bodies, a.body, b.body)
    }
}

impl ContinuousCollision {
    /// The way of what a fast body may meet, and whether it is put back with it. What is not fast
    /// itself counts as being where it is now.
    fn way_of_other(&self, body: u32, bodies: &Bodies) -> (SweptMotion, bool) {
        let state = &bodies.state[body as usize];
        let number = bodies.awake.binary_search(&body).ok();
        match number.filter(|_| state.has(flag::FAST | flag::KINEMATIC) && state.has(flag::AWAKE)) {
            Some(number) => (self.way(number, bodies), state.has(flag::DYNAMIC)),
            None => (SweptMotion::still(&bodies.motion[body as usize]), false),
        }
    }
}

/// Cores by what is left of the thickness of the shape beyond the first: who has come too near for
/// one has another to go.
const CORES: [f32; 3] = [0.0, 0.4, 0.8];
/// Balls round the middle of a shape, by its thickness: those that are left when all cores were
/// inside from the beginning.
const MIDDLES: [f32; 3] = [0.25, 0.12, 0.05];

/// The sweep of one shape of a fast body.
struct Sweep<'a> {
    row: &'a ShapeRow,
    way: &'a SweptMotion,
    /// By how much the first core is smaller than the shape.
    shrunk: f32,
}

impl<'a> Sweep<'a> {
    fn new(row: &'a ShapeRow, way: &'a SweptMotion, slop: f32) -> Self {
        let half = 0.5 * row.half_thickness();
        Self { row, way, shrunk: if half < 2.0 * slop { half } else { 2.0 * slop } }
    }

    /// When the shape meets another, within a limit of the way, if its contacts cannot deal with
    /// that.
    fn moment(&self, target: &ShapeRow, other: &SweptMotion, limit: f32) -> Option<Moment> {
        let origin = self.way.start.position;
        let (theirs, mine) = (other.of_shape(target, origin), self.way.of_shape(self.row, origin));
        let half_thickness = self.row.half_thickness();
        for part in CORES {
            let core = core(&self.row.shape, self.shrunk + part * (half_thickness - self.shrunk));
            let has_core = core.is_some();
            let shape = core.as_ref().unwrap_or(&self.row.shape);
            match ask(&target.shape, &theirs, shape, &mine, 0.25 * self.shrunk, limit) {
                Answer::Never => return None,
                Answer::Impact { t, normal } => {
                    let counts = has_core || self.goes_deep(&theirs, normal, t);
                    return counts.then_some(Moment { t, turns: false });
                }
                Answer::AtOnce { .. } if has_core => {}
                Answer::AtOnce { .. } => break,
            }
        }
        if self.row.is_composite {
            return None;
        }
        // It has been inside from the beginning: its middle at least stays on its side.
        let middle = mine.carrying(&Pose::at(self.row.middle()));
        let mut nearest = None;
        for part in MIDDLES {
            let ball = Shape::Sphere(Sphere { radius: part * half_thickness });
            match ask(&target.shape, &theirs, &ball, &middle, 0.1 * part * half_thickness, limit) {
                Answer::Never => return None,
                Answer::Impact { t, .. } => return Some(Moment { t, turns: true }),
                Answer::AtOnce { normal } => nearest = normal,
            }
        }
        let approaches = |normal: Vec3| (mine.displacement - theirs.displacement).dot(normal) < 0.0;
        nearest.is_some_and(approaches).then_some(Moment { t: 0.0, turns: true })
    }

    /// Would it go in by more than contacts can undo? Shapes without a core touch what they only
    /// slide along.
    fn goes_deep(&self, theirs: &toi::Motion, normal: Vec3, t: f32) -> bool {
        let way = self.way.motion.displacement - theirs.displacement;
        let turn = self.way.motion.angle * (self.row.extent - self.row.half_thickness());
        (turn - way.dot(normal)) * (1.0 - t) > 0.5 * self.row.half_thickness()
    }
}

/// What became of two shapes.
#[derive(Clone, Copy, Debug)]
enum Answer {
    /// They do not meet.
    Never,
    /// They were that near from the beginning; without a normal if they overlapped.
    AtOnce { normal: Option<Vec3> },
    /// They meet.
    Impact { t: f32, normal: Vec3 },
}

fn ask(
    a: &Shape,
    motion_a: &toi::Motion,
    b: &Shape,
    motion_b: &toi::Motion,
    target_distance: f32,
    limit: f32,
) -> Answer {
    let options = ToiOptions {
        target_distance,
        tolerance: 0.25 * target_distance,
        max_time: limit,
        ..ToiOptions::default()
    };
    // Two surfaces have no contacts either.
    let Ok(found) = time_of_impact_of_shapes(a, motion_a, b, motion_b, &options) else {
        return Answer::Never;
    };
    match found.outcome {
        Toi::Separated => Answer::Never,
        Toi::Hit { t, proximity } if t > 0.0 => Answer::Impact { t, normal: proximity.normal },
        Toi::Hit { proximity, .. } => Answer::AtOnce { normal: Some(proximity.normal) },
        Toi::NotConverged { t } if t > 0.0 => Answer::Impact { t, normal: Vec3::ZERO },
        Toi::NotConverged { .. } | Toi::Overlapping => Answer::AtOnce { normal: None },
    }
}

/// A shape of the same kind that lies within another by some distance; `None` where there is none
/// of a simple kind.
fn core(shape: &Shape, shrunk: f32) -> Option<Shape> {
    match shape {
        Shape::Sphere(ball) => Some(Sphere { radius: ball.radius - shrunk }.into()),
        Shape::Capsule(capsule) => {
            Some(Capsule { radius: capsule.radius - shrunk, segment: capsule.segment }.into())
        }
        Shape::Cuboid(cuboid) => Some(Cuboid { half: cuboid.half - Vec3::splat(shrunk) }.into()),
        _ => None,
    }
}
