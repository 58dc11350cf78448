//! SOCKS version 5 (RFC 1928), with or without a login (RFC 1929). The proxy resolves the name.

use super::proxy::Proxy;
use std::io::{Error, Read, Result, Write};
use std::net::IpAddr;

/// Requests a connection to `host` from the proxy. Afterwards, the stream is connected to `host`.
pub fn ask(stream: &mut (impl Read + Write), proxy: &Proxy, host: &str, port: u16) -> Result<()> {
    let refused = |reason: &str| Err(Error::other(reason.to_owned()));
    // Without a login, only the method without authentication is offered.
    let methods: &[u8] = if proxy.login.is_some() { &[5, 2, 0, 2] } else { &[5, 1, 0] };
    stream.write_all(methods)?;
    let [version, method] = read_array(stream)?;
    match (version, method, &proxy.login) {
        (5, 0, _) => (),
        (5, 2, Some((name, password))) => log_in(stream, name, password)?,
        (5, ..) => return refused("it wants a login that is not given"),
        _ => return refused("it does not speak SOCKS version 5"),
    }
    stream.write_all(&request(host, port)?)?;
    let [_, status, _, kind] = read_array(stream)?;
    if status != 0 {
        return refused(status_text(status));
    }
    // The proxy's own address, which is not needed.
    let length = match kind {
        1 => 4,
        4 => 16,
        3 => usize::from(read_array::<1>(stream)?[0]),
        _ => return refused("its answer has no address"),
    };
    stream.read_exact(&mut vec![0; length + 2])
}

fn log_in(stream: &mut (impl Read + Write), name: &str, password: &str) -> Result<()> {
    let mut login = vec![1];
    for part in [name, password] {
        login.push(u8::try_from(part.len()).map_err(|_| Error::other("the login is longer than 255 bytes"))?);
        login.extend_from_slice(part.as_bytes());
    }
    stream.write_all(&login)?;
    match read_array(stream)? {
        [_, 0] => Ok(()),
        [_, _] => Err(Error::other("it refused the login")),
    }
}

fn request(host: &str, port: u16) -> Result<Vec<u8>> {
    let mut request = vec![5, 1, 0];
    match host.parse() {
        Ok(IpAddr::V4(address)) => {
            request.push(1);
            request.extend_from_slice(&address.octets());
        }
        Ok(IpAddr::V6(address)) => {
            request.push(4);
            request.extend_from_slice(&address.octets());
        }
        Err(_) => {
            request.extend_from_slice(&[3, u8::try_from(host.len()).map_err(|_| Error::other("the name is longer than 255 bytes"))?]);
            request.extend_from_slice(host.as_bytes());
        }
    }
    request.extend_from_slice(&port.to_be_bytes());
    Ok(request)
}

fn read_array<const N: usize>(stream: &mut impl Read) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

const fn status_text(status: u8) -> &'static str {
    match status {
        2 => "its rules do not allow it",
        3 => "the network cannot be reached",
        4 => "the host cannot be reached",
        5 => "the host refused the connection",
        6 => "the host did not answer in time",
        _ => "it failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_leaves_names_to_the_proxy() {
        assert_eq!(request("a.b", 258).unwrap(), [5, 1, 0, 3, 3, b'a', b'.', b'b', 1, 2]);
        assert_eq!(request("127.0.0.1", 80).unwrap(), [5, 1, 0, 1, 127, 0, 0, 1, 0, 80]);
        assert!(request(&"x".repeat(256), 80).is_err());
    }
}
