//! Listening sockets of the SSH server: a TCP port or a unix socket.

use super::options::Address;
use crate::machine::error_text::error_text;
use crate::net::address::resolve;
use rustix::net::sockopt::{set_ipv6_v6only, set_socket_reuseaddr};
use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, listen, socket_with};
use std::fs;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::{UnixListener, UnixStream};

/// Maximum number of connections that the kernel queues until they are accepted.
const BACKLOG: i32 = 512;

/// A listening socket: TCP or unix.
pub enum Listening {
    Tcp(TcpListener),
    Unix(UnixListener, String),
}

/// A client's connection.
pub enum Client {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Listening {
    /// Starts to listen. A stale socket file is removed first; one in use is an error.
    pub fn on(address: &Address) -> Result<Self> {
        match address {
            Address::Unix(path) => {
                let listener = UnixListener::bind(path).or_else(|error| {
                    if error.kind() != ErrorKind::AddrInUse || !is_abandoned(path) {
                        return Err(error);
                    }
                    fs::remove_file(path)?;
                    UnixListener::bind(path)
                })?;
                listener.set_nonblocking(true)?;
                Ok(Self::Unix(listener, path.clone()))
            }
            Address::Tcp { host: Some(host), port, is_ipv6_only } => {
                let mut last = Error::other("the name has no address");
                for address in resolve(host, *port)? {
                    match listen_on(address, *is_ipv6_only) {
                        Ok(listener) => return Ok(Self::Tcp(listener)),
                        Err(error) => last = error,
                    }
                }
                Err(last)
            }
            Address::Tcp { host: None, port, is_ipv6_only } => {
                let every = SocketAddr::from((Ipv6Addr::UNSPECIFIED, *port));
                let listener = listen_on(every, *is_ipv6_only).or_else(|error| {
                    // The machine has no IPv6.
                    let has_none = matches!(error.raw_os_error(), Some(97 | 99)) && !is_ipv6_only;
                    if has_none { listen_on(SocketAddr::from((Ipv4Addr::UNSPECIFIED, *port)), false) } else { Err(error) }
                })?;
                Ok(Self::Tcp(listener))
            }
        }
    }

    /// Returns the bound TCP port; `None` for a unix socket.
    pub fn port(&self) -> Option<u16> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok().map(|address| address.port()),
            Self::Unix(..) => None,
        }
    }

    /// Accepts the next connection. Returns the client's IP address, `None` for a unix socket.
    pub fn accept(&self) -> Result<(Client, Option<IpAddr>)> {
        match self {
            Self::Tcp(listener) => {
                let (socket, address) = listener.accept()?;
                socket.set_nonblocking(true).and_then(|()| socket.set_nodelay(true))?;
                Ok((Client::Tcp(socket), Some(address.ip().to_canonical())))
            }
            Self::Unix(listener, _) => {
                let (socket, _) = listener.accept()?;
                socket.set_nonblocking(true)?;
                Ok((Client::Unix(socket), None))
            }
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if let Self::Unix(_, path) = self {
            let _ = fs::remove_file(path);
        }
    }
}

impl AsFd for Listening {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(listener) => listener.as_fd(),
            Self::Unix(listener, _) => listener.as_fd(),
        }
    }
}

impl Read for Client {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match self {
            Self::Tcp(socket) => socket.read(buffer),
            Self::Unix(socket) => socket.read(buffer),
        }
    }
}

impl Write for Client {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        match self {
            Self::Tcp(socket) => socket.write(data),
            Self::Unix(socket) => socket.write(data),
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl AsFd for Client {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(socket) => socket.as_fd(),
            Self::Unix(socket) => socket.as_fd(),
        }
    }
}

fn listen_on(address: SocketAddr, is_ipv6_only: bool) -> Result<TcpListener> {
    let family = if address.is_ipv6() { AddressFamily::INET6 } else { AddressFamily::INET };
    let socket = socket_with(family, SocketType::STREAM, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK, None)?;
    set_socket_reuseaddr(&socket, true)?;
    if address.is_ipv6() {
        set_ipv6_v6only(&socket, is_ipv6_only)?;
    }
    bind(&socket, &address)?;
    listen(&socket, BACKLOG)?;
    Ok(socket.into())
}

fn is_abandoned(path: &str) -> bool {
    UnixStream::connect(path).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

/// Formats a failure to listen as one sentence.
pub fn failure_text(address: &Address, error: &Error) -> String {
    let place = match address {
        Address::Unix(path) => format!("\"{path}\""),
        Address::Tcp { host, port, .. } => format!("port {port}{}", host.as_ref().map_or_else(String::new, |host| format!(" of {host}"))),
    };
    if error.kind() == ErrorKind::AddrInUse {
        return format!("Cannot listen on {place}: another program does; set LISTEN to a free port");
    }
    format!("Cannot listen on {place}: {}", error_text(error))
}
