//! Boxes for the tests of the trees.

use carom_geometry::Aabb;
use proptest::prelude::*;

/// Few different values, so that equal, flat and touching boxes abound; some without end.
pub(super) fn any_box() -> impl Strategy<Value = Aabb<2>> {
    let end = prop_oneof![9 => (-9i8..9).prop_map(f32::from), 1 => Just(f32::INFINITY), 1 => Just(-f32::MAX)];
    prop::array::uniform2((end, 0u8..5))
        .prop_map(|e| Aabb { min: e.map(|(c, _)| c), max: e.map(|(c, w)| c + f32::from(w)) })
}
