//! How large the boxes of a swarm are: the boxes of turned things.

use carom_core::trig::{exp, sin_cos};

use carom_core::random::Random;

/// What the boxes are around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Things {
    /// Cubes of edge 1.
    Cubes,
    /// The mixture of the Broadmark study: cubes, bars, planks, plates and odd boxes.
    Assorted,
    /// Cubes with edges from 0.1 to 10, each factor of ten as frequent as the other.
    AnySize,
}

/// The first nineteen of every eighty things of the mixture, by their edges; the others are drawn.
const MIXTURE: [[f32; 3]; 19] = [
    [0.5, 0.5, 0.5],
    [0.5, 0.5, 0.5],
    [0.5, 0.5, 0.5],
    [0.5, 0.5, 0.5],
    [1.9, 1.9, 1.9],
    [1.9, 1.9, 1.9],
    [1.9, 1.9, 1.9],
    [1.9, 1.9, 1.9],
    [15.2, 0.4, 0.4],
    [15.2, 0.4, 0.4],
    [15.2, 0.4, 0.4],
    [0.4, 15.2, 0.4],
    [0.4, 0.4, 15.2],
    [1.9, 5.7, 0.1],
    [1.9, 0.1, 5.7],
    [0.1, 1.9, 0.3],
    [3.8, 3.8, 0.1],
    [3.8, 0.1, 3.8],
    [0.1, 3.8, 3.8],
];
/// Length of the period of the mixture.
const PERIOD: usize = 80;

impl Things {
    fn edges(self, index: usize, random: &mut Random) -> [f32; 3] {
        match self {
            Self::Cubes => [1.0; 3],
            Self::Assorted => match MIXTURE.get(index % PERIOD) {
                Some(edges) => *edges,
                None => std::array::from_fn(|_| 0.803 * (0.1 + 1.8 * random.unit())),
            },
            // ln 100 spread evenly is a range of 100 with every size as frequent as any other.
            Self::AnySize => [0.1 * exp(random.unit() * std::f32::consts::LN_10 * 2.0); 3],
        }
    }

    /// Half extents of the box around the thing of an index, turned at random.
    pub(super) fn half<const D: usize>(self, index: usize, random: &mut Random) -> [f32; D] {
        let half = self.edges(index, random).map(|e| 0.5 * e);
        let turned = if D == 2 {
            let (sin, cos) = sin_cos(random.range(0.0, std::f32::consts::PI));
            let (sin, cos) = (sin.abs(), cos.abs());
            [cos * half[0] + sin * half[1], sin * half[0] + cos * half[1], half[2]]
        } else {
            box_of_turned(half, random.rotation())
        };
        std::array::from_fn(|k| turned[k])
    }
}

/// Half extents of the box around a box that is turned by a quaternion.
fn box_of_turned(half: [f32; 3], [x, y, z, w]: [f32; 4]) -> [f32; 3] {
    let rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    rows.map(|row| row[0].abs() * half[0] + row[1].abs() * half[1] + row[2].abs() * half[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_turned_cubes_have_the_right_range() {
        let mut random = Random::new(3);
        let (mut least, mut most) = (f32::MAX, 0.0f32);
        for index in 0..5_000 {
            for h in Things::Cubes.half::<3>(index, &mut random) {
                (least, most) = (least.min(h), most.max(h));
            }
            for h in Things::Cubes.half::<2>(index, &mut random) {
                assert!((0.499..0.7072).contains(&h), "{h}");
            }
        }
        assert!((0.499..0.51).contains(&least) && (0.85..0.8661).contains(&most), "{least} to {most}");
    }

    #[test]
    fn sizes_range_over_a_hundred() {
        let mut random = Random::new(3);
        let edges: Vec<f32> = (0..20_000).map(|i| Things::AnySize.edges(i, &mut random)[0]).collect();
        let least = edges.iter().copied().fold(f32::MAX, f32::min);
        let most = edges.iter().copied().fold(0.0, f32::max);
        assert!((0.099..0.101).contains(&least) && (9.9..10.01).contains(&most), "{least} to {most}");
        let small = edges.iter().filter(|e| **e < 1.0).count();
        assert!((9_500..10_500).contains(&small), "half of them are below the middle: {small}");
    }
}
