//! The script's access to the machine: files, counters, programs, signals and the clock.

pub mod clock;
pub mod counters;
pub mod error_text;
pub mod files;
pub mod filesystem_sizes;
mod listed_commands;
mod mount_changes;
mod mounts;
pub mod own_user;
pub mod programs;
pub mod signals;
pub mod slow_reads;
pub mod starter;

use std::io::Write;

/// Writes a line with time, level and text to standard error.
pub fn log_line(level: &str, text: &str) {
    let line = format!("{} {} {text}\n", clock::utc_text(clock::wall_ms()), level.to_uppercase());
    // Errors are ignored: with a closed standard error, there is nowhere to report them.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Writes the result of a subcommand to standard output.
pub fn print(text: &str) {
    let mut output = std::io::stdout();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}

/// Returns `(architecture, platform)` as uname(2) and Node name them, such as `("x86_64", "linux")`.
pub fn architecture() -> (String, String) {
    let facts = rustix::system::uname();
    (facts.machine().to_string_lossy().into_owned(), facts.sysname().to_string_lossy().to_lowercase())
}
