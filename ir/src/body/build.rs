//! Filling a body: what readers and parsers push, in order of appearance, and what edits make.
//!
//! A body is filled once. What is pushed into one that a module holds already, or whose use-lists were built, is an edit as
//! any other: it is written with the rest, and the lists hold it.

use super::*;
use crate::error::{Error, Result};

/// What a new operation is made of.
#[derive(Clone, Debug)]
pub struct OperationSpec<'a> {
    /// Its name.
    pub name: OperationName,
    /// Its location.
    pub location: AttributeRef,
    /// Discardable attributes: a dictionary.
    pub attributes: Option<AttributeRef>,
    /// Inherent attributes and native properties.
    pub properties: Option<AttributeRef>,
    /// Its operands.
    pub operands: &'a [Value],
    /// The types of its results.
    pub results: &'a [TypeRef],
    /// The blocks that it may go on to.
    pub successors: &'a [BlockId],
    /// The number of its regions, made in this body and empty.
    pub regions: u32,
}

impl<'a> OperationSpec<'a> {
    /// An operation with a name and a location, and nothing else.
    pub fn new(name: OperationName, location: AttributeRef) -> Self {
        OperationSpec {
            name,
            location,
            attributes: None,
            properties: None,
            operands: &[],
            results: &[],
            successors: &[],
            regions: 0,
        }
    }
}

#[inline]
fn narrow(count: usize) -> u16 {
    if count < MANY as usize { count as u16 } else { MANY }
}

impl Body {
    /// An empty body with `regions` regions of the operation that will own it.
    pub fn new(regions: u32) -> Self {
        let mut body = Body::default();
        body.roots = (0..regions).map(|_| body.push_region(None)).collect();
        body
    }

    /// Makes room for so many more operations, values and operands.
    pub fn reserve(&mut self, operations: usize, values: usize, operands: usize) {
        self.operations.reserve(operations);
        self.values.reserve(values);
        self.operands.reserve(operands);
    }

    /// Makes room for so many more blocks and regions.
    pub fn reserve_blocks(&mut self, blocks: usize, regions: usize) {
        self.blocks.reserve(blocks);
        self.regions.reserve(regions);
    }

    /// Gives back what is reserved and not used.
    pub fn shrink_to_fit(&mut self) {
        self.operations.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.regions.shrink_to_fit();
        self.values.shrink_to_fit();
        self.tails.shrink_to_fit();
        self.operands.shrink_to_fit();
        self.successors.shrink_to_fit();
        self.arguments.shrink_to_fit();
        self.argument_locations.shrink_to_fit();
    }

    /// Notes that the body is complete: a module holds it.
    pub(crate) fn seal(&mut self) {
        self.sealed = true;
    }

    /// Before something is pushed.
    #[inline]
    fn before_push(&mut self) {
        if self.sealed {
            self.before_edit();
        }
    }

    fn push_region(&mut self, operation: Option<OpId>) -> RegionId {
        self.regions.push(Region { operation, first: None, last: None });
        RegionId::from_index(self.regions.len() - 1)
    }

    /// Makes `count` values that nothing defines yet, so that operands can refer to them before
    /// [`Body::define_arguments`] or [`Body::define_result`] define them. Their type is `ty` until then.
    pub fn push_values(&mut self, count: usize, ty: TypeRef) -> Value {
        self.before_push();
        let first = Value::from_index(self.values.len());
        self.values.resize(self.values.len() + count, ValueRecord { ty, owner: Owner::NONE });
        first
    }

    /// Whether something defines the value.
    #[inline]
    pub fn is_defined(&self, value: Value) -> bool {
        self.values[value.index()].owner != Owner::NONE
    }

    /// Appends a new, empty block to the region.
    pub fn push_block(&mut self, region: RegionId) -> BlockId {
        self.before_push();
        let block = BlockId::from_index(self.blocks.len());
        let previous = self.regions[region.index()].last.replace(block);
        match previous {
            Some(previous) => self.blocks[previous.index()].next = Some(block),
            None => self.regions[region.index()].first = Some(block),
        }
        self.blocks.push(Block {
            region: Some(region),
            previous,
            next: None,
            first: None,
            last: None,
            arguments: Span { start: self.arguments.len() as u32, count: 0 },
        });
        block
    }

    /// Gives the block, which has no arguments yet, these: values of [`Body::push_values`], their types and locations.
    pub fn define_arguments(
        &mut self,
        block: BlockId,
        arguments: impl Iterator<Item = (Value, TypeRef, Option<AttributeRef>)>,
    ) {
        self.before_push();
        let start = self.arguments.len();
        for (value, ty, location) in arguments {
            self.values[value.index()] = ValueRecord { ty, owner: Owner::block(block) };
            self.arguments.push(value);
            self.argument_locations.push(location);
        }
        self.blocks[block.index()].arguments =
            Span { start: start as u32, count: (self.arguments.len() - start) as u32 };
    }

    /// Appends an operation to the block. Its results are defined by [`Body::define_result`], its operands are those
    /// pushed by [`Body::push_operand`] since the last operation.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    pub fn push_operation(
        &mut self,
        block: BlockId,
        name: OperationName,
        location: AttributeRef,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
        operands: u32,
        first_result: Value,
        result_count: u32,
    ) -> OpId {
        self.before_push();
        let op = OpId::from_index(self.operations.len());
        let record = &mut self.blocks[block.index()];
        let previous = record.last.replace(op);
        match previous {
            Some(previous) => self.operations[previous.index()].next = Some(op),
            None => record.first = Some(op),
        }
        let operand_count = narrow(self.operands.len() - operands as usize);
        self.operations.push(Operation {
            name,
            location,
            attributes,
            properties,
            block: Some(block),
            previous,
            next: None,
            operands,
            results: first_result.index() as u32,
            tail: None,
            operand_count,
            result_count: narrow(result_count as usize),
        });
        if operand_count == MANY || result_count >= MANY.into() {
            let operand_count = self.operands.len() as u32 - operands;
            let tail = self.tail_mut(op);
            (tail.operand_count, tail.result_count) = (operand_count, result_count);
        }
        if self.sealed {
            self.link_uses(op);
        }
        op
    }

    /// Appends an operation of which nothing but its name is known: [`Body::finish_operation`] says the rest, when what is
    /// nested in it has been pushed.
    pub fn begin_operation(&mut self, block: BlockId, name: OperationName, location: AttributeRef) -> OpId {
        let (operands, first) = (self.operand_start(), Value::from_index(self.values.len()));
        self.push_operation(block, name, location, None, None, operands, first, 0)
    }

    /// Finishes an operation of [`Body::begin_operation`]: its operands are those pushed from `operands` on, its results
    /// are made now. Gives the first result.
    pub fn finish_operation(
        &mut self,
        op: OpId,
        location: AttributeRef,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
        operands: u32,
        results: &[TypeRef],
    ) -> Value {
        self.before_push();
        if self.sealed {
            self.unlink_uses(op);
        }
        let operand_count = self.operands.len() - operands as usize;
        let first = Value::from_index(self.values.len());
        let owner = Owner::operation(op);
        self.values.extend(results.iter().map(|&ty| ValueRecord { ty, owner }));
        let record = &mut self.operations[op.index()];
        (record.location, record.attributes, record.properties) = (location, attributes, properties);
        (record.operands, record.operand_count) = (operands, narrow(operand_count));
        (record.results, record.result_count) = (first.index() as u32, narrow(results.len()));
        if operand_count >= MANY.into() || results.len() >= MANY.into() {
            let tail = self.tail_mut(op);
            (tail.operand_count, tail.result_count) = (operand_count as u32, results.len() as u32);
        }
        if self.sealed {
            self.link_uses(op);
        }
        first
    }

    /// Puts another value in the place of an operand that was pushed: `slot` counts from the body's first operand.
    pub fn replace_pushed_operand(&mut self, slot: u32, value: Value) {
        self.before_push();
        self.relink_use(slot as usize, value);
    }

    /// Begins one more region of an operation, or of the operation that will own the body, before their number is known.
    /// [`Body::close_regions`] gives an operation its regions; those of the owner are its at once.
    pub fn open_region(&mut self, op: Option<OpId>) -> RegionId {
        self.before_push();
        let region = self.push_region(op);
        if op.is_none() {
            self.roots.push(region);
        }
        region
    }

    /// Gives an operation the regions that [`Body::open_region`] began for it, in any order.
    pub fn close_regions(&mut self, op: OpId, regions: &[RegionId], mark: IsolationMark) {
        let Some(&first) = regions.first() else { return };
        self.before_push();
        let mut start = first.index();
        if regions.iter().enumerate().any(|(at, region)| region.index() != start + at) {
            // The regions of an operation stand side by side: what was nested in the first ones came between.
            // Regions may come in another order than they began: operations are then no longer in that of a walk.
            self.edited |= !regions.is_sorted();
            start = self.regions.len();
            for &region in regions {
                let to = self.push_region(Some(op));
                let old = std::mem::replace(
                    &mut self.regions[region.index()],
                    Region { operation: None, first: None, last: None },
                );
                (self.regions[to.index()].first, self.regions[to.index()].last) = (old.first, old.last);
                let mut next = old.first;
                while let Some(block) = next {
                    self.blocks[block.index()].region = Some(to);
                    next = self.blocks[block.index()].next;
                }
            }
        }
        let tail = self.tail_mut(op);
        tail.regions = Span { start: start as u32, count: regions.len() as u32 };
        tail.mark = mark;
    }

    /// Where the operands of the next operation begin.
    #[inline]
    pub fn operand_start(&self) -> u32 {
        self.operands.len() as u32
    }

    /// Pushes an operand of the next operation.
    #[inline]
    pub fn push_operand(&mut self, value: Value) {
        self.operands.push(value);
    }

    /// Says that `value` of [`Body::push_values`] is a result of `op`, of type `ty`.
    #[inline]
    pub fn define_result(&mut self, value: Value, op: OpId, ty: TypeRef) {
        self.before_push();
        self.values[value.index()] = ValueRecord { ty, owner: Owner::operation(op) };
    }

    /// Appends an operation of the most common kind to the block: its operands are those pushed since `operands`, and
    /// its result, where it has one, is a new value behind all others. It has neither attributes nor successors nor
    /// regions.
    #[inline]
    pub fn append_simple(
        &mut self,
        block: BlockId,
        name: OperationName,
        location: AttributeRef,
        properties: Option<AttributeRef>,
        operands: u32,
        result: Option<TypeRef>,
    ) -> OpId {
        self.before_push();
        let op = OpId::from_index(self.operations.len());
        let results = self.values.len() as u32;
        if let Some(ty) = result {
            self.values.push(ValueRecord { ty, owner: Owner::operation(op) });
        }
        let record = &mut self.blocks[block.index()];
        let previous = record.last.replace(op);
        match previous {
            Some(previous) => self.operations[previous.index()].next = Some(op),
            None => record.first = Some(op),
        }
        let operand_count = self.operands.len() - operands as usize;
        self.operations.push(Operation {
            name,
            location,
            attributes: None,
            properties,
            block: Some(block),
            previous,
            next: None,
            operands,
            results,
            tail: None,
            operand_count: narrow(operand_count),
            result_count: result.is_some().into(),
        });
        if operand_count >= MANY.into() {
            self.note_many(op, operand_count, result.is_some().into());
        }
        if self.sealed {
            self.link_uses(op);
        }
        op
    }

    #[cold]
    fn note_many(&mut self, op: OpId, operands: usize, results: u32) {
        let tail = self.tail_mut(op);
        (tail.operand_count, tail.result_count) = (operands as u32, results);
    }

    /// Notes the operation's successors.
    pub fn push_successors(&mut self, op: OpId, successors: impl Iterator<Item = BlockId>) {
        self.before_push();
        let start = self.successors.len() as u32;
        self.successors.extend(successors);
        let count = self.successors.len() as u32 - start;
        self.tail_mut(op).successors = Span { start, count };
    }

    /// Makes the operation's regions, in this body, empty.
    pub fn push_regions(&mut self, op: OpId, count: u32, mark: IsolationMark) {
        self.before_push();
        let start = self.regions.len() as u32;
        for _ in 0..count {
            self.push_region(Some(op));
        }
        let tail = self.tail_mut(op);
        tail.regions = Span { start, count };
        tail.mark = mark;
    }

    /// Says that the operation's regions are in a body of their own; no body where all of them are empty.
    pub fn set_child(&mut self, op: OpId, body: Option<BodyId>, regions: u32, mark: IsolationMark) {
        self.before_push();
        let tail = self.tail_mut(op);
        (tail.body, tail.body_regions, tail.mark) = (body, regions, mark);
    }

    pub(super) fn tail_mut(&mut self, op: OpId) -> &mut Tail {
        let tail = match self.operations[op.index()].tail {
            Some(tail) => tail,
            None => {
                self.tails.push(Tail::default());
                *self.operations[op.index()].tail.insert(TailId::from_index(self.tails.len() - 1))
            }
        };
        &mut self.tails[tail.index()]
    }

    /// Notes the order of the value's uses, as a file gives it: `places[k]` is the place in the use-list of the use
    /// with the k-th largest id. Once the body is complete, as [`Body::reorder_uses`].
    pub fn push_order(&mut self, value: Value, places: Vec<u32>) {
        if self.sealed {
            self.reorder_uses(value, &places);
            return;
        }
        self.orders.push(StoredOrder { value, places: places.into() });
    }

    /// Whether an operand is a value that nothing defines.
    pub fn has_undefined_operands(&self) -> bool {
        self.operands.iter().any(|&value| !self.is_defined(value))
    }

    /// Counts the uses of those values that `counts` names.
    pub fn count_operands(&self, counts: &mut std::collections::HashMap<Value, usize>) {
        for value in &self.operands {
            if let Some(count) = counts.get_mut(value) {
                *count += 1;
            }
        }
    }

    /// Checks the orders of [`Body::push_order`] against the uses that the body holds, and drops those of values with
    /// fewer than two uses, which say nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::ErrorKind::Malformed) where an order is no permutation of its value's uses.
    pub fn check_orders(&mut self) -> Result<()> {
        if self.orders.is_empty() {
            return Ok(());
        }
        let mut counts: std::collections::HashMap<Value, usize> =
            self.orders.iter().map(|order| (order.value, 0)).collect();
        if counts.len() != self.orders.len() {
            return Err(Error::malformed("two orders of the uses of one value"));
        }
        self.count_operands(&mut counts);
        let mut orders = std::mem::take(&mut self.orders);
        orders.retain(|order| counts[&order.value] > 1);
        for order in &orders {
            let count = counts[&order.value];
            let mut seen = vec![false; order.places.len()];
            let fits = order.places.len() == count
                && order
                    .places
                    .iter()
                    .all(|&place| seen.get_mut(place as usize).is_some_and(|seen| !std::mem::replace(seen, true)));
            if !fits {
                let uses = Error::counted(count, "use");
                return Err(Error::malformed(format!(
                    "the order of uses is no permutation of the {uses} of its value"
                )));
            }
        }
        self.orders = orders;
        Ok(())
    }

    /// Makes a detached operation.
    ///
    /// # Errors
    /// [`ErrorKind::Misuse`](crate::ErrorKind::Misuse) where an operand or successor is none of this body's, or was erased.
    pub fn create(&mut self, spec: &OperationSpec<'_>) -> Result<OpId> {
        spec.operands.iter().try_for_each(|&value| self.check_value(value))?;
        spec.successors.iter().try_for_each(|&block| self.check_block(block))?;
        Ok(self.make(spec))
    }

    /// Makes a detached operation of what is known to be of this body.
    pub(super) fn make(&mut self, spec: &OperationSpec<'_>) -> OpId {
        self.before_edit();
        let op = OpId::from_index(self.operations.len());
        let operands = self.operands.len() as u32;
        self.operands.extend_from_slice(spec.operands);
        let results = self.values.len() as u32;
        let owner = Owner::operation(op);
        self.values.extend(spec.results.iter().map(|&ty| ValueRecord { ty, owner }));
        self.operations.push(Operation {
            name: spec.name,
            location: spec.location,
            attributes: spec.attributes,
            properties: spec.properties,
            block: None,
            previous: None,
            next: None,
            operands,
            results,
            tail: None,
            operand_count: narrow(spec.operands.len()),
            result_count: narrow(spec.results.len()),
        });
        if spec.operands.len() >= MANY.into() || spec.results.len() >= MANY.into() {
            let tail = self.tail_mut(op);
            (tail.operand_count, tail.result_count) = (spec.operands.len() as u32, spec.results.len() as u32);
        }
        if !spec.successors.is_empty() {
            self.push_successors(op, spec.successors.iter().copied());
        }
        if spec.regions > 0 {
            self.push_regions(op, spec.regions, IsolationMark::Unknown);
        }
        self.link_uses(op);
        op
    }
}
