//! Files of numbers that are read repeatedly, such as the kernel's counters of a container.

use rustix::fs::{Mode, OFlags, open, openat};
use rustix::io::{Errno, pread};
use std::collections::HashMap;
use std::os::fd::OwnedFd;

/// Size limit of a counter file. A longer one closes its set.
const MAX_BYTES: usize = 64 * 1024;
/// Initial buffer size, which fits most files.
const FIRST_BUFFER_BYTES: usize = 4 * 1024;
/// Character at the end of a name that matches digits.
const DIGITS: char = '#';

/// Place of a number in a file, `CounterPlace` of the script.
pub struct Place {
    pub after: String,
    pub offset: usize,
}

/// Counter file, `CounterFile` of the script.
pub struct File {
    pub path: String,
    pub wanted: Vec<Place>,
}

/// Numbers of a set, in the order of its wanted places; `None` for a missing number.
pub type Numbers = Vec<Option<f64>>;

enum Opened {
    Kept(OwnedFd),
    /// The file did not exist when the set was opened.
    Absent,
    /// Opened for each reading, below the folder of the process. An open descriptor would keep resources of the process alive, such as its
    /// network.
    Anew,
}

struct Set {
    process: OwnedFd,
    files: Vec<(File, Opened)>,
    is_gone: bool,
}

/// Registry of the open counter sets.
#[derive(Default)]
pub struct Counters {
    sets: HashMap<u64, Set>,
    buffer: Vec<u8>,
}

const READ: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

impl Counters {
    /// Opens a set of counter files. Returns false when there is no such process.
    pub fn open(&mut self, id: u64, process_folder: &str, files: Vec<File>) -> bool {
        self.sets.remove(&id);
        let Ok(process) = open(process_folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) else { return false };
        let files = files.into_iter().map(|file| {
            let opened = match file.path.starts_with('/') {
                false => Opened::Anew,
                true => open(&*file.path, READ, Mode::empty()).map_or(Opened::Absent, Opened::Kept),
            };
            (file, opened)
        });
        self.sets.insert(id, Set { process, files: files.collect(), is_gone: false });
        true
    }

    /// Reads a set's numbers; `None` for a set that is not open, whose process ended or that lost a file.
    pub fn read(&mut self, id: u64) -> Option<Numbers> {
        let set = self.sets.get_mut(&id).filter(|set| !set.is_gone)?;
        let numbers = set.read(&mut self.buffer);
        set.is_gone = numbers.is_none();
        numbers
    }

    /// Closes a set. Does nothing if it is not open.
    pub fn close(&mut self, id: u64) {
        self.sets.remove(&id);
    }
}

impl Set {
    fn read(&self, buffer: &mut Vec<u8>) -> Option<Numbers> {
        let mut numbers = Vec::with_capacity(self.files.iter().map(|(file, _)| file.wanted.len()).sum());
        for (File { path, wanted }, opened) in &self.files {
            let from = numbers.len();
            numbers.resize(from + wanted.len(), None);
            let length = match opened {
                Opened::Absent => continue,
                Opened::Kept(file) => read_whole(file, buffer),
                // Opened through the folder's descriptor: /proc/PID by its path may be another process by now.
                Opened::Anew => read_whole(&openat(&self.process, &**path, READ, Mode::empty()).ok()?, buffer),
            };
            add_numbers(&buffer[..length?], wanted, &mut numbers[from..]);
        }
        Some(numbers)
    }
}

/// Reads a file into the buffer and returns its length; `None` when it cannot be read or is too long.
fn read_whole(file: &OwnedFd, buffer: &mut Vec<u8>) -> Option<usize> {
    buffer.resize(buffer.len().max(FIRST_BUFFER_BYTES), 0);
    let mut length = 0;
    loop {
        match pread(file, &mut buffer[length..], length as u64) {
            Ok(0) => return Some(length),
            Ok(count) => length += count,
            Err(Errno::INTR) => (),
            Err(_) => return None,
        }
        if length == MAX_BYTES {
            return None;
        }
        if length == buffer.len() {
            buffer.resize(length * 2, 0);
        }
    }
}

/// Adds the numbers at the wanted places of each line.
fn add_numbers(text: &[u8], wanted: &[Place], numbers: &mut [Option<f64>]) {
    for line in text.split(|&byte| byte == b'\n') {
        for (Place { after, offset }, number) in wanted.iter().zip(&mut *numbers) {
            let mut words = line.split(|byte| matches!(byte, b' ' | b'\t' | b':' | b'=' | b'\r')).filter(|word| !word.is_empty());
            if !after.is_empty() && !words.any(|word| is_meant(word, after)) {
                continue;
            }
            if let Some(one) = offset.checked_sub(1).and_then(|place| words.nth(place)).and_then(whole_number) {
                *number = Some(number.unwrap_or(0.0) + one);
            }
        }
    }
}

fn is_meant(word: &[u8], after: &str) -> bool {
    match after.strip_suffix(DIGITS) {
        None => word == after.as_bytes(),
        Some(name) => word.strip_prefix(name.as_bytes()).is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)),
    }
}

/// Parses an unsigned integer as the script does: to the nearest double.
fn whole_number(word: &[u8]) -> Option<f64> {
    if !word.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str, wanted: &[(&str, usize)]) -> Numbers {
        let places: Vec<Place> = wanted.iter().map(|&(after, offset)| Place { after: after.into(), offset }).collect();
        let mut numbers = vec![None; places.len()];
        add_numbers(text.as_bytes(), &places, &mut numbers);
        numbers
    }

    #[test]
    fn numbers_stand_after_their_words_and_are_added_up() {
        assert_eq!(numbers("123456\n", &[("", 1), ("", 2)]), [Some(123_456.0), None]);
        assert_eq!(numbers("anon 1\ninactive_file 20\n", &[("inactive_file", 1), ("file", 1)]), [Some(20.0), None]);
        let devices = "8:0 rbytes=5 wbytes=7 rios=1\n253:1 rbytes=100 wbytes=200 rios=1\n";
        assert_eq!(numbers(devices, &[("rbytes", 1), ("wbytes", 1)]), [Some(105.0), Some(207.0)]);
        let network = "  lo: 9 9 9 9 9 9 9 9 9 9\n eth0: 1 2 3 4 5 6 7 8 10 11\neth12:100 2 3 4 5 6 7 8 20 11\n ethx: 5\n eth0.1: 7\n";
        assert_eq!(numbers(network, &[("eth#", 1), ("eth#", 9)]), [Some(101.0), Some(30.0)]);
        assert_eq!(numbers("memory max\n", &[("memory", 1)]), [None]);
    }

    #[test]
    fn a_set_reads_what_was_there_when_it_was_opened() {
        let mut counters = Counters::default();
        let file = |path: &str| File { path: path.into(), wanted: vec![Place { after: "lo".into(), offset: 1 }] };
        assert!(counters.open(7, "/proc/self", ["/proc/net/dev", "net/dev", "/nowhere"].map(file).into()));
        let numbers = counters.read(7).unwrap();
        assert!(numbers[0].is_some() && numbers[1].is_some() && numbers[2].is_none());
        assert!(counters.open(8, "/proc/self", vec![file("nowhere")]));
        assert_eq!(counters.read(8), None);
        assert!(!counters.open(9, "/proc/0", Vec::new()));
        counters.close(7);
        assert_eq!(counters.read(7), None);
    }
}
