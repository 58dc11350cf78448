//! Raw unix sockets, used for the message bus.

use super::unix_socket::connect_unix;
use crate::byte_queue::ByteQueue;
use crate::event::{Event, StreamStep};
use crate::machine::error_text::{connect_error_text, error_text};
use crate::readiness::{Interests, Ready};
use crate::turn_budget::Budgeted;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};
use std::os::unix::net::UnixStream;

/// Maximum unsent output. Beyond it, nothing more is read from the peer.
const MAX_OUTPUT_BYTES: usize = 1024 * 1024;

struct Stream {
    socket: Budgeted<UnixStream>,
    unwritten: ByteQueue,
}

/// Open unix sockets by id.
#[derive(Default)]
pub struct Streams {
    open: BTreeMap<u64, Stream>,
}

impl Streams {
    /// Opens a socket and returns its first event: open or closed.
    pub fn open(&mut self, id: u64, path: &str) -> StreamStep {
        match connect_unix(path) {
            Ok(socket) => {
                self.open.insert(id, Stream { socket: Budgeted::new(socket), unwritten: ByteQueue::default() });
                StreamStep::Open
            }
            Err(error) => StreamStep::Closed(connect_error_text(&error, path)),
        }
    }

    /// Queues data, which is written as soon as the socket accepts it.
    pub fn write(&mut self, id: u64, data: &[u8]) {
        if let Some(stream) = self.open.get_mut(&id) {
            stream.unwritten.push(data);
        }
    }

    /// Closes a socket. Returns true if it was open.
    pub fn close(&mut self, id: u64) -> bool {
        self.open.remove(&id).is_some()
    }

    /// Adds the descriptors to wait for.
    pub fn interests<'fd>(&'fd self, interests: &mut Interests<'fd>) {
        for stream in self.open.values() {
            interests.read_write_if(&stream.socket, stream.takes_input(), !stream.unwritten.is_empty());
        }
    }

    /// Writes, reads, and appends the events.
    pub fn turn(&mut self, ready: &Ready, events: &mut Vec<Event>) {
        self.open.retain(|&id, stream| {
            let mut tell = |step| events.push(Event::Stream { id, step });
            let end = stream.feed().err().or_else(|| ready.has(&stream.socket).then(|| stream.drain(&mut tell)).flatten());
            let is_open = end.is_none();
            if let Some(reason) = end {
                tell(StreamStep::Closed(reason));
            }
            is_open
        });
    }
}

impl Stream {
    const fn takes_input(&self) -> bool {
        self.unwritten.len() <= MAX_OUTPUT_BYTES
    }

    fn feed(&mut self) -> Result<(), String> {
        self.unwritten.write_to(&mut self.socket).map(drop).map_err(|error| error_text(&error))
    }

    /// Reads input. Returns the reason when the socket has closed.
    fn drain(&mut self, tell: &mut impl FnMut(StreamStep)) -> Option<String> {
        let mut buffer = [0; 16 * 1024];
        self.socket.renew();
        while self.takes_input() {
            match self.socket.read(&mut buffer) {
                Ok(0) => return Some("closed".into()),
                Ok(count) => tell(StreamStep::Data(buffer[..count].to_vec())),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) => return Some(error_text(&error)),
            }
        }
        None
    }
}
