//! Folds of operations that work on each element alike (`mlir/Dialect/CommonFolders.h`).

use mlirbc_ir::number::{ApFloat, ApInt, FloatKind};
use mlirbc_ir::{Attribute, Context, Number, Numbers, Result, Type};

use super::{Fold, Folded};
use crate::dialect::is_poison;

impl Fold<'_, '_> {
    /// Where all operands are integers, or elements that are: what `compute` makes of each, in the type of the first result. A
    /// poisoned operand gives poison. `None` from `compute` folds nothing at all.
    ///
    /// # Errors
    /// Where the type of the result cannot be decoded.
    pub fn integers<const N: usize>(&self, compute: impl FnMut([&ApInt; N]) -> Option<ApInt>) -> Result<Folded> {
        if self.constants().iter().all(Option::is_none) {
            return Ok(Folded::No);
        }
        self.integers_as(self.result_type()?, compute)
    }

    /// As [`Fold::integers`], in another type: that of another result.
    ///
    /// # Errors
    /// Where a type cannot be decoded.
    pub fn integers_as<const N: usize>(
        &self,
        ty: Type,
        compute: impl FnMut([&ApInt; N]) -> Option<ApInt>,
    ) -> Result<Folded> {
        self.elements(ty, |number| matches!(number, Number::Integer { .. }), compute)
    }

    /// As [`Fold::integers`], where all operands are floats of one kind, and so is the result.
    ///
    /// # Errors
    /// Where the type of the result cannot be decoded.
    pub fn floats<const N: usize>(&self, mut compute: impl FnMut([ApFloat; N]) -> Option<ApFloat>) -> Result<Folded> {
        self.floats_to_bits(|values| compute(values).map(ApFloat::to_bits))
    }

    /// As [`Fold::floats`], where the result is of any type: `compute` gives its bits.
    ///
    /// # Errors
    /// Where the type of the result cannot be decoded.
    pub fn floats_to_bits<const N: usize>(
        &self,
        mut compute: impl FnMut([ApFloat; N]) -> Option<ApInt>,
    ) -> Result<Folded> {
        if self.constants().iter().all(Option::is_none) {
            return Ok(Folded::No);
        }
        let ty = self.result_type()?;
        let kind = |attribute: Option<Attribute>| Numbers::of(self.context(), attribute?)?.float_kind();
        let kind: Option<FloatKind> = self.constants().iter().find_map(|&constant| kind(constant));
        let is = |number| matches!(number, Number::Float(of) if Some(of) == kind);
        self.elements(ty, is, |values: [&ApInt; N]| {
            let kind = kind?;
            compute(values.map(|bits| ApFloat::from_bits(kind, bits)))
        })
    }

    /// What `compute` makes of the bits of the first `N` operands, element by element, in an attribute of that type.
    fn elements<const N: usize>(
        &self,
        ty: Type,
        is: impl Fn(Number) -> bool,
        mut compute: impl FnMut([&ApInt; N]) -> Option<ApInt>,
    ) -> Result<Folded> {
        let Some(constants) = self.constants().get(..N) else { return Ok(Folded::No) };
        let context = self.context();
        if let Some(poison) = constants.iter().flatten().find(|&&constant| is_poison(context, constant)) {
            return Ok(Folded::attribute(*poison));
        }
        let numbers: Option<Vec<Numbers<'_>>> =
            constants.iter().map(|&constant| Numbers::of(context, constant?).filter(|of| is(of.number))).collect();
        let Some(numbers) = numbers else { return Ok(Folded::No) };
        let Some(first) = numbers.first() else { return Ok(Folded::No) };
        if numbers.iter().any(|other| other.ty != first.ty) || !same_shape(context, first.ty, ty) {
            return Ok(Folded::No);
        }
        let count = if numbers.iter().all(Numbers::is_splat) { first.count.min(1) } else { first.count };
        let mut values = Vec::new();
        for at in 0..count {
            let of: Vec<ApInt> = numbers.iter().map(|numbers| numbers.get(at)).collect();
            let Some(value) = compute(std::array::from_fn(|number| &of[number])) else { return Ok(Folded::No) };
            values.push(value);
        }
        Ok(Folded::maybe(context.numbers(ty, &values).ok()))
    }
}

/// Whether both are scalars, or shaped alike.
fn same_shape(context: &Context, one: Type, other: Type) -> bool {
    context[one].shape() == context[other].shape()
}
