//! Landlock rules, landlock(7): files can be written only below some folders.

use crate::machine::error_text::error_text;
use crate::unchecked::kernel_calls::{landlock_allow, landlock_restrict, landlock_rules, landlock_version};
use rustix::fs::{Mode, OFlags, open};
use std::io::Error;
use std::os::fd::AsFd;

/// Bits of Landlock rights in linux/landlock.h.
const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const REMOVE_FILE: u64 = 1 << 5;
const MAKE_CHAR: u64 = 1 << 6;
const MAKE_DIR: u64 = 1 << 7;
const MAKE_REG: u64 = 1 << 8;
const MAKE_SOCK: u64 = 1 << 9;
/// Other Landlock rights: removing folders, and making block devices, pipes and links.
const OTHER_CHANGES: u64 = 1 << 4 | 1 << 10 | 1 << 11 | 1 << 12;
/// Landlock right to truncate files. It exists from version 3 on.
const TRUNCATE: u64 = 1 << 14;
const FIRST_WITH_TRUNCATE: u32 = 3;

/// Landlock rights for the agent's own files.
const OWN: u64 = WRITE_FILE | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK;
/// Landlock rights on devices, for the programs of drivers.
const DEVICES: u64 = WRITE_FILE | MAKE_CHAR;

/// Allows writing only below `writable`; with `runs_programs` also to devices, and running programs. Missing folders are skipped. Returns
/// the reason on failure.
pub fn restrict(writable: &[String], runs_programs: bool) -> Result<(), String> {
    let version = landlock_version().map_err(|_| "the kernel has no Landlock (Linux 5.13), or it is switched off")?;
    let truncate = if version >= FIRST_WITH_TRUNCATE { TRUNCATE } else { 0 };
    let changes = OWN | MAKE_CHAR | OTHER_CHANGES | truncate;
    let handled = if runs_programs { changes } else { changes | EXECUTE };
    let reason = |error: Error| error_text(&error);
    let rules = landlock_rules(handled).map_err(reason)?;
    let mut allowed: Vec<(&str, u64)> = writable.iter().map(|path| (path.as_str(), OWN | truncate)).collect();
    if runs_programs {
        allowed.push(("/dev", DEVICES | truncate));
    }
    for (path, rights) in allowed {
        if let Ok(folder) = open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
            landlock_allow(&rules, folder.as_fd(), rights).map_err(reason)?;
        }
    }
    landlock_restrict(&rules).map_err(reason)
}
