//! Opening handshake of a WebSocket (RFC 6455 section 4), on a helper thread.

use super::certificates::digest_of;
use super::dial::{DialError, Route, dial};
use super::http::in_loop;
use super::http_response::{Part, ResponseReader};
use super::http_url::Url;
use super::proxy::Proxy;
use super::transport::{LoopTransport, Transport, wait_text};
use crate::event::{Header, WsEnd};
use data_encoding::BASE64;
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use ring::rand::{SecureRandom, SystemRandom};
use std::io::{ErrorKind, Read, Write};
use std::time::Instant;

const MAX_REFUSAL_BYTES: usize = 1024;
/// Constant of RFC 6455 section 1.3. It only proves that the server speaks WebSocket.
const ACCEPT_SUFFIX: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// Parameters of an opening handshake.
pub struct Opening {
    pub url: String,
    pub headers: Vec<Header>,
    pub proxy: Option<String>,
    /// SHA-256 of the pinned certificate, as hexadecimal digits; `None` without pinning.
    pub certificate: Option<String>,
    pub deadline: Instant,
}

/// Upgraded connection, and the bytes of the first frames that arrived with the response.
pub type Opened = (LoopTransport, Vec<u8>);

/// Connects and performs the handshake. Returns the end of the WebSocket on failure.
pub fn open(opening: &Opening) -> Result<Opened, WsEnd> {
    let failed = |reason: String| WsEnd::Failed { reason, name_not_found: false };
    let not_dialled = |DialError { reason, name_not_found }: DialError| WsEnd::Failed { reason, name_not_found };
    let url = Url::parse(&opening.url).map_err(failed)?;
    let proxy = opening.proxy.as_deref().map(Proxy::parse).transpose().map_err(failed)?;
    let certificate = opening.certificate.as_deref().map(digest_of).transpose().map_err(failed)?;
    let mut transport = dial(&url, &Route { proxy, certificate }, opening.deadline).map_err(not_dialled)?;
    let key = random_key().ok_or_else(|| failed("no random bytes".into()))?;
    let request = request_text(&url, &opening.headers, &key).ok_or_else(|| failed("a header has characters no header has".into()))?;
    transport.write_all(request.as_bytes()).and_then(|()| transport.flush()).map_err(|error| failed(wait_text(&error)))?;
    let mut reader = ResponseReader::new();
    let (status, headers, early) = read_head(&mut transport, &mut reader).map_err(failed)?;
    if status != 101 {
        let body = read_refusal(&mut transport, &mut reader, early);
        return Err(WsEnd::Refused { status, body });
    }
    check_upgrade(&headers, &key).map_err(|reason| failed(reason.into()))?;
    Ok((in_loop(transport).map_err(not_dialled)?, reader.into_rest()))
}

fn random_key() -> Option<String> {
    let mut bytes = [0; 16];
    SystemRandom::new().fill(&mut bytes).ok()?;
    Some(BASE64.encode(&bytes))
}

fn request_text(url: &Url, headers: &[Header], key: &str) -> Option<String> {
    let mut text = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n",
        url.target,
        url.host_header()
    );
    for (name, value) in headers {
        if !format!("{name}{value}").bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
            return None;
        }
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    Some(text)
}

fn check_upgrade(headers: &[Header], key: &str) -> Result<(), &'static str> {
    let has = |name: &str, wanted: &str| {
        headers.iter().any(|(known, value)| known == name && value.split(',').any(|one| one.trim().eq_ignore_ascii_case(wanted)))
    };
    if !has("upgrade", "websocket") || !has("connection", "upgrade") {
        return Err("the server upgrades to something else than WebSocket");
    }
    let accept = BASE64.encode(digest(&SHA1_FOR_LEGACY_USE_ONLY, format!("{key}{ACCEPT_SUFFIX}").as_bytes()).as_ref());
    if !headers.iter().any(|(name, value)| name == "sec-websocket-accept" && *value == accept) {
        return Err("the server answers another WebSocket's key");
    }
    if headers.iter().any(|(name, _)| name == "sec-websocket-extensions") {
        return Err("the server uses an extension nobody offered");
    }
    Ok(())
}

type Head = (u16, Vec<Header>, Vec<Part>);

fn read_head(transport: &mut Transport, reader: &mut ResponseReader) -> Result<Head, String> {
    let mut buffer = [0; 4096];
    loop {
        let mut parts = match transport.read(&mut buffer) {
            Ok(0) => return Err("the connection was closed instead of an answer".into()),
            Ok(count) => reader.feed(&buffer[..count])?.into_iter(),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(wait_text(&error)),
        };
        if let Some(Part::Head { status, headers }) = parts.next() {
            return Ok((status, headers, parts.collect()));
        }
    }
}

/// Reads the body of a refusal, as far as it arrives.
fn read_refusal(transport: &mut Transport, reader: &mut ResponseReader, early: Vec<Part>) -> String {
    let mut body = Vec::new();
    let mut parts = early;
    let mut buffer = [0; 1024];
    loop {
        let mut is_over = false;
        for part in parts {
            match part {
                Part::Data(data) => body.extend_from_slice(&data),
                Part::End { .. } => is_over = true,
                Part::Head { .. } => (),
            }
        }
        if is_over || body.len() >= MAX_REFUSAL_BYTES {
            break;
        }
        match transport.read(&mut buffer) {
            Ok(count) if count > 0 => match reader.feed(&buffer[..count]) {
                Ok(next) => parts = next,
                Err(_) => break,
            },
            _ => break,
        }
    }
    body.truncate(MAX_REFUSAL_BYTES);
    String::from_utf8_lossy(&body).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_upgrade_wants_the_key_of_rfc_6455_section_1_3() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let good = [
            header("upgrade", "WebSocket"),
            header("connection", "keep-alive, Upgrade"),
            header("sec-websocket-accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        ];
        assert_eq!(check_upgrade(&good, "dGhlIHNhbXBsZSBub25jZQ=="), Ok(()));
        assert!(check_upgrade(&good, "another").is_err());
        assert!(check_upgrade(&good[..2], "dGhlIHNhbXBsZSBub25jZQ==").is_err());
        assert!(check_upgrade(&good[1..], "dGhlIHNhbXBsZSBub25jZQ==").is_err());
    }

    #[test]
    fn request_text_lets_no_header_end_its_line() {
        let url = Url::parse("ws://hub:8090/api").unwrap();
        assert!(request_text(&url, &[("X-Token".into(), "a\r\nX: y".into())], "k").is_none());
        assert!(request_text(&url, &[("X-Token".into(), "a".into())], "k").unwrap().ends_with("X-Token: a\r\n\r\n"));
    }
}
