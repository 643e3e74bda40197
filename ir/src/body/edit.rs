//! Editing a body.
//!
//! What would leave the body broken (erasing a value that is used, inserting an operation into itself) is an error of the
//! family [`ErrorKind::Misuse`](crate::ErrorKind::Misuse), and nothing is changed.

use super::*;
use crate::error::{Error, Result};

impl Body {
    // Operations in blocks.

    fn check_detached(&self, op: OpId) -> Result<()> {
        if self.is_erased(op) {
            return Err(Error::misuse("the operation was erased"));
        }
        if self.block_of(op).is_some() {
            return Err(Error::misuse("the operation is in a block already: detach it first"));
        }
        Ok(())
    }

    /// Whether the block stands, at any depth, inside the operation.
    fn block_is_inside(&self, block: BlockId, op: OpId) -> bool {
        let holder = self.region_of(block).and_then(|region| self.operation_of(region));
        holder.is_some_and(|holder| self.is_inside(holder, op))
    }

    fn link(&mut self, op: OpId, block: BlockId, previous: Option<OpId>, next: Option<OpId>) {
        self.edited = true;
        let record = &mut self.operations[op.index()];
        (record.block, record.previous, record.next) = (Some(block), previous, next);
        match previous {
            Some(previous) => self.operations[previous.index()].next = Some(op),
            None => self.blocks[block.index()].first = Some(op),
        }
        match next {
            Some(next) => self.operations[next.index()].previous = Some(op),
            None => self.blocks[block.index()].last = Some(op),
        }
    }

    /// Puts a detached operation at the end of the block.
    pub fn append(&mut self, block: BlockId, op: OpId) -> Result<()> {
        self.insert(block, None, op)
    }

    /// Puts a detached operation before another one.
    pub fn insert_before(&mut self, op: OpId, before: OpId) -> Result<()> {
        let block = self.block_of(before).ok_or_else(|| Error::misuse("the place to insert at is detached"))?;
        self.insert(block, Some(before), op)
    }

    /// Puts a detached operation into the block, before `before`, or at the end.
    pub fn insert(&mut self, block: BlockId, before: Option<OpId>, op: OpId) -> Result<()> {
        self.check_detached(op)?;
        if self.block_is_inside(block, op) {
            return Err(Error::misuse("an operation cannot stand inside itself"));
        }
        if before.is_some_and(|before| self.block_of(before) != Some(block)) {
            return Err(Error::misuse("the place to insert at is in another block"));
        }
        let previous = match before {
            Some(before) => self.previous_operation(before),
            None => self.last_operation(block),
        };
        self.link(op, block, previous, before);
        Ok(())
    }

    /// Takes the operation out of its block; it keeps its operands, results and regions.
    pub fn detach(&mut self, op: OpId) {
        let record = &mut self.operations[op.index()];
        let (previous, next) = (record.previous.take(), record.next.take());
        let Some(block) = record.block.take() else { return };
        self.edited = true;
        match previous {
            Some(previous) => self.operations[previous.index()].next = next,
            None => self.blocks[block.index()].first = next,
        }
        match next {
            Some(next) => self.operations[next.index()].previous = previous,
            None => self.blocks[block.index()].last = previous,
        }
    }

    /// Moves an operation to before `before` in the block, or to its end.
    pub fn move_to(&mut self, op: OpId, block: BlockId, before: Option<OpId>) -> Result<()> {
        if before == Some(op) {
            return Ok(());
        }
        if self.is_erased(op) {
            return Err(Error::misuse("the operation was erased"));
        }
        if self.block_is_inside(block, op) {
            return Err(Error::misuse("an operation cannot stand inside itself"));
        }
        if before.is_some_and(|before| self.block_of(before) != Some(block)) {
            return Err(Error::misuse("the place to move to is in another block"));
        }
        // With stored orders, moving changes which use comes first: the lists must exist before.
        self.before_operand_edit();
        self.detach(op);
        self.insert(block, before, op)?;
        if let Some(uses) = &mut self.uses {
            uses.forget_reference_order();
        }
        Ok(())
    }

    /// Erases the operation and all that is in it.
    ///
    /// # Errors
    /// Where one of its results is used by an operation that is not itself inside it.
    pub fn erase(&mut self, op: OpId) -> Result<()> {
        if self.is_erased(op) {
            return Err(Error::misuse("the operation was erased before"));
        }
        self.build_uses();
        let used_outside = self.results(op).any(|value| self.uses_of(value).any(|use_| !self.is_inside(use_.op, op)));
        if used_outside {
            return Err(Error::misuse("a result of the operation is still used"));
        }
        self.before_operand_edit();
        self.detach(op);
        let inside: Vec<OpId> = self.preorder_of(op).collect();
        for &op in &inside {
            self.unlink_uses(op);
        }
        for &op in &inside {
            for value in self.results(op) {
                self.values[value.index()].owner = Owner::NONE;
            }
            for region in self.regions(op) {
                let blocks: Vec<BlockId> = self.blocks(region).collect();
                for block in blocks {
                    self.forget_arguments(block);
                    self.blocks[block.index()].region = None;
                }
                (self.regions[region.index()].first, self.regions[region.index()].last) = (None, None);
            }
        }
        for &op in &inside {
            let record = &mut self.operations[op.index()];
            (record.operand_count, record.result_count) = (0, 0);
            (record.block, record.previous, record.next) = (None, None, None);
            *self.tail_mut(op) = Tail { erased: true, ..Tail::default() };
        }
        Ok(())
    }

    fn forget_arguments(&mut self, block: BlockId) {
        for at in self.blocks[block.index()].arguments.range() {
            self.values[self.arguments[at].index()].owner = Owner::NONE;
        }
        self.blocks[block.index()].arguments.count = 0;
    }

    // What an operation holds.

    /// Sets one operand.
    ///
    /// # Errors
    /// Where the operation has no operand of that number.
    pub fn set_operand(&mut self, op: OpId, number: usize, value: Value) -> Result<()> {
        let range = self.operand_range(op);
        if number >= range.len() {
            return Err(Error::misuse(format!(
                "the operation has {}, not {}",
                Error::counted(range.len(), "operand"),
                number + 1
            )));
        }
        self.before_operand_edit();
        self.relink_use(range.start + number, value);
        Ok(())
    }

    /// Gives the operation other operands, in any number.
    pub fn set_operands(&mut self, op: OpId, operands: &[Value]) {
        self.before_operand_edit();
        self.unlink_uses(op);
        let old = self.operand_range(op);
        let start = if operands.len() <= old.len() {
            self.operands[old.start..old.start + operands.len()].copy_from_slice(operands);
            old.start
        } else {
            self.operands.extend_from_slice(operands);
            self.operands.len() - operands.len()
        };
        self.operations[op.index()].operands = start as u32;
        if operands.len() >= MANY.into() || self.operations[op.index()].result_count == MANY {
            self.tail_mut(op).operand_count = operands.len() as u32;
        }
        self.operations[op.index()].operand_count = operands.len().min(MANY.into()) as u16;
        self.link_uses(op);
    }

    /// Puts `new` where `old` was an operand.
    pub fn replace_uses(&mut self, old: Value, new: Value) {
        self.replace_uses_if(old, new, |_| true);
    }

    /// Puts `new` where `old` was an operand and `wanted` says so. As in MLIR, the uses are visited in the order of the
    /// list, and each moves to the front of the other list.
    pub fn replace_uses_if(&mut self, old: Value, new: Value, mut wanted: impl FnMut(Use) -> bool) {
        if old == new {
            return;
        }
        self.before_operand_edit();
        self.build_uses();
        let uses: Vec<Use> = self.uses_of(old).collect();
        for use_ in uses {
            if wanted(use_) {
                let slot = self.operand_range(use_.op).start + use_.operand;
                self.relink_use(slot, new);
            }
        }
    }

    /// Sets the operation's discardable attributes: a dictionary, or none.
    pub fn set_attributes(&mut self, op: OpId, attributes: Option<AttributeRef>) {
        self.edited = true;
        self.operations[op.index()].attributes = attributes;
    }

    /// Sets the operation's properties: a dictionary, or none.
    pub fn set_properties(&mut self, op: OpId, properties: Option<AttributeRef>) {
        self.edited = true;
        self.operations[op.index()].properties = properties;
    }

    /// Sets the operation's location.
    pub fn set_location(&mut self, op: OpId, location: AttributeRef) {
        self.edited = true;
        self.operations[op.index()].location = location;
    }

    /// Gives all operations the location `unknown`, and arguments of blocks none.
    pub(crate) fn strip_locations(&mut self, unknown: AttributeRef) {
        self.edited = true;
        self.operations.iter_mut().for_each(|record| record.location = unknown);
        self.argument_locations.fill(None);
    }

    /// Renames the operation.
    pub fn set_name(&mut self, op: OpId, name: OperationName) {
        self.edited = true;
        self.operations[op.index()].name = name;
    }

    /// Sets the type of a value.
    pub fn set_type(&mut self, value: Value, ty: TypeRef) {
        self.edited = true;
        self.values[value.index()].ty = ty;
    }

    /// Sets the location of a block's argument; absent stands for unknown.
    pub fn set_argument_location(
        &mut self,
        block: BlockId,
        number: usize,
        location: Option<AttributeRef>,
    ) -> Result<()> {
        self.edited = true;
        let range = self.blocks[block.index()].arguments.range();
        if number >= range.len() {
            return Err(Error::misuse(format!("the block has {}", Error::counted(range.len(), "argument"))));
        }
        self.argument_locations[range.start + number] = location;
        Ok(())
    }

    /// Sets one successor.
    pub fn set_successor(&mut self, op: OpId, number: usize, block: BlockId) -> Result<()> {
        self.edited = true;
        let span = self.tail_mut(op).successors;
        if number >= span.count as usize {
            return Err(Error::misuse(format!("the operation has {}", Error::counted(span.count, "successor"))));
        }
        self.successors[span.start as usize + number] = block;
        Ok(())
    }

    // Blocks.

    /// Makes an empty block before `before`, or at the end of the region.
    pub fn create_block(&mut self, region: RegionId, before: Option<BlockId>) -> Result<BlockId> {
        if before.is_some_and(|before| self.region_of(before) != Some(region)) {
            return Err(Error::misuse("the place to insert at is in another region"));
        }
        self.edited = true;
        let block = BlockId::from_index(self.blocks.len());
        let start = self.arguments.len() as u32;
        self.blocks.push(Block {
            region: None,
            previous: None,
            next: None,
            first: None,
            last: None,
            arguments: Span { start, count: 0 },
        });
        self.link_block(block, region, before);
        Ok(block)
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
    pub fn add_argument(&mut self, block: BlockId, ty: TypeRef, location: Option<AttributeRef>) -> Value {
        self.edited = true;
        let value = Value::from_index(self.values.len());
        self.values.push(ValueRecord { ty, owner: Owner::block(block) });
        if let Some(uses) = &mut self.uses {
            uses.grow_values(self.values.len());
        }
        let span = self.blocks[block.index()].arguments;
        // The pool is append-only: a list that does not end it moves to its end.
        if span.range().end != self.arguments.len() {
            self.blocks[block.index()].arguments.start = self.arguments.len() as u32;
            self.arguments.extend_from_within(span.range());
            self.argument_locations.extend_from_within(span.range());
        }
        self.arguments.push(value);
        self.argument_locations.push(location);
        self.blocks[block.index()].arguments.count += 1;
        value
    }

    /// Takes an argument from the block.
    ///
    /// # Errors
    /// Where the argument is used.
    pub fn erase_argument(&mut self, block: BlockId, number: usize) -> Result<()> {
        let span = self.blocks[block.index()].arguments;
        if number >= span.count as usize {
            return Err(Error::misuse(format!("the block has {}", Error::counted(span.count, "argument"))));
        }
        let value = self.arguments[span.start as usize + number];
        if self.is_used(value) {
            return Err(Error::misuse("the argument is still used"));
        }
        self.edited = true;
        let range = span.range();
        self.arguments.copy_within(range.start + number + 1..range.end, range.start + number);
        self.argument_locations.copy_within(range.start + number + 1..range.end, range.start + number);
        self.blocks[block.index()].arguments.count -= 1;
        self.values[value.index()].owner = Owner::NONE;
        Ok(())
    }

    /// Erases a block and all that is in it.
    ///
    /// # Errors
    /// Where an operation outside the block goes on to it or uses a value that it defines.
    pub fn erase_block(&mut self, block: BlockId) -> Result<()> {
        if self.region_of(block).is_none() {
            return Err(Error::misuse("the block was erased before"));
        }
        let outside = |body: &Body, op: OpId| {
            let holders = std::iter::successors(Some(op), |&op| body.parent(op));
            !holders.into_iter().any(|op| body.block_of(op) == Some(block))
        };
        if self.predecessors(block).iter().any(|&other| other != block) {
            return Err(Error::misuse("an operation still goes on to the block"));
        }
        self.build_uses();
        let ops: Vec<OpId> = self.operations(block).collect();
        let defined = ops.iter().flat_map(|&op| self.results(op)).chain(self.arguments(block).iter().copied());
        if defined.into_iter().any(|value| self.uses_of(value).any(|use_| outside(self, use_.op))) {
            return Err(Error::misuse("a value that the block defines is still used"));
        }
        // Last to first: within a block uses follow definitions, and what does not is dropped first.
        for &op in &ops {
            self.set_operands_inside_to_nothing(op);
        }
        for &op in ops.iter().rev() {
            self.erase(op)?;
        }
        self.edited = true;
        self.forget_arguments(block);
        self.unlink_block(block);
        Ok(())
    }

    fn set_operands_inside_to_nothing(&mut self, op: OpId) {
        let inside: Vec<OpId> = self.preorder_of(op).collect();
        for op in inside {
            self.set_operands(op, &[]);
        }
    }

    /// Splits the block before `op`: `op` and all after it move to a new block that follows.
    pub fn split_block(&mut self, op: OpId) -> Result<BlockId> {
        let block = self.block_of(op).ok_or_else(|| Error::misuse("the place to split at is detached"))?;
        let region = self.region_of(block).ok_or_else(|| Error::misuse("the block is detached"))?;
        let after = self.next_block(block);
        let new = self.create_block(region, after)?;
        let previous = self.operations[op.index()].previous.take();
        let last = self.blocks[block.index()].last;
        match previous {
            Some(previous) => self.operations[previous.index()].next = None,
            None => self.blocks[block.index()].first = None,
        }
        self.blocks[block.index()].last = previous;
        (self.blocks[new.index()].first, self.blocks[new.index()].last) = (Some(op), last);
        let mut next = Some(op);
        while let Some(op) = next {
            self.operations[op.index()].block = Some(new);
            next = self.next_operation(op);
        }
        Ok(new)
    }

    /// Moves the operations of `from` to before `before` in `block`, or to its end; puts `arguments` where the
    /// arguments of `from` were used; erases `from`.
    ///
    /// # Errors
    /// Where the number of `arguments` differs, something goes on to `from`, or `block` is inside `from`.
    pub fn inline_block(
        &mut self,
        from: BlockId,
        block: BlockId,
        before: Option<OpId>,
        arguments: &[Value],
    ) -> Result<()> {
        if arguments.len() != self.arguments(from).len() {
            return Err(Error::misuse(format!(
                "the block has {}",
                Error::counted(self.arguments(from).len(), "argument")
            )));
        }
        if from == block || before.is_some_and(|before| self.block_of(before) != Some(block)) {
            return Err(Error::misuse("the place to inline at is in another block"));
        }
        if !self.predecessors(from).is_empty() {
            return Err(Error::misuse("an operation still goes on to the block"));
        }
        let ops: Vec<OpId> = self.operations(from).collect();
        if ops.iter().any(|&op| self.block_is_inside(block, op)) {
            return Err(Error::misuse("a block cannot stand inside itself"));
        }
        let old: Vec<Value> = self.arguments(from).to_vec();
        for (&old, &new) in old.iter().zip(arguments) {
            self.replace_uses(old, new);
        }
        for op in ops {
            self.move_to(op, block, before)?;
        }
        self.forget_arguments(from);
        self.unlink_block(from);
        Ok(())
    }

    /// Moves every block of `from` to before `before` in `region`, or to its end.
    ///
    /// # Errors
    /// Where `region` is `from` or stands inside it.
    pub fn inline_region(&mut self, from: RegionId, region: RegionId, before: Option<BlockId>) -> Result<()> {
        if before.is_some_and(|before| self.region_of(before) != Some(region)) {
            return Err(Error::misuse("the place to inline at is in another region"));
        }
        let mut holder = Some(region);
        while let Some(at) = holder {
            if at == from {
                return Err(Error::misuse("a region cannot stand inside itself"));
            }
            let op = self.operation_of(at);
            holder = op.and_then(|op| self.block_of(op)).and_then(|block| self.region_of(block));
        }
        self.before_operand_edit();
        if let Some(uses) = &mut self.uses {
            uses.forget_reference_order();
        }
        let blocks: Vec<BlockId> = self.blocks(from).collect();
        for block in blocks {
            self.unlink_block(block);
            self.link_block(block, region, before);
        }
        Ok(())
    }
}
