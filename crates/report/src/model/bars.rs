//! Sums and what they consist of.

/// Bars side by side, each a sum of the same parts: where the time goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StackedBars {
    /// The file name without ending; made safe and unique when it is written.
    pub name: String,
    /// What the figure shows, a sentence.
    pub caption: String,
    /// The unit of all values.
    pub unit: String,
    /// The names of the parts, in the order in which they are stacked.
    pub parts: Vec<String>,
    /// The bars.
    pub bars: Vec<Bar>,
}

impl StackedBars {
    /// Bars of `parts`, none yet.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        caption: impl Into<String>,
        unit: impl Into<String>,
        parts: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self {
            name: name.into(),
            caption: caption.into(),
            unit: unit.into(),
            parts: parts.into_iter().map(Into::into).collect(),
            bars: Vec::new(),
        }
    }

    /// Adds a bar.
    #[must_use]
    pub fn bar(mut self, label: impl Into<String>, parts: impl IntoIterator<Item = f64>) -> Self {
        self.bars.push(Bar { label: label.into(), parts: parts.into_iter().collect() });
        self
    }
}

/// One bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// What was measured.
    pub label: String,
    /// Its parts, in the order of [`StackedBars::parts`]; missing ones count as nothing, more than
    /// there are names for are an error when the report is written. Negative and not finite values
    /// are left out, and the caption says so.
    pub parts: Vec<f64>,
}
