//! How operations fold, and what canonicalisation makes of them.

use mlirbc::Result;
use mlirbc::ir::{AttributeData, OpId, Rewriter};
use mlirbc::rewrite::{Fold, Folded, Match, Outcome};

/// What is mixed with a canvas once more is as it was.
pub(crate) fn fold_mix(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let (left, right) = (fold.operand(0), fold.operand(1));
    let mixed_before = fold.defined_by(left, "toy.mix").is_some_and(|mix| mix.operands().get(1) == Some(&right));
    Ok(if mixed_before { Folded::value(left) } else { Folded::No })
}

/// What is painted over and cannot be seen any more need not be painted.
pub(crate) fn painted_over(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let context = rw.context();
    let opacity = rw.op(op).attribute("opacity")?.and_then(|opacity| match &context[opacity] {
        AttributeData::Integer { value, .. } => value.to_u64(),
        _ => None,
    });
    if opacity != Some(100) {
        return rw.no_match("it can be seen through");
    }
    let inner = rw.defined_by(rw.body().operands(op)[0], "toy.paint")?;
    let canvas = inner.operands()[0];
    Ok(rw.set_operand(op, 0, canvas)?)
}
