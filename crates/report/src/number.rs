//! Numbers as people read them: significant digits, thousands apart, intervals in brackets.
//!
//! Groups of three are kept apart by a space that does not break (U+00A0), which every typesetter
//! knows; the minus is the mathematical one. Data files do not use this module: they hold numbers
//! in full.

use std::fmt::Write as _;

/// What keeps groups of three digits apart.
const GROUP: char = '\u{a0}';
/// From this power of ten on numbers are written with an exponent.
const FIRST_LARGE: i32 = 9;
/// Below this power of ten numbers are written with an exponent.
const LAST_SMALL: i32 = -4;
/// More digits than these say nothing about an `f64`.
const MAX_DIGITS: u8 = 17;

/// An exact count.
pub(crate) fn count(value: u64) -> String {
    grouped(&value.to_string())
}

/// A number to `digits` significant digits.
pub(crate) fn significant(value: f64, digits: u8) -> String {
    if let Some(word) = unusual(value) {
        return word.to_owned();
    }
    let digits = digits.clamp(1, MAX_DIGITS);
    let (mantissa, exponent) = scientific(value, digits);
    if is_plain(exponent) {
        return at_place(value, i32::from(digits) - 1 - exponent);
    }
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{mantissa}×10{}", raised(exponent))
}

/// A number to `digits` significant digits and its interval to the same decimals:
/// `1.23 [1.19, 1.28]`.
pub(crate) fn interval(value: f64, low: f64, high: f64, digits: u8) -> String {
    let digits = digits.clamp(1, MAX_DIGITS);
    let exponent = scientific(value, digits).1;
    let place = i32::from(digits) - 1 - exponent;
    let end = |end: f64| {
        let is_near = value.is_finite() && value != 0.0 && is_plain(exponent) && end.abs() < 1e15;
        if is_near { at_place(end, place) } else { significant(end, digits) }
    };
    format!("{} [{}, {}]", significant(value, digits), end(low), end(high))
}

/// The label of a tick that lies on a multiple of `step`.
pub(crate) fn on_step(value: f64, step: f64, largest: f64) -> String {
    let place = -exponent_of(step);
    if value == 0.0 {
        return "0".to_owned();
    }
    if largest < 1e7 && place <= 6 {
        return at_place(value, place.max(0));
    }
    let digits = (exponent_of(value) + place + 1).clamp(1, i32::from(MAX_DIGITS));
    power(value, u8::try_from(digits).unwrap_or(MAX_DIGITS))
}

/// A number whose first digit alone may differ from zero: `5`, `200 000`, `2×10⁶`, `10⁻⁵`.
pub(crate) fn round(value: f64) -> String {
    let exponent = exponent_of(value);
    if (-4..6).contains(&exponent) { at_place(value, (-exponent).max(0)) } else { power(value, 1) }
}

/// A number as few digits tell it, to at most `digits`: the values of a grid, which are mostly
/// round.
pub(crate) fn short(value: f64, digits: u8) -> String {
    if value.is_finite() && value.abs() < 1e9 && value == value.trunc() {
        return at_place(value, 0);
    }
    let text = significant(value, digits);
    match text.split_once('.') {
        Some((whole, part)) if part.bytes().all(|b| b.is_ascii_digit()) => {
            let part = part.trim_end_matches('0');
            if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") }
        }
        _ => text,
    }
}

/// With an exponent; a lone 1 in front is left out.
fn power(value: f64, digits: u8) -> String {
    let (mantissa, exponent) = scientific(value, digits);
    let sign = if value < 0.0 { "−" } else { "" };
    if mantissa == "1" {
        return format!("{sign}10{}", raised(exponent));
    }
    format!("{sign}{mantissa}×10{}", raised(exponent))
}

fn unusual(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("NaN")
    } else if value.is_infinite() {
        Some(if value > 0.0 { "∞" } else { "−∞" })
    } else if value == 0.0 {
        Some("0")
    } else {
        None
    }
}

fn is_plain(exponent: i32) -> bool {
    (LAST_SMALL..FIRST_LARGE).contains(&exponent)
}

/// Digits and power of ten of the size of `value` after rounding.
fn scientific(value: f64, digits: u8) -> (String, i32) {
    let text = format!("{:.*e}", usize::from(digits) - 1, value.abs());
    match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_owned(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

/// The power of ten of the first digit.
fn exponent_of(value: f64) -> i32 {
    scientific(value, MAX_DIGITS).1
}

/// Rounded to `place` decimals; below zero, to so many zeros before the point.
fn at_place(value: f64, place: i32) -> String {
    if let Some(word) = unusual(value).filter(|_| !(value == 0.0 && place > 0)) {
        return word.to_owned();
    }
    let size = value.abs();
    let digits = if place >= 0 {
        format!("{:.*}", usize::try_from(place).unwrap_or(0), size)
    } else {
        let zeros = usize::try_from(-place).unwrap_or(0);
        // The digits of the number itself are rounded: a division could move a half to the wrong
        // side.
        let first = i32::try_from(format!("{size:.0}").len()).unwrap_or(i32::MAX) - 1;
        match u8::try_from(first + place + 1) {
            Ok(kept) if kept > 0 => {
                let (mantissa, exponent) = scientific(size, kept);
                let whole: String = mantissa.chars().filter(char::is_ascii_digit).collect();
                let length = usize::try_from(exponent + 1).unwrap_or(0);
                format!("{whole:0<length$}")
            }
            _ if size >= 0.5 * 10f64.powi(-place) => format!("1{}", "0".repeat(zeros)),
            _ => "0".to_owned(),
        }
    };
    let is_zero = digits.bytes().all(|b| matches!(b, b'0' | b'.'));
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    match digits.split_once('.') {
        Some((whole, part)) => format!("{sign}{}.{part}", grouped(whole)),
        None => format!("{sign}{}", grouped(&digits)),
    }
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(GROUP);
        }
        text.push(digit);
    }
    text
}

fn raised(exponent: i32) -> String {
    let mut plain = String::new();
    let _ = write!(plain, "{exponent}"); // writing to a string cannot fail
    let raise = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => char::from_u32(0x2070 + u32::from(c) - u32::from('0')).unwrap_or(c),
    };
    plain.chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        text.replace(GROUP, " ")
    }

    #[test]
    fn digits_are_significant() {
        let cases = [
            (1.234, 3, "1.23"),
            (0.999_6, 3, "1.00"),
            (9.996, 3, "10.0"),
            (-0.001_234, 2, "−0.0012"),
            (1_234_567.0, 3, "1 230 000"),
            (1_235_000.0, 3, "1 240 000"),
            (999_999.0, 3, "1 000 000"),
            (16.6, 3, "16.6"),
            (1.5e-7, 2, "1.5×10⁻⁷"),
            (6.02e23, 3, "6.02×10²³"),
            (0.0, 3, "0"),
            (f64::NAN, 3, "NaN"),
            (f64::NEG_INFINITY, 3, "−∞"),
            (5.0, 0, "5"),
        ];
        for (value, digits, expected) in cases {
            assert_eq!(plain(&significant(value, digits)), expected, "{value:e} to {digits}");
        }
    }

    #[test]
    fn both_ends_have_the_decimals_of_the_value() {
        assert_eq!(interval(1.234, 1.19, 1.281_4, 3), "1.23 [1.19, 1.28]");
        assert_eq!(plain(&interval(12_345.0, 9_951.0, 13_000.0, 3)), "12 300 [10 000, 13 000]");
        assert_eq!(interval(2.0, 0.0, f64::INFINITY, 2), "2.0 [0.0, ∞]");
        assert_eq!(interval(123_456.0, 40.0, 60.0, 4).replace(GROUP, " "), "123 500 [0, 100]");
        assert_eq!(interval(1e-9, 0.5e-9, 2e-9, 2), "1.0×10⁻⁹ [5.0×10⁻¹⁰, 2.0×10⁻⁹]");
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!(
            [0.001, 2.0, 50_000.0, 2e6, 1e-5, 1e12].map(|v| plain(&round(v))),
            ["0.001", "2", "50 000", "2×10⁶", "10⁻⁵", "10¹²"]
        );
        assert_eq!([0.0, 0.25, -0.5].map(|v| on_step(v, 0.05, 1.0)), ["0", "0.25", "−0.50"]);
        assert_eq!(on_step(2.5e9, 5e8, 3e9), "2.5×10⁹");
        assert_eq!([0.1, 4096.0, 0.333_333].map(|v| plain(&short(v, 3))), ["0.1", "4 096", "0.333"]);
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!([7, 1234, 1_234_567].map(|v| plain(&count(v))), ["7", "1 234", "1 234 567"]);
    }
}
