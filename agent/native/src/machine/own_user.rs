//! Change of the process from root to another user.

use super::error_text::error_text;
use super::starter::end_with_starter;
use crate::unchecked::kernel_calls::become_user;
use rustix::fs::{AtFlags, CWD, FileType, Gid, Uid, chownat, stat, statat};
use rustix::process::geteuid;

/// Changes the process from root to `user`, with the groups of the existing files `groups_of`. The user becomes the owner of the files
/// `owns`; its group has an equal id. Returns the reason on failure, and the process stays root. Does nothing for a process that is not
/// root.
pub fn become_own_user(user: u32, owns: &[String], groups_of: &[String]) -> Result<(), String> {
    if !geteuid().is_root() {
        return Ok(());
    }
    for path in owns {
        // Symbolic links and files with several hard links keep their owner: the other name may be anywhere.
        let facts = statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW).map_err(|error| format!("\"{path}\": {}", error_text(&error.into())))?;
        let is_own = match FileType::from_raw_mode(facts.st_mode) {
            FileType::Directory => true,
            FileType::RegularFile => facts.st_nlink == 1,
            _ => false,
        };
        if is_own && facts.st_uid != user {
            chownat(CWD, path, Some(Uid::from_raw(user)), Some(Gid::from_raw(user)), AtFlags::SYMLINK_NOFOLLOW)
                .map_err(|error| format!("\"{path}\": {}", error_text(&error.into())))?;
        }
    }
    let mut groups: Vec<u32> = groups_of.iter().filter_map(|path| Some(stat(path.as_str()).ok()?.st_gid)).collect();
    groups.sort_unstable();
    groups.dedup();
    become_user(user, &groups).map_err(|error| error_text(&error))?;
    end_with_starter()
}
