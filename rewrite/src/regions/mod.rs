//! Regions made simpler: blocks that nothing goes on to, and what nobody looks at (`mlir/Transforms/RegionUtils.h`).

mod dead;
mod unreachable;

use mlirbc_ir::{BlockId, Body, RegionId, Result, Rewriter};

pub use dead::erase_dead;
pub use unreachable::erase_unreachable_blocks;

/// How much regions are simplified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Simplify {
    /// Not at all.
    Disabled,
    /// Blocks that nothing goes on to, and operations and arguments of blocks that nobody looks at, are erased.
    #[default]
    Normal,
}

/// Simplifies all regions of the body. Whether anything was erased.
///
/// # Errors
/// Where something cannot be decoded.
pub fn simplify(rw: &mut Rewriter<'_>, how: Simplify) -> Result<bool> {
    if how == Simplify::Disabled {
        return Ok(false);
    }
    let mut changed = erase_unreachable_blocks(rw)?;
    changed |= erase_dead(rw)?;
    Ok(changed)
}

/// Whether the region has one block.
fn has_one_block(body: &Body, region: RegionId) -> bool {
    body.first_block(region).is_some() && body.first_block(region) == body.last_block(region)
}

/// The blocks that the first one of the region leads to, that one included: each behind those that it goes on to, as far as these were
/// not met before.
pub(crate) fn post_order(body: &Body, region: RegionId) -> Vec<BlockId> {
    let Some(first) = body.first_block(region) else { return Vec::new() };
    let mut order = Vec::new();
    if has_one_block(body, region) {
        order.push(first);
        return order;
    }
    let mut met: hashbrown::HashSet<BlockId> = std::iter::once(first).collect();
    let successors = |block: BlockId| body.last_operation(block).map_or(&[][..], |last| body.successors(last));
    let mut path: Vec<(BlockId, usize)> = vec![(first, 0)];
    while let Some((block, next)) = path.last_mut() {
        match successors(*block).get(*next) {
            Some(&successor) => {
                *next += 1;
                if met.insert(successor) {
                    path.push((successor, 0));
                }
            }
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order
}
