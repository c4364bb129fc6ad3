//! Who comes after whom: the order of the runs of a comparison.
//!
//! Machines warm up, throttle and get busy. If all runs of one contestant come first, it alone gets
//! the cool machine; if the order is the same in every round, whoever follows the heaviest
//! contestant always finds its traces. So every contestant runs once per round, and every other
//! round goes backwards (A B C, C B A, A B C …): a steady drift then adds the same to each over two
//! rounds.

/// The contestants of a round (from 0), in their order.
#[must_use]
pub fn round(contestants: usize, round: u32) -> Vec<usize> {
    let forwards = 0..contestants;
    if round.is_multiple_of(2) { forwards.collect() } else { forwards.rev().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_alternate() {
        let all: Vec<Vec<usize>> = (0..4).map(|k| round(3, k)).collect();
        assert_eq!(all, [[0, 1, 2], [2, 1, 0], [0, 1, 2], [2, 1, 0]]);
        assert!(round(0, 1).is_empty());
    }

    #[test]
    fn a_steady_drift_cancels_over_two_rounds() {
        for contestants in 1..7 {
            let order: Vec<usize> = (0..2).flat_map(|k| round(contestants, k)).collect();
            let sum_of_times = |who: usize| {
                order.iter().enumerate().filter(|(_, c)| **c == who).map(|(time, _)| time).sum::<usize>()
            };
            assert!((0..contestants).all(|who| sum_of_times(who) == sum_of_times(0)), "{contestants}");
        }
    }
}
