//! SSH server in the loop: its connections, and the requests on their channels.

use super::admission::{AcceptPace, RefusalLog, surplus_hub, to_evict};
use super::connection::{REKEY_BYTES, Rules};
use super::host_key::HostKey;
use super::listening::{Listening, failure_text};
use super::options::Options;
use super::source::Source;
use super::visitor::Visitor;
use crate::event::{Event, SshState};
use crate::readiness::{Interests, Ready};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::time::{Duration, Instant};

struct Running {
    listening: Listening,
    rules: Rules,
    silence: Duration,
    pace: AcceptPace,
}

/// SSH server of the program. There is only one.
#[derive(Default)]
pub struct SshServer {
    running: Option<Running>,
    visitors: BTreeMap<u64, Visitor>,
    requests: OpenRequests,
    refusals: RefusalLog,
    last_visitor: u64,
}

/// Requests that wait for a response, by request number, and by connection and channel.
#[derive(Default)]
struct OpenRequests {
    places: BTreeMap<u64, (u64, u32)>,
    numbers: BTreeMap<(u64, u32), u64>,
    last: u64,
}

impl OpenRequests {
    fn number_of(&mut self, place: (u64, u32)) -> u64 {
        *self.numbers.entry(place).or_insert_with(|| {
            self.last += 1;
            self.places.insert(self.last, place);
            self.last
        })
    }

    fn take(&mut self, number: u64) -> Option<(u64, u32)> {
        let place = self.places.remove(&number)?;
        self.numbers.remove(&place);
        Some(place)
    }

    fn forget(&mut self, place: (u64, u32)) {
        if let Some(number) = self.numbers.remove(&place) {
            self.places.remove(&number);
        }
    }

    fn forget_visitor(&mut self, visitor: u64) {
        let places: Vec<(u64, u32)> = self.numbers.range((visitor, 0)..=(visitor, u32::MAX)).map(|(&place, _)| place).collect();
        for place in places {
            self.forget(place);
        }
    }
}

impl SshServer {
    /// Stops an earlier server and starts to listen. Returns the state, also for a failure to listen. Options without keys are an error.
    pub fn listen(&mut self, options: Options) -> Result<SshState, String> {
        if options.authorised_keys.is_empty() {
            return Err("no key may come in".into());
        }
        self.close();
        let host_key = match HostKey::load(options.host_key_path.as_deref()) {
            Ok(key) => key,
            Err(reason) => return Ok(SshState::Failed { reason, address_in_use: false }),
        };
        let listening = match Listening::on(&options.address) {
            Ok(listening) => listening,
            Err(error) => {
                let address_in_use = error.kind() == ErrorKind::AddrInUse;
                return Ok(SshState::Failed { reason: failure_text(&options.address, &error), address_in_use });
            }
        };
        let port = listening.port();
        let Options { identification, authorised_keys, max_request_bytes, silence, .. } = options;
        let rules = Rules { identification, host_key, authorised_keys, max_request_bytes, rekey_bytes: REKEY_BYTES };
        self.running = Some(Running { listening, rules, silence, pace: AcceptPace::new(Instant::now()) });
        Ok(SshState::Listening { port })
    }

    /// Sends the response to a request. Does nothing if its channel has closed.
    pub fn reply(&mut self, request: u64, data: Vec<u8>, status: u32) {
        let Some((visitor, channel)) = self.requests.take(request) else { return };
        if let Some(visitor) = self.visitors.get_mut(&visitor) {
            visitor.connection.answer(channel, data, status);
        }
    }

    /// Stops listening and closes all connections.
    pub fn close(&mut self) {
        self.running = None;
        self.visitors.clear();
        self.requests = OpenRequests { last: self.requests.last, ..OpenRequests::default() };
    }

    /// Adds the descriptors and deadlines to wait for.
    pub fn interests<'fd>(&'fd self, interests: &mut Interests<'fd>) {
        if let Some(running) = &self.running {
            match running.pace.resumes_at(Instant::now()) {
                None => interests.read(&running.listening),
                Some(later) => interests.until(later),
            }
        }
        for visitor in self.visitors.values() {
            visitor.interests(interests);
        }
    }

    /// Accepts, reads, writes, and reports requests.
    pub fn turn(&mut self, ready: &Ready, events: &mut Vec<Event>) {
        let now = Instant::now();
        self.accept(ready, now);
        let Some(Running { rules, .. }) = &self.running else { return };
        let (requests, refusals) = (&mut self.requests, &mut self.refusals);
        self.visitors.retain(|&id, visitor| {
            let stays = visitor.turn(ready, now, rules);
            if visitor.connection.take_refused() && refusals.tells(visitor.source, now) {
                events.push(Event::SshServer(SshState::Refused { client: visitor.address.clone() }));
            }
            let (gone, inputs) = visitor.take_requests(now);
            for input in inputs {
                let request = requests.number_of((id, input.channel));
                let identification = visitor.connection.identification.clone();
                events.push(Event::Ssh { request, identification, input: input.bytes, ended: input.ended });
            }
            for channel in gone {
                requests.forget((id, channel));
            }
            if !stays {
                requests.forget_visitor(id);
            }
            stays
        });
        while let Some(surplus) = surplus_hub(&self.visitors) {
            self.evict(surplus);
        }
    }

    fn accept(&mut self, ready: &Ready, now: Instant) {
        let Some(running) = self.running.as_mut().filter(|running| ready.has(&running.listening)) else { return };
        for _ in 0..running.pace.allowance(now) {
            match running.listening.accept() {
                Ok((client, address)) => {
                    running.pace.count_one();
                    let source = Source::of(address);
                    if let Some(visitor) = to_evict(&self.visitors, source).and_then(|id| self.visitors.remove(&id)) {
                        visitor.evict();
                    }
                    self.last_visitor += 1;
                    let visitor = Visitor::new(client, address, &running.rules, running.silence, now);
                    self.visitors.insert(self.last_visitor, visitor);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // The client has already disconnected.
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => (),
                // No descriptor or memory is left: without a pause, the listener would be ready again at once.
                Err(_) => {
                    running.pace.pause(now);
                    break;
                }
            }
        }
    }

    fn evict(&mut self, id: u64) {
        if let Some(visitor) = self.visitors.remove(&id) {
            visitor.evict();
        }
        self.requests.forget_visitor(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_keeps_its_number_until_it_is_answered_or_its_channel_is_gone() {
        let mut requests = OpenRequests::default();
        let first = requests.number_of((1, 0));
        assert_eq!(requests.number_of((1, 0)), first);
        let second = requests.number_of((1, 1));
        let other = requests.number_of((2, 0));
        assert_eq!((requests.take(first), requests.take(first)), (Some((1, 0)), None));
        assert_ne!(requests.number_of((1, 0)), first);
        requests.forget((1, 1));
        assert_eq!(requests.take(second), None);
        requests.forget_visitor(1);
        assert_eq!((requests.numbers.len(), requests.take(other)), (1, Some((2, 0))));
        assert!(requests.places.is_empty() && requests.numbers.is_empty());
    }
}
