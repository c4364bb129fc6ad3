//! Closest points and distances.

use carom_geometry::Aabb;
use carom_geometry::closest::{Nearest, Span, TrianglePoint, closest_points};
use carom_geometry::primitive::{Segment, Triangle};
use parry3d::query::PointQuery;
use parry3d::query::details::closest_points_segment_segment;
use parry3d::shape as parry;

use crate::table::{Random, Table, theirs};

const N: usize = 1024;

/// A triangle of size about 1 within `reach` of the origin, for both sides.
pub(crate) fn triangle(random: &mut Random, reach: f32) -> (Triangle, parry::Triangle) {
    let centre = random.vector(reach);
    let [a, b, c] = [(); 3].map(|()| centre + random.vector(1.0));
    (Triangle::new(a, b, c), parry::Triangle::new(theirs(a), theirs(b), theirs(c)))
}

/// A segment of length about 1 within `reach` of the origin, for both sides.
pub(crate) fn segment(random: &mut Random, reach: f32) -> (Segment, parry::Segment) {
    let centre = random.vector(reach);
    let [a, b] = [(); 2].map(|()| centre + random.vector(1.0));
    (Segment::new(a, b), parry::Segment::new(theirs(a), theirs(b)))
}

pub(crate) fn rows(table: &mut Table) {
    table.heading("closest points");
    let mut random = Random::new(21);
    let (points, their_points): (Vec<_>, Vec<_>) = (0..N)
        .map(|_| {
            let p = random.vector(2.0);
            (p, theirs(p))
        })
        .unzip();
    let (segments, their_segments): (Vec<_>, Vec<_>) = (0..N).map(|_| segment(&mut random, 1.0)).unzip();
    let (triangles, their_triangles): (Vec<_>, Vec<_>) = (0..N).map(|_| triangle(&mut random, 1.0)).unzip();
    let halves: Vec<_> = (0..N).map(|_| random.vector(1.0).abs()).collect();
    let boxes: Vec<_> = halves.iter().map(|h| Aabb::around(glam::Vec3::ZERO, *h)).collect();
    let their_boxes: Vec<_> = halves.iter().map(|h| parry::Cuboid::new(theirs(*h))).collect();

    table.row(
        "closest: point–segment",
        N,
        || segments.iter().zip(&points).map(|(s, p)| s.nearest(*p)).sum::<glam::Vec3>(),
        || {
            let all = their_segments.iter().zip(&their_points);
            their_sum(all.map(|(s, p)| s.project_local_point(*p, true).point))
        },
    );
    table.row(
        "closest: point–triangle",
        N,
        || triangles.iter().zip(&points).map(|(t, p)| t.nearest(*p)).sum::<glam::Vec3>(),
        || {
            let all = their_triangles.iter().zip(&their_points);
            their_sum(all.map(|(t, p)| t.project_local_point(*p, true).point))
        },
    );
    table.row(
        "closest: point–triangle with feature",
        N,
        || {
            let all = triangles.iter().zip(&points);
            all.map(|(t, p)| TrianglePoint::nearest(t, *p)).map(|f| f.weights[0] + f.point.x).sum::<f32>()
        },
        || {
            let all = their_triangles.iter().zip(&their_points);
            all.map(|(t, p)| t.project_local_point_and_get_feature(*p)).map(|(f, _)| f.point.x).sum::<f32>()
        },
    );
    table.row(
        "closest: point–box",
        N,
        || boxes.iter().zip(&points).map(|(b, p)| b.nearest(*p)).sum::<glam::Vec3>(),
        || {
            let all = their_boxes.iter().zip(&their_points);
            their_sum(all.map(|(b, p)| b.project_local_point(*p, true).point))
        },
    );
    let identity = parry3d::math::Pose::identity();
    table.row(
        "closest: segment–segment",
        N,
        || {
            let all = segments.windows(2);
            all.map(|s| closest_points(&s[0], &s[1])).map(|c| c.a + c.b).sum::<glam::Vec3>()
        },
        || {
            let all = their_segments.windows(2);
            let pairs = all.map(|s| closest_points_segment_segment(&identity, &s[0], &s[1], f32::MAX));
            their_sum(pairs.map(both))
        },
    );
    table.row(
        "closest: segment–segment parameters",
        N,
        || {
            let spans = segments.windows(2).map(|s| [Span::from_segment(&s[0]), Span::from_segment(&s[1])]);
            spans.map(|[a, b]| a.closest_parameters(&b)).map(|[s, t]| s + t).sum::<f32>()
        },
        || {
            let all = their_segments.windows(2);
            let pairs = all.map(|s| {
                parry3d::query::details::closest_points_segment_segment_with_locations(
                    &identity, &s[0], &s[1],
                )
            });
            pairs.map(|(a, b)| parameter(a) + parameter(b)).sum::<f32>()
        },
    );
    table.row(
        "closest: segment–triangle distance",
        N,
        || {
            let all = segments.iter().zip(&triangles);
            all.map(|(s, t)| closest_points(s, t).distance()).sum::<f32>()
        },
        || {
            let all = their_segments.iter().zip(&their_triangles);
            all.map(|(s, t)| parry3d::query::distance(&identity, s, &identity, t).unwrap().distance)
                .sum::<f32>()
        },
    );
    table.row(
        "closest: triangle–triangle distance",
        N,
        || triangles.windows(2).map(|t| closest_points(&t[0], &t[1]).distance()).sum::<f32>(),
        || {
            let all = their_triangles.windows(2);
            all.map(|t| parry3d::query::distance(&identity, &t[0], &identity, &t[1]).unwrap().distance)
                .sum::<f32>()
        },
    );
    table.row(
        "closest: triangle–box distance",
        N,
        || {
            let all = triangles.iter().zip(&boxes);
            all.map(|(t, b)| closest_points(t, b).distance()).sum::<f32>()
        },
        || {
            let all = their_triangles.iter().zip(&their_boxes);
            all.map(|(t, b)| parry3d::query::distance(&identity, t, &identity, b).unwrap().distance)
                .sum::<f32>()
        },
    );
    table.row(
        "closest: segment–box distance",
        N,
        || {
            let all = segments.iter().zip(&boxes);
            all.map(|(s, b)| closest_points(s, b).distance()).sum::<f32>()
        },
        || {
            let all = their_segments.iter().zip(&their_boxes);
            all.map(|(s, b)| parry3d::query::distance(&identity, s, &identity, b).unwrap().distance)
                .sum::<f32>()
        },
    );
    let (poses, their_poses): (Vec<_>, Vec<_>) = (0..N).map(|_| crate::table::pose(&mut random, 2.0)).unzip();
    table.row(
        "closest: box–box distance",
        N,
        || {
            let placed = |i: usize| carom_geometry::Obb::of_pose(&poses[i], halves[i]);
            (1..N).map(|i| closest_points(&placed(i - 1), &placed(i)).distance()).sum::<f32>()
        },
        || {
            let distance = |i: usize, j: usize| {
                parry3d::query::distance(&their_poses[i], &their_boxes[i], &their_poses[j], &their_boxes[j])
            };
            (1..N).map(|i| distance(i - 1, i).unwrap().distance).sum::<f32>()
        },
    );
}

fn both(found: parry3d::query::ClosestPoints) -> parry3d::math::Vector {
    match found {
        parry3d::query::ClosestPoints::WithinMargin(a, b) => a + b,
        _ => parry3d::math::Vector::ZERO,
    }
}

fn parameter(location: parry::SegmentPointLocation) -> f32 {
    location.barycentric_coordinates()[1]
}

fn their_sum(all: impl Iterator<Item = parry3d::math::Vector>) -> parry3d::math::Vector {
    all.sum()
}
