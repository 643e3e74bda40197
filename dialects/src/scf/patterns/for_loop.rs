//! Canonicalisation of `scf.for`.

use mlirbc_ir::interfaces::Loop;

use super::*;
use crate::scf::branches::BOUNDS;
use crate::scf::loops::For;

/// A loop that is never executed gives what it begins with; one that is executed once does in place what it does; one that does nothing
/// but yield what comes from outside, and is executed, gives that.
pub(super) fn simplify_trivial(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let body_block = block(rw, op, 0)?;
    let (_, values) = yielded(rw, op, body_block)?;
    let operands = rw.body().operands(op).to_vec();
    let Some((&[lower, ..], initial)) = operands.split_first_chunk::<BOUNDS>() else {
        return rw.no_match("the loop has no bounds");
    };
    if initial.len() != values.len() {
        return rw.no_match("the loop does not begin with as much as it gives");
    }
    let Some(count) = For.trip_count(rw.op(op))? else {
        return rw.no_match("it is not known how often the loop is executed");
    };
    if count.is_zero() {
        rw.replace(op, initial)?;
        return Ok(());
    }
    if count.is_one() {
        let arguments: Vec<Value> = std::iter::once(lower).chain(initial.iter().copied()).collect();
        return replace_by_block(rw, op, body_block, &arguments);
    }
    let body = rw.body();
    let inside = body.region_of(body_block);
    let is_outside = |&value: &Value| body.defining_region(value) != inside;
    if !only_ends(body, body_block) || !values.iter().all(is_outside) {
        return rw.no_match("the loop does something");
    }
    rw.replace(op, values)?;
    Ok(())
}
