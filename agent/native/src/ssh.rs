//! The SSH server, RFC 4251 to 4254, as far as hubs need it: public keys only, one request a channel, nothing is ever run. Its
//! algorithms are those that hubs speak, and OpenSSH and every other library too: curve25519, Ed25519, ChaCha20-Poly1305.

mod authentication;
mod channels;
mod connection;
#[cfg(test)]
mod connection_tests;
mod host_key;
mod key_exchange;
mod listening;
mod messages;
mod packets;
pub mod server;
mod signatures;
mod wire;
