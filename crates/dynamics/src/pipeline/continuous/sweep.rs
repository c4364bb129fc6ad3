//! The sweep of one shape along its way against another.
//!
//! Of the two, one is convex, or a compound of convex shapes; each of these is swept on its own.
//! Contacts deal with what touches at the beginning, so it is not the whole shape that is swept but
//! its [core](toi::Core), which is smaller by a little: shapes that lie or slide on something have
//! their cores clear of it. What has come too near even for its core, as after an impact that the
//! solver could not stop, has smaller cores to go by; when all of them are inside from the
//! beginning, the centre of the shape at least stays on its side.
//!
//! Polytopes have cores that are shorter than they are, so the whole is swept first and counts if
//! it would go deep. Flat shapes have no inside, and no depth that tells the sides of two of them
//! apart: the whole is stopped before it touches, farther off than the [skin](WorldDef::flat_skin)
//! that their contacts keep.

use carom_geometry::shape::{Bounded, Sphere};
use carom_geometry::{Pose, Shape};
use carom_narrowphase::Proximity;
use carom_narrowphase::toi::{Core, InnerBall, Motion, Toi, ToiOptions, time_of_impact_of_core};
use glam::Vec3;

use super::swept_motion::Moment;
use crate::state::settings::WorldDef;

/// Cores by what is left of the inner ball of the shape beyond the first: what has come too near
/// for one has another to go by.
const CORES: [f32; 3] = [0.0, 0.4, 0.8];
/// Balls round the centre of a shape, by the radius of its inner ball: those that are left when all
/// cores were inside from the beginning.
const MIDDLES: [f32; 3] = [0.25, 0.12, 0.05];

/// Lengths that matter to sweeps, metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    /// Depth that contacts leave.
    pub(super) slop: f32,
    /// Distance that contacts of flat shapes keep.
    pub(super) skin: f32,
}

impl Lengths {
    pub(super) fn new(settings: &WorldDef) -> Self {
        Self { slop: settings.slop, skin: settings.flat_skin() }
    }
}

/// Where two shapes meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// On the surface of the other shape, in the frame of the motions.
    pub(super) point: Vec3,
    /// Unit vector from the other shape to the one that is swept.
    pub(super) normal: Vec3,
    /// How far apart their surfaces are, about; below zero if what met is a core.
    pub(super) separation: f32,
}

impl Meeting {
    /// Seen from the other shape.
    fn swapped(self) -> Self {
        Self { normal: -self.normal, ..self }
    }

    /// With surfaces that are so much nearer.
    fn deeper(self, depth: f32) -> Self {
        Self { separation: self.separation - depth, ..self }
    }
}

/// When two shapes meet, and where, if the search came so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact {
    pub(super) at: Moment,
    pub(super) meeting: Option<Meeting>,
}

/// A shape with its motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover<'a> {
    pub(super) shape: &'a Shape,
    pub(super) motion: Motion<f64>,
}

impl<'a> Mover<'a> {
    /// Calls with every shape that has no children: the shape itself, or those of a compound.
    fn for_each_leaf(&self, visit: &mut dyn FnMut(Mover<'a>)) {
        let Shape::Compound(compound) = self.shape else { return visit(*self) };
        for child in compound.children() {
            let motion = self.motion.carrying(&child.pose.to::<f64>());
            Self { shape: &child.shape, motion }.for_each_leaf(visit);
        }
    }
}

/// When a shape meets another on its way, if its contacts cannot deal with that.
pub(super) fn first_impact(mine: &Mover<'_>, theirs: &Mover<'_>, lengths: Lengths) -> Option<Impact> {
    let mut first: Option<Impact> = None;
    let mut offer = |impact: Option<Impact>| {
        if let Some(impact) = impact
            && first.is_none_or(|best| impact.at.t < best.at.t)
        {
            first = Some(impact);
        }
    };
    mine.for_each_leaf(&mut |leaf| match InnerBall::of(leaf.shape) {
        Some(ball) => offer(Sweep { solid: leaf, ball, other: theirs, lengths }.impact()),
        // A surface that moves: what it meets is swept the other way, seen from it.
        None => theirs.for_each_leaf(&mut |target| {
            if let Some(ball) = InnerBall::of(target.shape) {
                let impact = Sweep { solid: target, ball, other: &leaf, lengths }.impact();
                offer(impact.map(|found| Impact { meeting: found.meeting.map(Meeting::swapped), ..found }));
            }
        }),
    });
    first
}

/// One convex shape, swept.
struct Sweep<'a> {
    solid: Mover<'a>,
    ball: InnerBall,
    other: &'a Mover<'a>,
    lengths: Lengths,
}

impl Sweep<'_> {
    fn impact(&self) -> Option<Impact> {
        let InnerBall { radius, .. } = self.ball;
        if radius > 0.0 {
            let slop = 2.0 * self.lengths.slop;
            // Part of the radius that the first core is smaller by.
            let least = if 0.5 * radius < slop { 0.5 } else { slop / radius };
            let distance = 0.25 * least * radius;
            if !Core::is_even(self.solid.shape)
                && let Some(decided) = self.whole(distance, 0.5 * radius)
            {
                return decided;
            }
            for part in CORES {
                if let Some(decided) = self.core(least + part * (1.0 - least), distance) {
                    return decided;
                }
            }
            self.middle(radius)
        } else {
            let [far, near] = [0.5 * self.lengths.slop, 0.5 * self.lengths.skin];
            for distance in [far, near] {
                if let Some(decided) = self.whole(distance, distance) {
                    return decided;
                }
            }
            for part in &CORES[1..] {
                if let Some(decided) = self.core(*part, near) {
                    return decided;
                }
            }
            self.middle(2.0 * self.lengths.skin)
        }
    }

    /// What the whole shape says, if it says anything: it counts only where it would go `deep`.
    fn whole(&self, distance: f32, deep: f32) -> Option<Option<Impact>> {
        match self.ask(&Core::whole(self.solid.shape)?, &self.solid.motion, distance) {
            Answer::Never => Some(None),
            Answer::Impact { t, meeting }
                if meeting.is_none_or(|meeting| self.depth_after(t, meeting.normal) > deep) =>
            {
                Some(Some(Impact { at: Moment { t, turns: false }, meeting }))
            }
            Answer::Impact { .. } | Answer::AtOnce { .. } => None,
        }
    }

    /// What a core says, if it says anything.
    fn core(&self, part: f32, distance: f32) -> Option<Option<Impact>> {
        match self.ask(&Core::new(self.solid.shape, &self.ball, part)?, &self.solid.motion, distance) {
            Answer::Never => Some(None),
            Answer::Impact { t, meeting } => {
                let meeting = meeting.map(|meeting| meeting.deeper(part * self.ball.radius));
                Some(Some(Impact { at: Moment { t, turns: false }, meeting }))
            }
            Answer::AtOnce { .. } => None,
        }
    }

    /// It has been inside from the beginning: its centre at least stays on its side.
    fn middle(&self, radius: f32) -> Option<Impact> {
        let motion = self.solid.motion.carrying(&Pose::at(self.ball.centre.as_dvec3()));
        let mut nearest = None;
        let inside = |meeting: Meeting| meeting.deeper(radius);
        for part in MIDDLES {
            let ball = Shape::Sphere(Sphere { radius: part * radius });
            match self.ask(&Core::whole(&ball)?, &motion, 0.1 * part * radius) {
                Answer::Never => return None,
                Answer::Impact { t, meeting } => {
                    return Some(Impact { at: Moment { t, turns: true }, meeting: meeting.map(inside) });
                }
                Answer::AtOnce { meeting } => nearest = meeting,
            }
        }
        let meeting = nearest.filter(|meeting| self.approach(meeting.normal) > 0.0)?;
        Some(Impact { at: Moment { t: 0.0, turns: true }, meeting: Some(inside(meeting)) })
    }

    /// How far the pivots come nearer along a normal from the other to this.
    fn approach(&self, normal: Vec3) -> f32 {
        let way = self.solid.motion.displacement - self.other.motion.displacement;
        -way.as_vec3().dot(normal)
    }

    /// How deep it may be in at the end of its way.
    fn depth_after(&self, t: f32, normal: Vec3) -> f32 {
        let Motion { pivot, angle, .. } = self.solid.motion;
        let bounds = self.solid.shape.aabb();
        let reach = (bounds.centre() - pivot.as_vec3()).length() + bounds.half().length();
        (angle as f32 * (reach - self.ball.radius) + self.approach(normal)) * (1.0 - t)
    }

    fn ask(&self, core: &Core<'_>, motion: &Motion<f64>, target_distance: f32) -> Answer {
        let tolerance = 0.25 * target_distance;
        let options = ToiOptions { target_distance, tolerance, ..ToiOptions::default() };
        let Mover { shape, motion: theirs } = self.other;
        let where_at = |proximity: Proximity| {
            let Proximity { normal, on_a: point, distance: separation, .. } = proximity;
            Some(Meeting { point, normal, separation })
        };
        match time_of_impact_of_core(shape, theirs, core, motion, &options) {
            Toi::Separated => Answer::Never,
            Toi::Hit { t, proximity } if t > 0.0 => Answer::Impact { t, meeting: where_at(proximity) },
            Toi::Hit { proximity, .. } => Answer::AtOnce { meeting: where_at(proximity) },
            Toi::NotConverged { t } if t > 0.0 => Answer::Impact { t, meeting: None },
            Toi::NotConverged { .. } | Toi::Overlapping => Answer::AtOnce { meeting: None },
        }
    }
}

/// What became of two shapes.
#[derive(Clone, Copy, Debug)]
enum Answer {
    /// They do not meet.
    Never,
    /// They were that near from the beginning; it is not known where if they overlapped.
    AtOnce { meeting: Option<Meeting> },
    /// They meet.
    Impact { t: f32, meeting: Option<Meeting> },
}
