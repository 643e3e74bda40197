//! A bytecode file: opened by its header and section table, everything else read on demand.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use hashbrown::{HashMap, HashSet};
use mlirbc_ir::ods::Release;
use mlirbc_ir::{
    Blob, BodyId, Context, Error, Identifier, OpId, OperationName, PackedLocation, ResourceGroup, ResourceHandle,
    Result, TypeRef, fresh_number, text,
};

use super::allowance::Allowance;
use super::checkpoints::Checkpoints;
use super::dialects::{self, Dialects, KnownDialect};
use super::entries::{Counts, Entries, Entry};
use super::index::{Index, Part};
use super::kept::{Kept, Room, is_name};
use super::lazy::{Lazy, lazily};
use super::locations::{FileTable, PackedSlot};
use super::options::ReadOptions;
use super::plans::Plans;
use super::properties::Properties;
use super::sections::Header;
use super::shared_blobs::SharedBlobs;
use super::slots::Slots;
use super::strings::Strings;
use super::symbol_scan::SymbolScan;
use crate::encoding::{self, ReadCallbacks, Table, WaitingEntries};
use crate::format::{Cursor, Data, Guard, SectionId};
use crate::limits::Limits;

/// A bytecode file, opened.
pub struct BytecodeFile {
    pub(crate) data: Bytes,
    pub(super) guard: Option<Arc<dyn Guard>>,
    pub(crate) header: Header,
    release: OnceLock<Option<Release>>,
    pub(super) context: Context,
    pub(crate) limits: Limits,
    pub(super) number: u64,
    pub(crate) properties_number: u64,
    pub(super) strings: Lazy<Strings>,
    pub(super) dialects: Lazy<Dialects>,
    known: Lazy<Vec<KnownDialect>>,
    pub(super) counts: Lazy<Counts>,
    pub(super) entries: Lazy<Entries>,
    pub(super) properties: Lazy<Properties>,
    /// Whether some entry has an encoding that is not known, where that was asked.
    pub(crate) unknown_encodings: OnceLock<bool>,
    pub(super) resources: OnceLock<Resources>,
    pub(super) attribute_slots: Lazy<Slots>,
    pub(super) type_slots: Lazy<Slots>,
    pub(super) property_slots: Lazy<Slots>,
    pub(super) files: FileTable,
    pub(crate) index: Option<Box<Index>>,
    pub(crate) callbacks: ReadCallbacks,
    plans: OnceLock<Arc<Plans>>,
    seldom: OnceLock<Box<Seldom>>,
    pub(super) allowance: Allowance,
    /// Room for the tables that are not framed yet, where a reader is kept.
    room: Mutex<Option<Box<Room>>>,
    /// What the reader keeps that opened the file.
    pub(super) kept: Option<Arc<Kept>>,
}

/// What nobody asks of most files.
#[derive(Default)]
pub(super) struct Seldom {
    /// Walks for symbols, by the place of the body walked.
    pub(super) symbol_scans: Mutex<HashMap<u64, SymbolScan>>,
    /// Operations that were read alone, by their place in the file.
    pub(super) fragments: Mutex<HashMap<u64, (BodyId, OpId)>>,
    pub(super) shared_blobs: SharedBlobs,
    /// Room for what waits while a deep nesting is decoded.
    pub(super) waiting: Mutex<WaitingEntries>,
    /// What names in the text of entries stand for.
    pub(super) declared: Arc<text::Declarations>,
}

/// What an entry was decoded to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Decoded {
    /// An attribute or type, by its number in the context.
    Handle(u32),
    /// A location that the context does not hold.
    Location(PackedLocation),
}

/// The resources of a file: views of it, not copies.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    pub(crate) groups: Vec<ResourceGroup>,
    /// Handles by number: all entries of dialects, in the order of the file.
    pub(crate) handles: Vec<ResourceHandle>,
    /// The largest alignment that a blob asks for.
    pub(crate) alignment: u64,
}

impl BytecodeFile {
    /// Opens a file; `kept` is of the reader, where one is kept.
    pub(crate) fn open(
        context: &Context,
        data: Bytes,
        options: &ReadOptions,
        kept: Option<&Arc<Kept>>,
    ) -> Result<Arc<Self>> {
        let guarded = Data::new(&data, options.guard.as_deref());
        let header = match &options.index {
            Some(index) => index.header(guarded)?,
            None => Header::read(guarded)?,
        };
        // It is large: what follows changes it where it stays.
        let mut file = Arc::new(BytecodeFile {
            allowance: Allowance::new(options.limits, data.len()),
            release: OnceLock::new(),
            data,
            guard: options.guard.clone(),
            header,
            context: context.clone(),
            limits: options.limits,
            number: fresh_number(),
            properties_number: fresh_number(),
            strings: Lazy::default(),
            dialects: Lazy::default(),
            known: Lazy::default(),
            counts: Lazy::default(),
            entries: Lazy::default(),
            properties: Lazy::default(),
            unknown_encodings: OnceLock::new(),
            resources: OnceLock::new(),
            attribute_slots: Lazy::default(),
            type_slots: Lazy::default(),
            property_slots: Lazy::default(),
            files: FileTable::default(),
            index: options.index.clone().map(Box::new),
            callbacks: options.callbacks.clone(),
            plans: OnceLock::new(),
            seldom: OnceLock::new(),
            room: Mutex::new(kept.map(|kept| kept.room())),
            kept: kept.cloned(),
        });
        if let Some(index) = &file.index {
            file.use_checkpoints(index)?;
        } else if kept.is_some()
            && file.guard.is_none()
            && file.data.len() <= SMALL
            && let Some(file) = Arc::get_mut(&mut file)
        {
            file.frame();
        }
        Ok(file)
    }

    /// Reads what everyone asks for of a small file. What is wrong with it is left to those who do.
    fn frame(&mut self) {
        let Ok(counts) = self.read_counts() else { return };
        self.counts = Lazy::Early(counts);
        let slots = |count: u32, room: &mut _| Lazy::Early(Slots::new(count as usize, std::mem::take(room)));
        let Some(room) = self.room.get_mut().unwrap_or_else(PoisonError::into_inner) else { return };
        self.attribute_slots = slots(counts.attributes, &mut room.attributes);
        self.type_slots = slots(counts.types, &mut room.types);
        self.property_slots = slots(counts.properties, &mut room.properties);
        let (strings, dialects, known) =
            (std::mem::take(&mut room.strings), std::mem::take(&mut room.dialects), std::mem::take(&mut room.known));
        let Ok(strings) = self.read_strings(strings) else { return };
        self.strings = Lazy::Early(strings);
        let Ok(dialects) = self.read_dialects(dialects) else { return };
        self.dialects = Lazy::Early(dialects);
        let Ok(known) = self.find_dialects(known) else { return };
        self.known = Lazy::Early(known);
    }

    /// Takes the states of tables from an index instead of walking them.
    fn use_checkpoints(&self, index: &Index) -> Result<()> {
        let (strings, counts) = index.counts(&self.header)?;
        self.counts.set(counts);
        let section = |id| self.section(id).unwrap_or_default();
        self.strings.set(Strings::saved(section(SectionId::String), index.strings(strings)));
        let dialects = self.dialects()?.dialects.len();
        let attributes = Checkpoints::saved(index.states(Part::Attributes), counts.attributes as usize);
        let types = Checkpoints::saved(index.states(Part::Types), counts.types as usize);
        let (offsets, entries) = (section(SectionId::AttrTypeOffset), section(SectionId::AttrType));
        self.entries.set(Entries::saved(dialects, offsets, entries, attributes, types));
        let states = Checkpoints::saved(index.states(Part::Properties), counts.properties as usize);
        self.properties.set(Properties::saved(section(SectionId::Properties), states));
        Ok(())
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
    pub(crate) fn check_bytes(&self) -> Result<()> {
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
        *self.release.get_or_init(|| Release::of_producer(self.producer()))
    }

    /// The sections in the order of the file, each with where its data stands.
    pub fn sections(&self) -> impl Iterator<Item = (SectionId, Range<usize>)> {
        self.header.in_order().into_iter()
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

    /// What few files are asked for.
    pub(super) fn seldom(&self) -> &Seldom {
        self.seldom.get_or_init(Box::default)
    }

    pub(super) fn seldom_if_any(&self) -> Option<&Seldom> {
        self.seldom.get().map(|seldom| &**seldom)
    }

    pub(super) fn seldom_mut(&mut self) -> Option<&mut Seldom> {
        self.seldom.get_mut().map(|seldom| &mut **seldom)
    }

    /// The room for one of the tables.
    fn room<T: Default>(&self, of: impl FnOnce(&mut Room) -> &mut T) -> T {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        room.as_deref_mut().map(|room| std::mem::take(of(room))).unwrap_or_default()
    }

    /// How properties of operations are laid out, as far as that was asked.
    ///
    /// # Errors
    /// Where the dialects cannot be read, which may state versions.
    pub(super) fn plans(&self) -> Result<&Plans> {
        let plans = lazily(&self.plans, || match &self.kept {
            Some(kept) if !self.states_versions()? => Ok(kept.plans(self.version(), self.release())),
            _ => Ok(Arc::default()),
        });
        plans.map(|plans| &**plans)
    }

    // Tables, read whole when first needed.

    #[inline]
    pub(crate) fn strings(&self) -> Result<&Strings> {
        self.strings.get_or_try(|| self.read_strings(self.room(|room| &mut room.strings)))
    }

    fn read_strings(&self, room: Vec<Range<usize>>) -> Result<Strings> {
        let section = self.section(SectionId::String).unwrap_or_default();
        Strings::read(self.guarded(), section, room).map_err(|error| error.in_section(SectionId::String.name()))
    }

    #[inline]
    pub(crate) fn dialects(&self) -> Result<&Dialects> {
        self.dialects.get_or_try(|| self.read_dialects(self.room(|room| &mut room.dialects)))
    }

    fn read_dialects(&self, room: dialects::Room) -> Result<Dialects> {
        let strings = self.strings()?.len();
        Dialects::read(self.cursor(SectionId::Dialect), self.version(), strings, room)
            .map_err(|error| error.in_section(SectionId::Dialect.name()))
    }

    #[inline]
    pub(crate) fn known_dialects(&self) -> Result<&[KnownDialect]> {
        let known = self.known.get_or_try(|| self.find_dialects(self.room(|room| &mut room.known)));
        known.map(Vec::as_slice)
    }

    /// Looks the dialects up, `known` being those of another file: mostly both have the same ones.
    fn find_dialects(&self, mut known: Vec<KnownDialect>) -> Result<Vec<KnownDialect>> {
        let entries = &self.dialects()?.dialects;
        known.truncate(entries.len());
        let mut seen = HashSet::new();
        for (at, entry) in entries.iter().enumerate() {
            let bytes = self.string(entry.name)?;
            let find = || {
                let (name, encoding) = match &self.kept {
                    Some(kept) => kept.dialect(&self.context, bytes),
                    None => (self.context.identifier(bytes), encoding::find(&self.context, bytes)),
                };
                KnownDialect { name, is_builtin: bytes == b"builtin", encoding, version: OnceLock::new() }
            };
            match known.get_mut(at) {
                Some(same) if self.context.bytes(same.name) == bytes => same.version = OnceLock::new(),
                Some(other) => *other = find(),
                None => known.push(find()),
            }
            let Some(name) = known.get(at).map(|dialect| dialect.name) else { continue };
            // A second one could have another version, and which of them is meant nothing says.
            let twice = match entries.len() {
                ..=FEW => known.iter().take(at).any(|dialect| dialect.name == name),
                _ => !seen.insert(name),
            };
            if twice {
                let at = self.section(SectionId::Dialect).unwrap_or_default().start as u64;
                let error = Error::malformed(format!("the dialect {} comes twice", Error::quoted(bytes)));
                return Err(error.at(at).in_section(SectionId::Dialect.name()).reading("the dialects"));
            }
        }
        Ok(known)
    }

    #[inline]
    pub(crate) fn counts(&self) -> Result<Counts> {
        self.counts.get_or_try(|| self.read_counts()).copied()
    }

    fn read_counts(&self) -> Result<Counts> {
        let offsets = self.section(SectionId::AttrTypeOffset).unwrap_or_default();
        let (attributes, types, _) = Entries::counts(self.guarded(), offsets)
            .map_err(|error| error.in_section(SectionId::AttrTypeOffset.name()))?;
        let properties = Properties::count(self.guarded(), self.section(SectionId::Properties).unwrap_or_default())
            .map_err(|error| error.in_section(SectionId::Properties.name()))?;
        let properties = properties.min(u32::MAX as usize) as u32;
        Ok(Counts { attributes: attributes as u32, types: types as u32, properties })
    }

    pub(crate) fn entries(&self) -> Result<&Entries> {
        self.entries
            .get_or_try(|| {
                let offsets = self.section(SectionId::AttrTypeOffset).unwrap_or_default();
                let entries = self.section(SectionId::AttrType).unwrap_or_default();
                let dialects = self.dialects()?.dialects.len();
                Entries::read(self.guarded(), offsets, entries, dialects, self.room(|room| &mut room.entries))
            })
            .map_err(|error| error.in_section(SectionId::AttrTypeOffset.name()))
    }

    pub(crate) fn property_blobs(&self) -> Result<&Properties> {
        let section = self.section(SectionId::Properties).unwrap_or_default();
        self.properties
            .get_or_try(|| Properties::read(self.guarded(), section, self.room(|room| &mut room.blobs)))
            .map_err(|error| error.in_section(SectionId::Properties.name()))
    }

    pub(super) fn slots(&self, table: Table) -> Result<&Slots> {
        if let Some(slots) = self.slots_if_any(table) {
            return Ok(slots);
        }
        let counts = self.counts()?;
        Ok(match table {
            Table::Attributes => self
                .attribute_slots
                .get_or_init(|| Slots::new(counts.attributes as usize, self.room(|room| &mut room.attributes))),
            Table::Types => {
                self.type_slots.get_or_init(|| Slots::new(counts.types as usize, self.room(|room| &mut room.types)))
            }
        })
    }

    /// By blob: the name that it was first decoded for, and the result. Most blobs belong to operations of one name,
    /// which are answered without a lock.
    pub(super) fn property_slots(&self) -> Result<&Slots> {
        if let Some(slots) = self.property_slots.get() {
            return Ok(slots);
        }
        let count = self.counts()?.properties as usize;
        let slots = || Slots::new(count, self.room(|room| &mut room.properties));
        Ok(self.property_slots.get_or_init(slots))
    }

    #[inline]
    fn slots_if_any(&self, table: Table) -> Option<&Slots> {
        match table {
            Table::Attributes => self.attribute_slots.get(),
            Table::Types => self.type_slots.get(),
        }
    }

    /// What the slot of an entry holds so far: 0 where that is nothing.
    #[inline]
    pub(super) fn settled(&self, table: Table, index: u32) -> u64 {
        self.slots_if_any(table).map_or(0, |slots| slots.get(index))
    }

    /// The entries of a table that have been decoded so far, each with its number.
    pub(crate) fn decoded(&self, table: Table) -> Result<impl Iterator<Item = (u32, Decoded)>> {
        Ok(self.slots(table)?.filled().map(|(index, word)| match PackedSlot::of(word) {
            PackedSlot::Location(place) => (index, Decoded::Location(place)),
            PackedSlot::Handle(raw) => (index, Decoded::Handle(raw)),
        }))
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

    /// Whether who wrote the file knew that dialect: operations of it are marked as registered, or its version is stated. Before version 5
    /// files do not say: a dialect that a file names counts as known then.
    ///
    /// # Errors
    /// Where their section is malformed.
    pub fn was_known(&self, dialect: &str) -> Result<bool> {
        let dialects = self.dialects()?;
        let known = self.known_dialects()?;
        let Some(number) = known.iter().position(|known| self.context.bytes(known.name) == dialect.as_bytes()) else {
            return Ok(false);
        };
        let states_version = dialects.dialects.get(number).is_some_and(|dialect| dialect.version.is_some());
        let mut own = dialects.operations.iter().filter(|entry| entry.dialect as usize == number);
        Ok(self.version() < 5 || states_version || own.any(|entry| entry.is_registered()))
    }

    /// The type of values that nothing has defined yet.
    pub(crate) fn none_type(&self) -> TypeRef {
        self.context.none_type().into()
    }

    /// The operation name of that number.
    #[inline]
    pub(crate) fn operation_name(&self, index: u32) -> Result<OperationName> {
        let dialects = self.dialects()?;
        match dialects.found(index) {
            Some(name) => Ok(name),
            None => self.find_operation_name(dialects, index),
        }
    }

    fn find_operation_name(&self, dialects: &Dialects, index: u32) -> Result<OperationName> {
        let Some(&entry) = dialects.operations.get(index as usize) else {
            return Err(Error::malformed(format!("operation name {index} of {}", dialects.operations.len())));
        };
        let (dialect_name, own) = (self.dialect_name(entry.dialect)?, self.string(entry.name())?);
        let dialect = self.context.bytes(dialect_name);
        self.allowance.take((dialect.len() as u64).saturating_add(own.len() as u64))?;
        let make = |registered: Option<bool>| {
            let mut name = dialect.to_vec();
            if !own.is_empty() {
                name.push(b'.');
                name.extend_from_slice(own);
            }
            // Before version 5 files do not say: what is known counts as registered.
            let registered = registered.unwrap_or_else(|| self.context.is_known_operation(&name));
            self.context.operation_name(&name, registered)
        };
        let name = match (&self.kept, self.version()) {
            (_, 0..5) => make(None),
            (Some(kept), _) => {
                let (registered, parts) = (entry.is_registered(), (dialect_name, own));
                let likely = dialects.likely(index).filter(|&it| is_name(&self.context, it, parts, registered));
                let find = || kept.operation_name(&self.context, parts, registered, || make(Some(registered)));
                likely.unwrap_or_else(find)
            }
            (None, _) => make(Some(entry.is_registered())),
        };
        dialects.note(index, name);
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

    /// The bytes of a blob: a view where they are many, a copy where a view would keep the file alive for little.
    pub(super) fn view(&self, bytes: &[u8]) -> Bytes {
        if bytes.len() < VIEW { Bytes::copy_from_slice(bytes) } else { self.data.slice_ref(bytes) }
    }
}

impl Drop for BytecodeFile {
    /// What the tables took goes back to the reader that is kept.
    fn drop(&mut self) {
        let Some(kept) = self.kept.take() else { return };
        let room = self.room.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut room) = room else { return };
        let slots = |slots: &mut Lazy<Slots>, room: &mut _| {
            slots.take().into_iter().for_each(|slots| *room = slots.into_room());
        };
        slots(&mut self.attribute_slots, &mut room.attributes);
        slots(&mut self.type_slots, &mut room.types);
        slots(&mut self.property_slots, &mut room.properties);
        if let Some(strings) = self.strings.take() {
            room.strings = strings.into_room();
        }
        if let Some(dialects) = self.dialects.take() {
            room.dialects = dialects.into_room();
        }
        if let Some(known) = self.known.take() {
            room.known = known;
        }
        if let Some(entries) = self.entries.take() {
            room.entries = entries.into_room();
        }
        if let Some(properties) = self.properties.take() {
            room.blobs = properties.into_room();
        }
        kept.give_back(room);
    }
}

const VIEW: usize = 256;

/// Of files of no more bytes than this, what everyone asks for is read when they are opened.
const SMALL: usize = 1 << 16;

/// Up to so many dialects are told apart by looking at all.
const FEW: usize = 16;

/// How much of the producer string errors show.
const PRODUCER: usize = 100;
