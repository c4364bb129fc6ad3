//! An exact kinetic sorted list for the tests: which endpoints of boxes cross when, in rational
//! numbers.
//!
//! It follows the textbook and nothing else: keep the endpoints of one axis sorted; find the
//! earliest time at which two neighbours meet; all endpoints that share that value then form one
//! event (simple if they are two, multiple if more) and leave it ordered by velocity, which is
//! their order an instant later. Every step looks at the whole list, so it is far too slow for
//! anything but a handful of objects.

use carom_planar::PlanarScene;

/// An exact fraction with positive denominator, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    pub(crate) fn new(numerator: i128, denominator: i128) -> Self {
        assert_ne!(denominator, 0);
        let divisor = gcd(numerator.abs(), denominator.abs()).max(1) * denominator.signum();
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// A number of halves, quarters … as scenes have them; anything finer is no test scene of ours.
    pub(crate) fn of(value: f64) -> Self {
        let scaled = value * 1024.0;
        assert_eq!(scaled, scaled.trunc(), "{value} is not a multiple of 1/1024");
        Self::new(scaled as i128, 1024)
    }

    fn plus(self, other: Self) -> Self {
        Self::new(
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self { numerator: -other.numerator, ..other })
    }

    fn times(self, other: Self) -> Self {
        Self::new(self.numerator * other.numerator, self.denominator * other.denominator)
    }

    fn over(self, other: Self) -> Self {
        Self::new(self.numerator * other.denominator, self.denominator * other.numerator)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// One side of a box on one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint {
    pub(crate) object: usize,
    pub(crate) is_upper: bool,
    /// Value at time zero.
    pub(crate) start: Ratio,
    pub(crate) velocity: Ratio,
}

impl Endpoint {
    fn at(&self, time: Ratio) -> Ratio {
        self.start.plus(self.velocity.times(time))
    }
}

/// Endpoints that meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) time: Ratio,
    pub(crate) axis: usize,
    /// Place of the first of them in the sorted list.
    pub(crate) first: usize,
    /// Which ones, in their order before the event.
    pub(crate) endpoints: Vec<Endpoint>,
}

impl Event {
    pub(crate) fn is_multiple(&self) -> bool {
        self.endpoints.len() > 2
    }

    /// The objects involved, ascending.
    pub(crate) fn objects(&self) -> Vec<usize> {
        let mut objects: Vec<usize> = self.endpoints.iter().map(|e| e.object).collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }
}

/// All events of one axis after `from` and not after `to`, and the final order.
pub(crate) fn run_axis(
    axis: usize,
    mut list: Vec<Endpoint>,
    from: Ratio,
    to: Ratio,
) -> (Vec<Event>, Vec<Endpoint>) {
    let mut events = Vec::new();
    list.sort_by_key(|e| (e.at(from), e.velocity));
    let mut now = from;
    while let Some(time) = next_meeting(&list, now).filter(|t| *t <= to) {
        let mut first = 0;
        while first < list.len() {
            let value = list[first].at(time);
            let length = list[first..].iter().take_while(|e| e.at(time) == value).count();
            let run = &mut list[first..first + length];
            let before = run.to_vec();
            run.sort_by_key(|e| e.velocity);
            if before != run {
                events.push(Event { time, axis, first, endpoints: before });
            }
            first += length;
        }
        now = time;
    }
    (events, list)
}

/// The earliest time after `now` at which neighbours meet that approach each other.
fn next_meeting(list: &[Endpoint], now: Ratio) -> Option<Ratio> {
    list.windows(2)
        .filter(|pair| pair[0].velocity > pair[1].velocity)
        .map(|pair| pair[1].start.minus(pair[0].start).over(pair[0].velocity.minus(pair[1].velocity)))
        .filter(|time| *time > now)
        .min()
}

/// The endpoints of a scene on one axis, lower before upper, object by object.
pub(crate) fn endpoints(scene: &PlanarScene, axis: usize) -> Vec<Endpoint> {
    let mut list = Vec::new();
    for (object, item) in scene.objects.iter().enumerate() {
        let bounds = item.aabb_at(0.0).unwrap();
        for (is_upper, corner) in [(false, bounds.min), (true, bounds.max)] {
            let velocity = Ratio::of(item.velocity[axis]);
            list.push(Endpoint { object, is_upper, start: Ratio::of(corner[axis]), velocity });
        }
    }
    list
}

/// All events of a scene in order of time, then axis, then place.
pub(crate) fn events(scene: &PlanarScene) -> Vec<Event> {
    let [from, to] = scene.time.map(Ratio::of);
    let mut events: Vec<Event> =
        (0..2).flat_map(|axis| run_axis(axis, endpoints(scene, axis), from, to).0).collect();
    events.sort_by_key(|e| (e.time, e.axis, e.first));
    events
}

/// The worked example of the study: times 1, 3/2, 3 (multiple) and 6, and the list after each.
#[test]
fn the_worked_example_comes_out() {
    let end = |object, is_upper, start, velocity| Endpoint {
        object,
        is_upper,
        start: Ratio::new(start, 1),
        velocity,
    };
    let (one, none, third) = (Ratio::new(1, 1), Ratio::new(0, 1), Ratio::new(-1, 3));
    let list = vec![
        end(0, false, -3, one),
        end(0, true, 2, one),
        end(1, false, 0, none),
        end(1, true, 3, none),
        end(2, false, -1, third),
        end(2, true, 1, third),
    ];
    let names = |list: &[Endpoint]| -> Vec<String> {
        list.iter().map(|e| format!("{}{}", if e.is_upper { 'q' } else { 'p' }, e.object)).collect()
    };
    let (events, last) = run_axis(0, list.clone(), none, Ratio::new(10, 1));
    let found: Vec<_> = events.iter().map(|e| (e.time, e.first, names(&e.endpoints).join(" "))).collect();
    let expected = [
        (Ratio::new(1, 1), 4, "q0 q1".to_owned()),
        (Ratio::new(3, 2), 0, "p0 p2".to_owned()),
        (Ratio::new(3, 1), 1, "p0 p1 q2".to_owned()),
        (Ratio::new(6, 1), 3, "p0 q1".to_owned()),
    ];
    assert_eq!(found, expected);
    assert_eq!(names(&last), ["p2", "q2", "p1", "q1", "p0", "q0"]);
    let (none_yet, first) = run_axis(0, list, none, none);
    assert!(none_yet.is_empty());
    assert_eq!(names(&first), ["p0", "p2", "p1", "q2", "q0", "q1"]);
}

/// The middle of three has two meetings ahead; the second one must be found anew after the first.
#[test]
fn a_stale_meeting_does_not_happen() {
    let end = |object, start, velocity| Endpoint {
        object,
        is_upper: false,
        start: Ratio::new(start, 1),
        velocity: Ratio::new(velocity, 1),
    };
    let list = vec![end(0, 0, 3), end(1, 1, 1), end(2, 2, 0)];
    let (events, _) = run_axis(0, list, Ratio::new(0, 1), Ratio::new(10, 1));
    let found: Vec<_> = events.iter().map(|e| (e.time, e.objects())).collect();
    let expected =
        [(Ratio::new(1, 2), vec![0, 1]), (Ratio::new(2, 3), vec![0, 2]), (Ratio::new(1, 1), vec![1, 2])];
    assert_eq!(found, expected);
}
