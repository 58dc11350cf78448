//! Idle connections that are kept for the next requests.

use super::http_request::Target;
use super::transport::LoopTransport;
use crate::readiness::{Interests, Ready};
use std::time::{Duration, Instant};

/// Maximum number of idle connections. An engine gets one request per container at a time.
const MAX_KEPT: usize = 64;
/// Time after which an idle connection is closed. It is above the minute between polls, so that polls reuse connections.
const KEPT: Duration = Duration::from_secs(90);

struct Idle {
    to: Target,
    transport: LoopTransport,
    since: Instant,
}

/// Pool of idle connections, the most recently used last.
#[derive(Default)]
pub struct IdleConnections {
    kept: Vec<Idle>,
}

impl IdleConnections {
    /// Removes and returns the most recently used connection to a destination; `None` without one.
    pub fn take(&mut self, to: &Target) -> Option<LoopTransport> {
        let at = self.kept.iter().rposition(|idle| idle.to == *to)?;
        Some(self.kept.remove(at).transport)
    }

    /// Adds a connection to the pool, and closes those that were idle for too long.
    pub fn give_back(&mut self, to: Target, transport: LoopTransport, now: Instant) {
        self.kept.retain(|idle| now.duration_since(idle.since) < KEPT);
        if self.kept.len() < MAX_KEPT {
            self.kept.push(Idle { to, transport, since: now });
        }
    }

    /// Adds the descriptors to wait for.
    pub fn interests<'fd>(&'fd self, interests: &mut Interests<'fd>) {
        for idle in &self.kept {
            interests.read(&idle.transport);
        }
    }

    /// Closes idle connections that become readable: the peer closed them or sent unexpected data.
    pub fn turn(&mut self, ready: &Ready) {
        self.kept.retain(|idle| !ready.has(&idle.transport));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::transport::Transport;
    use std::os::fd::{AsFd, AsRawFd};
    use std::os::unix::net::UnixListener;

    #[test]
    fn the_latest_used_is_taken_first_and_what_only_a_burst_needed_is_given_up() {
        let path = std::env::temp_dir().join(format!("vedette-idle-{}", std::process::id())).to_string_lossy().into_owned();
        let _listener = UnixListener::bind(&path).unwrap();
        let to = || Target::Unix(path.clone());
        let numbers = |of: &IdleConnections| of.kept.iter().map(|idle| idle.transport.as_fd().as_raw_fd()).collect::<Vec<_>>();
        let mut idle = IdleConnections::default();
        let start = Instant::now();
        let burst: Vec<LoopTransport> = (0..3).map(|_| Transport::unix(&path).unwrap()).collect();
        let fds: Vec<_> = burst.iter().map(|transport| transport.as_fd().as_raw_fd()).collect();
        for transport in burst {
            idle.give_back(to(), transport, start);
        }
        assert_eq!(numbers(&idle), fds);
        assert!(idle.take(&Target::Unix("/elsewhere".into())).is_none());
        for seconds in [60, 120] {
            let used = idle.take(&to()).unwrap();
            assert_eq!(used.as_fd().as_raw_fd(), fds[2]);
            idle.give_back(to(), used, start + Duration::from_secs(seconds));
        }
        assert_eq!(numbers(&idle), [fds[2]]);
        std::fs::remove_file(&path).unwrap();
    }
}
