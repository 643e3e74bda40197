//! The properties section (`PropertiesSectionBuilder` of MLIR): a twin of `read/properties.rs`.

use super::byte_table::ByteTable;
use super::emitter::Emitter;

/// Property blobs in the order of their first use, each once.
#[derive(Default)]
pub(crate) struct Blobs {
    table: ByteTable,
    /// So many others come before them.
    before: u32,
}

impl Blobs {
    /// Blobs that stand behind so many others, and are not compared with those.
    pub(crate) fn behind(others: u32) -> Self {
        Blobs { before: others, ..Blobs::default() }
    }

    /// How many there are, those before them left out.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Forgets all, and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }

    /// Makes room for so many more.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.table.reserve(more);
    }

    /// The number of a blob of these bytes.
    pub(crate) fn number(&mut self, blob: &[u8]) -> u32 {
        self.before + self.table.number(blob)
    }

    /// A new number for a blob, even if one of the same bytes has one.
    pub(crate) fn keep(&mut self, blob: &[u8]) {
        self.table.keep(blob);
    }

    /// How many bytes [`Blobs::section`] writes, about, and no fewer.
    pub(crate) fn size(&self) -> usize {
        self.table.size() + 2 * self.table.len() + 9
    }

    /// Writes what is in the section.
    pub(crate) fn section(&self, section: &mut Emitter) {
        section.varint(self.table.len() as u64);
        self.contents(section);
    }

    /// All of them, each with its size before it.
    pub(crate) fn contents(&self, section: &mut Emitter) {
        self.table.iter().for_each(|blob| section.blob(blob));
    }
}
