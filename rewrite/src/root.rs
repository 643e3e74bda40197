//! What patterns begin with.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Context, OpId, OperationName, Rewriter};

use crate::handle::Handle;
use crate::outcome::NoMatch;

/// Which operations a pattern begins with.
#[derive(Clone, Copy, Debug)]
pub enum Roots {
    /// Those of that name.
    Named(&'static str),
    /// Those whose name this says it of.
    Where(fn(&Context, OperationName) -> bool),
    /// Those whose definition has all of these traits.
    Trait(Traits),
    /// Those whose definition implements the interface of that name in C++.
    Implementing(&'static str),
    /// Those of any name, unknown ones included.
    Any,
}

impl Roots {
    /// Those of which a dialect says how they implement an interface.
    pub fn with<I: ?Sized + Any + Send + Sync>() -> Self {
        Roots::Where(|context, name| context.interface::<I>(name).is_some())
    }

    /// Whether operations of that name are among them.
    pub(crate) fn contain(self, context: &Context, name: OperationName) -> bool {
        let definition = || context.definition(name);
        match self {
            Roots::Named(wanted) => context.operation_text(name) == wanted.as_bytes(),
            Roots::Where(holds) => holds(context, name),
            Roots::Trait(traits) => definition().is_some_and(|definition| definition.traits.contains(traits)),
            Roots::Implementing(interface) => definition().is_some_and(|definition| definition.implements(interface)),
            Roots::Any => true,
        }
    }
}

/// What a [`Pattern`](crate::Pattern) calls the operation that it begins with: one word.
pub trait Root: Copy + Into<OpId> + Send + Sync + 'static {
    /// Which operations these are.
    fn roots() -> Roots;

    /// Stands for an operation that is among them.
    fn of(op: OpId) -> Self;
}

impl<H: Handle> Root for H {
    fn roots() -> Roots {
        Roots::Named(H::NAME)
    }

    fn of(op: OpId) -> Self {
        H::new(op)
    }
}

impl Root for OpId {
    fn roots() -> Roots {
        Roots::Any
    }

    fn of(op: OpId) -> Self {
        op
    }
}

/// An operation that has an interface: a trait of Rust that a dialect says of its operations how they
/// [implement](mlirbc_ir::Dialect::interface).
///
/// ```
/// use mlirbc_ir::Rewriter;
/// use mlirbc_ir::interfaces::Loop;
/// use mlirbc_rewrite::{Match, Outcome, Pattern, With};
///
/// /// Erases loops of no iteration.
/// struct Never;
///
/// impl Pattern for Never {
///     type Root = With<dyn Loop>;
///
///     fn rewrite(&self, op: With<dyn Loop>, rw: &mut Rewriter<'_>) -> Outcome {
///         let count = op.interface(rw)?.trip_count(rw.op(op.id()))?;
///         match count.is_some_and(|count| count.is_zero()) && rw.body().result_count(op.id()) == 0 {
///             true => Ok(rw.erase(op)?),
///             false => rw.no_match("it may be entered, or has results"),
///         }
///     }
/// }
/// ```
pub struct With<I: ?Sized>(OpId, PhantomData<fn() -> Box<I>>);

impl<I: ?Sized + Any + Send + Sync> With<I> {
    /// The operation.
    pub fn id(self) -> OpId {
        self.0
    }

    /// How it implements the interface.
    ///
    /// # Errors
    /// No match where it does not: its name was changed.
    pub fn interface(self, rw: &Rewriter<'_>) -> Result<Arc<I>, NoMatch> {
        rw.op(self.0).interface::<I>().ok_or(NoMatch::Reason("the operation does not have the interface"))
    }
}

impl<I: ?Sized + Any + Send + Sync> Root for With<I> {
    fn roots() -> Roots {
        Roots::with::<I>()
    }

    fn of(op: OpId) -> Self {
        With(op, PhantomData)
    }
}

impl<I: ?Sized> Clone for With<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: ?Sized> Copy for With<I> {}

impl<I: ?Sized> From<With<I>> for OpId {
    fn from(op: With<I>) -> Self {
        op.0
    }
}

impl<I: ?Sized> fmt::Debug for With<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
