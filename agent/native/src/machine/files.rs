//! Files, read whole and written whole.

use super::error_text::error_text;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, read};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// When the script names no limit.
pub const DEFAULT_MAX_BYTES: usize = 1024 * 1024;

/// Files of /proc and /sys say they are empty, so they are read until their end. Most fit.
const FIRST_BUFFER_BYTES: usize = 16 * 1024;
/// What a longer file made of the buffer is given back.
const KEPT_BUFFER_BYTES: usize = 256 * 1024;

/// Reads into one buffer again and again.
#[derive(Default)]
pub struct FileReader {
    buffer: Vec<u8>,
}

impl FileReader {
    /// The bytes of a file until the next call; `None` when it cannot be read or is longer than `max_bytes`.
    pub fn read(&mut self, path: &str, max_bytes: usize) -> Option<&[u8]> {
        // Non-blocking: a named pipe must not hold up the loop. Straight to the kernel: the C library adds a call to each open.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = open(path, flags, Mode::empty()).ok()?;
        if self.buffer.len() > KEPT_BUFFER_BYTES {
            self.buffer = Vec::new();
        }
        if self.buffer.is_empty() {
            self.buffer.resize(FIRST_BUFFER_BYTES, 0);
        }
        let mut length = 0;
        loop {
            if length == self.buffer.len() {
                self.buffer.resize(length * 2, 0);
            }
            match read(&file, &mut self.buffer[length..]) {
                Ok(0) => return Some(&self.buffer[..length]),
                Ok(count) => length += count,
                Err(Errno::INTR) => (),
                Err(_) => return None,
            }
            if length > max_bytes {
                return None;
            }
        }
    }
}

/// Where a symbolic link leads.
pub fn read_link(path: &str) -> Option<String> {
    Some(fs::read_link(path).ok()?.to_string_lossy().into_owned())
}

/// Names in a folder, in the order of their UTF-16 code units, which is the script's own.
pub fn list_dir(path: &str) -> Option<Vec<String>> {
    let entries = fs::read_dir(path).ok()?;
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable_by(|one, other| one.encode_utf16().cmp(other.encode_utf16()));
    Some(names)
}

/// See `FileFacts`.
pub struct FileFacts {
    pub kind: &'static str,
    pub size_bytes: f64,
    pub modified_ms: f64,
    pub mode: u32,
    pub owner: u32,
}

/// Follows symbolic links.
pub fn stat(path: &str) -> Option<FileFacts> {
    let facts = fs::metadata(path).ok()?;
    let of = facts.file_type();
    let kind = if of.is_file() {
        "file"
    } else if of.is_dir() {
        "folder"
    } else if of.is_socket() {
        "socket"
    } else {
        "other"
    };
    let modified_ms = facts.mtime() as f64 * 1000.0 + facts.mtime_nsec() as f64 / 1e6;
    Some(FileFacts { kind, size_bytes: facts.size() as f64, modified_ms, mode: facts.mode() & 0o7777, owner: facts.uid() })
}

/// Beside its place first, then renamed over it: there is never half a file. Missing folders are made (0755).
pub fn write_file(path: &str, data: &[u8], mode: u32) -> Result<(), String> {
    let beside = format!("{path}.{}.new", std::process::id());
    let folder = Path::new(path).parent().unwrap_or(Path::new("/"));
    let write = || -> std::io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o755).create(folder)?;
        // Never through a link that somebody laid in its way, where others may write too.
        if let Err(error) = fs::remove_file(&beside)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(error);
        }
        let mut file: File = OpenOptions::new().write(true).create_new(true).mode(mode).open(&beside)?;
        file.write_all(data)?;
        // Whatever the umask took away.
        file.set_permissions(fs::Permissions::from_mode(mode))?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| format!("{}, write '{path}'", error_text(&error)))
}

/// A file, not a folder.
pub fn remove(path: &str) -> Result<(), String> {
    fs::remove_file(path).map_err(|error| format!("{}, unlink '{path}'", error_text(&error)))
}
