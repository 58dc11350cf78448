//! URLs that this program connects to: `ws://`, `wss://`, `http://` or `https://`, host, port, path.

/// Absolute URL of a server.
#[derive(Debug, PartialEq, Eq)]
pub struct Url {
    /// True for TLS.
    pub is_secure: bool,
    /// Host name or IP address, without the brackets of IPv6.
    pub host: String,
    pub port: u16,
    /// Path with the query, at least `/`.
    pub target: String,
}

impl Url {
    /// Parses a URL. It does little validation, because the script has checked the configuration.
    pub fn parse(text: &str) -> Result<Self, String> {
        let unusable = || format!("\"{text}\" is no address");
        let (scheme, rest) = text.split_once("://").ok_or_else(unusable)?;
        let is_secure = match scheme {
            "ws" | "http" => false,
            "wss" | "https" => true,
            _ => return Err(unusable()),
        };
        let split_at = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(split_at);
        let (host, port) = host_and_port(authority).ok_or_else(unusable)?;
        let target = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        if host.is_empty() || !text.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
            return Err(unusable());
        }
        Ok(Self { is_secure, host: host.to_owned(), port: port.unwrap_or(if is_secure { 443 } else { 80 }), target })
    }

    /// Returns the value of the `Host` header: IPv6 in brackets, and the port unless it is the default.
    pub fn host_header(&self) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        if self.port == if self.is_secure { 443 } else { 80 } { host } else { format!("{host}:{}", self.port) }
    }
}

/// Formats `host:port`, with brackets around IPv6.
pub fn authority(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

/// Splits `host`, `host:port`, `[v6]` or `[v6]:port`; `None` when the port is no number.
pub fn host_and_port(text: &str) -> Option<(&str, Option<u16>)> {
    let (host, port) = match text.strip_prefix('[') {
        Some(inner) => {
            let (host, rest) = inner.split_once(']')?;
            (host, if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) })
        }
        None => text.rsplit_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
    };
    match port {
        None => Some((host, None)),
        Some(digits) => Some((host, Some(digits.parse().ok()?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_takes_addresses_apart() {
        let url = Url::parse("wss://[::1]:8090/base/api?x=1").unwrap();
        assert_eq!((url.is_secure, url.host.as_str(), url.port, url.target.as_str()), (true, "::1", 8090, "/base/api?x=1"));
        assert_eq!(url.host_header(), "[::1]:8090");
        let plain = Url::parse("ws://hub.example").unwrap();
        assert_eq!((plain.port, plain.target.as_str(), plain.host_header().as_str()), (80, "/", "hub.example"));
        for wrong in ["hub", "ftp://hub", "ws://", "ws://hub:x/", "ws://[::1/", "ws://hub/a b", "ws://hub\r\n/"] {
            assert!(Url::parse(wrong).is_err(), "{wrong}");
        }
    }
}
