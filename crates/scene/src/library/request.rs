//! Requests such as `box:3162?seed=7&walls=slabs`: taking them apart and checking every argument.
//!
//! An argument that is misspelt or out of range is an error, never ignored: a benchmark that
//! silently ran with another size would be worse than none.

use std::ops::RangeInclusive;

use crate::nearest::nearest;

/// One parameter of a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its key.
    pub name: &'static str,
    /// Value if none is given, as it would be written.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// Why a request cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// No scene of this name.
    #[error("no library scene is called `{name}`; there are {}", known.join(", "))]
    UnknownScene {
        /// As asked for.
        name: String,
        /// The name that was probably meant.
        near: Option<&'static str>,
        /// All names.
        known: Vec<&'static str>,
    },
    /// The scene has no such parameter.
    #[error("scene `{scene}` has no parameter `{name}`; {}", parameters(known))]
    UnknownParameter {
        /// Scene asked for.
        scene: String,
        /// As asked for.
        name: String,
        /// The parameter that was probably meant.
        near: Option<&'static str>,
        /// All parameters of the scene.
        known: Vec<&'static str>,
    },
    /// A parameter given twice.
    #[error("scene `{scene}`: parameter `{name}` is given twice")]
    Twice {
        /// Scene asked for.
        scene: String,
        /// The parameter.
        name: &'static str,
    },
    /// A value that is no good.
    #[error("scene `{scene}`: {name} = `{value}` {reason}")]
    BadValue {
        /// Scene asked for.
        scene: String,
        /// The parameter.
        name: &'static str,
        /// As asked for.
        value: String,
        /// Why not.
        reason: String,
    },
    /// The arguments are fine one by one but make no scene.
    #[error("scene `{scene}`: {reason}")]
    Impossible {
        /// Scene asked for.
        scene: String,
        /// What the generator says.
        reason: String,
    },
    /// An embedded scene does not read: a mistake in this program.
    #[error("library scene `{name}` is broken: {reason}")]
    Broken {
        /// Scene asked for.
        name: &'static str,
        /// What its reader says.
        reason: String,
    },
}

fn parameters(known: &[&str]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) }
}

impl LibraryError {
    /// What to do about it, if there is something better than reading the message.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownScene { near, .. } | Self::UnknownParameter { near, .. } => {
                near.map(|near| format!("did you mean `{near}`?"))
            }
            _ => None,
        }
    }

    pub(crate) fn unknown_scene(name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let known: Vec<_> = known.collect();
        let near = nearest(name, known.iter().copied());
        Self::UnknownScene { name: name.to_owned(), near, known }
    }
}

/// A request taken apart, nothing checked yet.
pub(crate) struct Request<'a> {
    /// Before the colon or question mark.
    pub(crate) name: &'a str,
    positional: Option<&'a str>,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Request<'a> {
    /// Takes a request apart; anything is accepted here.
    pub(crate) fn parse(request: &'a str) -> Self {
        let (head, query) = request.split_once('?').unwrap_or((request, ""));
        let (name, positional) = match head.split_once(':') {
            Some((name, positional)) => (name, Some(positional)),
            None => (head, None),
        };
        let pairs = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
            .collect();
        Self { name, positional, pairs }
    }

    /// The arguments, checked against the parameters there are.
    pub(crate) fn arguments(&self, parameters: &'static [Parameter]) -> Result<Arguments<'a>, LibraryError> {
        let scene = self.name;
        let mut values: Vec<(&'static str, &'a str)> = Vec::new();
        let positional = match (self.positional, parameters.first()) {
            (Some(value), Some(first)) => Some((first.name, value)),
            // A scene without parameters: the number after the colon is one it does not know.
            (Some(value), None) => Some((value, "")),
            (None, _) => None,
        };
        for (name, value) in positional.into_iter().chain(self.pairs.iter().copied()) {
            let known = || parameters.iter().map(|parameter| parameter.name);
            let Some(name) = known().find(|known| *known == name) else {
                let near = nearest(name, known());
                let (scene, name) = (scene.to_owned(), name.to_owned());
                return Err(LibraryError::UnknownParameter { scene, name, near, known: known().collect() });
            };
            if values.iter().any(|(given, _)| *given == name) {
                return Err(LibraryError::Twice { scene: scene.to_owned(), name });
            }
            values.push((name, value));
        }
        Ok(Arguments { scene, parameters, values })
    }
}

/// The arguments of a generator: those given, and the defaults of the others.
pub struct Arguments<'a> {
    scene: &'a str,
    parameters: &'static [Parameter],
    values: Vec<(&'static str, &'a str)>,
}

impl<'a> Arguments<'a> {
    /// The text of a parameter.
    fn text(&self, name: &'static str) -> &'a str {
        let given = self.values.iter().find(|(given, _)| *given == name).map(|(_, value)| *value);
        let default = || self.parameters.iter().find(|parameter| parameter.name == name);
        given.or_else(|| default().map(|parameter| parameter.default)).unwrap_or("")
    }

    /// Does the scene take such a parameter?
    pub(crate) fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == name)
    }

    /// An error about a parameter.
    #[must_use]
    pub fn bad(&self, name: &'static str, reason: impl Into<String>) -> LibraryError {
        let (scene, value) = (self.scene.to_owned(), self.text(name).to_owned());
        LibraryError::BadValue { scene, name, value, reason: reason.into() }
    }

    /// A whole number within a range.
    ///
    /// # Errors
    /// If it is no such number.
    pub fn count(&self, name: &'static str, range: RangeInclusive<usize>) -> Result<usize, LibraryError> {
        let value = self.text(name).parse::<usize>().map_err(|_| self.bad(name, "is not a whole number"))?;
        if range.contains(&value) {
            Ok(value)
        } else {
            Err(self.bad(name, format!("is not between {} and {}", range.start(), range.end())))
        }
    }

    /// A number within a range.
    ///
    /// # Errors
    /// If it is no such number.
    pub fn number(&self, name: &'static str, range: RangeInclusive<f32>) -> Result<f32, LibraryError> {
        let value = self.text(name).parse::<f32>().map_err(|_| self.bad(name, "is not a number"))?;
        if range.contains(&value) {
            Ok(value)
        } else {
            Err(self.bad(name, format!("is not between {} and {}", range.start(), range.end())))
        }
    }

    /// A number with more digits within a range.
    ///
    /// # Errors
    /// If it is no such number.
    pub fn number_f64(&self, name: &'static str, range: RangeInclusive<f64>) -> Result<f64, LibraryError> {
        let value = self.text(name).parse::<f64>().map_err(|_| self.bad(name, "is not a number"))?;
        if range.contains(&value) {
            Ok(value)
        } else {
            Err(self.bad(name, format!("is not between {} and {}", range.start(), range.end())))
        }
    }

    /// A seed: any 64-bit number, decimal or hexadecimal (`0x…`).
    ///
    /// # Errors
    /// If it is no such number.
    pub fn seed(&self, name: &'static str) -> Result<u64, LibraryError> {
        let text = self.text(name);
        let value = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        value.map_err(|_| self.bad(name, "is not a 64-bit number"))
    }

    /// One of several words.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn choice(&self, name: &'static str, words: &[&'static str]) -> Result<&'static str, LibraryError> {
        let text = self.text(name);
        words
            .iter()
            .copied()
            .find(|word| *word == text)
            .ok_or_else(|| self.bad(name, format!("is not one of {}", words.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: &[Parameter] = &[
        Parameter { name: "n", default: "1000", meaning: "" },
        Parameter { name: "seed", default: "0xff", meaning: "" },
        Parameter { name: "walls", default: "tiles", meaning: "" },
    ];

    fn arguments(request: &str) -> Result<Arguments<'_>, LibraryError> {
        Request::parse(request).arguments(PARAMETERS)
    }

    #[test]
    fn given_values_win_over_defaults() {
        let given = arguments("box:12?walls=slabs").unwrap();
        assert_eq!(given.count("n", 1..=100), Ok(12));
        assert_eq!(given.seed("seed"), Ok(255));
        assert_eq!(given.choice("walls", &["tiles", "slabs"]), Ok("slabs"));
        assert_eq!(arguments("box?n=7&").unwrap().count("n", 1..=100), Ok(7));
    }

    #[test]
    fn mistakes_are_named() {
        let error = arguments("box?sede=1").map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "scene `box` has no parameter `sede`; it has n, seed, walls");
        assert_eq!(error.hint().as_deref(), Some("did you mean `seed`?"));
        let error = arguments("box:5?n=6").map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "scene `box`: parameter `n` is given twice");
        let error = arguments("box:many").unwrap().count("n", 1..=10).unwrap_err();
        assert_eq!(error.to_string(), "scene `box`: n = `many` is not a whole number");
        let error = arguments("box:11").unwrap().count("n", 1..=10).unwrap_err();
        assert_eq!(error.to_string(), "scene `box`: n = `11` is not between 1 and 10");
        let error = arguments("box:NaN").unwrap().number("n", 0.0..=10.0).unwrap_err();
        assert_eq!(error.to_string(), "scene `box`: n = `NaN` is not between 0 and 10");
        let error = Request::parse("cradle:5").arguments(&[]).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "scene `cradle` has no parameter `5`; it has none");
    }
}
