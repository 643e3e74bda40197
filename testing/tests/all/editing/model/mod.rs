//! A body as a plain tree: lists in maps, searched from end to end. What the edits of a body do is done here in the most obvious
//! way, and compared.

mod compact;
mod compare;
mod dominance;
mod edits;

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

/// Where a use of a value or block is: an operation and the number of the operand or successor.
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
    /// By block: which operations go on to it, each with the number of the successor, the last that came to do so first.
    pub gone_to: BTreeMap<BlockId, Vec<Use>>,
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
        for (&op, known) in &tree.ops {
            for (at, &to) in known.successors.iter().enumerate() {
                tree.gone_to.get_mut(&to).expect("a block").insert(0, (op, at));
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
            self.gone_to.insert(block, Vec::new());
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
}
