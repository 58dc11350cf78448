//! Start of the new program, and restart of the agent's service. The only commands are `systemctl` and the program whose signature was
//! verified.

use super::options::Service;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const STANDARD_SERVICE: &str = "vedette-agent.service";
/// Time in which the new program must print its version.
const PROBED_WITHIN: Duration = Duration::from_secs(10);
/// Number of bytes of the new program's output that are read.
const VERSION_BYTES: u64 = 256;
const LOOK_FOR_END_EVERY: Duration = Duration::from_millis(10);
/// Time in which the restarted agent must have written its health file.
const HEALTHY_WITHIN: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Number of restarts by systemd after which a new version counts as broken.
const MAX_RESTARTS: u32 = 3;
/// Folders and the start of the name of the agent's health file, which contains its process id.
const HEALTH_FOLDERS: [&str; 3] = ["/dev/shm", "/var/lib/vedette-agent", "/var/lib/private/vedette-agent"];
const HEALTH_FILE: &str = "vedette-agent-health";

impl Service {
    /// Name of the service to restart, or `None`. The standard service counts only when it is active; a named one is not checked.
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
    probe_within(program, version, PROBED_WITHIN)
}

fn probe_within(program: &Path, version: &str, time: Duration) -> Result<(), String> {
    let mut child = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("The new program does not run on this machine: {error}"))?;
    let Some(status) = end_within(&mut child, time) else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("The new program does not run on this machine: it printed no version within {} s", time.as_secs_f32()));
    };
    if !status.success() {
        return Err(format!("The new program does not run on this machine: it ended with {status}"));
    }
    let mut output = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        let _ = stdout.take(VERSION_BYTES).read_to_end(&mut output);
    }
    let text = String::from_utf8_lossy(&output).trim().to_owned();
    match text.strip_prefix("vedette-agent ") {
        Some(own) if own == version => Ok(()),
        other => Err(format!("The new program is of version {}, expected {version}", other.unwrap_or(&text))),
    }
}

/// Waits until a program ends, at most for `time`; `None` when it still runs then. A program that fills the pipe of its output never ends.
fn end_within(child: &mut Child, time: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + time;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => sleep(LOOK_FOR_END_EVERY),
            _ => return None,
        }
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

#[cfg(test)]
mod tests {
    use super::{Duration, probe_within};
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    /// Writes a program of the shell; the caller removes its folder.
    fn program(name: &str, script: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("vedette-probe-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("agent");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn probe_accepts_only_a_program_that_prints_the_version_in_time() {
        let cases = [
            ("good", "echo vedette-agent 1.2.3", Duration::from_secs(300), Ok(())),
            ("other", "echo vedette-agent 1.2.4", Duration::from_secs(300), Err("of version 1.2.4")),
            ("fails", "exit 3", Duration::from_secs(300), Err("ended with")),
            ("hangs", "exec sleep 1000", Duration::from_millis(50), Err("no version within 0.05 s")),
            ("floods", "exec cat /dev/zero", Duration::from_millis(500), Err("no version within 0.5 s")),
        ];
        for (name, script, time, expected) in cases {
            let path = program(name, script);
            let result = probe_within(&path, "1.2.3", time);
            fs::remove_dir_all(path.parent().unwrap()).unwrap();
            match expected {
                Ok(()) => assert_eq!(result, Ok(()), "{name}"),
                Err(part) => assert!(result.unwrap_err().contains(part), "{name}"),
            }
        }
    }
}
