//! What a composite is made of; structures that refer to themselves, unfolded.

use hashbrown::HashMap;

use super::*;

/// The type of a part of a composite: of an element, column or member, as it is outside of the composite. `None` where
/// there is no such part.
pub fn part(context: &Context, composite: Type, index: u32) -> Option<Type> {
    let index = index as usize;
    if let TypeData::Vector { shape, element, .. } = &context[composite] {
        return (usize::try_from(*shape.first()?).ok()? > index).then_some(*element);
    }
    match view(context, composite)? {
        SpirvType::Array { element, count: NumberOrSymbol::Known(count), .. } => {
            (index < count as usize).then_some(element)
        }
        SpirvType::Array { element, .. }
        | SpirvType::RuntimeArray { element, .. }
        | SpirvType::CooperativeMatrix { element, .. } => Some(element),
        SpirvType::Matrix { column, columns } => (index < columns as usize).then_some(column),
        SpirvType::Struct(_) => {
            // Only this member is asked for: the others need not be looked at.
            let types = match parts(context, composite)?.parameters.get(1)? {
                Parameter::List(types) => types,
                _ => return None,
            };
            unfold(context, composite, type_of(types.get(index)?)?)
        }
        _ => None,
    }
}

/// A type that stands inside of a struct, as it is outside: references to the struct become the struct. `None` where
/// that would be nested too deep or become too large.
pub fn unfold(context: &Context, structure: Type, inside: Type) -> Option<Type> {
    let name = name_of(context, structure)?;
    match name {
        Some(name) if mentions(context, inside, name) => {
            let mut unfolding = Unfolding::new(context);
            unfolding.bodies.insert(name, structure);
            unfolding.ty(inside)
        }
        _ => Some(inside),
    }
}

/// Whether two types are the same. Structs that hold each other are so wherever one of them is written out in the other; not
/// where that would be nested too deep or become too large to find out.
pub(crate) fn is_same(context: &Context, left: Type, right: Type) -> bool {
    let written_out = |ty| Unfolding::new(context).ty(ty);
    left == right || written_out(left).is_some_and(|left| written_out(right) == Some(left))
}

/// The name of a struct with a body; `None` where the type is no such thing.
fn name_of(context: &Context, ty: Type) -> Option<Option<&[u8]>> {
    let value = parts(context, ty).filter(|value| context.bytes(value.mnemonic) == b"struct")?;
    match &*value.parameters {
        [Parameter::String(name), _, ..] => Some(Some(name)),
        [_, _, ..] => Some(None),
        _ => None,
    }
}

/// The name that a reference to a struct refers to.
fn referenced(context: &Context, ty: Type) -> Option<&[u8]> {
    let value = parts(context, ty).filter(|value| context.bytes(value.mnemonic) == b"struct")?;
    match &*value.parameters {
        [Parameter::String(name)] => Some(name),
        _ => None,
    }
}

/// Whether a type refers to a struct of that name by name.
fn mentions(context: &Context, ty: Type, name: &[u8]) -> bool {
    let (mut left, mut seen) = (vec![ty], hashbrown::HashSet::new());
    while let Some(ty) = left.pop() {
        if referenced(context, ty) == Some(name) {
            return true;
        }
        left.extend(parts_of(context, ty).filter(|part| seen.insert(*part)));
    }
    false
}

/// How deep types may be nested in a recursive struct that is taken apart.
const DEEPEST: usize = 128;

struct Unfolding<'c> {
    context: &'c Context,
    /// Structs with bodies, by name.
    bodies: HashMap<&'c [u8], Type>,
    /// Names of the structs around, and nothing of other types around.
    open: Vec<Option<&'c [u8]>>,
    /// How many types may still be made.
    left: u32,
}

impl<'c> Unfolding<'c> {
    fn new(context: &'c Context) -> Self {
        Unfolding { context, bodies: HashMap::new(), open: Vec::new(), left: 1 << 12 }
    }

    /// The type with each struct written out where it stands first, and referred to inside of itself.
    fn ty(&mut self, ty: Type) -> Option<Type> {
        let context = self.context;
        self.left = self.left.checked_sub(1)?;
        let (ty, name) = match (referenced(context, ty), name_of(context, ty).flatten()) {
            (Some(name), _) if !self.open.contains(&Some(name)) => match self.bodies.get(name) {
                Some(&body) => (body, Some(name)),
                None => return Some(ty),
            },
            (_, Some(name)) if self.open.contains(&Some(name)) => {
                return Some(make(context, "struct", [Parameter::String(name.into())]));
            }
            (None, name) => (ty, name),
            _ => return Some(ty),
        };
        let Some(value) = parts(context, ty) else { return Some(ty) };
        if self.open.len() == DEEPEST {
            return None;
        }
        if let Some(name) = name {
            self.bodies.insert(name, ty);
        }
        self.open.push(name);
        let parameters: Option<Box<[Parameter]>> = value.parameters.iter().map(|it| self.parameter(it)).collect();
        self.open.pop();
        let (dialect, mnemonic) = (value.dialect, value.mnemonic);
        Some(context.ty(TypeData::Dialect(DialectValue { dialect, mnemonic, parameters: parameters? })))
    }

    /// Parameters are nested two deep at most.
    fn parameter(&mut self, parameter: &Parameter) -> Option<Parameter> {
        Some(match parameter {
            Parameter::Type(ty) => Parameter::Type(self.ty(*ty)?),
            Parameter::List(items) => {
                let items: Option<Box<[Parameter]>> = items.iter().map(|item| self.parameter(item)).collect();
                Parameter::List(items?)
            }
            other => other.clone(),
        })
    }
}
