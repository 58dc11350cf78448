//! The end of the process that started this one, as a request to stop.

use rustix::process::{Pid, Signal, getpid, getppid, kill_process, set_parent_process_death_signal};

/// Set by `npm run agent`: the number of npm, which passes its own death on to nobody.
const VARIABLE: &str = "VEDETTE_ENDS_WITH";

/// From now on this process gets SIGTERM when the process of [`VARIABLE`] ends. The kernel forgets that when the process becomes another user.
pub fn end_with_starter() -> Result<(), String> {
    let starter =
        std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok()).filter(|&number: &i32| number > 1).and_then(Pid::from_raw);
    if starter.is_none() {
        return Ok(());
    }
    let failed = |error: rustix::io::Errno| format!("Cannot end with the process of {VARIABLE}: {error}");
    set_parent_process_death_signal(Some(Signal::TERM)).map_err(failed)?;
    // It may have ended before the call.
    if getppid() == starter { Ok(()) } else { kill_process(getpid(), Signal::TERM).map_err(failed) }
}
