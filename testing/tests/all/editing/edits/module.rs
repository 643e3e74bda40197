//! Edits that more than one body takes part in.

use std::collections::HashMap;

use mlirbc_ir::{BlockId, BodyId, Module, OperationSpec, RegionId, Value, ValueMap};

use super::Run;
use super::body::paste;
use crate::editing::model::Op;

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
