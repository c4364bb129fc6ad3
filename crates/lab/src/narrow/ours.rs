//! The methods of this engine, and its batches.

use carom_narrowphase::sat::Tolerances;
use carom_narrowphase::{Manifold, NarrowMethod, pair};

use super::batched::Batched;
use super::contestant::NO_CONTACT;
use super::{Contestant, Question, Start, Task};

/// One of our methods.
struct Ours {
    method: NarrowMethod,
    cache: pair::PairCache,
    scratch: pair::Scratch,
    contact: Manifold,
}

/// All of them, the batches last.
#[must_use]
pub fn all() -> Vec<Box<dyn Contestant>> {
    let ours = |method| -> Box<dyn Contestant> {
        Box::new(Ours {
            method,
            cache: pair::PairCache::default(),
            scratch: pair::Scratch::default(),
            contact: Manifold::default(),
        })
    };
    let mut all: Vec<Box<dyn Contestant>> = NarrowMethod::ALL.into_iter().map(ours).collect();
    all.push(Box::new(Batched::new(false)));
    all.push(Box::new(Batched::new(true)));
    all
}

impl Ours {
    fn ask(&mut self, task: &Task, place: &carom_geometry::Pose) -> Option<f32> {
        let (a, b, method) = (&task.a, &task.b, self.method);
        let cache = &mut self.cache;
        Some(match task.question {
            Question::Distance => {
                let found = pair::proximity(a, b, place, f32::INFINITY, method, cache).ok()?;
                found.map_or(NO_CONTACT, |found| found.distance)
            }
            Question::Depth => {
                let found = pair::proximity(a, b, place, task.margin, method, cache).ok()?;
                found.map_or(NO_CONTACT, |found| found.distance)
            }
            Question::Touch => {
                if pair::touches(a, b, place, method, cache).ok()? {
                    -1.0
                } else {
                    1.0
                }
            }
            Question::Manifold => {
                let tolerances = Tolerances { speculative_distance: task.margin, ..Tolerances::default() };
                pair::manifold(a, b, place, tolerances, method, cache, &mut self.scratch, &mut self.contact)
                    .ok()?;
                self.contact.deepest()
            }
        })
    }
}

impl Contestant for Ours {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn take(&mut self, task: &Task) -> bool {
        // MPR knows no distances, separating axes only a bound of them.
        let knows = !(task.question == Question::Distance
            && matches!(self.method, NarrowMethod::Mpr | NarrowMethod::Sat));
        knows && pair::supports(self.method, &task.a, &task.b)
    }

    fn answer(&mut self, task: &Task, answers: &mut [f32]) {
        for (k, (place, answer)) in task.places.iter().zip(answers).enumerate() {
            if task.start == Start::Cold || task.begins_train(k) {
                self.cache.clear();
                self.contact.clear();
            }
            *answer = self.ask(task, place).unwrap_or(f32::NAN);
        }
    }
}
