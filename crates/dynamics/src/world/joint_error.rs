//! How far a joint is from where it should be.

use super::World;
use super::joint_access::JointRef;
use crate::solver::joint_constraints::JointSetup;
use crate::solver::joint_rows::JointRows;
use crate::solver::softness::Softness;

/// How far a joint is from where it should be: what should not move did, and ends of ranges were
/// passed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointError {
    /// Metres.
    pub distance: f32,
    /// Radians.
    pub angle: f32,
}

impl JointError {
    /// The larger of each.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { distance: self.distance.max(other.distance), angle: self.angle.max(other.angle) }
    }
}

impl JointRef<'_> {
    /// How far it is from where it should be. Springs and motors have no errors.
    #[must_use]
    pub fn error(&self) -> JointError {
        // What a row is measured by does not depend on how it is solved.
        let lower = JointSetup { dt: 1.0, h: 1.0, softness: Softness::STIFF };
        let (mut row, mut rows) = (*self.row(), JointRows::default());
        let motions = row.bodies.map(|body| &self.world.state.bodies.motion[body as usize]);
        lower.run(&mut row, &self.kind(), motions, &mut rows);
        let [from, to] = self.anchors();
        let gap = (to - from).as_vec3();
        let (mut distance, mut angle) = (0.0f32, 0.0f32);
        let passed = rows.bounds().iter().filter(|bound| bound.is_limit).map(|bound| &bound.row);
        for (row, is_limit) in
            rows.holds().iter().map(|row| (row, false)).chain(passed.map(|row| (row, true)))
        {
            let off = row.error_at(gap);
            let off = if is_limit { off.min(0.0) } else { off };
            let sum = if row.along.is_angular() { &mut angle } else { &mut distance };
            *sum += off * off;
        }
        JointError { distance: distance.sqrt(), angle: angle.sqrt() }
    }
}

impl World {
    /// The largest errors of all joints that are enabled. Takes time in proportion to their number.
    #[must_use]
    pub fn joint_error(&self) -> JointError {
        let joints = self.joint_ids().filter_map(|id| self.joint(id).ok());
        let errors = joints.filter(|joint| joint.row().is_there).map(|joint| joint.error());
        errors.fold(JointError::default(), JointError::max)
    }
}
