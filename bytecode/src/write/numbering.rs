//! What a module holds, in the order in which MLIR meets it (fact sheet, section 11).

use std::collections::HashMap;
use std::sync::Arc;

use mlirbc_ir::ods::PropertyKind;
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, Body, BodyId, Context, Error, Identifier, Location, Module, ModuleSource, OpId,
    OperationName, PackedLocation, RegionId, ResourceHandle, Result, Type, TypeData, TypeRef,
};

use super::client::{self, Client};
use super::locations::LocationIndex;
use super::lossy::Losses;
use super::order::Uses;
use super::property_values::PropertyTable;
use crate::encoding::{self, DialectEncoding, EntryWriter, Sink};

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
    pub(crate) client: &'m Client,
    pub(crate) dialects: Vec<Identifier>,
    dialect_numbers: HashMap<Identifier, u32>,
    last_dialect: Option<(Identifier, u32)>,
    encodings: HashMap<Identifier, Option<Arc<dyn DialectEncoding>>>,
    builtin: Identifier,
    pub(crate) attributes: Uses,
    pub(crate) attribute_keys: Vec<AttributeRef>,
    pub(crate) types: Uses,
    pub(crate) type_keys: Vec<Type>,
    pub(crate) names: Uses,
    pub(crate) name_keys: Vec<OperationName>,
    /// Entries by the number that the module's source knows them by; one more than the entry, 0 for none.
    pub(crate) attribute_by_local: Vec<u32>,
    pub(crate) type_by_local: Vec<u32>,
    attribute_by_handle: HandleMap,
    type_by_handle: HandleMap,
    name_by_handle: HandleMap,
    locations: LocationIndex,
    /// What packed locations belong to.
    source: Option<&'m dyn ModuleSource>,
    /// Numbers of the source's files, and the entries of their names.
    file_numbers: HashMap<Identifier, u32>,
    file_entries: Vec<u32>,
    /// Resources by owner, in order of first reference.
    pub(crate) resources: Vec<ResourceHandle>,
    resource_seen: HashMap<ResourceHandle, ()>,
    pub(crate) properties: PropertyTable,
    pub(crate) losses: Losses,
    /// Whether entries and blobs of the source keep their numbers.
    keeps: bool,
    strip_locations: bool,
    pending: Vec<Reference>,
    merged: HashMap<(OperationName, Option<AttributeRef>, Option<AttributeRef>), Option<AttributeRef>>,
}

/// Entries by the number that the context knows them by: a plain array where that is not too sparse.
#[derive(Default)]
pub(crate) struct HandleMap {
    entries: Vec<u32>,
}

impl HandleMap {
    #[inline]
    pub(crate) fn get(&self, handle: u32) -> Option<u32> {
        self.entries.get(handle as usize).and_then(|entry| entry.checked_sub(1))
    }

    pub(crate) fn set(&mut self, handle: u32, entry: u32) {
        let at = handle as usize;
        if at >= self.entries.len() {
            self.entries.resize((at + 1).next_power_of_two().max(1024), 0);
        }
        self.entries[at] = entry + 1;
    }
}

/// Grows by doubling, so that numbers may come in any order.
fn local_slot(map: &mut Vec<u32>, index: u32) -> &mut u32 {
    let at = index as usize;
    if at >= map.len() {
        map.resize((at + 1).next_power_of_two().max(1024), 0);
    }
    &mut map[at]
}

/// A region waiting for its turn.
type Waiting = (BodyId, RegionId);

impl<'m> Numbering<'m> {
    pub(crate) fn new(module: &'m Module, version: u64, client: &'m Client) -> Self {
        let context = module.context();
        // Callbacks see every attribute, so none stays packed.
        let source = module.source().map(|source| &**source).filter(|_| client.callbacks.is_empty());
        let files = (0..).map_while(|file| Some((source?.packed_file(file)?, file)));
        let file_numbers = files.collect();
        let entries = source.map_or(0, ModuleSource::attribute_count) as usize;
        Numbering {
            module,
            context,
            version,
            client,
            dialects: Vec::new(),
            dialect_numbers: HashMap::new(),
            last_dialect: None,
            encodings: HashMap::new(),
            builtin: context.identifier("builtin"),
            attributes: Uses::with_capacity(entries),
            attribute_keys: Vec::with_capacity(entries),
            types: Uses::default(),
            type_keys: Vec::new(),
            names: Uses::default(),
            name_keys: Vec::new(),
            attribute_by_local: vec![0; entries],
            type_by_local: Vec::new(),
            attribute_by_handle: HandleMap::default(),
            type_by_handle: HandleMap::default(),
            name_by_handle: HandleMap::default(),
            locations: LocationIndex::default(),
            source,
            file_numbers,
            file_entries: Vec::new(),
            resources: Vec::new(),
            resource_seen: HashMap::new(),
            properties: PropertyTable::default(),
            losses: Losses::default(),
            keeps: false,
            strip_locations: false,
            pending: Vec::new(),
            merged: HashMap::new(),
        }
    }

    // Entries of a file that keep their numbers.

    pub(crate) fn keep_dialect(&mut self, name: Identifier) {
        let number = self.dialects.len() as u32;
        self.dialects.push(name);
        self.dialect_numbers.entry(name).or_insert(number);
        self.keeps = true;
    }

    pub(crate) fn keep_name(&mut self, name: OperationName, dialect: u32) {
        let entry = self.names.push(dialect);
        self.name_keys.push(name);
        if self.name_by_handle.get(name.raw()).is_none() {
            self.name_by_handle.set(name.raw(), entry);
        }
    }

    pub(crate) fn keep_type(&mut self, ty: Type, dialect: u32, index: u32) {
        let entry = self.types.push(dialect);
        self.type_keys.push(ty);
        *local_slot(&mut self.type_by_local, index) = entry + 1;
        if self.type_by_handle.get(ty.raw()).is_none() {
            self.type_by_handle.set(ty.raw(), entry);
        }
    }

    pub(crate) fn keep_attribute(&mut self, key: AttributeRef, dialect: u32, index: u32) -> Result<()> {
        let entry = self.attributes.push(dialect);
        self.attribute_keys.push(key);
        *local_slot(&mut self.attribute_by_local, index) = entry + 1;
        match self.packed(key) {
            Some(place) if self.find_location(place).is_none() => {
                self.locations.insert(entry, place);
            }
            Some(_) => {}
            None => {
                let attribute = self.module.attribute(key)?;
                if self.attribute_by_handle.get(attribute.raw()).is_none() {
                    self.attribute_by_handle.set(attribute.raw(), entry);
                }
            }
        }
        Ok(())
    }

    /// Names of files stand in the table as well.
    pub(crate) fn keep_files(&mut self) {
        let names = (0..).map_while(|file| self.source?.packed_file(file));
        let entries = names.map(|name| self.attribute_by_handle.get(name.attribute().raw()).unwrap_or(u32::MAX));
        self.file_entries = entries.collect();
    }

    pub(crate) fn keep_resource(&mut self, resource: ResourceHandle) {
        self.resource_seen.insert(resource, ());
        self.resources.push(resource);
    }

    /// Meets everything.
    pub(crate) fn run(&mut self) -> Result<()> {
        let top = BodyId::from_index(Module::TOP);
        let body = self.module.body(top)?;
        let mut waiting: Vec<Waiting> = Vec::new();
        for block in body.roots().iter().flat_map(|&region| body.blocks(region)) {
            for op in body.operations(block) {
                self.operation(body, op)?;
            }
            for op in body.operations(block) {
                self.wait(&mut waiting, top, body, op)?;
            }
        }
        // The last region first, each wholly before what is nested in it.
        while let Some((id, region)) = waiting.pop() {
            let body = self.module.body(id)?;
            for block in body.blocks(region) {
                for (&value, &location) in body.arguments(block).iter().zip(body.argument_locations(block)) {
                    match location {
                        Some(location) => self.location(location)?,
                        None => self.attribute(self.context.unknown_location())?,
                    };
                    self.type_ref(body.ty(value))?;
                }
                for op in body.operations(block) {
                    self.operation(body, op)?;
                }
            }
            for block in body.blocks(region) {
                for op in body.operations(block) {
                    self.wait(&mut waiting, id, body, op)?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn wait(&self, waiting: &mut Vec<Waiting>, id: BodyId, body: &Body, op: OpId) -> Result<()> {
        if body.region_number(op) == 0 {
            return Ok(());
        }
        match body.child(op) {
            Some(child) => waiting.extend(self.module.body(child)?.roots().iter().map(|&region| (child, region))),
            None => waiting.extend(body.regions(op).map(|region| (id, region))),
        }
        Ok(())
    }

    fn operation(&mut self, body: &Body, op: OpId) -> Result<()> {
        let name = body.name(op);
        self.name(name);
        for value in body.results(op) {
            self.type_ref(body.ty(value))?;
        }
        let (attributes, properties) = self.parts(body, op)?;
        if let Some(attributes) = attributes {
            self.attribute_ref(attributes)?;
        }
        if let Some(properties) = properties {
            self.operation_properties(name, properties)?;
        }
        self.location(body.location(op))?;
        Ok(())
    }

    /// From now on every location is unknown.
    pub(crate) fn strip_locations(&mut self) {
        self.strip_locations = true;
    }

    #[inline]
    fn location(&mut self, location: AttributeRef) -> Result<u32> {
        self.attribute_ref(self.shown_location(location))
    }

    /// The location to write in the place of `location`.
    #[inline]
    pub(crate) fn shown_location(&self, location: AttributeRef) -> AttributeRef {
        if self.strip_locations { self.context.unknown_location().into() } else { location }
    }

    /// The dictionary and the properties of an operation as the version being written splits them. A dictionary
    /// without entries is none.
    #[inline]
    pub(crate) fn parts(&mut self, body: &Body, op: OpId) -> Result<(Option<AttributeRef>, Option<AttributeRef>)> {
        let (attributes, properties) = (body.attributes(op), body.properties(op));
        if self.version >= 5 && attributes.is_none() && properties.is_some() {
            return Ok((None, properties));
        }
        self.uncommon_parts(body, op)
    }

    fn uncommon_parts(&mut self, body: &Body, op: OpId) -> Result<(Option<AttributeRef>, Option<AttributeRef>)> {
        let (attributes, properties) = (body.attributes(op), body.properties(op));
        if self.version >= 5 && properties.is_some() {
            return Ok((self.not_empty(attributes)?, properties));
        }
        self.split(body.name(op), attributes, properties)
    }

    fn not_empty(&self, attributes: Option<AttributeRef>) -> Result<Option<AttributeRef>> {
        let Some(attributes) = attributes else { return Ok(None) };
        let empty = match &self.context[self.module.attribute(attributes)?] {
            AttributeData::Dictionary(entries) => entries.is_empty(),
            _ => false,
        };
        Ok((!empty).then_some(attributes))
    }

    /// Before version 5 all attributes are in one dictionary; from it on those of the definition stand apart.
    fn split(
        &mut self,
        name: OperationName,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
    ) -> Result<(Option<AttributeRef>, Option<AttributeRef>)> {
        if self.version >= 5 {
            let definition = self.context.definition(name);
            if definition.is_none_or(|definition| definition.properties.is_empty()) {
                return Ok((self.not_empty(attributes)?, None));
            }
            return mlirbc_ir::split_attributes(self.module, name, attributes);
        }
        let key = (name, attributes, properties);
        if let Some(&merged) = self.merged.get(&key) {
            return Ok((merged, None));
        }
        let merged = self.merge(name, attributes, properties)?;
        self.merged.insert(key, merged);
        Ok((merged, None))
    }

    fn merge(
        &mut self,
        name: OperationName,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
    ) -> Result<Option<AttributeRef>> {
        let Some(properties) = properties else { return self.not_empty(attributes) };
        let dictionary = self.module.properties(name, properties)?;
        let Some(plan) = self.properties.plan(self.context, name, self.version) else {
            self.losses.unregistered_properties(self.context, name, dictionary);
            return self.not_empty(attributes);
        };
        let AttributeData::Dictionary(inherent) = &self.context[dictionary] else {
            return Err(Error::misuse("opaque properties cannot be written at a version without properties"));
        };
        let mut entries = Vec::new();
        if let Some(attributes) = attributes
            && let AttributeData::Dictionary(discardable) = &self.context[self.module.attribute(attributes)?]
        {
            entries.extend_from_slice(discardable);
        }
        for (kind, field) in &plan.fields {
            let Some(&(_, value)) = inherent.iter().find(|entry| entry.0 == *field) else { continue };
            match kind {
                PropertyKind::Native(_) => self.losses.native_property(self.context, name, *field, value),
                _ => entries.push((*field, value)),
            }
        }
        if entries.is_empty() {
            return Ok(None);
        }
        entries.sort_by(|a, b| self.context.bytes(a.0).cmp(self.context.bytes(b.0)));
        entries.dedup_by_key(|entry| entry.0);
        Ok(Some(self.context.dictionary(entries)?.into()))
    }

    fn operation_properties(&mut self, name: OperationName, properties: AttributeRef) -> Result<()> {
        if let Some(known) = self.properties.find(name, properties) {
            // Seen before: only its uses are counted again.
            for &reference in self.properties.references(known) {
                match reference {
                    PropertyUse::Attribute(entry) => self.attributes.again(entry),
                    PropertyUse::Type(entry) => self.types.again(entry),
                }
            }
            return Ok(());
        }
        if self.keeps
            && let Err(index) = properties.get()
        {
            let unused = self.context.unit();
            self.properties.insert(name, properties, unused, Vec::new());
            if let Some(place) = self.properties.find(name, properties) {
                self.properties.set_blob(place, index);
            }
            return Ok(());
        }
        let dictionary = self.module.properties(name, properties)?;
        let plan = self.properties.plan(self.context, name, self.version);
        let references = super::property_values::references(self.context, name, plan.as_deref(), dictionary, self.version)?;
        let mut uses = Vec::with_capacity(references.len());
        for attribute in references {
            uses.push(PropertyUse::Attribute(self.attribute(attribute)?));
        }
        self.properties.insert(name, properties, dictionary, uses);
        Ok(())
    }

    #[inline]
    fn name(&mut self, name: OperationName) {
        match self.name_by_handle.get(name.raw()) {
            Some(entry) => self.names.again(entry),
            None => {
                let dialect = self.dialect(self.context.operation_dialect(name));
                let entry = self.names.push(dialect);
                self.name_keys.push(name);
                self.name_by_handle.set(name.raw(), entry);
            }
        }
    }

    /// The entry of a name that was met.
    pub(crate) fn name_entry(&self, name: OperationName) -> Option<u32> {
        self.name_by_handle.get(name.raw())
    }

    /// The entry of an attribute that was met.
    pub(crate) fn attribute_entry(&self, attribute: Attribute) -> Option<u32> {
        self.attribute_by_handle.get(attribute.raw())
    }

    /// The entry of a type that was met.
    pub(crate) fn type_entry(&self, ty: Type) -> Option<u32> {
        self.type_by_handle.get(ty.raw())
    }

    /// The dialect's number.
    #[inline]
    pub(crate) fn dialect(&mut self, name: Identifier) -> u32 {
        match self.last_dialect {
            Some((last, number)) if last == name => number,
            _ => {
                let number = self.find_dialect(name);
                self.last_dialect = Some((name, number));
                number
            }
        }
    }

    fn find_dialect(&mut self, name: Identifier) -> u32 {
        if let Some(&number) = self.dialect_numbers.get(&name) {
            return number;
        }
        let number = self.dialects.len() as u32;
        self.dialects.push(name);
        self.dialect_numbers.insert(name, number);
        number
    }

    /// The encodings of the dialect, looked up once.
    pub(crate) fn encoding(&mut self, dialect: Identifier) -> Option<Arc<dyn DialectEncoding>> {
        let context = self.context;
        self.encodings.entry(dialect).or_insert_with(|| encoding::find(context, context.bytes(dialect))).clone()
    }

    #[inline]
    fn type_ref(&mut self, ty: TypeRef) -> Result<u32> {
        let index = match ty.get() {
            Ok(ty) => return self.ty(ty),
            Err(index) => index,
        };
        if let Some(&entry) = self.type_by_local.get(index as usize)
            && entry != 0
        {
            self.types.again(entry - 1);
            return Ok(entry - 1);
        }
        let entry = self.ty(self.module.ty(ty)?)?;
        *local_slot(&mut self.type_by_local, index) = entry + 1;
        Ok(entry)
    }

    #[inline]
    fn attribute_ref(&mut self, attribute: AttributeRef) -> Result<u32> {
        let index = match attribute.get() {
            Ok(attribute) => return self.attribute(attribute),
            Err(index) => index,
        };
        if let Some(&entry) = self.attribute_by_local.get(index as usize)
            && entry != 0
        {
            self.attributes.again(entry - 1);
            return Ok(entry - 1);
        }
        self.new_local(attribute, index)
    }

    fn new_local(&mut self, attribute: AttributeRef, index: u32) -> Result<u32> {
        let packed = self.source.and_then(|source| source.packed_location(index));
        let entry = match packed {
            Some(place) if self.locations.insert_first(self.attributes.len() as u32, place) => {
                let entry = self.push_attribute(self.builtin, attribute);
                self.file(place.file())?;
                entry
            }
            Some(place) => match self.find_location(place) {
                Some(entry) => {
                    self.attributes.again(entry);
                    entry
                }
                None => {
                    let entry = self.push_attribute(self.builtin, attribute);
                    self.locations.insert(entry, place);
                    self.file(place.file())?;
                    entry
                }
            },
            None => self.attribute(self.module.attribute(attribute)?)?,
        };
        *local_slot(&mut self.attribute_by_local, index) = entry + 1;
        Ok(entry)
    }

    /// The entry of a file location that was met, packed or not.
    #[inline]
    fn find_location(&self, place: PackedLocation) -> Option<u32> {
        self.locations.find(place, |entry| {
            let key = *self.attribute_keys.get(entry as usize)?;
            match key.get() {
                Err(_) => self.packed(key),
                Ok(attribute) => self.pack(&self.context[attribute]),
            }
        })
    }

    /// A file location as the source would pack it, so that one that is held in both ways is found.
    fn pack(&self, data: &AttributeData) -> Option<PackedLocation> {
        match *data {
            AttributeData::FileLocation { file, start, end } if start == end => {
                let number = *self.file_numbers.get(&file)?;
                PackedLocation::new(number, start.0.into(), start.1.into())
            }
            _ => None,
        }
    }

    /// Meets the name of a file of the source.
    fn file(&mut self, file: u32) -> Result<()> {
        if let Some(&entry) = self.file_entries.get(file as usize)
            && entry != u32::MAX
        {
            self.attributes.again(entry);
            return Ok(());
        }
        let name = self.source.and_then(|source| source.packed_file(file));
        let name = name.ok_or_else(|| Error::misuse("a location without its file"))?;
        let entry = self.attribute(name.attribute())?;
        let at = file as usize;
        self.file_entries.resize(self.file_entries.len().max(at + 1), u32::MAX);
        self.file_entries[at] = entry;
        Ok(())
    }

    /// The entry of the name of a file of the source, which was met.
    #[inline]
    pub(crate) fn file_entry(&self, file: u32) -> u32 {
        self.file_entries.get(file as usize).copied().unwrap_or(0)
    }

    fn push_attribute(&mut self, dialect: Identifier, key: AttributeRef) -> u32 {
        let dialect = self.dialect(dialect);
        let entry = self.attributes.push(dialect);
        self.attribute_keys.push(key);
        entry
    }

    /// Meets an attribute and, if it is new, all that it holds; gives its entry.
    pub(crate) fn attribute(&mut self, attribute: Attribute) -> Result<u32> {
        let entry = self.meet_attribute(attribute)?;
        self.meet_pending()?;
        Ok(entry)
    }

    /// Meets a type and, if it is new, all that it holds; gives its entry.
    pub(crate) fn ty(&mut self, ty: Type) -> Result<u32> {
        let entry = self.meet_type(ty)?;
        self.meet_pending()?;
        Ok(entry)
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
        if let Some(entry) = self.attribute_by_handle.get(attribute.raw()) {
            self.attributes.again(entry);
            return Ok(entry);
        }
        let data = &self.context[attribute];
        if matches!(data, AttributeData::Encoded(_)) {
            return Err(opaque());
        }
        let point = self.pack(data);
        // The same location may have been met packed.
        if let Some(place) = point
            && let Some(entry) = self.find_location(place)
        {
            self.attributes.again(entry);
            self.attribute_by_handle.set(attribute.raw(), entry);
            return Ok(entry);
        }
        let dialect = attribute_dialect(data).unwrap_or(self.builtin);
        let by_client = client::references(self, &self.client.callbacks.attributes, attribute);
        let group = by_client.as_ref().and_then(|written| written.0).unwrap_or(dialect);
        let entry = self.push_attribute(group, attribute.into());
        self.attribute_by_handle.set(attribute.raw(), entry);
        if let Some(place) = point {
            self.locations.insert(entry, place);
        }
        let references = match by_client {
            Some((_, references)) => references,
            None => self.references(dialect, |encoding, writer| encoding.write_attribute(attribute, writer)),
        };
        self.pending.extend(references.into_iter().rev());
        Ok(entry)
    }

    fn meet_type(&mut self, ty: Type) -> Result<u32> {
        if let Some(entry) = self.type_by_handle.get(ty.raw()) {
            self.types.again(entry);
            return Ok(entry);
        }
        let data = &self.context[ty];
        if matches!(data, TypeData::Encoded(_)) {
            return Err(opaque());
        }
        let dialect = type_dialect(data).unwrap_or(self.builtin);
        let by_client = client::references(self, &self.client.callbacks.types, ty);
        let number = self.dialect(by_client.as_ref().and_then(|written| written.0).unwrap_or(dialect));
        let entry = self.types.push(number);
        self.type_keys.push(ty);
        self.type_by_handle.set(ty.raw(), entry);
        let references = match by_client {
            Some((_, references)) => references,
            None => self.references(dialect, |encoding, writer| encoding.write_type(ty, writer)),
        };
        self.pending.extend(references.into_iter().rev());
        Ok(entry)
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
        EntryWriter { context: self.context, version: self.version, dialects: &self.client.versions, sink }
    }

    /// The location behind an entry's key, where it is packed.
    #[inline]
    pub(crate) fn packed(&self, key: AttributeRef) -> Option<PackedLocation> {
        match key.get() {
            Ok(_) => None,
            Err(index) => self.source.and_then(|source| source.packed_location(index)),
        }
    }
}

/// A use that an operation's properties make.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PropertyUse {
    Attribute(u32),
    #[expect(dead_code, reason = "no property of upstream holds a type but in an attribute")]
    Type(u32),
}

#[cold]
fn opaque() -> Error {
    Error::misuse("an opaque attribute or type can only be written into the file that it came from")
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

/// The location of an operation as an attribute, where nothing else will do.
pub(crate) fn location_attribute(module: &Module, location: AttributeRef) -> Result<Attribute> {
    Ok(match module.location(location)? {
        Location::Attribute(attribute) => attribute,
        packed => packed.attribute(module.context()),
    })
}
