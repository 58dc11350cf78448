//! One client: bytes in, bytes out, and what it asks. Knows no socket and no clock.

use super::authentication::{Authentication, Verdict};
use super::channels::{Asked, Channels, Outcome};
use super::host_key::HostKey;
use super::key_exchange::{Secrets, Transcript, agree, answer, extensions, our_init};
use super::messages::*;
use super::packets::{Incoming, Outgoing};
use super::server::AuthorisedKey;
use super::wire::{Malformed, Reader, Writer};

/// RFC 4253 section 4.2; lines before it are for servers only.
const MAX_IDENTIFICATION_BYTES: usize = 255;
/// RFC 4253 section 9 asks for new keys after a gigabyte; hubs dial again at once, so the connection ends instead.
const MAX_PACKETS: u32 = 1 << 30;

/// What a connection has to tell.
#[derive(Debug, PartialEq, Eq)]
pub enum Told {
    /// Somebody's key is not let in.
    Refused,
    /// A hub writes.
    Asked(Asked),
}

enum Exchange {
    /// None is under way.
    Idle,
    /// Both openings are exchanged; the client's half comes next.
    Opened { client_init: Vec<u8>, server_init: Vec<u8>, skips_next: bool },
    /// This side is done; the client's last word comes next.
    Answered(Secrets),
}

/// What every connection shares.
pub struct Rules {
    pub identification: String,
    pub host_key: HostKey,
    pub authorised_keys: Vec<AuthorisedKey>,
    pub max_request_bytes: usize,
}

/// One client.
pub struct Connection {
    /// Empty until it came.
    pub identification: String,
    line: Vec<u8>,
    incoming: Incoming,
    outgoing: Outgoing,
    /// To be sent.
    pub unwritten: Vec<u8>,
    /// What must wait while keys are exchanged.
    held_back: Vec<Vec<u8>>,
    exchange: Exchange,
    session: Vec<u8>,
    is_strict: bool,
    hears_extensions: bool,
    authentication: Authentication,
    pub is_in: bool,
    channels: Channels,
    /// Said goodbye: what is unwritten still goes, nothing more is read.
    pub is_over: bool,
}

impl Connection {
    pub fn new(rules: &Rules) -> Self {
        Self {
            identification: String::new(),
            line: Vec::new(),
            incoming: Incoming::default(),
            outgoing: Outgoing::default(),
            unwritten: format!("SSH-2.0-{}\r\n", rules.identification).into_bytes(),
            held_back: Vec::new(),
            exchange: Exchange::Idle,
            session: Vec::new(),
            is_strict: false,
            hears_extensions: false,
            authentication: Authentication::default(),
            is_in: false,
            channels: Channels::new(rules.max_request_bytes),
            is_over: false,
        }
    }

    /// Takes what the client sent.
    pub fn receive(&mut self, bytes: &[u8], rules: &Rules) -> Vec<Told> {
        let mut told = Vec::new();
        if !self.is_over && self.read(bytes, rules, &mut told).is_err() {
            self.leave(PROTOCOL_ERROR, "unusable message");
        }
        told
    }

    /// Answers what a channel asked.
    pub fn answer(&mut self, channel: u32, data: Vec<u8>, status: u32) {
        let messages = self.channels.answer(channel, data, status);
        if self.send_all(messages).is_err() {
            self.is_over = true;
        }
    }

    fn read(&mut self, bytes: &[u8], rules: &Rules, told: &mut Vec<Told>) -> Result<(), Malformed> {
        let rest = if self.identification.is_empty() { self.read_identification(bytes)? } else { Some(bytes.to_vec()) };
        let Some(rest) = rest else { return Ok(()) };
        self.incoming.feed(&rest);
        while !self.is_over {
            let Some(payload) = self.incoming.next()? else { break };
            self.take(&payload, rules, told)?;
        }
        Ok(())
    }

    /// What follows the line, once it is there.
    fn read_identification(&mut self, bytes: &[u8]) -> Result<Option<Vec<u8>>, Malformed> {
        self.line.extend_from_slice(bytes);
        let Some(end) = self.line.iter().position(|&byte| byte == b'\n') else {
            return if self.line.len() > MAX_IDENTIFICATION_BYTES { Err(Malformed) } else { Ok(None) };
        };
        let rest = self.line.split_off(end + 1);
        let line = std::mem::take(&mut self.line);
        let text = std::str::from_utf8(line.trim_ascii_end()).map_err(|_| Malformed)?;
        if line.len() > MAX_IDENTIFICATION_BYTES || !(text.starts_with("SSH-2.0-") || text.starts_with("SSH-1.99-")) {
            return Err(Malformed);
        }
        text.clone_into(&mut self.identification);
        Ok(Some(rest))
    }

    fn take(&mut self, message: &[u8], rules: &Rules, told: &mut Vec<Told>) -> Result<(), Malformed> {
        if self.incoming.last_sequence() > MAX_PACKETS {
            self.leave(BY_APPLICATION, "come again");
            return Ok(());
        }
        let number = message[0];
        // RFC 4253 section 7.1, and of the strict form: nothing else before the first keys.
        let is_exchanging = !matches!(self.exchange, Exchange::Idle);
        let is_first_exchange = self.session.is_empty();
        match number {
            KEXINIT if !is_exchanging => self.begin_exchange(message),
            KEX_ECDH_INIT | NEWKEYS if is_exchanging => self.go_on_with_exchange(message, rules),
            DISCONNECT => {
                self.is_over = true;
                Ok(())
            }
            IGNORE | DEBUG | UNIMPLEMENTED if !(is_exchanging && is_first_exchange && self.is_strict) => Ok(()),
            _ if is_exchanging && matches!(self.exchange, Exchange::Opened { skips_next: true, .. }) => self.skip_guess(),
            _ if is_first_exchange || is_exchanging => Err(Malformed),
            _ => self.serve(number, message, rules, told),
        }
    }

    fn begin_exchange(&mut self, client_init: &[u8]) -> Result<(), Malformed> {
        let Some(agreed) = agree(client_init)? else {
            self.leave(KEY_EXCHANGE_FAILED, "no common algorithm");
            return Ok(());
        };
        if self.session.is_empty() {
            self.is_strict = agreed.is_strict;
            self.hears_extensions = agreed.hears_extensions;
            if self.is_strict && self.incoming.last_sequence() != 0 {
                return Err(Malformed);
            }
        }
        let server_init = our_init()?;
        self.outgoing.write(&server_init, &mut self.unwritten)?;
        self.exchange = Exchange::Opened { client_init: client_init.to_vec(), server_init, skips_next: agreed.skips_next };
        Ok(())
    }

    fn skip_guess(&mut self) -> Result<(), Malformed> {
        if let Exchange::Opened { skips_next, .. } = &mut self.exchange {
            *skips_next = false;
        }
        Ok(())
    }

    fn go_on_with_exchange(&mut self, message: &[u8], rules: &Rules) -> Result<(), Malformed> {
        match (message[0], std::mem::replace(&mut self.exchange, Exchange::Idle)) {
            (KEX_ECDH_INIT, Exchange::Opened { client_init, server_init, skips_next: true }) => {
                self.exchange = Exchange::Opened { client_init, server_init, skips_next: false };
                Ok(())
            }
            (KEX_ECDH_INIT, Exchange::Opened { client_init, server_init, .. }) => {
                let ours = format!("SSH-2.0-{}", rules.identification);
                let transcript = Transcript {
                    client_identification: self.identification.as_bytes(),
                    server_identification: ours.as_bytes(),
                    client_init: &client_init,
                    server_init: &server_init,
                };
                let secrets = answer(&transcript, Reader::of(&message[1..]).string()?, &rules.host_key)?;
                let is_first = self.session.is_empty();
                if is_first {
                    self.session.clone_from(&secrets.exchange_hash);
                }
                self.outgoing.write(&secrets.reply, &mut self.unwritten)?;
                self.outgoing.write(&Writer::message(NEWKEYS).done(), &mut self.unwritten)?;
                self.outgoing.use_key(&secrets.key(b'D', &self.session), self.is_strict);
                if is_first && self.hears_extensions {
                    self.outgoing.write(&extensions(), &mut self.unwritten)?;
                }
                self.exchange = Exchange::Answered(secrets);
                Ok(())
            }
            (NEWKEYS, Exchange::Answered(secrets)) => {
                self.incoming.use_key(&secrets.key(b'C', &self.session), self.is_strict);
                let held_back = std::mem::take(&mut self.held_back);
                self.send_all(held_back)
            }
            _ => Err(Malformed),
        }
    }

    fn serve(&mut self, number: u8, message: &[u8], rules: &Rules, told: &mut Vec<Told>) -> Result<(), Malformed> {
        match number {
            SERVICE_REQUEST => {
                let service = Reader::of(&message[1..]).string()?;
                if service != b"ssh-userauth" && !(self.is_in && service == b"ssh-connection") {
                    return Err(Malformed);
                }
                self.send(Writer::message(SERVICE_ACCEPT).string(service).done())
            }
            // Of one that is in already nothing more is asked, RFC 4252 section 5.1.
            USERAUTH_REQUEST if self.is_in => Ok(()),
            USERAUTH_REQUEST => self.judge(message, rules, told),
            EXT_INFO => Ok(()),
            GLOBAL_REQUEST if self.is_in => {
                let mut reader = Reader::of(&message[1..]);
                reader.string()?;
                if reader.boolean()? { self.send(Writer::message(REQUEST_FAILURE).done()) } else { Ok(()) }
            }
            CHANNEL_OPEN..=CHANNEL_FAILURE if self.is_in => {
                let Outcome { messages, asked } = self.channels.receive(message)?;
                told.extend(asked.map(Told::Asked));
                self.send_all(messages)
            }
            _ if self.is_in => self.send(Writer::message(UNIMPLEMENTED).uint32(self.incoming.last_sequence()).done()),
            _ => Err(Malformed),
        }
    }

    fn judge(&mut self, message: &[u8], rules: &Rules, told: &mut Vec<Told>) -> Result<(), Malformed> {
        let verdict = self.authentication.judge(message, &self.session, &rules.authorised_keys)?;
        let (reply, refused_key) = match verdict {
            Verdict::Accepted(reply) => {
                self.is_in = true;
                (Some(reply), false)
            }
            Verdict::Continue { reply, refused_key } => (Some(reply), refused_key),
            Verdict::TooMany { refused_key } => (None, refused_key),
        };
        told.extend(refused_key.then_some(Told::Refused));
        match reply {
            Some(reply) => self.send(reply),
            None => {
                self.leave(NO_MORE_AUTH_METHODS, "too many attempts");
                Ok(())
            }
        }
    }

    fn send_all(&mut self, messages: Vec<Vec<u8>>) -> Result<(), Malformed> {
        messages.into_iter().try_for_each(|message| self.send(message))
    }

    fn send(&mut self, message: Vec<u8>) -> Result<(), Malformed> {
        if matches!(self.exchange, Exchange::Idle) {
            return self.outgoing.write(&message, &mut self.unwritten);
        }
        self.held_back.push(message);
        Ok(())
    }

    fn leave(&mut self, reason: u32, text: &str) {
        let goodbye = Writer::message(DISCONNECT).uint32(reason).string(text).string("").done();
        let _ = self.outgoing.write(&goodbye, &mut self.unwritten);
        self.is_over = true;
    }
}
