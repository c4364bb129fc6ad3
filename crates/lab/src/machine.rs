//! The machine that figures come from, and the program that made them: without both, a time means
//! nothing.
//!
//! On Linux the facts are read from `/proc` and `/sys`; elsewhere, and where a file is missing, the
//! answer is "unknown". Compiler and commit are those of the build (`build.rs`).

use std::fs;
use std::thread::available_parallelism;

use serde::{Deserialize, Serialize};

use crate::measure::process::load_average;

const UNKNOWN: &str = "unknown";

/// A machine and a build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Model of the processor.
    pub processor: String,
    /// Cores, without those that only share one; 0 if unknown.
    pub cores: usize,
    /// Threads that this process may run at once.
    pub threads: usize,
    /// Caches of the first processor, such as `L1d 32K`.
    pub caches: Vec<String>,
    /// Memory, MiB; 0 if unknown.
    pub memory_mib: u64,
    /// What decides about the frequency of the processor.
    pub governor: String,
    /// Kind of system and version of its kernel.
    pub system: String,
    /// Load average over the last minute.
    pub load: Option<f64>,
    /// What was built.
    pub build: Build,
}

/// A build of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Version of the package.
    pub version: String,
    /// Commit of the sources.
    pub commit: String,
    /// Did the sources differ from the commit? `None` if nobody knows.
    pub dirty: Option<bool>,
    /// Compiler.
    pub compiler: String,
    /// Target and profile.
    pub target: String,
    /// Features that were switched on.
    pub features: Vec<String>,
}

impl Machine {
    /// This machine, now.
    #[must_use]
    pub fn here() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        Self {
            processor: field(&cpuinfo, "model name").map_or_else(|| UNKNOWN.to_owned(), ToOwned::to_owned),
            cores: cores(&cpuinfo),
            threads: available_parallelism().map_or(1, usize::from),
            caches: caches(),
            memory_mib: memory_mib(&fs::read_to_string("/proc/meminfo").unwrap_or_default()),
            governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            system: format!("{} {}", std::env::consts::OS, line("/proc/sys/kernel/osrelease")),
            load: load_average(),
            build: Build::this(),
        }
    }

    /// Would times of the other be worth comparing with ours? What differs, in words; nothing if it
    /// is the same kind of machine.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let facts = |machine: &Self| {
            [
                ("processor", machine.processor.clone()),
                ("cores", machine.cores.to_string()),
                ("threads", machine.threads.to_string()),
                ("caches", machine.caches.join(", ")),
                ("governor", machine.governor.clone()),
                ("system", machine.system.clone()),
                ("target", machine.build.target.clone()),
            ]
        };
        let pairs = facts(self).into_iter().zip(facts(other));
        let unequal = pairs.filter(|((_, here), (_, there))| here != there);
        unequal.map(|((name, here), (_, there))| format!("{name}: {here} here, {there} there")).collect()
    }

    /// One line for people.
    #[must_use]
    pub fn summary(&self) -> String {
        let build = &self.build;
        let changed = if build.dirty == Some(true) { ", changed" } else { "" };
        format!(
            "{}, {} threads, {}, carom {} ({}{changed}, {})",
            self.processor, self.threads, self.system, build.version, build.commit, build.compiler
        )
    }
}

impl Build {
    /// This program.
    #[must_use]
    pub fn this() -> Self {
        let features = [("peers", cfg!(feature = "peers")), ("debug_assertions", cfg!(debug_assertions))];
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: env!("CAROM_COMMIT").to_owned(),
            dirty: match env!("CAROM_DIRTY") {
                "yes" => Some(true),
                "no" => Some(false),
                _ => None,
            },
            compiler: env!("CAROM_COMPILER").to_owned(),
            target: format!("{}, {}", env!("CAROM_TARGET"), env!("CAROM_PROFILE")),
            features: features.into_iter().filter(|(_, on)| *on).map(|(name, _)| name.to_owned()).collect(),
        }
    }
}

/// The value of a `name : value` line.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}

/// Different pairs of socket and core.
fn cores(cpuinfo: &str) -> usize {
    let mut found: Vec<(&str, &str)> = cpuinfo
        .split("\n\n")
        .filter_map(|processor| Some((field(processor, "physical id")?, field(processor, "core id")?)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.len()
}

fn memory_mib(meminfo: &str) -> u64 {
    let kib =
        field(meminfo, "MemTotal").and_then(|value| value.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

fn caches() -> Vec<String> {
    let cache = |index: u32| {
        let folder = format!("/sys/devices/system/cpu/cpu0/cache/index{index}");
        let size = fs::read_to_string(format!("{folder}/size")).ok()?;
        let kind = match line(&format!("{folder}/type")).as_str() {
            "Data" => "d",
            "Instruction" => "i",
            _ => "",
        };
        Some(format!("L{}{kind} {}", line(&format!("{folder}/level")), size.trim()))
    };
    (0..8).map_while(cache).collect()
}

/// A file of one line.
fn line(path: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let text = text.trim();
    if text.is_empty() { UNKNOWN.to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_CORES_OF_TWO_THREADS: &str = "processor\t: 0\nmodel name\t: Fast 9\nphysical id\t: 0\ncore id\t: 0\n\n\
         processor\t: 1\nphysical id\t: 0\ncore id\t: 1\n\nprocessor\t: 2\nphysical id\t: 0\ncore id\t: 0\n\n\
         processor\t: 3\nphysical id\t: 0\ncore id\t: 1\n\n";

    #[test]
    fn facts_are_read_from_the_files_of_the_system() {
        assert_eq!(cores(TWO_CORES_OF_TWO_THREADS), 2);
        assert_eq!(field(TWO_CORES_OF_TWO_THREADS, "model name"), Some("Fast 9"));
        assert_eq!(memory_mib("MemTotal:       24524376 kB\nMemFree: 1 kB\n"), 23949);
        assert_eq!((cores(""), memory_mib(""), memory_mib("MemTotal: x")), (0, 0, 0));
    }

    #[test]
    fn this_machine_is_like_itself_and_survives_a_file() {
        let here = Machine::here();
        assert!(here.threads >= 1 && !here.processor.is_empty() && !here.governor.is_empty());
        assert!(here.build.compiler.starts_with("rustc "), "{:?}", here.build);
        assert_eq!(here.differences(&here), [""; 0]);
        let text = serde_json::to_string(&here).unwrap();
        assert_eq!(serde_json::from_str::<Machine>(&text).unwrap(), here);
        assert!(here.summary().contains(&here.processor));
    }

    #[test]
    fn another_machine_is_known_by_what_differs() {
        let here = Machine { processor: "Fast 9".into(), cores: 2, ..Machine::default() };
        let there = Machine { processor: "Slow 1".into(), load: Some(9.0), memory_mib: 7, ..here.clone() };
        assert_eq!(here.differences(&there), ["processor: Fast 9 here, Slow 1 there"]);
    }
}
