//! Blocks that nothing leads to.

use mlirbc_ir::{BlockId, OpId, Result, Rewriter, Value};

use crate::dialect::kept_blocks;

use super::{Met, each_region, has_one_block, have_several_blocks, post_order};

/// Erases the blocks that the first one of their region does not lead to, in all regions of the body. Whether there was any.
///
/// # Errors
/// None but those that say that the body was broken before.
pub fn erase_unreachable_blocks(rw: &mut Rewriter<'_>) -> Result<bool> {
    if !have_several_blocks(rw.body()) {
        return Ok(false);
    }
    let mut erased = false;
    let mut reached = Met::of(rw.body());
    each_region(rw, |rw, region| {
        let body = rw.body();
        if !has_one_block(body, region) {
            post_order(body, region, &mut reached);
            let mut dead: Vec<BlockId> = body.blocks(region).filter(|&block| !reached.has(block)).collect();
            let mut kept = Vec::new();
            if !dead.is_empty()
                && let Some(op) = body.operation_of(region)
            {
                kept = kept_blocks(rw.op(op))?.unwrap_or_default();
                kept.retain(|(block, _)| dead.contains(block));
                dead.retain(|&block| kept.iter().all(|(kept, _)| *kept != block));
            }
            erased |= !dead.is_empty();
            erase(rw, &dead)?;
            for (block, operands) in kept {
                erased |= empty(rw, block, &operands)?;
            }
        }
        Ok(())
    })?;
    Ok(erased)
}

/// Erases all in a block but its last operation, which takes other operands. Whether there was something to do.
fn empty(rw: &mut Rewriter<'_>, block: BlockId, operands: &[Value]) -> Result<bool> {
    let Some(last) = rw.body().last_operation(block) else { return Ok(false) };
    let rest: Vec<OpId> = rw.body().operations(block).filter(|&op| op != last).collect();
    if rest.is_empty() && rw.body().operands(last) == operands {
        return Ok(false);
    }
    rw.set_operands(last, operands)?;
    let_go(rw, &rest)?;
    rest.into_iter().rev().try_for_each(|op| rw.erase(op))?;
    Ok(true)
}

/// Takes the operands of operations, and of all inside of them, away.
fn let_go(rw: &mut Rewriter<'_>, ops: &[OpId]) -> Result<()> {
    let inside: Vec<OpId> = ops.iter().flat_map(|&op| rw.body().preorder_of(op)).collect();
    for op in inside {
        if !rw.body().operands(op).is_empty() {
            rw.set_operands(op, [])?;
        }
    }
    Ok(())
}

/// Erases blocks that lead to each other, and nothing else does to them.
fn erase(rw: &mut Rewriter<'_>, blocks: &[BlockId]) -> Result<()> {
    // First they let go of each other.
    for &block in blocks {
        let body = rw.body();
        let inside: Vec<OpId> = body.operations(block).collect();
        let_go(rw, &inside)?;
        for op in inside {
            if rw.body().block_of(op) == Some(block) {
                for number in 0..rw.body().successors(op).len() {
                    rw.set_successor(op, number, block)?;
                }
            }
        }
    }
    blocks.iter().try_for_each(|&block| rw.erase_block(block))
}
