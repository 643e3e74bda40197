//! Blocks made, split, inlined and erased.

use super::{InsertionPoint, Rewriter};
use crate::body::{AttributeRef, BlockId, OpId, RegionId, TypeRef, Value};
use crate::error::{Error, ErrorCode, Result};
use crate::ods::Traits;

impl Rewriter<'_> {
    /// Makes a block with arguments of these types, whose location is unknown, before `before` or at the end of the region.
    ///
    /// The insertion point stays where it is.
    ///
    /// # Errors
    /// Where `before` is in another region, or the body has no such region.
    pub fn create_block<T: Into<TypeRef>>(
        &mut self,
        region: RegionId,
        before: Option<BlockId>,
        arguments: impl IntoIterator<Item = T>,
    ) -> Result<BlockId> {
        let block = self.body.create_block(region, before)?;
        for ty in arguments {
            self.body.add_argument(block, ty.into(), None);
        }
        self.tell_of_block(block, |listener, body, block| listener.block_created(body, block));
        Ok(block)
    }

    /// Gives a region of an operation one more block, with arguments of these types, and has `fill` make what is in it: with a rewriter
    /// whose insertion point is the end of the block, and with the arguments. Where the operation is isolated from above, its regions are
    /// in a body of their own, and the rewriter is that of this body: values from outside have no meaning there. What `fill` gives beside an
    /// error is not looked at, so that it may end in `create`.
    ///
    /// Where the definition names what ends its blocks, as that of `scf.for` does `scf.yield`, and `fill` leaves the block without an
    /// operation that ends it, that one is made: without operands, as text may leave it out.
    ///
    /// ```
    /// # use mlirbc_ir::{Context, Module, Type};
    /// # let context = Context::new();
    /// # let mut module = Module::new(&context);
    /// # module.build(|rw| {
    /// let either = rw.build("toy.either").regions(2).create()?;
    /// for region in 0..2 {
    ///     rw.fill::<Type, _>(either, region, [], |rw, _| rw.build("toy.yield").create())?;
    /// }
    /// # Ok(())
    /// # })?;
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where the operation has no such region, or an isolated one was not made by this rewriter; what `fill` gives: what it did until then
    /// is done.
    pub fn fill<T: Into<TypeRef>, R>(
        &mut self,
        op: OpId,
        region: usize,
        arguments: impl IntoIterator<Item = T>,
        fill: impl FnOnce(&mut Rewriter<'_>, &[Value]) -> Result<R>,
    ) -> Result<BlockId> {
        self.body.check_operation(op)?;
        let definition = self.context().definition(self.body.name(op));
        let implied = definition.and_then(|definition| definition.implicit_terminator.clone());
        let none = || Error::misuse(format!("the operation has no region {region}")).with_code(ErrorCode::NoSuchId);
        let at_end = |rw: &mut Rewriter<'_>, region| {
            let block = rw.create_block(region, None, arguments)?;
            rw.set_insertion_point_to_end(block)?;
            let arguments = rw.body().arguments(block).to_vec();
            fill(rw, &arguments)?;
            let goes_on = |op| rw.op(op).definition().is_some_and(|it| !it.traits.contains(Traits::TERMINATOR));
            if let Some(name) = implied.filter(|_| rw.body().last_operation(block).is_none_or(goes_on)) {
                rw.set_insertion_point_to_end(block)?;
                rw.build(name).create()?;
            }
            Ok(block)
        };
        if let Some(region) = self.body.regions(op).nth(region) {
            let point = self.point;
            let filled = at_end(self, region);
            self.point = point;
            self.check_point();
            return filled;
        }
        if region >= self.body.region_count_of(op) {
            return Err(none());
        }
        self.inside(op, |rw| at_end(rw, *rw.body().top_regions().get(region).ok_or_else(none)?))
    }

    /// Erases a block and all that is in it.
    ///
    /// # Errors
    /// Where an operation outside the block goes on to it or to a block in it, or uses a value that it, or something in it, defines.
    pub fn erase_block(&mut self, block: BlockId) -> Result<()> {
        let inside = self.body.check_erase_blocks(&[block])?;
        self.tell_erased(&inside);
        self.erase_blocks_told(&[block], &inside);
        Ok(())
    }

    /// Erases blocks with all that is in them, of which listeners have been told.
    pub(super) fn erase_blocks_told(&mut self, blocks: &[BlockId], inside: &[OpId]) {
        for &block in blocks {
            self.tell_of_block(block, |listener, body, block| listener.block_erased(body, block));
        }
        self.note_erased(inside);
        self.body.erase_blocks_checked(blocks, inside);
        self.check_point();
    }

    /// Splits the block before `op`: `op` and all after it move to a new block that follows. Arguments stay.
    ///
    /// # Errors
    /// Where `op` is detached.
    pub fn split_block(&mut self, op: OpId) -> Result<BlockId> {
        let block = self.attached(op)?;
        let new = self.body.split_block(op)?;
        // The end of the block is now that of the new one.
        if self.point == Some(InsertionPoint::End(block)) {
            self.point = Some(InsertionPoint::End(new));
        }
        self.tell_of_block(new, |listener, body, block| listener.block_created(body, block));
        self.tell_moved_in(new);
        Ok(new)
    }

    fn tell_moved_in(&mut self, block: BlockId) {
        if self.has_listeners() {
            // As in MLIR, the last of them moves first.
            let moved: Vec<OpId> = self.body.operations(block).collect();
            moved.into_iter().rev().for_each(|op| self.tell(op, |listener, op| listener.moved(op)));
        }
    }

    /// Moves the operations of `from` to before `before` in `block`, or to its end; puts `arguments` where the arguments of `from`
    /// were used; erases `from`.
    ///
    /// # Errors
    /// Where the number of `arguments` differs, one of them is an argument of `from`, something goes on to `from`, or `block` is inside
    /// `from`.
    pub fn inline_block(
        &mut self,
        from: BlockId,
        block: BlockId,
        before: Option<OpId>,
        arguments: &[Value],
    ) -> Result<()> {
        self.body.check_inline_block(from, block, before, arguments)?;
        let mut users: Vec<OpId> = Vec::new();
        let moved: Vec<OpId> = self.body.operations(from).collect();
        if self.has_listeners() {
            self.body.tables().build_uses();
            let own = self.body.arguments(from).iter();
            users.extend(own.flat_map(|&value| self.body.uses_of(value).map(|use_| use_.op)));
            users.dedup();
            self.tell_of_block(from, |listener, body, block| listener.block_erased(body, block));
        }
        if self.point == Some(InsertionPoint::End(from)) {
            self.point = Some(self.point_at(block, before));
        }
        self.body.inline_block(from, block, before, arguments)?;
        users.into_iter().for_each(|user| self.tell_modified(user));
        if self.has_listeners() {
            moved.into_iter().for_each(|op| self.tell(op, |listener, op| listener.moved(op)));
        }
        Ok(())
    }

    /// Moves every block of `from` to before `before` in `region`, or to its end.
    ///
    /// # Errors
    /// Where `region` is `from` or stands inside it, or `before` is in another region.
    pub fn inline_region(&mut self, from: RegionId, region: RegionId, before: Option<BlockId>) -> Result<()> {
        self.body.check_region(from)?;
        let blocks: Vec<BlockId> = self.body.blocks(from).collect();
        self.body.inline_region(from, region, before)?;
        for block in blocks {
            self.tell_of_block(block, |listener, body, block| listener.block_moved(body, block));
        }
        Ok(())
    }

    /// Gives the block one more argument, at the end; an absent location stands for unknown.
    ///
    /// # Errors
    /// Where the body has no such block.
    pub fn add_argument(
        &mut self,
        block: BlockId,
        ty: impl Into<TypeRef>,
        location: Option<AttributeRef>,
    ) -> Result<Value> {
        self.body.check_block(block)?;
        Ok(self.body.add_argument(block, ty.into(), location))
    }

    /// Takes an argument from the block.
    ///
    /// # Errors
    /// Where the block has no argument of that number, or it is used.
    pub fn erase_argument(&mut self, block: BlockId, number: usize) -> Result<()> {
        self.body.erase_argument(block, number)
    }

    /// Sets the location of a block's argument; absent stands for unknown.
    ///
    /// # Errors
    /// Where the block has no argument of that number.
    pub fn set_argument_location(
        &mut self,
        block: BlockId,
        number: usize,
        location: Option<AttributeRef>,
    ) -> Result<()> {
        self.body.set_argument_location(block, number, location)
    }

    /// Sends all that goes on to one block to another.
    ///
    /// # Errors
    /// Where one of them is none of the body's.
    pub fn replace_block_uses(&mut self, block: BlockId, by: BlockId) -> Result<()> {
        self.body.check_block(by)?;
        let uses = self.block_uses(block)?;
        if block != by {
            for (op, number) in uses {
                self.set_successor(op, number, by)?;
            }
        }
        Ok(())
    }
}
