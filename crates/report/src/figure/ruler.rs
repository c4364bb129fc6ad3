//! Axes: which values they span, where a value lies, and which ticks stand there.
//!
//! A ruler ends on ticks, so the data always lies between two of them. Steps are 1, 2 or 5 times a
//! power of ten; over many decades only powers of ten are labelled. Values beyond `LARGEST`, and on
//! a log axis below its inverse, have no place: spans of such numbers overflow.

use crate::model::Scale;
use crate::number;

/// Nothing measured is larger; the span of two such numbers and its logarithm are far from the
/// limits of `f64`.
const LARGEST: f64 = 1e100;
/// A span smaller than this, beside the values, is widened: ticks could not be told apart.
const SMALLEST_SPAN: f64 = 1e-9;
/// From this many decades on only powers of ten are labelled.
const FEW_DECADES: f64 = 3.2;
/// Below this ratio of the ends ticks of a log axis are chosen as on a linear one.
const SMALL_RATIO: f64 = 2.5;
/// How many powers of ten are labelled at most.
const MAX_DECADES: f64 = 8.0;

/// One tick.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    /// Where it stands.
    pub(crate) value: f64,
    /// What is written there; nothing at small ticks.
    pub(crate) label: String,
    /// Whether its label goes before others if there is no room for all.
    pub(crate) is_first: bool,
}

/// An axis that knows its span.
#[derive(Clone, Debug)]
pub(crate) struct Ruler {
    scale: Scale,
    low: f64,
    high: f64,
    /// The ticks in ascending order; the ends are among them.
    pub(crate) ticks: Vec<Tick>,
}

/// Whether a value can be shown at all.
pub(crate) fn has_place(scale: Scale, value: f64) -> bool {
    match scale {
        Scale::Linear => value.abs() <= LARGEST,
        Scale::Log => (1.0 / LARGEST..=LARGEST).contains(&value),
    }
}

impl Ruler {
    /// A ruler over all `values` that have a place, with about `steps` labels if they are few.
    pub(crate) fn over(scale: Scale, values: impl IntoIterator<Item = f64>, steps: f64) -> Self {
        let mut ends: Option<(f64, f64)> = None;
        for value in values.into_iter().filter(|value| has_place(scale, *value)) {
            let (low, high) = ends.unwrap_or((value, value));
            ends = Some((low.min(value), high.max(value)));
        }
        match (scale, ends) {
            (Scale::Linear, ends) => Self::linear(ends.unwrap_or((0.0, 1.0)), steps),
            (Scale::Log, ends) => Self::log(ends.unwrap_or((1.0, 10.0)), steps),
        }
    }

    /// Where `value` lies: 0 at the lower end, 1 at the upper one. The value must have a place.
    pub(crate) fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).log10() / (self.high / self.low).log10(),
        }
    }

    /// The value at a share of the way.
    pub(crate) fn value(&self, share: f64) -> f64 {
        match self.scale {
            Scale::Linear => self.low + share * (self.high - self.low),
            Scale::Log => self.low * (self.high / self.low).powf(share),
        }
    }

    fn linear((mut low, mut high): (f64, f64), steps: f64) -> Self {
        // From zero if little would be lost: lengths can then be compared by eye.
        if low > 0.0 && low < 0.6 * high {
            low = 0.0;
        } else if high < 0.0 && high > 0.6 * low {
            high = 0.0;
        }
        let least = (low.abs().max(high.abs()) * SMALLEST_SPAN).max(1.0 / LARGEST);
        if high - low <= least {
            let room = if high == 0.0 { 1.0 } else { (0.1 * high.abs()).max(least) };
            (low, high) = (low - room, high + room);
        }
        let (step, parts) = nice_step((high - low) / steps);
        let ticks = stepped(low, high, step, parts);
        Self::ending_on(Scale::Linear, ticks)
    }

    fn log((mut low, mut high): (f64, f64), steps: f64) -> Self {
        if high / low < 1.0 + SMALLEST_SPAN {
            (low, high) = (low / 2.0, high * 2.0);
        }
        if high / low < SMALL_RATIO {
            let (step, parts) = nice_step((high - low) / steps);
            return Self::ending_on(Scale::Log, stepped(low, high, step, parts));
        }
        let decades = (high / low).log10();
        let ticks = if decades < FEW_DECADES { one_two_five(low, high) } else { powers(low, high, decades) };
        Self::ending_on(Scale::Log, ticks)
    }

    fn ending_on(scale: Scale, ticks: Vec<Tick>) -> Self {
        let low = ticks.first().map_or(0.0, |tick| tick.value);
        let high = ticks.last().map_or(1.0, |tick| tick.value);
        Self { scale, low, high, ticks }
    }
}

/// The least step of 1, 2 or 5 times a power of ten that is at least `least`, and into how many
/// parts small ticks cut it.
fn nice_step(least: f64) -> (f64, u32) {
    let unit = 10f64.powf(least.log10().floor());
    // A hair of tolerance: logarithms are rounded.
    let share = least / unit * (1.0 - 1e-9);
    if share <= 1.0 {
        (unit, 5)
    } else if share <= 2.0 {
        (2.0 * unit, 4)
    } else if share <= 5.0 {
        (5.0 * unit, 5)
    } else {
        (10.0 * unit, 5)
    }
}

/// Multiples of `step` from at most `low` to at least `high`, with small ticks between.
fn stepped(low: f64, high: f64, step: f64, parts: u32) -> Vec<Tick> {
    let (first, last) = ((low / step).floor(), (high / step).ceil());
    let largest = low.abs().max(high.abs());
    let mut ticks = Vec::new();
    let mut at = first;
    while at <= last {
        let value = at * step;
        ticks.push(Tick { value, label: number::on_step(value, step, largest), is_first: true });
        if at < last {
            let small = |part: u32| (at + f64::from(part) / f64::from(parts)) * step;
            ticks.extend((1..parts).map(|part| Tick::small(small(part))));
        }
        at += 1.0;
    }
    ticks
}

impl Tick {
    fn small(value: f64) -> Self {
        Self { value, label: String::new(), is_first: false }
    }
}

/// 1, 2 and 5 times the powers of ten, labelled, and the other digits between.
fn one_two_five(low: f64, high: f64) -> Vec<Tick> {
    let label = |digit, value| matches!(digit, 1 | 2 | 5).then(|| number::round(value));
    cut(digits(low, high, label), low, high, |tick| !tick.label.is_empty())
}

/// Powers of ten, labelled as far as there is room, and what lies between.
fn powers(low: f64, high: f64, decades: f64) -> Vec<Tick> {
    let stride = (decades / MAX_DECADES).ceil();
    if stride < 2.0 {
        let label = |digit, value| (digit == 1).then(|| number::round(value));
        // 2 and 5 may end the ruler without a label: a whole decade of nothing is worse.
        return cut(digits(low, high, label), low, high, |tick| {
            let exponent = (tick.value.log10() + 1e-9).floor();
            let digit = (tick.value / 10f64.powf(exponent)).round();
            digit == 1.0 || digit == 2.0 || digit == 5.0
        });
    }
    let (first, last) = ((low.log10() / stride).floor() * stride, (high.log10() / stride).ceil() * stride);
    let mut ticks = Vec::new();
    // Every decade gets a tick as long as they can be told apart.
    let between = if stride > MAX_DECADES { stride } else { 1.0 };
    let mut exponent = first;
    while exponent <= last {
        let value = power_of_ten(exponent);
        let is_first = ((exponent - first) / stride).fract() == 0.0;
        let label = if is_first { number::round(value) } else { String::new() };
        ticks.push(Tick { value, is_first, label });
        exponent += between;
    }
    cut(ticks, low, high, |tick| !tick.label.is_empty())
}

/// Ticks at all digits of all decades that reach into the span.
fn digits(low: f64, high: f64, label: impl Fn(u32, f64) -> Option<String>) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() - 1.0, high.log10().ceil() + 1.0);
    let mut ticks = Vec::new();
    let mut exponent = first;
    while exponent <= last {
        for digit in 1..10 {
            let value = f64::from(digit) * power_of_ten(exponent);
            let label = label(digit, value).unwrap_or_default();
            ticks.push(Tick { value, is_first: digit == 1 && !label.is_empty(), label });
        }
        exponent += 1.0;
    }
    ticks
}

/// A whole power of ten as it is read from text: products of tens round.
fn power_of_ten(exponent: f64) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

/// The ticks from the last end at most at `low` to the first at least at `high`.
fn cut(ticks: Vec<Tick>, low: f64, high: f64, may_end: impl Fn(&Tick) -> bool) -> Vec<Tick> {
    let first = ticks.iter().rposition(|tick| tick.value <= low && may_end(tick)).unwrap_or(0);
    let last = ticks
        .iter()
        .position(|tick| tick.value >= high && may_end(tick))
        .unwrap_or(ticks.len().saturating_sub(1));
    ticks.into_iter().take(last + 1).skip(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ruler: &Ruler) -> Vec<String> {
        ruler.ticks.iter().filter(|t| !t.label.is_empty()).map(|t| t.label.replace('\u{a0}', " ")).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(labels(&Ruler::over(Scale::Linear, [0.3, 17.0], 5.0)), ["0", "5", "10", "15", "20"]);
        assert_eq!(
            labels(&Ruler::over(Scale::Linear, [-0.1, 0.1], 4.0)),
            ["−0.10", "−0.05", "0", "0.05", "0.10"]
        );
        assert_eq!(labels(&Ruler::over(Scale::Linear, [1e9, 3e9], 3.0)), ["0", "10⁹", "2×10⁹", "3×10⁹"]);
    }

    #[test]
    fn log_ticks_are_one_two_five_or_powers() {
        assert_eq!(
            labels(&Ruler::over(Scale::Log, [0.3, 17.0], 5.0)),
            ["0.2", "0.5", "1", "2", "5", "10", "20"]
        );
        assert_eq!(
            labels(&Ruler::over(Scale::Log, [1e-3, 3e3], 5.0)),
            ["0.001", "0.01", "0.1", "1", "10", "100", "1 000"]
        );
        assert_eq!(
            labels(&Ruler::over(Scale::Log, [1e-9, 1e12], 5.0)),
            ["10⁻⁹", "10⁻⁶", "0.001", "1", "1 000", "10⁶", "10⁹", "10¹²"]
        );
    }

    #[test]
    fn a_lone_value_and_none_at_all_have_rulers() {
        for scale in [Scale::Linear, Scale::Log] {
            for values in
                [vec![], vec![7.0], vec![f64::NAN, -0.0], vec![1e100], vec![1e-100], vec![5e-324, -5e-324]]
            {
                let ruler = Ruler::over(scale, values, 5.0);
                assert!(ruler.high > ruler.low && ruler.ticks.len() >= 2, "{ruler:?}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn ticks_ascend_and_cover_the_data(
            exponents in proptest::collection::vec(-99.0..99.0f64, 1..5),
            nearness in 0.0..1.0f64,
            is_log in proptest::bool::ANY,
            is_negative in proptest::bool::ANY,
        ) {
            // From values all over the place to values that hardly differ.
            let sign = if is_negative && !is_log { -1.0 } else { 1.0 };
            let near = |e: &f64| sign * 10f64.powf(exponents[0] + (e - exponents[0]) * nearness.powi(8));
            let values: Vec<f64> = exponents.iter().map(near).collect();
            let scale = if is_log { Scale::Log } else { Scale::Linear };
            let ruler = Ruler::over(scale, values.iter().copied(), 5.0);
            proptest::prop_assert!(ruler.ticks.windows(2).all(|pair| pair[0].value < pair[1].value), "{ruler:?}");
            proptest::prop_assert!(ruler.ticks.iter().filter(|tick| !tick.label.is_empty()).count() >= 2);
            proptest::prop_assert!(ruler.ticks.len() < 120);
            for value in values {
                let share = ruler.share(value);
                proptest::prop_assert!((-1e-6..=1.0 + 1e-6).contains(&share), "{value} at {share} of {ruler:?}");
            }
        }
    }

    #[test]
    fn value_is_the_inverse_of_share() {
        for scale in [Scale::Linear, Scale::Log] {
            let ruler = Ruler::over(scale, [2.0, 3000.0], 5.0);
            for share in [0.0, 0.3, 1.0] {
                assert!((ruler.share(ruler.value(share)) - share).abs() < 1e-12);
            }
        }
    }
}
