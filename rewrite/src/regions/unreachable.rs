//! Blocks that nothing leads to.

use hashbrown::HashSet;
use mlirbc_ir::{BlockId, OpId, Result, Rewriter};

use super::{each_region, has_one_block, post_order};

/// Erases the blocks that the first one of their region does not lead to, in all regions of the body. Whether there was any.
///
/// # Errors
/// None but those that say that the body was broken before.
pub fn erase_unreachable_blocks(rw: &mut Rewriter<'_>) -> Result<bool> {
    let mut erased = false;
    each_region(rw, |rw, region| {
        let body = rw.body();
        if !has_one_block(body, region) {
            let reached: HashSet<BlockId> = post_order(body, region).into_iter().collect();
            let dead: Vec<BlockId> = body.blocks(region).filter(|block| !reached.contains(block)).collect();
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
