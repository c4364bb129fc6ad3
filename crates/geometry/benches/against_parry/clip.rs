//! Clipping.

use carom_geometry::Aabb;
use carom_geometry::clip::{ClipPolygon, segment_in_aabb};
use carom_geometry::primitive::{Plane, Rectangle};

use crate::closest::segment;
use crate::table::{Random, Table, pose, theirs};

const N: usize = 1024;

pub(crate) fn rows(table: &mut Table) {
    table.heading("clipping");
    let mut random = Random::new(23);
    let (segments, their_segments): (Vec<_>, Vec<_>) = (0..N).map(|_| segment(&mut random, 1.0)).unzip();
    let (boxes, their_boxes): (Vec<_>, Vec<_>) = (0..N)
        .map(|_| {
            let aabb = Aabb::around(random.vector(1.0), random.vector(1.0).abs());
            (aabb, parry3d::bounding_volume::Aabb::new(theirs(aabb.low()), theirs(aabb.high())))
        })
        .unzip();
    let polygons: Vec<[glam::Vec3; 4]> = (0..N)
        .map(|_| {
            let at = pose(&mut random, 0.5).0;
            let m = at.rotation.to_matrix().columns;
            Rectangle::<f32> { centre: at.translation, axes: [m[0], m[1]], half: [0.8, 0.6] }.corners()
        })
        .collect();
    let their_polygons: Vec<_> = polygons.iter().map(|p| p.map(theirs)).collect();
    table.row(
        "clip: segment by axis-aligned box",
        N,
        || {
            let all = segments.iter().zip(&boxes);
            let parts =
                all.filter_map(|(s, b)| segment_in_aabb(s, b).map(|[low, high]| s.at(low) + s.at(high)));
            parts.sum::<glam::Vec3>()
        },
        || {
            let all = their_segments.iter().zip(&their_boxes);
            all.filter_map(|(s, b)| b.clip_segment(s.a, s.b))
                .map(|s| s.a + s.b)
                .sum::<parry3d::math::Vector>()
        },
    );
    let mut buffer = ClipPolygon::<f32, 16>::default();
    let (mut points, mut workspace) = (Vec::with_capacity(16), Vec::with_capacity(16));
    table.row(
        "clip: quadrilateral by axis-aligned box",
        N,
        || {
            let mut corners = 0;
            for (polygon, aabb) in polygons.iter().zip(&boxes) {
                buffer.set(*polygon).unwrap();
                buffer.clip_to_aabb(aabb).unwrap();
                corners += buffer.len();
            }
            corners
        },
        || {
            let mut corners = 0;
            for (polygon, aabb) in their_polygons.iter().zip(&their_boxes) {
                points.clear();
                points.extend_from_slice(polygon);
                aabb.clip_polygon_with_workspace(&mut points, &mut workspace);
                corners += points.len();
            }
            corners
        },
    );
    let planes: Vec<_> = (0..N)
        .map(|_| {
            let at = pose(&mut random, 0.5).0;
            Plane::through(at.translation, at.rotation.to_matrix().columns[0])
        })
        .collect();
    let mut buffer = ClipPolygon::<f32, 16>::default();
    let mut result = Vec::with_capacity(16);
    table.row(
        "clip: quadrilateral by plane",
        N,
        || {
            let mut corners = 0;
            for (polygon, plane) in polygons.iter().zip(&planes) {
                buffer.set(*polygon).unwrap();
                buffer.clip(plane, 0).unwrap();
                corners += buffer.len();
            }
            corners
        },
        || {
            let mut corners = 0;
            for (polygon, plane) in their_polygons.iter().zip(&planes) {
                let (normal, centre) = (theirs(plane.normal), theirs(plane.normal * plane.offset));
                parry3d::query::details::clip_halfspace_polygon(centre, normal, polygon, &mut result);
                corners += result.len();
            }
            corners
        },
    );
    table.row(
        "clip: quadrilateral by plane, new buffer",
        N,
        || {
            let clip = |(polygon, plane): (&[glam::Vec3; 4], &Plane)| {
                let mut buffer = ClipPolygon::<f32>::new(*polygon).unwrap();
                buffer.clip(plane, 0).unwrap();
                buffer.len()
            };
            polygons.iter().zip(&planes).map(clip).sum::<usize>()
        },
        || {
            let mut corners = 0;
            for (polygon, plane) in their_polygons.iter().zip(&planes) {
                let (normal, centre) = (theirs(plane.normal), theirs(plane.normal * plane.offset));
                let mut result = Vec::new();
                parry3d::query::details::clip_halfspace_polygon(centre, normal, polygon, &mut result);
                corners += result.len();
            }
            corners
        },
    );
}
