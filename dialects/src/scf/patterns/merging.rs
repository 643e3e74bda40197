//! Two `scf.if` become one.

use super::conditions::parts;
use super::*;
use crate::cf::branches::select;

/// Of two that follow each other and decide the same, the second goes into the first.
pub(super) fn combine(rw: &mut Rewriter<'_>, next: OpId) -> Outcome {
    let before = rw.body().previous_operation(next).filter(|&before| rw.op(before).name() == "scf.if");
    let Some(previous) = before else { return rw.no_match("no other one stands directly before it") };
    let (condition, then, otherwise) = parts(rw, previous)?;
    let (next_condition, next_then, next_otherwise) = parts(rw, next)?;
    let (next_true, next_false) = if condition == next_condition {
        (Some(next_then), next_otherwise)
    } else if negated(rw, next_condition) == Some(condition) || negated(rw, condition) == Some(next_condition) {
        (next_otherwise, Some(next_then))
    } else {
        return rw.no_match("the conditions do not decide the same");
    };
    let (then_yield, truly) = yielded(rw, previous, then)?;
    let falsely = otherwise.map(|block| yielded(rw, previous, block)).transpose()?;
    let next_yields = [next_true, next_false].map(|block| block.map(|block| yielded(rw, next, block)).transpose());
    let [next_truly, next_falsely] = next_yields;
    let (next_truly, next_falsely) = (next_truly?, next_falsely?);

    // Inside the second, what the first gives is known.
    rw.build_uses();
    let results: Vec<Value> = rw.body().results(previous).collect();
    for (at, result) in results.into_iter().enumerate() {
        let sides = [(next_true, Some(truly[at])), (next_false, falsely.as_ref().map(|(_, values)| values[at]))];
        let body = rw.body();
        let value_for = |user: OpId| {
            let holder = region_of(body, user)?;
            let holds = |block: BlockId| body.region_of(block).is_some_and(|region| is_within(body, holder, region));
            sides.iter().find(|(block, _)| block.is_some_and(holds))?.1
        };
        let uses: Vec<_> =
            body.uses_of(result).filter_map(|use_| Some((use_.op, use_.operand, value_for(use_.op)?))).collect();
        for (user, number, value) in uses {
            rw.set_operand(user, number, value)?;
        }
    }

    let mut types = result_types(rw.body(), previous);
    let own = types.len();
    types.extend(result_types(rw.body(), next));
    let combined = rw.build("scf.if").operands([condition]).result_types(types).regions(2).create()?;
    for number in [0, 1] {
        let (from, to) = (region(rw, previous, number)?, region(rw, combined, number)?);
        rw.inline_region(from, to, None)?;
    }
    if let (Some(from), Some((end, _))) = (next_true, next_truly) {
        append(rw, from, end, then, then_yield)?;
    }
    match (next_false, next_falsely, otherwise, falsely) {
        (Some(from), Some((end, _)), Some(otherwise), Some((else_yield, _))) => {
            append(rw, from, end, otherwise, else_yield)?;
        }
        (Some(from), ..) => {
            let to = region(rw, combined, 1)?;
            if let Some(from) = rw.body().region_of(from) {
                rw.inline_region(from, to, None)?;
            }
        }
        _ => {}
    }
    let values: Vec<Value> = rw.body().results(combined).collect();
    rw.replace(previous, &values[..own])?;
    rw.replace(next, &values[own..])?;
    Ok(())
}

/// Puts what a block does behind what another does, which then yields what both do.
fn append(rw: &mut Rewriter<'_>, from: BlockId, from_end: OpId, to: BlockId, to_end: OpId) -> Result<()> {
    rw.inline_block(from, to, None, &[])?;
    let values = [rw.body().operands(to_end), rw.body().operands(from_end)].concat();
    rw.erase(to_end)?;
    yield_instead(rw, from_end, &values)
}

/// Where all that one does is another one, both conditions have to hold.
pub(super) fn combine_nested(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, then, otherwise) = parts(rw, op)?;
    let nested = rw.body().first_operation(then);
    let nested = nested.filter(|&nested| rw.body().next_operation(nested) == rw.body().last_operation(then));
    let Some(nested) = nested.filter(|&nested| rw.op(nested).name() == "scf.if") else {
        return rw.no_match("it does something else than another one");
    };
    let (inner_condition, inner_then, inner_otherwise) = parts(rw, nested)?;
    let does_something = |block: Option<BlockId>| block.is_some_and(|block| !only_ends(rw.body(), block));
    if does_something(otherwise) || does_something(inner_otherwise) {
        return rw.no_match("something is done otherwise");
    }
    let (_, mut truly) = yielded(rw, op, then)?;
    let falsely = otherwise.map(|block| yielded(rw, op, block)).transpose()?.map_or(Vec::new(), |(_, values)| values);
    let (inner_end, inner_truly) = yielded(rw, nested, inner_then)?;
    let inner_falsely = inner_otherwise.map(|block| yielded(rw, nested, block)).transpose()?;
    let inner_falsely = inner_falsely.map_or(Vec::new(), |(_, values)| values);
    if falsely.len() != truly.len() || inner_falsely.len() != inner_truly.len() {
        return rw.no_match("there are results but no other region");
    }
    let inside = region(rw, op, 0)?;
    let inner_results: Vec<Value> = rw.body().results(nested).collect();
    // Of what is yielded from outside, the outer condition alone decides.
    let mut selected = Vec::new();
    for (at, value) in truly.iter_mut().enumerate() {
        if let Some(inner) = inner_results.iter().position(|result| result == value) {
            if inner_falsely[inner] != falsely[at] {
                return rw.no_match("what is yielded otherwise differs");
            }
            *value = inner_truly[inner];
        } else if rw.body().defining_region(*value) == Some(inside) {
            return rw.no_match("what is yielded comes from inside");
        } else {
            selected.push(at);
        }
    }
    let bit = rw.context().integer_type(1);
    let both = rw.build("arith.andi").operands([condition, inner_condition]).result_type(bit).create()?;
    let both = rw.result(both, 0)?;
    let types = result_types(rw.body(), op);
    let by = rw.build("scf.if").operands([both]).result_types(types).regions(2).create()?;
    let mut values: Vec<Value> = rw.body().results(by).collect();
    rw.set_insertion_point_before(by)?;
    for at in selected {
        values[at] = select(rw, condition, truly[at], falsely[at])?;
    }
    let (from, to) = (region(rw, nested, 0)?, region(rw, by, 0)?);
    rw.inline_region(from, to, None)?;
    yield_instead(rw, inner_end, &truly)?;
    if !falsely.is_empty() {
        let otherwise = region(rw, by, 1)?;
        let block = rw.create_block(otherwise, None, [] as [TypeRef; 0])?;
        rw.set_insertion_point_to_end(block)?;
        rw.build("scf.yield").operands(falsely).create()?;
    }
    rw.replace(op, values)?;
    Ok(())
}
