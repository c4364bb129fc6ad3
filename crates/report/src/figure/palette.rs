//! Colours, markers, dashes and hatches that tell things apart, in colour, for colour-blind readers
//! and in black and white.
//!
//! The hues are those of Okabe and Ito without their yellow, which white paper swallows, with Paul
//! Tol's wine in its place. Eight hues and nine markers have no common factor, so 72 curves differ
//! in at least one of the two; dashes are a third sign.

use super::canvas::{Canvas, Look, Paint, Pen, Place, Role};

/// How many hues there are.
pub(crate) const HUES: usize = 8;

/// Red, green and blue of a role on white paper.
pub(crate) fn light(role: Role) -> [u8; 3] {
    match role {
        Role::Ink => [0x1c, 0x22, 0x2b],
        Role::Muted => [0x5d, 0x67, 0x74],
        Role::Grid => [0xe3, 0xe7, 0xec],
        Role::Paper => [0xff, 0xff, 0xff],
        Role::Hue(at) => {
            [
                [0x00, 0x72, 0xb2], // blue
                [0xd5, 0x5e, 0x00], // vermilion
                [0x00, 0x9e, 0x73], // green
                [0xcc, 0x79, 0xa7], // purple
                [0xe6, 0x9f, 0x00], // orange
                [0x56, 0xb4, 0xe9], // sky
                [0x88, 0x22, 0x55], // wine
                [0x6b, 0x72, 0x7c], // slate
            ][at % HUES]
        }
    }
}

/// The name of a role in style sheets.
pub(crate) fn class(role: Role) -> String {
    match role {
        Role::Ink => "ink".to_owned(),
        Role::Muted => "muted".to_owned(),
        Role::Grid => "grid".to_owned(),
        Role::Paper => "paper".to_owned(),
        Role::Hue(at) => format!("h{}", at % HUES),
    }
}

/// The dashes of the curve with this number.
pub(crate) fn dashes(at: usize) -> &'static [f64] {
    const DASHES: [&[f64]; 5] =
        [&[], &[7.0, 3.0], &[2.0, 2.5], &[9.0, 3.0, 2.0, 3.0], &[5.0, 2.0, 1.5, 2.0, 1.5, 2.0]];
    DASHES[at % DASHES.len()]
}

/// How many markers there are.
const MARKERS: usize = 9;

/// Draws the marker of the curve with this number, hollow if asked.
pub(crate) fn marker(
    canvas: &mut Canvas,
    at: usize,
    (x, y): Place,
    radius: f64,
    is_hollow: bool,
    hint: Option<String>,
) {
    let role = Role::Hue(at);
    let inside = if is_hollow { Role::Paper } else { role };
    let look = Look::fill(inside, 1.0).with_pen(Pen::new(role, 1.4)).with_hint(hint);
    let kind = at % MARKERS;
    if kind == 0 {
        canvas.circle((x, y), radius, look);
        return;
    }
    let corners: Vec<Place> = match kind {
        1 => vec![(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2 => vec![(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        3 => vec![(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        4 => vec![(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
        5 => star(),
        6 => vec![(-1.3, -0.5), (1.3, -0.5), (1.3, 0.5), (-1.3, 0.5)],
        7 => cross(),
        _ => vec![(-0.5, -1.3), (0.5, -1.3), (0.5, 1.3), (-0.5, 1.3)],
    };
    canvas.closed(corners.into_iter().map(|(u, v)| (x + radius * u, y + radius * v)).collect(), look);
}

fn star() -> Vec<Place> {
    let corner = |k: u32| {
        let turn = std::f64::consts::PI * f64::from(k) / 5.0;
        let radius = if k.is_multiple_of(2) { 1.5 } else { 0.65 };
        (radius * turn.sin(), -radius * turn.cos())
    };
    (0..10).map(corner).collect()
}

fn cross() -> Vec<Place> {
    let (a, b) = (0.42, 1.25);
    let mut corners = vec![(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a)];
    let others: Vec<_> = corners.iter().map(|&(x, y)| (-x, -y)).collect();
    corners.extend(others);
    corners
}

/// Fills a rectangle with the hue and the hatch of the part with this number.
pub(crate) fn hatched(
    canvas: &mut Canvas,
    at: usize,
    place: Place,
    size: (f64, f64),
    opacity: f64,
    hint: Option<String>,
) {
    canvas.rectangle(place, size, Look::fill(Role::Hue(at), opacity).with_hint(hint));
    // Hatches are shifted against the hues after a round, so that the same pair comes back late.
    match (at + at / HUES) % 5 {
        1 => slanted(canvas, place, size, 6.0, false),
        2 => slanted(canvas, place, size, 6.0, true),
        3 => {
            slanted(canvas, place, size, 8.0, false);
            slanted(canvas, place, size, 8.0, true);
        }
        4 => level(canvas, place, size),
        _ => {}
    }
}

fn hatch_pen() -> Pen {
    Pen { paint: Paint { role: Role::Paper, opacity: 0.6 }, width: 1.2, dashes: &[] }
}

/// Lines at 45 degrees, cut at the border of the rectangle.
pub(crate) fn slanted(
    canvas: &mut Canvas,
    (x, y): Place,
    (width, height): (f64, f64),
    gap: f64,
    is_falling: bool,
) {
    let mut ends = Vec::new();
    let mut along = gap / 2.0;
    while along < width + height {
        // From the top border, or the right one, down and left to the left border, or the bottom
        // one.
        let (from, to) =
            ((along.min(width), (along - width).max(0.0)), ((along - height).max(0.0), along.min(height)));
        let turn = |(u, v): Place| (x + if is_falling { width - u } else { u }, y + v);
        ends.push((turn(from), turn(to)));
        along += gap;
    }
    canvas.lines(ends, hatch_pen());
}

fn level(canvas: &mut Canvas, (x, y): Place, (width, height): (f64, f64)) {
    let mut ends = Vec::new();
    let mut down = 3.0;
    while down < height {
        ends.push(((x, y + down), (x + width, y + down)));
        down += 5.0;
    }
    canvas.lines(ends, hatch_pen());
}

#[cfg(test)]
mod tests {
    use super::super::canvas::Mark;
    use super::*;

    #[test]
    fn every_hue_is_dark_enough_to_be_seen_on_paper() {
        // Relative luminance and contrast as in the Web Content Accessibility Guidelines 2.1.
        let luminance = |role| {
            let linear = |c: u8| {
                let c = f64::from(c) / 255.0;
                if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            let [r, g, b] = light(role).map(linear);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let contrast = |role| 1.05 / (luminance(role) + 0.05);
        for at in 0..HUES {
            assert!(contrast(Role::Hue(at)) > 2.0, "hue {at}: {}", contrast(Role::Hue(at)));
        }
        assert!(contrast(Role::Ink) > 7.0 && contrast(Role::Muted) > 4.5);
    }

    #[test]
    fn hatches_stay_inside() {
        let mut canvas = Canvas::new(100.0);
        for at in 0..12 {
            hatched(&mut canvas, at, (10.0, 20.0), (37.0, 11.0), 1.0, None);
        }
        for mark in &canvas.marks {
            let places: Vec<Place> = match mark {
                Mark::Lines { ends, .. } => ends.iter().flat_map(|(from, to)| [*from, *to]).collect(),
                Mark::Outline { places, .. } => places.clone(),
                _ => continue,
            };
            for (x, y) in places {
                assert!((10.0..=47.001).contains(&x) && (20.0..=31.001).contains(&y), "{x} {y}");
            }
        }
    }
}
