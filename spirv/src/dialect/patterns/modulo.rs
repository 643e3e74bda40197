//! Remainders.

use mlirbc_ir::{Dialect, NumberKind, Numbers, OpId, Rewriter};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, Outcome};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.canonicalize("UMod", AnyPattern::new("UModSimplification", of_remainder))
}

/// A remainder of a remainder is that of what was divided first, where the second divisor divides the first one.
fn of_remainder(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let &[value, divisor] = rw.body().operands(op) else { return rw.no_match("it has two operands") };
    let first = rw.defined_by(value, "spirv.UMod")?;
    let &[divided, first_divisor] = first.operands() else { return rw.no_match("it has two operands") };
    if first.id() == op || rw.body().defining_operation(divided) == Some(op) {
        return rw.no_match("it is made of itself");
    }
    let integers = |value| {
        let numbers = Numbers::of(rw.context(), rw.constant(value)?)?;
        matches!(numbers.number, NumberKind::Integer { .. }).then_some(numbers)
    };
    let (Some(first), Some(second)) = (integers(first_divisor), integers(divisor)) else {
        return rw.no_match("a divisor is no constant");
    };
    let count = if first.is_splat() && second.is_splat() { first.count.min(1) } else { first.count };
    let divides = |at| first.get(at).rem_unsigned(&second.get(at)).is_some_and(|rest| rest.is_zero());
    if first.ty != second.ty || !(0..count).all(divides) {
        return rw.no_match("the second divisor does not divide the first");
    }
    let result = rw.result(op, 0)?;
    let ty = rw.body().ty(result);
    let remainder = rw.build("spirv.UMod").operands([divided, divisor]).result_type(ty).create()?;
    Ok(rw.replace_with(op, remainder)?)
}
