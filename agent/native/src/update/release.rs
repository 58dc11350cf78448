//! Signed list of a release: its version and the checksums of its files.

use minisign_verify::{Error, PublicKey, Signature};

/// Release whose signature was verified.
#[derive(Debug)]
pub struct Release {
    /// Three numbers with dots.
    pub version: String,
    /// File names with their SHA-256 in hexadecimal digits.
    checksums: Vec<(String, String)>,
}

impl Release {
    /// Verifies the signature over the list of checksums and reads the list. The version is in the trusted comment of the signature, so an
    /// old release cannot be passed off as a new one. The error is one sentence.
    pub fn read(public_key: &str, signature: &str, sums: &str) -> Result<Self, String> {
        let key = PublicKey::decode(public_key).map_err(|_| "The public key is damaged. Nothing was changed.")?;
        let signature = Signature::decode(signature).map_err(|_| "The signature is damaged. Nothing was changed.")?;
        key.verify(sums.as_bytes(), &signature, false).map_err(|error| match error {
            Error::UnexpectedKeyId => "The signature was made with another key. Nothing was changed.",
            Error::UnexpectedAlgorithm => "The signature is of an unknown kind. Nothing was changed.",
            _ => "The signature does not belong to this content. Nothing was changed.",
        })?;
        let version = signature.trusted_comment().strip_prefix("vedette ").filter(|version| numbers_of(version).is_some());
        let version = version.ok_or("The signature is not that of a release of Vedette")?.to_owned();
        let checksums = sums.lines().filter(|line| !line.is_empty()).map(checksum_in).collect::<Option<_>>();
        Ok(Self { version, checksums: checksums.ok_or("The signed list of checksums is damaged")? })
    }

    /// SHA-256 of a file of the release, in hexadecimal digits; `None` when the release does not have the file.
    pub fn checksum_of(&self, name: &str) -> Option<&str> {
        self.checksums.iter().find(|(other, _)| other == name).map(|(_, sum)| sum.as_str())
    }
}

/// Splits a line of sha256sum(1) into file name and checksum.
fn checksum_in(line: &str) -> Option<(String, String)> {
    let (sum, name) = line.split_once("  ").or_else(|| line.split_once(" *"))?;
    let is_sum = sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    (is_sum && is_name).then(|| (name.to_owned(), sum.to_owned()))
}

/// Numbers of a version of three parts with up to 4 digits; `None` for another text.
fn numbers_of(version: &str) -> Option<[u16; 3]> {
    let is_number = |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<u16> = version.split('.').map(|part| Some(part).filter(is_number)?.parse().ok()).collect::<Option<_>>()?;
    parts.try_into().ok()
}

/// True when the first version is later than the second. A text that is no version counts as earlier than every version.
pub fn is_later(one: &str, other: &str) -> bool {
    numbers_of(one) > numbers_of(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "untrusted comment: minisign public key 6AA8E3378F37AD93\n\
        RWSTrTePN+OoatREcubfv3VFFuf7ZRP5Zq/sCxYBwR8VMaxl7fae57I2\n";
    /// Signature of minisign 0.11 over `hello\n`.
    const SIGNATURE: &str = "untrusted comment: signature from minisign secret key\n\
        RUSTrTePN+OoaiGH1PHYl4j2Qa9J+jeeuz/SWg2XMwJoj9025tPbxEhknK+u6f5WMhjQnWOGbrw68tUXsl8O2rMyOGFKmcZOww0=\n\
        trusted comment: vedette 0.1.0\n\
        HTXDQHib9/fZeWd+vd5ri7EStVhN3WK1YfIjSgp0SkFb7GA4qpNbARHUoSrWO/cSVlvykNfbOK1chPJLIAXUAQ==\n";

    #[test]
    fn read_accepts_only_what_the_key_has_signed() {
        // The signature is valid, and the content is no list: it is read only after the signature.
        assert_eq!(Release::read(KEY, SIGNATURE, "hello\n").unwrap_err(), "The signed list of checksums is damaged");
        let refused = |key: &str, signature: &str, sums: &str| Release::read(key, signature, sums).unwrap_err();
        assert!(refused(KEY, SIGNATURE, "hullo\n").contains("does not belong"));
        assert!(refused(KEY, &SIGNATURE.replace("0.1.0", "9.9.9"), "hello\n").contains("does not belong"));
        assert!(refused(&KEY.replace("RWSTrTeP", "RWSTrTeQ"), SIGNATURE, "hello\n").contains("another key"));
        assert!(refused(KEY, &SIGNATURE.replace("RUST", "RWST"), "hello\n").contains("unknown kind"));
        assert!(refused(KEY, &SIGNATURE[..100], "hello\n").contains("damaged"));
        assert!(refused("", SIGNATURE, "hello\n").contains("key is damaged"));
        for end in 0..SIGNATURE.len() - 1 {
            assert!(Release::read(KEY, &SIGNATURE[..end], "hello\n").is_err(), "{end}");
        }
    }

    #[test]
    fn checksum_in_reads_only_lines_of_sha256sum() {
        let sum = "0".repeat(64);
        assert_eq!(checksum_in(&format!("{sum}  a-b.c")), Some(("a-b.c".into(), sum.clone())));
        for wrong in [format!("{sum} a"), format!("{sum}  ../a"), format!("{sum}  "), format!("{}A  a", &sum[1..]), String::new()] {
            assert_eq!(checksum_in(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn is_later_compares_numbers() {
        for (one, other, expected) in
            [("0.10.0", "0.9.0", true), ("0.1.0", "0.1.0", false), ("0.9.9", "1.0.0", false), ("x", "0.1.0", false)]
        {
            assert_eq!(is_later(one, other), expected, "{one} {other}");
        }
    }
}
