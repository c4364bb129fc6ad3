//! Vertices with two edges: those on a straight edge go, the others get a third edge.
//!
//! A vertex has two edges if all triangles round it went into two faces. It is within the tolerance
//! of both planes; if these meet at a clear angle, it is on a straight edge. If they are nearly
//! parallel, as at the rim of a very thin lens, it may be a corner, and one of the faces is cut in
//! two at it. (Both parts keep the plane.)

use glam::DVec3;

use super::merge::{GONE, Mesh};

impl Mesh<'_> {
    /// Removes vertices with two edges if the edges are in line, and gives the others a third edge.
    pub(super) fn drop_straight_vertices(&mut self) {
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

    /// The half-edges of a longest run over vertices with two edges, through the start of `h`. If
    /// it is a loop, it runs from there to there.
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

    /// Would a corner at the ends of a chain become a dent of a face beside it, if the chain were
    /// one edge?
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

    /// Cuts a face from the start of `h`, a vertex with two edges, to another corner: one outside
    /// of its chain if there is one, else one with three edges, of these the farthest.
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
        // Both faces are triangles over the same corners only if the whole is flat, which was
        // refused before.
        let Some((_, from, to)) = best else {
            self.degree[self.tail[h as usize] as usize] = 3;
            return;
        };
        self.insert_edge(from, to);
        outgoing[self.tail[from as usize] as usize] = from;
    }

    /// Joins the starts of two half-edges of one face by an edge; the part from `from` to `to`
    /// becomes a new face.
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
}
