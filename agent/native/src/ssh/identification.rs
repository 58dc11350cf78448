//! The client's identification line, RFC 4253 section 4.2.

use super::wire::Malformed;

/// Maximum length of the line with CR LF. Only servers may send lines before it.
const MAX_BYTES: usize = 255;

/// Appends `bytes` to `line`. When the line is complete, returns its text without CR LF and the remaining bytes.
pub fn complete<'a>(line: &mut Vec<u8>, bytes: &'a [u8]) -> Result<Option<(String, &'a [u8])>, Malformed> {
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let (head, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
    if line.len() + head.len() > MAX_BYTES {
        return Err(Malformed);
    }
    line.extend_from_slice(head);
    if end.is_none() {
        return Ok(None);
    }
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    // Trailing spaces belong to the line, which both sides sign.
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let is_printable = text.iter().all(|byte| (b' '..=b'~').contains(byte));
    if !is_printable || !(text.starts_with(b"SSH-2.0-") || text.starts_with(b"SSH-1.99-")) {
        return Err(Malformed);
    }
    Ok(Some((String::from_utf8_lossy(text).into_owned(), rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(bytes: &[u8]) -> Result<Option<(String, &[u8])>, Malformed> {
        complete(&mut Vec::new(), bytes)
    }

    #[test]
    fn complete_strips_cr_lf_only() {
        assert_eq!(whole(b"SSH-2.0-x y  \r\nrest"), Ok(Some(("SSH-2.0-x y  ".into(), &b"rest"[..]))));
        assert_eq!(whole(b"SSH-2.0-x\n"), Ok(Some(("SSH-2.0-x".into(), &b""[..]))));
        let mut line = Vec::new();
        assert_eq!(complete(&mut line, b"SSH-2"), Ok(None));
        assert_eq!(complete(&mut line, b".0-x\r\n"), Ok(Some(("SSH-2.0-x".into(), &b""[..]))));
    }

    #[test]
    fn complete_refuses_other_protocols_control_characters_and_long_lines() {
        for line in [&b"GET / HTTP/1.1\r\n"[..], b"SSH-1.5-x\r\n", b"SSH-2.0-\x1b[2J\r\n", b"SSH-2.0-x\r\r\n", &[b'S'; MAX_BYTES + 1]] {
            assert_eq!(whole(line), Err(Malformed));
        }
        let mut line = Vec::new();
        assert_eq!(complete(&mut line, &[b'S'; MAX_BYTES]), Ok(None));
        assert_eq!(complete(&mut line, b"\n"), Err(Malformed));
    }
}
