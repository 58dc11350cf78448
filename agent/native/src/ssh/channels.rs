//! Channels, RFC 4254: a hub opens one, asks for a shell or names a command, writes its request, and reads the answer up to the close.

use super::messages::*;
use super::wire::{Malformed, Reader, Writer};
use std::collections::BTreeMap;

/// A hub asks one thing at a time.
const MAX_CHANNELS: usize = 32;
/// How much may come before it is asked for more.
const WINDOW_BYTES: u32 = 1024 * 1024;
const MAX_DATA_BYTES: u32 = 32 * 1024;
/// Reason codes of RFC 4254 section 5.1.
const PROHIBITED: u32 = 1;
const UNKNOWN_TYPE: u32 = 3;
const TOO_MANY: u32 = 4;

/// Something a hub wrote: the channel, all of its input so far, whether that is all.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked {
    pub channel: u32,
    pub input: Vec<u8>,
    pub ended: bool,
}

#[derive(Default)]
struct Channel {
    /// The peer's number for it.
    peer: u32,
    /// What the peer takes at the moment, and in one message.
    window: u32,
    max_data: u32,
    /// What may still come.
    our_window: u32,
    input: Vec<u8>,
    ended: bool,
    started: bool,
    /// The rest of the answer, and the exit status that follows it.
    answer: Option<(Vec<u8>, u32)>,
    is_closed: bool,
}

/// All channels of one connection.
pub struct Channels {
    open: BTreeMap<u32, Channel>,
    next: u32,
    max_request_bytes: usize,
}

/// The messages to send, and what was asked.
#[derive(Default)]
pub struct Outcome {
    pub messages: Vec<Vec<u8>>,
    pub asked: Option<Asked>,
}

impl Outcome {
    fn message(writer: Writer) -> Self {
        Self { messages: vec![writer.done()], asked: None }
    }
}

impl Channels {
    pub const fn new(max_request_bytes: usize) -> Self {
        Self { open: BTreeMap::new(), next: 0, max_request_bytes }
    }

    /// A message with a number from 90 to 100.
    pub fn receive(&mut self, message: &[u8]) -> Result<Outcome, Malformed> {
        let mut reader = Reader::of(message);
        let number = reader.byte()?;
        if number == CHANNEL_OPEN {
            return self.open(&mut reader);
        }
        let id = reader.uint32()?;
        let Some(channel) = self.open.get_mut(&id) else {
            // Already gone here while it was on its way.
            return Ok(Outcome::default());
        };
        match number {
            CHANNEL_WINDOW_ADJUST => {
                channel.window = channel.window.saturating_add(reader.uint32()?);
                Ok(Outcome { messages: channel.send(), asked: None })
            }
            CHANNEL_DATA => channel.take(id, reader.string()?, self.max_request_bytes),
            CHANNEL_EXTENDED_DATA => {
                reader.uint32()?;
                channel.count(reader.string()?.len())?;
                Ok(Outcome { messages: channel.adjust(), asked: None })
            }
            CHANNEL_EOF => {
                channel.ended = true;
                Ok(Outcome { messages: Vec::new(), asked: channel.asks(id) })
            }
            CHANNEL_CLOSE => {
                let reply = if channel.is_closed { Vec::new() } else { vec![channel.to_peer(CHANNEL_CLOSE).done()] };
                self.open.remove(&id);
                Ok(Outcome { messages: reply, asked: None })
            }
            CHANNEL_REQUEST => channel.request(id, &mut reader),
            // Answers to requests this side never makes.
            _ => Ok(Outcome::default()),
        }
    }

    fn open(&mut self, reader: &mut Reader<'_>) -> Result<Outcome, Malformed> {
        let kind = reader.string()?;
        let (peer, window, max_data) = (reader.uint32()?, reader.uint32()?, reader.uint32()?);
        let refuse = |reason: u32, text: &str| {
            Outcome::message(Writer::message(CHANNEL_OPEN_FAILURE).uint32(peer).uint32(reason).string(text).string(""))
        };
        if kind != b"session" {
            let reason = if kind == b"direct-tcpip" { PROHIBITED } else { UNKNOWN_TYPE };
            return Ok(refuse(reason, "only sessions"));
        }
        if self.open.len() >= MAX_CHANNELS {
            return Ok(refuse(TOO_MANY, "too many channels"));
        }
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        // No channel of a connection is as old as four thousand million others.
        let channel = Channel { peer, window, max_data: max_data.min(MAX_DATA_BYTES), our_window: WINDOW_BYTES, ..Channel::default() };
        self.open.insert(id, channel);
        let confirmed = Writer::message(CHANNEL_OPEN_CONFIRMATION).uint32(peer).uint32(id).uint32(WINDOW_BYTES).uint32(MAX_DATA_BYTES);
        Ok(Outcome::message(confirmed))
    }

    /// Writes the data, the exit status, and closes: no hub closes first.
    pub fn answer(&mut self, id: u32, data: Vec<u8>, status: u32) -> Vec<Vec<u8>> {
        self.open.get_mut(&id).map_or_else(Vec::new, |channel| {
            channel.input = Vec::new();
            channel.answer = Some((data, status));
            channel.send()
        })
    }
}

impl Channel {
    fn to_peer(&self, number: u8) -> Writer {
        Writer::message(number).uint32(self.peer)
    }

    /// What the hub said, once it has asked for an answer at all, and until it has one.
    fn asks(&self, channel: u32) -> Option<Asked> {
        (self.started && self.answer.is_none() && !self.is_closed).then(|| Asked { channel, input: self.input.clone(), ended: self.ended })
    }

    fn count(&mut self, bytes: usize) -> Result<(), Malformed> {
        let bytes = u32::try_from(bytes).map_err(|_| Malformed)?;
        self.our_window = self.our_window.checked_sub(bytes).ok_or(Malformed)?;
        Ok(())
    }

    fn adjust(&mut self) -> Vec<Vec<u8>> {
        if self.our_window > WINDOW_BYTES / 2 {
            return Vec::new();
        }
        let more = WINDOW_BYTES - self.our_window;
        self.our_window = WINDOW_BYTES;
        vec![self.to_peer(CHANNEL_WINDOW_ADJUST).uint32(more).done()]
    }

    fn take(&mut self, id: u32, data: &[u8], max_request_bytes: usize) -> Result<Outcome, Malformed> {
        self.count(data.len())?;
        let messages = self.adjust();
        if self.ended || self.answer.is_some() || self.is_closed {
            return Ok(Outcome { messages, asked: None });
        }
        self.input.extend_from_slice(data);
        // What makes it longer is still told, then it counts as ended.
        self.ended = self.input.len() > max_request_bytes;
        Ok(Outcome { messages, asked: self.asks(id) })
    }

    fn request(&mut self, id: u32, reader: &mut Reader<'_>) -> Result<Outcome, Malformed> {
        let kind = reader.string()?;
        let wants_reply = reader.boolean()?;
        // Whatever command is named: it is never run, both mean "here comes a request".
        let starts = !self.started && (kind == b"shell" || kind == b"exec");
        self.started |= starts;
        let accepted = starts || kind == b"env";
        let number = if accepted { CHANNEL_SUCCESS } else { CHANNEL_FAILURE };
        let messages = if wants_reply { vec![self.to_peer(number).done()] } else { Vec::new() };
        Ok(Outcome { messages, asked: starts.then(|| self.asks(id)).flatten() })
    }

    /// As much of the answer as the peer takes now, and what follows the last of it.
    fn send(&mut self) -> Vec<Vec<u8>> {
        let mut messages = Vec::new();
        let Some((mut data, status)) = self.answer.take() else { return messages };
        while !data.is_empty() && self.window > 0 && self.max_data > 0 {
            let most = self.window.min(self.max_data);
            let rest = data.split_off(data.len().min(most as usize));
            self.window -= data.len() as u32;
            messages.push(self.to_peer(CHANNEL_DATA).string(&data).done());
            data = rest;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn open(channels: &mut Channels, window: u32) -> u32 {
        let message = Writer::message(CHANNEL_OPEN).string("session").uint32(7).uint32(window).uint32(1000).done();
        let outcome = channels.receive(&message).unwrap();
        assert_eq!(outcome.messages[0][..5], [CHANNEL_OPEN_CONFIRMATION, 0, 0, 0, 7]);
        u32::from_be_bytes(outcome.messages[0][5..9].try_into().unwrap())
    }

    fn to(number: u8, channel: u32) -> Writer {
        Writer::message(number).uint32(channel)
    }

    fn numbers(messages: &[Vec<u8>]) -> Vec<u8> {
        messages.iter().map(|message| message[0]).collect()
    }

    #[test]
    fn a_channel_is_asked_and_answered_and_closed_by_this_side() {
        let mut channels = Channels::new(100);
        let id = open(&mut channels, 10_000);
        let early = channels.receive(&to(CHANNEL_DATA, id).string("as").done()).unwrap();
        assert_eq!(early.asked, None, "nobody asked for an answer yet");
        let started = channels.receive(&to(CHANNEL_REQUEST, id).string("shell").boolean(true).done()).unwrap();
        assert_eq!(numbers(&started.messages), [CHANNEL_SUCCESS]);
        assert_eq!(started.asked, Some(Asked { channel: id, input: b"as".to_vec(), ended: false }));
        let more = channels.receive(&to(CHANNEL_DATA, id).string("k").done()).unwrap();
        assert_eq!(more.asked.unwrap().input, b"ask");
        assert!(channels.receive(&to(CHANNEL_EOF, id).done()).unwrap().asked.unwrap().ended);
        let answer = channels.answer(id, vec![0; 2500], 0);
        assert_eq!(numbers(&answer), [CHANNEL_DATA, CHANNEL_DATA, CHANNEL_DATA, CHANNEL_REQUEST, CHANNEL_CLOSE]);
        assert!(channels.receive(&to(CHANNEL_CLOSE, id).done()).unwrap().messages.is_empty());
        assert!(channels.open.is_empty());
    }

    #[test]
    fn an_answer_waits_for_the_peers_window() {
        let mut channels = Channels::new(100);
        let id = open(&mut channels, 10);
        assert_eq!(numbers(&channels.answer(id, vec![1; 25], 3)), [CHANNEL_DATA]);
        assert_eq!(numbers(&channels.receive(&to(CHANNEL_WINDOW_ADJUST, id).uint32(14).done()).unwrap().messages), [CHANNEL_DATA]);
        let last = channels.receive(&to(CHANNEL_WINDOW_ADJUST, id).uint32(u32::MAX).done()).unwrap().messages;
        assert_eq!(numbers(&last), [CHANNEL_DATA, CHANNEL_REQUEST, CHANNEL_CLOSE]);
    }

    #[test]
    fn input_beyond_the_limit_counts_as_ended_and_is_not_kept() {
        let mut channels = Channels::new(4);
        let id = open(&mut channels, 10);
        channels.receive(&to(CHANNEL_REQUEST, id).string("exec").boolean(false).string("id").done()).unwrap();
        assert!(channels.receive(&to(CHANNEL_DATA, id).string("12345").done()).unwrap().asked.unwrap().ended);
        assert_eq!(channels.receive(&to(CHANNEL_DATA, id).string("6").done()).unwrap().asked, None);
        assert_eq!(channels.open[&id].input.len(), 5);
    }

    #[test]
    fn what_is_no_session_is_refused_and_channels_are_bounded() {
        let mut channels = Channels::new(4);
        for kind in ["direct-tcpip", "x11", "forwarded-tcpip"] {
            let message = Writer::message(CHANNEL_OPEN).string(kind).uint32(0).uint32(9).uint32(9).done();
            assert_eq!(numbers(&channels.receive(&message).unwrap().messages), [CHANNEL_OPEN_FAILURE]);
        }
        for _ in 0..MAX_CHANNELS {
            open(&mut channels, 10);
        }
        let message = Writer::message(CHANNEL_OPEN).string("session").uint32(7).uint32(9).uint32(9).done();
        assert_eq!(numbers(&channels.receive(&message).unwrap().messages), [CHANNEL_OPEN_FAILURE]);
        for kind in ["pty-req", "subsystem", "x11-req", "auth-agent-req@openssh.com"] {
            let refused = channels.receive(&to(CHANNEL_REQUEST, 0).string(kind).boolean(true).done()).unwrap();
            assert_eq!(numbers(&refused.messages), [CHANNEL_FAILURE]);
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
