//! Folding: an operation becomes a value that is there already, or a constant (`mlir/IR/OpDefinition.h`, `fold`).
//!
//! A dialect says how its operations fold with [`DialectRewrite::fold`](crate::DialectRewrite::fold), and what its constants are
//! made of with [`DialectRewrite::materialize`](crate::DialectRewrite::materialize). A fold makes no operations: what it gives
//! instead of the results are values and attributes, and the caller makes constants of the latter.

pub(crate) mod apply;
mod budget;
mod elementwise;

pub(crate) use budget::Budget;

use mlirbc_ir::number::{ApFloat, ApInt};
use mlirbc_ir::{Attribute, Context, Error, IntoAttribute, OpId, OpRef, Result, Rewriter, Type, Value};

/// How operations of one name fold.
///
/// # Errors
/// Where something of the operation cannot be decoded.
pub type FoldFn = fn(&mut Fold<'_, '_>) -> Result<Folded>;

/// What stands in the place of one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldResult {
    /// A value that is there already, of the same type.
    Value(Value),
    /// A constant of the result's type.
    Attribute(Attribute),
}

/// What a fold made of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Folded {
    /// Nothing: it stays as it was.
    No,
    /// It stays, but for operands or attributes that were changed. Where they are what they were, as with an operation that uses its own
    /// result, that is [`Folded::No`].
    InPlace,
    /// Its one result is this.
    Result(FoldResult),
    /// Its results are these, one for each.
    Results(Vec<FoldResult>),
}

impl Folded {
    /// The one result is this value.
    pub fn value(value: Value) -> Self {
        Folded::Result(FoldResult::Value(value))
    }

    /// The one result is this constant.
    pub fn attribute(attribute: Attribute) -> Self {
        Folded::Result(FoldResult::Attribute(attribute))
    }

    /// The one result is this constant, where there is one.
    pub fn maybe(attribute: Option<Attribute>) -> Self {
        attribute.map_or(Folded::No, Folded::attribute)
    }

    /// Whether nothing was folded.
    pub fn is_no(&self) -> bool {
        matches!(self, Folded::No)
    }
}

/// An operation that is folded, with what is known of its operands.
///
/// It has as many operands and results as its definition says, where it has one. Numbers of operands that it does not have panic, as
/// indexing a slice does.
pub struct Fold<'f, 'm> {
    rewriter: &'f mut Rewriter<'m>,
    op: OpId,
    constants: &'f [Option<Attribute>],
    budget: Option<&'f Budget>,
    changed: bool,
}

impl<'f, 'm> Fold<'f, 'm> {
    /// The operation, and for each operand the constant that it is. Drivers make these.
    pub fn new(rewriter: &'f mut Rewriter<'m>, op: OpId, constants: &'f [Option<Attribute>]) -> Self {
        Fold { rewriter, op, constants, budget: None, changed: false }
    }

    /// Folds to so many elements of constants alone.
    pub(crate) fn within(self, budget: &'f Budget) -> Self {
        Fold { budget: Some(budget), ..self }
    }

    /// Whether folding may make a constant of so many elements, splats aside: there is a bound on those of a body.
    pub fn may_make(&self, elements: u64) -> bool {
        self.budget.is_none_or(|budget| budget.take(elements))
    }

    /// The context.
    #[inline]
    pub fn context(&self) -> &'m Context {
        self.rewriter.context()
    }

    /// What the operation stands in, to look at.
    pub fn rewriter(&self) -> &Rewriter<'m> {
        self.rewriter
    }

    /// The operation.
    #[inline]
    pub fn op(&self) -> OpRef<'_> {
        self.rewriter.op(self.op)
    }

    /// Its number.
    pub fn id(&self) -> OpId {
        self.op
    }

    /// All operands.
    #[inline]
    pub fn operands(&self) -> &[Value] {
        self.rewriter.body().operands(self.op)
    }

    /// The operand of that number.
    #[inline]
    pub fn operand(&self, number: usize) -> Value {
        self.operands()[number]
    }

    /// The constant that the operand of that number is.
    #[inline]
    pub fn constant(&self, number: usize) -> Option<Attribute> {
        self.constants[number]
    }

    /// The constants that operands are.
    pub fn constants(&self) -> &'f [Option<Attribute>] {
        self.constants
    }

    /// The integer that the operand is, or that all its elements are.
    pub fn integer(&self, number: usize) -> Option<ApInt> {
        self.context().integer_of(self.constant(number)?)
    }

    /// The float that the operand is, or that all its elements are.
    pub fn float(&self, number: usize) -> Option<ApFloat> {
        self.context().float_of(self.constant(number)?)
    }

    /// Whether the operand is that integer, or all its elements are, read without a sign.
    pub fn is_integer(&self, number: usize, value: u64) -> bool {
        self.integer(number).is_some_and(|integer| integer.to_u64() == Some(value))
    }

    /// The type of a value.
    ///
    /// # Errors
    /// Where it cannot be decoded.
    pub fn type_of(&self, value: Value) -> Result<Type> {
        self.op().type_of(value)
    }

    /// The type of the first result.
    ///
    /// # Errors
    /// Where it cannot be decoded, or there is none.
    pub fn result_type(&self) -> Result<Type> {
        let result = self.rewriter.body().result(self.op, 0);
        self.type_of(result.ok_or_else(|| Error::misuse("the operation has no result"))?)
    }

    /// The operation of that name that defines the value, and is not [opaque](OpRef::is_opaque).
    pub fn defined_by(&self, value: Value, name: impl AsRef<[u8]>) -> Option<OpRef<'_>> {
        self.op().defining_operation(value).filter(|op| op.is(name) && op.is_opaque().is_ok_and(|is_opaque| !is_opaque))
    }

    /// An attribute of the operation.
    ///
    /// # Errors
    /// Where it cannot be decoded.
    pub fn attribute(&self, name: impl AsRef<[u8]>) -> Result<Option<Attribute>> {
        self.op().attribute(name)
    }

    /// Whether something of the operation is another than it was.
    pub(crate) fn has_changed(&self) -> bool {
        self.changed
    }

    /// Sets an operand, for [`Folded::InPlace`].
    ///
    /// # Errors
    /// As [`Rewriter::set_operand`].
    pub fn set_operand(&mut self, number: usize, value: Value) -> Result<()> {
        // What is set is visited again.
        if self.operands().get(number) == Some(&value) {
            return Ok(());
        }
        self.changed = true;
        self.rewriter.set_operand(self.op, number, value)
    }

    /// Sets all operands, for [`Folded::InPlace`].
    ///
    /// # Errors
    /// As [`Rewriter::set_operands`].
    pub fn set_operands(&mut self, operands: &[Value]) -> Result<()> {
        if self.operands() == operands {
            return Ok(());
        }
        self.changed = true;
        self.rewriter.set_operands(self.op, operands)
    }

    /// Sets an attribute, for [`Folded::InPlace`].
    ///
    /// # Errors
    /// As [`Rewriter::set_attribute`].
    pub fn set_attribute(&mut self, name: impl AsRef<[u8]>, value: impl IntoAttribute) -> Result<()> {
        let (name, value) = (name.as_ref(), value.into_attribute(self.context()));
        if self.attribute(name)? == Some(value) {
            return Ok(());
        }
        self.changed = true;
        self.rewriter.set_attribute(self.op, name, value)
    }
}
