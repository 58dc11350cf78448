//! Lists of system calls: those that the agent needs, and those that neither the agent nor its programs ever need.

use super::call_filter::Call::{self, Any, FirstHas, FirstIs};
use libc::*;

/// Allowed address families: unix sockets, IPv4 and IPv6.
const FAMILIES: &[u32] = &[AF_UNIX as u32, AF_INET as u32, AF_INET6 as u32];

/// Returns the system calls of an agent that runs no programs. They can start threads but not processes.
pub fn needed() -> Vec<Call> {
    let files = [
        SYS_read,
        SYS_readv,
        SYS_pread64,
        SYS_write,
        SYS_writev,
        SYS_openat,
        SYS_close,
        SYS_fstat,
        SYS_newfstatat,
        SYS_statx,
        SYS_statfs,
        SYS_fstatfs,
        SYS_lseek,
        SYS_getdents64,
        SYS_readlinkat,
        SYS_faccessat,
        SYS_faccessat2,
        SYS_mkdirat,
        SYS_unlinkat,
        SYS_renameat,
        SYS_renameat2,
        SYS_fchmod,
        SYS_fchmodat,
        SYS_fsync,
        SYS_fdatasync,
        SYS_ftruncate,
        SYS_fcntl,
        SYS_ioctl,
        SYS_dup,
        SYS_dup3,
        SYS_getcwd,
        SYS_getxattr,
    ];
    let sockets = [
        SYS_socketpair,
        SYS_connect,
        SYS_bind,
        SYS_listen,
        SYS_accept4,
        SYS_accept,
        SYS_sendto,
        SYS_recvfrom,
        SYS_sendmsg,
        SYS_recvmsg,
        SYS_shutdown,
        SYS_getsockname,
        SYS_getpeername,
        SYS_setsockopt,
        SYS_getsockopt,
        SYS_ppoll,
        SYS_eventfd2,
        SYS_pipe2,
    ];
    let memory = [SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk];
    let process = [
        SYS_exit,
        SYS_exit_group,
        SYS_futex,
        SYS_rt_sigaction,
        SYS_rt_sigprocmask,
        SYS_rt_sigreturn,
        SYS_sigaltstack,
        SYS_set_tid_address,
        SYS_set_robust_list,
        SYS_rseq,
        SYS_membarrier,
        SYS_sched_yield,
        SYS_sched_getaffinity,
        SYS_nanosleep,
        SYS_clock_nanosleep,
        SYS_clock_gettime,
        SYS_clock_getres,
        SYS_gettimeofday,
        SYS_getrandom,
        SYS_getpid,
        SYS_gettid,
        SYS_getuid,
        SYS_geteuid,
        SYS_getgid,
        SYS_getegid,
        SYS_getppid,
        SYS_uname,
        SYS_sysinfo,
        SYS_prlimit64,
        SYS_getrlimit,
        SYS_kill,
        SYS_tkill,
        SYS_tgkill,
        SYS_wait4,
        SYS_waitid,
        SYS_restart_syscall,
        SYS_prctl,
        SYS_umask,
    ];
    let all = files.into_iter().chain(sockets).chain(memory).chain(process).chain(of_architecture());
    let mut calls: Vec<Call> = all.map(Any).collect();
    calls.extend([FirstIs(SYS_socket, FAMILIES), FirstHas(SYS_clone, CLONE_THREAD as u32)]);
    calls
}

/// Returns the older forms of the calls above, which exist only on x86-64.
#[cfg(target_arch = "x86_64")]
fn of_architecture() -> impl Iterator<Item = i64> {
    [
        SYS_open,
        SYS_stat,
        SYS_lstat,
        SYS_access,
        SYS_readlink,
        SYS_mkdir,
        SYS_unlink,
        SYS_rename,
        SYS_chmod,
        SYS_poll,
        SYS_pipe,
        SYS_dup2,
        SYS_time,
        SYS_arch_prctl,
    ]
    .into_iter()
}

#[cfg(not(target_arch = "x86_64"))]
fn of_architecture() -> impl Iterator<Item = i64> {
    std::iter::empty()
}

/// Flags of clone(2) that create a namespace. A new user namespace would have every capability inside it.
pub const NEW_NAMESPACES: u32 =
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP) as u32;

/// Returns the system calls that neither the agent nor a listed program needs: for other processes' memory, mounts, modules, the clock,
/// ports and the kernel.
pub fn never_needed() -> Vec<i64> {
    let mut calls = never_needed_of_architecture();
    calls.extend([
        SYS_ptrace,
        SYS_process_vm_readv,
        SYS_process_vm_writev,
        SYS_kcmp,
        SYS_pidfd_getfd,
        SYS_mount,
        SYS_umount2,
        SYS_pivot_root,
        SYS_chroot,
        SYS_move_mount,
        SYS_open_tree,
        SYS_fsopen,
        SYS_fsconfig,
        SYS_fsmount,
        SYS_fspick,
        SYS_mount_setattr,
        SYS_unshare,
        SYS_setns,
        SYS_init_module,
        SYS_finit_module,
        SYS_delete_module,
        SYS_kexec_load,
        SYS_bpf,
        SYS_perf_event_open,
        SYS_userfaultfd,
        SYS_io_uring_setup,
        SYS_io_uring_enter,
        SYS_io_uring_register,
        SYS_keyctl,
        SYS_add_key,
        SYS_request_key,
        SYS_settimeofday,
        SYS_clock_settime,
        SYS_adjtimex,
        SYS_clock_adjtime,
        SYS_sethostname,
        SYS_setdomainname,
        SYS_swapon,
        SYS_swapoff,
        SYS_reboot,
        SYS_acct,
        SYS_quotactl,
        SYS_quotactl_fd,
        SYS_syslog,
        SYS_open_by_handle_at,
        SYS_name_to_handle_at,
        SYS_vhangup,
        SYS_nfsservctl,
        SYS_personality,
        SYS_fanotify_init,
        SYS_process_madvise,
        SYS_migrate_pages,
        SYS_move_pages,
        SYS_lookup_dcookie,
    ]);
    calls
}

#[cfg(target_arch = "x86_64")]
fn never_needed_of_architecture() -> Vec<i64> {
    vec![SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_kexec_file_load]
}

/// Number of kexec_file_load(2) in the kernel's asm-generic/unistd.h. The libc crate lacks its name for arm64 with musl.
#[cfg(not(target_arch = "x86_64"))]
const KEXEC_FILE_LOAD: i64 = 294;

#[cfg(not(target_arch = "x86_64"))]
fn never_needed_of_architecture() -> Vec<i64> {
    vec![KEXEC_FILE_LOAD]
}
