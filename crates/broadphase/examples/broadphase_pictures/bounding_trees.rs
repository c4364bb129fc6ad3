//! Trees of boxes, and questions to them.

use carom_broadphase::Space;
use carom_geometry::Aabb;

use crate::canvas::{self, Anchor, BOX, FOCUS, Panel, Pen, Point, QUIET, SECOND, STRUCTURE, TESTED};
use crate::scene::{Dice, Step, centre, crowd, draw, space, throng, walk};

fn moved(aabb: &Aabb<2>, by: Point) -> Aabb<2> {
    Aabb::new([aabb.min[0] + by[0], aabb.min[1] + by[1]], [aabb.max[0] + by[0], aabb.max[1] + by[1]])
}

fn volumes(space: &Space<2>) -> Vec<Aabb<2>> {
    let steps = walk(space, |_| true);
    steps
        .iter()
        .filter_map(|step| match step {
            Step::Volume(volume) => Some(*volume),
            Step::Id(_) => None,
        })
        .collect()
}

fn area(aabb: &Aabb<2>) -> f32 {
    (aabb.max[0] - aabb.min[0]) * (aabb.max[1] - aabb.min[1])
}

/// `dbvt`.
pub(crate) fn dynamic() -> String {
    let margin = 0.35;
    let mut boxes: Vec<Aabb<2>> = crowd().into_iter().step_by(2).collect();
    let mut space = space(&format!("dbvt?margin={margin}"), &boxes);
    let mut fat: Vec<Aabb<2>> = boxes.iter().map(|b| b.grown(margin)).collect();
    // One stays within its margin, one leaves it: from then on the tree is the binary one.
    let (stays, leaves) = (17, 7);
    boxes[stays] = moved(&boxes[stays], [0.25, 0.2]);
    boxes[leaves] = moved(&boxes[leaves], [1.6, 0.9]);
    fat[leaves] = boxes[leaves].grown(margin);
    for id in [stays, leaves] {
        space.set_box(id as u32, &boxes[id]).unwrap();
    }
    space.update();
    let nodes = volumes(&space);
    let mut first = Panel::new(format!(
        "dbvt?margin={margin}: a binary tree of fat boxes\n{} inner nodes over {} leaves; dashed: the fat boxes",
        nodes.len(),
        boxes.len()
    ));
    for node in &nodes {
        let colour = if area(node) > 60.0 { STRUCTURE } else { SECOND };
        first.rectangle(node, &Pen::line(colour, 1.2).filled(0.03));
    }
    for aabb in &fat {
        first.rectangle(aabb, &Pen::dashes(BOX, 0.9));
    }
    draw(&mut first, &boxes, &[]);
    let mut second = Panel::new(
        "Two boxes move\nGreen: still inside its fat box, nothing happens at all.\n\
         Black: left its fat box; it gets a new one, a new place, and is looked up.",
    );
    for (id, aabb) in boxes.iter().enumerate() {
        second.rectangle(&fat[id], &Pen::dashes(QUIET, 0.8));
        second.rectangle(aabb, &Pen::line(QUIET, 0.8).filled(0.15));
    }
    for (id, colour, by) in [(stays, STRUCTURE, [-0.25, -0.2]), (leaves, FOCUS, [-1.6, -0.9])] {
        let before = moved(&boxes[id], by);
        second.rectangle(&before, &Pen::dashes(colour, 1.0));
        second.rectangle(&before.grown(margin), &Pen::dashes(colour, 0.8));
        second.rectangle(&boxes[id], &Pen::line(colour, 1.6).filled(0.35));
        second.rectangle(&fat[id], &Pen::line(colour, 1.2));
        second.arrow(centre(&before), centre(&boxes[id]), colour);
    }
    canvas::sheet("A dynamic tree of fat boxes", 2, &[first, second])
}

/// The blocks of eight of a wide tree in the order of its slots, each with its bounds. The walk
/// takes the last block first, and there must be no half-empty one.
fn blocks(space: &Space<2>) -> Vec<(Aabb<2>, Vec<u32>)> {
    let steps = walk(space, |_| true);
    let ids: Vec<u32> = steps
        .iter()
        .filter_map(|step| match step {
            Step::Id(id) => Some(*id),
            Step::Volume(_) => None,
        })
        .collect();
    let known = volumes(space);
    let block = |ids: &[u32]| {
        let bounds = ids.iter().fold(Aabb::EMPTY, |all, &id| all.union(space.table().aabb(id)));
        assert!(known.contains(&bounds), "a block is not where the tree has it");
        (bounds, ids.to_vec())
    };
    ids.chunks(8).rev().map(block).collect()
}

/// `bvh`.
pub(crate) fn rebuilt() -> String {
    let boxes = throng(72, 24, [0.15, 0.35]);
    let space = space("bvh", &boxes);
    let blocks = blocks(&space);
    let mut first = Panel::new(format!(
        "bvh: boxes in the order of a curve\nMorton codes of the centres, sorted; eight neighbours are a block\n({} boxes, {} blocks)",
        boxes.len(),
        blocks.len()
    ));
    let order: Vec<u32> = blocks.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
    let curve: Vec<Point> = order.iter().map(|&id| centre(&boxes[id as usize])).collect();
    for (index, (volume, _)) in blocks.iter().enumerate() {
        let colour = if index % 2 == 0 { STRUCTURE } else { SECOND };
        first.rectangle(volume, &Pen::line(colour, 1.2).filled(0.08));
    }
    draw(&mut first, &boxes, space.pairs());
    first.path(&curve, false, &Pen::line(TESTED, 1.2));
    let mut second = Panel::new(
        "The levels\nEight blocks are a block of the next level (wide lines), up to one.\n\
         The tree is searched against itself: only blocks that overlap are opened.",
    );
    let leaf_volumes: Vec<Aabb<2>> = blocks.iter().map(|(volume, _)| *volume).collect();
    for volume in volumes(&space).iter().filter(|volume| !leaf_volumes.contains(volume)) {
        second.rectangle(volume, &Pen::line(FOCUS, 2.4));
    }
    for volume in &leaf_volumes {
        second.rectangle(volume, &Pen::line(STRUCTURE, 1.0).filled(0.06));
    }
    for (i, a) in leaf_volumes.iter().enumerate() {
        for b in &leaf_volumes[i + 1..] {
            if let Some(shared) = a.intersection(b) {
                second.rectangle(&shared, &Pen::line(TESTED, 0.6).filled(0.25));
            }
        }
    }
    for aabb in &boxes {
        second.rectangle(aabb, &Pen::line(BOX, 0.6).filled(0.1));
    }
    canvas::sheet("A tree of boxes, built anew", 2, &[first, second])
}

/// `bvh-refit`.
pub(crate) fn refitted() -> String {
    let mut boxes = throng(72, 24, [0.15, 0.35]);
    let mut space = space("bvh-refit", &boxes);
    let before = blocks(&space);
    let mut dice = Dice::new(9);
    let moving: Vec<usize> = (0..boxes.len()).step_by(13).collect();
    let from: Vec<Point> = moving.iter().map(|&id| centre(&boxes[id])).collect();
    for &id in &moving {
        boxes[id] = moved(&boxes[id], [dice.between(-0.9, 0.9), dice.between(-0.9, 0.9)]);
        space.set_box(id as u32, &boxes[id]).unwrap();
    }
    space.update();
    let after = blocks(&space);
    let changed = before.iter().zip(&after).filter(|(old, new)| old.0 != new.0).count();
    assert!(before.iter().zip(&after).all(|(old, new)| old.1 == new.1), "the order was renewed");
    let mut first = Panel::new(format!(
        "bvh-refit: {} of {} boxes moved\nThe order stays; bounds follow where something moved:\n{changed} of {} blocks have new bounds (yellow), dashed the old ones",
        moving.len(),
        boxes.len(),
        after.len()
    ));
    for ((old, _), (new, _)) in before.iter().zip(&after) {
        if old == new {
            first.rectangle(new, &Pen::line(QUIET, 0.9));
        } else {
            first.rectangle(old, &Pen::dashes(STRUCTURE, 1.0));
            first.rectangle(new, &Pen::line(TESTED, 1.8).filled(0.10));
        }
    }
    for (id, aabb) in boxes.iter().enumerate() {
        let pen = if moving.contains(&id) {
            Pen::line(FOCUS, 1.4).filled(0.4)
        } else {
            Pen::line(BOX, 0.8).filled(0.12)
        };
        first.rectangle(aabb, &pen);
    }
    for (&id, from) in moving.iter().zip(from) {
        first.arrow(from, centre(&boxes[id]), FOCUS);
    }
    let asker = moving[3];
    let query = boxes[asker];
    let mut second = Panel::new(
        "One box that moved is looked up\nOnly blocks whose bounds overlap it are opened (yellow);\npairs of boxes that rest are kept.",
    );
    for (volume, ids) in &after {
        let opened = volume.overlaps(&query);
        second.rectangle(
            volume,
            &if opened { Pen::line(TESTED, 1.8).filled(0.12) } else { Pen::line(QUIET, 0.8) },
        );
        for &id in ids {
            let pen =
                if opened { Pen::line(TESTED, 1.2).filled(0.3) } else { Pen::line(BOX, 0.7).filled(0.06) };
            second.rectangle(&boxes[id as usize], &pen);
        }
    }
    second.rectangle(&query, &Pen::line(FOCUS, 2.0).filled(0.4));
    canvas::sheet("A tree of boxes, refitted", 2, &[first, second])
}

/// Questions to a structure.
pub(crate) fn queries() -> String {
    let boxes = throng(150, 50, [0.12, 0.28]);
    let space = space("bvh", &boxes);
    let query = Aabb::new([5.0, 5.4], [9.4, 9.6]);
    let mut found = Vec::new();
    space.overlapping(&query, &mut found);
    let steps = walk(&space, |volume| volume.overlaps(&query));
    let looked_at = steps.iter().filter(|step| matches!(step, Step::Id(_))).count();
    let mut first = Panel::new(format!(
        "overlapping: {} boxes found\nYellow: the volumes that were entered. {looked_at} of {} boxes were tested.",
        found.len(),
        boxes.len()
    ));
    draw_answer(&mut first, &boxes, &steps, &found);
    first.rectangle(&query, &Pen::line(FOCUS, 2.0));
    let (from, to) = ([1.0, 14.6], [23.0, 5.4]);
    let direction = [to[0] - from[0], to[1] - from[1]];
    let mut hits = Vec::new();
    space.along_ray(from, direction, 1.0, &mut hits);
    let ids: Vec<u32> = hits.iter().map(|hit| hit.1).collect();
    let along = |volume: &Aabb<2>| meets(volume, from, direction);
    let steps = walk(&space, along);
    let looked_at = steps.iter().filter(|step| matches!(step, Step::Id(_))).count();
    let mut second = Panel::new(format!(
        "along_ray: {} boxes found, in the order of the ray\n{looked_at} of {} boxes were tested.",
        hits.len(),
        boxes.len()
    ));
    draw_answer(&mut second, &boxes, &steps, &ids);
    second.arrow(from, to, FOCUS);
    for (rank, (enter, _)) in hits.iter().enumerate() {
        let at = [from[0] + enter * direction[0], from[1] + enter * direction[1]];
        second.text([at[0], at[1] + 0.7], Anchor::Middle, FOCUS, &(rank + 1).to_string());
    }
    canvas::sheet("Questions to a space", 2, &[first, second])
}

/// Does a segment meet a box? By slabs.
fn meets(aabb: &Aabb<2>, from: Point, direction: Point) -> bool {
    let (mut enter, mut exit) = (0.0f32, 1.0f32);
    for k in 0..2 {
        let (a, b) = ((aabb.min[k] - from[k]) / direction[k], (aabb.max[k] - from[k]) / direction[k]);
        (enter, exit) = (enter.max(a.min(b)), exit.min(a.max(b)));
    }
    enter <= exit
}

fn draw_answer(panel: &mut Panel, boxes: &[Aabb<2>], steps: &[Step], found: &[u32]) {
    for step in steps {
        if let Step::Volume(volume) = step {
            panel.rectangle(volume, &Pen::line(TESTED, 1.0).filled(0.06));
        }
    }
    for (id, aabb) in boxes.iter().enumerate() {
        let is_found = found.contains(&(id as u32));
        let pen =
            if is_found { Pen::line(STRUCTURE, 1.4).filled(0.6) } else { Pen::line(BOX, 0.7).filled(0.10) };
        panel.rectangle(aabb, &pen);
    }
}
