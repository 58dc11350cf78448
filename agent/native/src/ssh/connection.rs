//! SSH connection of one client: consumes received bytes, produces bytes to send, and reports a hub's requests. It uses no socket and no
//! clock.

use super::authentication::{Authentication, Verdict};
use super::channels::Channels;
use super::exchange::{Exchange, Sides, Step};
use super::host_key::HostKey;
use super::identification;
use super::messages::*;
use super::options::AuthorisedKey;
use super::packets::{Incoming, KEY_BYTES, Outgoing};
use super::wire::{Malformed, Reader, Writer};
use crate::byte_queue::ByteQueue;

/// Limits before sign-in. A hub needs 10 packets and 4 kB; OpenSSH with six keys needs less than twice as much.
const MAX_UNPROVED_PACKETS: u32 = 64;
const MAX_UNPROVED_BYTES: usize = 64 * 1024;
/// Maximum unsent output, before and after sign-in. Beyond it, nothing more is read from the client.
const MAX_UNPROVED_OUTPUT_BYTES: usize = 64 * 1024;
const MAX_OUTPUT_BYTES: usize = 1024 * 1024;
/// Maximum size of the messages that wait for the end of a key exchange, during which the client must be read.
const MAX_HELD_BACK_BYTES: usize = 16 * 1024 * 1024;
/// Number of transferred bytes after which new keys are exchanged: 1 GiB, RFC 4253 section 9.
pub const REKEY_BYTES: usize = 1024 * 1024 * 1024;

/// Phase of a connection.
enum Phase {
    /// The client's identification line is incomplete; the bytes so far.
    Greeting(Vec<u8>),
    /// First key exchange. It is strict: only its messages are accepted, in their order.
    FirstExchange,
    /// The client must request the authentication service.
    Services,
    SigningIn(Authentication),
    SignedIn(Channels),
    /// A disconnect message was sent or received. Nothing more is read.
    Over,
}

/// Settings shared by all connections.
pub struct Rules {
    pub identification: String,
    pub host_key: HostKey,
    pub authorised_keys: Vec<AuthorisedKey>,
    pub max_request_bytes: usize,
    /// Number of bytes, both directions together, after which new keys are exchanged.
    pub rekey_bytes: usize,
}

/// SSH connection of one client.
pub struct Connection {
    /// The client's identification string; empty until it is received.
    pub identification: String,
    incoming: Incoming,
    outgoing: Outgoing,
    /// Bytes to send.
    pub unwritten: ByteQueue,
    /// Messages that wait for the end of a key exchange, and their total size.
    held_back: Vec<Vec<u8>>,
    held_back_bytes: usize,
    exchange: Exchange,
    phase: Phase,
    received_packets: u32,
    /// Bytes received and sent: since the start, after sign-in since the last key exchange.
    counted_bytes: usize,
    /// True when a key was refused and not reported yet.
    has_refused: bool,
}

impl Connection {
    pub fn new(rules: &Rules) -> Self {
        Self {
            identification: String::new(),
            incoming: Incoming::default(),
            outgoing: Outgoing::default(),
            unwritten: format!("SSH-2.0-{}\r\n", rules.identification).into_bytes().into(),
            held_back: Vec::new(),
            held_back_bytes: 0,
            exchange: Exchange::default(),
            phase: Phase::Greeting(Vec::new()),
            received_packets: 0,
            counted_bytes: 0,
            has_refused: false,
        }
    }

    /// Creates a connection in a later phase without encryption, because a key exchange is too slow for a fuzzer.
    #[cfg(fuzzing)]
    pub fn without_keys(rules: &Rules, signed_in: bool) -> Self {
        let phase = if signed_in { Phase::SignedIn(Channels::new(rules.max_request_bytes)) } else { Phase::Services };
        Self { phase, identification: "SSH-2.0-fuzz".into(), ..Self::new(rules) }
    }

    /// True when the client has authenticated with an authorised key.
    pub const fn is_signed_in(&self) -> bool {
        matches!(self.phase, Phase::SignedIn(_))
    }

    /// True when nothing more is read. Unsent bytes are still written.
    pub const fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    /// True during a key exchange.
    pub const fn is_exchanging(&self) -> bool {
        self.exchange.is_under_way()
    }

    /// True when the client may send more: not while it leaves its output unread.
    pub const fn takes_input(&self) -> bool {
        let most = if self.is_signed_in() { MAX_OUTPUT_BYTES } else { MAX_UNPROVED_OUTPUT_BYTES };
        !self.is_over() && self.unwritten.len() <= most
    }

    #[cfg(test)]
    pub const fn counted_bytes(&self) -> usize {
        self.counted_bytes
    }

    /// True when so many bytes were transferred that new keys are needed.
    pub const fn wants_new_keys(&self, rules: &Rules) -> bool {
        self.is_signed_in() && !self.is_exchanging() && self.counted_bytes >= rules.rekey_bytes
    }

    /// Returns the channels of a client that has signed in.
    pub const fn channels(&mut self) -> Option<&mut Channels> {
        if let Phase::SignedIn(channels) = &mut self.phase { Some(channels) } else { None }
    }

    /// True when a request has input that has not been reported yet.
    pub fn has_new_input(&self) -> bool {
        matches!(&self.phase, Phase::SignedIn(channels) if channels.has_changed())
    }

    /// True when a key was refused since the last call.
    pub const fn take_refused(&mut self) -> bool {
        std::mem::replace(&mut self.has_refused, false)
    }

    /// Processes bytes from the client.
    pub fn receive(&mut self, bytes: &[u8], rules: &Rules) {
        self.counted_bytes += bytes.len();
        if self.read(bytes, rules).is_err() {
            self.leave(PROTOCOL_ERROR, "unusable message");
        }
    }

    /// Sends the response to a channel's request.
    pub fn answer(&mut self, channel: u32, data: Vec<u8>, status: u32) {
        let Some(channels) = self.channels() else { return };
        let messages = channels.answer(channel, data, status);
        if self.send_all(messages).is_err() {
            self.phase = Phase::Over;
        }
    }

    /// Starts a key exchange from this side.
    pub fn renew_keys(&mut self) {
        let begun = self.exchange.offer().and_then(|init| match init {
            Some(init) => self.outgoing.write(&init, &mut self.unwritten),
            None => Ok(()),
        });
        if begun.is_err() {
            self.phase = Phase::Over;
        }
    }

    /// Sends a disconnect message with a reason and ends the connection.
    pub fn leave(&mut self, reason: u32, text: &str) {
        let goodbye = Writer::message(DISCONNECT).uint32(reason).string(text).string("").done();
        if !self.is_over() {
            let _ = self.outgoing.write(&goodbye, &mut self.unwritten);
        }
        self.phase = Phase::Over;
    }

    fn read(&mut self, bytes: &[u8], rules: &Rules) -> Result<(), Malformed> {
        let mut rest = bytes;
        if let Phase::Greeting(line) = &mut self.phase {
            let Some((identification, after)) = identification::complete(line, bytes)? else { return Ok(()) };
            self.identification = identification;
            self.phase = Phase::FirstExchange;
            rest = after;
        }
        self.incoming.feed(rest);
        while !self.is_over() {
            let Some(payload) = self.incoming.next()? else { break };
            self.received_packets = self.received_packets.saturating_add(1);
            self.take(&payload, rules)?;
            if !self.is_signed_in() && self.received_packets >= MAX_UNPROVED_PACKETS {
                self.leave(BY_APPLICATION, "too many messages before sign-in");
            }
        }
        if !self.is_signed_in() && self.counted_bytes > MAX_UNPROVED_BYTES {
            self.leave(BY_APPLICATION, "too many bytes before sign-in");
        }
        Ok(())
    }

    fn take(&mut self, message: &[u8], rules: &Rules) -> Result<(), Malformed> {
        let is_first_exchange = matches!(self.phase, Phase::FirstExchange);
        match message[0] {
            DISCONNECT => {
                self.phase = Phase::Over;
                Ok(())
            }
            KEXINIT | NEWKEYS | KEX_METHOD_FIRST..=KEX_METHOD_LAST => self.go_on_with_exchange(message, rules),
            IGNORE | DEBUG | UNIMPLEMENTED if !is_first_exchange => Ok(()),
            _ if is_first_exchange || self.exchange.binds_client() => Err(Malformed),
            _ => self.serve(message, rules),
        }
    }

    fn go_on_with_exchange(&mut self, message: &[u8], rules: &Rules) -> Result<(), Malformed> {
        let server = format!("SSH-2.0-{}", rules.identification);
        let sides = Sides { client: &self.identification, server: &server, host_key: &rules.host_key };
        match self.exchange.receive(message, &sides)? {
            Step::Wait => Ok(()),
            Step::Open(init) => self.outgoing.write(&init, &mut self.unwritten),
            Step::Refuse(init) => {
                init.map_or(Ok(()), |init| self.outgoing.write(&init, &mut self.unwritten))?;
                self.leave(KEY_EXCHANGE_FAILED, "no common algorithm, or no strict key exchange");
                Ok(())
            }
            Step::Answer { reply, key, extensions } => {
                self.outgoing.write(&reply, &mut self.unwritten)?;
                self.outgoing.write(&[NEWKEYS], &mut self.unwritten)?;
                self.outgoing.use_key(&key);
                extensions.map_or(Ok(()), |extensions| self.outgoing.write(&extensions, &mut self.unwritten))
            }
            Step::Finish { key } => self.finish_exchange(&key),
        }
    }

    fn finish_exchange(&mut self, key: &[u8; KEY_BYTES]) -> Result<(), Malformed> {
        self.incoming.use_key(key);
        match self.phase {
            Phase::FirstExchange => self.phase = Phase::Services,
            Phase::SignedIn(_) => self.counted_bytes = 0,
            _ => (),
        }
        self.held_back_bytes = 0;
        let held_back = std::mem::take(&mut self.held_back);
        self.send_all(held_back)
    }

    fn serve(&mut self, message: &[u8], rules: &Rules) -> Result<(), Malformed> {
        let mut reader = Reader::of(&message[1..]);
        match (&mut self.phase, message[0]) {
            (Phase::Services, SERVICE_REQUEST) => {
                if reader.string()? != b"ssh-userauth" {
                    return Err(Malformed);
                }
                reader.end()?;
                self.phase = Phase::SigningIn(Authentication::default());
                self.send(Writer::message(SERVICE_ACCEPT).string("ssh-userauth").done())
            }
            (Phase::SigningIn(authentication), USERAUTH_REQUEST) => {
                let verdict = authentication.judge(message, self.exchange.session(), &rules.authorised_keys)?;
                self.obey(verdict, rules)
            }
            (Phase::Services | Phase::SigningIn(_) | Phase::SignedIn(_), EXT_INFO) => Ok(()),
            // RFC 4252 section 5.1: further requests are ignored.
            (Phase::SignedIn(_), USERAUTH_REQUEST) => Ok(()),
            (Phase::SignedIn(_), GLOBAL_REQUEST) => {
                reader.string()?;
                if reader.boolean()? { self.send(vec![REQUEST_FAILURE]) } else { Ok(()) }
            }
            (Phase::SignedIn(channels), CHANNEL_OPEN..=CHANNEL_FAILURE) => {
                let messages = channels.receive(message)?;
                self.send_all(messages)
            }
            (Phase::SignedIn(_), _) => self.send(Writer::message(UNIMPLEMENTED).uint32(self.incoming.last_sequence()).done()),
            _ => Err(Malformed),
        }
    }

    fn obey(&mut self, verdict: Verdict, rules: &Rules) -> Result<(), Malformed> {
        match verdict {
            Verdict::Accepted(reply) => {
                self.phase = Phase::SignedIn(Channels::new(rules.max_request_bytes));
                self.incoming.take_long();
                self.send(reply)
            }
            Verdict::Continue { reply, refused_key } => {
                self.has_refused |= refused_key;
                self.send(reply)
            }
            Verdict::TooMany { refused_key } => {
                self.has_refused |= refused_key;
                self.leave(NO_MORE_AUTH_METHODS, "too many attempts");
                Ok(())
            }
        }
    }

    fn send_all(&mut self, messages: Vec<Vec<u8>>) -> Result<(), Malformed> {
        messages.into_iter().try_for_each(|message| self.send(message))
    }

    fn send(&mut self, message: Vec<u8>) -> Result<(), Malformed> {
        if self.is_exchanging() {
            self.held_back_bytes += message.len();
            self.held_back.push(message);
            return if self.held_back_bytes > MAX_HELD_BACK_BYTES { Err(Malformed) } else { Ok(()) };
        }
        self.counted_bytes += message.len();
        self.outgoing.write(&message, &mut self.unwritten)
    }
}
