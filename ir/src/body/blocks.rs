//! Editing blocks: see [`edit`](super::edit).

use super::edit::{count, no_such};
use super::*;
use crate::error::{Error, ErrorCode, Result};

impl Body {
    pub(super) fn check_block_before(&self, region: RegionId, before: Option<BlockId>) -> Result<()> {
        self.check_region(region)?;
        let Some(before) = before else { return Ok(()) };
        self.check_block(before)?;
        match self.region_of(before) == Some(region) {
            true => Ok(()),
            false => {
                Err(Error::misuse("the block to stand before is in another region").with_code(ErrorCode::WrongPlace))
            }
        }
    }

    /// Makes an empty block before `before`, or at the end of the region.
    ///
    /// # Errors
    /// Where `before` is in another region.
    pub(crate) fn create_block(&mut self, region: RegionId, before: Option<BlockId>) -> Result<BlockId> {
        self.check_block_before(region, before)?;
        Ok(self.make_block(region, before))
    }

    pub(super) fn make_block(&mut self, region: RegionId, before: Option<BlockId>) -> BlockId {
        self.edited = true;
        let block = BlockId::from_index(self.blocks.len()).of(self.tag);
        let start = self.arguments.values.len() as u32;
        self.blocks.push(Block {
            region: None,
            previous: None,
            next: None,
            first: None,
            last: None,
            arguments: Span { start, count: 0 },
        });
        self.link_block(block, region, before);
        block
    }

    fn link_block(&mut self, block: BlockId, region: RegionId, before: Option<BlockId>) {
        let previous = match before {
            Some(before) => self.previous_block(before),
            None => self.last_block(region),
        };
        let record = &mut self.blocks[block.index()];
        (record.region, record.previous, record.next) = (Some(region), previous, before);
        match previous {
            Some(previous) => self.blocks[previous.index()].next = Some(block),
            None => self.regions[region.index()].first = Some(block),
        }
        match before {
            Some(next) => self.blocks[next.index()].previous = Some(block),
            None => self.regions[region.index()].last = Some(block),
        }
    }

    fn unlink_block(&mut self, block: BlockId) {
        let record = &mut self.blocks[block.index()];
        let (previous, next) = (record.previous.take(), record.next.take());
        let Some(region) = record.region.take() else { return };
        match previous {
            Some(previous) => self.blocks[previous.index()].next = next,
            None => self.regions[region.index()].first = next,
        }
        match next {
            Some(next) => self.blocks[next.index()].previous = previous,
            None => self.regions[region.index()].last = previous,
        }
    }

    /// Gives the block one more argument, at the end.
    pub(crate) fn add_argument(&mut self, block: BlockId, ty: TypeRef, location: Option<AttributeRef>) -> Value {
        self.edited = true;
        let value = Value::from_index(self.values.len()).of(self.tag);
        self.values.push(ValueRecord { ty, owner: Owner::block(block) });
        let span = self.blocks[block.index()].arguments;
        // The pool is append-only: a list that does not end it moves to its end.
        if span.range().end != self.arguments.values.len() {
            self.count_dead(span.range().len());
            self.blocks[block.index()].arguments.start = self.arguments.values.len() as u32;
            self.arguments.values.extend_from_within(span.range());
            self.arguments.locations.extend_from_within(span.range());
        }
        self.arguments.values.push(value);
        self.arguments.locations.push(location);
        self.blocks[block.index()].arguments.count += 1;
        value
    }

    /// Sets the location of a block's argument; absent stands for unknown.
    ///
    /// # Errors
    /// Where the block has no argument of that number.
    pub(crate) fn set_argument_location(
        &mut self,
        block: BlockId,
        number: usize,
        location: Option<AttributeRef>,
    ) -> Result<()> {
        let at = self.argument_at(block, number)?;
        self.edited = true;
        self.arguments.locations[at] = location;
        Ok(())
    }

    /// Where the argument of that number stands in the pool.
    fn argument_at(&self, block: BlockId, number: usize) -> Result<usize> {
        self.check_block(block)?;
        let range = self.blocks[block.index()].arguments.range();
        if number < range.len() { Ok(range.start + number) } else { Err(no_such("argument", range.len(), number)) }
    }

    /// Takes an argument from the block.
    ///
    /// # Errors
    /// Where the block has no argument of that number, or it is used.
    pub(crate) fn erase_argument(&mut self, block: BlockId, number: usize) -> Result<()> {
        let at = self.argument_at(block, number)?;
        let value = self.arguments.values[at];
        if self.is_used(value) {
            return Err(Error::misuse("the argument is still used").with_code(ErrorCode::InUse));
        }
        self.edited = true;
        let end = self.blocks[block.index()].arguments.range().end;
        self.arguments.values.copy_within(at + 1..end, at);
        self.arguments.locations.copy_within(at + 1..end, at);
        self.blocks[block.index()].arguments.count -= 1;
        self.values[value.index()].owner = Owner::NONE;
        self.count_dead(2);
        Ok(())
    }

    /// All that is erased with the blocks, each before what it holds.
    ///
    /// # Errors
    /// Where an operation outside of them goes on to one or to a block in one, or uses a value that one, or something in one, defines.
    pub(crate) fn check_erase_blocks(&mut self, blocks: &[BlockId]) -> Result<Vec<OpId>> {
        blocks.iter().try_for_each(|&block| self.check_block(block))?;
        let own = blocks.iter().flat_map(|&block| self.operations(block));
        let inside: Vec<OpId> = own.flat_map(|op| self.preorder_of(op)).collect();
        self.check_unused_outside(&inside, blocks, false)?;
        Ok(inside)
    }

    /// Erases blocks and all that is in them, of which [`Body::check_erase_blocks`] says that it can be.
    pub(crate) fn erase_blocks_checked(&mut self, blocks: &[BlockId], inside: &[OpId]) {
        self.before_edit();
        self.erase_all(inside);
        blocks.iter().for_each(|&block| self.forget_block(block));
    }

    /// Takes away a block whose operations are gone.
    fn forget_block(&mut self, block: BlockId) {
        self.count_dead(1);
        self.forget_arguments(block);
        self.unlink_block(block);
        let record = &mut self.blocks[block.index()];
        (record.first, record.last) = (None, None);
    }

    /// Splits the block before `op`: `op` and all after it move to a new block that follows. Arguments stay.
    ///
    /// # Errors
    /// Where `op` is detached.
    pub(crate) fn split_block(&mut self, op: OpId) -> Result<BlockId> {
        self.check_operation(op)?;
        let block = self
            .block_of(op)
            .ok_or_else(|| Error::misuse("the place to split at is detached").with_code(ErrorCode::WrongPlace))?;
        let region =
            self.region_of(block).ok_or_else(|| Error::misuse("the block was erased").with_code(ErrorCode::Erased))?;
        let new = self.make_block(region, self.next_block(block));
        let previous = self.cut_before(op);
        let record = &mut self.blocks[block.index()];
        let last = std::mem::replace(&mut record.last, previous);
        if previous.is_none() {
            record.first = None;
        }
        (self.blocks[new.index()].first, self.blocks[new.index()].last) = (Some(op), last);
        let mut next = Some(op);
        while let Some(op) = next {
            // First, since it is told by its block.
            next = self.next_operation(op);
            self.operations[op.index()].block = Some(new);
        }
        Ok(new)
    }

    /// Moves the operations of `from` to before `before` in `block`, or to its end; puts `arguments` where the
    /// arguments of `from` were used; erases `from`.
    ///
    /// # Errors
    /// Where the number of `arguments` differs, one of them is an argument of `from`, something goes on to `from`, or `block`
    /// is inside `from`.
    pub(crate) fn inline_block(
        &mut self,
        from: BlockId,
        block: BlockId,
        before: Option<OpId>,
        arguments: &[Value],
    ) -> Result<()> {
        self.check_inline_block(from, block, before, arguments)?;
        let old = self.arguments(from).to_vec();
        let ops: Vec<OpId> = self.operations(from).collect();
        self.before_edit();
        for (&old, &new) in old.iter().zip(arguments) {
            self.replace_uses(old, new)?;
        }
        for op in ops {
            self.detach(op);
            self.link(op, block, before);
        }
        self.forget_block(from);
        Ok(())
    }

    /// Whether the block may be inlined there.
    pub(crate) fn check_inline_block(
        &mut self,
        from: BlockId,
        block: BlockId,
        before: Option<OpId>,
        arguments: &[Value],
    ) -> Result<()> {
        self.check_block(from)?;
        self.check_block(block)?;
        let old = self.arguments(from);
        if arguments.len() != old.len() {
            let message = format!("{} for the {} of the block", arguments.len(), count(old.len(), "argument"));
            return Err(Error::misuse(message));
        }
        arguments.iter().try_for_each(|&value| self.check_value(value))?;
        if arguments.iter().any(|value| old.contains(value)) {
            return Err(Error::misuse("an argument of the block cannot stand for one, since all of them are erased"));
        }
        if from == block {
            return Err(Error::misuse("a block cannot be inlined into itself"));
        }
        self.check_before(block, before)?;
        self.build_block_uses();
        if self.block_uses(from).next().is_some() {
            return Err(Error::misuse("an operation still goes on to the block").with_code(ErrorCode::InUse));
        }
        match self.operations(from).any(|op| self.block_is_inside(block, op)) {
            true => Err(Error::misuse("a block cannot stand inside itself").with_code(ErrorCode::WrongPlace)),
            false => Ok(()),
        }
    }

    /// Moves every block of `from` to before `before` in `region`, or to its end.
    ///
    /// # Errors
    /// Where `region` is `from` or stands inside it, or `before` is in another region.
    pub(crate) fn inline_region(&mut self, from: RegionId, region: RegionId, before: Option<BlockId>) -> Result<()> {
        self.check_region(from)?;
        self.check_block_before(region, before)?;
        let mut around = Some(region);
        while let Some(at) = around {
            if at == from {
                return Err(Error::misuse("a region cannot stand inside itself").with_code(ErrorCode::WrongPlace));
            }
            let op = self.operation_of(at);
            around = op.and_then(|op| self.block_of(op)).and_then(|block| self.region_of(block));
        }
        self.before_edit();
        self.forget_reference_order();
        let blocks: Vec<BlockId> = self.blocks(from).collect();
        for block in blocks {
            self.unlink_block(block);
            self.link_block(block, region, before);
        }
        Ok(())
    }

    /// Moves a block, with all that is in it, to before `before` in `region`, or to its end.
    ///
    /// # Errors
    /// Where the region stands inside the block, or `before` is in another region.
    pub(crate) fn move_block(&mut self, block: BlockId, region: RegionId, before: Option<BlockId>) -> Result<()> {
        self.check_block(block)?;
        self.check_block_before(region, before)?;
        if before == Some(block) {
            return Ok(());
        }
        let mut around = self.operation_of(region);
        while let Some(op) = around {
            if self.block_of(op) == Some(block) {
                return Err(Error::misuse("a block cannot stand inside itself").with_code(ErrorCode::WrongPlace));
            }
            around = self.parent(op);
        }
        self.before_edit();
        self.forget_reference_order();
        self.unlink_block(block);
        self.link_block(block, region, before);
        Ok(())
    }
}
