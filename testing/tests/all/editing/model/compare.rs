//! Trees beside trees and bodies.

use super::*;

impl Tree {
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
        let gone_to = |&block: &BlockId| (block, body.block_uses(block).collect());
        let gone_to: BTreeMap<BlockId, Vec<Use>> = self.blocks.keys().map(gone_to).collect();
        // Before anybody asks there are none.
        assert!(gone_to == self.gone_to || gone_to.values().all(Vec::is_empty), "other operations go on to blocks");
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
