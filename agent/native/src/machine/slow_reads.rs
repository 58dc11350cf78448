//! Reads of files whose device may block: on a thread, one after the other, with a deadline for all of them.

use super::files::FileReader;
use crate::event::{Event, SlowText};
use crate::readiness::{Interests, Ready};
use crate::wake::Beside;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Maximum number of threads. Each is occupied until its device responds; no file is read when all are busy.
const MAX_THREADS: usize = 4;

/// Result of one file of a batch: read, or failed.
struct Step {
    batch: u64,
    index: usize,
    text: Option<Vec<u8>>,
    took: Duration,
}

struct Batch {
    /// Id that the script chose.
    id: u64,
    paths: Vec<String>,
    texts: Vec<SlowText>,
    /// Indices of the paths that the thread reads, in order. `told` is the number of those with a result.
    reads: Vec<usize>,
    told: usize,
    step_began_at: Instant,
    deadline: Instant,
    is_given_up: Arc<AtomicBool>,
}

/// Registry of the batches in progress.
pub struct SlowReads {
    beside: Beside<Step>,
    batches: BTreeMap<u64, Batch>,
    /// Paths whose read hangs beyond its deadline, with their batch. They are not read again before that read has ended.
    stuck: HashMap<String, u64>,
    last_batch: u64,
}

impl SlowReads {
    pub fn new() -> Result<Self, String> {
        Ok(Self { beside: Beside::new()?, batches: BTreeMap::new(), stuck: HashMap::new(), last_batch: 0 })
    }

    /// Starts reading the files. One event reports all of them; a file that is not read by the deadline has no text.
    pub fn read(&mut self, id: u64, paths: Vec<String>, max_bytes: usize, deadline: Duration) {
        let now = Instant::now();
        let has_thread = self.batches.len() + self.stuck.len() < MAX_THREADS;
        let reads: Vec<usize> =
            if has_thread { (0..paths.len()).filter(|&index| !self.stuck.contains_key(&paths[index])).collect() } else { Vec::new() };
        let texts = paths.iter().map(|_| SlowText::default()).collect();
        self.last_batch += 1;
        let batch = self.last_batch;
        let is_given_up = Arc::new(AtomicBool::new(false));
        if !reads.is_empty() {
            let asked: Vec<(usize, String)> = reads.iter().map(|&index| (index, paths[index].clone())).collect();
            let stops = Arc::clone(&is_given_up);
            let work = move |tell: &dyn Fn(Step)| read_each(batch, asked, max_bytes, &stops, tell);
            self.beside.run_steps(work, |_| Step { batch, index: usize::MAX, text: None, took: Duration::ZERO });
        }
        let of = Batch { id, paths, texts, reads, told: 0, step_began_at: now, deadline: now + deadline, is_given_up };
        self.batches.insert(batch, of);
    }

    /// Adds the descriptors and deadlines to wait for.
    pub fn interests<'fd>(&'fd self, interests: &mut Interests<'fd>) {
        if !self.batches.is_empty() || !self.stuck.is_empty() {
            interests.read(self.beside.bell());
        }
        for batch in self.batches.values() {
            interests.until(if batch.is_done() { Instant::now() } else { batch.deadline });
        }
    }

    pub fn turn(&mut self, ready: &Ready, events: &mut Vec<Event>) {
        if ready.has(self.beside.bell()) {
            for step in self.beside.outcomes() {
                self.take(step);
            }
        }
        let now = Instant::now();
        let stuck = &mut self.stuck;
        self.batches.retain(|&number, batch| {
            if !batch.is_done() && batch.deadline > now {
                return true;
            }
            if let Some(&index) = batch.reads.get(batch.told) {
                batch.is_given_up.store(true, Ordering::Relaxed);
                batch.texts[index].took = now - batch.step_began_at;
                stuck.insert(batch.paths[index].clone(), number);
            }
            events.push(Event::SlowTexts { id: batch.id, texts: std::mem::take(&mut batch.texts) });
            false
        });
    }

    fn take(&mut self, Step { batch: number, index, text, took }: Step) {
        let Some(batch) = self.batches.get_mut(&number) else {
            // The result came too late for its batch.
            self.stuck.retain(|_, of| *of != number);
            return;
        };
        batch.step_began_at = Instant::now();
        match batch.texts.get_mut(index) {
            Some(place) => {
                *place = SlowText { text, took };
                batch.told += 1;
            }
            // No thread could be started.
            None => batch.told = batch.reads.len(),
        }
    }
}

impl Batch {
    const fn is_done(&self) -> bool {
        self.told >= self.reads.len()
    }
}

fn read_each(batch: u64, paths: Vec<(usize, String)>, max_bytes: usize, stops: &AtomicBool, tell: &dyn Fn(Step)) {
    let mut files = FileReader::default();
    for (index, path) in paths {
        if stops.load(Ordering::Relaxed) {
            return;
        }
        let began_at = Instant::now();
        let text = files.read(&path, max_bytes).map(<[u8]>::to_vec);
        tell(Step { batch, index, text, took: began_at.elapsed() });
    }
}
