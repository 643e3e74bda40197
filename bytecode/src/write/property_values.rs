//! What a property blob says (fact sheet, section 10.1): a twin of `read/property_values.rs`.

use std::collections::HashMap;
use std::sync::Arc;

use mlirbc_ir::ods::{NativeProperty, OpDef, PropertyKind};
use mlirbc_ir::{Attribute, AttributeData, AttributeRef, Context, Error, Identifier, NamedAttribute, OperationName, Result};

use super::numbering::PropertyUse;
use crate::encoding::EntryWriter;

/// The fields of an operation's properties in the order in which a version writes them.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) fields: Vec<(PropertyKind, Identifier)>,
}

impl Plan {
    fn new(context: &Context, definition: &OpDef, version: u64) -> Self {
        let members = definition.properties.iter();
        let mut fields: Vec<_> =
            members.map(|member| (member.kind.clone(), context.identifier(&member.name))).collect();
        if version < 6 {
            // Segment sizes are attributes among the others, by name.
            let native = |kind: &PropertyKind| matches!(kind, PropertyKind::Native(_));
            let (natives, mut others): (Vec<_>, Vec<_>) = fields.into_iter().partition(|field| native(&field.0));
            others.sort_by(|a, b| context.bytes(a.1).cmp(context.bytes(b.1)));
            others.extend(natives);
            fields = others;
        }
        Plan { fields }
    }
}

/// Properties that were met: by operation name, since equal blobs mean different things in different operations.
#[derive(Default)]
pub(crate) struct PropertyTable {
    plans: HashMap<OperationName, Option<Arc<Plan>>>,
    /// By the blob's number in the module's source: the first name it was met with, and its place below.
    by_local: Vec<Option<(OperationName, u32)>>,
    /// By name: what it was met with last, and its place below.
    last: Vec<Option<(AttributeRef, u32)>>,
    others: hashbrown::HashMap<(OperationName, AttributeRef), u32>,
    met: Vec<MetProperties>,
    uses: Vec<PropertyUse>,
}

struct MetProperties {
    name: OperationName,
    dictionary: Attribute,
    uses: (u32, u32),
    /// The number of the blob that was written; `u32::MAX` until then.
    blob: u32,
}

impl PropertyTable {
    /// How properties of that name are laid out; `None` where they are one attribute.
    pub(crate) fn plan(&mut self, context: &Context, name: OperationName, version: u64) -> Option<Arc<Plan>> {
        self.plans
            .entry(name)
            .or_insert_with(|| context.definition(name).map(|found| Arc::new(Plan::new(context, found, version))))
            .clone()
    }

    /// The place of properties that were met.
    #[inline]
    pub(crate) fn find(&mut self, name: OperationName, properties: AttributeRef) -> Option<u32> {
        match self.last.get(name.raw() as usize) {
            Some(&Some((last, place))) if last == properties => return Some(place),
            _ => {}
        }
        let place = self.look_up(name, properties)?;
        let at = name.raw() as usize;
        if at >= self.last.len() {
            self.last.resize((at + 1).next_power_of_two(), None);
        }
        self.last[at] = Some((properties, place));
        Some(place)
    }

    fn look_up(&self, name: OperationName, properties: AttributeRef) -> Option<u32> {
        if let Err(index) = properties.get()
            && let Some(&Some((first, place))) = self.by_local.get(index as usize)
            && first == name
        {
            return Some(place);
        }
        self.others.get(&(name, properties)).copied()
    }

    #[inline]
    pub(crate) fn references(&self, place: u32) -> &[PropertyUse] {
        let (start, end) = self.met[place as usize].uses;
        &self.uses[start as usize..end as usize]
    }

    pub(crate) fn insert(
        &mut self,
        name: OperationName,
        properties: AttributeRef,
        dictionary: Attribute,
        uses: Vec<PropertyUse>,
    ) {
        let start = self.uses.len() as u32;
        self.uses.extend(uses);
        let uses = (start, self.uses.len() as u32);
        let place = self.met.len() as u32;
        self.met.push(MetProperties { name, dictionary, uses, blob: u32::MAX });
        if let Err(index) = properties.get() {
            let at = index as usize;
            if at >= self.by_local.len() {
                self.by_local.resize((at + 1).next_power_of_two().max(64), None);
            }
            if self.by_local[at].is_none() {
                self.by_local[at] = Some((name, place));
                return;
            }
        }
        self.others.insert((name, properties), place);
    }

    /// The number of the blob that was written for properties that were met.
    #[inline]
    pub(crate) fn blob(&self, place: u32) -> Option<u32> {
        let blob = self.met[place as usize].blob;
        (blob != u32::MAX).then_some(blob)
    }

    pub(crate) fn set_blob(&mut self, place: u32, blob: u32) {
        self.met[place as usize].blob = blob;
    }

    /// The name and the dictionary of properties that were met.
    pub(crate) fn content(&self, place: u32) -> (OperationName, Attribute) {
        let met = &self.met[place as usize];
        (met.name, met.dictionary)
    }
}

fn about(context: &Context, name: OperationName, what: &str) -> Error {
    let name = context.text(context.operation_identifier(name));
    Error::verification(format!("{what} in the properties of `{name}`"))
}

fn find(entries: &[NamedAttribute], field: Identifier) -> Option<Attribute> {
    entries.iter().find(|entry| entry.0 == field).map(|entry| entry.1)
}

/// The attributes that a blob of these properties refers to, in order.
///
/// # Errors
/// Where the dictionary is none that the operation's definition allows.
pub(crate) fn references(
    context: &Context,
    name: OperationName,
    plan: Option<&Plan>,
    dictionary: Attribute,
    version: u64,
) -> Result<Vec<Attribute>> {
    let Some(plan) = plan else { return Ok(vec![dictionary]) };
    let AttributeData::Dictionary(entries) = &context[dictionary] else {
        return Err(about(context, name, "no dictionary"));
    };
    if let Some(unknown) = entries.iter().find(|entry| plan.fields.iter().all(|field| field.1 != entry.0)) {
        return Err(about(context, name, &format!("no member is called `{}`", context.text(unknown.0))));
    }
    let mut found = Vec::new();
    for (kind, field) in &plan.fields {
        let value = find(entries, *field);
        match (kind, value) {
            (PropertyKind::Required, None) => {
                return Err(about(context, name, &format!("`{}` is missing", context.text(*field))));
            }
            (PropertyKind::Required | PropertyKind::Optional, Some(value)) => found.push(value),
            (PropertyKind::Optional, None) => {}
            (PropertyKind::OperandSegments(groups) | PropertyKind::ResultSegments(groups), value) => {
                let sizes = segments(context, name, *field, value, *groups)?;
                if version < 6 {
                    found.push(crate::read::i32_array(context, &sizes));
                }
            }
            (PropertyKind::Native(native), value) => {
                native_references(context, native, value, &mut found)
                    .ok_or_else(|| about(context, name, &format!("`{}` has a wrong value", context.text(*field))))?;
            }
        }
    }
    Ok(found)
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
    }
    sizes.resize(groups as usize, 0);
    Ok(sizes)
}

fn native_references(
    context: &Context,
    native: &NativeProperty,
    value: Option<Attribute>,
    found: &mut Vec<Attribute>,
) -> Option<()> {
    match (native, value.map(|value| &context[value])) {
        (NativeProperty::Attribute, _) => found.push(value?),
        (NativeProperty::Array(inner) | NativeProperty::OptionalOf(inner), Some(AttributeData::Array(elements))) => {
            for &element in elements {
                native_references(context, inner, Some(element), found)?;
            }
        }
        (NativeProperty::Bool | NativeProperty::Boolean | NativeProperty::Integer { .. }, Some(data)) => {
            if !matches!(data, AttributeData::Unit | AttributeData::Integer { .. }) {
                return None;
            }
        }
        (NativeProperty::String, Some(AttributeData::String { .. })) | (_, None) => {}
        _ => return None,
    }
    Some(())
}

/// Writes the blob of these properties, which [`references`] has checked.
pub(crate) fn write(
    writer: &mut EntryWriter<'_>,
    name: OperationName,
    plan: Option<&Plan>,
    dictionary: Attribute,
) -> Result<()> {
    let context = writer.context();
    let Some(plan) = plan else {
        writer.attribute(dictionary);
        return Ok(());
    };
    let AttributeData::Dictionary(entries) = &context[dictionary] else {
        return Err(about(context, name, "no dictionary"));
    };
    for (kind, field) in &plan.fields {
        let value = find(entries, *field);
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
    Ok(())
}

/// Fact sheet, section 1.8.
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
