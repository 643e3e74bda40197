//! Casts of tensors, which say more or less of a shape.

use mlirbc_ir::{Context, DYNAMIC, Result, Type, TypeData};
use mlirbc_rewrite::{Fold, Folded};

/// Whether `to` says all of a shape that `from` says.
pub(crate) fn says_as_much(context: &Context, from: Type, to: Type) -> bool {
    let (
        TypeData::RankedTensor { shape, element, encoding },
        TypeData::RankedTensor { shape: shape_to, element: element_to, encoding: encoding_to },
    ) = (&context[from], &context[to])
    else {
        return false;
    };
    element == element_to
        && encoding == encoding_to
        && shape.len() == shape_to.len()
        && shape.iter().zip(shape_to).all(|(&from, &to)| from == DYNAMIC || to != DYNAMIC)
}

/// Takes for each operand what was cast to it, where the cast only forgets of its shape.
pub(crate) fn skip_tensor_casts(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let mut operands = fold.operands().to_vec();
    for operand in &mut operands {
        if let Some(&source) = fold.defined_by(*operand, "tensor.cast").and_then(|cast| cast.operands().first())
            && says_as_much(context, fold.type_of(*operand)?, fold.type_of(source)?)
        {
            *operand = source;
        }
    }
    if operands == fold.operands() {
        return Ok(Folded::No);
    }
    fold.set_operands(&operands)?;
    Ok(Folded::InPlace)
}
