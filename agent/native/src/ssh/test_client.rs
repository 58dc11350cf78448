//! SSH client for tests of the server's side of a connection: it exchanges keys, signs in and sends requests.

use super::connection::{Connection, REKEY_BYTES, Rules};
use super::host_key::HostKey;
use super::key_exchange::Secrets;
use super::messages::*;
use super::options::AuthorisedKey;
use super::packets::{Incoming, Outgoing};
use super::wire::{Reader, Writer};
use crate::byte_queue::ByteQueue;
use ring::agreement::{EphemeralPrivateKey, UnparsedPublicKey, X25519, agree_ephemeral};
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey as SignerKey};

const SERVER: &str = "vedette_test";
const CLIENT: &[u8] = b"SSH-2.0-test";

pub fn rules(pair: &Ed25519KeyPair) -> Rules {
    let blob = Writer::default().string("ssh-ed25519").string(pair.public_key()).done();
    let authorised_keys = vec![AuthorisedKey { algorithm: "ssh-ed25519".into(), blob }];
    let host_key = HostKey::load(None).unwrap();
    Rules { identification: SERVER.into(), host_key, authorised_keys, max_request_bytes: 1000, rekey_bytes: REKEY_BYTES }
}

pub fn unwritten(connection: &mut Connection) -> Vec<u8> {
    connection.unwritten.take(connection.unwritten.len())
}

/// Test client with strict key exchange.
pub struct Client {
    pub rules: Rules,
    pub pair: Ed25519KeyPair,
    pub connection: Connection,
    pub incoming: Incoming,
    pub outgoing: Outgoing,
    pub session: Vec<u8>,
}

impl Client {
    pub fn connect() -> Self {
        let pair = Ed25519KeyPair::from_seed_unchecked(&[5; 32]).unwrap();
        let rules = rules(&pair);
        let mut connection = Connection::new(&rules);
        assert_eq!(unwritten(&mut connection), format!("SSH-2.0-{SERVER}\r\n").into_bytes());
        connection.receive(&[CLIENT, b"\r\n"].concat(), &rules);
        let (incoming, outgoing) = (Incoming::default(), Outgoing::default());
        Self { rules, pair, connection, incoming, outgoing, session: Vec::new() }
    }

    pub fn send(&mut self, payload: &[u8]) {
        let bytes = self.packet(payload);
        self.connection.receive(&bytes, &self.rules);
        self.hear();
    }

    pub fn packet(&mut self, payload: &[u8]) -> Vec<u8> {
        let mut bytes = ByteQueue::default();
        self.outgoing.write(payload, &mut bytes).unwrap();
        bytes.take(bytes.len())
    }

    pub fn hear(&mut self) {
        self.incoming.feed(&unwritten(&mut self.connection));
    }

    /// Returns the event of a request as the script would receive it.
    pub fn told(&mut self) -> Option<(u32, Vec<u8>, bool)> {
        self.connection.channels()?.next_changed().map(|(id, input)| (id, input.bytes.to_vec(), input.ended))
    }

    pub fn next(&mut self) -> Vec<u8> {
        self.incoming.next().unwrap().expect("a message of the server")
    }

    pub fn init() -> Vec<u8> {
        Self::init_with("curve25519-sha256,ext-info-c,kex-strict-c-v00@openssh.com")
    }

    pub fn init_with(methods: &str) -> Vec<u8> {
        let message = Writer::message(KEXINIT).raw(&[1; 16]).string(methods);
        let cipher = "chacha20-poly1305@openssh.com";
        let lists = ["ssh-ed25519", cipher, cipher, "", "", "none", "none", "", ""];
        lists.into_iter().fold(message, Writer::string).boolean(false).uint32(0).done()
    }

    /// Performs a key exchange; the first one also sets the session id.
    pub fn exchange(&mut self) {
        let init = Self::init();
        self.send(&init);
        let server_init = self.next();
        assert_eq!(server_init[0], KEXINIT);
        self.finish_exchange(&init, &server_init);
    }

    pub fn finish_exchange(&mut self, init: &[u8], server_init: &[u8]) {
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
        self.incoming.use_key(&secrets.key(b'D', &self.session));
        self.send(&[NEWKEYS]);
        self.outgoing.use_key(&secrets.key(b'C', &self.session));
    }

    pub fn log_in(&mut self) {
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

    /// Opens a channel and sends a request with `input`. Returns the channel number.
    pub fn ask(&mut self, input: &str) -> u32 {
        self.send(&Writer::message(CHANNEL_OPEN).string("session").uint32(0).uint32(100_000).uint32(1000).done());
        let confirmed = self.next();
        let channel = Reader::of(&confirmed[5..]).uint32().unwrap();
        self.send(&Writer::message(CHANNEL_REQUEST).uint32(channel).string("shell").boolean(false).done());
        self.send(&Writer::message(CHANNEL_DATA).uint32(channel).string(input).done());
        assert_eq!(self.told(), Some((channel, input.as_bytes().to_vec(), false)));
        channel
    }

    /// Sends a request on the first channel without waiting for the confirmation; its number is assumed.
    pub fn ask_unconfirmed(&mut self, input: &str) -> u32 {
        self.send(&Writer::message(CHANNEL_OPEN).string("session").uint32(0).uint32(100_000).uint32(1000).done());
        self.send(&Writer::message(CHANNEL_REQUEST).uint32(0).string("shell").boolean(false).done());
        self.send(&Writer::message(CHANNEL_DATA).uint32(0).string(input).done());
        assert_eq!(self.told(), Some((0, input.as_bytes().to_vec(), false)));
        0
    }

    pub fn answer(&mut self, channel: u32) {
        self.connection.answer(channel, b"told".to_vec(), 0);
        self.hear();
    }
}
