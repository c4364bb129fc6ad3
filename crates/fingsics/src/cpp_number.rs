//! Numbers as Fingsics prints them: C++ stream defaults, six significant digits.

/// A number as `std::ostream` prints it by default (`%g`): six significant digits, no trailing
/// zeros, scientific below 10⁻⁴ and from 10⁶.
#[must_use]
pub(crate) fn stream(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return if number.is_nan() { "nan".to_owned() } else { format!("{number}") };
    }
    // Rounding to six digits first: it may carry into the exponent (999999.5 → 1e+06).
    let scientific = format!("{number:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        let decimals = (5 - exponent) as usize;
        trimmed(&format!("{number:.decimals$}")).to_owned()
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
    }
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::stream;

    #[test]
    fn prints_like_a_cpp_stream() {
        for (number, text) in [
            (0.0, "0"),
            (0.001, "0.001"),
            (0.014, "0.014"),
            (12.0, "12"),
            (123.456_789, "123.457"),
            (1234.567, "1234.57"),
            (999_999.0, "999999"),
            (999_999.5, "1e+06"),
            (-1.634_83e12, "-1.63483e+12"),
            (0.000_012_345_6, "1.23456e-05"),
            (0.000_1, "0.0001"),
            (100_000.0, "100000"),
        ] {
            assert_eq!(stream(number), text);
        }
    }
}
