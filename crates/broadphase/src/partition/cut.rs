//! Where to cut: the bisection that looks for half of the density.

/// A cut and how it came about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// The place.
    pub at: f64,
    /// How many of all lie below it.
    pub below: usize,
    /// Cuts that were tried.
    pub iterations: u32,
}

/// Looks for a cut in `low..high` with half of `total` things below it, by halving the interval
/// towards the fuller side. `below` counts the things below a place. Stops when both sides hold the
/// same (of an odd number, or of many things, nearly the same: a 64th may be missing), or after
/// `most` tries; then the best one seen is returned.
///
/// ```
/// use carom_broadphase::partition::best_cut;
/// let centres = [0.5, 1.0, 1.5, 2.0, 6.0, 9.0];
/// let cut = best_cut(0.0, 10.0, 6, |at| centres.iter().filter(|&&c| c < at).count(), 16);
/// assert_eq!((cut.at, cut.below, cut.iterations), (1.875, 3, 4));
/// ```
pub fn best_cut(low: f64, high: f64, total: usize, mut below: impl FnMut(f64) -> usize, most: u32) -> Cut {
    let (mut low, mut high) = (low, high);
    let good_enough = (total % 2).max(total / 64);
    let mut best: Option<Cut> = None;
    let mut iterations = 0;
    while iterations < most.max(1) {
        let at = 0.5 * (low + high);
        let count = below(at).min(total);
        iterations += 1;
        let difference = |count: usize| count.abs_diff(total - count);
        if best.is_none_or(|best| difference(count) < difference(best.below)) {
            best = Some(Cut { at, below: count, iterations });
        }
        if difference(count) <= good_enough {
            break;
        }
        if count > total - count {
            high = at;
        } else {
            low = at;
        }
    }
    let best = best.unwrap_or(Cut { at: 0.5 * (low + high), below: 0, iterations });
    Cut { iterations, ..best }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut_of(values: &[f64], low: f64, high: f64, most: u32) -> Cut {
        best_cut(low, high, values.len(), |at| values.iter().filter(|&&v| v < at).count(), most)
    }

    #[test]
    fn an_odd_number_is_cut_with_a_difference_of_one() {
        let cut = cut_of(&[1.0, 2.0, 3.0], 0.0, 4.0, 16);
        assert_eq!((cut.at, cut.below, cut.iterations), (2.0, 1, 1));
    }

    #[test]
    fn the_best_cut_is_returned_when_no_cut_halves() {
        // Three equal values: 0 or 3 below, whatever the cut; and 1 of 4 can be had on the way.
        assert_eq!(cut_of(&[3.0; 4], 0.0, 10.0, 20).iterations, 20);
        let cut = cut_of(&[0.1, 7.0, 7.0, 7.0], 0.0, 10.0, 12);
        assert_eq!((cut.below, cut.iterations), (1, 12));
        assert_eq!(cut.at, 5.0);
    }
}
