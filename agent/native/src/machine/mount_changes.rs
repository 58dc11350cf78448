//! Detection of changes in the kernel's mount table.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::os::fd::AsFd;

/// True when something was mounted or unmounted since the mount table was opened or since the last call. The kernel reports each change
/// once, proc(5).
pub fn was_mounted_since(list: &impl AsFd) -> bool {
    let mut asked = [PollFd::new(list, PollFlags::PRI)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    // An error of poll(2) counts as a change.
    poll(&mut asked, Some(&now)) != Ok(0)
}
