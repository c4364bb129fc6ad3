//! What is measured: situations for maps and fits, and other scenes to check the fits on.
//!
//! Maps are grids over two of the five numbers of a situation, the others as usual; so they can be
//! read. Between their planes lie scattered situations that change all five at once (Halton's
//! sequence: evenly spread, always the same), so that a fit cannot know one number from another
//! only by chance. Held out are swarms, simulated library scenes and models in the plane, none of
//! which is made like the situations.

use carom_core::trig::powf;

use super::situation::Situation;

/// One of the five numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// Number of boxes.
    Boxes,
    /// Volume of all boxes over that of the world.
    Density,
    /// Way of a mover per frame, in mean edges.
    Motion,
    /// Largest over smallest edge.
    Ratio,
    /// Share of the boxes that moves.
    Share,
}

impl Trait {
    /// The situation with another value of it.
    #[must_use]
    pub fn set(self, situation: Situation, value: f32) -> Situation {
        match self {
            Self::Boxes => Situation { n: value as usize, ..situation },
            Self::Density => Situation { density: value, ..situation },
            Self::Motion => Situation { motion: value, ..situation },
            Self::Ratio => Situation { ratio: value, ..situation },
            Self::Share => Situation { share: value, ..situation },
        }
    }

    /// What an axis says.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Boxes => "boxes",
            Self::Density => "density (volume of the boxes over that of the world)",
            Self::Motion => "motion (edges per frame)",
            Self::Ratio => "size ratio (largest over smallest edge)",
            Self::Share => "share of the boxes that moves",
        }
    }
}

/// A map: situations over two traits.
#[derive(Clone, Debug, PartialEq)]
pub struct MapPlan {
    /// Name of its files.
    pub name: &'static str,
    /// Across.
    pub x: Trait,
    /// Upwards.
    pub y: Trait,
    /// Values across.
    pub xs: Vec<f32>,
    /// Values upwards.
    pub ys: Vec<f32>,
    /// The other traits.
    pub fixed: Situation,
}

impl MapPlan {
    /// The situation of a cell.
    #[must_use]
    pub fn at(&self, x: f32, y: f32) -> Situation {
        self.y.set(self.x.set(self.fixed, x), y)
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Situation> + '_ {
        self.ys.iter().flat_map(|y| self.xs.iter().map(|x| self.at(*x, *y)))
    }
}

/// Situations to be measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Maps; they share cells.
    pub maps: Vec<MapPlan>,
    /// Situations beside them.
    pub scattered: Vec<Situation>,
    /// Other scenes, to check on.
    pub held_out: Vec<&'static str>,
}

impl Survey {
    /// All of it: some minutes.
    #[must_use]
    pub fn full() -> Self {
        let maps = maps(&[30.0, 100.0, 300.0, 1000.0, 4000.0, 16_000.0, 60_000.0], false, 16_000);
        Self { maps, scattered: scattered(150, 30_000.0), held_out: HELD_OUT.to_vec() }
    }

    /// Enough to see the shape of the maps: less than three minutes.
    #[must_use]
    pub fn quick() -> Self {
        let maps = maps(&[30.0, 300.0, 3000.0, 12_000.0], true, 3000);
        let held_out = HELD_OUT.iter().step_by(3).copied().collect();
        Self { maps, scattered: scattered(40, 12_000.0), held_out }
    }

    /// Every situation once, in the order of the maps.
    #[must_use]
    pub fn situations(&self) -> Vec<Situation> {
        let mut all: Vec<Situation> = Vec::new();
        let cells = self.maps.iter().flat_map(MapPlan::cells);
        for situation in cells.chain(self.scattered.iter().copied()) {
            if !all.contains(&situation) {
                all.push(situation);
            }
        }
        all
    }
}

/// The maps over these numbers of boxes; coarse ones leave out every other value upwards.
fn maps(boxes: &[f32], coarse: bool, middle: usize) -> Vec<MapPlan> {
    let values = |all: [f32; 5]| all.into_iter().step_by(if coarse { 2 } else { 1 }).collect::<Vec<_>>();
    let densities = values([0.0001, 0.001, 0.01, 0.1, 1.0]);
    let shares = values([0.001, 0.01, 0.1, 0.3, 1.0]);
    let motions = values([0.001, 0.01, 0.1, 1.0, 10.0]);
    let ratios = values([1.0, 3.0, 10.0, 30.0, 100.0]);
    let over_boxes = |name, y, ys: &Vec<f32>| MapPlan {
        name,
        x: Trait::Boxes,
        y,
        xs: boxes.to_vec(),
        ys: ys.clone(),
        fixed: Situation::USUAL,
    };
    vec![
        over_boxes("boxes-density", Trait::Density, &densities),
        over_boxes("boxes-share", Trait::Share, &shares),
        over_boxes("boxes-motion", Trait::Motion, &motions),
        over_boxes("boxes-ratio", Trait::Ratio, &ratios),
        MapPlan {
            name: "motion-share",
            x: Trait::Motion,
            y: Trait::Share,
            xs: motions,
            ys: shares,
            fixed: Situation { n: middle, ..Situation::USUAL },
        },
    ]
}

/// Halton's sequence: the digits of the number in a base, mirrored behind the point.
fn halton(mut number: u32, base: u32) -> f32 {
    let (mut value, mut place) = (0.0, 1.0);
    while number > 0 {
        place /= base as f32;
        value += (number % base) as f32 * place;
        number /= base;
    }
    value
}

/// So many situations, spread evenly over the logarithms of all five numbers.
fn scattered(count: u32, most: f32) -> Vec<Situation> {
    let between = |low: f32, high: f32, part: f32| low * powf(high / low, part);
    (1..=count)
        .map(|k| Situation {
            n: between(10.0, most, halton(k, 2)).round() as usize,
            density: between(0.0001, 1.0, halton(k, 3)),
            motion: between(0.001, 10.0, halton(k, 5)),
            ratio: between(1.0, 100.0, halton(k, 7)),
            // A part of them with all moving, as in most scenes.
            share: between(0.001, 3.0, halton(k, 11)).min(1.0),
        })
        .collect()
}

/// Scenes to check on. Library scenes are simulated.
pub const HELD_OUT: &[&str] = &[
    "brownian:100",
    "brownian:1000",
    "brownian:16000",
    "brownian:64000",
    "brownian:16000?speed=0.01",
    "brownian:3000?objects=assorted",
    "brownian:1000?d=2",
    "brownian:16000?d=2",
    "tenth-moving:1000",
    "tenth-moving:16000",
    "tenth-moving:64000?share=0.01",
    "tenth-moving:4000?d=2",
    "gravity-ghost:5000",
    "freefall-ghost:5000",
    "one-huge:1000",
    "one-huge:16000",
    "line:1000",
    "line:16000",
    "plane:1000",
    "plane:16000",
    "clusters:1000",
    "clusters:16000",
    "sizes:1000",
    "sizes:16000",
    "churn:1000",
    "churn:16000",
    "teleports:1000",
    "teleports:16000",
    "random2d:300",
    "box:100",
    "box:1000",
    "pyramid:20",
    "pile:500",
    "jolt_pyramid",
    "high_speed:1000",
    "freefall:1000",
    "gravity:1000",
    "bowling-alley",
    "funnel",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surveys_name_every_situation_once() {
        for survey in [Survey::full(), Survey::quick()] {
            let all = survey.situations();
            for (at, situation) in all.iter().enumerate() {
                assert!(!all[..at].contains(situation), "{situation}");
                assert!(situation.n >= 1 && situation.density > 0.0 && situation.ratio >= 1.0);
                assert!((0.0..=1.0).contains(&situation.share), "{situation}");
            }
            for map in &survey.maps {
                assert!(map.cells().all(|cell| all.contains(&cell)), "{}", map.name);
                assert_eq!(map.cells().count(), map.xs.len() * map.ys.len());
            }
        }
        assert!(Survey::quick().situations().len() * 2 < Survey::full().situations().len());
    }

    #[test]
    fn scattered_situations_change_everything_at_once() {
        assert_eq!([1, 2, 3, 4].map(|k| halton(k, 2)), [0.5, 0.25, 0.75, 0.125]);
        let some = scattered(100, 30_000.0);
        let ranks = |pick: fn(&Situation) -> f32| -> Vec<f64> {
            some.iter().map(|s| f64::from(pick(s)).ln()).collect()
        };
        let traits = [
            ranks(|s| s.n as f32),
            ranks(|s| s.density),
            ranks(|s| s.motion),
            ranks(|s| s.ratio),
            ranks(|s| s.share),
        ];
        for (at, a) in traits.iter().enumerate() {
            for b in &traits[..at] {
                assert!(correlation(a, b).abs() < 0.2, "{}", correlation(a, b));
            }
        }
    }

    fn correlation(a: &[f64], b: &[f64]) -> f64 {
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        let (ma, mb) = (mean(a), mean(b));
        let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(a, b)| f(a - ma, b - mb)).sum::<f64>();
        sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
    }

    #[test]
    fn what_is_held_out_is_there() {
        for name in HELD_OUT {
            let known = carom_scene::swarm::knows(name) || carom_scene::library::knows(name);
            assert!(known, "{name}");
        }
    }
}
