//! Client authentication, RFC 4252: public keys only.

use super::messages::{USERAUTH_FAILURE, USERAUTH_PK_OK, USERAUTH_REQUEST, USERAUTH_SUCCESS};
use super::options::AuthorisedKey;
use super::signatures;
use super::wire::{Malformed, Reader, Writer};

/// Maximum number of failed attempts, as OpenSSH's MaxAuthTries. The method `none`, by which clients learn the other methods, does not
/// count.
const MAX_FAILURES: u32 = 6;
/// Maximum number of requests: `none`, key queries without a signature, and failures.
const MAX_REQUESTS: u32 = 10;

/// Result of an authentication attempt, with the reply.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The client is authenticated.
    Accepted(Vec<u8>),
    /// The key is acceptable, or another attempt may follow.
    Continue { reply: Vec<u8>, refused_key: bool },
    /// The client used all its attempts.
    TooMany { refused_key: bool },
}

/// State of one connection's authentication.
#[derive(Default)]
pub struct Authentication {
    failures: u32,
    requests: u32,
}

impl Authentication {
    /// Handles an authentication request. `session` is the session id of the first key exchange, which makes a signature valid for this
    /// connection only.
    pub fn judge(&mut self, message: &[u8], session: &[u8], keys: &[AuthorisedKey]) -> Result<Verdict, Malformed> {
        self.requests += 1;
        if self.requests > MAX_REQUESTS {
            return Ok(Verdict::TooMany { refused_key: false });
        }
        let mut reader = Reader::of(message);
        reader.byte()?;
        let (user, service, method) = (reader.string()?, reader.string()?, reader.string()?);
        if method == b"none" {
            reader.end()?;
            return Ok(Verdict::Continue { reply: failure(), refused_key: false });
        }
        if method != b"publickey" || service != b"ssh-connection" {
            return Ok(self.fail(false));
        }
        let is_signed = reader.boolean()?;
        let (algorithm, blob) = (reader.string()?, reader.string()?);
        let algorithm = std::str::from_utf8(algorithm).map_err(|_| Malformed)?;
        if !keys.iter().any(|key| key.blob == blob && signatures::fits(algorithm, &key.algorithm)) {
            return Ok(self.fail(true));
        }
        // Without a signature, the client only asks whether the key is acceptable.
        if !is_signed {
            reader.end()?;
            let reply = Writer::message(USERAUTH_PK_OK).string(algorithm).string(blob).done();
            return Ok(Verdict::Continue { reply, refused_key: false });
        }
        let signed_for = Writer::default()
            .string(session)
            .raw(&[USERAUTH_REQUEST])
            .string(user)
            .string(service)
            .string(method)
            .boolean(true)
            .string(algorithm)
            .string(blob)
            .done();
        let signature = reader.string()?;
        reader.end()?;
        if signatures::verify(algorithm, blob, &signed_for, signature) {
            return Ok(Verdict::Accepted(Writer::message(USERAUTH_SUCCESS).done()));
        }
        Ok(self.fail(true))
    }

    fn fail(&mut self, refused_key: bool) -> Verdict {
        self.failures += 1;
        if self.failures >= MAX_FAILURES {
            return Verdict::TooMany { refused_key };
        }
        Verdict::Continue { reply: failure(), refused_key }
    }
}

fn failure() -> Vec<u8> {
    Writer::message(USERAUTH_FAILURE).string("publickey").boolean(false).done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::signature::{Ed25519KeyPair, KeyPair};

    const ED25519: &str = "ssh-ed25519";

    fn pair() -> (Ed25519KeyPair, Vec<AuthorisedKey>) {
        let pair = Ed25519KeyPair::from_seed_unchecked(&[1; 32]).unwrap();
        let blob = Writer::default().string(ED25519).string(pair.public_key()).done();
        (pair, vec![AuthorisedKey { algorithm: ED25519.into(), blob }])
    }

    fn request(key: &Ed25519KeyPair, blob: &[u8], session: &[u8], signed: bool) -> Vec<u8> {
        let unsigned = |signed| {
            Writer::message(USERAUTH_REQUEST)
                .string("u")
                .string("ssh-connection")
                .string("publickey")
                .boolean(signed)
                .string(ED25519)
                .string(blob)
        };
        if !signed {
            return unsigned(false).done();
        }
        let signature = key.sign(&Writer::default().string(session).raw(&unsigned(true).done()).done());
        unsigned(true).string(Writer::default().string(ED25519).string(signature).done()).done()
    }

    #[test]
    fn judge_lets_in_a_signature_by_a_listed_key_for_this_connection_only() {
        let (pair, keys) = pair();
        let blob = keys[0].blob.clone();
        let mut attempts = Authentication::default();
        let asked = attempts.judge(&request(&pair, &blob, b"session", false), b"session", &keys).unwrap();
        assert!(matches!(asked, Verdict::Continue { refused_key: false, .. }));
        let accepted = attempts.judge(&request(&pair, &blob, b"session", true), b"session", &keys);
        assert_eq!(accepted, Ok(Verdict::Accepted(vec![USERAUTH_SUCCESS])));
        let replayed = attempts.judge(&request(&pair, &blob, b"another", true), b"session", &keys).unwrap();
        assert!(matches!(replayed, Verdict::Continue { refused_key: true, .. }));
    }

    #[test]
    fn judge_refuses_every_other_key_and_method_and_gives_up_after_six() {
        let (pair, keys) = pair();
        let other = Ed25519KeyPair::from_seed_unchecked(&[2; 32]).unwrap();
        let other_blob = Writer::default().string(ED25519).string(other.public_key()).done();
        let mut attempts = Authentication::default();
        let unlisted = attempts.judge(&request(&other, &other_blob, b"s", true), b"s", &keys).unwrap();
        assert!(matches!(unlisted, Verdict::Continue { refused_key: true, .. }));
        let borrowed = attempts.judge(&request(&other, &keys[0].blob, b"s", true), b"s", &keys).unwrap();
        assert!(matches!(borrowed, Verdict::Continue { refused_key: true, .. }));
        let password = Writer::message(USERAUTH_REQUEST).string("u").string("ssh-connection").string("password").boolean(false).string("x");
        let password = password.done();
        for _ in 0..3 {
            assert!(matches!(attempts.judge(&password, b"s", &keys).unwrap(), Verdict::Continue { refused_key: false, .. }));
        }
        assert_eq!(attempts.judge(&password, b"s", &keys), Ok(Verdict::TooMany { refused_key: false }));
        assert_eq!(attempts.judge(&request(&pair, &keys[0].blob, b"s", true)[..40], b"s", &keys), Err(Malformed));
    }

    #[test]
    fn judge_gives_up_on_a_client_that_only_asks() {
        let (pair, keys) = pair();
        let blob = keys[0].blob.clone();
        let none = Writer::message(USERAUTH_REQUEST).string("u").string("ssh-connection").string("none").done();
        for question in [none, request(&pair, &blob, b"s", false)] {
            let mut attempts = Authentication::default();
            for _ in 0..MAX_REQUESTS {
                assert!(matches!(attempts.judge(&question, b"s", &keys), Ok(Verdict::Continue { refused_key: false, .. })));
            }
            assert_eq!(attempts.judge(&question, b"s", &keys), Ok(Verdict::TooMany { refused_key: false }));
        }
    }
}
