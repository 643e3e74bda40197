//! Filling a body: what readers and parsers push, in order of appearance.

use std::ops::Deref;

use hashbrown::HashMap;

use super::*;

/// What an operation has beside its operands, results, successors and regions.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct OpHead {
    /// Its name.
    pub name: OperationName,
    /// Its location.
    pub location: AttributeRef,
    /// Discardable attributes: a dictionary.
    pub attributes: Option<AttributeRef>,
    /// Inherent attributes and native properties.
    pub properties: Option<AttributeRef>,
}

impl OpHead {
    /// A name and a location, without attributes and properties.
    #[inline]
    pub fn new(name: OperationName, location: AttributeRef) -> Self {
        OpHead { name, location, attributes: None, properties: None }
    }
}

/// Makes room for so many more. The first are mostly all that come: for them no more than that.
fn reserve<T>(list: &mut Vec<T>, more: usize) {
    match list.is_empty() {
        true => list.reserve_exact(more),
        false => list.reserve(more),
    }
}

/// Gives back room that is not used, where that is more than a list of one element has.
fn shrink<T>(list: &mut Vec<T>) {
    if list.capacity().saturating_sub(list.len()) > 3 {
        list.shrink_to_fit();
    }
}

/// As much of a list as there is, in memory of its own; the list is left empty, with all of its room.
pub(super) fn taken<T: Copy>(list: &mut Vec<T>) -> Vec<T> {
    let taken = list.as_slice().to_vec();
    list.clear();
    taken
}

/// Bodies of more operations, values, operands, blocks or regions than this stay where they were filled.
const SMALL: usize = 1 << 10;

/// A body that is being filled. It ends in a [`Body`], which only editing changes.
///
/// Operations are pushed at the end of a block, those of a region before those that follow its operation, so that they stand
/// in the order of a walk. What has been pushed can be looked at: the builder gives the methods of [`Body`] that change
/// nothing. Checks are left to the caller: an id of another body is a panic or a wrong answer, as in [`Body`].
///
/// ```
/// use mlirbc_ir::{BodyBuilder, Context, OpHead, TypeRef};
///
/// let context = Context::new();
/// let location = context.unknown_location().into();
/// let mut body = BodyBuilder::new(1);
/// let block = body.push_block(body.top_regions()[0]);
/// let start = body.operand_start();
/// let head = OpHead::new(context.operation_name("toy.constant", false), location);
/// body.append_simple(block, head, start, Some(TypeRef::from(context.index_type())));
/// let body = body.finish();
/// assert_eq!(body.operation_count(), 1);
/// ```
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct BodyBuilder {
    body: Body,
}

impl Deref for BodyBuilder {
    type Target = Body;

    #[inline]
    fn deref(&self) -> &Body {
        &self.body
    }
}

impl BodyBuilder {
    /// An empty body with `regions` regions of the operation that will own it.
    pub fn new(regions: u32) -> Self {
        BodyBuilder { body: Body::new(regions) }
    }

    /// Begins another body, after [`BodyBuilder::take`]: with `regions` regions of the operation that will own it.
    pub fn begin(&mut self, regions: u32) {
        let body = &mut self.body;
        body.top_regions = (0..regions).map(|_| body.new_region(None)).collect();
    }

    /// The body, which is complete.
    pub fn finish(self) -> Body {
        self.body
    }

    /// Takes the body, which is complete, in no more memory than it needs. The next one is filled in the room of a small one: see
    /// [`BodyBuilder::begin`].
    pub fn take(&mut self) -> Body {
        let room = &mut self.body;
        let most = room.operations.len().max(room.values.len()).max(room.operands.len());
        if most.max(room.blocks.len()).max(room.regions.len()) > SMALL {
            self.shrink_to_fit();
            return std::mem::take(&mut self.body);
        }
        let arguments = room.arguments.get_mut().filter(|arguments| !arguments.values.is_empty());
        let arguments = arguments.map(|arguments| Arguments {
            values: taken(&mut arguments.values),
            locations: taken(&mut arguments.locations),
        });
        let seldom = room.seldom.get_mut().filter(|seldom| !seldom.is_empty()).map(Seldom::taken);
        Body {
            top_regions: std::mem::take(&mut room.top_regions),
            operations: taken(&mut room.operations),
            blocks: room.blocks.taken(),
            regions: room.regions.taken(),
            values: taken(&mut room.values),
            tails: taken(&mut room.tails),
            operands: taken(&mut room.operands),
            arguments: arguments.map(Apart::from).unwrap_or_default(),
            seldom: seldom.map(Apart::from).unwrap_or_default(),
            uses: room.uses.take(),
            dead: std::mem::take(&mut room.dead),
            edited: std::mem::take(&mut room.edited),
            tag: std::mem::take(&mut room.tag),
        }
    }

    /// Makes room for so many more operations, values and operands.
    pub fn reserve(&mut self, operations: usize, values: usize, operands: usize) {
        reserve(&mut self.body.operations, operations);
        reserve(&mut self.body.values, values);
        reserve(&mut self.body.operands, operands);
    }

    /// Makes room for so many more blocks and regions.
    pub fn reserve_blocks(&mut self, blocks: usize, regions: usize) {
        self.body.blocks.reserve(blocks);
        self.body.regions.reserve(regions);
    }

    /// Gives back what is reserved and not used, but for a few places.
    pub(crate) fn shrink_to_fit(&mut self) {
        let body = &mut self.body;
        shrink(&mut body.operations);
        body.blocks.shrink();
        body.regions.shrink();
        shrink(&mut body.values);
        shrink(&mut body.tails);
        shrink(&mut body.operands);
        if let Some(seldom) = body.seldom.get_mut() {
            shrink(&mut seldom.successors);
            shrink(&mut seldom.links);
        }
        if let Some(arguments) = body.arguments.get_mut() {
            shrink(&mut arguments.values);
            shrink(&mut arguments.locations);
        }
    }

    // Values.

    /// Makes `count` values that nothing defines yet, so that operands can refer to them before
    /// [`BodyBuilder::define_arguments`] or [`BodyBuilder::define_result`] define them. Their type is `ty` until then.
    pub fn push_values(&mut self, count: usize, ty: TypeRef) -> Value {
        let values = &mut self.body.values;
        let first = Value::from_index(values.len());
        reserve(values, count);
        values.resize(values.len() + count, ValueRecord { ty, owner: Owner::NONE });
        first
    }

    /// Gives the block, which has no arguments yet, these: values of [`BodyBuilder::push_values`], their types and locations.
    pub fn define_arguments(
        &mut self,
        block: BlockId,
        arguments: impl Iterator<Item = (Value, TypeRef, Option<AttributeRef>)>,
    ) {
        let body = &mut self.body;
        let start = body.arguments.values.len();
        for (value, ty, location) in arguments {
            body.values[value.index()] = ValueRecord { ty, owner: Owner::block(block) };
            body.arguments.values.push(value.of(body.tag));
            body.arguments.locations.push(location);
        }
        body.blocks[block.index()].arguments =
            Span { start: start as u32, count: (body.arguments.values.len() - start) as u32 };
    }

    /// Says that `value` of [`BodyBuilder::push_values`] is a result of `op`, of type `ty`.
    #[inline]
    pub fn define_result(&mut self, value: Value, op: OpId, ty: TypeRef) {
        self.body.values[value.index()] = ValueRecord { ty, owner: Owner::operation(op) };
    }

    /// Sets the type of a value.
    pub fn set_type(&mut self, value: Value, ty: TypeRef) {
        self.body.values[value.index()].ty = ty;
    }

    // Operands.

    /// Where the operands of the next operation begin.
    #[inline]
    pub fn operand_start(&self) -> u32 {
        self.body.operands.len() as u32
    }

    /// Pushes an operand of the next operation.
    #[inline]
    pub fn push_operand(&mut self, value: Value) {
        self.body.operands.push(value);
    }

    /// Puts another value in the place of an operand that was pushed: `slot` counts from the body's first operand.
    pub fn replace_pushed_operand(&mut self, slot: u32, value: Value) {
        self.body.operands[slot as usize] = value;
    }

    /// Whether any operand has no definition: a forward reference that was not resolved.
    pub fn has_undefined_operands(&self) -> bool {
        self.body.operands.iter().any(|&value| !self.body.is_defined(value))
    }

    /// Counts the uses of those values that `counts` names.
    pub fn count_operands(&self, counts: &mut HashMap<Value, usize>) {
        for value in &self.body.operands {
            if let Some(count) = counts.get_mut(value) {
                *count += 1;
            }
        }
    }

    // Operations.

    /// Puts an operation at the end of the block: its operands are those pushed since `operands`, its results are `results`
    /// values from the first one on.
    #[inline]
    fn push(&mut self, block: BlockId, head: OpHead, operands: u32, (first, results): (u32, usize)) -> OpId {
        let body = &mut self.body;
        let op = OpId::from_index(body.operations.len()).of(body.tag);
        let record = &mut body.blocks[block.index()];
        let previous = record.last.replace(op);
        if previous.is_none() {
            record.first = Some(op);
        }
        let operand_count = body.operands.len() - operands as usize;
        body.operations.push(Operation {
            name: head.name,
            location: head.location,
            attributes: head.attributes,
            properties: head.properties,
            block: Some(block),
            operands,
            results: first,
            shape: Shape::EMPTY,
        });
        body.push_links();
        body.link_between(op, previous, None);
        body.set_counts(op, operand_count, results);
        op
    }

    /// Appends an operation to the block. Its operands are those pushed by [`BodyBuilder::push_operand`] since `operands`;
    /// its results are so many values from that one on, which [`BodyBuilder::define_result`] defines.
    #[inline]
    pub fn push_operation(&mut self, block: BlockId, head: OpHead, operands: u32, results: (Value, u32)) -> OpId {
        self.push(block, head, operands, (results.0.index() as u32, results.1 as usize))
    }

    /// Appends an operation of the most common kind to the block: its operands are those pushed since `operands`, and its
    /// result, where it has one, is a new value behind all others. It has neither successors nor regions.
    #[inline]
    pub fn append_simple(&mut self, block: BlockId, head: OpHead, operands: u32, result: Option<TypeRef>) -> OpId {
        let first = self.body.values.len() as u32;
        if let Some(ty) = result {
            let owner = Owner::operation(OpId::from_index(self.body.operations.len()));
            self.body.values.push(ValueRecord { ty, owner });
        }
        self.push(block, head, operands, (first, result.is_some().into()))
    }

    /// Appends an operation of which nothing but its name is known: [`BodyBuilder::finish_operation`] says the rest, when what
    /// is nested in it has been pushed.
    pub fn begin_operation(&mut self, block: BlockId, name: OperationName, location: AttributeRef) -> OpId {
        let (operands, first) = (self.operand_start(), self.body.values.len() as u32);
        self.push(block, OpHead::new(name, location), operands, (first, 0))
    }

    /// Finishes an operation of [`BodyBuilder::begin_operation`]: its operands are those pushed from `operands` on, its
    /// results are made now. Gives the first result.
    pub fn finish_operation(&mut self, op: OpId, head: OpHead, operands: u32, results: &[TypeRef]) -> Value {
        let body = &mut self.body;
        let operand_count = body.operands.len() - operands as usize;
        let first = Value::from_index(body.values.len()).of(body.tag);
        let owner = Owner::operation(op);
        body.values.extend(results.iter().map(|&ty| ValueRecord { ty, owner }));
        let record = &mut body.operations[op.index()];
        (record.name, record.location) = (head.name, head.location);
        (record.attributes, record.properties) = (head.attributes, head.properties);
        (record.operands, record.results) = (operands, first.index() as u32);
        body.set_counts(op, operand_count, results.len());
        first
    }

    /// Notes the operation's successors.
    pub fn push_successors(&mut self, op: OpId, successors: impl Iterator<Item = BlockId>) {
        self.body.give_successors(op, successors);
    }

    /// Sets the operation's location.
    pub fn set_location(&mut self, op: OpId, location: AttributeRef) {
        self.body.operations[op.index()].location = location;
    }

    // Regions and blocks.

    /// Appends a new, empty block to the region.
    pub fn push_block(&mut self, region: RegionId) -> BlockId {
        let body = &mut self.body;
        let block = BlockId::from_index(body.blocks.len()).of(body.tag);
        let previous = body.regions[region.index()].last.replace(block);
        match previous {
            Some(previous) => body.blocks[previous.index()].next = Some(block),
            None => body.regions[region.index()].first = Some(block),
        }
        body.blocks.push(Block {
            region: Some(region),
            previous,
            next: None,
            first: None,
            last: None,
            arguments: Span { start: body.arguments.values.len() as u32, count: 0 },
        });
        block
    }

    /// Makes the operation's regions, in this body, empty.
    pub fn push_regions(&mut self, op: OpId, count: u32, mark: IsolationMark) {
        self.body.give_regions(op, count, mark);
    }

    /// Says that the operation's regions are in a body of their own; no body where all of them are empty.
    pub fn set_region_body(&mut self, op: OpId, body: Option<BodyId>, regions: u32, mark: IsolationMark) {
        self.body.set_region_body(op, body, regions, mark);
    }

    /// Begins one more region of an operation, or of the operation that will own the body, before their number is known.
    /// [`BodyBuilder::close_regions`] gives an operation its regions; those of the owner are its at once.
    pub fn open_region(&mut self, op: Option<OpId>) -> RegionId {
        let region = self.body.new_region(op);
        if op.is_none() {
            self.body.top_regions.push(region);
        }
        region
    }

    /// Gives an operation the regions that [`BodyBuilder::open_region`] began for it, in any order.
    pub fn close_regions(&mut self, op: OpId, regions: &[RegionId], mark: IsolationMark) {
        let Some(&first) = regions.first() else { return };
        let body = &mut self.body;
        let mut start = first.index();
        if regions.iter().enumerate().any(|(at, region)| region.index() != start + at) {
            // The regions of an operation stand side by side: what was nested in the first ones came between.
            // Regions may come in another order than they began: operations are then no longer in that of a walk.
            body.edited |= !regions.is_sorted();
            start = body.regions.len();
            for &region in regions {
                let to = body.new_region(Some(op));
                let old = std::mem::take(&mut body.regions[region.index()]);
                (body.regions[to.index()].first, body.regions[to.index()].last) = (old.first, old.last);
                let mut next = old.first;
                while let Some(block) = next {
                    body.blocks[block.index()].region = Some(to);
                    next = body.blocks[block.index()].next;
                }
            }
        }
        let tail = body.tail_mut(op);
        tail.regions = Span { start: start as u32, count: regions.len() as u32 };
        tail.mark = mark;
    }

    // Use-list orders.

    /// Notes the order of the value's uses, as a file gives it: `places[k]` is the place in the use-list of the use with the
    /// k-th largest id.
    pub fn push_order(&mut self, value: Value, places: Vec<u32>) {
        self.body.seldom.orders.push(StoredOrder { value, places: places.into() });
    }
}
