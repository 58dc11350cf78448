//! Fuzz targets for the HTTP and WebSocket clients.

use super::http_response::{Part, ResponseReader};
use super::transport::Transport;
use super::websockets::{Options, WebSockets};
use crate::readiness::Interests;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// Parses a response as a whole, and split at the position in the first two bytes. Panics when the results differ.
pub fn http_response(data: &[u8]) {
    let Some((cut, bytes)) = data.split_first_chunk::<2>() else { return };
    let (one, other) = bytes.split_at(usize::from(u16::from_be_bytes(*cut)).min(bytes.len()));
    if let (Some(whole), Some(pieces)) = (read(&[bytes]), read(&[one, other])) {
        assert_eq!(whole, pieces);
    }
}

type Outcome = (Vec<(u16, usize)>, Vec<u8>, bool);

/// Returns heads, body, and whether the response ended.
fn read(pieces: &[&[u8]]) -> Option<Outcome> {
    let mut reader = ResponseReader::new();
    let (mut heads, mut body, mut is_over) = (Vec::new(), Vec::new(), false);
    for piece in pieces {
        for part in reader.feed(piece).ok()? {
            match part {
                Part::Head { status, headers } => heads.push((status, headers.len())),
                Part::Data(data) => body.extend_from_slice(&data),
                Part::End { .. } => is_over = true,
            }
        }
    }
    Some((heads, body, is_over))
}

/// Feeds frames of a hub to a WebSocket, until the socket has read all of them. Panics when it does not finish.
pub fn websocket_frames(data: &[u8]) {
    let (Ok((ours, mut theirs)), Ok(mut sockets)) = (UnixStream::pair(), WebSockets::new()) else { return };
    let Ok(transport) = Transport::over(ours) else { return };
    let options = Options {
        connect_deadline: Duration::from_secs(1),
        max_message_bytes: 64 * 1024,
        proxy: None,
        certificate: None,
        silence: Duration::from_secs(60),
    };
    let (early, sent) = data.split_at(data.len().min(usize::from(data.first().copied().unwrap_or(0))));
    let _ = theirs.set_nonblocking(true);
    let _ = theirs.write_all(sent);
    sockets.adopt(1, transport, early.to_vec(), options);
    let mut answered = vec![0; 64 * 1024];
    for _ in 0..data.len() + 8 {
        let mut interests = Interests::default();
        sockets.interests(&mut interests);
        interests.now();
        let ready = interests.wait();
        let mut events = Vec::new();
        sockets.turn(&ready, &mut events);
        let _ = theirs.read(&mut answered);
        if sockets.is_idle() {
            return;
        }
    }
    panic!("a turn for each byte was not enough");
}
