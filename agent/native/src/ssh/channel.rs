//! One channel, RFC 4254 section 5: its windows, the input so far, and the response.

use super::messages::*;
use super::wire::{Malformed, Reader, Writer};
use crate::byte_queue::ByteQueue;

/// How much the peer may send before the window is opened again.
pub const WINDOW_BYTES: u32 = 1024 * 1024;
/// In one message.
pub const MAX_DATA_BYTES: u32 = 32 * 1024;

/// Messages to send.
pub type Messages = Vec<Vec<u8>>;

/// One channel.
#[derive(Default)]
pub struct Channel {
    /// The peer's number for it.
    peer: u32,
    /// Bytes that the peer accepts now in total, and in one message.
    pub window: u32,
    max_data: u32,
    /// Bytes that the peer may still send.
    our_window: u32,
    pub input: Vec<u8>,
    pub ended: bool,
    started: bool,
    /// The unsent rest of the response, and the exit status after it.
    answer: Option<(ByteQueue, u32)>,
    pub is_closed: bool,
}

/// The input of a channel so far, and whether that is all.
pub struct Input<'a> {
    pub bytes: &'a [u8],
    pub ended: bool,
}

impl Channel {
    pub fn new(peer: u32, window: u32, max_data: u32) -> Self {
        Self { peer, window, max_data: max_data.min(MAX_DATA_BYTES), our_window: WINDOW_BYTES, ..Self::default() }
    }

    /// The beginning of a message to the peer.
    pub fn to_peer(&self, number: u8) -> Writer {
        Writer::message(number).uint32(self.peer)
    }

    /// Whether the hub waits for a response.
    pub const fn is_asking(&self) -> bool {
        self.started && self.answer.is_none() && !self.is_closed
    }

    /// Counts received bytes against the window.
    pub fn count(&mut self, bytes: usize) -> Result<(), Malformed> {
        let bytes = u32::try_from(bytes).map_err(|_| Malformed)?;
        self.our_window = self.our_window.checked_sub(bytes).ok_or(Malformed)?;
        Ok(())
    }

    /// Opens the window again once half of it is used.
    pub fn adjust(&mut self) -> Messages {
        if self.our_window > WINDOW_BYTES / 2 {
            return Messages::new();
        }
        let more = WINDOW_BYTES - self.our_window;
        self.our_window = WINDOW_BYTES;
        vec![self.to_peer(CHANNEL_WINDOW_ADJUST).uint32(more).done()]
    }

    /// Takes input.
    pub fn take(&mut self, data: &[u8], max_request_bytes: usize) -> Result<Messages, Malformed> {
        self.count(data.len())?;
        let messages = self.adjust();
        if !self.ended && self.answer.is_none() && !self.is_closed {
            self.input.extend_from_slice(data);
            // A piece that exceeds the limit is still reported; then the input counts as ended.
            self.ended = self.input.len() > max_request_bytes;
        }
        Ok(messages)
    }

    /// Takes a request; `reader` stands at its kind.
    pub fn request(&mut self, reader: &mut Reader<'_>) -> Result<Messages, Malformed> {
        let kind = reader.string()?;
        let wants_reply = reader.boolean()?;
        // The named command is never run: both mean "here comes a request".
        let starts = !self.started && (kind == b"shell" || kind == b"exec");
        self.started |= starts;
        let accepted = starts || kind == b"env";
        let number = if accepted { CHANNEL_SUCCESS } else { CHANNEL_FAILURE };
        Ok(if wants_reply { vec![self.to_peer(number).done()] } else { Messages::new() })
    }

    /// Starts to send the response.
    pub fn answer(&mut self, data: Vec<u8>, status: u32) -> Messages {
        self.input = Vec::new();
        self.answer = Some((data.into(), status));
        self.send()
    }

    /// As much of the response as the peer accepts now; after its last byte the exit status and the close.
    pub fn send(&mut self) -> Messages {
        let mut messages = Messages::new();
        let Some((mut data, status)) = self.answer.take() else { return messages };
        while !data.is_empty() && self.window > 0 && self.max_data > 0 {
            let count = data.len().min(self.window.min(self.max_data) as usize);
            self.window -= count as u32;
            messages.push(self.to_peer(CHANNEL_DATA).string(&data.waiting()[..count]).done());
            data.consume(count);
        }
        if data.is_empty() {
            messages.push(self.to_peer(CHANNEL_REQUEST).string("exit-status").boolean(false).uint32(status).done());
            messages.push(self.to_peer(CHANNEL_CLOSE).done());
            self.is_closed = true;
        } else {
            self.answer = Some((data, status));
        }
        messages
    }
}
