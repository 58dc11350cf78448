//! The native host of the agent. The agent itself is TypeScript and the same on every host; what it may ask for is the type `Runtime`
//! of `agent/src/runtime/runtime.ts`, and this program is that type: one thread, one loop, and a helper thread for as long as something
//! must wait that cannot be waited for in the loop.

mod byte_queue;
mod event;
mod host;
mod machine;
mod net;
mod readiness;
mod sandbox;
mod script;
mod ssh;
mod timers;
mod turn_budget;
mod unchecked;
mod wake;

use std::process::ExitCode;

fn main() -> ExitCode {
    match script::run() {
        Ok(code) => ExitCode::from(code),
        Err(reason) => {
            machine::log_line("error", &reason);
            ExitCode::FAILURE
        }
    }
}
