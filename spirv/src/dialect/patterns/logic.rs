//! Truth values.

use mlirbc_ir::{Dialect, OpId, Rewriter};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, Outcome};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    let patterns = [
        AnyPattern::new("ConvertLogicalNotOfIEqual", |rw, op| invert(rw, op, "spirv.IEqual", "spirv.INotEqual")),
        AnyPattern::new("ConvertLogicalNotOfINotEqual", |rw, op| invert(rw, op, "spirv.INotEqual", "spirv.IEqual")),
        AnyPattern::new("ConvertLogicalNotOfLogicalEqual", |rw, op| {
            invert(rw, op, "spirv.LogicalEqual", "spirv.LogicalNotEqual")
        }),
        AnyPattern::new("ConvertLogicalNotOfLogicalNotEqual", |rw, op| {
            invert(rw, op, "spirv.LogicalNotEqual", "spirv.LogicalEqual")
        }),
    ];
    patterns.into_iter().fold(dialect, |dialect, pattern| dialect.canonicalize("LogicalNot", pattern.benefit(2)))
}

/// What is not equal is unequal, and the other way round. It is located where both were.
fn invert(rw: &mut Rewriter<'_>, op: OpId, compared: &str, instead: &str) -> Outcome {
    let &[value] = rw.body().operands(op) else { return rw.no_match("it has one operand") };
    let comparison = rw.defined_by(value, compared)?;
    let operands = comparison.operands().to_vec();
    let locations = [rw.op(op).location()?, comparison.location()?].map(|location| location.attribute(rw.context()));
    let result = rw.result(op, 0)?;
    let ty = rw.body().ty(result);
    let location = rw.context().fused_location(&locations, None);
    let inverted = rw.build(instead).at(location).operands(operands).result_type(ty).create()?;
    Ok(rw.replace_with(op, inverted)?)
}
