//! JavaScript engine with the agent's script, and the loop around them.

mod counter_calls;
mod file_calls;
mod handlers;
mod limits;
mod link_calls;
mod process_calls;
mod trouble;
mod values;

use crate::event::Event;
use crate::host::Host;
use crate::machine::{log_line, starter::end_with_starter};
use crate::unchecked::engine_memory::{self, KeptMemory};
use handlers::Handlers;
use limits::Limits;
use rquickjs::{CatchResultExt, Context, Ctx, Object, Runtime, context::intrinsic};
use std::cell::RefCell;
use std::rc::Rc;
use trouble::Trouble;

/// JavaScript features for the script. `eval` and the parser are left out, so no text can run as code.
type Intrinsics = (
    intrinsic::Date,
    intrinsic::RegExp,
    intrinsic::RegExpCompiler,
    intrinsic::Json,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
);

/// Host shared by all functions of the script's runtime. The loop never uses it at the same time.
type SharedHost = Rc<RefCell<Host>>;

/// Runs the script, then ends the process with the script's exit status. Returns only the reason why it could not start.
pub fn run() -> Result<u8, String> {
    end_with_starter()?;
    let host: SharedHost = Rc::new(RefCell::new(Host::new(program_folders())?));
    let engine = |error: rquickjs::Error| format!("Cannot start the engine: {error}");
    let runtime = Runtime::new_with_alloc(KeptMemory::default()).map_err(engine)?;
    let limits = Limits::of(&runtime);
    let trouble = Trouble::heard_by(&runtime);
    let context = Context::custom::<Intrinsics>(&runtime).map_err(engine)?;
    let handlers = Handlers::default();

    let main = context.with(|ctx| {
        offer(&ctx, &host, &handlers, &limits).map_err(engine)?;
        let started = engine_memory::evaluate(&ctx).catch(&ctx).map_err(|error| format!("The agent cannot start: {error}"))?;
        Ok::<_, String>(rquickjs::Persistent::save(&ctx, started))
    })?;
    let code = loop {
        let failed = finish_jobs(&runtime, &trouble, &limits);
        let ended = context.with(|ctx| main.clone().restore(&ctx).ok().and_then(|promise| promise.result::<()>()).map(|end| end.is_ok()));
        if let Some(code) = host.borrow().exit_code {
            break code;
        }
        match ended {
            // The script has no listener: it was a subcommand that printed its result.
            Some(true) if !handlers.is_set() => break 0,
            Some(false) => break 1,
            _ if failed && !handlers.is_set() => break 1,
            _ => (),
        }
        let events = host.borrow_mut().next_events();
        for event in events {
            tell(&context, &handlers, &limits, event);
            finish_jobs(&runtime, &trouble, &limits);
        }
        let mut due = host.borrow_mut().due_timer();
        while let Some(id) = due {
            tell(&context, &handlers, &limits, Event::Timer { id });
            finish_jobs(&runtime, &trouble, &limits);
            due = host.borrow_mut().due_timer();
        }
        limits.begin_turn();
    };
    host.borrow_mut().programs.kill_all();
    // The process ends now; freeing its memory would only take time.
    std::process::exit(i32::from(code))
}

/// Sets the functions of `Runtime` as `vedetteHost`, the script's only global of the host.
fn offer<'js>(ctx: &Ctx<'js>, host: &SharedHost, handlers: &Handlers, limits: &Rc<Limits>) -> rquickjs::Result<()> {
    let runtime = Object::new(ctx.clone())?;
    handlers.offer(&runtime)?;
    file_calls::offer(&runtime, host)?;
    counter_calls::offer(&runtime, host)?;
    process_calls::offer(&runtime, host, limits)?;
    link_calls::offer(&runtime, host)?;
    runtime.set("bytes", values::byte_tools(ctx)?)?;
    ctx.globals().set("vedetteHost", runtime)
}

fn tell(context: &Context, handlers: &Handlers, limits: &Limits, event: Event) {
    limits.begin_turn();
    context.with(|ctx| {
        if let Err(error) = handlers.tell(&ctx, event).catch(&ctx) {
            log_line("error", &limits.sentence(&error.to_string()));
        }
    });
}

/// Runs all pending jobs of promises. Returns true if a rejection stayed unhandled.
fn finish_jobs(runtime: &Runtime, trouble: &Trouble, limits: &Limits) -> bool {
    loop {
        match runtime.execute_pending_job() {
            Ok(true) => (),
            Ok(false) => break,
            Err(job) => {
                let error = job.0.with(|ctx| trouble::text_of(&ctx.catch()));
                log_line("error", &limits.sentence(&error));
            }
        }
    }
    let uncaught = trouble.uncaught();
    for text in &uncaught {
        log_line("error", &limits.sentence(text));
    }
    !uncaught.is_empty()
}

/// Returns the folders of programs; `None` for the system's. Only the program of the conformance tests replaces them.
fn program_folders() -> Option<Vec<String>> {
    if cfg!(feature = "test-driver") {
        return std::env::var("VEDETTE_TEST_PROGRAM_FOLDERS").ok().map(|text| text.split(':').map(str::to_owned).collect());
    }
    None
}
