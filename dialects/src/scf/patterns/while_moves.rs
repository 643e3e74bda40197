//! What an `scf.while` does before its condition, and need not.

use std::collections::{HashMap, HashSet};

use super::while_loop::While;
use super::*;

/// Where all arguments of the block before the condition are handed on, in another order, they are handed on in theirs.
pub(super) fn align_arguments(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let parts = While::of(rw, op)?;
    let arguments = rw.body().arguments(parts.before).to_vec();
    if arguments == parts.handed {
        return rw.no_match("they are in order");
    }
    let places: HashMap<Value, usize> = arguments.iter().enumerate().map(|(place, &value)| (value, place)).collect();
    let to: Option<Vec<usize>> = parts.handed.iter().map(|value| places.get(value).copied()).collect();
    let distinct: HashSet<Value> = parts.handed.iter().copied().collect();
    let Some(to) = to.filter(|_| distinct.len() == parts.handed.len() && arguments.len() == parts.handed.len()) else {
        return rw.no_match("something else is handed on");
    };
    let types = types_of(rw.body(), &arguments);
    let initial = rw.body().operands(op).to_vec();
    let by = rw.build("scf.while").operands(initial).result_types(types.clone()).regions(2).create()?;
    let location = rw.body().location(parts.end);
    rw.set_insertion_point_before(parts.end)?;
    let operands: Vec<Value> = std::iter::once(parts.condition).chain(arguments).collect();
    let end = rw.build("scf.condition").operands(operands).at(location).create()?;
    rw.replace_with(parts.end, end)?;
    let (from, into) = (region(rw, op, 0)?, region(rw, by, 0)?);
    rw.inline_region(from, into, None)?;
    let after = region(rw, by, 1)?;
    let after = rw.create_block(after, None, types)?;
    let taken: Vec<Value> = to.iter().map(|&to| rw.body().arguments(after)[to]).collect();
    rw.inline_block(parts.after, after, None, &taken)?;
    let results: Vec<Value> = rw.body().results(by).collect();
    rw.replace(op, to.iter().map(|&to| results[to]).collect::<Vec<_>>())?;
    Ok(())
}

/// What is only done where the condition holds, directly before it, can be done after it.
pub(super) fn move_if_down(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let parts = While::of(rw, op)?;
    let branch = rw.body().previous_operation(parts.end).filter(|&branch| rw.op(branch).name() == "scf.if");
    let Some(branch) = branch else { return rw.no_match("no `scf.if` stands directly before the condition") };
    let (condition, then, otherwise) = super::conditions::parts(rw, branch)?;
    if condition != parts.condition || otherwise.is_some_and(|block| !only_ends(rw.body(), block)) {
        return rw.no_match("it decides something else, or does something otherwise");
    }
    let (then_end, truly) = yielded(rw, branch, then)?;
    let falsely =
        otherwise.map(|block| yielded(rw, branch, block)).transpose()?.map_or(Vec::new(), |(_, values)| values);
    let results: Vec<Value> = rw.body().results(branch).collect();
    rw.build_uses();
    let is_only_handed = |&result: &Value| rw.body().uses_of(result).all(|use_| use_.op == parts.end);
    if falsely.len() != truly.len() || !results.iter().all(is_only_handed) {
        return rw.no_match("what it gives is used by something else");
    }
    let needed = used_in(rw, then, rw.body().region_of(parts.before));

    for (&result, &value) in results.iter().zip(&falsely) {
        rw.replace_uses(result, value)?;
    }
    let location = rw.body().location(op);
    let added = types_of(rw.body(), &needed);
    let mut types = result_types(rw.body(), op);
    let count = types.len();
    types.extend(added.iter().copied());
    let initial = rw.body().operands(op).to_vec();
    let by = rw.build("scf.while").operands(initial).result_types(types).regions(2).create()?;
    for number in [0, 1] {
        let (from, to) = (region(rw, op, number)?, region(rw, by, number)?);
        rw.inline_region(from, to, None)?;
    }
    let handed = [rw.body().operands(parts.end), &needed[..]].concat();
    rw.set_operands(parts.end, handed)?;
    let inside = rw.body().region_of(then);
    let mut moved: HashMap<Value, Value> = HashMap::new();
    for (value, ty) in needed.into_iter().zip(added) {
        let argument = rw.add_argument(parts.after, ty, Some(location))?;
        moved.insert(value, argument);
        rw.replace_uses_if(value, argument, |body, use_| {
            region_of(body, use_.op).zip(inside).is_some_and(|(holder, inside)| is_within(body, holder, inside))
        })?;
    }
    for (handed, &taken) in parts.handed.iter().zip(&parts.taken) {
        if let Some(at) = results.iter().position(|result| result == handed) {
            rw.replace_uses(taken, moved.get(&truly[at]).copied().unwrap_or(truly[at]))?;
        }
    }
    rw.erase(then_end)?;
    let first = rw.body().first_operation(parts.after);
    rw.inline_block(then, parts.after, first, &[])?;
    rw.erase(branch)?;
    let results: Vec<Value> = rw.body().results(by).take(count).collect();
    rw.replace(op, results)?;
    Ok(())
}

/// The values of that region that are used in a block, also further inside, each once: what an operation holds goes before itself.
fn used_in(rw: &Rewriter<'_>, block: BlockId, of: Option<RegionId>) -> Vec<Value> {
    let body = rw.body();
    let mut used = Vec::new();
    let mut met = HashSet::new();
    // Operations, and whether what they hold was visited.
    let operations = |block| body.operations(block).map(|op| (op, false)).collect::<Vec<_>>().into_iter().rev();
    let mut left: Vec<(OpId, bool)> = operations(block).collect();
    while let Some((op, done)) = left.pop() {
        if !done && body.region_count_of(op) > 0 {
            left.push((op, true));
            let blocks: Vec<BlockId> = body.regions(op).flat_map(|region| body.blocks(region)).collect();
            left.extend(blocks.into_iter().rev().flat_map(operations));
            continue;
        }
        let own = |value: &Value| body.defining_region(*value) == of;
        used.extend(body.operands(op).iter().copied().filter(own).filter(|&value| met.insert(value)));
    }
    used
}
