//! Capabilities that this process has only for the programs that it starts, capabilities(7).

use rustix::io::Result;
use rustix::process::geteuid;
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

/// Capabilities for opening a drive: SG_IO, NVMe admin commands, and files that belong to root.
const FOR_DRIVES: CapabilitySet = CapabilitySet::SYS_RAWIO.union(CapabilitySet::SYS_ADMIN).union(CapabilitySet::DAC_OVERRIDE);

/// Removes the drive capabilities from this thread and the threads that it starts. Programs get them from the ambient set. Returns
/// false, and changes nothing, for root and for a process without such capabilities.
pub fn leave_to_programs() -> Result<bool> {
    let mut sets = capabilities(None)?;
    // Root has every capability without an ambient set.
    if geteuid().is_root() || !sets.inheritable.intersects(FOR_DRIVES) || !sets.effective.intersects(FOR_DRIVES) {
        return Ok(false);
    }
    sets.effective.remove(FOR_DRIVES);
    set_capabilities(None, sets)?;
    Ok(true)
}
