//! Contacts in the plane against sampling and brute force.

use carom_planar::contact::edge_tree::edges_touch;
use carom_planar::contact::{
    EdgeTree, circle_circle, max_separation, polygon_circle, polygon_polygon, rectangle_rectangle,
    touching_edges,
};
use carom_planar::polygon::{Edge, convex_hull};
use carom_planar::vector::{add, distance, dot};
use carom_planar::{Circle, ConvexPolygon, Point, Polygon, Pose2, Rectangle};

use crate::cases::{self, Numbers};

fn point(numbers: &mut Numbers, reach: f64) -> Point {
    [numbers.between(-reach, reach), numbers.between(-reach, reach)]
}

/// A random hull; some with corners on a grid.
fn hull(numbers: &mut Numbers) -> ConvexPolygon {
    loop {
        let on_grid = numbers.below(3) == 0;
        let count = 3 + numbers.below(8);
        let points: Vec<Point> =
            (0..count).map(|_| point(numbers, 2.0).map(|c| if on_grid { c.round() } else { c })).collect();
        if let Ok(hull) = convex_hull(&points)
            && hull.area() > 0.05
        {
            return hull;
        }
    }
}

fn random_pose(numbers: &mut Numbers, reach: f64) -> Pose2 {
    let angle = if numbers.below(3) == 0 { 0.0 } else { numbers.between(-4.0, 4.0) };
    let at = point(numbers, reach);
    Pose2::new(if numbers.below(4) == 0 { at.map(f64::round) } else { at }, angle)
}

fn placed(polygon: &ConvexPolygon, pose: &Pose2) -> Polygon {
    Polygon::new(polygon.vertices().iter().map(|&p| pose.apply(p)).collect())
}

/// Overlap of the shadows on a unit vector: what the second has to be moved along it to get apart.
fn overlap(a: &[Point], b: &[Point], normal: Point) -> f64 {
    let highest = a.iter().map(|&p| dot(p, normal)).fold(f64::NEG_INFINITY, f64::max);
    let lowest = b.iter().map(|&p| dot(p, normal)).fold(f64::INFINITY, f64::min);
    highest - lowest
}

/// Distance of a point from the closed polygon: 0 inside.
fn distance_from(polygon: &Polygon, point: Point) -> f64 {
    if polygon.contains(point) {
        return 0.0;
    }
    let nearest = |edge: Edge| {
        let along = [edge.b[0] - edge.a[0], edge.b[1] - edge.a[1]];
        let t = dot(along, [point[0] - edge.a[0], point[1] - edge.a[1]]) / dot(along, along);
        let t = t.clamp(0.0, 1.0);
        distance(point, [edge.a[0] + along[0] * t, edge.a[1] + along[1] * t])
    };
    polygon.edges().map(nearest).fold(f64::INFINITY, f64::min)
}

#[test]
fn convex_polygons_touch_as_brute_force_says_and_part_the_shortest_way() {
    let mut numbers = Numbers(1);
    let mut seen = [0; 3];
    for case in 0..cases::count() / 4 {
        let (a, b) = (hull(&mut numbers), hull(&mut numbers));
        let pose = random_pose(&mut numbers, 4.0);
        let there = placed(&b, &pose);
        let gap = max_separation(&a, &b, &pose).distance;
        if gap.abs() > 1e-9 {
            assert_eq!(a.as_polygon().touches(&there), gap < 0.0, "case {case}");
        }
        let found = polygon_polygon(&a, &b, &pose);
        assert_eq!(found.is_some(), gap <= 0.0);
        let Some(found) = found else { continue };
        let depth = -found.separation;
        assert!((dot(found.normal, found.normal) - 1.0).abs() < 1e-12);
        assert!((overlap(a.vertices(), &there.vertices, found.normal) - depth).abs() < 1e-9, "case {case}");
        for k in 0..360 {
            let (sine, cosine) = f64::from(k).to_radians().sin_cos();
            assert!(overlap(a.vertices(), &there.vertices, [cosine, sine]) >= depth - 1e-9, "case {case}");
        }
        let away = Pose2 { translation: add(pose.translation, found.minimum_translation()), ..pose };
        assert!(max_separation(&a, &b, &away).distance.abs() < 1e-9);
        // One or two points, the deepest of them as deep as said, on the surfaces of both shapes.
        let deepest = found.points().iter().map(|p| p.separation).fold(f64::INFINITY, f64::min);
        assert!((deepest - found.separation).abs() < 1e-9, "case {case}: {found:?}");
        for p in found.points() {
            let [on_a, on_b] =
                [-0.5, 0.5].map(|share| add(p.position, found.normal.map(|c| c * share * p.separation)));
            assert!(distance_from(a.as_polygon(), on_a) < 1e-9, "case {case}: {found:?}");
            assert!(distance_from(&there, on_b) < 1e-9, "case {case}: {found:?}");
        }
        seen[found.points().len()] += 1;
        // The other way round it is the same contact.
        let back = polygon_polygon(&b, &a, &pose.inverse());
        if depth > 1e-9 {
            assert!((back.unwrap().separation - found.separation).abs() < 1e-9);
        }
    }
    assert!(seen[0] == 0 && seen[1] > 10 && seen[2] > 10, "{seen:?}");
}

/// Long runs found such places: the edges lie on one line, share a corner, and rounding has the far
/// end of the other edge deepest.
#[test]
fn corners_that_just_touch_touch_where_they_are() {
    for lift in [-4, -2, -1, 0, 1, 2, 4] {
        let lift = f64::from(lift) * f64::EPSILON;
        let a = ConvexPolygon::new(vec![[0.0, 0.0], [2.0, -1.0], [2.0, 1.0]]).unwrap();
        // Its upper edge goes on along the line of the lower edge of the other.
        let b = ConvexPolygon::new(vec![[0.0, 0.0], [-2.0, 1.0], [-4.0, 1.0 + lift], [-2.0, -1.0]]).unwrap();
        let Some(found) = polygon_polygon(&a, &b, &Pose2::at([0.0, lift])) else { continue };
        for p in found.points() {
            assert!(distance(p.position, [0.0, 0.0]) < 1e-9, "{lift:e}: {found:?}");
        }
    }
}

#[test]
fn a_box_on_a_box_has_two_points_with_names_that_stay() {
    let square = ConvexPolygon::new(vec![[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]).unwrap();
    let contact = polygon_polygon(&square, &square, &Pose2::at([0.5, 1.75])).unwrap();
    assert_eq!((contact.normal, contact.separation, contact.points().len()), ([0.0, 1.0], -0.25, 2));
    let mut places: Vec<f64> = contact.points().iter().map(|p| p.position[0]).collect();
    places.sort_by(f64::total_cmp);
    assert_eq!(places, [-0.5, 1.0]);
    let names = |x: f64, angle: f64| {
        let pose = Pose2::new([x, 1.75], angle);
        polygon_polygon(&square, &square, &pose)
            .unwrap()
            .points()
            .iter()
            .map(|p| p.feature)
            .collect::<Vec<_>>()
    };
    for step in 0..10 {
        assert_eq!(names(0.5 + 0.01 * f64::from(step), 1e-12 * f64::from(step)), names(0.5, 0.0));
    }
    assert_eq!(polygon_polygon(&square, &square, &Pose2::at([0.0, 2.0])).unwrap().separation, 0.0);
    assert_eq!(polygon_polygon(&square, &square, &Pose2::at([0.0, 2.000_001])), None);
}

#[test]
fn discs_and_polygons() {
    let mut numbers = Numbers(2);
    let mut corners = 0;
    for case in 0..cases::count() {
        let polygon = hull(&mut numbers);
        let disc = Circle { centre: point(&mut numbers, 0.5), radius: numbers.between(0.0, 1.0) };
        let pose = random_pose(&mut numbers, 3.0);
        let centre = pose.apply(disc.centre);
        let gap = distance_from(polygon.as_polygon(), centre);
        let found = polygon_circle(&polygon, &disc, &pose);
        if (gap - disc.radius).abs() > 1e-9 {
            assert_eq!(found.is_some(), gap < disc.radius, "case {case}");
        }
        let Some(found) = found else { continue };
        if gap > 1e-9 {
            assert!((found.separation - (gap - disc.radius)).abs() < 1e-9, "case {case}");
            corners += found.points()[0].feature >> 16;
        }
        // Moved apart, the disc just touches.
        let centre = add(centre, found.minimum_translation());
        assert!((distance_from(polygon.as_polygon(), centre) - disc.radius).abs() < 1e-9, "case {case}");
        let p = found.points()[0];
        let half = -found.separation / 2.0;
        assert!((distance(p.position, pose.apply(disc.centre)) - (disc.radius - half).abs()).abs() < 1e-9);
    }
    assert!(corners > 100);
}

#[test]
fn discs_and_discs() {
    let a = Circle { centre: [1.0, 0.0], radius: 2.0 };
    let b = Circle { centre: [0.0, 0.0], radius: 1.0 };
    let contact = circle_circle(&a, &b, &Pose2::at([1.0, 2.5])).unwrap();
    assert_eq!((contact.normal, contact.separation), ([0.0, 1.0], -0.5));
    assert_eq!(contact.points()[0].position, [1.0, 1.75]);
    assert_eq!(circle_circle(&a, &b, &Pose2::at([1.0, 3.0])).unwrap().separation, 0.0, "touching counts");
    assert_eq!(circle_circle(&a, &b, &Pose2::at([1.0, 3.001])), None);
    let same = circle_circle(&a, &b, &Pose2::at([1.0, 0.0])).unwrap();
    assert_eq!((same.normal, same.separation), ([0.0, 1.0], -3.0));
}

#[test]
fn rectangles_part_along_the_axis_of_the_least_overlap() {
    let a = Rectangle { min: [0.0, 0.0], max: [4.0, 2.0] };
    let contact = rectangle_rectangle(&a, &a.translated([3.0, 0.5])).unwrap();
    assert_eq!((contact.normal, contact.separation, contact.points().len()), ([1.0, 0.0], -1.0, 2));
    assert_eq!(contact.points()[0].position, [3.5, 0.5]);
    let left = rectangle_rectangle(&a, &a.translated([-4.0, 0.0])).unwrap();
    assert_eq!((left.normal, left.separation, left.points()[0].position[0]), ([-1.0, 0.0], 0.0, 0.0));
    assert_eq!(rectangle_rectangle(&a, &a.translated([4.0, 2.0])).unwrap().points().len(), 1);
    assert_eq!(rectangle_rectangle(&a, &a.translated([4.1, 0.0])), None);
}

/// Any outline: crossing itself, with repeated corners and edges on one line, on a grid.
fn outline(numbers: &mut Numbers, grid: bool) -> Polygon {
    let count = 1 + numbers.below(24);
    let corner = |_| point(numbers, 3.0).map(|c| if grid { c.round() } else { c });
    Polygon::new((0..count).map(corner).collect())
}

#[test]
fn the_tree_finds_the_edges_that_brute_force_finds() {
    let mut numbers = Numbers(5);
    let (mut all, mut found) = (0, vec![]);
    for case in 0..cases::count() / 4 {
        let grid = case % 2 == 0;
        let (a, b) = (outline(&mut numbers, grid), outline(&mut numbers, grid));
        let pose = if grid {
            // Quarter turns and whole steps: corners meet corners, edges lie on edges.
            let (sine, cosine) =
                [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][numbers.below(4) as usize];
            Pose2 { translation: point(&mut numbers, 4.0).map(f64::round), sine, cosine }
        } else {
            random_pose(&mut numbers, 4.0)
        };
        let (first, second) = (EdgeTree::new(&a), EdgeTree::new(&b));
        found.clear();
        let counts = touching_edges(&first, &second, &pose, &mut found);
        let mut expected = vec![];
        for (i, e) in (0u32..).zip(a.edges()) {
            for (j, f) in (0u32..).zip(b.edges()) {
                let f = Edge { a: pose.apply(f.a), b: pose.apply(f.b) };
                // On the grid the areas of the plain test are exact too; elsewhere it is right but
                // for grazing.
                let touch = if grid { e.intersects(&f) } else { edges_touch(&e, &f) };
                if touch {
                    expected.push((i, j));
                }
            }
        }
        assert!(counts.edges >= found.len() as u64);
        found.sort_unstable();
        assert_eq!(found, expected, "case {case}");
        all += found.len();
    }
    assert!(all > 1000);
}

#[test]
fn a_large_outline_is_not_compared_edge_by_edge() {
    let circle = |count: u32| {
        let corner = |k: u32| {
            let (sine, cosine) = (std::f64::consts::TAU * f64::from(k) / f64::from(count)).sin_cos();
            [cosine, sine]
        };
        EdgeTree::new(&Polygon::new((0..count).map(corner).collect()))
    };
    let tree = circle(1000);
    let mut found = Vec::with_capacity(64);
    let start = found.as_ptr();
    let counts = touching_edges(&tree, &tree, &Pose2::new([1.0, 0.0], 0.3), &mut found);
    assert_eq!(found.len(), 2, "two circles cross twice: {found:?}");
    assert!(counts.edges < 200 && counts.boxes < 2000, "{counts:?}");
    assert!(found.as_ptr() == start);
    assert_eq!(touching_edges(&tree, &EdgeTree::default(), &Pose2::at([0.0; 2]), &mut found).boxes, 0);
    assert_eq!(tree.edges().len(), 1000);
    // One inside the other: no edge touches.
    let small = EdgeTree::new(&Polygon::new(vec![[0.1, 0.0], [0.0, 0.1], [-0.1, 0.0]]));
    found.clear();
    touching_edges(&tree, &small, &Pose2::at([0.0; 2]), &mut found);
    assert!(found.is_empty());
}
