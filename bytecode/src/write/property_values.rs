//! What a property blob says (`readProperties` that MLIR's TableGen makes): a twin of `read/property_values.rs`.

use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::ods::{NativeProperty, OpDef, PropertyDef, PropertyKind, Release, Traits};
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, Context, Error, Identifier, ModuleSource, NamedAttribute, OperationName,
    Ref, Result,
};

use super::emitter::Coded;
use super::lossy::Losses;
use super::slot_map::SlotMap;
use super::target::Target;
use crate::encoding::{self, DialectEncoding, DialectVersion, EntryWriter, Missing};

/// How an operation's properties are written.
pub(crate) enum Plan {
    /// The fields in the order in which a version and a release write them.
    Fields(Fields),
    /// By the dialect's own hand.
    Dialect(Arc<dyn DialectEncoding>),
}

/// Members in the order in which a version and a release write them.
#[derive(Default)]
pub(crate) struct Fields {
    pub(crate) members: Vec<(PropertyKind, Identifier)>,
    /// The names of members, in the order of their numbers, with their places in `members`.
    places: Vec<(Identifier, usize)>,
    /// The places of those that are written whether they are given or not.
    written: Vec<usize>,
    /// Members that the definition has, and the version of its dialect that is written lacks.
    missing: Vec<Missing>,
}

impl Plan {
    /// What writes properties that are in this source, without an attribute made of them.
    pub(crate) fn of_source(&self, source: &dyn ModuleSource) -> Option<&dyn DialectEncoding> {
        match self {
            Plan::Fields(_) => None,
            Plan::Dialect(encoding) => Some(&**encoding).filter(|encoding| encoding.knows_source(source)),
        }
    }

    /// How properties of that name are laid out; `None` where they are one attribute.
    pub(crate) fn of(context: &Context, target: &Target, name: OperationName, version: u64) -> Option<Arc<Self>> {
        if let Some(layout) = target.undefined_layout(context, name) {
            return Some(Arc::new(Plan::of_layout(context, &layout, version)));
        }
        let definition = target.definition(context, name)?;
        let dialect = (name, target.version_of(context, name));
        Some(Arc::new(Plan::new(context, definition, version, target.release, dialect)))
    }

    /// `dialect`: the version of the operation's dialect that is written.
    pub(crate) fn new(
        context: &Context,
        definition: &OpDef,
        version: u64,
        release: Release,
        (name, dialect): (OperationName, Option<&DialectVersion>),
    ) -> Self {
        if definition.traits.contains(Traits::OPAQUE_PROPERTIES)
            && let Some(encoding) = encoding::find(context, context.bytes(context.operation_dialect(name)))
        {
            return Plan::Dialect(encoding);
        }
        let missing = encoding::missing(context, name, dialect);
        let members = members_of(context, &encoding::without(definition.layout(release), &missing), version);
        Plan::Fields(Fields::new(members, missing))
    }

    fn of_layout(context: &Context, layout: &[PropertyDef], version: u64) -> Self {
        Plan::Fields(Fields::new(members_of(context, layout, version), Vec::new()))
    }
}

impl Fields {
    fn new(members: Vec<(PropertyKind, Identifier)>, missing: Vec<Missing>) -> Self {
        let mut places: Vec<_> = members.iter().zip(0..).map(|(member, place)| (member.1, place)).collect();
        places.sort_unstable();
        let is_optional = |place: usize| matches!(members[place].0, PropertyKind::Optional);
        let written = (0..members.len()).filter(|&place| !is_optional(place)).collect();
        Fields { members, places, written, missing }
    }

    /// The places of members, in order, with their values among these entries: all but those that may be absent, and are. Entries that
    /// are no members go to `unknown`.
    fn values(
        &self,
        entries: &[NamedAttribute],
        mut unknown: impl FnMut(NamedAttribute) -> Result<()>,
    ) -> Result<Vec<(usize, Option<Attribute>)>> {
        let mut values = Vec::with_capacity(self.written.len() + entries.len());
        values.extend(self.written.iter().map(|&place| (place, None)));
        for &entry in entries {
            let Ok(found) = self.places.binary_search_by_key(&entry.0, |place| place.0) else {
                unknown(entry)?;
                continue;
            };
            let place = self.places[found].1;
            match self.written.binary_search(&place) {
                Ok(at) => values[at].1 = Some(entry.1),
                Err(_) => values.push((place, Some(entry.1))),
            }
        }
        values.sort_unstable_by_key(|value| value.0);
        Ok(values)
    }
}

/// The members of a layout in the order in which a version of bytecode writes them.
fn members_of(context: &Context, layout: &[PropertyDef], version: u64) -> Vec<(PropertyKind, Identifier)> {
    let mut fields: Vec<_> =
        layout.iter().map(|member| (member.kind.clone(), context.identifier(&member.name))).collect();
    if version < 6 {
        // Segment sizes are attributes among the others, by name.
        let native = |kind: &PropertyKind| matches!(kind, PropertyKind::Native(_));
        let (natives, mut others): (Vec<_>, Vec<_>) = fields.into_iter().partition(|field| native(&field.0));
        others.sort_by(|a, b| context.bytes(a.1).cmp(context.bytes(b.1)));
        others.extend(natives);
        fields = others;
    }
    fields
}

/// Properties that were met: by operation name, since equal blobs mean different things in different operations.
#[derive(Default)]
pub(crate) struct PropertyTable {
    /// By the blob's number in the module's source, or the number of the attribute: the first that was met.
    by_local: SlotMap,
    by_handle: SlotMap,
    /// Those met with another name first.
    others: HashMap<(OperationName, AttributeRef), u32>,
    met: Vec<MetProperties>,
    references: Vec<u32>,
    /// By place: the number of the blob, where it has one already.
    blobs: Vec<Option<Coded>>,
}

struct MetProperties {
    name: OperationName,
    properties: AttributeRef,
    dictionary: Attribute,
    /// The place of what is written of them, where that is known.
    template: Option<u32>,
    /// Slots of what they refer to, in `references`.
    references: (u32, u32),
    count: u32,
}

impl PropertyTable {
    /// Forgets all, and keeps the room.
    pub(crate) fn clear(&mut self) {
        for met in self.met.drain(..) {
            if let Ref::Context(handle) = met.properties.resolve() {
                self.by_handle.remove(handle.raw());
            }
        }
        self.by_local.clear();
        self.others.clear();
        self.references.clear();
        self.blobs.clear();
    }

    /// The place of properties that were met.
    #[inline]
    pub(crate) fn find(&self, name: OperationName, properties: AttributeRef) -> Option<u32> {
        let first = match properties.resolve() {
            Ref::Context(handle) => self.by_handle.get(handle.raw()),
            Ref::Source(index) => self.by_local.get(index),
        };
        match first {
            Some(place) if self.met[place as usize].name != name => self.others.get(&(name, properties)).copied(),
            place => place,
        }
    }

    /// Uses properties so often more, if they were met.
    pub(crate) fn add(&mut self, name: OperationName, properties: AttributeRef, uses: u32) -> bool {
        let Some(place) = self.find(name, properties) else { return false };
        let met = &mut self.met[place as usize];
        met.count = met.count.saturating_add(uses);
        true
    }

    /// What properties refer to, and how often these were used again after they were met.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = (&[u32], u32)> {
        let references = |met: &MetProperties| &self.references[met.references.0 as usize..met.references.1 as usize];
        self.met.iter().filter(|met| met.count > 1).map(move |met| (references(met), met.count - 1))
    }

    /// Takes note of the slot of something to which the next properties refer that are [inserted](Self::insert).
    pub(crate) fn refer(&mut self, slot: u32) {
        self.references.push(slot);
    }

    /// Takes note of properties used for the first time, which refer to what was noted since the last ones; gives their place.
    pub(crate) fn insert(
        &mut self,
        (name, properties): (OperationName, AttributeRef),
        dictionary: Attribute,
        template: Option<u32>,
    ) -> u32 {
        let start = self.met.last().map_or(0, |met| met.references.1);
        let references = (start, self.references.len() as u32);
        let place = self.met.len() as u32;
        self.met.push(MetProperties { name, properties, dictionary, template, references, count: 1 });
        self.blobs.push(None);
        let (map, number) = match properties.resolve() {
            Ref::Context(handle) => (&mut self.by_handle, handle.raw()),
            Ref::Source(index) => (&mut self.by_local, index),
        };
        if map.get(number).is_none() {
            map.set(number, place);
        } else {
            self.others.insert((name, properties), place);
        }
        place
    }

    /// Says that a blob of properties that were met has a number before it is written.
    pub(crate) fn set_blob(&mut self, place: u32, blob: Coded) {
        self.blobs[place as usize] = Some(blob);
    }

    /// By place: the number of the blob of properties that were met, where it has one. It is for those who write the others.
    pub(crate) fn take_blobs(&mut self) -> Vec<Option<Coded>> {
        std::mem::take(&mut self.blobs)
    }

    /// Takes back the room of what [`PropertyTable::take_blobs`] gave.
    pub(crate) fn give_back(&mut self, blobs: Vec<Option<Coded>>) {
        self.blobs = blobs;
    }

    /// How many were met.
    pub(crate) fn len(&self) -> usize {
        self.met.len()
    }

    /// The name and the dictionary of properties that were met, and the place of what is written of them, where that is known.
    pub(crate) fn content(&self, place: u32) -> (OperationName, Attribute, Option<u32>) {
        let met = &self.met[place as usize];
        (met.name, met.dictionary, met.template)
    }

    /// The number in the source of properties that were met, if they are there.
    pub(crate) fn in_source(&self, place: u32) -> Option<u32> {
        self.met[place as usize].properties.in_source()
    }
}

/// The error that properties of an operation of that name are.
pub(crate) fn about(context: &Context, name: OperationName, what: &str) -> Error {
    let name = context.text(context.operation_identifier(name));
    Error::verification(format!("{what} in the properties of `{name}`"))
}

/// Finds the attributes that a blob of these properties refers to, in order. What only other releases have a place for is a loss.
///
/// # Errors
/// Where the dictionary is none that the operation's definition allows.
pub(crate) fn references(
    context: &Context,
    name: OperationName,
    plan: Option<&Plan>,
    dictionary: Attribute,
    (version, release): (u64, Release),
    losses: &mut Losses,
    found: &mut Vec<Attribute>,
) -> Result<()> {
    let fields = match plan {
        None => {
            found.push(dictionary);
            return Ok(());
        }
        // The numbering asks the dialect.
        Some(Plan::Dialect(_)) => return Ok(()),
        Some(Plan::Fields(fields)) => fields,
    };
    let Fields { members, missing, .. } = fields;
    let AttributeData::Dictionary(entries) = &context[dictionary] else {
        return Err(about(context, name, "no dictionary"));
    };
    let definition = context.definition(name);
    let values = fields.values(entries, |unknown| {
        let Some(definition) = definition.filter(|_| context.undefined_operation(name).is_none()) else {
            let message = format!("no member is called `{}`", context.text(unknown.0));
            return Err(about(context, name, &message));
        };
        if let Some((member, since)) = missing.iter().find(|(member, _)| member.as_bytes() == context.bytes(unknown.0))
        {
            losses.later_member(definition, member, *since);
            return Ok(());
        }
        losses.member(context, definition, unknown, release)
    })?;
    let is_of_release = |field: Identifier, kind: &PropertyKind| {
        let same = |definition: &Arc<OpDef>| {
            let name = context.bytes(field);
            definition.properties.iter().any(|member| member.name.as_bytes() == name && member.kind == *kind)
        };
        release != Release::DEFAULT && definition.is_some_and(|definition| !same(definition))
    };
    for (place, value) in values {
        let (kind, field) = &members[place];
        match (kind, value) {
            (PropertyKind::Required, None) => {
                let missing = match is_of_release(*field, kind) {
                    true => format!("`{}`, which {release} asks for, is missing", context.text(*field)),
                    false => format!("`{}` is missing", context.text(*field)),
                };
                return Err(about(context, name, &missing));
            }
            (PropertyKind::Required | PropertyKind::Optional, Some(value)) => found.push(value),
            (PropertyKind::Optional, None) => {}
            (PropertyKind::OperandSegments(groups) | PropertyKind::ResultSegments(groups), value) => {
                let sizes = segments(context, name, *field, value, *groups)?;
                let given = value.and_then(|value| match &context[value] {
                    AttributeData::DenseArray { data, .. } => Some(data.len() / 4),
                    _ => None,
                });
                let whole = given == Some(*groups as usize);
                if is_of_release(*field, kind) {
                    // Which values another release has in which group is not known; where there are none, all are empty.
                    if !whole && (given.is_none() || sizes.iter().any(|&size| size != 0)) {
                        let message = format!(
                            "`{}` does not have the {} of {release}",
                            context.text(*field),
                            Error::counted(groups, "size")
                        );
                        return Err(about(context, name, &message));
                    }
                } else if !whole && value.is_some() {
                    let message = format!("`{}` is no array of {groups} i32", context.text(*field));
                    return Err(about(context, name, &message));
                }
                if version < 6 {
                    found.push(crate::read::i32_array(context, &sizes));
                }
            }
            (PropertyKind::Native(native), None)
                if *native != NativeProperty::Bool
                    && definition.is_some_and(|definition| definition.inherent(context.bytes(*field)).is_some()) =>
            {
                // It has another value where the attribute is absent than this has by itself.
                let missing = format!("`{}`, which {release} asks for, is missing", context.text(*field));
                return Err(about(context, name, &missing));
            }
            (PropertyKind::Native(native), value) => {
                // Only what is read back as the same.
                let fits = match value {
                    Some(value) => context.normalized(native, value) == Some(value),
                    None => *native != NativeProperty::Attribute,
                };
                if !fits {
                    return Err(about(context, name, &format!("`{}` has a wrong value", context.text(*field))));
                }
                native_references(context, native, value, found);
            }
        }
    }
    Ok(())
}

/// The segment sizes that the attribute gives; zeros where it is absent.
fn segments(
    context: &Context,
    name: OperationName,
    field: Identifier,
    value: Option<Attribute>,
    groups: u32,
) -> Result<Vec<i32>> {
    let wrong = || about(context, name, &format!("`{}` is no array of {groups} i32", context.text(field)));
    let mut sizes = Vec::new();
    if let Some(value) = value {
        let AttributeData::DenseArray { element, data } = &context[value] else { return Err(wrong()) };
        if *element != context.integer_type(32) || data.len() / 4 > groups as usize {
            return Err(wrong());
        }
        sizes.extend(data.as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes)));
        if sizes.iter().any(|&size| size < 0) {
            return Err(wrong());
        }
    }
    sizes.resize(groups as usize, 0);
    Ok(sizes)
}

fn native_references(context: &Context, native: &NativeProperty, value: Option<Attribute>, found: &mut Vec<Attribute>) {
    match (native, value.map(|value| &context[value])) {
        (NativeProperty::Attribute, _) => found.extend(value),
        (NativeProperty::Array(inner) | NativeProperty::OptionalOf(inner), Some(AttributeData::Array(elements))) => {
            elements.iter().for_each(|&element| native_references(context, inner, Some(element), found));
        }
        _ => {}
    }
}

/// Writes the blob of these properties, which [`references`] has checked.
pub(crate) fn write(
    writer: &mut EntryWriter<'_>,
    name: OperationName,
    plan: Option<&Plan>,
    dictionary: Attribute,
) -> Result<()> {
    let context = writer.context();
    let fields = match plan {
        None => {
            writer.attribute(dictionary);
            return Ok(());
        }
        Some(Plan::Dialect(encoding)) => {
            return match encoding.write_properties(name, dictionary, writer) {
                true => Ok(()),
                false => Err(about(context, name, "something without an encoding")),
            };
        }
        Some(Plan::Fields(fields)) => fields,
    };
    let AttributeData::Dictionary(entries) = &context[dictionary] else {
        return Err(about(context, name, "no dictionary"));
    };
    let values = fields.values(entries, |_| Ok(()))?;
    // Most members of many operations are absent.
    let mut next = 0;
    for (place, value) in values {
        let (kind, field) = &fields.members[place];
        writer.absent_attributes(place.saturating_sub(next));
        next = place + 1;
        match kind {
            PropertyKind::Required => writer.attribute(value.unwrap_or_else(|| context.unit())),
            PropertyKind::Optional => writer.optional_attribute(value),
            PropertyKind::OperandSegments(groups) | PropertyKind::ResultSegments(groups) => {
                let sizes = segments(context, name, *field, value, *groups)?;
                match writer.bytecode_version() {
                    0..6 => writer.attribute(crate::read::i32_array(context, &sizes)),
                    _ => write_sparse(writer, &sizes),
                }
            }
            PropertyKind::Native(native) => write_native(writer, native, value),
        }
    }
    writer.absent_attributes(fields.members.len().saturating_sub(next));
    Ok(())
}

/// The entries that are not 0, as `writeSparseArray` of MLIR has them.
fn write_sparse(writer: &mut EntryWriter<'_>, sizes: &[i32]) {
    let used = || sizes.iter().enumerate().filter(|size| *size.1 != 0);
    let count = used().count();
    let last = used().next_back().map_or(0, |size| size.0);
    if last > 256 || count > sizes.len() / 2 {
        writer.varint_with_flag(sizes.len() as u64, false);
        sizes.iter().for_each(|&size| writer.varint(size as u32 as u64));
        return;
    }
    writer.varint_with_flag(count as u64, true);
    if count > 0 {
        let bits = (last + 1).next_power_of_two().trailing_zeros();
        writer.varint(bits.into());
        used().for_each(|(at, &size)| writer.varint(u64::from(size as u32) << bits | at as u64));
    }
}

fn write_native(writer: &mut EntryWriter<'_>, native: &NativeProperty, value: Option<Attribute>) {
    let context = writer.context();
    let data = value.map(|value| &context[value]);
    match (native, data) {
        (NativeProperty::Bool | NativeProperty::Boolean, data) => writer.bool(match data {
            Some(AttributeData::Integer { value, .. }) => value.words().iter().any(|&word| word != 0),
            other => other.is_some(),
        }),
        (NativeProperty::Integer { signed, .. }, data) => writer.varint(match data {
            Some(AttributeData::Integer { value, .. }) if *signed => value.to_i64().unwrap_or(0) as u64,
            Some(AttributeData::Integer { value, .. }) => value.words()[0],
            _ => 0,
        }),
        (NativeProperty::String, Some(AttributeData::String { value, .. })) => writer.string(value),
        (NativeProperty::String, _) => writer.string(b""),
        (NativeProperty::Array(inner), Some(AttributeData::Array(elements))) => {
            writer.list(elements.iter(), |writer, &element| write_native(writer, inner, Some(element)));
        }
        (NativeProperty::Array(_), _) => writer.varint(0),
        (NativeProperty::OptionalOf(inner), Some(AttributeData::Array(elements))) => {
            writer.bool(!elements.is_empty());
            elements.iter().take(1).for_each(|&element| write_native(writer, inner, Some(element)));
        }
        (NativeProperty::OptionalOf(_), _) => writer.bool(false),
        (NativeProperty::Attribute, _) => {
            if let Some(value) = value {
                writer.attribute(value);
            }
        }
    }
}
