//! A bytecode file: opened by its header and section table, everything else read on demand.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use mlirbc_ir::ods::Release;
use mlirbc_ir::{
    Attribute, AttributeData, Blob, BodyId, Context, Error, ErrorKind, Identifier, OpId, OperationName, PackedLocation,
    ResourceHandle, Result, Type, fresh_number, text,
};

use super::allowance::Allowance;
use super::cursor::Cursor;
use super::dialects::Dialects;
use super::entries::{Entries, Entry};
use super::guard::{Data, Guard};
use super::locations::{FileTable, PackedSlot};
use super::properties::Properties;
use super::resources::Resources;
use super::sections::{Header, SectionId};
use super::slots::Slots;
use super::source::ReadOptions;
use super::strings::Strings;
use super::symbol_scan::SymbolScan;
use super::unknown::{is_partly_opaque, noting, unless_opaque};
use crate::encoding::builtin::FILE_LINE_COLUMN;
use crate::encoding::{
    self, DialectEncoding, DialectVersion, EntryReader, Met, Path, Read, ReadCallbacks, Resolution, Resolver, Table,
    Waiting, WaitingEntries,
};
use crate::index::Index;
use crate::limits::Limits;

/// A bytecode file, opened.
pub struct BytecodeFile {
    pub(crate) data: Bytes,
    pub(super) guard: Option<Arc<dyn Guard>>,
    pub(crate) header: Header,
    release: Option<Release>,
    pub(super) context: Context,
    pub(super) limits: Limits,
    pub(super) number: u64,
    pub(super) properties_number: u64,
    pub(super) strings: OnceLock<Strings>,
    pub(super) dialects: OnceLock<Dialects>,
    pub(super) known: OnceLock<Vec<KnownDialect>>,
    pub(super) counts: OnceLock<Counts>,
    pub(super) entries: OnceLock<Entries>,
    pub(super) properties: OnceLock<Properties>,
    pub(super) resources: OnceLock<Resources>,
    pub(super) attribute_slots: OnceLock<Slots>,
    pub(super) type_slots: OnceLock<Slots>,
    pub(super) name_slots: OnceLock<Slots>,
    pub(super) property_slots: OnceLock<Slots>,
    pub(super) files: FileTable,
    pub(crate) index: Option<Index>,
    pub(crate) callbacks: ReadCallbacks,
    /// Walks for symbols, by the place of the body walked.
    pub(super) symbol_scans: Mutex<HashMap<u64, SymbolScan>>,
    /// Operations that were read alone, by their place in the file.
    pub(super) fragments: Mutex<HashMap<u64, (BodyId, OpId)>>,
    pub(super) decoded_properties: Mutex<HashMap<(OperationName, u32), Attribute>>,
    /// Room for what waits while a deep nesting is decoded.
    waiting: Mutex<WaitingEntries>,
    /// What names in the text of entries stand for.
    declared: Arc<text::Declarations>,
    pub(super) allowance: Allowance,
}

/// What decoding needs of a dialect of the file.
pub(crate) struct KnownDialect {
    pub(crate) name: Identifier,
    pub(crate) encoding: Option<Arc<dyn DialectEncoding>>,
    pub(super) version: OnceLock<Option<DialectVersion>>,
}

/// How many entries the tables have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) attributes: u32,
    pub(crate) types: u32,
    pub(crate) properties: u32,
}

/// What is in `cell`, made if it is empty.
pub(super) fn lazily<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

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
    pub(crate) fn open(context: &Context, data: Bytes, options: &ReadOptions) -> Result<Self> {
        let ReadOptions { limits, index, guard, callbacks } = options.clone();
        let guarded = Data::new(&data, guard.as_deref());
        let header = match &index {
            Some(index) => index.header(guarded)?,
            None => Header::read(guarded)?,
        };
        let mut file = BytecodeFile {
            allowance: Allowance::new(limits, data.len()),
            release: None,
            data,
            guard,
            header,
            context: context.clone(),
            limits,
            number: fresh_number(),
            properties_number: fresh_number(),
            strings: OnceLock::new(),
            dialects: OnceLock::new(),
            known: OnceLock::new(),
            counts: OnceLock::new(),
            entries: OnceLock::new(),
            properties: OnceLock::new(),
            resources: OnceLock::new(),
            attribute_slots: OnceLock::new(),
            type_slots: OnceLock::new(),
            name_slots: OnceLock::new(),
            property_slots: OnceLock::new(),
            files: FileTable::default(),
            index,
            callbacks,
            symbol_scans: Mutex::default(),
            fragments: Mutex::default(),
            decoded_properties: Mutex::default(),
            waiting: Mutex::default(),
            declared: Arc::default(),
        };
        file.release = Release::of_producer(file.producer());
        if let Some(index) = &file.index {
            file.use_checkpoints(index)?;
        }
        Ok(file)
    }

    /// What a file with these bytes has to stand at a multiple of, in memory, for its resources to be aligned as it
    /// promises: the largest alignment of a section, 1 where none asks for any.
    ///
    /// # Errors
    /// Where the header or the section table is malformed.
    pub fn alignment(bytes: &[u8]) -> Result<u64> {
        Header::read(bytes).map(|header| header.alignment)
    }

    /// The bytes of the file, to be read: checked when they are first looked at, where the file has a guard.
    #[inline]
    pub(crate) fn guarded(&self) -> Data<'_> {
        Data::new(&self.data, self.guard.as_deref())
    }

    /// Has all bytes checked that have not been looked at, where the file has a guard.
    ///
    /// # Errors
    /// Where some are not what was written.
    pub fn check_bytes(&self) -> Result<()> {
        self.guarded().get(0..self.data.len()).map(drop)
    }

    /// The bytes of the file. Where it has a guard, not all of them may have been checked.
    pub fn data(&self) -> &Bytes {
        &self.data
    }

    /// Bytes of the file that are checked when they are first read, where the file has a guard.
    pub(crate) fn blob(&self, range: Range<usize>) -> Blob {
        let (start, bytes) = (range.start, self.data.slice(range));
        match &self.guard {
            None => bytes.into(),
            Some(guard) => {
                let guard = Arc::clone(guard);
                let place = move |at: usize| start.saturating_add(at);
                Blob::checked_by(bytes, move |part| guard.check(place(part.start)..place(part.end)).map(drop))
            }
        }
    }

    /// The bytecode version.
    pub fn version(&self) -> u64 {
        self.header.version
    }

    /// The producer string.
    pub fn producer(&self) -> &[u8] {
        self.data.get(self.header.producer.clone()).unwrap_or_default()
    }

    /// The release of MLIR that the file is of, by its producer; `None` where that names none.
    pub fn release(&self) -> Option<Release> {
        self.release
    }

    /// The sections in the order of the file, each with where its data stands.
    pub fn sections(&self) -> impl Iterator<Item = (SectionId, Range<usize>)> {
        self.header.order.iter().map(|&id| (id, self.section(id).unwrap_or_default()))
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn section(&self, id: SectionId) -> Option<Range<usize>> {
        self.header.section(id)
    }

    pub(crate) fn cursor(&self, id: SectionId) -> Cursor<'_> {
        self.header.cursor(self.guarded(), id)
    }

    /// The same error, with what is known of the file.
    pub(crate) fn of_file(&self, error: Error) -> Error {
        let producer = self.producer();
        error.of_file(self.version(), &String::from_utf8_lossy(producer.get(..PRODUCER).unwrap_or(producer)))
    }

    // Tables, read whole when first needed.

    pub(crate) fn strings(&self) -> Result<&Strings> {
        let section = self.section(SectionId::String).unwrap_or_default();
        lazily(&self.strings, || Strings::read(self.guarded(), section))
            .map_err(|error| error.in_section(SectionId::String.name()))
    }

    pub(crate) fn dialects(&self) -> Result<&Dialects> {
        let strings = self.strings()?.len();
        lazily(&self.dialects, || Dialects::read(self.cursor(SectionId::Dialect), self.version(), strings))
            .map_err(|error| error.in_section(SectionId::Dialect.name()))
    }

    pub(crate) fn known_dialects(&self) -> Result<&[KnownDialect]> {
        let known = lazily(&self.known, || {
            let mut seen = HashSet::new();
            let dialects = self.dialects()?.dialects.iter().map(|dialect| {
                let bytes = self.string(dialect.name)?;
                let name = self.context.identifier(bytes);
                // A second one could have another version, and which of them is meant nothing says.
                if !seen.insert(name) {
                    let at = self.section(SectionId::Dialect).unwrap_or_default().start as u64;
                    let error = Error::malformed(format!("the dialect {} comes twice", Error::quoted(bytes)));
                    return Err(error.at(at).in_section(SectionId::Dialect.name()).reading("the dialects"));
                }
                Ok(KnownDialect { name, encoding: encoding::find(&self.context, bytes), version: OnceLock::new() })
            });
            dialects.collect()
        });
        known.map(Vec::as_slice)
    }

    pub(crate) fn counts(&self) -> Result<Counts> {
        let counts = lazily(&self.counts, || {
            let offsets = self.section(SectionId::AttrTypeOffset).unwrap_or_default();
            let (attributes, types, _) = Entries::counts(self.guarded(), offsets)
                .map_err(|error| error.in_section(SectionId::AttrTypeOffset.name()))?;
            let properties = Properties::count(self.guarded(), self.section(SectionId::Properties).unwrap_or_default())
                .map_err(|error| error.in_section(SectionId::Properties.name()))?;
            let properties = properties.min(u32::MAX as usize) as u32;
            Ok(Counts { attributes: attributes as u32, types: types as u32, properties })
        });
        counts.copied()
    }

    pub(crate) fn entries(&self) -> Result<&Entries> {
        lazily(&self.entries, || {
            let offsets = self.section(SectionId::AttrTypeOffset).unwrap_or_default();
            let entries = self.section(SectionId::AttrType).unwrap_or_default();
            Entries::read(self.guarded(), offsets, entries, self.dialects()?.dialects.len())
        })
        .map_err(|error| error.in_section(SectionId::AttrTypeOffset.name()))
    }

    pub(crate) fn property_blobs(&self) -> Result<&Properties> {
        let section = self.section(SectionId::Properties).unwrap_or_default();
        lazily(&self.properties, || Properties::read(self.guarded(), section))
            .map_err(|error| error.in_section(SectionId::Properties.name()))
    }

    pub(crate) fn resources(&self) -> Result<&Resources> {
        lazily(&self.resources, || Resources::read(self))
    }

    pub(super) fn slots(&self, table: Table) -> Result<&Slots> {
        let counts = self.counts()?;
        Ok(match table {
            Table::Attributes => self.attribute_slots.get_or_init(|| Slots::new(counts.attributes as usize)),
            Table::Types => self.type_slots.get_or_init(|| Slots::new(counts.types as usize)),
        })
    }

    // Entries of the tables.

    pub(crate) fn string(&self, index: u32) -> Result<&[u8]> {
        let strings = self.strings()?;
        let found = strings.get(self.guarded(), index).map_err(|error| error.in_section(SectionId::String.name()))?;
        found.ok_or_else(|| Error::malformed(format!("string {index} of {}", strings.len())))
    }

    pub(crate) fn dialect_name(&self, index: u32) -> Result<Identifier> {
        let known = self.known_dialects()?;
        let found = known.get(index as usize).map(|dialect| dialect.name);
        found.ok_or_else(|| Error::malformed(format!("dialect {index} of {}", known.len())))
    }

    /// The dialects of the file, in its order.
    ///
    /// # Errors
    /// Where their section is malformed.
    pub fn dialect_names(&self) -> Result<Vec<Identifier>> {
        Ok(self.known_dialects()?.iter().map(|dialect| dialect.name).collect())
    }

    /// The operation name of that number.
    pub(crate) fn operation_name(&self, index: u32) -> Result<OperationName> {
        let operations = &self.dialects()?.operations;
        let slots = self.name_slots.get_or_init(|| Slots::new(operations.len()));
        let filled = slots.get(index);
        if filled != 0 {
            return Ok(OperationName::from_raw((filled as u32).saturating_sub(1)));
        }
        let Some(&entry) = operations.get(index as usize) else {
            return Err(Error::malformed(format!("operation name {index} of {}", operations.len())));
        };
        let (dialect, own) = (self.context.bytes(self.dialect_name(entry.dialect)?), self.string(entry.name())?);
        self.allowance.take(dialect.len() as u64)?;
        self.allowance.take(own.len() as u64)?;
        let mut name = dialect.to_vec();
        if !own.is_empty() {
            name.push(b'.');
            name.extend_from_slice(own);
        }
        // Before version 5 files do not say: what is known counts as registered.
        let registered = match self.version() {
            0..5 => self.context.is_known_operation(&name),
            _ => entry.is_registered(),
        };
        let name = self.context.operation_name(&name, registered);
        slots.fill(index, u64::from(name.raw()) + 1);
        Ok(name)
    }

    pub(crate) fn entry(&self, table: Table, index: u32) -> Result<Entry> {
        let entries = self.entries()?;
        let found = match table {
            Table::Attributes => entries.attribute(self.guarded(), index),
            Table::Types => entries.ty(self.guarded(), index),
        };
        found.map_err(|error| error.in_section(SectionId::AttrTypeOffset.name()))?.ok_or_else(|| {
            let count = match table {
                Table::Attributes => entries.attributes.len(),
                Table::Types => entries.types.len(),
            };
            Error::malformed(format!("{} {index} of {count}", table.what()))
        })
    }

    /// What the slot of the entry holds, decoded now if it is empty.
    pub(super) fn resolve(&self, table: Table, index: u32) -> Result<u64> {
        let mut resolution = Resolution::default();
        match self.nested(table, index, &mut resolution) {
            Err(error) if !resolution.met.gave_up => Err(self.of_file(error)),
            Err(_) => self.resolve_deep(table, index, resolution),
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
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            resolution.waiting = std::mem::take(&mut waiting);
        }
        resolution.give_up(entry)
    }

    /// Keeps the room that was taken, for the next nesting as deep: it grows with the table.
    fn keep_waiting(&self, waiting: WaitingEntries) {
        debug_assert!(waiting.is_clear(), "nothing waits any more");
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = waiting;
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
        let filled = self.slots(table)?.get(index);
        if filled != 0 {
            return Ok(filled);
        }
        let entry = (table, index);
        if resolution.alone {
            return self.resolve(table, index);
        }
        // The outermost entry is the caller's choice.
        let waiting = if resolution.path.is_empty() { None } else { resolution.waiting.get(entry) };
        if resolution.path.contains(&entry) || waiting == Some(Waiting::Entered) {
            return Err(cycle(table, index));
        }
        if resolution.path.len() > DEPTH || waiting == Some(Waiting::PutOff) {
            return Err(self.give_up(entry, resolution));
        }
        let outer = std::mem::take(&mut resolution.met);
        resolution.path.push(entry);
        let result = self.decode(table, index, resolution);
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
        Ok(self.slots(table)?.fill(index, noting(result?, &met)))
    }

    /// Decodes an entry.
    fn decode(&self, table: Table, index: u32, resolution: &mut Resolution) -> Result<u64> {
        let entry = self.entry(table, index)?;
        self.decode_entry(table, index, &entry, resolution).map_err(|error| {
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
            let mut scope = text::Scope::new().with_declarations(self.declared.clone());
            let mut parser = text::Parser::new(&self.context, text, &mut scope);
            let parsed = match table {
                Table::Attributes => parser.attribute().map(|parsed| handle(parsed.raw())),
                Table::Types => parser.ty().map(|parsed| handle(parsed.raw())),
            };
            let parsed = parsed.and_then(|parsed| parser.finish().map(|()| parsed));
            // A file whose text breaks a rule is as malformed as one whose codes do.
            return parsed.map_err(|error| error.after(entry.range.start as u64).of_kind(ErrorKind::Malformed));
        }
        if table == Table::Attributes
            && self.callbacks.is_empty()
            && self.context.bytes(dialect.name) == b"builtin"
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

    /// The bytes of a blob: a view where they are many, a copy where a view would keep the file alive for little.
    pub(super) fn view(&self, bytes: &[u8]) -> Bytes {
        if bytes.len() < VIEW { Bytes::copy_from_slice(bytes) } else { self.data.slice_ref(bytes) }
    }
}

const VIEW: usize = 256;

/// How much of the producer string errors show.
const PRODUCER: usize = 100;

pub(super) fn handle(raw: u32) -> u64 {
    (u64::from(raw) + 1) << 2 | 1
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
        self.release
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
