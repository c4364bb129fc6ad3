//! Options of methods, as they are written after a name: `?key=value&key=value`.

use std::fmt;

use crate::Method;

/// How a direct or incremental sweep sorts its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// All endpoints anew by the library's sort.
    Full,
    /// All endpoints anew, inserted one by one.
    Scratch,
    /// Insertion sort of the order of the last update.
    Insertion,
}

/// How a direct or incremental sweep gets pairs from sorted axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extraction {
    /// From the positions of each object's ends: all pairs of objects.
    Positions,
    /// A sweep per axis into hash sets, then their intersection.
    Hash,
    /// A sweep per axis into sorted lists, then their intersection.
    Sorted,
}

/// How an incremental sweep follows a change of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// All pairs anew.
    Recompute,
    /// The pairs whose ends changed places.
    Delta,
}

/// How many boxes brute force tests per instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// One: a plain double loop.
    One,
    /// Eight.
    Eight,
}

/// Options; what is not given is chosen by the method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BroadPhaseOptions {
    /// `sort`: how axes are sorted.
    pub sort: Option<Sort>,
    /// `pairs`: how pairs are got from sorted axes.
    pub pairs: Option<Extraction>,
    /// `update`: how changes of order are followed.
    pub update: Option<Update>,
    /// `cell`: size of a cell, metres.
    pub cell: Option<f32>,
    /// `margin`: growth of boxes, metres.
    pub margin: Option<f32>,
    /// `leaf`: most boxes of a leaf.
    pub leaf: Option<u32>,
    /// `depth`: greatest depth of a tree.
    pub depth: Option<u32>,
    /// `lanes`: boxes tested per instruction.
    pub lanes: Option<Lanes>,
}

carom_core::error_type! {
    /// Why an option was refused.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum OptionError {
        /// The method does not take it.
        #[error("broad phase '{method}' takes no option '{key}': it takes {}", taken(method))]
        Unknown {
            /// Key given.
            key: String,
            /// Method.
            method: Method,
        },
        /// The value is no good.
        #[error("option '{key}' is '{value}': expected {expected}")]
        BadValue {
            /// Key given.
            key: String,
            /// Value given.
            value: String,
            /// What would do.
            expected: String,
        },
    }
}

fn taken(method: &Method) -> String {
    match method.about().options {
        [] => "none".to_owned(),
        keys => keys.join(", "),
    }
}

/// The words of an option with a choice.
trait Word: Copy + PartialEq + 'static {
    const WORDS: &'static [(&'static str, Self)];

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }
}

impl Word for Sort {
    const WORDS: &'static [(&'static str, Self)] =
        &[("full", Self::Full), ("scratch", Self::Scratch), ("insertion", Self::Insertion)];
}

impl Word for Extraction {
    const WORDS: &'static [(&'static str, Self)] =
        &[("positions", Self::Positions), ("hash", Self::Hash), ("sorted", Self::Sorted)];
}

impl Word for Update {
    const WORDS: &'static [(&'static str, Self)] = &[("recompute", Self::Recompute), ("delta", Self::Delta)];
}

impl Word for Lanes {
    const WORDS: &'static [(&'static str, Self)] = &[("1", Self::One), ("8", Self::Eight)];
}

fn bad(key: &str, value: &str, expected: String) -> OptionError {
    OptionError::BadValue { key: key.to_owned(), value: value.to_owned(), expected }
}

fn choice<T: Word>(key: &str, value: &str) -> Result<Option<T>, OptionError> {
    choice_of(key, value, |_| true)
}

/// A word of an option of which a method knows only some.
fn choice_of<T: Word>(
    key: &str,
    value: &str,
    is_known: impl Fn(T) -> bool,
) -> Result<Option<T>, OptionError> {
    let known = || T::WORDS.iter().filter(|(_, found)| is_known(*found));
    match known().find(|(word, _)| *word == value) {
        Some((_, found)) => Ok(Some(*found)),
        None => {
            let words: Vec<&str> = known().map(|(word, _)| *word).collect();
            Err(bad(key, value, format!("one of {}", words.join(", "))))
        }
    }
}

fn number(
    key: &str,
    value: &str,
    good: impl Fn(f32) -> bool,
    expected: &str,
) -> Result<Option<f32>, OptionError> {
    match value.parse::<f32>() {
        Ok(number) if number.is_finite() && good(number) => Ok(Some(number)),
        _ => Err(bad(key, value, expected.to_owned())),
    }
}

fn count(key: &str, value: &str, most: u32) -> Result<Option<u32>, OptionError> {
    match value.parse::<u32>() {
        Ok(count) if (1..=most).contains(&count) => Ok(Some(count)),
        _ => Err(bad(key, value, format!("a number from 1 to {most}"))),
    }
}

impl BroadPhaseOptions {
    /// Reads `key=value&…`, checked against what the method takes.
    pub(crate) fn parse(text: &str, method: Method) -> Result<Self, OptionError> {
        let mut options = Self::default();
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if !method.about().options.contains(&key) {
                return Err(OptionError::Unknown { key: key.to_owned(), method });
            }
            match key {
                "sort" => {
                    // There is one order of boxes, which is kept: nothing to insert anew.
                    let is_known = |sort| method != Method::BoxPruning || sort != Sort::Scratch;
                    options.sort = choice_of(key, value, is_known)?;
                }
                "pairs" => options.pairs = choice(key, value)?,
                "update" => options.update = choice(key, value)?,
                "cell" => options.cell = number(key, value, |c| c > 0.0, "a positive number")?,
                "margin" => options.margin = number(key, value, |m| m >= 0.0, "a number of at least 0")?,
                "leaf" => options.leaf = count(key, value, 100_000)?,
                "depth" => options.depth = count(key, value, 64)?,
                "lanes" => options.lanes = choice(key, value)?,
                _ => return Err(OptionError::Unknown { key: key.to_owned(), method }),
            }
        }
        Ok(options)
    }
}

impl fmt::Display for BroadPhaseOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.sort.map(|s| format!("sort={}", s.word())),
            self.pairs.map(|p| format!("pairs={}", p.word())),
            self.update.map(|u| format!("update={}", u.word())),
            self.cell.map(|c| format!("cell={c}")),
            self.margin.map(|m| format!("margin={m}")),
            self.leaf.map(|l| format!("leaf={l}")),
            self.depth.map(|d| format!("depth={d}")),
            self.lanes.map(|l| format!("lanes={}", l.word())),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { Ok(()) } else { write!(f, "?{}", parts.join("&")) }
    }
}
