//! How operations of the dialect fold (`SPIRVCanonicalization.cpp` of MLIR).
//!
//! Integers wrap, as SPIR-V says. What SPIR-V leaves undefined, a division by zero or a shift by more bits than there are, stays an
//! operation. No operation on floats folds.

mod arithmetic;
mod bits;
mod composites;
mod logic;

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, TypeData};
use mlirbc_ir::{Context, Dialect, NumberKind, OpId, Result, Rewriter, Type, Value};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded, is_poison};

use super::types;

pub(crate) use composites::{member_count, places};

/// How many operations a walk back along values may pass by: where nothing keeps definitions before uses, it could go round.
const FARTHEST: usize = 1024;

/// Attaches them to the dialect, and what makes its constants.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let dialect = dialect.fold("Constant", |fold| Ok(Folded::maybe(fold.attribute("value")?))).materialize(materialize);
    let dialect = arithmetic::attach(dialect);
    let dialect = bits::attach(dialect);
    let dialect = logic::attach(dialect);
    composites::attach(dialect)
}

/// `spirv.Constant` where the type has constants, and `ub.poison` for poison of any type.
fn materialize(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    let context = rw.context();
    let name = match is_poison(context, value) {
        true => "ub.poison",
        false if has_constants(context, ty) => "spirv.Constant",
        false => return Ok(None),
    };
    rw.build(name).attribute("value", value).result_type(ty).create().map(Some)
}

/// Whether `spirv.Constant` can be of the type.
fn has_constants(context: &Context, ty: Type) -> bool {
    match &context[ty] {
        TypeData::Integer { .. } | TypeData::Float(_) | TypeData::Vector { .. } | TypeData::RankedTensor { .. } => true,
        _ => matches!(types::view(context, ty), Some(types::SpirvType::Array { .. })),
    }
}

/// That number, or that many times as a value of that type has it, its bits without a sign.
pub(crate) fn splat(context: &Context, ty: Type, value: u64) -> Option<Attribute> {
    let number = NumberKind::of(context, context[ty].element().unwrap_or(ty))?;
    context.numbers(ty, &[ApInt::from_u64(number.width(), value)]).ok()
}

/// [`splat`] of the type of the result.
fn result_splat(fold: &Fold<'_, '_>, value: u64) -> Result<Folded> {
    Ok(Folded::maybe(splat(fold.context(), fold.result_type()?, value)))
}

/// Of two operations of that name, which undo each other, the operand of the first.
fn undone(fold: &Fold<'_, '_>, name: &str) -> Option<Value> {
    let first = fold.defined_by(fold.operand(0), name)?;
    first.operands().first().copied()
}
