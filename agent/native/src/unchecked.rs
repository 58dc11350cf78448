//! The one module without the compiler's proof: what the engine's memory and the kernel are asked directly, each in a function that is safe to
//! call.
#![allow(unsafe_code)]

pub mod engine_memory;
pub mod kernel_calls;
