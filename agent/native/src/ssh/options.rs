//! What the script says about the SSH server.

use std::time::Duration;

/// See `SshAddress`.
pub enum Address {
    Unix(String),
    Tcp { host: Option<String>, port: u16, is_ipv6_only: bool },
}

/// A key that is let in: OpenSSH's name of its kind, and its blob.
pub struct AuthorisedKey {
    pub algorithm: String,
    pub blob: Vec<u8>,
}

/// See `SshOptions`.
pub struct Options {
    pub address: Address,
    pub identification: String,
    pub host_key_path: Option<String>,
    pub authorised_keys: Vec<AuthorisedKey>,
    pub max_request_bytes: usize,
    pub silence: Duration,
}
