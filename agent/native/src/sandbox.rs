//! Sandbox: drops permissions of this process for good. It loses new privileges through programs' files, unneeded system calls, and writing
//! outside its own folders.

mod call_filter;
mod capabilities;
mod file_rules;
mod system_calls;

use crate::machine::error_text::error_text;
use rustix::thread::set_no_new_privs;
use std::path::PathBuf;

/// Permissions to keep.
pub struct Needs {
    /// Paths of the installed programs that may be run.
    pub programs: Vec<PathBuf>,
    /// Folders below which files may be written.
    pub writable: Vec<String>,
}

/// Result of sandboxing: restrictions in force, and the ones that are not available, each with the reason.
#[derive(Default)]
pub struct Confinement {
    pub holds: Vec<String>,
    pub lacks: Vec<(&'static str, String)>,
}

/// Drops all permissions outside `needs`. Call it before any thread starts: file rules apply to this thread and the threads that it starts.
pub fn confine(needs: &Needs) -> Confinement {
    let mut made = Confinement::default();
    if let Err(error) = set_no_new_privs(true) {
        made.lacks.push(("no new privileges, system calls, files", error_text(&error.into())));
        return made;
    }
    made.holds.push("no new privileges".into());
    let runs_programs = !needs.programs.is_empty();
    match capabilities::leave_to_programs() {
        Ok(true) => made.holds.push("leaves capabilities to its programs".into()),
        Ok(false) => (),
        Err(error) => made.lacks.push(("capabilities", error_text(&error.into()))),
    }
    match file_rules::restrict(&needs.writable, runs_programs) {
        Ok(()) => made.holds.push("writes only its own files".into()),
        Err(reason) => made.lacks.push(("files", reason)),
    }
    // Last, because the filter does not allow the calls above.
    let filter = if runs_programs {
        call_filter::all_but(&system_calls::never_needed(), system_calls::NEW_NAMESPACES)
    } else {
        call_filter::only(&system_calls::needed())
    };
    match crate::unchecked::kernel_calls::filter_system_calls(&filter) {
        Ok(()) if runs_programs => made.holds.push("system calls of ordinary programs".into()),
        Ok(()) => made.holds.push("runs no program, few system calls".into()),
        Err(error) => made.lacks.push(("system calls", error_text(&error))),
    }
    made
}

#[cfg(test)]
#[path = "../tests/sandbox/trying.rs"]
mod trying;
