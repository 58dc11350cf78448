//! Tests of the server's side of a connection: first and later key exchanges, limits, and arbitrary bytes.

use super::messages::*;
use super::test_client::Client;
use super::wire::Writer;
use ring::agreement::{EphemeralPrivateKey, X25519};
use ring::rand::SystemRandom;

#[test]
fn a_client_is_let_in_and_answered() {
    let mut client = Client::connect();
    client.exchange();
    client.log_in();
    let channel = client.ask("ask");
    client.answer(channel);
    let numbers = [client.next()[0], client.next()[0], client.next()[0]];
    assert_eq!(numbers, [CHANNEL_DATA, CHANNEL_REQUEST, CHANNEL_CLOSE]);
}

#[test]
fn keys_are_exchanged_again_and_what_is_answered_meanwhile_waits_for_them() {
    let mut client = Client::connect();
    client.exchange();
    client.log_in();
    let channel = client.ask("ask");
    let init = Client::init();
    client.send(&init);
    let server_init = client.next();
    client.answer(channel);
    assert_eq!(client.incoming.next(), Ok(None), "held back");
    client.finish_exchange(&init, &server_init);
    assert_eq!(client.next()[0], CHANNEL_DATA);
    client.next();
    client.next();
    client.exchange();
    client.ask("again");
}

#[test]
fn nothing_is_served_before_keys_and_login() {
    let early = Writer::message(CHANNEL_OPEN).string("session").uint32(0).uint32(9).uint32(9).done();
    let mut without_keys = Client::connect();
    without_keys.send(&early);
    assert!(without_keys.connection.is_over());
    let mut without_login = Client::connect();
    without_login.exchange();
    without_login.send(&early);
    assert!(without_login.connection.is_over() && without_login.told().is_none());
}

#[test]
fn strict_key_exchange_takes_nothing_else_before_the_first_new_keys() {
    let public = EphemeralPrivateKey::generate(&X25519, &SystemRandom::new()).unwrap().compute_public_key().unwrap();
    let half = Writer::message(KEX_ECDH_INIT).string(public).done();
    for number in [IGNORE, DEBUG, UNIMPLEMENTED, EXT_INFO, SERVICE_REQUEST, USERAUTH_REQUEST, NEWKEYS, KEX_ECDH_REPLY] {
        let message = Writer::message(number).string("ssh-userauth").done();
        let after = |messages: &[&[u8]]| {
            let mut client = Client::connect();
            for message in messages {
                client.send(message);
            }
            assert!(!client.connection.is_over());
            client.send(&message);
            client.connection.is_over()
        };
        let init = Client::init();
        assert!(after(&[]), "{number} before KEXINIT");
        assert!(after(&[&init]), "{number} after KEXINIT");
        assert!(after(&[&init, &half]), "{number} before NEWKEYS");
    }
}

#[test]
fn only_a_client_that_speaks_strict_key_exchange_is_served() {
    let mut client = Client::connect();
    let init = Client::init_with("curve25519-sha256");
    client.send(&init);
    assert!(client.connection.is_over());
    assert_eq!(client.next()[0], KEXINIT);
    assert_eq!(client.next()[..5], [DISCONNECT, 0, 0, 0, KEY_EXCHANGE_FAILED as u8]);
}

#[test]
fn a_client_that_does_not_sign_in_is_refused_with_a_reason() {
    let disconnected = |client: &mut Client| {
        let mut last = Vec::new();
        while let Some(message) = client.incoming.next().unwrap() {
            last = message;
        }
        assert_eq!(last[0], DISCONNECT);
        u32::from_be_bytes(last[1..5].try_into().unwrap())
    };
    let none = Writer::message(USERAUTH_REQUEST).string("u").string("ssh-connection").string("none").done();
    let service = Writer::message(SERVICE_REQUEST).string("ssh-userauth").done();
    let floods = [(none, NO_MORE_AUTH_METHODS), (Writer::message(IGNORE).string("").done(), BY_APPLICATION)];
    for (message, reason) in floods {
        let mut client = Client::connect();
        client.exchange();
        client.send(&service);
        let mut sent = 0;
        while !client.connection.is_over() {
            client.send(&message);
            sent += 1;
        }
        assert!(sent < 64, "{sent}");
        assert_eq!(disconnected(&mut client), reason);
    }
    let mut long = Client::connect();
    long.exchange();
    while !long.connection.is_over() {
        long.send(&Writer::message(IGNORE).string(vec![0; 8_000]).done());
    }
    assert!(long.connection.counted_bytes() < 128 * 1024);
    assert_eq!(disconnected(&mut long), BY_APPLICATION);
}

#[test]
fn signing_in_without_requesting_the_service_is_refused() {
    let mut client = Client::connect();
    client.exchange();
    client.send(&Writer::message(USERAUTH_REQUEST).string("u").string("ssh-connection").string("none").done());
    assert!(client.connection.is_over());
}

#[test]
fn a_client_that_does_not_read_is_not_read() {
    let mut client = Client::connect();
    client.exchange();
    client.log_in();
    let question = Writer::message(GLOBAL_REQUEST).string("keepalive@openssh.com").boolean(true).done();
    let mut sent = 0;
    while client.connection.takes_input() {
        let bytes = client.packet(&question);
        client.connection.receive(&bytes, &client.rules);
        sent += 1;
        assert!(sent < 100_000);
    }
    client.hear();
    assert!(client.connection.takes_input());
}

#[test]
fn this_side_renews_keys_while_the_client_still_talks() {
    let mut client = Client::connect();
    client.exchange();
    client.log_in();
    client.connection.renew_keys();
    client.hear();
    let server_init = client.next();
    assert_eq!(server_init[0], KEXINIT);
    // Sent before the client received the server's KEXINIT.
    let channel = client.ask_unconfirmed("ask");
    client.answer(channel);
    let init = Client::init_with("curve25519-sha256");
    client.send(&init);
    assert_eq!(client.incoming.next(), Ok(None), "held back");
    client.finish_exchange(&init, &server_init);
    assert_eq!([client.next()[0], client.next()[0]], [CHANNEL_OPEN_CONFIRMATION, CHANNEL_DATA]);
    assert!(!client.connection.is_exchanging());
}

/// Any input, before or after authentication, gives a disconnect or a reply, never a panic.
#[test]
fn a_connection_survives_any_bytes() {
    let mut state = 7_u32;
    let mut dice = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize
    };
    for _ in 0..2000 {
        let mut client = Client::connect();
        let mut bytes = client.packet(&Client::init());
        for _ in 0..=dice() % 4 {
            let at = dice() % bytes.len();
            bytes[at] = dice() as u8;
        }
        client.connection.receive(&bytes, &client.rules);
        client.connection.receive(&bytes, &client.rules);
    }
    let messages: Vec<Vec<u8>> = vec![
        Writer::message(CHANNEL_OPEN).string("session").uint32(0).uint32(9).uint32(9).done(),
        Writer::message(CHANNEL_REQUEST).uint32(0).string("shell").boolean(true).done(),
        Writer::message(CHANNEL_DATA).uint32(0).string("some input").done(),
        Writer::message(CHANNEL_WINDOW_ADJUST).uint32(0).uint32(u32::MAX).done(),
        Writer::message(GLOBAL_REQUEST).string("keepalive@openssh.com").boolean(true).done(),
        Client::init(),
    ];
    for _ in 0..200 {
        let mut client = Client::connect();
        client.exchange();
        client.log_in();
        for _ in 0..20 {
            let mut message = messages[dice() % messages.len()].clone();
            if dice() % 2 == 0 {
                let at = dice() % message.len();
                message[at] = dice() as u8;
            }
            client.send(&message);
        }
    }
}
