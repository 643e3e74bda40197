//! What operations have in common: a module has many operations, and few kinds of them.

use std::collections::HashSet;

use super::Checker;
use super::operation::verify_definition;
use crate::body::{Likeness, TypeRef};
use crate::context::OperationName;
use crate::error::Result;
use crate::operation::OpRef;

/// All of an operation of one module but its location, and what it is to others: of one with few operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Alike {
    name: OperationName,
    likeness: Likeness,
    operands: [Option<TypeRef>; 4],
}

impl Alike {
    /// `None` for operations with regions, successors, several results or more than a few operands.
    pub(crate) fn of(op: OpRef<'_>) -> Option<Self> {
        let (body, view) = (op.body(), op.body().view(op.id()));
        let likeness = view.likeness()?;
        let mut operands = [None; 4];
        for (at, &operand) in view.operands().iter().enumerate() {
            *operands.get_mut(at)? = Some(body.ty(operand));
        }
        Some(Alike { name: view.name(), likeness, operands })
    }
}

/// What is known of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Validity {
    /// It breaks a rule of its definition.
    Invalid,
    /// Nothing is known to be wrong with it.
    Valid,
    /// The same, and of all that are [`Alike`].
    AllAlike,
}

/// Checks an operation against its definition. Gives whether what was found is true of all that are alike.
fn verify(checker: &Checker<'_>, op: OpRef<'_>) -> Result<bool> {
    checker.looked_around.set(false);
    verify_definition(checker, op)?;
    Ok(!checker.looked_around.get())
}

/// Whether nothing is known to be wrong with the operation.
pub(crate) fn validity(checker: &Checker<'_>, op: OpRef<'_>) -> Result<Validity> {
    match super::structure::verify_blocks(op).and_then(|()| verify(checker, op)) {
        Ok(false) => Ok(Validity::Valid),
        Ok(true) => Ok(Validity::AllAlike),
        Err(error) if error.kind() == crate::ErrorKind::Verification => Ok(Validity::Invalid),
        Err(error) => Err(error),
    }
}

/// Operations of one module that are as their definitions say, and so are all alike.
#[derive(Default)]
pub(super) struct ValidAlike(HashSet<Alike, hashbrown::DefaultHashBuilder>);

impl ValidAlike {
    /// Checks an operation against its definition, unless one like it has been.
    pub(super) fn verify(&mut self, checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
        let alike = Alike::of(op);
        if alike.is_some_and(|alike| self.0.contains(&alike)) {
            return Ok(());
        }
        let of_all = verify(checker, op)?;
        self.0.extend(alike.filter(|_| of_all));
        Ok(())
    }
}
