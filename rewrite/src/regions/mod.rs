//! Regions made simpler: blocks that nothing goes on to, what is not looked at, and blocks that do the same
//! (`mlir/Transforms/RegionUtils.h`).

mod dead;
mod merge;
mod redundant;
mod unreachable;

use mlirbc_ir::interfaces::SuccessorOperands;
use mlirbc_ir::{BlockId, Body, RegionId, Result, Rewriter};

pub use dead::erase_dead;
pub use merge::merge_identical_blocks;
pub use redundant::drop_redundant_arguments;
pub use unreachable::erase_unreachable_blocks;

/// How much regions are simplified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Simplify {
    /// Not at all.
    Disabled,
    /// Blocks that nothing goes on to, and operations and arguments of blocks that are not looked at, are erased.
    #[default]
    Normal,
    /// As `Normal`. Then blocks that do the same become one, and arguments of blocks that are always the same value become that value.
    Aggressive,
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
    if how == Simplify::Aggressive {
        changed |= merge_identical_blocks(rw)?;
        changed |= drop_redundant_arguments(rw)?;
    }
    Ok(changed)
}

/// Calls `change` with each region of the body, those that hold others before these.
fn each_region(rw: &mut Rewriter<'_>, mut change: impl FnMut(&mut Rewriter<'_>, RegionId) -> Result<()>) -> Result<()> {
    let mut left: Vec<RegionId> = rw.body().top_regions().to_vec();
    while let Some(region) = left.pop() {
        change(rw, region)?;
        let body = rw.body();
        let ops = body.blocks(region).flat_map(|block| body.operations(block));
        left.extend(ops.filter(|&op| body.region_count_of(op) > 0).flat_map(|op| body.regions(op)));
    }
    Ok(())
}

/// Whether a branch hands each of its successors operands that no other one gets, so that it can hand over more or fewer.
fn have_own_operands(handed: &[Option<SuccessorOperands>]) -> bool {
    let mut met = hashbrown::HashSet::new();
    handed.iter().all(|handed| handed.as_ref().is_some_and(|handed| met.insert(handed.group)))
}

/// Whether some region of the body has more than one block.
fn have_several_blocks(body: &Body) -> bool {
    (0..body.block_count()).map(BlockId::from_index).any(|block| body.next_block(block).is_some())
}

/// Blocks of one body that were met, by number.
#[derive(Default)]
struct Met(Vec<bool>);

impl Met {
    fn of(body: &Body) -> Self {
        Met(vec![false; body.block_count()])
    }

    fn has(&self, block: BlockId) -> bool {
        self.0[block.index()]
    }

    /// Whether it was not met before.
    fn insert(&mut self, block: BlockId) -> bool {
        !std::mem::replace(&mut self.0[block.index()], true)
    }
}

/// Whether the region has one block.
fn has_one_block(body: &Body, region: RegionId) -> bool {
    body.first_block(region).is_some() && body.first_block(region) == body.last_block(region)
}

/// The blocks that the first one of the region leads to, that one included: each behind those that it goes on to, as far as these were
/// not met before.
fn post_order(body: &Body, region: RegionId, met: &mut Met) -> Vec<BlockId> {
    let Some(first) = body.first_block(region) else { return Vec::new() };
    let mut order = Vec::new();
    if has_one_block(body, region) {
        order.push(first);
        return order;
    }
    met.insert(first);
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
