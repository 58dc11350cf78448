//! Where a client of the SSH server comes from.

use std::net::{IpAddr, Ipv6Addr};

/// Where a client comes from: an address, of IPv6 the /64 network, which one machine has all of.
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
