//! Edits of one body.

use std::collections::HashMap;

use mlirbc_ir::{BlockId, Body, OpId, OperationSpec, RegionId, TypeRef, Value, ValueMap};

use super::Run;
use crate::editing::model::{Op, Tree};

impl Run {
    /// Makes an operation and mostly puts it into a block at once.
    pub(super) fn create(&mut self, tree: &mut Tree, body: &mut Body) {
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

    pub(super) fn insert(&mut self, tree: &mut Tree, body: &mut Body, op: OpId, block: BlockId) {
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

    pub(super) fn edit_body(&mut self, tree: &mut Tree, body: &mut Body) {
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
                let result = body.set_successor(op, number, to);
                let allowed = tree.set_successor(op, number, to);
                self.note("set_successor", allowed, result);
            }
            17..19 => self.parts(tree, body),
            19..26 => self.blocks(tree, body),
            26 if !full => self.copy(tree, body),
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

    pub(super) fn erase(&mut self, tree: &mut Tree, body: &mut Body) {
        let op = self.op(tree);
        let result = body.erase(op);
        let before = tree.clone();
        let allowed = tree.erase(op);
        if self.note("erase", allowed, result).is_none() {
            assert!(*tree == before);
        }
    }

    pub(super) fn operands(&mut self, tree: &mut Tree, body: &mut Body) {
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

    pub(super) fn replace(&mut self, tree: &mut Tree, body: &mut Body) {
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
    pub(super) fn parts(&mut self, tree: &mut Tree, body: &mut Body) {
        let Some(op) = self.random.key(&tree.ops) else { return };
        let inherent = self.has_inherent(&tree.ops[&op]);
        let known = tree.ops.get_mut(&op).expect("an operation");
        match self.random.below(6) {
            0 => {
                let name = self.stock.names[self.random.below(3)];
                // What stands in the file as bytes is of one name.
                let allowed = known.properties.is_none_or(|properties| properties.in_context().is_some());
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
                if !inherent {
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
                let (block, number, is_there) = self.argument(tree);
                let location = self.location();
                let result = body.set_argument_location(block, number, location);
                if self.note("set_argument_location", is_there, result).is_some() {
                    tree.blocks.get_mut(&block).expect("a block").arguments[number].1 = location;
                }
            }
        }
    }

    /// Whether the outermost region had better stay as it is.
    pub(super) fn spares(&mut self, tree: &Tree, region: RegionId) -> bool {
        self.top && tree.roots.contains(&region) && !self.random.one_in(20)
    }

    pub(super) fn blocks(&mut self, tree: &mut Tree, body: &mut Body) {
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
                let (block, number, _) = self.argument(tree);
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
                let Some(op) = self.split_point(tree) else { return };
                let result = body.split_block(op);
                let made = tree.split_block(op);
                assert_eq!(self.note("split_block", made.is_some(), result), made);
            }
            8 | 9 => {
                let (from, to, before, arguments) = self.inlined_block(tree);
                let result = body.inline_block(from, to, before, &arguments);
                let allowed = tree.inline_block(from, to, before, &arguments);
                self.note("inline_block", allowed, result);
            }
            _ => {
                let Some((from, to, before)) = self.inlined_region(tree) else { return };
                let result = body.inline_region(from, to, before);
                let allowed = tree.inline_region(from, to, before);
                self.note("inline_region", allowed, result);
            }
        }
    }

    /// Puts the uses of a value in another order.
    pub(super) fn reorder(&mut self, tree: &mut Tree, body: &mut Body, value: Value) {
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
    pub(super) fn copy(&mut self, tree: &mut Tree, body: &mut Body) {
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
        let copies: Vec<OpId> = body.preorder_of(copy).collect();
        paste(tree, &tree.clone(), body, &inside, &copies, &map, HashMap::new());
        let block = match tree.ops.get(&op).and_then(|op| op.block) {
            Some(block) if !self.random.one_in(3) => self.successor(tree, Some(block)),
            _ => self.block(tree),
        };
        self.insert(tree, body, copy, block);
    }
}

/// Enters the copy of operations of `source` into the tree: each has the next number, and first none has operands.
/// `blocks`: the copies of those that hold the outermost of them.
pub(super) fn paste(
    tree: &mut Tree,
    source: &Tree,
    body: &Body,
    inside: &[OpId],
    copies: &[OpId],
    map: &ValueMap,
    mut blocks: HashMap<BlockId, BlockId>,
) {
    assert_eq!(copies.len(), inside.len());
    for (old, &new) in inside.iter().zip(copies) {
        let old = &source.ops[old];
        let types: Vec<TypeRef> = old.results.iter().map(|value| source.types[value]).collect();
        let draft = Op {
            block: None,
            operands: Vec::new(),
            results: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            child: body.region_body(new),
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
    for (old, &new) in inside.iter().zip(copies) {
        let old = &source.ops[old];
        let operands: Vec<Value> = old.operands.iter().map(|it| map.values.get(it).copied().unwrap_or(*it)).collect();
        assert!(tree.set_operands(new, &operands));
        let successors = old.successors.iter().map(|it| map.blocks.get(it).copied().unwrap_or(*it));
        tree.give_successors(new, successors.collect());
    }
}
