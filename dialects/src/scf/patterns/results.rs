//! Results of an `scf.if` that need not come from it.

use super::conditions::parts;
use super::*;
use crate::cf::branches::{select, truth};

/// What is yielded from outside is selected outside.
pub(super) fn select_trivial(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, then, otherwise) = parts(rw, op)?;
    let Some(otherwise) = otherwise.filter(|_| rw.body().result_count(op) > 0) else {
        return rw.no_match("there are no results");
    };
    let (then_yield, truly) = yielded(rw, op, then)?;
    let (else_yield, falsely) = yielded(rw, op, otherwise)?;
    let regions = [region(rw, op, 0)?, region(rw, op, 1)?];
    let body = rw.body();
    let stays = |at: usize| {
        body.defining_region(truly[at]) == Some(regions[0]) || body.defining_region(falsely[at]) == Some(regions[1])
    };
    let stays: Vec<bool> = (0..truly.len()).map(stays).collect();
    if !stays.contains(&false) {
        return rw.no_match("every result comes from inside");
    }
    // As it may where nothing is executed: it has no other value that could stand for it.
    if truly.iter().chain(&falsely).any(|&value| body.defining_operation(value) == Some(op)) {
        return rw.no_match("a result comes from itself");
    }
    let kept =
        |values: &[Value]| -> Vec<Value> { values.iter().zip(&stays).filter(|of| *of.1).map(|of| *of.0).collect() };
    let (kept_true, kept_false) = (kept(&truly), kept(&falsely));
    let types = types_of(body, &kept_true);
    let by = rw.build("scf.if").operands([condition]).result_types(types).regions(2).create()?;
    for (number, from) in regions.into_iter().enumerate() {
        let to = region(rw, by, number)?;
        rw.inline_region(from, to, None)?;
    }
    rw.set_insertion_point_before(by)?;
    let mut left = rw.body().results(by);
    let mut values = Vec::with_capacity(truly.len());
    for (at, stays) in stays.into_iter().enumerate() {
        let result = if stays { left.next() } else { None };
        values.push(match result {
            Some(result) => result,
            None if truly[at] == falsely[at] => truly[at],
            None => select(rw, condition, truly[at], falsely[at])?,
        });
    }
    yield_instead(rw, then_yield, &kept_true)?;
    yield_instead(rw, else_yield, &kept_false)?;
    rw.replace(op, values)?;
    Ok(())
}

/// What is yielded alike on both sides is that; what is true on one and false on the other is the condition, or its negation.
pub(super) fn condition_or_value(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, then, otherwise) = parts(rw, op)?;
    let Some(otherwise) = otherwise.filter(|_| rw.body().result_count(op) > 0) else {
        return rw.no_match("there are no results");
    };
    let (_, truly) = yielded(rw, op, then)?;
    let (_, falsely) = yielded(rw, op, otherwise)?;
    rw.build_uses();
    let bit = rw.context().integer_type(1);
    let mut changed = false;
    let results: Vec<Value> = rw.body().results(op).collect();
    for (result, (truly, falsely)) in results.into_iter().zip(truly.into_iter().zip(falsely)) {
        if !rw.body().is_used(result) {
            continue;
        }
        let value = if truly == falsely {
            // Of one that comes from itself nothing else is known.
            if rw.body().defining_operation(truly) == Some(op) {
                continue;
            }
            truly
        } else if rw.op(op).type_of(result)? != bit {
            continue;
        } else {
            match [truly, falsely].map(|value| rw.constant_int(value).map(|value| value.is_one())) {
                [Some(true), Some(false)] => condition,
                [Some(false), Some(true)] => {
                    let one = truth(rw, true)?;
                    let not = rw.build("arith.xori").operands([condition, one]).result_type(bit).create()?;
                    rw.result(not, 0)?
                }
                _ => continue,
            }
        };
        rw.replace_uses(result, value)?;
        changed = true;
    }
    if changed { Ok(()) } else { rw.no_match("every result that is used has to be yielded") }
}
