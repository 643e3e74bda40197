//! What operations have in common: a module has many operations, and few kinds of them.

use std::collections::HashMap;

use super::checker::{Checker, Named};
use super::operation::{Dictionaries, verify_definition, verify_regions, verify_symbol_uses};
use super::structure::verify_blocks;
use crate::attribute::AttributeData;
use crate::body::{OpKey, TypeRef};
use crate::context::OperationName;
use crate::error::Result;
use crate::module::{Inside, OpRef};

/// All of an operation of one module but its location, and what it is to others: of one with few operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub struct TypedOpKey {
    name: OperationName,
    key: OpKey,
    operands: [Option<TypeRef>; 4],
}

impl TypedOpKey {
    /// That of an operation. `None` for operations with regions, successors, several results or more than a few operands.
    pub fn of(op: OpRef<'_>) -> Option<Self> {
        let (body, view) = (op.body(), op.body().view(op.id()));
        let key = view.key()?;
        let mut operands = [None; 4];
        for (at, &operand) in view.operands().iter().enumerate() {
            *operands.get_mut(at)? = Some(body.ty(operand));
        }
        Some(TypedOpKey { name: view.name(), key, operands })
    }
}

/// What is known of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum Validity {
    /// It breaks a rule of its definition.
    Invalid,
    /// Nothing is known to be wrong with it.
    Valid,
    /// The same, and of all that have its [`TypedOpKey`].
    ValidForKey,
}

/// The same, with what is asked about its regions and its symbols.
fn verify_with_regions(checker: &Checker<'_>, op: OpRef<'_>) -> Result<bool> {
    checker.signature.set(None);
    let inside = Inside::of(op)?;
    verify_blocks(checker, op, inside)?;
    let known = checker.known(op.operation_name());
    let dictionaries = if known.definition.is_some() { op.dictionaries()? } else { (None, None) };
    verify_definition(checker, op, inside, known, dictionaries)?;
    verify_regions(checker, op, inside, known)?;
    verify_symbol_uses(checker, op)?;
    Ok(!checker.depends_on_context.get())
}

/// Whether nothing is known to be wrong with the operation.
///
/// # Errors
/// Where something of it cannot be decoded.
#[doc(hidden)]
pub fn validity(checker: &Checker<'_>, op: OpRef<'_>) -> Result<Validity> {
    // What counts as one type where all of a module is verified does not here.
    if checker.found_right && !checker.known(op.operation_name()).mixes_signedness {
        return Ok(Validity::ValidForKey);
    }
    match verify_with_regions(checker, op) {
        Ok(false) => Ok(Validity::Valid),
        Ok(true) => Ok(Validity::ValidForKey),
        Err(error) if error.kind() == crate::ErrorKind::Verification => Ok(Validity::Invalid),
        Err(error) => Err(error),
    }
}

/// What is left to be asked of each of the operations that are known to be as their definition says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Left {
    /// Where it stands and what it holds.
    pub(super) place: bool,
    /// What dialects say of its attributes and of those of its arguments.
    pub(super) attributes: bool,
    /// What its dialect says of it.
    pub(super) own: bool,
}

impl Left {
    const NOTHING: Left = Left { place: false, attributes: false, own: false };
}

/// What operations have in common with others.
#[derive(Clone, Copy)]
enum Common {
    /// Nothing that is known.
    Nothing,
    Key(TypedOpKey),
    /// What stands in [`VerifiedOps::shape`]. Whether that leaves names out.
    Shape(bool),
}

/// What operations have in common with others, and what is known from these.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    common: Common,
    /// What is left to be asked, where another one of these was as its definition says.
    pub(super) left: Option<Left>,
}

impl Asked {
    /// Whether nothing is left to be asked.
    pub(super) fn is_whole(self) -> bool {
        self.left == Some(Left::NOTHING)
    }

    /// Whether others that have the same may differ in attributes.
    pub(super) fn leaves_names_out(self) -> bool {
        matches!(self.common, Common::Shape(true))
    }
}

/// A shape is as long as that at most.
const LONGEST: usize = 64;

/// Stands for a name in a shape.
const NAME: u32 = u32::MAX;

/// What operations of one module have in common that are as their definitions say: so is every other that has it.
#[derive(Default)]
pub(super) struct VerifiedOps {
    keys: HashMap<TypedOpKey, Left, hashbrown::DefaultHashBuilder>,
    /// By number of the name: the last one that nothing else is asked of. Most operations of a name have that of the one before.
    last: Vec<Option<TypedOpKey>>,
    /// What is known of operations that have no key, or names that no other has.
    shapes: HashMap<Box<[u32]>, Left, hashbrown::DefaultHashBuilder>,
    /// What such an operation has beside its names: all that its definition looks at but its place.
    shape: Vec<u32>,
}

impl VerifiedOps {
    /// Whether an operation of that key is like the last one of its name, of which nothing is left to be asked.
    #[inline]
    pub(super) fn is_like_last(&self, key: &TypedOpKey) -> bool {
        self.last.get(key.name.raw() as usize).is_some_and(|last| last.as_ref() == Some(key))
    }

    fn note_last(&mut self, key: TypedOpKey) {
        let at = key.name.raw() as usize;
        if self.last.len() <= at {
            self.last.resize(at + 1, None);
        }
        self.last[at] = Some(key);
    }

    /// What is known of an operation from those that have its key.
    pub(super) fn ask(&mut self, key: Option<TypedOpKey>) -> Asked {
        let Some(key) = key else { return Asked { common: Common::Nothing, left: None } };
        let left = self.keys.get(&key).copied();
        if left == Some(Left::NOTHING) {
            self.note_last(key);
        }
        Asked { common: Common::Key(key), left }
    }

    /// The same of one without a key, or with names that may be no other's, from those that have its shape.
    pub(super) fn ask_shape(
        &mut self,
        checker: &Checker<'_>,
        op: OpRef<'_>,
        known: &Named,
        dictionaries: Dictionaries,
        asked: Asked,
    ) -> Asked {
        let key = match asked.common {
            Common::Key(key) if asked.left.is_none() && known.has_names() => Some(key),
            Common::Nothing if known.definition.is_some() => None,
            _ => return asked,
        };
        let without_names = match self.find_shape(checker, op, known, dictionaries) {
            Some(without_names) if without_names || key.is_none() => without_names,
            _ => return asked,
        };
        let left = self.shapes.get(&*self.shape).copied();
        if let Some(key) = key.filter(|_| left == Some(Left::NOTHING)) {
            self.note_last(key);
        }
        Asked { common: Common::Shape(without_names), left }
    }

    /// Finds the shape of an operation. Whether it leaves names out; `None` where it would be too long, or a name is none.
    fn find_shape(
        &mut self,
        checker: &Checker<'_>,
        op: OpRef<'_>,
        known: &Named,
        (attributes, properties): Dictionaries,
    ) -> Option<bool> {
        let (body, view) = (op.body(), op.body().view(op.id()));
        let (operands, results) = (view.operands(), view.result_types());
        if operands.len() + results.len() > LONGEST {
            return None;
        }
        let shape = &mut self.shape;
        shape.clear();
        let counts = [operands.len(), results.len(), view.region_count(), view.successors().len()];
        shape.push(view.name().raw());
        shape.extend(counts.map(|count| count as u32));
        shape.extend(operands.iter().map(|&operand| body.ty(operand).raw()));
        shape.extend(results.map(|ty| ty.raw()));
        let mut without_names = false;
        for dictionary in [properties, attributes] {
            let entries = match dictionary.map(|dictionary| &checker.context[dictionary]) {
                None => &[],
                Some(AttributeData::Dictionary(entries)) => &**entries,
                Some(_) => return None,
            };
            if entries.len() > LONGEST {
                return None;
            }
            shape.push(entries.len() as u32);
            for &(name, value) in entries {
                let counts = match known.class_of_name(name) {
                    None => value.raw(),
                    Some(class) if checker.attribute_is(value, class) == Some(true) => {
                        without_names = true;
                        NAME
                    }
                    Some(_) => return None,
                };
                shape.extend([name.attribute().raw(), counts]);
            }
        }
        (shape.len() <= LONGEST).then_some(without_names)
    }

    /// Notes what is left to be asked of operations that have the same in common with one of which all was asked.
    pub(super) fn note(&mut self, asked: Asked, left: Left) {
        match asked.common {
            Common::Nothing => {}
            Common::Key(key) => drop(self.keys.insert(key, left)),
            Common::Shape(_) => drop(self.shapes.insert(self.shape.as_slice().into(), left)),
        }
    }
}
