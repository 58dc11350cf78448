//! Outgoing connections: to the hub, the container engine and the message bus.

pub mod address;
mod certificates;
mod dial;
#[cfg(fuzzing)]
pub mod fuzzing;
pub mod http;
pub mod http_request;
mod http_response;
mod http_tunnel;
mod http_url;
mod idle_connections;
mod json_members;
mod json_scanner;
pub mod member_requests;
mod proxy;
mod socks;
pub mod streams;
mod tls;
mod transport;
pub mod unix_socket;
mod websocket_upgrade;
pub mod websockets;
