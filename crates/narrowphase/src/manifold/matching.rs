//! Which point of a new manifold is which of the old one, so that impulses can be carried over.

use super::{FeatureId, Manifold};

impl Manifold {
    /// For each point of this manifold the number of the same point in an older one of the same
    /// pair: by name, or else the nearest free one within `reach` on the surface of either shape.
    /// No old point is given twice.
    ///
    /// Names decide first for all points. Points named [`FeatureId::CLOSEST`] wander over the
    /// surface; they are matched by place only.
    #[must_use]
    pub fn match_points(&self, old: &Self, reach: f32) -> [Option<u8>; Self::CAPACITY] {
        let mut matches = [None; Self::CAPACITY];
        let mut free = [true; Self::CAPACITY];
        for (found, point) in matches.iter_mut().zip(self.points()) {
            let named = |k: &usize| free[*k] && old.points()[*k].feature == point.feature;
            if point.feature != FeatureId::CLOSEST
                && let Some(k) = (0..old.points().len()).find(named)
            {
                free[k] = false;
                *found = Some(k as u8);
            }
        }
        for (found, point) in matches.iter_mut().zip(self.points()) {
            if found.is_some() {
                continue;
            }
            let mut nearest = (reach * reach, None);
            for (k, candidate) in old.points().iter().enumerate() {
                let on_a = (candidate.on_a - point.on_a).length_squared();
                let on_b = (candidate.on_b - point.on_b).length_squared();
                let square = if on_a < on_b { on_a } else { on_b };
                if free[k] && square <= nearest.0 {
                    nearest = (square, Some(k));
                }
            }
            if let Some(k) = nearest.1 {
                free[k] = false;
                *found = Some(k as u8);
            }
        }
        matches
    }
}
