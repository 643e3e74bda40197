//! Primitives: integers, blobs, sections (`BytecodeFormat.md` of MLIR, "Magic Number" to "Sections").

#![expect(
    clippy::arithmetic_side_effects,
    reason = "a position is at most the end, which is at most the length of the data; shifts are by less than 64"
)]

use std::ffi::CStr;

use mlirbc_ir::{Error, Result};

use super::guard::Data;

/// A range of a file being read. Positions are file offsets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    whole: Data<'a>,
    data: &'a [u8],
    at: usize,
    end: usize,
    /// Up to where the guard of the file has let it go: the end where there is none.
    limit: usize,
}

/// One section's header: its id and where its data stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectionHeader {
    pub(crate) id: u8,
    /// What its data stands at a multiple of.
    pub(crate) alignment: u64,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor over `start..end` of the file.
    pub(crate) fn new(data: impl Into<Data<'a>>, start: usize, end: usize) -> Self {
        let whole = data.into();
        let data = whole.bytes();
        let end = end.min(data.len());
        let at = start.min(end);
        Cursor { whole, data, at, end, limit: if whole.is_guarded() { at } else { end } }
    }

    /// Goes on over `count` bytes that were not looked at yet.
    #[cold]
    #[inline(never)]
    fn admit(&mut self, count: usize) -> Result<()> {
        if count > self.remaining() || !self.whole.is_guarded() {
            return Err(self.past_end(count));
        }
        self.limit = self.whole.check(self.at..self.at + count)?.clamp(self.at + count, self.end);
        Ok(())
    }

    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    #[inline]
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    #[inline]
    pub(crate) fn remaining(&self) -> usize {
        self.end - self.at
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.at >= self.end
    }

    /// Goes on at `at`, up to `end`.
    pub(crate) fn jump(&mut self, at: usize, end: usize) {
        *self = Self::new(self.whole, at, end);
    }

    #[cold]
    pub(crate) fn error(&self, message: impl Into<String>) -> Error {
        Error::malformed(message).at(self.at as u64)
    }

    #[cold]
    #[inline(never)]
    fn past_end(&self, wanted: usize) -> Error {
        self.error(format!("{} wanted, {} left", Error::counted(wanted, "byte"), self.remaining()))
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8> {
        loop {
            if self.at < self.limit
                && let Some(&byte) = self.data.get(self.at)
            {
                self.at += 1;
                return Ok(byte);
            }
            self.admit(1)?;
        }
    }

    #[inline]
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        loop {
            if count <= self.limit.saturating_sub(self.at)
                && let Some(bytes) = self.data.get(self.at..self.at + count)
            {
                self.at += count;
                return Ok(bytes);
            }
            // Past the limit there may be nothing to be taken: then there is nothing to be looked at.
            if count == 0 {
                return Ok(&[]);
            }
            self.admit(count)?;
        }
    }

    /// Goes on behind `count` bytes, which are not looked at: `check_count` has found them there.
    pub(crate) fn skip(&mut self, count: usize) {
        self.jump(self.at.saturating_add(count), self.end);
    }

    /// An unsigned integer: the number of trailing zero bits of the first byte says how many bytes follow it.
    #[inline(always)]
    pub(crate) fn varint(&mut self) -> Result<u64> {
        if let Some(chunk) = self.data.get(self.at..).and_then(<[u8]>::first_chunk::<8>) {
            let word = u64::from_le_bytes(*chunk);
            let length = word.trailing_zeros() + 1;
            if length <= 8 && self.at + length as usize <= self.limit {
                self.at += length as usize;
                let unused = 64 - 8 * length;
                // The left shift drops what follows, the right one the length bits.
                return Ok((word << unused) >> (unused + length));
            }
        }
        self.varint_at_end()
    }

    #[cold]
    #[inline(never)]
    fn varint_at_end(&mut self) -> Result<u64> {
        let start = *self;
        let first = self.byte()?;
        let extra = first.trailing_zeros().min(8) as usize;
        let rest = self.bytes(extra).map_err(|_| start.past_end(extra + 1))?;
        let rest = rest.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
        // Of the first byte all bits are taken by the length where eight bytes follow.
        if extra == 8 { Ok(rest) } else { Ok((rest << 8 | u64::from(first)) >> (extra + 1)) }
    }

    /// A varint that must fit 32 bits: an index into a table.
    #[inline(always)]
    pub(crate) fn index(&mut self) -> Result<u32> {
        let value = self.varint()?;
        if value > u64::from(u32::MAX) {
            return Err(self.error(format!("index {value} is out of range")));
        }
        Ok(value as u32)
    }

    /// A zigzag-coded signed integer.
    pub(crate) fn signed_varint(&mut self) -> Result<i64> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A varint whose lowest bit is a flag.
    #[inline]
    pub(crate) fn varint_with_flag(&mut self) -> Result<(u64, bool)> {
        let value = self.varint()?;
        Ok((value >> 1, value & 1 != 0))
    }

    /// A count of things that take at least `least` bytes each, checked against the bytes that are left.
    #[inline]
    pub(crate) fn count(&mut self, least: usize, what: &str) -> Result<usize> {
        let count = self.varint()?;
        self.check_count(count, least, what)
    }

    #[inline]
    pub(crate) fn check_count(&self, count: u64, least: usize, what: &str) -> Result<usize> {
        if count > (self.remaining() / least) as u64 {
            return Err(self.too_many(count, what));
        }
        Ok(count as usize)
    }

    #[cold]
    fn too_many(&self, count: u64, what: &str) -> Error {
        let left = Error::counted(self.remaining(), "byte");
        self.error(format!("{} announced, {left} left", Error::counted(count, what)))
    }

    /// Bytes with their length before them.
    pub(crate) fn blob(&mut self) -> Result<&'a [u8]> {
        let length = self.count(1, "byte")?;
        self.bytes(length)
    }

    /// Bytes up to a zero, which is consumed.
    pub(crate) fn c_string(&mut self) -> Result<&'a [u8]> {
        let mut seen = 0;
        let rest = loop {
            let rest = self.data.get(self.at..self.limit.max(self.at)).unwrap_or_default();
            if self.limit >= self.end || rest.get(seen..).unwrap_or_default().contains(&0) {
                break rest;
            }
            seen = rest.len();
            self.admit(seen + 1)?;
        };
        let Ok(text) = CStr::from_bytes_until_nul(rest) else { return Err(self.error("no terminating zero")) };
        self.at += text.count_bytes() + 1;
        Ok(text.to_bytes())
    }

    /// Skips padding up to a multiple of `alignment`, which must be a power of two.
    pub(crate) fn align(&mut self, alignment: u64) -> Result<()> {
        if !alignment.is_power_of_two() || alignment > 1 << 31 {
            return Err(self.error(format!("alignment {alignment} is not a power of two up to 2^31")));
        }
        while !(self.at as u64).is_multiple_of(alignment) {
            let at = self.at;
            if self.byte()? != PADDING {
                return Err(Error::malformed("padding is not 0xCB").at(at as u64));
            }
        }
        Ok(())
    }

    /// A section's header; the cursor goes on behind the section's data.
    #[inline(always)]
    pub(crate) fn section(&mut self) -> Result<SectionHeader> {
        let at = self.at;
        let id = self.byte()?;
        let length = self.varint()?;
        if id & 0x7f > LAST_SECTION {
            return Err(Error::malformed(format!("no section has the id {}", id & 0x7f)).at(at as u64));
        }
        let mut alignment = 1;
        if id & 0x80 != 0 {
            alignment = self.varint()?;
            self.align(alignment)?;
        }
        let length = self.check_count(length, 1, "byte of a section")?;
        let start = self.at;
        self.at += length;
        Ok(SectionHeader { id: id & 0x7f, alignment, start, end: self.at })
    }
}

pub(crate) const PADDING: u8 = 0xCB;
const LAST_SECTION: u8 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<u64> {
        let mut cursor = Cursor::new(bytes, 0, bytes.len());
        let value = cursor.varint()?;
        assert!(cursor.is_empty());
        Ok(value)
    }

    /// Samples that MLIR wrote, alone and with bytes behind them.
    #[test]
    fn varints_are_read() {
        let samples: [(&[u8], u64); 10] = [
            (&[0x01], 0),
            (&[0x03], 1),
            (&[0xff], 127),
            (&[0x02, 0x02], 128),
            (&[0xfe, 0xff], 16383),
            (&[0x04, 0x00, 0x02], 16384),
            (&[0x08, 0, 0, 0x02], 1 << 21),
            (&[0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], (1 << 56) - 1),
            (&[0, 0, 0, 0, 0, 0, 0, 0, 1], 1 << 56),
            (&[0, 255, 255, 255, 255, 255, 255, 255, 255], u64::MAX),
        ];
        for (bytes, value) in samples {
            assert_eq!(read(bytes).unwrap(), value);
            let mut longer = bytes.to_vec();
            longer.extend([0xaa; 16]);
            let mut cursor = Cursor::new(&longer, 0, longer.len());
            assert_eq!(cursor.varint().unwrap(), value);
            assert_eq!(cursor.position(), bytes.len());
            // An end inside the integer counts even where the file goes on.
            for end in 0..bytes.len() {
                assert!(Cursor::new(&longer, 0, end).varint().is_err());
                assert!(read(&bytes[..end]).is_err());
            }
        }
        assert_eq!(read(&[0x02, 0x00]).unwrap(), 0);
    }

    #[test]
    fn signed_varints_are_read() {
        for (bytes, value) in [(&[0x01][..], 0), (&[0x03], -1), (&[0x05], 1), (&[0xff], -64), (&[0xfd], 63)] {
            assert_eq!(Cursor::new(bytes, 0, bytes.len()).signed_varint().unwrap(), value);
        }
        let least = [0, 255, 255, 255, 255, 255, 255, 255, 255];
        assert_eq!(Cursor::new(&least, 0, 9).signed_varint().unwrap(), i64::MIN);
    }
}
