//! Which attributes of an operation are inherent: they belong to its properties, wherever a file keeps them.

use crate::attribute::{Attribute, AttributeData, Identifier, NamedAttribute};
use crate::context::{Context, OperationName};
use crate::error::{Error, Result};
use crate::number::ApInt;
use crate::ods::{NativeProperty, OpDef, PropertyDef, PropertyKind};

impl OpDef {
    /// The property that an attribute of this name [stands for](PropertyDef::is_given_as).
    pub fn inherent(&self, name: &[u8]) -> Option<&PropertyDef> {
        inherent_in(&self.properties, name)
    }
}

fn inherent_in<'l>(layout: &'l [PropertyDef], name: &[u8]) -> Option<&'l PropertyDef> {
    layout.iter().find(|property| property.is_given_as(name))
}

impl PropertyDef {
    /// Whether an attribute of this name stands for the property: an inherent attribute, or the sizes of segments, which older
    /// text spells with underscores. Native properties are never kept as attributes.
    pub fn is_given_as(&self, name: &[u8]) -> bool {
        match self.kind {
            PropertyKind::Required | PropertyKind::Optional => self.name.as_bytes() == name,
            PropertyKind::OperandSegments(_) => name == b"operandSegmentSizes" || name == b"operand_segment_sizes",
            PropertyKind::ResultSegments(_) => name == b"resultSegmentSizes" || name == b"result_segment_sizes",
            PropertyKind::Native(_) => false,
        }
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
        let layout = self.definition(name).map_or(&[][..], |definition| &definition.properties);
        let dictionary = |entries: Vec<NamedAttribute>| match entries.is_empty() {
            true => Ok(None),
            false => self.dictionary(entries).map(Some),
        };
        if layout.is_empty() {
            return Ok((dictionary(given)?, None));
        }
        let (mut inherent, mut discardable): (Vec<NamedAttribute>, Vec<NamedAttribute>) = (Vec::new(), Vec::new());
        inherent.reserve(given.len());
        for (key, value) in given {
            let name = self.bytes(key);
            match layout.iter().find(|property| property.name.as_bytes() == name) {
                Some(PropertyDef { kind: PropertyKind::Native(native), .. }) => {
                    inherent.push((key, self.normalized(native, value).unwrap_or(value)));
                }
                Some(_) => inherent.push((key, value)),
                None => discardable.push((key, value)),
            }
        }
        // The sizes of segments, as older text spells them.
        discardable.retain(|&(key, value)| {
            let Some(property) = inherent_in(layout, self.bytes(key)) else { return true };
            let key = self.identifier(&property.name);
            if !inherent.iter().any(|entry| entry.0 == key) {
                inherent.push((key, value));
            }
            false
        });
        self.add_zeros(layout, &mut inherent);
        Ok((dictionary(discardable)?, Some(self.dictionary(inherent)?)))
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
