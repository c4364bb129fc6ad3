//! Least squares with a handful of columns, by Householder reflections; coefficients of any sign,
//! or none below zero.
//!
//! Costs are not negative, so the cost model asks for coefficients that are not either. With so few
//! columns the best such fit is found by trying every set of columns: it is the plain fit on its
//! own columns, and among plain fits with positive coefficients it has the smallest residual.

/// Most columns: every set of them is tried.
const MAX_COLUMNS: usize = 8;
/// A column whose part across the others is smaller than this, as a share of its length, is one of
/// theirs.
const DEPENDENT: f64 = 1e-10;

/// Which coefficients are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// All.
    Any,
    /// None below zero.
    NotNegative,
}

/// A fit: target ≈ Σ coefficient · column.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearFit {
    /// One per column.
    pub coefficients: Vec<f64>,
    /// Sum of the squares of what is left.
    pub residual: f64,
}

/// Fits `target` by `columns` of the same length.
///
/// `None` if a column has another length or there are more columns than values or than eight; with
/// [`Sign::Any`] also if the columns are not independent, since then the coefficients are not
/// determined.
#[must_use]
pub fn least_squares(columns: &[&[f64]], target: &[f64], sign: Sign) -> Option<LinearFit> {
    let fits = columns.iter().all(|column| column.len() == target.len());
    if !fits || columns.len() > MAX_COLUMNS.min(target.len()) {
        return None;
    }
    let everything = (1u32 << columns.len()) - 1;
    if sign == Sign::Any {
        return plain(columns, everything, target);
    }
    let allowed = (0..=everything).filter_map(|chosen| plain(columns, chosen, target));
    let allowed = allowed.filter(|fit| fit.coefficients.iter().all(|c| *c >= 0.0));
    allowed.min_by(|a, b| a.residual.total_cmp(&b.residual))
}

/// The fit by a set of columns (bits); the others get 0.
fn plain(columns: &[&[f64]], chosen: u32, target: &[f64]) -> Option<LinearFit> {
    let places: Vec<usize> = (0..columns.len()).filter(|at| chosen & (1 << at) != 0).collect();
    let mut matrix: Vec<Vec<f64>> = places.iter().map(|&at| columns[at].to_vec()).collect();
    let mut rest = target.to_vec();
    let mut diagonal = Vec::new();
    for k in 0..matrix.len() {
        let (done, mut reflector) = matrix[k].split_at(k);
        let whole = dot(done, done) + dot(reflector, reflector);
        let length = dot(reflector, reflector).sqrt();
        // No number is no length either.
        let is_independent = length > DEPENDENT * whole.sqrt();
        if !is_independent {
            return None;
        }
        let corner = if reflector[0] > 0.0 { -length } else { length };
        let mut mirror = reflector.to_vec();
        mirror[0] -= corner;
        reflector = &mirror;
        let square = dot(reflector, reflector);
        for column in matrix[k + 1..].iter_mut().chain([&mut rest]) {
            let along = 2.0 * dot(&column[k..], reflector) / square;
            column[k..].iter_mut().zip(reflector).for_each(|(value, r)| *value -= along * r);
        }
        diagonal.push(corner);
    }
    let mut coefficients = vec![0.0; columns.len()];
    for k in (0..places.len()).rev() {
        let known: f64 = (k + 1..places.len()).map(|j| matrix[j][k] * coefficients[places[j]]).sum();
        coefficients[places[k]] = (rest[k] - known) / diagonal[k];
    }
    let residual = dot(&rest[places.len()..], &rest[places.len()..]);
    (residual.is_finite() && coefficients.iter().all(|c| c.is_finite()))
        .then_some(LinearFit { coefficients, residual })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_core::random::Random;

    fn residual(columns: &[&[f64]], coefficients: &[f64], target: &[f64]) -> f64 {
        let at = |k: usize| columns.iter().zip(coefficients).map(|(column, c)| column[k] * c).sum::<f64>();
        (0..target.len()).map(|k| (target[k] - at(k)) * (target[k] - at(k))).sum()
    }

    #[test]
    fn a_line_through_known_points() {
        // The classical example: (1, 6), (2, 5), (3, 7), (4, 10) lie about 3.5 + 1.4 x, with
        // residual 4.2.
        let (ones, x) = ([1.0; 4], [1.0, 2.0, 3.0, 4.0]);
        let fit = least_squares(&[&ones, &x], &[6.0, 5.0, 7.0, 10.0], Sign::Any).unwrap();
        assert!(
            (fit.coefficients[0] - 3.5).abs() < 1e-12 && (fit.coefficients[1] - 1.4).abs() < 1e-12,
            "{fit:?}"
        );
        assert!((fit.residual - 4.2).abs() < 1e-12, "{fit:?}");
    }

    #[test]
    fn columns_of_very_different_size_are_no_trouble() {
        let mut random = Random::new(1);
        let big: Vec<f64> = (0..50).map(|_| random.range_f64(1e9, 2e9)).collect();
        let small: Vec<f64> = (0..50).map(|_| random.range_f64(1e-9, 2e-9)).collect();
        let target: Vec<f64> = big.iter().zip(&small).map(|(b, s)| 3e-9 * b + 5e9 * s).collect();
        let fit = least_squares(&[&big, &small], &target, Sign::NotNegative).unwrap();
        assert!((fit.coefficients[0] / 3e-9 - 1.0).abs() < 1e-9, "{fit:?}");
        assert!((fit.coefficients[1] / 5e9 - 1.0).abs() < 1e-9, "{fit:?}");
    }

    #[test]
    fn dependent_columns_are_refused_or_shared_out() {
        let (x, double) = ([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]);
        assert_eq!(least_squares(&[&x, &double], &[1.0, 2.0, 3.0], Sign::Any), None);
        let fit = least_squares(&[&x, &double], &[1.0, 2.0, 3.0], Sign::NotNegative).unwrap();
        assert!(
            fit.residual < 1e-20 && (fit.coefficients[0] + 2.0 * fit.coefficients[1] - 1.0).abs() < 1e-12
        );
        assert_eq!(least_squares(&[&x[..2], &double], &[1.0, 2.0, 3.0], Sign::Any), None, "lengths differ");
        assert_eq!(
            least_squares(&[&x[..1], &double[..1]], &[1.0], Sign::NotNegative),
            None,
            "too few values"
        );
    }

    #[test]
    fn no_small_step_makes_a_fit_better() {
        let mut random = Random::new(4);
        for _ in 0..200 {
            let mut column = || (0..12).map(|_| random.range_f64(-1.0, 1.0)).collect::<Vec<f64>>();
            let (a, b, c, target) = (column(), column(), column(), column());
            let columns: [&[f64]; 3] = [&a, &b, &c];
            for sign in [Sign::Any, Sign::NotNegative] {
                let fit = least_squares(&columns, &target, sign).unwrap();
                let own = residual(&columns, &fit.coefficients, &target);
                assert!((own - fit.residual).abs() < 1e-9, "{own}, {fit:?}");
                for axis in 0..3 {
                    for step in [-1e-4, 1e-4] {
                        let mut near = fit.coefficients.clone();
                        near[axis] += step;
                        if sign == Sign::Any || near[axis] >= 0.0 {
                            assert!(
                                residual(&columns, &near, &target) >= own - 1e-12,
                                "{fit:?}, {axis}, {step}"
                            );
                        }
                    }
                }
                assert!(sign == Sign::Any || fit.coefficients.iter().all(|c| *c >= 0.0));
            }
        }
    }
}
