//! What a module holds, in the order in which MLIR meets it (MLIR's `IRNumbering.cpp`).

mod locations;
mod operations;
mod releases;
mod scan;
mod walk;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::ods::{PropertyDef, PropertyKind};
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, Context, Error, ErrorCode, Identifier, Module, ModuleSource, OpView,
    OperationName, PackedLocation, Ref, ResourceHandle, Result, Type, TypeRef,
};

use super::emitter::Coded;
use super::known::{self, Entry, Name};
use super::ledger::{Ledger, Repeats, Split};
use super::locations::Places;
use super::lossy::Losses;
use super::order::Uses;
use super::property_values::Plan;
use super::target::Target;
use super::templates::{Reference, Template};
use crate::encoding::{DialectEncoding, EntryWriter, Sink, Table};
use crate::read::{BytecodeFile, Decoded};
use locations::pack;

/// The entries of a module, in the order in which they were met.
pub(crate) struct Numbering<'m> {
    pub(crate) module: &'m Module,
    pub(crate) context: &'m Context,
    pub(crate) version: u64,
    pub(crate) target: &'m Target,
    ledger: Box<Ledger>,
    unknown_location: Attribute,
    /// What packed locations belong to.
    pub(crate) source: Option<&'m dyn ModuleSource>,
    places: Places<'m>,
    known_files: u32,
    /// The file of the last location, and how often its name is used beside what was counted.
    last_file: (u32, u32),
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
}

impl Deref for Numbering<'_> {
    type Target = Ledger;

    #[inline]
    fn deref(&self) -> &Ledger {
        &self.ledger
    }
}

impl DerefMut for Numbering<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Ledger {
        &mut self.ledger
    }
}

#[cold]
pub(crate) fn not_numbered(what: &str) -> Error {
    Error::misuse(format!("{what} that was not numbered"))
}

impl<'m> Numbering<'m> {
    pub(crate) fn new(module: &'m Module, version: u64, target: &'m Target, ledger: Box<Ledger>) -> Self {
        // Callbacks see every attribute, so none stays packed.
        let source = module.source().map(|source| &**source).filter(|_| target.callbacks.is_empty());
        Self::of_source(module, source, version, target, ledger)
    }

    /// A numbering that takes packed locations from `source`, in a ledger that is empty, with slots for the attributes of that.
    pub(crate) fn of_source(
        module: &'m Module,
        source: Option<&'m dyn ModuleSource>,
        version: u64,
        target: &'m Target,
        mut ledger: Box<Ledger>,
    ) -> Self {
        ledger.attributes.begin(source.map_or(0, ModuleSource::attribute_count));
        Self::with_attributes(module, source, version, target, ledger)
    }

    /// The same in a ledger that has slots for attributes, or none: those of a large file take longer to make than a few entries.
    fn with_attributes(
        module: &'m Module,
        source: Option<&'m dyn ModuleSource>,
        version: u64,
        target: &'m Target,
        mut ledger: Box<Ledger>,
    ) -> Self {
        let context = module.context();
        ledger.types.begin(0);
        ledger.names.begin(0);
        Numbering {
            module,
            context,
            version,
            target,
            ledger,
            unknown_location: context.unknown_location(),
            source,
            places: Places::new(source),
            known_files: 0,
            last_file: (u32::MAX, 0),
            losses: Losses::default(),
            met_operations: 0,
            keeps: false,
            met_opaque: false,
            strip_locations: false,
            crosses_releases: target.crosses_releases,
        }
    }

    /// Leaves what it has taken down.
    pub(crate) fn into_ledger(self) -> Box<Ledger> {
        self.ledger
    }

    /// What has the answers that are not known yet.
    fn answers(&self) -> known::Source<'m> {
        known::Source { context: self.context, target: self.target, version: self.version }
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
        let mut numbering = Numbering::with_attributes(module, source, version, target, Box::default());
        numbering.attributes = Uses::behind_locals(counts.attributes);
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
        let (place, number) = (self.known.dialects.place(name), self.dialects.len() as u32);
        self.dialects.push(name);
        self.dialect_numbers.set_first(place, number);
        self.keeps = true;
    }

    pub(crate) fn keep_name(&mut self, name: OperationName, dialect: u32) -> Result<()> {
        // Whatever stands before its dot, it is filed under that dialect.
        let known = Name { own: None, ..self.known_name(name) };
        self.name_keys.push(known);
        let slot = self.names.push(dialect)?;
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
            None => {
                let number = self.module.attribute(key)?.raw();
                self.attribute_by_handle.set_first(number, index);
            }
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
        let known = self.known_name(name);
        let dialect = self.dialect_in(known.dialect);
        self.name_keys.push(known);
        let slot = self.names.push(dialect)?;
        self.name_by_handle.set(name.raw(), slot);
        Ok(slot)
    }

    fn known_name(&mut self, name: OperationName) -> Name {
        if let Some(known) = self.known.name(name) {
            return known;
        }
        let (context, target) = (self.context, self.target);
        let (has_properties, refits) = match target.undefined_layout(context, name) {
            Some(layout) => (!layout.is_empty(), false),
            None => {
                let definition = target.definition(context, name);
                let has_properties = definition.is_some_and(|found| !found.properties.is_empty());
                let refits = definition.is_some_and(|found| !found.has_one_layout());
                let refits = refits && (self.crosses_releases || !has_properties);
                (has_properties, refits || target.unregisters(context, name))
            }
        };
        let is_registered = target.is_registered(context, name);
        let dialect = self.known.dialects.place(context.operation_dialect(name));
        let own = match context.operation_text(name).splitn(2, |&byte| byte == b'.').nth(1) {
            Some([]) => None,
            own => Some(self.strings.place(own.unwrap_or_default())),
        };
        let known = Name { name, has_properties, refits, is_registered, dialect, own };
        self.known.set_name(known);
        known
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
        let place = self.known.dialects.place(name);
        self.dialect_in(place)
    }

    /// The number of a dialect that is known.
    fn dialect_in(&mut self, place: u32) -> u32 {
        if let Some(number) = self.dialect_numbers.get(place) {
            return number;
        }
        let number = self.dialects.len() as u32;
        let name = self.known.dialects.name(place);
        self.dialects.push(name);
        self.dialect_numbers.set(place, number);
        number
    }

    /// The number of the dialect that owns a resource; 0 where it has none.
    pub(crate) fn resource_dialect(&self, resource: ResourceHandle) -> u32 {
        let place = self.known.dialects.known_place(self.context[resource].dialect);
        place.and_then(|place| self.dialect_numbers.get(place)).unwrap_or(0)
    }

    /// The encodings of the dialect, looked up once.
    pub(crate) fn encoding(&mut self, dialect: Identifier) -> Option<Arc<dyn DialectEncoding>> {
        let source = self.answers();
        let place = self.known.dialects.place(dialect);
        self.known.dialects.encoding(source, place)
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
        let template = self.template(attribute)?;
        if template.is_place {
            self.know_files();
            // The same location may have been met packed.
            if let Some(place) = pack(&self.file_numbers, &self.context[attribute])
                && let Some(slot) = self.find_or_insert_location(place, self.attributes.slots())
            {
                self.known.templates.release(template);
                self.attributes.again(slot);
                self.attribute_by_handle.set(attribute.raw(), slot);
                return Ok(slot);
            }
        }
        let dialect = self.dialect_in(template.dialect);
        let slot = self.attributes.push(dialect)?;
        self.attribute_keys.push(attribute);
        self.attribute_by_handle.set(attribute.raw(), slot);
        if template.is_place {
            self.note_unplaced(&self.context[attribute], slot);
        }
        self.meet_later(template);
        Ok(slot)
    }

    fn meet_type(&mut self, ty: Type) -> Result<u32> {
        if let Some(slot) = self.type_by_handle.get(ty.raw()) {
            self.types.again(slot);
            return Ok(slot);
        }
        let template = self.template(ty)?;
        let dialect = self.dialect_in(template.dialect);
        let slot = self.types.push(dialect)?;
        self.type_keys.push(ty);
        self.type_by_handle.set(ty.raw(), slot);
        self.meet_later(template);
        Ok(slot)
    }

    /// What is written of an entry that is new to the module.
    fn template(&mut self, entry: impl Entry) -> Result<Template> {
        let source = self.answers();
        let ledger = &mut *self.ledger;
        ledger.known.entry(source, &mut ledger.strings, entry).ok_or_else(|| self.opaque())
    }

    /// What it refers to is met next, and what is not to be kept of it let go of.
    fn meet_later(&mut self, template: Template) {
        let ledger = &mut *self.ledger;
        ledger.pending.extend(ledger.known.templates.references(template).rev());
        ledger.known.templates.release(template);
    }

    #[cold]
    fn opaque(&mut self) -> Error {
        self.met_opaque = true;
        Error::misuse("an opaque attribute or type can only be written into the file that it came from")
            .with_code(ErrorCode::Opaque)
    }

    /// What an encoder writes with.
    pub(crate) fn writer<'a>(&'a self, sink: &'a mut dyn Sink) -> EntryWriter<'a> {
        self.target.writer(self.context, self.version, sink)
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
