//! The index of a table: where each record starts, and their names.
//!
//! Bytes: a magic; the lengths of the lists, of the strings and of the body, each a little-endian `u32`; for each list
//! but the dialects the offsets of its records; for each dialect the number of its name and of its first operation; the
//! offsets of the strings and of their end; the strings; the body. Operations are sorted by dialect and name, attributes,
//! types, enums and what has no definition by name. Inside a record every number is a LEB128 varint.

use std::ops::Range;

use bytes::Bytes;

use super::wire::{In, Out, Pool};

const MAGIC: &[u8; 8] = b"mlirODS\x03";

/// The lists of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Ops,
    Attributes,
    Types,
    Enums,
    Shared,
    Tally,
    Undefined,
    Dialects,
    Strings,
}

const LISTS: usize = 9;

/// Where the first list starts: after the lengths of the lists, of the bytes of strings and of the body.
const HEADER: usize = MAGIC.len() + 4 * (LISTS + 2);

#[derive(Default)]
pub(super) struct Inner {
    bytes: Bytes,
    counts: [usize; LISTS],
    starts: [usize; LISTS],
    strings: Range<usize>,
    body: Range<usize>,
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    usize::try_from(u32::from_le_bytes(word.try_into().ok()?)).ok()
}

/// A full name as dialect and rest.
pub(crate) fn split(name: &str) -> (&str, &str) {
    name.split_once('.').unwrap_or((name, ""))
}

impl Inner {
    pub(super) fn open(bytes: Bytes) -> Option<Self> {
        if bytes.get(..MAGIC.len())? != MAGIC {
            return None;
        }
        let mut inner = Inner::default();
        let mut end = HEADER;
        for list in 0..LISTS {
            let count = word(&bytes, MAGIC.len() + 4 * list)?;
            inner.counts[list] = count;
            inner.starts[list] = end;
            let size = match list {
                _ if list == List::Dialects as usize => count.checked_mul(8)?,
                _ if list == List::Strings as usize => count.checked_add(1)?.checked_mul(4)?,
                _ => count.checked_mul(4)?,
            };
            end = end.checked_add(size)?;
        }
        let length = |at: usize| word(&bytes, MAGIC.len() + 4 * (LISTS + at));
        inner.strings = end..end.checked_add(length(0)?)?;
        inner.body = inner.strings.end..inner.strings.end.checked_add(length(1)?)?;
        if inner.body.end != bytes.len() {
            return None;
        }
        std::str::from_utf8(&bytes[inner.strings.clone()]).ok()?;
        inner.bytes = bytes;
        // Every operation belongs to a dialect, and every dialect has one.
        let (dialects, ops) = (inner.count(List::Dialects), inner.count(List::Ops));
        let starts_at_first = dialects == 0 || inner.first_op(0)? == 0;
        let ascending = (0..dialects).all(|at| inner.dialect_ops(at).is_some_and(|ops| ops.start < ops.end));
        (starts_at_first && (dialects == 0) == (ops == 0) && ascending).then_some(inner)
    }

    pub(super) fn bytes(&self) -> Bytes {
        self.bytes.clone()
    }

    pub(super) fn count(&self, list: List) -> usize {
        self.counts[list as usize]
    }

    pub(super) fn string(&self, number: usize) -> Option<&str> {
        std::str::from_utf8(self.string_bytes(number)?).ok()
    }

    fn string_bytes(&self, number: usize) -> Option<&[u8]> {
        if number >= self.count(List::Strings) {
            return None;
        }
        let at = self.starts[List::Strings as usize] + 4 * number;
        let (start, end) = (word(&self.bytes, at)?, word(&self.bytes, at + 4)?);
        self.bytes[self.strings.clone()].get(start..end)
    }

    /// A record of a list, where there is one of that number.
    pub(super) fn record(&self, list: List, number: usize) -> Option<In<'_>> {
        if number >= self.count(list) {
            return None;
        }
        let offset = word(&self.bytes, self.starts[list as usize] + 4 * number)?;
        Some(In::new(self, self.bytes[self.body.clone()].get(offset..)?))
    }

    /// The kind and the bytes of something shared.
    pub(super) fn blob(&self, number: usize) -> Option<(u8, &[u8])> {
        let mut at = self.record(List::Shared, number)?;
        let kind = at.byte()?;
        // What follows the record is at hand too, but reading stops at its end by itself.
        let offset = self.offset_of(at.rest());
        Some((kind, &self.bytes[self.body.clone()][offset..]))
    }

    /// Where in the body the rest of a record starts.
    pub(super) fn offset_of(&self, rest: &[u8]) -> usize {
        self.body.len() - rest.len()
    }

    pub(super) fn at(&self, offset: usize) -> Option<In<'_>> {
        Some(In::new(self, self.bytes[self.body.clone()].get(offset..)?))
    }

    /// The name of a record: that of an operation is without its dialect.
    pub(super) fn name(&self, list: List, number: usize) -> Option<&str> {
        std::str::from_utf8(self.name_bytes(list, number)?).ok()
    }

    fn name_bytes(&self, list: List, number: usize) -> Option<&[u8]> {
        let number = usize::try_from(self.record(list, number)?.varint()?).ok()?;
        self.string_bytes(number)
    }

    pub(super) fn find(&self, list: List, range: Range<usize>, name: &str) -> Option<usize> {
        search(range, |at| Some(self.name_bytes(list, at)?.cmp(name.as_bytes())))
    }

    pub(super) fn dialect_name(&self, at: usize) -> Option<&str> {
        self.string(word(&self.bytes, self.starts[List::Dialects as usize] + 8 * at)?)
    }

    pub(super) fn find_dialect(&self, name: &str) -> Option<usize> {
        search(0..self.count(List::Dialects), |at| Some(self.dialect_name(at)?.cmp(name)))
    }

    fn first_op(&self, dialect: usize) -> Option<usize> {
        word(&self.bytes, self.starts[List::Dialects as usize] + 8 * dialect + 4)
    }

    pub(super) fn dialect_ops(&self, at: usize) -> Option<Range<usize>> {
        let ops = self.count(List::Ops);
        let end = if at + 1 < self.count(List::Dialects) { self.first_op(at + 1)? } else { ops };
        Some(self.first_op(at)?..end).filter(|range| range.end <= ops)
    }

    /// Whether every string is a part of the strings, and valid by itself.
    pub(super) fn check_strings(&self) -> bool {
        let strings = &self.bytes[self.strings.clone()];
        let starts_character = |at: usize| strings.get(at).is_none_or(|byte| byte & 0xc0 != 0x80);
        let mut end = Some(0);
        for number in 0..self.count(List::Strings) {
            let at = self.starts[List::Strings as usize] + 4 * number;
            // All are one valid string, so each is valid where it starts and ends between characters.
            end = (word(&self.bytes, at) == end).then(|| word(&self.bytes, at + 4)).flatten();
            if !end.is_some_and(|end| end <= strings.len() && starts_character(end)) {
                return false;
            }
        }
        end == Some(strings.len()) && (0..self.count(List::Strings)).all(|number| self.string_bytes(number).is_some())
    }

    /// Whether all names are there, sorted, and none comes twice.
    pub(super) fn check_names(&self) -> Option<()> {
        let sorted = |names: &mut dyn Iterator<Item = Option<&[u8]>>| {
            let mut previous = None;
            for name in names {
                let name = name?;
                if previous.is_some_and(|previous| previous >= name) {
                    return None;
                }
                previous = Some(name);
            }
            Some(())
        };
        let dialects = self.count(List::Dialects);
        let dialect = |at| self.dialect_name(at).filter(|name| !name.contains('.')).map(str::as_bytes);
        sorted(&mut (0..dialects).map(dialect))?;
        for at in 0..dialects {
            sorted(&mut self.dialect_ops(at)?.map(|op| self.name_bytes(List::Ops, op)))?;
        }
        for list in [List::Attributes, List::Types, List::Enums, List::Undefined] {
            sorted(&mut (0..self.count(list)).map(|at| self.name_bytes(list, at)))?;
        }
        Some(())
    }
}

fn search(range: Range<usize>, compare: impl Fn(usize) -> Option<std::cmp::Ordering>) -> Option<usize> {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        match compare(middle)? {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Some(middle),
        }
    }
    None
}

/// The parts of a table that is being written.
#[derive(Default)]
pub(super) struct Sections {
    offsets: [Vec<usize>; LISTS],
    dialects: Vec<(u64, usize)>,
    pub(super) body: Vec<u8>,
}

impl Sections {
    /// The next record of a list starts here.
    pub(super) fn start(&mut self, list: List, out: &Out<'_>) {
        self.offsets[list as usize].push(out.bytes.len());
    }

    /// The next operation is of this dialect.
    pub(super) fn dialect(&mut self, name: u64) {
        if self.dialects.last().is_none_or(|last| last.0 != name) {
            self.dialects.push((name, self.offsets[List::Ops as usize].len()));
        }
    }
}

pub(super) fn assemble(mut sections: Sections, pool: Pool) -> Vec<u8> {
    let (strings, shared) = pool.into_parts();
    for bytes in shared {
        sections.offsets[List::Shared as usize].push(sections.body.len());
        sections.body.extend_from_slice(&bytes);
    }
    let mut bytes = MAGIC.to_vec();
    let mut push = |value: usize| {
        bytes.extend_from_slice(&u32::try_from(value).expect("a table of less than 4 GiB").to_le_bytes());
    };
    for (list, offsets) in sections.offsets.iter().enumerate() {
        push(match list {
            _ if list == List::Dialects as usize => sections.dialects.len(),
            _ if list == List::Strings as usize => strings.len(),
            _ => offsets.len(),
        });
    }
    push(strings.iter().map(String::len).sum());
    push(sections.body.len());
    sections.offsets.iter().flatten().for_each(|&offset| push(offset));
    for &(name, first) in &sections.dialects {
        push(name as usize);
        push(first);
    }
    let mut end = 0;
    push(0);
    for string in &strings {
        end += string.len();
        push(end);
    }
    strings.iter().for_each(|string| bytes.extend_from_slice(string.as_bytes()));
    bytes.extend_from_slice(&sections.body);
    bytes
}
