//! Root of the library for the fuzzers: the host's modules without the script engine. It is not part of the agent.
#![allow(dead_code, missing_docs)]

mod byte_queue;
mod event;
mod machine;
pub mod net;
mod readiness;
pub mod ssh;
mod turn_budget;
mod wake;

/// The host's module without the parts that only the engine needs.
#[allow(unsafe_code)]
mod unchecked {
    pub mod kernel_calls;
}
