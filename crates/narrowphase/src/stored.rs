//! What pairs of shapes remember, as bytes.
//!
//! Memories decide which of equally good answers is found, to the bit, so a state that is to go on
//! as it would have gone on needs them. What queries only use while they run, and what they cost,
//! is not kept. Numbers of features are read as they are: a memory of other shapes is a bad start
//! and never an error, and that is what the readers of these memories promise.

use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::stored;
use glam::Vec3;

use crate::manifold::{FeatureId, Manifold, ManifoldPoint};
use crate::pair::PairCache;
use crate::{gjk, revolved, sat, vclip};

stored!(ManifoldPoint { on_a: Vec3, on_b: Vec3, separation: f32, feature: FeatureId });
stored!(revolved::AxisHint { axis: Vec3, overlaps: bool });
stored!(PairCache {
    axis: sat::SatCache,
    simplex: gjk::SimplexCache<f32>,
    witness: Option<vclip::Witness>,
    direction: revolved::AxisHint,
});

impl Stored for FeatureId {
    const LEAST: usize = 4;

    fn put(&self, out: &mut Writer) {
        self.0.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        u32::take(from).map(Self)
    }
}

impl Stored for Manifold {
    const LEAST: usize = 13;

    fn put(&self, out: &mut Writer) {
        self.normal.put(out);
        (self.points().len() as u8).put(out);
        for point in self.points() {
            point.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let mut manifold = Self::new(from.field("normal")?);
        let start = from.at();
        let count: u8 = from.field("count")?;
        for number in 0..usize::from(count) {
            let point = ManifoldPoint::take(from).map_err(|error| error.entry(number).inside("points"))?;
            if !manifold.push(point) {
                return Err(
                    BytesReadError::of(start, count, "a manifold has at most four points").inside("count")
                );
            }
        }
        Ok(manifold)
    }
}

impl Stored for sat::SatCache {
    const LEAST: usize = 5;

    fn put(&self, out: &mut Writer) {
        match self.feature {
            sat::Feature::None => 0u8.put(out),
            sat::Feature::FaceA(face) => (1u8, face).put(out),
            sat::Feature::FaceB(face) => (2u8, face).put(out),
            sat::Feature::Edges(a, b) => (3u8, [a, b]).put(out),
            sat::Feature::Closest => 4u8.put(out),
        }
        out.unbounded(self.separation);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let feature = match from.kind(5)? {
            0 => sat::Feature::None,
            1 => sat::Feature::FaceA(from.field("face")?),
            2 => sat::Feature::FaceB(from.field("face")?),
            3 => {
                let [a, b] = from.field("edges")?;
                sat::Feature::Edges(a, b)
            }
            _ => sat::Feature::Closest,
        };
        let separation = from.number("separation", f32::NEG_INFINITY, f32::INFINITY)?;
        Ok(Self { feature, separation })
    }
}

impl Stored for gjk::SimplexCache<f32> {
    const LEAST: usize = 9;

    fn put(&self, out: &mut Writer) {
        (self.pairs().len() as u8).put(out);
        for pair in self.pairs() {
            pair.put(out);
        }
        [self.hints.a, self.hints.b].put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let count = usize::from(from.kind(5)?);
        let mut pairs = [[Vec3::ZERO; 2]; 4];
        for pair in &mut pairs[..count] {
            *pair = from.field("pairs")?;
        }
        let mut cache = Self::from_pairs(&pairs[..count]);
        [cache.hints.a, cache.hints.b] = from.field("hints")?;
        Ok(cache)
    }
}
