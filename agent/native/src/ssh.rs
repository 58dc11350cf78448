//! The SSH server, RFC 4251 to 4254, as far as hubs need it: public keys only, one request a channel, nothing is ever run. Its
//! algorithms are those that hubs speak, and OpenSSH and every other library too: curve25519, Ed25519, ChaCha20-Poly1305.

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
