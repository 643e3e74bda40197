//! The string section (`BytecodeFormat.md` of MLIR, "String Section"): a twin of `read/strings.rs`.

use mlirbc_ir::Result;

use super::byte_table::ByteTable;
use super::emitter::Emitter;
use super::slot_map::SlotMap;

/// Strings in the order of their first use, each once.
///
/// Each string has a place by which it is known without its bytes, in this file and those that are written later.
#[derive(Default)]
pub(crate) struct Strings {
    /// All that are known, of this file or not.
    known: ByteTable,
    /// By place: the number in the file.
    numbers: SlotMap,
    /// By number: the place.
    order: Vec<u32>,
    /// So many others come before them.
    before: u64,
}

impl Strings {
    /// The same, for a file in which so many others stand before them, with which they are not compared.
    pub(crate) fn behind(self, others: usize) -> Self {
        Strings { before: others as u64, ..self }
    }

    /// Adds strings that keep their numbers, twice the same or not.
    pub(crate) fn keep<'a>(&mut self, strings: impl Iterator<Item = Result<&'a [u8]>>) -> Result<()> {
        for string in strings {
            let place = self.place(string?);
            self.numbers.set_first(place, self.order.len() as u32);
            self.order.push(place);
        }
        Ok(())
    }

    /// The place of a string, which need not be in the file.
    pub(crate) fn place(&mut self, string: &[u8]) -> u32 {
        self.known.number(string)
    }

    /// The number of the string of that place.
    #[inline]
    pub(crate) fn number_of(&mut self, place: u32) -> u64 {
        let number = self.numbers.get(place).unwrap_or_else(|| {
            let number = self.order.len() as u32;
            self.order.push(place);
            self.numbers.set(place, number);
            number
        });
        self.before + u64::from(number)
    }

    /// The string's number.
    pub(crate) fn number(&mut self, string: &[u8]) -> u64 {
        let place = self.place(string);
        self.number_of(place)
    }

    /// How many there are, those before them left out.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether so many are known that they are better forgotten.
    pub(crate) fn is_much(&self) -> bool {
        const MOST: usize = 1 << 20;
        self.known.size() > MOST || self.known.len() > MOST / 8
    }

    /// Takes all out of the file. They stay known.
    pub(crate) fn clear(&mut self) {
        for place in self.order.drain(..) {
            self.numbers.remove(place);
        }
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.order.iter().map(|&place| self.known.get(place))
    }

    /// How many bytes [`Strings::section`] writes, about.
    pub(crate) fn size(&self) -> usize {
        self.iter().map(<[u8]>::len).sum::<usize>() + 3 * self.len() + 9
    }

    /// Writes what is in the section.
    pub(crate) fn section(&self, section: &mut Emitter) {
        section.varint(self.len() as u64);
        self.sizes(section);
        self.contents(section);
    }

    /// The size of each, the last first.
    pub(crate) fn sizes(&self, section: &mut Emitter) {
        self.iter().rev().for_each(|string| section.varint(string.len() as u64 + 1));
    }

    /// All of them, each with a zero behind it.
    pub(crate) fn contents(&self, section: &mut Emitter) {
        for string in self.iter() {
            section.bytes.extend_from_slice(string);
            section.byte(0);
        }
    }
}
