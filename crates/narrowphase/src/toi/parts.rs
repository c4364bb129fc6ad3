//! The first impact over the parts of something: triangles of a surface, children of a compound.
//!
//! The tree names the parts on the [path](Path) of the other body, earlier ones first, roughly;
//! each is asked with the best time so far as limit, and that time ends the walk.

use carom_geometry::bounds::Aabb;
use carom_geometry::shape::{Bounded, Compound};
use glam::Vec3;

use super::path::Path;
use super::{Toi, ToiOptions};
use crate::cast::Surface;

/// Something with numbered parts in a tree.
pub(super) trait Parts {
    /// The box round a part.
    fn part_bounds(&self, part: u32) -> Aabb<3>;

    /// Visits the parts that a moving box may touch.
    fn sweep(&self, start: &Aabb<3>, displacement: Vec3, visit: impl FnMut(u32, f32) -> f32);

    /// Visits the parts in a region.
    fn in_box(&self, region: &Aabb<3>, visit: impl FnMut(u32));
}

impl<T: Surface + ?Sized> Parts for T {
    #[inline]
    fn part_bounds(&self, part: u32) -> Aabb<3> {
        Aabb::of_points(self.triangle(part).corners())
    }

    #[inline]
    fn sweep(&self, start: &Aabb<3>, displacement: Vec3, visit: impl FnMut(u32, f32) -> f32) {
        self.sweep_box(start, displacement, visit);
    }

    #[inline]
    fn in_box(&self, region: &Aabb<3>, visit: impl FnMut(u32)) {
        self.for_each_in_box(region, visit);
    }
}

impl Parts for Compound {
    #[inline]
    fn part_bounds(&self, part: u32) -> Aabb<3> {
        let child = &self.children()[part as usize];
        child.shape.aabb_at(&child.pose)
    }

    #[inline]
    fn sweep(&self, start: &Aabb<3>, displacement: Vec3, visit: impl FnMut(u32, f32) -> f32) {
        self.sweep_box(start, displacement, visit);
    }

    #[inline]
    fn in_box(&self, region: &Aabb<3>, visit: impl FnMut(u32)) {
        self.for_each_in_box(region, visit);
    }
}

/// The earliest impact of the parts looked at so far.
pub(super) struct Earliest<D> {
    pub(super) outcome: Toi,
    pub(super) part: Option<u32>,
    /// What was told of it besides.
    pub(super) detail: Option<D>,
    /// The options for what may be earlier.
    rest: ToiOptions,
}

impl<D> Earliest<D> {
    /// Takes what was found with a part into account; of impacts at the same time that with the
    /// lowest number counts.
    fn offer(&mut self, part: u32, (outcome, detail): (Toi, D)) {
        let Some(time) = outcome.time() else { return };
        if self.rest.ignore_overlapping_parts && outcome == Toi::Overlapping {
            return;
        }
        let is_first = self.part.is_none_or(|other| {
            let best = self.outcome.time().unwrap_or(f32::INFINITY);
            time < best || time == best && part < other
        });
        if is_first {
            (self.outcome, self.part, self.detail) = (outcome, Some(part), Some(detail));
            self.rest.max_time = time;
        }
    }
}

/// The earliest of what `ask` finds with the parts on the path.
pub(super) fn earliest<P: Parts + ?Sized, D>(
    parts: &P,
    path: &Path,
    options: &ToiOptions,
    mut ask: impl FnMut(u32, &ToiOptions) -> (Toi, D),
) -> Earliest<D> {
    let mut found = Earliest { outcome: Toi::Separated, part: None, detail: None, rest: *options };
    match path {
        Path::Straight(start, displacement, all) => parts.sweep(start, *displacement, |part, enters| {
            if enters <= found.rest.max_time && all.overlaps(&parts.part_bounds(part)) {
                let outcome = ask(part, &found.rest);
                found.offer(part, outcome);
            }
            found.rest.max_time
        }),
        Path::Curved(pieces, count) => {
            for (piece, region) in pieces.iter().take(*count).enumerate() {
                if piece as f32 / *count as f32 > found.rest.max_time {
                    break;
                }
                parts.in_box(region, |part| {
                    let bounds = parts.part_bounds(part);
                    // Parts near earlier pieces were asked there.
                    if !pieces.iter().take(piece).any(|before| before.overlaps(&bounds)) {
                        let outcome = ask(part, &found.rest);
                        found.offer(part, outcome);
                    }
                });
            }
        }
        Path::Everywhere => parts.in_box(&Aabb::EVERYTHING, |part| {
            let outcome = ask(part, &found.rest);
            found.offer(part, outcome);
        }),
    }
    found
}
