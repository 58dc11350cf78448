//! Outgoing WebSockets, RFC 6455.

use super::transport::LoopTransport;
use super::websocket_upgrade::{Opened, Opening, open};
use crate::event::{Event, Header, WsEnd};
use crate::machine::error_text::error_text;
use crate::readiness::{Interests, Ready};
use crate::wake::Beside;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::time::{Duration, Instant};
use tungstenite::error::Error;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// Timeout for the peer's close frame.
const CLOSE_DEADLINE: Duration = Duration::from_secs(2);
/// Size of the read buffer. A hub's requests have about 100 bytes.
const READ_BUFFER_BYTES: usize = 4096;
/// Additional time after the connect deadline, because a DNS look-up has no timeout. In all other cases, the thread reports the reason
/// before.
const GRACE: Duration = Duration::from_millis(250);
/// Maximum number of messages of one socket in one turn, because each is an event for the script.
const MAX_MESSAGES: usize = 256;
/// Maximum unsent output. Beyond it, nothing more is read from the peer.
const MAX_OUTPUT_BYTES: usize = 4 * 1024 * 1024;
/// Close code of a connection that ended without a close frame, RFC 6455 section 7.1.5.
const ABNORMAL: u16 = 1006;
const NO_STATUS: u16 = 1005;

/// Options of a WebSocket, `WsOptions` of the script.
#[derive(Clone)]
pub struct Options {
    pub connect_deadline: Duration,
    pub max_message_bytes: usize,
    pub proxy: Option<String>,
    pub certificate: Option<String>,
    pub silence: Duration,
}

struct Pending {
    options: Options,
    given_up_at: Instant,
}

struct Open {
    socket: WebSocket<LoopTransport>,
    silence: Duration,
    /// Deadline of the idle timeout, or of the peer's close frame.
    deadline: Instant,
    is_closing: bool,
    has_unsent: bool,
    /// Bytes of the messages queued since the send queue was last empty.
    queued_bytes: usize,
    /// True when messages may be left in a buffer, which poll(2) does not see.
    has_more: bool,
    /// Code and reason of the peer's close frame.
    farewell: Option<(u16, String)>,
}

/// WebSockets by id: opening and open ones.
pub struct WebSockets {
    opening: BTreeMap<u64, Pending>,
    open: BTreeMap<u64, Open>,
    /// Ids of WebSockets that were closed while they were opening.
    unwanted: BTreeSet<u64>,
    dialled: Beside<(u64, Result<Opened, WsEnd>)>,
}

impl WebSockets {
    pub fn new() -> Result<Self, String> {
        Ok(Self { opening: BTreeMap::new(), open: BTreeMap::new(), unwanted: BTreeSet::new(), dialled: Beside::new()? })
    }

    /// Starts to connect.
    pub fn start(&mut self, id: u64, url: String, headers: Vec<Header>, options: Options) {
        let (proxy, certificate) = (options.proxy.clone(), options.certificate.clone());
        let opening = Opening { url, headers, proxy, certificate, deadline: Instant::now() + options.connect_deadline };
        let given_up_at = opening.deadline + GRACE;
        self.opening.insert(id, Pending { options, given_up_at });
        self.dialled.run(move || (id, open(&opening)), |reason| (id, Err(WsEnd::Failed { reason, name_not_found: false })));
    }

    /// Sends a binary message. Does nothing when the socket is not open.
    pub fn send(&mut self, id: u64, data: Vec<u8>) {
        if let Some(open) = self.open.get_mut(&id).filter(|open| !open.is_closing) {
            open.queued_bytes += data.len();
            // A full socket sends the message later; an error is reported by the next read.
            let written = open.socket.write(Message::binary(data)).and_then(|()| open.socket.flush());
            open.note_flush(written.is_ok());
        }
    }

    /// Sends a close frame. The connection ends at the peer's reply or the timeout.
    pub fn close(&mut self, id: u64, code: u16) {
        if self.opening.contains_key(&id) {
            self.unwanted.insert(id);
        }
        if let Some(open) = self.open.get_mut(&id).filter(|open| !open.is_closing) {
            open.is_closing = true;
            open.has_unsent = true;
            open.deadline = Instant::now() + CLOSE_DEADLINE;
            let _ = open.socket.close(Some(CloseFrame { code: CloseCode::from(code), reason: "".into() }));
        }
    }

    /// Takes over an upgraded connection. `early` are bytes that arrived with the response to the upgrade.
    pub fn adopt(&mut self, id: u64, transport: LoopTransport, early: Vec<u8>, options: Options) {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER_BYTES)
            .write_buffer_size(0)
            .max_message_size(Some(options.max_message_bytes))
            .max_frame_size(Some(options.max_message_bytes));
        let socket = WebSocket::from_partially_read(transport, early, Role::Client, Some(config));
        let (silence, deadline) = (options.silence, Instant::now() + options.silence);
        // Frames may have arrived with the response, and then poll(2) may report nothing.
        let has_more = true;
        let open = Open { socket, silence, deadline, is_closing: false, has_unsent: false, queued_bytes: 0, has_more, farewell: None };
        self.open.insert(id, open);
    }

    /// True when all input is read and all output is sent.
    #[cfg(fuzzing)]
    pub fn is_idle(&self) -> bool {
        self.open.values().all(|open| !open.has_more && !open.has_unsent)
    }

    /// Adds the descriptors and deadlines to wait for.
    pub fn interests<'fd>(&'fd self, interests: &mut Interests<'fd>) {
        interests.read(self.dialled.bell());
        for pending in self.opening.values() {
            interests.until(pending.given_up_at);
        }
        for open in self.open.values() {
            let transport = open.socket.get_ref();
            interests.read_write_if(transport, open.takes_input(), open.has_unsent || transport.get_ref().wants_write());
            interests.until(open.deadline);
            if open.has_more && open.takes_input() {
                interests.now();
            }
        }
    }

    /// Writes, reads, and appends the events.
    pub fn turn(&mut self, ready: &Ready, events: &mut Vec<Event>) {
        if ready.has(self.dialled.bell()) {
            for (id, result) in self.dialled.outcomes() {
                self.opened(id, result, events);
            }
        }
        let now = Instant::now();
        self.opening.retain(|&id, pending| {
            let waits = pending.given_up_at > now;
            if !waits {
                let reason = format!("no answer within {} ms", pending.options.connect_deadline.as_millis());
                events.push(Event::WsClose { id, end: WsEnd::Failed { reason, name_not_found: false } });
                self.unwanted.remove(&id);
            }
            waits
        });
        self.open.retain(|&id, open| {
            let has_news = ready.has(open.socket.get_ref()) || open.has_more;
            let end = if has_news || open.has_unsent { open.turn(id, events) } else { None };
            match end.or_else(|| open.late()) {
                None => true,
                Some(end) => {
                    events.push(Event::WsClose { id, end });
                    false
                }
            }
        });
    }

    fn opened(&mut self, id: u64, result: Result<Opened, WsEnd>, events: &mut Vec<Event>) {
        let Some(Pending { options, .. }) = self.opening.remove(&id) else { return };
        let is_wanted = !self.unwanted.remove(&id);
        match result {
            Ok((transport, early)) if is_wanted => {
                self.adopt(id, transport, early, options);
                events.push(Event::WsOpen { id });
            }
            Ok(_) => {
                let end = WsEnd::Failed { reason: "closed before it was open".into(), name_not_found: false };
                events.push(Event::WsClose { id, end });
            }
            Err(end) => events.push(Event::WsClose { id, end }),
        }
    }
}

impl Open {
    fn late(&self) -> Option<WsEnd> {
        if self.deadline > Instant::now() {
            return None;
        }
        let reason = if self.is_closing {
            "the peer did not answer the close".to_owned()
        } else {
            format!("nothing heard for {} ms", self.silence.as_millis())
        };
        Some(WsEnd::Closed { code: ABNORMAL, reason })
    }

    fn turn(&mut self, id: u64, events: &mut Vec<Event>) -> Option<WsEnd> {
        self.socket.get_mut().renew();
        self.has_more = false;
        for _ in 0..MAX_MESSAGES {
            if !self.takes_input() {
                return self.flush();
            }
            let message = match self.socket.read() {
                Ok(message) => message,
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    self.has_more = self.socket.get_ref().is_spent();
                    return self.flush();
                }
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Some(self.end(&error)),
            };
            if !self.is_closing {
                self.deadline = Instant::now() + self.silence;
            }
            match message {
                Message::Binary(data) => events.push(Event::WsMessage { id, data: data.to_vec() }),
                Message::Close(frame) => {
                    let said = frame.map(|frame| (frame.code.into(), frame.reason.as_str().to_owned()));
                    self.farewell = Some(said.unwrap_or((NO_STATUS, String::new())));
                }
                // The protocol has no text frames. The library queues a pong, which is sent below.
                _ => (),
            }
        }
        self.has_more = true;
        self.flush()
    }

    const fn takes_input(&self) -> bool {
        self.queued_bytes <= MAX_OUTPUT_BYTES
    }

    const fn note_flush(&mut self, is_flushed: bool) {
        self.has_unsent = !is_flushed;
        if is_flushed {
            self.queued_bytes = 0;
        }
    }

    fn flush(&mut self) -> Option<WsEnd> {
        match self.socket.flush() {
            Ok(()) => self.note_flush(true),
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => self.note_flush(false),
            Err(error) => return Some(self.end(&error)),
        }
        None
    }

    fn end(&mut self, error: &Error) -> WsEnd {
        if let Some((code, reason)) = self.farewell.take() {
            return WsEnd::Closed { code, reason };
        }
        let reason = match error {
            Error::Io(error) => error_text(error),
            Error::ConnectionClosed | Error::AlreadyClosed => "the connection was closed".into(),
            other => other.to_string(),
        };
        WsEnd::Closed { code: ABNORMAL, reason }
    }
}
