//! Replacement of this program's file by another one, atomically, and its return.

use super::download::Failure;
use data_encoding::HEXLOWER;
use ring::digest::{Context, SHA256};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{Error, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

/// Path of this program's file.
pub struct Installation {
    program: PathBuf,
}

impl Installation {
    /// Finds the file of this process. The error is one sentence.
    pub fn own() -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| format!("Cannot find the file of this program: {error}"))?;
        Ok(Self { program })
    }

    /// Receives the new program in a file beside this one, with its owner and mode, and checks its SHA-256 in hexadecimal digits. The error
    /// is one sentence; no file is left then.
    pub fn receive(&self, download: impl FnOnce(&mut dyn Write) -> Result<(), Failure>, expected: &str) -> Result<FreshProgram, String> {
        let failed = |error: Error| self.sentence(&error);
        let old = fs::metadata(&self.program).map_err(failed)?;
        let path = beside(&self.program, ".new");
        // It remains when the machine stops during an update.
        remove_if_there(&path).map_err(failed)?;
        let file = OpenOptions::new().write(true).create_new(true).mode(0o700).open(&path).map_err(failed)?;
        let fresh = FreshProgram { program: self.program.clone(), path };
        let mut hashed = Hashed { file, digest: Context::new(&SHA256) };
        download(&mut hashed).map_err(|failure| match failure {
            Failure::Download(sentence) => sentence,
            Failure::File(error) => failed(error),
        })?;
        let sum = HEXLOWER.encode(hashed.digest.finish().as_ref());
        if sum != expected {
            return Err(format!("The download is damaged: its checksum is {sum}, expected {expected}"));
        }
        chown(&fresh.path, Some(old.uid()), Some(old.gid())).map_err(failed)?;
        hashed.file.set_permissions(Permissions::from_mode(old.mode() & 0o7777)).map_err(failed)?;
        hashed.file.sync_all().map_err(failed)?;
        Ok(fresh)
    }

    fn sentence(&self, error: &Error) -> String {
        let place = self.program.display();
        match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                format!("Cannot write beside {place}: run \"sudo vedette-agent update\"")
            }
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                format!("Cannot write beside {place}: the disk is full. Nothing was changed.")
            }
            _ => format!("Cannot write beside {place}: {error}. Nothing was changed."),
        }
    }
}

/// File that also computes the checksum of its content.
struct Hashed {
    file: File,
    digest: Context,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.digest.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// New program beside the old one. Its file is deleted if it is not put in place.
pub struct FreshProgram {
    program: PathBuf,
    path: PathBuf,
}

impl FreshProgram {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the new program over the old one, which stays beside it. The error is one sentence.
    pub fn put_in_place(self) -> Result<PreviousProgram, String> {
        let previous = beside(&self.program, ".previous");
        let replaced = remove_if_there(&previous)
            .and_then(|()| fs::hard_link(&self.program, &previous))
            .and_then(|()| fs::rename(&self.path, &self.program))
            .and_then(|()| sync_folder(&self.program));
        replaced.map_err(|error| format!("Cannot replace {}: {error}", self.program.display()))?;
        Ok(PreviousProgram { program: self.program.clone(), path: previous })
    }
}

impl Drop for FreshProgram {
    fn drop(&mut self) {
        // After the rename there is no file of this name.
        let _ = fs::remove_file(&self.path);
    }
}

/// Program of the version before.
pub struct PreviousProgram {
    program: PathBuf,
    path: PathBuf,
}

impl PreviousProgram {
    /// Renames the program of before over the new one. The error is one sentence.
    pub fn put_back(&self) -> Result<(), String> {
        fs::rename(&self.path, &self.program)
            .and_then(|()| sync_folder(&self.program))
            .map_err(|error| format!("Cannot put {} back: {error}", self.path.display()))
    }
}

/// Path with an ending after the file name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut text = path.as_os_str().to_owned();
    text.push(ending);
    text.into()
}

fn remove_if_there(path: &Path) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Makes renames in the folder of a file survive a power failure.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}
