//! Files with opaque parts: attributes, types or properties whose encoding is unknown.
//!
//! Opaque bytes name strings, attributes and types by number, so every table keeps its entries and their numbers, and
//! what is new is appended. Operations are written anew where a body was edited.

use std::collections::HashSet;

use mlirbc_ir::ods::{Release, Traits};
use mlirbc_ir::{
    AttributeData, AttributeRef, BlockId, BodyId, Error, ErrorCode, Identifier, Module, ModuleSource, OpId,
    OperationName, Result, TypeData, TypeRef,
};

use super::emitter::Emitter;
use super::ir;
use super::lossy::Losses;
use super::numbering::Numbering;
use super::operation::Sheets;
use super::options::WriteOptions;
use super::order::SlotNumbers;
use super::parts::Parts;
use super::pieces;
use super::properties::Blobs;
use super::resources::{self, ResourceOrder};
use super::strings::Strings;
use super::tables::{self, Numbers};
use super::target::Target;
use crate::encoding::builtin::{LOCATION_CODES, UNKNOWN_LOCATION};
use crate::encoding::{self, Table};
use crate::format::{Cursor, MAGIC, SectionId};
use crate::read::{BytecodeFile, ReadOptions};

/// The file that a module came from and has not let go of.
pub(crate) fn file_of(module: &Module) -> Option<&BytecodeFile> {
    BytecodeFile::of(module).filter(|file| !file.data().is_empty())
}

/// Whether a module came from a file that has to be kept, as its dialects say: the file. That of known dialects, too,
/// something may be opaque, the writer finds out when it meets it.
pub(crate) fn opaque_file(module: &Module) -> Result<Option<&BytecodeFile>> {
    let Some(file) = file_of(module) else { return Ok(None) };
    Ok(if file.has_opaque_parts()? { Some(file) } else { None })
}

impl<'m> Numbering<'m> {
    /// A numbering in which every entry of the file has the number that it has there.
    fn kept(module: &'m Module, file: &BytecodeFile, version: u64, target: &'m Target) -> Result<Self> {
        let source = module.source().map(|source| &**source);
        let mut numbering = Numbering::of_source(module, source, version, target, Box::default());
        file.decode_tables()?;
        numbering.keep_dialects_and_names(file)?;
        let counts = file.counts()?;
        for index in 0..counts.types {
            let local = TypeRef::local(index).ok_or_else(|| Error::misuse("too many types"))?;
            numbering.keep_type(module.ty(local)?, file.entry(Table::Types, index)?.dialect, index)?;
        }
        for index in 0..counts.attributes {
            let local = AttributeRef::local(index).ok_or_else(|| Error::misuse("too many attributes"))?;
            numbering.keep_attribute(local, index)?;
        }
        for handle in &file.resources()?.handles {
            numbering.keep_resource(*handle);
        }
        numbering.keep_files();
        Ok(numbering)
    }
}

/// Writes a module whose tables have to stay as they are in `source`.
pub(crate) fn emit(
    module: &Module,
    source: &BytecodeFile,
    options: &WriteOptions,
    target: &Target,
    file: &mut Emitter,
) -> Result<Losses> {
    let version = options.version;
    if version != source.version() {
        let message =
            format!("a file with opaque parts cannot be written at another version than its own, {}", source.version());
        return Err(Error::misuse(message).with_code(ErrorCode::Opaque));
    }
    if let Some(release) = source.release().filter(|&release| release != options.release) {
        let message = format!("a file with opaque parts cannot be written for another release than its own, {release}");
        return Err(Error::misuse(message).with_code(ErrorCode::Opaque));
    }
    // Bytes that some release explains would be read as those of the release that the producer names.
    if source.release().is_none()
        && Release::of_producer(&options.producer).is_some()
        && let Some(what) = source.depends_on_release()?
    {
        let message =
            format!("a file with opaque parts keeps its producer, which names no release: its {what} depend on that");
        return Err(Error::misuse(message).with_code(ErrorCode::Opaque));
    }
    let upgraded = module.dialect_versions()?.iter().any(|(_, bytes)| bytes.is_empty());
    if upgraded || !options.dialect_versions.is_empty() {
        return Err(
            Error::misuse("a file with opaque parts keeps the versions of its dialects").with_code(ErrorCode::Opaque)
        );
    }
    let names = source.dialect_names()?;
    if names.iter().any(|&name| target.hides(module.context(), name)) {
        return Err(
            Error::misuse("a file with opaque parts keeps the encodings of its dialects").with_code(ErrorCode::Opaque)
        );
    }
    source.check_bytes()?;
    let data = source.data();
    file.bytes.extend_from_slice(&MAGIC);
    file.varint(version);
    file.bytes.extend_from_slice(&options.producer);
    file.byte(0);

    let edited = module.bodies().any(|(_, body)| body.is_edited())
        || module.resources_edited()
        || module.dialect_versions_edited();
    let mut sections: Vec<(SectionId, Emitter)> = Vec::new();
    let mut losses = Losses::default();
    let locations = if options.strip_locations { locations(module, source)? } else { HashSet::new() };
    if edited {
        super::read_ahead(module, options);
        let mut numbering = Numbering::kept(module, source, version, target)?;
        if options.strip_locations {
            numbering.strip_locations();
        }
        let counts = source.counts()?;
        let parts = Parts::of(module, options.threads);
        numbering.run(&parts)?;
        let met = std::mem::take(&mut numbering.resources);
        let numbers = Numbers {
            attributes: SlotNumbers::identity(numbering.attributes.slots()),
            types: SlotNumbers::identity(numbering.types.slots()),
            names: SlotNumbers::identity(numbering.names.slots()),
            resources: met.iter().copied().zip(0..).collect(),
        };
        let mut strings = std::mem::take(&mut numbering.strings);
        strings.keep((0..source.strings()?.len() as u32).map(|at| source.string(at)))?;
        let mut blobs = Blobs::default();
        for index in 0..counts.properties {
            let range = source.property_blobs()?.get(source.guarded(), index)?.unwrap_or_default();
            blobs.keep(data.get(range).unwrap_or_default());
        }
        let versions: Vec<(Identifier, bytes::Bytes)> = module.dialect_versions()?.to_vec();
        let names: Vec<u32> = (0..numbering.names.slots()).collect();
        let dialects = tables::dialect_section(&mut numbering, &names, &mut strings, &versions)?;
        let (offsets, entries) = kept_entries(source, &numbering, &numbers, &mut strings, &locations)?;
        let mut operations = Emitter::default();
        let uses = pieces::first_uses(&numbering, &parts, parts.threads);
        ir::section(
            &mut numbering,
            &numbers,
            (&mut strings, &mut blobs),
            &mut operations,
            &parts,
            (uses, &mut Sheets::default()),
        )?;
        // Handles stay in the order of the file: what is new goes behind.
        let order = ResourceOrder::kept(module, &met, &numbering.dialects)?;
        let (resource_offsets, payloads) = resources::sections(module, module.context(), &order, &mut strings)?;
        sections.extend([
            (SectionId::Dialect, dialects),
            (SectionId::AttrTypeOffset, offsets),
            (SectionId::AttrType, entries),
            (SectionId::Ir, operations),
        ]);
        let has_resources = !order.groups.is_empty() || module.resources()?.iter().any(|group| !group.dialect);
        if has_resources || source.section(SectionId::ResourceOffset).is_some() {
            sections.extend([(SectionId::ResourceOffset, resource_offsets), (SectionId::Resource, payloads)]);
        }
        let (mut all_strings, mut all_blobs) = (Emitter::default(), Emitter::default());
        strings.section(&mut all_strings);
        sections.push((SectionId::String, all_strings));
        if version >= 5 {
            blobs.section(&mut all_blobs);
            sections.push((SectionId::Properties, all_blobs));
        }
        losses = numbering.losses;
    } else {
        for (id, _) in source.sections() {
            let mut content = Emitter::default();
            let range = source.section(id).filter(|range| range.end <= data.len()).unwrap_or_default();
            content.share(&source.data.slice(range));
            if id == SectionId::Resource {
                content.ask_for_alignment(source.resources()?.alignment);
            }
            sections.push((id, content));
        }
        if options.strip_locations {
            let numbering = Numbering::new(module, version, target, Box::default());
            let mut strings = Strings::default();
            let numbers = Numbers::default();
            let (offsets, entries) = kept_entries(source, &numbering, &numbers, &mut strings, &locations)?;
            for (id, content) in &mut sections {
                match id {
                    SectionId::AttrTypeOffset => content.clone_from(&offsets),
                    SectionId::AttrType => content.clone_from(&entries),
                    _ => {}
                }
            }
        }
    }
    // In the order of the file, which may be another than that of this crate.
    let place = |id: SectionId| source.sections().position(|section| section.0 == id).unwrap_or(usize::MAX);
    sections.sort_by_key(|section| place(section.0));
    for (id, content) in sections {
        match id {
            // Written with its header.
            SectionId::Ir if edited => file.bytes.extend_from_slice(&content.bytes),
            _ => file.section(id as u8, &content),
        }
    }
    if edited {
        check_opaque_parts(module, source, file, &locations)?;
    }
    Ok(losses)
}

/// The entries of the file that are locations: those of `builtin`, and what operations and block arguments take for one.
fn locations(module: &Module, source: &BytecodeFile) -> Result<HashSet<u32>> {
    let mut locations = HashSet::new();
    if builtin(source)?.is_none() {
        return Ok(locations);
    }
    for index in 0..source.counts()?.attributes {
        if is_location(source, index)? {
            locations.insert(index);
        }
    }
    module.load_all()?;
    for body in (0..module.body_count()).filter_map(|at| module.loaded(BodyId::from_index(at))) {
        let of_operations = (0..body.operation_count()).map(|at| body.location(OpId::from_index(at)));
        let blocks = (0..body.block_count()).map(BlockId::from_index);
        let of_arguments = blocks.flat_map(|block| body.argument_locations(block).iter().flatten().copied());
        locations.extend(of_operations.chain(of_arguments).filter_map(|location| location.in_source()));
    }
    Ok(locations)
}

/// Refuses what could not be decoded, and can be in what was written: bytes that name an entry behind the last one mean what
/// stands there, once something new does. Of entries those are left out that were `stripped`.
fn check_opaque_parts(module: &Module, source: &BytecodeFile, file: &Emitter, stripped: &HashSet<u32>) -> Result<()> {
    let context = module.context();
    let properties = opaque_properties(module, source)?;
    let (mut attributes, types) = (source.opaque_entries(Table::Attributes)?, source.opaque_entries(Table::Types)?);
    attributes.retain(|index| !stripped.contains(index));
    if properties.is_empty() && attributes.is_empty() && types.is_empty() {
        return Ok(());
    }
    let options = ReadOptions::new().limits(source.limits);
    let written = BytecodeFile::open(context, file.clone().into_bytes().into(), &options, None)?;
    // What an entry now names may be nothing that it can have: then it cannot be read at all.
    let is_opaque = |table: Table, index: u32| matches!(written.is_opaque(table, index), Ok(true));
    let gained = |what: std::fmt::Arguments<'_>| {
        let message = format!("a file with opaque parts: {what} that cannot be decoded would mean something new in it");
        Err(Error::misuse(message).with_code(ErrorCode::Opaque))
    };
    if let Some(index) = attributes.into_iter().find(|&index| !is_opaque(Table::Attributes, index)) {
        return gained(format_args!("attribute {index}"));
    }
    if let Some(index) = types.into_iter().find(|&index| !is_opaque(Table::Types, index)) {
        return gained(format_args!("type {index}"));
    }
    for (index, name) in properties {
        let dictionary = written.property_dictionary(name, index);
        if !dictionary.is_ok_and(|dictionary| matches!(context[dictionary], AttributeData::Encoded(_))) {
            return gained(format_args!("properties of {}", Error::quoted(context.operation_text(name))));
        }
    }
    Ok(())
}

/// The properties of the file that could not be decoded, and the operations that have them; always in the same order.
fn opaque_properties(module: &Module, source: &BytecodeFile) -> Result<Vec<(u32, OperationName)>> {
    let context = module.context();
    let mut opaque: HashSet<(u32, OperationName)> = HashSet::new();
    for (_, body) in module.bodies() {
        for op in body.preorder() {
            let Some(properties) = body.properties(op) else { continue };
            let AttributeData::Encoded(encoded) = &context[module.properties(body.name(op), properties)?] else {
                continue;
            };
            // One that is an entry of the table of attributes stays what it is, or is refused as that.
            if encoded.source == source.properties_number {
                opaque.insert((encoded.index, body.name(op)));
            }
        }
    }
    let mut opaque: Vec<_> = opaque.into_iter().collect();
    opaque.sort_by_key(|&(index, name)| (index, context.operation_text(name)));
    Ok(opaque)
}

/// The attribute and type sections of the file, with new entries behind those of each table, and without what is in
/// `locations`.
fn kept_entries(
    source: &BytecodeFile,
    numbering: &Numbering<'_>,
    numbers: &Numbers,
    strings: &mut Strings,
    locations: &HashSet<u32>,
) -> Result<(Emitter, Emitter)> {
    let counts = source.counts()?;
    // Where there is no such dialect, nothing has a location that could be stripped.
    let builtin = builtin(source)?.unwrap_or_default();
    let mut entries = Emitter::default();
    let mut offsets = Emitter::default();
    let attributes = numbering.attributes.slots().max(counts.attributes);
    let types = numbering.types.slots().max(counts.types);
    offsets.varint(attributes.into());
    offsets.varint(types.into());
    source.check_bytes()?;
    let data = source.data();
    for table in [Table::Attributes, Table::Types] {
        let (kept, all) = match table {
            Table::Attributes => (counts.attributes, attributes),
            Table::Types => (counts.types, types),
        };
        let mut dialects = Vec::with_capacity(all as usize);
        let is_stripped = |index: u32| table == Table::Attributes && locations.contains(&index);
        for index in 0..kept {
            dialects.push(match is_stripped(index) {
                true => builtin,
                false => source.entry(table, index)?.dialect,
            });
        }
        let new = match table {
            Table::Attributes => &numbering.attributes,
            Table::Types => &numbering.types,
        };
        dialects.extend((kept..new.slots()).map(|slot| new.dialect(slot)));
        let all: Vec<u32> = (0..all).collect();
        tables::groups(
            &mut offsets,
            &all,
            |index| dialects[index as usize],
            |offsets, index| {
                let start = entries.len();
                let custom = if index < kept {
                    let entry = source.entry(table, index)?;
                    // What opaque bytes may refer to by number is still a location.
                    let (bytes, custom) = match is_stripped(index) {
                        true => (Some(&UNKNOWN_LOCATION[..]), true),
                        false => (data.get(entry.range.clone()), entry.custom),
                    };
                    entries.bytes.extend_from_slice(bytes.unwrap_or_default());
                    custom
                } else {
                    match table {
                        Table::Attributes => {
                            let own =
                                numbering.own_attribute(index).ok_or_else(|| Error::misuse("no new attribute"))?;
                            tables::entry(numbering, numbers, strings, &mut entries, own)?
                        }
                        Table::Types => tables::entry(
                            numbering,
                            numbers,
                            strings,
                            &mut entries,
                            tables::own_type(numbering, index)?,
                        )?,
                    }
                };
                offsets.varint_with_flag((entries.len() - start) as u64, custom);
                Ok(())
            },
        )?;
    }
    Ok((offsets, entries))
}

/// The number of the builtin dialect in the file.
fn builtin(source: &BytecodeFile) -> Result<Option<u32>> {
    let found = source.dialect_names()?.iter().position(|&name| source.context().bytes(name) == b"builtin");
    Ok(found.map(|number| number as u32))
}

/// Whether the entry is a builtin location in its encoding.
fn is_location(source: &BytecodeFile, index: u32) -> Result<bool> {
    let entry = source.entry(Table::Attributes, index)?;
    if !entry.custom || source.context().bytes(source.dialect_name(entry.dialect)?) != b"builtin" {
        return Ok(false);
    }
    let code = Cursor::new(source.data(), entry.range.start, entry.range.end).varint()?;
    Ok(LOCATION_CODES.contains(&code))
}

impl BytecodeFile {
    /// Whether the file holds entries or properties that cannot be decoded.
    pub(crate) fn has_opaque_parts(&self) -> Result<bool> {
        let known = self.encoded_dialects()?;
        // Of a dialect whose version is not known nothing can be said anew.
        for dialect in self.known_dialects()? {
            if self.unknown_version(dialect.name)?.is_some() {
                return Ok(true);
            }
        }
        if known.iter().all(|known| *known) && self.registered_names_are_defined()? {
            return Ok(false);
        }
        let opaque = !self.registered_names_are_defined()?;
        // Callbacks may have read what no dialect could.
        if !self.callbacks.is_empty() {
            return Ok(opaque || self.has_opaque_entries()?);
        }
        // Asked first: a table that is broken is not kept as it is.
        Ok(self.has_unknown_encodings(&known)? || opaque)
    }

    /// Whether some entry has an encoding of a dialect that is not among those that are `known`. All are looked at once.
    fn has_unknown_encodings(&self, known: &[bool]) -> Result<bool> {
        if let Some(&found) = self.unknown_encodings.get() {
            return Ok(found);
        }
        let found = self.entries()?.has_encodings_beside(self.guarded(), known)?;
        Ok(*self.unknown_encodings.get_or_init(|| found))
    }

    /// Whether some entry cannot be decoded; they are tried one by one.
    fn has_opaque_entries(&self) -> Result<bool> {
        let counts = self.counts()?;
        for (table, count) in [(Table::Attributes, counts.attributes), (Table::Types, counts.types)] {
            for index in 0..count {
                if self.is_opaque(table, index)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The entries of a table that cannot be decoded, although the encodings of their dialect are known.
    fn opaque_entries(&self, table: Table) -> Result<Vec<u32>> {
        let known = self.encoded_dialects()?;
        let counts = self.counts()?;
        let count = if table == Table::Types { counts.types } else { counts.attributes };
        let mut opaque = Vec::new();
        for index in 0..count {
            let entry = self.entry(table, index)?;
            // Text names nothing by number.
            let is_known = entry.custom && known.get(entry.dialect as usize).is_some_and(|known| *known);
            if is_known && self.is_opaque(table, index)? {
                opaque.push(index);
            }
        }
        Ok(opaque)
    }

    /// Whether an entry cannot be decoded.
    fn is_opaque(&self, table: Table, index: u32) -> Result<bool> {
        let context = self.context();
        Ok(match table {
            Table::Attributes => {
                matches!(context[ModuleSource::attribute(self, context, index)?], AttributeData::Encoded(_))
            }
            Table::Types => matches!(context[self.ty(context, index)?], TypeData::Encoded(_)),
        })
    }

    /// By dialect: whether its encodings are known.
    fn encoded_dialects(&self) -> Result<Vec<bool>> {
        Ok(self.known_dialects()?.iter().map(|known| known.encoding.is_some()).collect())
    }

    /// Whether the properties of every operation that is marked as registered can be decoded, if it has some.
    fn registered_names_are_defined(&self) -> Result<bool> {
        if self.version() < 5 || self.counts()?.properties == 0 {
            return Ok(true);
        }
        for number in 0..self.dialects()?.operations.len() as u32 {
            let (context, name) = (self.context(), self.operation_name(number)?);
            let is_known = || match context.definition(name) {
                None => self.undefined_layout(name).is_some(),
                Some(definition) if definition.traits.contains(Traits::OPAQUE_PROPERTIES) => {
                    encoding::find(context, context.bytes(context.operation_dialect(name))).is_some()
                }
                Some(_) => true,
            };
            if context.is_registered(name) && !is_known() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is read in one way or another, depending on the release of MLIR that wrote the file.
    fn depends_on_release(&self) -> Result<Option<String>> {
        let context = self.context();
        for number in 0..self.dialects()?.operations.len() as u32 {
            let name = self.operation_name(number)?;
            let is_one = || context.definition(name).is_none_or(|definition| definition.has_one_layout());
            if context.is_registered(name) && !is_one() {
                return Ok(Some(format!("properties of {}", Error::quoted(context.operation_text(name)))));
            }
        }
        let counts = self.counts()?;
        for (table, count, what) in
            [(Table::Attributes, counts.attributes, "attributes"), (Table::Types, counts.types, "types")]
        {
            for index in 0..count {
                if let Some(part) = self.unknown_entry(table, index)? {
                    return Ok(Some(format!("{what} of {}", Error::quoted(context.bytes(part.of)))));
                }
            }
        }
        Ok(None)
    }
}
