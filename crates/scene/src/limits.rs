//! Bounds against hostile or broken files. They are far above every real scene and far below what
//! hurts.

/// Largest file any reader opens, bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 30;
/// Most bodies, joints, fields or events of one scene.
pub const MAX_ITEMS: usize = 4_000_000;
/// Most shapes on one body.
pub const MAX_SHAPES_PER_BODY: usize = 100_000;
/// Most points of one convex shape, or samples of one height field.
pub const MAX_POINTS_PER_SHAPE: usize = 16_000_000;
/// Deepest nesting of elements in an XML file; real scenes need three levels.
pub const MAX_XML_DEPTH: usize = 64;
/// Longest id or name, bytes.
pub const MAX_NAME_BYTES: usize = 256;
