//! Incremental parser of one HTTP/1.1 response (RFC 9112), for pieces of any size.

use crate::byte_queue::ByteQueue;
use crate::event::Header;

/// Parsed part of a response.
#[derive(Debug, PartialEq, Eq)]
pub enum Part {
    /// Status and headers, names in lower case.
    Head { status: u16, headers: Vec<Header> },
    /// A piece of the body.
    Data(Vec<u8>),
    /// The end of the response; `reusable`: the connection can carry the next request.
    End { reusable: bool },
}

const MAX_HEAD_BYTES: usize = 32 * 1024;
/// Maximum number of interim (1xx) responses; servers send one or two.
const MAX_INTERIM_HEADS: u32 = 8;
/// Size limit of the trailers, which are ignored.
const MAX_TRAILER_BYTES: usize = 32 * 1024;
/// Size limit of a chunk's first line: its size in hexadecimal and rarely used extensions.
const MAX_CHUNK_LINE_BYTES: usize = 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    ByLength,
    ChunkSize,
    Chunk,
    ChunkEnd,
    Trailer,
    UntilClose,
    Over,
}

/// Incremental parser of one response.
pub struct ResponseReader {
    state: State,
    rest: ByteQueue,
    /// Number of bytes of `rest` that are known not to contain the end of the head.
    searched_bytes: usize,
    interim_heads: u32,
    trailer_bytes: usize,
    /// Remaining bytes of a body with a length, or of the current chunk.
    left_bytes: usize,
    keeps_open: bool,
}

impl ResponseReader {
    pub fn new() -> Self {
        Self {
            state: State::Head,
            rest: ByteQueue::default(),
            searched_bytes: 0,
            interim_heads: 0,
            trailer_bytes: 0,
            left_bytes: 0,
            keeps_open: true,
        }
    }

    /// Parses the next bytes and returns the parts that are now complete. An error is the reason why the bytes are no response; the reader
    /// is then unusable.
    pub fn feed(&mut self, piece: &[u8]) -> Result<Vec<Part>, &'static str> {
        self.rest.push(piece);
        let mut parts = Vec::new();
        while self.step(&mut parts)? {}
        Ok(parts)
    }

    /// Handles the end of the connection: it ends a body without a length. Fails if the response is incomplete.
    pub fn close(&mut self) -> Result<Part, &'static str> {
        if self.state != State::UntilClose {
            return Err("the connection was closed in the middle of the answer");
        }
        self.state = State::Over;
        Ok(Part::End { reusable: false })
    }

    /// Returns the bytes after the head of an upgrade, which belong to the new protocol.
    pub fn into_rest(mut self) -> Vec<u8> {
        self.rest.take(self.rest.len())
    }

    /// Parses the next element. Returns false when more bytes are needed.
    fn step(&mut self, parts: &mut Vec<Part>) -> Result<bool, &'static str> {
        match self.state {
            State::Head => self.read_head(parts),
            State::ByLength | State::Chunk => Ok(self.read_counted(parts)),
            State::ChunkSize => self.read_chunk_size(),
            State::ChunkEnd => match self.take_line()? {
                None => Ok(false),
                Some(line) if line.is_empty() => {
                    self.state = State::ChunkSize;
                    Ok(true)
                }
                Some(_) => Err("a chunk of the answer is longer than its size"),
            },
            State::Trailer => {
                let Some(line) = self.take_line()? else { return Ok(false) };
                self.trailer_bytes += line.len();
                if self.trailer_bytes > MAX_TRAILER_BYTES {
                    return Err("the trailer of the answer is too long");
                }
                if line.is_empty() {
                    self.finish(parts);
                }
                Ok(true)
            }
            State::UntilClose => {
                if !self.rest.is_empty() {
                    let data = self.rest.take(self.rest.len());
                    add_data(parts, data);
                }
                Ok(false)
            }
            State::Over => Ok(false),
        }
    }

    fn read_head(&mut self, parts: &mut Vec<Part>) -> Result<bool, &'static str> {
        let unsearched = &self.rest.waiting()[self.searched_bytes..];
        let Some(found) = unsearched.windows(4).position(|window| window == b"\r\n\r\n") else {
            self.searched_bytes = self.rest.len().saturating_sub(3);
            return if self.rest.len() > MAX_HEAD_BYTES { Err("the head of the answer is too long") } else { Ok(false) };
        };
        let length = self.searched_bytes + found;
        self.searched_bytes = 0;
        let head: String = self.rest.take(length + 4).into_iter().map(char::from).collect();
        let mut lines = head[..].trim_end_matches("\r\n").split("\r\n");
        let (is_newer, status) = status_of(lines.next().unwrap_or_default()).ok_or("the answer is no HTTP/1.1")?;
        let headers = lines.map(header_of).collect::<Option<Vec<Header>>>().ok_or("a header of the answer has no name")?;
        if status == 101 {
            parts.push(Part::Head { status, headers });
            self.state = State::Over;
            return Ok(false);
        }
        // An interim response; the final one follows.
        if (100..200).contains(&status) {
            self.interim_heads += 1;
            return if self.interim_heads > MAX_INTERIM_HEADS { Err("the answer does not come to an end") } else { Ok(true) };
        }
        let value_of = |wanted: &str| headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.to_ascii_lowercase());
        let (coding, length, connection) = (value_of("transfer-encoding"), value_of("content-length"), value_of("connection"));
        self.keeps_open = is_newer && connection.as_deref() != Some("close");
        parts.push(Part::Head { status, headers });
        if coding.is_some_and(|coding| coding.ends_with("chunked")) {
            self.state = State::ChunkSize;
        } else {
            self.expect_body(status, length, parts)?;
        }
        Ok(true)
    }

    fn expect_body(&mut self, status: u16, length: Option<String>, parts: &mut Vec<Part>) -> Result<(), &'static str> {
        let has_none = status == 204 || status == 304;
        let Some(text) = length.or_else(|| has_none.then(|| "0".to_owned())) else {
            self.state = State::UntilClose;
            return Ok(());
        };
        let is_number = (1..=15).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        let length = text.parse().ok().filter(|_| is_number).ok_or("the length of the answer is no number")?;
        self.left_bytes = if has_none { 0 } else { length };
        self.state = State::ByLength;
        if self.left_bytes == 0 {
            self.finish(parts);
        }
        Ok(())
    }

    fn read_counted(&mut self, parts: &mut Vec<Part>) -> bool {
        if self.rest.is_empty() {
            return false;
        }
        let count = self.left_bytes.min(self.rest.len());
        self.left_bytes -= count;
        add_data(parts, self.rest.take(count));
        if self.left_bytes > 0 {
            return false;
        }
        if self.state == State::Chunk {
            self.state = State::ChunkEnd;
        } else {
            self.finish(parts);
        }
        true
    }

    fn read_chunk_size(&mut self) -> Result<bool, &'static str> {
        let Some(line) = self.take_line()? else { return Ok(false) };
        let digits = line.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
        let is_number = (1..=12).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit);
        let size = std::str::from_utf8(digits).ok().filter(|_| is_number).and_then(|digits| usize::from_str_radix(digits, 16).ok());
        self.left_bytes = size.ok_or("a chunk of the answer has no size")?;
        self.state = if self.left_bytes == 0 { State::Trailer } else { State::Chunk };
        Ok(true)
    }

    fn finish(&mut self, parts: &mut Vec<Part>) {
        self.state = State::Over;
        // Surplus bytes after the response would be mistaken for the next one, so the connection is not reused.
        parts.push(Part::End { reusable: self.keeps_open && self.rest.is_empty() });
    }

    fn take_line(&mut self) -> Result<Option<Vec<u8>>, &'static str> {
        let waiting = self.rest.waiting();
        let nearest = &waiting[..waiting.len().min(MAX_CHUNK_LINE_BYTES + 2)];
        match nearest.windows(2).position(|window| window == b"\r\n") {
            Some(length) => {
                let line = self.rest.take(length);
                self.rest.consume(2);
                Ok(Some(line))
            }
            None if self.rest.len() > MAX_CHUNK_LINE_BYTES => Err("a line between chunks of the answer is too long"),
            None => Ok(None),
        }
    }
}

/// Appends data to the last part, so that a response of many small chunks does not become as many events.
fn add_data(parts: &mut Vec<Part>, data: Vec<u8>) {
    if let Some(Part::Data(earlier)) = parts.last_mut() {
        earlier.extend_from_slice(&data);
    } else {
        parts.push(Part::Data(data));
    }
}

/// Parses a status line into `(true for HTTP/1.1, status)`.
fn status_of(line: &str) -> Option<(bool, u16)> {
    let rest = line.strip_prefix("HTTP/1.")?;
    let (minor, rest) = rest.split_once(' ')?;
    let digits = rest.split(' ').next()?;
    let is_status = digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    match minor {
        "0" | "1" if is_status => Some((minor == "1", digits.parse().ok()?)),
        _ => None,
    }
}

fn header_of(line: &str) -> Option<Header> {
    let (name, value) = line.split_once(':').filter(|(name, _)| !name.is_empty())?;
    Some((name.to_lowercase(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Result<Vec<Part>, &'static str> {
        let mut reader = ResponseReader::new();
        let mut parts = Vec::new();
        for piece in pieces {
            parts.extend(reader.feed(piece)?);
        }
        Ok(parts)
    }

    const CHUNKED: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A:  b \r\n\r\n3\r\nabc\r\n1;x=y\r\nd\r\n0\r\nT: 1\r\n\r\n";

    fn body(parts: &[Part]) -> Vec<u8> {
        parts.iter().flat_map(|part| if let Part::Data(data) = part { data.clone() } else { Vec::new() }).collect()
    }

    #[test]
    fn feed_reads_the_same_however_it_is_cut() {
        for cut in 0..CHUNKED.len() {
            let (one, other) = CHUNKED.split_at(cut);
            let parts = read(&[one, other]).unwrap();
            assert_eq!(body(&parts), b"abcd", "cut at {cut}");
            assert_eq!(parts.last(), Some(&Part::End { reusable: true }));
        }
        let bytes: Vec<&[u8]> = CHUNKED.chunks(1).collect();
        assert_eq!(body(&read(&bytes).unwrap()), b"abcd");
    }

    #[test]
    fn feed_knows_every_kind_of_body() {
        let by_length = read(&[b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"]).unwrap();
        assert_eq!(body(&by_length), b"hi");
        let none = read(&[b"HTTP/1.1 204 No Content\r\n\r\n"]).unwrap();
        assert_eq!(none.last(), Some(&Part::End { reusable: true }));
        let interim = read(&[b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"]).unwrap();
        assert_eq!(interim.last(), Some(&Part::End { reusable: false }));
        let mut reader = ResponseReader::new();
        reader.feed(b"HTTP/1.1 200 OK\r\n\r\nuntil").unwrap();
        assert_eq!(reader.close(), Ok(Part::End { reusable: false }));
    }

    #[test]
    fn feed_bounds_interim_answers_and_trailers() {
        let interim = b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
        let few = [interim.repeat(MAX_INTERIM_HEADS as usize), b"HTTP/1.1 204 No Content\r\n\r\n".to_vec()].concat();
        assert_eq!(read(&[&few]).unwrap().last(), Some(&Part::End { reusable: true }));
        assert!(read(&[&interim.repeat(MAX_INTERIM_HEADS as usize + 1)]).is_err());
        let last_chunk = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
        let trailer = format!("X: {}\r\n", "x".repeat(1000));
        assert!(read(&[last_chunk, trailer.repeat(10).as_bytes(), b"\r\n"]).unwrap().last().is_some());
        assert!(read(&[last_chunk, trailer.repeat(40).as_bytes()]).is_err());
    }

    #[test]
    fn feed_joins_the_chunks_that_came_together() {
        let chunks = [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec(), b"1\r\nx\r\n".repeat(1000)].concat();
        let parts = read(&[&chunks]).unwrap();
        assert_eq!((parts.len(), body(&parts)), (2, vec![b'x'; 1000]));
    }

    #[test]
    fn feed_gives_what_follows_an_upgrade_to_the_new_protocol() {
        let mut reader = ResponseReader::new();
        let parts = reader.feed(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x82\x01x").unwrap();
        assert!(matches!(parts[..], [Part::Head { status: 101, .. }]));
        assert_eq!(reader.into_rest(), b"\x82\x01x");
    }

    #[test]
    fn feed_refuses_what_is_no_answer() {
        let wrong: [&[u8]; 8] = [
            b"SSH-2.0-x\r\n\r\n",
            b"HTTP/2 200\r\n\r\n",
            b"HTTP/1.1 20 OK\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n: x\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
        ];
        for text in wrong {
            assert!(read(&[text]).is_err(), "{}", String::from_utf8_lossy(text));
        }
        assert!(read(&[&[b'x'; MAX_HEAD_BYTES + 1]]).is_err());
        assert!(read(&[b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", &[b'1'; 2000]]).is_err());
        assert!(ResponseReader::new().close().is_err());
    }

    /// Any input gives a response or a reason, never a panic, and memory stays within the limits.
    #[test]
    fn feed_survives_any_bytes() {
        let seeds = [CHUNKED, b"HTTP/1.1 101 S\r\n\r\n", b"HTTP/1.0 200 OK\r\n\r\nabc"];
        let mut state = 1_u32;
        let mut dice = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize
        };
        for _ in 0..20_000 {
            let mut bytes = seeds[dice() % seeds.len()].to_vec();
            for _ in 0..=dice() % 4 {
                let at = dice() % bytes.len();
                bytes[at] = dice() as u8;
            }
            let cut = dice() % bytes.len();
            let _ = read(&[&bytes[..cut], &bytes[cut..]]);
        }
    }
}
