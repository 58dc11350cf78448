//! Runner of the listed programs, from fixed folders, without a shell and with a minimal environment. No other module starts programs.

use super::error_text::error_text;
use super::listed_commands::{PROGRAMS, is_listed};
use crate::event::{Event, ExecStep};
use crate::readiness::{Interests, Ready};
use crate::turn_budget::Budgeted;
use rustix::fs::{Access, access};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const SYSTEM_FOLDERS: [&str; 6] = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// Limits of a program, `ExecLimits` of the script.
#[derive(Clone, Copy)]
pub enum Limits {
    /// One event with the whole output when the program ends.
    Whole { deadline: Duration, max_output_bytes: usize },
    /// An event for each piece of output.
    Stream { silence: Duration },
}

struct Running {
    child: Child,
    output: Option<Budgeted<ChildStdout>>,
    collected: Vec<u8>,
    limits: Limits,
    /// `None` once the end was reported. The program then only has to be removed when it has exited.
    deadline: Option<Instant>,
    ended: Option<ExitStatus>,
}

/// Running programs by id.
pub struct Programs {
    folders: Vec<String>,
    /// False after the sandbox has removed the right to start programs.
    may_start: bool,
    running: BTreeMap<u64, Running>,
}

impl Programs {
    /// Creates the runner. `folders` replaces the system's folders in tests.
    pub fn new(folders: Option<Vec<String>>) -> Self {
        let folders = folders.unwrap_or_else(|| SYSTEM_FOLDERS.map(str::to_owned).to_vec());
        Self { folders, may_start: true, running: BTreeMap::new() }
    }

    /// Returns the paths of the wanted programs that are listed and installed. If there are none, no program can be started any more.
    pub fn settle(&mut self, wanted: &[String]) -> Vec<PathBuf> {
        let listed = wanted.iter().filter(|name| PROGRAMS.contains(&name.as_str()));
        let installed: Vec<PathBuf> = listed.filter_map(|name| self.path_of(name)).map(PathBuf::from).collect();
        self.may_start = !installed.is_empty();
        installed
    }

    fn path_of(&self, name: &str) -> Option<String> {
        self.folders.iter().map(|folder| format!("{folder}/{name}")).find(|path| access(path.as_str(), Access::EXEC_OK).is_ok())
    }

    /// Starts a program. Returns the reason on failure.
    pub fn start(&mut self, id: u64, argv: &[String], limits: Limits) -> Result<(), String> {
        let name = argv.first().map_or("", String::as_str);
        if !is_listed(&argv.iter().map(String::as_str).collect::<Vec<_>>()) {
            return Err(format!("\"{name}\" with these arguments is not a command this agent runs"));
        }
        let path = self.path_of(name).ok_or_else(|| format!("\"{name}\" is not installed"))?;
        if !self.may_start {
            return Err(format!("\"{name}\" was not there when the agent started, which then gave up running programs: start it again"));
        }
        let mut child = Command::new(path)
            .args(&argv[1..])
            .env_clear()
            .env("PATH", self.folders.join(":"))
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error_text(&error))?;
        let output = child.stdout.take();
        if let Some(output) = &output {
            rustix::io::ioctl_fionbio(output, true).map_err(|error| error.to_string())?;
        }
        let output = output.map(Budgeted::new);
        let deadline = Some(Instant::now() + first_wait(limits));
        self.running.insert(id, Running { child, output, collected: Vec::new(), limits, deadline, ended: None });
        Ok(())
    }

    /// Kills a program. Its end is reported by an event.
    pub fn kill(&mut self, id: u64) {
        if let Some(running) = self.running.get_mut(&id) {
            running.kill();
        }
    }

    /// Kills all programs, before the agent exits.
    pub fn kill_all(&mut self) {
        for running in self.running.values_mut() {
            running.kill();
        }
    }

    /// Adds the descriptors and deadlines to wait for.
    pub fn interests<'fd>(&'fd self, interests: &mut Interests<'fd>) {
        for running in self.running.values() {
            if let Some(output) = &running.output {
                interests.read(output);
            }
            if let Some(deadline) = running.deadline {
                interests.until(deadline);
            }
        }
    }

    /// Reads output, enforces the limits, and removes programs that have ended.
    pub fn turn(&mut self, ready: &Ready, a_child_ended: bool, events: &mut Vec<Event>) {
        let now = Instant::now();
        self.running.retain(|&id, running| {
            let mut tell = |step| events.push(Event::Exec { id, step });
            if running.output.as_ref().is_some_and(|output| ready.has(output)) {
                running.drain(&mut tell);
            }
            if a_child_ended && running.ended.is_none() {
                running.ended = running.child.try_wait().ok().flatten();
            }
            running.finish(now, &mut tell)
        });
    }
}

impl Running {
    fn kill(&mut self) {
        // An error means that the program has already exited.
        let _ = self.child.kill();
    }

    fn drain(&mut self, tell: &mut impl FnMut(ExecStep)) {
        let mut buffer = [0; 8192];
        if let Some(output) = self.output.as_mut() {
            output.renew();
        }
        while let Some(output) = self.output.as_mut() {
            match output.read(&mut buffer) {
                Ok(0) => self.output = None,
                Ok(count) => self.take(&buffer[..count], tell),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(_) => self.output = None,
            }
        }
    }

    fn take(&mut self, piece: &[u8], tell: &mut impl FnMut(ExecStep)) {
        if self.deadline.is_none() {
            return;
        }
        match self.limits {
            Limits::Stream { silence } => {
                self.deadline = Some(Instant::now() + silence);
                tell(ExecStep::Piece(piece.to_vec()));
            }
            Limits::Whole { max_output_bytes, .. } if self.collected.len() + piece.len() > max_output_bytes => {
                self.fail(format!("wrote more than {max_output_bytes} bytes"), tell);
            }
            Limits::Whole { .. } => self.collected.extend_from_slice(piece),
        }
    }

    fn fail(&mut self, reason: String, tell: &mut impl FnMut(ExecStep)) {
        self.deadline = None;
        self.collected = Vec::new();
        tell(ExecStep::Failed(reason));
        self.kill();
    }

    /// Reports the end or an exceeded limit. Returns true while the program stays in the registry.
    fn finish(&mut self, now: Instant, tell: &mut impl FnMut(ExecStep)) -> bool {
        if let (Some(status), true) = (self.ended, self.output.is_none() || self.deadline.is_none()) {
            if self.deadline.is_some() {
                tell(match (status.code(), status.signal()) {
                    (Some(code), _) => ExecStep::Exited { code, output: std::mem::take(&mut self.collected) },
                    (None, signal) => ExecStep::Failed(format!("ended by {}", signal_name(signal))),
                });
            }
            return false;
        }
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            let reason = match self.limits {
                Limits::Whole { deadline, .. } => format!("not finished within {} ms", deadline.as_millis()),
                Limits::Stream { silence } => format!("wrote nothing for {} ms", silence.as_millis()),
            };
            self.fail(reason, tell);
        }
        true
    }
}

const fn first_wait(limits: Limits) -> Duration {
    match limits {
        Limits::Whole { deadline, .. } => deadline,
        Limits::Stream { silence } => silence,
    }
}

fn signal_name(signal: Option<i32>) -> String {
    let name = signal.and_then(signal_hook::low_level::signal_name);
    name.map_or_else(|| "a signal".to_owned(), str::to_owned)
}
