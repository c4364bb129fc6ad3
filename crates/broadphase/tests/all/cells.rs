//! Grids and trees that cut space: larger scenes than those of the contract, worst cases, queries,
//! memory, files.

mod extremes;
mod files;
mod oriented;
mod queries;
mod scenes;
mod steady;
mod trees;

/// The methods tested here, with options that bring out their borders.
const METHODS: [&str; 18] = [
    "grid",
    "grid?cell=0.01",
    "grid?cell=8",
    "hash-grid",
    "hash-grid?cell=0.7",
    "hash-grid?cell=8",
    "hier-grid",
    "hier-grid?cell=3",
    "quadtree",
    "octree",
    "octree?leaf=1&depth=6",
    "loose-quadtree",
    "loose-octree",
    "loose-octree?depth=2",
    "kd-tree",
    "kd-tree-binary",
    "bsp",
    "bsp?leaf=2&depth=30",
];

/// Numbers without a pattern, the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// From 0 to 1, without 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u32 << 24) as f32
    }

    /// From −1 to 1.
    pub(crate) fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }
}
