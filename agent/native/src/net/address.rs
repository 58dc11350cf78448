//! DNS resolution.

use std::io::{Error, Result};
use std::net::{SocketAddr, ToSocketAddrs};

/// True when an error means that the name has no address.
pub fn is_name_error(error: &Error) -> bool {
    error.raw_os_error().is_none() && error.to_string().contains("lookup address")
}

/// Resolves a name into all its addresses, in the system's order of preference. Blocks until the resolver responds.
pub fn resolve(host: &str, port: u16) -> Result<Vec<SocketAddr>> {
    Ok((host, port).to_socket_addrs()?.collect())
}
