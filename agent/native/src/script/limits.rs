//! What the script may take, and how often it wanted more: a turn that goes on too long, and memory that is not given.

use rquickjs::Runtime;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The largest answers are logs of a container of 5 MiB, as bytes and as text of up to twice that.
const MAX_MEMORY_BYTES: usize = 64 * 1024 * 1024;
/// Below what the main thread has at least.
const MAX_STACK_BYTES: usize = 512 * 1024;
/// Of one event. A sample takes milliseconds; what takes this long would take for ever. Tests do not wait that long.
const MAX_TURN: Duration = if cfg!(feature = "test-driver") { Duration::from_millis(500) } else { Duration::from_secs(10) };
/// A sample makes less garbage than that in between; most of it is freed by counting references.
const COLLECTION_THRESHOLD_BYTES: usize = 512 * 1024;
/// What the engine throws when it gets no memory.
const OUT_OF_MEMORY: &str = "out of memory";

/// Of one engine.
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

    /// An event is told now; it has its time for itself.
    pub fn begin_turn(&self) {
        self.turn_began.set(Instant::now());
    }

    /// What to say of a failure that nobody in the script caught. What the script worked on is given up, the script goes on.
    pub fn sentence(&self, error: &str) -> String {
        if self.is_turn_over.take() {
            self.turns_ended.set(self.turns_ended.get() + 1);
            // What still waits has its turn too.
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
