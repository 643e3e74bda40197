//! What is known of a value.

use mlirbc_ir::{Attribute, OperationName};

/// What a value may be, as far as was found out: it only ever becomes more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Lattice {
    /// Nothing: what defines it is not executed.
    #[default]
    Nothing,
    /// This constant. Operations of that name know how to make it.
    Constant(Attribute, OperationName),
    /// Anything.
    Anything,
}

impl Lattice {
    /// What is one or the other.
    pub(super) fn join(self, other: Lattice) -> Lattice {
        match (self, other) {
            (Lattice::Nothing, one) | (one, Lattice::Nothing) => one,
            (Lattice::Constant(one, name), Lattice::Constant(other, _)) if one == other => Lattice::Constant(one, name),
            _ => Lattice::Anything,
        }
    }
}
