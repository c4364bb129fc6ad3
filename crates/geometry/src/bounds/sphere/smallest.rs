//! Centre of the smallest sphere around points.
//!
//! The smallest sphere is given by at most four of its points, the *basis*. As in Welzl's
//! algorithm, a point outside the sphere of a basis must lie on the surface of the sphere of the
//! next one; as in Gärtner's variant, the next point is always the farthest one, so the basis is
//! changed some ten times, not once per point, and there is neither recursion nor a random order.
//! The basis of five points is found by trying all subsets that contain the new one: 15 small
//! systems.
//!
//! The radius grows with every change, so the search ends; where rounding stops the growth it ends
//! too. Points that are doubled, on a line, in a plane or on a common sphere make some of the
//! systems singular; these are skipped, since a smaller subset gives the same sphere. All
//! arithmetic is in `f64`, relative to one of the points.

use glam::DVec3;

use crate::real::{Real, Vector};

/// Changes of the basis after which the search gives up with a sphere that is slightly too large;
/// twenty is a lot.
const MAX_CHANGES: usize = 1000;
/// A point counts as inside if it is farther than the radius by no more than this share.
const TOLERANCE: f64 = 1e-13;
/// Determinants smaller than this share of the product of the diagonal are singular systems.
const SINGULAR: f64 = 1e-14;

/// The centre; `None` without points.
pub(super) fn centre<S: Real>(points: &[S::Vec3]) -> Option<S::Vec3> {
    let origin = points.first()?.to::<f64>();
    let local = |i: usize| points[i].to::<f64>() - origin;
    let mut basis = vec![DVec3::ZERO];
    let mut ball = Ball { centre: DVec3::ZERO, square: 0.0 };
    for _ in 0..MAX_CHANGES {
        let (mut farthest, mut square) = (0, 0.0);
        for i in 0..points.len() {
            let s = (local(i) - ball.centre).length_squared();
            if s > square {
                (farthest, square) = (i, s);
            }
        }
        if square <= ball.square * (1.0 + TOLERANCE) {
            break;
        }
        let Some(next) = exchange(&basis, local(farthest)) else { break };
        if next.0.square <= ball.square {
            break;
        }
        (ball, basis) = next;
    }
    Some((ball.centre + origin).to::<S>())
}

#[derive(Clone, Copy)]
struct Ball {
    centre: DVec3,
    square: f64,
}

/// The smallest ball around a basis and a point, which is on its surface, with the new basis.
fn exchange(basis: &[DVec3], point: DVec3) -> Option<(Ball, Vec<DVec3>)> {
    let mut best: Option<(Ball, Vec<DVec3>)> = None;
    for subset in 0u32..1 << basis.len() {
        if subset.count_ones() > 3 {
            continue;
        }
        let chosen: Vec<DVec3> =
            (0..basis.len()).filter(|k| subset >> k & 1 == 1).map(|k| basis[k]).collect();
        let Some(ball) = through(point, &chosen) else { continue };
        let holds = |p: &DVec3| (*p - ball.centre).length_squared() <= ball.square * (1.0 + TOLERANCE);
        if best.as_ref().is_none_or(|b| ball.square < b.0.square) && basis.iter().all(holds) {
            let mut basis = chosen;
            basis.push(point);
            best = Some((ball, basis));
        }
    }
    best
}

/// The smallest ball with all of these points on its surface; `None` if there is none or it cannot
/// be computed.
fn through(point: DVec3, others: &[DVec3]) -> Option<Ball> {
    // Centre = point + Σ λₖ eₖ with eₖ the offsets of the others; being as far from each gives Σ
    // (eₖ·eₗ) λₗ = eₖ²/2.
    let edges: Vec<DVec3> = others.iter().map(|p| *p - point).collect();
    let offset = match edges[..] {
        [] => DVec3::ZERO,
        [e] => e * 0.5,
        [e, f] => {
            let (ee, ff, ef) = (e.dot(e), f.dot(f), e.dot(f));
            let determinant = ee * ff - ef * ef;
            if determinant <= SINGULAR * ee * ff {
                return None;
            }
            let half = 0.5 / determinant;
            e * (ff * (ee - ef) * half) + f * (ee * (ff - ef) * half)
        }
        [e, f, g] => {
            let volume = e.dot(f.cross(g));
            let (ee, ff, gg) = (e.dot(e), f.dot(f), g.dot(g));
            if volume * volume <= SINGULAR * ee * ff * gg {
                return None;
            }
            (f.cross(g) * ee + g.cross(e) * ff + e.cross(f) * gg) * (0.5 / volume)
        }
        _ => return None,
    };
    let square = offset.length_squared();
    square.is_finite().then(|| Ball { centre: point + offset, square })
}
