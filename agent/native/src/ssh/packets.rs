//! Binary packet protocol (RFC 4253 section 6), unencrypted and with `chacha20-poly1305@openssh.com` (PROTOCOL.chacha20poly1305 of
//! OpenSSH).

use super::wire::Malformed;
use crate::byte_queue::ByteQueue;
use ring::aead::chacha20_poly1305_openssh::{KEY_LEN, OpeningKey, SealingKey, TAG_LEN};
use ring::rand::{SecureRandom, SystemRandom};

/// Number of key bytes for one direction.
pub const KEY_BYTES: usize = KEY_LEN;
/// Maximum packet size before sign-in. The longest messages, KEXINIT and a signature of a long RSA key, have 2 to 3 kB.
const MAX_UNPROVED_PACKET_BYTES: usize = 8 * 1024;
/// Maximum packet size after sign-in, as in OpenSSH.
const MAX_PACKET_BYTES: usize = 256 * 1024;
const LENGTH_BYTES: usize = 4;
const BLOCK_BYTES: usize = 8;
const MIN_PADDING_BYTES: usize = 4;

/// Decoder of received packets.
#[derive(Default)]
pub struct Incoming {
    buffer: ByteQueue,
    sequence: u32,
    key: Option<OpeningKey>,
    /// Length field of the current packet, once it is received.
    length: Option<usize>,
    takes_long: bool,
}

impl Incoming {
    /// Appends received bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.push(bytes);
    }

    /// Returns the payload of the next complete packet; `None` when more bytes are needed.
    pub fn next(&mut self) -> Result<Option<Vec<u8>>, Malformed> {
        let Some(length) = self.length()? else { return Ok(None) };
        let tag_bytes = if self.key.is_some() { TAG_LEN } else { 0 };
        let whole = LENGTH_BYTES + length + tag_bytes;
        let Some(packet) = self.buffer.waiting_mut().get_mut(..whole) else { return Ok(None) };
        let (body, tag) = packet.split_at_mut(LENGTH_BYTES + length);
        let plain = match &self.key {
            None => &body[LENGTH_BYTES..],
            Some(key) => {
                let tag = (&*tag).try_into().map_err(|_| Malformed)?;
                key.open_in_place(self.sequence, body, tag).map_err(|_| Malformed)?
            }
        };
        let (&padding, rest) = plain.split_first().ok_or(Malformed)?;
        let payload_bytes = rest.len().checked_sub(usize::from(padding)).ok_or(Malformed)?;
        if payload_bytes == 0 || usize::from(padding) < MIN_PADDING_BYTES {
            return Err(Malformed);
        }
        let payload = rest[..payload_bytes].to_vec();
        self.buffer.consume(whole);
        self.length = None;
        self.sequence = self.sequence.wrapping_add(1);
        Ok(Some(payload))
    }

    fn length(&mut self) -> Result<Option<usize>, Malformed> {
        if self.length.is_none() {
            let Some(field) = self.buffer.waiting().first_chunk::<LENGTH_BYTES>() else { return Ok(None) };
            let plain = self.key.as_ref().map_or(*field, |key| key.decrypt_packet_length(self.sequence, *field));
            let length = usize::try_from(u32::from_be_bytes(plain)).map_err(|_| Malformed)?;
            let most = if self.takes_long { MAX_PACKET_BYTES } else { MAX_UNPROVED_PACKET_BYTES };
            // With encryption, the padded block does not include the length field.
            let padded = if self.key.is_some() { length } else { LENGTH_BYTES + length };
            if !(BLOCK_BYTES - LENGTH_BYTES..=most).contains(&length) || padded % BLOCK_BYTES != 0 {
                return Err(Malformed);
            }
            self.length = Some(length);
        }
        Ok(self.length)
    }

    /// Uses `key` from the next packet on. Sequence numbers restart, as strict key exchange requires.
    pub fn use_key(&mut self, key: &[u8; KEY_BYTES]) {
        self.key = Some(OpeningKey::new(key));
        self.sequence = 0;
    }

    /// Accepts packets up to the size limit after sign-in.
    pub const fn take_long(&mut self) {
        self.takes_long = true;
    }

    /// Returns the sequence number of the last packet.
    pub const fn last_sequence(&self) -> u32 {
        self.sequence.wrapping_sub(1)
    }
}

/// Encoder of packets to send.
#[derive(Default)]
pub struct Outgoing {
    sequence: u32,
    key: Option<SealingKey>,
}

impl Outgoing {
    /// Appends a packet with `payload` to `target`.
    pub fn write(&mut self, payload: &[u8], target: &mut ByteQueue) -> Result<(), Malformed> {
        // With encryption, the padded block does not include the length field.
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
        target.push(&packet);
        Ok(())
    }

    /// Uses `key` from the next packet on. Sequence numbers restart, as strict key exchange requires.
    pub fn use_key(&mut self, key: &[u8; KEY_BYTES]) {
        self.key = Some(SealingKey::new(key));
        self.sequence = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(key: Option<[u8; KEY_BYTES]>) -> (Outgoing, Incoming) {
        let (mut outgoing, mut incoming) = (Outgoing::default(), Incoming::default());
        if let Some(key) = key {
            outgoing.use_key(&key);
            incoming.use_key(&key);
        }
        (outgoing, incoming)
    }

    fn packet(outgoing: &mut Outgoing, payload: &[u8]) -> Vec<u8> {
        let mut bytes = ByteQueue::default();
        outgoing.write(payload, &mut bytes).unwrap();
        bytes.take(bytes.len())
    }

    #[test]
    fn packets_come_as_they_went_in_the_clear_and_encrypted() {
        for key in [None, Some([7; KEY_BYTES])] {
            let (mut outgoing, mut incoming) = pair(key);
            for size in [1, 2, 3, 7, 8, 9, 200, 8_000] {
                let payload = vec![size as u8; size];
                let bytes = packet(&mut outgoing, &payload);
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
            let mut bytes = packet(&mut outgoing, b"twelve bytes");
            let at = at % bytes.len();
            bytes[at] ^= 1;
            incoming.feed(&bytes);
            assert_eq!(incoming.next(), Err(Malformed), "byte {at}");
        }
    }

    #[test]
    fn a_packet_sent_twice_is_refused() {
        let (mut outgoing, mut incoming) = pair(Some([9; KEY_BYTES]));
        let bytes = packet(&mut outgoing, b"once");
        incoming.feed(&bytes);
        assert_eq!(incoming.next(), Ok(Some(b"once".to_vec())));
        incoming.feed(&bytes);
        assert_ne!(incoming.next(), Ok(Some(b"once".to_vec())));
    }

    #[test]
    fn lengths_without_sense_are_refused() {
        let not_whole_blocks = [0, 0, 0, 13, 4];
        for packet in [[0, 0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff, 0], [0, 0, 0, 4, 4], [0, 0, 0, 4, 200], not_whole_blocks] {
            let mut incoming = Incoming::default();
            incoming.feed(&packet);
            incoming.feed(&[0; 3]);
            assert_eq!(incoming.next(), Err(Malformed));
        }
    }

    #[test]
    fn long_packets_are_for_clients_that_signed_in() {
        let payload = vec![1; 9_000];
        for takes_long in [false, true] {
            let (mut outgoing, mut incoming) = pair(Some([7; KEY_BYTES]));
            if takes_long {
                incoming.take_long();
            }
            incoming.feed(&packet(&mut outgoing, &payload));
            assert_eq!(incoming.next().is_ok(), takes_long);
        }
    }
}
