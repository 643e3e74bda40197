//! Canonicalisation of `scf.parallel`.

use super::bounds::{Bound, trip_count};
use super::*;

/// Operands and block of an `scf.parallel`: lower bounds, upper bounds and steps, as many as the block has arguments, and initial values.
struct Parallel {
    bounds: [Vec<Value>; 3],
    initial: Vec<Value>,
    block: BlockId,
    /// The `scf.reduce` that ends the block.
    end: OpId,
}

impl Parallel {
    fn of(rw: &Rewriter<'_>, op: OpId) -> Result<Self, NoMatch> {
        let ranges = rw.op(op).operand_ranges()?;
        let [lower, upper, step, initial] = &ranges[..] else {
            return Err(NoMatch::Reason("the loop has other operands"));
        };
        let operands = rw.body().operands(op);
        let group = |range: &std::ops::Range<usize>| operands.get(range.clone()).unwrap_or_default().to_vec();
        let block = block(rw, op, 0)?;
        let end = end(rw, block, "scf.reduce")?;
        let parallel =
            Parallel { bounds: [group(lower), group(upper), group(step)], initial: group(initial), block, end };
        let count = rw.body().arguments(block).len();
        match parallel.bounds.iter().all(|of| of.len() == count) {
            true => Ok(parallel),
            false => Err(NoMatch::Reason("the loop has other bounds than variables")),
        }
    }

    /// Makes an `scf.parallel` with these operands, and an empty block with as many variables.
    fn create(rw: &mut Rewriter<'_>, bounds: &[Vec<Value>; 3], initial: &[Value]) -> Result<(OpId, BlockId), NoMatch> {
        let [lower, upper, step] = bounds;
        let types = types_of(rw.body(), initial);
        let variables = types_of(rw.body(), lower);
        let groups = [&lower[..], upper, step, initial];
        let op = rw.build("scf.parallel").operand_groups(groups).result_types(types).regions(1).create()?;
        let region = region(rw, op, 0)?;
        Ok((op, rw.create_block(region, None, variables)?))
    }
}

/// A dimension with one iteration is none; a loop that has one with no iteration does nothing.
pub(super) fn drop_dimensions(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let parallel = Parallel::of(rw, op)?;
    let count = parallel.bounds[0].len();
    let mut kept = vec![true; count];
    for (at, kept) in kept.iter_mut().enumerate() {
        let [lower, upper, step] = [0, 1, 2].map(|of| Bound::Value(parallel.bounds[of][at]));
        let Some(trips) = trip_count(rw, &lower, &upper, &step, true)? else { continue };
        if trips.is_zero() {
            if parallel.initial.len() != rw.body().result_count(op) {
                return rw.no_match("there are not as many initial values as results");
            }
            rw.replace(op, parallel.initial)?;
            return Ok(());
        }
        *kept = !trips.is_one();
    }
    if !kept.contains(&false) {
        return rw.no_match("every dimension may have several iterations");
    }
    if !kept.contains(&true) {
        return execute_once(rw, op, parallel);
    }
    let bounds = parallel
        .bounds
        .each_ref()
        .map(|of| of.iter().zip(&kept).filter(|of| *of.1).map(|of| *of.0).collect::<Vec<Value>>());
    let (by, block) = Parallel::create(rw, &bounds, &parallel.initial)?;
    let mut left = rw.body().arguments(block).to_vec().into_iter();
    let lower = parallel.bounds[0].iter();
    let arguments: Vec<Value> =
        lower.zip(kept).map(|(&lower, kept)| if kept { left.next().unwrap_or(lower) } else { lower }).collect();
    rw.inline_block(parallel.block, block, None, &arguments)?;
    rw.replace_with(op, by)?;
    Ok(())
}

/// Does in place what a loop of one iteration does, and what its reductions do with that and the initial values.
fn execute_once(rw: &mut Rewriter<'_>, op: OpId, parallel: Parallel) -> Outcome {
    let around = parent_block(rw, op)?;
    let mut reductions = Vec::new();
    let operands = rw.body().operands(parallel.end).to_vec();
    for number in 0..rw.body().regions(parallel.end).len() {
        let block = block(rw, parallel.end, number)?;
        let last = end(rw, block, "scf.reduce.return")?;
        if rw.body().arguments(block).len() != 2 || rw.body().operands(last).len() != 1 {
            return rw.no_match("a reduction does not make one value of two");
        }
        reductions.push((block, last));
    }
    let counts = [operands.len(), parallel.initial.len(), rw.body().result_count(op)];
    if counts != [reductions.len(); 3] {
        return rw.no_match("there are not as many reductions as results");
    }
    rw.inline_block(parallel.block, around, Some(op), &parallel.bounds[0])?;
    let mut values = Vec::with_capacity(reductions.len());
    for (number, (block, last)) in reductions.into_iter().enumerate() {
        // What is reduced may have been a variable of the loop.
        let operand = rw.body().operands(parallel.end)[number];
        rw.inline_block(block, around, Some(op), &[parallel.initial[number], operand])?;
        values.push(rw.body().operands(last)[0]);
        rw.erase(last)?;
    }
    rw.replace(op, values)?;
    rw.erase(parallel.end)?;
    Ok(())
}

/// A loop that only executes another one has the dimensions of both.
pub(super) fn merge_nested(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let outer = Parallel::of(rw, op)?;
    let nested = rw.body().first_operation(outer.block);
    let nested = nested.filter(|&nested| rw.body().next_operation(nested) == Some(outer.end));
    let Some(nested) = nested.filter(|&nested| rw.op(nested).name() == "scf.parallel") else {
        return rw.no_match("it does something else than another loop");
    };
    let inner = Parallel::of(rw, nested)?;
    let variables = rw.body().arguments(outer.block);
    if inner.bounds.iter().flatten().any(|bound| variables.contains(bound)) {
        return rw.no_match("the bounds of the other loop depend on it");
    }
    if !outer.initial.is_empty() || !inner.initial.is_empty() {
        return rw.no_match("something is reduced");
    }
    let bounds = [0, 1, 2].map(|of| [&outer.bounds[of][..], &inner.bounds[of]].concat());
    let (by, block) = Parallel::create(rw, &bounds, &[])?;
    let (outside, inside) = {
        let variables = rw.body().arguments(block);
        let (outside, inside) = variables.split_at(outer.bounds[0].len());
        (outside.to_vec(), inside.to_vec())
    };
    rw.inline_block(inner.block, block, None, &inside)?;
    rw.erase(nested)?;
    rw.erase(outer.end)?;
    // What is left of the outer block are its variables.
    rw.inline_block(outer.block, block, None, &outside)?;
    rw.replace_with(op, by)?;
    Ok(())
}
