//! Two dimensions: contact points of convex polygons, and touching edges of any two.

use carom_geometry::Aabb;
use carom_planar::contact::{EdgeTree, max_separation, polygon_polygon, touching_edges};
use carom_planar::polygon::{ShapeName, unit_shape};
use carom_planar::{ConvexPolygon, Point, Polygon, Pose2, Rectangle};
use glam::DVec2;

use crate::canvas::{self, BOX, FOCUS, PAIR, Panel, Pen, SECOND, STRUCTURE};
use crate::scene::{OTHER, View};

fn vectors(points: &[Point], pose: &Pose2) -> Vec<DVec2> {
    points.iter().map(|p| DVec2::from_array(pose.apply(*p))).collect()
}

fn contact() -> Panel {
    let a =
        ConvexPolygon::new(vec![[-3.0, -1.6], [2.6, -1.6], [3.2, 0.6], [-0.4, 1.8], [-3.4, 0.8]]).unwrap();
    let b = ConvexPolygon::new(vec![[-1.6, -1.0], [1.6, -1.0], [1.6, 1.0], [-1.6, 1.0]]).unwrap();
    let pose = Pose2::new([2.45, 1.75], -0.27);
    let found = polygon_polygon(&a, &b, &pose).unwrap();
    let best = max_separation(&a, &b, &pose);
    assert!(best.of_first, "the reference is an edge of A");
    let (own, other) = (vectors(a.vertices(), &Pose2::at([0.0; 2])), vectors(b.vertices(), &pose));
    let view = View::of(&[&own[..], &other[..]].concat());
    let mut panel = Panel::new(format!(
        "Two convex polygons, {:.2} m deep\nThe edge of B that faces the reference is cut at its ends (dashes): {} contact points.",
        -found.separation,
        found.points().len()
    ));
    view.shape(&mut panel, &own, BOX, "A");
    view.shape(&mut panel, &other, OTHER, "B");
    let (p, q) = (own[best.edge], own[(best.edge + 1) % own.len()]);
    view.line(&mut panel, p, q, &Pen::line(STRUCTURE, 3.0));
    let normal = DVec2::from_array(found.normal);
    for end in [p, q] {
        view.line(&mut panel, end - normal * 1.3, end + normal * 1.3, &Pen::dashes(STRUCTURE, 1.2));
    }
    view.word(&mut panel, (p + q) * 0.5, [-1.2, -0.8], STRUCTURE, "reference");
    for point in found.points() {
        let at = DVec2::from_array(point.position);
        view.arrow(&mut panel, at, at + normal * 0.9, PAIR);
        view.dot(&mut panel, at, PAIR);
    }
    panel
}

/// The boxes of a tree over the edges of an outline, two halvings deep.
fn boxes(corners: &[DVec2], start: usize, end: usize, depth: usize, found: &mut Vec<Rectangle>) {
    if depth == 0 {
        let points: Vec<Point> = (start..=end).map(|k| corners[k % corners.len()].to_array()).collect();
        found.extend(Rectangle::around(&points));
        return;
    }
    let middle = start + (end - start) / 2;
    boxes(corners, start, middle, depth - 1, found);
    boxes(corners, middle, end, depth - 1, found);
}

fn edges() -> Panel {
    let (a, b) = (unit_shape(ShapeName::Star5).scaled(3.0), unit_shape(ShapeName::Star6).scaled(2.8));
    let pose = Pose2::new([4.1, 0.7], 0.5);
    let (tree_a, tree_b) = (EdgeTree::new(&a), EdgeTree::new(&b));
    let mut found = Vec::new();
    let counts = touching_edges(&tree_a, &tree_b, &pose, &mut found);
    let placed = Polygon::new(b.vertices.iter().map(|p| pose.apply(*p)).collect());
    let pairs = a.edges().flat_map(|e| placed.edges().map(move |f| (e, f)));
    assert_eq!(pairs.filter(|(e, f)| e.intersects(f)).count(), found.len());
    let (own, other) = (vectors(&a.vertices, &Pose2::at([0.0; 2])), vectors(&b.vertices, &pose));
    let view = View::of(&[&own[..], &other[..]].concat());
    let mut panel = Panel::new(format!(
        "Any two polygons: {} pairs of edges touch\nDashes: boxes after two halvings of the outlines. {} pairs of boxes and {} of {} pairs of edges were compared.",
        found.len(),
        counts.boxes,
        counts.edges,
        own.len() * other.len()
    ));
    view.shape(&mut panel, &own, BOX, "");
    view.shape(&mut panel, &other, OTHER, "");
    view.word(&mut panel, DVec2::ZERO, [-1.0, 0.0], FOCUS, "A");
    view.word(&mut panel, DVec2::from_array(pose.translation), [0.0, 0.0], FOCUS, "B");
    for (corners, colour) in [(&own, STRUCTURE), (&other, SECOND)] {
        let mut list = Vec::new();
        boxes(corners, 0, corners.len(), 2, &mut list);
        for r in list {
            let (min, max) = (view.at(DVec2::from_array(r.min)), view.at(DVec2::from_array(r.max)));
            panel.rectangle(&Aabb::new(min, max), &Pen::dashes(colour, 0.9));
        }
    }
    for (i, j) in found {
        for (corners, k) in [(&own, i as usize), (&other, j as usize)] {
            view.line(&mut panel, corners[k], corners[(k + 1) % corners.len()], &Pen::line(PAIR, 2.2));
        }
        let (e, f) = (tree_a.edges()[i as usize], tree_b.edges()[j as usize]);
        let [p, q, r, s] = [e.a, e.b, pose.apply(f.a), pose.apply(f.b)].map(DVec2::from_array);
        let share = (r - p).perp_dot(s - r) / (q - p).perp_dot(s - r);
        view.dot(&mut panel, p + (q - p) * share, FOCUS);
    }
    panel
}

pub(crate) fn sheet() -> String {
    canvas::sheet("Contacts in the plane", 2, &[contact(), edges()])
}
