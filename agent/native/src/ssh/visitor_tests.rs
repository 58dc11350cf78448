//! Tests of the key renewal of a signed-in client. The clock is a parameter.

use super::listening;
use super::messages::*;
use super::test_client::Client;
use super::visitor::Visitor;
use crate::readiness::{Interests, Ready};
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

const HOUR: Duration = Duration::from_secs(3600);
const SECOND: Duration = Duration::from_secs(1);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Signed-in client, with both ends of its socket.
struct SignedIn {
    client: Client,
    visitor: Visitor,
    socket: UnixStream,
    began_at: Instant,
}

impl SignedIn {
    fn new(rekey_bytes: usize) -> Self {
        let mut client = Client::connect();
        client.rules.rekey_bytes = rekey_bytes;
        client.exchange();
        client.log_in();
        let (socket, servers) = UnixStream::pair().unwrap();
        for end in [&socket, &servers] {
            end.set_nonblocking(true).unwrap();
        }
        let began_at = Instant::now();
        let mut visitor = Visitor::new(listening::Client::Unix(servers), None, &client.rules, DAY, began_at);
        std::mem::swap(&mut visitor.connection, &mut client.connection);
        Self { client, visitor, socket, began_at }
    }

    /// Runs one turn of the loop. Returns true while the connection stays.
    fn turn(&mut self, after: Duration) -> bool {
        self.visitor.turn(&nothing_to_read(), self.began_at + after, &self.client.rules)
    }

    /// Returns the numbers of the messages that the client received since the last call.
    fn received(&mut self) -> Vec<u8> {
        let mut bytes = vec![0; 64 * 1024];
        let count = self.socket.read(&mut bytes).unwrap_or(0);
        self.client.incoming.feed(&bytes[..count]);
        let mut numbers = Vec::new();
        while let Some(message) = self.client.incoming.next().unwrap() {
            numbers.push(message[0]);
        }
        numbers
    }

    /// Sends a message of this length from the client, which the server ignores.
    fn send(&mut self, length: usize) {
        let bytes = self.client.packet(&[&[IGNORE], vec![0; length - 1].as_slice()].concat());
        self.visitor.connection.receive(&bytes, &self.client.rules);
    }
}

fn nothing_to_read() -> Ready {
    let mut interests = Interests::default();
    interests.now();
    interests.wait()
}

#[test]
fn new_keys_are_offered_once_the_limit_of_bytes_is_reached() {
    let mut hub = SignedIn::new(100_000);
    while hub.visitor.connection.counted_bytes() + 2000 < 100_000 {
        hub.send(1000);
        assert!(hub.turn(SECOND));
    }
    assert_eq!(hub.received(), [], "just below the limit");
    hub.send(2000);
    assert!(hub.turn(SECOND) && hub.turn(SECOND));
    assert_eq!(hub.received(), [KEXINIT], "once");
}

#[test]
fn new_keys_are_offered_after_an_hour() {
    let mut hub = SignedIn::new(usize::MAX);
    assert!(hub.turn(HOUR - SECOND));
    assert_eq!(hub.received(), []);
    assert!(hub.turn(HOUR) && hub.turn(HOUR + SECOND));
    assert_eq!(hub.received(), [KEXINIT]);
}

#[test]
fn a_client_that_does_not_answer_the_offer_is_left_after_half_a_minute() {
    let mut hub = SignedIn::new(usize::MAX);
    assert!(hub.turn(HOUR) && hub.turn(HOUR + 29 * SECOND));
    hub.received();
    hub.turn(HOUR + 30 * SECOND);
    assert_eq!(hub.received(), [DISCONNECT]);
    assert!(hub.visitor.connection.is_over());
}
