//! Proxy URLs.

use super::http_url::host_and_port;

/// Protocol of the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// SOCKS version 5.
    Socks,
    /// HTTP with the method CONNECT.
    Http,
}

/// Address of a proxy, and the login for it.
#[derive(Debug, PartialEq, Eq)]
pub struct Proxy {
    pub kind: Kind,
    pub host: String,
    pub port: u16,
    /// User name and password.
    pub login: Option<(String, String)>,
}

impl Proxy {
    /// Parses `socks5h://[user:password@]host[:port]` or `http://…`. Errors do not contain the text, which may include a password.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parsed = || -> Option<Self> {
            let (scheme, rest) = text.split_once("://")?;
            let (kind, usual_port) = match scheme {
                "socks5h" => (Kind::Socks, 1080),
                "http" => (Kind::Http, 80),
                _ => return None,
            };
            let (login, address) = rest.rsplit_once('@').map_or((None, rest), |(login, address)| (Some(login), address));
            let (host, port) = host_and_port(address)?;
            let login = login.map(|login| login.split_once(':').unwrap_or((login, "")));
            let login = login.map(|(name, password)| (percent_decoded(name), percent_decoded(password)));
            Some(Self { kind, host: host.to_owned(), port: port.unwrap_or(usual_port), login })
        };
        parsed().ok_or_else(|| "the address of the proxy cannot be used".into())
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten().and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_reads_kind_login_host_and_port() {
        let proxy = Proxy::parse("socks5h://user:pass%21@[::1]:99").unwrap();
        assert_eq!(proxy, Proxy { kind: Kind::Socks, host: "::1".into(), port: 99, login: Some(("user".into(), "pass!".into())) });
        assert_eq!(Proxy::parse("socks5h://proxy").unwrap().port, 1080);
        let http = Proxy::parse("http://proxy:3128").unwrap();
        assert_eq!((http.kind, http.port, http.login), (Kind::Http, 3128, None));
        assert!(!Proxy::parse("https://user:secret@x").unwrap_err().contains("secret"));
    }
}
