//! Where operations are made.

use super::Rewriter;
use crate::body::{BlockId, OpId};
use crate::error::{Error, ErrorCode, Result};

/// Where a [`Rewriter`] puts the operations that it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InsertionPoint {
    /// Before an operation.
    Before(OpId),
    /// At the end of a block.
    End(BlockId),
}

impl Rewriter<'_> {
    /// Where operations are made; none where they are detached at first.
    ///
    /// An operation that the point stands before may be erased or moved: the point stays where it was, before the next one. Where
    /// the block is erased there is no point any more.
    pub fn insertion_point(&self) -> Option<InsertionPoint> {
        self.point
    }

    /// Sets where operations are made, such as to what [`Rewriter::insertion_point`] gave before.
    ///
    /// # Errors
    /// Where the operation is detached, or the body has no such operation or block any more.
    pub fn set_insertion_point(&mut self, point: Option<InsertionPoint>) -> Result<()> {
        match point {
            Some(InsertionPoint::Before(op)) => {
                self.attached(op)?;
            }
            Some(InsertionPoint::End(block)) => self.body.check_block(block)?,
            None => {}
        }
        self.point = point;
        Ok(())
    }

    /// From now on, operations are made before this one.
    ///
    /// # Errors
    /// Where it is detached, or the body has no such operation.
    pub fn set_insertion_point_before(&mut self, op: OpId) -> Result<()> {
        self.set_insertion_point(Some(InsertionPoint::Before(op)))
    }

    /// From now on, operations are made after this one, the first of them first.
    ///
    /// # Errors
    /// As [`Rewriter::set_insertion_point_before`].
    pub fn set_insertion_point_after(&mut self, op: OpId) -> Result<()> {
        let block = self.attached(op)?;
        self.point = Some(self.point_at(block, self.body.next_operation(op)));
        Ok(())
    }

    /// From now on, operations are made at the start of the block, before those that are there.
    ///
    /// # Errors
    /// Where the body has no such block.
    pub fn set_insertion_point_to_start(&mut self, block: BlockId) -> Result<()> {
        self.body.check_block(block)?;
        self.point = Some(self.point_at(block, self.body.first_operation(block)));
        Ok(())
    }

    /// From now on, operations are made at the end of the block.
    ///
    /// # Errors
    /// Where the body has no such block.
    pub fn set_insertion_point_to_end(&mut self, block: BlockId) -> Result<()> {
        self.set_insertion_point(Some(InsertionPoint::End(block)))
    }

    /// The block that operations are made in.
    pub fn insertion_block(&self) -> Option<BlockId> {
        match self.point? {
            InsertionPoint::Before(op) => self.body.block_of(op),
            InsertionPoint::End(block) => Some(block),
        }
    }

    pub(super) fn point_at(&self, block: BlockId, before: Option<OpId>) -> InsertionPoint {
        before.map_or(InsertionPoint::End(block), InsertionPoint::Before)
    }

    /// The block of the operation.
    pub(super) fn attached(&self, op: OpId) -> Result<BlockId> {
        self.body.check_operation(op)?;
        self.body
            .block_of(op)
            .ok_or_else(|| Error::misuse("the operation is in no block").with_code(ErrorCode::WrongPlace))
    }

    /// Before the operation leaves its place: keeps the insertion point there.
    pub(super) fn leave(&mut self, op: OpId) {
        if self.point == Some(InsertionPoint::Before(op)) {
            let block = self.body.block_of(op);
            self.point = block.map(|block| self.point_at(block, self.body.next_operation(op)));
        }
    }

    /// After something was erased: forgets an insertion point that was in it.
    pub(super) fn check_point(&mut self) {
        let is_there = match self.point {
            Some(InsertionPoint::Before(op)) => self.attached(op).is_ok(),
            Some(InsertionPoint::End(block)) => self.body.check_block(block).is_ok(),
            None => true,
        };
        if !is_there {
            self.point = None;
        }
    }
}
