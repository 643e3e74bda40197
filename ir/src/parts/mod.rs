//! What attributes and types are made of: other attributes and types, at any depth.

mod replace;

pub(crate) use replace::Replacer;

use std::collections::HashSet;

use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::parameter::Parameter;
use crate::types::{Type, TypeData};

/// An attribute or a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Part {
    Attribute(Attribute),
    Type(Type),
}

/// Goes through attributes and types and all that they hold, names excepted, each once.
pub(crate) struct Parts<'c> {
    context: &'c Context,
    met: HashSet<Part>,
}

impl<'c> Parts<'c> {
    pub(crate) fn new(context: &'c Context) -> Self {
        Parts { context, met: HashSet::new() }
    }

    /// Shows `part` and what it holds, as far as it was not met before.
    pub(crate) fn visit(&mut self, part: Part, see: &mut dyn FnMut(Part)) {
        let mut waiting = vec![part];
        while let Some(part) = waiting.pop() {
            if self.met.insert(part) {
                see(part);
                of_part(self.context, part, &mut waiting);
            }
        }
    }
}

/// What the attribute or type itself holds.
fn of_part(context: &Context, part: Part, parts: &mut Vec<Part>) {
    match part {
        Part::Attribute(attribute) => of_attribute(&context[attribute], parts),
        Part::Type(ty) => of_type(&context[ty], parts),
    }
}

fn of_attribute(data: &AttributeData, parts: &mut Vec<Part>) {
    let mut attributes = |list: &[Attribute]| parts.extend(list.iter().copied().map(Part::Attribute));
    match data {
        AttributeData::Array(list) => attributes(list),
        AttributeData::Dictionary(entries) => entries.iter().for_each(|entry| attributes(&[entry.1])),
        AttributeData::String { ty, .. } => parts.extend(ty.map(Part::Type)),
        AttributeData::Type(ty)
        | AttributeData::Integer { ty, .. }
        | AttributeData::Float { ty, .. }
        | AttributeData::DenseArray { element: ty, .. }
        | AttributeData::DenseElements { ty, .. }
        | AttributeData::DenseStrings { ty, .. }
        | AttributeData::DenseResource { ty, .. } => parts.push(Part::Type(*ty)),
        AttributeData::Sparse { ty, indices, values } => {
            attributes(&[*indices, *values]);
            parts.push(Part::Type(*ty));
        }
        AttributeData::Distinct { referenced: child, .. } | AttributeData::NameLocation { child, .. } => {
            attributes(&[*child]);
        }
        AttributeData::CallSiteLocation { callee, caller } => attributes(&[*callee, *caller]),
        AttributeData::FusedLocation { locations, metadata } => {
            attributes(locations);
            attributes(metadata.as_slice());
        }
        AttributeData::Dialect(value) => of_parameters(&value.parameters, parts),
        AttributeData::SymbolRef { .. }
        | AttributeData::Unit
        | AttributeData::AffineMap(_)
        | AttributeData::IntegerSet(_)
        | AttributeData::StridedLayout { .. }
        | AttributeData::UnknownLocation
        | AttributeData::FileLocation { .. }
        | AttributeData::Text { .. }
        | AttributeData::Encoded(_) => {}
    }
}

fn of_type(data: &TypeData, parts: &mut Vec<Part>) {
    let mut types = |list: &[Type]| parts.extend(list.iter().copied().map(Part::Type));
    match data {
        TypeData::Function { inputs, results } => {
            types(inputs);
            types(results);
        }
        TypeData::Tuple(list) => types(list),
        TypeData::Complex(element) | TypeData::Vector { element, .. } | TypeData::UnrankedTensor(element) => {
            types(&[*element]);
        }
        TypeData::RankedTensor { element, encoding, .. } => {
            types(&[*element]);
            parts.extend(encoding.map(Part::Attribute));
        }
        TypeData::MemRef { element, layout, space, .. } => {
            types(&[*element]);
            parts.push(Part::Attribute(*layout));
            parts.extend(space.map(Part::Attribute));
        }
        TypeData::UnrankedMemRef { element, space } => {
            types(&[*element]);
            parts.extend(space.map(Part::Attribute));
        }
        TypeData::Dialect(value) => of_parameters(&value.parameters, parts),
        TypeData::Integer { .. }
        | TypeData::Index
        | TypeData::Float(_)
        | TypeData::None
        | TypeData::Text { .. }
        | TypeData::Encoded(_) => {}
    }
}

fn of_parameters(parameters: &[Parameter], parts: &mut Vec<Part>) {
    let mut waiting: Vec<&Parameter> = parameters.iter().collect();
    while let Some(parameter) = waiting.pop() {
        match parameter {
            Parameter::Attribute(attribute) => parts.push(Part::Attribute(*attribute)),
            Parameter::Type(ty) => parts.push(Part::Type(*ty)),
            Parameter::List(list) => waiting.extend(list.iter()),
            Parameter::None
            | Parameter::Bool(_)
            | Parameter::Unsigned(_)
            | Parameter::Signed(_)
            | Parameter::Double(_)
            | Parameter::String(_) => {}
        }
    }
}
