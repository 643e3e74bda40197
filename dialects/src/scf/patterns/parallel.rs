//! Canonicalisation of `scf.parallel`.

use super::*;
use crate::common::mixed::Mixed;
use crate::scf::bounds::trip_count;

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
        let bounds = parallel.bounds.each_ref().map(|of| Mixed::Value(of[at]));
        let Some(trips) = trip_count(rw.op(op), bounds, true)? else { continue };
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
    let mut map = ValueMap::default();
    let variables = rw.body().arguments(parallel.block).iter().zip(&parallel.bounds[0]).zip(kept);
    for ((&variable, &lower), kept) in variables {
        let by = if kept { left.next() } else { None };
        map.values.insert(variable, by.unwrap_or(lower));
    }
    rw.set_insertion_point_to_end(block)?;
    let ops: Vec<OpId> = rw.body().operations(parallel.block).collect();
    copy_all(rw, &ops, &mut map)?;
    rw.replace_with(op, by)?;
    Ok(())
}

/// Does in place what a loop of one iteration does, and what its reductions do with that and the initial values.
fn execute_once(rw: &mut Rewriter<'_>, op: OpId, parallel: Parallel) -> Outcome {
    let mut reductions = Vec::new();
    let operands = rw.body().operands(parallel.end).to_vec();
    for number in 0..rw.body().regions(parallel.end).len() {
        let block = block(rw, parallel.end, number)?;
        let last = end(rw, block, "scf.reduce.return")?;
        match (rw.body().arguments(block), rw.body().operands(last)) {
            (&[left, right], &[value]) => reductions.push((block, left, right, value)),
            _ => return rw.no_match("a reduction does not make one value of two"),
        }
    }
    let counts = [operands.len(), parallel.initial.len(), rw.body().result_count(op)];
    if counts != [reductions.len(); 3] {
        return rw.no_match("there are not as many reductions as results");
    }
    let mut map = ValueMap::default();
    let variables = rw.body().arguments(parallel.block).iter().copied();
    map.values.extend(variables.zip(parallel.bounds[0].iter().copied()));
    let ops = before_end(rw.body(), parallel.block);
    copy_all(rw, &ops, &mut map)?;
    let mut values = Vec::with_capacity(reductions.len());
    for (number, (block, left, right, value)) in reductions.into_iter().enumerate() {
        map.values.insert(left, parallel.initial[number]);
        map.values.insert(right, stands_for(&map, operands[number]));
        let ops = before_end(rw.body(), block);
        copy_all(rw, &ops, &mut map)?;
        values.push(stands_for(&map, value));
    }
    rw.replace(op, values)?;
    Ok(())
}

/// What a value is where its operation was copied.
fn stands_for(map: &ValueMap, value: Value) -> Value {
    map.values.get(&value).copied().unwrap_or(value)
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
    let variables = rw.body().arguments(block).to_vec();
    let old = rw.body().arguments(outer.block).iter().chain(rw.body().arguments(inner.block)).copied();
    let mut map = ValueMap::default();
    map.values.extend(old.zip(variables));
    rw.set_insertion_point_to_end(block)?;
    let ops = before_end(rw.body(), inner.block);
    copy_all(rw, &ops, &mut map)?;
    rw.build("scf.reduce").create()?;
    rw.replace_with(op, by)?;
    Ok(())
}
