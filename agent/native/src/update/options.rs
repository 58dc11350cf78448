//! Options of the command `update`: flags and environment variables.

use crate::net::http_url::Url;

/// Public key that signs releases, in the minisign format; empty when this program was built without one.
const BUILT_IN_KEY: &str = include_str!(concat!(env!("OUT_DIR"), "/release-key.pub"));

/// Result of reading the command line.
pub enum Wish {
    Help,
    Update(Options),
}

pub struct Options {
    /// Address of the folder with the files of a release, with `/` at its end.
    pub from: String,
    /// Path of a public key to use instead of the one in this program.
    pub key_file: Option<String>,
    pub service: Service,
    /// Address of a proxy.
    pub proxy: Option<String>,
}

/// Service to restart.
pub enum Service {
    /// The agent's service, if it is running.
    Standard,
    None,
    Named(String),
}

const FLAGS: [(&str, &str, &str, &str); 4] = [
    ("--from", "VEDETTE_AGENT_UPDATE_FROM", "URL", "Address of the folder with the files of a release."),
    (
        "--key",
        "VEDETTE_AGENT_UPDATE_KEY",
        "FILE",
        "Public key that signs releases, in the minisign format. Default: the one within this program.",
    ),
    (
        "--service",
        "VEDETTE_AGENT_UPDATE_SERVICE",
        "NAME",
        "systemd service to restart, or `none`. Default: vedette-agent.service if it is running.",
    ),
    ("--proxy", "VEDETTE_AGENT_UPDATE_PROXY", "URL", "HTTP or SOCKS proxy, such as http://proxy:3128 or socks5h://proxy. Default: none."),
];

/// Text that `vedette-agent update --help` prints.
pub fn help() -> String {
    let lines: Vec<String> =
        FLAGS.iter().map(|(flag, variable, shape, doc)| format!("  {flag} <{shape}>   {variable}\n      {doc}\n")).collect();
    format!("vedette-agent update: replaces this program by a newer release\n\n{}", lines.concat())
}

/// Reads the arguments and the environment. The error is one sentence.
pub fn read(arguments: &[String], variable: impl Fn(&str) -> Option<String>) -> Result<Wish, String> {
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        return Ok(Wish::Help);
    }
    let mut values = FLAGS.map(|(_, name, ..)| variable(name).filter(|value| !value.is_empty()));
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        let (flag, inline) = argument.split_once('=').map_or((argument.as_str(), None), |(flag, value)| (flag, Some(value.to_owned())));
        let Some(place) = FLAGS.iter().position(|(known, ..)| *known == flag) else {
            return Err(format!("Unknown argument \"{argument}\"; --help lists all"));
        };
        values[place] = Some(inline.or_else(|| left.next().cloned()).ok_or_else(|| format!("{flag} needs a value"))?);
    }
    let [from, key_file, service, proxy] = values;
    let from = from.ok_or("Give the address of a release with --from URL. No releases are published yet.")?;
    if !from.starts_with("http") || Url::parse(&from).is_err() {
        return Err(format!("\"{from}\" is not an http or https address"));
    }
    let from = if from.ends_with('/') { from } else { format!("{from}/") };
    let service = match service.as_deref() {
        None => Service::Standard,
        Some("none") => Service::None,
        Some(name) => Service::Named(name.to_owned()),
    };
    Ok(Wish::Update(Options { from, key_file, service, proxy }))
}

impl Options {
    /// Text of the public key. The error is one sentence.
    pub fn key(&self) -> Result<String, String> {
        match &self.key_file {
            Some(path) => std::fs::read_to_string(path).map_err(|error| format!("Cannot read the key \"{path}\": {error}")),
            None if BUILT_IN_KEY.is_empty() => Err("This program was built without a key of releases; give one with --key FILE".into()),
            None => Ok(BUILT_IN_KEY.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(arguments: &[&str]) -> Result<Wish, String> {
        read(&arguments.iter().map(|&one| one.to_owned()).collect::<Vec<_>>(), |_| None)
    }

    #[test]
    fn read_takes_flags_and_refuses_wrong_ones() {
        let Ok(Wish::Update(options)) = given(&["--from", "https://releases.example/0.2.0", "--service=none"]) else { panic!() };
        assert_eq!(options.from, "https://releases.example/0.2.0/");
        assert!(matches!(options.service, Service::None));
        assert!(matches!(given(&["--help"]), Ok(Wish::Help)));
        for wrong in [&[][..], &["--from"], &["--from", "ftp://x"], &["--from", "http://"], &["--form", "http://x"], &["http://x"]] {
            assert!(given(wrong).is_err(), "{wrong:?}");
        }
    }
}
