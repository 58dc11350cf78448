//! The only module with unsafe code: direct access to the engine's memory and system calls, each in a function that is safe to call.
#![allow(unsafe_code)]

pub mod engine_memory;
pub mod kernel_calls;
