//! Fuzz target for the SSH server.

use super::connection::{Connection, Rules};
use super::packets::Outgoing;
use super::test_client::{Client, rules};
use crate::byte_queue::ByteQueue;
use ring::signature::Ed25519KeyPair;

thread_local! {
    /// Settings of the server, created once: generating keys takes longer than processing most inputs.
    static RULES: Rules = rules(&Ed25519KeyPair::from_seed_unchecked(&[5; 32]).expect("a seed has 32 bytes"));
}

/// Fuzzes one connection. The first byte selects the phase of the connection. The rest is raw bytes, or messages with a length of two bytes
/// each, which are sent as packets.
pub fn connection(data: &[u8]) {
    let Some((&stage, rest)) = data.split_first() else { return };
    RULES.with(|rules| match stage % 16 {
        0 => raw(&mut Connection::new(rules), rules, rest),
        1 => {
            let mut connection = Connection::new(rules);
            connection.receive(b"SSH-2.0-fuzz\r\n", rules);
            packets(&mut connection, &mut Outgoing::default(), rules, rest, false);
        }
        2 => packets(&mut Connection::without_keys(rules, false), &mut Outgoing::default(), rules, rest, false),
        // With encryption: a hundred times slower, but the only way to reach the code for it.
        4 => {
            let mut client = Client::connect();
            client.exchange();
            packets(&mut client.connection, &mut client.outgoing, &client.rules, rest, false);
        }
        5 => {
            let mut client = Client::connect();
            client.exchange();
            client.log_in();
            packets(&mut client.connection, &mut client.outgoing, &client.rules, rest, true);
        }
        _ => packets(&mut Connection::without_keys(rules, true), &mut Outgoing::default(), rules, rest, true),
    });
}

fn packets(connection: &mut Connection, outgoing: &mut Outgoing, rules: &Rules, data: &[u8], signs_in: bool) {
    for message in messages(data) {
        let mut packet = ByteQueue::default();
        if outgoing.write(message, &mut packet).is_err() {
            return;
        }
        connection.receive(packet.waiting(), rules);
        while let Some((channel, _)) = connection.channels().and_then(|channels| channels.next_changed()) {
            connection.answer(channel, message.to_vec(), 0);
        }
        // All output is read, so that it shows the growth from one message.
        let output = connection.unwritten.len();
        assert!(output < 4 * 1024 * 1024, "{output} bytes of output");
        connection.unwritten.consume(output);
        assert!(signs_in || !connection.is_signed_in(), "signed in without a key");
        if connection.is_over() {
            return;
        }
    }
}

/// Feeds the bytes in two pieces, since packets may be split anywhere.
fn raw(connection: &mut Connection, rules: &Rules, bytes: &[u8]) {
    let cut = bytes.first().map_or(0, |&byte| usize::from(byte)).min(bytes.len());
    for piece in [&bytes[..cut], &bytes[cut..]] {
        connection.receive(piece, rules);
        assert!(!connection.is_signed_in(), "signed in without a key");
    }
}

fn messages(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<2>()?;
        let (message, next) = after.split_at(after.len().min(usize::from(u16::from_be_bytes(*length))));
        rest = next;
        Some(message)
    })
    .filter(|message| !message.is_empty())
}
