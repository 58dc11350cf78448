//! Verification of clients' signatures, for all supported types of keys.

use super::wire::{Malformed, Reader};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA512,
    RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};

/// Accepted signature algorithms, announced to clients (RFC 8308 section 3.1). SHA-1 is not among them.
pub const ALGORITHMS: &str = "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,rsa-sha2-512,rsa-sha2-256";

/// True when the signature algorithm is accepted and fits the key type.
pub fn fits(algorithm: &str, key_type: &str) -> bool {
    ALGORITHMS.split(',').any(|known| known == algorithm)
        && if algorithm.starts_with("rsa-") { key_type == "ssh-rsa" } else { algorithm == key_type }
}

/// True when `signature` is a valid signature of `message` by the key in `blob`. `algorithm` must fit the key type.
pub fn verify(algorithm: &str, blob: &[u8], message: &[u8], signature: &[u8]) -> bool {
    check(algorithm, blob, message, signature).unwrap_or(false)
}

fn check(algorithm: &str, blob: &[u8], message: &[u8], signature: &[u8]) -> Result<bool, Malformed> {
    let mut key = Reader::of(blob);
    key.string()?;
    let mut signed = Reader::of(signature);
    if signed.string()? != algorithm.as_bytes() {
        return Ok(false);
    }
    let signature = signed.string()?;
    if !signed.is_empty() {
        return Ok(false);
    }
    let simple = |by: &'static dyn VerificationAlgorithm, key: &[u8], signature: &[u8]| {
        UnparsedPublicKey::new(by, key).verify(message, signature).is_ok()
    };
    Ok(match algorithm {
        "ssh-ed25519" => simple(&ED25519, key.string()?, signature),
        "ecdsa-sha2-nistp256" => {
            key.string()?;
            simple(&ECDSA_P256_SHA256_FIXED, key.string()?, &fixed(signature, 32)?)
        }
        "ecdsa-sha2-nistp384" => {
            key.string()?;
            simple(&ECDSA_P384_SHA384_FIXED, key.string()?, &fixed(signature, 48)?)
        }
        "rsa-sha2-256" | "rsa-sha2-512" => {
            let (e, n) = (key.number()?, key.number()?);
            let by = if algorithm == "rsa-sha2-256" { &RSA_PKCS1_2048_8192_SHA256 } else { &RSA_PKCS1_2048_8192_SHA512 };
            RsaPublicKeyComponents { n, e }.verify(by, message, signature).is_ok()
        }
        _ => false,
    })
}

/// Returns the two numbers of an ECDSA signature (RFC 5656 section 3.1.2), each padded to `bytes`.
fn fixed(signature: &[u8], bytes: usize) -> Result<Vec<u8>, Malformed> {
    let mut reader = Reader::of(signature);
    let mut both = Vec::with_capacity(2 * bytes);
    for number in [reader.number()?, reader.number()?] {
        let missing = bytes.checked_sub(number.len()).ok_or(Malformed)?;
        both.resize(both.len() + missing, 0);
        both.extend_from_slice(number);
    }
    Ok(both)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_pairs_algorithms_with_kinds_of_keys() {
        assert!(fits("rsa-sha2-512", "ssh-rsa") && fits("ssh-ed25519", "ssh-ed25519"));
        assert!(!fits("ssh-rsa", "ssh-rsa"), "SHA-1");
        assert!(!fits("ssh-ed25519", "ssh-rsa") && !fits("ecdsa-sha2-nistp521", "ecdsa-sha2-nistp521"));
    }

    #[test]
    fn verify_refuses_what_is_no_signature() {
        for signature in [&[][..], &[0, 0, 0, 11], b"\0\0\0\x0bssh-ed25519\0\0\0\x01x"] {
            assert!(!verify("ssh-ed25519", b"\0\0\0\x0bssh-ed25519\0\0\0\x01x", b"", signature));
        }
    }
}
