//! Canonicalisation patterns of `index` (`IndexOps.cpp` of MLIR).

use mlirbc_ir::{Dialect, OpId, Rewriter};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, Outcome};

use super::folds::computed;

/// The operations whose operands may be grouped in any way.
const ASSOCIATIVE: [&str; 9] = ["add", "and", "maxs", "maxu", "mins", "minu", "mul", "or", "xor"];

pub(super) fn attach(dialect: Dialect) -> Dialect {
    let associative = || AnyPattern::new("AssociativeCommutativeBinaryOp", group_constants);
    ASSOCIATIVE
        .iter()
        .fold(dialect, |dialect, name| dialect.canonicalize(name, associative()))
        .canonicalize("cmp", AnyPattern::new("CmpOp", compare_difference))
}

/// Of two operations of one name with a constant each, one with the constant that both make.
fn group_constants(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let &[left, right] = rw.body().operands(op) else { return rw.no_match("it has two operands") };
    let name = rw.op(op).name().into_owned();
    let Some(b) = rw.constant_int(right) else { return rw.no_match("the right operand is no constant") };
    let &[value, first] = rw.defined_by(left, &name)?.operands() else { return rw.no_match("it has two operands") };
    let Some(a) = rw.constant_int(first) else { return rw.no_match("the right operand of the first is no constant") };
    let Some(both) = computed(&name, &b, &a) else { return rw.no_match("what both make depends on the target") };
    let context = rw.context();
    let both = context.numbers(context.index_type(), &[both])?;
    let both = rw.build("index.constant").attribute("value", both).result_type(context.index_type()).create()?;
    let both = rw.result(both, 0)?;
    let grouped = rw.build(&name).operands([value, both]).result_type(context.index_type()).create()?;
    Ok(rw.replace_with(op, grouped)?)
}

/// A difference and zero are as the two numbers are.
fn compare_difference(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let &[left, right] = rw.body().operands(op) else { return rw.no_match("it has two operands") };
    let is_zero = |value| rw.constant_int(value).is_some_and(|value| value.is_zero());
    let (difference, turned) = match (is_zero(right), is_zero(left)) {
        (true, _) => (left, false),
        (_, true) => (right, true),
        _ => return rw.no_match("it is no comparison with zero"),
    };
    let &[a, b] = rw.defined_by(difference, "index.sub")?.operands() else { return rw.no_match("it has two operands") };
    let operands = if turned { [b, a] } else { [a, b] };
    let Some(pred) = rw.op(op).attribute("pred")? else { return rw.no_match("it has no predicate") };
    let ty = rw.context().integer_type(1);
    let compare = rw.build("index.cmp").operands(operands).attribute("pred", pred).result_type(ty).create()?;
    Ok(rw.replace_with(op, compare)?)
}
