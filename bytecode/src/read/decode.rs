//! Entries of a file's tables decoded: on demand, nested ones by calls up to a fixed depth and then from a stack.

use std::sync::PoisonError;

use bytes::Bytes;
use mlirbc_ir::ods::Release;
use mlirbc_ir::{
    Attribute, AttributeData, Context, Encoded, Error, ErrorKind, Identifier, PackedLocation, ResourceHandle, Result,
    Type, TypeData, text,
};

use super::dialects::KnownDialect;
use super::entries::Entry;
use super::file::BytecodeFile;
use super::lazy::lazily;
use super::locations::PackedSlot;
use super::slots::{Slots, handle, is_partly_opaque, noting_opaque, opaque_handle};
use crate::encoding::builtin::FILE_LINE_COLUMN;
use crate::encoding::{
    DialectVersion, EntryReader, Met, Path, Read, Resolution, Resolver, Table, Waiting, WaitingEntries,
};
use crate::format::{Cursor, SectionId};

/// An entry that others wait for.
struct Wanted {
    entry: (Table, u32),
    /// Whether decoding it has begun, and waits for what is above it on the stack.
    entered: bool,
    /// Whether it was met past the first thing that was missing, where fields may be taken for others.
    guessed: bool,
}

impl Wanted {
    fn new((entry, guessed): ((Table, u32), bool)) -> Self {
        Wanted { entry, entered: false, guessed }
    }
}

/// How deep decoders may call each other before the rest is put off.
const DEPTH: usize = Path::LONGEST - 1;

impl BytecodeFile {
    /// What the slot of the entry holds, decoded now if it is empty.
    #[inline]
    pub(super) fn resolve(&self, table: Table, index: u32) -> Result<u64> {
        match self.settled(table, index) {
            0 => self.resolve_now(table, index),
            // Who asks for one entry has mostly asked for it before.
            word => Ok(word),
        }
    }

    fn resolve_now(&self, table: Table, index: u32) -> Result<u64> {
        self.resolve_next(table, index, &mut Resolution::default())
    }

    /// As [`BytecodeFile::resolve`], after others with the same state.
    pub(super) fn resolve_next(&self, table: Table, index: u32, resolution: &mut Resolution) -> Result<u64> {
        resolution.met = Met::default();
        match self.nested(table, index, resolution) {
            Err(error) if !resolution.met.gave_up => Err(self.of_file(error)),
            Err(_) => self.resolve_deep(table, index, std::mem::take(resolution)),
            word => word,
        }
    }

    /// As [`BytecodeFile::resolve_next`], of an entry that is known to be in none of these slots yet.
    pub(super) fn resolve_entry(
        &self,
        (table, index, entry): (Table, u32, &Entry),
        slots: &Slots,
        resolution: &mut Resolution,
    ) -> Result<u64> {
        resolution.met = Met::default();
        match self.settle_entry((table, index), Some(entry), slots, resolution) {
            Err(error) if !resolution.met.gave_up => Err(self.of_file(error)),
            Err(_) => self.resolve_deep(table, index, std::mem::take(resolution)),
            word => word,
        }
    }

    /// Goes on with an entry that is nested deeper than decoders may call each other.
    fn resolve_deep(&self, table: Table, index: u32, mut resolution: Resolution) -> Result<u64> {
        let outermost = ((table, index), false);
        let mut stack: Vec<Wanted> = Vec::new();
        let mut found = std::mem::take(&mut resolution.needed);
        found.push(outermost);
        resolution.met = Met::default();
        stack.extend(found.into_iter().rev().map(Wanted::new));
        // What is nested deeper than decoders may call each other waits on this stack instead of theirs.
        while let Some(wanted) = stack.last_mut() {
            let entry = wanted.entry;
            let filled = self.slots(entry.0)?.get(entry.1) != 0;
            if filled || !wanted.entered && resolution.waiting.get(entry) == Some(Waiting::Entered) {
                // Resolved meanwhile on behalf of another, or an entry that waits further down.
                if filled {
                    resolution.waiting.set(entry, None);
                }
                stack.pop();
                continue;
            }
            let result = self.nested(entry.0, entry.1, &mut resolution);
            let found = std::mem::take(&mut resolution.needed);
            if std::mem::take(&mut resolution.met).gave_up {
                wanted.entered = true;
                resolution.waiting.set(entry, Some(Waiting::Entered));
                // The first that was met is the deepest: it comes out of the stack first.
                stack.extend(found.into_iter().rev().map(Wanted::new));
            } else if let Err(error) = result {
                let guessed = stack.iter().position(|wanted| wanted.guessed);
                let kept = guessed.unwrap_or_default();
                stack.iter().for_each(|wanted| resolution.waiting.set(wanted.entry, None));
                for wanted in stack.iter().take(kept).filter(|wanted| wanted.entered) {
                    resolution.waiting.set(wanted.entry, Some(Waiting::Entered));
                }
                if guessed.is_none() {
                    self.keep_waiting(resolution.waiting);
                    return Err(self.of_file(error));
                }
                // What was only guessed to be needed may be wrong without harm: go on without guessing.
                stack.truncate(kept);
                resolution.guesses = false;
            }
        }
        self.keep_waiting(resolution.waiting);
        Ok(self.slots(table)?.get(index))
    }

    /// An error for an entry that is of another kind than the one that refers to it wants.
    #[cold]
    pub(super) fn misplaced(&self, index: u32, message: &str) -> Error {
        let error = Error::malformed(format!("attribute {index} {message}"));
        match self.entry(Table::Attributes, index) {
            Ok(entry) => error.at(entry.range.start as u64).in_section(SectionId::AttrType.name()),
            Err(_) => error,
        }
    }

    /// Puts an entry off.
    #[cold]
    fn give_up(&self, entry: (Table, u32), resolution: &mut Resolution) -> Error {
        if resolution.waiting.is_unused() {
            let mut waiting = self.seldom().waiting.lock().unwrap_or_else(PoisonError::into_inner);
            resolution.waiting = std::mem::take(&mut waiting);
        }
        resolution.give_up(entry)
    }

    /// Keeps the room that was taken, for the next nesting as deep: it grows with the table.
    fn keep_waiting(&self, waiting: WaitingEntries) {
        debug_assert!(waiting.is_clear(), "nothing waits any more");
        *self.seldom().waiting.lock().unwrap_or_else(PoisonError::into_inner) = waiting;
    }

    /// What the slot of an entry holds that the decoder which runs refers to. Notes what it gets.
    fn nested(&self, table: Table, index: u32, resolution: &mut Resolution) -> Result<u64> {
        let word = self.settle(table, index, resolution);
        match &word {
            Ok(word) if is_partly_opaque(*word) => drop(resolution.met.opaque.get_or_insert((table, index))),
            Ok(_) => {}
            Err(_) => resolution.met.refused.set(true),
        }
        word
    }

    fn settle(&self, table: Table, index: u32, resolution: &mut Resolution) -> Result<u64> {
        let slots = self.slots(table)?;
        let filled = slots.get(index);
        if filled != 0 {
            return Ok(filled);
        }
        let entry = (table, index);
        if resolution.alone {
            return self.resolve(table, index);
        }
        // The outermost entry is the caller's choice.
        let waiting = if resolution.path.is_empty() { None } else { resolution.waiting.get(entry) };
        if resolution.path.contains(entry) || waiting == Some(Waiting::Entered) {
            return Err(cycle(table, index));
        }
        if resolution.path.len() > DEPTH || waiting == Some(Waiting::PutOff) {
            return Err(self.give_up(entry, resolution));
        }
        self.settle_entry(entry, None, slots, resolution)
    }

    /// Decodes an entry that may be decoded now. `known`: where it stands.
    fn settle_entry(
        &self,
        entry: (Table, u32),
        known: Option<&Entry>,
        slots: &Slots,
        resolution: &mut Resolution,
    ) -> Result<u64> {
        let outer = std::mem::take(&mut resolution.met);
        resolution.path.push(entry);
        let result = match known {
            Some(known) => self.decode_at(entry, known, resolution),
            None => self.entry(entry.0, entry.1).and_then(|known| self.decode_at(entry, &known, resolution)),
        };
        resolution.path.pop();
        let met = std::mem::replace(&mut resolution.met, outer);
        if met.gave_up {
            // Whatever the decoder made of it: something in the entry is not known yet.
            return Err(match resolution.path.is_empty() {
                false => self.give_up(entry, resolution),
                true => {
                    resolution.met.gave_up = true;
                    Error::malformed("nested too deep for now")
                }
            });
        }
        let word = if met.opaque.is_some() { noting_opaque(result?) } else { result? };
        // An attribute may have an identity that nothing else has: then the first one is it.
        match entry.0 {
            Table::Attributes => Ok(slots.fill(entry.1, word)),
            Table::Types => {
                slots.set(entry.1, word);
                Ok(word)
            }
        }
    }

    /// Decodes the entry that stands there.
    #[inline]
    fn decode_at(&self, (table, index): (Table, u32), entry: &Entry, resolution: &mut Resolution) -> Result<u64> {
        self.decode_entry(table, index, entry, resolution).map_err(|error| {
            let error = error.at(entry.range.start as u64).in_section(SectionId::AttrType.name());
            // The outermost entry of a deep nesting says nothing that the innermost does not.
            if resolution.path.len() == 1 { error.reading(format!("{} {index}", table.what())) } else { error }
        })
    }

    fn decode_entry(&self, table: Table, index: u32, entry: &Entry, resolution: &mut Resolution) -> Result<u64> {
        let known = self.known_dialects()?;
        let Some(dialect) = known.get(entry.dialect as usize) else {
            return Err(Error::malformed(format!("dialect {} of {}", entry.dialect, known.len())));
        };
        if !entry.custom {
            let mut cursor = Cursor::new(self.guarded(), entry.range.start, entry.range.end);
            let text = cursor.c_string()?;
            if !cursor.is_empty() {
                return Err(
                    cursor.error(format!("{} after the text of an entry", Error::counted(cursor.remaining(), "byte")))
                );
            }
            let number = match self.kept.as_ref().and_then(|kept| kept.text(table, text)) {
                Some(number) => number,
                None => self.parse_entry(table, text).map_err(|error| error.after(entry.range.start as u64))?,
            };
            return Ok(handle(number));
        }
        if table == Table::Attributes
            && self.callbacks.is_empty()
            && dialect.is_builtin
            && !self.has_other_code(entry)
            && let Some(word) = self.file_line_column(entry, resolution)?
        {
            return Ok(word);
        }
        match self.decode_custom(table, entry, dialect, resolution) {
            Ok(Some(word)) => Ok(word),
            Ok(None) => self.opaque_entry(table, index, entry, dialect.name),
            Err(error) if error.kind() == ErrorKind::Unknown => self.opaque_entry(table, index, entry, dialect.name),
            Err(error) => Err(error),
        }
    }

    /// What the text of an entry says, by its number in the context.
    fn parse_entry(&self, table: Table, text: &[u8]) -> Result<u32> {
        let mut scope = text::Scope::new().with_declarations(self.seldom().declared.clone());
        let mut parser = text::Parser::new(&self.context, text, &mut scope);
        let parsed = match table {
            Table::Attributes => parser.attribute().map(|parsed| parsed.raw()),
            Table::Types => parser.ty().map(|parsed| parsed.raw()),
        };
        let parsed = parsed.and_then(|parsed| parser.finish().map(|()| parsed));
        // A file whose text breaks a rule is as malformed as one whose codes do.
        let parsed = parsed.map_err(|error| error.of_kind(ErrorKind::Malformed))?;
        if let Some(kept) = self.kept.as_ref().filter(|_| scope.is_unasked()) {
            kept.keep_text(table, text, parsed);
        }
        Ok(parsed)
    }

    /// The word for an entry that cannot be decoded.
    #[cold]
    fn opaque_entry(&self, table: Table, index: u32, entry: &Entry, dialect: Identifier) -> Result<u64> {
        self.guarded().get(entry.range.clone())?;
        let bytes = self.data.slice(entry.range.clone());
        let encoded = Encoded { dialect, source: self.number, index, bytes };
        Ok(opaque_handle(match table {
            Table::Attributes => self.context.attribute(AttributeData::Encoded(encoded)).raw(),
            Table::Types => self.context.ty(TypeData::Encoded(encoded)).raw(),
        }))
    }

    /// Decodes an entry in an encoding of its dialect; `None` where the dialect has none.
    ///
    /// # Errors
    /// Where the entry is broken; of the kind [`ErrorKind::Unknown`] where it may be of an encoding that is unknown.
    pub(super) fn decode_custom(
        &self,
        table: Table,
        entry: &Entry,
        dialect: &KnownDialect,
        resolution: &mut Resolution,
    ) -> Result<Option<u64>> {
        if !self.callbacks.is_empty() {
            let name = self.context.text(dialect.name);
            let read = match table {
                Table::Attributes => {
                    self.called_back(&self.callbacks.attributes, entry, &name, resolution)?.map(|it| handle(it.raw()))
                }
                Table::Types => {
                    self.called_back(&self.callbacks.types, entry, &name, resolution)?.map(|it| handle(it.raw()))
                }
            };
            if read.is_some() {
                return Ok(read);
            }
        }
        let Some(encoding) = &dialect.encoding else { return Ok(None) };
        self.whole_entry(entry, resolution, |reader| match table {
            Table::Attributes => Ok(Some(handle(encoding.read_attribute(reader)?.raw()))),
            Table::Types => Ok(Some(handle(encoding.read_type(reader)?.raw()))),
        })
    }

    /// What the first callback that takes up the entry makes of it.
    fn called_back<T>(
        &self,
        callbacks: &[Read<T>],
        entry: &Entry,
        dialect: &str,
        resolution: &mut Resolution,
    ) -> Result<Option<T>> {
        for read in callbacks {
            let value = self.whole_entry(entry, resolution, |reader| read(reader, dialect))?;
            if value.is_some() {
                return Ok(value);
            }
        }
        Ok(None)
    }

    /// What `read` makes of an entry, all of it.
    fn whole_entry<T>(
        &self,
        entry: &Entry,
        resolution: &mut Resolution,
        read: impl FnOnce(&mut EntryReader<'_, '_>) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let cursor = Cursor::new(self.guarded(), entry.range.start, entry.range.end);
        let mut reader = EntryReader { cursor, resolver: self, resolution };
        let value = read(&mut reader).map_err(|error| unless_opaque(error, &reader.resolution.met))?;
        match reader.remaining() {
            left if left > 0 && value.is_some() => {
                Err(reader.error(format!("{} left of an entry", Error::counted(left, "byte"))))
            }
            _ => Ok(value),
        }
    }

    /// Whether one glance says that an entry of `builtin` is no file-line-column location.
    #[inline]
    pub(super) fn has_other_code(&self, entry: &Entry) -> bool {
        // The lowest bit says that the code is this byte alone.
        self.data.get(entry.range.start).is_some_and(|byte| byte & 1 == 1 && u64::from(byte >> 1) != FILE_LINE_COLUMN)
    }

    /// The word for an entry that is a file-line-column location small enough to be packed.
    pub(super) fn file_line_column(&self, entry: &Entry, resolution: &mut Resolution) -> Result<Option<u64>> {
        let mut cursor = Cursor::new(self.guarded(), entry.range.start, entry.range.end);
        if cursor.varint()? != FILE_LINE_COLUMN {
            return Ok(None);
        }
        let file = cursor.index()?;
        let (line, column) = (cursor.varint()?, cursor.varint()?);
        if !cursor.is_empty() {
            return Ok(None);
        }
        let file = self.nested_attribute(file, resolution)?;
        let Some(file) = self.context.as_identifier(file) else { return Ok(None) };
        Ok(PackedLocation::new(self.files.number(file), line, column).map(PackedLocation::word))
    }

    pub(super) fn attribute_of(&self, word: u64) -> Attribute {
        match PackedSlot::of(word) {
            PackedSlot::Handle(handle) => Attribute::from_raw(handle),
            PackedSlot::Location(location) => {
                let place = (location.line(), location.column());
                let file = self.files.get(location.file());
                self.context.attribute(AttributeData::FileLocation { file, start: place, end: place })
            }
        }
    }
}

#[cold]
fn cycle(table: Table, index: u32) -> Error {
    Error::malformed(format!("{} {index} holds itself", table.what()))
}

impl Resolver for BytecodeFile {
    fn context(&self) -> &Context {
        &self.context
    }

    fn version(&self) -> u64 {
        self.header.version
    }

    fn release(&self) -> Option<Release> {
        BytecodeFile::release(self)
    }

    fn nested_attribute(&self, index: u32, resolution: &mut Resolution) -> Result<Attribute> {
        Ok(self.attribute_of(self.nested(Table::Attributes, index, resolution)?))
    }

    fn nested_type(&self, index: u32, resolution: &mut Resolution) -> Result<Type> {
        match PackedSlot::of(self.nested(Table::Types, index, resolution)?) {
            PackedSlot::Handle(handle) => Ok(Type::from_raw(handle)),
            PackedSlot::Location(_) => Err(Error::malformed("a location is no type")),
        }
    }

    fn string(&self, index: u32) -> Result<&[u8]> {
        BytecodeFile::string(self, index)
    }

    fn resource(&self, index: u32) -> Result<ResourceHandle> {
        let handles = &self.resources()?.handles;
        let found = handles.get(index as usize).copied();
        found.ok_or_else(|| Error::malformed(format!("resource {index} of {}", handles.len())))
    }

    fn slice(&self, bytes: &[u8]) -> Bytes {
        self.view(bytes)
    }

    fn take(&self, bytes: u64) -> Result<()> {
        self.allowance.take(bytes)
    }

    fn dialect_version(&self, dialect: &str) -> Result<Option<DialectVersion>> {
        let known = self.known_dialects()?;
        let mut dialects = known.iter().zip(&self.dialects()?.dialects);
        let found = dialects.find(|(known, _)| self.context.bytes(known.name) == dialect.as_bytes());
        let Some((KnownDialect { encoding: Some(encoding), version, .. }, entry)) = found else { return Ok(None) };
        let Some(range) = entry.version.clone() else { return Ok(None) };
        let version = lazily(version, || {
            let mut resolution = Resolution::alone();
            let cursor = Cursor::new(self.guarded(), range.start, range.end);
            let mut reader = EntryReader { cursor, resolver: self, resolution: &mut resolution };
            let read = encoding.read_version(&mut reader).and_then(|version| match reader.remaining() {
                0 => Ok(Some(version)),
                left => Err(reader.error(format!("{} left of a version", Error::counted(left, "byte")))),
            });
            read.map_err(|error| {
                let error = error.at(range.start as u64).in_section(SectionId::DialectVersions.name());
                error.reading(format!("the version of the dialect {}", Error::quoted(dialect.as_bytes())))
            })
        });
        version.cloned()
    }
}

/// The error of a decoder, which is no error of the file where the decoder was given something opaque: it may have
/// wanted to see more of that than is known.
#[cold]
pub(super) fn unless_opaque(error: Error, met: &Met) -> Error {
    match met.opaque {
        Some((table, index)) if !met.refused.get() && error.kind() != ErrorKind::Unknown => {
            let message = format!("it holds {} {index}, of which not all is known ({})", table.what(), error.message());
            let unknown = Error::new(ErrorKind::Unknown, message);
            match error.place().offset {
                Some(offset) => unknown.at(offset),
                None => unknown,
            }
        }
        _ => error,
    }
}
