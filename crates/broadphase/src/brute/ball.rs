//! `sphere` and `obb`: every pair of spheres tested, eight per instruction pair; what is left, as
//! oriented boxes.
//!
//! For `obb` the spheres are those around the oriented boxes, so they leave out only what the
//! oriented boxes would too.

use carom_core::simd::f32x8;
use carom_core::threads::ThreadPool;

use crate::broad_phase::{BroadPhase, Contract, Counters, Found, Outcome};
use crate::refine::{Ball, OrientedBoxes, ball, balls_overlap};
use crate::{Bound, Pair, Table};

const WIDTH: usize = 8;
/// Pairs tested at a time as oriented boxes.
const BATCH: usize = 4096;

/// Spheres as columns of centre and radius.
#[derive(Clone, Debug, Default)]
struct Balls {
    ids: Vec<u32>,
    columns: [Vec<f32>; 4],
}

impl Balls {
    fn fill<const D: usize>(&mut self, table: &Table<D>, bound: impl Fn(u32) -> Option<Bound>) {
        self.ids.clear();
        self.columns.iter_mut().for_each(Vec::clear);
        for id in table.ids() {
            self.ids.push(id);
            for (column, number) in self.columns.iter_mut().zip(ball(bound(id).as_ref())) {
                column.push(number);
            }
        }
    }

    /// Calls `report` for the places of each pair that overlaps and may pair.
    fn pairs<const D: usize>(&self, table: &Table<D>, mut report: impl FnMut(Pair)) {
        let [x, y, z, r] = &self.columns;
        let ball_at = |at: usize| -> Ball { [x[at], y[at], z[at], r[at]] };
        let mut note = |a: u32, b: u32| {
            if table.admits_all() || table.admits(a, b) {
                report(Pair::new(a, b));
            }
        };
        for i in 0..self.ids.len() {
            if table.has_too_many_pairs() {
                break;
            }
            let first = ball_at(i);
            let query = first.map(f32x8::splat);
            let (xs, _) = x[i + 1..].as_chunks::<WIDTH>();
            let (ys, _) = y[i + 1..].as_chunks::<WIDTH>();
            let (zs, _) = z[i + 1..].as_chunks::<WIDTH>();
            let (rs, _) = r[i + 1..].as_chunks::<WIDTH>();
            let mut at = i + 1;
            for (((x, y), z), r) in xs.iter().zip(ys).zip(zs).zip(rs) {
                // As `balls_overlap`, operation for operation.
                let (x, y, z) =
                    (f32x8::new(*x) - query[0], f32x8::new(*y) - query[1], f32x8::new(*z) - query[2]);
                let reach = query[3] + f32x8::new(*r);
                let apart = (x * x + y * y + z * z).simd_gt(reach * reach).to_bitmask();
                let mut bits = !apart & ((1 << WIDTH) - 1);
                while bits != 0 {
                    note(self.ids[i], self.ids[at + bits.trailing_zeros() as usize]);
                    bits &= bits - 1;
                }
                at += WIDTH;
            }
            for j in at..self.ids.len() {
                if balls_overlap(&first, &ball_at(j)) {
                    note(self.ids[i], self.ids[j]);
                }
            }
        }
    }

    /// Number of pairs, all of which are tested.
    fn tests(&self) -> u64 {
        let len = self.ids.len() as u64;
        len * len.saturating_sub(1) / 2
    }

    fn bytes(&self) -> usize {
        let numbers: usize = self.columns.iter().map(Vec::capacity).sum();
        numbers * size_of::<f32>() + self.ids.capacity() * size_of::<u32>()
    }
}

/// `sphere`.
#[derive(Clone, Debug, Default)]
pub(super) struct AllSpheres {
    balls: Balls,
    counters: Counters,
}

impl<const D: usize> BroadPhase<D> for AllSpheres {
    fn update(&mut self, table: &Table<D>, _: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.balls.fill(table, |id| table.bound(id));
        self.balls.pairs(table, |pair| table.push_pair(&mut found.pairs, pair));
        self.counters.box_tests += self.balls.tests();
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        self.balls.bytes()
    }

    fn contract(&self) -> Contract {
        Contract::Spheres
    }
}

/// `obb`.
#[derive(Clone, Debug, Default)]
pub(super) struct AllOriented {
    balls: Balls,
    boxes: OrientedBoxes,
    batch: Vec<Pair>,
    counters: Counters,
}

impl<const D: usize> BroadPhase<D> for AllOriented {
    fn update(&mut self, table: &Table<D>, _: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.boxes.follow(table);
        self.balls.fill(table, |id| table.bound(id).map(|bound| Bound::of_obb(bound.obb)));
        self.batch.clear();
        let (batch, boxes) = (&mut self.batch, &mut self.boxes);
        self.balls.pairs(table, |pair| {
            batch.push(pair);
            if batch.len() == BATCH {
                boxes.keep_overlapping(table, batch, &mut found.pairs);
                table.limit.note_length(found.pairs.len());
                batch.clear();
            }
        });
        boxes.keep_overlapping(table, batch, &mut found.pairs);
        self.counters.box_tests += self.balls.tests();
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        self.balls.bytes() + self.boxes.bytes() + self.batch.capacity() * size_of::<Pair>()
    }

    fn contract(&self) -> Contract {
        Contract::OrientedBoxes
    }
}
