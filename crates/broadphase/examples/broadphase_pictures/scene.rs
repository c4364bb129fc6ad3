//! What is drawn: boxes from a fixed seed, spaces over them, and the structures of methods as they
//! are.

use std::cell::RefCell;

use carom_broadphase::{Bound, Choice, Pair, Space};
use carom_geometry::{Aabb, Obb, Pose, Rotation};
use glam::Vec3;

use crate::canvas::{BOX, HEIGHT, PAIR, Panel, Pen, Point, WIDTH};

/// Numbers that look random: the upper bits of a linear congruence.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number between two.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 40) as f32 / (1u32 << 24) as f32)
    }
}

fn around(centre: Point, half: Point) -> Aabb<2> {
    let c = [0, 1].map(|k| {
        let end = [WIDTH, HEIGHT][k] - half[k] - 0.3;
        centre[k].clamp(half[k] + 0.3, end)
    });
    Aabb::new([c[0] - half[0], c[1] - half[1]], [c[0] + half[0], c[1] + half[1]])
}

/// Scattered boxes and one cluster of them.
fn scattered(dice: &mut Dice, spread: usize, cluster: usize, sizes: [f32; 2]) -> Vec<Aabb<2>> {
    let mut boxes = Vec::new();
    for i in 0..spread + cluster {
        let half = [dice.between(sizes[0], sizes[1]), dice.between(sizes[0], sizes[1])];
        let centre = if i < spread {
            [dice.between(0.0, WIDTH), dice.between(0.0, HEIGHT)]
        } else {
            [dice.between(16.2, 21.0), dice.between(9.0, 13.0)]
        };
        boxes.push(around(centre, half));
    }
    boxes
}

/// The scene of most drawings: 36 boxes, a cluster on the right, three large ones.
pub(crate) fn crowd() -> Vec<Aabb<2>> {
    let mut boxes = scattered(&mut Dice::new(20), 22, 11, [0.3, 0.75]);
    boxes.push(around([4.6, 11.9], [2.6, 1.5]));
    boxes.push(around([12.0, 4.3], [1.4, 2.3]));
    boxes.push(around([20.2, 4.0], [2.2, 1.2]));
    boxes
}

/// Many small boxes, of half extents between two sizes.
pub(crate) fn throng(spread: usize, cluster: usize, sizes: [f32; 2]) -> Vec<Aabb<2>> {
    scattered(&mut Dice::new(7), spread, cluster, sizes)
}

/// Bars that lie askew.
pub(crate) fn bars(count: usize) -> Vec<Obb> {
    let mut dice = Dice::new(3);
    (0..count)
        .map(|_| {
            let at = Vec3::new(dice.between(2.0, WIDTH - 2.0), dice.between(2.0, HEIGHT - 2.0), 0.0);
            let half = Vec3::new(dice.between(0.8, 1.9), dice.between(0.18, 0.3), 0.0);
            let turn = Rotation::about_axis(Vec3::Z, dice.between(0.0, std::f32::consts::PI));
            Obb::of_pose(&Pose::new(at, turn), half)
        })
        .collect()
}

/// The box along the axes around a bar.
pub(crate) fn box_of(bar: &Obb) -> Aabb<2> {
    let aabb = bar.aabb();
    Aabb::new([aabb.min[0], aabb.min[1]], [aabb.max[0], aabb.max[1]])
}

pub(crate) fn centre(aabb: &Aabb<2>) -> Point {
    [0.5 * (aabb.min[0] + aabb.max[0]), 0.5 * (aabb.min[1] + aabb.max[1])]
}

/// The corners of a box, counter-clockwise.
pub(crate) fn corners(aabb: &Aabb<2>) -> Vec<Point> {
    let ([left, bottom], [right, top]) = (aabb.min, aabb.max);
    vec![[left, bottom], [right, bottom], [right, top], [left, top]]
}

/// The part of a convex polygon with `normal · p ≤ offset`.
pub(crate) fn clipped(polygon: &[Point], normal: Point, offset: f32) -> Vec<Point> {
    let above = |p: &Point| normal[0] * p[0] + normal[1] * p[1] - offset;
    let mut part = Vec::new();
    for (k, a) in polygon.iter().enumerate() {
        let b = &polygon[(k + 1) % polygon.len()];
        let (da, db) = (above(a), above(b));
        if da <= 0.0 {
            part.push(*a);
        }
        if (da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0) {
            let share = da / (da - db);
            part.push([a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]);
        }
    }
    part
}

/// A space with the boxes in it, after its first update; ids are indices.
pub(crate) fn space(choice: &str, boxes: &[Aabb<2>]) -> Space<2> {
    let choice: Choice = choice.parse().unwrap();
    let mut space = Space::with_broad_phase(choice.broad_phase());
    for aabb in boxes {
        space.insert(*aabb).unwrap();
    }
    space.update();
    space
}

/// The same with the bars inside the boxes.
pub(crate) fn space_of_bars(choice: &str, bars: &[Obb]) -> Space<2> {
    let choice: Choice = choice.parse().unwrap();
    let mut space = Space::with_broad_phase(choice.broad_phase());
    for bar in bars {
        let id = space.insert(box_of(bar)).unwrap();
        space.set_bound(id, Bound::of_obb(*bar)).unwrap();
    }
    space.update();
    space
}

/// A step of a walk through a structure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Volume(Aabb<2>),
    Id(u32),
}

/// A walk through the structure of a method into all volumes that pass.
pub(crate) fn walk(space: &Space<2>, enter: impl Fn(&Aabb<2>) -> bool) -> Vec<Step> {
    let steps = RefCell::new(Vec::new());
    let mut into = |volume: &Aabb<2>| {
        let passes = enter(volume);
        if passes {
            steps.borrow_mut().push(Step::Volume(*volume));
        }
        passes
    };
    let mut visit = |id: u32| steps.borrow_mut().push(Step::Id(id));
    space.hierarchy().unwrap().descend(&mut into, &mut visit);
    steps.into_inner()
}

/// The volumes of the leaves of a structure, each with its ids.
pub(crate) fn leaves(steps: &[Step]) -> Vec<(Aabb<2>, Vec<u32>)> {
    let mut leaves: Vec<(Aabb<2>, Vec<u32>)> = Vec::new();
    let mut open = None;
    for step in steps {
        match *step {
            Step::Volume(volume) => open = Some(volume),
            Step::Id(id) => match open.take() {
                Some(volume) => leaves.push((volume, vec![id])),
                None => leaves.last_mut().unwrap().1.push(id),
            },
        }
    }
    leaves
}

/// Draws boxes, and in red what two of them share.
pub(crate) fn draw(panel: &mut Panel, boxes: &[Aabb<2>], pairs: &[Pair]) {
    for aabb in boxes {
        panel.rectangle(aabb, &Pen::line(BOX, 1.0).filled(0.14));
    }
    draw_shared(panel, boxes, pairs);
}

pub(crate) fn draw_shared(panel: &mut Panel, boxes: &[Aabb<2>], pairs: &[Pair]) {
    for pair in pairs {
        if let Some(shared) = boxes[pair.a as usize].intersection(&boxes[pair.b as usize]) {
            panel.rectangle(&shared, &Pen::line(PAIR, 1.0).filled(0.75));
        }
    }
}
