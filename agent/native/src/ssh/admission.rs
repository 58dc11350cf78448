//! Limits of connected clients. A client that has not signed in counts against its address; a signed-in hub does not.

use super::source::Source;
use super::visitor::Visitor;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Maximum number of connections that have not signed in, in total and from one address.
const MAX_UNPROVED: usize = 512;
const MAX_UNPROVED_OF_SOURCE: usize = 256;
/// Maximum number of signed-in connections. A hub keeps one; a few more may be left over from restarts.
const MAX_SIGNED_IN: usize = 64;
/// Maximum number of connections accepted in a second and in one turn, which limits their CPU time. The others wait in the kernel's queue.
const ACCEPTED_PER_SECOND: u32 = 2000;
const ACCEPTED_PER_TURN: u32 = 32;
/// Pause of accepting after the process ran out of descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Minimum interval of the log lines about refused keys, for each address.
const REFUSAL_PAUSE: Duration = Duration::from_secs(60);
const MAX_REMEMBERED_REFUSALS: usize = 1000;

/// Returns the client to evict before a connection from `source` is accepted; `None` below the limits.
pub fn to_evict(visitors: &BTreeMap<u64, Visitor>, source: Source) -> Option<u64> {
    // Ids increase, so the first is the oldest.
    let unproved = || visitors.iter().filter(|(_, visitor)| visitor.is_unproved());
    let mut same = unproved().filter(|(_, visitor)| visitor.source == source);
    if let Some((&oldest, _)) = same.next()
        && same.count() + 1 >= MAX_UNPROVED_OF_SOURCE
    {
        return Some(oldest);
    }
    let mut all = unproved();
    let (&oldest, _) = all.next()?;
    (all.count() + 1 >= MAX_UNPROVED).then_some(oldest)
}

/// Returns the signed-in client to evict when there are too many: the one that was silent for longest.
pub fn surplus_hub(visitors: &BTreeMap<u64, Visitor>) -> Option<u64> {
    let signed_in = || visitors.iter().filter(|(_, visitor)| !visitor.is_unproved());
    if signed_in().count() <= MAX_SIGNED_IN {
        return None;
    }
    signed_in().min_by_key(|(_, visitor)| visitor.silent_at()).map(|(&id, _)| id)
}

/// Rate limit of accepting connections.
pub struct AcceptPace {
    left: u32,
    renewed_at: Instant,
    paused_until: Instant,
}

impl AcceptPace {
    const PERIOD: Duration = Duration::from_millis(50);
    const PER_PERIOD: u32 = ACCEPTED_PER_SECOND / 20;

    pub const fn new(now: Instant) -> Self {
        Self { left: Self::PER_PERIOD, renewed_at: now, paused_until: now }
    }

    /// Returns the number of connections that may be accepted in this turn.
    pub fn allowance(&mut self, now: Instant) -> u32 {
        if now >= self.renewed_at + Self::PERIOD {
            self.left = Self::PER_PERIOD;
            self.renewed_at = now;
        }
        if now < self.paused_until { 0 } else { self.left.min(ACCEPTED_PER_TURN) }
    }

    pub const fn count_one(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// Stops accepting for a while.
    pub fn pause(&mut self, now: Instant) {
        self.paused_until = now + ACCEPT_PAUSE;
    }

    /// Returns when accepting can resume; `None` for now.
    pub fn resumes_at(&self, now: Instant) -> Option<Instant> {
        let renewed = if self.left > 0 { now } else { self.renewed_at + Self::PERIOD };
        Some(renewed.max(self.paused_until)).filter(|&at| at > now)
    }
}

/// Addresses whose refusals were logged recently.
#[derive(Default)]
pub struct RefusalLog {
    told: BTreeMap<Source, Instant>,
}

impl RefusalLog {
    /// True when a refusal shall be logged now. The address is then noted.
    pub fn tells(&mut self, source: Source, now: Instant) -> bool {
        if self.told.len() >= MAX_REMEMBERED_REFUSALS {
            self.told.retain(|_, at| now < *at + REFUSAL_PAUSE);
        }
        let is_known = self.told.get(&source).is_some_and(|&at| now < at + REFUSAL_PAUSE);
        if is_known || self.told.len() >= MAX_REMEMBERED_REFUSALS {
            return false;
        }
        self.told.insert(source, now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn source(address: &str) -> Source {
        Source::of(Some(address.parse().unwrap()))
    }

    #[test]
    fn a_source_is_an_address_and_of_ipv6_a_network() {
        assert_eq!(source("::ffff:10.0.0.1"), source("10.0.0.1"));
        assert_ne!(source("10.0.0.1"), source("10.0.0.2"));
        assert_eq!(source("2001:db8::1"), source("2001:db8::ffff:0:0:1"));
        assert_ne!(source("2001:db8:0:1::1"), source("2001:db8:0:2::1"));
    }

    #[test]
    fn connections_beyond_the_pace_wait() {
        let now = Instant::now();
        let mut pace = AcceptPace::new(now);
        let mut accepted = 0;
        while pace.resumes_at(now).is_none() {
            for _ in 0..pace.allowance(now) {
                pace.count_one();
                accepted += 1;
            }
        }
        assert_eq!(accepted, AcceptPace::PER_PERIOD);
        let later = pace.resumes_at(now).unwrap();
        assert_eq!((pace.allowance(later), pace.resumes_at(later)), (ACCEPTED_PER_TURN, None));
        pace.pause(later);
        assert_eq!((pace.allowance(later), pace.resumes_at(later)), (0, Some(later + ACCEPT_PAUSE)));
    }

    #[test]
    fn a_refusal_is_told_of_once_a_minute_and_address() {
        let (now, mut log) = (Instant::now(), RefusalLog::default());
        assert!(log.tells(source("10.0.0.1"), now) && !log.tells(source("10.0.0.1"), now) && log.tells(source("10.0.0.2"), now));
        assert!(!log.tells(source("10.0.0.1"), now + REFUSAL_PAUSE / 2) && log.tells(source("10.0.0.1"), now + REFUSAL_PAUSE));
        let flood =
            |log: &mut RefusalLog| (0..5000_u32).filter(|&n| log.tells(Source::Network(IpAddr::from(n.to_be_bytes())), now)).count();
        assert!(flood(&mut log) < 5000 && log.told.len() <= MAX_REMEMBERED_REFUSALS);
    }
}
