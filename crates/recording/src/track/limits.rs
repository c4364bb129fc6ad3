//! Sizes that a recording keeps to, so that a reader may refuse what exceeds them before it asks
//! for memory.

/// Unpacked bytes of a frame at most: six million bodies with positions in `f64`.
pub(super) const FRAME_BYTES: u64 = 256 << 20;
/// Unpacked bytes of a chunk at most: what was in it before its last frame, and that frame.
pub(super) const CHUNK_BYTES: u64 = 2 * FRAME_BYTES;
/// Frames of a chunk at most.
pub(super) const CHUNK_FRAMES: u32 = 64;
/// A chunk of at least [`ENOUGH_FRAMES`] ends once it holds this many unpacked bytes…
pub(super) const ENOUGH_BYTES: u64 = 4 << 20;
/// …since with fewer frames the first one, which nothing predicts, would be most of it.
pub(super) const ENOUGH_FRAMES: u32 = 16;
/// Unpacked bytes per packed byte at most: a block of 128 zeros of 8 bytes is one byte.
pub(super) const EXPANSION: u64 = 1024;
