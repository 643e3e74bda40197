//! The string section (`BytecodeFormat.md` of MLIR, "String Section"): a twin of `read/strings.rs`.

use mlirbc_ir::Result;

use super::byte_table::ByteTable;
use super::emitter::Emitter;

/// Strings in the order of their first use, each once.
#[derive(Default)]
pub(crate) struct Strings {
    table: ByteTable,
    /// So many others come before them.
    before: u64,
}

impl Strings {
    /// Strings that stand behind so many others, and are not compared with those.
    pub(crate) fn behind(others: usize) -> Self {
        Strings { before: others as u64, ..Strings::default() }
    }

    /// Strings that keep their numbers, twice the same or not.
    pub(crate) fn keep<'a>(strings: impl Iterator<Item = Result<&'a [u8]>>) -> Result<Self> {
        let mut kept = Strings::default();
        for string in strings {
            kept.table.keep(string?);
        }
        Ok(kept)
    }

    /// The string's number.
    pub(crate) fn number(&mut self, string: &[u8]) -> u64 {
        self.before + u64::from(self.table.number(string))
    }

    /// How many there are, those before them left out.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// How many bytes [`Strings::section`] writes, about.
    pub(crate) fn size(&self) -> usize {
        self.table.size() + 3 * self.table.len() + 9
    }

    /// Writes what is in the section.
    pub(crate) fn section(&self, section: &mut Emitter) {
        section.varint(self.table.len() as u64);
        self.sizes(section);
        self.contents(section);
    }

    /// The size of each, the last first.
    pub(crate) fn sizes(&self, section: &mut Emitter) {
        self.table.iter().rev().for_each(|string| section.varint(string.len() as u64 + 1));
    }

    /// All of them, each with a zero behind it.
    pub(crate) fn contents(&self, section: &mut Emitter) {
        for string in self.table.iter() {
            section.bytes.extend_from_slice(string);
            section.byte(0);
        }
    }
}
