//! Command `vedette-agent update`: replaces this executable by a newer signed release. Only `main` starts it, from the command line.
//! No code that serves a hub can reach it, and every file that it installs is verified by the public key of releases.

mod download;
mod install;
mod options;
mod release;
mod service;

use crate::machine::print;
use install::Installation;
use options::{Options, Wish};
use release::{Release, is_later};
use std::process::ExitCode;

/// Version of this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Names of the list of checksums of a release, and of its signature.
const SUMS: &str = "SHA256SUMS";
const SUMS_SIGNATURE: &str = "SHA256SUMS.minisig";

const REFUSED: u8 = 1;
const MISUSED: u8 = 2;

/// Runs the command with the arguments after `update`. The exit status is 0 when the program was updated or is up to date, 1 when the
/// update was refused, and 2 for wrong usage. Each refusal is one sentence on standard error.
pub fn run(arguments: &[String]) -> ExitCode {
    match options::read(arguments, |name| std::env::var(name).ok()) {
        Ok(Wish::Help) => {
            print(&options::help());
            ExitCode::SUCCESS
        }
        Ok(Wish::Update(options)) => match update(&options) {
            Ok(()) => ExitCode::SUCCESS,
            Err(sentence) => complain(&sentence, REFUSED),
        },
        Err(sentence) => complain(&sentence, MISUSED),
    }
}

fn complain(sentence: &str, status: u8) -> ExitCode {
    eprintln!("{sentence}");
    ExitCode::from(status)
}

fn say(text: &str) {
    print(&format!("{text}\n"));
}

/// Updates the program. The error is one sentence; the program of before is then in place, unless it could not be put back.
fn update(options: &Options) -> Result<(), String> {
    let installation = Installation::own()?;
    let source = download::Source { folder: &options.from, proxy: options.proxy.as_deref() };
    let release = Release::read(&options.key()?, &source.text(SUMS_SIGNATURE)?, &source.text(SUMS)?)?;
    if !is_later(&release.version, VERSION) {
        say(&format!("Vedette agent {VERSION} is up to date; the release is {}.", release.version));
        return Ok(());
    }
    let name = format!("vedette-agent-linux-{}", architecture());
    let expected = release.checksum_of(&name).ok_or_else(|| format!("Release {} has no file {name} for this machine", release.version))?;
    say(&format!("Downloading Vedette agent {}", release.version));
    let fresh = installation.receive(|file| source.file(&name, file), expected)?;
    service::probe(fresh.path(), &release.version)?;
    let previous = fresh.put_in_place()?;
    let Some(unit) = options.service.running() else {
        say(&format!("Vedette agent {} is installed. Restart it to use it.", release.version));
        return Ok(());
    };
    if service::is_healthy_after_restart(&unit) {
        say(&format!("Vedette agent {} is running.", release.version));
        return Ok(());
    }
    previous.put_back()?;
    let state = match service::is_healthy_after_restart(&unit) {
        true => "is running".to_owned(),
        false => format!("does not run either: see \"journalctl -u {unit}\""),
    };
    Err(format!("Vedette agent {} did not become healthy, so the version before it was put back and {state}", release.version))
}

/// Architecture of this program by the name in releases: `x64` or `arm64`.
fn architecture() -> &'static str {
    if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" }
}
