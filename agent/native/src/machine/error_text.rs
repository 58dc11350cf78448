//! Texts of system errors for the script. They begin with the name from errno(3), which the script searches for.

use std::io::{Error, ErrorKind};

/// Names by errno that the script or a person may look for. Other errors have only a text.
const NAMES: [(i32, &str); 24] = [
    (1, "EPERM"),
    (2, "ENOENT"),
    (5, "EIO"),
    (11, "EAGAIN"),
    (12, "ENOMEM"),
    (13, "EACCES"),
    (17, "EEXIST"),
    (20, "ENOTDIR"),
    (21, "EISDIR"),
    (22, "EINVAL"),
    (24, "EMFILE"),
    (28, "ENOSPC"),
    (30, "EROFS"),
    (32, "EPIPE"),
    (36, "ENAMETOOLONG"),
    (97, "EAFNOSUPPORT"),
    (98, "EADDRINUSE"),
    (99, "EADDRNOTAVAIL"),
    (101, "ENETUNREACH"),
    (104, "ECONNRESET"),
    (110, "ETIMEDOUT"),
    (111, "ECONNREFUSED"),
    (112, "EHOSTDOWN"),
    (113, "EHOSTUNREACH"),
];

/// Formats a system error as `EACCES: permission denied`; other errors as their own text.
pub fn error_text(error: &Error) -> String {
    let text = error.to_string();
    let Some(number) = error.raw_os_error() else {
        return if error.kind() == ErrorKind::UnexpectedEof { "the connection was closed".into() } else { text };
    };
    let sentence = text.split(" (os error").next().unwrap_or(&text).to_lowercase();
    match NAMES.iter().find(|(known, _)| *known == number) {
        Some((_, name)) => format!("{name}: {sentence}"),
        None => sentence,
    }
}

/// Formats a failed connection as in other programs: `connect ECONNREFUSED 10.0.0.1:443`.
pub fn connect_error_text(error: &Error, target: &str) -> String {
    let named = error.raw_os_error().and_then(|number| NAMES.iter().find(|(known, _)| *known == number));
    match named {
        Some((_, name)) => format!("connect {name} {target}"),
        None => format!("connect {target}: {}", error_text(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_text_names_the_errno() {
        assert_eq!(error_text(&Error::from_raw_os_error(13)), "EACCES: permission denied");
        assert_eq!(connect_error_text(&Error::from_raw_os_error(111), "10.0.0.1:443"), "connect ECONNREFUSED 10.0.0.1:443");
        assert_eq!(error_text(&Error::other("the peer said no")), "the peer said no");
    }
}
