//! A canvas as SVG: one element per mark, colours as attributes and roles as classes.
//!
//! Alone, a file shows the colours of white paper. Inside a page a style sheet overrules them by
//! class. Every file says what it is to readers who do not see it (`title`, `desc`).

use std::fmt::Write as _;

use super::canvas::{Anchor, Canvas, Look, Mark, Paint, Place, Role, Words};
use super::palette;
use crate::escape::{one_line, xml};

/// Faces a reader is likely to have, the one that was measured first.
const FACES: &str = "Ubuntu, system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/// What a figure is called and what it shows, for readers who do not see it.
pub(crate) struct About<'a> {
    /// What the names of elements begin with; a page must not hold two that are the same.
    pub(crate) id: &'a str,
    /// The title.
    pub(crate) title: &'a str,
    /// What is to be seen.
    pub(crate) description: &'a str,
}

/// The file.
pub(crate) fn file(canvas: &Canvas, about: &About) -> String {
    let size = format!(" width=\"{}\" height=\"{}\"", length(canvas.width), length(canvas.height));
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", element(canvas, about, &size))
}

/// The element in a page, as wide as there is room.
pub(crate) fn inline(canvas: &Canvas, about: &About, class: &str) -> String {
    element(canvas, about, &format!(" class=\"{class}\""))
}

fn element(canvas: &Canvas, about: &About, more: &str) -> String {
    let mut text = String::new();
    let id = about.id;
    put(
        &mut text,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\"{more} role=\"img\" \
             aria-labelledby=\"{id}-title {id}-desc\" font-family=\"{FACES}\">\n\
             <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n",
            length(canvas.width),
            length(canvas.height),
            xml(&one_line(about.title)),
            xml(&one_line(about.description)),
        ),
    );
    let ground = format!(
        "<rect class=\"f-paper\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
        length(canvas.width),
        length(canvas.height),
        colour(Role::Paper)
    );
    text.push_str(&ground);
    for mark in &canvas.marks {
        put_mark(&mut text, mark);
    }
    text.push_str("</svg>\n");
    text
}

fn put_mark(text: &mut String, mark: &Mark) {
    match mark {
        Mark::Outline { places, is_closed, look } => {
            let path = path(places, *is_closed);
            put_shape(text, "path", &format!("d=\"{path}\""), look);
        }
        Mark::Lines { ends, pen } => {
            let path: String = ends.iter().map(|(from, to)| path(&[*from, *to], false)).collect();
            put_shape(text, "path", &format!("d=\"{path}\""), &Look::pen(*pen));
        }
        Mark::Circle { middle: (x, y), radius, look } => {
            let place = format!("cx=\"{}\" cy=\"{}\" r=\"{}\"", length(*x), length(*y), length(*radius));
            put_shape(text, "circle", &place, look);
        }
        Mark::Words(words) => put_words(text, words),
    }
}

fn put_shape(text: &mut String, name: &str, place: &str, look: &Look) {
    let mut classes = Vec::new();
    let mut style = String::new();
    match look.fill {
        Some(paint) => {
            classes.push(format!("f-{}", palette::class(paint.role)));
            put(&mut style, format_args!(" fill=\"{}\"{}", colour(paint.role), strength("fill", paint)));
        }
        None => style.push_str(" fill=\"none\""),
    }
    if let Some(pen) = look.pen {
        classes.push(format!("s-{}", palette::class(pen.paint.role)));
        put(
            &mut style,
            format_args!(
                " stroke=\"{}\"{} stroke-width=\"{}\" stroke-linejoin=\"round\"",
                colour(pen.paint.role),
                strength("stroke", pen.paint),
                length(pen.width)
            ),
        );
        if !pen.dashes.is_empty() {
            let dashes: Vec<_> = pen.dashes.iter().map(|d| length(*d)).collect();
            put(&mut style, format_args!(" stroke-dasharray=\"{}\"", dashes.join(" ")));
        }
    }
    put(text, format_args!("<{name} class=\"{}\" {place}{style}", classes.join(" ")));
    match &look.hint {
        Some(hint) => put(text, format_args!("><title>{}</title></{name}>\n", xml(&one_line(hint)))),
        None => text.push_str("/>\n"),
    }
}

fn put_words(text: &mut String, words: &Words) {
    let (x, y) = words.place;
    let anchor = match words.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let weight = if words.is_bold { " font-weight=\"600\"" } else { "" };
    put(
        text,
        format_args!(
            "<text class=\"f-{}\" x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{anchor}{weight}>{}</text>\n",
            palette::class(words.role),
            length(x),
            length(y),
            length(words.size),
            colour(words.role),
            xml(&one_line(&words.text)),
        ),
    );
}

fn path(places: &[Place], is_closed: bool) -> String {
    let mut path = String::new();
    for (at, (x, y)) in places.iter().enumerate() {
        let verb = if at == 0 { 'M' } else { 'L' };
        put(&mut path, format_args!("{verb}{} {}", length(*x), length(*y)));
    }
    if is_closed {
        path.push('Z');
    }
    path
}

fn strength(what: &str, paint: Paint) -> String {
    if paint.opacity < 1.0 { format!(" {what}-opacity=\"{}\"", length(paint.opacity)) } else { String::new() }
}

fn colour(role: Role) -> String {
    let [r, g, b] = palette::light(role);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A length to a hundredth, without needless zeros.
fn length(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn put(text: &mut String, what: std::fmt::Arguments) {
    let _ = text.write_fmt(what); // writing to a string cannot fail
}
