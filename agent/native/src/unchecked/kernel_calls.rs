//! System calls without a safe library: user changes, a system call filter, seccomp(2), and file rules, landlock(7).

use libc::{c_int, c_long, sock_filter, sock_fprog, syscall};
use std::io::{Error, Result};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::null;

/// `struct landlock_path_beneath_attr` of the kernel.
#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    folder: c_int,
}

const CREATE_RULESET_VERSION: c_int = 1;
const RULE_PATH_BENEATH: c_int = 1;

/// Changes the user of this process in all its threads, with the group of equal id and the given groups. Root loses all capabilities.
pub fn become_user(user: u32, groups: &[u32]) -> Result<()> {
    // SAFETY: the kernel reads as many groups as the slice has.
    done(unsafe { libc::setgroups(groups.len(), groups.as_ptr()) }.into())?;
    // SAFETY: no memory is passed to either.
    done(unsafe { libc::setgid(user) }.into())?;
    done(unsafe { libc::setuid(user) }.into())
}

/// Installs a system call filter for all threads of this process, for good.
pub fn filter_system_calls(filter: &[sock_filter]) -> Result<()> {
    let program = sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the program, whose length is the slice's.
    done(unsafe { syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_TSYNC, &raw const program) })
}

/// Returns the Landlock version of the kernel; an error when it has none.
pub fn landlock_version() -> Result<u32> {
    // SAFETY: with this flag the kernel reads no memory of ours.
    let version = unsafe { syscall(libc::SYS_landlock_create_ruleset, null::<u64>(), 0_usize, CREATE_RULESET_VERSION) };
    u32::try_from(version).map_err(|_| Error::last_os_error())
}

/// Creates a Landlock ruleset. It refuses the `handled` rights except where they are allowed.
pub fn landlock_rules(handled: u64) -> Result<OwnedFd> {
    // SAFETY: the first generation's structure is this one number.
    let fd = unsafe { syscall(libc::SYS_landlock_create_ruleset, &raw const handled, size_of::<u64>(), 0) };
    done(fd)?;
    // SAFETY: the kernel just made it, and nobody else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as c_int) })
}

/// Allows rights on `folder` and everything below it.
pub fn landlock_allow(rules: &OwnedFd, folder: BorrowedFd<'_>, allowed: u64) -> Result<()> {
    let rule = PathBeneath { allowed, folder: folder.as_raw_fd() };
    // SAFETY: the kernel reads one structure, which lives until the call is over.
    done(unsafe { syscall(libc::SYS_landlock_add_rule, rules.as_raw_fd(), RULE_PATH_BENEATH, &raw const rule, 0) })
}

/// Applies the rules to this thread and to everything that it starts, for good.
pub fn landlock_restrict(rules: &OwnedFd) -> Result<()> {
    // SAFETY: no memory is passed.
    done(unsafe { syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) })
}

fn done(outcome: c_long) -> Result<()> {
    if outcome < 0 { Err(Error::last_os_error()) } else { Ok(()) }
}
