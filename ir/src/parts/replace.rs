//! Attributes and types rebuilt around others.

use std::collections::HashMap;

use super::{Part, of_part};
use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::parameter::{DialectValue, Parameter};
use crate::types::{Type, TypeData};

/// Puts other attributes in the place of some, wherever attributes and types hold them. It remembers what it met.
pub(crate) struct Replacer<'c, F> {
    context: &'c Context,
    /// What stands in the place of an attribute, which is not gone into then.
    replace: F,
    known: HashMap<Part, Part>,
}

impl<'c, F: FnMut(Attribute) -> Option<Attribute>> Replacer<'c, F> {
    pub(crate) fn new(context: &'c Context, replace: F) -> Self {
        Replacer { context, replace, known: HashMap::new() }
    }

    /// The attribute with all replaced that it holds; the same one where that is nothing.
    pub(crate) fn attribute(&mut self, attribute: Attribute) -> Attribute {
        self.visit(Part::Attribute(attribute));
        self.attribute_for(attribute)
    }

    fn visit(&mut self, part: Part) {
        let mut waiting = vec![(part, false)];
        let mut held = Vec::new();
        while let Some((part, held_is_known)) = waiting.pop() {
            if held_is_known {
                let rebuilt = self.rebuilt(part);
                self.known.insert(part, rebuilt);
                continue;
            }
            if self.known.contains_key(&part) {
                continue;
            }
            if let Part::Attribute(attribute) = part
                && let Some(other) = (self.replace)(attribute)
            {
                self.known.insert(part, Part::Attribute(other));
                continue;
            }
            // Meanwhile it stands for itself: what leads back to it ends there.
            self.known.insert(part, part);
            waiting.push((part, true));
            of_part(self.context, part, &mut held);
            waiting.extend(held.drain(..).map(|part| (part, false)));
        }
    }

    /// The attribute or type with what stands in the place of all that it holds.
    fn rebuilt(&self, part: Part) -> Part {
        let mut held = Vec::new();
        of_part(self.context, part, &mut held);
        if held.iter().all(|part| self.known.get(part).is_none_or(|other| other == part)) {
            return part;
        }
        match part {
            Part::Attribute(attribute) => {
                let data = self.attribute_data(&self.context[attribute]);
                Part::Attribute(self.context.attribute(data))
            }
            Part::Type(ty) => Part::Type(self.context.ty(self.type_data(&self.context[ty]))),
        }
    }

    fn attribute_for(&self, attribute: Attribute) -> Attribute {
        match self.known.get(&Part::Attribute(attribute)) {
            Some(Part::Attribute(other)) => *other,
            _ => attribute,
        }
    }

    fn type_for(&self, ty: Type) -> Type {
        match self.known.get(&Part::Type(ty)) {
            Some(Part::Type(other)) => *other,
            _ => ty,
        }
    }

    fn attribute_data(&self, data: &AttributeData) -> AttributeData {
        let attribute = |held: &mut Attribute| *held = self.attribute_for(*held);
        let mut data = data.clone();
        match &mut data {
            AttributeData::Array(list) => list.iter_mut().for_each(attribute),
            AttributeData::Dictionary(entries) => entries.iter_mut().for_each(|entry| attribute(&mut entry.1)),
            AttributeData::String { ty: Some(ty), .. }
            | AttributeData::Type(ty)
            | AttributeData::Integer { ty, .. }
            | AttributeData::Float { ty, .. }
            | AttributeData::DenseArray { element: ty, .. }
            | AttributeData::DenseElements { ty, .. }
            | AttributeData::DenseStrings { ty, .. }
            | AttributeData::DenseResource { ty, .. } => *ty = self.type_for(*ty),
            AttributeData::Sparse { ty, indices, values } => {
                *ty = self.type_for(*ty);
                attribute(indices);
                attribute(values);
            }
            AttributeData::Distinct { referenced: child, .. } | AttributeData::NameLocation { child, .. } => {
                attribute(child);
            }
            AttributeData::CallSiteLocation { callee, caller } => {
                attribute(callee);
                attribute(caller);
            }
            AttributeData::FusedLocation { locations, metadata } => {
                locations.iter_mut().for_each(attribute);
                metadata.iter_mut().for_each(attribute);
            }
            AttributeData::Dialect(value) => self.value(value),
            AttributeData::String { ty: None, .. }
            | AttributeData::SymbolRef { .. }
            | AttributeData::Unit
            | AttributeData::AffineMap(_)
            | AttributeData::IntegerSet(_)
            | AttributeData::StridedLayout { .. }
            | AttributeData::UnknownLocation
            | AttributeData::FileLocation { .. }
            | AttributeData::Text { .. }
            | AttributeData::Encoded(_) => {}
        }
        data
    }

    fn type_data(&self, data: &TypeData) -> TypeData {
        let ty = |held: &mut Type| *held = self.type_for(*held);
        let attribute = |held: &mut Attribute| *held = self.attribute_for(*held);
        let mut data = data.clone();
        match &mut data {
            TypeData::Function { inputs, results } => inputs.iter_mut().chain(results).for_each(ty),
            TypeData::Tuple(list) => list.iter_mut().for_each(ty),
            TypeData::Complex(element) | TypeData::Vector { element, .. } | TypeData::UnrankedTensor(element) => {
                ty(element);
            }
            TypeData::RankedTensor { element, encoding, .. } => {
                ty(element);
                encoding.iter_mut().for_each(attribute);
            }
            TypeData::MemRef { element, layout, space, .. } => {
                ty(element);
                attribute(layout);
                space.iter_mut().for_each(attribute);
            }
            TypeData::UnrankedMemRef { element, space } => {
                ty(element);
                space.iter_mut().for_each(attribute);
            }
            TypeData::Dialect(value) => self.value(value),
            TypeData::Integer { .. }
            | TypeData::Index
            | TypeData::Float(_)
            | TypeData::None
            | TypeData::Text { .. }
            | TypeData::Encoded(_) => {}
        }
        data
    }

    fn value(&self, value: &mut DialectValue) {
        let mut waiting: Vec<&mut Parameter> = value.parameters.iter_mut().collect();
        while let Some(parameter) = waiting.pop() {
            match parameter {
                Parameter::Attribute(attribute) => *attribute = self.attribute_for(*attribute),
                Parameter::Type(ty) => *ty = self.type_for(*ty),
                Parameter::List(list) => waiting.extend(list.iter_mut()),
                Parameter::None
                | Parameter::Bool(_)
                | Parameter::Unsigned(_)
                | Parameter::Signed(_)
                | Parameter::Double(_)
                | Parameter::String(_) => {}
            }
        }
    }
}
