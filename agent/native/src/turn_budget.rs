//! Read budget of one peer in one turn of the loop. All reads use it, so that a fast peer does not delay the timers and the other peers.

use std::io::{ErrorKind, Read, Result, Write};
use std::os::fd::{AsFd, BorrowedFd};

/// Maximum number of bytes read from one peer in one turn of the loop.
pub const TURN_BYTES: usize = 64 * 1024;

/// Socket or pipe whose reads return `WouldBlock` once the turn's budget is used up.
pub struct Budgeted<T> {
    source: T,
    left: usize,
}

impl<T> Budgeted<T> {
    pub const fn new(source: T) -> Self {
        Self { source, left: TURN_BYTES }
    }

    /// Renews the budget for the next turn.
    pub const fn renew(&mut self) {
        self.left = TURN_BYTES;
    }

    /// True when the budget is used up. TLS may then hold decrypted bytes that poll(2) does not see.
    pub const fn is_spent(&self) -> bool {
        self.left == 0
    }

    pub const fn get_ref(&self) -> &T {
        &self.source
    }
}

impl<T: Read> Read for Budgeted<T> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.left == 0 {
            return Err(ErrorKind::WouldBlock.into());
        }
        let most = buffer.len().min(self.left);
        let count = self.source.read(&mut buffer[..most])?;
        self.left -= count;
        Ok(count)
    }
}

impl<T: Write> Write for Budgeted<T> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        self.source.write(data)
    }

    fn flush(&mut self) -> Result<()> {
        self.source.flush()
    }
}

impl<T: AsFd> AsFd for Budgeted<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.source.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_reads_its_bytes_and_the_next_one_the_rest() {
        let sent = vec![1; TURN_BYTES + 10];
        let mut source = Budgeted::new(&sent[..]);
        let read = |source: &mut Budgeted<&[u8]>| {
            let mut buffer = vec![0; 3 * TURN_BYTES];
            let mut total = 0;
            loop {
                match source.read(&mut buffer) {
                    Ok(0) => return (total, None),
                    Ok(count) => total += count,
                    Err(error) => return (total, Some(error.kind())),
                }
            }
        };
        assert_eq!(read(&mut source), (TURN_BYTES, Some(ErrorKind::WouldBlock)));
        assert!(source.is_spent());
        source.renew();
        assert_eq!(read(&mut source), (10, None));
        assert!(!source.is_spent());
    }
}
