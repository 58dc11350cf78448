//! Signals, delivered as bytes in pipes that the loop reads.

use crate::readiness::Ready;
use signal_hook::consts::{SIGCHLD, SIGINT, SIGTERM};
use std::io::Read;
use std::os::unix::net::UnixStream;

/// Registered signals. Each has its own pipe, so the bytes have no meaning.
pub struct Signals {
    children: UnixStream,
    asked: Vec<(&'static str, UnixStream)>,
}

impl Signals {
    /// Registers SIGCHLD, so that the end of programs is noticed.
    pub fn new() -> Result<Self, String> {
        Ok(Self { children: pipe_of(SIGCHLD)?, asked: Vec::new() })
    }

    /// Registers SIGINT or SIGTERM, which is then reported instead of ending the process. Other names are ignored.
    pub fn hear(&mut self, name: &str) -> Result<(), String> {
        let (name, number) = match name {
            "SIGINT" => ("SIGINT", SIGINT),
            "SIGTERM" => ("SIGTERM", SIGTERM),
            _ => return Ok(()),
        };
        if self.asked.iter().all(|(known, _)| *known != name) {
            self.asked.push((name, pipe_of(number)?));
        }
        Ok(())
    }

    /// Returns all pipes that the loop waits for.
    pub fn pipes(&self) -> impl Iterator<Item = &UnixStream> {
        std::iter::once(&self.children).chain(self.asked.iter().map(|(_, pipe)| pipe))
    }

    /// True when a program may have ended since the last call.
    pub fn a_child_ended(&mut self, ready: &Ready) -> bool {
        ready.has(&self.children) && is_filled(&mut self.children)
    }

    /// Returns the names of the signals received since the last call.
    pub fn received(&mut self, ready: &Ready) -> Vec<&'static str> {
        let came = self.asked.iter_mut().filter(|(_, pipe)| ready.has(pipe));
        came.filter_map(|(name, pipe)| is_filled(pipe).then_some(*name)).collect()
    }
}

fn pipe_of(signal: i32) -> Result<UnixStream, String> {
    let make = || -> std::io::Result<UnixStream> {
        let (read, write) = UnixStream::pair()?;
        read.set_nonblocking(true)?;
        signal_hook::low_level::pipe::register(signal, write)?;
        Ok(read)
    };
    make().map_err(|error| format!("Cannot hear signal {signal}: {error}"))
}

fn is_filled(pipe: &mut UnixStream) -> bool {
    let mut buffer = [0; 64];
    let mut filled = false;
    while matches!(pipe.read(&mut buffer), Ok(count) if count > 0) {
        filled = true;
    }
    filled
}
