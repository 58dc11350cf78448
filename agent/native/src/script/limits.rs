//! Limits of the script's time per event and of its memory, and the number of times it reached each.

use rquickjs::Runtime;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The largest answers are logs of a container of 5 MiB, as bytes and as text of up to twice that.
const MAX_MEMORY_BYTES: usize = 64 * 1024 * 1024;
/// Below the smallest stack of a main thread.
const MAX_STACK_BYTES: usize = 512 * 1024;
/// Time limit of one event. A sample takes milliseconds, so this means an endless loop. It is shorter for tests.
const MAX_TURN: Duration = if cfg!(feature = "test-driver") { Duration::from_millis(500) } else { Duration::from_secs(10) };
/// A sample makes less garbage than that in between; most of it is freed by counting references.
const COLLECTION_THRESHOLD_BYTES: usize = 512 * 1024;
/// Text of the engine's error when an allocation fails.
const OUT_OF_MEMORY: &str = "out of memory";

/// Limits of one engine.
pub struct Limits {
    turn_began: Cell<Instant>,
    is_turn_over: Cell<bool>,
    turns_ended: Cell<u32>,
    memory_refused: Cell<u32>,
}

impl Limits {
    /// From now on.
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

    /// Log message for an uncaught error of the script. The work in progress is aborted; the script goes on.
    pub fn sentence(&self, error: &str) -> String {
        if self.is_turn_over.take() {
            self.turns_ended.set(self.turns_ended.get() + 1);
            // The jobs that still wait get a time limit of their own.
            self.begin_turn();
            return format!("A part of the agent took longer than {} ms and was given up", MAX_TURN.as_millis());
        }
        if error.contains(OUT_OF_MEMORY) {
            self.memory_refused.set(self.memory_refused.get() + 1);
            return format!("A part of the agent wanted more than {} MB of memory and was given up", MAX_MEMORY_BYTES / 1024 / 1024);
        }
        format!("A part of the agent failed: {error}")
    }

    /// How many turns were ended, and how often memory was refused, since the start.
    pub fn reached(&self) -> (u32, u32) {
        (self.turns_ended.get(), self.memory_refused.get())
    }
}
