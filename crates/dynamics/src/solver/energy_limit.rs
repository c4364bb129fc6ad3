//! No energy from nothing: what a step may not add to an island.
//!
//! A body that follows a curved surface moves along its tangent in every substep and is then pushed
//! out of the surface. The push is no velocity, so nothing pays for the height that it gains, and a
//! ball that rolls in a bowl would climb higher and higher. The same goes for every error that the
//! solver corrects by positions.
//!
//! So the mechanical energy of an island that something fixed holds is compared before and after
//! the substeps: kinetic energy less the work of gravity and of the forces of the user. If it has
//! grown, all velocities of the island are scaled down by what is too much. A body that trembles in
//! height by a hundredth of a millimetre loses and gains that energy in turn; so that it does not
//! pay twice, a small reserve of what was lost is kept with each body. Bodies on joints, whose
//! energy goes up and down a little with every swing, have a reserve of a share of their kinetic
//! energy. Joints are soft: those of a net that falls into its corners open like springs, and lift
//! it again. So an island that only joints hold keeps a share of what it lost as long as its open
//! joints have stored as much. Islands that are driven (by kinematic bodies, motors, springs,
//! restitution above 1) are left alone, and so are those that nothing fixed holds: scaling would
//! not keep their momentum.

use carom_geometry::Real;

use super::rows::{Part, vector};
use super::solver_bodies::SolverBodies;
use crate::state::bodies::Bodies;
use crate::state::islands::Islands;

/// Growth of kinetic energy, as a share of it, that counts as rounding.
const ROUNDING: f64 = 1e-6;

/// Height to which the reserve of a body lifts it, as a share of the slop.
const RESERVE: f32 = 0.02;

/// Reserve of an island with joints, as a share of the kinetic energy it has when it is kept.
const JOINED_RESERVE: f64 = 0.005;

/// Share of the energy that open joints have stored that an island keeps a reserve of. A net that
/// got back all of it would swing to and fro for a minute; with none it creeps.
const ELASTIC_RESERVE: f64 = 0.2;

/// What is known of an island, by the slot of its root.
#[derive(Clone, Copy, Debug, Default)]
struct IslandEnergy {
    gained: f64,
    kinetic: f64,
    /// What open joints have stored.
    elastic: f64,
    rows: u32,
    is_grounded: bool,
    is_driven: bool,
    is_joined: bool,
    is_touched: bool,
}

impl IslandEnergy {
    /// What velocities are to be multiplied with, 1 for almost all.
    fn scale(&self) -> f32 {
        if !self.is_grounded || self.is_driven || self.gained <= ROUNDING * self.kinetic {
            return 1.0;
        }
        let left = 1.0 - self.gained / self.kinetic;
        if left > 0.0 { left.sqrt() as f32 } else { 0.0 }
    }

    /// The same of one whose joints are open.
    fn elastic_reserve(&self) -> f32 {
        (ELASTIC_RESERVE * self.elastic / f64::from(self.rows)) as f32
    }

    /// Reserve of each of the bodies of an island with joints.
    fn reserve(&self) -> f32 {
        (JOINED_RESERVE * self.kinetic / f64::from(self.rows)) as f32
    }
}

/// How a row is held.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Holding {
    /// By contacts or joints with something fixed.
    pub(crate) is_grounded: bool,
    /// By something that may do work.
    pub(crate) is_driven: bool,
    /// By joints.
    pub(crate) is_joined: bool,
    /// By contacts.
    pub(crate) is_touched: bool,
}

/// Energies of islands before and after the substeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct EnergyLimit {
    /// Kinetic energy of every row at the beginning, and what it is
    /// [ahead by](SolverBodies::ahead).
    before: Vec<[f32; 2]>,
    /// Parallel to the rows.
    holdings: Vec<Holding>,
    /// By slot of a root.
    islands: Vec<IslandEnergy>,
    is_grounded: bool,
}

impl EnergyLimit {
    /// Begins a step, with velocities as they are before anything acts on them.
    pub(crate) fn begin(&mut self, bodies: &SolverBodies) {
        self.before.clear();
        self.before.extend((0..bodies.rows.len()).map(|row| [bodies.kinetic(row), bodies.ahead(row)]));
        self.holdings.clear();
        self.holdings.resize(bodies.rows.len(), Holding::default());
        self.is_grounded = false;
    }

    /// Notes a joint between two rows.
    pub(crate) fn hold_by_joint(&mut self, rows: [u32; 2], is_driven: bool) {
        self.hold(rows, is_driven);
        for row in rows {
            self.holdings[row as usize].is_joined = true;
        }
    }

    /// Notes a contact between two rows.
    #[inline]
    pub(crate) fn hold_by_contact(&mut self, rows: [u32; 2], is_driven: bool) {
        self.hold(rows, is_driven);
        for row in rows {
            self.holdings[row as usize].is_touched = true;
        }
    }

    /// Notes a contact or joint between two rows, of which the first stands for everything that
    /// does not move.
    #[inline]
    fn hold(&mut self, rows: [u32; 2], is_driven: bool) {
        let is_grounded = rows[0] == 0 || rows[1] == 0;
        if is_grounded || is_driven {
            self.is_grounded |= is_grounded;
            for row in rows {
                let holding = &mut self.holdings[row as usize];
                holding.is_grounded |= is_grounded;
                holding.is_driven |= is_driven;
            }
        }
    }

    /// Does anything fixed touch any of the rows?
    pub(crate) fn is_grounded(&self) -> bool {
        self.is_grounded
    }

    /// After all substeps of length `h`: takes back what islands have gained.
    pub(crate) fn end(
        &mut self,
        solver_bodies: &mut SolverBodies,
        RowOwners { bodies: body_of_row, roots, slots, elastic, islands }: RowOwners<'_>,
        bodies: &mut Bodies,
        Limits { h, slop }: Limits,
    ) {
        if !self.is_grounded {
            return;
        }
        // What is left there of earlier steps is cleared where it is used.
        self.islands.resize(slots, IslandEnergy::default());
        for &root in &roots[1..] {
            self.islands[root as usize] = IslandEnergy::default();
        }
        let inverse_h = 1.0 / h;
        for (at, &body) in body_of_row.iter().enumerate().skip(1) {
            let (row, pull, holding) =
                (&solver_bodies.rows[at], &solver_bodies.pulls[at], &self.holdings[at]);
            let work = row.part(Part::Moved).dot(vector(pull.linear))
                + row.part(Part::Turned).dot(vector(pull.angular));
            let kinetic = solver_bodies.kinetic(at);
            let island = &mut self.islands[roots[at] as usize];
            let reserve = f64::from(bodies.energy_reserves[body as usize]);
            let [before, was_ahead] = self.before[at];
            let lost = f64::from(before) + f64::from(work * inverse_h) + reserve;
            island.gained += f64::from(kinetic) - lost;
            if holding.is_joined {
                island.gained += f64::from(solver_bodies.ahead(at)) - f64::from(was_ahead);
            }
            island.rows += 1;
            island.kinetic += f64::from(kinetic);
            island.is_grounded |= holding.is_grounded;
            island.is_driven |= holding.is_driven;
            island.is_joined |= holding.is_joined;
            island.is_touched |= holding.is_touched;
            island.elastic += f64::from(elastic.get(at).copied().unwrap_or(0.0));
        }
        for (at, &body) in body_of_row.iter().enumerate().skip(1) {
            let island = &self.islands[roots[at] as usize];
            let scale = island.scale();
            if scale < 1.0 {
                solver_bodies.scale(at, scale);
            }
            // What is left over, no more than lifts the body a little.
            let left = (-island.gained / f64::from(island.rows)) as f32;
            let weight = vector(solver_bodies.pulls[at].linear).length() * inverse_h;
            let most = RESERVE * slop * weight * bodies.mass[body as usize].root_of_mass();
            let before = &mut bodies.energy_reserves[body as usize];
            let most = if !island.is_joined {
                most
            } else if island.elastic > 0.0 && !island.is_touched && !islands.is_chain(roots[at]) {
                Real::max(Real::max(most, island.reserve()), island.elastic_reserve())
            } else {
                Real::max(Real::max(most, island.reserve()), *before)
            };
            *before = Real::max(Real::min(left, most), 0.0);
        }
    }
}

/// Whose rows they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowOwners<'a> {
    /// Slot of the body of every row.
    pub(crate) bodies: &'a [u32],
    /// Root of its island.
    pub(crate) roots: &'a [u32],
    /// Slots of the world.
    pub(crate) slots: usize,
    /// What open joints have stored, by row; empty if there are none.
    pub(crate) elastic: &'a [f32],
    pub(crate) islands: &'a Islands,
}

/// What the comparison needs to know of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Length of a substep.
    pub(crate) h: f32,
    /// Differences of depth that do not matter.
    pub(crate) slop: f32,
}
