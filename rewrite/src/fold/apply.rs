//! Folding one operation: its own fold, then what its traits say (`mlir/IR/Operation.cpp`, `mlir/IR/OpDefinition.h`).

use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Attribute, Error, OpId, Result, Rewriter, Value};

use super::{Fold, FoldResult, Folded};
use crate::known::Known;

/// Folds an operation, of which `constants` says what its operands are. Nothing is replaced yet.
pub(crate) fn fold(rw: &mut Rewriter<'_>, op: OpId, known: &Known, constants: &[Option<Attribute>]) -> Result<Folded> {
    if !known.fits(rw.body().operands(op).len(), rw.body().result_count(op)) {
        return Ok(Folded::No);
    }
    let own = match known.fold {
        Some(_) if rw.op(op).is_opaque()? => return Ok(Folded::No),
        Some(fold) => {
            let mut folding = Fold::new(rw, op, constants).within(&known.budget);
            match fold(&mut folding)? {
                Folded::InPlace if !folding.has_changed() => Folded::No,
                folded => folded,
            }
        }
        None => Folded::No,
    };
    let own = match own {
        // A result that stands for itself.
        Folded::Result(FoldResult::Value(value)) if rw.body().defining_operation(value) == Some(op) => Folded::No,
        own => own,
    };
    match own {
        Folded::No | Folded::InPlace => match fold_traits(rw, op, known, constants)? {
            Folded::No => Ok(own),
            folded => Ok(folded),
        },
        folded => checked(rw, op, folded),
    }
}

/// What an operation's traits make of it.
fn fold_traits(rw: &mut Rewriter<'_>, op: OpId, known: &Known, constants: &[Option<Attribute>]) -> Result<Folded> {
    let has = |traits| known.traits.contains(traits);
    if has(Traits::COMMUTATIVE) && constants_last(rw, op, constants)? {
        return Ok(Folded::InPlace);
    }
    let body = rw.body();
    let twin =
        |value: Value| body.defining_operation(value).filter(|&other| other != op && body.name(other) == body.name(op));
    let single = body.result_count(op) == 1;
    if has(Traits::IDEMPOTENT) && single {
        match *body.operands(op) {
            [one] if twin(one).is_some() => return Ok(Folded::value(one)),
            [one, other] if one == other => return Ok(Folded::value(one)),
            _ => {}
        }
    }
    if let (true, true, &[one]) = (has(Traits::INVOLUTION), single, body.operands(op))
        && let Some(&[inner]) = twin(one).map(|twin| body.operands(twin))
    {
        return checked(rw, op, Folded::value(inner));
    }
    Ok(Folded::No)
}

/// Moves constants behind the other operands of an operation whose operands may change places. Whether any moved.
fn constants_last(rw: &mut Rewriter<'_>, op: OpId, constants: &[Option<Attribute>]) -> Result<bool> {
    // Mostly they stand there already.
    if constants.is_sorted_by_key(Option::is_some) {
        return Ok(false);
    }
    let operands = rw.body().operands(op).iter().copied().zip(constants);
    let (others, last): (Vec<_>, Vec<_>) = operands.partition(|(_, constant)| constant.is_none());
    let sorted: Vec<Value> = others.into_iter().chain(last).map(|(operand, _)| operand).collect();
    if sorted == rw.body().operands(op) {
        return Ok(false);
    }
    rw.set_operands(op, &sorted)?;
    Ok(true)
}

/// What was folded, if it fits the results: values of their types, one for each, none of them the operation's own.
fn checked(rw: &Rewriter<'_>, op: OpId, folded: Folded) -> Result<Folded> {
    let Some(results) = results(&folded) else { return Ok(folded) };
    if results.len() != rw.body().result_count(op) {
        return Err(Error::misuse(format!(
            "`{}` folds to {} for {}",
            rw.op(op).name(),
            Error::counted(results.len(), "value"),
            rw.body().result_count(op)
        )));
    }
    for (result, by) in rw.body().results(op).zip(results) {
        if let FoldResult::Value(value) = *by {
            let (is, asked) = (rw.op(op).type_of(value)?, rw.op(op).type_of(result)?);
            if is != asked || rw.body().defining_operation(value) == Some(op) {
                return Ok(Folded::No);
            }
        }
    }
    Ok(folded)
}

/// What a fold gives instead of the results.
pub(crate) fn results(folded: &Folded) -> Option<&[FoldResult]> {
    match folded {
        Folded::Result(result) => Some(std::slice::from_ref(result)),
        Folded::Results(results) => Some(results),
        Folded::No | Folded::InPlace => None,
    }
}

/// The values that a fold gives, constants made of its attributes before the operation. `None`, and no constant is left, where a
/// dialect has no constant for one.
pub(crate) fn materialized(
    rw: &mut Rewriter<'_>,
    op: OpId,
    known: &Known,
    folded: &Folded,
) -> Result<Option<Vec<Value>>> {
    let Some(results) = results(folded) else { return Ok(None) };
    rw.set_insertion_point_before(op)?;
    rw.locate(rw.body().location(op));
    let made = constants(rw, op, known, results)?;
    if let Err(made) = made {
        for constant in made {
            rw.erase(constant)?;
        }
        return Ok(None);
    }
    Ok(made.ok())
}

/// The values that a fold gives, constants made of its attributes at the insertion point. Where a dialect has no constant for one, the
/// others that were made.
pub(crate) fn constants(
    rw: &mut Rewriter<'_>,
    op: OpId,
    known: &Known,
    results: &[FoldResult],
) -> Result<std::result::Result<Vec<Value>, Vec<OpId>>> {
    let (mut values, mut made) = (Vec::with_capacity(results.len()), Vec::new());
    for (number, result) in results.iter().enumerate() {
        match *result {
            FoldResult::Value(value) => values.push(value),
            FoldResult::Attribute(attribute) => {
                let ty = rw.op(op).type_of(rw.result(op, number)?)?;
                let constant = match known.materialize {
                    Some(materialize) => materialize(rw, attribute, ty)?,
                    None => None,
                };
                let Some(constant) = constant else { return Ok(Err(made)) };
                made.push(constant);
                values.push(rw.result(constant, 0)?);
            }
        }
    }
    Ok(Ok(values))
}
