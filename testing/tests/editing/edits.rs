//! Random edits, each made in a body and in the tree beside it: both must allow it, or both refuse it.

use std::collections::{BTreeMap, HashMap};

use mlirbc_ir::{
    AttributeData, AttributeRef, BlockId, Body, BodyId, Context, IsolationMark, Module, OpId, OperationName,
    OperationSpec, RegionId, Result, TypeRef, Value, ValueMap,
};

use crate::form::Trees;
use crate::model::{Block, Op, Region, Tree};

/// Numbers that look random, the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 8) as usize % end
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn of<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { Some(list[self.below(list.len())]) }
    }

    pub fn key<K: Copy + Ord, V>(&mut self, map: &BTreeMap<K, V>) -> Option<K> {
        if map.is_empty() { None } else { map.keys().nth(self.below(map.len())).copied() }
    }
}

/// What new operations are made of.
struct Stock {
    names: [OperationName; 3],
    isolated: OperationName,
    types: [TypeRef; 3],
    locations: [AttributeRef; 3],
    dictionaries: [AttributeRef; 2],
    empty: AttributeRef,
}

impl Stock {
    fn new(context: &Context) -> Self {
        let place = |line: u32| {
            let file = context.identifier("edits.mlir");
            let data = AttributeData::FileLocation { file, start: (line, 1), end: (line, 1) };
            AttributeRef::from(context.attribute(data))
        };
        let dictionary = |number: i64| {
            let entry = (context.identifier("test.note"), context.integer(32, number));
            AttributeRef::from(context.dictionary(vec![entry]).expect("one entry"))
        };
        Stock {
            names: ["edit.one", "edit.two", "other.three"].map(|name| context.operation_name(name, false)),
            isolated: context.operation_name("builtin.module", true),
            types: [1, 8, 64].map(|width| context.integer_type(width).into()),
            locations: [place(1), place(70_000), context.unknown_location().into()],
            dictionaries: [dictionary(1), dictionary(2)],
            empty: context.dictionary(Vec::new()).expect("no entry").into(),
        }
    }
}

/// How often each kind of edit was made, and how often refused.
pub type Tally = BTreeMap<&'static str, (usize, usize)>;

/// A module being edited.
pub struct Run {
    pub module: Module,
    /// The bodies that were entered, as they must be.
    pub trees: Trees,
    pub random: Random,
    pub tally: Tally,
    stock: Stock,
    /// Whether the body of the outermost operations is edited, of which bytecode holds one block without arguments.
    top: bool,
}

/// The larger it is, the more rarely an id is one that the body does not have.
const SANE: usize = 60;

impl Run {
    pub fn new(module: Module, random: Random) -> Self {
        let stock = Stock::new(module.context());
        Run { module, trees: Trees::new(), random, tally: Tally::new(), stock, top: false }
    }

    /// Enters a body, as nobody has edited it.
    pub fn enter(&mut self, id: BodyId) {
        if !self.trees.contains_key(&id) {
            let tree = Tree::of(self.module.body(id).expect("well-formed"));
            self.trees.insert(id, tree);
        }
    }

    /// The bodies that operations lead to, as far as they were entered or stand in one that was.
    pub fn reachable(&self) -> Vec<BodyId> {
        let mut ids = vec![BodyId::from_index(Module::TOP)];
        let mut at = 0;
        while let Some(id) = ids.get(at) {
            if let Some(tree) = self.trees.get(id) {
                ids.extend(tree.ops.values().filter_map(|op| op.child));
            }
            at += 1;
        }
        ids
    }

    /// Makes one edit, or is refused one, and compares the body with the tree.
    pub fn edit(&mut self) {
        let reachable = self.reachable();
        let mut id = reachable[self.random.below(reachable.len())];
        self.enter(id);
        // Where there is little, most edits have nothing to do.
        if self.trees[&id].types.len() < 4 && !self.random.one_in(3) {
            id = reachable[self.random.below(reachable.len())];
            self.enter(id);
        }
        self.top = id.index() == Module::TOP;
        if self.random.one_in(12) {
            self.edit_module(id);
        } else {
            let mut tree = self.trees.remove(&id).expect("entered");
            if self.random.one_in(10) {
                // Beside the module, where other threads could edit others.
                let mut body = self.module.take_body(id).expect("a body of the module");
                self.edit_body(&mut tree, &mut body);
                self.module.put_body(id, body).expect("taken");
            } else {
                let mut module = std::mem::replace(&mut self.module, Module::new(&Context::new()));
                self.edit_body(&mut tree, module.body_mut(id).expect("a body of the module"));
                self.module = module;
            }
            self.trees.insert(id, tree);
        }
        self.trees[&id].check(self.module.body(id).expect("a body of the module"));
    }

    /// Makes operations use what they can use, and go on to where they can go on to.
    pub fn repair(&mut self, id: BodyId) {
        let mut tree = self.trees.remove(&id).expect("entered");
        let mut module = std::mem::replace(&mut self.module, Module::new(&Context::new()));
        let body = module.body_mut(id).expect("a body of the module");
        let top = id.index() == Module::TOP;
        for op in tree.preorder() {
            let (around, known) = (tree.around(op), tree.ops[&op].clone());
            let usable = |region: &RegionId| !(top && tree.roots.contains(region));
            let regions = around.iter().copied().filter(usable).collect::<Vec<_>>();
            let values: Vec<Value> = tree.values_in(&regions);
            let fits = |value: &Value| values.contains(value);
            if !known.operands.iter().all(fits) {
                let fitting: Vec<Value> = known.operands.iter().copied().filter(fits).collect();
                assert!(body.set_operands(op, &fitting).is_ok() && tree.set_operands(op, &fitting));
            }
            let blocks = &tree.regions[&around[0]].blocks;
            for (at, to) in known.successors.iter().enumerate().filter(|to| !blocks.contains(to.1)) {
                let instead = blocks[at % blocks.len()];
                assert!(body.set_successor(op, at, instead).is_ok(), "{to:?}");
                tree.ops.get_mut(&op).expect("an operation").successors[at] = instead;
            }
        }
        tree.check(body);
        self.module = module;
        self.trees.insert(id, tree);
    }

    fn note<T>(&mut self, kind: &'static str, allowed: bool, result: Result<T>) -> Option<T> {
        let tally = self.tally.entry(kind).or_default();
        match result {
            Ok(done) => {
                assert!(allowed, "{kind}: must be refused");
                tally.0 += 1;
                Some(done)
            }
            Err(error) => {
                assert!(!allowed, "{kind}: refused: {error}");
                assert_eq!(error.kind(), mlirbc_ir::ErrorKind::Misuse, "{kind}: {error}");
                tally.1 += 1;
                None
            }
        }
    }

    // Ids, now and then of nothing: erased, or never made.

    fn op(&mut self, tree: &Tree) -> OpId {
        self.op_with(tree, |_| true)
    }

    /// An operation of that kind, if there is one.
    fn op_with(&mut self, tree: &Tree, wanted: impl Fn(&Op) -> bool) -> OpId {
        let ops: Vec<OpId> = tree.ops.iter().filter(|op| wanted(op.1)).map(|op| *op.0).collect();
        match self.random.of(&ops) {
            Some(op) if !self.random.one_in(SANE) => op,
            _ => OpId::from_index(self.random.below(tree.made[0] + 3)),
        }
    }

    /// One of `count`, or the one behind them.
    fn number(&mut self, count: usize) -> usize {
        if count > 0 && !self.random.one_in(SANE) { self.random.below(count) } else { count }
    }

    fn block(&mut self, tree: &Tree) -> BlockId {
        self.block_with(tree, |_| true)
    }

    /// A block of that kind, if there is one.
    fn block_with(&mut self, tree: &Tree, wanted: impl Fn(&Block) -> bool) -> BlockId {
        let blocks: Vec<BlockId> = tree.blocks.iter().filter(|block| wanted(block.1)).map(|block| *block.0).collect();
        match self.random.of(&blocks) {
            Some(block) if !self.random.one_in(SANE) => block,
            _ => BlockId::from_index(self.random.below(tree.made[1] + 3)),
        }
    }

    fn region(&mut self, tree: &Tree) -> RegionId {
        match self.random.key(&tree.regions) {
            Some(region) if !self.random.one_in(SANE) => region,
            _ => RegionId::from_index(self.random.below(tree.made[2] + 3)),
        }
    }

    fn value(&mut self, tree: &Tree) -> Value {
        match self.random.key(&tree.types) {
            Some(value) if !self.random.one_in(SANE) => value,
            _ => Value::from_index(self.random.below(tree.made[3] + 3)),
        }
    }

    /// A value that the operations of a block may use, most of the time.
    fn value_for(&mut self, tree: &Tree, block: Option<BlockId>) -> Value {
        let Some(block) = block.and_then(|block| tree.blocks.get(&block)) else { return self.value(tree) };
        let mut around = vec![block.region];
        around.extend(tree.regions[&block.region].op.map_or_else(Vec::new, |op| tree.around(op)));
        match self.random.of(&tree.values_in(&around)) {
            Some(value) if !self.random.one_in(SANE) => value,
            _ => self.value(tree),
        }
    }

    /// A block for the operation to stand in: where it can use what it uses, most of the time.
    fn block_for(&mut self, tree: &Tree, op: OpId) -> BlockId {
        let block = tree.ops.get(&op).and_then(|op| op.block);
        if self.random.one_in(4) { self.block(tree) } else { self.successor(tree, block) }
    }

    /// A place in the block: before an operation, or at the end.
    fn before(&mut self, tree: &Tree, block: BlockId) -> Option<OpId> {
        match tree.blocks.get(&block) {
            _ if self.random.one_in(SANE) => Some(self.op(tree)),
            Some(block) if !self.random.one_in(3) => self.random.of(&block.ops),
            _ => None,
        }
    }

    fn block_before(&mut self, tree: &Tree, region: RegionId) -> Option<BlockId> {
        match tree.regions.get(&region) {
            _ if self.random.one_in(SANE) => Some(self.block(tree)),
            Some(region) if self.random.one_in(2) => self.random.of(&region.blocks),
            _ => None,
        }
    }

    /// A block that an operation of `block` may go on to, most of the time.
    fn successor(&mut self, tree: &Tree, block: Option<BlockId>) -> BlockId {
        let region = block.and_then(|block| tree.blocks.get(&block)).map(|block| block.region);
        match region.and_then(|region| self.random.of(&tree.regions[&region].blocks)) {
            Some(block) if !self.random.one_in(SANE) => block,
            _ => self.block(tree),
        }
    }

    fn location(&mut self) -> Option<AttributeRef> {
        let locations = self.stock.locations;
        if self.random.one_in(4) { None } else { self.random.of(&locations) }
    }

    /// What a new operation in the block may be.
    fn draft(&mut self, tree: &Tree, block: Option<BlockId>) -> (Op, Vec<TypeRef>, usize) {
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

    /// Makes an operation and mostly puts it into a block at once.
    fn create(&mut self, tree: &mut Tree, body: &mut Body) {
        let block = match self.random.one_in(2) {
            true => self.block_with(tree, |block| block.arguments.len() + block.ops.len() > 1),
            false => self.block(tree),
        };
        let (op, types, regions) = self.draft(tree, Some(block));
        let spec = OperationSpec {
            attributes: op.attributes,
            operands: &op.operands,
            results: &types,
            successors: &op.successors,
            regions: regions as u32,
            ..OperationSpec::new(op.name, op.location)
        };
        let allowed = tree.has_values(&op.operands) && op.successors.iter().all(|it| tree.blocks.contains_key(it));
        let result = body.create(&spec);
        let Some(id) = self.note("create", allowed, result) else { return };
        tree.add_op(id, op, &types, regions);
        if !self.random.one_in(5) {
            self.insert(tree, body, id, block);
        }
    }

    fn insert(&mut self, tree: &mut Tree, body: &mut Body, op: OpId, block: BlockId) {
        let before = self.before(tree, block);
        let detached = tree.ops.get(&op).is_some_and(|op| op.block.is_none());
        let (kind, result, before) = match (self.random.below(2), before) {
            (0, None) => ("append", body.append(block, op), None),
            (0, Some(before)) => {
                // The block is that of the operation.
                let block = tree.ops.get(&before).and_then(|op| op.block);
                let allowed = detached && block.is_some_and(|block| tree.can_stand(op, block, Some(before)));
                let result = body.insert_before(op, before);
                if self.note("insert_before", allowed, result).is_some() {
                    tree.insert(block.expect("allowed"), Some(before), op);
                }
                return;
            }
            _ => ("insert", body.insert(block, before, op), before),
        };
        let allowed = detached && tree.can_stand(op, block, before);
        if self.note(kind, allowed, result).is_some() {
            tree.insert(block, before, op);
        }
    }

    fn edit_body(&mut self, tree: &mut Tree, body: &mut Body) {
        // More is made than taken away only as long as there is little.
        let full = tree.ops.len() > 60;
        match self.random.below(30) {
            0..4 if !full => self.create(tree, body),
            0..6 => self.erase(tree, body),
            6 => {
                let (op, block) = (self.op_with(tree, |op| op.block.is_none()), self.block(tree));
                self.insert(tree, body, op, block);
            }
            7 => {
                if let Some(op) = self.random.key(&tree.ops) {
                    body.detach(op);
                    tree.detach(op);
                    self.note("detach", true, Ok(()));
                }
            }
            8..10 => {
                let op = self.op(tree);
                let block = self.block_for(tree, op);
                let before = self.before(tree, block);
                let result = body.move_to(op, block, before);
                if self.note("move_to", tree.can_stand(op, block, before), result).is_some() && before != Some(op) {
                    tree.detach(op);
                    tree.insert(block, before, op);
                }
            }
            10..14 => self.operands(tree, body),
            14..16 => self.replace(tree, body),
            16 => {
                let op = self.op_with(tree, |op| !op.successors.is_empty());
                let (count, block) = tree.ops.get(&op).map_or((0, None), |op| (op.successors.len(), op.block));
                let (number, to) = (self.number(count), self.successor(tree, block));
                let allowed = number < count && tree.blocks.contains_key(&to);
                let result = body.set_successor(op, number, to);
                if self.note("set_successor", allowed, result).is_some() {
                    tree.ops.get_mut(&op).expect("an operation").successors[number] = to;
                }
            }
            17..19 => self.parts(tree, body),
            19..26 => self.blocks(tree, body),
            26 if !full => self.copy(tree, body),
            27 if !full => self.push(tree, body),
            _ => {
                let value = self.value(tree);
                let uses = tree.uses.get(&value).map_or(0, Vec::len);
                if uses > 1 && body.is_edited() && self.random.one_in(2) {
                    self.reorder(tree, body, value);
                } else if self.random.one_in(4) {
                    body.build_uses();
                }
            }
        }
    }

    fn erase(&mut self, tree: &mut Tree, body: &mut Body) {
        let op = self.op(tree);
        let result = body.erase(op);
        let before = tree.clone();
        let allowed = tree.erase(op);
        if self.note("erase", allowed, result).is_none() {
            assert!(*tree == before);
        }
    }

    fn operands(&mut self, tree: &mut Tree, body: &mut Body) {
        let op = self.op_with(tree, |op| !op.operands.is_empty());
        let (count, block) = tree.ops.get(&op).map_or((0, None), |op| (op.operands.len(), op.block));
        if self.random.one_in(4) {
            let values: Vec<Value> = (0..self.random.below(5)).map(|_| self.value_for(tree, block)).collect();
            let result = body.set_operands(op, &values);
            let allowed = tree.set_operands(op, &values);
            self.note("set_operands", allowed, result);
        } else {
            let number = self.number(count);
            let value = self.value_for(tree, block);
            let result = body.set_operand(op, number, value);
            let allowed = tree.set_operand(op, number, value);
            self.note("set_operand", allowed, result);
        }
    }

    fn replace(&mut self, tree: &mut Tree, body: &mut Body) {
        let old = self.value(tree);
        let user = tree.uses.get(&old).and_then(|uses| uses.first()).and_then(|use_| tree.ops[&use_.0].block);
        let new = self.value_for(tree, user);
        let (odd, all) = (self.random.below(2), self.random.one_in(2));
        let result = match all {
            true => body.replace_uses(old, new),
            false => body.replace_uses_if(old, new, |use_| (use_.op.index() + use_.operand) % 2 == odd),
        };
        let allowed = tree.replace_uses(old, new, |(op, operand)| all || (op.index() + operand) % 2 == odd);
        self.note(if all { "replace_uses" } else { "replace_uses_if" }, allowed, result);
    }

    /// What an operation or value is, beside how it hangs together with others.
    fn parts(&mut self, tree: &mut Tree, body: &mut Body) {
        let Some(op) = self.random.key(&tree.ops) else { return };
        let known = tree.ops.get_mut(&op).expect("an operation");
        match self.random.below(6) {
            0 => {
                let name = self.stock.names[self.random.below(3)];
                // What stands in the file as bytes is of one name.
                let allowed = known.properties.is_none_or(|properties| properties.get().is_ok());
                let named_alike = known.properties.is_none() && known.isolated == 0;
                if !allowed || named_alike {
                    let result = body.set_name(op, name);
                    if self.note("set_name", allowed, result).is_some() {
                        known.name = name;
                    }
                }
            }
            1 => {
                known.location = self.stock.locations[self.random.below(3)];
                body.set_location(op, known.location);
                self.note("set_location", true, Ok(()));
            }
            2 => {
                // Not where a file keeps what the definition names among the others.
                if known.attributes.is_none_or(|attributes| attributes.get().is_ok()) {
                    known.attributes =
                        if self.random.one_in(3) { None } else { Some(self.stock.dictionaries[self.random.below(2)]) };
                    body.set_attributes(op, known.attributes);
                    self.note("set_attributes", true, Ok(()));
                }
            }
            3 => {
                if let Some(value) = self.random.key(&tree.types) {
                    let ty = self.stock.types[self.random.below(3)];
                    body.set_type(value, ty);
                    tree.types.insert(value, ty);
                    self.note("set_type", true, Ok(()));
                }
            }
            _ => {
                let block = self.block_with(tree, |block| !block.arguments.is_empty());
                let count = tree.blocks.get(&block).map_or(0, |block| block.arguments.len());
                let (number, location) = (self.number(count), self.location());
                let result = body.set_argument_location(block, number, location);
                if self.note("set_argument_location", number < count, result).is_some() {
                    tree.blocks.get_mut(&block).expect("a block").arguments[number].1 = location;
                }
            }
        }
    }

    /// Whether the outermost region had better stay as it is.
    fn spares(&mut self, tree: &Tree, region: RegionId) -> bool {
        self.top && tree.roots.contains(&region) && !self.random.one_in(20)
    }

    fn blocks(&mut self, tree: &mut Tree, body: &mut Body) {
        match self.random.below(11) {
            0 => {
                let region = self.region(tree);
                if self.spares(tree, region) {
                    return;
                }
                let before = self.block_before(tree, region);
                let result = body.create_block(region, before);
                if let Some(made) = self.note("create_block", tree.has_region(region, before), result) {
                    assert_eq!(made, tree.add_block(region, before));
                }
            }
            1..4 => {
                let Some(block) = self.random.key(&tree.blocks) else { return };
                if self.spares(tree, tree.blocks[&block].region) {
                    return;
                }
                let (ty, location) = (self.stock.types[self.random.below(3)], self.location());
                let value = body.add_argument(block, ty, location);
                assert_eq!(value.index(), tree.made[3]);
                tree.add_value(value, ty);
                tree.blocks.get_mut(&block).expect("a block").arguments.push((value, location));
                self.note("add_argument", true, Ok(()));
            }
            4 => {
                let block = self.block_with(tree, |block| !block.arguments.is_empty());
                let count = tree.blocks.get(&block).map_or(0, |block| block.arguments.len());
                let number = self.number(count);
                let result = body.erase_argument(block, number);
                let allowed = tree.erase_argument(block, number);
                self.note("erase_argument", allowed, result);
            }
            5 => {
                let block = self.block(tree);
                let result = body.erase_block(block);
                let allowed = tree.erase_block(block);
                self.note("erase_block", allowed, result);
            }
            6 | 7 => {
                let op = self.op_with(tree, |op| op.block.is_some());
                let block = tree.ops.get(&op).and_then(|op| op.block);
                if block.is_some_and(|block| self.spares(tree, tree.blocks[&block].region)) {
                    return;
                }
                let result = body.split_block(op);
                let made = tree.split_block(op);
                assert_eq!(self.note("split_block", made.is_some(), result), made);
            }
            8 | 9 => {
                let from = self.block(tree);
                let to = self.successor(tree, Some(from));
                let before = self.before(tree, to);
                let count = tree.blocks.get(&from).map_or(0, |block| block.arguments.len());
                let count = if self.random.one_in(SANE) { count + 1 } else { count };
                let arguments: Vec<Value> = (0..count).map(|_| self.value_for(tree, Some(to))).collect();
                let result = body.inline_block(from, to, before, &arguments);
                let allowed = tree.inline_block(from, to, before, &arguments);
                self.note("inline_block", allowed, result);
            }
            _ => {
                let (from, to) = (self.region(tree), self.region(tree));
                if self.spares(tree, to) {
                    return;
                }
                let before = self.block_before(tree, to);
                let result = body.inline_region(from, to, before);
                let allowed = tree.inline_region(from, to, before);
                self.note("inline_region", allowed, result);
            }
        }
    }

    /// Puts the uses of a value in another order.
    fn reorder(&mut self, tree: &mut Tree, body: &mut Body, value: Value) {
        let order = tree.preorder();
        let list = tree.uses.get_mut(&value).expect("a value");
        if list.iter().any(|use_| !order.contains(&use_.0)) {
            return;
        }
        let mut places: Vec<u32> = (0..list.len() as u32).collect();
        for at in (1..places.len()).rev() {
            places.swap(at, self.random.below(at + 1));
        }
        let mut by_id = list.clone();
        by_id.sort_by_key(|use_| std::cmp::Reverse((order.iter().position(|&op| op == use_.0), use_.1)));
        for (use_, &place) in by_id.into_iter().zip(&places) {
            list[place as usize] = use_;
        }
        assert!(body.reorder_uses(value, &places));
        self.note("reorder_uses", true, Ok(()));
        assert!(!body.reorder_uses(value, &places[1..]));
        places[0] = places[1];
        assert!(!body.reorder_uses(value, &places));
    }

    /// Copies an operation within its body.
    fn copy(&mut self, tree: &mut Tree, body: &mut Body) {
        let op = self.op(tree);
        let inside = if tree.ops.contains_key(&op) { tree.inside(op) } else { Vec::new() };
        if inside.len() > 30 {
            return;
        }
        let allowed = !inside.is_empty() && inside.iter().all(|op| tree.ops[op].child.is_none());
        let mut map = ValueMap::default();
        // Something else in the place of one that is used.
        let from = tree.ops.get(&op).and_then(|op| self.random.of(&op.operands));
        if let Some(value) = from
            && self.random.one_in(3)
        {
            map.values.insert(value, self.value(tree));
        }
        let seeded = map.clone();
        let inner: Vec<Value> = inside.iter().flat_map(|op| tree.ops[op].results.iter().copied()).collect();
        let sound = seeded.values.iter().all(|(old, new)| inner.contains(old) || tree.types.contains_key(new));
        let result = body.clone_operation(op, &mut map);
        let Some(copy) = self.note("clone", allowed && sound, result) else { return };
        paste(tree, &tree.clone(), body, &inside, copy, &map);
        let block = match tree.ops.get(&op).and_then(|op| op.block) {
            Some(block) if !self.random.one_in(3) => self.successor(tree, Some(block)),
            _ => self.block(tree),
        };
        self.insert(tree, body, copy, block);
    }

    /// What readers do, in a body that was read long ago.
    fn push(&mut self, tree: &mut Tree, body: &mut Body) {
        let Some(block) = self.random.key(&tree.blocks) else { return };
        let (mut op, types, _) = self.draft(tree, Some(block));
        op.operands.retain(|value| tree.types.contains_key(value));
        (op.successors, op.block, op.attributes) = (Vec::new(), Some(block), None);
        let start = body.operand_start();
        op.operands.iter().for_each(|&value| body.push_operand(value));
        let made = match types[..] {
            [] => body.append_simple(block, op.name, op.location, None, start, None),
            [ty] => body.append_simple(block, op.name, op.location, None, start, Some(ty)),
            _ if self.random.one_in(2) => {
                let first = body.push_values(types.len(), types[0]);
                let count = types.len() as u32;
                let made = body.push_operation(block, op.name, op.location, None, None, start, first, count);
                for (at, &ty) in types.iter().enumerate() {
                    body.define_result(Value::from_index(first.index() + at), made, ty);
                }
                made
            }
            _ => {
                // Pushed before its operands are.
                let made = body.begin_operation(block, op.name, self.stock.empty);
                let start = body.operand_start();
                op.operands.iter().for_each(|&value| body.push_operand(value));
                body.finish_operation(made, op.location, None, None, start, &types);
                made
            }
        };
        tree.add_op(made, op, &types, 0);
        tree.blocks.get_mut(&block).expect("a block").ops.push(made);
        if self.random.one_in(3) {
            body.push_regions(made, 1, IsolationMark::Unknown);
            let region = RegionId::from_index(tree.made[2]);
            tree.made[2] += 1;
            tree.ops.get_mut(&made).expect("made").regions.push(region);
            tree.regions.insert(region, Region { op: Some(made), blocks: Vec::new() });
            let inner = body.push_block(region);
            assert_eq!(inner, tree.add_block(region, None));
            let value = body.push_values(1, self.stock.types[0]);
            body.define_arguments(inner, [(value, self.stock.types[1], None)].into_iter());
            tree.add_value(value, self.stock.types[1]);
            tree.blocks.get_mut(&inner).expect("made").arguments.push((value, None));
        }
        self.note("push", true, Ok(()));
    }

    /// What the module does rather than the body: operations with bodies of their own, and copies across bodies.
    fn edit_module(&mut self, id: BodyId) {
        if self.trees[&id].ops.len() > 60 {
            return;
        }
        if self.random.one_in(4) {
            let (name, location, empty) = (self.stock.isolated, self.stock.locations[1], self.stock.empty);
            let spec = OperationSpec { properties: Some(empty), regions: 1, ..OperationSpec::new(name, location) };
            let result = self.module.create(id, &spec);
            let op = self.note("create isolated", true, result).expect("noted");
            let child = self.module.enter_mut(id, op).expect("an operation with regions");
            let mut tree = self.trees.remove(&id).expect("entered");
            tree.add_op(op, Op::of(self.module.body(id).expect("a body"), op), &[], 0);
            let block = self.block(&tree);
            let mut module = std::mem::replace(&mut self.module, Module::new(&Context::new()));
            self.insert(&mut tree, module.body_mut(id).expect("a body"), op, block);
            self.module = module;
            self.trees.insert(id, tree);
            // With something to edit in it.
            let inside = self.module.body_mut(child).expect("a body of the module");
            let block = inside.create_block(inside.roots()[0], None).expect("a region of the body");
            inside.add_argument(block, self.stock.types[0], None);
            self.trees.remove(&child);
            self.enter(child);
            return;
        }
        let reachable = self.reachable();
        let from = reachable[self.random.below(reachable.len())];
        self.enter(from);
        let source = self.trees[&from].clone();
        let op = self.op(&source);
        let inside = if source.ops.contains_key(&op) { source.inside(op) } else { Vec::new() };
        let mut bodies: Vec<BodyId> = inside.iter().filter_map(|op| source.ops[op].child).collect();
        let mut size = inside.len();
        let mut at = 0;
        while let Some(&child) = bodies.get(at) {
            self.enter(child);
            size += self.trees[&child].preorder().len();
            bodies.extend(self.trees[&child].preorder().iter().filter_map(|op| self.trees[&child].ops[op].child));
            at += 1;
        }
        if size > 30 {
            return;
        }
        let target = &self.trees[&id];
        let mut map = ValueMap::default();
        let own = source.clone();
        let inner_values: Vec<Value> = {
            let blocks = if inside.is_empty() { Vec::new() } else { own.blocks_inside(op) };
            let results = inside.iter().flat_map(|op| own.ops[op].results.iter().copied());
            results.chain(blocks.iter().flat_map(|it| own.blocks[it].arguments.iter().map(|it| it.0))).collect()
        };
        let inner_blocks = if inside.is_empty() { Vec::new() } else { own.blocks_inside(op) };
        let outer: Vec<Value> = inside
            .iter()
            .flat_map(|op| own.ops[op].operands.iter().copied())
            .filter(|value| !inner_values.contains(value))
            .collect();
        let gone_to: Vec<BlockId> = inside
            .iter()
            .flat_map(|op| own.ops[op].successors.iter().copied())
            .filter(|block| !inner_blocks.contains(block))
            .collect();
        let values: Vec<Value> = target.types.keys().copied().collect();
        let blocks: Vec<BlockId> = target.blocks.keys().copied().collect();
        if !self.random.one_in(4) {
            for &value in &outer {
                map.values.extend(self.random.of(&values).map(|new| (value, new)));
            }
            for &block in &gone_to {
                map.blocks.extend(self.random.of(&blocks).map(|new| (block, new)));
            }
        }
        let named = outer.iter().all(|value| map.values.contains_key(value))
            && gone_to.iter().all(|block| map.blocks.contains_key(block));
        let result = self.module.clone_operation(from, op, id, &mut map);
        let allowed = !inside.is_empty() && (from == id || named) && bodies.iter().all(|id| self.trees[id].is_closed());
        let Some(copy) = self.note("clone with bodies", allowed, result) else { return };
        let body = self.module.body(id).expect("a body");
        let mut tree = self.trees.remove(&id).expect("entered");
        paste(&mut tree, &source, body, &inside, copy, &map);
        let pairs: Vec<(BodyId, BodyId)> = inside
            .iter()
            .zip(body.preorder_of(copy))
            .filter_map(|(old, new)| Some((source.ops[old].child?, body.child(new).expect("a copy of it"))))
            .collect();
        self.trees.insert(id, tree);
        for (old, new) in pairs {
            self.same_body(old, new);
        }
    }

    /// A copied body is a body of its own, with the same in it.
    fn same_body(&mut self, old: BodyId, new: BodyId) {
        assert!(!self.trees.contains_key(&new), "a body that was there before");
        self.enter(new);
        let (one, other) = (&self.trees[&old], &self.trees[&new]);
        let (ops, copies) = (one.preorder(), other.preorder());
        assert_eq!(ops.len(), copies.len());
        let mut values: HashMap<Value, Value> = HashMap::new();
        let mut blocks: HashMap<BlockId, BlockId> = HashMap::new();
        let mut regions: Vec<(RegionId, RegionId)> =
            one.roots.iter().copied().zip(other.roots.iter().copied()).collect();
        assert_eq!(one.roots.len(), other.roots.len());
        for (a, b) in ops.iter().zip(&copies) {
            let (a, b) = (&one.ops[a], &other.ops[b]);
            values.extend(a.results.iter().copied().zip(b.results.iter().copied()));
            assert_eq!(a.regions.len(), b.regions.len());
            regions.extend(a.regions.iter().copied().zip(b.regions.iter().copied()));
        }
        for (a, b) in regions {
            let (a, b) = (&one.regions[&a].blocks, &other.regions[&b].blocks);
            assert_eq!(a.len(), b.len());
            for (&a, &b) in a.iter().zip(b) {
                blocks.insert(a, b);
                let (a, b) = (&one.blocks[&a].arguments, &other.blocks[&b].arguments);
                assert!(a.iter().map(|it| it.1).eq(b.iter().map(|it| it.1)));
                values.extend(a.iter().map(|it| it.0).zip(b.iter().map(|it| it.0)));
            }
        }
        assert!(values.iter().all(|(old, new)| one.types[old] == other.types[new]));
        let mut children = Vec::new();
        for (a, b) in ops.iter().zip(&copies) {
            let (a, b) = (&one.ops[a], &other.ops[b]);
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
            children.extend(a.child.zip(b.child));
        }
        other.check(self.module.body(new).expect("a body"));
        for (old, new) in children {
            self.same_body(old, new);
        }
    }
}

/// Enters the copy of operations of `source` into the tree: each has the next number, and first none has operands.
fn paste(tree: &mut Tree, source: &Tree, body: &Body, inside: &[OpId], copy: OpId, map: &ValueMap) {
    let copies: Vec<OpId> = body.preorder_of(copy).collect();
    assert_eq!(copies.len(), inside.len());
    let mut blocks: HashMap<BlockId, BlockId> = HashMap::new();
    for (old, &new) in inside.iter().zip(&copies) {
        let old = &source.ops[old];
        let types: Vec<TypeRef> = old.results.iter().map(|value| source.types[value]).collect();
        let draft = Op {
            block: None,
            operands: Vec::new(),
            results: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            child: body.child(new),
            ..old.clone()
        };
        tree.add_op(new, draft, &types, old.regions.len());
        if let Some(&block) = old.block.and_then(|block| blocks.get(&block)) {
            tree.insert(block, None, new);
        }
        let regions = tree.ops[&new].regions.clone();
        for (region, new_region) in old.regions.iter().zip(regions) {
            for block in &source.regions[region].blocks {
                let new = tree.add_block(new_region, None);
                assert_eq!(map.blocks.get(block), Some(&new));
                blocks.insert(*block, new);
                for &(argument, location) in &source.blocks[block].arguments {
                    let value = Value::from_index(tree.made[3]);
                    assert_eq!(map.values.get(&argument), Some(&value));
                    tree.add_value(value, source.types[&argument]);
                    tree.blocks.get_mut(&new).expect("a block").arguments.push((value, location));
                }
            }
        }
        for (result, value) in old.results.iter().zip(tree.ops[&new].results.clone()) {
            assert_eq!(map.values.get(result), Some(&value));
        }
    }
    for (old, &new) in inside.iter().zip(&copies) {
        let old = &source.ops[old];
        let operands: Vec<Value> = old.operands.iter().map(|it| map.values.get(it).copied().unwrap_or(*it)).collect();
        assert!(tree.set_operands(new, &operands));
        let successors = old.successors.iter().map(|it| map.blocks.get(it).copied().unwrap_or(*it));
        tree.ops.get_mut(&new).expect("a copy").successors = successors.collect();
    }
}
