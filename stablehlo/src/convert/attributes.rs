//! Attributes of `vhlo` as those of `builtin` and StableHLO, and back: by what they hold.

use bytes::Bytes;
use hashbrown::HashMap;
use mlirbc_ir::dense::dense_layout;
use mlirbc_ir::{Attribute, AttributeData, Context, Error, Parameter, Result, Signedness, Type, TypeData};

use crate::vhlo::forms::{ATTRIBUTES, TYPES};
use crate::vhlo::types::{attribute_parts, make_attribute, number_list, parts};
use crate::vhlo::{Version, from_builtin, to_builtin};

/// How deep attributes may stand in each other.
const MAX_DEPTH: u32 = 128;

/// The most elements of a splat that are made an array.
const MAX_SPREAD: u64 = 1 << 16;

/// The codes of attributes that code names.
pub(super) mod code {
    pub(crate) const ARRAY: usize = 1;
    pub(crate) const BOOL: usize = 2;
    pub(crate) const COMPARISON_TYPE: usize = 4;
    pub(crate) const API_VERSION: usize = 5;
    pub(crate) const DICTIONARY: usize = 6;
    pub(crate) const FLOAT: usize = 8;
    pub(crate) const INTEGER: usize = 9;
    pub(crate) const PRECISION: usize = 11;
    pub(crate) const STRING: usize = 14;
    pub(crate) const ELEMENTS: usize = 15;
    pub(crate) const TYPE: usize = 17;
    pub(crate) const ACCURACY_MODE: usize = 19;
    pub(crate) const ACCURACY: usize = 20;
    pub(crate) const MESH_AXES: usize = 23;
}

/// Attributes that have a counterpart with the same parameters, by code, and what StableHLO calls it.
const NAMESAKES: [(usize, &str); 16] = [
    (3, "comparison_direction"),
    (code::COMPARISON_TYPE, "comparison_type"),
    (7, "fft_type"),
    (10, "output_operand_alias"),
    (code::PRECISION, "precision"),
    (12, "rng_algorithm"),
    (13, "rng_distribution"),
    (16, "transpose"),
    (18, "bounds"),
    (code::ACCURACY_MODE, "result_accuracy_mode"),
    (code::ACCURACY, "result_accuracy"),
    (21, "sub_axis_info"),
    (22, "axis_ref"),
    (code::MESH_AXES, "replica_group_mesh_axes"),
    (24, "mesh_axis"),
    (25, "mesh"),
];

/// The dialect of these counterparts.
const STABLEHLO: &str = "stablehlo";

/// The value of `vhlo` for one of `builtin` that keeps its type beside it.
pub(super) fn typed(context: &Context, code: usize, held: Attribute) -> Option<Attribute> {
    let ty = from_builtin(context, context[held].ty()?)?;
    Some(make_attribute(context, code, [Parameter::Type(ty), Parameter::Attribute(held)]))
}

/// An integer of 64 bits in `vhlo`.
pub(super) fn number(context: &Context, number: i64) -> Option<Attribute> {
    typed(context, code::INTEGER, context.integer(64, number))
}

/// A string in `vhlo`.
pub(super) fn string(context: &Context, string: Attribute) -> Attribute {
    make_attribute(context, code::STRING, [Parameter::Attribute(string)])
}

/// Elements in `vhlo` of integers of that width, or of one element over and over where there is one alone.
pub(super) fn elements(context: &Context, width: u32, shape: &[i64], data: Vec<u8>) -> Option<Attribute> {
    let element = context.integer_type(width);
    let ty = context.ty(TypeData::RankedTensor { shape: shape.into(), element, encoding: None });
    let data = AttributeData::dense_elements(context, ty, data.into()).ok()?;
    typed(context, code::ELEMENTS, context.attribute(data))
}

/// The tensor of one dimension of these numbers in `vhlo`.
pub(super) fn numbers(context: &Context, numbers: &[i64]) -> Option<Attribute> {
    let data = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    elements(context, 64, &[numbers.len() as i64], data)
}

/// What an attribute of `vhlo` holds of `builtin`.
pub(super) fn held(context: &Context, attribute: Attribute, code: usize) -> Option<Attribute> {
    match attribute_parts(context, attribute)? {
        (found, [Parameter::Type(_), Parameter::Attribute(held)]) if found == code => Some(*held),
        _ => None,
    }
}

fn too_deep() -> Error {
    Error::verification(format!("attributes are nested deeper than {MAX_DEPTH} levels"))
}

/// The attribute of `vhlo` for one of StableHLO. `None` where there is none: it is then kept as it is.
///
/// # Errors
/// Where no artifact holds it.
pub(super) fn up(context: &Context, attribute: Attribute, depth: u32) -> Result<Option<Attribute>> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    let refused = || Error::verification(format!("no artifact can hold {}", context.show(attribute)));
    let list = |items: &[Attribute]| -> Result<Option<Vec<Parameter>>> {
        let items = items.iter().map(|&item| Ok(up(context, item, depth + 1)?.map(Parameter::Attribute)));
        items.collect::<Result<Option<Vec<_>>>>()
    };
    Ok(Some(match &context[attribute] {
        AttributeData::Array(items) => {
            let Some(items) = list(items)? else { return Ok(None) };
            make_attribute(context, code::ARRAY, [Parameter::List(items.into())])
        }
        AttributeData::Dictionary(entries) => {
            let mut pairs = Vec::with_capacity(entries.len() * 2);
            for &(name, value) in &**entries {
                let Some(value) = up(context, value, depth + 1)? else { return Ok(None) };
                pairs.extend([string(context, name.attribute()), value].map(Parameter::Attribute));
            }
            make_attribute(context, code::DICTIONARY, [Parameter::List(pairs.into())])
        }
        AttributeData::String { ty: None, .. } => string(context, attribute),
        AttributeData::String { .. } => return Err(refused()),
        AttributeData::Type(ty) => {
            let ty = from_builtin(context, *ty).ok_or_else(refused)?;
            make_attribute(context, code::TYPE, [Parameter::Type(ty)])
        }
        AttributeData::Float { .. } => typed(context, code::FLOAT, attribute).ok_or_else(refused)?,
        AttributeData::Integer { ty, value } => {
            if context[*ty] == (TypeData::Integer { width: 1, signedness: Signedness::Signless }) {
                make_attribute(context, code::BOOL, [Parameter::Bool(value.words()[0] != 0)])
            } else {
                typed(context, code::INTEGER, attribute).ok_or_else(refused)?
            }
        }
        AttributeData::DenseElements { ty, data } => {
            let is_of_none = !data.is_empty()
                && dense_layout(context, *ty).is_ok_and(|(layout, count)| layout.packed() && count == 0);
            // Bits of which there are none are not one over and over.
            let held = match is_of_none {
                true => context.attribute(AttributeData::dense_elements(context, *ty, Bytes::new())?),
                false => attribute,
            };
            typed(context, code::ELEMENTS, held).ok_or_else(refused)?
        }
        AttributeData::DenseArray { element, data } => {
            let width = match context[*element] {
                TypeData::Integer { width: width @ (1 | 64), signedness: Signedness::Signless } => width,
                _ => return Ok(None),
            };
            let (count, data) = match width {
                1 => (data.len(), packed(data)),
                _ => (data.len() / 8, data.to_vec()),
            };
            elements(context, width, &[count as i64], data).ok_or_else(refused)?
        }
        AttributeData::SymbolRef { root, nested } if nested.is_empty() => string(context, root.attribute()),
        AttributeData::Dialect(value) if context.bytes(value.dialect) == STABLEHLO.as_bytes() => {
            let mnemonic = context.bytes(value.mnemonic);
            let Some(&(code, _)) = NAMESAKES.iter().find(|known| known.1.as_bytes() == mnemonic) else {
                return Ok(None);
            };
            let mut parameters = Vec::with_capacity(value.parameters.len());
            for parameter in &value.parameters {
                parameters.push(match parameter {
                    Parameter::Attribute(held) => {
                        Parameter::Attribute(up(context, *held, depth + 1)?.ok_or_else(refused)?)
                    }
                    other => other.clone(),
                });
            }
            make_attribute(context, code, parameters)
        }
        AttributeData::Dialect(_) if attribute_parts(context, attribute).is_some() => attribute,
        _ => return Ok(None),
    }))
}

/// Elements of one bit, eight to a byte.
fn packed(data: &[u8]) -> Vec<u8> {
    let byte = |bits: &[u8]| bits.iter().enumerate().fold(0, |byte, (at, &bit)| byte | u8::from(bit != 0) << at);
    data.chunks(8).map(byte).collect()
}

/// The attribute of StableHLO for one of `vhlo`; what is of another dialect stays.
///
/// # Errors
/// Where it holds what there is none for.
pub(super) fn down(context: &Context, attribute: Attribute, depth: u32) -> Result<Attribute> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    let Some((code, parameters)) = attribute_parts(context, attribute) else { return Ok(attribute) };
    let refused = || Error::verification(format!("StableHLO has nothing for {}", context.show(attribute)));
    let each = |items: &[Parameter]| -> Result<Vec<Attribute>> {
        let item = |item: &Parameter| match item {
            Parameter::Attribute(item) => down(context, *item, depth + 1),
            _ => Err(refused()),
        };
        items.iter().map(item).collect()
    };
    Ok(match (code, parameters) {
        (code::ARRAY, [Parameter::List(items)]) => context.attribute(AttributeData::Array(each(items)?.into())),
        (code::BOOL, [Parameter::Bool(value)]) => context.integer(1, i64::from(*value)),
        (code::API_VERSION, [Parameter::Unsigned(number)]) => context.integer(32, *number as i64),
        (code::DICTIONARY, [Parameter::List(items)]) => {
            let all = each(items)?;
            let entry = |pair: &[Attribute]| Some((context.as_identifier(pair[0])?, *pair.get(1)?));
            let entries: Option<Vec<_>> = all.chunks(2).map(entry).collect();
            context.dictionary(entries.ok_or_else(refused)?).map_err(|_| refused())?
        }
        (code::STRING, [Parameter::Attribute(string)]) => *string,
        (code::FLOAT | code::INTEGER | code::ELEMENTS, [_, Parameter::Attribute(held)]) => *held,
        (code::TYPE, [Parameter::Type(ty)]) => {
            let ty = to_builtin(context, *ty).ok_or_else(refused)?;
            context.attribute(AttributeData::Type(ty))
        }
        _ => {
            let Some(&(_, mnemonic)) = NAMESAKES.iter().find(|known| known.0 == code) else { return Err(refused()) };
            let mut held = Vec::with_capacity(parameters.len());
            for (at, parameter) in parameters.iter().enumerate() {
                held.push(match parameter {
                    Parameter::Attribute(attribute) => {
                        let made = down(context, *attribute, depth + 1)?;
                        // A mesh that is a string is called by its name.
                        let is_name = (code, at) == (code::MESH_AXES, 0);
                        Parameter::Attribute(if is_name { symbol(context, made) } else { made })
                    }
                    other => other.clone(),
                });
            }
            context.dialect_attribute(STABLEHLO, mnemonic, held)
        }
    })
}

/// A string as a symbol, strings in an array as symbols.
pub(super) fn symbol(context: &Context, attribute: Attribute) -> Attribute {
    match &context[attribute] {
        AttributeData::String { ty: None, .. } => match context.as_identifier(attribute) {
            Some(root) => context.attribute(AttributeData::SymbolRef { root, nested: Box::default() }),
            None => attribute,
        },
        AttributeData::Array(items) => {
            let one = |&item: &Attribute| match context[item] {
                AttributeData::String { .. } => symbol(context, item),
                _ => item,
            };
            context.attribute(AttributeData::Array(items.iter().map(one).collect()))
        }
        _ => attribute,
    }
}

/// Dense elements of one dimension as a dense array, where there is one for them.
pub(super) fn array(context: &Context, attribute: Attribute) -> Attribute {
    let AttributeData::DenseElements { ty, data } = &context[attribute] else { return attribute };
    let (Some([count]), Some(element)) = (context[*ty].shape(), context[*ty].element()) else { return attribute };
    let Ok(count) = u64::try_from(*count) else { return attribute };
    let TypeData::Integer { width, signedness: Signedness::Signless } = context[element] else { return attribute };
    let data = match width {
        64 if data.len() as u64 == count * 8 => data.clone(),
        64 if data.len() == 8 && count <= MAX_SPREAD => data.repeat(count as usize).into(),
        1 if count <= MAX_SPREAD => {
            let is_splat = matches!(**data, [0 | 0xff]);
            let bit = |at: u64| match is_splat {
                true => data[0] & 1,
                false => data.get((at / 8) as usize).map_or(0, |byte| byte >> (at % 8) & 1),
            };
            (0..count).map(bit).collect::<Vec<u8>>().into()
        }
        _ => return attribute,
    };
    context.attribute(AttributeData::DenseArray { element, data })
}

/// The parts of an attribute of StableHLO that `vhlo` has in attributes of their own.
pub(super) fn taken_apart(context: &Context, attribute: Attribute, mnemonic: &str) -> Option<Vec<Attribute>> {
    let AttributeData::Dialect(value) = &context[attribute] else { return None };
    if context.bytes(value.dialect) != STABLEHLO.as_bytes() || context.bytes(value.mnemonic) != mnemonic.as_bytes() {
        return None;
    }
    let part = |parameter: &Parameter| match parameter {
        Parameter::Signed(value) => number(context, *value),
        Parameter::List(items) => {
            let item = |item: &Parameter| if let Parameter::Signed(number) = item { Some(*number) } else { None };
            numbers(context, &items.iter().map(item).collect::<Option<Vec<_>>>()?)
        }
        Parameter::Bool(value) => Some(make_attribute(context, code::BOOL, [Parameter::Bool(*value)])),
        Parameter::Type(ty) => {
            Some(make_attribute(context, code::TYPE, [Parameter::Type(from_builtin(context, *ty)?)]))
        }
        _ => None,
    };
    value.parameters.iter().map(part).collect()
}

/// The attribute of StableHLO that has these parts; those that are missing are 0.
pub(super) fn put_together(
    context: &Context,
    mnemonic: &'static str,
    parts: &[Attribute],
    missing: usize,
) -> Option<Attribute> {
    let part = |&attribute: &Attribute| {
        Some(match attribute_parts(context, attribute)? {
            (code::INTEGER, [_, Parameter::Attribute(held)]) => Parameter::Signed(context.integer_of(*held)?.to_i64()?),
            (code::ELEMENTS, [_, Parameter::Attribute(held)]) => {
                let AttributeData::DenseArray { data, .. } = &context[array(context, *held)] else { return None };
                let word = |bytes: &[u8]| Some(i64::from_le_bytes(bytes.try_into().ok()?));
                number_list(data.chunks(8).map(word).collect::<Option<Vec<_>>>()?)
            }
            (code::BOOL, [value]) => value.clone(),
            (code::TYPE, [Parameter::Type(ty)]) => Parameter::Type(to_builtin(context, *ty)?),
            _ => return None,
        })
    };
    let mut parameters: Vec<Parameter> = parts.iter().map(part).collect::<Option<_>>()?;
    parameters.extend((0..missing).map(|_| Parameter::Signed(0)));
    Some(context.dialect_attribute(STABLEHLO, mnemonic, parameters))
}

/// Since which version there is what attributes and types of `vhlo` hold.
#[derive(Default)]
pub(super) struct Since {
    attributes: HashMap<Attribute, Version>,
    types: HashMap<Type, Version>,
}

/// Forms that are not looked into.
const CLOSED_ATTRIBUTES: [usize; 2] = [24, 25];
const CLOSED_TYPES: [usize; 2] = [30, 42];

impl Since {
    /// Of an attribute. What is of other dialects is older than all.
    pub(super) fn attribute(&mut self, context: &Context, attribute: Attribute, depth: u32) -> Version {
        if let Some(&known) = self.attributes.get(&attribute) {
            return known;
        }
        let mut since = Version::MINIMUM;
        if let Some((code, parameters)) = attribute_parts(context, attribute) {
            since = ATTRIBUTES[code].since;
            if !CLOSED_ATTRIBUTES.contains(&code) {
                since = since.max(self.parameters(context, parameters, depth));
            }
        }
        self.attributes.insert(attribute, since);
        since
    }

    /// Of a type.
    pub(super) fn ty(&mut self, context: &Context, ty: Type, depth: u32) -> Version {
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let mut since = Version::MINIMUM;
        if let Some((code, parameters)) = parts(context, ty) {
            since = TYPES[code].since;
            if !CLOSED_TYPES.contains(&code) {
                since = since.max(self.parameters(context, parameters, depth));
            }
        }
        self.types.insert(ty, since);
        since
    }

    fn parameters(&mut self, context: &Context, parameters: &[Parameter], depth: u32) -> Version {
        let depth = depth + 1;
        let mut newest = Version::MINIMUM;
        for parameter in parameters {
            newest = newest.max(match parameter {
                _ if depth > MAX_DEPTH => Version::CURRENT,
                Parameter::Attribute(attribute) => self.attribute(context, *attribute, depth),
                Parameter::Type(ty) => self.ty(context, *ty, depth),
                Parameter::List(items) => self.parameters(context, items, depth),
                _ => Version::MINIMUM,
            });
        }
        newest
    }
}
