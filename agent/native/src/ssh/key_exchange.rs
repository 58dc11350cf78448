//! Key exchange, RFC 4253 section 7 and RFC 8731. It is always OpenSSH's strict key exchange (PROTOCOL section 1.10). Without it, a man in
//! the middle can drop the first messages unnoticed with ChaCha20-Poly1305 (CVE-2023-48795).

use super::host_key::HostKey;
use super::messages::{KEX_ECDH_REPLY, KEXINIT};
use super::packets::KEY_BYTES;
use super::signatures;
use super::wire::{Malformed, Reader, Writer};
use ring::agreement::{EphemeralPrivateKey, UnparsedPublicKey, X25519, agree_ephemeral};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};

const METHODS: [&str; 2] = ["curve25519-sha256", "curve25519-sha256@libssh.org"];
const HOST_KEY: &str = "ssh-ed25519";
const CIPHER: &str = "chacha20-poly1305@openssh.com";
/// Announced MAC. It is never used, because the cipher authenticates messages itself.
const MAC: &str = "hmac-sha2-256-etm@openssh.com";
const COOKIE_BYTES: usize = 16;
const STRICT_CLIENT: &str = "kex-strict-c-v00@openssh.com";
const STRICT_SERVER: &str = "kex-strict-s-v00@openssh.com";

/// Builds this side's KEXINIT message.
pub fn our_init() -> Result<Vec<u8>, Malformed> {
    let mut cookie = [0; COOKIE_BYTES];
    SystemRandom::new().fill(&mut cookie).map_err(|_| Malformed)?;
    let methods = [METHODS[0], METHODS[1], STRICT_SERVER].join(",");
    let message = Writer::message(KEXINIT).raw(&cookie).string(methods).string(HOST_KEY);
    let message = [CIPHER, CIPHER, MAC, MAC, "none", "none", "", ""].into_iter().fold(message, Writer::string);
    Ok(message.boolean(false).uint32(0).done())
}

/// Result of the algorithm negotiation.
#[derive(Debug, PartialEq, Eq)]
pub struct Agreed {
    /// True when the client supports extensions (RFC 8308).
    pub hears_extensions: bool,
    /// True when the client's next message was sent on a wrong guess and must be ignored.
    pub skips_next: bool,
}

/// Negotiates the algorithms by the client's KEXINIT; `None` without common ones or without strict key exchange. `is_first`: only the
/// first KEXINIT announces strict key exchange.
pub fn agree(client_init: &[u8], is_first: bool) -> Result<Option<Agreed>, Malformed> {
    let mut reader = Reader::of(client_init);
    reader.take(1 + COOKIE_BYTES)?;
    let methods = reader.names()?;
    let host_keys = reader.names()?;
    let ciphers = [reader.names()?, reader.names()?];
    reader.names()?;
    reader.names()?;
    let compressions = [reader.names()?, reader.names()?];
    reader.names()?;
    reader.names()?;
    let guesses = reader.boolean()?;
    reader.uint32()?;
    reader.end()?;
    let is_strict = !is_first || methods.contains(&STRICT_CLIENT);
    let method = methods.iter().find(|name| METHODS.contains(name));
    let both = |lists: &[Vec<&str>; 2], name| lists.iter().all(|list| list.contains(&name));
    if !is_strict || method.is_none() || !host_keys.contains(&HOST_KEY) || !both(&ciphers, CIPHER) || !both(&compressions, "none") {
        return Ok(None);
    }
    let guessed_right = methods.first() == Some(&METHODS[0]) && host_keys.first() == Some(&HOST_KEY);
    Ok(Some(Agreed { hears_extensions: methods.contains(&"ext-info-c"), skips_next: guesses && !guessed_right }))
}

/// Data that the exchange hash covers, RFC 8731 section 3.
pub struct Transcript<'a> {
    /// The client's identification string, without CR LF.
    pub client_identification: &'a [u8],
    pub server_identification: &'a [u8],
    pub client_init: &'a [u8],
    pub server_init: &'a [u8],
}

/// Result of a key exchange.
pub struct Secrets {
    pub reply: Vec<u8>,
    pub exchange_hash: Vec<u8>,
    shared: Vec<u8>,
}

/// Computes the shared secret, the exchange hash and the signed reply for the client's public key.
pub fn answer(transcript: &Transcript<'_>, client_public: &[u8], host_key: &HostKey) -> Result<Secrets, Malformed> {
    let ours = EphemeralPrivateKey::generate(&X25519, &SystemRandom::new()).map_err(|_| Malformed)?;
    let our_public = ours.compute_public_key().map_err(|_| Malformed)?;
    let theirs = UnparsedPublicKey::new(&X25519, client_public);
    // A public key that makes the secret zero is refused.
    let shared = agree_ephemeral(ours, &theirs, |secret| Writer::default().number(secret).done()).map_err(|_| Malformed)?;
    let blob = host_key.public_blob();
    let signed_for = Writer::default()
        .string(transcript.client_identification)
        .string(transcript.server_identification)
        .string(transcript.client_init)
        .string(transcript.server_init)
        .string(&blob)
        .string(client_public)
        .string(&our_public)
        .raw(&shared)
        .done();
    let exchange_hash = digest(&SHA256, &signed_for).as_ref().to_vec();
    let reply = Writer::message(KEX_ECDH_REPLY).string(&blob).string(&our_public).string(host_key.sign(&exchange_hash)).done();
    Ok(Secrets { reply, exchange_hash, shared })
}

impl Secrets {
    /// Creates the secrets of the client's side.
    #[cfg(any(test, fuzzing))]
    pub const fn of_client(shared: Vec<u8>, exchange_hash: Vec<u8>) -> Self {
        Self { reply: Vec::new(), exchange_hash, shared }
    }

    /// Derives the key of one direction, RFC 4253 section 7.2. `letter` is `C` for client to server, `D` for server to client.
    pub fn key(&self, letter: u8, session: &[u8]) -> [u8; KEY_BYTES] {
        let hash = |end: &[&[u8]]| digest(&SHA256, &[&[&self.shared[..], &self.exchange_hash[..]], end].concat().concat());
        let first = hash(&[&[letter], session]);
        let second = hash(&[first.as_ref()]);
        let mut key = [0; KEY_BYTES];
        let (one, other) = key.split_at_mut(KEY_BYTES / 2);
        one.copy_from_slice(first.as_ref());
        other.copy_from_slice(second.as_ref());
        key
    }
}

/// Builds the message EXT_INFO with the accepted signature algorithms, RFC 8308 section 3.1.
pub fn extensions() -> Vec<u8> {
    Writer::message(super::messages::EXT_INFO).uint32(1).string("server-sig-algs").string(signatures::ALGORITHMS).done()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_init(methods: &str, host_keys: &str, cipher: &str, guesses: bool) -> Vec<u8> {
        let message = Writer::message(KEXINIT).raw(&[0; COOKIE_BYTES]).string(methods).string(host_keys);
        let message = [cipher, cipher, "", "", "none,zlib", "none", "", ""].into_iter().fold(message, Writer::string);
        message.boolean(guesses).uint32(0).done()
    }

    #[test]
    fn agree_takes_what_hubs_offer() {
        let go = client_init("curve25519-sha256,ext-info-c,kex-strict-c-v00@openssh.com", "rsa-sha2-256,ssh-ed25519", CIPHER, false);
        let agreed = agree(&go, true).unwrap();
        assert_eq!(agreed, Some(Agreed { hears_extensions: true, skips_next: false }));
        let wrong_guess = client_init("ecdh-sha2-nistp256,curve25519-sha256@libssh.org", "ssh-ed25519", CIPHER, true);
        assert_eq!(agree(&wrong_guess, false), Ok(Some(Agreed { hears_extensions: false, skips_next: true })));
    }

    #[test]
    fn agree_refuses_what_it_does_not_speak() {
        let strict = [METHODS[0], STRICT_CLIENT].join(",");
        let offers = |methods: &str, host_keys: &str, cipher: &str| agree(&client_init(methods, host_keys, cipher, false), true);
        assert!(offers(&strict, HOST_KEY, CIPHER).unwrap().is_some());
        assert_eq!(offers(METHODS[0], HOST_KEY, CIPHER), Ok(None), "without strict key exchange");
        assert_eq!(offers(STRICT_CLIENT, HOST_KEY, CIPHER), Ok(None));
        assert_eq!(offers(&strict, "ssh-rsa", CIPHER), Ok(None));
        assert_eq!(offers(&strict, HOST_KEY, "aes128-ctr"), Ok(None));
        assert_eq!(agree(&[KEXINIT; 20], true), Err(Malformed));
        assert_eq!(agree(&[&client_init(&strict, HOST_KEY, CIPHER, false)[..], &[0]].concat(), true), Err(Malformed));
    }

    #[test]
    fn answer_refuses_keys_that_make_the_secret_zero() {
        let transcript = Transcript { client_identification: b"", server_identification: b"", client_init: b"", server_init: b"" };
        let key = HostKey::load(None).unwrap();
        assert!(answer(&transcript, &[0; 32], &key).is_err());
        assert!(answer(&transcript, &[9; 31], &key).is_err());
        assert!(answer(&transcript, &[9; 32], &key).is_ok());
    }
}
