//! Options of the SSH server, set by the script.

use std::time::Duration;

/// Address to listen on, `SshAddress` of the script.
pub enum Address {
    Unix(String),
    Tcp { host: Option<String>, port: u16, is_ipv6_only: bool },
}

/// Public key that may sign in: OpenSSH key type and key blob.
pub struct AuthorisedKey {
    pub algorithm: String,
    pub blob: Vec<u8>,
}

/// Options of the SSH server, `SshOptions` of the script.
pub struct Options {
    pub address: Address,
    pub identification: String,
    pub host_key_path: Option<String>,
    pub authorised_keys: Vec<AuthorisedKey>,
    pub max_request_bytes: usize,
    pub silence: Duration,
}
