//! The agent's host key, by which hubs recognise it: Ed25519, in a file of OpenSSH's format (PROTOCOL.key of OpenSSH).

use super::wire::{Malformed, Reader, Writer};
use crate::machine::files;
use data_encoding::BASE64;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{Ed25519KeyPair, KeyPair};

const ALGORITHM: &str = "ssh-ed25519";
const MAGIC: &[u8] = b"openssh-key-v1\0";
const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";
const SEED_BYTES: usize = 32;
const LINE_CHARACTERS: usize = 70;
const MAX_FILE_BYTES: usize = 16 * 1024;
/// Permissions of the file: readable by the agent only.
const FILE_MODE: u32 = 0o600;

/// Ed25519 host key of the agent.
pub struct HostKey {
    pair: Ed25519KeyPair,
}

impl HostKey {
    /// Loads the host key from its file, or creates and stores a new one. Without a path, the key lives as long as the process.
    pub fn load(path: Option<&str>) -> Result<Self, String> {
        let kept = path.and_then(|path| files::FileReader::default().read(path, MAX_FILE_BYTES).map(<[u8]>::to_vec));
        // An unreadable key is not replaced: hubs recognise the agent by it.
        if kept.is_none() && path.is_some_and(|path| files::stat(path).is_some()) {
            return Err(format!("Cannot read the host key \"{}\"", path.unwrap_or_default()));
        }
        if let Some(text) = kept {
            let seed = seed_of(&String::from_utf8_lossy(&text));
            return seed.and_then(|seed| Self::of(&seed)).map_err(|_| {
                format!("Cannot use the host key \"{}\": it is no Ed25519 key without a passphrase", path.unwrap_or_default())
            });
        }
        let mut seed = [0; SEED_BYTES];
        SystemRandom::new().fill(&mut seed).map_err(|_| "Cannot make a host key: no random bytes")?;
        let key = Self::of(&seed).map_err(|_| "Cannot make a host key")?;
        if let Some(path) = path {
            let text = key.text(&seed)?;
            files::write_file(path, text.as_bytes(), FILE_MODE)
                .map_err(|reason| format!("Cannot write the host key \"{path}\": {reason}"))?;
        }
        Ok(key)
    }

    fn of(seed: &[u8]) -> Result<Self, Malformed> {
        Ok(Self { pair: Ed25519KeyPair::from_seed_unchecked(seed).map_err(|_| Malformed)? })
    }

    /// Returns the public key blob, RFC 8709 section 4.
    pub fn public_blob(&self) -> Vec<u8> {
        Writer::default().string(ALGORITHM).string(self.pair.public_key()).done()
    }

    /// Signs a message and returns the signature blob, RFC 8709 section 6.
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        Writer::default().string(ALGORITHM).string(self.pair.sign(message)).done()
    }

    fn text(&self, seed: &[u8]) -> Result<String, String> {
        let mut check = [0; 4];
        SystemRandom::new().fill(&mut check).map_err(|_| "Cannot make a host key: no random bytes")?;
        let public = self.pair.public_key().as_ref();
        let mut secret = Writer::default()
            .raw(&check)
            .raw(&check)
            .string(ALGORITHM)
            .string(public)
            .string([seed, public].concat())
            .string("vedette-agent")
            .done();
        // Padding bytes 1, 2, 3… up to a multiple of 8.
        for padding in 1..=(8 - secret.len() % 8) % 8 {
            secret.push(padding as u8);
        }
        let whole = Writer::default()
            .raw(MAGIC)
            .string("none")
            .string("none")
            .string("")
            .uint32(1)
            .string(self.public_blob())
            .string(secret)
            .done();
        let encoded = BASE64.encode(&whole);
        let lines: Vec<&str> =
            (0..encoded.len()).step_by(LINE_CHARACTERS).map(|at| &encoded[at..(at + LINE_CHARACTERS).min(encoded.len())]).collect();
        Ok(format!("{BEGIN}\n{}\n{END}\n", lines.join("\n")))
    }
}

fn seed_of(text: &str) -> Result<Vec<u8>, Malformed> {
    let (_, rest) = text.split_once(BEGIN).ok_or(Malformed)?;
    let (encoded, _) = rest.split_once(END).ok_or(Malformed)?;
    let joined: String = encoded.split_whitespace().collect();
    let whole = BASE64.decode(joined.as_bytes()).map_err(|_| Malformed)?;
    let mut reader = Reader::of(whole.strip_prefix(MAGIC).ok_or(Malformed)?);
    let (cipher, derivation, _options, count) = (reader.string()?, reader.string()?, reader.string()?, reader.uint32()?);
    if cipher != b"none" || derivation != b"none" || count != 1 {
        return Err(Malformed);
    }
    reader.string()?;
    let mut secret = Reader::of(reader.string()?);
    let (check, again) = (secret.uint32()?, secret.uint32()?);
    if check != again || secret.string()? != ALGORITHM.as_bytes() {
        return Err(Malformed);
    }
    let public = secret.string()?;
    match secret.string()?.split_at_checked(SEED_BYTES) {
        Some((seed, again)) if again == public => Ok(seed.to_vec()),
        _ => Err(Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_was_written() {
        let seed = [3; SEED_BYTES];
        let key = HostKey::of(&seed).unwrap();
        let text = key.text(&seed).unwrap();
        assert_eq!(seed_of(&text), Ok(seed.to_vec()));
        assert!(text.lines().all(|line| line.len() <= LINE_CHARACTERS));
    }

    #[test]
    fn damaged_keys_are_refused() {
        let seed = [3; SEED_BYTES];
        let text = HostKey::of(&seed).unwrap().text(&seed).unwrap();
        for at in [0, 30, 60, 120, 200] {
            assert!(seed_of(&text[at + 1..]).is_err() || at > text.len());
            assert!(seed_of(&text[..text.len() - at - 10]).is_err());
        }
        assert!(seed_of("").is_err());
    }
}
