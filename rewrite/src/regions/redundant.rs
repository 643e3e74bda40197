//! Arguments of blocks that are always the same value (`mlir/Transforms/RegionUtils.h`).

use hashbrown::HashMap;
use mlirbc_ir::interfaces::{SuccessorOperands, all_successor_operands};
use mlirbc_ir::{BlockId, OpId, Result, Rewriter, Value};

use super::{each_region, have_own_operands};
use crate::operands::erase_operands;

/// Erases arguments of blocks to which all branches hand the same value, which takes their place, in all regions of the body. Whether
/// there were any.
///
/// # Errors
/// Where something cannot be decoded.
pub fn drop_redundant_arguments(rw: &mut Rewriter<'_>) -> Result<bool> {
    rw.build_uses();
    let mut dropped = false;
    each_region(rw, |rw, region| {
        let blocks: Vec<BlockId> = rw.body().blocks(region).skip(1).collect();
        for block in blocks {
            dropped |= drop_arguments(rw, block)?;
        }
        Ok(())
    })?;
    Ok(dropped)
}

fn drop_arguments(rw: &mut Rewriter<'_>, block: BlockId) -> Result<bool> {
    let count = rw.body().arguments(block).len();
    if count == 0 {
        return Ok(false);
    }
    let mut known: HashMap<OpId, Vec<Option<SuccessorOperands>>> = HashMap::new();
    let mut edges: Vec<(OpId, SuccessorOperands)> = Vec::new();
    for (branch, successor) in rw.block_uses(block)? {
        if !known.contains_key(&branch) {
            let handed = all_successor_operands(rw.op(branch))?;
            if !have_own_operands(&handed) {
                return Ok(false);
            }
            known.insert(branch, handed);
        }
        let handed = known.get(&branch).and_then(|handed| handed.get(successor).cloned()).flatten();
        let Some(handed) = handed else { return Ok(false) };
        edges.push((branch, handed));
    }
    let mut dropped: Vec<usize> = Vec::new();
    for number in 0..count {
        if let Some(value) = common_value(rw, block, &edges, number) {
            let argument = rw.body().arguments(block)[number];
            rw.replace_uses(argument, value)?;
            dropped.push(number);
        }
    }
    // The operands that each branch no longer needs to pass.
    let mut operands: Vec<(OpId, Vec<usize>)> = Vec::new();
    let mut places: HashMap<OpId, usize> = HashMap::new();
    for (branch, handed) in edges {
        let place = *places.entry(branch).or_insert_with(|| {
            operands.push((branch, Vec::new()));
            operands.len() - 1
        });
        operands[place].1.extend(dropped.iter().map(|number| handed.forwarded.start + number - handed.produced));
    }
    for (branch, numbers) in operands {
        erase_operands(rw, branch, &numbers)?;
    }
    for &number in dropped.iter().rev() {
        rw.erase_argument(block, number)?;
    }
    Ok(!dropped.is_empty())
}

/// The value that all hand to the argument of that number.
fn common_value(
    rw: &Rewriter<'_>,
    block: BlockId,
    edges: &[(OpId, SuccessorOperands)],
    number: usize,
) -> Option<Value> {
    let body = rw.body();
    let mut values = edges.iter().map(|(branch, handed)| {
        let place = handed.forwarded.clone().nth(number.checked_sub(handed.produced)?)?;
        body.operands(*branch).get(place).copied()
    });
    let value = values.next()??;
    let is_own = body.defining_operation(value).is_none() && body.defining_block(value) == Some(block);
    (!is_own && values.all(|other| other == Some(value))).then_some(value)
}
