//! Outgoing connections: to the hub, the container engine and the message bus.

pub mod address;
mod certificates;
pub mod dial;
#[cfg(fuzzing)]
pub mod fuzzing;
pub mod http;
pub mod http_request;
pub mod http_response;
mod http_tunnel;
pub mod http_url;
mod idle_connections;
mod json_members;
mod json_scanner;
pub mod member_requests;
pub mod proxy;
mod socks;
pub mod streams;
mod tls;
pub mod transport;
pub mod unix_socket;
mod websocket_upgrade;
pub mod websockets;
