//! What a module holds, in the order in which MLIR meets it (MLIR's `IRNumbering.cpp`).

mod locations;
mod operations;
mod releases;
mod scan;
mod walk;

use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::ods::{PropertyDef, PropertyKind};
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, Context, Error, Identifier, Module, ModuleSource, OpView, OperationName,
    PackedLocation, Ref, ResourceHandle, Result, Type, TypeData, TypeRef,
};

use super::emitter::Coded;
use super::locations::{LocationIndex, Places};
use super::lossy::Losses;
use super::order::Uses;
use super::property_values::{Plan, PropertyTable};
use super::slot_map::SlotMap;
use super::target::Target;
use crate::encoding::{self, DialectEncoding, EntryWriter, Sink, Table, Write, Written};
use crate::read::{BytecodeFile, Decoded};
use locations::pack;
use walk::Key;

/// What one entry or property refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reference {
    Attribute(Attribute),
    Type(Type),
    Resource(ResourceHandle),
}

/// The entries of a module, in the order in which they were met.
pub(crate) struct Numbering<'m> {
    pub(crate) module: &'m Module,
    pub(crate) context: &'m Context,
    pub(crate) version: u64,
    pub(crate) target: &'m Target,
    pub(crate) dialects: Vec<Identifier>,
    dialect_numbers: HashMap<Identifier, u32>,
    encodings: HashMap<Identifier, Option<Arc<dyn DialectEncoding>>>,
    pub(crate) builtin: Identifier,
    /// The source's slots hold its packed locations; everything else is in a slot of its own.
    pub(crate) attributes: Uses,
    pub(crate) attribute_keys: Vec<Attribute>,
    pub(crate) types: Uses,
    pub(crate) type_keys: Vec<Type>,
    pub(crate) names: Uses,
    pub(crate) name_keys: Vec<Name>,
    attribute_by_handle: SlotMap,
    type_by_handle: SlotMap,
    type_by_local: SlotMap,
    name_by_handle: SlotMap,
    locations: LocationIndex,
    unknown_location: Attribute,
    /// What packed locations belong to.
    pub(crate) source: Option<&'m dyn ModuleSource>,
    places: Places<'m>,
    /// Numbers of the source's files, and the slots of their names.
    file_numbers: HashMap<Identifier, u32>,
    known_files: u32,
    /// By file: slots of locations that were met before the source's number of their file was known.
    unplaced: HashMap<Identifier, Vec<u32>>,
    file_slots: SlotMap,
    /// The file of the last location, and how often its name is used beside what was counted.
    last_file: (u32, u32),
    /// By the number of the name in the context.
    repeats: Vec<Repeats>,
    /// Resources by owner, in order of first reference.
    pub(crate) resources: Vec<ResourceHandle>,
    resource_seen: HashMap<ResourceHandle, ()>,
    pub(crate) properties: PropertyTable,
    pub(crate) losses: Losses,
    /// How many operations were met.
    pub(crate) met_operations: usize,
    /// Whether entries and blobs of the source keep their numbers.
    keeps: bool,
    /// Whether something opaque was met, which has no place but in the tables of its file.
    pub(crate) met_opaque: bool,
    strip_locations: bool,
    /// Whether the release that is written is another than that of the definitions, or than the source's.
    crosses_releases: bool,
    pending: Vec<Reference>,
    merged: HashMap<(OperationName, Option<AttributeRef>, Option<AttributeRef>), Option<AttributeRef>>,
    refitted: HashMap<(OperationName, Split), Split>,
}

/// The dictionary of an operation's attributes, and its properties.
pub(crate) type Split = (Option<AttributeRef>, Option<AttributeRef>);

/// A name of operations.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    pub(crate) name: OperationName,
    /// Whether the definition has properties: where an operation has none, they are among its attributes.
    pub(crate) has_properties: bool,
    /// Whether operations may be of another release than what is written, in which the members are others.
    pub(crate) refits: bool,
}

/// What the last operation of a name may have in common with those after it, and how many of these there were.
#[derive(Clone, Copy, Default)]
struct Repeats {
    key: Option<Key>,
    /// Its parts as the version splits them.
    parts: Split,
    /// How many operations with its key were met after it, and are yet to be counted.
    more: u32,
}

#[cold]
pub(crate) fn not_numbered(what: &str) -> Error {
    Error::misuse(format!("{what} that was not numbered"))
}

impl<'m> Numbering<'m> {
    pub(crate) fn new(module: &'m Module, version: u64, target: &'m Target) -> Self {
        // Callbacks see every attribute, so none stays packed.
        let source = module.source().map(|source| &**source).filter(|_| target.callbacks.is_empty());
        Self::of_source(module, source, version, target)
    }

    /// A numbering that takes packed locations from `source`.
    pub(crate) fn of_source(
        module: &'m Module,
        source: Option<&'m dyn ModuleSource>,
        version: u64,
        target: &'m Target,
    ) -> Self {
        let attributes = Uses::with_locals(source.map_or(0, ModuleSource::attribute_count));
        Self::with_slots(module, source, attributes, version, target)
    }

    /// The same, with these slots for attributes.
    fn with_slots(
        module: &'m Module,
        source: Option<&'m dyn ModuleSource>,
        attributes: Uses,
        version: u64,
        target: &'m Target,
    ) -> Self {
        let context = module.context();
        Numbering {
            module,
            context,
            version,
            target,
            dialects: Vec::new(),
            dialect_numbers: HashMap::new(),
            encodings: HashMap::new(),
            builtin: context.identifier("builtin"),
            attributes,
            attribute_keys: Vec::new(),
            types: Uses::default(),
            type_keys: Vec::new(),
            names: Uses::default(),
            name_keys: Vec::new(),
            attribute_by_handle: SlotMap::default(),
            type_by_handle: SlotMap::default(),
            type_by_local: SlotMap::default(),
            name_by_handle: SlotMap::default(),
            locations: LocationIndex::default(),
            unplaced: HashMap::new(),
            unknown_location: context.unknown_location(),
            source,
            places: Places::new(source),
            file_numbers: HashMap::new(),
            known_files: 0,
            file_slots: SlotMap::default(),
            last_file: (u32::MAX, 0),
            repeats: Vec::new(),
            resources: Vec::new(),
            resource_seen: HashMap::new(),
            properties: PropertyTable::default(),
            losses: Losses::default(),
            met_operations: 0,
            keeps: false,
            met_opaque: false,
            strip_locations: false,
            crosses_releases: target.crosses_releases,
            pending: Vec::new(),
            merged: HashMap::new(),
            refitted: HashMap::new(),
        }
    }

    // Entries of a file that keep their numbers.

    /// A numbering in which what the file has keeps its numbers, known or not: an entry that was not decoded is met by its number
    /// alone. What is new comes behind. What equals an entry that was not decoded gets an entry of its own.
    pub(crate) fn beside(
        module: &'m Module,
        file: &BytecodeFile,
        version: u64,
        target: &'m Target,
    ) -> Result<Numbering<'m>> {
        let source = module.source().map(|source| &**source);
        let counts = file.counts()?;
        let attributes = Uses::behind_locals(counts.attributes);
        let mut numbering = Numbering::with_slots(module, source, attributes, version, target);
        numbering.types = Uses::behind_locals(counts.types);
        numbering.keep_dialects_and_names(file)?;
        for (index, decoded) in file.decoded(Table::Types)? {
            if let Decoded::Handle(raw) = decoded {
                numbering.type_by_handle.set_first(raw, index);
            }
        }
        for (index, decoded) in file.decoded(Table::Attributes)? {
            match decoded {
                Decoded::Handle(raw) => numbering.attribute_by_handle.set_first(raw, index),
                Decoded::Location(place) => drop(numbering.find_or_insert_location(place, index)),
            }
        }
        numbering.keep_files();
        Ok(numbering)
    }

    /// Gives dialects and names of operations the numbers that they have in the file.
    pub(crate) fn keep_dialects_and_names(&mut self, file: &BytecodeFile) -> Result<()> {
        let (dialects, operations) = (&file.dialects()?.dialects, &file.dialects()?.operations);
        for number in 0..dialects.len() as u32 {
            self.keep_dialect(file.dialect_name(number)?);
        }
        for (operation, number) in operations.iter().zip(0..) {
            self.keep_name(file.operation_name(number)?, operation.dialect)?;
        }
        Ok(())
    }

    pub(crate) fn keep_dialect(&mut self, name: Identifier) {
        let number = self.dialects.len() as u32;
        self.dialects.push(name);
        self.dialect_numbers.entry(name).or_insert(number);
        self.keeps = true;
    }

    pub(crate) fn keep_name(&mut self, name: OperationName, dialect: u32) -> Result<()> {
        let slot = self.push_name(name, dialect)?;
        self.name_by_handle.set_first(name.raw(), slot);
        Ok(())
    }

    pub(crate) fn keep_type(&mut self, ty: Type, dialect: u32, index: u32) -> Result<()> {
        let slot = self.types.push(dialect)?;
        self.type_keys.push(ty);
        self.type_by_local.set(index, slot);
        self.type_by_handle.set_first(ty.raw(), slot);
        Ok(())
    }

    pub(crate) fn keep_attribute(&mut self, key: AttributeRef, index: u32) -> Result<()> {
        self.attributes.meet_local(index);
        match self.places.get(index) {
            Some(place) => drop(self.find_or_insert_location(place, index)),
            None => self.attribute_by_handle.set_first(self.module.attribute(key)?.raw(), index),
        }
        Ok(())
    }

    /// Names of files stand in the table as well.
    pub(crate) fn keep_files(&mut self) {
        for file in 0.. {
            let Some(name) = self.source.and_then(|source| source.packed_file(file)) else { break };
            if let Some(slot) = self.attribute_by_handle.get(name.attribute().raw()) {
                self.file_slots.set(file, slot);
            }
        }
    }

    pub(crate) fn keep_resource(&mut self, resource: ResourceHandle) {
        self.resource_seen.insert(resource, ());
        self.resources.push(resource);
    }

    fn name(&mut self, name: OperationName) -> Result<u32> {
        if let Some(slot) = self.name_by_handle.get(name.raw()) {
            self.names.again(slot);
            return Ok(slot);
        }
        let dialect = self.dialect(self.context.operation_dialect(name));
        let slot = self.push_name(name, dialect)?;
        self.name_by_handle.set(name.raw(), slot);
        Ok(slot)
    }

    fn push_name(&mut self, name: OperationName, dialect: u32) -> Result<u32> {
        if let Some(layout) = self.target.undefined_layout(self.context, name) {
            self.name_keys.push(Name { name, has_properties: !layout.is_empty(), refits: false });
            return self.names.push(dialect);
        }
        let definition = self.target.definition(self.context, name);
        let has_properties = definition.is_some_and(|found| !found.properties.is_empty());
        let refits = definition.is_some_and(|found| !found.has_one_layout());
        let refits = refits && (self.crosses_releases || !has_properties);
        let refits = refits || self.target.unregisters(self.context, name);
        self.name_keys.push(Name { name, has_properties, refits });
        self.names.push(dialect)
    }

    /// The slot of a name that was met.
    pub(crate) fn name_slot(&self, name: OperationName) -> Option<u32> {
        self.name_by_handle.get(name.raw())
    }

    /// The slot of an attribute that was met.
    pub(crate) fn attribute_slot(&self, attribute: Attribute) -> Option<u32> {
        self.attribute_by_handle.get(attribute.raw())
    }

    /// The slot of what was met.
    #[inline]
    pub(crate) fn slot(&self, attribute: AttributeRef) -> Result<Option<u32>> {
        match attribute.resolve() {
            Ref::Source(index) if index < self.attributes.locals() => Ok(Some(index)),
            _ => Ok(self.attribute_slot(self.module.attribute(attribute)?)),
        }
    }

    /// The slot of a type that was met.
    #[inline]
    pub(crate) fn type_slot(&self, ty: TypeRef) -> Option<u32> {
        match ty.resolve() {
            Ref::Context(ty) => self.type_by_handle.get(ty.raw()),
            Ref::Source(index) if index < self.types.locals() => Some(index),
            Ref::Source(index) => self.type_by_local.get(index),
        }
    }

    /// The dialect's number.
    pub(crate) fn dialect(&mut self, name: Identifier) -> u32 {
        let dialects = &mut self.dialects;
        *self.dialect_numbers.entry(name).or_insert_with(|| {
            dialects.push(name);
            dialects.len() as u32 - 1
        })
    }

    /// The encodings of the dialect, looked up once.
    pub(crate) fn encoding(&mut self, dialect: Identifier) -> Option<Arc<dyn DialectEncoding>> {
        let (context, target) = (self.context, self.target);
        let find = || {
            let found = encoding::find(context, context.bytes(dialect))?;
            (found.is_of_mlir() || !target.hides(context, dialect)).then_some(found)
        };
        self.encodings.entry(dialect).or_insert_with(find).clone()
    }

    /// The encodings of the dialect of something that was met.
    pub(crate) fn known_encoding(&self, dialect: Identifier) -> Option<&dyn DialectEncoding> {
        self.encodings.get(&dialect)?.as_deref()
    }

    #[inline]
    fn type_ref(&mut self, ty: TypeRef) -> Result<()> {
        match self.type_slot(ty) {
            Some(slot) => {
                self.types.again(slot);
            }
            None => {
                let slot = self.ty(self.module.ty(ty)?)?;
                if let Some(index) = ty.in_source() {
                    self.type_by_local.set(index, slot);
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn attribute_ref(&mut self, attribute: AttributeRef) -> Result<()> {
        match attribute.resolve() {
            Ref::Source(index) if index < self.attributes.locals() => {
                if self.attributes.again(index) {
                    Ok(())
                } else if self.keeps {
                    // It has its number, whatever it is.
                    Ok(())
                } else {
                    self.local(attribute, index)
                }
            }
            _ => self.handle_ref(attribute),
        }
    }

    #[inline(never)]
    fn handle_ref(&mut self, attribute: AttributeRef) -> Result<()> {
        self.attribute(self.module.attribute(attribute)?).map(drop)
    }

    /// Meets an attribute and, if it is new, all that it holds; gives its slot.
    pub(crate) fn attribute(&mut self, attribute: Attribute) -> Result<u32> {
        let slot = self.meet_attribute(attribute)?;
        self.meet_pending()?;
        Ok(slot)
    }

    /// Meets a type and, if it is new, all that it holds; gives its slot.
    pub(crate) fn ty(&mut self, ty: Type) -> Result<u32> {
        let slot = self.meet_type(ty)?;
        self.meet_pending()?;
        Ok(slot)
    }

    /// Each entry's parts are met before what follows the entry: a stack in the place of recursion.
    fn meet_pending(&mut self) -> Result<()> {
        while let Some(reference) = self.pending.pop() {
            match reference {
                Reference::Attribute(attribute) => self.meet_attribute(attribute).map(drop)?,
                Reference::Type(ty) => self.meet_type(ty).map(drop)?,
                Reference::Resource(resource) => self.meet_resource(resource),
            }
        }
        Ok(())
    }

    fn meet_resource(&mut self, resource: ResourceHandle) {
        if self.resource_seen.insert(resource, ()).is_none() {
            self.dialect(self.context[resource].dialect);
            self.resources.push(resource);
        }
    }

    fn meet_attribute(&mut self, attribute: Attribute) -> Result<u32> {
        if let Some(slot) = self.attribute_by_handle.get(attribute.raw()) {
            self.attributes.again(slot);
            return Ok(slot);
        }
        let data = &self.context[attribute];
        if matches!(data, AttributeData::Encoded(_)) {
            return Err(self.opaque());
        }
        self.know_files();
        // The same location may have been met packed.
        if let Some(place) = pack(&self.file_numbers, data)
            && let Some(slot) = self.find_or_insert_location(place, self.attributes.slots())
        {
            self.attributes.again(slot);
            self.attribute_by_handle.set(attribute.raw(), slot);
            return Ok(slot);
        }
        let dialect = attribute_dialect(data).unwrap_or(self.builtin);
        let by_callback = self.by_callback(&self.target.callbacks.attributes, attribute);
        let number = self.dialect(by_callback.as_ref().and_then(|written| written.0).unwrap_or(dialect));
        let slot = self.attributes.push(number)?;
        self.attribute_keys.push(attribute);
        self.attribute_by_handle.set(attribute.raw(), slot);
        self.note_unplaced(data, slot);
        let references = match by_callback {
            Some((_, references)) => references,
            None => self.references(dialect, |encoding, writer| encoding.write_attribute(attribute, writer)),
        };
        self.pending.extend(references.into_iter().rev());
        Ok(slot)
    }

    fn meet_type(&mut self, ty: Type) -> Result<u32> {
        if let Some(slot) = self.type_by_handle.get(ty.raw()) {
            self.types.again(slot);
            return Ok(slot);
        }
        let data = &self.context[ty];
        if matches!(data, TypeData::Encoded(_)) {
            return Err(self.opaque());
        }
        let dialect = type_dialect(data).unwrap_or(self.builtin);
        let by_callback = self.by_callback(&self.target.callbacks.types, ty);
        let number = self.dialect(by_callback.as_ref().and_then(|written| written.0).unwrap_or(dialect));
        let slot = self.types.push(number)?;
        self.type_keys.push(ty);
        self.type_by_handle.set(ty.raw(), slot);
        let references = match by_callback {
            Some((_, references)) => references,
            None => self.references(dialect, |encoding, writer| encoding.write_type(ty, writer)),
        };
        self.pending.extend(references.into_iter().rev());
        Ok(slot)
    }

    /// Where the entry is to be filed, if not under its own dialect, and what it refers to, where a callback writes it.
    fn by_callback<T: Copy>(&self, callbacks: &[Write<T>], entry: T) -> Option<(Option<Identifier>, Vec<Reference>)> {
        callbacks.iter().find_map(|write| {
            let mut collect = Collect(Vec::new());
            match write(entry, &mut self.writer(&mut collect)) {
                Written::NotMine => None,
                Written::Entry => Some((None, collect.0)),
                Written::Under(dialect) => Some((Some(self.context.identifier(dialect)), collect.0)),
            }
        })
    }

    #[cold]
    fn opaque(&mut self) -> Error {
        self.met_opaque = true;
        Error::misuse("an opaque attribute or type can only be written into the file that it came from")
    }

    /// What an encoder refers to; nothing where it leaves the entry to text.
    fn references(
        &mut self,
        dialect: Identifier,
        write: impl FnOnce(&dyn DialectEncoding, &mut EntryWriter<'_>) -> bool,
    ) -> Vec<Reference> {
        let Some(encoding) = self.encoding(dialect) else { return Vec::new() };
        let mut collect = Collect(Vec::new());
        if write(&*encoding, &mut self.writer(&mut collect)) { collect.0 } else { Vec::new() }
    }

    /// What an encoder writes with.
    pub(crate) fn writer<'a>(&'a self, sink: &'a mut dyn Sink) -> EntryWriter<'a> {
        let (version, release) = (self.version, self.target.release);
        EntryWriter { context: self.context, version, release, dialects: &self.target.versions, sink }
    }

    /// The attribute of the context that is in the slot; none in a slot of the source.
    #[inline]
    pub(crate) fn own_attribute(&self, slot: u32) -> Option<Attribute> {
        slot.checked_sub(self.attributes.locals()).map(|at| self.attribute_keys[at as usize])
    }

    /// The type of the context that is in the slot; none in a slot of the source.
    pub(crate) fn own_type(&self, slot: u32) -> Option<Type> {
        slot.checked_sub(self.types.locals()).map(|at| self.type_keys[at as usize])
    }
}

/// The dialect of an attribute; `None` for builtin ones.
pub(crate) fn attribute_dialect(data: &AttributeData) -> Option<Identifier> {
    match data {
        AttributeData::Dialect(value) => Some(value.dialect),
        AttributeData::Text { dialect, .. } => Some(*dialect),
        AttributeData::Encoded(encoded) => Some(encoded.dialect),
        _ => None,
    }
}

/// The dialect of a type; `None` for builtin ones.
pub(crate) fn type_dialect(data: &TypeData) -> Option<Identifier> {
    match data {
        TypeData::Dialect(value) => Some(value.dialect),
        TypeData::Text { dialect, .. } => Some(*dialect),
        TypeData::Encoded(encoded) => Some(encoded.dialect),
        _ => None,
    }
}

/// Takes note of references, and of nothing else.
pub(crate) struct Collect(pub(crate) Vec<Reference>);

impl Sink for Collect {
    fn bytes(&mut self, _: &[u8]) {}
    fn string(&mut self, _: &[u8]) {}
    fn attribute(&mut self, attribute: Attribute, _: bool) {
        self.0.push(Reference::Attribute(attribute));
    }
    fn ty(&mut self, ty: Type) {
        self.0.push(Reference::Type(ty));
    }
    fn resource(&mut self, resource: ResourceHandle) {
        self.0.push(Reference::Resource(resource));
    }
}
