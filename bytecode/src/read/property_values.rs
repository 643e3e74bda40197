//! What a property blob says (`readProperties` that MLIR's TableGen makes): the members of an operation's properties, as a
//! dictionary.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use mlirbc_ir::number::ApInt;
use mlirbc_ir::ods::{NativeProperty, OpDef, PropertyDef, PropertyKind, Release, Traits};
use mlirbc_ir::{Attribute, AttributeData, Context, Encoded, Error, ErrorKind, OperationName, Result};

use super::decode::unless_opaque;
use super::file::BytecodeFile;
use super::plans::Plan;
use crate::encoding::{self, EntryReader, Met, Resolution, Resolver, Table};
use crate::format::{Cursor, SectionId};

impl BytecodeFile {
    /// The properties of an operation of that name, from the blob of that number.
    pub(crate) fn property_dictionary(&self, name: OperationName, index: u32) -> Result<Attribute> {
        self.property_dictionary_next(name, index, &mut Resolution::alone())
    }

    /// As [`BytecodeFile::property_dictionary`], after others with the same state.
    pub(super) fn property_dictionary_next(
        &self,
        name: OperationName,
        index: u32,
        resolution: &mut Resolution,
    ) -> Result<Attribute> {
        let slots = self.property_slots()?;
        let word = slots.get(index);
        if properties_are_of(word, name) {
            return Ok(Attribute::from_raw(word as u32));
        }
        let key = (name, index);
        if let Some(decoded) = self.seldom_if_any().and_then(|seldom| seldom.shared_blobs.get(key)) {
            return Ok(decoded);
        }
        let attribute = self.decode_properties(name, index, resolution).map_err(|error| {
            let operation = Error::quoted(self.context.bytes(self.context.operation_identifier(name)));
            let at = self.property_blobs().ok().and_then(|blobs| blobs.get(self.guarded(), index).ok()).flatten();
            let at = at.map_or(0, |range| range.start as u64);
            let error = error.at(at).in_section(SectionId::Properties.name());
            self.of_file(error.reading(format!("properties {index} of {operation}")))
        })?;
        let word = (u64::from(name.raw()) + 1) << 32 | u64::from(attribute.raw());
        // Of several names that share a blob any may have the slot: which, says how long it takes to find one, and nothing else.
        match slots.get(index) {
            0 => slots.set(index, word),
            held if held == word => {}
            _ => self.seldom().shared_blobs.insert(key, attribute),
        }
        Ok(attribute)
    }

    fn decode_properties(&self, name: OperationName, index: u32, resolution: &mut Resolution) -> Result<Attribute> {
        let Some(range) = self.property_blobs()?.get(self.guarded(), index)? else {
            return Err(Error::malformed(format!("property blob {index} is out of range")));
        };
        match self.known_properties(name, range.clone(), resolution) {
            Ok(Some(known)) => Ok(known),
            Err(error) if error.kind() != ErrorKind::Unknown => Err(error),
            _ => Ok(self.context.attribute(AttributeData::Encoded(Encoded {
                dialect: self.context.operation_dialect(name),
                source: self.properties_number,
                index,
                bytes: self.data.slice(range),
            }))),
        }
    }

    /// What is not understood of a blob of an operation of that name; `None` where all is, or the operation has no layout.
    ///
    /// # Errors
    /// Where the blob is broken.
    pub(super) fn unknown_properties(&self, name: OperationName, index: u32) -> Result<Option<Error>> {
        let Some(range) = self.property_blobs()?.get(self.guarded(), index)? else { return Ok(None) };
        match self.known_properties(name, range.clone(), &mut Resolution::alone()) {
            Err(error) if error.kind() == ErrorKind::Unknown => Ok(Some(error.at(range.start as u64))),
            result => result.map(|_| None),
        }
    }

    /// What `read` makes of properties that their dialect encodes by hand
    /// ([`OPAQUE_PROPERTIES`](mlirbc_ir::ods::Traits::OPAQUE_PROPERTIES)), by the number that an operation of that name has: for dialects that
    /// need no attributes to be made of them. `None` where the file does not have them any more, or they are laid out in another way.
    ///
    /// # Errors
    /// Where the file has no such properties, `read` fails, or it leaves some bytes.
    pub fn read_properties<T>(
        &self,
        name: OperationName,
        index: u32,
        read: impl FnOnce(&mut EntryReader<'_, '_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let definition = self.context.definition(name);
        if self.data.is_empty() || !definition.is_some_and(|it| it.traits.contains(Traits::OPAQUE_PROPERTIES)) {
            return Ok(None);
        }
        let Some(range) = self.property_blobs()?.get(self.guarded(), index)? else {
            return Err(Error::malformed(format!("property blob {index} is out of range")));
        };
        self.whole_blob(range, &mut Resolution::alone(), |reader| read(reader).map(Some))
    }

    /// What a blob says of an operation of that name; `None` where its layout is unknown.
    ///
    /// # Errors
    /// Where the blob is broken; of the kind [`ErrorKind::Unknown`] where it may be one of a newer definition.
    fn known_properties(
        &self,
        name: OperationName,
        range: Range<usize>,
        resolution: &mut Resolution,
    ) -> Result<Option<Attribute>> {
        if let Some(plan) = self.plans()?.get(name) {
            return self.fitting(plan, range, resolution);
        }
        let context = &self.context;
        if !context.is_registered(name) {
            return self.whole_blob(range, resolution, |reader| attribute(self, reader).map(Some));
        }
        if let Some(layout) = self.undefined_layout(name) {
            return self.fitting(&Plan::new(context, self.version(), &layout, &[]), range, resolution);
        }
        let Some(definition) = context.definition(name) else {
            let dialect = context.dialect(&context.text(context.operation_dialect(name)));
            return match dialect.is_some_and(|dialect| dialect.is_of_mlir()) {
                true => Err(Error::new(ErrorKind::Unknown, "no definition of the operation is known")),
                false => Ok(None),
            };
        };
        if definition.traits.contains(Traits::OPAQUE_PROPERTIES) {
            let encoding = encoding::find(context, context.bytes(context.operation_dialect(name)));
            let Some(encoding) = encoding else { return Ok(None) };
            return self.whole_blob(range, resolution, |reader| encoding.read_properties(name, reader));
        }
        self.laid_out(name, definition, range, resolution)
    }

    /// How properties of a registered operation that no definition lays out are laid out in the release of MLIR that wrote the
    /// file; `None` where nothing says so.
    pub(crate) fn undefined_layout(&self, name: OperationName) -> Option<Vec<PropertyDef>> {
        self.context.undefined_operation(name)?.layout(self.release()?)
    }

    /// How the file lays out the properties of operations of that name: as the release does that wrote it, without what the
    /// version of the dialect that it states does not have yet. `None` where nothing says which of several layouts it is.
    ///
    /// # Errors
    /// Where the version cannot be read.
    pub(super) fn layout_of<'d>(
        &self,
        name: OperationName,
        definition: &'d OpDef,
    ) -> Result<Option<Cow<'d, [PropertyDef]>>> {
        let layout = match self.release() {
            Some(release) => definition.layout(release),
            None if definition.has_one_layout() => Cow::Borrowed(definition.properties.as_slice()),
            None => return Ok(None),
        };
        if !self.states_versions()? {
            return Ok(Some(layout));
        }
        let dialect = self.context.text(self.context.operation_dialect(name));
        let version = self.dialect_version(&dialect)?;
        let missing = encoding::missing(&self.context, name, version.as_ref());
        Ok(Some(encoding::without(layout, &missing)))
    }

    /// Whether a dialect has a version in the file.
    pub(super) fn states_versions(&self) -> Result<bool> {
        Ok(self.dialects()?.dialects.iter().any(|dialect| dialect.version.is_some()))
    }

    /// Whether properties of operations of that definition may have a member of that name in the file.
    pub(super) fn may_have(&self, definition: &OpDef, member: &str) -> bool {
        let has = |layout: &[PropertyDef]| layout.iter().any(|known| known.name == member);
        match self.release() {
            Some(release) => has(&definition.layout(release)),
            None => definition.layouts().iter().any(|layout| has(&layout.1)),
        }
    }

    /// The members of a blob in the layout that the operation has in the release of MLIR that wrote the file. Where the
    /// producer names no release, in the one layout that the blob fits.
    fn laid_out(
        &self,
        name: OperationName,
        definition: &OpDef,
        range: Range<usize>,
        resolution: &mut Resolution,
    ) -> Result<Option<Attribute>> {
        let plan = |layout: &[PropertyDef]| Plan::new(&self.context, self.version(), layout, &definition.properties);
        if let Some(layout) = self.layout_of(name, definition)? {
            let plan = Arc::new(plan(&layout));
            self.plans()?.keep(name, plan.clone());
            return self.fitting(&plan, range, resolution);
        }
        let mut blob = |layout: &[PropertyDef]| self.fitting(&plan(layout), range.clone(), resolution);
        let mut found = blob(&definition.properties);
        let mut of = Release::DEFAULT;
        for (release, layout) in definition.layouts().into_iter().skip(1) {
            match (&found, blob(&layout)) {
                (Err(_), Ok(members)) => (found, of) = (Ok(members), release),
                (Ok(known), Ok(members)) if *known != members => {
                    let producer = Error::quoted(self.producer());
                    let message = format!(
                        "the properties are ambiguous: as those of {of} they say one thing, as those of {release} \
                         another, and the producer {producer} names no release"
                    );
                    return Err(Error::new(ErrorKind::Unknown, message));
                }
                _ => {}
            }
        }
        found
    }

    /// The members of a blob that has to fit a plan.
    fn fitting(&self, plan: &Plan, range: Range<usize>, resolution: &mut Resolution) -> Result<Option<Attribute>> {
        // Another layout would explain it, perhaps; what it refers to has to be well-formed all the same.
        self.whole_blob(range, resolution, |reader| {
            let members = members(self, reader, plan).map_err(|error| reader.doubted(error))?;
            match reader.remaining() {
                0 => Ok(Some(members)),
                left => Err(reader.unknown(format!("{} left of a property blob", Error::counted(left, "byte")))),
            }
        })
    }

    /// What `read` makes of a blob, all of it.
    fn whole_blob<T>(
        &self,
        range: Range<usize>,
        resolution: &mut Resolution,
        read: impl FnOnce(&mut EntryReader<'_, '_>) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        resolution.met = Met::default();
        let cursor = Cursor::new(&self.data, range.start, range.end);
        let mut reader = EntryReader { cursor, resolver: self, resolution };
        let attribute = read(&mut reader).map_err(|error| unless_opaque(error, &reader.resolution.met))?;
        match reader.remaining() {
            left if left > 0 && attribute.is_some() => {
                Err(reader.error(format!("{} left of a property blob", Error::counted(left, "byte"))))
            }
            _ => Ok(attribute),
        }
    }
}

/// Whether a word of the property slots is of that name.
#[inline]
pub(super) fn properties_are_of(word: u64, name: OperationName) -> bool {
    word >> 32 == u64::from(name.raw()) + 1
}

/// The members of a blob that is laid out so.
fn members(file: &BytecodeFile, reader: &mut EntryReader<'_, '_>, plan: &Plan) -> Result<Attribute> {
    let context = reader.context();
    let segments_are_attributes = reader.bytecode_version() < 6;
    let mut entries = std::mem::take(&mut reader.resolution.members);
    entries.clear();
    for (kind, name) in &plan.members {
        let value = match kind {
            PropertyKind::Required => Some(attribute(file, reader)?),
            PropertyKind::Optional => match reader.varint_with_flag()? {
                (index, true) => Some(resolve(file, reader, index)?),
                (0, false) => None,
                (index, false) => return Err(reader.error(format!("attribute {index} is marked as absent"))),
            },
            PropertyKind::OperandSegments(groups) | PropertyKind::ResultSegments(groups) => {
                let sizes = match segments_are_attributes {
                    true => segment_attribute(file, reader, *groups as usize)?,
                    false => sparse_array(reader, *groups as usize)?,
                };
                Some(i32_array(context, &sizes))
            }
            PropertyKind::Native(native) => Some(self::native(file, reader, native)?),
        };
        if let Some(value) = value {
            entries.push((*name, value));
        }
    }
    let dictionary = match plan.in_order {
        true => Ok(context.sorted_dictionary(&entries)),
        false => {
            entries.extend(&plan.zeros);
            context.dictionary_of(&mut entries)
        }
    };
    reader.resolution.members = entries;
    dictionary
}

fn attribute(file: &BytecodeFile, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
    let index = reader.varint()?;
    resolve(file, reader, index)
}

/// Resolves on a stack of its own: a blob is never nested in another entry.
fn resolve(file: &BytecodeFile, reader: &EntryReader<'_, '_>, index: u64) -> Result<Attribute> {
    let index = u32::try_from(index).map_err(|_| reader.error(format!("attribute {index} is out of range")))?;
    let found = file.resolve(Table::Attributes, index).map_err(|error| {
        // A blob of another layout names entries that there are not; one that there is must be well-formed.
        reader.resolution.met.refused.set(file.counts().is_ok_and(|counts| index < counts.attributes));
        error.at(reader.position())
    });
    Ok(file.attribute_of(found?))
}

/// `array<i32: ...>` of these.
pub(crate) fn i32_array(context: &Context, sizes: &[i32]) -> Attribute {
    let data: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
    context.attribute(AttributeData::DenseArray { element: context.integer_type(32), data: Bytes::from(data) })
}

fn segment_attribute(file: &BytecodeFile, reader: &mut EntryReader<'_, '_>, groups: usize) -> Result<Vec<i32>> {
    let attribute = attribute(file, reader)?;
    let context = reader.context();
    let AttributeData::DenseArray { element, data } = &context[attribute] else {
        return Err(reader.error("segment sizes are no array"));
    };
    if *element != context.integer_type(32) || data.len() / 4 > groups {
        return Err(reader.error(format!("segment sizes are no array of {groups} i32")));
    }
    let mut sizes: Vec<i32> = data.as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect();
    if let Some(size) = sizes.iter().find(|&&size| size < 0) {
        return Err(reader.error(format!("a segment of {size} values")));
    }
    sizes.resize(groups, 0);
    Ok(sizes)
}

/// The entries that are not 0, as `readSparseArray` of MLIR takes them.
fn sparse_array(reader: &mut EntryReader<'_, '_>, groups: usize) -> Result<Vec<i32>> {
    let mut sizes = vec![0; groups];
    let (count, sparse) = reader.varint_with_flag()?;
    if count == 0 {
        return Ok(sizes);
    }
    if count > groups as u64 {
        return Err(reader.error(format!("{} of {groups}", Error::counted(count, "segment size"))));
    }
    let small = |reader: &EntryReader<'_, '_>, value: u64| {
        i32::try_from(value).map_err(|_| reader.error(format!("a segment of {value} values")))
    };
    if !sparse {
        for size in sizes.iter_mut().take(count as usize) {
            let value = reader.varint()?;
            *size = small(reader, value)?;
        }
        return Ok(sizes);
    }
    let bits = reader.varint()?;
    if bits > 8 {
        return Err(reader.error(format!("segment sizes with indices of {}", Error::counted(bits, "bit"))));
    }
    let mut seen = vec![false; groups];
    for _ in 0..count {
        let pair = reader.varint()?;
        let index = (pair & !(u64::MAX << bits)) as usize;
        let value = small(reader, pair >> bits)?;
        match (sizes.get_mut(index), seen.get_mut(index)) {
            (Some(_), Some(true)) => return Err(reader.error(format!("segment {index} comes twice"))),
            (Some(size), Some(seen)) => (*size, *seen) = (value, true),
            _ => return Err(reader.error(format!("segment {index} of {groups}"))),
        }
    }
    Ok(sizes)
}

fn native(file: &BytecodeFile, reader: &mut EntryReader<'_, '_>, property: &NativeProperty) -> Result<Attribute> {
    let context = reader.context();
    Ok(match property {
        NativeProperty::Bool => match reader.bool()? {
            true => context.unit(),
            false => context.integer(1, 0),
        },
        NativeProperty::Boolean => context.integer(1, if reader.bool()? { -1 } else { 0 }),
        NativeProperty::Integer { width, signed } => {
            let value = reader.varint()?;
            let int = ApInt::from_u64(*width, value);
            let back = if *signed { int.to_i64().map(|value| value as u64) } else { int.to_u64() };
            if back != Some(value) {
                return Err(reader.error(format!("{value} does not fit {}", Error::counted(width, "bit"))));
            }
            context.attribute(AttributeData::Integer { ty: context.integer_type(*width), value: int })
        }
        NativeProperty::String => {
            let value = reader.string()?;
            context.string(value)
        }
        NativeProperty::Array(element) => {
            let elements = reader.list(|reader| native(file, reader, element))?;
            context.attribute(AttributeData::Array(elements.into()))
        }
        NativeProperty::OptionalOf(inner) => {
            let value = if reader.bool()? { vec![native(file, reader, inner)?] } else { Vec::new() };
            context.attribute(AttributeData::Array(value.into()))
        }
        NativeProperty::Attribute => attribute(file, reader)?,
    })
}
