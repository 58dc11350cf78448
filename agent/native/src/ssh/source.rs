//! Source of an SSH client.

use std::net::{IpAddr, Ipv6Addr};

/// Source that a client counts for: its IPv4 address, or its IPv6 /64 network, since one machine may own all of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    UnixSocket,
    Network(IpAddr),
}

impl Source {
    pub fn of(address: Option<IpAddr>) -> Self {
        match address.map(|address| address.to_canonical()) {
            None => Self::UnixSocket,
            Some(IpAddr::V4(address)) => Self::Network(address.into()),
            Some(IpAddr::V6(address)) => {
                let network = u128::from(address) >> 64 << 64;
                Self::Network(Ipv6Addr::from(network).into())
            }
        }
    }
}
