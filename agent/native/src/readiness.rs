//! poll(2) over the descriptors of one round of the loop.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::time::{Duration, Instant};

/// Descriptors and deadline to wait for, collected in each round.
#[derive(Default)]
pub struct Interests<'fd> {
    fds: Vec<PollFd<'fd>>,
    deadline: Option<Instant>,
}

impl<'fd> Interests<'fd> {
    /// Waits until the descriptor is readable or the peer has closed.
    pub fn read(&mut self, fd: &'fd impl AsFd) {
        self.add(fd.as_fd(), PollFlags::IN);
    }

    /// Waits until the descriptor is readable, or also writable if `wants_write`.
    pub fn read_write(&mut self, fd: &'fd impl AsFd, wants_write: bool) {
        self.read_write_if(fd, true, wants_write);
    }

    /// Waits until the descriptor is readable or writable, as requested, or the connection ends.
    pub fn read_write_if(&mut self, fd: &'fd impl AsFd, wants_read: bool, wants_write: bool) {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, wants_read);
        flags.set(PollFlags::OUT, wants_write);
        self.add(fd.as_fd(), flags);
    }

    /// Ends the wait at once.
    pub fn now(&mut self) {
        self.until(Instant::now());
    }

    /// Ends the wait at `deadline` at the latest.
    pub fn until(&mut self, deadline: Instant) {
        self.deadline = Some(self.deadline.map_or(deadline, |earlier| earlier.min(deadline)));
    }

    fn add(&mut self, fd: BorrowedFd<'fd>, flags: PollFlags) {
        self.fds.push(PollFd::from_borrowed_fd(fd, flags));
    }

    /// Waits for the descriptors and the deadline. Without any, only a signal ends the wait.
    pub fn wait(mut self) -> Ready {
        let timeout = self.deadline.map(|deadline| {
            let left = deadline.saturating_duration_since(Instant::now());
            // Rounded up, so that the deadline has passed after the wait.
            Timespec::try_from(left + Duration::from_micros(50)).unwrap_or(Timespec { tv_sec: 3600, tv_nsec: 0 })
        });
        match poll(&mut self.fds, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => (),
            // The only remaining error is lack of kernel memory; the next round tries again.
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
        let mut fds: Vec<RawFd> = self.fds.iter().filter(|fd| !fd.revents().is_empty()).map(|fd| fd.as_fd().as_raw_fd()).collect();
        fds.sort_unstable();
        Ready { fds }
    }
}

/// Descriptors that poll(2) reported.
pub struct Ready {
    fds: Vec<RawFd>,
}

impl Ready {
    /// True when poll(2) reported an event of the descriptor.
    pub fn has(&self, fd: &impl AsFd) -> bool {
        self.fds.binary_search(&fd.as_fd().as_raw_fd()).is_ok()
    }
}
