//! Blocking download of the files of a release.

use crate::event::Header;
use crate::net::dial::{Route, dial};
use crate::net::http_request::{Request, Target};
use crate::net::http_response::{Part, ResponseReader};
use crate::net::http_url::Url;
use crate::net::proxy::Proxy;
use std::io::{ErrorKind, Read, Write};
use std::time::{Duration, Instant};

/// Maximum size of the list of checksums and of its signature.
const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Maximum size of the agent's executable.
const MAX_PROGRAM_BYTES: usize = 64 * 1024 * 1024;
const TEXT_DEADLINE: Duration = Duration::from_secs(30);
const PROGRAM_DEADLINE: Duration = Duration::from_secs(600);
const MAX_REDIRECTS: u32 = 5;

/// Folder of a release on a server.
pub struct Source<'a> {
    /// Address with `/` at its end.
    pub folder: &'a str,
    pub proxy: Option<&'a str>,
}

/// Failed download: one sentence, or an error of the file that receives it.
pub enum Failure {
    Download(String),
    File(std::io::Error),
}

impl Source<'_> {
    /// Downloads a small text. The error is one sentence.
    pub fn text(&self, name: &str) -> Result<String, String> {
        let mut bytes = Vec::new();
        match self.receive(name, MAX_TEXT_BYTES, TEXT_DEADLINE, &mut bytes) {
            Ok(()) => String::from_utf8(bytes).map_err(|_| format!("{}{name} is not a text", self.folder)),
            Err(Failure::Download(sentence)) => Err(sentence),
            Err(Failure::File(error)) => Err(error.to_string()),
        }
    }

    /// Downloads an executable into a file.
    pub fn file(&self, name: &str, file: &mut dyn Write) -> Result<(), Failure> {
        self.receive(name, MAX_PROGRAM_BYTES, PROGRAM_DEADLINE, file)
    }

    fn receive(&self, name: &str, max_bytes: usize, within: Duration, output: &mut dyn Write) -> Result<(), Failure> {
        let deadline = Instant::now() + within;
        let mut address = format!("{}{name}", self.folder);
        for _ in 0..=MAX_REDIRECTS {
            let failed = |reason: String| Failure::Download(format!("Cannot download {address}: {reason}"));
            let url = Url::parse(&address).map_err(failed)?;
            let route = Route { proxy: self.proxy.map(Proxy::parse).transpose().map_err(failed)?, certificate: None };
            match exchange(&url, &address, &route, Limits { max_bytes, deadline, within }, output) {
                Ok(None) => return Ok(()),
                Ok(Some(location)) if location.starts_with('/') => {
                    let authority_end = address.len() - url.target.len();
                    address = format!("{}{location}", &address[..authority_end]);
                }
                Ok(Some(location)) => address = location,
                Err(Failure::Download(reason)) => return Err(failed(reason)),
                Err(other) => return Err(other),
            }
        }
        Err(Failure::Download(format!("Cannot download {}{name}: it has more than {MAX_REDIRECTS} redirects", self.folder)))
    }
}

struct Limits {
    max_bytes: usize,
    deadline: Instant,
    within: Duration,
}

/// Sends one request and writes the body of a response with status 200 to `output`. Returns the address of a redirect.
fn exchange(url: &Url, address: &str, route: &Route, limits: Limits, output: &mut dyn Write) -> Result<Option<String>, Failure> {
    let failed = |reason: &str| Failure::Download(reason.to_owned());
    let Limits { max_bytes, deadline, within } = limits;
    let origin = address[..address.len() - url.target.len()].to_owned();
    let headers: Vec<Header> = vec![("Connection".into(), "close".into())];
    let request = Request {
        to: Target::Origin(origin),
        method: "GET".into(),
        path: url.target.clone(),
        headers,
        body: None,
        max_bytes,
        deadline: within,
        is_streamed: false,
    };
    let bytes = request.bytes().ok_or_else(|| failed("the address has characters no request has"))?;
    let mut transport = dial(url, route, deadline).map_err(|error| Failure::Download(error.reason))?;
    let io = |error: std::io::Error| Failure::Download(crate::net::transport::wait_text(&error));
    transport.write_all(&bytes).and_then(|()| transport.flush()).map_err(io)?;
    let (mut reader, mut buffer, mut received) = (ResponseReader::new(), vec![0; 64 * 1024], 0);
    loop {
        let parts = match transport.read(&mut buffer) {
            Ok(0) => reader.close().map(|part| vec![part]),
            Ok(count) => reader.feed(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // The TLS peer closed without `close_notify`; the response may still be complete.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => reader.close().map(|part| vec![part]),
            Err(error) => return Err(io(error)),
        };
        for part in parts.map_err(failed)? {
            match part {
                Part::Head { status: 200, .. } => (),
                Part::Head { status: 301 | 302 | 303 | 307 | 308, headers } => {
                    let location = headers.into_iter().find(|(name, _)| name == "location").map(|(_, value)| value);
                    return Ok(Some(location.ok_or_else(|| failed("the redirect has no address"))?));
                }
                Part::Head { status, .. } => return Err(Failure::Download(format!("the server answered with status {status}"))),
                Part::Data(data) => {
                    received += data.len();
                    if received > max_bytes {
                        return Err(Failure::Download(format!("it is larger than {max_bytes} bytes")));
                    }
                    output.write_all(&data).map_err(Failure::File)?;
                }
                Part::End { .. } => return Ok(None),
            }
        }
    }
}
