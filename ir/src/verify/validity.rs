//! What operations have in common: a module has many operations, and few kinds of them.

use std::collections::HashMap;

use super::checker::{Checker, Named};
use super::operation::{Dictionaries, verify_definition, verify_in_place, verify_regions, verify_symbol_uses};
use super::structure::verify_blocks;
use crate::body::{OpKey, TypeRef};
use crate::context::OperationName;
use crate::error::Result;
use crate::module::OpRef;

/// All of an operation of one module but its location, and what it is to others: of one with few operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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
    verify_blocks(op)?;
    let known = checker.known(op.operation_name());
    let dictionaries = if known.definition.is_some() { op.dictionaries()? } else { (None, None) };
    verify_definition(checker, op, known, dictionaries)?;
    verify_regions(checker, op, known)?;
    verify_symbol_uses(checker, op)?;
    Ok(!checker.depends_on_context.get())
}

/// Whether nothing is known to be wrong with the operation.
///
/// # Errors
/// Where something of it cannot be decoded.
pub fn validity(checker: &Checker<'_>, op: OpRef<'_>) -> Result<Validity> {
    match verify_with_regions(checker, op) {
        Ok(false) => Ok(Validity::Valid),
        Ok(true) => Ok(Validity::ValidForKey),
        Err(error) if error.kind() == crate::ErrorKind::Verification => Ok(Validity::Invalid),
        Err(error) => Err(error),
    }
}

/// What is known of operations that are as their definition says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verified {
    /// Each is asked about where it stands, and by its dialect.
    ButForPlace,
    /// Their definition asks nothing else.
    ByDefinition,
    /// Nothing else is asked of them.
    Whole,
}

/// What operations have in common with others, and what is known from these.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    key: Option<TypedOpKey>,
    verified: Option<Verified>,
}

impl Asked {
    /// Whether nothing is left to be asked.
    pub(super) fn is_whole(self) -> bool {
        self.verified == Some(Verified::Whole)
    }
}

/// What operations of one module have in common that are as their definitions say: so is every other that has it.
#[derive(Default)]
pub(super) struct VerifiedOps {
    keys: HashMap<TypedOpKey, Verified, hashbrown::DefaultHashBuilder>,
    /// By number of the name: the last one that nothing else is asked of. Most operations of a name have that of the one before.
    last: Vec<Option<TypedOpKey>>,
}

impl VerifiedOps {
    /// Checks an operation against its definition, unless one with its key has been.
    pub(super) fn verify(
        &mut self,
        checker: &Checker<'_>,
        op: OpRef<'_>,
        known: &Named,
        dictionaries: Dictionaries,
        asked: Asked,
    ) -> Result<()> {
        match asked.verified {
            Some(Verified::ButForPlace) => return verify_in_place(checker, op, known),
            Some(_) => return Ok(()),
            None => {}
        }
        let of_all = verify_definition(checker, op, known, dictionaries)?;
        let verified = if checker.depends_on_context.get() { Verified::ButForPlace } else { Verified::ByDefinition };
        self.keys.extend(asked.key.filter(|_| of_all).map(|key| (key, verified)));
        Ok(())
    }

    /// Notes that nothing else is asked of operations that have the key, if it is known that they are as their definitions say.
    pub(super) fn note_whole(&mut self, asked: Asked) {
        if asked.verified != Some(Verified::ButForPlace)
            && let Some(key) = asked.key
            && let Some(known @ Verified::ByDefinition) = self.keys.get_mut(&key)
        {
            *known = Verified::Whole;
        }
    }

    /// What is known of an operation from those that have its key.
    pub(super) fn ask(&mut self, op: OpRef<'_>) -> Asked {
        let Some(key) = TypedOpKey::of(op) else { return Asked { key: None, verified: None } };
        let at = key.name.raw() as usize;
        if self.last.get(at).is_some_and(|last| last.as_ref() == Some(&key)) {
            return Asked { key: Some(key), verified: Some(Verified::Whole) };
        }
        let verified = self.keys.get(&key).copied();
        if verified == Some(Verified::Whole) {
            if self.last.len() <= at {
                self.last.resize(at + 1, None);
            }
            self.last[at] = Some(key);
        }
        Asked { key: Some(key), verified }
    }
}
