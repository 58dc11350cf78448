//! The engine, the agent's script in it, and the loop between the two.

mod engine_memory;
mod file_calls;
mod handlers;
mod link_calls;
mod process_calls;
mod trouble;
mod values;

use crate::event::Event;
use crate::host::Host;
use crate::machine::log_line;
use handlers::Handlers;
use rquickjs::{CatchResultExt, Context, Ctx, Object, Runtime, context::intrinsic};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};
use trouble::Trouble;

/// The largest answers are logs of a container of 5 MiB, as bytes and as text of up to twice that.
const MAX_MEMORY_BYTES: usize = 64 * 1024 * 1024;
/// Below what the main thread has at least.
const MAX_STACK_BYTES: usize = 512 * 1024;
/// Of one event. A sample takes milliseconds; what takes this long would take for ever.
const MAX_TURN: Duration = Duration::from_secs(10);
/// A sample makes less garbage than that in between; most of it is freed by counting references.
const COLLECTION_THRESHOLD_BYTES: usize = 512 * 1024;

/// What the script uses of the language. Nothing that could run text: the parser is not even there.
type Intrinsics = (
    intrinsic::Date,
    intrinsic::RegExp,
    intrinsic::RegExpCompiler,
    intrinsic::Json,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
);

/// Shared by the calls of the script, which the loop never runs beside each other.
type SharedHost = Rc<RefCell<Host>>;

/// Runs the script until it exits; the status to end with.
pub fn run() -> Result<u8, String> {
    let host: SharedHost = Rc::new(RefCell::new(Host::new(program_folders())?));
    let engine = |error: rquickjs::Error| format!("Cannot start the engine: {error}");
    let runtime = Runtime::new().map_err(engine)?;
    runtime.set_memory_limit(MAX_MEMORY_BYTES);
    runtime.set_max_stack_size(MAX_STACK_BYTES);
    runtime.set_gc_threshold(COLLECTION_THRESHOLD_BYTES);
    let turn_began = Rc::new(Cell::new(Instant::now()));
    let began = Rc::clone(&turn_began);
    runtime.set_interrupt_handler(Some(Box::new(move || began.get().elapsed() > MAX_TURN)));
    let trouble = Trouble::heard_by(&runtime);
    let context = Context::custom::<Intrinsics>(&runtime).map_err(engine)?;
    let handlers = Handlers::default();

    let main = context.with(|ctx| {
        offer(&ctx, &host, &handlers).map_err(engine)?;
        let started = engine_memory::evaluate(&ctx).catch(&ctx).map_err(|error| format!("The agent cannot start: {error}"))?;
        Ok::<_, String>(rquickjs::Persistent::save(&ctx, started))
    })?;
    let code = loop {
        let failed = finish_jobs(&runtime, &trouble);
        let ended = context.with(|ctx| main.clone().restore(&ctx).ok().and_then(|promise| promise.result::<()>()).map(|end| end.is_ok()));
        if let Some(code) = host.borrow().exit_code {
            break code;
        }
        match ended {
            // Nobody listens: it printed what was asked for.
            Some(true) if !handlers.is_set() => break 0,
            Some(false) => break 1,
            _ if failed && !handlers.is_set() => break 1,
            _ => (),
        }
        let events = host.borrow_mut().next_events();
        for event in events {
            tell(&context, &handlers, &turn_began, event);
            finish_jobs(&runtime, &trouble);
        }
        let mut due = host.borrow_mut().due_timer();
        while let Some(id) = due {
            tell(&context, &handlers, &turn_began, Event::Timer { id });
            finish_jobs(&runtime, &trouble);
            due = host.borrow_mut().due_timer();
        }
        turn_began.set(Instant::now());
    };
    host.borrow_mut().programs.kill_all();
    // The process ends now; giving back its memory piece by piece would only take time.
    std::process::exit(i32::from(code))
}

/// The runtime's functions, as the one global the script knows.
fn offer<'js>(ctx: &Ctx<'js>, host: &SharedHost, handlers: &Handlers) -> rquickjs::Result<()> {
    let runtime = Object::new(ctx.clone())?;
    handlers.offer(&runtime)?;
    file_calls::offer(&runtime, host)?;
    process_calls::offer(&runtime, host)?;
    link_calls::offer(&runtime, host)?;
    runtime.set("bytes", values::byte_tools(ctx)?)?;
    ctx.globals().set("vedetteHost", runtime)
}

fn tell(context: &Context, handlers: &Handlers, turn_began: &Cell<Instant>, event: Event) {
    turn_began.set(Instant::now());
    context.with(|ctx| {
        if let Err(error) = handlers.tell(&ctx, event).catch(&ctx) {
            log_line("error", &format!("A part of the agent failed: {error}"));
        }
    });
}

/// Everything that promises wait for. Whether something failed that nobody caught.
fn finish_jobs(runtime: &Runtime, trouble: &Trouble) -> bool {
    loop {
        match runtime.execute_pending_job() {
            Ok(true) => (),
            Ok(false) => break,
            Err(job) => {
                let error = job.0.with(|ctx| trouble::text_of(&ctx.catch()));
                log_line("error", &format!("A part of the agent failed: {error}"));
            }
        }
    }
    let uncaught = trouble.uncaught();
    for text in &uncaught {
        log_line("error", &format!("A part of the agent failed: {text}"));
    }
    !uncaught.is_empty()
}

/// Only the program of the conformance tests looks elsewhere than in the system's folders.
fn program_folders() -> Option<Vec<String>> {
    if cfg!(feature = "test-driver") {
        return std::env::var("VEDETTE_TEST_PROGRAM_FOLDERS").ok().map(|text| text.split(':').map(str::to_owned).collect());
    }
    None
}
