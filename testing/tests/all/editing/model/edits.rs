//! Edits of a tree. Each says whether it may be done, and does it then.

use super::*;

impl Tree {
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

    fn go_front(&mut self, block: BlockId, use_: Use) {
        self.gone_to.get_mut(&block).expect("a block").insert(0, use_);
    }

    fn go_no_more(&mut self, block: BlockId, use_: Use) {
        let list = self.gone_to.get_mut(&block).expect("a block");
        list.remove(list.iter().position(|&known| known == use_).expect("it goes on to the block"));
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
        for (at, &to) in op.successors.iter().enumerate() {
            self.go_front(to, (id, at));
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

    /// Whether nothing but `ops` uses what they and these blocks define, or goes on to one of these.
    fn is_free(&self, ops: &[OpId], blocks: &[BlockId]) -> bool {
        let alone = |uses: &[Use]| uses.iter().all(|use_| ops.contains(&use_.0));
        self.values_of(ops, blocks).iter().all(|value| alone(&self.uses[value]))
            && blocks.iter().all(|block| alone(&self.gone_to[block]))
    }

    fn drop_all(&mut self, ops: &[OpId], blocks: &[BlockId]) {
        let values = self.values_of(ops, blocks);
        for &op in ops {
            for (at, value) in self.ops[&op].operands.clone().into_iter().enumerate() {
                self.unuse(value, (op, at));
            }
            for (at, to) in self.ops[&op].successors.clone().into_iter().enumerate() {
                self.go_no_more(to, (op, at));
            }
        }
        self.drop_values(&values);
        for op in ops {
            for region in self.ops.remove(op).expect("an operation").regions {
                self.regions.remove(&region);
            }
        }
        for block in blocks {
            assert_eq!(self.gone_to.remove(block), Some(Vec::new()));
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

    pub fn erase_block(&mut self, block: BlockId) -> bool {
        self.blocks.contains_key(&block) && self.erase_blocks(&[block])
    }

    /// Erases blocks that are there.
    pub fn erase_blocks(&mut self, holders: &[BlockId]) -> bool {
        let held: Vec<OpId> = holders.iter().flat_map(|block| self.blocks[block].ops.iter().copied()).collect();
        let ops: Vec<OpId> = held.iter().flat_map(|&op| self.inside(op)).collect();
        let mut blocks: Vec<BlockId> = held.iter().flat_map(|&op| self.blocks_inside(op)).collect();
        blocks.extend(holders);
        if !self.is_free(&ops, &blocks) {
            return false;
        }
        for block in holders {
            let region = self.blocks[block].region;
            self.regions.get_mut(&region).expect("a region").blocks.retain(|other| other != block);
        }
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

    pub fn set_successor(&mut self, op: OpId, number: usize, to: BlockId) -> bool {
        if !self.blocks.contains_key(&to) || self.ops.get(&op).is_none_or(|op| number >= op.successors.len()) {
            return false;
        }
        let old = std::mem::replace(&mut self.ops.get_mut(&op).expect("an operation").successors[number], to);
        self.go_no_more(old, (op, number));
        self.go_front(to, (op, number));
        true
    }

    /// Gives successors to an operation that has none.
    pub fn give_successors(&mut self, op: OpId, blocks: Vec<BlockId>) {
        for (at, &to) in blocks.iter().enumerate() {
            self.go_front(to, (op, at));
        }
        let old = std::mem::replace(&mut self.ops.get_mut(&op).expect("an operation").successors, blocks);
        assert_eq!(old, []);
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
        self.gone_to.insert(block, Vec::new());
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
            && self.gone_to[&from].is_empty()
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
        assert_eq!(self.gone_to.remove(&from), Some(Vec::new()));
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
        if both && block != by {
            for (op, number) in self.gone_to[&block].clone() {
                assert!(self.set_successor(op, number, by));
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
}
