//! Start of the new program, and restart of the agent's service. The only commands are `systemctl` and the program whose signature was
//! verified.

use super::options::Service;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

const STANDARD_SERVICE: &str = "vedette-agent.service";
/// Time in which the restarted agent must have written its health file.
const HEALTHY_WITHIN: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Number of restarts by systemd after which a new version counts as broken.
const MAX_RESTARTS: u32 = 3;
/// Folders and the start of the name of the agent's health file, which contains its process id.
const HEALTH_FOLDERS: [&str; 3] = ["/dev/shm", "/var/lib/vedette-agent", "/var/lib/private/vedette-agent"];
const HEALTH_FILE: &str = "vedette-agent-health";

impl Service {
    /// Name of the service to restart; `None` when no service is running.
    pub fn running(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Named(name) => Some(name.clone()),
            Self::Standard => {
                let is_active = systemctl(&["is-active", "--quiet", STANDARD_SERVICE]).is_some_and(|output| output.status.success());
                is_active.then(|| STANDARD_SERVICE.to_owned())
            }
        }
    }
}

/// Runs the new program to see that it works on this machine and is of the signed version. The error is one sentence.
pub fn probe(program: &Path, version: &str) -> Result<(), String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .map_err(|error| format!("The new program does not run on this machine: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if !output.status.success() {
        return Err(format!("The new program does not run on this machine: it ended with {}", output.status));
    }
    match text.strip_prefix("vedette-agent ") {
        Some(own) if own == version => Ok(()),
        other => Err(format!("The new program is of version {}, expected {version}", other.unwrap_or(&text))),
    }
}

/// Restarts the service. True once it is active and its process has written its health file; false when systemd restarted it several
/// times, gave it up, or when it is not healthy in time.
pub fn is_healthy_after_restart(unit: &str) -> bool {
    let _ = systemctl(&["reset-failed", unit]);
    let _ = systemctl(&["restart", unit]);
    let deadline = Instant::now() + HEALTHY_WITHIN;
    while Instant::now() < deadline {
        let Some(output) = systemctl(&["show", "--property=ActiveState,NRestarts,MainPID", unit]) else { return false };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let value_of = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default();
        if value_of("ActiveState") == "failed" || value_of("NRestarts").parse().unwrap_or(0) >= MAX_RESTARTS {
            return false;
        }
        if value_of("ActiveState") == "active" && is_healthy(value_of("MainPID")) {
            return true;
        }
        sleep(LOOK_EVERY);
    }
    false
}

/// True when a health file contains this process id.
fn is_healthy(pid: &str) -> bool {
    let files = HEALTH_FOLDERS.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten().map(|entry| entry.path());
    let is_health_file = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(HEALTH_FILE));
    files.filter(is_health_file).any(|path| fs::read_to_string(path).is_ok_and(|text| text.trim() == pid))
}

/// Runs systemctl(1); `None` on a machine without systemd.
fn systemctl(arguments: &[&str]) -> Option<Output> {
    Command::new("systemctl").args(arguments).output().ok()
}
