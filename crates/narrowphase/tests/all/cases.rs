//! Places of one shape beside another, random ones and awkward ones.

use carom_geometry::{Pose, Rotation};
use glam::DVec3;
use proptest::prelude::*;

/// Any rotation.
pub fn rotation() -> impl Strategy<Value = Rotation<f64>> {
    prop::array::uniform4(-1.0f64..1.0).prop_filter_map("null quaternion", Rotation::from_xyzw)
}

/// Quarter and eighth turns about the axes: parallel faces and edges.
pub fn aligned_rotation() -> impl Strategy<Value = Rotation<f64>> {
    prop::array::uniform3(0u8..8).prop_map(|turns| {
        let turn =
            |axis, eighths: u8| Rotation::about_axis(axis, f64::from(eighths) * std::f64::consts::FRAC_PI_4);
        turn(DVec3::X, turns[0]) * turn(DVec3::Y, turns[1]) * turn(DVec3::Z, turns[2])
    })
}

/// Poses of a second shape near the first, `reach` being about the sum of their sizes: mostly random, some aligned with it,
/// some with coordinates on a grid (touching, coincident vertices), some hardly turned.
pub fn place(reach: f64) -> impl Strategy<Value = Pose<f64>> {
    let anywhere = prop::array::uniform3(-1.0f64..1.0).prop_map(move |t| DVec3::from(t) * reach);
    let on_grid =
        prop::array::uniform3(-4i8..=4).prop_map(move |t| DVec3::from(t.map(f64::from)) * (reach / 4.0));
    let slightly = prop::array::uniform3(-1.0f64..1.0)
        .prop_map(|t| Rotation::from_rotation_vector(DVec3::from(t) * 1e-6));
    let translation = prop_oneof![3 => anywhere, 1 => on_grid];
    let turned = prop_oneof![4 => rotation(), 2 => aligned_rotation(), 1 => slightly];
    (translation, turned).prop_map(|(t, r)| Pose::new(t, r))
}

proptest! {
    #[test]
    fn places_are_within_reach(place in place(3.0)) {
        prop_assert!(place.is_finite() && place.translation.abs().max_element() <= 3.0);
    }
}
