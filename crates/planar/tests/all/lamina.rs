//! Areas, centroids and second moments against bodies of triangles.

use carom_geometry::mass::of_closed_surface;
use carom_planar::{Lamina, LaminaError};
use glam::DVec3;
use proptest::prelude::*;

proptest! {
    #[test]
    fn polygons_weigh_the_same_as_flat_prisms(
        radii in prop::collection::vec(0.2f64..2.0, 3..12),
        place in prop::array::uniform2(-50.0f64..50.0),
    ) {
        // A star-shaped polygon, as a prism of height 1.
        let n = radii.len();
        let outline: Vec<[f64; 2]> = (0..n)
            .map(|k| {
                let angle = std::f64::consts::TAU * k as f64 / n as f64;
                [place[0] + radii[k] * angle.cos(), place[1] + radii[k] * angle.sin()]
            })
            .collect();
        let flat = Lamina::of_polygon(&outline).unwrap();
        let mut vertices: Vec<DVec3> =
            [0.0, 1.0].iter().flat_map(|z| outline.iter().map(|p| DVec3::new(p[0], p[1], *z))).collect();
        vertices.extend([DVec3::new(place[0], place[1], 0.0), DVec3::new(place[0], place[1], 1.0)]);
        let (n, low, high) = (n as u32, 2 * n as u32, 2 * n as u32 + 1);
        let triangles: Vec<[u32; 3]> = (0..n)
            .flat_map(|k| {
                let (a, b) = (k, (k + 1) % n);
                [[low, b, a], [high, n + a, n + b], [a, b, n + b], [a, n + b, n + a]]
            })
            .collect();
        let body = of_closed_surface(&vertices, triangles, 1.0).unwrap();
        prop_assert!((body.mass - flat.area).abs() <= 1e-12 * flat.area);
        prop_assert!((body.centre.x - flat.centroid[0]).abs() + (body.centre.y - flat.centroid[1]).abs() < 1e-11);
        prop_assert!((body.inertia.columns[2].z - flat.second_moment).abs() <= 1e-10 * flat.second_moment);
        let mut other_way = outline;
        other_way.reverse();
        let reversed = Lamina::of_polygon(&other_way).unwrap();
        prop_assert!((reversed.area - flat.area).abs() <= 1e-12 * flat.area);
        prop_assert!((reversed.second_moment - flat.second_moment).abs() <= 1e-10 * flat.second_moment);
    }
}

#[test]
fn discs_are_polygons_of_many_sides() {
    let disc = Lamina::of_circle([3.0, -2.0], 1.5).unwrap();
    let outline: Vec<[f64; 2]> = (0..10_000)
        .map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k) / 10_000.0;
            [3.0 + 1.5 * angle.cos(), -2.0 + 1.5 * angle.sin()]
        })
        .collect();
    let polygon = Lamina::of_polygon(&outline).unwrap();
    assert!(
        (disc.area - polygon.area).abs() < 1e-5 && (disc.second_moment - polygon.second_moment).abs() < 1e-5
    );
    let halves = [&outline[..=5_000], &[&outline[5_000..], &outline[..1]].concat()]
        .map(|h| Lamina::of_polygon(h).unwrap());
    let sum = halves[0].plus(&halves[1]);
    assert!(
        (sum.second_moment - polygon.second_moment).abs() < 1e-12 && (sum.area - polygon.area).abs() < 1e-12
    );
}

#[test]
fn figures_without_area_are_refused() {
    assert_eq!(Lamina::of_polygon(&[]), Err(LaminaError::TooFewVertices { count: 0 }));
    assert_eq!(Lamina::of_polygon(&[[0.0; 2]; 2]), Err(LaminaError::TooFewVertices { count: 2 }));
    assert_eq!(
        Lamina::of_polygon(&[[0.0, 0.0], [1.1, 3.3], [2.2, 6.6], [3.3, 9.9]]),
        Err(LaminaError::NoArea)
    );
    let bad = Lamina::of_polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, f64::INFINITY]]);
    assert_eq!(bad, Err(LaminaError::Vertex { index: 2, x: 1.0, y: f64::INFINITY }));
    assert_eq!(Lamina::of_polygon(&[[0.0, 0.0], [1e200, 0.0], [0.0, 1e200]]), Err(LaminaError::Overflow));
    assert!(matches!(Lamina::of_circle([0.0; 2], -1.0), Err(LaminaError::Radius { radius: -1.0 })));
    assert!(Lamina::of_circle([0.0; 2], f64::NAN).is_err());
}
