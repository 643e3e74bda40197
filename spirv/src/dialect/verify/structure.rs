//! Structured control flow.

use mlirbc_ir::{BlockId, Body, BodyId, OpId, OpRef, Result};

use super::{need, numbers, wrong};

/// The region of a construct.
struct Construct<'m> {
    op: OpRef<'m>,
    id: BodyId,
    body: &'m Body,
    blocks: Vec<BlockId>,
}

impl<'m> Construct<'m> {
    fn of(op: OpRef<'m>) -> Result<Self> {
        let (id, body, regions) = op.region_tree()?;
        let blocks = regions.first().map(|&region| body.blocks(region).collect()).unwrap_or_default();
        Ok(Construct { op, id, body, blocks })
    }

    fn is(&self, op: OpId, name: &str) -> Result<bool> {
        Ok(self.op.module().operation(self.id, op)?.is(name))
    }

    /// Whether the block holds this operation and nothing else.
    fn holds_only(&self, block: BlockId, name: &str) -> Result<bool> {
        let (first, last) = (self.body.first_operation(block), self.body.last_operation(block));
        match (first, last) {
            (Some(first), Some(last)) if first == last => self.is(first, name),
            _ => Ok(false),
        }
    }

    /// Checks that the last block is the merge block, and the only one.
    fn merge(&self) -> Result<()> {
        let Some((&merge, others)) = self.blocks.split_last() else { return Ok(()) };
        need(self.holds_merge(merge)?, "last block must be the merge block with only one 'spirv.mlir.merge' op")?;
        for &block in others {
            if let Some(last) = self.body.last_operation(block) {
                let is_merge = self.is(last, "spirv.mlir.merge")?;
                need(!is_merge, "should not have 'spirv.mlir.merge' op outside the merge block")?;
            }
        }
        Ok(())
    }

    fn holds_merge(&self, block: BlockId) -> Result<bool> {
        self.holds_only(block, "spirv.mlir.merge")
    }

    /// Where the last operation of a block goes.
    fn successors(&self, block: BlockId) -> &[BlockId] {
        self.body.last_operation(block).map_or(&[], |last| self.body.successors(last))
    }
}

pub(super) fn selection(op: OpRef<'_>) -> Result<()> {
    let construct = Construct::of(op)?;
    if construct.blocks.is_empty() {
        return Ok(());
    }
    construct.merge()?;
    need(construct.blocks.len() >= 2, "must have a selection header block")
}

pub(super) fn loop_op(op: OpRef<'_>) -> Result<()> {
    let construct = Construct::of(op)?;
    if construct.blocks.is_empty() {
        return Ok(());
    }
    construct.merge()?;
    let [entry, header, .., continue_block, _] = *construct.blocks.as_slice() else {
        // Entry, header, and a continue target that is another block: a header that continues itself is not MLIR's.
        return Err(wrong("must have a loop header block branched from the entry block, and a loop continue block"));
    };
    need(
        construct.holds_only(entry, "spirv.Branch")? && construct.successors(entry) == [header],
        "entry block must only have one 'spirv.Branch' op to the second block",
    )?;
    for &block in &construct.blocks {
        let back = construct.successors(block).contains(&header);
        if block == continue_block {
            need(back, "second to last block must be the loop continue block that branches to the loop header block")?;
        } else if block != entry {
            need(!back, "can only have the entry and loop continue block branching to the loop header block")?;
        }
    }
    Ok(())
}

pub(super) fn branch_conditional(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    let Some(weights) = op.attribute("branch_weights")? else { return Ok(()) };
    let Some(weights) = numbers(context, weights) else { return Ok(()) };
    need(weights.len() == 2, "must have exactly two branch weights")?;
    need(weights != [0, 0], "branch weights cannot both be zero")
}

pub(super) fn switch(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    let literals = match op.attribute("literals")? {
        None => 0,
        Some(literals) => match &context[literals] {
            mlirbc_ir::AttributeData::DenseElements { ty, .. } => {
                context[*ty].element_count().and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX)
            }
            _ => return Ok(()),
        },
    };
    let targets = op.body().successors(op.id()).len().saturating_sub(1);
    need(literals == targets, &format!("number of literals ({literals}) should match number of targets ({targets})"))
}
