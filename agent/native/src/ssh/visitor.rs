//! Socket and timeouts of one SSH client.

use super::connection::{Connection, Rules};
use super::listening::Client;
use super::messages::{BY_APPLICATION, TOO_MANY_CONNECTIONS};
use super::source::Source;
use crate::readiness::{Interests, Ready};
use crate::turn_budget::Budgeted;
use std::io::{ErrorKind, Read};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Timeout for signing in.
const SIGN_IN_DEADLINE: Duration = Duration::from_secs(30);
/// Time after which new keys are exchanged: 1 h, RFC 4253 section 9.
const REKEY_AFTER: Duration = Duration::from_secs(3600);
/// Timeout for the client's response to a KEXINIT.
const REKEY_DEADLINE: Duration = Duration::from_secs(30);
/// Time for a refused client to read the reason.
const GOODBYE_DEADLINE: Duration = Duration::from_secs(2);
/// Size above which unfinished input is reported only after a pause, since each report copies and parses all of it.
const LONG_INPUT_BYTES: usize = 4096;
const LONG_INPUT_PAUSE: Duration = Duration::from_millis(100);
const BUFFER_BYTES: usize = 16 * 1024;
/// Size of the read buffer before sign-in. Hundreds of clients may each have one.
const UNPROVED_BUFFER_BYTES: usize = 4 * 1024;

/// Input of a channel for the script.
pub struct NewInput {
    pub channel: u32,
    pub bytes: Vec<u8>,
    pub ended: bool,
}

/// Connected SSH client.
pub struct Visitor {
    client: Budgeted<Client>,
    pub source: Source,
    /// Address for the log.
    pub address: String,
    pub connection: Connection,
    silence: Duration,
    silent_at: Instant,
    sign_in_until: Instant,
    keys_until: Instant,
    goodbye_until: Option<Instant>,
    quiet_until: Instant,
    /// Start of the current key exchange of a signed-in client.
    exchanging_since: Option<Instant>,
}

impl Visitor {
    pub fn new(client: Client, address: Option<IpAddr>, rules: &Rules, silence: Duration, now: Instant) -> Self {
        Self {
            client: Budgeted::new(client),
            source: Source::of(address),
            address: address.map_or_else(|| "local socket".into(), |address| address.to_string()),
            connection: Connection::new(rules),
            silence,
            silent_at: now + silence,
            sign_in_until: now + SIGN_IN_DEADLINE,
            keys_until: now + REKEY_AFTER,
            goodbye_until: None,
            quiet_until: now,
            exchanging_since: None,
        }
    }

    /// True when the client has not signed in. It then counts against its source.
    pub const fn is_unproved(&self) -> bool {
        !self.connection.is_signed_in()
    }

    /// Returns the deadline of the idle timeout, which moves with each byte read or written.
    pub const fn silent_at(&self) -> Instant {
        self.silent_at
    }

    /// Closes the connection in favour of another, with a disconnect message if the socket accepts it.
    pub fn evict(mut self) {
        self.connection.leave(TOO_MANY_CONNECTIONS, "too many connections");
        let _ = self.connection.unwritten.write_to(&mut self.client);
    }

    /// Adds the descriptors and deadlines to wait for.
    pub fn interests<'fd>(&'fd self, interests: &mut Interests<'fd>) {
        // Nothing is read from a client that does not read its output. For a refused client, only the reason is written.
        interests.read_write_if(&self.client, self.connection.takes_input(), !self.connection.unwritten.is_empty());
        interests.until(self.deadline());
    }

    fn deadline(&self) -> Instant {
        if let Some(until) = self.goodbye_until {
            return until;
        }
        if self.is_unproved() {
            return self.silent_at.min(self.sign_in_until);
        }
        let keys_until = self.exchanging_since.map_or(self.keys_until, |since| since + REKEY_DEADLINE);
        let asks_again = self.connection.has_new_input().then_some(self.quiet_until);
        self.silent_at.min(keys_until).min(asks_again.unwrap_or(keys_until))
    }

    /// Reads, writes and checks the timeouts. Returns false when the connection has ended.
    pub fn turn(&mut self, ready: &Ready, now: Instant, rules: &Rules) -> bool {
        let is_waiting = self.connection.takes_input() || !self.connection.unwritten.is_empty();
        // POLLHUP and POLLERR come without a request: the client has disconnected.
        if ready.has(&self.client) && (!is_waiting || !self.read(now, rules)) {
            return false;
        }
        self.look_at_deadlines(now, rules);
        match self.write() {
            Ok(count) if count > 0 => self.silent_at = now + self.silence,
            Ok(_) => (),
            Err(_) => return false,
        }
        if self.connection.is_over() {
            let until = *self.goodbye_until.get_or_insert(now + GOODBYE_DEADLINE);
            return !self.connection.unwritten.is_empty() && until > now;
        }
        self.silent_at > now
    }

    /// Reads until the turn's budget is used up or the client leaves its output unread. Returns false when the client has disconnected.
    fn read(&mut self, now: Instant, rules: &Rules) -> bool {
        let mut buffer = [0; BUFFER_BYTES];
        let most = if self.is_unproved() { UNPROVED_BUFFER_BYTES } else { BUFFER_BYTES };
        self.client.renew();
        while self.connection.takes_input() {
            match self.client.read(&mut buffer[..most]) {
                Ok(0) => return false,
                Ok(count) => {
                    self.silent_at = now + self.silence;
                    self.connection.receive(&buffer[..count], rules);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(_) => return false,
            }
        }
        true
    }

    fn write(&mut self) -> std::io::Result<usize> {
        self.connection.unwritten.write_to(&mut self.client)
    }

    fn look_at_deadlines(&mut self, now: Instant, rules: &Rules) {
        if self.is_unproved() {
            if self.sign_in_until <= now {
                self.connection.leave(BY_APPLICATION, "not signed in in time");
            }
            return;
        }
        match (self.connection.is_exchanging(), self.exchanging_since) {
            (true, None) => self.exchanging_since = Some(now),
            (true, Some(since)) if since + REKEY_DEADLINE <= now => self.connection.leave(BY_APPLICATION, "no new keys in time"),
            (false, Some(_)) => {
                self.exchanging_since = None;
                self.keys_until = now + REKEY_AFTER;
            }
            (false, None) if self.keys_until <= now || self.connection.wants_new_keys(rules) => {
                self.connection.renew_keys();
                self.exchanging_since = Some(now);
            }
            _ => (),
        }
    }

    /// Returns the closed channels, and new input for the script. After a long unfinished input, further input is held back for a pause.
    pub fn take_requests(&mut self, now: Instant) -> (Vec<u32>, Vec<NewInput>) {
        let Some(channels) = self.connection.channels() else { return (Vec::new(), Vec::new()) };
        let mut inputs = Vec::new();
        while self.quiet_until <= now
            && let Some((channel, input)) = channels.next_changed()
        {
            if input.bytes.len() > LONG_INPUT_BYTES && !input.ended {
                self.quiet_until = now + LONG_INPUT_PAUSE;
            }
            inputs.push(NewInput { channel, bytes: input.bytes.to_vec(), ended: input.ended });
        }
        (channels.take_gone(), inputs)
    }
}
