//! Connection through an HTTP proxy with the method CONNECT, RFC 9110 section 9.3.6.

use super::http_url::authority;
use super::proxy::Proxy;
use data_encoding::BASE64;
use std::io::{Error, ErrorKind, Read, Result, Write};

/// Size limit of the proxy's response head, which has a few headers.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// Requests a tunnel to `host` from the proxy, which resolves the name. Afterwards, the stream is connected to `host`.
pub fn ask(stream: &mut (impl Read + Write), proxy: &Proxy, host: &str, port: u16) -> Result<()> {
    stream.write_all(request(proxy, host, port).as_bytes())?;
    let head = read_head(stream)?;
    match status_of(&head) {
        Some(status) if (200..300).contains(&status) => Ok(()),
        Some(407) => Err(Error::other(if proxy.login.is_some() { "it refused the login" } else { "it wants a login that is not given" })),
        Some(status) => Err(Error::other(format!("it answered {status}"))),
        None => Err(Error::other("it does not speak HTTP")),
    }
}

fn request(proxy: &Proxy, host: &str, port: u16) -> String {
    let to = authority(host, port);
    let login = proxy.login.as_ref().map_or_else(String::new, |(name, password)| {
        format!("Proxy-Authorization: Basic {}\r\n", BASE64.encode(format!("{name}:{password}").as_bytes()))
    });
    format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n{login}\r\n")
}

/// Reads the response head byte by byte, because the bytes after it belong to the tunnel.
fn read_head(stream: &mut impl Read) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) => head.push(byte[0]),
            Err(error) if error.kind() == ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
        if head.len() > MAX_HEAD_BYTES {
            return Err(Error::other("its answer is too long"));
        }
    }
    Ok(head)
}

fn status_of(head: &[u8]) -> Option<u16> {
    let rest = head.strip_prefix(b"HTTP/1.")?;
    let digits = rest.get(2..5).filter(|_| rest.get(1) == Some(&b' '))?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::proxy::Kind;
    use std::io::Cursor;

    fn proxy(login: Option<(&str, &str)>) -> Proxy {
        let login = login.map(|(name, password)| (name.to_owned(), password.to_owned()));
        Proxy { kind: Kind::Http, host: "proxy".into(), port: 80, login }
    }

    fn answered(answer: &str, login: Option<(&str, &str)>) -> Result<()> {
        struct Peer<'a>(Cursor<&'a [u8]>);
        impl Read for Peer<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
                self.0.read(buffer)
            }
        }
        impl Write for Peer<'_> {
            fn write(&mut self, data: &[u8]) -> Result<usize> {
                Ok(data.len())
            }
            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }
        ask(&mut Peer(Cursor::new(answer.as_bytes())), &proxy(login), "hub", 443)
    }

    #[test]
    fn request_names_host_port_and_login() {
        let text = request(&proxy(Some(("user", "pass!"))), "::1", 8090);
        assert_eq!(text, "CONNECT [::1]:8090 HTTP/1.1\r\nHost: [::1]:8090\r\nProxy-Authorization: Basic dXNlcjpwYXNzIQ==\r\n\r\n");
    }

    #[test]
    fn ask_takes_success_only() {
        assert!(answered("HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n", None).is_ok());
        let reason = |answer: &str, login| answered(answer, login).unwrap_err().to_string();
        assert_eq!(reason("HTTP/1.1 407 x\r\n\r\n", None), "it wants a login that is not given");
        assert_eq!(reason("HTTP/1.0 407 x\r\n\r\n", Some(("a", "b"))), "it refused the login");
        assert_eq!(reason("HTTP/1.1 502 x\r\n\r\n", None), "it answered 502");
        assert_eq!(reason("SSH-2.0-x\r\n\r\n", None), "it does not speak HTTP");
        assert!(answered("HTTP/1.1 200", None).is_err());
        assert_eq!(reason(&"x".repeat(20_000), None), "its answer is too long");
    }
}
