//! HTTP client with keep-alive connections, to a unix socket or an address.

use super::dial::{DialError, Route, dial};
use super::http_request::{Request, Target};
use super::http_response::{Part, ResponseReader};
use super::http_url::Url;
use super::idle_connections::IdleConnections;
use super::member_requests::{MemberRequests, MembersRequest};
use super::transport::{LoopTransport, Transport};
use crate::byte_queue::ByteQueue;
use crate::event::{Event, Header, HttpStep, MembersAnswer};
use crate::machine::error_text::{connect_error_text, error_text};
use crate::readiness::{Interests, Ready};
use crate::wake::Beside;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::time::Instant;

struct Exchange {
    request: Request,
    unwritten: ByteQueue,
    /// `None` while the connection is being opened.
    transport: Option<LoopTransport>,
    reader: ResponseReader,
    head: Option<(u16, Vec<Header>)>,
    body: Vec<u8>,
    received_bytes: usize,
    deadline: Instant,
}

/// End of an exchange, and whether its connection is reusable.
type End = (HttpStep, bool);

/// Caller of an exchange.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Purpose {
    /// A single HTTP request of the script.
    Request { id: u64 },
    /// One of the requests of an `httpMembers` call.
    Members { id: u64, place: usize },
}

impl Purpose {
    /// Returns the id that the script chose.
    const fn id(self) -> u64 {
        match self {
            Self::Request { id } | Self::Members { id, .. } => id,
        }
    }
}

/// Requests in progress, and the idle connections.
pub struct HttpClient {
    exchanges: BTreeMap<Purpose, Exchange>,
    members: BTreeMap<u64, MemberRequests>,
    idle: IdleConnections,
    dialled: Beside<(Purpose, Result<LoopTransport, DialError>)>,
}

impl HttpClient {
    pub fn new() -> Result<Self, String> {
        Ok(Self { exchanges: BTreeMap::new(), members: BTreeMap::new(), idle: IdleConnections::default(), dialled: Beside::new()? })
    }

    /// Starts a request. Returns the reason when it cannot start.
    pub fn start(&mut self, id: u64, request: Request) -> Result<(), String> {
        self.begin(Purpose::Request { id }, request)
    }

    /// Starts many requests for JSON members. Returns all results when none has to be waited for.
    pub fn start_members(&mut self, id: u64, request: MembersRequest) -> Option<Vec<MembersAnswer>> {
        self.members.insert(id, MemberRequests::new(request));
        self.go_on(id)
    }

    /// Starts the next requests, as many as allowed. Returns all results once there are no more to come.
    fn go_on(&mut self, id: u64) -> Option<Vec<MembersAnswer>> {
        while let Some((place, request)) = self.members.get_mut(&id)?.begin() {
            if let Err(reason) = self.begin(Purpose::Members { id, place }, request) {
                self.members.get_mut(&id)?.take(place, HttpStep::Failed(reason));
            }
        }
        if !self.members.get(&id)?.is_over(Instant::now()) {
            return None;
        }
        self.exchanges.retain(|purpose, _| !matches!(purpose, Purpose::Members { .. }) || purpose.id() != id);
        self.members.remove(&id).map(MemberRequests::into_answers)
    }

    fn begin(&mut self, purpose: Purpose, request: Request) -> Result<(), String> {
        let unwritten = request.bytes().ok_or("the request has characters no request has")?.into();
        let deadline = Instant::now() + request.deadline;
        let transport = match (self.idle.take(&request.to), &request.to) {
            (Some(kept), _) => Some(kept),
            (None, Target::Unix(path)) => Some(Transport::unix(path).map_err(|error| connect_error_text(&error, path))?),
            (None, Target::Origin(origin)) => {
                let url = Url::parse(origin)?;
                self.dialled.run(
                    move || (purpose, dial(&url, &Route::default(), deadline).and_then(in_loop)),
                    move |reason| (purpose, Err(DialError::new(reason))),
                );
                None
            }
        };
        let (reader, head, body) = (ResponseReader::new(), None, Vec::new());
        let mut exchange = Exchange { request, unwritten, transport, reader, head, body, received_bytes: 0, deadline };
        // Written at once, so that the loop is idle until the response. An error occurs again in the next turn and is reported there.
        let _ = exchange.write();
        self.exchanges.insert(purpose, exchange);
        Ok(())
    }

    /// Adds the descriptors and deadlines to wait for.
    pub fn interests<'fd>(&'fd self, interests: &mut Interests<'fd>) {
        interests.read(self.dialled.bell());
        for exchange in self.exchanges.values() {
            if let Some(transport) = &exchange.transport {
                interests.read_write(transport, !exchange.unwritten.is_empty() || transport.get_ref().wants_write());
                if transport.is_spent() {
                    interests.now();
                }
            }
            interests.until(exchange.deadline);
        }
        for requests in self.members.values() {
            interests.until(requests.deadline);
        }
        self.idle.interests(interests);
    }

    /// Writes, reads, and appends the events.
    pub fn turn(&mut self, ready: &Ready, events: &mut Vec<Event>) {
        self.idle.turn(ready);
        if ready.has(self.dialled.bell()) {
            for (purpose, result) in self.dialled.outcomes() {
                self.connected(purpose, result, events);
            }
        }
        let now = Instant::now();
        let mut over = Vec::new();
        for (&purpose, exchange) in &mut self.exchanges {
            let has_news = exchange.transport.as_ref().is_some_and(|transport| transport.is_spent() || ready.has(transport));
            let end = if exchange.unwritten.is_empty() && !has_news { None } else { exchange.turn(purpose.id(), events) };
            let late = || (HttpStep::Failed(format!("no answer within {} ms", exchange.request.deadline.as_millis())), false);
            if let Some(end) = end.or_else(|| (exchange.deadline <= now).then(late)) {
                over.push((purpose, end));
            }
        }
        for (purpose, (step, reusable)) in over {
            if let Some(Exchange { request, transport: Some(transport), .. }) = self.exchanges.remove(&purpose)
                && reusable
            {
                self.idle.give_back(request.to, transport, now);
            }
            self.tell(purpose, step, events);
        }
        let late: Vec<u64> = self.members.iter().filter(|(_, requests)| requests.is_over(now)).map(|(&id, _)| id).collect();
        for id in late {
            events.extend(self.go_on(id).map(|answers| Event::HttpMembers { id, answers }));
        }
    }

    fn connected(&mut self, purpose: Purpose, result: Result<LoopTransport, DialError>, events: &mut Vec<Event>) {
        // Its deadline may have ended the exchange.
        let Some(exchange) = self.exchanges.get_mut(&purpose) else { return };
        match result {
            Ok(transport) => exchange.transport = Some(transport),
            Err(DialError { reason, .. }) => {
                self.exchanges.remove(&purpose);
                self.tell(purpose, HttpStep::Failed(reason), events);
            }
        }
    }

    /// Reports the end of an exchange to its caller.
    fn tell(&mut self, purpose: Purpose, step: HttpStep, events: &mut Vec<Event>) {
        match purpose {
            Purpose::Request { id } => events.push(Event::Http { id, step }),
            Purpose::Members { id, place } => {
                if let Some(requests) = self.members.get_mut(&id) {
                    requests.take(place, step);
                }
                events.extend(self.go_on(id).map(|answers| Event::HttpMembers { id, answers }));
            }
        }
    }
}

/// Converts a connection of a helper thread into one of the loop.
pub fn in_loop(transport: Transport) -> Result<LoopTransport, DialError> {
    transport.into_loop().map_err(|error| DialError::new(error_text(&error)))
}

impl Exchange {
    /// Writes as many bytes of the request as the connection accepts.
    fn write(&mut self) -> std::io::Result<()> {
        let Some(transport) = self.transport.as_mut().filter(|_| !self.unwritten.is_empty()) else { return Ok(()) };
        self.unwritten.write_to(transport)?;
        match transport.flush() {
            Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error),
            _ => Ok(()),
        }
    }

    fn turn(&mut self, id: u64, events: &mut Vec<Event>) -> Option<End> {
        let mut buffer = [0; 16 * 1024];
        self.transport.as_mut()?.renew();
        loop {
            match self.write() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Some((HttpStep::Failed(error_text(&error)), false)),
                Ok(()) => (),
            }
            let transport = self.transport.as_mut()?;
            let parts = match transport.read(&mut buffer) {
                Ok(0) => self.reader.close().map(|part| vec![part]),
                Ok(count) => self.reader.feed(&buffer[..count]),
                // No bytes are left, or the turn's budget is used up.
                Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // The TLS peer closed without `close_notify`; the response may still be complete.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => self.reader.close().map(|part| vec![part]),
                Err(error) => return Some((HttpStep::Failed(error_text(&error)), false)),
            };
            match parts {
                Err(reason) => return Some((HttpStep::Failed(reason.into()), false)),
                Ok(parts) => {
                    if let Some(end) = parts.into_iter().find_map(|part| self.take(id, part, events)) {
                        return Some(end);
                    }
                }
            }
        }
    }

    fn take(&mut self, id: u64, part: Part, events: &mut Vec<Event>) -> Option<End> {
        match part {
            Part::Head { status, headers } if self.request.is_streamed => {
                events.push(Event::Http { id, step: HttpStep::Head { status, headers } });
                None
            }
            Part::Head { status, headers } => {
                self.head = Some((status, headers));
                None
            }
            Part::Data(data) => self.take_data(id, data, events),
            Part::End { reusable } if self.request.is_streamed => Some((HttpStep::End { cut: false }, reusable)),
            Part::End { reusable } => {
                let (status, headers) = self.head.take()?;
                Some((HttpStep::Answer { status, headers, body: std::mem::take(&mut self.body) }, reusable))
            }
        }
    }

    fn take_data(&mut self, id: u64, mut data: Vec<u8>, events: &mut Vec<Event>) -> Option<End> {
        let fitting = self.request.max_bytes - self.received_bytes;
        let is_cut = data.len() > fitting;
        if !self.request.is_streamed && is_cut {
            return Some((HttpStep::Failed(format!("the answer is longer than {} bytes", self.request.max_bytes)), false));
        }
        data.truncate(fitting);
        self.received_bytes += data.len();
        if !self.request.is_streamed {
            if self.body.is_empty() {
                self.body = data
            } else {
                self.body.extend_from_slice(&data)
            }
            return None;
        }
        if !data.is_empty() {
            events.push(Event::Http { id, step: HttpStep::Piece(data) });
        }
        is_cut.then_some((HttpStep::End { cut: true }, false))
    }
}
