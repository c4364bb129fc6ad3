//! A frame of a recording as characters: bodies seen from the front, denser characters where more of them are.

use carom_recording::track::{Frame, Recording};

/// From nothing to a crowd.
const SHADES: [char; 6] = [' ', '·', 'o', 'O', '8', '@'];
/// A character is about twice as high as wide.
const TALLNESS: f64 = 2.0;

/// What part of the world a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    centre: [f64; 2],
    /// Metres per character, sideways.
    scale: f64,
    columns: usize,
    rows: usize,
}

impl View {
    /// A view that holds the bodies of the first, the middle and the last frame, leaving aside the outermost hundredth.
    pub(crate) fn of(recording: &mut Recording, columns: usize, rows: usize) -> Self {
        let last = recording.frames().saturating_sub(1);
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        for number in [0, last / 2, last] {
            let Ok(frame) = recording.frame(number) else { continue };
            for place in 0..frame.bodies().len() {
                let [x, y, _] = frame.position(place).to_double();
                if x.is_finite() && y.is_finite() {
                    xs.push(x);
                    ys.push(y);
                }
            }
        }
        let (x, y) = (extent(&mut xs), extent(&mut ys));
        let wide = (x[1] - x[0]) / columns.max(1) as f64;
        let high = (y[1] - y[0]) / (rows.max(1) as f64 * TALLNESS);
        let scale = 1.1 * wide.max(high).max(1e-6);
        Self { centre: [(x[0] + x[1]) / 2.0, (y[0] + y[1]) / 2.0], scale, columns, rows }
    }

    /// The picture, a line per row.
    pub(crate) fn draw(&self, frame: &Frame) -> String {
        let mut counts = vec![0u32; self.columns * self.rows];
        for place in 0..frame.bodies().len() {
            let [x, y, _] = frame.position(place).to_double();
            let column = (x - self.centre[0]) / self.scale + self.columns as f64 / 2.0;
            let row = self.rows as f64 / 2.0 - (y - self.centre[1]) / (self.scale * TALLNESS);
            let is_inside =
                (0.0..self.columns as f64).contains(&column) && (0.0..self.rows as f64).contains(&row);
            if is_inside {
                counts[row as usize * self.columns + column as usize] += 1;
            }
        }
        let shade = |count: &u32| match count {
            0..=3 => SHADES[*count as usize],
            4..=9 => SHADES[4],
            _ => SHADES[5],
        };
        let lines = counts.chunks(self.columns.max(1)).map(|row| row.iter().map(shade).collect::<String>());
        lines.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }
}

/// All but the outermost hundredth.
fn extent(values: &mut [f64]) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let margin = values.len() / 200;
    match (values.get(margin), values.get(values.len().wrapping_sub(1 + margin))) {
        (Some(low), Some(high)) => [*low, *high],
        _ => [0.0, 0.0],
    }
}
