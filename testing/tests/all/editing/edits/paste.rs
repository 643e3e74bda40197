//! What a copy brings into the tree, and what it needs from outside.

use std::collections::HashMap;

use mlirbc_ir::{BlockId, Body, OpId, RegionId, TypeRef, Value, ValueMap};

use super::Run;
use crate::editing::model::{Op, Tree};

impl Run {
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

/// Enters the copies of blocks of `source` into the tree: `seeded` named some of their arguments before. Gives which is whose.
pub(super) fn paste_blocks(
    tree: &mut Tree,
    source: &Tree,
    (region, before): (RegionId, Option<BlockId>),
    (blocks, made): (&[BlockId], &[BlockId]),
    seeded: &ValueMap,
    map: &ValueMap,
) -> HashMap<BlockId, BlockId> {
    let mut pairs = HashMap::new();
    assert_eq!(blocks.len(), made.len());
    for (&old, &new) in blocks.iter().zip(made) {
        assert_eq!(tree.add_block(region, before), new);
        pairs.insert(old, new);
        for &(argument, location) in &source.blocks[&old].arguments {
            if !seeded.values.contains_key(&argument) {
                let value = Value::from_index(tree.made[3]);
                assert_eq!(map.values.get(&argument), Some(&value));
                tree.add_value(value, source.types[&argument]);
                tree.blocks.get_mut(&new).expect("a block").arguments.push((value, location));
            }
        }
    }
    pairs
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
