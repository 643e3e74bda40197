//! Casts of tensors that loops carry on, and sizes of those that they give.

use super::forall::{Forall, INSERT};
use super::*;
use crate::scf::branches::BOUNDS;
use crate::tensor::casts::says_as_much;

/// The value that only forgets of its shape where it is cast to this one.
fn before_cast(rw: &Rewriter<'_>, value: Value) -> Result<Option<Value>, NoMatch> {
    let Ok(cast) = rw.defined_by(value, "tensor.cast") else { return Ok(None) };
    let Some(&source) = cast.operands().first() else { return Ok(None) };
    let (from, to) = (cast.type_of(source)?, cast.type_of(value)?);
    Ok((from != to && says_as_much(rw.context(), to, from)).then_some(source))
}

fn cast(rw: &mut Rewriter<'_>, value: Value, ty: TypeRef) -> Result<Value> {
    let cast = rw.build("tensor.cast").operands([value]).result_type(ty).create()?;
    rw.result(cast, 0)
}

/// Makes an operation like another one, with other operands, results and arguments of its one block. Gives the block, too.
fn create_with_block(
    rw: &mut Rewriter<'_>,
    op: OpId,
    operands: &[Value],
    results: &[TypeRef],
    arguments: Vec<TypeRef>,
) -> Result<(OpId, BlockId), NoMatch> {
    let by = create_with(rw, op, operands, results)?;
    let into = region(rw, by, 0)?;
    Ok((by, rw.create_block(into, None, arguments)?))
}

/// A loop begins with what was cast, where its result has one user.
pub(super) fn for_of_cast(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let old = block(rw, op, 0)?;
    let (_, values) = yielded(rw, op, old)?;
    let mut operands = rw.body().operands(op).to_vec();
    let mut found = None;
    for (number, &initial) in operands.iter().enumerate().skip(BOUNDS) {
        let result = rw.result(op, number - BOUNDS)?;
        if let Some(source) = before_cast(rw, initial)?
            && rw.body().uses_of(result).take(2).count() == 1
        {
            found = Some((number, source));
            break;
        }
    }
    let Some((number, source)) = found else { return rw.no_match("no tensor is cast for the loop") };
    let carried = number - BOUNDS;
    operands[number] = source;
    let mut results = result_types(rw.body(), op);
    let mut arguments = types_of(rw.body(), rw.body().arguments(old));
    let (was, is) = (results.get(carried).copied(), rw.body().ty(source));
    let (Some(was), true) = (was, values.len() == results.len() && arguments.len() == results.len() + 1) else {
        return rw.no_match("the loop does not begin with as much as it gives");
    };
    results[carried] = is;
    arguments[carried + 1] = is;
    let (by, new) = create_with_block(rw, op, &operands, &results, arguments)?;
    let mut arguments = rw.body().arguments(new).to_vec();
    rw.set_insertion_point_to_end(new)?;
    arguments[carried + 1] = cast(rw, arguments[carried + 1], was)?;
    rw.inline_block(old, new, None, &arguments)?;
    let end = end(rw, new, "scf.yield")?;
    rw.set_insertion_point_before(end)?;
    let mut values = rw.body().operands(end).to_vec();
    values[carried] = cast(rw, values[carried], is)?;
    yield_instead(rw, end, &values)?;
    rw.set_insertion_point_after(by)?;
    let mut results: Vec<Value> = rw.body().results(by).collect();
    results[carried] = cast(rw, results[carried], was)?;
    Ok(rw.replace(op, results)?)
}

/// A loop writes into what was cast.
pub(super) fn forall_of_casts(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let forall = Forall::of(rw, op)?;
    let mut operands = rw.body().operands(op).to_vec();
    let first = operands.len() - forall.outputs.len();
    let mut casts = Vec::new();
    let mut results = result_types(rw.body(), op);
    let mut arguments = types_of(rw.body(), rw.body().arguments(forall.block));
    let variables = forall.variables.len();
    if results.len() != forall.outputs.len() {
        return rw.no_match("the loop has other outputs than results");
    }
    for (number, &output) in forall.outputs.iter().enumerate() {
        if let Some(source) = before_cast(rw, output)? {
            let is = rw.body().ty(source);
            casts.push((number, rw.body().ty(output)));
            operands[first + number] = source;
            results[number] = is;
            arguments[variables + number] = is;
        }
    }
    if casts.is_empty() {
        return rw.no_match("no tensor is cast for the loop");
    }
    let (by, new) = create_with_block(rw, op, &operands, &results, arguments)?;
    let taken = rw.body().arguments(new).to_vec();
    rw.set_insertion_point_to_end(new)?;
    let mut arguments = taken.clone();
    for &(number, was) in &casts {
        arguments[variables + number] = cast(rw, taken[variables + number], was)?;
    }
    rw.inline_block(forall.block, new, None, &arguments)?;
    // What is written is the argument, not what it is cast to.
    let end = end(rw, new, "scf.forall.in_parallel")?;
    let inside = block(rw, end, 0)?;
    let inserts: Vec<OpId> = rw.body().operations(inside).filter(|&insert| rw.op(insert).is(INSERT)).collect();
    for insert in inserts {
        let into = rw.body().operands(insert).get(1).copied();
        if let Some(number) = arguments.iter().position(|&of| Some(of) == into) {
            rw.set_operand(insert, 1, taken[number])?;
        }
    }
    rw.set_insertion_point_after(by)?;
    let mut results: Vec<Value> = rw.body().results(by).collect();
    for (number, was) in casts {
        results[number] = cast(rw, results[number], was)?;
    }
    Ok(rw.replace(op, results)?)
}

/// The size of what a `scf.forall` gives is that of what it writes into. It belongs to `tensor.dim`.
pub(crate) fn size_of_forall(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let Some(&source) = rw.body().operands(op).first() else { return rw.no_match("it has no operand") };
    let forall = rw.defined_by(source, "scf.forall")?;
    let (number, outputs) = (forall.results().position(|result| result == source), forall.operands_named("outputs")?);
    match number.and_then(|number| outputs.get(number)) {
        Some(&output) => Ok(rw.set_operand(op, 0, output)?),
        None => rw.no_match("the loop has other outputs than results"),
    }
}
