//! Limits of the script's time per event and of its memory, and how often they were exceeded.

use rquickjs::Runtime;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Memory limit of the script. The largest responses are container logs of 5 MiB, as bytes and as text of up to twice that size.
const MAX_MEMORY_BYTES: usize = 64 * 1024 * 1024;
/// Stack limit of the script. It is below the smallest stack of a main thread.
const MAX_STACK_BYTES: usize = 512 * 1024;
/// Time limit of one event. A sample takes milliseconds, so a longer event means an endless loop. It is shorter in tests.
const MAX_TURN: Duration = if cfg!(feature = "test-driver") { Duration::from_millis(500) } else { Duration::from_secs(10) };
/// Memory growth after which the engine collects garbage. A sample makes less; reference counting frees most of it.
const COLLECTION_THRESHOLD_BYTES: usize = 512 * 1024;
/// Text in the engine's error when an allocation fails.
const OUT_OF_MEMORY: &str = "out of memory";

/// Limits of one engine, with the counts of exceeded ones.
pub struct Limits {
    turn_began: Cell<Instant>,
    is_turn_over: Cell<bool>,
    turns_ended: Cell<u32>,
    memory_refused: Cell<u32>,
}

impl Limits {
    /// Sets the limits of an engine.
    pub fn of(runtime: &Runtime) -> Rc<Self> {
        runtime.set_memory_limit(MAX_MEMORY_BYTES);
        runtime.set_max_stack_size(MAX_STACK_BYTES);
        runtime.set_gc_threshold(COLLECTION_THRESHOLD_BYTES);
        let limits = Rc::new(Self {
            turn_began: Cell::new(Instant::now()),
            is_turn_over: Cell::new(false),
            turns_ended: Cell::new(0),
            memory_refused: Cell::new(0),
        });
        let asked = Rc::clone(&limits);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            let is_over = asked.turn_began.get().elapsed() > MAX_TURN;
            asked.is_turn_over.set(is_over);
            is_over
        })));
        limits
    }

    /// Starts the time limit of an event.
    pub fn begin_turn(&self) {
        self.turn_began.set(Instant::now());
    }

    /// Returns the log message for an uncaught error of the script. The current work is aborted; the script continues.
    pub fn sentence(&self, error: &str) -> String {
        if self.is_turn_over.take() {
            self.turns_ended.set(self.turns_ended.get() + 1);
            // The pending jobs get a time limit of their own.
            self.begin_turn();
            return format!("A part of the agent took longer than {} ms and was given up", MAX_TURN.as_millis());
        }
        if error.contains(OUT_OF_MEMORY) {
            self.memory_refused.set(self.memory_refused.get() + 1);
            return format!("A part of the agent wanted more than {} MB of memory and was given up", MAX_MEMORY_BYTES / 1024 / 1024);
        }
        format!("A part of the agent failed: {error}")
    }

    /// Returns the number of events that took too long, and of refused allocations, since the start.
    pub fn reached(&self) -> (u32, u32) {
        (self.turns_ended.get(), self.memory_refused.get())
    }
}
