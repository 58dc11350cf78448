//! The script's timers.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// Maximum delay of a timer, so that the time can be represented.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Pending timers, ordered by time.
#[derive(Default)]
pub struct Timers {
    due: BTreeSet<(Instant, u64)>,
    by_id: HashMap<u64, Instant>,
}

impl Timers {
    /// Sets timer `id` to fire once after `ms`, in place of an earlier time; a negative `ms` cancels.
    pub fn set(&mut self, id: u64, ms: f64) {
        if let Some(earlier) = self.by_id.remove(&id) {
            self.due.remove(&(earlier, id));
        }
        if ms < 0.0 {
            return;
        }
        let at = Instant::now() + Duration::try_from_secs_f64(ms / 1000.0).unwrap_or(LONGEST).min(LONGEST);
        self.by_id.insert(id, at);
        self.due.insert((at, id));
    }

    /// Returns when the next timer is due; `None` without timers.
    pub fn next(&self) -> Option<Instant> {
        self.due.first().map(|&(at, _)| at)
    }

    /// Removes and returns the id of one due timer. Only one at a time, because it may cancel another.
    pub fn take_due(&mut self, now: Instant) -> Option<u64> {
        let &(at, id) = self.due.first()?;
        if at > now {
            return None;
        }
        self.due.remove(&(at, id));
        self.by_id.remove(&id);
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_fire_in_order_and_a_negative_time_cancels() {
        let mut timers = Timers::default();
        timers.set(1, 30.0);
        timers.set(2, 10.0);
        timers.set(3, 20.0);
        timers.set(3, -1.0);
        timers.set(4, f64::INFINITY);
        let later = Instant::now() + Duration::from_millis(100);
        assert_eq!([timers.take_due(later), timers.take_due(later), timers.take_due(later)], [Some(2), Some(1), None]);
        assert!(timers.next().is_some());
    }

    #[test]
    fn a_timer_set_again_fires_at_its_new_time_only() {
        let mut timers = Timers::default();
        timers.set(1, 0.0);
        timers.set(1, 60_000.0);
        assert_eq!(timers.take_due(Instant::now()), None);
        assert_eq!(timers.due.len(), 1);
    }
}
