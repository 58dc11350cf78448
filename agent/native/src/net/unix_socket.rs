//! Connecting to a program of this machine without waiting for it.

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};
use std::io::Result;
use std::os::unix::net::UnixStream;

/// Connected at once, or not: a listener whose queue is full is `EAGAIN`.
pub fn connect_unix(path: &str) -> Result<UnixStream> {
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK, None)?;
    connect(&socket, &SocketAddrUnix::new(path)?)?;
    Ok(socket.into())
}
