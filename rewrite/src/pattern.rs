//! Patterns: rewrites of single operations (`mlir/IR/PatternMatch.h`).

use std::fmt;
use std::sync::Arc;

use mlirbc_ir::number::{ApFloat, ApInt};
use mlirbc_ir::{Attribute, OpId, OpRef, Rewriter, Value};

use crate::outcome::{NoMatch, Outcome};
use crate::root::Root;

/// What a pattern asks of a [`Rewriter`] to find out whether it is for an operation.
pub trait Match {
    /// Says why the pattern is not for the operation.
    ///
    /// # Errors
    /// That reason, always.
    fn no_match(&self, reason: &'static str) -> Outcome {
        Err(NoMatch::Reason(reason))
    }

    /// The operation of that name that defines the value, and is not [opaque](OpRef::is_opaque).
    ///
    /// # Errors
    /// Where no such operation does.
    fn defined_by(&self, value: Value, name: impl AsRef<[u8]>) -> Result<OpRef<'_>, NoMatch>;

    /// The constant that the value is.
    fn constant(&self, value: Value) -> Option<Attribute>;

    /// The integer that the value is, or that all its elements are.
    fn constant_int(&self, value: Value) -> Option<ApInt>;

    /// The float that the value is, or that all its elements are.
    fn constant_float(&self, value: Value) -> Option<ApFloat>;
}

impl Match for Rewriter<'_> {
    fn defined_by(&self, value: Value, name: impl AsRef<[u8]>) -> Result<OpRef<'_>, NoMatch> {
        let definer = self.body().defining_operation(value).map(|op| self.op(op));
        let definer =
            definer.filter(|op| op.is(name)).ok_or(NoMatch::Reason("an operand is defined by something else"))?;
        if definer.is_opaque()? {
            self.no_match("an operand is defined by what cannot be decoded")?
        }
        Ok(definer)
    }

    fn constant(&self, value: Value) -> Option<Attribute> {
        let definer = self.body().defining_operation(value)?;
        mlirbc_ir::constant_value(self.op(definer)).ok().flatten()
    }

    fn constant_int(&self, value: Value) -> Option<ApInt> {
        self.context().integer_of(self.constant(value)?)
    }

    fn constant_float(&self, value: Value) -> Option<ApFloat> {
        self.context().float_of(self.constant(value)?)
    }
}

/// A rewrite of operations that [`Pattern::Root`] stands for.
///
/// That is a [`Handle`](crate::Handle) of operations of one name, [`With`](crate::With) an interface for all that have it, or
/// [`OpId`] for operations of any name.
pub trait Pattern: Send + Sync + 'static {
    /// The operations that it begins with.
    type Root: Root;

    /// Rewrites the operation, or says why it is not for it. New operations go before it unless it is told otherwise, and have its
    /// location.
    ///
    /// # Errors
    /// [`NoMatch`]
    fn rewrite(&self, op: Self::Root, rw: &mut Rewriter<'_>) -> Outcome;

    /// What it is called in messages: its type, unless it says another name.
    fn name(&self) -> &'static str {
        let path = std::any::type_name::<Self>().split('<').next().unwrap_or_default();
        path.rsplit("::").next().unwrap_or(path)
    }

    /// Of the patterns for one operation, that of the highest benefit is tried first: see [`Patterns`](crate::Patterns).
    fn benefit(&self) -> u16 {
        1
    }
}

/// Rewrites one operation: see [`Pattern::rewrite`].
pub type RewriteFn = fn(&mut Rewriter<'_>, OpId) -> Outcome;

type Rewrite = dyn Fn(&mut Rewriter<'_>, OpId) -> Outcome + Send + Sync;

/// A pattern of any kind, as drivers keep it.
#[derive(Clone)]
pub struct AnyPattern {
    /// What it is called in messages.
    pub name: &'static str,
    /// What it is tried before others for.
    pub benefit: u16,
    /// Whether it belongs to the folds: see [`AnyPattern::fold`].
    pub(crate) is_fold: bool,
    rewrite: Arc<Rewrite>,
}

impl AnyPattern {
    /// A function as a pattern, of benefit 1.
    pub fn new(
        name: &'static str,
        rewrite: impl Fn(&mut Rewriter<'_>, OpId) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        AnyPattern { name, benefit: 1, is_fold: false, rewrite: Arc::new(rewrite) }
    }

    /// A function that does what a fold would, if a fold could change operations: it is tried before all patterns, whatever of these is
    /// left out, and does not count among those that are applied.
    pub fn fold(name: &'static str, rewrite: RewriteFn) -> Self {
        AnyPattern { is_fold: true, ..Self::new(name, rewrite) }
    }

    /// Sets the benefit.
    #[must_use]
    pub fn benefit(self, benefit: u16) -> Self {
        AnyPattern { benefit, ..self }
    }

    /// Tries it on an operation.
    ///
    /// # Errors
    /// [`NoMatch`]
    pub fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
        (self.rewrite)(rw, op)
    }
}

impl fmt::Debug for AnyPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.benefit)
    }
}

impl<P: Pattern> From<P> for AnyPattern {
    fn from(pattern: P) -> Self {
        let (name, benefit) = (pattern.name(), pattern.benefit());
        AnyPattern {
            name,
            benefit,
            is_fold: false,
            rewrite: Arc::new(move |rw, op| pattern.rewrite(P::Root::of(op), rw)),
        }
    }
}
