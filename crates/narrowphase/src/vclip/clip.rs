//! Clipping an edge to a Voronoi region, and which way the distance along it falls (Mirtich 1998,
//! §3.2).
//!
//! An edge is `tail + λ (head − tail)`. Every plane of the region keeps the side where its number
//! is not negative and remembers which neighbour lies behind it.

use carom_geometry::{Real, Vector};

/// What is left of an edge, and which neighbours cut it off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clip<S: Real, N> {
    from: S,
    to: S,
    /// Lower end of what is left.
    pub(super) low: S,
    /// Upper end.
    pub(super) high: S,
    /// The neighbour below the lower end, if the edge was cut there.
    pub(super) low_by: Option<N>,
    /// The neighbour above the upper end.
    pub(super) high_by: Option<N>,
}

/// What a plane did to an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Something is left.
    Left,
    /// The plane alone removes everything (simple exclusion).
    Alone,
    /// Nothing is left, together with an earlier plane (compound exclusion).
    Together,
}

impl<S: Real, N: Copy> Clip<S, N> {
    /// A whole edge.
    #[inline]
    pub(super) fn new() -> Self {
        Self::within(S::ZERO, S::ONE)
    }

    /// A part of an edge.
    #[inline]
    pub(super) fn within(from: S, to: S) -> Self {
        Self { from, to, low: from, high: to, low_by: None, high_by: None }
    }

    /// Cuts by a plane from which the tail and the head of the whole edge have these signed
    /// distances; `by` is behind it.
    #[inline]
    pub(super) fn cut(&mut self, tail: S, head: S, by: N) -> Cut {
        let slope = head - tail;
        let (first, last) = (tail + slope * self.from, tail + slope * self.to);
        if first < S::ZERO && last < S::ZERO {
            (self.low_by, self.high_by) = (Some(by), Some(by));
            return Cut::Alone;
        }
        if first < S::ZERO {
            let at = -tail / slope;
            if at > self.low {
                (self.low, self.low_by) = (at, Some(by));
            }
        } else if last < S::ZERO {
            let at = -tail / slope;
            if at < self.high {
                (self.high, self.high_by) = (at, Some(by));
            }
        }
        if self.low > self.high { Cut::Together } else { Cut::Left }
    }

    /// The neighbour that the nearest point of the edge lies beyond, if it lies beyond an end:
    /// there the distance still falls outwards. `slope` gives the sign of its derivative beside a
    /// neighbour; `None` where the edge touches it.
    #[inline]
    pub(super) fn beyond(&self, slope: impl Fn(N, S) -> Option<S>) -> Beyond<N> {
        for (by, at, outwards) in [(self.low_by, self.low, S::ONE), (self.high_by, self.high, -S::ONE)] {
            let Some(by) = by else { continue };
            match slope(by, at) {
                None => return Beyond::Touching,
                Some(sign) if sign * outwards > S::ZERO => return Beyond::Neighbour(by),
                Some(_) => {}
            }
        }
        Beyond::Nothing
    }
}

/// Where the nearest point of a clipped edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond<N> {
    /// In what is left, as far as the ends can tell.
    Nothing,
    /// Past the plane of this neighbour.
    Neighbour(N),
    /// The edge touches a neighbour where it is cut.
    Touching,
}

/// Derivative of the distance from a point that runs with this direction and is at `offset` from a
/// fixed point; `None` if it is there.
#[inline]
pub(super) fn slope_to_point<S: Real>(direction: S::Vec3, offset: S::Vec3, tolerance: S) -> Option<S> {
    (offset.length_squared() > tolerance * tolerance).then(|| direction.dot(offset))
}

/// The sign of the derivative of the distance from a plane of a point that is at `height` and rises
/// by `rise`; `None` if it is in the plane.
#[inline]
pub(super) fn slope_to_plane<S: Real>(rise: S, height: S, tolerance: S) -> Option<S> {
    if height.abs() <= tolerance {
        None
    } else if height > S::ZERO {
        Some(rise)
    } else {
        Some(-rise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_cut_from_both_ends() {
        let mut clip = Clip::<f64, u8>::new();
        assert_eq!(clip.cut(-1.0, 3.0, 1), Cut::Left);
        assert_eq!(clip.cut(3.0, -1.0, 2), Cut::Left);
        assert_eq!((clip.low, clip.high, clip.low_by, clip.high_by), (0.25, 0.75, Some(1), Some(2)));
        // Weaker planes change nothing.
        assert_eq!(clip.cut(-1.0, 9.0, 3), Cut::Left);
        assert_eq!((clip.low, clip.low_by), (0.25, Some(1)));
        assert_eq!(clip.beyond(|_, at| Some(at - 0.5)), Beyond::Nothing);
        assert_eq!(clip.beyond(|_, at| Some(at)), Beyond::Neighbour(1));
        assert_eq!(clip.beyond(|_, at| Some(at - 1.0)), Beyond::Neighbour(2));
        assert_eq!(clip.beyond(|_, _| None), Beyond::Touching);
    }

    #[test]
    fn exclusions_are_simple_or_compound() {
        let mut clip = Clip::<f64, u8>::new();
        assert_eq!(clip.cut(-1.0, -3.0, 1), Cut::Alone);
        assert_eq!((clip.low_by, clip.high_by), (Some(1), Some(1)));
        let mut clip = Clip::<f64, u8>::new();
        assert_eq!(clip.cut(-3.0, 1.0, 1), Cut::Left);
        assert_eq!(clip.cut(1.0, -3.0, 2), Cut::Together);
        assert_eq!((clip.low_by, clip.high_by), (Some(1), Some(2)));
        // A part of an edge can be removed by a plane that the whole edge crosses.
        let mut clip = Clip::<f64, u8>::within(0.0, 0.25);
        assert_eq!(clip.cut(-1.0, 1.0, 1), Cut::Alone);
    }

    #[test]
    fn slopes_tell_the_side_of_the_minimum() {
        assert_eq!(slope_to_plane(2.0, -1.0, 1e-9), Some(-2.0));
        assert_eq!(slope_to_plane(2.0, 0.5, 1e-9), Some(2.0));
        assert_eq!(slope_to_plane(2.0, 1e-12, 1e-9), None);
        let x = glam::DVec3::X;
        assert_eq!(slope_to_point::<f64>(x, x * -3.0, 1e-9), Some(-3.0));
        assert_eq!(slope_to_point::<f64>(x, x * 1e-10, 1e-9), None);
    }
}
