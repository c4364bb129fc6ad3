//! Quickhull: the triangulated hull grows by the farthest point outside until none is left.
//!
//! Invariants between two insertions:
//! * the facets are the exact hull of the points inserted so far (on the grid): every facet has
//!   three distinct corners that are not on a line, and no inserted point is above any facet;
//! * every other point that is not strictly inside is in the list of a facet that it is above of or
//!   in. A facet knows the highest point of its list; facets with a point higher than
//!   `Grid::outside` are in the heap.
//!
//! Which facets a new point sees is decided exactly. Seen facets form a disc, its border is a
//! simple loop, and no edge of the border is in line with the point; so the new facets are sound
//! too, also among coplanar points.
//!
//! A point whose facet was removed is nearly always above a new facet or inside. Among coplanar
//! points it may be just in the plane of a new facet but far above an old one, past an edge. Such
//! points walk over the facets they see.

use std::collections::BinaryHeap;

use super::grid::{Grid, NOISE, Plane};
use super::simplex;

const NONE: u32 = u32::MAX;

/// From this many points on, extreme points are inserted first.
const MANY_POINTS: usize = 256;

/// A triangle of the growing hull.
#[derive(Clone, Copy, Debug)]
struct Facet {
    /// Corners, counter-clockwise seen from outside.
    corners: [u32; 3],
    /// Half-edge of the neighbour along corner k to k + 1: three times its facet plus its edge.
    pairs: [u32; 3],
    /// First point of its list, or none.
    list: u32,
    /// The highest point of the list and its height.
    highest: u32,
    height: f64,
    /// Round of the last look at this facet, times two, plus one if it was not seen.
    look: u64,
    alive: bool,
}

/// The growing hull.
pub(super) struct Facets<'a> {
    grid: &'a Grid,
    facets: Vec<Facet>,
    planes: Vec<Plane>,
    /// Slots of removed facets.
    free: Vec<u32>,
    /// Next point in the list of the same facet.
    next: Vec<u32>,
    /// For a vertex of the border of the last insertion: the new facet whose border edge starts
    /// there.
    at_border: Vec<u32>,
    /// Facets with points outside, highest point first; may name facets that have changed since.
    heap: BinaryHeap<Candidate>,
    rounds: u64,
    vertices: usize,
    /// Number of vertices when a point was put into the list of a facet that it is near to; the
    /// least of all such points.
    oldest_walk: usize,
    scratch: Scratch,
}

/// Lists that live on to save allocations.
#[derive(Default)]
struct Scratch {
    seen: Vec<u32>,
    border: Vec<u32>,
    orphans: Vec<u32>,
    created: Vec<u32>,
    created_planes: Vec<Plane>,
    walk: Vec<u32>,
}

/// Which facets the created ones are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Among {
    /// All of the hull: what a point is above of is known after a look at them. Of a grid of 20³
    /// points, whose faces are full of coplanar points, that saves a third of the time.
    All,
    /// Only those round the last vertex.
    New,
}

/// A facet in the heap. The bits of positive numbers are ordered like the numbers; the lower facet
/// wins ties.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    height_bits: u64,
    facet: std::cmp::Reverse<u32>,
}

/// The triangles of a finished hull: corners and neighbours as in [`Facet`].
pub(super) struct Triangles {
    pub(super) corners: Vec<[u32; 3]>,
    pub(super) pairs: Vec<[u32; 3]>,
    pub(super) planes: Vec<Plane>,
}

impl<'a> Facets<'a> {
    /// The tetrahedron of four points, the first three counter-clockwise seen from outside, with
    /// all others in lists.
    ///
    /// Of many points, the extreme ones in some directions are inserted first, before any lists are
    /// made: most points inside are then dropped by one look at a few facets instead of moving from
    /// list to list.
    pub(super) fn new(grid: &'a Grid, corners: [u32; 4], limit: usize) -> Self {
        let mut hull = Self::tetrahedron(grid, corners);
        if grid.points.len() >= MANY_POINTS {
            hull.scratch.orphans =
                simplex::extremes(grid).into_iter().filter(|p| !corners.contains(p)).collect();
            hull.scratch.created.extend(0..4);
            hull.distribute(Among::All);
            hull.grow(limit);
            hull.drop_lists();
        }
        let mut is_vertex = vec![false; grid.points.len()];
        hull.scratch.created.clear();
        for (f, facet) in hull.facets.iter().enumerate().filter(|(_, facet)| facet.alive) {
            hull.scratch.created.push(f as u32);
            for v in facet.corners {
                is_vertex[v as usize] = true;
            }
        }
        hull.scratch.orphans.clear();
        let others = is_vertex.iter().enumerate().filter(|(_, is_vertex)| !**is_vertex);
        hull.scratch.orphans.extend(others.map(|(p, _)| p as u32));
        hull.distribute(Among::All);
        hull
    }

    /// Empties the lists. Their points will be distributed again.
    fn drop_lists(&mut self) {
        self.heap.clear();
        self.oldest_walk = usize::MAX;
        for facet in &mut self.facets {
            (facet.list, facet.highest, facet.height) = (NONE, NONE, 0.0);
        }
    }

    fn tetrahedron(grid: &'a Grid, [a, b, c, d]: [u32; 4]) -> Self {
        // Points in a ball have about as many facets; more points have relatively fewer.
        let capacity = grid.points.len().min(256);
        let mut hull = Self {
            grid,
            facets: Vec::with_capacity(capacity),
            planes: Vec::with_capacity(capacity),
            free: Vec::new(),
            next: vec![NONE; grid.points.len()],
            at_border: vec![NONE; grid.points.len()],
            heap: BinaryHeap::new(),
            rounds: 0,
            vertices: 4,
            oldest_walk: usize::MAX,
            scratch: Scratch::default(),
        };
        for corners in [[a, b, c], [b, a, d], [c, b, d], [a, c, d]] {
            hull.create(corners);
        }
        for (h, p) in [(0, 3), (1, 6), (2, 9), (4, 11), (7, 5), (10, 8)] {
            hull.link(h, p);
        }
        hull
    }

    /// Inserts points until none is outside, or until there are `limit` vertices.
    pub(super) fn grow(&mut self, limit: usize) {
        loop {
            while self.vertices < limit {
                let Some(top) = self.heap.pop() else { break };
                let facet = &self.facets[top.facet.0 as usize];
                if facet.alive && facet.height.to_bits() == top.height_bits {
                    self.insert(top.facet.0);
                }
            }
            if self.vertices >= limit || !self.look_again() {
                return;
            }
        }
    }

    /// What was built, without the gaps of removed facets.
    pub(super) fn into_triangles(self) -> Triangles {
        let mut place = vec![NONE; self.facets.len()];
        let mut count = 0;
        for (slot, facet) in self.facets.iter().enumerate() {
            if facet.alive {
                place[slot] = count;
                count += 1;
            }
        }
        let live = || self.facets.iter().zip(&self.planes).filter(|(facet, _)| facet.alive);
        Triangles {
            corners: live().map(|(facet, _)| facet.corners).collect(),
            pairs: live().map(|(facet, _)| facet.pairs.map(|h| place[h as usize / 3] * 3 + h % 3)).collect(),
            planes: live().map(|(_, plane)| *plane).collect(),
        }
    }

    fn create(&mut self, corners: [u32; 3]) -> u32 {
        let facet =
            Facet { corners, pairs: [NONE; 3], list: NONE, highest: NONE, height: 0.0, look: 0, alive: true };
        let plane = self.grid.plane(corners);
        if let Some(slot) = self.free.pop() {
            self.facets[slot as usize] = facet;
            self.planes[slot as usize] = plane;
            slot
        } else {
            self.facets.push(facet);
            self.planes.push(plane);
            self.facets.len() as u32 - 1
        }
    }

    fn link(&mut self, h: u32, p: u32) {
        self.facets[h as usize / 3].pairs[h as usize % 3] = p;
        self.facets[p as usize / 3].pairs[p as usize % 3] = h;
    }

    fn height(&self, facet: u32, point: u32) -> f64 {
        self.planes[facet as usize].height(self.grid.at(point))
    }

    /// Does the point see the facet? Exact.
    fn sees(&self, point: u32, facet: u32) -> bool {
        let height = self.height(facet, point);
        if height.abs() > NOISE {
            height > 0.0
        } else {
            self.grid.is_above(self.facets[facet as usize].corners, point)
        }
    }

    /// Inserts the highest point of a facet.
    fn insert(&mut self, facet: u32) {
        let eye = self.facets[facet as usize].highest;
        self.find_seen(eye, facet);
        self.take_orphans(eye);
        self.cover(eye);
        self.vertices += 1;
        self.distribute(Among::New);
    }

    /// Fills `seen` with the facets that the point sees and `border` with the half-edges just
    /// outside of them.
    fn find_seen(&mut self, eye: u32, start: u32) {
        self.rounds += 1;
        let (is_seen, is_hidden) = (self.rounds * 2, self.rounds * 2 + 1);
        let mut seen = std::mem::take(&mut self.scratch.seen);
        let mut border = std::mem::take(&mut self.scratch.border);
        seen.clear();
        border.clear();
        seen.push(start);
        self.facets[start as usize].look = is_seen;
        let mut done = 0;
        while done < seen.len() {
            let pairs = self.facets[seen[done] as usize].pairs;
            done += 1;
            for pair in pairs {
                let other = pair / 3;
                let mut look = self.facets[other as usize].look;
                if look != is_seen && look != is_hidden {
                    look = if self.sees(eye, other) {
                        seen.push(other);
                        is_seen
                    } else {
                        is_hidden
                    };
                    self.facets[other as usize].look = look;
                }
                if look == is_hidden {
                    border.push(pair);
                }
            }
        }
        self.scratch.seen = seen;
        self.scratch.border = border;
    }

    /// Removes the seen facets and gathers the points of their lists.
    fn take_orphans(&mut self, eye: u32) {
        let scratch = &mut self.scratch;
        scratch.orphans.clear();
        for &f in &scratch.seen {
            let facet = &mut self.facets[f as usize];
            facet.alive = false;
            let mut point = facet.list;
            while point != NONE {
                if point != eye {
                    scratch.orphans.push(point);
                }
                point = self.next[point as usize];
            }
        }
        self.free.extend(&scratch.seen);
    }

    /// Joins the point to every edge of the border.
    fn cover(&mut self, eye: u32) {
        let border = std::mem::take(&mut self.scratch.border);
        let mut created = std::mem::take(&mut self.scratch.created);
        created.clear();
        for &outer in &border {
            let corners = self.facets[outer as usize / 3].corners;
            let edge = outer as usize % 3;
            // The neighbour runs along the edge the other way.
            let (head, tail) = (corners[edge], corners[(edge + 1) % 3]);
            let new = self.create([tail, head, eye]);
            self.link(new * 3, outer);
            self.at_border[tail as usize] = new;
            created.push(new);
        }
        for &new in &created {
            let head = self.facets[new as usize].corners[1];
            let following = self.at_border[head as usize];
            self.link(new * 3 + 1, following * 3 + 2);
        }
        self.scratch.border = border;
        self.scratch.created = created;
    }

    /// Puts the orphans into the lists of the created facets, or drops them if they are inside.
    fn distribute(&mut self, among: Among) {
        let orphans = std::mem::take(&mut self.scratch.orphans);
        let created = std::mem::take(&mut self.scratch.created);
        let mut planes = std::mem::take(&mut self.scratch.created_planes);
        planes.clear();
        planes.extend(created.iter().map(|&f| self.planes[f as usize]));
        for &point in &orphans {
            let p = self.grid.at(point);
            let mut best = (0, f64::NEG_INFINITY);
            for (k, plane) in planes.iter().enumerate() {
                let height = plane.height(p);
                if height > best.1 {
                    best = (k, height);
                }
            }
            if best.1 > self.grid.outside {
                self.give(point, created[best.0], best.1);
            } else if best.1 > -NOISE {
                self.oldest_walk = self.oldest_walk.min(self.vertices);
                if among == Among::All {
                    self.give(point, created[best.0], best.1);
                    continue;
                }
                let starts = created.iter().zip(&planes).filter(|(_, plane)| plane.height(p) > -NOISE);
                self.scratch.walk.clear();
                self.scratch.walk.extend(starts.map(|(&f, _)| f));
                let (facet, height) = self.highest_seen(point);
                self.give(point, facet, height);
                if height > self.grid.outside {
                    self.offer(facet);
                }
            }
        }
        for &facet in &created {
            self.offer(facet);
        }
        self.scratch.orphans = orphans;
        self.scratch.created = created;
        self.scratch.created_planes = planes;
    }

    fn give(&mut self, point: u32, facet: u32, height: f64) {
        let facet = &mut self.facets[facet as usize];
        self.next[point as usize] = facet.list;
        facet.list = point;
        if height > facet.height {
            facet.height = height;
            facet.highest = point;
        }
    }

    fn offer(&mut self, facet: u32) {
        let height = self.facets[facet as usize].height;
        if height > self.grid.outside {
            self.heap.push(Candidate { height_bits: height.to_bits(), facet: std::cmp::Reverse(facet) });
        }
    }

    /// Of all facets a point sees or lies in, the one it is highest above. `scratch.walk` holds
    /// where to start.
    fn highest_seen(&mut self, point: u32) -> (u32, f64) {
        self.rounds += 1;
        let mark = self.rounds * 2;
        let mut walk = std::mem::take(&mut self.scratch.walk);
        let mut best = (walk[0], f64::NEG_INFINITY);
        for &start in &walk {
            self.facets[start as usize].look = mark;
            let height = self.height(start, point);
            if height > best.1 {
                best = (start, height);
            }
        }
        let mut done = 0;
        while done < walk.len() {
            let pairs = self.facets[walk[done] as usize].pairs;
            done += 1;
            for pair in pairs {
                let other = pair / 3;
                if std::mem::replace(&mut self.facets[other as usize].look, mark) == mark {
                    continue;
                }
                let height = self.height(other, point);
                if height > -NOISE {
                    walk.push(other);
                }
                if height > best.1 {
                    best = (other, height);
                }
            }
        }
        self.scratch.walk = walk;
        best
    }

    /// Looks again at the points left over, which were near a facet when they last had to move:
    /// facets made since may have them outside. True if there are such points.
    fn look_again(&mut self) -> bool {
        if self.oldest_walk >= self.vertices {
            return false;
        }
        self.oldest_walk = usize::MAX;
        let mut has_found = false;
        for f in 0..self.facets.len() as u32 {
            if !self.facets[f as usize].alive {
                continue;
            }
            let mut point = std::mem::replace(&mut self.facets[f as usize].list, NONE);
            self.facets[f as usize].height = 0.0;
            while point != NONE {
                let following = self.next[point as usize];
                self.scratch.walk.clear();
                self.scratch.walk.push(f);
                self.oldest_walk = self.oldest_walk.min(self.vertices);
                let (facet, height) = self.highest_seen(point);
                self.give(point, facet, height);
                if height > self.grid.outside {
                    self.offer(facet);
                    has_found = true;
                }
                point = following;
            }
        }
        has_found
    }
}
