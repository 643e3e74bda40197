//! Where text goes, and the small forms that everything is made of: escapes, names, hexadecimal digits.

use std::io::Write;

use crate::error::Result;

/// How much is held back before it is written.
const SPILL: usize = 1 << 16;

pub(super) struct Output<'a> {
    pub(super) buffer: Vec<u8>,
    sink: &'a mut dyn Write,
    written: u64,
    /// Whether everything is held back, since what has been printed may still change.
    pub(super) hold: bool,
}

impl<'a> Output<'a> {
    pub(super) fn new(sink: &'a mut dyn Write) -> Self {
        Output { buffer: Vec::new(), sink, written: 0, hold: false }
    }

    /// How many bytes have been printed.
    pub(super) fn position(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    pub(super) fn spill(&mut self) -> Result<()> {
        if self.buffer.len() >= SPILL && !self.hold { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> Result<()> {
        self.sink.write_all(&self.buffer)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Pushes a byte as two hexadecimal digits.
#[doc(hidden)]
pub fn push_hex(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
}

/// A string in quotes.
#[doc(hidden)]
pub fn push_escaped(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for &byte in text {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b' '..=b'~' if byte != b'"' => out.push(byte),
            _ => {
                out.push(b'\\');
                push_hex(out, byte);
            }
        }
    }
    out.push(b'"');
}

/// Whether a name can stand without quotes.
fn is_bare_identifier(name: &[u8]) -> bool {
    matches!(name.first(), Some(first) if first.is_ascii_alphabetic() || *first == b'_')
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
}

/// A name, in quotes where it needs them.
#[doc(hidden)]
pub fn push_name(out: &mut Vec<u8>, name: &[u8]) {
    if is_bare_identifier(name) {
        out.extend_from_slice(name);
    } else {
        push_escaped(out, name);
    }
}

/// Pushes `@name`, with the name in quotes where it is no bare identifier.
#[doc(hidden)]
pub fn push_symbol(out: &mut Vec<u8>, name: &[u8]) {
    out.push(b'@');
    push_name(out, name);
}

pub(super) fn push_number(out: &mut Vec<u8>, value: impl std::fmt::Display) {
    // Writing to a vector cannot fail.
    let _ = write!(out, "{value}");
}

/// A number, without the detour of formatting.
#[inline]
#[doc(hidden)]
pub fn push_decimal(out: &mut Vec<u8>, mut value: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}
