//! Fast bodies do not pass through things.
//!
//! Contact points are sought where bodies are at the beginning of a step, and what moves or turns
//! by more than its own thickness may meet something that was not near any of them. So the ways of
//! such bodies are looked at when all have moved: [cores](sweep) of their shapes are swept from
//! where they were to where they are, and a body whose core met something is put back to that
//! moment. It overlaps a little then, has the velocity that it had there, and the contact is found
//! in the next step.
//!
//! Fast bodies are swept against what does not give way: static and kinematic bodies. Whom they can
//! have met is known: the fat boxes contain the whole way of a body, so it is among the pairs of
//! the broad phase. (Only bodies that an impact threw out of their boxes ask it again.) A body that
//! moves along with a kinematic one is not fast against it. Bullets are swept against everything;
//! two fast bodies of which one is a bullet are swept against each other, and both are put back.
//!
//! Bodies are taken in the order of their slots, bullets last. Every pair is asked about the whole
//! way, and of several impacts the earliest counts, of equal ones that with the lowest slots: the
//! outcome depends neither on the order in which the broad phase names the candidates nor on how
//! many others it names. In steps in which nothing is fast, all this is a copy of the places and a
//! look at a flag.
//!
//! | module | holds |
//! |---|---|
//! | [`asked`] | what hooks of the user say about an impact |
//! | [`joined`] | bodies that are put back together |
//! | [`sweep`] | when one shape meets another on its way |
//! | [`swept_motion`] | the way of a body |

mod asked;
mod joined;
mod sweep;
mod swept_motion;

use carom_broadphase::Space;

use super::update_aabbs::UpdateAabbs;
use crate::state::bodies::{Bodies, flag};
use crate::state::contacts::Contacts;
use crate::state::context::StepContext;
use crate::state::hooks::Hooks;
use crate::state::id::NONE;
use crate::state::joints::Joints;
use crate::state::motion::Motion;
use crate::state::settings::WorldDef;
use crate::state::shapes::Shapes;
use crate::state::world_state::WorldState;
use joined::Joined;
use sweep::{Lengths, Mover, first_impact};
use swept_motion::{Moment, Start, StepGain, SweptMotion};

/// Pairs of the broad phase for each fast body beyond which it is cheaper to ask it about the fast
/// bodies one by one: a pair takes some two nanoseconds to look at, a question a hundred and more.
const PAIRS_PER_QUESTION: usize = 64;

/// Up to so many shapes that do not give way are tested one by one; beyond it the broad phase is
/// asked. A test takes three nanoseconds.
const MOST_FIXED: usize = 48;

/// Looking for those shapes takes about as long per body as a question to the broad phase divided
/// by this.
const BODIES_PER_QUESTION: usize = 128;

/// Most times that bodies on joints are swept: they are moved for their joints when they were put
/// back, and may meet something there, but not in the last pass.
const PASSES: u32 = 4;

/// The stage with its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContinuousCollision {
    /// Where every awake body was at the beginning, in the order of [`Bodies::awake`].
    starts: Vec<Start>,
    /// Slots of the fast bodies of this step, ascending.
    fast: Vec<u32>,
    /// What fast bodies may have met.
    candidates: Vec<Candidate>,
    /// Slots of fast bodies for which the pairs of the broad phase do not do.
    asking: Vec<u32>,
    /// Slots of the shapes that do not give way, if they are few.
    fixed: Vec<u32>,
    /// Fast bodies whose ways were looked at.
    swept: u32,
    joined: Joined,
}

/// Two shapes that may have met.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Slot of the fast body.
    body: u32,
    /// Slot of its shape.
    mine: u32,
    /// Slot of the other shape.
    theirs: u32,
    /// A part of the way before which they do not meet.
    enters: f32,
}

/// What the stage reads.
#[derive(Clone, Copy)]
struct Course<'a> {
    shapes: &'a Shapes,
    joints: &'a Joints,
    contacts: &'a Contacts,
    space: &'a Space<3>,
    hooks: &'a Hooks,
    settings: &'a WorldDef,
    lengths: Lengths,
    gain: StepGain,
}

/// The first impact on a way.
#[derive(Clone, Copy, Debug)]
struct CcdHit {
    at: Moment,
    /// Slots of the shape that is met, and of that which meets it.
    shapes: (u32, u32),
    /// Slot of its body, if that is put back too.
    other: u32,
}

impl ContinuousCollision {
    /// Notes where everybody is, before anything moves.
    pub(crate) fn remember(&mut self, bodies: &Bodies) {
        self.starts.clear();
        self.starts.extend(bodies.awake.iter().map(|slot| {
            let Motion { position, rotation, velocity, .. } = bodies.motion[*slot as usize];
            Start { position, rotation, velocity }
        }));
        self.fast.clear();
        self.swept = 0;
    }

    /// How many fast bodies were near something in this step.
    pub(crate) fn swept(&self) -> u32 {
        self.swept
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
        let lengths = Lengths::new(context.settings);
        // Bodies of which the user may already know that they woke are not in the list.
        let wanted = flag::FAST | flag::DYNAMIC;
        let bodies = &state.bodies;
        let is_fast = |slot: &u32| bodies.state[*slot as usize].flags & wanted == wanted;
        self.fast.extend(bodies.awake.iter().copied().filter(is_fast));
        if self.fast.is_empty() {
            let moved = update_aabbs.catch_up(state);
            state.is_space_changed |= moved > 0;
            return 0;
        }
        let gain = StepGain { gravity: context.settings.gravity, dt: context.dt };
        let (settings, hooks) = (context.settings, context.hooks);
        let mut stopped = {
            let WorldState { bodies, shapes, joints, contacts, space, .. } = &mut *state;
            self.stop(bodies, Course { shapes, joints, contacts, space, hooks, settings, lengths, gain })
        };
        let mut moved = update_aabbs.catch_up(state);
        let met = {
            let WorldState { bodies, shapes, joints, contacts, space, .. } = &mut *state;
            let course = Course { shapes, joints, contacts, space, hooks, settings, lengths, gain };
            self.stop_bullets(bodies, course)
        };
        if met > 0 {
            moved += update_aabbs.catch_up(state);
        }
        stopped += met;
        state.is_space_changed |= moved > 0;
        stopped
    }

    /// Puts fast bodies back that went through something that does not give way. Returns how many.
    fn stop(&mut self, bodies: &mut Bodies, course: Course<'_>) -> u32 {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let knows_pairs = course.space.pairs().len() <= PAIRS_PER_QUESTION * self.fast.len();
        if knows_pairs {
            course.list_pairs(bodies, &mut candidates);
        }
        self.asking.clear();
        self.asking.extend(self.fast.iter().copied().filter(|&slot| {
            let has_left_its_boxes = bodies.state[slot as usize].budget < 0.0;
            (has_left_its_boxes || !knows_pairs) && !is_bullet(bodies, slot)
        }));
        let are_few = self.asking.len() * BODIES_PER_QUESTION >= bodies.state.len()
            && course.list_fixed(bodies, &mut self.fixed);
        for &slot in &self.asking {
            let way = self.way(slot, bodies);
            if are_few {
                course.test_fixed(slot, &way, &self.fixed, bodies, &mut candidates);
            } else {
                course.ask_about(slot, &way, false, bodies, &mut candidates);
            }
        }
        candidates.sort_unstable_by_key(|candidate| candidate.body);
        let stopped = self.put_back_in_passes(&mut candidates, bodies, course);
        self.candidates = candidates;
        stopped
    }

    /// Puts bullets back that went through anything, and whom they met if that is fast as well;
    /// then nobody counts as fast any more. Returns how many.
    fn stop_bullets(&mut self, bodies: &mut Bodies, course: Course<'_>) -> u32 {
        let (mut stopped, mut candidates) = (0, std::mem::take(&mut self.candidates));
        for at in 0..self.fast.len() {
            let slot = self.fast[at];
            if is_bullet(bodies, slot) {
                candidates.clear();
                course.ask_about(slot, &self.way(slot, bodies), true, bodies, &mut candidates);
                stopped += self.put_back_in_passes(&mut candidates, bodies, course);
            }
        }
        self.candidates = candidates;
        for slot in &bodies.awake {
            bodies.state[*slot as usize].flags &= !flag::FAST;
        }
        stopped
    }

    /// Puts the bodies of the candidates back, and those that were moved for their joints once more
    /// if that took them into something. Returns how many.
    fn put_back_in_passes(
        &mut self,
        candidates: &mut Vec<Candidate>,
        bodies: &mut Bodies,
        course: Course<'_>,
    ) -> u32 {
        self.joined.begin_pass(true);
        let stopped = self.put_back(candidates, bodies, course);
        for pass in 1..PASSES {
            if !self.joined.is_projected {
                break;
            }
            candidates.retain(|candidate| Joints::has_any(candidate.body, bodies));
            self.joined.begin_pass(pass + 1 < PASSES);
            self.put_back(candidates, bodies, course);
        }
        stopped
    }

    /// Puts the bodies of the candidates, which stand together, back to where they met the first of
    /// them. Returns how many.
    fn put_back(&mut self, candidates: &mut [Candidate], bodies: &mut Bodies, course: Course<'_>) -> u32 {
        let mut stopped = 0;
        for group in candidates.chunk_by_mut(|a, b| a.body == b.body) {
            let slot = group[0].body;
            let way = self.way(slot, bodies);
            self.order(group, &way, bodies, course);
            let is_near = group.iter().any(|candidate| candidate.enters <= 1.0);
            self.swept += u32::from(is_near);
            if let Some(met) = self.first_met(group, &way, bodies, course) {
                self.put_back_joined(met.at, slot, bodies, course);
                stopped += 1;
                if met.other != NONE {
                    self.put_back_joined(met.at, met.other, bodies, course);
                    stopped += 1;
                }
            }
        }
        stopped
    }

    /// Puts the candidates of a body in the order in which it may meet them; those that it cannot
    /// meet never enter.
    fn order(&self, group: &mut [Candidate], way: &SweptMotion, bodies: &Bodies, course: Course<'_>) {
        for candidate in &mut *group {
            let [mine, target] =
                [candidate.mine, candidate.theirs].map(|shape| &course.shapes.rows[shape as usize]);
            let (other, _) = self.way_of_other(target.body, bodies);
            let theirs = other.bounds(target, 0.0);
            let state = &bodies.state[candidate.body as usize];
            let goes_along = bodies.state[target.body as usize].has(flag::KINEMATIC)
                && way.is_slow_seen_from(&other, state);
            let may_meet = !goes_along && way.bounds(mine, course.lengths.slop).overlaps(&theirs);
            candidate.enters = if may_meet { way.enters(mine, &theirs) } else { f32::INFINITY };
        }
        group.sort_unstable_by(|a, b| {
            let shapes = |c: &Candidate| (c.theirs, c.mine);
            a.enters.total_cmp(&b.enters).then(shapes(a).cmp(&shapes(b)))
        });
    }

    /// The first shape that a body met on its way.
    fn first_met(
        &self,
        group: &[Candidate],
        way: &SweptMotion,
        bodies: &Bodies,
        course: Course<'_>,
    ) -> Option<CcdHit> {
        let mut best: Option<CcdHit> = None;
        let mut asked = (NONE, NONE);
        for candidate in group {
            if candidate.enters > best.map_or(1.0, |met| met.at.t) {
                break;
            }
            // The broad phase may name a candidate twice.
            let shapes = (candidate.theirs, candidate.mine);
            if shapes == asked {
                continue;
            }
            asked = shapes;
            let [mine, target] =
                [candidate.mine, candidate.theirs].map(|shape| &course.shapes.rows[shape as usize]);
            let (other, moves) = self.way_of_other(target.body, bodies);
            let origin = way.origin();
            let one = Mover { shape: &mine.shape, motion: way.of_shape(mine, origin) };
            let two = Mover { shape: &target.shape, motion: other.of_shape(target, origin) };
            let Some(impact) = first_impact(&one, &two, course.lengths) else { continue };
            let at = impact.at;
            let is_first = best.is_none_or(|met| at.t < met.at.t || at.t == met.at.t && shapes < met.shapes);
            if is_first && course.holds(&impact, candidate, [&other, way], bodies) {
                best = Some(CcdHit { at, shapes, other: if moves { target.body } else { NONE } });
            }
        }
        best
    }

    /// The way of a body in this step; bodies that are asleep stay where they are.
    fn way(&self, slot: u32, bodies: &Bodies) -> SweptMotion {
        let motion = &bodies.motion[slot as usize];
        match bodies.awake.binary_search(&slot) {
            Ok(number) => SweptMotion::new(self.starts[number], motion),
            Err(_) => SweptMotion::still(motion),
        }
    }

    /// The way of what a fast body may meet, and whether it is put back with it. What is neither
    /// fast itself nor kinematic counts as being where it is now; one of the two is enough.
    fn way_of_other(&self, body: u32, bodies: &Bodies) -> (SweptMotion, bool) {
        let state = &bodies.state[body as usize];
        if state.has(flag::FAST | flag::KINEMATIC) && state.has(flag::AWAKE) {
            (self.way(body, bodies), state.has(flag::DYNAMIC))
        } else {
            (SweptMotion::still(&bodies.motion[body as usize]), false)
        }
    }
}

fn is_bullet(bodies: &Bodies, slot: u32) -> bool {
    bodies.cold.get(slot).is_some_and(|cold| cold.is_bullet)
}

impl Course<'_> {
    /// Lists the pairs of the broad phase of which one body is fast, and no bullet, and the other
    /// does not give way.
    fn list_pairs(&self, bodies: &Bodies, out: &mut Vec<Candidate>) {
        let wanted = flag::FAST | flag::DYNAMIC;
        for (pair, bound) in self.contacts.separation_bounds().iter().enumerate() {
            let on = bound.bodies;
            if on[0] == NONE {
                continue;
            }
            let flags = on.map(|body| bodies.state[body as usize].flags);
            for (me, other) in [(0, 1), (1, 0)] {
                if flags[me] & wanted != wanted || flags[other] & flag::DYNAMIC != 0 {
                    continue;
                }
                let both = self.contacts.shapes_of(pair, self.shapes);
                let is_sensor = both.iter().any(|shape| self.shapes.rows[*shape as usize].is_sensor);
                let has_left_its_boxes = bodies.state[on[me] as usize].budget < 0.0;
                if !(is_sensor || has_left_its_boxes || is_bullet(bodies, on[me])) {
                    let (mine, theirs) = (both[me], both[other]);
                    out.push(Candidate { body: on[me], mine, theirs, enters: 0.0 });
                }
            }
        }
    }

    /// Asks the broad phase what a fast body may have met.
    fn ask_about(
        &self,
        slot: u32,
        way: &SweptMotion,
        is_bullet: bool,
        bodies: &Bodies,
        out: &mut Vec<Candidate>,
    ) {
        for mine in self.shapes.chain(bodies.first_shapes[slot as usize]) {
            let row = &self.shapes.rows[mine as usize];
            if row.is_sensor {
                continue;
            }
            let bounds = way.bounds(row, self.lengths.slop);
            self.space.walk(&mut |aabb| bounds.overlaps(aabb), &mut |proxy| {
                let theirs = self.shapes.of_proxy(proxy);
                let is_near = bounds.overlaps(self.space.table().aabb(proxy));
                if is_near && self.collide(mine, theirs, is_bullet, bodies) {
                    out.push(Candidate { body: slot, mine, theirs, enters: 0.0 });
                }
            });
        }
    }

    /// Lists the shapes that do not give way; false if they are too many for that.
    fn list_fixed(&self, bodies: &Bodies, out: &mut Vec<u32>) -> bool {
        out.clear();
        for (slot, state) in bodies.state.iter().enumerate() {
            // Slots of bodies that were removed have no shapes.
            if !state.has(flag::DYNAMIC) {
                for shape in self.shapes.chain(bodies.first_shapes[slot]) {
                    if out.len() == MOST_FIXED {
                        return false;
                    }
                    out.push(shape);
                }
            }
        }
        true
    }

    /// What a fast body may have met of some shapes: as [`Course::ask_about`].
    fn test_fixed(
        &self,
        slot: u32,
        way: &SweptMotion,
        fixed: &[u32],
        bodies: &Bodies,
        out: &mut Vec<Candidate>,
    ) {
        for mine in self.shapes.chain(bodies.first_shapes[slot as usize]) {
            let row = &self.shapes.rows[mine as usize];
            if row.is_sensor {
                continue;
            }
            let bounds = way.bounds(row, self.lengths.slop);
            for &theirs in fixed {
                let aabb = self.space.table().aabb(self.shapes.rows[theirs as usize].proxy);
                if bounds.overlaps(aabb) && self.collide(mine, theirs, false, bodies) {
                    out.push(Candidate { body: slot, mine, theirs, enters: 0.0 });
                }
            }
        }
    }

    /// Is a shape of a fast body stopped by another?
    fn collide(&self, mine: u32, theirs: u32, is_bullet: bool, bodies: &Bodies) -> bool {
        let [a, b] = [mine, theirs].map(|shape| &self.shapes.rows[shape as usize]);
        let gives_way = bodies.state[b.body as usize].has(flag::DYNAMIC);
        if a.body == b.body || b.is_sensor || !(a.is_enabled && b.is_enabled) || gives_way && !is_bullet {
            return false;
        }
        let (Some(one), Some(other)) = (self.shapes.cold.get(mine), self.shapes.cold.get(theirs)) else {
            return false;
        };
        one.layers.admit(&other.layers)
            && !self.joints.forbids(bodies, a.body, b.body)
            && self.admits([mine, theirs], bodies)
    }
}
