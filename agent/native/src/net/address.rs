//! Names to addresses.

use std::io::{Error, Result};
use std::net::{SocketAddr, ToSocketAddrs};

/// Whether the failure is that the name has no address, now or ever.
pub fn is_name_error(error: &Error) -> bool {
    error.raw_os_error().is_none() && error.to_string().contains("lookup address")
}

/// Every address of the name, in the order the system prefers. Blocks for as long as the resolver does.
pub fn resolve(host: &str, port: u16) -> Result<Vec<SocketAddr>> {
    Ok((host, port).to_socket_addrs()?.collect())
}
