//! Whether a path lies on a filesystem whose size the kernel knows by itself.

use std::fs;

/// All others may have to ask a server or a program, and wait for it.
const LOCAL: &str = " bcachefs btrfs cramfs devtmpfs erofs exfat ext2 ext3 ext4 f2fs hfsplus iso9660 jffs2 jfs msdos nilfs2 ntfs ntfs3 \
                     overlay ramfs reiserfs rootfs squashfs tmpfs ubifs udf ufs vfat xfs zfs ";

/// What is mounted where, proc(5); `None` where the system does not say.
pub fn read_mounts() -> Option<String> {
    fs::read_to_string("/proc/self/mountinfo").ok()
}

/// Whether `path` is on a local filesystem, by the text of /proc/self/mountinfo; the deepest mount counts, of those at one place the
/// one on top.
pub fn is_local(mounts: &str, path: &str) -> bool {
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

/// Space, tab, newline and backslash are written as three octal digits.
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
