//! Edits that more than one body takes part in.

use std::collections::HashMap;

use mlirbc_ir::{BlockId, BodyId, Module, OpId, OperationSpec, Value, ValueMap};

use super::Run;
use super::body::paste;
use crate::editing::model::{Op, Tree};

impl Run {
    /// What the module does rather than the body: operations with bodies of their own, and copies across bodies.
    pub(super) fn edit_module(&mut self, id: BodyId) {
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
            let mut module = std::mem::replace(&mut self.module, Module::new(&crate::definitions::context()));
            self.insert(&mut tree, module.body_mut(id).expect("a body"), op, block);
            self.module = module;
            self.trees.insert(id, tree);
            // With something to edit in it.
            let inside = self.module.body_mut(child).expect("a body of the module");
            let block = inside.create_block(inside.top_regions()[0], None).expect("a region of the body");
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
        let outside = Outside::of(&source, &inside, &[]);
        let target = self.trees.remove(&id).expect("entered");
        let (mut map, named) = self.map_for(&outside, &target);
        self.trees.insert(id, target);
        let result = self.module.clone_operation(from, op, id, &mut map);
        let allowed = !inside.is_empty() && (from == id || named) && bodies.iter().all(|id| self.trees[id].is_closed());
        let Some(copy) = self.note("clone with bodies", allowed, result) else { return };
        let body = self.module.body(id).expect("a body");
        let mut tree = self.trees.remove(&id).expect("entered");
        let copies: Vec<OpId> = body.preorder_of(copy).collect();
        paste(&mut tree, &source, body, &inside, &copies, &map, HashMap::new());
        let pairs: Vec<(BodyId, BodyId)> = inside
            .iter()
            .zip(copies)
            .filter_map(|(old, new)| Some((source.ops[old].child?, body.region_body(new).expect("a copy of it"))))
            .collect();
        self.trees.insert(id, tree);
        for (old, new) in pairs {
            self.same_body(old, new);
        }
    }

    /// A copied body is a body of its own, with the same in it.
    pub(super) fn same_body(&mut self, old: BodyId, new: BodyId) {
        assert!(!self.trees.contains_key(&new), "a body that was there before");
        self.enter(new);
        let (one, other) = (&self.trees[&old], &self.trees[&new]);
        let copies = one.assert_same(other);
        let pairs: Vec<(BodyId, BodyId)> =
            copies.into_iter().map(|(child, copy)| (child, other.ops[&copy].child.expect("a copy of it"))).collect();
        other.check(self.module.body(new).expect("a body"));
        for (old, new) in pairs {
            self.same_body(old, new);
        }
    }

    /// What may stand in a body for what is outside of a copy, most of the time; and whether all of it is named.
    pub(super) fn map_for(&mut self, outside: &Outside, target: &Tree) -> (ValueMap, bool) {
        let mut map = ValueMap::default();
        if !self.random.one_in(4) {
            for &value in &outside.values {
                map.values.extend(self.random.key(&target.types).map(|new| (value, new)));
            }
            for &block in &outside.blocks {
                map.blocks.extend(self.random.key(&target.blocks).map(|new| (block, new)));
            }
        }
        let named = outside.values.iter().all(|value| map.values.contains_key(value))
            && outside.blocks.iter().all(|block| map.blocks.contains_key(block));
        (map, named)
    }
}

/// What operations use, and go on to, that is not in them.
pub(super) struct Outside {
    values: Vec<Value>,
    blocks: Vec<BlockId>,
}

impl Outside {
    /// Of these operations of a body, each with all that is in it, and of these blocks that hold them.
    pub fn of(tree: &Tree, inside: &[OpId], holders: &[BlockId]) -> Outside {
        let regions = inside.iter().flat_map(|op| &tree.ops[op].regions);
        let mut blocks: Vec<BlockId> = regions.flat_map(|it| tree.regions[it].blocks.iter().copied()).collect();
        blocks.extend(holders);
        let own = tree.values_of(inside, &blocks);
        let mut outside = Outside { values: Vec::new(), blocks: Vec::new() };
        for op in inside.iter().map(|op| &tree.ops[op]) {
            outside.values.extend(op.operands.iter().copied().filter(|value| !own.contains(value)));
            outside.blocks.extend(op.successors.iter().copied().filter(|block| !blocks.contains(block)));
        }
        outside
    }
}
