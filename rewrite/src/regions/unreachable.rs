//! Blocks that nothing leads to.

use mlirbc_ir::{BlockId, OpId, Result, Rewriter};

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
            let dead: Vec<BlockId> = body.blocks(region).filter(|&block| !reached.has(block)).collect();
            erased |= !dead.is_empty();
            erase(rw, &dead)?;
        }
        Ok(())
    })?;
    Ok(erased)
}

/// Erases blocks that lead to each other, and nothing else does to them.
fn erase(rw: &mut Rewriter<'_>, blocks: &[BlockId]) -> Result<()> {
    // First they let go of each other.
    for &block in blocks {
        let body = rw.body();
        let inside: Vec<OpId> = body.operations(block).flat_map(|op| body.preorder_of(op)).collect();
        for op in inside {
            if !rw.body().operands(op).is_empty() {
                rw.set_operands(op, [])?;
            }
            if rw.body().block_of(op) == Some(block) {
                for number in 0..rw.body().successors(op).len() {
                    rw.set_successor(op, number, block)?;
                }
            }
        }
    }
    blocks.iter().try_for_each(|&block| rw.erase_block(block))
}
