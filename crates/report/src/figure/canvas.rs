//! What a figure is made of before it becomes a file: lines, circles and words with roles instead
//! of colours.
//!
//! Vector and pixel files are written from the same list, so they cannot differ in what they show.
//! Roles let a page choose colours for light and dark. Coordinates are in units of the figure, x to
//! the right, y downwards.

/// A place.
pub(crate) type Place = (f64, f64);

/// A drawing.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    /// The width.
    pub(crate) width: f64,
    /// The height.
    pub(crate) height: f64,
    /// What is drawn, back to front.
    pub(crate) marks: Vec<Mark>,
}

/// One thing on the canvas.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// A line through places, or the area inside.
    Outline {
        /// The corners.
        places: Vec<Place>,
        /// Whether the last corner is joined with the first.
        is_closed: bool,
        /// How it looks.
        look: Look,
    },
    /// Lines that are not joined.
    Lines {
        /// Their ends.
        ends: Vec<(Place, Place)>,
        /// How they are drawn.
        pen: Pen,
    },
    /// A circle.
    Circle {
        /// Its middle.
        middle: Place,
        /// Its radius.
        radius: f64,
        /// How it looks.
        look: Look,
    },
    /// A line of words.
    Words(Words),
}

/// What colours mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Text and axes.
    Ink,
    /// Text of less weight.
    Muted,
    /// Lines behind the data.
    Grid,
    /// The ground.
    Paper,
    /// One of the colours of the palette.
    Hue(usize),
}

/// A role with a strength.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    /// The colour.
    pub(crate) role: Role,
    /// From 0, nothing, to 1.
    pub(crate) opacity: f64,
}

/// The line around something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pen {
    /// The colour.
    pub(crate) paint: Paint,
    /// The width.
    pub(crate) width: f64,
    /// Lengths of dashes and gaps; none for a whole line.
    pub(crate) dashes: &'static [f64],
}

impl Pen {
    /// A whole line.
    pub(crate) fn new(role: Role, width: f64) -> Self {
        Self { paint: Paint { role, opacity: 1.0 }, width, dashes: &[] }
    }

    /// A dashed line.
    pub(crate) fn dashed(self, dashes: &'static [f64]) -> Self {
        Self { dashes, ..self }
    }

    /// A fainter line.
    pub(crate) fn faint(mut self, opacity: f64) -> Self {
        self.paint.opacity = opacity;
        self
    }
}

/// How a shape looks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    /// The inside.
    pub(crate) fill: Option<Paint>,
    /// The line around.
    pub(crate) pen: Option<Pen>,
    /// What a reader who points at it is told.
    pub(crate) hint: Option<String>,
}

impl Look {
    /// A line.
    pub(crate) fn pen(pen: Pen) -> Self {
        Self { pen: Some(pen), ..Self::default() }
    }

    /// An area.
    pub(crate) fn fill(role: Role, opacity: f64) -> Self {
        Self { fill: Some(Paint { role, opacity }), ..Self::default() }
    }

    /// With a line around.
    pub(crate) fn with_pen(self, pen: Pen) -> Self {
        Self { pen: Some(pen), ..self }
    }

    /// With words for a reader who points at it.
    pub(crate) fn with_hint(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }
}

/// Which end of a line of words stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The left one.
    Start,
    /// The middle.
    Middle,
    /// The right one.
    End,
}

/// A line of words.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    /// The end named by `anchor`, on the base line.
    pub(crate) place: Place,
    /// What is said.
    pub(crate) text: String,
    /// The size of the letters.
    pub(crate) size: f64,
    /// Which end stands at `place`.
    pub(crate) anchor: Anchor,
    /// The colour.
    pub(crate) role: Role,
    /// Whether the letters are heavier.
    pub(crate) is_bold: bool,
}

impl Words {
    /// Words in ink that begin at `place`.
    pub(crate) fn new(place: Place, text: impl Into<String>, size: f64) -> Self {
        Self { place, text: text.into(), size, anchor: Anchor::Start, role: Role::Ink, is_bold: false }
    }

    /// With another end at the place.
    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// In another colour.
    pub(crate) fn in_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// Heavier.
    pub(crate) fn bold(self) -> Self {
        Self { is_bold: true, ..self }
    }
}

impl Canvas {
    /// An empty sheet.
    pub(crate) fn new(width: f64) -> Self {
        Self { width, height: 0.0, marks: Vec::new() }
    }

    /// Adds words.
    pub(crate) fn words(&mut self, words: Words) {
        self.marks.push(Mark::Words(words));
    }

    /// Adds a straight line.
    pub(crate) fn line(&mut self, from: Place, to: Place, pen: Pen) {
        self.open(vec![from, to], Look::pen(pen));
    }

    /// Adds lines that are not joined.
    pub(crate) fn lines(&mut self, ends: Vec<(Place, Place)>, pen: Pen) {
        if !ends.is_empty() {
            self.marks.push(Mark::Lines { ends, pen });
        }
    }

    /// Adds a line through places.
    pub(crate) fn open(&mut self, places: Vec<Place>, look: Look) {
        self.marks.push(Mark::Outline { places, is_closed: false, look });
    }

    /// Adds an area with corners.
    pub(crate) fn closed(&mut self, places: Vec<Place>, look: Look) {
        self.marks.push(Mark::Outline { places, is_closed: true, look });
    }

    /// Adds an upright rectangle.
    pub(crate) fn rectangle(&mut self, (x, y): Place, (width, height): (f64, f64), look: Look) {
        self.closed(vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)], look);
    }

    /// Adds a circle.
    pub(crate) fn circle(&mut self, middle: Place, radius: f64, look: Look) {
        self.marks.push(Mark::Circle { middle, radius, look });
    }
}
