//! Curves over an axis.

/// Curves over an axis, each point with its interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// The file name without ending; made safe and unique when it is written.
    pub name: String,
    /// What the figure shows, a sentence.
    pub caption: String,
    /// The axis across.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
    /// Horizontal lines, such as the time of a frame.
    pub lines: Vec<GuideLine>,
}

impl Plot {
    /// A plot without curves.
    #[must_use]
    pub fn new(name: impl Into<String>, caption: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { name: name.into(), caption: caption.into(), x, y, ..Self::default() }
    }

    /// Adds a curve.
    #[must_use]
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Adds a horizontal line.
    #[must_use]
    pub fn line(mut self, label: impl Into<String>, y: f64) -> Self {
        self.lines.push(GuideLine { label: label.into(), y });
        self
    }
}

/// What an axis shows and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// The label, with the unit: `time per frame (ms)`.
    pub label: String,
    /// How values become places.
    pub scale: Scale,
}

impl Axis {
    /// An axis on which equal differences are equally long.
    #[must_use]
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear }
    }

    /// An axis on which equal ratios are equally long.
    #[must_use]
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log }
    }
}

/// How values become places on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally long.
    #[default]
    Linear,
    /// Equal ratios are equally long; zero and negative values have no place and are left out.
    Log,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points in the order in which they are joined.
    pub points: Vec<Point>,
    /// The power law that was fitted, if one was.
    pub fit: Option<Fit>,
}

impl Series {
    /// A curve through `points`.
    #[must_use]
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Self {
        Self { name: name.into(), points: points.into_iter().collect(), fit: None }
    }

    /// The same curve with its power law.
    #[must_use]
    pub fn fitted(mut self, fit: Fit) -> Self {
        self.fit = Some(fit);
        self
    }
}

/// One measured point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Where across.
    pub x: f64,
    /// Where upwards.
    pub y: f64,
    /// The lower end of the interval of `y`.
    pub low: f64,
    /// The upper end of the interval of `y`.
    pub high: f64,
    /// Whether the run was stopped for taking too long, so that fewer samples stand behind the
    /// point. Drawn hollow.
    pub is_over_budget: bool,
}

impl Point {
    /// A point without an interval.
    #[must_use]
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, low: y, high: y, is_over_budget: false }
    }

    /// The same point with the interval of `y`.
    #[must_use]
    pub fn between(self, low: f64, high: f64) -> Self {
        Self { low, high, ..self }
    }

    /// The same point, marked as stopped for taking too long.
    #[must_use]
    pub fn over_budget(self) -> Self {
        Self { is_over_budget: true, ..self }
    }
}

/// A power law `y = factor · x^exponent`, drawn thinly over the points within budget.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// The exponent, in the legend as `n^1.02 [0.99, 1.05]`.
    pub exponent: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
    /// The factor in front.
    pub factor: f64,
}

/// A horizontal line across a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GuideLine {
    /// What it marks: `60 frames per second`.
    pub label: String,
    /// Where it lies.
    pub y: f64,
}
