//! Bullet's broad phases, through the functions of `crates/lab/peers/bullet.cpp`.
//!
//! The only file of the laboratory with `unsafe`: another language cannot be called without. Its
//! safe twin is the oracle, which the test `peers` compares it with.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::NonNull;

use carom_broadphase::{BoxError, Counters, Pair};
use carom_geometry::Aabb;

use crate::pairs::check::Promise;
use crate::pairs::contender::Contender;
use crate::pairs::frames::Frame;

/// Coordinates beyond this are cut: Bullet's large number, above which its sums lose their meaning.
const LARGE: f32 = 1e18;
/// How much larger than the first boxes the world of the sweep is.
const WORLD_GROWTH: f32 = 2.0;

// SAFETY: declared as in bullet.cpp. A handle is what `carom_bullet_new` gave and
// `carom_bullet_free` did not yet take; ids are below its capacity; corners are three floats; `out`
// has room for twice `capacity` numbers. No function keeps a pointer.
unsafe extern "C" {
    fn carom_bullet_new(kind: i32, capacity: u32, low: *const f32, high: *const f32) -> *mut c_void;
    fn carom_bullet_free(handle: *mut c_void);
    fn carom_bullet_insert(handle: *mut c_void, id: u32, low: *const f32, high: *const f32, is_static: bool);
    fn carom_bullet_remove(handle: *mut c_void, id: u32);
    fn carom_bullet_move(handle: *mut c_void, id: u32, low: *const f32, high: *const f32);
    fn carom_bullet_update(handle: *mut c_void);
    fn carom_bullet_pair_count(handle: *mut c_void) -> usize;
    fn carom_bullet_pairs(handle: *mut c_void, out: *mut u32, capacity: usize) -> usize;
}

/// Which of them; the numbers are those of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Deferred = 0,
    Forced = 1,
    Sweep = 2,
}

/// A Bullet broad phase that is there, and which ids are in it.
struct World {
    handle: NonNull<c_void>,
    present: Vec<bool>,
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the handle is alive, and nobody has it after this.
        unsafe { carom_bullet_free(self.handle.as_ptr()) };
    }
}

impl World {
    fn new(kind: Kind, capacity: usize, around: &Aabb<3>) -> Option<Self> {
        let (low, high) = (around.min, around.max);
        // SAFETY: both corners are three floats.
        let handle = unsafe { carom_bullet_new(kind as i32, capacity as u32, low.as_ptr(), high.as_ptr()) };
        NonNull::new(handle).map(|handle| Self { handle, present: vec![false; capacity] })
    }

    fn known(&self, id: u32, expected: bool) -> Result<(), BoxError> {
        if self.present.get(id as usize) == Some(&expected) { Ok(()) } else { Err(BoxError::Unknown { id }) }
    }

    fn insert(&mut self, id: u32, aabb: &Aabb<3>, is_static: bool) -> Result<(), BoxError> {
        self.known(id, false)?;
        let handle = self.handle.as_ptr();
        // SAFETY: the handle is alive, the id below its capacity and free, the corners are three
        // floats.
        unsafe { carom_bullet_insert(handle, id, aabb.min.as_ptr(), aabb.max.as_ptr(), is_static) };
        self.present[id as usize] = true;
        Ok(())
    }

    fn remove(&mut self, id: u32) -> Result<(), BoxError> {
        self.known(id, true)?;
        // SAFETY: the handle is alive, the id below its capacity and in use.
        unsafe { carom_bullet_remove(self.handle.as_ptr(), id) };
        self.present[id as usize] = false;
        Ok(())
    }

    fn set_box(&mut self, id: u32, aabb: &Aabb<3>) -> Result<(), BoxError> {
        self.known(id, true)?;
        // SAFETY: the handle is alive, the id below its capacity and in use, the corners are three
        // floats.
        unsafe { carom_bullet_move(self.handle.as_ptr(), id, aabb.min.as_ptr(), aabb.max.as_ptr()) };
        Ok(())
    }

    fn update(&mut self) {
        // SAFETY: the handle is alive.
        unsafe { carom_bullet_update(self.handle.as_ptr()) };
    }

    fn pair_count(&self) -> usize {
        // SAFETY: the handle is alive; the function changes nothing.
        unsafe { carom_bullet_pair_count(self.handle.as_ptr()) }
    }

    fn pairs(&self) -> Vec<(u32, u32)> {
        let count = self.pair_count();
        let mut flat = vec![0u32; 2 * count];
        // SAFETY: the handle is alive, and there is room for two numbers per pair.
        let written = unsafe { carom_bullet_pairs(self.handle.as_ptr(), flat.as_mut_ptr(), count) };
        flat[..2 * written].chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    }
}

/// `bullet-dbvt`, `bullet-dbvt-forced`, `bullet-axis-sweep3`.
pub(super) struct Bullet {
    kind: Kind,
    world: Option<World>,
}

impl Bullet {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, world: None }
    }
}

/// A box of ours in three dimensions and within the range of numbers Bullet can bear.
fn bullet_box<const D: usize>(aabb: &Aabb<D>) -> Aabb<3> {
    let corner = |c: &[f32; D]| std::array::from_fn(|k| c.get(k).map_or(0.0, |c| c.clamp(-LARGE, LARGE)));
    Aabb { min: corner(&aabb.min), max: corner(&aabb.max) }
}

/// The world of the sweep: the finite boxes and as much again around them. What leaves it is cut at
/// its border and still found.
fn world_around<const D: usize>(boxes: &[Aabb<D>]) -> Aabb<3> {
    let finite = |aabb: &&Aabb<D>| aabb.min.iter().chain(&aabb.max).all(|c| c.abs() < LARGE);
    let all =
        boxes.iter().filter(finite).map(bullet_box).fold(Aabb::EMPTY, |all: Aabb<3>, one| all.union(&one));
    let all = if all.is_valid() { all } else { Aabb::default() };
    let reach = |k: usize| 0.5 * WORLD_GROWTH * (all.max[k] - all.min[k]).max(1.0);
    let middle = |k: usize| 0.5 * (all.min[k] + all.max[k]);
    Aabb {
        min: std::array::from_fn(|k| middle(k) - reach(k)),
        max: std::array::from_fn(|k| middle(k) + reach(k)),
    }
}

impl<const D: usize> Contender<D> for Bullet {
    fn start(&mut self, frame: &Frame<'_, D>) -> Result<(), BoxError> {
        let world = World::new(self.kind, frame.boxes.len(), &world_around(frame.boxes));
        let world = self.world.insert(world.ok_or(BoxError::Full)?);
        for (id, aabb) in frame.boxes.iter().enumerate() {
            world.insert(id as u32, &bullet_box(aabb), frame.filter(id as u32).is_static)?;
        }
        Ok(())
    }

    fn follow(&mut self, frame: &Frame<'_, D>) -> Result<(), BoxError> {
        let Some(world) = &mut self.world else { return Ok(()) };
        frame.changes.removed.iter().try_for_each(|&id| world.remove(id))?;
        for &id in &frame.changes.inserted {
            world.insert(id, &bullet_box(&frame.boxes[id as usize]), frame.filter(id).is_static)?;
        }
        for &id in &frame.changes.moved {
            world.set_box(id, &bullet_box(&frame.boxes[id as usize]))?;
        }
        Ok(())
    }

    fn update(&mut self) {
        if let Some(world) = &mut self.world {
            world.update();
        }
    }

    fn pair_count(&self) -> usize {
        self.world.as_ref().map_or(0, World::pair_count)
    }

    fn pairs(&mut self, frame: &Frame<'_, D>) -> Vec<Pair> {
        let pairs = self.world.as_ref().map_or(Vec::new(), World::pairs);
        super::read_out(frame, &pairs)
    }

    fn promise(&self) -> Promise {
        Promise::AT_LEAST
    }

    fn work(&self) -> Option<Counters> {
        None
    }

    fn bytes(&self) -> Option<usize> {
        None
    }

    fn remark(&self) -> Option<String> {
        None
    }
}
