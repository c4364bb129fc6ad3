//! From triangles to polygons: neighbours in one plane become one face, vertices on a straight edge
//! go.
//!
//! The faces are a half-edge mesh; half-edge 3f + k of a triangle f starts at its corner k. Every
//! step keeps the mesh sound: the outline of each face is a simple loop, no two edges join the same
//! vertices, and the whole is a sphere. What would break that is not done. In the end every vertex
//! has at least three edges.
//!
//! Large facets go first. A facet takes in triangles whose corners are at most the tolerance below
//! *its* plane, so errors do not add up over a chain of merges, and its plane, exact to begin with,
//! stays.
//!
//! Where the surface bends by just about the tolerance, the outline of such a face may have dents.
//! Then merging starts over, and that facet takes in only what leaves its outline convex at every
//! step. (Not always from the start: a flat face cut into triangles may have no such order.)

use super::Outline;
use super::facets::Triangles;
use super::grid::{Grid, Plane};

/// Face of a half-edge that is gone.
pub(super) const GONE: u32 = u32::MAX;

/// After this many rounds of merging, all facets are careful.
const MAX_ROUNDS: usize = 8;

/// The faces of triangles, with coplanar ones merged.
pub(super) fn merged_outline(grid: &Grid, triangles: &Triangles) -> Outline {
    let seeds = seeds(grid, triangles);
    if seeds.is_empty() {
        triangular_outline(grid, triangles)
    } else {
        Mesh::merged(grid, triangles, &seeds).into_outline()
    }
}

/// Triangles that could take in a neighbour, largest first.
fn seeds(grid: &Grid, triangles: &Triangles) -> Vec<u32> {
    let mut seeds: Vec<(f64, u32)> = Vec::new();
    for (face, plane) in triangles.planes.iter().enumerate() {
        // Two corners of a neighbour are those of the common edge; what matters is the third.
        let can_hold = |pair: u32| {
            let (other, edge) = (pair as usize / 3, pair as usize % 3);
            let apex = triangles.corners[other][(edge + 2) % 3];
            plane.height(grid.at(apex)) >= -grid.merge
                && plane.normal.dot(triangles.planes[other].normal) > 0.0
        };
        if triangles.pairs[face].into_iter().any(can_hold) {
            let [a, b, c] = triangles.corners[face].map(|v| grid.at(v));
            seeds.push(((b - a).cross(c - a).length(), face as u32));
        }
    }
    seeds.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    seeds.into_iter().map(|(_, face)| face).collect()
}

/// The triangles as they are.
fn triangular_outline(grid: &Grid, triangles: &Triangles) -> Outline {
    let tails = triangles.corners.as_flattened();
    let mut number = vec![0; grid.points.len()];
    for &v in tails {
        number[v as usize] = 1;
    }
    let mut vertices = Vec::new();
    for (v, number) in number.iter_mut().enumerate().filter(|(_, n)| **n == 1) {
        *number = vertices.len() as u32;
        vertices.push(v as u32);
    }
    Outline {
        vertices,
        starts: (0..triangles.corners.len() as u32).map(|f| 3 * f).collect(),
        tails: tails.iter().map(|&v| number[v as usize]).collect(),
        pairs: triangles.pairs.as_flattened().to_vec(),
        planes: triangles.planes.iter().map(|plane| plane.normal).collect(),
    }
}

/// Faces with any number of sides over the points of a grid.
pub(super) struct Mesh<'a> {
    pub(super) grid: &'a Grid,
    pub(super) tail: Vec<u32>,
    pub(super) pair: Vec<u32>,
    pub(super) next: Vec<u32>,
    pub(super) previous: Vec<u32>,
    pub(super) face: Vec<u32>,
    /// A half-edge of each face; [`GONE`] for faces that were taken in.
    pub(super) first: Vec<u32>,
    pub(super) sides: Vec<u32>,
    pub(super) planes: Vec<Plane>,
    /// Number of edges at each point; 0 for points that are not vertices.
    pub(super) degree: Vec<u32>,
    /// Per point: the face, plus one, whose outline it was last found on.
    on_outline: Vec<u32>,
}

impl<'a> Mesh<'a> {
    fn merged(grid: &'a Grid, triangles: &Triangles, seeds: &[u32]) -> Self {
        let mut is_careful = vec![false; triangles.corners.len()];
        let mut round = 0;
        loop {
            round += 1;
            let mut mesh = Self::new(grid, triangles);
            let dented = mesh.merge_coplanar(seeds, &is_careful);
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
    fn merge_coplanar(&mut self, seeds: &[u32], is_careful: &[bool]) -> Vec<u32> {
        let mut taken = vec![false; self.first.len()];
        for &seed in seeds {
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
        seeds.iter().copied().filter(is_dented).collect()
    }

    /// Does the outline of a face turn clearly inwards between two half-edges?
    fn is_dent(&self, face: u32, before: u32, after: u32) -> bool {
        let corner = self.tail[after as usize];
        self.is_dent_at(face, self.tail[before as usize], corner, self.head(after))
    }

    pub(super) fn is_dent_at(&self, face: u32, from: u32, corner: u32, to: u32) -> bool {
        let [p, v, q] = [from, corner, to].map(|point| self.grid.at(point));
        let turn = self.planes[face as usize].normal.dot((v - p).cross(q - v));
        // A turn back to the right is a dent however thin it is: among points nearly on a line,
        // outlines would run to and fro.
        turn < 0.0 && ((v - p).dot(q - v) <= 0.0 || turn < -self.grid.merge * (q - p).length())
    }

    pub(super) fn head(&self, h: u32) -> u32 {
        self.tail[self.pair[h as usize] as usize]
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
    pub(super) fn outline(&self, face: u32) -> impl Iterator<Item = u32> + '_ {
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

    /// Merges the triangle beyond the half-edge `h` into the face of `h`. False if the outline
    /// would touch itself, or, for careful facets, get a dent.
    fn take_in(&mut self, h: u32, is_careful: bool) -> bool {
        let face = self.face[h as usize];
        // h runs u → v, and round the triangle run v → u, u → w, w → v.
        let vu = self.pair[h as usize];
        let (uw, wv) = (self.next[vu as usize], self.previous[vu as usize]);
        let shares = [uw, wv].map(|edge| self.face[self.pair[edge as usize] as usize] == face);
        let other = self.face[vu as usize];
        if is_careful && shares != [true, true] {
            // The half-edges just before and after the changed part of the outline, and those that
            // will follow and precede.
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

    pub(super) fn join(&mut self, before: u32, after: u32) {
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

    /// Numbers what is left.
    fn into_outline(self) -> Outline {
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
