//! The farthest vertex of a polytope, and its extent, in AVX registers.
//!
//! Heaps of hulls ask for some nine farthest vertices per pair and step. One register holds a block
//! of eight vertices: 32 vertices take 90 instructions instead of 215, an extent along three axes
//! 240 instead of 620. Which instructions are used changes no bit: the twin is the search of
//! `polytope/support.rs`, which serves all other processors, `f64`, and polytopes of one or two
//! blocks, for which the call costs what the registers save.

use carom_core::simd::SimdFloat;
#[cfg(target_arch = "x86_64")]
use carom_core::simd::{
    Avx8,
    dispatch::{Avx2, InstructionSet, Kernel},
};

/// Eight vertices: x, y, z.
pub(crate) type VertexBlock<S> = [[S; 8]; 3];

/// Fewer blocks are searched as quickly without.
const FEWEST: usize = 3;

/// More blocks are climbed, not searched.
const MOST: usize = 10;

/// The lowest number among the vertices farthest along a direction; `None` if this processor, or
/// this number of blocks, is better served otherwise.
#[inline]
pub(crate) fn farthest(blocks: &[VertexBlock<f32>], direction: [f32; 3]) -> Option<u32> {
    #[cfg(target_arch = "x86_64")]
    if (FEWEST..=MOST).contains(&blocks.len())
        && let Some(avx2) = Avx2::detect()
    {
        let mut found = 0;
        avx2.run(Farthest { blocks, direction, found: &mut found });
        return Some(found);
    }
    let _ = (blocks, direction);
    None
}

/// Least and greatest product with three directions, under the same conditions.
#[inline]
pub(crate) fn ranges(blocks: &[VertexBlock<f32>], directions: [[f32; 3]; 3]) -> Option<[[f32; 3]; 2]> {
    #[cfg(target_arch = "x86_64")]
    if blocks.len() >= FEWEST
        && let Some(avx2) = Avx2::detect()
    {
        let mut found = [[0.0; 3]; 2];
        avx2.run(Ranges { blocks, directions, found: &mut found });
        return Some(found);
    }
    let _ = (blocks, directions);
    None
}

#[cfg(target_arch = "x86_64")]
struct Farthest<'a> {
    blocks: &'a [VertexBlock<f32>],
    direction: [f32; 3],
    found: &'a mut u32,
}

#[cfg(target_arch = "x86_64")]
impl Kernel for Farthest<'_> {
    #[inline(always)]
    fn run(self) {
        *self.found = match self.blocks {
            [a, b, c, d] => farthest_of::<Avx8, 4>([a, b, c, d].into_iter(), self.direction),
            blocks => farthest_of::<Avx8, MOST>(blocks.iter(), self.direction),
        };
    }
}

#[cfg(target_arch = "x86_64")]
struct Ranges<'a> {
    blocks: &'a [VertexBlock<f32>],
    directions: [[f32; 3]; 3],
    found: &'a mut [[f32; 3]; 2],
}

#[cfg(target_arch = "x86_64")]
impl Kernel for Ranges<'_> {
    #[inline(always)]
    fn run(self) {
        *self.found = ranges_of::<Avx8>(self.blocks, self.directions);
    }
}

#[inline(always)]
fn load<L: SimdFloat>(lanes: &[f32; 8]) -> L {
    L::from_fn(|lane| lanes[lane])
}

/// The products of eight vertices with a direction.
#[inline(always)]
fn heights<L: SimdFloat>([xs, ys, zs]: &VertexBlock<f32>, [x, y, z]: [L; 3]) -> L {
    load::<L>(xs) * x + load::<L>(ys) * y + load::<L>(zs) * z
}

/// The lanes combined, halves first, as `folded` of the polytope does.
#[inline(always)]
fn folded<L: SimdFloat>(lanes: L, combine: impl Fn(f32, f32) -> f32) -> f32 {
    let (a, b) = (combine(lanes.get(0), lanes.get(4)), combine(lanes.get(1), lanes.get(5)));
    let (c, d) = (combine(lanes.get(2), lanes.get(6)), combine(lanes.get(3), lanes.get(7)));
    combine(combine(a, c), combine(b, d))
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// `N` blocks at most.
#[inline(always)]
fn farthest_of<'b, L: SimdFloat, const N: usize>(
    blocks: impl Iterator<Item = &'b VertexBlock<f32>>,
    [x, y, z]: [f32; 3],
) -> u32 {
    let direction = [L::splat(x), L::splat(y), L::splat(z)];
    let lowest = L::splat(f32::NEG_INFINITY);
    let (mut along, mut best) = ([lowest; N], lowest);
    for (height, block) in along.iter_mut().zip(blocks) {
        *height = heights(block, direction);
        best = height.max(best);
    }
    let highest = L::splat(folded(best, larger));
    for (number, height) in along.iter().enumerate() {
        // Nothing is above the highest, so that what is at least as high is equal.
        let reaching = L::bits(highest.at_most(*height));
        if reaching != 0 {
            return number as u32 * 8 + reaching.trailing_zeros();
        }
    }
    // The direction is not a number.
    0
}

#[inline(always)]
fn ranges_of<L: SimdFloat>(blocks: &[VertexBlock<f32>], directions: [[f32; 3]; 3]) -> [[f32; 3]; 2] {
    let mut found = [[0.0; 3]; 2];
    for axis in 0..3 {
        let [x, y, z] = directions[axis];
        let direction = [L::splat(x), L::splat(y), L::splat(z)];
        let (mut low, mut high) = (L::splat(f32::INFINITY), L::splat(f32::NEG_INFINITY));
        for block in blocks {
            let along = heights(block, direction);
            low = along.min(low);
            high = along.max(high);
        }
        found[0][axis] = folded(low, smaller);
        found[1][axis] = folded(high, larger);
    }
    found
}

/// For `f64`: never.
#[inline]
pub(crate) fn no_farthest(_: &[VertexBlock<f64>], _: [f64; 3]) -> Option<u32> {
    None
}

/// For `f64`: never.
#[inline]
pub(crate) fn no_ranges(_: &[VertexBlock<f64>], _: [[f64; 3]; 3]) -> Option<[[f64; 3]; 2]> {
    None
}
