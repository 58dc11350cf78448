//! Reading and writing of whole files.

use super::error_text::error_text;
use super::mount_changes::was_mounted_since;
use rustix::fs::{Mode, OFlags, PROC_SUPER_MAGIC, fstatfs, open};
use rustix::io::{Errno, pread, read};
use std::collections::HashMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

/// Size limit of a read when the script gives none.
pub const DEFAULT_MAX_BYTES: usize = 1024 * 1024;

/// First buffer size. Files of /proc and /sys report a size of 0, so they are read to their end; most fit.
const FIRST_BUFFER_BYTES: usize = 16 * 1024;
/// The buffer is shrunk to this size after a longer file.
const KEPT_BUFFER_BYTES: usize = 256 * 1024;

/// Maximum number of cached open /proc files, and their cache time. A file mounted over one of them is noticed after that time.
const MAX_KEPT_FILES: usize = 32;
const FILE_KEPT: Duration = Duration::from_secs(60);
/// Maximum size of a cached mount table. Generating one costs the kernel more than all other files together.
const MAX_KEPT_MOUNTS_BYTES: usize = 32 * 1024;

struct KeptFile {
    file: OwnedFd,
    opened_at: Instant,
    /// Content of a mountinfo file; `None` for other files.
    mounts: Option<Vec<u8>>,
}

/// Reader of files with one reusable buffer and a cache of open /proc files.
#[derive(Default)]
pub struct FileReader {
    buffer: Vec<u8>,
    kept: HashMap<String, KeptFile>,
}

impl FileReader {
    /// Reads a file and returns its bytes, valid until the next call. `None` when it cannot be read or is longer than `max_bytes`.
    pub fn read(&mut self, path: &str, max_bytes: usize) -> Option<&[u8]> {
        if self.is_kept(path, max_bytes) {
            return self.kept.get(path)?.mounts.as_deref();
        }
        if let Some(KeptFile { file, mounts: None, .. }) = self.kept.get(path).filter(|kept| kept.opened_at.elapsed() < FILE_KEPT)
            && let Some(length) = read_whole(&mut self.buffer, max_bytes, |room, from| pread(file, room, from))
        {
            return Some(&self.buffer[..length]);
        }
        self.kept.remove(path);
        // Non-blocking: a named pipe must not block the loop. A direct system call, because the C library adds a call to each open.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = open(path, flags, Mode::empty()).ok()?;
        let length = read_whole(&mut self.buffer, max_bytes, |room, _| read(&file, room))?;
        let is_list = is_list_of_mounts(path) && length <= MAX_KEPT_MOUNTS_BYTES;
        if (is_list || is_of_the_whole_machine(path)) && self.kept.len() < MAX_KEPT_FILES && is_of_the_kernel(&file) {
            let mounts = is_list.then(|| self.buffer[..length].to_vec());
            self.kept.insert(path.to_owned(), KeptFile { file, opened_at: Instant::now(), mounts });
        }
        Some(&self.buffer[..length])
    }

    /// True when a cached mountinfo file is unchanged. Changed mount options are noticed after `FILE_KEPT`.
    fn is_kept(&self, path: &str, max_bytes: usize) -> bool {
        let Some(KeptFile { file, opened_at, mounts: Some(text) }) = self.kept.get(path) else { return false };
        text.len() <= max_bytes && opened_at.elapsed() < FILE_KEPT && !was_mounted_since(file)
    }
}

/// True for the mountinfo file of any process. The kernel signals each mount and unmount to its open descriptors, proc(5).
fn is_list_of_mounts(path: &str) -> bool {
    path.starts_with("/proc/") && path.ends_with("/mountinfo")
}

/// True for a file of /proc that belongs to no process. Such a file can stay open: its content is generated at each read from the start.
fn is_of_the_whole_machine(path: &str) -> bool {
    path.strip_prefix("/proc/").is_some_and(|name| name.starts_with(|first: char| first.is_ascii_lowercase()) && !name.starts_with("self/"))
}

/// True when the file is on procfs, and not one that lxcfs mounted over it.
fn is_of_the_kernel(file: &OwnedFd) -> bool {
    fstatfs(file).is_ok_and(|facts| facts.f_type == PROC_SUPER_MAGIC)
}

/// Reads a file into the buffer and returns its length; `None` when it cannot be read or is longer than `max_bytes`.
fn read_whole(buffer: &mut Vec<u8>, max_bytes: usize, read_at: impl Fn(&mut [u8], u64) -> Result<usize, Errno>) -> Option<usize> {
    if buffer.len() > KEPT_BUFFER_BYTES {
        *buffer = Vec::new();
    }
    if buffer.is_empty() {
        buffer.resize(FIRST_BUFFER_BYTES, 0);
    }
    let mut length = 0;
    loop {
        if length == buffer.len() {
            buffer.resize(length * 2, 0);
        }
        match read_at(&mut buffer[length..], length as u64) {
            Ok(0) => return Some(length),
            Ok(count) => length += count,
            Err(Errno::INTR) => (),
            Err(_) => return None,
        }
        if length > max_bytes {
            return None;
        }
    }
}

/// Returns the target of a symbolic link; `None` if the path is not a link.
pub fn read_link(path: &str) -> Option<String> {
    Some(fs::read_link(path).ok()?.to_string_lossy().into_owned())
}

/// Returns the names of a folder's entries, sorted by UTF-16 code units as in the script; `None` when it cannot be read.
pub fn list_dir(path: &str) -> Option<Vec<String>> {
    let entries = fs::read_dir(path).ok()?;
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable_by(|one, other| one.encode_utf16().cmp(other.encode_utf16()));
    Some(names)
}

/// Facts of a file, `FileFacts` of the script.
pub struct FileFacts {
    pub kind: &'static str,
    pub size_bytes: f64,
    pub modified_ms: f64,
    pub mode: u32,
    pub owner: u32,
}

/// Returns facts of a file, stat(2). Symbolic links are followed; `None` when the file is missing.
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

/// Writes a file atomically: to a temporary file beside it, then renamed over it. Creates missing folders (0755).
pub fn write_file(path: &str, data: &[u8], mode: u32) -> Result<(), String> {
    let beside = format!("{path}.{}.new", std::process::id());
    let folder = Path::new(path).parent().unwrap_or(Path::new("/"));
    let write = || -> std::io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o755).create(folder)?;
        // Removed first: it could be a symbolic link that another user placed there.
        if let Err(error) = fs::remove_file(&beside)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(error);
        }
        let mut file: File = OpenOptions::new().write(true).create_new(true).mode(mode).open(&beside)?;
        file.write_all(data)?;
        // Sets the permission bits that the umask removed.
        file.set_permissions(fs::Permissions::from_mode(mode))?;
        // An empty file, which only tests whether writing is possible, needs no flush, which takes a disk milliseconds.
        if !data.is_empty() {
            file.sync_all()?;
        }
        fs::rename(&beside, path)
    };
    write().map_err(|error| format!("{}, write '{path}'", error_text(&error)))
}

/// Removes a file; a folder is an error.
pub fn remove(path: &str) -> Result<(), String> {
    fs::remove_file(path).map_err(|error| format!("{}, unlink '{path}'", error_text(&error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_whole_machine_is_kept_open_and_read_anew() {
        let mut reader = FileReader::default();
        let first = reader.read("/proc/self/stat", 4096).unwrap().to_vec();
        assert!(!first.is_empty() && reader.kept.is_empty());
        for _ in 0..3 {
            let text = String::from_utf8(reader.read("/proc/uptime", 4096).unwrap().to_vec()).unwrap();
            assert!(text.split(' ').next().unwrap().parse::<f64>().unwrap() > 0.0, "{text}");
        }
        assert_eq!(reader.kept.len(), 1);
        assert_eq!(reader.read("/proc/uptime", 3), None);
    }

    #[test]
    fn a_list_of_mounts_is_kept_while_nothing_is_mounted_and_says_the_same() {
        let mut reader = FileReader::default();
        let path = "/proc/self/mountinfo";
        let first = reader.read(path, DEFAULT_MAX_BYTES).unwrap().to_vec();
        assert!(first.len() > MAX_KEPT_MOUNTS_BYTES || reader.kept[path].mounts.as_deref() == Some(&first[..]));
        assert_eq!(reader.read(path, DEFAULT_MAX_BYTES).unwrap(), first);
        assert_eq!(reader.read(path, 3), None);
    }

    #[test]
    fn a_file_elsewhere_is_opened_each_time() {
        let folder = std::env::temp_dir().join(format!("vedette-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("text").to_string_lossy().into_owned();
        let mut reader = FileReader::default();
        write_file(&path, b"one", 0o600).unwrap();
        assert_eq!(reader.read(&path, 10), Some(&b"one"[..]));
        write_file(&path, b"two", 0o600).unwrap();
        assert_eq!(reader.read(&path, 10), Some(&b"two"[..]));
        assert!(reader.kept.is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }
}
