//! SSH channel (RFC 4254 section 5): its windows, the input so far, and the response.

use super::messages::*;
use super::wire::{Malformed, Reader, Writer};
use crate::byte_queue::ByteQueue;

/// Size of the receive window: bytes that the peer may send before the window is opened again.
pub const WINDOW_BYTES: u32 = 1024 * 1024;
/// Maximum number of data bytes in one message.
pub const MAX_DATA_BYTES: u32 = 32 * 1024;

/// SSH messages to send.
pub type Messages = Vec<Vec<u8>>;

/// One SSH channel.
#[derive(Default)]
pub struct Channel {
    /// The peer's channel number.
    peer: u32,
    /// Number of bytes that the peer accepts now. `max_data` is its limit for one message.
    pub window: u32,
    max_data: u32,
    /// Number of bytes that the peer may still send.
    our_window: u32,
    pub input: Vec<u8>,
    pub ended: bool,
    started: bool,
    /// Unsent rest of the response, and the exit status to send after it.
    answer: Option<(ByteQueue, u32)>,
    pub is_closed: bool,
}

/// Input of a channel so far; `ended` when it is complete.
pub struct Input<'a> {
    pub bytes: &'a [u8],
    pub ended: bool,
}

impl Channel {
    pub fn new(peer: u32, window: u32, max_data: u32) -> Self {
        Self { peer, window, max_data: max_data.min(MAX_DATA_BYTES), our_window: WINDOW_BYTES, ..Self::default() }
    }

    /// Starts a message for this channel to the peer.
    pub fn to_peer(&self, number: u8) -> Writer {
        Writer::message(number).uint32(self.peer)
    }

    /// True when the hub waits for a response.
    pub const fn is_asking(&self) -> bool {
        self.started && self.answer.is_none() && !self.is_closed
    }

    /// Counts received bytes against the receive window. Fails when the peer exceeds it.
    pub fn count(&mut self, bytes: usize) -> Result<(), Malformed> {
        let bytes = u32::try_from(bytes).map_err(|_| Malformed)?;
        self.our_window = self.our_window.checked_sub(bytes).ok_or(Malformed)?;
        Ok(())
    }

    /// Opens the receive window again once half of it is used. Returns the message to send.
    pub fn adjust(&mut self) -> Messages {
        if self.our_window > WINDOW_BYTES / 2 {
            return Messages::new();
        }
        let more = WINDOW_BYTES - self.our_window;
        self.our_window = WINDOW_BYTES;
        vec![self.to_peer(CHANNEL_WINDOW_ADJUST).uint32(more).done()]
    }

    /// Appends input to the channel; drops it once the input has ended or is answered. Returns the messages to send.
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

    /// Handles a channel request; `reader` is at the request's type. Returns the messages to send.
    pub fn request(&mut self, reader: &mut Reader<'_>) -> Result<Messages, Malformed> {
        let kind = reader.string()?;
        let wants_reply = reader.boolean()?;
        // The command is never run: `shell` and `exec` both mean that a request follows on the channel.
        let starts = !self.started && (kind == b"shell" || kind == b"exec");
        self.started |= starts;
        let accepted = starts || kind == b"env";
        let number = if accepted { CHANNEL_SUCCESS } else { CHANNEL_FAILURE };
        Ok(if wants_reply { vec![self.to_peer(number).done()] } else { Messages::new() })
    }

    /// Starts to send the response. Returns the first messages.
    pub fn answer(&mut self, data: Vec<u8>, status: u32) -> Messages {
        self.input = Vec::new();
        self.answer = Some((data.into(), status));
        self.send()
    }

    /// Returns messages with as much of the response as the peer accepts now; after its last byte the exit status and the close.
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
