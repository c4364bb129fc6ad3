//! Rows of moving bodies: the only memory that the sweeps of the solver write.
//!
//! Velocities are kept in *mass-scaled* coordinates: `√m · v` along the axes of the world, and `√I
//! · ω` along the principal axes of the body. A constraint whose Jacobian is scaled the same way
//! (`J · M^(−½)`) needs neither masses nor inertias in the sweeps: the velocity along it is a
//! scalar product with the row, and an impulse is added along the very same vector. Per contact
//! point and body that leaves three numbers to read where the usual form reads six and an inertia
//! tensor. The kinetic energy is half the square of a row.
//!
//! Displacements since the beginning of the step are kept in the same coordinates, so separations
//! follow by the same scalar products. Principal axes are those of the beginning of the step.
//!
//! Row 0 stands for everything that contacts cannot move: static and kinematic bodies. It is zero
//! and stays zero.

// Sweeps on several threads write different rows of one array; that they are different is promised
// by their colors.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use glam::Vec3;

/// A body in the sweeps: one cache line, four parts of three numbers and an unused fourth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct SolverBody(pub(crate) [[f32; 4]; 4]);

/// What a part of a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// √m · velocity.
    Linear,
    /// √I · angular velocity, in principal axes.
    Angular,
    /// √m · displacement since the beginning of the step.
    Moved,
    /// √I · small rotation since the beginning of the step, in principal axes.
    Turned,
}

/// Two parts that are read and written together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// [`Part::Linear`] and [`Part::Angular`].
    Velocity,
    /// [`Part::Moved`] and [`Part::Turned`].
    Displacement,
}

impl SolverBody {
    /// At the beginning of a step.
    pub(crate) fn new(linear: Vec3, angular: Vec3) -> Self {
        Self([padded(linear), padded(angular), [0.0; 4], [0.0; 4]])
    }

    /// One part.
    #[inline(always)]
    pub(crate) fn part(&self, part: Part) -> Vec3 {
        vector(self.0[part as usize])
    }

    /// Replaces a part.
    #[inline(always)]
    pub(crate) fn set(&mut self, part: Part, v: Vec3) {
        self.0[part as usize] = padded(v);
    }
}

/// All rows, to be read and written half by half. No reference to a row is ever held, so views of
/// the same rows do not get in each other's way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    start: *mut SolverBody,
    length: usize,
    rows: PhantomData<&'a mut [SolverBody]>,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(rows: &'a mut [SolverBody]) -> Self {
        Self { start: rows.as_mut_ptr(), length: rows.len(), rows: PhantomData }
    }

    /// Number of rows.
    pub(crate) fn len(self) -> usize {
        self.length
    }

    /// Half of a row.
    #[inline(always)]
    pub(crate) fn get(self, row: u32, half: Half) -> [[f32; 4]; 2] {
        // SAFETY: the row is there, and nobody else writes it: a view stays on its thread, and
        // those of other threads (`share`) were promised to touch other rows.
        unsafe { *self.address(row, half) }
    }

    /// Replaces half of a row.
    #[inline(always)]
    pub(crate) fn set(self, row: u32, half: Half, values: [[f32; 4]; 2]) {
        // SAFETY: as in `get`.
        unsafe { *self.address(row, half) = values }
    }

    /// Where half of a row lies, on a boundary of 32 bytes. It may be read and written for as long
    /// as the view, and not by several threads at a time.
    #[inline(always)]
    pub(crate) fn address(self, row: u32, half: Half) -> *mut [[f32; 4]; 2] {
        assert!((row as usize) < self.length, "no row {row}");
        self.start.wrapping_add(row as usize).cast::<[[f32; 4]; 2]>().wrapping_add(half as usize)
    }

    /// The same rows for other threads.
    pub(crate) fn share(self) -> SharedRows<'a> {
        SharedRows(self)
    }
}

/// Rows that several threads may get a view of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedRows<'a>(Rows<'a>);

// SAFETY: it gives nothing but `view`, whose caller promises what is needed.
unsafe impl Sync for SharedRows<'_> {}

impl<'a> SharedRows<'a> {
    /// A view of the rows.
    ///
    /// # Safety
    /// While it is used, no other thread may write a row that is read or written through it.
    #[inline(always)]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn view(&self) -> Rows<'a> {
        self.0
    }
}

/// The row of bodies that cannot be moved.
pub(crate) const FIXED: u32 = 0;

/// Four numbers of which the last is unused.
#[inline]
pub(crate) fn padded(v: Vec3) -> [f32; 4] {
    [v.x, v.y, v.z, 0.0]
}

/// The first three numbers.
#[inline]
pub(crate) fn vector([x, y, z, _]: [f32; 4]) -> Vec3 {
    Vec3::new(x, y, z)
}
