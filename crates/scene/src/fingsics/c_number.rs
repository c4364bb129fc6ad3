//! Numbers as the C library reads them: `strtod`, `scanf("%f")` and `scanf("%d")`.
//!
//! Fingsics reads its files with these functions, so their leniencies are part of the
//! format: leading blanks, a sign, a number without digits on one side of the point, exponents,
//! hexadecimal floats, and anything at all after the number. A scanner returns the value together
//! with the text it consumed; what to do about the rest is the caller's choice. `inf` and `nan` are
//! recognised, so that callers can refuse them by name.
//!
//! Every result is correctly rounded once, to the type asked for. Nothing here depends on the
//! locale.

/// A number at the beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scanned<T> {
    /// The value; may be infinite or NaN.
    pub(crate) value: T,
    /// Bytes used, leading blanks included. Always a character boundary.
    pub(crate) consumed: usize,
}

/// How a token's value is to be computed.
enum Form<'t> {
    Decimal(&'t str),
    Hexadecimal { negative: bool, mantissa: u64, exponent: i64 },
    Infinity { negative: bool },
    NotANumber,
}

/// Reads a `f64` as `strtod` does; none if the text does not start with a number.
pub(crate) fn scan_f64(text: &str) -> Option<Scanned<f64>> {
    let (form, consumed) = recognise(text)?;
    let value = match form {
        Form::Decimal(digits) => digits.parse().ok()?,
        Form::Hexadecimal { negative, mantissa, exponent } => {
            signed(negative, scale_by_power_of_two(mantissa, exponent, 53, -1074))
        }
        Form::Infinity { negative } => signed(negative, f64::INFINITY),
        Form::NotANumber => f64::NAN,
    };
    Some(Scanned { value, consumed })
}

/// Reads a `f32` as `scanf("%f")` does, rounding once; none if the text does not start with a
/// number.
pub(crate) fn scan_f32(text: &str) -> Option<Scanned<f32>> {
    let (form, consumed) = recognise(text)?;
    let value = match form {
        Form::Decimal(digits) => digits.parse().ok()?,
        Form::Hexadecimal { negative, mantissa, exponent } => {
            // Rounded to 24 bits already, so the cast is exact (or overflows to infinity, as it
            // should).
            signed(negative, scale_by_power_of_two(mantissa, exponent, 24, -149)) as f32
        }
        Form::Infinity { negative } => signed(negative, f64::INFINITY) as f32,
        Form::NotANumber => f32::NAN,
    };
    Some(Scanned { value, consumed })
}

/// Why no integer could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntegerError {
    /// The text does not start with digits.
    NoDigits,
    /// The digits do not fit 32 bits.
    TooLarge,
}

/// Reads a decimal `i32` as `strtol` does: leading blanks, a sign, digits, then anything.
pub(crate) fn scan_i32(text: &str) -> Result<Scanned<i32>, IntegerError> {
    let bytes = text.as_bytes();
    let (negative, start) = sign_after_blanks(bytes);
    let end = start + count_while(&bytes[start..], |b| b.is_ascii_digit());
    if start == end {
        return Err(IntegerError::NoDigits);
    }
    let magnitude: i64 = text[start..end].parse().map_err(|_| IntegerError::TooLarge)?;
    let value =
        i32::try_from(if negative { -magnitude } else { magnitude }).map_err(|_| IntegerError::TooLarge)?;
    Ok(Scanned { value, consumed: end })
}

/// Reads a truth value as Fingsics' XML library does: an integer (decimal, or hexadecimal
/// after `0x`; zero is false) or exactly `true`, `True`, `TRUE`, `false`, `False`, `FALSE`.
pub(crate) fn scan_bool(text: &str) -> Option<bool> {
    let bytes = text.as_bytes();
    let (_, start) = sign_after_blanks(bytes);
    if is_hexadecimal_prefix(&bytes[start..]) {
        let digits = &bytes[start + 2..];
        return Some(digits.iter().take_while(|b| b.is_ascii_hexdigit()).any(|&b| b != b'0'));
    }
    let digits = count_while(&bytes[start..], |b| b.is_ascii_digit());
    if digits > 0 {
        return Some(bytes[start..start + digits].iter().any(|&b| b != b'0'));
    }
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// White space of the C locale: Rust's ASCII set and the vertical tab.
pub(crate) fn is_c_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0B
}

fn count_while(bytes: &[u8], accept: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&b| accept(b)).count()
}

fn signed(negative: bool, magnitude: f64) -> f64 {
    if negative { -magnitude } else { magnitude }
}

/// Skips blanks and a sign; returns whether the sign was a minus, and the place after it.
fn sign_after_blanks(bytes: &[u8]) -> (bool, usize) {
    let start = count_while(bytes, is_c_space);
    match bytes.get(start) {
        Some(b'-') => (true, start + 1),
        Some(b'+') => (false, start + 1),
        _ => (false, start),
    }
}

fn is_hexadecimal_prefix(bytes: &[u8]) -> bool {
    matches!(bytes, [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit())
}

/// Finds the longest number at the start of `text` and the place where it ends.
fn recognise(text: &str) -> Option<(Form<'_>, usize)> {
    let bytes = text.as_bytes();
    let blanks = count_while(bytes, is_c_space);
    let (negative, start) = sign_after_blanks(bytes);
    let body = &bytes[start..];
    let begins_with = |word: &[u8]| body.len() >= word.len() && body[..word.len()].eq_ignore_ascii_case(word);
    if begins_with(b"infinity") {
        return Some((Form::Infinity { negative }, start + 8));
    }
    if begins_with(b"inf") {
        return Some((Form::Infinity { negative }, start + 3));
    }
    if begins_with(b"nan") {
        return Some((Form::NotANumber, start + 3));
    }
    let hexadecimal_point = matches!(body, [b'0', b'x' | b'X', b'.', digit, ..] if digit.is_ascii_hexdigit());
    if is_hexadecimal_prefix(body) || hexadecimal_point {
        let (mantissa, exponent, length) = hexadecimal(&body[2..]);
        return Some((Form::Hexadecimal { negative, mantissa, exponent }, start + 2 + length));
    }
    let end = start + decimal_length(body)?;
    Some((Form::Decimal(&text[blanks..end]), end))
}

/// Length of an unsigned decimal number at the start of `body`.
fn decimal_length(body: &[u8]) -> Option<usize> {
    let whole = count_while(body, |b| b.is_ascii_digit());
    let mut length = whole;
    if body.get(length) == Some(&b'.') {
        let fraction = count_while(&body[length + 1..], |b| b.is_ascii_digit());
        if whole + fraction == 0 {
            return None;
        }
        length += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    Some(length + exponent_length(&body[length..], b'e'))
}

/// Length of an exponent with its letter; zero unless digits follow, for then the letter is not
/// part of the number.
fn exponent_length(tail: &[u8], letter: u8) -> usize {
    if tail.first().is_none_or(|b| b.to_ascii_lowercase() != letter) {
        return 0;
    }
    let sign = usize::from(matches!(tail.get(1), Some(b'+' | b'-')));
    let digits = count_while(&tail[1 + sign..], |b| b.is_ascii_digit());
    if digits == 0 { 0 } else { 1 + sign + digits }
}

/// Reads hexadecimal digits with an optional point and binary exponent: value = mantissa ·
/// 2^exponent. Digits beyond the 60th bit only set the lowest one, which is all that correct
/// rounding to 53 bits needs.
fn hexadecimal(body: &[u8]) -> (u64, i64, usize) {
    const EXPONENT_BOUND: i64 = 1 << 40;
    let (mut mantissa, mut exponent, mut length, mut seen_point) = (0_u64, 0_i64, 0, false);
    for &byte in body {
        if byte == b'.' && !seen_point {
            seen_point = true;
        } else if let Some(digit) = char::from(byte).to_digit(16) {
            if mantissa >> 56 == 0 {
                mantissa = mantissa << 4 | u64::from(digit);
                exponent -= if seen_point { 4 } else { 0 };
            } else {
                mantissa |= u64::from(digit != 0);
                exponent += if seen_point { 0 } else { 4 };
            }
        } else {
            break;
        }
        length += 1;
    }
    let tail = exponent_length(&body[length..], b'p');
    if tail > 0 {
        let digits = std::str::from_utf8(&body[length + 1..length + tail]).unwrap_or("0");
        let bound = if digits.starts_with('-') { -EXPONENT_BOUND } else { EXPONENT_BOUND };
        exponent += digits.parse::<i64>().unwrap_or(bound).clamp(-EXPONENT_BOUND, EXPONENT_BOUND);
    }
    (mantissa, exponent, length + tail)
}

/// `mantissa · 2^exponent` rounded half to even to `bits` binary digits, none of them below
/// 2^`lowest`.
fn scale_by_power_of_two(mantissa: u64, exponent: i64, bits: i64, lowest: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let top = exponent + 63 - i64::from(mantissa.leading_zeros());
    if top > 1023 {
        return f64::INFINITY;
    }
    if top < lowest - 1 {
        return 0.0;
    }
    let unit = (top - (bits - 1)).max(lowest);
    let dropped = unit - exponent;
    // `dropped` ≤ 64 here because `top ≥ lowest − 1`, and widening to 128 bits keeps every shift
    // defined.
    let (kept, scale) = if dropped > 0 {
        let wide = u128::from(mantissa);
        let half = 1_u128 << (dropped - 1);
        let floor = wide >> dropped;
        let rest = wide - (floor << dropped);
        let round_up = rest > half || (rest == half && floor & 1 == 1);
        (floor as u64 + u64::from(round_up), unit)
    } else {
        (mantissa, exponent)
    };
    kept as f64 * power_of_two(scale.div_euclid(2)) * power_of_two(scale - scale.div_euclid(2))
}

/// 2^`exponent` for exponents of normal numbers.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023).clamp(0, 2047) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn f64_of(text: &str) -> Option<(f64, usize)> {
        scan_f64(text).map(|s| (s.value, s.consumed))
    }

    #[test]
    fn decimal_numbers_are_read_as_far_as_they_go() {
        assert_eq!(f64_of("1.5"), Some((1.5, 3)));
        assert_eq!(f64_of(" \t\u{b}-2.5e1xyz"), Some((-25.0, 9)));
        assert_eq!(f64_of(".5."), Some((0.5, 2)));
        assert_eq!(f64_of("5."), Some((5.0, 2)));
        assert_eq!(f64_of("+7"), Some((7.0, 2)));
        assert_eq!(f64_of("1e"), Some((1.0, 1)), "an exponent without digits is not one");
        assert_eq!(f64_of("1e+"), Some((1.0, 1)));
        assert_eq!(f64_of("1,5"), Some((1.0, 1)));
        assert_eq!(f64_of("0x"), Some((0.0, 1)));
        for unreadable in ["", " ", ".", "-", "-.", "e5", "abc", "- 1"] {
            assert_eq!(f64_of(unreadable), None, "{unreadable:?}");
        }
    }

    #[test]
    fn infinity_and_not_a_number_are_recognised() {
        assert_eq!(f64_of("-INFinity!"), Some((f64::NEG_INFINITY, 9)));
        assert_eq!(f64_of("inf"), Some((f64::INFINITY, 3)));
        assert!(scan_f32("NaN").is_some_and(|s| s.value.is_nan()));
        assert_eq!(scan_f32("1e39").map(|s| s.value), Some(f32::INFINITY), "too large for the type");
    }

    #[test]
    fn hexadecimal_floats_are_exact_or_correctly_rounded() {
        assert_eq!(f64_of("0x10"), Some((16.0, 4)));
        assert_eq!(f64_of("-0X1.8p1z"), Some((-3.0, 8)));
        assert_eq!(f64_of("0x.8p0"), Some((0.5, 6)));
        assert_eq!(f64_of("0x1p"), Some((1.0, 3)));
        assert_eq!(f64_of("0x1p-1074"), Some((f64::from_bits(1), 9)));
        assert_eq!(f64_of("0x1p-1075"), Some((0.0, 9)), "half the smallest number is a tie, to even");
        assert_eq!(f64_of("0x1.8p-1075"), Some((f64::from_bits(1), 11)));
        assert_eq!(f64_of("0x1p1024"), Some((f64::INFINITY, 8)));
        assert_eq!(f64_of("0x1.fffffffffffffp1023"), Some((f64::MAX, 22)));
        assert_eq!(f64_of("0x1p-99999999999999999999").map(|s| s.0), Some(0.0));
        assert_eq!(scan_f32("0x1.000001p0").map(|s| s.value), Some(1.0), "tie to even");
        assert_eq!(scan_f32("0x1.0000010000000000000000001p0").map(|s| s.value), Some(1.0 + f32::EPSILON));
        assert_eq!(scan_f32("0x1p-149").map(|s| s.value), Some(f32::from_bits(1)));
    }

    #[test]
    fn integers_tolerate_blanks_and_junk_but_need_digits() {
        assert_eq!(scan_i32("  -12abc"), Ok(Scanned { value: -12, consumed: 5 }));
        assert_eq!(scan_i32("2147483648"), Err(IntegerError::TooLarge));
        assert_eq!(scan_i32("-2147483648").map(|s| s.value), Ok(i32::MIN));
        assert_eq!(scan_i32("99999999999999999999"), Err(IntegerError::TooLarge));
        for text in ["", "abc", "-", " "] {
            assert_eq!(scan_i32(text), Err(IntegerError::NoDigits), "{text:?}");
        }
    }

    #[test]
    fn truth_values_are_words_in_three_spellings_or_integers() {
        for text in ["true", "True", "TRUE", "1", " 7x", "-1", "0x10"] {
            assert_eq!(scan_bool(text), Some(true), "{text:?}");
        }
        for text in ["false", "False", "FALSE", "0", "000", "0x0"] {
            assert_eq!(scan_bool(text), Some(false), "{text:?}");
        }
        for text in ["", "yes", "tRUE", " true", "true "] {
            assert_eq!(scan_bool(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn every_finite_number_is_read_back(bits: u64, junk in "[ ,;x]{0,3}") {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let read = scan_f64(&format!("{value:?}{junk}")).map(|s| s.value.to_bits());
            prop_assert_eq!(read, Some(bits));
        }

        #[test]
        fn hexadecimal_integers_agree_with_the_language(value: u64) {
            prop_assert_eq!(scan_f64(&format!("{value:#x}")).map(|s| s.value), Some(value as f64));
            prop_assert_eq!(scan_f32(&format!("{value:#x}")).map(|s| s.value), Some(value as f32));
        }

        #[test]
        fn no_text_makes_a_scanner_panic(text in "\\PC{0,12}") {
            if let Some(s) = scan_f64(&text) {
                prop_assert!(text.is_char_boundary(s.consumed));
            }
            let _ = (scan_f32(&text), scan_i32(&text), scan_bool(&text));
        }
    }
}
