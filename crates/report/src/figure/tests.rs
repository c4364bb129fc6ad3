//! Properties of all figures, whatever the data: valid XML, finite places inside the view box,
//! nothing on top of the data.

use proptest::prelude::*;
use roxmltree::{Document, Node};

use super::canvas::{Anchor, Mark, Words};
use super::{Drawing, NARROW, WIDE, draw_bars, draw_map, draw_plot, font, palette, png, svg};
use crate::model::{Axis, Bar, Fit, GuideLine, MapCell, Plot, Point, Scale, Series, StackedBars, WinnerMap};

/// Rounding to hundredths in the file.
const HAIR: f64 = 0.02;

/// Any number: measured ones mostly, hostile ones too.
fn value() -> BoxedStrategy<f64> {
    prop_oneof![
        6 => (-9.0..12.0f64).prop_map(|e| 10f64.powf(e)),
        2 => -1e4..1e4f64,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![0.0, -0.0, 1.0, 1e-300, 1e100, 1e99, -1e100, f64::MAX, f64::MIN, 5e-324,
            f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
    ]
    .boxed()
}

fn name() -> BoxedStrategy<String> {
    prop_oneof!["[a-z ]{0,20}", any::<String>(), "[a-z&<>\" ]{60,200}", "[\\PC]{30,90}"].boxed()
}

fn axis() -> impl Strategy<Value = Axis> {
    (name(), any::<bool>())
        .prop_map(|(label, is_log)| Axis { label, scale: if is_log { Scale::Log } else { Scale::Linear } })
}

fn point() -> impl Strategy<Value = Point> {
    (value(), value(), value(), value(), any::<bool>()).prop_map(|(x, y, low, high, is_over_budget)| Point {
        x,
        y,
        low,
        high,
        is_over_budget,
    })
}

fn series() -> impl Strategy<Value = Series> {
    let fit = (-3.0..4.0f64, value(), value(), value()).prop_map(|(exponent, low, high, factor)| Fit {
        exponent,
        low,
        high,
        factor,
    });
    let points =
        prop_oneof![9 => prop::collection::vec(point(), 0..12), 1 => prop::collection::vec(point(), 61..90)];
    (name(), points, prop::option::of(fit)).prop_map(|(name, points, fit)| Series { name, points, fit })
}

fn plot() -> impl Strategy<Value = Plot> {
    let line = (name(), value()).prop_map(|(label, y)| GuideLine { label, y });
    let series =
        prop_oneof![20 => prop::collection::vec(series(), 0..5), 1 => prop::collection::vec(series(), 30)];
    (name(), axis(), axis(), series, prop::collection::vec(line, 0..3)).prop_map(
        |(caption, x, y, series, lines)| Plot { name: "plot".to_owned(), caption, x, y, series, lines },
    )
}

fn bars() -> impl Strategy<Value = StackedBars> {
    (
        prop::collection::vec(name(), 0..12),
        prop::collection::vec((name(), prop::collection::vec(value(), 0..12)), 0..9),
        name(),
    )
        .prop_map(|(parts, bars, unit)| {
            let bar = |(label, mut values): (String, Vec<f64>)| {
                values.truncate(parts.len());
                Bar { label, parts: values }
            };
            let bars = bars.into_iter().map(bar).collect();
            StackedBars { name: "bars".to_owned(), caption: String::new(), unit, parts, bars }
        })
}

fn map() -> impl Strategy<Value = WinnerMap> {
    let sizes = (
        prop_oneof![8 => 0..9usize, 1 => 40..60usize],
        prop_oneof![8 => 0..7usize, 1 => 20..30usize],
        1..30usize,
    );
    sizes.prop_flat_map(|(columns, rows, contenders)| {
        let cell = (prop::option::of(0..contenders), value(), any::<bool>())
            .prop_map(|(winner, margin, is_decided)| MapCell { winner, margin, is_decided });
        (
            (axis(), axis()),
            prop::collection::vec(value(), columns),
            prop::collection::vec(value(), rows),
            prop::collection::vec(name(), contenders),
            prop::collection::vec(cell, columns * rows),
        )
            .prop_map(|((x, y), xs, ys, contenders, cells)| WinnerMap {
                name: "map".to_owned(),
                caption: String::new(),
                x,
                y,
                xs,
                ys,
                contenders,
                cells,
            })
    })
}

/// Numbers in an attribute that is made of numbers and letters.
fn numbers(node: Node, attribute: &str) -> Vec<f64> {
    let text = node.attribute(attribute).unwrap_or_default();
    let numbers =
        text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-'))).filter(|n| !n.is_empty());
    numbers.map(|n| n.parse().unwrap_or(f64::NAN)).collect()
}

/// Checks the file of a drawing: XML, names, view box.
fn check(drawing: &Drawing) -> Result<(), TestCaseError> {
    let (width, height) = (drawing.canvas.width, drawing.canvas.height);
    prop_assert!(height.is_finite() && height > 0.0);
    let about = svg::About { id: "x", title: "<title>", description: &drawing.description };
    let file = svg::file(&drawing.canvas, &about);
    for word in ["NaN", "inf"] {
        prop_assert!(!file.contains(&format!("\"{word}")) && !file.contains(&format!("L{word}")), "{word}");
    }
    let document = Document::parse(&file).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let inside = |x: f64, y: f64| (-HAIR..=width + HAIR).contains(&x) && (-HAIR..=height + HAIR).contains(&y);
    for node in document.descendants().filter(Node::is_element) {
        match node.tag_name().name() {
            "path" => {
                let path = numbers(node, "d");
                prop_assert!(path.len().is_multiple_of(2) && path.len() >= 4);
                for place in path.chunks(2) {
                    prop_assert!(inside(place[0], place[1]), "path at {place:?} of {width} by {height}");
                }
            }
            "circle" => {
                let [x, y, r] = ["cx", "cy", "r"].map(|name| numbers(node, name)[0]);
                prop_assert!(inside(x - r, y - r) && inside(x + r, y + r), "circle at {x} {y}");
            }
            _ => {}
        }
    }
    for words in words(drawing) {
        let (left, top, right, bottom) = extent(words);
        prop_assert!(inside(left, top) && inside(right, bottom), "{words:?} in {width} by {height}");
    }
    Ok(())
}

fn words(drawing: &Drawing) -> impl Iterator<Item = &Words> {
    drawing
        .canvas
        .marks
        .iter()
        .filter_map(|mark| if let Mark::Words(words) = mark { Some(words) } else { None })
}

/// Left, top, right and bottom of words.
fn extent(words: &Words) -> (f64, f64, f64, f64) {
    let width = font::width(&words.text, words.size, words.is_bold);
    let left = match words.anchor {
        Anchor::Start => words.place.0,
        Anchor::Middle => words.place.0 - width / 2.0,
        Anchor::End => words.place.0 - width,
    };
    (left, words.place.1 - 0.72 * words.size, left + width, words.place.1 + 0.2 * words.size)
}

/// Places of the markers of data: only those have hints in a plot.
fn markers(drawing: &Drawing) -> Vec<(f64, f64)> {
    let middle = |mark: &Mark| match mark {
        Mark::Circle { middle, look, .. } if look.hint.is_some() => Some(*middle),
        Mark::Outline { places, look, .. } if look.hint.is_some() => {
            let (low, high) =
                places.iter().fold(((f64::MAX, f64::MAX), (f64::MIN, f64::MIN)), |(l, h), p| {
                    ((l.0.min(p.0), l.1.min(p.1)), (h.0.max(p.0), h.1.max(p.1)))
                });
            Some((f64::midpoint(low.0, high.0), f64::midpoint(low.1, high.1)))
        }
        _ => None,
    };
    drawing.canvas.marks.iter().filter_map(middle).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_time: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn a_plot_of_anything_is_whole(plot in plot()) {
        for width in [WIDE, NARROW] {
            let drawing = draw_plot(&plot, width, true);
            check(&drawing)?;
            for (x, y) in markers(&drawing) {
                for words in words(&drawing).filter(|words| words.text != "no data") {
                    let (left, top, right, bottom) = extent(words);
                    let is_covered = (left..right).contains(&x) && (top..bottom).contains(&y);
                    prop_assert!(!is_covered, "{:?} stands on a point", words.text);
                }
            }
        }
    }

    #[test]
    fn bars_of_anything_are_whole(bars in bars()) {
        for width in [WIDE, NARROW] {
            check(&draw_bars(&bars, width, true))?;
        }
    }

    #[test]
    fn a_map_of_anything_is_whole(map in map()) {
        for width in [WIDE, NARROW] {
            check(&draw_map(&map, width, true))?;
        }
    }

    #[test]
    fn every_point_is_drawn_or_counted(plot in plot()) {
        let drawing = draw_plot(&plot, WIDE, true);
        let few = plot.series.iter().all(|series| series.points.len() <= 60);
        let points: usize = plot.series.iter().map(|series| series.points.len()).sum();
        let drawn = markers(&drawing).len();
        let left_out = drawing.notes.iter().filter(|note| note.contains("left out"));
        let counts = left_out.map(|note| {
            let digits: String = note.split(" point").next().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
            digits.parse::<usize>().unwrap_or(0)
        });
        prop_assert!(!few || drawn + counts.sum::<usize>() == points);
    }
}

#[test]
fn values_on_a_log_axis_that_have_no_place_are_named_in_the_caption() {
    let points = [0.0, -3.0, 5.0, f64::NAN].map(|y| Point::new(10.0, y));
    let plot =
        Plot::new("p", "", Axis::log("n"), Axis::log("ms")).series(Series::new("a", points)).line("far", 1e9);
    let notes = draw_plot(&plot, WIDE, false).notes;
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(notes[0].starts_with("1 point is left out for not being finite"));
    assert!(notes[1].starts_with("2 points are left out: the axes have no place"));
    assert_eq!(notes[2], "The line “far” (1.00×10⁹) lies outside the axes.");
}

#[test]
fn a_fit_is_in_the_legend_with_its_interval() {
    let fit = Fit { exponent: 1.02, low: 0.99, high: 1.05, factor: 1.0 };
    let points = [Point::new(1.0, 1.0), Point::new(10.0, 10.5)];
    let plot =
        Plot::new("p", "", Axis::log("n"), Axis::log("ms")).series(Series::new("a", points).fitted(fit));
    let drawing = draw_plot(&plot, WIDE, false);
    assert!(words(&drawing).any(|words| words.text == "n^1.02 [0.99, 1.05]"));
}

#[test]
fn pixels_show_what_the_canvas_says() {
    let points = [Point::new(0.0, 0.0), Point::new(5.0, 7.0), Point::new(10.0, 3.0).over_budget()];
    let plot = Plot::new("p", "", Axis::linear("n"), Axis::linear("ms")).series(Series::new("a", points));
    let drawing = draw_plot(&plot, WIDE, true);
    let file = png::file(&drawing.canvas).expect("a figure of ordinary size");
    let pixels = tiny_skia::Pixmap::decode_png(&file).expect("a file that was just made");
    assert_eq!((pixels.width(), pixels.height()), png::size(&drawing.canvas));
    let roles = [super::canvas::Role::Hue(0), super::canvas::Role::Hue(0), super::canvas::Role::Paper];
    let places = markers(&drawing);
    assert_eq!(places.len(), roles.len());
    for ((x, y), role) in places.into_iter().zip(roles) {
        let at = |length: f64| (length * f64::from(png::SCALE)) as u32;
        let pixel = pixels.pixel(at(x), at(y)).expect("a place inside");
        assert_eq!([pixel.red(), pixel.green(), pixel.blue()], palette::light(role));
    }
}
