//! All asynchronous work of the host, and the only place that waits.

use crate::event::Event;
use crate::machine::counters::Counters;
use crate::machine::files::FileReader;
use crate::machine::filesystem_sizes::FilesystemSizes;
use crate::machine::programs::Programs;
use crate::machine::signals::Signals;
use crate::machine::slow_reads::SlowReads;
use crate::net::http::HttpClient;
use crate::net::streams::Streams;
use crate::net::websockets::WebSockets;
use crate::readiness::Interests;
use crate::ssh::server::SshServer;
use crate::timers::Timers;
use std::time::Instant;

/// All work in progress with its resources.
pub struct Host {
    pub files: FileReader,
    pub counters: Counters,
    pub sizes: FilesystemSizes,
    pub slow_reads: SlowReads,
    pub timers: Timers,
    pub signals: Signals,
    pub programs: Programs,
    pub http: HttpClient,
    pub streams: Streams,
    pub websockets: WebSockets,
    pub ssh: SshServer,
    /// Events that are ready. The loop delivers them, never a call itself.
    pub known: Vec<Event>,
    /// Exit status, once the script has requested the end.
    pub exit_code: Option<u8>,
}

impl Host {
    pub fn new(program_folders: Option<Vec<String>>) -> Result<Self, String> {
        Ok(Self {
            files: FileReader::default(),
            counters: Counters::default(),
            sizes: FilesystemSizes::new()?,
            slow_reads: SlowReads::new()?,
            timers: Timers::default(),
            signals: Signals::new()?,
            programs: Programs::new(program_folders),
            http: HttpClient::new()?,
            streams: Streams::default(),
            websockets: WebSockets::new()?,
            ssh: SshServer::default(),
            known: Vec::new(),
            exit_code: None,
        })
    }

    /// Waits for events and returns them. The list may be empty.
    pub fn next_events(&mut self) -> Vec<Event> {
        if !self.known.is_empty() {
            return std::mem::take(&mut self.known);
        }
        let mut interests = Interests::default();
        for pipe in self.signals.pipes() {
            interests.read(pipe);
        }
        if let Some(next) = self.timers.next() {
            interests.until(next);
        }
        self.slow_reads.interests(&mut interests);
        self.programs.interests(&mut interests);
        self.http.interests(&mut interests);
        self.streams.interests(&mut interests);
        self.websockets.interests(&mut interests);
        self.ssh.interests(&mut interests);
        let ready = interests.wait();

        let mut events: Vec<Event> = self.signals.received(&ready).into_iter().map(Event::Signal).collect();
        let a_child_ended = self.signals.a_child_ended(&ready);
        self.slow_reads.turn(&ready, &mut events);
        self.programs.turn(&ready, a_child_ended, &mut events);
        self.http.turn(&ready, &mut events);
        self.streams.turn(&ready, &mut events);
        self.websockets.turn(&ready, &mut events);
        self.ssh.turn(&ready, &mut events);
        events
    }

    /// Removes and returns the id of a timer that is due; `None` without one.
    pub fn due_timer(&mut self) -> Option<u64> {
        self.timers.take_due(Instant::now())
    }
}
