//! What is known of the condition of an `scf.if`.

use super::*;
use crate::cf::branches::truth;

/// The condition, the block that is executed where it is true, and the one where it is false, if there is one.
pub(super) fn parts(rw: &Rewriter<'_>, op: OpId) -> Result<(Value, BlockId, Option<BlockId>), NoMatch> {
    let [condition] = *rw.body().operands(op) else { return Err(NoMatch::Reason("there is no one condition")) };
    Ok((condition, block(rw, op, 0)?, optional_block(rw, op, 1)?))
}

/// Of a negated condition, the regions change places.
pub(super) fn swap_negated(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, _, otherwise) = parts(rw, op)?;
    let Some(negated) = negated(rw, condition).filter(|_| otherwise.is_some()) else {
        return rw.no_match("the condition is not negated, or there is no other region");
    };
    let by = create_like(rw, op, &[negated])?;
    for number in [0, 1] {
        let (from, to) = (region(rw, op, 1 - number)?, region(rw, by, number)?);
        rw.inline_region(from, to, None)?;
    }
    rw.replace_with(op, by)?;
    Ok(())
}

/// A condition that is known decides.
pub(super) fn remove_static(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, then, otherwise) = parts(rw, op)?;
    let Some(condition) = rw.constant_int(condition) else { return rw.no_match("the condition is not constant") };
    match (condition.is_zero(), otherwise) {
        (false, _) => replace_by_block(rw, op, then, &[]),
        (true, Some(otherwise)) => replace_by_block(rw, op, otherwise, &[]),
        (true, None) => Ok(rw.erase(op)?),
    }
}

/// So many operations are little.
const LITTLE: usize = 256;

/// In the regions, the condition is known.
pub(super) fn propagate(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, ..) = parts(rw, op)?;
    if rw.constant(condition).is_some() {
        return rw.no_match("the condition is constant");
    }
    let regions = [region(rw, op, 1)?, region(rw, op, 0)?];
    rw.build_uses();
    let body = rw.body();
    // Where little is inside, looking there is quicker than looking at all uses.
    let mut inside = body.preorder_of(op).skip(1);
    if !inside.by_ref().take(LITTLE).any(|op| body.operands(op).contains(&condition)) && inside.next().is_none() {
        return rw.no_match("the condition is not used inside");
    }
    let outside = body.defining_region(condition);
    let up = |region: &RegionId| region_of(body, body.operation_of(*region)?);
    // Which of the regions holds an operation.
    let side = |op: OpId| {
        let around = std::iter::successors(region_of(body, op), up).take_while(|&region| Some(region) != outside);
        around.into_iter().find_map(|region| regions.iter().position(|&of| of == region))
    };
    let uses: Vec<_> =
        body.uses_of(condition).filter_map(|use_| Some((use_.op, use_.operand, side(use_.op)?))).collect();
    if uses.is_empty() {
        return rw.no_match("the condition is not used inside");
    }
    let mut constants = [None; 2];
    for (user, number, side) in uses {
        let constant = match constants[side] {
            Some(constant) => constant,
            None => *constants[side].insert(truth(rw, side == 1)?),
        };
        rw.set_operand(user, number, constant)?;
    }
    Ok(())
}

/// Doing nothing otherwise needs no region.
pub(super) fn remove_empty_else(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, _, otherwise) = parts(rw, op)?;
    if rw.body().result_count(op) > 0 || !otherwise.is_some_and(|block| only_ends(rw.body(), block)) {
        return rw.no_match("there are results, or something is done otherwise");
    }
    let by = create_like(rw, op, &[condition])?;
    let (from, to) = (region(rw, op, 0)?, region(rw, by, 0)?);
    rw.inline_region(from, to, None)?;
    rw.erase(op)?;
    Ok(())
}
