//! Edits of one body through a `Rewriter`, with what it tells a listener.

use std::collections::BTreeSet;

use mlirbc_ir::{
    BlockId, Body, BodyId, InsertionPoint, Listener, Module, OpId, OpRef, OperationSpec, Rewriter, Value, ValueMap,
};

use super::Run;
use super::body::paste;
use crate::editing::model::{Op, Tree};

/// What a worklist would hold: all operations that are there, and those that it heard of.
#[derive(Default)]
struct Known {
    ops: BTreeSet<OpId>,
    blocks: BTreeSet<BlockId>,
    heard: BTreeSet<OpId>,
}

impl Listener for Known {
    fn created(&mut self, op: OpRef<'_>) {
        assert!(self.ops.insert(op.id()), "made twice");
        self.blocks.extend(op.body().regions(op.id()).flat_map(|region| op.body().blocks(region)));
    }

    fn erased(&mut self, op: OpRef<'_>) {
        assert!(!op.body().is_erased(op.id()), "it is still as it was");
        assert!(self.ops.remove(&op.id()), "erased twice");
        for block in op.body().regions(op.id()).flat_map(|region| op.body().blocks(region)) {
            self.blocks.remove(&block);
        }
    }

    fn replaced(&mut self, op: OpRef<'_>, by: &[Value]) {
        assert_eq!(op.results().len(), by.len());
        self.heard.insert(op.id());
    }

    fn modified(&mut self, op: OpRef<'_>) {
        self.heard.insert(op.id());
    }

    fn moved(&mut self, op: OpRef<'_>) {
        self.heard.insert(op.id());
    }

    fn block_created(&mut self, _: &Body, block: BlockId) {
        assert!(self.blocks.insert(block), "made twice");
    }

    fn block_erased(&mut self, body: &Body, block: BlockId) {
        assert!(body.region_of(block).is_some(), "it is still as it was");
        assert!(self.blocks.remove(&block), "erased twice");
    }
}

impl Run {
    /// Some edits in a row, each compared.
    pub(super) fn rewrite(&mut self, id: BodyId) {
        let mut tree = self.trees.remove(&id).expect("entered");
        let mut module = std::mem::replace(&mut self.module, Module::new(&crate::definitions::context()));
        let edits = 1 + self.random.below(4);
        let erased: Vec<BodyId> = module
            .rewrite(id, |rw| {
                let known = Known {
                    ops: tree.ops.keys().copied().collect(),
                    blocks: tree.blocks.keys().copied().collect(),
                    heard: BTreeSet::new(),
                };
                let children: Vec<BodyId> = rw.body().region_bodies().collect();
                let known = rw.listen(known);
                for _ in 0..edits {
                    let before = tree.clone();
                    rw.listener(known).expect("it listens").heard.clear();
                    self.edit_rewriter(&mut tree, rw);
                    self.look(&tree, rw);
                    let known = rw.listener(known).expect("it listens");
                    assert!(known.ops.iter().eq(tree.ops.keys()), "other operations");
                    assert!(known.blocks.iter().eq(tree.blocks.keys()), "other blocks");
                    // Whatever has other operands, successors or another place now was told of.
                    for (op, now) in &tree.ops {
                        if let Some(old) = before.ops.get(op)
                            && (Op { regions: now.regions.clone(), ..old.clone() }) != *now
                            && now.block.is_some()
                        {
                            assert!(known.heard.contains(op), "{op:?} was changed");
                        }
                    }
                }
                let left: BTreeSet<BodyId> = rw.body().region_bodies().collect();
                Ok(children.into_iter().filter(|child| !left.contains(child)).collect())
            })
            .expect("edits");
        for child in erased {
            assert!(module.loaded(child).is_none() && module.body(child).is_err(), "it was freed");
        }
        self.module = module;
        self.trees.insert(id, tree);
    }

    /// Compares the body with the tree, and what a rewriter alone knows.
    fn look(&mut self, tree: &Tree, rw: &mut Rewriter<'_>) {
        tree.check(rw.body());
        for (&block, known) in &tree.blocks {
            if !self.random.one_in(4) {
                continue;
            }
            let mut going = BTreeSet::new();
            for (&op, gone) in &tree.ops {
                going.extend(gone.successors.iter().enumerate().filter(|it| *it.1 == block).map(|(at, _)| (op, at)));
            }
            let uses = rw.block_uses(block).expect("a block");
            assert_eq!(uses.iter().copied().collect::<BTreeSet<_>>(), going);
            assert_eq!(uses.len(), going.len());
            let blocks: BTreeSet<BlockId> = going.iter().filter_map(|it| tree.ops[&it.0].block).collect();
            let predecessors = rw.predecessors(block).expect("a block");
            assert_eq!(predecessors.len(), blocks.len());
            assert_eq!(predecessors.into_iter().collect::<BTreeSet<_>>(), blocks);
            for _ in 0..3 {
                let (Some(a), Some(b)) = (self.random.of(&known.ops), self.random.of(&known.ops)) else { break };
                let place = |op: OpId| known.ops.iter().position(|&it| it == op);
                assert_eq!(rw.is_before_in_block(a, b), Ok(place(a) < place(b)));
            }
        }
        match rw.insertion_point() {
            Some(InsertionPoint::Before(op)) => assert!(tree.ops[&op].block.is_some()),
            Some(InsertionPoint::End(block)) => assert!(tree.blocks.contains_key(&block)),
            None => {}
        }
    }

    fn go_to_a_point(&mut self, tree: &Tree, rw: &mut Rewriter<'_>) {
        let (op, block) = (self.op(tree), self.block(tree));
        let attached = tree.ops.get(&op).is_some_and(|op| op.block.is_some());
        let (allowed, result) = match self.random.below(4) {
            0 => (attached, rw.set_insertion_point_before(op)),
            1 => (attached, rw.set_insertion_point_after(op)),
            2 => (tree.blocks.contains_key(&block), rw.set_insertion_point_to_start(block)),
            _ => (tree.blocks.contains_key(&block), rw.set_insertion_point_to_end(block)),
        };
        self.note("rewriter: insertion point", allowed, result);
    }

    /// Puts an operation that was made where the rewriter put it.
    fn put_at_point(tree: &mut Tree, point: Option<InsertionPoint>, op: OpId) {
        match point {
            Some(InsertionPoint::Before(before)) => {
                let block = tree.ops[&before].block.expect("in a block");
                tree.insert(block, Some(before), op);
            }
            Some(InsertionPoint::End(block)) => tree.insert(block, None, op),
            None => {}
        }
    }

    fn edit_rewriter(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let full = tree.ops.len() > 60;
        if self.random.one_in(2) {
            self.go_to_a_point(tree, rw);
        }
        let point = rw.insertion_point();
        match self.random.below(16) {
            0..3 if !full => {
                let block = rw.insertion_block();
                let (op, types, regions) = self.draft(tree, block);
                let spec = OperationSpec {
                    attributes: op.attributes,
                    operands: &op.operands,
                    results: &types,
                    successors: &op.successors,
                    regions: regions as u32,
                    ..OperationSpec::new(op.name, op.location)
                };
                let allowed =
                    tree.has_values(&op.operands) && op.successors.iter().all(|it| tree.blocks.contains_key(it));
                let result = rw.create(&spec);
                if let Some(id) = self.note("rewriter: create", allowed, result) {
                    tree.add_op(id, op, &types, regions);
                    Self::put_at_point(tree, point, id);
                }
            }
            3 => {
                let op = self.op(tree);
                let result = rw.erase(op);
                let allowed = tree.erase(op);
                self.note("rewriter: erase", allowed, result);
            }
            4 | 5 => self.replace_op(tree, rw),
            6 => {
                let (op, other) = (self.op(tree), self.op(tree));
                let block = tree.ops.get(&other).and_then(|it| it.block);
                let after = self.random.one_in(2);
                let next = block.and_then(|block| {
                    let ops = &tree.blocks[&block].ops;
                    ops.iter().position(|&it| it == other).and_then(|at| ops.get(at + 1)).copied()
                });
                let before = if after { next } else { Some(other) };
                let stays = after && op == other;
                let allowed = block.is_some_and(|block| stays || tree.can_stand(op, block, before));
                let result = if after { rw.move_after(op, other) } else { rw.move_before(op, other) };
                if self.note("rewriter: move", allowed, result).is_some() && before != Some(op) && !stays {
                    tree.detach(op);
                    tree.insert(block.expect("allowed"), before, op);
                }
            }
            7 => {
                let op = self.op(tree);
                let block = self.block_for(tree, op);
                let allowed = tree.can_stand(op, block, None);
                let result = rw.move_to_end(op, block);
                if self.note("rewriter: move to end", allowed, result).is_some() {
                    tree.detach(op);
                    tree.insert(block, None, op);
                }
            }
            8 => {
                let op = self.op_with(tree, |op| !op.operands.is_empty());
                let (count, block) = tree.ops.get(&op).map_or((0, None), |op| (op.operands.len(), op.block));
                let (number, value) = (self.number(count), self.value_for(tree, block));
                let exists = tree.ops.contains_key(&op);
                let result = rw.modify(op, |rw| rw.set_operand(op, number, value));
                let allowed = tree.set_operand(op, number, value);
                assert!(exists || result.is_err());
                self.note("rewriter: set_operand", allowed, result);
            }
            9 => {
                let old = self.value(tree);
                let user = tree.uses.get(&old).and_then(|uses| uses.first()).and_then(|use_| tree.ops[&use_.0].block);
                let (new, odd) = (self.value_for(tree, user), self.random.below(3));
                let result = rw.replace_uses_if(old, new, |_, use_| (use_.op.index() + use_.operand) % 2 != odd);
                let allowed = tree.replace_uses(old, new, |(op, operand)| (op.index() + operand) % 2 != odd);
                self.note("rewriter: replace_uses_if", allowed, result);
            }
            10 => {
                let op = self.op_with(tree, |op| !op.successors.is_empty());
                let (count, block) = tree.ops.get(&op).map_or((0, None), |op| (op.successors.len(), op.block));
                let (number, to) = (self.number(count), self.successor(tree, block));
                let allowed = number < count && tree.blocks.contains_key(&to);
                let result = rw.set_successor(op, number, to);
                if self.note("rewriter: set_successor", allowed, result).is_some() {
                    tree.ops.get_mut(&op).expect("an operation").successors[number] = to;
                }
            }
            11 => {
                let block = self.block(tree);
                let result = rw.erase_block(block);
                let allowed = tree.erase_block(block);
                self.note("rewriter: erase_block", allowed, result);
            }
            12 => {
                let op = self.op_with(tree, |op| op.block.is_some());
                let block = tree.ops.get(&op).and_then(|op| op.block);
                if block.is_some_and(|block| self.spares(tree, tree.blocks[&block].region)) {
                    return;
                }
                let result = rw.split_block(op);
                let made = tree.split_block(op);
                assert_eq!(self.note("rewriter: split_block", made.is_some(), result), made);
            }
            13 => {
                let from = self.block(tree);
                let to = self.successor(tree, Some(from));
                let before = self.before(tree, to);
                let count = tree.blocks.get(&from).map_or(0, |block| block.arguments.len());
                let arguments: Vec<Value> = (0..count).map(|_| self.value_for(tree, Some(to))).collect();
                let result = rw.inline_block(from, to, before, &arguments);
                let allowed = tree.inline_block(from, to, before, &arguments);
                self.note("rewriter: inline_block", allowed, result);
            }
            14 if !full => {
                let op = self.op(tree);
                let inside = if tree.ops.contains_key(&op) { tree.inside(op) } else { Vec::new() };
                // Bodies that are made are there only in the end.
                if inside.len() > 30 || inside.iter().any(|op| tree.ops[op].child.is_some()) {
                    return;
                }
                let mut map = ValueMap::default();
                let result = rw.clone_operation(op, &mut map);
                let Some(copy) = self.note("rewriter: clone", !inside.is_empty(), result) else { return };
                let source = tree.clone();
                paste(tree, &source, rw.body(), &inside, copy, &map);
                if tree.ops[&copy].block.is_none() {
                    Self::put_at_point(tree, point, copy);
                }
            }
            _ => {
                let Some(op) = self.random.key(&tree.ops) else { return };
                let ty = self.stock.types[self.random.below(3)];
                let values = tree.ops[&op].results.clone();
                if let Some(value) = self.random.of(&values) {
                    let result = rw.set_type(value, ty);
                    self.note("rewriter: set_type", true, result);
                    tree.types.insert(value, ty);
                }
            }
        }
    }

    fn replace_op(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let op = self.op_with(tree, |op| !op.results.is_empty());
        let (count, block) = tree.ops.get(&op).map_or((0, None), |op| (op.results.len(), op.block));
        let count = if self.random.one_in(20) { count + 1 } else { count };
        let values: Vec<Value> = (0..count).map(|_| self.value_for(tree, block)).collect();
        let result = rw.replace(op, &values);
        let mut after = tree.clone();
        let allowed = tree.ops.get(&op).is_some_and(|known| {
            let inside = tree.inside(op);
            let blocks = tree.blocks_inside(op);
            let own = tree.values_of(&inside, &blocks);
            known.results.len() == values.len()
                && tree.has_values(&values)
                && !values.iter().any(|value| own.contains(value))
                && {
                    for (&old, &new) in known.results.iter().zip(&values) {
                        assert!(after.replace_uses(old, new, |_| true));
                    }
                    after.erase(op)
                }
        });
        if self.note("rewriter: replace", allowed, result).is_some() {
            *tree = after;
        }
    }
}
