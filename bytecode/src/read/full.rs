//! Decoding everything: for those who keep a module after its file, and for those who check one.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use mlirbc_ir::{Body, Error, Module, ModuleSource, OpId, PackedLocation, ResourceValue, Result, threads};

use super::entries::Entry;
use super::file::BytecodeFile;
use super::property_values::properties_are_of;
use crate::encoding::builtin::FILE_LINE_COLUMN;
use crate::encoding::{Resolution, Table};
use crate::format::{Cursor, SectionId};

/// How file locations are told from other entries: the number that `builtin` has in the file, unless callers read what they like into its
/// entries.
struct PlainLocations(Option<u32>);

impl BytecodeFile {
    /// Decodes every attribute and type of the tables.
    ///
    /// # Errors
    /// The first that one of them has, used or not.
    pub(crate) fn decode_tables(&self) -> Result<()> {
        self.decode_tables_with(1)
    }

    fn decode_tables_with(&self, threads: usize) -> Result<()> {
        // How many attributes a thread decodes at a time.
        const SHARE: u32 = 4096;
        let entries = self.entries().map_err(|error| self.of_file(error))?;
        let locations = self.plain_locations().map_err(|error| self.of_file(error))?;
        let mut resolution = Resolution::default();
        let slots = self.slots(Table::Types)?;
        let types = |index, entry: &Entry| match slots.get(index) {
            0 => self.resolve_entry((Table::Types, index, entry), slots, &mut resolution).map(drop),
            _ => Ok(()),
        };
        entries.walk_types(self.guarded(), types)?;
        let count = entries.attributes.len() as u32;
        if threads <= 1 {
            return self.decode_attributes(0..count, &locations);
        }
        let starts: Vec<u32> = (0..count).step_by(SHARE as usize).collect();
        let decode = |(): &mut (), start: u32| self.decode_attributes(start..start.saturating_add(SHARE), &locations);
        threads::in_order(threads, |_| SHARE as usize, starts, || (), decode).into_iter().collect()
    }

    /// Decodes the attributes of these numbers.
    fn decode_attributes(&self, numbers: Range<u32>, locations: &PlainLocations) -> Result<()> {
        let slots = self.slots(Table::Attributes)?;
        let mut resolution = Resolution::default();
        let mut last = None;
        self.entries()?.walk_attributes(self.guarded(), numbers, |index, entry| {
            if slots.get(index) != 0 {
                return Ok(());
            }
            match self.plain_location(locations, index, entry, &mut last) {
                Some(packed) => {
                    slots.set(index, packed.word());
                    Ok(())
                }
                None => self.resolve_entry((Table::Attributes, index, entry), slots, &mut resolution).map(drop),
            }
        })
    }

    /// Decodes the file locations that stand beside an attribute in the table: who asks for one mostly asks for the next, and looking up
    /// one takes as long as going over all of these. What is anything else is left alone.
    pub(super) fn settle_locations(&self, index: u32) -> Result<()> {
        const BESIDE: u32 = 16;
        let start = index & !(BESIDE - 1);
        self.settle_some(start..start.saturating_add(BESIDE), &self.plain_locations()?)
    }

    /// Decodes all file locations, on as many threads as that: for those who are about to ask for most of them. What is wrong is left to
    /// those who ask for it.
    pub(crate) fn settle_all_locations(&self, threads: usize) {
        // How many entries a thread looks at at a time.
        const SHARE: u32 = 4096;
        let (Ok(counts), Ok(locations)) = (self.counts(), self.plain_locations()) else { return };
        let starts: Vec<u32> = (0..counts.attributes).step_by(SHARE as usize).collect();
        let settle = |(): &mut (), start: u32| {
            let end = start.saturating_add(SHARE).min(counts.attributes);
            // Most often all have been decoded, or nearly none.
            let done = self.slots(Table::Attributes).is_ok_and(|slots| (start..end).all(|index| slots.get(index) != 0));
            if !done {
                let _ = self.settle_some(start..end, &locations);
            }
        };
        threads::in_order(threads, |_| SHARE as usize, starts, || (), settle);
    }

    fn settle_some(&self, numbers: Range<u32>, locations: &PlainLocations) -> Result<()> {
        let slots = self.slots(Table::Attributes)?;
        let mut last = None;
        self.entries()?.walk_attributes(self.guarded(), numbers, |index, entry| {
            if slots.get(index) == 0
                && let Some(packed) = self.plain_location(locations, index, entry, &mut last)
            {
                slots.set(index, packed.word());
            }
            Ok(())
        })
    }

    fn plain_locations(&self) -> Result<PlainLocations> {
        let known = self.known_dialects()?;
        let builtin = known.iter().position(|dialect| dialect.is_builtin);
        Ok(PlainLocations(builtin.filter(|_| self.callbacks.is_empty()).map(|builtin| builtin as u32)))
    }

    /// The location that an entry is, where that is of a line and a column in a file, and can be packed. `last` is the file of the last
    /// one: most entries of most files are locations, one file after the other.
    #[inline]
    fn plain_location(
        &self,
        locations: &PlainLocations,
        index: u32,
        entry: &Entry,
        last: &mut Option<(u32, u32)>,
    ) -> Option<PackedLocation> {
        if !entry.custom || Some(entry.dialect) != locations.0 || self.has_other_code(entry) {
            return None;
        }
        let (file, line, column) = match self.short_location(entry) {
            Some(parts) => parts,
            None => {
                let mut cursor = Cursor::new(self.guarded(), entry.range.start, entry.range.end);
                if cursor.varint().ok()? != FILE_LINE_COLUMN {
                    return None;
                }
                let parts = (cursor.index().ok()?, cursor.varint().ok()?, cursor.varint().ok()?);
                if !cursor.is_empty() {
                    return None;
                }
                parts
            }
        };
        if file == index {
            return None;
        }
        // What is wrong with the file is said of the location, by those who decode it as any entry.
        if last.is_none_or(|last| last.0 != file) {
            let word = self.resolve(Table::Attributes, file).ok()?;
            *last = Some((file, self.files.number(self.context.as_identifier(self.attribute_of(word))?)));
        }
        let (_, number) = (*last)?;
        PackedLocation::new(number, line, column)
    }

    /// File, line and column of a location that takes no more than a word, as nearly all do: its integers are taken out of the word one after
    /// the other.
    #[inline]
    fn short_location(&self, entry: &Entry) -> Option<(u32, u64, u64)> {
        if self.guard.is_some() || entry.range.len() > 8 {
            return None;
        }
        let mut word = u64::from_le_bytes(*self.data.get(entry.range.start..)?.first_chunk()?);
        let mut left = entry.range.len() as u32;
        let mut next = || {
            // Its lowest bits say how many bytes it takes.
            let length = word.trailing_zeros().wrapping_add(1);
            left = left.checked_sub(length)?;
            let unused = 64u32.wrapping_sub(length.wrapping_mul(8));
            let value = word.wrapping_shl(unused).wrapping_shr(unused.wrapping_add(length));
            // A last one that takes all eight bytes leaves nothing that is looked at.
            word = word.wrapping_shr(length.wrapping_mul(8));
            Some(value)
        };
        let (code, file, line, column) = (next()?, next()?, next()?, next()?);
        let file = u32::try_from(file).ok()?;
        (left == 0 && code == FILE_LINE_COLUMN).then_some((file, line, column))
    }

    /// Decodes the version of every dialect whose encodings are known. What others wrote is kept as it is, and so are
    /// versions that are newer than these.
    fn decode_versions(&self, module: &Module) -> Result<()> {
        if !self.states_versions().map_err(|error| self.of_file(error))? {
            return Ok(());
        }
        module.dialect_versions()?;
        for dialect in self.known_dialects().map_err(|error| self.of_file(error))? {
            self.unknown_version(dialect.name).map_err(|error| self.of_file(error))?;
        }
        Ok(())
    }

    /// Decodes the location, attributes and properties of every operation of a body, and checks that they are what
    /// they stand for. The resolution is one for bytes that are in no table.
    fn decode_body(&self, module: &Module, body: &Body, resolution: &mut Resolution) -> Result<()> {
        let slots = self.slots(Table::Attributes)?;
        let properties_of = self.property_slots()?;
        for op in (0..body.operation_count()).map(OpId::from_index) {
            let name = body.name(op);
            // The tables are decoded by now: for nearly every operation one look at a slot says that all is well.
            let mut check = || {
                if let Some(index) = body.location(op).in_source()
                    && PackedLocation::from_word(slots.get(index)).is_none()
                {
                    self.location(module.context(), index)?;
                }
                if let Some(attributes) = body.attributes(op) {
                    module.dictionary(attributes)?;
                }
                if let Some(properties) = body.properties(op)
                    && let Some(index) = properties.in_source()
                    && !properties_are_of(properties_of.get(index), name)
                {
                    self.property_dictionary_next(name, index, resolution)?;
                }
                Ok(())
            };
            check().map_err(|error: Error| {
                let name = module.context().bytes(module.context().operation_identifier(name));
                self.of_file(error.reading(format!("operation {}", Error::quoted(name))))
            })?;
        }
        for block in (0..body.block_count()).map(mlirbc_ir::BlockId::from_index) {
            for location in body.argument_locations(block).iter().flatten() {
                module.location(*location).map_err(|error| error.reading("the location of a block argument"))?;
            }
        }
        Ok(())
    }
}

/// Reads every body of a module and decodes all that it refers to. After this nothing that the module gives is an
/// error, for want of its file or otherwise.
///
/// # Errors
/// The first that the file has, anywhere, used or not.
pub fn decode_all(module: &Module) -> Result<()> {
    decode_all_with(module, 1)
}

/// As [`decode_all`], on as many threads as that.
///
/// # Errors
/// As [`decode_all`].
pub fn decode_all_with(module: &Module, threads: usize) -> Result<()> {
    module.load_all_with(threads)?;
    let Some(file) = BytecodeFile::of(module) else { return Ok(()) };
    file.decode_tables_with(threads)?;
    let has_resources = file.section(SectionId::Resource).is_some();
    let resources = if has_resources { module.resources()? } else { &[] };
    for entry in resources.iter().flat_map(|group| &group.entries) {
        if let ResourceValue::Blob { data, .. } = &entry.value {
            data.bytes()?;
        }
    }
    file.decode_versions(module)?;
    // Those that no operation asked for.
    file.strings().map_err(|error| file.of_file(error))?;
    file.property_blobs().map_err(|error| file.of_file(error))?;
    if threads <= 1 {
        let mut resolution = Resolution::alone();
        return module.bodies().try_for_each(|(_, body)| file.decode_body(module, body, &mut resolution));
    }
    let bodies: Vec<&Body> = module.bodies().map(|(_, body)| body).collect();
    let decode = |resolution: &mut Resolution, body: &Body| file.decode_body(module, body, resolution);
    threads::in_order(threads, |body| body.operation_count(), bodies, Resolution::alone, decode).into_iter().collect()
}

/// Decodes everything, then lets go of the file's bytes: the module stands on its own. Large blobs remain views of
/// the bytes and keep them alive. A module with opaque parts, which is written with the tables of its file as they are, gets a
/// copy of the bytes of its own.
///
/// # Errors
/// As [`decode_all`]; then the module keeps its file.
pub fn detach(module: &mut Module) -> Result<()> {
    decode_all(module)?;
    let opaque = BytecodeFile::of(module).is_some_and(|file| !matches!(file.has_opaque_parts(), Ok(false)));
    let Some(mut source) = module.take_source() else { return Ok(()) };
    let file: Option<&mut BytecodeFile> =
        Arc::get_mut(&mut source).and_then(|source| source.as_any_mut().downcast_mut());
    if let Some(file) = file {
        file.data = if opaque { Bytes::copy_from_slice(&file.data) } else { Bytes::new() };
        file.guard = None;
    }
    module.set_source(Some(source));
    Ok(())
}
