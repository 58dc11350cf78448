//! The root of the library that the fuzzers link: the host's modules without the engine. No part of the agent.
#![allow(dead_code, missing_docs)]

mod byte_queue;
mod event;
mod machine;
pub mod net;
mod readiness;
pub mod ssh;
mod turn_budget;
mod wake;

/// As the host has it, without what only the engine needs.
#[allow(unsafe_code)]
mod unchecked {
    pub mod kernel_calls;
}
