//! The SSH server in the loop: its sockets, its deadlines, and which request came over which channel.

use super::connection::{Connection, Rules, Told};
use super::host_key::HostKey;
use super::listening::{Client, Listening, failure_text};
use crate::event::{Event, SshState};
use crate::readiness::{Interests, Ready};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::time::{Duration, Instant};

/// A hub keeps one connection; a few more may be left over from restarts.
const MAX_CONNECTIONS: usize = 64;
/// Who has not shown a key by then is no hub.
const LOGIN_DEADLINE: Duration = Duration::from_secs(30);
/// A client that does not read is left before its answers fill the memory.
const MAX_UNWRITTEN_BYTES: usize = 16 * 1024 * 1024;

/// See `SshAddress`.
pub enum Address {
    Unix(String),
    Tcp { host: Option<String>, port: u16, is_ipv6_only: bool },
}

/// A key that is let in: OpenSSH's name of its kind, and its blob.
pub struct AuthorisedKey {
    pub algorithm: String,
    pub blob: Vec<u8>,
}

/// See `SshOptions`.
pub struct Options {
    pub address: Address,
    pub identification: String,
    pub host_key_path: Option<String>,
    pub authorised_keys: Vec<AuthorisedKey>,
    pub max_request_bytes: usize,
    pub silence: Duration,
}

struct Visitor {
    client: Client,
    address: String,
    connection: Connection,
    login_deadline: Instant,
    silence_deadline: Instant,
}

struct Running {
    listening: Listening,
    rules: Rules,
    silence: Duration,
}

/// The one SSH server of the program.
#[derive(Default)]
pub struct SshServer {
    running: Option<Running>,
    visitors: BTreeMap<u64, Visitor>,
    /// Request to visitor and channel.
    requests: BTreeMap<u64, (u64, u32)>,
    last_visitor: u64,
    last_request: u64,
}

impl SshServer {
    /// Listens; the reason when the options cannot be used.
    pub fn listen(&mut self, options: Options) -> Result<SshState, String> {
        if options.authorised_keys.is_empty() {
            return Err("no key may come in".into());
        }
        self.close();
        let host_key = match HostKey::load(options.host_key_path.as_deref()) {
            Ok(key) => key,
            Err(reason) => return Ok(SshState::Failed { reason, address_in_use: false }),
        };
        let listening = match Listening::on(&options.address) {
            Ok(listening) => listening,
            Err(error) => {
                let address_in_use = error.kind() == ErrorKind::AddrInUse;
                return Ok(SshState::Failed { reason: failure_text(&options.address, &error), address_in_use });
            }
        };
        let port = listening.port();
        let Options { identification, authorised_keys, max_request_bytes, silence, .. } = options;
        self.running = Some(Running { listening, rules: Rules { identification, host_key, authorised_keys, max_request_bytes }, silence });
        Ok(SshState::Listening { port })
    }

    /// Answers a request whose channel may be gone by now.
    pub fn reply(&mut self, request: u64, data: Vec<u8>, status: u32) {
        let Some((visitor, channel)) = self.requests.remove(&request) else { return };
        if let Some(visitor) = self.visitors.get_mut(&visitor) {
            visitor.connection.answer(channel, data, status);
        }
    }

    /// Ends listening and open connections.
    pub fn close(&mut self) {
        self.running = None;
        self.visitors.clear();
        self.requests.clear();
    }

    /// What to wait for.
    pub fn interests<'fd>(&'fd self, interests: &mut Interests<'fd>) {
        if let Some(running) = self.running.as_ref().filter(|_| self.visitors.len() < MAX_CONNECTIONS) {
            interests.read(&running.listening);
        }
        for visitor in self.visitors.values() {
            interests.read_write(&visitor.client, !visitor.connection.unwritten.is_empty());
            interests.until(visitor.deadline());
        }
    }

    /// Lets in, reads, writes, and tells.
    pub fn turn(&mut self, ready: &Ready, events: &mut Vec<Event>) {
        let Some(Running { listening, rules, silence }) = &self.running else { return };
        if ready.has(listening) {
            while self.visitors.len() < MAX_CONNECTIONS
                && let Some((client, address)) = listening.accept()
            {
                self.last_visitor += 1;
                self.visitors.insert(self.last_visitor, Visitor::new(client, address, rules, *silence));
            }
        }
        let now = Instant::now();
        let (requests, last_request) = (&mut self.requests, &mut self.last_request);
        self.visitors.retain(|&id, visitor| {
            let stays = visitor.turn(ready, now, rules, *silence, |told, visitor| match told {
                Told::Refused => events.push(Event::SshServer(SshState::Refused { client: visitor.address.clone() })),
                Told::Asked(asked) => {
                    let known = requests.iter().find(|(_, place)| **place == (id, asked.channel)).map(|(&request, _)| request);
                    let request = known.unwrap_or_else(|| {
                        *last_request += 1;
                        requests.insert(*last_request, (id, asked.channel));
                        *last_request
                    });
                    let identification = visitor.connection.identification.clone();
                    events.push(Event::Ssh { request, identification, input: asked.input, ended: asked.ended });
                }
            });
            if !stays {
                requests.retain(|_, (visitor, _)| *visitor != id);
            }
            stays
        });
    }
}

impl Visitor {
    fn new(client: Client, address: String, rules: &Rules, silence: Duration) -> Self {
        let now = Instant::now();
        let connection = Connection::new(rules);
        Self { client, address, connection, login_deadline: now + LOGIN_DEADLINE, silence_deadline: now + silence }
    }

    fn deadline(&self) -> Instant {
        if self.connection.is_in { self.silence_deadline } else { self.silence_deadline.min(self.login_deadline) }
    }

    /// Whether it stays.
    fn turn(&mut self, ready: &Ready, now: Instant, rules: &Rules, silence: Duration, mut tell: impl FnMut(Told, &Self)) -> bool {
        let mut is_there = true;
        if ready.has(&self.client) && !self.connection.is_over {
            let mut buffer = [0; 16 * 1024];
            loop {
                match rustix::io::read(&self.client, &mut buffer) {
                    Ok(0) => {
                        is_there = false;
                        break;
                    }
                    Ok(count) => {
                        self.silence_deadline = now + silence;
                        for told in self.connection.receive(&buffer[..count], rules) {
                            tell(told, self);
                        }
                    }
                    Err(rustix::io::Errno::AGAIN) => break,
                    Err(rustix::io::Errno::INTR) => (),
                    Err(_) => {
                        is_there = false;
                        break;
                    }
                }
            }
        }
        is_there && self.write(now, silence) && self.deadline() > now
    }

    /// Whether it still reads, or has something to read.
    fn write(&mut self, now: Instant, silence: Duration) -> bool {
        let unwritten = &mut self.connection.unwritten;
        while !unwritten.is_empty() {
            match rustix::io::write(&self.client, unwritten) {
                Ok(count) => {
                    self.silence_deadline = now + silence;
                    unwritten.drain(..count);
                }
                Err(rustix::io::Errno::AGAIN) => return unwritten.len() <= MAX_UNWRITTEN_BYTES,
                Err(rustix::io::Errno::INTR) => (),
                Err(_) => return false,
            }
        }
        !self.connection.is_over
    }
}
