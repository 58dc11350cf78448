//! Whether the kernel's list of mounts changed.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::os::fd::AsFd;

/// Whether something was mounted or unmounted since the list was opened or asked this last: the kernel tells it once, proc(5).
pub fn was_mounted_since(list: &impl AsFd) -> bool {
    let mut asked = [PollFd::new(list, PollFlags::PRI)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    // A kernel that cannot say counts as one that says so.
    poll(&mut asked, Some(&now)) != Ok(0)
}
