//! Connection to a program of this machine without blocking.

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};
use std::io::Result;
use std::os::unix::net::UnixStream;

/// Connects to a unix socket at once, or fails. A listener with a full queue gives `EAGAIN`.
pub fn connect_unix(path: &str) -> Result<UnixStream> {
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK, None)?;
    connect(&socket, &SocketAddrUnix::new(path)?)?;
    Ok(socket.into())
}
