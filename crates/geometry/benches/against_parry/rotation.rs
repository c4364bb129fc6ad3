//! Poses: a point through a pose, two poses chained.

use crate::table::{Random, Table, pose, theirs};

pub(crate) fn rows(table: &mut Table) {
    table.heading("poses");
    let mut random = Random::new(1);
    let poses: Vec<_> = (0..1024).map(|_| pose(&mut random, 10.0)).collect();
    let points: Vec<_> = (0..1024).map(|_| random.vector(5.0)).collect();
    let (ours, parrys): (Vec<_>, Vec<_>) = poses.into_iter().unzip();
    let their_points: Vec<_> = points.iter().map(|p| theirs(*p)).collect();
    table.row(
        "pose: point to world",
        1024,
        || ours.iter().zip(&points).map(|(m, p)| m.apply(*p)).sum::<glam::Vec3>(),
        || parrys.iter().zip(&their_points).map(|(m, p)| m * *p).sum::<parry3d::math::Vector>(),
    );
    table.row(
        "pose: two chained",
        1024,
        || ours.windows(2).map(|m| (m[0] * m[1]).translation).sum::<glam::Vec3>(),
        || parrys.windows(2).map(|m| (m[0] * m[1]).translation).sum::<parry3d::math::Vector>(),
    );
}
