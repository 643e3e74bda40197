//! Which attributes of an operation are inherent: they belong to its properties, wherever a file keeps them.

use crate::attribute::{Attribute, AttributeData, Identifier, NamedAttribute};
use crate::context::{Answered, CachedFact, Context, OperationName};
use crate::error::{Error, Result};
use crate::number::ApInt;
use crate::ods::{NativeProperty, OpDef, PropertyDef, PropertyKind};

impl OpDef {
    /// The property that an attribute of this name [stands for](PropertyDef::is_given_as).
    pub fn inherent(&self, name: &[u8]) -> Option<&PropertyDef> {
        inherent_in(&self.properties, name)
    }
}

/// What the sizes of segments are called, and were.
const OPERAND_SEGMENTS: [&[u8]; 2] = [b"operandSegmentSizes", b"operand_segment_sizes"];
const RESULT_SEGMENTS: [&[u8]; 2] = [b"resultSegmentSizes", b"result_segment_sizes"];

fn inherent_in<'l>(layout: &'l [PropertyDef], name: &[u8]) -> Option<&'l PropertyDef> {
    layout.iter().find(|property| property.is_given_as(name))
}

impl PropertyDef {
    /// Whether an attribute of this name stands for the property: an inherent attribute, or the sizes of segments, which older
    /// text spells with underscores. Native properties are never kept as attributes.
    pub fn is_given_as(&self, name: &[u8]) -> bool {
        match self.kind {
            PropertyKind::Required | PropertyKind::Optional => self.name.as_bytes() == name,
            PropertyKind::OperandSegments(_) => OPERAND_SEGMENTS.contains(&name),
            PropertyKind::ResultSegments(_) => RESULT_SEGMENTS.contains(&name),
            PropertyKind::Native(_) => false,
        }
    }
}

/// The members of an operation's properties, with what is asked of them for every operation that is made.
struct Layout {
    /// In the order of the numbers of their names.
    members: Vec<Member>,
    /// Those that have a value where none is given, by their numbers.
    zeros: Vec<(usize, Attribute)>,
    /// Those that say sizes of segments, by their numbers, and what these are given as.
    segments: Vec<(usize, [&'static [u8]; 2])>,
}

/// What attributes of certain names become, given in a certain order to an operation that has no others.
struct Sorting {
    names: Box<[Identifier]>,
    properties: Box<[Sorted]>,
}

/// Where a member of the properties comes from.
enum Sorted {
    /// From what is given, by its place.
    Given(usize, Identifier, Option<NativeProperty>),
    /// It is the same whatever is given.
    Always(NamedAttribute),
}

struct Member {
    name: Identifier,
    /// Its place among all in the order of their names.
    place: u32,
    native: Option<NativeProperty>,
}

impl Layout {
    fn of(context: &Context, properties: &[PropertyDef]) -> Self {
        let place = |name: &str| properties.iter().filter(|other| other.name.as_str() < name).count() as u32;
        let mut named: Vec<(Identifier, &PropertyDef)> =
            properties.iter().map(|property| (context.identifier(&property.name), property)).collect();
        named.sort_by_key(|named| named.0);
        let mut layout = Layout { members: Vec::new(), zeros: Vec::new(), segments: Vec::new() };
        for (at, (name, property)) in named.into_iter().enumerate() {
            let native = match &property.kind {
                PropertyKind::Native(native) => Some(native.clone()),
                _ => None,
            };
            match property.kind {
                PropertyKind::OperandSegments(_) => layout.segments.push((at, OPERAND_SEGMENTS)),
                PropertyKind::ResultSegments(_) => layout.segments.push((at, RESULT_SEGMENTS)),
                _ => {}
            }
            layout.zeros.extend(context.zero(&property.kind).map(|zero| (at, zero)));
            layout.members.push(Member { name, place: place(&property.name), native });
        }
        layout
    }
}

impl Context {
    /// Sorts what an operation of that name was given into its discardable attributes and its properties.
    ///
    /// Bytecode before version 5 keeps both in one dictionary, and text may. Inherent attributes move to the properties,
    /// which win where both have one; native properties that older files could not hold, and sizes of segments that were
    /// not given, get their zero. What has no definition comes back as it is, and so does what is opaque.
    ///
    /// # Errors
    /// Where the attributes are neither a dictionary nor opaque.
    #[doc(hidden)]
    pub fn split_attributes(
        &self,
        name: OperationName,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> Result<(Option<Attribute>, Option<Attribute>)> {
        let layout = self.definition(name).map_or(&[][..], |definition| &definition.properties);
        self.split_by_layout(layout, attributes, properties)
    }

    /// As [`Context::split_attributes`], of an operation whose properties have these members.
    pub(crate) fn split_by_layout(
        &self,
        layout: &[PropertyDef],
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> Result<(Option<Attribute>, Option<Attribute>)> {
        let given = match attributes {
            Some(attributes) if matches!(self[attributes], AttributeData::Encoded(_)) => {
                return Ok((Some(attributes), properties));
            }
            Some(attributes) => self.entries(attributes)?,
            None => &[],
        };
        if layout.is_empty() {
            return Ok((attributes, properties));
        }
        let has_zeros = || layout.iter().any(|property| self.zero(&property.kind).is_some());
        let is_inherent = |entry: &NamedAttribute| inherent_in(layout, self.bytes(entry.0));
        if !given.iter().any(|entry| is_inherent(entry).is_some()) && (properties.is_some() || !has_zeros()) {
            return Ok((attributes, properties));
        }
        let mut inherent = match properties.map(|properties| &self[properties]) {
            None => Vec::new(),
            Some(AttributeData::Dictionary(entries)) => entries.to_vec(),
            Some(_) => return Ok((attributes, properties)),
        };
        let has = |inherent: &[NamedAttribute], name: Identifier| inherent.iter().any(|entry| entry.0 == name);
        let mut discardable = Vec::new();
        for &(key, value) in given {
            match is_inherent(&(key, value)) {
                Some(property) => {
                    let key = self.identifier(&property.name);
                    if !has(&inherent, key) {
                        inherent.push((key, value));
                    }
                }
                None => discardable.push((key, value)),
            }
        }
        if properties.is_none() {
            for property in layout {
                let key = self.identifier(&property.name);
                if let Some(zero) = self.zero(&property.kind).filter(|_| !has(&inherent, key)) {
                    inherent.push((key, zero));
                }
            }
        }
        let discardable = if discardable.is_empty() { None } else { Some(self.dictionary(discardable)?) };
        Ok((discardable, Some(self.dictionary(inherent)?)))
    }

    /// Properties with the values of native ones as bytecode gives them back: MLIR takes an integer of any width for one
    /// of 32 bits, and shows it as that; those that were not given have their zero. What cannot stand for the property stays as it is.
    #[doc(hidden)]
    pub fn normalize_natives(&self, name: OperationName, properties: Attribute) -> Result<Attribute> {
        let AttributeData::Dictionary(entries) = &self[properties] else { return Ok(properties) };
        let Some(definition) = self.definition(name) else { return Ok(properties) };
        let mut entries = entries.to_vec();
        for (key, value) in &mut entries {
            let name = self.bytes(*key);
            let of = definition.properties.iter().find(|property| property.name.as_bytes() == name);
            if let Some(PropertyDef { kind: PropertyKind::Native(native), .. }) = of {
                *value = self.normalized(native, *value).unwrap_or(*value);
            }
        }
        self.add_zeros(&definition.properties, &mut entries);
        self.dictionary(entries)
    }

    /// Adds the values that members have which were not given.
    fn add_zeros(&self, layout: &[PropertyDef], entries: &mut Vec<NamedAttribute>) {
        for property in layout {
            // What most members are has none: not even their names are looked up.
            if matches!(property.kind, PropertyKind::Required | PropertyKind::Optional) {
                continue;
            }
            let name = property.name.as_bytes();
            if !entries.iter().any(|entry| self.bytes(entry.0) == name)
                && let Some(zero) = self.zero(&property.kind)
            {
                entries.push((self.identifier(&property.name), zero));
            }
        }
    }

    /// The members of the properties of operations of that name; `None` where its definition has none.
    fn members(&self, name: OperationName) -> Option<Answered<'_, Layout>> {
        self.answer(name, CachedFact::Layout, || {
            let properties = &self.definition(name)?.properties;
            (!properties.is_empty()).then(|| Layout::of(self, properties))
        })
    }

    /// As [`Context::sort_out`], of an operation that is given nothing but its [defaults](Context::default_attributes).
    ///
    /// # Errors
    /// As that.
    pub(crate) fn sort_out_defaults(&self, name: OperationName) -> Result<(Option<Attribute>, Option<Attribute>)> {
        let sort_out = || self.sort_out(name, self.default_attributes(name));
        match self.answer(name, CachedFact::Bare, || sort_out().ok()) {
            Some(known) => Ok(*known),
            None => sort_out(),
        }
    }

    /// As [`Context::sort_out`], of an operation that is given these, and its [defaults](Context::default_attributes) where it is given no
    /// others.
    ///
    /// # Errors
    /// As that.
    pub(crate) fn sort_out_given(
        &self,
        name: OperationName,
        given: Vec<NamedAttribute>,
    ) -> Result<(Option<Attribute>, Option<Attribute>)> {
        let sort_out = |mut given: Vec<NamedAttribute>| {
            if let Some(defaults) = self.defaults(name) {
                for &(name, value) in defaults.iter() {
                    if !given.iter().any(|entry| entry.0 == name) {
                        given.push((name, value));
                    }
                }
            }
            self.sort_out(name, given)
        };
        // Most operations of a name are given attributes of the same names.
        let find = || self.sorting(name, &given, sort_out(given.clone()).ok()?);
        match self.answer(name, CachedFact::Sorting, find) {
            Some(sorting) if sorting.names.iter().eq(given.iter().map(|entry| &entry.0)) => {
                let sorted = sorting.properties.iter().map(|sorted| match sorted {
                    Sorted::Always(entry) => *entry,
                    Sorted::Given(at, name, native) => {
                        let value = given[*at].1;
                        let native = native.as_ref().and_then(|native| self.normalized(native, value));
                        (*name, native.unwrap_or(value))
                    }
                });
                Ok((None, Some(self.sorted_dictionary(&sorted.collect::<Vec<_>>()))))
            }
            _ => sort_out(given),
        }
    }

    /// How what is given is sorted, where all of it came to be members of properties.
    fn sorting(
        &self,
        name: OperationName,
        given: &[NamedAttribute],
        sorted: (Option<Attribute>, Option<Attribute>),
    ) -> Option<Sorting> {
        let (None, Some(properties)) = sorted else { return None };
        let layout = self.members(name)?;
        let native = |name: Identifier| {
            let at = layout.members.binary_search_by_key(&name, |member| member.name).ok()?;
            layout.members[at].native.clone()
        };
        let from = |&(name, value): &NamedAttribute| match given.iter().position(|entry| entry.0 == name) {
            Some(at) => Sorted::Given(at, name, native(name)),
            None => Sorted::Always((name, value)),
        };
        let properties: Box<[Sorted]> = self.entries(properties).ok()?.iter().map(from).collect();
        let taken = properties.iter().filter(|sorted| matches!(sorted, Sorted::Given(..))).count();
        // What is given by another name is not found among the members.
        (taken == given.len()).then(|| Sorting { names: given.iter().map(|entry| entry.0).collect(), properties })
    }

    /// What an operation of that name is made with, sorted into its discardable attributes and its properties: as
    /// [`Context::split_attributes`] and [`Context::normalize_natives`] do, but native properties may be among what is given. Where the
    /// definition has properties they come back, if only as a dictionary without entries.
    ///
    /// # Errors
    /// Where two attributes have one name.
    pub(crate) fn sort_out(
        &self,
        name: OperationName,
        given: Vec<NamedAttribute>,
    ) -> Result<(Option<Attribute>, Option<Attribute>)> {
        let Some(layout) = self.members(name) else {
            return Ok((if given.is_empty() { None } else { Some(self.dictionary(given)?) }, None));
        };
        let mut inherent: Vec<(u32, NamedAttribute)> = Vec::with_capacity(given.len() + layout.zeros.len());
        let mut discardable: Vec<NamedAttribute> = Vec::new();
        for (key, value) in given {
            match layout.members.binary_search_by_key(&key, |member| member.name) {
                Ok(at) => {
                    let member = &layout.members[at];
                    let native = member.native.as_ref().and_then(|native| self.normalized(native, value));
                    inherent.push((member.place, (key, native.unwrap_or(value))));
                }
                Err(_) => discardable.push((key, value)),
            }
        }
        let has = |inherent: &[(u32, NamedAttribute)], place| inherent.iter().any(|entry| entry.0 == place);
        // The sizes of segments, as older text spells them.
        discardable.retain(|&(key, value)| {
            let Some(segments) = layout.segments.iter().find(|segments| segments.1.contains(&self.bytes(key))) else {
                return true;
            };
            let member = &layout.members[segments.0];
            if !has(&inherent, member.place) {
                inherent.push((member.place, (member.name, value)));
            }
            false
        });
        for &(at, zero) in &layout.zeros {
            let member = &layout.members[at];
            if !has(&inherent, member.place) {
                inherent.push((member.place, (member.name, zero)));
            }
        }
        inherent.sort_by_key(|entry| entry.0);
        let inherent: Vec<NamedAttribute> = inherent.into_iter().map(|entry| entry.1).collect();
        self.check_names(&inherent)?;
        let discardable = if discardable.is_empty() { None } else { Some(self.dictionary(discardable)?) };
        Ok((discardable, Some(self.sorted_dictionary(&inherent))))
    }

    /// The value of a native property as bytecode gives it back; `None` where it cannot stand for that property.
    pub fn normalized(&self, native: &NativeProperty, value: Attribute) -> Option<Attribute> {
        Some(match (native, &self[value]) {
            (NativeProperty::Bool, AttributeData::Unit) => value,
            (NativeProperty::Bool, AttributeData::Integer { value, .. }) => match is_zero(value) {
                true => self.integer(1, 0),
                false => self.unit(),
            },
            (NativeProperty::Boolean, AttributeData::Integer { value, .. }) => {
                self.integer(1, if is_zero(value) { 0 } else { -1 })
            }
            (NativeProperty::Integer { width, signed }, AttributeData::Integer { value: number, .. }) => {
                let normalized = match signed {
                    true => ApInt::from_i64(*width, number.to_i64()?),
                    false => ApInt::from_u64(*width, number.to_u64()?),
                };
                let same = match signed {
                    true => normalized.to_i64() == number.to_i64(),
                    false => normalized.to_u64() == number.to_u64(),
                };
                if !same {
                    return None;
                }
                self.attribute(AttributeData::Integer { ty: self.integer_type(*width), value: normalized })
            }
            (NativeProperty::String, AttributeData::String { value, .. }) => self.string(value),
            (NativeProperty::Attribute, _) => value,
            (NativeProperty::OptionalOf(_), AttributeData::Array(elements)) if elements.len() > 1 => return None,
            (NativeProperty::Array(inner) | NativeProperty::OptionalOf(inner), AttributeData::Array(elements)) => {
                let elements =
                    elements.iter().map(|&element| self.normalized(inner, element)).collect::<Option<Vec<_>>>()?;
                self.attribute(AttributeData::Array(elements.into()))
            }
            _ => return None,
        })
    }

    /// The entries of a dictionary.
    ///
    /// # Errors
    /// Where the attribute is none.
    pub fn entries(&self, dictionary: Attribute) -> Result<&[NamedAttribute]> {
        match &self[dictionary] {
            AttributeData::Dictionary(entries) => Ok(entries),
            _ => Err(Error::malformed("the attributes of an operation are no dictionary")),
        }
    }

    /// The value of a property that was not given, where it has one all the same.
    fn zero(&self, kind: &PropertyKind) -> Option<Attribute> {
        match kind {
            PropertyKind::Required | PropertyKind::Optional => None,
            PropertyKind::OperandSegments(groups) | PropertyKind::ResultSegments(groups) => {
                let data = vec![0; 4 * *groups as usize].into();
                Some(self.attribute(AttributeData::DenseArray { element: self.integer_type(32), data }))
            }
            PropertyKind::Native(native) => self.native_zero(native),
        }
    }

    /// The value of a native property that was not set; `None` where it has to be set.
    #[doc(hidden)]
    pub fn native_zero(&self, native: &NativeProperty) -> Option<Attribute> {
        Some(match native {
            NativeProperty::Bool | NativeProperty::Boolean => self.integer(1, 0),
            NativeProperty::Integer { width, .. } => self
                .attribute(AttributeData::Integer { ty: self.integer_type(*width), value: ApInt::from_u64(*width, 0) }),
            NativeProperty::String => self.string(""),
            NativeProperty::Array(_) | NativeProperty::OptionalOf(_) => {
                self.attribute(AttributeData::Array(Box::default()))
            }
            NativeProperty::Attribute => return None,
        })
    }
}

fn is_zero(value: &ApInt) -> bool {
    value.words().iter().all(|&word| word == 0)
}
