//! What attributes and types are made of: other attributes and types, at any depth.

mod between;
mod replace;

pub(crate) use between::Between;
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

/// An attribute or a type where it is held, to look at or to put another one in its place.
enum Held<A, T> {
    Attribute(A),
    Type(T),
}

/// Shows what the parameters of a dialect's attribute or type hold: with `iter` as references, with `iter_mut` as ones to
/// change.
macro_rules! held_by_value {
    ($value:expr, $iter:ident, $see:ident) => {{
        let mut waiting: Vec<_> = $value.parameters.$iter().collect();
        while let Some(parameter) = waiting.pop() {
            match parameter {
                Parameter::Attribute(held) => $see(Held::Attribute(held)),
                Parameter::Type(held) => $see(Held::Type(held)),
                Parameter::List(list) => waiting.extend(list.$iter()),
                Parameter::None
                | Parameter::Bool(_)
                | Parameter::Unsigned(_)
                | Parameter::Signed(_)
                | Parameter::Double(_)
                | Parameter::String(_) => {}
            }
        }
    }};
}

/// Shows what the data of an attribute holds itself, names excepted, as `held_by_value` does.
macro_rules! held_by_attribute {
    ($data:expr, $iter:ident, $see:expr) => {{
        let see = $see;
        match $data {
            AttributeData::Array(list) => list.$iter().for_each(|held| see(Held::Attribute(held))),
            AttributeData::Dictionary(entries) => {
                entries.$iter().for_each(|(_, held)| see(Held::Attribute(held)));
            }
            AttributeData::String { ty, .. } => ty.$iter().for_each(|held| see(Held::Type(held))),
            AttributeData::Type(ty)
            | AttributeData::Integer { ty, .. }
            | AttributeData::Float { ty, .. }
            | AttributeData::DenseArray { element: ty, .. }
            | AttributeData::DenseElements { ty, .. }
            | AttributeData::DenseStrings { ty, .. }
            | AttributeData::DenseResource { ty, .. } => see(Held::Type(ty)),
            AttributeData::Sparse { ty, indices, values } => {
                see(Held::Attribute(indices));
                see(Held::Attribute(values));
                see(Held::Type(ty));
            }
            AttributeData::Distinct { referenced: child, .. } | AttributeData::NameLocation { child, .. } => {
                see(Held::Attribute(child));
            }
            AttributeData::CallSiteLocation { callee, caller } => {
                see(Held::Attribute(callee));
                see(Held::Attribute(caller));
            }
            AttributeData::FusedLocation { locations, metadata } => {
                locations.$iter().chain(metadata).for_each(|held| see(Held::Attribute(held)));
            }
            AttributeData::Dialect(value) => held_by_value!(value, $iter, see),
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
    }};
}

/// Shows what the data of a type holds itself, as `held_by_value` does.
macro_rules! held_by_type {
    ($data:expr, $iter:ident, $see:expr) => {{
        let see = $see;
        match $data {
            TypeData::Function { inputs, results } => {
                inputs.$iter().chain(results).for_each(|held| see(Held::Type(held)));
            }
            TypeData::Tuple(list) => list.$iter().for_each(|held| see(Held::Type(held))),
            TypeData::Complex(element) | TypeData::Vector { element, .. } | TypeData::UnrankedTensor(element) => {
                see(Held::Type(element));
            }
            TypeData::RankedTensor { element, encoding, .. } => {
                see(Held::Type(element));
                encoding.$iter().for_each(|held| see(Held::Attribute(held)));
            }
            TypeData::MemRef { element, layout, space, .. } => {
                see(Held::Type(element));
                see(Held::Attribute(layout));
                space.$iter().for_each(|held| see(Held::Attribute(held)));
            }
            TypeData::UnrankedMemRef { element, space } => {
                see(Held::Type(element));
                space.$iter().for_each(|held| see(Held::Attribute(held)));
            }
            TypeData::Dialect(value) => held_by_value!(value, $iter, see),
            TypeData::Integer { .. }
            | TypeData::Index
            | TypeData::Float(_)
            | TypeData::None
            | TypeData::Text { .. }
            | TypeData::Encoded(_) => {}
        }
    }};
}

/// What the attribute or type itself holds.
fn of_part(context: &Context, part: Part, parts: &mut Vec<Part>) {
    let mut see = |held: Held<&Attribute, &Type>| {
        parts.push(match held {
            Held::Attribute(attribute) => Part::Attribute(*attribute),
            Held::Type(ty) => Part::Type(*ty),
        });
    };
    match part {
        Part::Attribute(attribute) => held_by_attribute!(&context[attribute], iter, &mut see),
        Part::Type(ty) => held_by_type!(&context[ty], iter, &mut see),
    }
}

/// Puts others in the place of what the data of an attribute holds itself.
fn change_attribute(data: &mut AttributeData, change: &mut dyn FnMut(Held<&mut Attribute, &mut Type>)) {
    held_by_attribute!(data, iter_mut, change);
}

/// Puts others in the place of what the data of a type holds itself.
fn change_type(data: &mut TypeData, change: &mut dyn FnMut(Held<&mut Attribute, &mut Type>)) {
    held_by_type!(data, iter_mut, change);
}
