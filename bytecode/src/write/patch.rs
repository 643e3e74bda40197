//! One operation of a file changed, all others copied as bytes.
//!
//! What is copied names entries of all tables by number, so every table keeps its entries and their numbers, and what is new is
//! appended. Entries that are kept are not decoded.

use std::io::{self, Write};
use std::ops::Range;

use bytes::Bytes;
use mlirbc_ir::{Error, Module, OpRef, OperationName, Result, SymbolPlace};

use super::emitter::Emitter;
use super::ir;
use super::numbering::Numbering;
use super::options::WriteOptions;
use super::order::SlotNumbers;
use super::parts::Parts;
use super::properties::Blobs;
use super::strings::Strings;
use super::tables::{self, Numbers};
use super::target::Target;
use crate::encoding::Table;
use crate::format::{Cursor, SectionId};
use crate::read::{BytecodeFile, OperationPlace, take_out};

/// An operation that was taken out of a module in bytecode, to be changed alone and put back into a copy of its file.
///
/// In that copy everything else keeps its bytes: entries of tables keep their numbers and new ones stand behind them. That
/// takes about as long as copying the file. It is not what [`write()`](crate::write()) gives, which numbers all entries by how often they are
/// used.
///
/// What is not looked at is not checked either: where a malformed entry names another one behind the last, it names what is
/// appended there. [`write()`](crate::write()) refuses that.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use mlirbc_bytecode::{Patch, WriteOptions, read};
/// # let bytes = include_bytes!("../../../fixtures/arith.mlirbc");
/// let context = mlirbc_ir::Context::new();
/// let mut module = read(&context, &bytes[..])?;
/// let place = module.operations()?.next().map(|op| (op.body_id(), op.id())).ok_or("no operation")?;
/// let patch = Patch::take_out(&mut module, place)?.ok_or("it has to stay")?;
/// let patched = patch.finish(&WriteOptions::like(patch.module()))?.ok_or("it cannot be put back")?;
/// let mut copy = Vec::new();
/// patched.write_to(&mut copy)?;
/// assert_eq!(copy, bytes); // nothing was changed
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Patch {
    module: Module,
    place: OperationPlace,
}

impl Patch {
    /// Takes an operation out of a module that was read from bytecode and not changed since. The module has lost its file then, and is
    /// to be let go of.
    ///
    /// `None` where the operation has to stay, and the module is as it was: in files of version 0 and 1, where regions have no
    /// length before them; where it stands in a region that is not isolated from above; where something else holds the module's source;
    /// where a section of regions, among those that were met, asks for an alignment. No program is known that
    /// writes such sections, and those of operations that were not looked at are taken to be as all are.
    ///
    /// # Errors
    /// Where what is around the operation, or itself, is malformed. The module is to be let go of then, too.
    pub fn take_out(module: &mut Module, op: SymbolPlace) -> Result<Option<Patch>> {
        Ok(take_out(module, op)?.map(|(module, place)| Patch { module, place }))
    }

    /// The module that holds the operation alone.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The same, to change what the operation is and holds. Another operation at the top is an error of [`Patch::finish`].
    pub fn module_mut(&mut self) -> &mut Module {
        &mut self.module
    }

    /// The operation.
    ///
    /// # Errors
    /// Where the module does not hold one operation.
    pub fn op(&self) -> Result<OpRef<'_>> {
        let mut operations = self.module.operations()?;
        match (operations.next(), operations.next()) {
            (Some(op), None) => Ok(op),
            _ => Err(Error::misuse("a patch holds one operation")),
        }
    }

    /// The names of the operations that it stands in, the outermost first.
    pub fn around(&self) -> Vec<String> {
        let context = self.module.context();
        let text = |name: &OperationName| context.text(context.operation_identifier(*name)).into_owned();
        self.place.names.iter().map(text).collect()
    }

    /// The file with the operation as it is now. Dialects that `options` have as unregistered are written so only where the file
    /// has nothing of them that is not. `None` where what is new has no place in the file: a resource that is not there, or resources
    /// that do not stand where their section says.
    ///
    /// # Errors
    /// As [`write()`](crate::write()), and where `options` ask for another version, release or producer than the file's, for locations to be
    /// stripped or versions of dialects.
    pub fn finish(&self, options: &WriteOptions) -> Result<Option<Patched>> {
        self.op()?;
        let Some(file) = BytecodeFile::of(&self.module) else {
            return Err(Error::misuse("the patch has lost its file"));
        };
        let like = WriteOptions::like(&self.module);
        let same =
            (options.version, options.release) == (like.version, like.release) && options.producer == like.producer;
        if !same || options.strip_locations || !options.dialect_versions.is_empty() {
            return Err(Error::misuse("a patched file is of the version, release and producer that it was of"));
        }
        if file.dialects()?.aligned {
            return Ok(None);
        }
        file.check_bytes()?;
        let options = WriteOptions { unregistered: unregistered(file, &options.unregistered)?, ..options.clone() };
        let target = Target::new(&self.module, &options)?;
        // What the first run decodes on its way the second one finds among the entries that are known.
        let _ = Numbering::beside(&self.module, file, options.version, &target)?.run(&Parts::default());
        let mut numbering = Numbering::beside(&self.module, file, options.version, &target)?;
        numbering.run(&Parts::default())?;
        let Some(numbers) = numbers(file, &numbering)? else { return Ok(None) };
        let counts = file.counts()?;
        let mut strings = std::mem::take(&mut numbering.strings).behind(file.strings()?.len());
        let mut blobs = Blobs::behind(counts.properties);
        let mut operation = Emitter::default();
        ir::operation(&mut numbering, &numbers, &mut strings, &mut blobs, &mut operation)?;
        let dialects = dialects(file, &mut numbering, &mut strings)?;
        let (offsets, entries) = entries(file, &numbering, &numbers, &mut strings)?;
        numbering.losses.refuse(options.version)?;
        let parts = [
            (SectionId::Dialect, dialects),
            (SectionId::AttrTypeOffset, offsets),
            (SectionId::AttrType, entries),
            (SectionId::Ir, self.operations(file, operation)),
            (SectionId::String, with_strings(file, &strings)?),
            (SectionId::Properties, with_blobs(file, &blobs)?),
        ];
        let mut patched = Patched { data: file.data().clone(), parts: Vec::new(), length: 0 };
        let first = file.producer_end();
        patched.keep(0..first);
        for (id, range) in file.sections() {
            let alignment = match id {
                SectionId::Resource if !range.is_empty() => file.resources()?.alignment,
                _ => 1,
            };
            if !(range.start as u64).is_multiple_of(alignment.max(1)) {
                return Ok(None);
            }
            match parts.iter().find(|part| part.0 == id).and_then(|part| part.1.as_ref()) {
                Some(changed) => patched.section(id, changed, alignment),
                None => patched.section(id, &[Part::Kept(range)], alignment),
            }
        }
        Ok(Some(patched))
    }

    /// The section of operations, with this one in its place.
    fn operations(&self, file: &BytecodeFile, operation: Emitter) -> Changed {
        let whole = file.section(SectionId::Ir)?;
        let mut length = operation.len();
        let operation = operation.into_bytes();
        let mut replaced = self.place.bytes.len();
        // Lengths of what is around it, from the inside out.
        let mut headers = Vec::new();
        for (at, data) in self.place.around.iter().rev() {
            let mut header = Emitter::default();
            header.byte(SectionId::Ir as u8);
            header.varint((data.len() - replaced + length) as u64);
            length += header.len();
            replaced += data.start - at;
            headers.push((*at..data.start, header.into_bytes()));
        }
        let mut parts = Vec::new();
        let mut at = whole.start;
        for (range, header) in headers.into_iter().rev().chain([(self.place.bytes.clone(), operation)]) {
            parts.extend([Part::Kept(at..range.start), Part::New(header)]);
            at = range.end;
        }
        parts.push(Part::Kept(at..whole.end));
        Some(parts)
    }
}

/// Those dialects of which the file has nothing but what readers who do not know them understand.
fn unregistered(file: &BytecodeFile, asked: &[String]) -> Result<Vec<String>> {
    let mut hidden = Vec::new();
    for name in asked {
        let number = file.dialect_names()?.iter().position(|known| file.context().bytes(*known) == name.as_bytes());
        let shown = match number {
            Some(number) => file.shows_dialect(number as u32)?,
            None => false,
        };
        if !shown {
            hidden.push(name.clone());
        }
    }
    Ok(hidden)
}

impl BytecodeFile {
    /// Whether the file has encodings of a dialect, or operations of it as registered ones, that are not MLIR's own.
    fn shows_dialect(&self, dialect: u32) -> Result<bool> {
        let context = self.context();
        for (operation, number) in self.dialects()?.operations.iter().zip(0..) {
            let name = self.operation_name(number)?;
            let of_mlir = context.definition(name).is_some_and(|definition| definition.is_of_mlir);
            if operation.dialect == dialect && context.is_registered(name) && !of_mlir {
                return Ok(true);
            }
        }
        let mut encoded = false;
        let mut check = |_: u32, entry: &crate::read::Entry| {
            encoded |= entry.custom && entry.dialect == dialect;
            Ok(())
        };
        let counts = self.counts()?;
        self.entries()?.walk_attributes(self.guarded(), 0..counts.attributes, &mut check)?;
        self.entries()?.walk_types(self.guarded(), &mut check)?;
        Ok(encoded)
    }

    /// Where the first section begins.
    fn producer_end(&self) -> usize {
        // With its zero.
        self.header.producer.end + 1
    }
}

/// The number of everything that was met; `None` where a resource has none in the file.
fn numbers(file: &BytecodeFile, numbering: &Numbering<'_>) -> Result<Option<Numbers>> {
    let mut numbers = Numbers {
        attributes: SlotNumbers::identity(numbering.attributes.slots()),
        types: SlotNumbers::identity(numbering.types.slots()),
        names: SlotNumbers::identity(numbering.names.slots()),
        ..Numbers::default()
    };
    if !numbering.resources.is_empty() {
        numbers.resources = file.resources()?.handles.iter().copied().zip(0..).collect();
    }
    Ok(numbering.resources.iter().all(|met| numbers.resources.contains_key(met)).then_some(numbers))
}

/// A cursor behind the number that a section begins with, and that number; 0 of an empty section.
fn counted(file: &BytecodeFile, id: SectionId) -> Result<(u64, Range<usize>)> {
    let section = file.section(id).unwrap_or_default();
    let mut cursor = Cursor::new(file.guarded(), section.start, section.end);
    let count = if section.is_empty() { 0 } else { cursor.varint()? };
    Ok((count, cursor.position()..section.end))
}

fn number(value: usize) -> Part {
    let mut bytes = Emitter::default();
    bytes.varint(value as u64);
    Part::new(bytes)
}

/// The dialect section, where there are new ones, or new names of operations.
fn dialects(file: &BytecodeFile, numbering: &mut Numbering<'_>, strings: &mut Strings) -> Result<Changed> {
    let known = file.dialects()?;
    let (dialects, names) = (numbering.dialects.len(), numbering.names.slots());
    if dialects == known.dialects.len() && names as usize == known.operations.len() {
        return Ok(None);
    }
    let (_, kept) = counted(file, SectionId::Dialect)?;
    let mut new = Emitter::default();
    // The file says nothing of the versions of dialects that it does not have.
    tables::dialects(numbering, known.dialects.len()..dialects, false, strings, &[], &mut new)?;
    let mut parts = vec![number(dialects), Part::Kept(kept.start..known.operations_at), Part::new(new)];
    let mut at = known.operations_at;
    if numbering.version >= 4 {
        let mut cursor = Cursor::new(file.guarded(), at, kept.end);
        cursor.varint()?;
        at = cursor.position();
        parts.push(number(names as usize));
    }
    let mut new = Emitter::default();
    let appended: Vec<u32> = (known.operations.len() as u32..names).collect();
    tables::operation_names(numbering, &appended, strings, &mut new)?;
    parts.extend([Part::Kept(at..kept.end), Part::new(new)]);
    Ok(Some(parts))
}

/// The sections of attributes and types: where they stand, and they themselves. Nothing where none is new.
fn entries(
    file: &BytecodeFile,
    numbering: &Numbering<'_>,
    numbers: &Numbers,
    strings: &mut Strings,
) -> Result<(Changed, Changed)> {
    let counts = file.counts()?;
    let (attributes, types) = (numbering.attributes.slots(), numbering.types.slots());
    if (attributes, types) == (counts.attributes, counts.types) {
        return Ok((None, None));
    }
    let (_, after) = counted(file, SectionId::AttrTypeOffset)?;
    let mut cursor = Cursor::new(file.guarded(), after.start, after.end);
    cursor.varint()?;
    let data = file.section(SectionId::AttrType).unwrap_or_default();
    let (types_at, type_data) = file.entries()?.types_at(file.guarded())?;
    let inside = (cursor.position()..=after.end).contains(&types_at) && (data.start..=data.end).contains(&type_data);
    if !inside {
        return Err(Error::malformed("the types are said to be where they cannot be").at(types_at as u64));
    }
    let mut offsets =
        vec![number(attributes as usize), number(types as usize), Part::Kept(cursor.position()..types_at)];
    let mut entries = vec![Part::Kept(data.start..type_data)];
    for table in [Table::Attributes, Table::Types] {
        let (new, of) = match table {
            Table::Attributes => (counts.attributes..attributes, &numbering.attributes),
            Table::Types => (counts.types..types, &numbering.types),
        };
        let (mut sizes, mut encodings) = (Emitter::default(), Emitter::default());
        let new: Vec<u32> = new.collect();
        tables::groups(
            &mut sizes,
            &new,
            |slot| of.dialect(slot),
            |sizes, slot| {
                let start = encodings.len();
                let custom = match table {
                    Table::Attributes => {
                        let own = numbering.own_attribute(slot).ok_or_else(|| Error::misuse("no new attribute"))?;
                        tables::entry(numbering, numbers, strings, &mut encodings, own)?
                    }
                    Table::Types => {
                        tables::entry(numbering, numbers, strings, &mut encodings, tables::own_type(numbering, slot)?)?
                    }
                };
                sizes.varint_with_flag((encodings.len() - start) as u64, custom);
                Ok(())
            },
        )?;
        offsets.push(Part::new(sizes));
        entries.push(Part::new(encodings));
        if table == Table::Attributes {
            offsets.push(Part::Kept(types_at..after.end));
            entries.push(Part::Kept(type_data..data.end));
        }
    }
    Ok((Some(offsets), Some(entries)))
}

/// The string section, where some are new: their sizes come first, since the last string's does, and they themselves last.
fn with_strings(file: &BytecodeFile, new: &Strings) -> Result<Changed> {
    if new.len() == 0 {
        return Ok(None);
    }
    let (count, kept) = counted(file, SectionId::String)?;
    let (mut sizes, mut contents) = (Emitter::default(), Emitter::default());
    new.sizes(&mut sizes);
    new.contents(&mut contents);
    let all = number(count as usize + new.len());
    Ok(Some(vec![all, Part::new(sizes), Part::Kept(kept), Part::new(contents)]))
}

/// The section of properties, where some are new.
fn with_blobs(file: &BytecodeFile, new: &Blobs) -> Result<Changed> {
    if new.len() == 0 {
        return Ok(None);
    }
    let (count, kept) = counted(file, SectionId::Properties)?;
    let mut contents = Emitter::default();
    new.contents(&mut contents);
    Ok(Some(vec![number(count as usize + new.len()), Part::Kept(kept), Part::new(contents)]))
}

/// What a section is made of, where it is changed.
type Changed = Option<Vec<Part>>;

/// A file in which one operation was changed: what is new of it, and what of the old file it keeps.
#[derive(Debug)]
pub struct Patched {
    data: Bytes,
    parts: Vec<Part>,
    length: usize,
}

#[derive(Debug)]
enum Part {
    New(Vec<u8>),
    /// Bytes of the old file.
    Kept(Range<usize>),
}

impl Part {
    fn new(bytes: Emitter) -> Part {
        Part::New(bytes.into_bytes())
    }

    fn len(&self) -> usize {
        match self {
            Part::New(bytes) => bytes.len(),
            Part::Kept(range) => range.len(),
        }
    }
}

/// A part of a [`Patched`] file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchPart<'p> {
    /// Bytes that the old file does not have there.
    New(&'p [u8]),
    /// Bytes of the old file, from there to there.
    Kept(Range<usize>),
}

impl Patched {
    /// The parts of the file, in order. None is empty, and no two that are kept follow each other in the old file as well.
    pub fn parts(&self) -> impl Iterator<Item = PatchPart<'_>> {
        self.parts.iter().map(|part| match part {
            Part::New(bytes) => PatchPart::New(bytes),
            Part::Kept(range) => PatchPart::Kept(range.clone()),
        })
    }

    /// How many bytes it has.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Writes the file, the kept parts of it from where they are in memory.
    ///
    /// # Errors
    /// Where writing fails.
    pub fn write_to(&self, to: &mut (impl Write + ?Sized)) -> io::Result<()> {
        self.parts.iter().try_for_each(|part| match part {
            Part::New(bytes) => to.write_all(bytes),
            Part::Kept(range) => to.write_all(self.data.get(range.clone()).unwrap_or_default()),
        })
    }

    fn keep(&mut self, range: Range<usize>) {
        self.length += range.len();
        match self.parts.last_mut() {
            _ if range.is_empty() => {}
            Some(Part::Kept(last)) if last.end == range.start => last.end = range.end,
            _ => self.parts.push(Part::Kept(range)),
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len();
        match self.parts.last_mut() {
            _ if bytes.is_empty() => {}
            Some(Part::New(last)) => last.extend_from_slice(bytes),
            _ => self.parts.push(Part::New(bytes.to_vec())),
        }
    }

    /// Appends a section, its data at a multiple of `alignment`.
    fn section(&mut self, id: SectionId, content: &[Part], alignment: u64) {
        let mut header = Emitter::default();
        header.byte(id as u8);
        header.varint(content.iter().map(Part::len).sum::<usize>() as u64);
        let is_aligned = |header: &Emitter| ((self.length + header.len()) as u64).is_multiple_of(alignment.max(1));
        if !is_aligned(&header) {
            header.bytes[0] |= 0x80;
            header.varint(alignment);
            while !is_aligned(&header) {
                header.byte(crate::format::PADDING);
            }
        }
        self.add(&header.bytes);
        for part in content {
            match part {
                Part::New(bytes) => self.add(bytes),
                Part::Kept(range) => self.keep(range.clone()),
            }
        }
    }
}
