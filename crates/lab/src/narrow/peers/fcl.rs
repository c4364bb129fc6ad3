//! FCL and libccd, through the functions of `crates/lab/peers/fcl.cpp`.
//!
//! Another language cannot be called without `unsafe`. The safe twin is the reference of each task,
//! which every answer is compared with.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::NonNull;

use carom_geometry::{Polytope, Shape};

use crate::narrow::contestant::NO_CONTACT;
use crate::narrow::{Contestant, Question, Task};

// SAFETY: declared as in fcl.cpp. A handle is what `carom_fcl_shape` gave and `carom_fcl_free` did
// not yet take; `sizes` are three floats; `corners` are three floats each; `places` are seven
// floats each and `out` has one float per place. No function keeps a pointer.
unsafe extern "C" {
    fn carom_fcl_shape(
        kind: i32,
        sizes: *const f32,
        corners: *const f32,
        corner_count: usize,
        faces: *const i32,
        face_numbers: usize,
        face_count: i32,
    ) -> *mut c_void;
    fn carom_fcl_free(shape: *mut c_void);
    fn carom_fcl_distances(
        a: *const c_void,
        b: *const c_void,
        places: *const f32,
        count: usize,
        is_signed: bool,
        independent: bool,
        out: *mut f32,
    );
    fn carom_fcl_contacts(
        a: *const c_void,
        b: *const c_void,
        places: *const f32,
        count: usize,
        most: usize,
        out: *mut f32,
    );
    fn carom_ccd_answers(
        a: *const c_void,
        b: *const c_void,
        places: *const f32,
        count: usize,
        question: i32,
        out: *mut f32,
    );
}

/// Which function is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Fcl,
    FclIndependent,
    CcdGjk,
    CcdMpr,
}

/// A shape on the other side.
struct Handle(NonNull<c_void>);

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is alive, and nobody has it after this.
        unsafe { carom_fcl_free(self.0.as_ptr()) };
    }
}

impl Handle {
    fn new(shape: &Shape) -> Option<Self> {
        let (kind, sizes) = match shape {
            Shape::Sphere(s) => (0, [s.radius, 0.0, 0.0]),
            Shape::Capsule(s)
                if s.segment.a == -s.segment.b && s.segment.b.truncate() == glam::Vec2::ZERO =>
            {
                (1, [s.radius, 2.0 * s.half_length(), 0.0])
            }
            Shape::Cuboid(s) => (2, (s.half * 2.0).to_array()),
            Shape::Cylinder(s) => (3, [s.radius, 2.0 * s.half_length, 0.0]),
            Shape::Cone(s) => (4, [s.radius, 2.0 * s.half_length, 0.0]),
            Shape::Ellipsoid(s) => (5, s.radii.to_array()),
            Shape::Polytope(hull) => return Self::of_hull(hull),
            _ => return None,
        };
        // SAFETY: three sizes; without corners and faces their pointers are not read.
        let handle =
            unsafe { carom_fcl_shape(kind, sizes.as_ptr(), std::ptr::null(), 0, std::ptr::null(), 0, 0) };
        NonNull::new(handle).map(Self)
    }

    fn of_hull(hull: &Polytope) -> Option<Self> {
        let corners: Vec<f32> = hull.points().iter().flat_map(glam::Vec3::to_array).collect();
        let mut faces = Vec::new();
        for face in hull.faces() {
            faces.push(hull.face_vertices(face).count() as i32);
            faces.extend(hull.face_vertices(face).map(|vertex| vertex.0 as i32));
        }
        // SAFETY: corners are three floats each and faces as many numbers as stated; sizes are not
        // read for a hull.
        let handle = unsafe {
            carom_fcl_shape(
                6,
                [0.0f32; 3].as_ptr(),
                corners.as_ptr(),
                hull.vertex_count(),
                faces.as_ptr(),
                faces.len(),
                hull.face_count() as i32,
            )
        };
        NonNull::new(handle).map(Self)
    }
}

/// `fcl`, `fcl-indep`, `libccd-gjk`, `libccd-mpr`.
pub(super) struct Fcl {
    way: Way,
    shapes: Option<[Handle; 2]>,
    places: Vec<f32>,
}

impl Fcl {
    pub(super) fn new(way: Way) -> Self {
        Self { way, shapes: None, places: Vec::new() }
    }

    fn is_asked(&self, task: &Task) -> bool {
        let hulls = matches!((&task.a, &task.b), (Shape::Polytope(_), Shape::Polytope(_)));
        match self.way {
            Way::Fcl => task.question != Question::Touch,
            Way::FclIndependent => task.question == Question::Distance,
            Way::CcdGjk | Way::CcdMpr => hulls && matches!(task.question, Question::Touch | Question::Depth),
        }
    }
}

impl Contestant for Fcl {
    fn name(&self) -> &'static str {
        match self.way {
            Way::Fcl => "fcl",
            Way::FclIndependent => "fcl-indep",
            Way::CcdGjk => "libccd-gjk",
            Way::CcdMpr => "libccd-mpr",
        }
    }

    fn take(&mut self, task: &Task) -> bool {
        if !self.is_asked(task) {
            return false;
        }
        let (Some(a), Some(b)) = (Handle::new(&task.a), Handle::new(&task.b)) else {
            return false;
        };
        self.shapes = Some([a, b]);
        let numbers = task.places.iter().flat_map(|place| {
            let ([x, y, z], [i, j, k, w]) = (place.translation.to_array(), place.rotation.to_xyzw());
            [x, y, z, i, j, k, w]
        });
        self.places = numbers.collect();
        true
    }

    fn answer(&mut self, task: &Task, answers: &mut [f32]) {
        let Some([a, b]) = &self.shapes else { return };
        let (a, b, places) = (a.0.as_ptr(), b.0.as_ptr(), self.places.as_ptr());
        let count = answers.len().min(self.places.len() / 7);
        let out = answers.as_mut_ptr();
        let is_depth = task.question == Question::Depth;
        match self.way {
            // SAFETY: both handles are alive, there are `count` places of seven floats and room for
            // `count` answers.
            Way::Fcl if task.question == Question::Distance => unsafe {
                carom_fcl_distances(a, b, places, count, false, false, out);
            },
            // SAFETY: as above.
            Way::Fcl => unsafe {
                let most = if is_depth { 1 } else { 4 };
                carom_fcl_contacts(a, b, places, count, most, out);
            },
            // SAFETY: as above.
            Way::FclIndependent => unsafe {
                carom_fcl_distances(a, b, places, count, false, true, out);
            },
            // SAFETY: as above, and both shapes are hulls.
            Way::CcdGjk | Way::CcdMpr => unsafe {
                let question = i32::from(self.way == Way::CcdMpr) + if is_depth { 2 } else { 0 };
                carom_ccd_answers(a, b, places, count, question, out);
            },
        }
        if task.question != Question::Distance && task.question != Question::Touch {
            for answer in answers.iter_mut().filter(|answer| **answer == 1.0) {
                *answer = NO_CONTACT;
            }
        }
    }
}
