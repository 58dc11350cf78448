//! Runs work that would block the loop, such as a DNS look-up, on a separate thread and reports its outcome to the loop.

use rustix::event::{EventfdFlags, eventfd};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

/// Stack size of a helper thread. It fits a DNS look-up and a TLS handshake.
const STACK_BYTES: usize = 256 * 1024;

/// Runner of helper threads whose outcomes have one type.
pub struct Beside<T> {
    sender: Sender<T>,
    receiver: Receiver<T>,
    bell: Arc<OwnedFd>,
}

impl<T: Send + 'static> Beside<T> {
    /// Creates the runner. Fails only when no descriptor is left.
    pub fn new() -> Result<Self, String> {
        let (sender, receiver) = channel();
        let bell =
            eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(|error| format!("Cannot make an eventfd: {error}"))?;
        Ok(Self { sender, receiver, bell: Arc::new(bell) })
    }

    /// Runs `work` on a thread and reports its outcome. If no thread can be started, it reports the outcome of `otherwise`.
    pub fn run(&self, work: impl FnOnce() -> T + Send + 'static, otherwise: impl FnOnce(String) -> T) {
        self.run_steps(move |tell| tell(work()), otherwise);
    }

    /// Runs `work` on a thread, which can report several outcomes. If no thread can be started, it reports the outcome of `otherwise`.
    pub fn run_steps(&self, work: impl FnOnce(&dyn Fn(T)) + Send + 'static, otherwise: impl FnOnce(String) -> T) {
        let (sender, bell) = (self.sender.clone(), Arc::clone(&self.bell));
        let tell = move |outcome| {
            // The receiver is gone when the program ends.
            let _ = sender.send(outcome);
            let _ = rustix::io::write(&bell, &1_u64.to_ne_bytes());
        };
        if let Err(error) = Builder::new().stack_size(STACK_BYTES).spawn(move || work(&tell)) {
            let _ = self.sender.send(otherwise(format!("no thread to spare: {error}")));
            let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
        }
    }

    /// Returns the descriptor that becomes readable when there is an outcome.
    pub fn bell(&self) -> &OwnedFd {
        &self.bell
    }

    /// Removes and returns all outcomes so far.
    pub fn outcomes(&self) -> Vec<T> {
        let _ = rustix::io::read(&*self.bell, &mut [0; 8]);
        self.receiver.try_iter().collect()
    }
}
