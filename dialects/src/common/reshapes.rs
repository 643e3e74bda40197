//! Dimensions joined and taken apart (`mlir/Dialect/Utils/ReshapeOpsUtils.h`).

use mlirbc_ir::text::integers;
use mlirbc_ir::{AttributeData, DYNAMIC, OpRef, Result};
use mlirbc_rewrite::{Fold, Folded};

use super::dense;

/// Which dimensions are joined to one each.
fn groups(op: OpRef<'_>) -> Result<Option<Vec<Vec<i64>>>> {
    let context = op.module().context();
    let Some(groups) = op.attribute("reassociation")? else { return Ok(None) };
    let AttributeData::Array(groups) = &context[groups] else { return Ok(None) };
    Ok(groups.iter().map(|&group| integers(context, group)).collect())
}

/// How dimensions that are joined or taken apart fold, where `inverse` is the operation that does the opposite.
pub(crate) fn reshape(fold: &mut Fold<'_, '_>, inverse: &str) -> Result<Folded> {
    let context = fold.context();
    let source = fold.operand(0);
    let ty = fold.result_type()?;
    if fold.type_of(source)? == ty {
        return Ok(Folded::value(source));
    }
    if let Some(constant) = fold.constant(0)
        && matches!(context[constant], AttributeData::DenseElements { .. })
    {
        return Ok(Folded::maybe(dense::reshaped(context, constant, ty)));
    }
    let Some(definer) = fold.defined_by(source, inverse) else { return Ok(Folded::No) };
    let Some(&before) = definer.operands().first() else { return Ok(Folded::No) };
    if fold.type_of(before)? != ty {
        return Ok(Folded::No);
    }
    let between = fold.type_of(source)?;
    let (Some(shape), Some(between)) = (context[ty].shape(), context[between].shape()) else { return Ok(Folded::No) };
    let unknown = |shape: &[i64]| shape.iter().filter(|&&size| size == DYNAMIC).count();
    if unknown(shape) < 2 {
        return Ok(Folded::value(before));
    }
    // Several sizes are not known: what was joined must be taken apart in the same way.
    let (Some(groups), Some(others)) = (groups(fold.op())?, groups(definer)?) else { return Ok(Folded::No) };
    if groups != others {
        return Ok(Folded::No);
    }
    let told = |group: &Vec<i64>| {
        let start = group.first().and_then(|&first| usize::try_from(first).ok());
        start.and_then(|start| shape.get(start..start.checked_add(group.len())?)).is_some_and(|of| unknown(of) < 2)
    };
    let undone = shape.len() < between.len() || groups.iter().all(told);
    Ok(if undone { Folded::value(before) } else { Folded::No })
}
