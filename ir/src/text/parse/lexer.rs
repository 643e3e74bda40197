//! The smallest pieces of text: white space, punctuation, words, numbers, strings.

use std::borrow::Cow;

use super::Parser;
use crate::error::Result;

/// A number as it is written, without its sign.
#[derive(Clone, Copy)]
pub(crate) struct Literal<'a> {
    pub(crate) negative: bool,
    pub(crate) digits: &'a [u8],
    pub(crate) kind: LiteralKind,
    pub(crate) start: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LiteralKind {
    Decimal,
    Hexadecimal,
    Float,
}

/// Whether a word may begin with this byte: letters and `_`.
#[doc(hidden)]
pub fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether this byte may stand in a word: letters, digits, `_`, `$` and `.`.
#[doc(hidden)]
pub fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

impl<'a> Parser<'a> {
    /// Skips white space and comments.
    pub fn skip(&mut self) {
        loop {
            match self.text.get(self.at) {
                Some(b' ') => {
                    self.at += 1;
                    // What is nested deep stands far to the right.
                    while self.text[self.at..].starts_with(&[b' '; 8]) {
                        self.at += 8;
                    }
                }
                Some(b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'/') if self.text.get(self.at + 1) == Some(&b'/') => {
                    let rest = &self.text[self.at..];
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Where the next token starts.
    pub fn here(&mut self) -> usize {
        self.skip();
        self.at
    }

    /// The next byte, after white space.
    pub fn peek(&mut self) -> Option<u8> {
        self.skip();
        self.text.get(self.at).copied()
    }

    /// Whether the next byte is this one.
    pub fn is_at(&mut self, byte: u8) -> bool {
        // What opens the resources of a file is no brace.
        self.peek() == Some(byte) && !(byte == b'{' && self.text[self.at..].starts_with(b"{-#"))
    }

    /// Takes this byte if it is next.
    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.is_at(byte);
        self.at += usize::from(found);
        found
    }

    /// Takes the byte where it is the very next one, without space before it.
    pub fn eat_next(&mut self, byte: u8) -> bool {
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// Takes this byte, which must be next.
    ///
    /// # Errors
    /// Where it is not.
    pub fn expect(&mut self, byte: u8) -> Result<()> {
        if self.eat(byte) { Ok(()) } else { Err(self.expected(&format!("`{}`", char::from(byte)))) }
    }

    /// Takes `->` if it is next.
    pub fn eat_arrow(&mut self) -> bool {
        self.skip();
        let found = self.text[self.at..].starts_with(b"->");
        self.at += if found { 2 } else { 0 };
        found
    }

    /// The next word (`[A-Za-z_][A-Za-z0-9_$.]*`), which is not taken. Empty where something else is next.
    pub fn peek_word(&mut self) -> &'a [u8] {
        self.skip();
        let rest = &self.text[self.at..];
        match rest.first() {
            Some(&first) if starts_word(first) => {
                &rest[..rest.iter().position(|&byte| !in_word(byte)).unwrap_or(rest.len())]
            }
            _ => &[],
        }
    }

    /// Takes the letters, digits and underscores that are next, whatever they begin with: `word`, `12` or `2x2`.
    pub fn name(&mut self) -> &'a [u8] {
        self.skip();
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes the next word. Empty where something else is next.
    pub fn word(&mut self) -> &'a [u8] {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// Takes this word if it is next, as a whole.
    pub fn eat_word(&mut self, word: &[u8]) -> bool {
        let found = self.peek_word() == word;
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Takes this word, which must be next.
    ///
    /// # Errors
    /// Where it is not.
    pub fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word.as_bytes()) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// The name behind a `#` or `!`, which has been taken: letters, digits, `$`, `.`, `_` and `-`, or digits alone.
    ///
    /// # Errors
    /// Where no name is next.
    #[doc(hidden)]
    pub fn suffix_identifier(&mut self) -> Result<&'a [u8]> {
        let rest = &self.text[self.at..];
        let end = |allowed: fn(u8) -> bool| rest.iter().position(|&byte| !allowed(byte)).unwrap_or(rest.len());
        let length = match rest.first() {
            Some(first) if first.is_ascii_digit() => end(|byte| byte.is_ascii_digit()),
            _ => end(|byte| in_word(byte) || byte == b'-'),
        };
        if length == 0 {
            return Err(self.error_at(self.at, "expected a name"));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    /// Takes a number, with a sign if there is one. `None` where no number is next, with nothing taken.
    pub(super) fn literal(&mut self) -> Option<Literal<'a>> {
        let start = self.here();
        let negative = self.eat(b'-');
        self.skip();
        let rest = &self.text[self.at..];
        let count = |from: usize, allowed: fn(&u8) -> bool| {
            rest[from..].iter().position(|byte| !allowed(byte)).map_or(rest.len(), |length| from + length)
        };
        let mut end = count(0, u8::is_ascii_digit);
        if end == 0 {
            self.at = start;
            return None;
        }
        let mut kind = LiteralKind::Decimal;
        if rest[0] == b'0' && rest.get(1) == Some(&b'x') && rest.get(2).is_some_and(u8::is_ascii_hexdigit) {
            kind = LiteralKind::Hexadecimal;
            end = count(2, u8::is_ascii_hexdigit);
        } else if rest.get(end) == Some(&b'.') {
            kind = LiteralKind::Float;
            end = count(end + 1, u8::is_ascii_digit);
            if let Some(b'e' | b'E') = rest.get(end) {
                let digits = end + 1 + usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
                if rest.get(digits).is_some_and(u8::is_ascii_digit) {
                    end = count(digits, u8::is_ascii_digit);
                }
            }
        }
        self.at += end;
        Some(Literal { negative, digits: &rest[..end], kind, start })
    }

    /// Takes decimal digits, however many: empty where none are next.
    pub fn decimal_digits(&mut self) -> &'a [u8] {
        let start = self.here();
        let length = self.text[start..].iter().take_while(|digit| digit.is_ascii_digit()).count();
        self.at += length;
        &self.text[start..self.at]
    }

    /// Takes an unsigned number that fits in 64 bits, decimal or hexadecimal. `None` where something else is next.
    pub fn unsigned(&mut self) -> Option<u64> {
        let start = self.at;
        let value = self.literal().filter(|literal| !literal.negative).and_then(|literal| literal.to_u64());
        if value.is_none() {
            self.at = start;
        }
        value
    }

    /// Takes a signed number that fits in 64 bits, decimal or hexadecimal. `None` where something else is next.
    pub fn signed(&mut self) -> Option<i64> {
        let start = self.at;
        let value = self.literal().and_then(|literal| literal.to_i64());
        if value.is_none() {
            self.at = start;
        }
        value
    }

    /// Takes a string in quotes, and resolves its escapes.
    ///
    /// # Errors
    /// Where no string is next, or it is not closed, or holds an escape that is none.
    pub fn string(&mut self) -> Result<Cow<'a, [u8]>> {
        if !self.is_at(b'"') {
            return Err(self.expected("a string"));
        }
        let start = self.at + 1;
        let text = self.text;
        let raw_end = self.skip_string()?;
        let raw = &text[start..raw_end];
        if !raw.contains(&b'\\') {
            return Ok(Cow::Borrowed(raw));
        }
        let mut value = Vec::with_capacity(raw.len());
        let mut bytes = raw.iter();
        while let Some(&byte) = bytes.next() {
            if byte != b'\\' {
                value.push(byte);
                continue;
            }
            // What may follow has been checked.
            let first = *bytes.next().unwrap_or(&b'\\');
            value.push(match first {
                b'n' => b'\n',
                b't' => b'\t',
                b'"' | b'\\' => first,
                _ => hex_value(first) << 4 | bytes.next().map_or(0, |&second| hex_value(second)),
            });
        }
        Ok(Cow::Owned(value))
    }

    /// Goes past a string in quotes, checking its escapes. Gives where the closing quote stands.
    ///
    /// # Errors
    /// Where the string does not end, or an escape is wrong.
    #[doc(hidden)]
    pub fn skip_string(&mut self) -> Result<usize> {
        let start = self.at;
        let mut at = start + 1;
        loop {
            match self.text.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Ok(at);
                }
                Some(b'\\') => match self.text.get(at + 1) {
                    Some(b'n' | b't' | b'"' | b'\\') => at += 2,
                    Some(first)
                        if first.is_ascii_hexdigit() && self.text.get(at + 2).is_some_and(u8::is_ascii_hexdigit) =>
                    {
                        at += 3;
                    }
                    _ => return Err(self.error_at(at, "unknown escape in string literal")),
                },
                None | Some(b'\n' | b'\r' | 0x0b | 0x0c) => {
                    return Err(self.error_at(start, "expected `\"` at the end of the string literal"));
                }
                Some(_) => at += 1,
            }
        }
    }
}

pub(super) fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        b'A'..=b'F' => digit - b'A' + 10,
        _ => 0,
    }
}
