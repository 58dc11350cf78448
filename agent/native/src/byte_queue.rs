//! Byte queue with a cursor: consuming bytes from the front rarely moves the others.

use std::io::{ErrorKind, Result, Write};

/// Capacity to which the buffer shrinks when the queue becomes empty.
const KEPT_BYTES: usize = 4 * 1024;

/// Queue of bytes between a socket and a parser, in either direction.
#[derive(Default)]
pub struct ByteQueue {
    bytes: Vec<u8>,
    start: usize,
}

impl ByteQueue {
    /// Appends bytes at the end of the queue.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns all queued bytes.
    pub fn waiting(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Returns all queued bytes, mutable for decryption in place.
    pub fn waiting_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..]
    }

    /// Returns the number of queued bytes.
    pub const fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    /// True when the queue is empty.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes at most `count` bytes from the front.
    pub fn consume(&mut self, count: usize) {
        self.start += count.min(self.len());
        if self.is_empty() {
            self.start = 0;
            self.bytes.clear();
            self.bytes.shrink_to(KEPT_BYTES);
        } else if self.start > self.len() {
            // Fewer bytes move than were removed since the last move, so all moves together cost no more than one copy.
            self.bytes.drain(..self.start);
            self.start = 0;
        }
    }

    /// Removes `count` bytes from the front and returns them. Panics if the queue has fewer.
    pub fn take(&mut self, count: usize) -> Vec<u8> {
        let taken = self.waiting()[..count].to_vec();
        self.consume(count);
        taken
    }

    /// Writes to `target` until the queue is empty or `target` would block. Returns the number of written bytes.
    pub fn write_to(&mut self, target: &mut impl Write) -> Result<usize> {
        let before = self.len();
        while !self.is_empty() {
            match target.write(self.waiting()) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => self.consume(count),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) => return Err(error),
            }
        }
        Ok(before - self.len())
    }
}

impl From<Vec<u8>> for ByteQueue {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, start: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_leave_in_the_order_in_which_they_came() {
        let mut queue = ByteQueue::default();
        let mut expected = 0_u8;
        for round in 0..200_u8 {
            queue.push(&[round.wrapping_mul(2), round.wrapping_mul(2).wrapping_add(1)]);
            if round % 3 != 0 {
                assert_eq!(queue.take(1), [expected]);
                expected = expected.wrapping_add(1);
            }
        }
        while !queue.is_empty() {
            assert_eq!(queue.take(1), [expected]);
            expected = expected.wrapping_add(1);
        }
        assert_eq!(expected, 144);
    }

    #[test]
    fn taking_small_pieces_off_a_long_queue_moves_no_byte_more_than_a_few_times() {
        let mut queue = ByteQueue::default();
        queue.push(&vec![7; 1024 * 1024]);
        let (mut moves, mut last) = (0, queue.bytes.len());
        while !queue.is_empty() {
            queue.consume(10);
            moves += usize::from(queue.bytes.len() != last);
            last = queue.bytes.len();
        }
        assert!(moves < 32, "{moves} moves");
        assert!(queue.bytes.capacity() <= KEPT_BYTES);
    }

    #[test]
    fn write_to_stops_where_the_target_is_full() {
        let mut queue = ByteQueue::from(b"hello".to_vec());
        let mut room = [0; 3];
        assert_eq!(queue.write_to(&mut &mut room[..]).unwrap_err().kind(), ErrorKind::WriteZero);
        assert_eq!((&room[..], queue.waiting()), (&b"hel"[..], &b"lo"[..]));
    }
}
