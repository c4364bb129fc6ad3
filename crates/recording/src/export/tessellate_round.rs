//! Surfaces of revolution as triangles: a profile turned about the axis.

use carom_core::trig;
use carom_scene::model::Axis;

use super::tessellate::Surface;

/// Corners around the axis.
const AROUND: u32 = 16;
/// Steps from pole to pole.
const STEPS: u32 = 12;

/// An ellipsoid by its half-axes.
pub(super) fn ellipsoid(radii: [f32; 3]) -> Surface {
    let mut surface = revolve(&arc(0, STEPS), Axis::Z);
    for corner in &mut surface.corners {
        corner.iter_mut().zip(radii).for_each(|(x, radius)| *x *= radius);
    }
    surface
}

/// A cylinder with half-spheres at both ends.
pub(super) fn capsule(radius: f32, length: f32, axis: Axis) -> Surface {
    let shift =
        |points: Vec<[f32; 2]>, by: f32| points.into_iter().map(move |[r, z]| [radius * r, radius * z + by]);
    let lower = shift(arc(0, STEPS / 2), -0.5 * length);
    let upper = shift(arc(STEPS / 2, STEPS), 0.5 * length);
    revolve(&lower.chain(upper).collect::<Vec<_>>(), axis)
}

/// A cylinder with flat ends.
pub(super) fn cylinder(radius: f32, length: f32, axis: Axis) -> Surface {
    let half = 0.5 * length;
    revolve(&[[0.0, -half], [radius, -half], [radius, half], [0.0, half]], axis)
}

/// A cone with its tip up the axis.
pub(super) fn cone(radius: f32, length: f32, axis: Axis) -> Surface {
    let half = 0.5 * length;
    revolve(&[[0.0, -half], [radius, -half], [0.0, half]], axis)
}

/// Part of a half-circle of radius 1 from the lower pole (step 0) to the upper: distance from the
/// axis, height.
fn arc(from: u32, to: u32) -> Vec<[f32; 2]> {
    (from..=to)
        .map(|step| {
            let (sine, cosine) = trig::sin_cos(std::f32::consts::PI * step as f32 / STEPS as f32);
            // The poles lie on the axis, which the sine of a rounded π does not know.
            let is_pole = step == 0 || step == STEPS;
            [if is_pole { 0.0 } else { sine }, -cosine]
        })
        .collect()
}

/// Turns a profile, which goes up the axis from it and back to it, about the axis. A point on the
/// axis is one corner.
fn revolve(profile: &[[f32; 2]], axis: Axis) -> Surface {
    let mut surface = Surface::default();
    let mut below: Option<(u32, bool)> = None;
    for [radius, height] in profile {
        let is_point = *radius == 0.0;
        let first = surface.corners.len() as u32;
        for k in 0..if is_point { 1 } else { AROUND } {
            let (sine, cosine) = trig::sin_cos(std::f32::consts::TAU * k as f32 / AROUND as f32);
            surface.corners.push(along(axis, [radius * cosine, radius * sine, *height]));
        }
        if let Some((under, is_under_point)) = below {
            for k in 0..AROUND {
                let next = (k + 1) % AROUND;
                if !is_under_point {
                    let above = if is_point { first } else { first + next };
                    surface.triangles.push([under + k, under + next, above]);
                }
                if !is_point {
                    let base = if is_under_point { under } else { under + k };
                    surface.triangles.push([base, first + next, first + k]);
                }
            }
        }
        below = Some((first, is_point));
    }
    surface
}

/// A point of a shape along z, for a shape along another axis: the axes change places in a circle,
/// which turns nothing inside out.
fn along(axis: Axis, [x, y, z]: [f32; 3]) -> [f32; 3] {
    match axis {
        Axis::X => [z, x, y],
        Axis::Y => [y, z, x],
        Axis::Z => [x, y, z],
    }
}
