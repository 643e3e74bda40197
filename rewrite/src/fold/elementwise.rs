//! Folds of operations that work on each element alike (`mlir/Dialect/CommonFolders.h`).

use mlirbc_ir::number::{ApFloat, ApInt, FloatKind};
use mlirbc_ir::{Attribute, Context, NumberKind, Numbers, Result, Type};

use super::{Fold, Folded};
use crate::dialect::is_poison;

impl Fold<'_, '_> {
    /// Where all operands are integers, or elements that are: what `compute` makes of each, in the type of the first result. A
    /// poisoned operand gives poison. `None` from `compute` folds nothing at all, and so do integers of more than
    /// [`ApInt::QUICK_WIDTH`] bits.
    ///
    /// # Errors
    /// Where the type of the result cannot be decoded.
    pub fn integers<const N: usize>(&self, compute: impl FnMut([&ApInt; N]) -> Option<ApInt>) -> Result<Folded> {
        match self.without_numbers(N) {
            Some(folded) => Ok(folded),
            None => self.integers_as(self.result_type()?, compute),
        }
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
        self.elements(ty, |number| matches!(number, NumberKind::Integer { .. }), compute)
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
        if let Some(folded) = self.without_numbers(N) {
            return Ok(folded);
        }
        let ty = self.result_type()?;
        let kind = |attribute: Option<Attribute>| Numbers::of(self.context(), attribute?)?.float_kind();
        let kind: Option<FloatKind> = self.constants().iter().find_map(|&constant| kind(constant));
        let is = |number| matches!(number, NumberKind::Float(of) if Some(of) == kind);
        self.elements(ty, is, |values: [&ApInt; N]| {
            let kind = kind?;
            compute(values.map(|bits| ApFloat::from_bits(kind, bits)))
        })
    }

    /// What operations become, whatever they compute, of which the first `count` operands are not all known. `None` where they are.
    fn without_numbers(&self, count: usize) -> Option<Folded> {
        let Some(constants) = self.constants().get(..count) else { return Some(Folded::No) };
        match constants.iter().flatten().find(|&&constant| is_poison(self.context(), constant)) {
            Some(&poison) => Some(Folded::attribute(poison)),
            None => constants.contains(&None).then_some(Folded::No),
        }
    }

    /// What `compute` makes of the bits of the first `N` operands, element by element, in an attribute of that type.
    fn elements<const N: usize>(
        &self,
        ty: Type,
        is: impl Fn(NumberKind) -> bool,
        mut compute: impl FnMut([&ApInt; N]) -> Option<ApInt>,
    ) -> Result<Folded> {
        if let Some(folded) = self.without_numbers(N) {
            return Ok(folded);
        }
        let (context, constants) = (self.context(), self.constants().get(..N).unwrap_or_default());
        let numbers: Option<Vec<Numbers<'_>>> =
            constants.iter().map(|&constant| Numbers::of(context, constant?).filter(|of| is(of.number))).collect();
        let Some(numbers) = numbers else { return Ok(Folded::No) };
        let Some(first) = numbers.first() else { return Ok(Folded::No) };
        if numbers.iter().any(|other| other.ty != first.ty) || !same_shape(context, first.ty, ty) {
            return Ok(Folded::No);
        }
        // A few bytes of text could take gigabytes and hours otherwise.
        let result = NumberKind::of(context, context[ty].element().unwrap_or(ty));
        if [Some(first.number), result].iter().flatten().any(|number| number.width() > ApInt::QUICK_WIDTH) {
            return Ok(Folded::No);
        }
        let count = if numbers.iter().all(Numbers::is_splat) { first.count.min(1) } else { first.count };
        if count > 1 && !self.may_make(count) {
            return Ok(Folded::No);
        }
        let mut values = Vec::new();
        for at in 0..count {
            let of: [ApInt; N] = std::array::from_fn(|number| numbers[number].get(at));
            let Some(value) = compute(of.each_ref()) else { return Ok(Folded::No) };
            values.push(value);
        }
        Ok(Folded::maybe(context.numbers(ty, &values).ok()))
    }
}

/// Whether both are scalars, or shaped alike.
fn same_shape(context: &Context, one: Type, other: Type) -> bool {
    context[one].shape() == context[other].shape()
}
