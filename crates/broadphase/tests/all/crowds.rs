//! Hundreds of boxes over many updates: crowded enough that cells are divided, trees grow, boxes
//! come to rest and wake.

use carom_broadphase::{Choice, Filter, Method, Pair, Space};
use carom_geometry::Aabb;
use proptest::prelude::*;

use crate::oracle::{Model, choices, compare};

/// How a crowd looks and moves.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    pub(crate) seed: u64,
    pub(crate) boxes: usize,
    /// Side of the world on each axis; 0 makes it flat.
    pub(crate) world: [f32; 3],
    /// Boxes gather around so many points; 0 means nowhere in particular.
    pub(crate) clusters: usize,
    /// Ratio of the largest box to the smallest.
    pub(crate) sizes: f32,
    /// Coordinates are multiples of this, if it is positive: ties abound.
    pub(crate) raster: f32,
    /// Share that moves, for each update.
    pub(crate) moving: Vec<f32>,
    /// Share that is replaced in each update.
    pub(crate) churn: f32,
    pub(crate) threads: usize,
}

/// A few boxes anywhere, on top of each other perhaps; or many with room between them, enough for
/// several columns and levels.
fn crowds() -> impl Strategy<Value = Crowd> {
    let side = |sides: &[f32]| prop::array::uniform3(prop::sample::select(sides.to_vec()));
    let dense = (1usize..120, side(&[0.0, 4.0, 20.0, 100.0]), prop::sample::select(vec![0usize, 1, 5]), {
        prop::sample::select(vec![1.0f32, 100.0])
    });
    let sparse = (300usize..900, side(&[20.0, 40.0]), Just(0usize), Just(1.0f32));
    let moving = prop::sample::select(vec![0.0f32, 0.02, 0.1, 0.5, 1.0]);
    (
        any::<u64>(),
        prop_oneof![dense.boxed(), sparse.boxed()],
        prop::sample::select(vec![0.0f32, 0.25]),
        prop::collection::vec(moving, 1..6),
        prop::sample::select(vec![0.0f32, 0.0, 0.05]),
        1usize..4,
    )
        .prop_map(|(seed, (boxes, world, clusters, sizes), raster, moving, churn, threads)| Crowd {
            seed,
            boxes,
            world,
            clusters,
            sizes,
            raster,
            moving,
            churn,
            threads,
        })
}

/// xorshift64*: reproducible, and no more is asked of it.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / (1u64 << 24) as f32
    }
}

impl Crowd {
    fn new_box<const D: usize>(&self, dice: &mut Dice, centres: &[[f32; 3]]) -> Aabb<D> {
        let centre = match centres.len() {
            0 => self.world.map(|side| side * (dice.unit() - 0.5)),
            count => {
                let c = centres[(dice.unit() * count as f32) as usize];
                std::array::from_fn(|k| c[k] + 0.02 * self.world[k] * (dice.unit() - 0.5))
            }
        };
        // Small ones are more frequent, as log-uniform sizes are.
        let size = 0.1 + 0.3 * dice.unit() * if dice.unit() < 0.2 { self.sizes } else { 1.0 };
        self.at(std::array::from_fn(|k| centre[k]), [size; D])
    }

    fn at<const D: usize>(&self, centre: [f32; D], half: [f32; D]) -> Aabb<D> {
        let snap = |c: f32| if self.raster > 0.0 { (c / self.raster).round() * self.raster } else { c };
        Aabb {
            min: std::array::from_fn(|k| snap(centre[k] - half[k])),
            max: std::array::from_fn(|k| snap(centre[k] + half[k])),
        }
    }

    /// Runs all methods side by side.
    pub(crate) fn run<const D: usize>(&self, choices: &[Choice]) -> Result<(), String> {
        let mut dice = Dice(self.seed | 1);
        let centres: Vec<[f32; 3]> =
            (0..self.clusters).map(|_| self.world.map(|side| side * (dice.unit() - 0.5))).collect();
        let mut runs: Vec<(&Choice, Space<D>, Vec<Pair>)> = choices
            .iter()
            .map(|choice| (choice, Space::with_broad_phase(choice.broad_phase()), Vec::new()))
            .collect();
        for (choice, space, _) in &mut runs {
            // Not all at once: dozens of pools would spend the time waiting for each other.
            if choice.method == Method::BucketPruning {
                space.set_threads(self.threads);
            }
        }
        let mut model = Model::default();
        for i in 0..self.boxes {
            let aabb = self.new_box(&mut dice, &centres);
            let filter = if i % 50 == 7 { Filter::STATIC } else { Filter::default() };
            for (_, space, _) in &mut runs {
                space.insert_filtered(aabb, filter).unwrap();
            }
            model.boxes.push(Some((aabb, filter)));
        }
        for share in [0.0].into_iter().chain(self.moving.iter().copied()) {
            for id in 0..model.boxes.len() {
                let Some((aabb, filter)) = model.boxes[id] else { continue };
                let (churn, moves) = (dice.unit() < self.churn, dice.unit() < share);
                let fate = if churn {
                    Fate::Replaced(self.new_box(&mut dice, &centres))
                } else if moves && dice.unit() < 0.02 {
                    Fate::Moved(self.new_box(&mut dice, &centres))
                } else if moves {
                    let step: [f32; D] = std::array::from_fn(|_| dice.unit() - 0.5);
                    let moved = |c: &[f32; D]| std::array::from_fn(|k| c[k] + step[k]);
                    Fate::Moved(Aabb { min: moved(&aabb.min), max: moved(&aabb.max) })
                } else {
                    continue;
                };
                let mut now = id;
                for (_, space, _) in &mut runs {
                    match &fate {
                        Fate::Moved(aabb) => space.set_box(id as u32, aabb).unwrap(),
                        Fate::Replaced(aabb) => {
                            space.remove(id as u32).unwrap();
                            now = space.insert_filtered(*aabb, filter).unwrap() as usize;
                        }
                    }
                }
                let (Fate::Moved(aabb) | Fate::Replaced(aabb)) = fate;
                model.boxes[id] = None;
                model.boxes.resize((now + 1).max(model.boxes.len()), None);
                model.boxes[now] = Some((aabb, filter));
            }
            let exact = model.pairs(0.0);
            for (choice, space, before) in &mut runs {
                compare(choice, space, &model, &exact, before)?;
            }
        }
        Ok(())
    }
}

enum Fate<const D: usize> {
    Moved(Aabb<D>),
    Replaced(Aabb<D>),
}

/// The methods that go by boxes alone: the oracle of tighter volumes takes too long for hundreds of
/// them.
fn by_boxes() -> Vec<Choice> {
    let other = [Method::None, Method::Sphere, Method::Obb, Method::SapObb];
    let mut choices = choices();
    choices.retain(|choice| choice.refinement.is_none() && !other.contains(&choice.method));
    choices
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.div_ceil(64), ..ProptestConfig::default() })]

    #[test]
    fn plane(crowd in crowds()) {
        prop_assert_eq!(crowd.run::<2>(&by_boxes()), Ok(()));
    }

    #[test]
    fn space(crowd in crowds()) {
        prop_assert_eq!(crowd.run::<3>(&by_boxes()), Ok(()));
    }
}
