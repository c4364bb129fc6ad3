//! Islands: bodies that hold each other, directly or through others; and how stiffly.
//!
//! Sweeps pass forces on from neighbour to neighbour. Where a light body carries a heavy one, a
//! long row of bodies hangs or stands in single file, or many layers stand on each other, they need
//! many more rounds than elsewhere, and what the rounds leave undone shows as sagging. The error
//! falls with the square of the number
//! of substeps, so islands of that kind are solved in more of them, as many as their masses ask
//! for; others pay nothing. Islands are searched for again only when it changes who holds whom.
//!
//! Chains and pendulums that swing get more substeps by how fast they do ([`swinging`]).

mod swinging;

use crate::state::bodies::{Bodies, flag};
use crate::state::contacts::ActiveManifold;
use crate::state::id::NONE;
use crate::state::joints::Joints;
use swinging::Swinging;

/// How many times the substeps of the world each level takes.
pub(crate) const LEVELS: [u32; 4] = [1, 4, 8, 16];

/// Heavier on lighter by less than this is nothing special.
const ORDINARY_RATIO: f32 = 8.0;
/// Shorter files do not sag.
const SHORTEST_FILE: u32 = 10;
/// Lower structures of layers do not sag by much.
const ORDINARY_LAYERS: f32 = 16.0;
/// Share of their thickness by which stacks of thin bodies may sag.
const SAG: f32 = 0.025;
/// A stack of `n` bodies sags by so many times `n²` what a body falls in a substep from rest.
const SAG_PER_FALL: f32 = 0.6;
/// Constraints times substeps that one island may cost.
const MOST_WORK: u32 = 24_000;

/// What is known of an island, kept at its root.
#[derive(Clone, Copy, Debug, Default)]
struct Stats {
    bodies: u32,
    constraints: u32,
    /// Bodies held by more than two others.
    branching: u32,
    /// Bodies on joints.
    joined: u32,
    mass: f32,
    lightest: f32,
    /// Largest ratio of the masses of two neighbours.
    ratio: f32,
    /// Thickness of the thinnest body.
    thinnest: f32,
    /// Mass of the bodies that something fixed holds.
    held: f32,
    /// Most bodies on the shortest way to something fixed; 0 if unknown.
    depth: u32,
}

/// The islands of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    /// Parent of each slot in the forest; roots are their own.
    parents: Vec<u32>,
    /// Constraints of each slot.
    degrees: Vec<u32>,
    /// Joints of each slot.
    joints: Vec<u32>,
    stats: Vec<Stats>,
    /// Pairs of islands that may have many layers.
    edges: Vec<[u32; 2]>,
    /// Bodies on the shortest way to something fixed, by slot.
    depths: Vec<u32>,
    /// Index into [`LEVELS`] by slot.
    levels: Vec<u8>,
    /// What a body falls in a substep of the world from rest: gravity times its square.
    fall: f32,
    /// Of everything that the levels depend on, but for motion.
    fingerprint: u64,
    /// Islands that get more substeps while they swing.
    swinging: Swinging,
    /// Is any level above 0 without that?
    is_loaded: bool,
    is_stiff: bool,
}

/// Everything that holds bodies together.
#[derive(Clone, Copy)]
pub(crate) struct Graph<'a> {
    pub(crate) active_manifolds: &'a [ActiveManifold],
    pub(crate) joints: &'a Joints,
}

impl<'a> Graph<'a> {
    /// Who holds whom: touches, then joints, of which a body is awake.
    pub(crate) fn pairs(self, bodies: &'a Bodies) -> impl Iterator<Item = [u32; 2]> + 'a {
        let Self { active_manifolds, joints } = self;
        // The parts of a composite, which follow each other, hold as one. Any of them may be a
        // seam, and not be in the list.
        let mut before = NONE;
        let first = active_manifolds
            .iter()
            .filter(move |touch| std::mem::replace(&mut before, touch.contact) != touch.contact);
        let touching = first.map(|touch| touch.bodies);
        let joined = joints.rows.iter().filter(|joint| joint.is_there).map(|joint| joint.bodies);
        let is_awake = |body: u32| bodies.state[body as usize].has(flag::AWAKE);
        touching.chain(joined.filter(move |[a, b]| is_awake(*a) || is_awake(*b)))
    }
}

impl Islands {
    /// Finds who holds whom and how stiffly, if it changed, and who swings, in a step of length
    /// `dt` with substeps of length `h`.
    pub(crate) fn update(&mut self, graph: Graph<'_>, bodies: &Bodies, gravity: f32, [dt, h]: [f32; 2]) {
        let fall = gravity * h * h;
        self.fall = fall;
        let mut hash = bodies.state.len() as u64 ^ u64::from(fall.to_bits()) << 32;
        for [a, b] in graph.pairs(bodies) {
            let masses = [a, b].map(|body| bodies.mass[body as usize].root_mass.to_bits());
            let pair = u64::from(a) << 32 | u64::from(b);
            let heavy = u64::from(masses[0]) << 32 | u64::from(masses[1]);
            hash = (hash ^ pair).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            hash = (hash ^ heavy).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31);
        }
        // Chains are known by the slots of their joints.
        for (slot, _) in graph.joints.rows.iter().enumerate().filter(|(_, joint)| joint.is_there) {
            hash = (hash ^ slot as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
        if hash != self.fingerprint {
            self.fingerprint = hash;
            self.find(graph, bodies);
        }
        self.follow_swings(graph.joints, bodies, dt, h);
    }

    /// Is any island solved in more substeps than the others?
    pub(crate) fn is_stiff(&self) -> bool {
        self.is_stiff
    }

    /// Which of the [`LEVELS`] the island of a body is solved at.
    #[inline]
    pub(crate) fn level(&self, slot: u32) -> u8 {
        self.levels[slot as usize]
    }

    /// Slots of the joints of islands of joints in single file, ascending.
    pub(crate) fn chain_joints(&self) -> impl Iterator<Item = u32> + '_ {
        self.swinging.joints()
    }

    /// Is the island with a root joints in single file?
    #[inline]
    pub(crate) fn is_chain(&self, root: u32) -> bool {
        let stats = &self.stats[root as usize];
        stats.joined > 0 && stats.is_chain()
    }

    /// The body that stands for the island of a body.
    pub(crate) fn root(&mut self, mut slot: u32) -> u32 {
        while self.parents[slot as usize] != slot {
            let parent = self.parents[slot as usize];
            self.parents[slot as usize] = self.parents[parent as usize];
            slot = parent;
        }
        slot
    }

    /// Number of slots.
    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    fn find(&mut self, graph: Graph<'_>, bodies: &Bodies) {
        let count = bodies.state.len();
        self.parents.clear();
        self.parents.extend(0..count as u32);
        self.degrees.clear();
        self.degrees.resize(count, 0);
        self.joints.clear();
        self.joints.resize(count, 0);
        for joint in graph.joints.rows.iter().filter(|joint| joint.is_there) {
            joint.bodies.iter().for_each(|body| self.joints[*body as usize] += 1);
        }
        let is_moved = |body: u32| bodies.state[body as usize].has(flag::DYNAMIC);
        for [a, b] in graph.pairs(bodies) {
            self.degrees[a as usize] += 1;
            self.degrees[b as usize] += 1;
            if is_moved(a) && is_moved(b) {
                let (a, b) = (self.root(a), self.root(b));
                // The smaller root stays: the forest does not depend on the order of contacts.
                let (low, high) = if a < b { (a, b) } else { (b, a) };
                self.parents[high as usize] = low;
            }
        }
        self.gather(graph, bodies);
        self.measure_depths(graph, bodies);
        self.levels.clear();
        self.levels.resize(count, 0);
        self.find_chains(graph, bodies);
        self.is_loaded = false;
        if !self.stats.iter().any(|stats| stats.level(self.fall) > 0) {
            return;
        }
        for slot in 0..count as u32 {
            let root = self.root(slot);
            let level = self.stats[root as usize].level(self.fall);
            self.levels[slot as usize] = level;
            self.is_loaded |= level > 0;
        }
    }

    fn gather(&mut self, graph: Graph<'_>, bodies: &Bodies) {
        self.stats.clear();
        self.stats.resize(bodies.state.len(), Stats::default());
        let mass_of = |body: u32| {
            let root = bodies.mass[body as usize].root_mass;
            1.0 / (root * root)
        };
        for &slot in &bodies.awake {
            let degree = self.degrees[slot as usize];
            if degree == 0 || !bodies.state[slot as usize].has(flag::DYNAMIC) {
                continue;
            }
            let root = self.root(slot);
            let (stats, mass) = (&mut self.stats[root as usize], mass_of(slot));
            stats.lightest = if stats.bodies == 0 || mass < stats.lightest { mass } else { stats.lightest };
            let thickness = 2.0 * bodies.state[slot as usize].half_thickness();
            let is_thinner = stats.bodies == 0 || thickness < stats.thinnest;
            // What has no thickness says nothing.
            stats.thinnest = if is_thinner && thickness > 0.0 { thickness } else { stats.thinnest };
            stats.bodies += 1;
            stats.mass += mass;
            // A chain is one also while its links touch something.
            let joints = self.joints[slot as usize];
            stats.joined += u32::from(joints > 0);
            stats.branching += u32::from(if joints > 0 { joints > 2 } else { degree > 2 });
        }
        for [a, b] in graph.pairs(bodies) {
            let moved = [a, b].map(|body| bodies.state[body as usize].has(flag::DYNAMIC));
            let root = self.root(if moved[0] { a } else { b });
            let stats = &mut self.stats[root as usize];
            stats.constraints += 1;
            if moved != [true, true] {
                stats.held += mass_of(if moved[0] { a } else { b });
            }
            if moved == [true, true] {
                let (mass_a, mass_b) = (mass_of(a), mass_of(b));
                let ratio = if mass_a > mass_b { mass_a / mass_b } else { mass_b / mass_a };
                stats.ratio = if ratio > stats.ratio { ratio } else { stats.ratio };
            }
        }
    }
}

impl Islands {
    /// How many layers the islands have that may have many.
    fn measure_depths(&mut self, graph: Graph<'_>, bodies: &Bodies) {
        let is_moved = |body: u32| bodies.state[body as usize].has(flag::DYNAMIC);
        self.edges.clear();
        if !self.stats.iter().any(|stats| stats.may_be_tall(self.fall)) {
            return;
        }
        self.depths.clear();
        self.depths.resize(bodies.state.len(), UNKNOWN);
        for [a, b] in graph.pairs(bodies) {
            let moved = [a, b].map(is_moved);
            let root = self.root(if moved[0] { a } else { b });
            if self.stats[root as usize].may_be_tall(self.fall) {
                match moved {
                    [true, true] => self.edges.push([a, b]),
                    [true, false] => self.depths[a as usize] = 1,
                    _ => self.depths[b as usize] = 1,
                }
            }
        }
        // To and fro, until nobody finds a shorter way: edges are in the order of the bodies, often
        // that of the layers.
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for at in 0..2 * self.edges.len() {
                let at = if at < self.edges.len() { at } else { 2 * self.edges.len() - 1 - at };
                let [a, b] = self.edges[at].map(|body| body as usize);
                let (by_a, by_b) = (self.depths[a].saturating_add(1), self.depths[b].saturating_add(1));
                if by_a < self.depths[b] {
                    self.depths[b] = by_a;
                    is_settled = false;
                } else if by_b < self.depths[a] {
                    self.depths[a] = by_b;
                    is_settled = false;
                }
            }
        }
        for at in 0..self.edges.len() {
            for body in self.edges[at] {
                let (root, depth) = (self.root(body), self.depths[body as usize]);
                let stats = &mut self.stats[root as usize];
                if depth != UNKNOWN && depth > stats.depth {
                    stats.depth = depth;
                }
            }
        }
    }
}

/// No way is known.
const UNKNOWN: u32 = u32::MAX;

impl Stats {
    /// How many times their own mass the bodies carry that something fixed holds.
    fn carried(&self) -> f32 {
        if self.held > 0.0 { (self.mass - self.held) / self.held } else { 0.0 }
    }

    /// Is it worth counting layers?
    fn may_be_tall(&self, fall: f32) -> bool {
        if self.bodies <= 2 {
            return false;
        }
        let carried = self.carried();
        let is_high = carried > ORDINARY_LAYERS || self.sagging(carried + 1.0, fall) > ORDINARY_RATIO;
        is_high && self.constraints * LEVELS[1] * 4 <= MOST_WORK
    }

    /// Square of how many times the substeps of the world a stack of so many bodies needs not to
    /// sag
    /// by more than [`SAG`] of the thinnest.
    fn sagging(&self, bodies: f32, fall: f32) -> f32 {
        if self.thinnest > 0.0 { SAG_PER_FALL * fall * bodies * bodies / (SAG * self.thinnest) } else { 0.0 }
    }

    /// Layers that the lowest one carries.
    fn layers(&self) -> f32 {
        let (carried, depth) = (self.carried(), self.depth as f32);
        if carried < depth { carried } else { depth }
    }

    /// Bodies in single file, but for a few.
    fn is_file(&self) -> bool {
        self.branching * 10 <= self.bodies
    }

    /// `fall` is what a body falls in a substep of the world.
    fn level(&self, fall: f32) -> u8 {
        // Most slots are no roots.
        if self.bodies <= 1 {
            return 0;
        }
        let mut load = self.ratio;
        let mut count = |other: f32| load = if other > load { other } else { load };
        if self.is_file() {
            if self.bodies >= SHORTEST_FILE {
                count(self.mass / self.lightest);
            }
            count(self.sagging(self.bodies as f32, fall));
        }
        let layers = self.layers();
        if layers > ORDINARY_LAYERS {
            count(layers);
        }
        count(self.sagging(layers + 1.0, fall));
        if !(load > ORDINARY_RATIO && load.is_finite()) {
            return 0;
        }
        self.level_of(if self.is_chain() { self.for_chain(load.sqrt()) } else { load.sqrt() })
    }

    /// Mostly joints, in single file.
    fn is_chain(&self) -> bool {
        self.is_file() && self.joined * 2 > self.bodies
    }

    /// Times the substeps of the world that a chain needs which needs more than one. What pulls at
    /// it passes on by a joint per sweep, from both ends: an impact is to reach all of it before
    /// they have moved far.
    fn for_chain(&self, wanted: f32) -> f32 {
        let half = self.joined as f32 * 0.5;
        if half > wanted { half } else { wanted }
    }

    /// The first level with so many times the substeps of the world, or the highest that the island
    /// may cost.
    fn level_of(&self, wanted: f32) -> u8 {
        let mut level = 0;
        for (at, &times) in LEVELS.iter().enumerate().skip(1) {
            let is_enough = LEVELS[level] as f32 >= wanted;
            // Four substeps are what most worlds take.
            if is_enough || self.constraints * times * 4 > MOST_WORK {
                break;
            }
            level = at;
        }
        level as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 60 Hz in four substeps.
    const FALL: f32 = 9.81 / (240.0 * 240.0);

    /// The first part of a composite may be a seam; what is left still holds its bodies.
    #[test]
    fn any_part_of_a_contact_links_its_bodies() {
        let touch = |contact, part, bodies| ActiveManifold {
            contact,
            part,
            points: 1,
            bodies,
            friction: 0.5,
            restitution: 0.0,
            rolling: [0.0; 2],
            surface_velocity: glam::Vec3::ZERO,
            disabled_points: 0,
            level: 0,
            wakes: true,
            is_known: crate::state::contacts::StepFlag(false),
            is_driven: false,
            has_parts: true,
            is_centred: [true; 2],
            has_siblings: [true; 2],
        };
        let active_manifolds =
            [touch(0, 0, [1, 2]), touch(0, 2, [1, 2]), touch(4, 1, [2, 3]), touch(4, 2, [2, 3])];
        let (joints, bodies) = (Joints::default(), Bodies::default());
        let graph = Graph { active_manifolds: &active_manifolds, joints: &joints };
        assert_eq!(graph.pairs(&bodies).collect::<Vec<_>>(), [[1, 2], [2, 3]]);
    }

    #[test]
    fn only_what_would_sag_gets_more_substeps() {
        let pyramid = Stats {
            bodies: 820,
            constraints: 2400,
            branching: 780,
            joined: 0,
            mass: 820.0,
            lightest: 1.0,
            ratio: 1.0,
            thinnest: 1.0,
            held: 40.0,
            depth: 40,
        };
        assert_eq!(pyramid.level(FALL), 0);
        let tower = Stats { bodies: 30, constraints: 30, branching: 0, mass: 30.0, ..pyramid };
        assert_eq!(LEVELS[usize::from(tower.level(FALL))], 8);
        let short = Stats { bodies: 8, constraints: 8, mass: 8.0, ..tower };
        assert_eq!(short.level(FALL), 0);
        let tiny = Stats { thinnest: 0.002, ..short };
        assert_eq!(LEVELS[usize::from(tiny.level(FALL))], 16);
        let coin = Stats { bodies: 1, constraints: 1, mass: 1.0, held: 1.0, ..tiny };
        assert_eq!(coin.level(FALL), 0);
        let heavy = Stats { bodies: 2, constraints: 2, mass: 1001.0, ratio: 1000.0, ..tower };
        assert_eq!(LEVELS[usize::from(heavy.level(FALL))], 16);
        let chain = Stats { bodies: 11, constraints: 14, joined: 11, mass: 60.0, lightest: 5.0, ..tower };
        assert_eq!(LEVELS[usize::from(chain.level(FALL))], 8);
        let pile = Stats { bodies: 5000, constraints: 15_000, ratio: 1000.0, ..pyramid };
        assert_eq!(pile.level(FALL), 0, "it would cost too much");
        let wall =
            Stats { bodies: 300, constraints: 600, branching: 290, mass: 300.0, held: 10.0, ..pyramid };
        assert_eq!(LEVELS[usize::from(Stats { depth: 30, ..wall }.level(FALL))], 8);
        assert_eq!(Stats { depth: 8, ..wall }.level(FALL), 0, "a cluster that one corner touches");
        assert_eq!(Stats { held: 60.0, depth: 30, ..wall }.level(FALL), 0, "it is broad");
    }
}
