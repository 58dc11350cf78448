//! SSH server (RFC 4251 to 4254) with the features that hubs need: public key authentication only, one request per channel, and no command
//! is ever run. All hubs, OpenSSH and every other library support its algorithms: curve25519, Ed25519, ChaCha20-Poly1305.

mod admission;
mod authentication;
mod channel;
mod channels;
mod connection;
#[cfg(test)]
mod connection_tests;
mod exchange;
#[cfg(fuzzing)]
pub mod fuzzing;
mod host_key;
mod identification;
mod key_exchange;
mod listening;
mod messages;
pub mod options;
mod packets;
pub mod server;
mod signatures;
mod source;
#[cfg(any(test, fuzzing))]
mod test_client;
mod visitor;
#[cfg(test)]
mod visitor_tests;
mod wire;
