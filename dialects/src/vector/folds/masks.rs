//! Masks: constant ones, and operations under them.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Numbers, OpRef, Result, constant_value};
use mlirbc_rewrite::{Fold, FoldResult, Folded};

use super::{numbers_of, shape_or_none, vector_shape};
use crate::common::dense;

pub(super) fn constant_mask(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let ty = fold.result_type()?;
    let (Some(sizes), Some(shape)) = (numbers_of(fold.op(), "mask_dim_sizes")?, vector_shape(context, ty)) else {
        return Ok(Folded::No);
    };
    let is_set = match (shape, &sizes[..]) {
        ([], &[size]) => size == 1,
        ([], _) => return Ok(Folded::No),
        (shape, sizes) if shape == sizes => true,
        (_, sizes) if sizes.iter().all(|&size| size == 0) => false,
        _ => return Ok(Folded::No),
    };
    Ok(Folded::maybe(dense::splat(context, ApInt::from_u64(1, u64::from(is_set)), ty)))
}

/// Whether an operation gives a mask that is set everywhere, or nowhere. `None` where that cannot be told.
pub(super) fn all_of_mask(mask: OpRef<'_>) -> Result<Option<bool>> {
    let context = mask.module().context();
    if mask.is("arith.constant") {
        let numbers = constant_value(mask)?.and_then(|value| Numbers::of(context, value));
        let splat = numbers.filter(|numbers| numbers.float_kind().is_none() && numbers.count > 0);
        return Ok(splat.and_then(|numbers| Some(!numbers.splat()?.is_zero())));
    }
    if !mask.is("vector.constant_mask") {
        return Ok(None);
    }
    let (Some(sizes), Some(result)) = (numbers_of(mask, "mask_dim_sizes")?, mask.results().next()) else {
        return Ok(None);
    };
    let shape = shape_or_none(context, mask.type_of(result)?);
    if shape.len() != sizes.len() {
        return Ok(None);
    }
    let pairs = || sizes.iter().zip(shape);
    if pairs().all(|(size, of)| size >= of) {
        return Ok(Some(true));
    }
    Ok(sizes.iter().all(|&size| size <= 0).then_some(false))
}

/// A mask over nothing.
pub(super) fn mask(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.operands().len() != 1 || fold.op().results().len() == 0 {
        return Ok(Folded::No);
    }
    let body = fold.rewriter().body();
    let block = body.regions(fold.id()).next().and_then(|region| body.first_block(region));
    let Some(only) = block.and_then(|block| body.first_operation(block)) else { return Ok(Folded::No) };
    let only = fold.rewriter().op(only);
    if !only.is("vector.yield") || only.operands().len() != fold.op().results().len() {
        return Ok(Folded::No);
    }
    Ok(Folded::Results(only.operands().iter().map(|&value| FoldResult::Value(value)).collect()))
}
