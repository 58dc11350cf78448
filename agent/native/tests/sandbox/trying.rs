//! Tests that run inside a sandboxed process, because only that process knows what it may still do.

use super::{Needs, confine};
use std::fs;
use std::io::ErrorKind;
use std::net::UdpSocket;
use std::path::PathBuf;
use std::process::Command;

/// Environment variable with the folder that a sandboxed test process may write to.
const INSIDE: &str = "VEDETTE_SANDBOX_TEST";

/// Runs the test with this name in a process of its own, which sandboxes itself. Panics with its output on failure.
fn inside(test: &str) {
    let folder = std::env::temp_dir().join(format!("vedette-sandbox-{}-{}", test.rsplit(':').next().unwrap(), std::process::id()));
    fs::create_dir_all(folder.join("own")).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--test-threads=1", "--nocapture"])
        .env(INSIDE, &folder)
        .output()
        .unwrap();
    fs::remove_dir_all(folder).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn folder() -> Option<PathBuf> {
    std::env::var_os(INSIDE).map(PathBuf::from)
}

fn confined(folder: &std::path::Path, programs: Vec<PathBuf>) {
    let made = confine(&Needs { programs, writable: vec![folder.join("own").to_string_lossy().into_owned()] });
    assert!(made.holds.len() >= 2, "{:?}", made.lacks);
    let is_refused = |result: std::io::Result<()>| result.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied);
    // Files, if the kernel supports Landlock.
    fs::write(folder.join("own/file"), "x").unwrap();
    fs::rename(folder.join("own/file"), folder.join("own/other")).unwrap();
    fs::remove_file(folder.join("own/other")).unwrap();
    if made.lacks.iter().all(|(what, _)| *what != "files") {
        assert!(is_refused(fs::write(folder.join("elsewhere"), "x")));
        assert!(is_refused(fs::create_dir(folder.join("folder"))));
    }
    assert!(fs::read_to_string("/proc/self/status").unwrap().contains("NoNewPrivs:\t1"));
    // Changing the host name, chroot, and opening a socket on a new thread.
    assert!(is_refused(rustix::system::sethostname(b"x").map_err(Into::into)));
    assert!(is_refused(rustix::process::chroot("/").map_err(Into::into)));
    std::thread::spawn(|| UdpSocket::bind("127.0.0.1:0").unwrap()).join().unwrap();
}

#[test]
fn without_programs_nothing_is_run() {
    let Some(folder) = folder() else { return inside("sandbox::trying::without_programs_nothing_is_run") };
    confined(&folder, Vec::new());
    assert_eq!(Command::new("/bin/true").status().unwrap_err().kind(), ErrorKind::PermissionDenied);
    let packets = rustix::net::socket(rustix::net::AddressFamily::NETLINK, rustix::net::SocketType::RAW, None);
    assert_eq!(packets.unwrap_err(), rustix::io::Errno::PERM);
}

#[test]
fn with_programs_they_are_run_and_confined_too() {
    let Some(folder) = folder() else { return inside("sandbox::trying::with_programs_they_are_run_and_confined_too") };
    confined(&folder, vec!["/bin/sh".into()]);
    let status = Command::new("/bin/sh").args(["-c", "grep -q 'Seccomp:.2' /proc/self/status"]).status().unwrap();
    assert!(status.success());
    let refused = Err(Some(libc::EPERM));
    for flag in [libc::CLONE_NEWUSER, libc::CLONE_NEWNS, libc::CLONE_NEWPID, libc::CLONE_NEWNET] {
        assert_eq!(called(libc::SYS_clone, flag | libc::SIGCHLD), refused);
    }
    assert_eq!(called(libc::SYS_kexec_file_load, -1), refused);
    #[cfg(target_arch = "x86_64")]
    assert_eq!([called(libc::SYS_iopl, 0), called(libc::SYS_ioperm, 0)], [refused, refused]);
    assert_eq!(called(libc::SYS_clone3, 0), Err(Some(libc::ENOSYS)));
}

/// Makes the system call with this first argument and zeros, so that it has no effect if it is allowed.
#[allow(unsafe_code)]
fn called(number: libc::c_long, first: libc::c_int) -> Result<libc::c_long, Option<i32>> {
    // SAFETY: the kernel gets no pointer but null.
    let result = unsafe { libc::syscall(number, first, 0, 0, 0, 0) };
    if result < 0 { Err(std::io::Error::last_os_error().raw_os_error()) } else { Ok(result) }
}
