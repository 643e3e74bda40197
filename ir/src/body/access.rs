//! Looking at what a body holds.

use super::*;
use crate::error::{Error, ErrorCode, Result};

impl Body {
    // Whether an id is of this body, as far as that can be told.

    /// Debug builds tell one of another body by its mark.
    fn check_own(&self, id: impl Marked, what: &str, number: usize) -> Result<()> {
        match id.is_of(self.tag) {
            true => Ok(()),
            false => {
                Err(Error::misuse(format!("{what} {number} is one of another body")).with_code(ErrorCode::NoSuchId))
            }
        }
    }

    pub(crate) fn check_operation(&self, op: OpId) -> Result<()> {
        self.check_own(op, "operation", op.index())?;
        match self.operations.get(op.index()) {
            None => {
                Err(Error::misuse(format!("the body has no operation {}", op.index())).with_code(ErrorCode::NoSuchId))
            }
            Some(_) if self.is_erased(op) => {
                Err(Error::misuse(format!("operation {} was erased", op.index())).with_code(ErrorCode::Erased))
            }
            Some(_) => Ok(()),
        }
    }

    pub(crate) fn check_value(&self, value: Value) -> Result<()> {
        self.check_own(value, "value", value.index())?;
        match self.values.get(value.index()) {
            None => {
                Err(Error::misuse(format!("the body has no value {}", value.index())).with_code(ErrorCode::NoSuchId))
            }
            Some(record) if record.owner == Owner::NONE => {
                Err(Error::misuse(format!("nothing defines value {}: it was erased", value.index()))
                    .with_code(ErrorCode::Erased))
            }
            Some(_) => Ok(()),
        }
    }

    pub(crate) fn check_block(&self, block: BlockId) -> Result<()> {
        self.check_own(block, "block", block.index())?;
        match self.blocks.get(block.index()) {
            None => {
                Err(Error::misuse(format!("the body has no block {}", block.index())).with_code(ErrorCode::NoSuchId))
            }
            Some(record) if record.region.is_none() => {
                Err(Error::misuse(format!("block {} was erased", block.index())).with_code(ErrorCode::Erased))
            }
            Some(_) => Ok(()),
        }
    }

    pub(crate) fn check_region(&self, region: RegionId) -> Result<()> {
        self.check_own(region, "region", region.index())?;
        let record = self.regions.get(region.index());
        let record = record.ok_or_else(|| {
            Error::misuse(format!("the body has no region {}", region.index())).with_code(ErrorCode::NoSuchId)
        })?;
        match record.operation {
            Some(op) => self.check_operation(op),
            None if self.top_regions.contains(&region) => Ok(()),
            None => Err(Error::misuse(format!("region {} belongs to no operation", region.index()))
                .with_code(ErrorCode::Erased)),
        }
    }

    /// The regions of the operation that owns the body.
    pub fn top_regions(&self) -> &[RegionId] {
        &self.top_regions
    }

    /// Number of operations ever made in the body, erased ones included.
    pub fn operation_count(&self) -> usize {
        self.operations.len()
    }

    /// Number of values ever made in the body.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Number of blocks ever made in the body.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Number of regions ever made in the body.
    pub fn region_count(&self) -> usize {
        self.regions.len()
    }

    /// Number of operands ever given to operations of the body.
    pub fn operand_count(&self) -> usize {
        self.operands.len()
    }

    /// Has the processor fetch what a walk over the body looks at first, all at once: in the walk itself each place that is looked at
    /// is known only once the one before it was read.
    #[inline]
    #[doc(hidden)]
    pub fn fetch(&self) {
        std::hint::black_box((
            self.top_regions.first().copied(),
            self.regions.first().map(|region| region.first),
            self.blocks.first().map(|block| block.first),
            self.operations.first().map(|op| op.name),
            self.values.first().map(|value| value.ty),
            self.tails.first().map(|tail| tail.mark),
        ));
    }

    /// Whether something defines the value.
    #[inline]
    pub fn is_defined(&self, value: Value) -> bool {
        self.values[value.index()].owner != Owner::NONE
    }

    /// Whether the body is one region as a reader left it: values, blocks and operations are numbered as they stand.
    pub fn is_plain(&self) -> bool {
        !self.edited
            && self.regions.len() == 1
            && self.values.last().is_none_or(|last| last.owner != Owner::NONE)
            && self.top_regions.len() == 1
    }

    /// Whether anything was changed since the body was read.
    pub fn is_edited(&self) -> bool {
        self.edited
    }

    #[inline]
    fn tail(&self, op: OpId) -> Option<&Tail> {
        self.view(op).tail()
    }

    /// The operation's name.
    #[inline]
    pub fn name(&self, op: OpId) -> OperationName {
        self.operations[op.index()].name
    }

    /// The operation's location.
    #[inline]
    pub fn location(&self, op: OpId) -> AttributeRef {
        self.operations[op.index()].location
    }

    /// The operation's discardable attributes: a dictionary.
    #[inline]
    pub fn attributes(&self, op: OpId) -> Option<AttributeRef> {
        self.operations[op.index()].attributes
    }

    /// The operation's properties: a dictionary of the context, or a blob of the module's source.
    #[inline]
    pub fn properties(&self, op: OpId) -> Option<AttributeRef> {
        self.operations[op.index()].properties
    }

    /// The block that holds the operation; none where it is detached.
    #[inline]
    pub fn block_of(&self, op: OpId) -> Option<BlockId> {
        self.operations[op.index()].block
    }

    /// Whether the operation was erased.
    pub fn is_erased(&self, op: OpId) -> bool {
        self.tail(op).is_some_and(|tail| tail.erased)
    }

    /// Where the operation's operands stand among all operands of the body.
    #[inline]
    #[doc(hidden)]
    pub fn operand_range(&self, op: OpId) -> std::ops::Range<usize> {
        self.view(op).operand_range()
    }

    /// The operation's operands.
    #[inline]
    pub fn operands(&self, op: OpId) -> &[Value] {
        self.view(op).operands()
    }

    /// Number of the operation's results.
    #[inline]
    pub fn result_count(&self, op: OpId) -> usize {
        self.view(op).result_range().len()
    }

    /// The operation's results.
    #[inline]
    pub fn results(&self, op: OpId) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + Clone + use<> {
        self.view(op).results()
    }

    /// The result of that number.
    pub fn result(&self, op: OpId, number: usize) -> Option<Value> {
        (number < self.result_count(op))
            .then(|| Value::from_index(self.operations[op.index()].results as usize + number).of(self.tag))
    }

    /// The blocks that the operation may go on to.
    #[inline]
    pub fn successors(&self, op: OpId) -> &[BlockId] {
        self.view(op).successors()
    }

    /// The operation's regions in this body. Empty for operations isolated from above: see [`Body::region_body`].
    pub fn regions(&self, op: OpId) -> impl ExactSizeIterator<Item = RegionId> + DoubleEndedIterator + use<> {
        self.view(op).regions()
    }

    /// The body that holds the regions of an operation isolated from above.
    #[inline]
    pub fn region_body(&self, op: OpId) -> Option<BodyId> {
        self.view(op).region_body()
    }

    /// The bodies of the operations in this one that are isolated from above, detached ones included.
    pub fn region_bodies(&self) -> impl Iterator<Item = BodyId> {
        self.tails.iter().filter_map(|tail| tail.body)
    }

    /// Number of the operation's regions, wherever they are.
    #[inline]
    pub fn region_count_of(&self, op: OpId) -> usize {
        self.view(op).region_count()
    }

    /// What the file said of the operation's regions.
    #[doc(hidden)]
    pub fn isolation_mark(&self, op: OpId) -> IsolationMark {
        self.tail(op).map_or(IsolationMark::Unknown, |tail| tail.mark)
    }

    /// The region that holds the block.
    #[inline]
    pub fn region_of(&self, block: BlockId) -> Option<RegionId> {
        self.blocks[block.index()].region
    }

    /// The block's arguments.
    #[inline]
    pub fn arguments(&self, block: BlockId) -> &[Value] {
        &self.arguments.values[self.blocks[block.index()].arguments.range()]
    }

    /// The locations of the block's arguments, absent where unknown.
    #[inline]
    pub fn argument_locations(&self, block: BlockId) -> &[Option<AttributeRef>] {
        &self.arguments.locations[self.blocks[block.index()].arguments.range()]
    }

    /// The block's first operation.
    #[inline]
    pub fn first_operation(&self, block: BlockId) -> Option<OpId> {
        self.blocks[block.index()].first
    }

    /// The block's last operation: its terminator, where it has one.
    #[inline]
    pub fn last_operation(&self, block: BlockId) -> Option<OpId> {
        self.blocks[block.index()].last
    }

    /// The next block of the region.
    #[inline]
    pub fn next_block(&self, block: BlockId) -> Option<BlockId> {
        self.blocks[block.index()].next
    }

    /// The previous block of the region.
    #[inline]
    pub fn previous_block(&self, block: BlockId) -> Option<BlockId> {
        self.blocks[block.index()].previous
    }

    /// The operation that holds the region; none for the regions of the operation that owns the body.
    #[inline]
    pub fn operation_of(&self, region: RegionId) -> Option<OpId> {
        self.regions[region.index()].operation
    }

    /// The region's first block.
    #[inline]
    pub fn first_block(&self, region: RegionId) -> Option<BlockId> {
        self.regions[region.index()].first
    }

    /// The region's last block.
    #[inline]
    pub fn last_block(&self, region: RegionId) -> Option<BlockId> {
        self.regions[region.index()].last
    }

    /// The operation that holds the block of `op`, within this body.
    pub fn parent(&self, op: OpId) -> Option<OpId> {
        self.operation_of(self.region_of(self.block_of(op)?)?)
    }

    /// The value's type.
    #[inline]
    pub fn ty(&self, value: Value) -> TypeRef {
        debug_assert!(value.is_of(self.tag), "{value:?} is one of another body");
        self.values[value.index()].ty
    }

    /// Where the value comes from; none where it was erased, or the body has no such value.
    pub fn owner(&self, value: Value) -> Option<ValueOwner> {
        let owner = self.values.get(value.index())?.owner;
        if owner == Owner::NONE {
            return None;
        }
        if owner.0 & Owner::BLOCK == 0 {
            let op = OpId::from_index(owner.0 as usize).of(self.tag);
            return Some(ValueOwner::Result(op, value.index() - self.operations[owner.0 as usize].results as usize));
        }
        let block = BlockId::from_index((owner.0 & !Owner::BLOCK) as usize).of(self.tag);
        let number = self.arguments(block).iter().position(|&argument| argument == value)?;
        Some(ValueOwner::Argument(block, number))
    }

    /// The operation of which the value is a result. Constant time, as is where the value is defined.
    #[inline]
    pub fn defining_operation(&self, value: Value) -> Option<OpId> {
        let owner = self.values.get(value.index())?.owner;
        (owner.0 & Owner::BLOCK == 0).then(|| OpId::from_index(owner.0 as usize).of(self.tag))
    }

    /// The block in which the value is defined; none for a result of a detached operation.
    #[inline]
    pub fn defining_block(&self, value: Value) -> Option<BlockId> {
        let owner = self.values.get(value.index())?.owner;
        if owner == Owner::NONE {
            return None;
        }
        match owner.0 & Owner::BLOCK {
            0 => self.operations[owner.0 as usize].block,
            _ => Some(BlockId::from_index((owner.0 & !Owner::BLOCK) as usize).of(self.tag)),
        }
    }

    /// The region in which the value is defined.
    pub fn defining_region(&self, value: Value) -> Option<RegionId> {
        self.region_of(self.defining_block(value)?)
    }

    /// The orders of uses that the file gave and that no edit has touched: see [`push_order`](super::BodyBuilder::push_order).
    pub fn stored_orders(&self) -> impl Iterator<Item = (Value, &[u32])> {
        self.seldom.orders.iter().map(|order| (order.value, &*order.places))
    }

    /// Heap memory of the body in bytes.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        fn of<T>(vec: &Vec<T>) -> usize {
            vec.capacity() * size_of::<T>()
        }
        let regions = match self.top_regions {
            Roots::One(_) => 0,
            Roots::Others(ref regions) => size_of_val(&**regions),
        };
        regions
            + of(&self.operations)
            + self.blocks.heap_bytes()
            + self.regions.heap_bytes()
            + of(&self.values)
            + of(&self.tails)
            + of(&self.operands)
            + self.arguments.heap_bytes()
            + of(&self.arguments.values)
            + of(&self.arguments.locations)
            + self.seldom.heap_bytes()
            + of(&self.seldom.successors)
            + of(&self.seldom.places)
            + of(&self.seldom.links)
            + self.uses.as_ref().map_or(0, |uses| uses.heap_bytes())
            + self.seldom.block_uses.as_ref().map_or(0, |uses| uses.heap_bytes())
    }
}
