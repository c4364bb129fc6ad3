//! Winner maps: samples on the grid of a plan.

use carom_report::{Axis, MapCell, WinnerMap};

use super::measure::CANDIDATES;
use super::sample::Sample;
use super::situation::Situation;
use super::survey::{MapPlan, Trait};

/// The map of a plan; cells that were not measured stay open.
#[must_use]
pub fn winner_map(plan: &MapPlan, samples: &[Sample]) -> WinnerMap {
    let names = CANDIDATES.map(|method| method.to_string());
    let mut map =
        WinnerMap::new(plan.name, caption(plan), Axis::log(plan.x.label()), Axis::log(plan.y.label()), names)
            .columns(plan.xs.iter().map(|x| shown(*x)));
    for y in &plan.ys {
        let cells = plan.xs.iter().map(|x| cell(samples, &plan.at(*x, *y)));
        map = map.row(shown(*y), cells);
    }
    map
}

/// The number as it was written: 0.1 of one kind is 0.10000000149 of the other.
fn shown(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

fn cell(samples: &[Sample], situation: &Situation) -> MapCell {
    let sample = samples.iter().find(|sample| sample.situation.as_ref() == Some(situation));
    let Some(sample) = sample else { return MapCell::default() };
    let ranked = sample.ranked();
    let Some(best) = ranked.first() else { return MapCell::default() };
    let Some(winner) = CANDIDATES.iter().position(|method| *method == best.method) else {
        return MapCell::default();
    };
    match ranked.get(1) {
        None => MapCell::won(winner, f64::INFINITY),
        Some(second) => {
            let margin = second.us.value / best.us.value;
            let apart = !second.us.overlaps(&best.us);
            if apart { MapCell::won(winner, margin) } else { MapCell::undecided(winner, margin) }
        }
    }
}

/// What changes and what stays.
fn caption(plan: &MapPlan) -> String {
    let Situation { n, density, motion, ratio, share } = plan.fixed;
    let fixed = [
        (Trait::Boxes, format!("{n} boxes")),
        (Trait::Density, format!("density {density}")),
        (Trait::Motion, format!("motion of {motion} edges per frame")),
        (
            Trait::Ratio,
            if ratio == 1.0 { "boxes of one size".to_owned() } else { format!("size ratio {ratio}") },
        ),
        (
            Trait::Share,
            if share == 1.0 { "all moving".to_owned() } else { format!("{share} of them moving") },
        ),
    ];
    let rest: Vec<String> = fixed
        .into_iter()
        .filter(|(kind, _)| ![plan.x, plan.y].contains(kind))
        .map(|(_, text)| text)
        .collect();
    format!("The fastest method, with the time of the second over its own; {}.", rest.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::sample::made_up::sample;
    use super::super::survey::Survey;
    use super::*;
    use carom_broadphase::Method;

    #[test]
    fn cells_are_won_tied_or_open() {
        let plan = &Survey::quick().maps[0];
        let cells: Vec<Situation> = plan.cells().collect();
        let samples = [
            sample(cells[0], &[(Method::Sap, 4.0), (Method::Aabb, 1.0)]),
            sample(cells[1], &[(Method::Sap, 1.0), (Method::Aabb, 1.05)]),
            sample(cells[2], &[(Method::Sap, 1.0)]),
        ];
        let map = winner_map(plan, &samples);
        assert_eq!(map.cells.len(), cells.len());
        assert_eq!(map.cells[0], MapCell::won(0, 4.0), "aabb is the first candidate");
        assert_eq!(map.cells[1], MapCell::undecided(1, 1.05));
        assert_eq!(map.cells[2], MapCell::won(1, f64::INFINITY));
        assert_eq!(map.cells[3], MapCell::default());
        assert_eq!(map.ys[0], 0.0001, "as written, not as the nearest f32");
        assert!(map.caption.contains("all moving") && !map.caption.contains("density"), "{}", map.caption);
    }
}
