//! Whether a program's file gives rights that its caller has not.

use rustix::fs::{Mode, getxattr, stat};
use rustix::process::geteuid;
use std::path::Path;

/// Of another user or group, or of capabilities(7): all are lost where nothing may gain privileges. Root has them anyway.
pub fn has_own(program: &Path) -> bool {
    if geteuid().is_root() {
        return false;
    }
    let has_bits = stat(program).is_ok_and(|facts| Mode::from_raw_mode(facts.st_mode).intersects(Mode::SUID | Mode::SGID));
    has_bits || getxattr(program, "security.capability", &mut [0_u8; 64]).is_ok()
}
