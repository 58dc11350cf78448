//! A client of its own against the server's side of a connection: keys agreed on once and again, and whatever bytes may come.

use super::channels::Asked;
use super::connection::{Connection, Rules, Told};
use super::host_key::HostKey;
use super::key_exchange::Secrets;
use super::messages::*;
use super::packets::{Incoming, Outgoing};
use super::server::AuthorisedKey;
use super::wire::{Reader, Writer};
use ring::agreement::{EphemeralPrivateKey, UnparsedPublicKey, X25519, agree_ephemeral};
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey as SignerKey};

const SERVER: &str = "vedette_test";
const CLIENT: &[u8] = b"SSH-2.0-test";

fn rules(pair: &Ed25519KeyPair) -> Rules {
    let blob = Writer::default().string("ssh-ed25519").string(pair.public_key()).done();
    let authorised_keys = vec![AuthorisedKey { algorithm: "ssh-ed25519".into(), blob }];
    Rules { identification: SERVER.into(), host_key: HostKey::load(None).unwrap(), authorised_keys, max_request_bytes: 1000 }
}

/// Speaks the strict form.
struct Client {
    rules: Rules,
    pair: Ed25519KeyPair,
    connection: Connection,
    incoming: Incoming,
    outgoing: Outgoing,
    session: Vec<u8>,
    told: Vec<Told>,
}

impl Client {
    fn connect() -> Self {
        let pair = Ed25519KeyPair::from_seed_unchecked(&[5; 32]).unwrap();
        let rules = rules(&pair);
        let mut connection = Connection::new(&rules);
        let greeting = std::mem::take(&mut connection.unwritten);
        assert_eq!(greeting, format!("SSH-2.0-{SERVER}\r\n").into_bytes());
        connection.receive(&[CLIENT, b"\r\n"].concat(), &rules);
        let (incoming, outgoing) = (Incoming::default(), Outgoing::default());
        Self { rules, pair, connection, incoming, outgoing, session: Vec::new(), told: Vec::new() }
    }

    fn send(&mut self, payload: &[u8]) {
        let mut bytes = Vec::new();
        self.outgoing.write(payload, &mut bytes).unwrap();
        self.told.extend(self.connection.receive(&bytes, &self.rules));
        self.incoming.feed(&std::mem::take(&mut self.connection.unwritten));
    }

    fn next(&mut self) -> Vec<u8> {
        self.incoming.next().unwrap().expect("a message of the server")
    }

    fn init() -> Vec<u8> {
        let message = Writer::message(KEXINIT).raw(&[1; 16]).string("curve25519-sha256,ext-info-c,kex-strict-c-v00@openssh.com");
        let cipher = "chacha20-poly1305@openssh.com";
        let lists = ["ssh-ed25519", cipher, cipher, "", "", "none", "none", "", ""];
        lists.into_iter().fold(message, Writer::string).boolean(false).uint32(0).done()
    }

    /// All of an exchange; the first one also agrees on the session.
    fn exchange(&mut self) {
        let init = Self::init();
        self.send(&init);
        let server_init = self.next();
        assert_eq!(server_init[0], KEXINIT);
        self.finish_exchange(&init, &server_init);
    }

    fn finish_exchange(&mut self, init: &[u8], server_init: &[u8]) {
        let ours = EphemeralPrivateKey::generate(&X25519, &SystemRandom::new()).unwrap();
        let public = ours.compute_public_key().unwrap();
        self.send(&Writer::message(KEX_ECDH_INIT).string(&public).done());
        let reply = self.next();
        let mut reader = Reader::of(&reply[1..]);
        let (blob, theirs, signature) = (reader.string().unwrap(), reader.string().unwrap(), reader.string().unwrap());
        let key = UnparsedPublicKey::new(&X25519, theirs);
        let shared = agree_ephemeral(ours, &key, |secret| Writer::default().number(secret).done()).unwrap();
        let hashed = Writer::default()
            .string(CLIENT)
            .string(format!("SSH-2.0-{SERVER}"))
            .string(init)
            .string(server_init)
            .string(blob)
            .string(&public)
            .string(theirs)
            .raw(&shared)
            .done();
        let hash = digest(&SHA256, &hashed).as_ref().to_vec();
        let (mut host, mut signed) = (Reader::of(blob), Reader::of(signature));
        host.string().unwrap();
        signed.string().unwrap();
        SignerKey::new(&ED25519, host.string().unwrap()).verify(&hash, signed.string().unwrap()).unwrap();
        if self.session.is_empty() {
            self.session.clone_from(&hash);
        }
        let secrets = Secrets::of_client(shared, hash);
        assert_eq!(self.next(), [NEWKEYS]);
        self.incoming.use_key(&secrets.key(b'D', &self.session), true);
        self.send(&[NEWKEYS]);
        self.outgoing.use_key(&secrets.key(b'C', &self.session), true);
    }

    fn log_in(&mut self) {
        assert_eq!(self.next()[0], EXT_INFO);
        self.send(&Writer::message(SERVICE_REQUEST).string("ssh-userauth").done());
        assert_eq!(self.next()[0], SERVICE_ACCEPT);
        let blob = self.rules.authorised_keys[0].blob.clone();
        let unsigned = Writer::message(USERAUTH_REQUEST)
            .string("u")
            .string("ssh-connection")
            .string("publickey")
            .boolean(true)
            .string("ssh-ed25519")
            .string(&blob)
            .done();
        let signature = self.pair.sign(&Writer::default().string(&self.session).raw(&unsigned).done());
        let signature = Writer::default().string("ssh-ed25519").string(signature).done();
        self.send(&Writer::default().raw(&unsigned).string(signature).done());
        assert_eq!(self.next(), [USERAUTH_SUCCESS]);
    }

    /// Opens a channel and asks for an answer to `input`.
    fn ask(&mut self, input: &str) -> u32 {
        self.send(&Writer::message(CHANNEL_OPEN).string("session").uint32(0).uint32(100_000).uint32(1000).done());
        let confirmed = self.next();
        let channel = Reader::of(&confirmed[5..]).uint32().unwrap();
        self.send(&Writer::message(CHANNEL_REQUEST).uint32(channel).string("shell").boolean(false).done());
        self.send(&Writer::message(CHANNEL_DATA).uint32(channel).string(input).done());
        let input = input.as_bytes().to_vec();
        assert_eq!(self.told.pop(), Some(Told::Asked(Asked { channel, input, ended: false })));
        channel
    }

    fn answer(&mut self, channel: u32) {
        self.connection.answer(channel, b"told".to_vec(), 0);
        self.incoming.feed(&std::mem::take(&mut self.connection.unwritten));
    }
}

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
    assert!(without_keys.connection.is_over);
    let mut without_login = Client::connect();
    without_login.exchange();
    without_login.send(&early);
    assert!(without_login.connection.is_over && without_login.told.is_empty());
}

#[test]
fn the_strict_form_takes_nothing_but_the_exchange_before_the_first_keys() {
    for message in [IGNORE, DEBUG, UNIMPLEMENTED] {
        let mut before = Client::connect();
        before.send(&Writer::message(message).string("").done());
        before.send(&Client::init());
        assert!(before.connection.is_over, "{message} before the exchange");
        let mut amid = Client::connect();
        amid.send(&Client::init());
        amid.send(&Writer::message(message).string("").done());
        assert!(amid.connection.is_over, "{message} amid the exchange");
    }
}

/// Whatever a peer sends, in the clear or as a hub that is let in: a goodbye or an answer, never a panic.
#[test]
fn a_connection_survives_any_bytes() {
    let mut state = 7_u32;
    let mut dice = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize
    };
    for _ in 0..2000 {
        let mut client = Client::connect();
        let mut bytes = Vec::new();
        client.outgoing.write(&Client::init(), &mut bytes).unwrap();
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
