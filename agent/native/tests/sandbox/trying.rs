//! Tried from inside: what a confined process may still do is only known to one.

use super::{Needs, confine};
use std::fs;
use std::io::ErrorKind;
use std::net::UdpSocket;
use std::path::PathBuf;
use std::process::Command;

/// Names the test that runs inside, and the folder it may write to.
const INSIDE: &str = "VEDETTE_SANDBOX_TEST";

/// Runs the test of that name in a process of its own, which confines itself; its output where it failed.
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
    // Files, where the kernel has such rules.
    fs::write(folder.join("own/file"), "x").unwrap();
    fs::rename(folder.join("own/file"), folder.join("own/other")).unwrap();
    fs::remove_file(folder.join("own/other")).unwrap();
    if made.lacks.iter().all(|(what, _)| *what != "files") {
        assert!(is_refused(fs::write(folder.join("elsewhere"), "x")));
        assert!(is_refused(fs::create_dir(folder.join("folder"))));
    }
    assert!(fs::read_to_string("/proc/self/status").unwrap().contains("NoNewPrivs:\t1"));
    // The machine's own name, a way out of every folder, and the memory of others.
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
}
