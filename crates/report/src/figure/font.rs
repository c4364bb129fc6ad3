//! The letters of figures: how wide a text is, and the outlines for pixel files.
//!
//! The faces are the ones egui brings, compiled in, so that a picture is the same on every machine
//! and needs no font installed. What the first face lacks the second has; what both lack is drawn
//! as a box. Vector files name faces a reader is likely to have, whose widths differ by a few per
//! cent: layouts leave room for that.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Faces in the order in which they are asked.
static FACES: LazyLock<Vec<Face<'static>>> = LazyLock::new(|| {
    let files = [epaint_default_fonts::UBUNTU_LIGHT, epaint_default_fonts::HACK_REGULAR];
    files.into_iter().filter_map(|file| Face::parse(file, 0).ok()).collect()
});

/// What a letter that no face has takes, in units of its size.
const BOX_WIDTH: f64 = 0.6;
/// Heavier letters are drawn with a line around them, and are wider in other faces.
const BOLD_WIDTH: f64 = 1.08;

/// Faces of readers may be wider than the one that is measured; DejaVu Sans is by nearly a fifth.
const SLACK: f64 = 1.18;

/// The room that `text` at `size` needs in any face.
pub(crate) fn room(text: &str, size: f64, is_bold: bool) -> f64 {
    width(text, size, is_bold) * SLACK
}

/// The width of `text` at `size` in the faces that are compiled in.
pub(crate) fn width(text: &str, size: f64, is_bold: bool) -> f64 {
    let sum: f64 = text.chars().map(advance).sum();
    sum * size * if is_bold { BOLD_WIDTH } else { 1.0 }
}

/// How far the next letter is, in units of the size.
pub(crate) fn advance(letter: char) -> f64 {
    match find(letter) {
        Some((face, glyph)) => {
            f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) / f64::from(face.units_per_em())
        }
        None => BOX_WIDTH,
    }
}

/// How many units of its face make the size of a letter.
pub(crate) fn units(letter: char) -> f64 {
    find(letter).map_or(1.0, |(face, _)| f64::from(face.units_per_em()))
}

/// Gives the outline of a letter to `builder`, in units of its face.
pub(crate) fn outline(letter: char, builder: &mut dyn OutlineBuilder) {
    let Some((face, glyph)) = find(letter) else {
        let (right, top) = (BOX_WIDTH as f32 - 0.08, 0.7);
        builder.move_to(0.08, 0.0);
        builder.line_to(right, 0.0);
        builder.line_to(right, top);
        builder.line_to(0.08, top);
        builder.close();
        return;
    };
    face.outline_glyph(glyph, builder);
}

fn find(letter: char) -> Option<(&'static Face<'static>, GlyphId)> {
    FACES.iter().find_map(|face| face.glyph_index(letter).map(|glyph| (face, glyph)))
}

/// Breaks `text` into at most `lines` lines that need no more than `space`; what does not fit ends
/// in an ellipsis.
pub(crate) fn broken(text: &str, size: f64, space: f64, lines: usize) -> Vec<String> {
    let mut rest = crate::escape::one_line(text);
    let mut broken = Vec::new();
    while !rest.is_empty() && broken.len() + 1 < lines && room(&rest, size, false) > space {
        let cut = break_place(&rest, size, space / SLACK);
        broken.push(rest[..cut].trim_end().to_owned());
        rest = rest[cut..].trim_start().to_owned();
    }
    if room(&rest, size, false) > space {
        let kept = fitting(&rest, size, space / SLACK - width("…", size, false));
        rest.truncate(kept);
        rest.truncate(rest.trim_end().len());
        rest.push('…');
    }
    if !rest.is_empty() {
        broken.push(rest);
    }
    broken
}

/// Where a line ends best: after the last space or dash that fits, else in mid-word; always after
/// at least one letter.
fn break_place(text: &str, size: f64, space: f64) -> usize {
    let fits = fitting(text, size, space);
    let first = text.chars().next().map_or(0, char::len_utf8);
    let gap = text[..fits].rfind([' ', '-', '/', ',']).map(|at| at + 1);
    match gap {
        Some(gap) if gap * 3 > fits => gap,
        _ => fits.max(first),
    }
}

/// How many bytes of `text` fit into `space`.
fn fitting(text: &str, size: f64, space: f64) -> usize {
    let mut used = 0.0;
    for (at, letter) in text.char_indices() {
        used += advance(letter) * size;
        if used > space {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_faces_are_there_and_no_sign_of_ours_is_missing() {
        assert_eq!(FACES.len(), 2);
        for letter in "0123456789⁰¹²³⁴⁵⁶⁷⁸⁹⁻−×·µ≈∞…–\u{a0}[]^αµ°".chars() {
            assert!(find(letter).is_some(), "{letter}");
        }
        assert!(width("mm", 10.0, false) > width("ii", 10.0, false));
        assert_eq!(width("\u{10ffff}", 10.0, false), 6.0);
    }

    #[test]
    fn broken_lines_fit_and_lose_nothing_they_have_room_for() {
        let text = "sweep and prune with persistent endpoints";
        for room in [20.0, 60.0, 100.0, 400.0] {
            for line in broken(text, 12.0, room, 3) {
                assert!(super::room(&line, 12.0, false) <= room + 1e-9, "{line:?} in {room}");
            }
        }
        assert_eq!(broken(text, 12.0, 100.0, 9).join(" "), text);
        assert_eq!(broken("", 12.0, 100.0, 3), Vec::<String>::new());
        assert!(broken(&"x".repeat(100), 12.0, 50.0, 2)[1].ends_with('…'));
        assert!(broken("ab", 12.0, 0.0, 2).iter().all(|line| !line.is_empty()));
    }
}
