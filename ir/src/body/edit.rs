//! Editing a body, for [`Rewriter`](crate::Rewriter), which is the door to all of it.
//!
//! What would leave the body broken (erasing a value that is used, inserting an operation into itself) is an error of the
//! family [`ErrorKind::Misuse`](crate::ErrorKind::Misuse), and nothing is changed. So are ids that are none of this body's,
//! as far as that can be told.
//!
//! The order of a value's uses is what it would be in MLIR after the same edits: an operand that is set comes to the front
//! of its value's list, and where operations stand makes no difference.

use hashbrown::HashSet;

use super::*;
use crate::error::{Error, ErrorCode, Result};

/// An operation and what is in it, each before what it holds.
pub(crate) enum Inside {
    /// It holds nothing, as most do.
    Alone(OpId),
    All(Vec<OpId>),
}

impl std::ops::Deref for Inside {
    type Target = [OpId];

    fn deref(&self) -> &[OpId] {
        match self {
            Inside::Alone(op) => std::slice::from_ref(op),
            Inside::All(ops) => ops,
        }
    }
}

impl Body {
    // Operations in blocks.

    fn check_detached(&self, op: OpId) -> Result<()> {
        self.check_operation(op)?;
        if self.block_of(op).is_some() {
            return Err(
                Error::misuse("the operation is in a block already: detach it first").with_code(ErrorCode::WrongPlace)
            );
        }
        Ok(())
    }

    /// Whether `op` may come into the block, before `before` or at its end.
    fn check_place(&self, op: OpId, block: BlockId, before: Option<OpId>) -> Result<()> {
        self.check_block(block)?;
        // Most operations hold nothing.
        if self.regions(op).len() > 0 && self.block_is_inside(block, op) {
            return Err(Error::misuse("an operation cannot stand inside itself").with_code(ErrorCode::WrongPlace));
        }
        self.check_before(block, before)
    }

    pub(super) fn check_before(&self, block: BlockId, before: Option<OpId>) -> Result<()> {
        let Some(before) = before else { return Ok(()) };
        self.check_operation(before)?;
        match self.block_of(before) == Some(block) {
            true => Ok(()),
            false => {
                Err(Error::misuse("the operation to stand before is in another block").with_code(ErrorCode::WrongPlace))
            }
        }
    }

    /// Whether the block stands, at any depth, inside the operation.
    pub(super) fn block_is_inside(&self, block: BlockId, op: OpId) -> bool {
        let parent_op = self.region_of(block).and_then(|region| self.operation_of(region));
        parent_op.is_some_and(|parent_op| self.is_inside(parent_op, op))
    }

    /// Puts an operation that is in no block into one.
    pub(super) fn link(&mut self, op: OpId, block: BlockId, before: Option<OpId>) {
        self.before_edit();
        // Uses stay where they are in their lists: with another operation first, that may be another order.
        self.forget_reference_order();
        let next = before;
        let previous = match before {
            Some(before) => self.previous_operation(before),
            None => self.last_operation(block),
        };
        self.link_between(op, previous, next);
        self.operations[op.index()].block = Some(block);
        let record = &mut self.blocks[block.index()];
        if previous.is_none() {
            record.first = Some(op);
        }
        if next.is_none() {
            record.last = Some(op);
        }
    }

    /// Puts an operation that was just made before another one.
    ///
    /// # Errors
    /// Where that is detached.
    pub(crate) fn put_before(&mut self, op: OpId, before: OpId) -> Result<()> {
        let block = self
            .block_of(before)
            .ok_or_else(|| Error::misuse("the place to insert at is detached").with_code(ErrorCode::WrongPlace))?;
        self.link(op, block, Some(before));
        Ok(())
    }

    /// Puts an operation that was just made at the end of a block.
    pub(crate) fn put_last(&mut self, op: OpId, block: BlockId) {
        self.link(op, block, None);
    }

    /// Puts a detached operation at the end of the block.
    ///
    /// # Errors
    /// As [`Body::insert`].
    pub(crate) fn append(&mut self, block: BlockId, op: OpId) -> Result<()> {
        self.insert(block, None, op)
    }

    /// Puts a detached operation before another one.
    ///
    /// # Errors
    /// As [`Body::insert`], and where `before` is detached.
    pub(crate) fn insert_before(&mut self, op: OpId, before: OpId) -> Result<()> {
        self.check_operation(before)?;
        let block = self
            .block_of(before)
            .ok_or_else(|| Error::misuse("the place to insert at is detached").with_code(ErrorCode::WrongPlace))?;
        self.insert(block, Some(before), op)
    }

    /// Puts a detached operation into the block, before `before`, or at the end.
    ///
    /// # Errors
    /// Where `op` is in a block already, the block is inside `op`, or `before` is in another block.
    pub(crate) fn insert(&mut self, block: BlockId, before: Option<OpId>, op: OpId) -> Result<()> {
        self.check_detached(op)?;
        self.check_place(op, block, before)?;
        self.link(op, block, before);
        Ok(())
    }

    /// Takes the operation out of its block; it keeps its operands, results and regions. Nothing where it is detached
    /// already.
    ///
    /// A detached operation is not written, but still uses its operands.
    pub(crate) fn detach(&mut self, op: OpId) {
        let Some(block) = self.block_of(op) else { return };
        self.before_edit();
        self.forget_place(op);
        let links = self.unlink_between(op);
        self.operations[op.index()].block = None;
        let record = &mut self.blocks[block.index()];
        if links.previous.is_none() {
            record.first = links.next;
        }
        if links.next.is_none() {
            record.last = links.previous;
        }
    }

    /// Whether the operation may be moved there.
    pub(crate) fn check_move(&self, op: OpId, block: BlockId, before: Option<OpId>) -> Result<()> {
        self.check_operation(op)?;
        self.check_place(op, block, before)
    }

    /// Moves an operation, detached or not, to before `before` in the block, or to its end.
    ///
    /// # Errors
    /// Where the block is inside `op`, or `before` is in another block.
    pub(crate) fn move_to(&mut self, op: OpId, block: BlockId, before: Option<OpId>) -> Result<()> {
        self.check_move(op, block, before)?;
        if before != Some(op) {
            self.detach(op);
            self.link(op, block, before);
        }
        Ok(())
    }

    /// All that is erased with the operation, each before what it holds. `replaced`: its results have no uses by then.
    ///
    /// # Errors
    /// Where a value that it or something in it defines is used by an operation that is not itself inside it, or a block in it is
    /// gone on to by one.
    pub(crate) fn check_erase(&mut self, op: OpId, replaced: bool) -> Result<Inside> {
        self.check_operation(op)?;
        let inside = match self.regions(op).len() {
            0 => Inside::Alone(op),
            _ => Inside::All(self.preorder_of(op).collect()),
        };
        self.check_unused_outside(&inside, &[], replaced)?;
        Ok(inside)
    }

    /// Erases an operation and all that is in it, of which [`Body::check_erase`] says that it can be.
    pub(crate) fn erase_checked(&mut self, op: OpId, inside: &[OpId]) {
        self.before_edit();
        self.detach(op);
        self.erase_all(inside);
    }

    /// Refuses where something beside `ops` uses a value that these, blocks in them, or `holders` define, or goes on to one of these
    /// blocks. `replaced`: whatever uses the results of the first.
    pub(super) fn check_unused_outside(&mut self, ops: &[OpId], holders: &[BlockId], replaced: bool) -> Result<()> {
        // Nearly always it is one alone. Even an empty set asks the hasher for a seed, which all threads have in common.
        let set: Option<HashSet<OpId>> = (ops.len() > 1).then(|| ops.iter().copied().collect());
        self.check_unused_by(ops, holders, replaced, |op| match &set {
            Some(set) => !set.contains(&op),
            None => Some(&op) != ops.first(),
        })
    }

    /// As [`Body::check_erase`], of several operations at once, which may use each other.
    pub(crate) fn check_erase_together(&mut self, ops: &[OpId]) -> Result<Vec<OpId>> {
        let mut is_erased = vec![false; self.operations.len()];
        let mut inside: Vec<OpId> = Vec::with_capacity(ops.len());
        for &op in ops {
            self.check_operation(op)?;
            let mut erase = |op: OpId| {
                if !std::mem::replace(&mut is_erased[op.index()], true) {
                    inside.push(op);
                }
            };
            match self.regions(op).len() {
                // Most operations hold nothing.
                0 => erase(op),
                _ => self.preorder_of(op).for_each(erase),
            }
        }
        self.check_unused_by(&inside, &[], false, |op| !is_erased[op.index()])?;
        Ok(inside)
    }

    /// Erases operations that are in no block, and those in them: all of what [`Body::check_erase_together`] says.
    pub(crate) fn erase_together_checked(&mut self, inside: &[OpId]) {
        self.before_edit();
        self.erase_all(inside);
    }

    fn check_unused_by(
        &mut self,
        ops: &[OpId],
        holders: &[BlockId],
        replaced: bool,
        is_outside: impl Fn(OpId) -> bool,
    ) -> Result<()> {
        self.build_uses();
        // Most bodies have no regions but those of the operation that owns them.
        let holders_of_blocks = if self.regions.len() > self.top_regions.len() { ops } else { &[] };
        let inner = holders_of_blocks.iter().flat_map(|&op| self.regions(op)).flat_map(|region| self.blocks(region));
        let blocks: Vec<BlockId> = holders.iter().copied().chain(inner).collect();
        let has_edges = !blocks.is_empty() && !self.seldom.successors.is_empty();
        if has_edges {
            self.build_block_uses();
        }
        if has_edges && blocks.iter().any(|&block| self.block_uses(block).any(|(op, _)| is_outside(op))) {
            return Err(
                Error::misuse("an operation still goes on to a block that would be erased").with_code(ErrorCode::InUse)
            );
        }
        let is_free = |value: Value| !self.uses_of(value).any(|use_| is_outside(use_.op));
        let all_free = blocks.iter().all(|&block| self.arguments(block).iter().all(|&value| is_free(value)))
            && ops.iter().all(|&op| replaced && Some(&op) == ops.first() || self.results(op).all(is_free));
        if all_free {
            Ok(())
        } else {
            Err(Error::misuse("a value that would be erased is still used").with_code(ErrorCode::InUse))
        }
    }

    /// Erases operations, of which the outermost are in no block: each with all that is in it.
    pub(super) fn erase_all(&mut self, ops: &[OpId]) {
        for &op in ops {
            self.unlink_uses(op);
            self.unlink_successors(op);
        }
        for &op in ops {
            let view = self.view(op);
            let (operands, results, regions) = (view.operand_range(), view.results(), view.regions());
            self.count_dead(1 + operands.len() + results.len());
            for value in results {
                self.values[value.index()].owner = Owner::NONE;
            }
            for region in regions {
                let blocks: Vec<BlockId> = self.blocks(region).collect();
                self.count_dead(1 + blocks.len());
                for block in blocks {
                    self.forget_arguments(block);
                    let record = &mut self.blocks[block.index()];
                    (record.region, record.first, record.last) = (None, None, None);
                }
                (self.regions[region.index()].first, self.regions[region.index()].last) = (None, None);
            }
        }
        for &op in ops {
            let record = &mut self.operations[op.index()];
            record.block = None;
            self.forget_links(op);
            self.mark_erased(op);
        }
    }

    /// Marks an operation as erased, in its tail; those that have none share one.
    fn mark_erased(&mut self, op: OpId) {
        let erased = Tail { erased: true, ..Tail::default() };
        match self.operations[op.index()].shape.tail() {
            Some(tail) => self.tails[tail.index()] = erased,
            None => {
                if self.tails.last().is_none_or(|last| !last.erased) {
                    self.tails.push(erased);
                }
                self.operations[op.index()].shape = Shape::in_tail(TailId::from_index(self.tails.len() - 1));
            }
        }
    }

    pub(super) fn forget_arguments(&mut self, block: BlockId) {
        // The value, and its place in the pool.
        self.count_dead(2 * self.blocks[block.index()].arguments.range().len());
        for at in self.blocks[block.index()].arguments.range() {
            self.values[self.arguments.values[at].index()].owner = Owner::NONE;
        }
        self.blocks[block.index()].arguments.count = 0;
    }

    // What an operation holds.

    /// Sets one operand.
    ///
    /// # Errors
    /// Where the operation has no operand of that number, or nothing in this body defines `value`.
    pub(crate) fn set_operand(&mut self, op: OpId, number: usize, value: Value) -> Result<()> {
        self.check_operation(op)?;
        self.check_value(value)?;
        let range = self.operand_range(op);
        if number >= range.len() {
            return Err(no_such("operand", range.len(), number));
        }
        self.before_edit();
        self.relink_use(range.start + number, value);
        Ok(())
    }

    /// Gives the operation other operands, in any number.
    ///
    /// # Errors
    /// Where nothing in this body defines one of them.
    pub(crate) fn set_operands(&mut self, op: OpId, operands: &[Value]) -> Result<()> {
        self.check_operation(op)?;
        operands.iter().try_for_each(|&value| self.check_value(value))?;
        self.put_operands(op, operands);
        Ok(())
    }

    /// Gives the operation operands that are known to be of this body.
    pub(super) fn put_operands(&mut self, op: OpId, operands: &[Value]) {
        self.before_edit();
        self.unlink_uses(op);
        let old = self.operand_range(op);
        let start = if operands.len() <= old.len() {
            self.operands[old.start..old.start + operands.len()].copy_from_slice(operands);
            self.count_dead(old.len() - operands.len());
            old.start
        } else {
            self.operands.extend_from_slice(operands);
            self.count_dead(old.len());
            self.operands.len() - operands.len()
        };
        self.operations[op.index()].operands = start as u32;
        self.set_counts(op, operands.len(), self.result_count(op));
        self.link_uses(op);
    }

    /// Puts `new` where `old` was an operand.
    ///
    /// # Errors
    /// As [`Body::replace_uses_if`].
    pub(crate) fn replace_uses(&mut self, old: Value, new: Value) -> Result<()> {
        self.replace_uses_if(old, new, |_| true)
    }

    /// Puts `new` where `old` was an operand and `wanted` says so. As in MLIR, the uses are visited in the order of the
    /// list, and each moves to the front of the other list. Those by detached operations are uses, too.
    ///
    /// # Errors
    /// Where nothing in this body defines one of the values.
    pub(crate) fn replace_uses_if(
        &mut self,
        old: Value,
        new: Value,
        mut wanted: impl FnMut(Use) -> bool,
    ) -> Result<()> {
        self.check_value(old)?;
        self.check_value(new)?;
        if old == new {
            return Ok(());
        }
        self.before_edit();
        let uses: Vec<Use> = self.uses_of(old).collect();
        for use_ in uses {
            if wanted(use_) {
                let slot = self.operand_range(use_.op).start + use_.operand;
                self.relink_use(slot, new);
            }
        }
        Ok(())
    }

    /// Sets the operation's discardable attributes: a dictionary, or none.
    pub(crate) fn set_attributes(&mut self, op: OpId, attributes: Option<AttributeRef>) {
        self.edited = true;
        self.operations[op.index()].attributes = attributes;
    }

    /// Sets the operation's properties: a dictionary, or none.
    pub(crate) fn set_properties(&mut self, op: OpId, properties: Option<AttributeRef>) {
        self.edited = true;
        self.operations[op.index()].properties = properties;
    }

    /// Sets the operation's location.
    pub(crate) fn set_location(&mut self, op: OpId, location: AttributeRef) {
        self.edited = true;
        self.operations[op.index()].location = location;
    }

    /// Gives all operations the location `unknown`, and arguments of blocks none.
    pub(crate) fn strip_locations(&mut self, unknown: AttributeRef) {
        self.edited = true;
        self.operations.iter_mut().for_each(|record| record.location = unknown);
        if let Some(arguments) = self.arguments.get_mut() {
            arguments.locations.fill(None);
        }
    }

    /// Renames the operation: its properties, which are a dictionary, are from now on those of an operation of the new name.
    pub(crate) fn set_name(&mut self, op: OpId, name: OperationName) {
        self.edited = true;
        self.operations[op.index()].name = name;
    }

    /// Sets the type of a value.
    pub(crate) fn set_type(&mut self, value: Value, ty: TypeRef) {
        self.edited = true;
        self.values[value.index()].ty = ty;
    }

    /// Sets one successor.
    ///
    /// # Errors
    /// Where the operation has no successor of that number, or `block` is none of this body's.
    pub(crate) fn set_successor(&mut self, op: OpId, number: usize, block: BlockId) -> Result<()> {
        self.check_operation(op)?;
        self.check_block(block)?;
        let count = self.successors(op).len();
        if number >= count {
            return Err(no_such("successor", count, number));
        }
        self.edited = true;
        let start = self.tail_mut(op).successors.start as usize;
        self.relink_successor(op, start + number, block);
        Ok(())
    }
}

/// `1 argument`, `2 arguments`.
pub(super) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cold]
pub(super) fn no_such(what: &str, number: usize, asked: usize) -> Error {
    Error::misuse(format!(
        "there is no {what} {asked}: there {} {}",
        if number == 1 { "is" } else { "are" },
        count(number, what)
    ))
    .with_code(ErrorCode::NoSuchId)
}
