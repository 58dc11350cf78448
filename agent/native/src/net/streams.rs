//! Raw unix sockets: the message bus.

use super::unix_socket::connect_unix;
use crate::event::{Event, StreamStep};
use crate::machine::error_text::{connect_error_text, error_text};
use crate::readiness::{Interests, Ready};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;

struct Stream {
    socket: UnixStream,
    unwritten: Vec<u8>,
}

/// The open ones, by id.
#[derive(Default)]
pub struct Streams {
    open: BTreeMap<u64, Stream>,
}

impl Streams {
    /// The first event about it.
    pub fn open(&mut self, id: u64, path: &str) -> StreamStep {
        match connect_unix(path) {
            Ok(socket) => {
                self.open.insert(id, Stream { socket, unwritten: Vec::new() });
                StreamStep::Open
            }
            Err(error) => StreamStep::Closed(connect_error_text(&error, path)),
        }
    }

    /// As soon as there is room.
    pub fn write(&mut self, id: u64, data: &[u8]) {
        if let Some(stream) = self.open.get_mut(&id) {
            stream.unwritten.extend_from_slice(data);
        }
    }

    /// Whether there was something to close.
    pub fn close(&mut self, id: u64) -> bool {
        self.open.remove(&id).is_some()
    }

    /// What to wait for.
    pub fn interests<'fd>(&'fd self, interests: &mut Interests<'fd>) {
        for stream in self.open.values() {
            interests.read_write(&stream.socket, !stream.unwritten.is_empty());
        }
    }

    /// Writes, reads, and tells.
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
    fn feed(&mut self) -> Result<(), String> {
        while !self.unwritten.is_empty() {
            match self.socket.write(&self.unwritten) {
                Ok(count) => drop(self.unwritten.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) => return Err(error_text(&error)),
            }
        }
        Ok(())
    }

    /// The reason when it is over.
    fn drain(&mut self, tell: &mut impl FnMut(StreamStep)) -> Option<String> {
        let mut buffer = [0; 16 * 1024];
        loop {
            match self.socket.read(&mut buffer) {
                Ok(0) => return Some("closed".into()),
                Ok(count) => tell(StreamStep::Data(buffer[..count].to_vec())),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) => return Some(error_text(&error)),
            }
        }
    }
}
