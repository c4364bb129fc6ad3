//! Bodies of a simulation in bulk: a structure of arrays that the caller owns.

use carom_geometry::{Matrix3, Pose, Rotation};
use glam::{DVec3, Vec3};

/// How exact positions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionPrecision {
    /// `f32`.
    Single,
    /// `f64`.
    Double,
}

/// How orientations are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrientationKind {
    /// Unit quaternions.
    Quaternion,
    /// Matrices by rows, which may not quite be rotations.
    Matrix,
}

/// How a simulation keeps poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoseFormat {
    /// Of positions.
    pub position: PositionPrecision,
    /// Of orientations.
    pub orientation: OrientationKind,
}

/// The orientation of a body, as its simulation keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// A unit quaternion x, y, z, w.
    Quaternion([f32; 4]),
    /// A matrix by rows, which may not quite be a rotation.
    Matrix([f32; 9]),
}

impl Orientation {
    /// No rotation.
    pub const IDENTITY: Self = Self::Quaternion([0.0, 0.0, 0.0, 1.0]);

    /// As a matrix by rows.
    #[must_use]
    pub fn rows(self) -> [f32; 9] {
        match self {
            Self::Matrix(rows) => rows,
            Self::Quaternion([x, y, z, w]) => {
                let (xx, yy, zz) = (x * x, y * y, z * z);
                let (xy, xz, yz) = (x * y, x * z, y * z);
                let (wx, wy, wz) = (w * x, w * y, w * z);
                [
                    1.0 - 2.0 * (yy + zz),
                    2.0 * (xy - wz),
                    2.0 * (xz + wy),
                    2.0 * (xy + wz),
                    1.0 - 2.0 * (xx + zz),
                    2.0 * (yz - wx),
                    2.0 * (xz - wy),
                    2.0 * (yz + wx),
                    1.0 - 2.0 * (xx + yy),
                ]
            }
        }
    }

    /// As a rotation; the nearest one if it is a matrix that is not quite one.
    #[must_use]
    pub fn rotation(self) -> Rotation {
        match self {
            Self::Quaternion(xyzw) => Rotation::from_xyzw(xyzw).unwrap_or(Rotation::IDENTITY),
            Self::Matrix([a, b, c, d, e, f, g, h, i]) => {
                // Rows there, columns here.
                let columns = [Vec3::new(a, d, g), Vec3::new(b, e, h), Vec3::new(c, f, i)];
                Rotation::from_matrix(&Matrix3 { columns })
            }
        }
    }
}

/// Orientations of many bodies, all of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Orientations {
    /// Unit quaternions x, y, z, w.
    Quaternions(Vec<[f32; 4]>),
    /// Matrices by rows.
    Matrices(Vec<[f32; 9]>),
}

impl Default for Orientations {
    fn default() -> Self {
        Self::Quaternions(Vec::new())
    }
}

impl Orientations {
    fn get(&self, at: usize) -> Orientation {
        match self {
            Self::Quaternions(all) => Orientation::Quaternion(all[at]),
            Self::Matrices(all) => Orientation::Matrix(all[at]),
        }
    }
}

/// A body at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Its number.
    pub number: u32,
    /// Position of its frame.
    pub position: DVec3,
    /// Orientation of its frame.
    pub orientation: Orientation,
    /// Velocity of its centre of mass.
    pub velocity: Vec3,
    /// Angular velocity.
    pub angular_velocity: Vec3,
}

impl BodyState {
    /// Its pose, with a position in single precision.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose::new(self.position.as_vec3(), self.orientation.rotation())
    }
}

/// Bodies of a simulation, an array for each quantity. All arrays have the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyBuffer {
    /// Numbers, ascending.
    pub numbers: Vec<u32>,
    /// Positions of their frames.
    pub positions: Vec<DVec3>,
    /// Orientations of their frames.
    pub orientations: Orientations,
    /// Velocities of their centres of mass.
    pub velocities: Vec<Vec3>,
    /// Angular velocities.
    pub angular_velocities: Vec<Vec3>,
    /// Scratch of [`sort`](Self::sort).
    order: Vec<u32>,
}

impl BodyBuffer {
    /// Forgets all bodies and gets ready for orientations of a kind; memory is kept.
    pub fn clear(&mut self, kind: OrientationKind) {
        self.numbers.clear();
        self.positions.clear();
        self.velocities.clear();
        self.angular_velocities.clear();
        match (&mut self.orientations, kind) {
            (Orientations::Quaternions(all), OrientationKind::Quaternion) => all.clear(),
            (Orientations::Matrices(all), OrientationKind::Matrix) => all.clear(),
            (other, OrientationKind::Quaternion) => *other = Orientations::Quaternions(Vec::new()),
            (other, OrientationKind::Matrix) => *other = Orientations::Matrices(Vec::new()),
        }
    }

    /// Adds a body. Its orientation is converted to a matrix if the buffer holds matrices.
    pub fn push(&mut self, body: BodyState) {
        self.numbers.push(body.number);
        self.positions.push(body.position);
        match (&mut self.orientations, body.orientation) {
            (Orientations::Quaternions(all), Orientation::Quaternion(xyzw)) => all.push(xyzw),
            (Orientations::Quaternions(all), matrix) => all.push(matrix.rotation().to_xyzw()),
            (Orientations::Matrices(all), orientation) => all.push(orientation.rows()),
        }
        self.velocities.push(body.velocity);
        self.angular_velocities.push(body.angular_velocity);
    }

    /// Bodies it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Does it hold none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The body at a place (not: with a number).
    #[must_use]
    pub fn get(&self, at: usize) -> BodyState {
        BodyState {
            number: self.numbers[at],
            position: self.positions[at],
            orientation: self.orientations.get(at),
            velocity: self.velocities[at],
            angular_velocity: self.angular_velocities[at],
        }
    }

    /// All bodies, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = BodyState> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Puts bodies into ascending order of their numbers. Free if they are.
    pub fn sort(&mut self) {
        if self.numbers.is_sorted() {
            return;
        }
        self.order.clear();
        self.order.extend(0..self.numbers.len() as u32);
        self.order.sort_unstable_by_key(|at| self.numbers[*at as usize]);
        permute(&mut self.numbers, &self.order);
        permute(&mut self.positions, &self.order);
        permute(&mut self.velocities, &self.order);
        permute(&mut self.angular_velocities, &self.order);
        match &mut self.orientations {
            Orientations::Quaternions(all) => permute(all, &self.order),
            Orientations::Matrices(all) => permute(all, &self.order),
        }
    }
}

/// Appends the elements in their new order, then drops the old ones.
fn permute<T: Copy>(all: &mut Vec<T>, order: &[u32]) {
    let len = all.len();
    all.reserve(len);
    order.iter().for_each(|at| all.push(all[*at as usize]));
    all.copy_within(len.., 0);
    all.truncate(len);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(number: u32) -> BodyState {
        BodyState {
            number,
            position: DVec3::splat(f64::from(number)),
            orientation: Orientation::IDENTITY,
            velocity: Vec3::splat(number as f32),
            angular_velocity: Vec3::ZERO,
        }
    }

    #[test]
    fn bodies_are_sorted_with_all_they_have() {
        let mut buffer = BodyBuffer::default();
        buffer.clear(OrientationKind::Matrix);
        [3, 0, 7, 1].into_iter().for_each(|number| buffer.push(body(number)));
        buffer.sort();
        assert_eq!(buffer.numbers, [0, 1, 3, 7]);
        for state in buffer.iter() {
            assert_eq!(state.position.x, f64::from(state.number));
            assert_eq!(state.velocity.y, state.number as f32);
            assert_eq!(state.orientation.rows(), Orientation::IDENTITY.rows());
        }
        buffer.clear(OrientationKind::Quaternion);
        assert!(buffer.is_empty());
        buffer.push(BodyState { orientation: Orientation::Matrix(Orientation::IDENTITY.rows()), ..body(2) });
        assert_eq!(buffer.get(0), body(2), "a matrix becomes a quaternion");
    }
}
