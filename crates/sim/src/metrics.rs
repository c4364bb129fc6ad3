//! What a simulation counts and times: a schema, and values in its order.
//!
//! Which metrics there are is the simulation's to say; whoever shows or stores them goes through
//! the schema. A key is a metric's name in JSON and CSV, a label the one in tables.

use std::borrow::Cow;
use std::time::Duration;

/// What kind of number a metric is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// A count; the same on every machine.
    Count,
    /// Computing time.
    Time,
    /// A quantity with a unit.
    Quantity,
}

/// What a metric belongs to, which says where it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricGroup {
    /// Times of the stages of a step, in the order they happen. Together they are the step.
    Stages,
    /// Counts of a step.
    Counts,
    /// Work of the broad phase.
    BroadPhase,
    /// Tests of the narrow phase and their times, by kind of pair.
    PairKinds,
}

/// One metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Name in files; unique among the metrics of one group and kind.
    pub key: Cow<'static, str>,
    /// Name in tables.
    pub label: Cow<'static, str>,
    /// Unit, such as `s` or `J`; empty for counts.
    pub unit: Cow<'static, str>,
    /// What kind of number it is.
    pub kind: MetricKind,
    /// Where it belongs.
    pub group: MetricGroup,
}

impl Metric {
    /// A count.
    #[must_use]
    pub fn count(group: MetricGroup, key: &'static str, label: &'static str) -> Self {
        Self { key: key.into(), label: label.into(), unit: "".into(), kind: MetricKind::Count, group }
    }

    /// A computing time.
    #[must_use]
    pub fn time(group: MetricGroup, key: &'static str, label: &'static str) -> Self {
        Self { key: key.into(), label: label.into(), unit: "s".into(), kind: MetricKind::Time, group }
    }
}

/// The metrics of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetricSchema {
    /// In the order of their values.
    pub metrics: Vec<Metric>,
}

impl MetricSchema {
    /// Metrics of a group with their places among the values.
    pub fn group(&self, group: MetricGroup) -> impl Iterator<Item = (usize, &Metric)> + '_ {
        self.metrics.iter().enumerate().filter(move |(_, metric)| metric.group == group)
    }

    /// Place of a metric by its group and key; of the first kind if there are several.
    #[must_use]
    pub fn position(&self, group: MetricGroup, key: &str) -> Option<usize> {
        self.group(group).find(|(_, metric)| metric.key == key).map(|(at, _)| at)
    }

    /// A zero of the right kind for each metric.
    #[must_use]
    pub fn zeros(&self) -> Vec<MetricValue> {
        let mut values = Vec::new();
        self.zeros_into(&mut values);
        values
    }

    /// The same into a buffer of the caller.
    pub fn zeros_into(&self, values: &mut Vec<MetricValue>) {
        values.clear();
        values.extend(self.metrics.iter().map(|metric| MetricValue::zero(metric.kind)));
    }
}

/// The value of a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetricValue {
    /// A count.
    Count(u64),
    /// Computing time.
    Time(Duration),
    /// A quantity in the metric's unit.
    Quantity(f64),
}

impl MetricValue {
    /// Zero of a kind.
    #[must_use]
    pub fn zero(kind: MetricKind) -> Self {
        match kind {
            MetricKind::Count => Self::Count(0),
            MetricKind::Time => Self::Time(Duration::ZERO),
            MetricKind::Quantity => Self::Quantity(0.0),
        }
    }

    /// Adds a value of the same kind; one of another kind is ignored.
    pub fn add(&mut self, other: Self) {
        match (self, other) {
            (Self::Count(sum), Self::Count(value)) => *sum += value,
            (Self::Time(sum), Self::Time(value)) => *sum += value,
            (Self::Quantity(sum), Self::Quantity(value)) => *sum += value,
            _ => {}
        }
    }

    /// A count; 0 for other kinds.
    #[must_use]
    pub fn as_count(self) -> u64 {
        if let Self::Count(count) = self { count } else { 0 }
    }

    /// A computing time; zero for other kinds.
    #[must_use]
    pub fn as_time(self) -> Duration {
        if let Self::Time(time) = self { time } else { Duration::ZERO }
    }
}

impl From<u64> for MetricValue {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<u32> for MetricValue {
    fn from(count: u32) -> Self {
        Self::Count(count.into())
    }
}

impl From<Duration> for MetricValue {
    fn from(time: Duration) -> Self {
        Self::Time(time)
    }
}

/// Adds values to sums, place by place.
pub fn add_all(sums: &mut [MetricValue], values: &[MetricValue]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| sum.add(*value));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_add_up_by_kind() {
        let schema = MetricSchema {
            metrics: vec![
                Metric::time(MetricGroup::Stages, "broad", "broad phase"),
                Metric::count(MetricGroup::Counts, "contacts", "contacts"),
            ],
        };
        let mut sums = schema.zeros();
        for _ in 0..3 {
            add_all(&mut sums, &[Duration::from_nanos(5).into(), 2u64.into()]);
        }
        assert_eq!((sums[0].as_time(), sums[1].as_count()), (Duration::from_nanos(15), 6));
        assert_eq!((sums[0].as_count(), sums[1].as_time()), (0, Duration::ZERO));
        assert_eq!(schema.position(MetricGroup::Counts, "contacts"), Some(1));
        assert_eq!(schema.position(MetricGroup::Stages, "contacts"), None);
    }
}
