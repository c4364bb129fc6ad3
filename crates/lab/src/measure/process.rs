//! Processor time, memory and processors of this process, where the system tells; elsewhere
//! nothing, and never an error.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Processors to stay on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pin {
    /// As many as there are threads, the last ones: the first processors of most machines answer
    /// the interrupts.
    Auto,
    /// As many as there are threads, from this one on.
    From(usize),
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.pad("auto"),
            Self::From(first) => write!(f, "{first}"),
        }
    }
}

impl FromStr for Pin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            number => number
                .parse()
                .map(Self::From)
                .map_err(|_| format!("'{number}' is no processor: expected auto or a number from 0")),
        }
    }
}

/// Which of the allowed processors a pin means for some threads; `None` if there are not so many.
fn chosen(pin: Pin, threads: u16, allowed: &[usize]) -> Option<Vec<usize>> {
    let threads = usize::from(threads.max(1));
    match pin {
        Pin::Auto => allowed.len().checked_sub(threads).map(|from| allowed[from..].to_vec()),
        Pin::From(first) => {
            let wanted: Vec<usize> = (first..first.checked_add(threads)?).collect();
            wanted.iter().all(|cpu| allowed.contains(cpu)).then_some(wanted)
        }
    }
}

/// Keeps this thread, and those that it starts from now on, on some processors. Returns which; none
/// if that is not possible here.
#[cfg(target_os = "linux")]
#[must_use]
pub fn pin(pin: Pin, threads: u16) -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let allowed = allowed_processors();
    let Some(chosen) = chosen(pin, threads, &allowed) else { return Vec::new() };
    let mut set = CpuSet::new();
    chosen.iter().for_each(|&cpu| set.set(cpu));
    if sched_setaffinity(None, &set).is_ok() { chosen } else { Vec::new() }
}

/// Keeps this thread, and those that it starts from now on, on some processors. Returns which; none
/// if that is not possible here.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn pin(pin: Pin, threads: u16) -> Vec<usize> {
    let _ = chosen(pin, threads, &[]);
    Vec::new()
}

/// Processors that this process may use, as it was started.
#[cfg(target_os = "linux")]
fn allowed_processors() -> Vec<usize> {
    use std::sync::OnceLock;

    use rustix::thread::{CpuSet, sched_getaffinity};
    // Asked once: pinning changes the answer, and the next run may want other processors.
    static ALLOWED: OnceLock<Vec<usize>> = OnceLock::new();
    let ask = || {
        let set = sched_getaffinity(None);
        set.map_or_else(|_| Vec::new(), |set| (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect())
    };
    ALLOWED.get_or_init(ask).clone()
}

/// Time that this process has had on all processors together.
#[cfg(unix)]
#[must_use]
pub fn processor_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

/// Time that this process has had on all processors together.
#[cfg(not(unix))]
#[must_use]
pub fn processor_time() -> Option<Duration> {
    None
}

/// Highest memory of this process so far, bytes.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib: u64 = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?
        .split_whitespace()
        .next()?
        .parse()
        .ok()?;
    Some(kib * 1024)
}

/// Mean number of processes that wanted to run, over the last minute.
#[must_use]
pub fn load_average() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_read_and_mean_allowed_processors() {
        assert_eq!("auto".parse(), Ok(Pin::Auto));
        assert_eq!("3".parse(), Ok(Pin::From(3)));
        assert!("-1".parse::<Pin>().unwrap_err().contains("'-1' is no processor"));
        for pin in [Pin::Auto, Pin::From(7)] {
            assert_eq!(pin.to_string().parse(), Ok(pin));
        }
        let allowed = [0, 1, 4, 5];
        assert_eq!(chosen(Pin::Auto, 1, &allowed), Some(vec![5]));
        assert_eq!(chosen(Pin::Auto, 3, &allowed), Some(vec![1, 4, 5]));
        assert_eq!(chosen(Pin::Auto, 5, &allowed), None);
        assert_eq!(chosen(Pin::From(0), 2, &allowed), Some(vec![0, 1]));
        assert_eq!(chosen(Pin::From(1), 2, &allowed), None, "2 is not allowed");
        assert_eq!(chosen(Pin::From(usize::MAX), 2, &allowed), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn work_takes_processor_time_and_memory_is_known() {
        let before = processor_time().unwrap();
        let mut sum = 0u64;
        while processor_time().unwrap() == before {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(processor_time().unwrap() > before);
        assert!(peak_memory().unwrap() > 100_000);
        assert!(load_average().unwrap() >= 0.0);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_pinned_thread_stays_where_it_was_put() {
        // On a thread of its own: the others of this process keep their processors.
        let pinned = std::thread::spawn(|| {
            let pinned = pin(Pin::Auto, 1);
            let now = rustix::thread::sched_getaffinity(None).unwrap();
            assert_eq!((pinned.len(), now.count()), (1, 1));
            assert!(now.is_set(pinned[0]));
            pin(Pin::From(usize::MAX - 9), 1)
        });
        assert!(pinned.join().unwrap().is_empty(), "what is not possible is said");
    }
}
