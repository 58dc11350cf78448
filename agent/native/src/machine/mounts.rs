//! Detection of paths on local filesystems, whose size the kernel knows without I/O.

use super::files::read_link;
use super::mount_changes::was_mounted_since;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::time::{Duration, Instant};

/// Names of local filesystem types. All others may wait for a server or a FUSE program.
const LOCAL: &str = " bcachefs btrfs cramfs devtmpfs erofs exfat ext2 ext3 ext4 f2fs hfsplus iso9660 jffs2 jfs msdos nilfs2 ntfs ntfs3 \
                     overlay ramfs reiserfs rootfs squashfs tmpfs ubifs udf ufs vfat xfs zfs ";

/// Path of this process's mount table, proc(5).
const LIST: &str = "/proc/self/mountinfo";
/// Time for which the mount table counts as unchanged without a check, so that the sizes of many filesystems need one check.
const HOLDS: Duration = Duration::from_secs(5);

/// Cache of the mount table, with the queried paths.
pub struct Mounts {
    list: File,
    text: String,
    asked_at: Instant,
    /// True for each queried path on a local filesystem. Cached, because the table is long and rarely changes.
    local: HashMap<String, bool>,
    resolved_at: Instant,
}

/// Cache time of the queried paths, because a symbolic link may change without a mount.
const RESOLVED_FOR: Duration = Duration::from_secs(60);
/// Maximum number of symbolic links in one path, as in the kernel's path_resolution(7).
const MAX_LINKS: usize = 40;

impl Mounts {
    /// Reads the mount table; `None` where the system has none.
    pub fn read() -> Option<Self> {
        let mut list = File::open(LIST).ok()?;
        let mut bytes = Vec::new();
        list.read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let now = Instant::now();
        Some(Self { list, text, asked_at: now, local: HashMap::new(), resolved_at: now })
    }

    /// True when the mount table is still valid: nothing was mounted or unmounted since, checked at most every 5 s.
    pub fn hold(&mut self) -> bool {
        if self.asked_at.elapsed() <= HOLDS {
            return true;
        }
        self.asked_at = Instant::now();
        !was_mounted_since(&self.list)
    }

    /// True when `path` is on a local filesystem, and also every folder and symbolic link on the way there.
    pub fn is_local(&mut self, path: &str) -> bool {
        if self.resolved_at.elapsed() > RESOLVED_FOR {
            self.local.clear();
            self.resolved_at = Instant::now();
        }
        if let Some(&known) = self.local.get(path) {
            return known;
        }
        let answer = leads_locally(&self.text, path);
        self.local.insert(path.to_owned(), answer);
        answer
    }
}

/// Resolves the path name by name. No path on another filesystem is touched, because a lookup there may block.
fn leads_locally(mounts: &str, path: &str) -> bool {
    let mut names: Vec<String> = path.rsplit('/').map(str::to_owned).collect();
    let mut at = String::new();
    let mut links = 0;
    while let Some(name) = names.pop() {
        match name.as_str() {
            "" | "." => continue,
            ".." => at.truncate(at.rfind('/').unwrap_or(0)),
            _ => {
                let next = format!("{at}/{name}");
                if !is_local(mounts, &next) {
                    return false;
                }
                let Some(target) = read_link(&next) else {
                    at = next;
                    continue;
                };
                links += 1;
                if links > MAX_LINKS {
                    return true;
                }
                if target.starts_with('/') {
                    at.clear();
                }
                names.extend(target.rsplit('/').map(str::to_owned));
            }
        }
    }
    is_local(mounts, if at.is_empty() { "/" } else { &at })
}

/// True when `path` is on a local filesystem, by the text of /proc/self/mountinfo. The deepest mount counts, and of several at one mount
/// point the last one.
fn is_local(mounts: &str, path: &str) -> bool {
    let mut deepest: Option<(usize, &str)> = None;
    for line in mounts.lines() {
        let Some((before, after)) = line.split_once(" - ") else { continue };
        let (Some(escaped), Some(filesystem)) = (before.split(' ').nth(4), after.split(' ').next()) else { continue };
        let mount_point = unescaped(escaped);
        let below = path.strip_prefix(mount_point.as_str());
        let holds = mount_point == "/" || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if holds && deepest.is_none_or(|(length, _)| mount_point.len() >= length) {
            deepest = Some((mount_point.len(), filesystem));
        }
    }
    deepest.is_none_or(|(_, filesystem)| LOCAL.contains(&format!(" {filesystem} ")))
}

/// Decodes the octal escapes of mountinfo: space, tab, newline and backslash.
fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut parts = text.split('\\');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(code) => {
                plain.push(char::from(code));
                plain.push_str(&part[3..]);
            }
            None => {
                plain.push('\\');
                plain.push_str(part);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str =
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:40 / /mnt/a\\040b rw - nfs4 nas:/ rw\n3 1 0:41 / /mnt/a rw shared:1 - tmpfs t rw\n";

    #[test]
    fn mounts_hold_while_nothing_is_mounted_and_remember_what_was_asked() {
        let mut mounts = Mounts::read().unwrap();
        let answer = mounts.is_local("/proc");
        assert!(!answer && mounts.local["/proc"] == answer);
        assert!(mounts.hold());
        mounts.asked_at = Instant::now().checked_sub(HOLDS * 2).unwrap();
        // Another process may mount something right now; the kernel reports it once.
        let _ = mounts.hold();
        assert!(mounts.asked_at.elapsed() < HOLDS);
    }

    #[test]
    fn leads_locally_follows_links() {
        let folder = std::env::temp_dir().join(format!("vedette-links-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("remote")).unwrap();
        let links = [
            ("to-remote", "remote"),
            ("to-link", "to-remote/deep"),
            ("up", "to-remote/../remote"),
            ("to-itself", "to-itself"),
            ("to-root", "/"),
        ];
        for (name, target) in links {
            std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
        }
        let at = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let mounts = format!("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:40 / {} rw - nfs4 nas:/ rw\n", at("remote"));
        for remote in ["remote", "to-remote", "to-remote/x", "to-link", "up"] {
            assert!(!leads_locally(&mounts, &at(remote)), "{remote}");
        }
        for local in ["", "to-root", "to-itself", "absent/deep", "to-root/../."] {
            assert!(leads_locally(&mounts, &at(local)), "{local}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn is_local_goes_by_the_deepest_mount() {
        assert!(is_local(MOUNTS, "/mnt"));
        assert!(is_local(MOUNTS, "/mnt/a/deep"));
        assert!(!is_local(MOUNTS, "/mnt/a b"));
        assert!(!is_local(MOUNTS, "/mnt/a b/deep"));
        assert!(is_local(MOUNTS, "/mnt/a bc"));
        assert!(is_local("", "/anything"));
        assert!(!is_local("1 0 0:40 / / rw - fuse.sshfs nas:/ rw\n", "/"));
    }
}
