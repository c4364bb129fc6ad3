//! Area, centroid and second moment of plane figures, in `f64`.

use std::f64::consts::PI;

/// A plane figure of uniform density 1 per area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamina {
    /// Area.
    pub area: f64,
    /// Centroid.
    pub centroid: [f64; 2],
    /// Integral over the area of the squared distance from the centroid; times the density per area
    /// it is the moment of inertia about the centroid.
    pub second_moment: f64,
}

/// Why a figure has no centroid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LaminaError {
    /// Fewer than three vertices.
    #[error("a polygon needs at least 3 vertices, this one has {count}")]
    TooFewVertices {
        /// How many there are.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {index} is ({x}, {y}), which is not finite")]
    Vertex {
        /// Which vertex, from 0.
        index: usize,
        /// First coordinate.
        x: f64,
        /// Second coordinate.
        y: f64,
    },
    /// Negative or not finite.
    #[error("the radius is {radius}, but must be finite and not negative")]
    Radius {
        /// The value.
        radius: f64,
    },
    /// The outline encloses nothing, or as much clockwise as counter-clockwise.
    #[error("the polygon encloses no area")]
    NoArea,
    /// The numbers are too large: a sum exceeded the range of `f64`.
    #[error("the polygon is too large: its moments exceed the range of the numbers")]
    Overflow,
}

impl Lamina {
    /// A disc.
    ///
    /// # Errors
    /// If the radius is negative or not finite.
    pub fn of_circle(centre: [f64; 2], radius: f64) -> Result<Self, LaminaError> {
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(LaminaError::Radius { radius });
        }
        let area = PI * radius * radius;
        Ok(Self { area, centroid: centre, second_moment: 0.5 * area * radius * radius })
    }

    /// A polygon, convex or not, in either direction of traversal; overlaps count by winding.
    ///
    /// ```
    /// use carom_planar::Lamina;
    /// let square = Lamina::of_polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])?;
    /// assert_eq!((square.area, square.centroid), (4.0, [1.0, 1.0]));
    /// # Ok::<(), carom_planar::LaminaError>(())
    /// ```
    ///
    /// # Errors
    /// If there are fewer than three vertices, one is not finite, or they enclose no area.
    pub fn of_polygon(vertices: &[[f64; 2]]) -> Result<Self, LaminaError> {
        if let Some(index) = vertices.iter().position(|v| !(v[0].is_finite() && v[1].is_finite())) {
            let [x, y] = vertices[index];
            return Err(LaminaError::Vertex { index, x, y });
        }
        let &[origin, ref rest @ ..] = vertices else {
            return Err(LaminaError::TooFewVertices { count: 0 });
        };
        if rest.len() < 2 {
            return Err(LaminaError::TooFewVertices { count: vertices.len() });
        }
        // A fan of triangles from the first vertex, which keeps small figures far from the origin
        // accurate.
        let (mut twice_area, mut first, mut second) = (0.0, [0.0; 2], 0.0);
        let mut sizes = 0.0;
        for pair in rest.windows(2) {
            let [p, q] = [pair[0], pair[1]].map(|v| [v[0] - origin[0], v[1] - origin[1]]);
            let cross = p[0] * q[1] - p[1] * q[0];
            twice_area += cross;
            let sum = [p[0] + q[0], p[1] + q[1]];
            first = [first[0] + cross * sum[0], first[1] + cross * sum[1]];
            let squares = |v: [f64; 2]| v[0] * v[0] + v[1] * v[1];
            second += cross * (squares(p) + squares(q) + squares(sum));
            sizes += (p[0] * q[1]).abs() + (p[1] * q[0]).abs();
        }
        if !(second.is_finite() && sizes.is_finite()) {
            return Err(LaminaError::Overflow);
        }
        // What rounding leaves of an outline that encloses nothing.
        if twice_area.abs() <= 8.0 * f64::EPSILON * sizes {
            return Err(LaminaError::NoArea);
        }
        // Relative to the first vertex: the centroid, and the mean square of the distance.
        let (x, y) = (first[0] / (3.0 * twice_area), first[1] / (3.0 * twice_area));
        let area = 0.5 * twice_area.abs();
        let about_first = second.abs() / 24.0;
        let second_moment = about_first - area * (x * x + y * y);
        Ok(Self { area, centroid: [origin[0] + x, origin[1] + y], second_moment })
    }

    /// The figure of two that do not overlap.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let area = self.area + other.area;
        if area <= 0.0 {
            return *self;
        }
        let apart = [other.centroid[0] - self.centroid[0], other.centroid[1] - self.centroid[1]];
        let share = other.area / area;
        let square = apart[0] * apart[0] + apart[1] * apart[1];
        Self {
            area,
            centroid: [self.centroid[0] + apart[0] * share, self.centroid[1] + apart[1] * share],
            second_moment: self.second_moment + other.second_moment + self.area * share * square,
        }
    }
}
