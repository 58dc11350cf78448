//! Filesystem sizes, statfs(2), that a dead network mount cannot block.

use super::mounts::Mounts;
use crate::wake::Beside;
use rustix::fs::StatVfs;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// Maximum age of a cached size. An older one means that its mount is dead.
const KEPT: Duration = Duration::from_secs(150);
/// Maximum number of pending calls. Each occupies a thread until its mount responds.
const MAX_WAITING: usize = 4;

/// Size of a filesystem in bytes, `FilesystemFacts` of the script.
#[derive(Clone, Copy)]
pub struct FilesystemFacts {
    pub total_bytes: f64,
    pub free_bytes: f64,
    pub available_bytes: f64,
    /// Number of inodes in total and free; `None` for filesystems that create inodes on demand.
    pub inodes: Option<(f64, f64)>,
}

type Answer = (String, Option<FilesystemFacts>);

/// Reader of filesystem sizes. Local filesystems are read at once. For any other, a call returns the last size read, if it is recent.
/// The call also starts a new read on a separate thread, unless too many reads are pending.
pub struct FilesystemSizes {
    beside: Beside<Answer>,
    known: HashMap<String, (FilesystemFacts, Instant)>,
    waiting: HashSet<String>,
    mounts: Option<Mounts>,
}

impl FilesystemSizes {
    pub fn new() -> Result<Self, String> {
        Ok(Self { beside: Beside::new()?, known: HashMap::new(), waiting: HashSet::new(), mounts: None })
    }

    /// Returns the size of the filesystem at a path; `None` when it is unknown, or not known yet.
    pub fn of(&mut self, path: &str) -> Option<FilesystemFacts> {
        self.take_answers();
        if self.is_local(path) {
            return read(path);
        }
        if self.waiting.len() < MAX_WAITING && self.waiting.insert(path.to_owned()) {
            let (asked, failed) = (path.to_owned(), path.to_owned());
            self.beside.run(
                move || {
                    let facts = read(&asked);
                    (asked, facts)
                },
                |_| (failed, None),
            );
        }
        self.known.get(path).filter(|(_, read_at)| read_at.elapsed() <= KEPT).map(|&(facts, _)| facts)
    }

    fn take_answers(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        for (path, facts) in self.beside.outcomes() {
            self.waiting.remove(&path);
            match facts {
                Some(facts) => self.known.insert(path, (facts, Instant::now())),
                None => self.known.remove(&path),
            };
        }
    }

    fn is_local(&mut self, path: &str) -> bool {
        if !self.mounts.as_mut().is_some_and(Mounts::hold) {
            self.mounts = Mounts::read();
        }
        self.mounts.as_mut().is_none_or(|mounts| mounts.is_local(path))
    }
}

fn read(path: &str) -> Option<FilesystemFacts> {
    rustix::fs::statvfs(path).ok().map(facts_of)
}

fn facts_of(StatVfs { f_frsize, f_blocks, f_bfree, f_bavail, f_files, f_ffree, .. }: StatVfs) -> FilesystemFacts {
    let bytes = |blocks: u64| (blocks as f64) * (f_frsize as f64);
    FilesystemFacts {
        total_bytes: bytes(f_blocks),
        free_bytes: bytes(f_bfree),
        available_bytes: bytes(f_bavail),
        // Filesystems without a fixed inode table, such as btrfs and FAT, report 0.
        inodes: (f_files > 0).then_some((f_files as f64, f_ffree as f64)),
    }
}
