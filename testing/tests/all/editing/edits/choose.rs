//! What is edited: an operation, block, region or value of a body, now and then one that it does not have.

use mlirbc_ir::{AttributeRef, BlockId, OpId, RegionId, TypeRef, Value};

use super::{Run, SANE};
use crate::editing::model::{Block, Op, Tree};

impl Run {
    pub(super) fn op(&mut self, tree: &Tree) -> OpId {
        self.op_with(tree, |_| true)
    }

    /// An operation of that kind, if there is one.
    pub(super) fn op_with(&mut self, tree: &Tree, wanted: impl Fn(&Op) -> bool) -> OpId {
        let ops: Vec<OpId> = tree.ops.iter().filter(|op| wanted(op.1)).map(|op| *op.0).collect();
        match self.random.of(&ops) {
            Some(op) if !self.random.one_in(SANE) => op,
            _ => OpId::from_index(self.random.below(tree.made[0] + 3)),
        }
    }

    /// One of `count`, or the one behind them.
    pub(super) fn number(&mut self, count: usize) -> usize {
        if count > 0 && !self.random.one_in(SANE) { self.random.below(count) } else { count }
    }

    pub(super) fn block(&mut self, tree: &Tree) -> BlockId {
        self.block_with(tree, |_| true)
    }

    /// A block of that kind, if there is one.
    pub(super) fn block_with(&mut self, tree: &Tree, wanted: impl Fn(&Block) -> bool) -> BlockId {
        let blocks: Vec<BlockId> = tree.blocks.iter().filter(|block| wanted(block.1)).map(|block| *block.0).collect();
        match self.random.of(&blocks) {
            Some(block) if !self.random.one_in(SANE) => block,
            _ => BlockId::from_index(self.random.below(tree.made[1] + 3)),
        }
    }

    pub(super) fn region(&mut self, tree: &Tree) -> RegionId {
        match self.random.key(&tree.regions) {
            Some(region) if !self.random.one_in(SANE) => region,
            _ => RegionId::from_index(self.random.below(tree.made[2] + 3)),
        }
    }

    pub(super) fn value(&mut self, tree: &Tree) -> Value {
        match self.random.key(&tree.types) {
            Some(value) if !self.random.one_in(SANE) => value,
            _ => Value::from_index(self.random.below(tree.made[3] + 3)),
        }
    }

    /// A value that the operations of a block may use, most of the time.
    pub(super) fn value_for(&mut self, tree: &Tree, block: Option<BlockId>) -> Value {
        let Some(block) = block.and_then(|block| tree.blocks.get(&block)) else { return self.value(tree) };
        let mut around = vec![block.region];
        around.extend(tree.regions[&block.region].op.map_or_else(Vec::new, |op| tree.around(op)));
        match self.random.of(&tree.values_in(&around)) {
            Some(value) if !self.random.one_in(SANE) => value,
            _ => self.value(tree),
        }
    }

    /// A block for the operation to stand in: where it can use what it uses, most of the time.
    pub(super) fn block_for(&mut self, tree: &Tree, op: OpId) -> BlockId {
        let block = tree.ops.get(&op).and_then(|op| op.block);
        if self.random.one_in(4) { self.block(tree) } else { self.successor(tree, block) }
    }

    /// A place in the block: before an operation, or at the end.
    pub(super) fn before(&mut self, tree: &Tree, block: BlockId) -> Option<OpId> {
        match tree.blocks.get(&block) {
            _ if self.random.one_in(SANE) => Some(self.op(tree)),
            Some(block) if !self.random.one_in(3) => self.random.of(&block.ops),
            _ => None,
        }
    }

    pub(super) fn block_before(&mut self, tree: &Tree, region: RegionId) -> Option<BlockId> {
        match tree.regions.get(&region) {
            _ if self.random.one_in(SANE) => Some(self.block(tree)),
            Some(region) if self.random.one_in(2) => self.random.of(&region.blocks),
            _ => None,
        }
    }

    /// A block that an operation of `block` may go on to, most of the time.
    pub(super) fn successor(&mut self, tree: &Tree, block: Option<BlockId>) -> BlockId {
        let region = block.and_then(|block| tree.blocks.get(&block)).map(|block| block.region);
        match region.and_then(|region| self.random.of(&tree.regions[&region].blocks)) {
            Some(block) if !self.random.one_in(SANE) => block,
            _ => self.block(tree),
        }
    }

    /// An argument of a block, by its number, and whether the block has it.
    pub(super) fn argument(&mut self, tree: &Tree) -> (BlockId, usize, bool) {
        let block = self.block_with(tree, |block| !block.arguments.is_empty());
        let count = tree.blocks.get(&block).map_or(0, |block| block.arguments.len());
        let number = self.number(count);
        (block, number, number < count)
    }

    /// An operation to split its block at. `None` where the block is spared.
    pub(super) fn split_point(&mut self, tree: &Tree) -> Option<OpId> {
        let op = self.op_with(tree, |op| op.block.is_some());
        let block = tree.ops.get(&op).and_then(|op| op.block);
        let spared = block.is_some_and(|block| self.spares(tree, tree.blocks[&block].region));
        (!spared).then_some(op)
    }

    /// A block to be inlined, where, and what its arguments become.
    pub(super) fn inlined_block(&mut self, tree: &Tree) -> (BlockId, BlockId, Option<OpId>, Vec<Value>) {
        let from = self.block(tree);
        let to = self.successor(tree, Some(from));
        let before = self.before(tree, to);
        let count = tree.blocks.get(&from).map_or(0, |block| block.arguments.len());
        let count = if self.random.one_in(SANE) { count + 1 } else { count };
        (from, to, before, (0..count).map(|_| self.value_for(tree, Some(to))).collect())
    }

    /// A region to be inlined, and where. `None` where what it would go into is spared.
    pub(super) fn inlined_region(&mut self, tree: &Tree) -> Option<(RegionId, RegionId, Option<BlockId>)> {
        let (from, to) = (self.region(tree), self.region(tree));
        if self.spares(tree, to) {
            return None;
        }
        Some((from, to, self.block_before(tree, to)))
    }

    pub(super) fn location(&mut self) -> Option<AttributeRef> {
        let locations = self.stock.locations;
        if self.random.one_in(4) { None } else { self.random.of(&locations) }
    }

    /// What a new operation in the block may be.
    pub(super) fn draft(&mut self, tree: &Tree, block: Option<BlockId>) -> (Op, Vec<TypeRef>, usize) {
        let operands = (0..self.random.below(4)).map(|_| self.value_for(tree, block)).collect();
        let successors = match self.random.below(8) {
            0 => (0..1 + self.random.below(2)).map(|_| self.successor(tree, block)).collect(),
            _ => Vec::new(),
        };
        let op = Op {
            name: self.stock.names[self.random.below(3)],
            location: self.stock.locations[self.random.below(3)],
            attributes: if self.random.one_in(3) { Some(self.stock.dictionaries[self.random.below(2)]) } else { None },
            properties: None,
            block: None,
            operands,
            results: Vec::new(),
            successors,
            regions: Vec::new(),
            isolated: 0,
            child: None,
        };
        let types = (0..self.random.below(3)).map(|_| self.stock.types[self.random.below(3)]).collect();
        let regions = if self.random.one_in(5) { 1 + self.random.below(2) } else { 0 };
        (op, types, regions)
    }
}
