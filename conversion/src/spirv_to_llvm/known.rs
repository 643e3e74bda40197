//! What constants are worth: those that attributes say.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, AttributeData, BodyId, Context, Identifier, NumberKind, Numbers, Type, TypeData};
use mlirbc_spirv::dialect::types;

/// Constants are looked at so deep.
const DEEPEST: u32 = 256;

/// A vector has so many parts of its own at most; one that is longer and the same everywhere is so as a whole.
pub(super) const LONGEST: u64 = 4096;

/// The value of a constant.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// The bits of a number.
    Number(ApInt),
    Parts(Arc<[Known]>),
    /// Parts that all are the same, as many as the type has.
    Each(Arc<Known>),
    /// Zero everywhere, of that type.
    Null(Type),
    Undefined,
    Address(Arc<Address>),
}

/// The address of a global variable, or of what stands in it.
#[derive(Clone, Debug)]
pub(super) struct Address {
    /// The body that the variable stands in, and its name there.
    pub(super) variable: (BodyId, Identifier),
    /// The type of the variable's own pointer.
    pub(super) pointer: Type,
    /// What the address leads to.
    pub(super) pointee: Type,
    /// How it comes from the variable's: types, with the element to begin at and the indices into it.
    pub(super) steps: Vec<(Type, Vec<i32>)>,
}

impl Known {
    /// The variables whose addresses it has. What stands in several places is looked at once.
    pub(super) fn variables(&self) -> Vec<(BodyId, Identifier)> {
        let (mut variables, mut left, mut seen) = (Vec::new(), vec![self], HashSet::new());
        while let Some(known) = left.pop() {
            match known {
                Known::Address(address) => variables.push(address.variable),
                Known::Parts(parts) if seen.insert(parts.as_ptr()) => left.extend(parts.iter()),
                Known::Each(part) if seen.insert(&raw const **part) => left.push(part),
                _ => {}
            }
        }
        variables
    }

    pub(super) fn part(&self, context: &Context, number: u32) -> Option<Known> {
        match self {
            Known::Parts(parts) => parts.get(number as usize).cloned(),
            Known::Each(part) => Some((**part).clone()),
            Known::Null(ty) => types::part(context, *ty, number).map(Known::Null),
            Known::Undefined => Some(Known::Undefined),
            Known::Number(_) | Known::Address(_) => None,
        }
    }

    pub(super) fn number(&self, context: &Context) -> Option<ApInt> {
        match self {
            Known::Number(number) => Some(number.clone()),
            Known::Null(ty) => NumberKind::of(context, *ty).map(|kind| ApInt::zero(kind.width())),
            _ => None,
        }
    }
}

/// What an attribute says: a number, a symbol, of which `symbol` says what it is worth, or the parts of a composite. What is the same attribute
/// is looked at once.
pub(super) fn tree(context: &Context, value: Attribute, symbol: impl Fn(Identifier) -> Option<Known>) -> Option<Known> {
    Tree { context, symbol, seen: HashMap::new() }.of(value, DEEPEST)
}

struct Tree<'c, S> {
    context: &'c Context,
    symbol: S,
    seen: HashMap<Attribute, Known>,
}

impl<S: Fn(Identifier) -> Option<Known>> Tree<'_, S> {
    fn of(&mut self, value: Attribute, depth: u32) -> Option<Known> {
        if let Some(known) = self.seen.get(&value) {
            return Some(known.clone());
        }
        let depth = depth.checked_sub(1)?;
        let context = self.context;
        let known = match &context[value] {
            AttributeData::SymbolRef { root, nested } if nested.is_empty() => return (self.symbol)(*root),
            AttributeData::Array(parts) => {
                let parts: Option<Arc<[Known]>> = parts.iter().map(|&part| self.of(part, depth)).collect();
                Known::Parts(parts?)
            }
            AttributeData::Dictionary(entries) => {
                let named = |name: &[u8]| entries.iter().find(|entry| context.bytes(entry.0) == name);
                if named(b"undef").is_some() {
                    return Some(Known::Undefined);
                }
                if named(b"null").is_some() {
                    let AttributeData::Type(ty) = context[named(b"type")?.1] else { return None };
                    return Some(Known::Null(ty));
                }
                self.of(named(b"value").or_else(|| named(b"parts"))?.1, depth)?
            }
            _ => return elements(context, value, depth),
        };
        self.seen.insert(value, known.clone());
        Some(known)
    }
}

/// A number, or elements of as many dimensions as composites are nested.
fn elements(context: &Context, value: Attribute, depth: u32) -> Option<Known> {
    let numbers = Numbers::of(context, value)?;
    let Some(shape) = context[numbers.ty].shape() else { return Some(Known::Number(numbers.get(0))) };
    if shape.len() as u32 > depth {
        return None;
    }
    if let Some(number) = numbers.splat()
        && !(matches!(context[numbers.ty], TypeData::Vector { .. }) && numbers.count <= LONGEST)
    {
        let number = Known::Number(number.clone());
        return Some(shape.iter().fold(number, |known, _| Known::Each(Arc::new(known))));
    }
    let mut known: Vec<Known> = (0..numbers.count).map(|at| Known::Number(numbers.get(at))).collect();
    for &size in shape.iter().rev() {
        let size = usize::try_from(size).ok().filter(|&size| size > 0)?;
        known = known.chunks(size).map(|parts| Known::Parts(parts.into())).collect();
    }
    known.pop()
}
