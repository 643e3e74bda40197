//! A body as a plain tree: lists in maps, searched from end to end. What the edits of a body do is done here in the most obvious
//! way, and compared.
//!
//! It is longer than other files: the tree's fields are for all of it and for nothing else, and no edit is a part of its own.

use std::collections::{BTreeMap, HashMap};

use mlirbc_ir::{
    AttributeRef, BlockId, Body, BodyId, Dominance, OpId, OperationName, RegionId, TypeRef, Value, ValueOwner,
};

#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    pub name: OperationName,
    pub location: AttributeRef,
    pub attributes: Option<AttributeRef>,
    pub properties: Option<AttributeRef>,
    pub block: Option<BlockId>,
    pub operands: Vec<Value>,
    pub results: Vec<Value>,
    pub successors: Vec<BlockId>,
    pub regions: Vec<RegionId>,
    /// How many regions it has in another body, and which that is.
    pub isolated: usize,
    pub child: Option<BodyId>,
}

impl Op {
    /// What the body says of an operation.
    pub fn of(body: &Body, op: OpId) -> Op {
        let regions: Vec<RegionId> = body.regions(op).collect();
        Op {
            name: body.name(op),
            location: body.location(op),
            attributes: body.attributes(op),
            properties: body.properties(op),
            block: body.block_of(op),
            operands: body.operands(op).to_vec(),
            results: body.results(op).collect(),
            successors: body.successors(op).to_vec(),
            isolated: body.region_count_of(op) - regions.len(),
            child: body.region_body(op),
            regions,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub region: RegionId,
    pub arguments: Vec<(Value, Option<AttributeRef>)>,
    pub ops: Vec<OpId>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    pub op: Option<OpId>,
    pub blocks: Vec<BlockId>,
}

/// Where a use of a value is: an operation and the number of the operand.
pub type Use = (OpId, usize);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    pub roots: Vec<RegionId>,
    pub ops: BTreeMap<OpId, Op>,
    pub blocks: BTreeMap<BlockId, Block>,
    pub regions: BTreeMap<RegionId, Region>,
    pub types: BTreeMap<Value, TypeRef>,
    /// By value: its uses as MLIR lists them, the front of the list first.
    pub uses: BTreeMap<Value, Vec<Use>>,
    /// How many operations, blocks, regions and values were ever made.
    pub made: [usize; 4],
}

impl Tree {
    /// A body that was not edited.
    pub fn of(body: &Body) -> Tree {
        let mut tree = Tree { roots: body.top_regions().to_vec(), ..Tree::default() };
        for &root in body.top_regions() {
            tree.take_region(body, root, None);
        }
        let order = tree.preorder();
        for (number, &op) in order.iter().enumerate() {
            assert!(body.preorder_numbers()[op.index()] == number as u32, "another order of the operations");
        }
        // The use in the last operation comes first, and there the last operand.
        for &value in tree.types.keys() {
            let uses = order.iter().rev().flat_map(|&op| {
                let operands = &tree.ops[&op].operands;
                (0..operands.len()).rev().filter(move |&at| operands[at] == value).map(move |at| (op, at))
            });
            tree.uses.insert(value, uses.collect());
        }
        for (value, places) in body.stored_orders() {
            let by_id = tree.uses[&value].clone();
            assert_eq!(by_id.len(), places.len());
            let list = tree.uses.get_mut(&value).expect("a value");
            for (use_, &place) in by_id.into_iter().zip(places) {
                list[place as usize] = use_;
            }
        }
        tree.made = [body.operation_count(), body.block_count(), body.region_count(), body.value_count()];
        tree
    }

    fn take_region(&mut self, body: &Body, region: RegionId, op: Option<OpId>) {
        let blocks: Vec<BlockId> = body.blocks(region).collect();
        self.regions.insert(region, Region { op, blocks: blocks.clone() });
        for block in blocks {
            let arguments = body.arguments(block).iter().copied().zip(body.argument_locations(block).iter().copied());
            let arguments: Vec<_> = arguments.collect();
            for &(argument, _) in &arguments {
                self.types.insert(argument, body.ty(argument));
            }
            let ops: Vec<OpId> = body.operations(block).collect();
            self.blocks.insert(block, Block { region, arguments, ops: ops.clone() });
            for op in ops {
                self.take_op(body, op);
            }
        }
    }

    /// What the body says of an operation and of what is in it.
    pub fn take_op(&mut self, body: &Body, op: OpId) {
        let regions: Vec<RegionId> = body.regions(op).collect();
        for result in body.results(op) {
            self.types.insert(result, body.ty(result));
        }
        self.ops.insert(op, Op::of(body, op));
        for region in regions {
            self.take_region(body, region, Some(op));
        }
    }

    // Looking.

    fn push_region(&self, region: RegionId, order: &mut Vec<OpId>) {
        for block in &self.regions[&region].blocks {
            for &op in &self.blocks[block].ops {
                self.push_op(op, order);
            }
        }
    }

    fn push_op(&self, op: OpId, order: &mut Vec<OpId>) {
        order.push(op);
        for &region in &self.ops[&op].regions {
            self.push_region(region, order);
        }
    }

    pub fn preorder(&self) -> Vec<OpId> {
        let mut order = Vec::new();
        self.roots.iter().for_each(|&root| self.push_region(root, &mut order));
        order
    }

    pub fn inside(&self, op: OpId) -> Vec<OpId> {
        let mut order = Vec::new();
        self.push_op(op, &mut order);
        order
    }

    pub fn blocks_inside(&self, op: OpId) -> Vec<BlockId> {
        let ops = self.inside(op);
        let regions = ops.iter().flat_map(|op| &self.ops[op].regions);
        regions.flat_map(|region| self.regions[region].blocks.iter().copied()).collect()
    }

    pub fn values_of(&self, ops: &[OpId], blocks: &[BlockId]) -> Vec<Value> {
        let results = ops.iter().flat_map(|op| self.ops[op].results.iter().copied());
        let arguments = blocks.iter().flat_map(|block| self.blocks[block].arguments.iter().map(|it| it.0));
        results.chain(arguments).collect()
    }

    /// The regions around an operation in this body, from the inside out.
    pub fn around(&self, op: OpId) -> Vec<RegionId> {
        let mut regions = Vec::new();
        let mut next = Some(op);
        while let Some(block) = next.and_then(|op| self.ops[&op].block) {
            let region = self.blocks[&block].region;
            regions.push(region);
            next = self.regions[&region].op;
        }
        regions
    }

    /// What is defined directly in these regions.
    pub fn values_in(&self, regions: &[RegionId]) -> Vec<Value> {
        let blocks: Vec<BlockId> = regions.iter().flat_map(|it| self.regions[it].blocks.iter().copied()).collect();
        let ops: Vec<OpId> = blocks.iter().flat_map(|it| self.blocks[it].ops.iter().copied()).collect();
        self.values_of(&ops, &blocks)
    }

    /// Whether bytecode can hold the body: what is used is in scope, and what is gone on to is in the same region.
    pub fn is_writable(&self, top: bool) -> bool {
        let mut region_of: BTreeMap<Value, RegionId> = BTreeMap::new();
        for block in self.blocks.values() {
            region_of.extend(block.arguments.iter().map(|it| (it.0, block.region)));
        }
        for op in self.ops.values() {
            if let Some(block) = op.block {
                region_of.extend(op.results.iter().map(|&value| (value, self.blocks[&block].region)));
            }
        }
        let order = self.preorder();
        let in_scope = order.iter().all(|&op| {
            let around = self.around(op);
            let known = &self.ops[&op];
            let usable = |region: RegionId| around.contains(&region) && !(top && self.roots.contains(&region));
            known.operands.iter().all(|value| region_of.get(value).is_some_and(|&region| usable(region)))
                && known
                    .successors
                    .iter()
                    .all(|block| self.blocks.get(block).is_some_and(|block| Some(&block.region) == around.first()))
        });
        let outermost: Vec<BlockId> =
            self.roots.iter().flat_map(|root| self.regions[root].blocks.iter().copied()).collect();
        in_scope && !(top && (outermost.len() > 1 || outermost.iter().any(|it| !self.blocks[it].arguments.is_empty())))
    }

    /// Whether nothing in the body's regions uses or goes on to what is not there.
    pub fn is_closed(&self) -> bool {
        let order = self.preorder();
        let is_there = |value: &Value| {
            self.blocks.values().any(|block| block.arguments.iter().any(|it| it.0 == *value) && self.is_attached(block))
                || order.iter().any(|op| self.ops[op].results.contains(value))
        };
        order.iter().all(|op| {
            let op = &self.ops[op];
            op.operands.iter().all(is_there)
                && op.successors.iter().all(|to| self.blocks.get(to).is_some_and(|block| self.is_attached(block)))
        })
    }

    fn is_attached(&self, block: &Block) -> bool {
        let holder = self.regions[&block.region].op;
        let outermost =
            holder.map_or(block.region, |op| *self.around(op).last().unwrap_or(&RegionId::from_index(1 << 30)));
        self.roots.contains(&outermost)
    }

    // Edits. Each says whether it may be done, and does it then.

    pub fn has_values(&self, values: &[Value]) -> bool {
        values.iter().all(|value| self.types.contains_key(value))
    }

    fn use_front(&mut self, value: Value, use_: Use) {
        self.uses.get_mut(&value).expect("a value").insert(0, use_);
    }

    fn unuse(&mut self, value: Value, use_: Use) {
        let list = self.uses.get_mut(&value).expect("a value");
        list.remove(list.iter().position(|&known| known == use_).expect("a use"));
    }

    pub fn add_value(&mut self, value: Value, ty: TypeRef) {
        self.types.insert(value, ty);
        self.uses.insert(value, Vec::new());
        self.made[3] += 1;
    }

    fn drop_values(&mut self, values: &[Value]) {
        for value in values {
            assert_eq!(self.uses.remove(value), Some(Vec::new()));
            self.types.remove(value);
        }
    }

    /// Enters an operation that was just made. Its results have the next numbers, its regions too.
    pub fn add_op(&mut self, id: OpId, mut op: Op, results: &[TypeRef], regions: usize) {
        assert_eq!(id.index(), self.made[0], "a number that was given out before");
        for &ty in results {
            let value = Value::from_index(self.made[3]);
            op.results.push(value);
            self.add_value(value, ty);
        }
        for _ in 0..regions {
            let region = RegionId::from_index(self.made[2]);
            op.regions.push(region);
            self.regions.insert(region, Region { op: Some(id), blocks: Vec::new() });
            self.made[2] += 1;
        }
        for (at, &value) in op.operands.clone().iter().enumerate() {
            self.use_front(value, (id, at));
        }
        self.ops.insert(id, op);
        self.made[0] += 1;
    }

    pub fn can_stand(&self, op: OpId, block: BlockId, before: Option<OpId>) -> bool {
        self.ops.contains_key(&op)
            && self.blocks.contains_key(&block)
            && !self.blocks_inside(op).contains(&block)
            && before.is_none_or(|before| self.ops.get(&before).is_some_and(|op| op.block == Some(block)))
    }

    pub fn insert(&mut self, block: BlockId, before: Option<OpId>, op: OpId) {
        let ops = &mut self.blocks.get_mut(&block).expect("a block").ops;
        let at = before.map_or(ops.len(), |before| ops.iter().position(|&op| op == before).expect("in the block"));
        ops.insert(at, op);
        self.ops.get_mut(&op).expect("an operation").block = Some(block);
    }

    pub fn detach(&mut self, op: OpId) {
        if let Some(block) = self.ops.get_mut(&op).expect("an operation").block.take() {
            self.blocks.get_mut(&block).expect("a block").ops.retain(|&other| other != op);
        }
    }

    /// Whether nothing but `ops` uses what they and these blocks define.
    fn is_free(&self, ops: &[OpId], blocks: &[BlockId]) -> bool {
        self.values_of(ops, blocks).iter().all(|value| self.uses[value].iter().all(|use_| ops.contains(&use_.0)))
    }

    fn drop_all(&mut self, ops: &[OpId], blocks: &[BlockId]) {
        let values = self.values_of(ops, blocks);
        for &op in ops {
            for (at, value) in self.ops[&op].operands.clone().into_iter().enumerate() {
                self.unuse(value, (op, at));
            }
        }
        self.drop_values(&values);
        for op in ops {
            for region in self.ops.remove(op).expect("an operation").regions {
                self.regions.remove(&region);
            }
        }
        for block in blocks {
            self.blocks.remove(block);
        }
    }

    pub fn erase(&mut self, op: OpId) -> bool {
        if !self.ops.contains_key(&op) {
            return false;
        }
        let (ops, blocks) = (self.inside(op), self.blocks_inside(op));
        if !self.is_free(&ops, &blocks) {
            return false;
        }
        self.detach(op);
        self.drop_all(&ops, &blocks);
        true
    }

    fn is_gone_to(&self, block: BlockId, but: &[OpId]) -> bool {
        self.ops.iter().any(|(op, known)| known.successors.contains(&block) && !but.contains(op))
    }

    pub fn erase_block(&mut self, block: BlockId) -> bool {
        let Some(known) = self.blocks.get(&block) else { return false };
        let region = known.region;
        let ops: Vec<OpId> = known.ops.iter().flat_map(|&op| self.inside(op)).collect();
        let mut blocks: Vec<BlockId> = known.ops.iter().flat_map(|&op| self.blocks_inside(op)).collect();
        blocks.push(block);
        if self.is_gone_to(block, &ops) || !self.is_free(&ops, &blocks) {
            return false;
        }
        self.regions.get_mut(&region).expect("a region").blocks.retain(|&other| other != block);
        self.drop_all(&ops, &blocks);
        true
    }

    pub fn set_operand(&mut self, op: OpId, number: usize, value: Value) -> bool {
        if !self.types.contains_key(&value) || self.ops.get(&op).is_none_or(|op| number >= op.operands.len()) {
            return false;
        }
        let old = std::mem::replace(&mut self.ops.get_mut(&op).expect("an operation").operands[number], value);
        self.unuse(old, (op, number));
        self.use_front(value, (op, number));
        true
    }

    pub fn set_operands(&mut self, op: OpId, values: &[Value]) -> bool {
        if !self.has_values(values) || !self.ops.contains_key(&op) {
            return false;
        }
        let old = std::mem::replace(&mut self.ops.get_mut(&op).expect("an operation").operands, values.to_vec());
        for (at, value) in old.into_iter().enumerate() {
            self.unuse(value, (op, at));
        }
        for (at, &value) in values.iter().enumerate() {
            self.use_front(value, (op, at));
        }
        true
    }

    pub fn replace_uses(&mut self, old: Value, new: Value, wanted: impl Fn(Use) -> bool) -> bool {
        if !self.has_values(&[old, new]) {
            return false;
        }
        if old != new {
            for use_ in self.uses[&old].clone() {
                if wanted(use_) {
                    assert!(self.set_operand(use_.0, use_.1, new));
                }
            }
        }
        true
    }

    pub fn has_region(&self, region: RegionId, before: Option<BlockId>) -> bool {
        self.regions.contains_key(&region)
            && before.is_none_or(|before| self.blocks.get(&before).is_some_and(|block| block.region == region))
    }

    pub fn add_block(&mut self, region: RegionId, before: Option<BlockId>) -> BlockId {
        let block = BlockId::from_index(self.made[1]);
        self.made[1] += 1;
        self.blocks.insert(block, Block { region, arguments: Vec::new(), ops: Vec::new() });
        self.put_block(block, region, before);
        block
    }

    fn put_block(&mut self, block: BlockId, region: RegionId, before: Option<BlockId>) {
        let blocks = &mut self.regions.get_mut(&region).expect("a region").blocks;
        let at =
            before.map_or(blocks.len(), |before| blocks.iter().position(|&it| it == before).expect("in the region"));
        blocks.insert(at, block);
        self.blocks.get_mut(&block).expect("a block").region = region;
    }

    pub fn erase_argument(&mut self, block: BlockId, number: usize) -> bool {
        let argument = self.blocks.get(&block).and_then(|block| block.arguments.get(number));
        let Some(&(value, _)) = argument else { return false };
        if !self.uses[&value].is_empty() {
            return false;
        }
        self.blocks.get_mut(&block).expect("a block").arguments.remove(number);
        self.drop_values(&[value]);
        true
    }

    pub fn split_block(&mut self, op: OpId) -> Option<BlockId> {
        let block = self.ops.get(&op)?.block?;
        let region = self.blocks[&block].region;
        let blocks = &self.regions[&region].blocks;
        let after = blocks.iter().position(|&it| it == block).and_then(|at| blocks.get(at + 1)).copied();
        let new = self.add_block(region, after);
        let ops = &mut self.blocks.get_mut(&block).expect("a block").ops;
        let at = ops.iter().position(|&it| it == op).expect("in the block");
        let moved = ops.split_off(at);
        for &op in &moved {
            self.ops.get_mut(&op).expect("an operation").block = Some(new);
        }
        self.blocks.get_mut(&new).expect("a block").ops = moved;
        Some(new)
    }

    pub fn inline_block(&mut self, from: BlockId, to: BlockId, before: Option<OpId>, arguments: &[Value]) -> bool {
        let (Some(source), true) = (self.blocks.get(&from).cloned(), self.blocks.contains_key(&to)) else {
            return false;
        };
        let own: Vec<Value> = source.arguments.iter().map(|it| it.0).collect();
        let fits = own.len() == arguments.len()
            && self.has_values(arguments)
            && !arguments.iter().any(|value| own.contains(value))
            && from != to
            && before.is_none_or(|before| self.ops.get(&before).is_some_and(|op| op.block == Some(to)))
            && !self.is_gone_to(from, &[])
            && !source.ops.iter().any(|&op| self.blocks_inside(op).contains(&to));
        if !fits {
            return false;
        }
        for (&old, &new) in own.iter().zip(arguments) {
            assert!(self.replace_uses(old, new, |_| true));
        }
        for &op in &source.ops {
            self.detach(op);
            self.insert(to, before, op);
        }
        self.drop_values(&own);
        self.regions.get_mut(&source.region).expect("a region").blocks.retain(|&it| it != from);
        self.blocks.remove(&from);
        true
    }

    pub fn inline_region(&mut self, from: RegionId, to: RegionId, before: Option<BlockId>) -> bool {
        if !self.regions.contains_key(&from) || !self.has_region(to, before) {
            return false;
        }
        let around = self.regions[&to].op.map_or_else(Vec::new, |op| self.around(op));
        if from == to || around.contains(&from) {
            return false;
        }
        for block in std::mem::take(&mut self.regions.get_mut(&from).expect("a region").blocks) {
            self.put_block(block, to, before);
        }
        true
    }

    pub fn move_block(&mut self, block: BlockId, to: RegionId, before: Option<BlockId>) -> bool {
        if !self.blocks.contains_key(&block) || !self.has_region(to, before) {
            return false;
        }
        let mut holder = self.regions[&to].op;
        while let Some(op) = holder {
            let inside = self.ops[&op].block;
            if inside == Some(block) && before != Some(block) {
                return false;
            }
            holder = inside.and_then(|inside| self.regions[&self.blocks[&inside].region].op);
        }
        if before != Some(block) {
            let region = self.blocks[&block].region;
            self.regions.get_mut(&region).expect("a region").blocks.retain(|&it| it != block);
            self.put_block(block, to, before);
        }
        true
    }

    pub fn replace_block_uses(&mut self, block: BlockId, by: BlockId) -> bool {
        let both = self.blocks.contains_key(&block) && self.blocks.contains_key(&by);
        if both {
            for successor in self.ops.values_mut().flat_map(|op| &mut op.successors).filter(|it| **it == block) {
                *successor = by;
            }
        }
        both
    }

    /// Gives the body of one operation to another; `empty` says which body has no block. `None` where that is refused, else the
    /// body that was there before.
    pub fn move_body(&mut self, from: OpId, to: OpId, empty: impl Fn(BodyId) -> bool) -> Option<Option<BodyId>> {
        let (source, target) = (self.ops.get(&from)?.clone(), self.ops.get(&to)?.clone());
        if from == to {
            return Some(None);
        }
        let fits = source.regions.is_empty() && target.regions.is_empty() && source.isolated == target.isolated;
        if !fits || target.child.is_some_and(|child| !empty(child)) {
            return None;
        }
        self.ops.get_mut(&to).expect("an operation").child = source.child;
        self.ops.get_mut(&from).expect("an operation").child = None;
        Some(target.child)
    }

    /// The blocks that `first` leads to without going through `without`.
    fn reached(&self, first: BlockId, without: Option<BlockId>) -> Vec<BlockId> {
        let mut met: Vec<BlockId> = [first].into_iter().filter(|&first| Some(first) != without).collect();
        let mut at = 0;
        while let Some(block) = met.get(at) {
            let region = self.blocks[block].region;
            for to in self.blocks[block].ops.last().iter().flat_map(|op| &self.ops[op].successors) {
                let is_beside = self.blocks.get(to).is_some_and(|block| block.region == region);
                if is_beside && Some(*to) != without && !met.contains(to) {
                    met.push(*to);
                }
            }
            at += 1;
        }
        met
    }

    /// Asserts that dominance is what leaving out each block in turn says, in what is not detached.
    pub fn check_dominance(&self, dominance: &Dominance<'_>, asked: &mut dyn FnMut(usize) -> usize) {
        let outermost = |region: RegionId| match self.regions[&region].op {
            Some(op) => *self.around(op).last().unwrap_or(&region),
            None => region,
        };
        let regions: Vec<RegionId> =
            self.regions.keys().copied().filter(|&region| self.roots.contains(&outermost(region))).collect();
        // By block: those that it dominates, where it can be reached.
        let mut dominated: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        let mut live: Vec<BlockId> = Vec::new();
        for region in &regions {
            let blocks = &self.regions[region].blocks;
            let Some(&first) = blocks.first() else { continue };
            let reached = self.reached(first, None);
            for &block in blocks {
                let left = self.reached(first, Some(block));
                let lost = reached.iter().copied().filter(|it| !left.contains(it)).collect();
                dominated.insert(block, lost);
                assert_eq!(dominance.is_reachable(block), reached.contains(&block), "{block:?}");
            }
            for &one in blocks {
                for &other in blocks {
                    let expected = one == other || !reached.contains(&other) || dominated[&one].contains(&other);
                    assert_eq!(dominance.dominates(one, other), expected, "{one:?} {other:?}");
                }
                let above = |it: &BlockId| *it != one && dominated[it].contains(&one);
                let nearest = reached
                    .iter()
                    .copied()
                    .filter(above)
                    .max_by_key(|it| reached.iter().filter(|around| dominated[around].contains(it)).count());
                let nearest = nearest.filter(|_| reached.contains(&one));
                assert_eq!(dominance.immediate_dominator(one), nearest, "{one:?}");
            }
            live.extend(reached);
        }
        let (values, order) = (self.types.keys().copied().collect::<Vec<_>>(), self.preorder());
        if values.is_empty() || order.is_empty() {
            return;
        }
        for _ in 0..20 {
            let (value, op) = (values[asked(values.len())], order[asked(order.len())]);
            let expected = self.reaches(value, op, dominance, &dominated, &live);
            assert_eq!(dominance.reaches(value, op), expected, "{value:?} in {op:?}");
        }
    }

    fn reaches(
        &self,
        value: Value,
        op: OpId,
        dominance: &Dominance<'_>,
        dominated: &BTreeMap<BlockId, Vec<BlockId>>,
        live: &[BlockId],
    ) -> bool {
        let definer = self.ops.iter().find(|it| it.1.results.contains(&value)).map(|it| *it.0);
        let block = match definer {
            Some(definer) => self.ops[&definer].block,
            None => self.blocks.iter().find(|it| it.1.arguments.iter().any(|it| it.0 == value)).map(|it| *it.0),
        };
        let Some(block) = block else { return false };
        let Some(region) = self.blocks.get(&block).map(|block| block.region) else { return false };
        if !dominated.contains_key(&block) {
            return false;
        }
        // The operation around the use that stands in the region of the definition.
        let mut at = op;
        let using = loop {
            let Some(using) = self.ops[&at].block else { return false };
            if self.blocks[&using].region == region {
                break using;
            }
            let Some(holder) = self.regions[&self.blocks[&using].region].op else { return false };
            at = holder;
        };
        if !live.contains(&using) {
            // What cannot be reached may use what it likes of other blocks.
            if using != block {
                return true;
            }
        } else if using != block {
            return live.contains(&block) && dominated[&block].contains(&using);
        }
        let Some(definer) = definer else { return true };
        let ops = &self.blocks[&block].ops;
        let place = |op: OpId| ops.iter().position(|&it| it == op);
        dominance.is_graph(region) || place(definer) < place(at)
    }

    // Comparing.

    /// Asserts that the other tree holds the same, whatever the ids; gives the bodies of operations in this one, each with the
    /// operation that stands for its own in the other.
    pub fn assert_same(&self, other: &Tree) -> Vec<(BodyId, OpId)> {
        let (ops, copies) = (self.preorder(), other.preorder());
        assert_eq!(ops.len(), copies.len());
        let mut values: HashMap<Value, Value> = HashMap::new();
        let mut blocks: HashMap<BlockId, BlockId> = HashMap::new();
        let mut regions: Vec<(RegionId, RegionId)> =
            self.roots.iter().copied().zip(other.roots.iter().copied()).collect();
        assert_eq!(self.roots.len(), other.roots.len());
        for (a, b) in ops.iter().zip(&copies) {
            let (a, b) = (&self.ops[a], &other.ops[b]);
            values.extend(a.results.iter().copied().zip(b.results.iter().copied()));
            assert_eq!(a.regions.len(), b.regions.len());
            regions.extend(a.regions.iter().copied().zip(b.regions.iter().copied()));
        }
        for (a, b) in regions {
            let (a, b) = (&self.regions[&a].blocks, &other.regions[&b].blocks);
            assert_eq!(a.len(), b.len());
            for (&a, &b) in a.iter().zip(b) {
                blocks.insert(a, b);
                let (a, b) = (&self.blocks[&a].arguments, &other.blocks[&b].arguments);
                assert!(a.iter().map(|it| it.1).eq(b.iter().map(|it| it.1)));
                values.extend(a.iter().map(|it| it.0).zip(b.iter().map(|it| it.0)));
            }
        }
        assert!(values.iter().all(|(old, new)| self.types[old] == other.types[new]));
        let mut children = Vec::new();
        for (a, &copy) in ops.iter().zip(&copies) {
            let (a, b) = (&self.ops[a], &other.ops[&copy]);
            let expected = Op {
                block: a.block.map(|block| blocks[&block]),
                operands: a.operands.iter().map(|value| values[value]).collect(),
                results: a.results.iter().map(|value| values[value]).collect(),
                successors: a.successors.iter().map(|block| blocks[block]).collect(),
                regions: b.regions.clone(),
                child: b.child,
                ..a.clone()
            };
            assert_eq!(*b, expected);
            assert_eq!(a.child.is_some(), b.child.is_some());
            children.extend(a.child.map(|child| (child, copy)));
        }
        children
    }

    /// Asserts that the body is this tree, whichever way one looks at it.
    pub fn check(&self, body: &Body) {
        let made = [body.operation_count(), body.block_count(), body.region_count(), body.value_count()];
        assert_eq!(made, self.made, "other numbers of operations, blocks, regions, values");
        assert_eq!(body.top_regions(), self.roots);
        assert!(body.preorder().eq(self.preorder()), "another order of operations");
        let numbers = body.preorder_numbers();
        for (id, region) in &self.regions {
            assert_eq!(body.operation_of(*id), region.op);
            assert!(body.blocks(*id).eq(region.blocks.iter().copied()), "other blocks in {id:?}");
            assert_eq!((body.first_block(*id), body.last_block(*id)), ends(&region.blocks));
            for (at, &block) in region.blocks.iter().enumerate() {
                assert_eq!((body.previous_block(block), body.next_block(block)), beside(&region.blocks, at));
                assert_eq!(body.region_of(block), Some(*id));
            }
        }
        for (id, block) in &self.blocks {
            assert!(body.operations(*id).eq(block.ops.iter().copied()), "other operations in {id:?}");
            assert_eq!((body.first_operation(*id), body.last_operation(*id)), ends(&block.ops));
            for (at, &op) in block.ops.iter().enumerate() {
                assert_eq!((body.previous_operation(op), body.next_operation(op)), beside(&block.ops, at));
            }
            assert!(body.arguments(*id).iter().copied().eq(block.arguments.iter().map(|it| it.0)));
            assert!(body.argument_locations(*id).iter().copied().eq(block.arguments.iter().map(|it| it.1)));
            for (at, &(argument, _)) in block.arguments.iter().enumerate() {
                assert_eq!(body.owner(argument), Some(ValueOwner::Argument(*id, at)));
                assert_eq!(body.defining_region(argument), Some(block.region));
            }
            assert_eq!(body.region_of(*id), Some(block.region));
        }
        for (id, op) in &self.ops {
            assert_eq!(Op::of(body, *id), *op, "{id:?}");
            assert_eq!(body.parent(*id), op.block.and_then(|block| self.regions[&self.blocks[&block].region].op));
            for (number, &result) in op.results.iter().enumerate() {
                assert_eq!(body.owner(result), Some(ValueOwner::Result(*id, number)));
                assert_eq!(body.result(*id, number), Some(result));
                assert_eq!(body.defining_block(result), op.block);
            }
            let attached = numbers[id.index()] != u32::MAX;
            assert_eq!(attached, self.around(*id).last().is_some_and(|region| self.roots.contains(region)));
        }
        for at in 0..body.operation_count() {
            let op = OpId::from_index(at);
            assert_eq!(body.is_erased(op), !self.ops.contains_key(&op));
        }
        for at in 0..body.value_count() {
            let value = Value::from_index(at);
            assert_eq!(body.is_defined(value), self.types.contains_key(&value), "{value:?}");
            let uses = self.uses.get(&value).map_or(&[][..], Vec::as_slice);
            assert_eq!(body.is_used(value), !uses.is_empty(), "{value:?}");
            if body.uses().is_some() {
                let listed: Vec<Use> = body.uses_of(value).map(|use_| (use_.op, use_.operand)).collect();
                assert_eq!(listed, uses, "the uses of {value:?}");
            }
        }
        for (&value, &ty) in &self.types {
            assert_eq!(body.ty(value), ty);
        }
        let children: Vec<BodyId> = self.ops.values().filter_map(|op| op.child).collect();
        let mut known: Vec<BodyId> = body.region_bodies().collect();
        known.sort_unstable();
        let mut children = children;
        children.sort_unstable();
        assert_eq!(known, children);
    }
}

fn ends<T: Copy>(list: &[T]) -> (Option<T>, Option<T>) {
    (list.first().copied(), list.last().copied())
}

fn beside<T: Copy>(list: &[T], at: usize) -> (Option<T>, Option<T>) {
    (at.checked_sub(1).map(|at| list[at]), list.get(at + 1).copied())
}
