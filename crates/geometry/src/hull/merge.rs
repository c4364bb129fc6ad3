//! From triangles to polygons: neighbours in one plane become one face, vertices on a straight edge go.
//!
//! The faces are a half-edge mesh; half-edge 3f + k of a triangle f starts at its corner k. Every step keeps the mesh
//! sound: the outline of each face is a simple loop, no two edges join the same vertices, and the whole is a sphere. What
//! would break that is not done. In the end every vertex has at least three edges.
//!
//! Large facets go first. A facet takes in triangles whose corners are at most the tolerance below *its* plane, so errors
//! do not add up over a chain of merges, and its plane, exact to begin with, stays.
//!
//! Where the surface bends by just about the tolerance, the outline of such a face may have dents. Then merging starts over,
//! and that facet takes in only what leaves its outline convex at every step. (Not always from the start: a flat face cut
//! into triangles may have no such order.)

use glam::DVec3;

use super::Outline;
use super::facets::Triangles;
use super::grid::{Grid, Plane};

/// Face of a half-edge that is gone.
const GONE: u32 = u32::MAX;

/// After this many rounds of merging, all facets are careful.
const MAX_ROUNDS: usize = 8;

/// Faces with any number of sides over the points of a grid.
pub(super) struct Mesh<'a> {
    grid: &'a Grid,
    tail: Vec<u32>,
    pair: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    face: Vec<u32>,
    /// A half-edge of each face; [`GONE`] for faces that were taken in.
    first: Vec<u32>,
    sides: Vec<u32>,
    planes: Vec<Plane>,
    /// Number of edges at each point; 0 for points that are not vertices.
    degree: Vec<u32>,
    /// Per point: the face, plus one, whose outline it was last found on.
    on_outline: Vec<u32>,
}

impl<'a> Mesh<'a> {
    /// The triangles, with coplanar ones merged.
    pub(super) fn merged(grid: &'a Grid, triangles: &Triangles) -> Self {
        let mut is_careful = vec![false; triangles.corners.len()];
        let mut round = 0;
        loop {
            round += 1;
            let mut mesh = Self::new(grid, triangles);
            let dented = mesh.merge_coplanar(&is_careful);
            if dented.is_empty() {
                mesh.drop_straight_vertices();
                return mesh;
            }
            for face in dented {
                is_careful[face as usize] = true;
            }
            if round >= MAX_ROUNDS {
                is_careful.fill(true);
            }
        }
    }

    fn new(grid: &'a Grid, triangles: &Triangles) -> Self {
        let faces = triangles.corners.len();
        let half_edges = || 0..3 * faces as u32;
        let tail: Vec<u32> = triangles.corners.as_flattened().to_vec();
        let mut degree = vec![0; grid.points.len()];
        for &v in &tail {
            degree[v as usize] += 1;
        }
        Self {
            grid,
            tail,
            pair: triangles.pairs.as_flattened().to_vec(),
            next: half_edges().map(|h| h / 3 * 3 + (h + 1) % 3).collect(),
            previous: half_edges().map(|h| h / 3 * 3 + (h + 2) % 3).collect(),
            face: half_edges().map(|h| h / 3).collect(),
            first: (0..faces as u32).map(|f| 3 * f).collect(),
            sides: vec![3; faces],
            planes: triangles.planes.clone(),
            degree,
            on_outline: vec![0; grid.points.len()],
        }
    }

    /// Merges faces that lie in one plane. Returns those that were not careful and got dents.
    fn merge_coplanar(&mut self, is_careful: &[bool]) -> Vec<u32> {
        let mut taken = vec![false; self.first.len()];
        let seeds = self.seeds();
        for &seed in &seeds {
            if !taken[seed as usize] {
                taken[seed as usize] = true;
                self.spread(seed, &mut taken, is_careful[seed as usize]);
            }
        }
        let is_dented = |&face: &u32| {
            !is_careful[face as usize]
                && self.sides[face as usize] > 3
                && self.first[face as usize] != GONE
                && self.outline(face).any(|h| self.is_dent(face, self.previous[h as usize], h))
        };
        seeds.into_iter().filter(is_dented).collect()
    }

    /// Does the outline of a face turn clearly inwards between two half-edges?
    fn is_dent(&self, face: u32, before: u32, after: u32) -> bool {
        let corner = self.tail[after as usize];
        self.is_dent_at(face, self.tail[before as usize], corner, self.head(after))
    }

    fn is_dent_at(&self, face: u32, from: u32, corner: u32, to: u32) -> bool {
        let [p, v, q] = [from, corner, to].map(|point| self.grid.at(point));
        let turn = self.planes[face as usize].normal.dot((v - p).cross(q - v));
        turn < -self.grid.merge * (q - p).length()
    }

    fn head(&self, h: u32) -> u32 {
        self.tail[self.pair[h as usize] as usize]
    }

    /// Triangles that could take in a neighbour, largest first.
    fn seeds(&self) -> Vec<u32> {
        let mut seeds: Vec<(f64, u32)> = Vec::new();
        for face in 0..self.first.len() as u32 {
            let around = (3 * face..3 * face + 3).map(|h| self.face[self.pair[h as usize] as usize]);
            if around.into_iter().any(|other| self.holds(face, other)) {
                let [a, b, c] = [0, 1, 2].map(|k| self.grid.at(self.tail[3 * face as usize + k]));
                seeds.push(((b - a).cross(c - a).length(), face));
            }
        }
        seeds.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        seeds.into_iter().map(|(_, face)| face).collect()
    }

    /// Do the corners of a triangle lie in the plane of a face, and does it not face the other way?
    fn holds(&self, face: u32, triangle: u32) -> bool {
        let plane = &self.planes[face as usize];
        plane.normal.dot(self.planes[triangle as usize].normal) > 0.0
            && self.corners(triangle).all(|v| plane.height(self.grid.at(v)) >= -self.grid.merge)
    }

    fn corners(&self, face: u32) -> impl Iterator<Item = u32> + '_ {
        self.outline(face).map(|h| self.tail[h as usize])
    }

    /// The half-edges of a face.
    fn outline(&self, face: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.first[face as usize];
        std::iter::successors(Some(first), move |&h| {
            let next = self.next[h as usize];
            (next != first).then_some(next)
        })
    }

    /// Takes in triangles round a face as far as its plane reaches.
    fn spread(&mut self, seed: u32, taken: &mut [bool], is_careful: bool) {
        let mut border: Vec<u32> = self.outline(seed).collect();
        for &h in &border {
            self.on_outline[self.tail[h as usize] as usize] = seed + 1;
        }
        let mut postponed = Vec::new();
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            border.append(&mut postponed);
            while let Some(h) = border.pop() {
                if self.face[h as usize] != seed {
                    continue;
                }
                let inner = self.pair[h as usize];
                let other = self.face[inner as usize];
                if taken[other as usize] || !self.holds(seed, other) {
                    continue;
                }
                let rest = [self.next[inner as usize], self.previous[inner as usize]];
                if self.take_in(h, is_careful) {
                    taken[other as usize] = true;
                    has_grown = true;
                    border.extend(rest);
                } else {
                    postponed.push(h);
                }
            }
        }
    }

    /// Merges the triangle beyond the half-edge `h` into the face of `h`. False if the outline would touch itself, or, for
    /// careful facets, get a dent.
    fn take_in(&mut self, h: u32, is_careful: bool) -> bool {
        let face = self.face[h as usize];
        // h runs u → v, and round the triangle run v → u, u → w, w → v.
        let vu = self.pair[h as usize];
        let (uw, wv) = (self.next[vu as usize], self.previous[vu as usize]);
        let shares = [uw, wv].map(|edge| self.face[self.pair[edge as usize] as usize] == face);
        let other = self.face[vu as usize];
        if is_careful && shares != [true, true] {
            // The half-edges just before and after the changed part of the outline, and those that will follow and precede.
            let before = if shares[0] {
                self.previous[self.pair[uw as usize] as usize]
            } else {
                self.previous[h as usize]
            };
            let after =
                if shares[1] { self.next[self.pair[wv as usize] as usize] } else { self.next[h as usize] };
            let (entry, exit) = (if shares[0] { wv } else { uw }, if shares[1] { uw } else { wv });
            if self.is_dent(face, before, entry) || self.is_dent(face, exit, after) {
                return false;
            }
        }
        match shares {
            [true, true] => return false,
            [false, false] => {
                let w = self.tail[wv as usize] as usize;
                if self.on_outline[w] == face + 1 {
                    return false;
                }
                self.on_outline[w] = face + 1;
                self.join(self.previous[h as usize], uw);
                self.join(wv, self.next[h as usize]);
                self.sides[face as usize] += 1;
            }
            // The outline came along w → u → v: u vanishes.
            [true, false] => {
                let wu = self.pair[uw as usize];
                self.join(self.previous[wu as usize], wv);
                self.join(wv, self.next[h as usize]);
                self.remove_edge(wu);
                self.sides[face as usize] -= 1;
            }
            // The outline went along u → v → w: v vanishes.
            [false, true] => {
                let vw = self.pair[wv as usize];
                self.join(self.previous[h as usize], uw);
                self.join(uw, self.next[vw as usize]);
                self.remove_edge(vw);
                self.sides[face as usize] -= 1;
            }
        }
        self.remove_edge(h);
        for edge in [uw, wv] {
            if self.face[edge as usize] != GONE {
                self.face[edge as usize] = face;
                self.first[face as usize] = edge;
            }
        }
        self.first[other as usize] = GONE;
        true
    }

    fn join(&mut self, before: u32, after: u32) {
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
    }

    /// Marks both half-edges as gone. Points left without edges are not vertices any more.
    fn remove_edge(&mut self, h: u32) {
        for half in [h, self.pair[h as usize]] {
            self.face[half as usize] = GONE;
            self.degree[self.tail[half as usize] as usize] -= 1;
        }
    }

    /// Removes vertices with two edges if the edges are in line, and gives the others a third edge.
    ///
    /// A vertex has two edges if all triangles round it went into two faces. It is within the tolerance of both planes; if
    /// these meet at a clear angle, it is on a straight edge. If they are nearly parallel, as at the rim of a very thin
    /// lens, it may be a corner, and one of the faces is cut in two at it. (Both parts keep the plane.)
    fn drop_straight_vertices(&mut self) {
        let mut outgoing = vec![GONE; self.degree.len()];
        for h in 0..self.tail.len() {
            if self.face[h] != GONE {
                outgoing[self.tail[h] as usize] = h as u32;
            }
        }
        for v in 0..self.degree.len() {
            while self.degree[v] == 2 {
                let chain = self.chain_through(outgoing[v]);
                self.settle(&chain, &mut outgoing);
            }
        }
    }

    /// The half-edges of a longest run over vertices with two edges, through the start of `h`. If it is a loop, it runs from
    /// there to there.
    fn chain_through(&self, h: u32) -> Vec<u32> {
        let start = self.tail[h as usize];
        let mut first = h;
        while self.degree[self.tail[first as usize] as usize] == 2 {
            first = self.previous[first as usize];
            if self.tail[first as usize] == start {
                break;
            }
        }
        let mut chain = vec![first];
        let origin = self.tail[first as usize];
        loop {
            let next = self.next[chain[chain.len() - 1] as usize];
            let v = self.tail[next as usize];
            if v == origin || self.degree[v as usize] != 2 {
                return chain;
            }
            chain.push(next);
        }
    }

    /// Straightens a chain, or cuts a face at its farthest corner.
    fn settle(&mut self, chain: &[u32], outgoing: &mut [u32]) {
        let last = chain[chain.len() - 1];
        let u = self.tail[chain[0] as usize];
        let w = self.tail[self.pair[last as usize] as usize];
        let (origin, along) = (self.grid.at(u), self.grid.at(w) - self.grid.at(u));
        let length = along.length();
        let deviation = |v: DVec3| {
            if length > 0.0 { along.cross(v - origin).length() / length } else { (v - origin).length() }
        };
        let mut farthest = (chain[1], f64::NEG_INFINITY);
        for &h in &chain[1..] {
            let distance = deviation(self.grid.at(self.tail[h as usize]));
            if distance > farthest.1 {
                farthest = (h, distance);
            }
        }
        let dropped = chain.len() as u32 - 1;
        let sides = [chain[0], self.pair[last as usize]].map(|h| self.face[h as usize]);
        let can_drop = sides.iter().all(|&f| self.sides[f as usize] >= dropped + 3)
            && !self.has_edge(chain[0], w)
            && farthest.1 <= self.grid.merge
            && !self.dents_when_straight(chain[0], last);
        if can_drop {
            self.straighten(chain, outgoing);
        } else {
            self.cut(farthest.0, chain, outgoing);
        }
    }

    /// Would a corner at the ends of a chain become a dent of a face beside it, if the chain were one edge?
    fn dents_when_straight(&self, first: u32, last: u32) -> bool {
        let (u, w) = (self.tail[first as usize], self.head(last));
        [(first, last, u, w), (self.pair[last as usize], self.pair[first as usize], w, u)].into_iter().any(
            |(first, last, u, w)| {
                let face = self.face[first as usize];
                let before = self.tail[self.previous[first as usize] as usize];
                let after = self.head(self.next[last as usize]);
                self.is_dent_at(face, before, u, w) || self.is_dent_at(face, u, w, after)
            },
        )
    }

    /// Is there an edge from the start of `h` to a vertex?
    fn has_edge(&self, h: u32, to: u32) -> bool {
        let mut around = h;
        loop {
            let pair = self.pair[around as usize];
            if self.tail[pair as usize] == to {
                return true;
            }
            around = self.next[pair as usize];
            if around == h {
                return false;
            }
        }
    }

    /// Replaces a chain of edges by one.
    fn straighten(&mut self, chain: &[u32], outgoing: &mut [u32]) {
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        let back = self.pair[last as usize];
        let (after, after_back) = (self.next[last as usize], self.next[self.pair[first as usize] as usize]);
        for &h in &chain[1..] {
            self.degree[self.tail[h as usize] as usize] = 0;
        }
        let gone = chain.len() as u32 - 1;
        for half in [first, back] {
            let face = self.face[half as usize] as usize;
            self.sides[face] -= gone;
            self.first[face] = half;
        }
        for (k, &h) in chain.iter().enumerate() {
            if k > 0 {
                self.face[h as usize] = GONE;
            }
            if k + 1 < chain.len() {
                self.face[self.pair[h as usize] as usize] = GONE;
            }
        }
        self.join(first, after);
        self.join(back, after_back);
        self.pair[first as usize] = back;
        self.pair[back as usize] = first;
        outgoing[self.tail[first as usize] as usize] = first;
        outgoing[self.tail[back as usize] as usize] = back;
    }

    /// Cuts a face from the start of `h`, a vertex with two edges, to another corner: one outside of its chain if there is
    /// one, else one with three edges, of these the farthest.
    fn cut(&mut self, h: u32, chain: &[u32], outgoing: &mut [u32]) {
        let x = self.grid.at(self.tail[h as usize]);
        let other_side = self.pair[self.previous[h as usize] as usize];
        let end = self.head(chain[chain.len() - 1]);
        let is_in_chain = |v: u32| v == end || chain.iter().any(|&h| self.tail[h as usize] == v);
        let mut best: Option<((bool, bool, u64), u32, u32)> = None;
        for from in [h, other_side] {
            let last = self.previous[from as usize];
            // Neither the vertex itself nor its neighbours.
            let mut to = self.next[self.next[from as usize] as usize];
            while to != last && to != from {
                let v = self.tail[to as usize];
                let has_three = self.degree[v as usize] > 2;
                let distance = (self.grid.at(v) - x).length_squared();
                let key = (!is_in_chain(v), has_three, distance.to_bits());
                if best.is_none_or(|(other, ..)| key > other) {
                    best = Some((key, from, to));
                }
                to = self.next[to as usize];
            }
        }
        // Both faces are triangles over the same corners only if the whole is flat, which was refused before.
        let Some((_, from, to)) = best else {
            self.degree[self.tail[h as usize] as usize] = 3;
            return;
        };
        self.insert_edge(from, to);
        outgoing[self.tail[from as usize] as usize] = from;
    }

    /// Joins the starts of two half-edges of one face by an edge; the part from `from` to `to` becomes a new face.
    fn insert_edge(&mut self, from: u32, to: u32) {
        let old = self.face[from as usize];
        let (there, back) = (self.tail.len() as u32, self.tail.len() as u32 + 1);
        let new = self.first.len() as u32;
        let (before_from, before_to) = (self.previous[from as usize], self.previous[to as usize]);
        for (start, pair, face) in [(from, back, old), (to, there, new)] {
            self.tail.push(self.tail[start as usize]);
            self.pair.push(pair);
            self.next.push(GONE);
            self.previous.push(GONE);
            self.face.push(face);
            self.degree[self.tail[start as usize] as usize] += 1;
        }
        self.join(before_from, there);
        self.join(there, to);
        self.join(before_to, back);
        self.join(back, from);
        self.first.push(from);
        self.planes.push(self.planes[old as usize]);
        self.sides.push(0);
        self.first[old as usize] = there;
        let part: Vec<u32> = self.outline(new).collect();
        for &h in &part {
            self.face[h as usize] = new;
        }
        self.sides[new as usize] = part.len() as u32;
        self.sides[old as usize] = self.outline(old).count() as u32;
    }

    /// Numbers what is left.
    pub(super) fn into_outline(self) -> Outline {
        let mut vertices = Vec::new();
        let mut vertex_number = vec![0; self.degree.len()];
        for (v, &degree) in self.degree.iter().enumerate() {
            if degree > 0 {
                vertex_number[v] = vertices.len() as u32;
                vertices.push(v as u32);
            }
        }
        let mut half_number = vec![0; self.tail.len()];
        let (mut order, mut starts, mut planes) = (Vec::new(), Vec::new(), Vec::new());
        for face in (0..self.first.len()).filter(|&f| self.first[f] != GONE) {
            starts.push(order.len() as u32);
            planes.push(self.planes[face].normal);
            for h in self.outline(face as u32) {
                half_number[h as usize] = order.len() as u32;
                order.push(h);
            }
        }
        Outline {
            vertices,
            starts,
            tails: order.iter().map(|&h| vertex_number[self.tail[h as usize] as usize]).collect(),
            pairs: order.iter().map(|&h| half_number[self.pair[h as usize] as usize]).collect(),
            planes,
        }
    }
}
