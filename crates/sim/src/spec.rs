//! Simulations with settings as text: `soft-step@substeps=8,threads=2`, `bullet@dt=1/240`.
//!
//! Several instances of one engine with different settings are told apart by this text. A spec only
//! splits it; what keys there are and what their values mean is the factory's to say.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Most steps per simulated second.
pub const MAX_STEPS_PER_SECOND: u32 = 1_000_000;

/// A setting that a simulation cannot take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is no such setting.
    #[error("the simulation {simulation} has no setting '{key}': it has {}", known.join(", "))]
    Unknown {
        /// The simulation.
        simulation: String,
        /// Key as given.
        key: String,
        /// Keys there are.
        known: Vec<&'static str>,
    },
    /// A value that is no good.
    #[error("setting '{key}' is '{value}': {problem}")]
    Value {
        /// Key.
        key: String,
        /// Value as given.
        value: String,
        /// What is wrong, or what would do.
        problem: String,
    },
}

/// Settings by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(BTreeMap<String, String>);

impl Settings {
    /// Sets a value.
    pub fn set(&mut self, key: impl Into<String>, value: &(impl ToString + ?Sized)) {
        self.0.insert(key.into(), value.to_string());
    }

    /// The same with everything that `other` says, which wins.
    #[must_use]
    pub fn overridden_by(mut self, other: &Self) -> Self {
        self.0.extend(other.iter().map(|(key, value)| (key.to_owned(), value.to_owned())));
        self
    }

    /// A value as text.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// All of them, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> + '_ {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Is nothing set?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A value read as a type that says itself what is wrong.
    ///
    /// # Errors
    /// If the value is no good.
    pub fn parse<T: FromStr<Err: fmt::Display>>(&self, key: &str) -> Result<Option<T>, SettingError> {
        let read = |value: &str| {
            value.parse().map_err(|error: T::Err| SettingError::Value {
                key: key.to_owned(),
                value: value.to_owned(),
                problem: error.to_string(),
            })
        };
        self.text(key).map(read).transpose()
    }

    /// A whole number in a range.
    ///
    /// # Errors
    /// If it is none, or outside.
    pub fn whole(&self, key: &str, range: [u32; 2]) -> Result<Option<u32>, SettingError> {
        let Some(value) = self.text(key) else { return Ok(None) };
        let found = value.parse().ok().filter(|number| (range[0]..=range[1]).contains(number));
        found.map(Some).ok_or_else(|| SettingError::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            problem: format!("expected a whole number from {} to {}", range[0], range[1]),
        })
    }

    /// Checks that a value, if there is one, is among those that a simulation has.
    ///
    /// # Errors
    /// If it is not.
    pub fn only(&self, key: &str, simulation: &str, values: &[&str]) -> Result<(), SettingError> {
        match self.text(key) {
            Some(value) if !values.contains(&value) => Err(SettingError::Value {
                key: key.to_owned(),
                value: value.to_owned(),
                problem: format!(
                    "it does not go with the solver {simulation}, which has {}",
                    values.join(", ")
                ),
            }),
            _ => Ok(()),
        }
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// If it is neither.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, SettingError> {
        let Some(value) = self.text(key) else { return Ok(None) };
        value.parse().map(Some).map_err(|_| SettingError::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            problem: "expected true or false".to_owned(),
        })
    }

    /// Steps per second from the length of a step: `1/240`, or seconds that are one divided by a
    /// whole number.
    ///
    /// # Errors
    /// If it is no such length.
    pub fn steps_per_second(&self, key: &str) -> Result<Option<u32>, SettingError> {
        let Some(value) = self.text(key) else { return Ok(None) };
        let rate = match value.strip_prefix("1/") {
            Some(rate) => rate.parse().ok(),
            None => value.parse::<f64>().ok().and_then(|dt| {
                let rate = (1.0 / dt).round();
                let is_whole = rate >= 1.0 && (rate * dt - 1.0).abs() < 1e-6;
                is_whole.then_some(rate as u32)
            }),
        };
        let found = rate.filter(|rate| (1..=MAX_STEPS_PER_SECOND).contains(rate));
        found.map(Some).ok_or_else(|| SettingError::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            problem: format!("expected 1/N seconds with N from 1 to {MAX_STEPS_PER_SECOND}"),
        })
    }

    /// Checks that all keys are among those of a simulation.
    ///
    /// # Errors
    /// If one is not.
    pub fn check_keys(&self, simulation: &str, known: &[&'static str]) -> Result<(), SettingError> {
        match self.0.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => Err(SettingError::Unknown {
                simulation: simulation.to_owned(),
                key: key.clone(),
                known: known.to_vec(),
            }),
        }
    }
}

/// A simulation by name, with settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimulationSpec {
    /// Name in the registry.
    pub name: String,
    /// Settings that differ from what the scene says.
    pub settings: Settings,
}

impl SimulationSpec {
    /// A simulation with the settings of the scene.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), settings: Settings::default() }
    }
}

impl fmt::Display for SimulationSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.settings.is_empty() {
            return f.pad(&self.name);
        }
        let settings: Vec<String> =
            self.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        f.pad(&format!("{}@{}", self.name, settings.join(",")))
    }
}

/// A text that is no spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nothing before the settings.
    #[error("'{0}' names no simulation: expected NAME or NAME@KEY=VALUE,KEY=VALUE")]
    NoName(String),
    /// A setting without a value.
    #[error("'{setting}' in '{spec}' is no setting: expected KEY=VALUE")]
    NoValue {
        /// The whole text.
        spec: String,
        /// The part.
        setting: String,
    },
    /// A setting given twice.
    #[error("'{key}' is set twice in '{spec}'")]
    Twice {
        /// The whole text.
        spec: String,
        /// The key.
        key: String,
    },
}

impl FromStr for SimulationSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, rest) = text.split_once('@').unwrap_or((text, ""));
        let name = name.trim();
        if name.is_empty() {
            return Err(SpecError::NoName(text.to_owned()));
        }
        let mut settings = Settings::default();
        for setting in rest.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            let (key, value) = setting
                .split_once('=')
                .map(|(key, value)| (key.trim(), value.trim()))
                .filter(|(key, value)| !key.is_empty() && !value.is_empty())
                .ok_or_else(|| SpecError::NoValue { spec: text.to_owned(), setting: setting.to_owned() })?;
            if settings.text(key).is_some() {
                return Err(SpecError::Twice { spec: text.to_owned(), key: key.to_owned() });
            }
            settings.set(key, value);
        }
        Ok(Self { name: name.to_owned(), settings })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_back() {
        for text in ["soft-step", "soft-step@substeps=8,threads=2", "bullet@dt=1/240"] {
            assert_eq!(text.parse::<SimulationSpec>().unwrap().to_string(), text);
        }
        let spaced: SimulationSpec = "x @ a = 1 , broad = grid?cell=2&leaf=3 ,".parse().unwrap();
        assert_eq!(spaced.to_string(), "x@a=1,broad=grid?cell=2&leaf=3");
    }

    #[test]
    fn what_is_no_spec_is_refused_with_its_place() {
        let error = |text: &str| text.parse::<SimulationSpec>().unwrap_err().to_string();
        assert_eq!(error("@a=1"), "'@a=1' names no simulation: expected NAME or NAME@KEY=VALUE,KEY=VALUE");
        assert_eq!(error("x@a"), "'a' in 'x@a' is no setting: expected KEY=VALUE");
        assert_eq!(error("x@a=1,a=2"), "'a' is set twice in 'x@a=1,a=2'");
    }

    #[test]
    fn values_are_read_by_type_and_errors_say_what_would_do() {
        let spec: SimulationSpec = "x@n=8,sleep=maybe,dt=1/240,slow=0.005,odd=0.3".parse().unwrap();
        let settings = spec.settings;
        assert_eq!(settings.whole("n", [1, 8]), Ok(Some(8)));
        assert_eq!(settings.whole("missing", [1, 8]), Ok(None));
        let error = settings.whole("n", [1, 4]).unwrap_err().to_string();
        assert_eq!(error, "setting 'n' is '8': expected a whole number from 1 to 4");
        assert!(settings.flag("sleep").is_err());
        assert_eq!(settings.steps_per_second("dt"), Ok(Some(240)));
        assert_eq!(settings.steps_per_second("slow"), Ok(Some(200)));
        assert!(settings.steps_per_second("odd").is_err());
        let error = settings.check_keys("x", &["dt", "n"]).unwrap_err().to_string();
        assert_eq!(error, "the simulation x has no setting 'odd': it has dt, n");
    }
}
