//! Operations and regions that go from one body to another.

use std::collections::{BTreeMap, HashMap};

use mlirbc_ir::{BlockId, BodyId, Module, OpId, Rewriter, Value, ValueMap};

use super::Run;
use super::paste::{Outside, paste, paste_blocks};
use crate::editing::model::{Tree, Use};

impl Run {
    /// Moves something into this body from another one.
    pub(super) fn move_between(&mut self, id: BodyId) {
        let reachable = self.reachable();
        let from = reachable[self.random.below(reachable.len())];
        if from == id {
            let result = self.module.rewrite_two(id, id, |_, _| Ok(()));
            self.note("two that are one", false, result);
            return;
        }
        self.enter(from);
        let around: Vec<BodyId> =
            std::iter::successors(Some(id), |&id| self.module.owner(id).map(|owner| owner.0)).collect();
        let mut tree = self.trees.remove(&id).expect("entered");
        let mut source = self.trees.remove(&from).expect("entered");
        let mut module = std::mem::replace(&mut self.module, Module::new(&crate::definitions::context()));
        let done = module.rewrite_two(id, from, |rw, other| {
            match self.random.one_in(2) {
                true => self.move_op(&mut tree, rw, &mut source, other, &around),
                false => self.move_region(&mut tree, rw, &mut source, other, &around),
            }
            tree.check(rw.body());
            source.check(other.body());
            Ok(())
        });
        done.expect("edits");
        self.module = module;
        self.trees.insert(id, tree);
        self.trees.insert(from, source);
        for holder in self.trees.keys() {
            for (&op, known) in &self.trees[holder].ops {
                if let Some(child) = known.child {
                    assert_eq!(self.module.owner(child), Some((*holder, op)));
                    assert_eq!(self.module.depth(child), self.module.depth(*holder) + 1);
                }
            }
        }
    }

    fn move_op(
        &mut self,
        tree: &mut Tree,
        rw: &mut Rewriter<'_>,
        source: &mut Tree,
        other: &mut Rewriter<'_>,
        around: &[BodyId],
    ) {
        self.go_to_a_point(tree, rw);
        let op = self.op(source);
        let inside = if source.ops.contains_key(&op) { source.inside(op) } else { Vec::new() };
        let holds_it = inside.iter().any(|op| source.ops[op].child.is_some_and(|child| around.contains(&child)));
        let (mut map, named) = self.map_for(&Outside::of(source, &inside, &[]), tree);
        let (point, old) = (rw.insertion_point(), source.clone());
        let result = rw.move_from(other, op, &mut map);
        let allowed = !inside.is_empty() && named && !holds_it && source.clone().erase(op);
        let Some(copy) = self.note("move_from", allowed, result) else { return };
        assert!(source.erase(op));
        let copies: Vec<OpId> = rw.body().preorder_of(copy).collect();
        paste(tree, &old, rw.body(), &inside, &copies, &map, HashMap::new());
        moved(tree, &old, (&inside, &[]), &copies, &map);
        Self::put_at_point(tree, point, copy);
    }

    fn move_region(
        &mut self,
        tree: &mut Tree,
        rw: &mut Rewriter<'_>,
        source: &mut Tree,
        other: &mut Rewriter<'_>,
        around: &[BodyId],
    ) {
        let (region, to) = (self.region(source), self.region(tree));
        // The outermost region keeps its block.
        if self.spares(tree, to) || other.body_id().index() == Module::TOP && source.roots.contains(&region) {
            return;
        }
        let before = self.block_before(tree, to);
        let known = source.regions.get(&region).map(|region| region.blocks.clone());
        let blocks = known.clone().unwrap_or_default();
        let inside: Vec<OpId> =
            blocks.iter().flat_map(|it| &source.blocks[it].ops).flat_map(|&op| source.inside(op)).collect();
        let holds_it = inside.iter().any(|op| source.ops[op].child.is_some_and(|child| around.contains(&child)));
        let (mut map, named) = self.map_for(&Outside::of(source, &inside, &blocks), tree);
        if let Some(first) = blocks.first().filter(|_| self.random.one_in(2)) {
            for &(argument, _) in &source.blocks[first].arguments {
                map.values.extend(self.random.key(&tree.types).map(|value| (argument, value)));
            }
        }
        let (seeded, old) = (map.clone(), source.clone());
        let result = rw.inline_region_from(other, region, to, before, &mut map);
        let free = known.is_some() && source.clone().erase_blocks(&blocks);
        let allowed = free && tree.has_region(to, before) && named && !holds_it;
        let Some(made) = self.note("inline_region_from", allowed, result) else { return };
        assert!(source.erase_blocks(&blocks));
        let pairs = paste_blocks(tree, &old, (to, before), (&blocks, &made), &seeded, &map);
        let body = rw.body();
        let copies: Vec<OpId> =
            made.iter().flat_map(|&block| body.operations(block)).flat_map(|op| body.preorder_of(op)).collect();
        paste(tree, &old, body, &inside, &copies, &map, pairs);
        // What was given for arguments is used as the copy came to use it.
        map.values.retain(|argument, _| !seeded.values.contains_key(argument));
        moved(tree, &old, (&inside, &blocks), &copies, &map);
    }
}

/// What comes along keeps its bodies, and its values are used in the order in which they were.
fn moved(tree: &mut Tree, old: &Tree, (inside, holders): (&[OpId], &[BlockId]), copies: &[OpId], map: &ValueMap) {
    let pairs: BTreeMap<OpId, OpId> = inside.iter().copied().zip(copies.iter().copied()).collect();
    for (old_op, new_op) in &pairs {
        assert_eq!(old.ops[old_op].child, tree.ops[new_op].child, "it keeps its body");
    }
    let results = inside.iter().flat_map(|op| &old.ops[op].results).copied();
    let regions = inside.iter().flat_map(|op| &old.ops[op].regions);
    let blocks = regions.flat_map(|region| &old.regions[region].blocks).chain(holders);
    let arguments = blocks.flat_map(|block| old.blocks[block].arguments.iter().map(|argument| argument.0));
    let values: Vec<Value> = results.chain(arguments).collect();
    for value in values {
        let uses: Vec<Use> = old.uses[&value].iter().filter_map(|use_| Some((*pairs.get(&use_.0)?, use_.1))).collect();
        if uses.len() > 1
            && let Some(new) = map.values.get(&value)
        {
            tree.uses.insert(*new, uses);
        }
    }
}
