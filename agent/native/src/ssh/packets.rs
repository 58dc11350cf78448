//! The binary packet protocol, RFC 4253 section 6, in the clear and with `chacha20-poly1305@openssh.com` (PROTOCOL.chacha20poly1305
//! of OpenSSH).

use super::wire::Malformed;
use ring::aead::chacha20_poly1305_openssh::{KEY_LEN, OpeningKey, SealingKey, TAG_LEN};
use ring::rand::{SecureRandom, SystemRandom};

/// Of a direction's key material.
pub const KEY_BYTES: usize = KEY_LEN;
/// RFC 4253 section 6.1 asks for 35,000; OpenSSH takes 256 kB.
const MAX_PACKET_BYTES: usize = 256 * 1024;
const LENGTH_BYTES: usize = 4;
const BLOCK_BYTES: usize = 8;
const MIN_PADDING_BYTES: usize = 4;

/// Packets that come.
#[derive(Default)]
pub struct Incoming {
    buffer: Vec<u8>,
    sequence: u32,
    key: Option<OpeningKey>,
    /// Of the packet that is coming, once it is known.
    length: Option<usize>,
}

impl Incoming {
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole packet's payload.
    pub fn next(&mut self) -> Result<Option<Vec<u8>>, Malformed> {
        let Some(length) = self.length()? else { return Ok(None) };
        let tag_bytes = if self.key.is_some() { TAG_LEN } else { 0 };
        let whole = LENGTH_BYTES + length + tag_bytes;
        if self.buffer.len() < whole {
            return Ok(None);
        }
        let mut packet: Vec<u8> = self.buffer.drain(..whole).collect();
        let (body, tag) = packet.split_at_mut(LENGTH_BYTES + length);
        let plain = match &self.key {
            None => &body[LENGTH_BYTES..],
            Some(key) => {
                let tag = (&*tag).try_into().map_err(|_| Malformed)?;
                key.open_in_place(self.sequence, body, tag).map_err(|_| Malformed)?
            }
        };
        self.length = None;
        self.sequence = self.sequence.wrapping_add(1);
        let (&padding, rest) = plain.split_first().ok_or(Malformed)?;
        let payload_bytes = rest.len().checked_sub(usize::from(padding)).ok_or(Malformed)?;
        if payload_bytes == 0 || usize::from(padding) < MIN_PADDING_BYTES {
            return Err(Malformed);
        }
        Ok(Some(rest[..payload_bytes].to_vec()))
    }

    fn length(&mut self) -> Result<Option<usize>, Malformed> {
        if self.length.is_none() {
            let Some(field) = self.buffer.first_chunk::<LENGTH_BYTES>() else { return Ok(None) };
            let plain = self.key.as_ref().map_or(*field, |key| key.decrypt_packet_length(self.sequence, *field));
            let length = usize::try_from(u32::from_be_bytes(plain)).map_err(|_| Malformed)?;
            if !(BLOCK_BYTES - LENGTH_BYTES..=MAX_PACKET_BYTES).contains(&length) {
                return Err(Malformed);
            }
            self.length = Some(length);
        }
        Ok(self.length)
    }

    /// From the next packet on; `restarts` is the strict key exchange's.
    pub fn use_key(&mut self, key: &[u8; KEY_BYTES], restarts: bool) {
        self.key = Some(OpeningKey::new(key));
        if restarts {
            self.sequence = 0;
        }
    }

    /// Of the packet that came last.
    pub const fn last_sequence(&self) -> u32 {
        self.sequence.wrapping_sub(1)
    }
}

/// Packets that go.
#[derive(Default)]
pub struct Outgoing {
    sequence: u32,
    key: Option<SealingKey>,
}

impl Outgoing {
    /// Puts the packet of `payload` at the end of `target`.
    pub fn write(&mut self, payload: &[u8], target: &mut Vec<u8>) -> Result<(), Malformed> {
        // Encrypted, the length is no part of what is padded.
        let padded_with_length = if self.key.is_some() { 0 } else { LENGTH_BYTES };
        let unpadded = padded_with_length + 1 + payload.len();
        let padding = BLOCK_BYTES - unpadded % BLOCK_BYTES;
        let padding = if padding < MIN_PADDING_BYTES { padding + BLOCK_BYTES } else { padding };
        let length = 1 + payload.len() + padding;
        let mut packet = Vec::with_capacity(LENGTH_BYTES + length + TAG_LEN);
        packet.extend_from_slice(&u32::try_from(length).map_err(|_| Malformed)?.to_be_bytes());
        packet.push(u8::try_from(padding).map_err(|_| Malformed)?);
        packet.extend_from_slice(payload);
        let padding_at = packet.len();
        packet.resize(padding_at + padding, 0);
        SystemRandom::new().fill(&mut packet[padding_at..]).map_err(|_| Malformed)?;
        if let Some(key) = &self.key {
            let mut tag = [0; TAG_LEN];
            key.seal_in_place(self.sequence, &mut packet, &mut tag);
            packet.extend_from_slice(&tag);
        }
        self.sequence = self.sequence.wrapping_add(1);
        target.extend_from_slice(&packet);
        Ok(())
    }

    /// From the next packet on.
    pub fn use_key(&mut self, key: &[u8; KEY_BYTES], restarts: bool) {
        self.key = Some(SealingKey::new(key));
        if restarts {
            self.sequence = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(key: Option<[u8; KEY_BYTES]>) -> (Outgoing, Incoming) {
        let (mut outgoing, mut incoming) = (Outgoing::default(), Incoming::default());
        if let Some(key) = key {
            outgoing.use_key(&key, true);
            incoming.use_key(&key, true);
        }
        (outgoing, incoming)
    }

    #[test]
    fn packets_come_as_they_went_in_the_clear_and_encrypted() {
        for key in [None, Some([7; KEY_BYTES])] {
            let (mut outgoing, mut incoming) = pair(key);
            for size in [1, 2, 3, 7, 8, 9, 200, 40_000] {
                let payload = vec![size as u8; size];
                let mut bytes = Vec::new();
                outgoing.write(&payload, &mut bytes).unwrap();
                assert_eq!(bytes.len() % BLOCK_BYTES, if key.is_some() { 4 } else { 0 });
                let (one, other) = bytes.split_at(bytes.len() / 2);
                incoming.feed(one);
                assert_eq!(incoming.next(), Ok(None));
                incoming.feed(other);
                assert_eq!(incoming.next(), Ok(Some(payload)));
            }
        }
    }

    #[test]
    fn a_changed_bit_anywhere_ends_the_connection() {
        for at in 4..40 {
            let (mut outgoing, mut incoming) = pair(Some([9; KEY_BYTES]));
            let mut bytes = Vec::new();
            outgoing.write(b"twelve bytes", &mut bytes).unwrap();
            let at = at % bytes.len();
            bytes[at] ^= 1;
            incoming.feed(&bytes);
            assert_eq!(incoming.next(), Err(Malformed), "byte {at}");
        }
    }

    #[test]
    fn a_packet_sent_twice_is_refused() {
        let (mut outgoing, mut incoming) = pair(Some([9; KEY_BYTES]));
        let mut bytes = Vec::new();
        outgoing.write(b"once", &mut bytes).unwrap();
        incoming.feed(&bytes);
        assert_eq!(incoming.next(), Ok(Some(b"once".to_vec())));
        incoming.feed(&bytes);
        assert_ne!(incoming.next(), Ok(Some(b"once".to_vec())));
    }

    #[test]
    fn lengths_without_sense_are_refused() {
        for packet in [[0, 0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff, 0], [0, 0, 0, 4, 4], [0, 0, 0, 4, 200]] {
            let mut incoming = Incoming::default();
            incoming.feed(&packet);
            incoming.feed(&[0; 3]);
            assert_eq!(incoming.next(), Err(Malformed));
        }
    }
}
