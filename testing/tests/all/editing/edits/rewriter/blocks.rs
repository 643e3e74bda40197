//! Blocks made, split, moved, inlined and erased.

use mlirbc_ir::{Rewriter, Value};

use super::{InsertionPoint, Run};
use crate::editing::model::Tree;

impl Run {
    pub(super) fn blocks_by(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        match self.random.below(14) {
            0 | 1 => {
                let region = self.region(tree);
                if self.spares(tree, region) {
                    return;
                }
                let before = self.block_before(tree, region);
                let types: Vec<_> = (0..self.random.below(3)).map(|_| self.stock.types[self.random.below(3)]).collect();
                let result = rw.create_block(region, before, types.iter().copied());
                let allowed = tree.has_region(region, before);
                if let Some(made) = self.note("create_block", allowed, result) {
                    assert_eq!(made, tree.add_block(region, before));
                    for ty in types {
                        let value = Value::from_index(tree.made[3]);
                        tree.add_value(value, ty);
                        tree.blocks.get_mut(&made).expect("a block").arguments.push((value, None));
                    }
                }
            }
            2 => {
                let block = self.block(tree);
                let result = rw.erase_block(block);
                let allowed = tree.erase_block(block);
                self.note("erase_block", allowed, result);
            }
            3 | 4 => {
                let Some(op) = self.split_point(tree) else { return };
                let block = tree.ops.get(&op).and_then(|op| op.block);
                let point = rw.insertion_point();
                let result = rw.split_block(op);
                let made = tree.split_block(op);
                assert_eq!(self.note("split_block", made.is_some(), result), made);
                // The end of the block is where it was.
                let end = |block| Some(InsertionPoint::End(block));
                let expected = match (block, made) {
                    (Some(block), Some(made)) if point == end(block) => end(made),
                    _ => point,
                };
                assert_eq!(rw.insertion_point(), expected);
            }
            5 | 6 => {
                let (from, to, before, arguments) = self.inlined_block(tree);
                let point = rw.insertion_point();
                let result = rw.inline_block(from, to, before, &arguments);
                let allowed = tree.inline_block(from, to, before, &arguments);
                self.note("inline_block", allowed, result);
                let expected = match point {
                    Some(InsertionPoint::End(block)) if allowed && block == from => {
                        Some(before.map_or(InsertionPoint::End(to), InsertionPoint::Before))
                    }
                    point => point,
                };
                assert_eq!(rw.insertion_point(), expected);
            }
            7 => {
                let Some((from, to, before)) = self.inlined_region(tree) else { return };
                let result = rw.inline_region(from, to, before);
                let allowed = tree.inline_region(from, to, before);
                self.note("inline_region", allowed, result);
            }
            8 | 9 => {
                let (block, to) = (self.block(tree), self.region(tree));
                if self.spares(tree, to) {
                    return;
                }
                let before = self.block_before(tree, to);
                let result = rw.move_block(block, to, before);
                let allowed = tree.move_block(block, to, before);
                self.note("move_block", allowed, result);
            }
            10 => {
                let block = self.block(tree);
                if tree.blocks.get(&block).is_some_and(|block| self.spares(tree, block.region)) {
                    return;
                }
                let (ty, location) = (self.stock.types[self.random.below(3)], self.location());
                let result = rw.add_argument(block, ty, location);
                if let Some(value) = self.note("add_argument", tree.blocks.contains_key(&block), result) {
                    assert_eq!(value.index(), tree.made[3]);
                    tree.add_value(value, ty);
                    tree.blocks.get_mut(&block).expect("a block").arguments.push((value, location));
                }
            }
            11 | 12 => {
                let (block, number, is_there) = self.argument(tree);
                if self.random.one_in(2) {
                    let result = rw.erase_argument(block, number);
                    let allowed = tree.erase_argument(block, number);
                    self.note("erase_argument", allowed, result);
                } else {
                    let location = self.location();
                    let result = rw.set_argument_location(block, number, location);
                    if self.note("set_argument_location", is_there, result).is_some() {
                        tree.blocks.get_mut(&block).expect("a block").arguments[number].1 = location;
                    }
                }
            }
            _ => {
                let block = self.block(tree);
                let by = self.successor(tree, Some(block));
                let result = rw.replace_block_uses(block, by);
                let allowed = tree.replace_block_uses(block, by);
                self.note("replace_block_uses", allowed, result);
            }
        }
    }
}
