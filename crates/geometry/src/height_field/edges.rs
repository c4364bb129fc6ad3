//! Neighbours and edge kinds of the triangles of a height field, from the grid.

use super::HeightField;
use crate::mesh::{EdgeFlags, EdgeKind, bend};

/// What lies across an edge: cell as an offset, the triangle in it, and its far corner as an offset
/// of samples.
struct Across {
    cell: [i64; 2],
    half: u32,
    corner: [i64; 2],
}

const fn across(cell: [i64; 2], half: u32, corner: [i64; 2]) -> Across {
    Across { cell, half, corner }
}

/// For both triangles of a cell, across the edges from each corner to the next.
const ACROSS: [[Across; 3]; 2] = [
    [across([-1, 0], 1, [-1, 1]), across([0, 0], 1, [1, 1]), across([0, -1], 1, [1, -1])],
    [across([0, 1], 0, [0, 2]), across([1, 0], 0, [2, 0]), across([0, 0], 0, [0, 0])],
];

impl HeightField {
    /// The triangle across the edge from corner `edge` to the next; `None` at the border and beside
    /// holes. Panics if there is no such triangle or edge.
    #[must_use]
    pub fn neighbour(&self, triangle: u32, edge: usize) -> Option<u32> {
        self.neighbour_cell(triangle, edge)
            .map(|[column, row]| 2 * self.cell_index(column, row) + ACROSS[triangle as usize % 2][edge].half)
    }

    /// How the surface goes on across the three edges of a triangle. Panics if there is no such
    /// triangle.
    #[must_use]
    pub fn edge_flags(&self, triangle: u32) -> EdgeFlags {
        let [column, row] = self.cell_of(triangle);
        let corners = self.corners(triangle);
        EdgeFlags::new(std::array::from_fn(|edge| {
            if self.neighbour_cell(triangle, edge).is_none() {
                return EdgeKind::Border;
            }
            let [dc, dr] = ACROSS[triangle as usize % 2][edge].corner;
            let other = self.point((i64::from(column) + dc) as u32, (i64::from(row) + dr) as u32);
            let [a, b, own] = [0, 1, 2].map(|k| corners[(edge + k) % 3]);
            bend(a, b, own, other, self.flat_cosine)
        }))
    }

    /// The cell across an edge, unless it is a hole or outside.
    fn neighbour_cell(&self, triangle: u32, edge: usize) -> Option<[u32; 2]> {
        let [column, row] = self.cell_of(triangle);
        let [across, down] = self.cells();
        let [dc, dr] = ACROSS[triangle as usize % 2][edge].cell;
        let step = |at: u32, by: i64, count: u32| {
            u32::try_from(i64::from(at) + by).ok().filter(|place| *place < count)
        };
        let cell = [step(column, dc, across)?, step(row, dr, down)?];
        (!self.is_hole(cell[0], cell[1])).then_some(cell)
    }
}
