//! Clipping: areas add up, what is left is inside, corners keep their names.

use carom_geometry::Obb;
use carom_geometry::clip::{ClipPolygon, ClipSide, segment_behind_planes, segment_in_aabb, segment_in_box};
use carom_geometry::primitive::{Plane, Rectangle, Segment, Triangle};
use carom_geometry::real::Vector;
use carom_geometry::{Aabb, Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

use crate::closest_oracle::{points, turn};

type Polygon = ClipPolygon<f64, 64>;

/// A convex polygon: points of a circle at growing angles, stretched and placed by a pose.
fn convex() -> impl Strategy<Value = (Vec<DVec3>, Pose<f64>)> {
    // From triangles to more corners than the fast way takes.
    let angles = prop::collection::vec(0.0f64..std::f64::consts::TAU, 3..12);
    (angles, turn(), prop::array::uniform3(-1.0f64..1.0), 0.1f64..2.0).prop_map(
        |(mut angles, turn, at, stretch)| {
            angles.sort_by(f64::total_cmp);
            let pose = Pose::new(DVec3::from(at), turn.to());
            (angles.iter().map(|a| pose.apply(DVec3::new(a.cos() * stretch, a.sin(), 0.0))).collect(), pose)
        },
    )
}

fn plane() -> impl Strategy<Value = Plane<f64>> {
    (prop::array::uniform3(-1.0f64..1.0), -1.5f64..1.5)
        .prop_filter_map("no direction", |(n, o)| Some(Plane::new(Vector::unit(DVec3::from(n))?, o)))
}

fn vec64(v: Vec3) -> DVec3 {
    Vector::to::<f64>(v)
}

/// Area of the part of a polygon that a test accepts, by a fine grid of points in its plane.
fn area_by_grid(corners: &[DVec3], pose: &Pose<f64>, inside: impl Fn(DVec3) -> bool) -> f64 {
    let local: Vec<DVec3> = corners.iter().map(|c| pose.undo(*c)).collect();
    let steps = 150;
    let cell = 4.0 / f64::from(steps);
    let mut count = 0;
    for i in 0..steps {
        for j in 0..steps {
            let p = DVec3::new(-2.0 + (f64::from(i) + 0.5) * cell, -2.0 + (f64::from(j) + 0.5) * cell, 0.0);
            let next = local.iter().cycle().skip(1);
            let in_polygon = local.iter().zip(next).all(|(a, b)| (*b - *a).cross(p - *a).z >= 0.0);
            count += i32::from(in_polygon && inside(pose.apply(p)));
        }
    }
    f64::from(count) * cell * cell
}

fn no_two_neighbours_are_equal(polygon: &Polygon) -> bool {
    let v = polygon.points();
    v.len() < 2 || (0..v.len()).all(|i| v[i] != v[(i + 1) % v.len()])
}

/// The side that leaves a corner is the one that arrives at the next.
fn sides_join(polygon: &Polygon) -> bool {
    let v = polygon.ids();
    v.len() < 3 || (0..v.len()).all(|i| v[i].leaving() == v[(i + 1) % v.len()].arriving())
}

proptest! {
    #[test]
    fn the_two_parts_of_a_cut_make_up_the_whole((corners, _) in convex(), plane in plane()) {
        let whole = Polygon::new(corners.iter().copied()).unwrap();
        let (mut behind, mut before) = (whole.clone(), whole.clone());
        behind.clip(&plane, 3).unwrap();
        before.clip(&plane.flipped(), 3).unwrap();
        prop_assert!((behind.area() + before.area() - whole.area()).abs() < 1e-12);
        prop_assert!(behind.points().iter().all(|p| plane.signed_distance(*p) < 1e-14));
        prop_assert!(before.points().iter().all(|p| plane.signed_distance(*p) > -1e-14));
        for part in [&behind, &before] {
            prop_assert!(sides_join(part) && no_two_neighbours_are_equal(part));
            let turned = part.area_vector().dot(whole.area_vector());
            prop_assert!(turned >= 0.0, "the direction of travel is kept");
            for (point, id) in part.points().iter().zip(part.ids()) {
                // A corner between two original sides is the original corner; a new one is on the
                // plane.
                match (id.arriving(), id.leaving()) {
                    (ClipSide::Input(_), ClipSide::Input(k)) => {
                        prop_assert_eq!(*point, corners[usize::from(k)]);
                    }
                    _ => prop_assert!(plane.signed_distance(*point).abs() < 1e-14),
                }
            }
        }
    }

    #[test]
    fn the_part_in_a_box_has_the_area_counted_point_by_point(
        (corners, pose) in convex(),
        low in prop::array::uniform3(-1.5f64..0.5),
        size in prop::array::uniform3(0.2f64..2.0),
    ) {
        let aabb = Aabb::new(low, [low[0] + size[0], low[1] + size[1], low[2] + size[2]]);
        let mut polygon = Polygon::new(corners.iter().copied()).unwrap();
        let area = polygon.area();
        polygon.clip_to_aabb(&aabb).unwrap();
        prop_assert!(polygon.points().iter().all(|p| aabb.contains_point(*p)), "exactly inside");
        prop_assert!(polygon.area() <= area * (1.0 + 1e-12) && sides_join(&polygon));
        let expected = area_by_grid(&corners, &pose, |p| aabb.contains_point(p));
        // A border of length ℓ passes through about ℓ/cell cells, each wrong by half at most.
        prop_assert!((polygon.area() - expected).abs() < 0.15, "{} {}", polygon.area(), expected);
    }

    #[test]
    fn boxes_in_a_pose_clip_like_axis_aligned_ones(
        (corners, _) in convex(), r in turn(), at in prop::array::uniform3(-1.0f64..1.0),
        half in prop::array::uniform3(0.1f64..1.5),
    ) {
        let (pose, half) = (Pose::<f64>::new(DVec3::from(at), r.to()), DVec3::from(half));
        let mut posed = Polygon::new(corners.iter().copied()).unwrap();
        posed.clip_to_box(&Obb::of_pose(&pose, half)).unwrap();
        let mut local = Polygon::new(corners.iter().map(|c| pose.undo(*c))).unwrap();
        local.clip_to_aabb(&Aabb::around(DVec3::ZERO, half)).unwrap();
        prop_assert!((posed.area() - local.area()).abs() < 1e-12);
        if posed.len() == local.len() && posed.area() > 1e-6 {
            for (point, id) in posed.points().iter().zip(posed.ids()) {
                let other = local.ids().iter().position(|other| other.code() == id.code());
                prop_assert!(other.is_some_and(|k| (pose.apply(local.points()[k]) - *point).length() < 1e-12));
            }
        }
        let solid = Obb::of_pose(&pose, half);
        let planes: Vec<Plane<f64>> = (0..6)
            .map(|k| {
                let normal = solid.axes.columns[k / 2] * if k % 2 == 0 { -1.0 } else { 1.0 };
                Plane::through(solid.centre + normal * half[k / 2], normal)
            })
            .collect();
        let mut by_planes = Polygon::new(corners.iter().copied()).unwrap();
        by_planes.clip_by_planes(&planes).unwrap();
        prop_assert!((posed.area() - by_planes.area()).abs() < 1e-12);
    }

    #[test]
    fn integer_polygons_leave_no_duplicates(v in points(), axis in 0..3usize, offset in -2i8..=2) {
        // Many corners on the plane: grid coordinates.
        let corners = [v[0], v[1], v[2]].map(|p| vec64(p.round()));
        let mut polygon = Polygon::from_triangle(&Triangle::new(corners[0], corners[1], corners[2])).unwrap();
        let plane = Plane::new(DVec3::AXES[axis], f64::from(offset));
        let inside = corners.iter().filter(|c| c[axis] <= plane.offset).count();
        polygon.clip(&plane, 0).unwrap();
        prop_assert_eq!(polygon.is_empty(), inside == 0, "on the plane is inside");
        let distinct = corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
        if distinct && inside < 3 {
            prop_assert!(no_two_neighbours_are_equal(&polygon));
        }
        let around = Aabb::of_points(polygon.points().iter().copied());
        polygon.clip_to_aabb(&around).unwrap();
        prop_assert!(polygon.is_empty() == (inside == 0));
    }

    #[test]
    fn segments_are_cut_where_they_leave(v in points(), r in turn()) {
        let v = v.map(vec64);
        let segment = Segment::<f64>::new(v[0], v[1]);
        let aabb = Aabb::<3, f64>::of_points([v[4], v[5]]);
        let solid = Obb::<f64>::of_pose(&Pose::new(v[6], r.to()), Vector::abs(v[5] - v[4]));
        let local = |p: DVec3| solid.local(p);
        let in_aabb = |p: DVec3, slack: f64| aabb.grown(slack).contains_point(p);
        let in_box = |p: DVec3, slack: f64| Aabb::around(DVec3::ZERO, solid.half).grown(slack).contains_point(local(p));
        let planes = [Plane::new(DVec3::X, 0.5), Plane::new(DVec3::new(0.6, 0.0, 0.8), 0.3)];
        let behind = |p: DVec3, slack: f64| planes.iter().all(|plane| plane.signed_distance(p) <= slack);
        let cuts = [segment_in_aabb(&segment, &aabb), segment_in_box(&segment, &solid), segment_behind_planes(&segment, &planes)];
        for k in 0..=32 {
            let t = f64::from(k) / 32.0;
            let p = segment.at(t);
            for (which, cut) in cuts.iter().enumerate() {
                let inside = |slack: f64| match which {
                    0 => in_aabb(p, slack),
                    1 => in_box(p, slack),
                    _ => behind(p, slack),
                };
                let kept = cut.is_some_and(|[low, high]| low <= t && t <= high);
                prop_assert!(!kept || inside(1e-9), "{which}: {t} is kept outside");
                prop_assert!(kept || !inside(-1e-9), "{which}: {t} is lost inside");
            }
        }
    }
}

#[test]
fn a_full_buffer_is_reported() {
    let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    assert!(ClipPolygon::<f32, 3>::new(square).is_err());
    let mut tight = ClipPolygon::<f32, 4>::new(square).unwrap();
    let corner = Plane::<f32>::new(Vec3::new(0.6, 0.8, 0.0), 1.3);
    let error = tight.clip(&corner, 0).unwrap_err();
    assert_eq!(error.to_string(), "a clipped polygon needs more than the 4 corners of its buffer");
    assert!(tight.is_empty());
    let mut enough = ClipPolygon::<f32, 5>::new(square).unwrap();
    enough.clip(&corner, 0).unwrap();
    assert_eq!(enough.len(), 5);
    let mut exact = ClipPolygon::<f32, 4>::new(square).unwrap();
    exact.clip(&Plane::<f32>::new(Vec3::X, 0.5), 0).unwrap();
    assert_eq!(exact.len(), 4, "two corners go, two come");
}

#[test]
fn touching_polygons_keep_the_corners_that_touch() {
    let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    let clip = |normal: Vec3, offset: f32| {
        let mut polygon = ClipPolygon::<f32>::new(square).unwrap();
        polygon.clip(&Plane::<f32>::new(normal, offset), 0).unwrap();
        polygon
    };
    assert_eq!(clip(Vec3::X, 0.0).len(), 2);
    assert_eq!(clip(Vec3::new(0.6, 0.8, 0.0), 0.0).len(), 1);
    assert_eq!(clip(Vec3::Z, 0.0).len(), 4, "in the plane");
    assert_eq!(clip(Vec3::Z, -0.1).len(), 0);
    assert_eq!(clip(Vec3::X, 1.0).len(), 4);
    let corner = clip(Vec3::new(0.6, 0.8, 0.0), 0.0).ids()[0];
    assert_eq!((corner.arriving(), corner.leaving()), (ClipSide::Plane(0), ClipSide::Plane(0)));
}

#[test]
fn area_and_normal_of_a_rectangle() {
    let axes = Rotation::<f32>::about_axis(Vec3::X, 0.5).to_matrix().columns;
    let rectangle = Rectangle::<f32> { centre: Vec3::ONE, axes: [axes[0], axes[1]], half: [1.0, 2.0] };
    let polygon = ClipPolygon::<f32>::from_rectangle(&rectangle).unwrap();
    assert!((polygon.area() - 8.0).abs() < 1e-5);
    assert!((polygon.normal().unwrap() - axes[2]).length() < 1e-6);
    assert_eq!(ClipPolygon::<f32>::new([Vec3::X, Vec3::Y]).unwrap().normal(), None);
    assert_eq!(ClipPolygon::<f32>::default().area(), 0.0);
}

#[test]
fn a_line_of_two_corners_is_clipped_like_a_segment() {
    let mut polygon = ClipPolygon::<f32>::new([Vec3::ZERO, Vec3::X]).unwrap();
    polygon.clip(&Plane::<f32>::new(Vec3::X, 0.25), 0).unwrap();
    assert_eq!(polygon.points(), [Vec3::X * 0.25, Vec3::ZERO]);
}
