//! Where drawings go: colours, the trait of what draws, and buffers for a graphics card.

use glam::DVec3;

/// Red, green, blue and opacity, 0 to 255 each, not premultiplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Colour(pub [u8; 4]);

impl Colour {
    /// An opaque colour.
    #[must_use]
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue, 255])
    }

    /// The same colour with another opacity.
    #[must_use]
    pub const fn opacity(self, opacity: u8) -> Self {
        let [red, green, blue, _] = self.0;
        Self([red, green, blue, opacity])
    }

    /// The same colour at half its brightness.
    #[must_use]
    pub const fn dimmed(self) -> Self {
        let [red, green, blue, opacity] = self.0;
        Self([red / 2, green / 2, blue / 2, opacity])
    }
}

/// What draws, or keeps what is to be drawn. Only lines have to be taken; what else is not wanted
/// is ignored. Places are in world coordinates.
///
/// ```
/// use carom_dynamics::{BodyDef, Colour, DebugDraw, DebugDrawOptions, ShapeDef, World, WorldDef};
/// use carom_geometry::shape::Cuboid;
/// use glam::DVec3;
///
/// #[derive(Default)]
/// struct Longest(f64);
///
/// impl DebugDraw for Longest {
///     fn line(&mut self, [from, to]: [DVec3; 2], _: Colour) {
///         self.0 = self.0.max(from.distance(to));
///     }
/// }
///
/// let mut world = World::new(WorldDef::default());
/// world.add_body(BodyDef::fixed(), [ShapeDef::new(Cuboid::cube(1.5)?)])?;
/// let mut longest = Longest::default();
/// world.debug_draw(&DebugDrawOptions::default(), &mut longest);
/// assert_eq!(longest.0, 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait DebugDraw {
    /// A straight line between two points.
    fn line(&mut self, ends: [DVec3; 2], colour: Colour);

    /// A point, of whatever size.
    fn point(&mut self, at: DVec3, colour: Colour) {
        let _ = (at, colour);
    }

    /// A triangle, counter-clockwise seen from outside where there is an outside.
    fn triangle(&mut self, corners: [DVec3; 3], colour: Colour) {
        let _ = (corners, colour);
    }

    /// Words at a place.
    fn text(&mut self, at: DVec3, text: &str, colour: Colour) {
        let _ = (at, text, colour);
    }
}

/// Corners with their colours, in two arrays of the same length that graphics cards take as they
/// are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DebugVertices {
    /// Relative to the origin of the [`DebugLines`].
    pub positions: Vec<[f32; 3]>,
    /// Red, green, blue, opacity.
    pub colours: Vec<[u8; 4]>,
}

impl DebugVertices {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    fn clear(&mut self) {
        self.positions.clear();
        self.colours.clear();
    }

    fn push(&mut self, position: DVec3, colour: Colour) {
        self.positions.push(position.as_vec3().to_array());
        self.colours.push(colour.0);
    }
}

/// Words at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugLabel {
    /// Relative to the origin of the [`DebugLines`].
    pub position: [f32; 3],
    /// The words.
    pub text: String,
    /// Their colour.
    pub colour: Colour,
}

/// Keeps a drawing in buffers. Memory stays when it is cleared: keep one from frame to frame.
///
/// ```
/// use carom_dynamics::{BodyDef, DebugDrawOptions, DebugLines, ShapeDef, World, WorldDef};
/// use carom_geometry::shape::Cuboid;
/// use glam::DVec3;
/// let mut world = World::new(WorldDef::default());
/// let far = DVec3::new(1e6, 0.0, 0.0);
/// let cube = ShapeDef::new(Cuboid::cube(0.5)?);
/// world.add_body(BodyDef::dynamic().position(far + DVec3::Y), [cube])?;
/// // Relative to the camera nothing is lost, however far from the origin that is.
/// let mut drawing = DebugLines::relative_to(far);
/// world.debug_draw(&DebugDrawOptions::default(), &mut drawing);
/// assert_eq!(drawing.lines.positions.len(), 2 * 12, "two ends for each edge");
/// assert!(drawing.lines.positions.iter().all(|[x, y, _]| x.abs() == 0.5 && (*y - 1.0).abs() == 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DebugLines {
    origin: DVec3,
    /// Two for each line.
    pub lines: DebugVertices,
    /// One for each point.
    pub points: DebugVertices,
    /// Three for each triangle.
    pub triangles: DebugVertices,
    /// Words.
    pub labels: Vec<DebugLabel>,
}

impl DebugLines {
    /// Nothing yet, relative to the origin of the world.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing yet, relative to a place: the camera, say.
    #[must_use]
    pub fn relative_to(origin: DVec3) -> Self {
        Self { origin, ..Self::default() }
    }

    /// What positions are relative to.
    #[must_use]
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Forgets everything and begins anew, relative to a place.
    pub fn restart(&mut self, origin: DVec3) {
        self.origin = origin;
        self.lines.clear();
        self.points.clear();
        self.triangles.clear();
        self.labels.clear();
    }
}

impl DebugDraw for DebugLines {
    fn line(&mut self, ends: [DVec3; 2], colour: Colour) {
        ends.iter().for_each(|end| self.lines.push(*end - self.origin, colour));
    }

    fn point(&mut self, at: DVec3, colour: Colour) {
        self.points.push(at - self.origin, colour);
    }

    fn triangle(&mut self, corners: [DVec3; 3], colour: Colour) {
        corners.iter().for_each(|corner| self.triangles.push(*corner - self.origin, colour));
    }

    fn text(&mut self, at: DVec3, text: &str, colour: Colour) {
        let position = (at - self.origin).as_vec3().to_array();
        self.labels.push(DebugLabel { position, text: text.to_owned(), colour });
    }
}
