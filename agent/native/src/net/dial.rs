//! Blocking connection on a separate thread: DNS, each address of the name in turn, the proxy and TLS.

use super::address::{is_name_error, resolve};
use super::certificates::Digest;
use super::http_tunnel;
use super::http_url::Url;
use super::proxy::{Kind, Proxy};
use super::socks;
use super::tls;
use super::transport::{Transport, wait_text};
use crate::machine::error_text::{connect_error_text, error_text};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Reason why a connection failed.
#[derive(Debug)]
pub struct DialError {
    pub reason: String,
    pub name_not_found: bool,
}

impl DialError {
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), name_not_found: false }
    }
}

/// Maximum time for one address while others remain, because the first one may not respond.
const LONGEST_FOR_ONE: Duration = Duration::from_secs(2);

/// Way to a server: optionally through a proxy or with a pinned certificate.
#[derive(Default)]
pub struct Route {
    pub proxy: Option<Proxy>,
    /// SHA-256 of the pinned certificate; `None`: the certificate is verified against the trusted authorities.
    pub certificate: Option<Digest>,
}

/// Connects to the server of `url`, with TLS if the address says so.
pub fn dial(url: &Url, route: &Route, deadline: Instant) -> Result<Transport, DialError> {
    let (host, port) = route.proxy.as_ref().map_or((url.host.as_str(), url.port), |proxy| (proxy.host.as_str(), proxy.port));
    let mut transport = Transport::waiting(connect(host, port, deadline)?, deadline);
    if let Some(proxy) = &route.proxy {
        let asked = match proxy.kind {
            Kind::Socks => socks::ask(&mut transport, proxy, &url.host, url.port),
            Kind::Http => http_tunnel::ask(&mut transport, proxy, &url.host, url.port),
        };
        asked.map_err(|error| DialError::new(format!("the proxy did not connect: {}", wait_text(&error))))?;
    }
    if url.is_secure {
        tls::handshake(&mut transport, &url.host, route.certificate).map_err(DialError::new)?;
    }
    Ok(transport)
}

fn connect(host: &str, port: u16, deadline: Instant) -> Result<TcpStream, DialError> {
    let addresses = resolve(host, port).map_err(|error| match is_name_error(&error) {
        true => DialError { reason: format!("getaddrinfo ENOTFOUND {host}"), name_not_found: true },
        false => DialError::new(error_text(&error)),
    })?;
    let mut last = DialError { reason: format!("getaddrinfo ENOTFOUND {host}"), name_not_found: true };
    let count = addresses.len();
    for (index, address) in addresses.into_iter().enumerate() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        let wait = if index + 1 == count { left } else { left.min(LONGEST_FOR_ONE) };
        match TcpStream::connect_timeout(&address, wait).and_then(|socket| socket.set_nodelay(true).map(|()| socket)) {
            Ok(socket) => return Ok(socket),
            Err(error) => last = DialError::new(connect_error_text(&error, &address.to_string())),
        }
    }
    Err(last)
}
