//! `none` and `aabb`: every pair, untested and tested.

use crate::canvas::{self, BOX, Panel, Pen, QUIET};
use crate::scene::{centre, crowd, draw, space};

pub(crate) fn sheet() -> String {
    let boxes = crowd();
    let every = space("none", &boxes);
    let mut first = Panel::new(format!(
        "none: every pair goes on\n{} boxes, {} pairs, a line each",
        boxes.len(),
        every.pairs().len()
    ));
    for pair in every.pairs() {
        let [a, b] = [pair.a, pair.b].map(|id| centre(&boxes[id as usize]));
        first.line(a, b, &Pen::line(QUIET, 0.3));
    }
    for aabb in &boxes {
        first.rectangle(aabb, &Pen::line(BOX, 1.0).filled(0.14));
    }
    let tested = space("aabb", &boxes);
    let mut second = Panel::new(format!(
        "aabb: every pair is tested\n{} of them overlap (what they share is red)",
        tested.pairs().len()
    ));
    draw(&mut second, &boxes, tested.pairs());
    canvas::sheet("Every pair, untested and tested", 2, &[first, second])
}
