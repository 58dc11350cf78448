//! SSH channels (RFC 4254). A hub opens one, requests a shell or a command, writes its request, and reads the response up to the close.

use super::channel::{Channel, Input, MAX_DATA_BYTES, Messages, WINDOW_BYTES};
use super::messages::*;
use super::wire::{Malformed, Reader, Writer};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of open channels. A hub sends one request at a time.
const MAX_CHANNELS: usize = 32;
/// Smallest accepted message size of the peer. With a smaller one, the overhead would be many times the size of the response.
const MIN_PEER_DATA_BYTES: u32 = 256;
/// Reason codes of RFC 4254 section 5.1.
const PROHIBITED: u32 = 1;
const UNKNOWN_TYPE: u32 = 3;
const TOO_MANY: u32 = 4;

/// All channels of one connection.
pub struct Channels {
    open: BTreeMap<u32, Channel>,
    next: u32,
    max_request_bytes: usize,
    /// Channels with input that has not been reported yet.
    changed: BTreeSet<u32>,
    gone: Vec<u32>,
}

impl Channels {
    pub const fn new(max_request_bytes: usize) -> Self {
        Self { open: BTreeMap::new(), next: 0, max_request_bytes, changed: BTreeSet::new(), gone: Vec::new() }
    }

    /// True when a channel has new input.
    pub fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Removes the next channel from those with new input, and returns its id and input.
    pub fn next_changed(&mut self) -> Option<(u32, Input<'_>)> {
        let id = self.changed.pop_first()?;
        let channel = self.open.get(&id)?;
        Some((id, Input { bytes: &channel.input, ended: channel.ended }))
    }

    /// Removes and returns the closed channels; their responses are no longer needed.
    pub fn take_gone(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.gone)
    }

    /// Handles a message with a number from 90 to 100. Returns the messages to send.
    pub fn receive(&mut self, message: &[u8]) -> Result<Messages, Malformed> {
        let mut reader = Reader::of(&message[1..]);
        let number = message[0];
        if number == CHANNEL_OPEN {
            return self.open(&mut reader);
        }
        let id = reader.uint32()?;
        let Some(channel) = self.open.get_mut(&id) else {
            // The channel was closed here while the message was on its way.
            return Ok(Messages::new());
        };
        let had = channel.is_asking().then_some((channel.input.len(), channel.ended));
        let messages = match number {
            CHANNEL_WINDOW_ADJUST => {
                channel.window = channel.window.saturating_add(reader.uint32()?);
                reader.end()?;
                channel.send()
            }
            CHANNEL_DATA => {
                let data = reader.string()?;
                reader.end()?;
                channel.take(data, self.max_request_bytes)?
            }
            CHANNEL_EXTENDED_DATA => {
                reader.uint32()?;
                channel.count(reader.string()?.len())?;
                reader.end()?;
                channel.adjust()
            }
            CHANNEL_EOF => {
                reader.end()?;
                channel.ended = true;
                Messages::new()
            }
            CHANNEL_CLOSE => {
                reader.end()?;
                let reply = if channel.is_closed { Messages::new() } else { vec![channel.to_peer(CHANNEL_CLOSE).done()] };
                self.remove(id);
                return Ok(reply);
            }
            CHANNEL_REQUEST => channel.request(&mut reader)?,
            // Replies to requests that this side never makes.
            _ => Messages::new(),
        };
        if channel.is_asking() && had != Some((channel.input.len(), channel.ended)) {
            self.changed.insert(id);
        }
        Ok(messages)
    }

    fn open(&mut self, reader: &mut Reader<'_>) -> Result<Messages, Malformed> {
        let kind = reader.string()?;
        let (peer, window, max_data) = (reader.uint32()?, reader.uint32()?, reader.uint32()?);
        let refuse = |reason: u32, text: &str| {
            vec![Writer::message(CHANNEL_OPEN_FAILURE).uint32(peer).uint32(reason).string(text).string("").done()]
        };
        if kind != b"session" {
            let reason = if kind == b"direct-tcpip" { PROHIBITED } else { UNKNOWN_TYPE };
            return Ok(refuse(reason, "only sessions"));
        }
        reader.end()?;
        if max_data < MIN_PEER_DATA_BYTES {
            return Ok(refuse(TOO_MANY, "messages too small"));
        }
        if self.open.len() >= MAX_CHANNELS {
            // A peer that never confirms a close does not keep the slot.
            let unconfirmed = self.open.iter().find(|(_, channel)| channel.is_closed).map(|(&id, _)| id);
            let Some(unconfirmed) = unconfirmed else { return Ok(refuse(TOO_MANY, "too many channels")) };
            self.remove(unconfirmed);
        }
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        // Reusing a number is safe: no channel is open while 4 billion others follow.
        self.open.insert(id, Channel::new(peer, window, max_data));
        Ok(vec![Writer::message(CHANNEL_OPEN_CONFIRMATION).uint32(peer).uint32(id).uint32(WINDOW_BYTES).uint32(MAX_DATA_BYTES).done()])
    }

    fn remove(&mut self, id: u32) {
        self.open.remove(&id);
        self.changed.remove(&id);
        self.gone.push(id);
    }

    /// Sends the response and the exit status and closes the channel, because no hub closes first. Returns the messages to send.
    pub fn answer(&mut self, id: u32, data: Vec<u8>, status: u32) -> Messages {
        self.changed.remove(&id);
        self.open.get_mut(&id).map_or_else(Messages::new, |channel| channel.answer(data, status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(channels: &mut Channels, window: u32) -> u32 {
        let message = Writer::message(CHANNEL_OPEN).string("session").uint32(7).uint32(window).uint32(1000).done();
        let outcome = channels.receive(&message).unwrap();
        assert_eq!(outcome[0][..5], [CHANNEL_OPEN_CONFIRMATION, 0, 0, 0, 7]);
        u32::from_be_bytes(outcome[0][5..9].try_into().unwrap())
    }

    fn to(number: u8, channel: u32) -> Writer {
        Writer::message(number).uint32(channel)
    }

    fn told(channels: &mut Channels) -> Option<(u32, Vec<u8>, bool)> {
        channels.next_changed().map(|(id, input)| (id, input.bytes.to_vec(), input.ended))
    }

    fn numbers(messages: &[Vec<u8>]) -> Vec<u8> {
        messages.iter().map(|message| message[0]).collect()
    }

    #[test]
    fn a_channel_is_asked_and_answered_and_closed_by_this_side() {
        let mut channels = Channels::new(100);
        let id = open(&mut channels, 10_000);
        channels.receive(&to(CHANNEL_DATA, id).string("as").done()).unwrap();
        assert_eq!(told(&mut channels), None, "nobody asked for an answer yet");
        let started = channels.receive(&to(CHANNEL_REQUEST, id).string("shell").boolean(true).done()).unwrap();
        assert_eq!(numbers(&started), [CHANNEL_SUCCESS]);
        assert_eq!(told(&mut channels), Some((id, b"as".to_vec(), false)));
        for byte in ["k", "e", "d"] {
            channels.receive(&to(CHANNEL_DATA, id).string(byte).done()).unwrap();
        }
        assert_eq!(told(&mut channels), Some((id, b"asked".to_vec(), false)), "once for all of it");
        assert_eq!(told(&mut channels), None);
        channels.receive(&to(CHANNEL_EOF, id).done()).unwrap();
        assert_eq!(told(&mut channels), Some((id, b"asked".to_vec(), true)));
        let answer = channels.answer(id, vec![0; 2500], 0);
        assert_eq!(numbers(&answer), [CHANNEL_DATA, CHANNEL_DATA, CHANNEL_DATA, CHANNEL_REQUEST, CHANNEL_CLOSE]);
        assert!(channels.receive(&to(CHANNEL_CLOSE, id).done()).unwrap().is_empty());
        assert!(channels.open.is_empty());
        assert_eq!(channels.take_gone(), [id]);
    }

    #[test]
    fn a_channel_that_is_closed_before_its_answer_is_given_up() {
        let mut channels = Channels::new(100);
        let id = open(&mut channels, 10_000);
        channels.receive(&to(CHANNEL_REQUEST, id).string("shell").boolean(false).done()).unwrap();
        assert_eq!(numbers(&channels.receive(&to(CHANNEL_CLOSE, id).done()).unwrap()), [CHANNEL_CLOSE]);
        assert_eq!((told(&mut channels), channels.take_gone()), (None, vec![id]));
        assert!(channels.answer(id, vec![1], 0).is_empty());
    }

    #[test]
    fn closes_that_are_never_confirmed_keep_no_slot() {
        let mut channels = Channels::new(100);
        for _ in 0..2 * MAX_CHANNELS {
            let id = open(&mut channels, 10);
            channels.receive(&to(CHANNEL_REQUEST, id).string("shell").boolean(false).done()).unwrap();
            assert_eq!(numbers(&channels.answer(id, Vec::new(), 0)), [CHANNEL_REQUEST, CHANNEL_CLOSE]);
        }
        assert_eq!(channels.open.len(), MAX_CHANNELS);
    }

    #[test]
    fn an_answer_waits_for_the_peers_window() {
        let mut channels = Channels::new(100);
        let id = open(&mut channels, 10);
        assert_eq!(numbers(&channels.answer(id, vec![1; 25], 3)), [CHANNEL_DATA]);
        assert_eq!(numbers(&channels.receive(&to(CHANNEL_WINDOW_ADJUST, id).uint32(14).done()).unwrap()), [CHANNEL_DATA]);
        let last = channels.receive(&to(CHANNEL_WINDOW_ADJUST, id).uint32(u32::MAX).done()).unwrap();
        assert_eq!(numbers(&last), [CHANNEL_DATA, CHANNEL_REQUEST, CHANNEL_CLOSE]);
    }

    #[test]
    fn input_beyond_the_limit_counts_as_ended_and_is_not_kept() {
        let mut channels = Channels::new(4);
        let id = open(&mut channels, 10);
        channels.receive(&to(CHANNEL_REQUEST, id).string("exec").boolean(false).string("id").done()).unwrap();
        channels.receive(&to(CHANNEL_DATA, id).string("12345").done()).unwrap();
        assert_eq!(told(&mut channels), Some((id, b"12345".to_vec(), true)));
        channels.receive(&to(CHANNEL_DATA, id).string("6").done()).unwrap();
        assert_eq!(told(&mut channels), None);
        assert_eq!(channels.open[&id].input.len(), 5);
    }

    #[test]
    fn what_is_no_session_is_refused_and_channels_are_bounded() {
        let mut channels = Channels::new(4);
        for kind in ["direct-tcpip", "x11", "forwarded-tcpip"] {
            let message = Writer::message(CHANNEL_OPEN).string(kind).uint32(0).uint32(9).uint32(900).done();
            assert_eq!(numbers(&channels.receive(&message).unwrap()), [CHANNEL_OPEN_FAILURE]);
        }
        for _ in 0..MAX_CHANNELS {
            open(&mut channels, 10);
        }
        let message = Writer::message(CHANNEL_OPEN).string("session").uint32(7).uint32(9).uint32(900).done();
        assert_eq!(numbers(&channels.receive(&message).unwrap()), [CHANNEL_OPEN_FAILURE]);
        let tiny = Writer::message(CHANNEL_OPEN).string("session").uint32(7).uint32(9).uint32(1).done();
        assert_eq!(numbers(&channels.receive(&tiny).unwrap()), [CHANNEL_OPEN_FAILURE]);
        for kind in ["pty-req", "subsystem", "x11-req", "auth-agent-req@openssh.com"] {
            let refused = channels.receive(&to(CHANNEL_REQUEST, 0).string(kind).boolean(true).done()).unwrap();
            assert_eq!(numbers(&refused), [CHANNEL_FAILURE]);
        }
    }

    #[test]
    fn a_peer_that_ignores_the_window_is_left() {
        let mut channels = Channels::new(usize::MAX);
        let id = open(&mut channels, 10);
        let whole = vec![0; WINDOW_BYTES as usize + 1];
        assert!(channels.receive(&to(CHANNEL_DATA, id).string(whole).done()).is_err());
    }
}
