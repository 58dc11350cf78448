//! Complete list of the commands that this agent may run, including their arguments. No other command is ever started.

/// Arguments of `nvidia-smi` that print one line for each GPU every 4 s.
const NVIDIA_LOOP: [&str; 4] = [
    "--query-gpu=index,name,temperature.gpu,memory.used,memory.total,utilization.gpu,power.draw",
    "--format=csv,noheader,nounits",
    "-l",
    "4",
];
const MAX_DEVICE_BYTES: usize = 205;
const MAX_TYPE_BYTES: usize = 41;

/// Names of the programs in the list.
pub const PROGRAMS: [&str; 2] = ["smartctl", "nvidia-smi"];

/// True when a command is on the list: its program and each argument.
pub fn is_listed(command: &[&str]) -> bool {
    match command {
        ["nvidia-smi", arguments @ ..] => *arguments == NVIDIA_LOOP,
        ["smartctl", "--scan", "-j"] => true,
        ["smartctl", arguments @ ..] => reads_drive(arguments),
        _ => false,
    }
}

/// True for smartctl(8) arguments that read one drive: `[-d TYPE] -a --json=c [-l devstat] [-n standby] DEVICE`.
fn reads_drive(arguments: &[&str]) -> bool {
    let rest = match arguments {
        ["-d", kind, rest @ ..] if is_device_type(kind) => rest,
        rest => rest,
    };
    let Some(rest) = rest.strip_prefix(&["-a", "--json=c"]) else { return false };
    let rest = rest.strip_prefix(&["-l", "devstat"]).unwrap_or(rest);
    let rest = rest.strip_prefix(&["-n", "standby"]).unwrap_or(rest);
    matches!(rest, [device] if is_device_path(device))
}

/// True for a path below /dev that contains no `..` and cannot be mistaken for a command line option.
fn is_device_path(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/-".contains(&byte);
    let name = path.strip_prefix("/dev/").unwrap_or_default();
    !name.is_empty() && path.len() <= MAX_DEVICE_BYTES && name.bytes().all(is_plain) && !name.split('/').any(|part| part == "..")
}

/// True for a device type of smartctl(8), such as `sat`, `megaraid,5` or `areca,1/2`.
fn is_device_type(kind: &str) -> bool {
    let is_first = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b",+/".contains(&byte);
    kind.bytes().next().is_some_and(is_first) && kind.len() <= MAX_TYPE_BYTES && kind.bytes().all(is_plain)
}
