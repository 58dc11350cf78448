//! Scanner of a JSON text (RFC 8259), which reads it once from start to end.

/// JSON string between its quotes, validated but not yet decoded.
pub struct Text<'json> {
    raw: &'json [u8],
    is_plain: bool,
}

impl Text<'_> {
    /// Decodes the string into UTF-16 code units. Invalid sequences become U+FFFD; lone surrogates are kept.
    pub fn units(&self) -> Vec<u16> {
        let text = String::from_utf8_lossy(self.raw);
        let mut units = Vec::with_capacity(text.len());
        let mut rest = text.chars();
        while let Some(char) = rest.next() {
            let unit = match char {
                '\\' => match rest.next().unwrap_or_default() {
                    'b' => 8,
                    'f' => 12,
                    'n' => 10,
                    'r' => 13,
                    't' => 9,
                    'u' => rest.by_ref().take(4).fold(0, |unit, digit| unit << 4 | digit.to_digit(16).unwrap_or_default() as u16),
                    itself => itself as u16,
                },
                char => {
                    units.extend_from_slice(char.encode_utf16(&mut [0; 2]));
                    continue;
                }
            };
            units.push(unit);
        }
        units
    }

    /// True when the decoded string equals `name`.
    pub fn is(&self, name: &str) -> bool {
        if self.is_plain { self.raw == name.as_bytes() } else { String::from_utf16(&self.units()).is_ok_and(|text| text == name) }
    }

    /// Decodes the string. Lone surrogates become U+FFFD.
    pub fn decoded(&self) -> String {
        if self.is_plain { String::from_utf8_lossy(self.raw).into_owned() } else { String::from_utf16_lossy(&self.units()) }
    }
}

/// Scanner of a JSON text. Its methods return `None` when the text is not JSON.
pub struct Scanner<'json> {
    text: &'json [u8],
    /// Position of the next byte to read.
    pub at: usize,
}

impl<'json> Scanner<'json> {
    /// Creates a scanner at the start of the text.
    pub const fn new(text: &'json [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// True when only white space follows.
    pub fn is_at_end(&mut self) -> bool {
        self.blank();
        self.at == self.text.len()
    }

    /// Returns the next byte without consuming it; 0 at the end.
    pub fn peek(&self) -> u8 {
        // No JSON value begins with 0.
        self.text.get(self.at).copied().unwrap_or(0)
    }

    /// Consumes the byte if it comes next. Returns true then.
    pub fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == byte;
        self.at += usize::from(is_there);
        is_there
    }

    /// Consumes the byte, which must come next.
    pub fn expect(&mut self, byte: u8) -> Option<()> {
        self.takes(byte).then_some(())
    }

    /// Skips white space.
    pub fn blank(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    /// Reads a member's name and the colon after it.
    pub fn name(&mut self) -> Option<Text<'json>> {
        self.blank();
        let name = self.string()?;
        self.blank();
        self.expect(b':')?;
        Some(name)
    }

    /// Skips a value of any depth. Open brackets are on the heap and not on the stack, at most one for each byte of the text.
    pub fn skip(&mut self) -> Option<()> {
        let mut open = Vec::new();
        loop {
            self.blank();
            match self.peek() {
                b'{' => {
                    self.at += 1;
                    self.blank();
                    if !self.takes(b'}') {
                        self.name()?;
                        open.push(b'}');
                        continue;
                    }
                }
                b'[' => {
                    self.at += 1;
                    self.blank();
                    if !self.takes(b']') {
                        open.push(b']');
                        continue;
                    }
                }
                b'"' => {
                    self.string()?;
                }
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'n' => self.word(b"null")?,
                _ => {
                    self.number()?;
                }
            }
            loop {
                let Some(&close) = open.last() else { return Some(()) };
                self.blank();
                if !self.takes(close) {
                    self.expect(b',')?;
                    if close == b'}' {
                        self.name()?;
                    }
                    break;
                }
                open.pop();
            }
        }
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.text[self.at..].starts_with(word).then(|| self.at += word.len())
    }

    /// Reads a string.
    pub fn string(&mut self) -> Option<Text<'json>> {
        self.expect(b'"')?;
        let from = self.at;
        let mut is_plain = true;
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.iter().position(|&byte| byte == b'"' || byte == b'\\' || !(0x20..0x80).contains(&byte))?;
            match self.peek() {
                b'"' => break,
                b'\\' => {
                    is_plain = false;
                    self.at += 1;
                    match self.peek() {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => (),
                        b'u' if self.text.get(self.at + 1..self.at + 5)?.iter().all(u8::is_ascii_hexdigit) => self.at += 4,
                        _ => return None,
                    }
                }
                0x80.. => is_plain = false,
                _ => return None,
            }
            self.at += 1;
        }
        let raw = &self.text[from..self.at];
        self.at += 1;
        Some(Text { raw, is_plain })
    }

    /// Reads a number and returns its text, which Rust parses in the same way.
    pub fn number(&mut self) -> Option<&'json str> {
        let from = self.at;
        self.takes(b'-');
        if !self.takes(b'0') {
            self.digits()?;
        }
        if self.takes(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits()?;
        }
        std::str::from_utf8(&self.text[from..self.at]).ok()
    }

    /// Skips one or more digits.
    fn digits(&mut self) -> Option<()> {
        let from = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > from).then_some(())
    }
}
