//! Connected socket, with or without TLS.

use super::unix_socket::connect_unix;
use crate::machine::error_text::error_text;
use crate::turn_budget::Budgeted;
use rustls::{ClientConnection, Stream};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

enum Socket {
    Unix(UnixStream),
    Tcp(TcpStream),
}

/// Connection for HTTP requests and WebSockets: a socket, with or without TLS.
pub struct Transport {
    socket: Socket,
    tls: Option<Box<ClientConnection>>,
    /// Deadline of blocking reads and writes; `None` for a non-blocking socket.
    deadline: Option<Instant>,
}

/// Transport in the loop: non-blocking, and with a read budget.
pub type LoopTransport = Budgeted<Transport>;

impl Transport {
    /// Connects to a unix socket, for the loop.
    pub fn unix(path: &str) -> Result<LoopTransport> {
        Ok(Budgeted::new(Self { socket: Socket::Unix(connect_unix(path)?), tls: None, deadline: None }))
    }

    #[cfg(fuzzing)]
    pub fn over(socket: UnixStream) -> Result<LoopTransport> {
        Self { socket: Socket::Unix(socket), tls: None, deadline: None }.into_loop()
    }

    /// Creates a transport for a helper thread: reads and writes block, at most until the deadline.
    pub fn waiting(socket: TcpStream, deadline: Instant) -> Self {
        Self { socket: Socket::Tcp(socket), tls: None, deadline: Some(deadline) }
    }

    /// Performs the TLS handshake. The error is rustls' own when the peer's certificate is not accepted.
    pub fn handshake(&mut self, mut connection: ClientConnection) -> Result<()> {
        while connection.is_handshaking() || connection.wants_write() {
            self.limit_wait()?;
            if connection.wants_write() {
                connection.write_tls(&mut self.socket)?;
            } else if connection.read_tls(&mut self.socket)? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            } else if let Err(error) = connection.process_new_packets() {
                // Sends the TLS alert to the peer; an error means that the peer has gone.
                let _ = connection.write_tls(&mut self.socket);
                return Err(std::io::Error::other(error));
            }
        }
        self.tls = Some(Box::new(connection));
        Ok(())
    }

    /// Converts a blocking transport into one of the loop.
    pub fn into_loop(mut self) -> Result<LoopTransport> {
        self.deadline = None;
        match &self.socket {
            Socket::Unix(socket) => socket.set_nonblocking(true)?,
            Socket::Tcp(socket) => socket.set_nonblocking(true)?,
        }
        Ok(Budgeted::new(self))
    }

    /// True when TLS has bytes to send.
    pub fn wants_write(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| tls.wants_write())
    }

    fn limit_wait(&self) -> Result<()> {
        let (Some(deadline), Socket::Tcp(socket)) = (self.deadline, &self.socket) else { return Ok(()) };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        let wait = Some(left.max(Duration::from_millis(1)));
        socket.set_read_timeout(wait)?;
        socket.set_write_timeout(wait)
    }
}

impl AsFd for Transport {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match &self.socket {
            Socket::Unix(socket) => socket.as_fd(),
            Socket::Tcp(socket) => socket.as_fd(),
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match self {
            Self::Unix(socket) => socket.read(buffer),
            Self::Tcp(socket) => socket.read(buffer),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        match self {
            Self::Unix(socket) => socket.write(data),
            Self::Tcp(socket) => socket.write(data),
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Read for Transport {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.limit_wait()?;
        match &mut self.tls {
            Some(tls) => Stream::new(tls.as_mut(), &mut self.socket).read(buffer),
            None => self.socket.read(buffer),
        }
    }
}

impl Write for Transport {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        self.limit_wait()?;
        match &mut self.tls {
            Some(tls) => Stream::new(tls.as_mut(), &mut self.socket).write(data),
            None => self.socket.write(data),
        }
    }

    fn flush(&mut self) -> Result<()> {
        match &mut self.tls {
            Some(tls) => Stream::new(tls.as_mut(), &mut self.socket).flush(),
            None => Ok(()),
        }
    }
}

/// Formats an error; an exceeded deadline becomes `no answer in time`.
pub fn wait_text(error: &Error) -> String {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => "no answer in time".into(),
        _ => error_text(error),
    }
}
