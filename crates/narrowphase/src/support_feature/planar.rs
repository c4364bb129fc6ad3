//! Figures of the plane as sheets: the feature that faces any direction is the figure itself.

use carom_geometry::shape::planar::OutlineRoom;
use carom_geometry::shape::{Planar, Support};
use glam::Vec3;

use super::{MAX_CORNERS, SupportFeature, SupportFeatureMap};

/// Directions in which rounded figures have a corner: multiples of 30°.
const ROUND: [(f32, f32); 12] = {
    const C: f32 = 0.866_025_4;
    [
        (1.0, 0.0),
        (C, 0.5),
        (0.5, C),
        (0.0, 1.0),
        (-0.5, C),
        (-C, 0.5),
        (-1.0, 0.0),
        (-C, -0.5),
        (-0.5, -C),
        (0.0, -1.0),
        (0.5, -C),
        (C, -0.5),
    ]
};

impl SupportFeatureMap for Planar {
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        let is_back = direction.z < 0.0;
        support_feature.start(u16::from(is_back), if is_back { -Vec3::Z } else { Vec3::Z });
        let turned = |k: usize, count: usize| if is_back { count - 1 - k } else { k };
        if self.radius() > 0.0 {
            for k in 0..ROUND.len() {
                let at = turned(k, ROUND.len());
                let (x, y) = ROUND[at];
                support_feature.push(self.support(Vec3::new(x, y, 0.0)), at as u16, at as u16);
            }
            return;
        }
        let mut room = OutlineRoom::default();
        let vertices = self.outline(&mut room).vertices;
        // Of many corners some are left out evenly.
        let step = vertices.len().div_ceil(MAX_CORNERS);
        let count = vertices.len() / step;
        for k in 0..count {
            let at = turned(k, count) * step;
            let side = if is_back { (at + vertices.len() - step) % vertices.len() } else { at };
            support_feature.push(vertices[at].extend(0.0), at as u16, side as u16);
        }
    }
}
