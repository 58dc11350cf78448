//! System call filters for the kernel: classic BPF over `struct seccomp_data`, seccomp(2).

use libc::{BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

/// Offsets in `struct seccomp_data`: the call's number, its architecture, and the lower half of its first argument.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
const FIRST_ARGUMENT_AT: u32 = 16;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;
/// First system call number of the x32 table on x86-64.
const OTHER_TABLE: u32 = 0x4000_0000;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const REFUSE: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
/// Result for calls that libraries try first and can do without.
const NOT_THERE: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;

/// Allowed system call.
pub enum Call {
    /// The call is allowed with any arguments.
    Any(i64),
    /// The call is allowed with one of these values as its first argument.
    FirstIs(i64, &'static [u32]),
    /// The call is allowed with this bit in its first argument.
    FirstHas(i64, u32),
}

/// Builds a filter that allows only these calls.
pub fn only(calls: &[Call]) -> Vec<sock_filter> {
    let mut program = beginning();
    for call in calls {
        match *call {
            Call::Any(number) => program.extend([unless_equal(number as u32, 1), end(ALLOW)]),
            Call::FirstIs(number, values) => {
                let checks = 2 * values.len() as u8;
                program.extend([unless_equal(number as u32, checks + 2), load(FIRST_ARGUMENT_AT)]);
                program.extend(values.iter().flat_map(|&value| [unless_equal(value, 1), end(ALLOW)]));
                program.push(end(REFUSE));
            }
            Call::FirstHas(number, bit) => {
                let unless_set = jump(BPF_JSET, bit, 0, 1);
                program.extend([unless_equal(number as u32, 4), load(FIRST_ARGUMENT_AT), unless_set, end(ALLOW), end(REFUSE)]);
            }
        }
    }
    program.extend([unless_equal(libc::SYS_clone3 as u32, 1), end(NOT_THERE), end(REFUSE)]);
    program
}

/// Builds a filter that refuses these calls, and clone(2) with one of `refused_flags`; it allows all others. A filter cannot read the flags
/// of clone3(2), so that call fails with ENOSYS, and libraries use clone(2).
pub fn all_but(numbers: &[i64], refused_flags: u32) -> Vec<sock_filter> {
    let mut program = beginning();
    program.extend(numbers.iter().flat_map(|&number| [unless_equal(number as u32, 1), end(REFUSE)]));
    let unless_set = jump(BPF_JSET, refused_flags, 0, 1);
    program.extend([unless_equal(libc::SYS_clone as u32, 4), load(FIRST_ARGUMENT_AT), unless_set, end(REFUSE), end(ALLOW)]);
    program.extend([unless_equal(libc::SYS_clone3 as u32, 1), end(NOT_THERE), end(ALLOW)]);
    program
}

/// Builds the start of a filter: it refuses calls of other architectures and loads the call's number.
fn beginning() -> Vec<sock_filter> {
    let is_other_table = jump(BPF_JGE, OTHER_TABLE, 0, 1);
    vec![load(ARCHITECTURE_AT), unless_equal_skip_none(), end(REFUSE), load(NUMBER_AT), is_other_table, end(REFUSE)]
}

const fn unless_equal_skip_none() -> sock_filter {
    jump(BPF_JEQ, ARCHITECTURE, 1, 0)
}

const fn load(at: u32) -> sock_filter {
    sock_filter { code: (BPF_LD | BPF_W | BPF_ABS) as u16, jt: 0, jf: 0, k: at }
}

/// Continues if the loaded value equals `value`, else skips `skipped` instructions.
const fn unless_equal(value: u32, skipped: u8) -> sock_filter {
    jump(BPF_JEQ, value, 0, skipped)
}

const fn jump(kind: u32, value: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | kind | BPF_K) as u16, jt, jf, k: value }
}

const fn end(answer: u32) -> sock_filter {
    sock_filter { code: (BPF_RET | BPF_K) as u16, jt: 0, jf: 0, k: answer }
}
