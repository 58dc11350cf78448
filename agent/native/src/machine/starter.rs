//! Stop of the agent when its parent process ends.

use rustix::process::{Pid, Signal, getpid, getppid, kill_process, set_parent_process_death_signal};

/// Environment variable that `npm run agent` sets to npm's PID. npm does not stop its children when it is killed.
const VARIABLE: &str = "VEDETTE_ENDS_WITH";

/// Makes the kernel send SIGTERM to this process when the process of [`VARIABLE`] ends. Call it again after a change of the user, which
/// clears the setting.
pub fn end_with_starter() -> Result<(), String> {
    let starter =
        std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok()).filter(|&number: &i32| number > 1).and_then(Pid::from_raw);
    if starter.is_none() {
        return Ok(());
    }
    let failed = |error: rustix::io::Errno| format!("Cannot end with the process of {VARIABLE}: {error}");
    set_parent_process_death_signal(Some(Signal::TERM)).map_err(failed)?;
    // The parent may have ended before the call.
    if getppid() == starter { Ok(()) } else { kill_process(getpid(), Signal::TERM).map_err(failed) }
}
