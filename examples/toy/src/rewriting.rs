//! How operations fold, and what canonicalisation makes of them.

use mlirbc::Result;
use mlirbc::ir::{AttributeData, OpId, Rewriter};
use mlirbc::rewrite::{Fold, Folded, Match, Outcome, is_poison};
use mlirbc::{Attribute, OpRef};

/// A torn canvas among the operands.
fn torn(fold: &Fold<'_, '_>) -> Option<Attribute> {
    let mut constants = fold.constants().iter().copied().flatten();
    constants.find(|&constant| is_poison(fold.context(), constant))
}

/// What is mixed with a canvas once more is as it was.
pub(crate) fn fold_mix(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(torn) = torn(fold) {
        return Ok(Folded::attribute(torn));
    }
    let (left, right) = (fold.operand(0), fold.operand(1));
    let mixed_before = fold.defined_by(left, "toy.mix").is_some_and(|mix| mix.operands().get(1) == Some(&right));
    Ok(if mixed_before { Folded::value(left) } else { Folded::No })
}

/// A canvas of one colour, and all of it painted, is of the other colour.
pub(crate) fn fold_paint(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(torn) = torn(fold) {
        return Ok(Folded::attribute(torn));
    }
    if fold.constant(0).is_none() || opacity(fold.op())? != Some(100) {
        return Ok(Folded::No);
    }
    Ok(Folded::maybe(fold.op().attribute("colour")?))
}

/// How much `toy.paint` covers, in percent.
fn opacity(paint: OpRef<'_>) -> Result<Option<u64>> {
    let context = paint.module().context();
    Ok(paint.attribute("opacity")?.and_then(|opacity| match &context[opacity] {
        AttributeData::Integer { value, .. } => value.to_u64(),
        _ => None,
    }))
}

/// What is painted over and cannot be seen any more need not be painted.
pub(crate) fn painted_over(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    if opacity(rw.op(op))? != Some(100) {
        return rw.no_match("it can be seen through");
    }
    let inner = rw.defined_by(rw.body().operands(op)[0], "toy.paint")?;
    let canvas = inner.operands()[0];
    Ok(rw.set_operand(op, 0, canvas)?)
}
