//! Data types of RFC 4251 section 5.

/// Error for bytes that are no valid message. The connection cannot continue.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed;

/// Parser of a message.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub const fn of(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn byte(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    pub fn boolean(&mut self) -> Result<bool, Malformed> {
        Ok(self.byte()? != 0)
    }

    pub fn uint32(&mut self) -> Result<u32, Malformed> {
        let bytes = self.take(4)?.try_into().map_err(|_| Malformed)?;
        Ok(u32::from_be_bytes(bytes))
    }

    pub fn string(&mut self) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(self.uint32()?).map_err(|_| Malformed)?;
        self.take(length)
    }

    /// Reads a list of names, which are ASCII.
    pub fn names(&mut self) -> Result<Vec<&'a str>, Malformed> {
        let text = std::str::from_utf8(self.string()?).map_err(|_| Malformed)?;
        Ok(text.split(',').filter(|name| !name.is_empty()).collect())
    }

    /// Reads a positive number, without its leading zeros.
    pub fn number(&mut self) -> Result<&'a [u8], Malformed> {
        let bytes = self.string()?;
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        Ok(&bytes[zeros..])
    }

    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Fails when bytes are left after the last field.
    pub const fn end(&self) -> Result<(), Malformed> {
        if self.rest.is_empty() { Ok(()) } else { Err(Malformed) }
    }
}

/// Builder of a message.
#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Starts a message with this number.
    pub fn message(number: u8) -> Self {
        Self { bytes: vec![number] }
    }

    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub fn boolean(self, value: bool) -> Self {
        self.raw(&[u8::from(value)])
    }

    pub fn uint32(self, value: u32) -> Self {
        self.raw(&value.to_be_bytes())
    }

    pub fn string(self, bytes: impl AsRef<[u8]>) -> Self {
        // No message is near 4 GB.
        let length = u32::try_from(bytes.as_ref().len()).unwrap_or(u32::MAX);
        self.uint32(length).raw(bytes.as_ref())
    }

    /// Appends a positive number, big-endian.
    pub fn number(self, bytes: &[u8]) -> Self {
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let digits = &bytes[zeros..];
        // A highest bit of 1 would make the number negative.
        let sign: &[u8] = if digits.first().is_some_and(|&byte| byte >= 0x80) { &[0] } else { &[] };
        self.string([sign, digits].concat())
    }

    pub fn done(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_is_written_as_in_rfc_4251_section_5() {
        assert_eq!(Writer::default().number(&[0, 0]).done(), [0, 0, 0, 0]);
        assert_eq!(Writer::default().number(&[0x80]).done(), [0, 0, 0, 2, 0, 0x80]);
        assert_eq!(Writer::default().number(&[0, 0x09, 0xa3]).done(), [0, 0, 0, 2, 0x09, 0xa3]);
        assert_eq!(Reader::of(&[0, 0, 0, 2, 0, 0x80]).number(), Ok(&[0x80][..]));
    }

    #[test]
    fn reader_refuses_lengths_beyond_the_end() {
        assert_eq!(Reader::of(&[0, 0, 0, 5, 1]).string(), Err(Malformed));
        assert_eq!(Reader::of(&[0xff, 0xff, 0xff, 0xff]).string(), Err(Malformed));
        assert_eq!(Reader::of(&[0, 0, 0, 3, b'a', b',', b'b']).names(), Ok(vec!["a", "b"]));
        assert!(Reader::of(&[]).byte().is_err());
    }
}
