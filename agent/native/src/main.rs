//! Native host of the agent. The agent itself is TypeScript and equal on every host. This program implements the type `Runtime` of
//! `agent/src/runtime/runtime.ts`: one thread with one loop, and helper threads for work that would block the loop.

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
mod update;
mod wake;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some((command, rest)) = arguments.split_first()
        && command == "update"
    {
        return update::run(rest);
    }
    match script::run() {
        Ok(code) => ExitCode::from(code),
        Err(reason) => {
            machine::log_line("error", &reason);
            ExitCode::FAILURE
        }
    }
}
