//! Edits through a `Rewriter`, with what it tells a listener: of one body, and of those that it makes in it.

mod blocks;
mod copies;
mod operations;

use std::collections::BTreeSet;

use mlirbc_ir::{BlockId, Body, BodyId, Error, InsertionPoint, Listener, Module, OpId, OpRef, Rewriter, Value};

use super::Run;
use crate::editing::model::{Op, Tree};

/// What a worklist would hold: all operations that are there, and those that it heard of.
#[derive(Default)]
struct Known {
    ops: BTreeSet<OpId>,
    blocks: BTreeSet<BlockId>,
    heard: BTreeSet<OpId>,
    /// Blocks that it heard were moved.
    moved: BTreeSet<BlockId>,
}

impl Known {
    fn of(tree: &Tree) -> Known {
        let (ops, blocks) = (tree.ops.keys().copied().collect(), tree.blocks.keys().copied().collect());
        Known { ops, blocks, ..Known::default() }
    }

    /// Asserts that it was told of all that changed.
    fn check(&self, before: &Tree, now: &Tree) {
        assert!(self.ops.iter().eq(now.ops.keys()), "other operations");
        assert!(self.blocks.iter().eq(now.blocks.keys()), "other blocks");
        for (op, known) in &now.ops {
            let Some(old) = before.ops.get(op) else { continue };
            let (regions, child) = (known.regions.clone(), known.child);
            let alike = Op { regions, child, block: known.block, ..old.clone() } == *known;
            // Nobody is told of what is detached.
            let stays = known.block == old.block || known.block.is_none();
            let retyped = known.results.iter().any(|value| before.types[value] != now.types[value]);
            assert!(alike && stays && !retyped || self.heard.contains(op), "{op:?} was changed");
        }
        for (block, known) in &now.blocks {
            let Some(old) = before.blocks.get(block) else { continue };
            assert!(old.region == known.region || self.moved.contains(block), "{block:?} was moved");
            // What stays where it is keeps its order.
            let stayed = |ops: &[OpId], others: &[OpId]| -> Vec<OpId> {
                ops.iter().copied().filter(|op| !self.heard.contains(op) && others.contains(op)).collect()
            };
            assert_eq!(stayed(&old.ops, &known.ops), stayed(&known.ops, &old.ops), "one was moved");
        }
        for (region, known) in &now.regions {
            let Some(old) = before.regions.get(region) else { continue };
            let stayed = |blocks: &[BlockId], others: &[BlockId]| -> Vec<BlockId> {
                blocks.iter().copied().filter(|it| !self.moved.contains(it) && others.contains(it)).collect()
            };
            assert_eq!(stayed(&old.blocks, &known.blocks), stayed(&known.blocks, &old.blocks), "one was moved");
        }
    }
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

    fn block_moved(&mut self, body: &Body, block: BlockId) {
        assert!(body.region_of(block).is_some(), "it is there");
        self.moved.insert(block);
    }
}

/// The bodies that the module holds, read or not yet, and that no operation leads to.
fn strays(module: &Module) -> BTreeSet<BodyId> {
    let mut there = vec![BodyId::from_index(Module::TOP)];
    let mut at = 0;
    while let Some(&id) = there.get(at) {
        there.extend(module.loaded(id).into_iter().flat_map(Body::region_bodies));
        at += 1;
    }
    let held = |&id: &BodyId| module.loaded(id).is_some() || module.pending(id).is_some();
    let all = (0..module.body_count()).map(BodyId::from_index).filter(held);
    all.filter(|&id| !module.is_fragment(id) && !there.contains(&id)).collect()
}

impl Run {
    /// Some edits in a row, each compared; then what became of the bodies in this one.
    pub(super) fn rewrite(&mut self, id: BodyId) {
        let mut tree = self.trees.remove(&id).expect("entered");
        let mut module = std::mem::replace(&mut self.module, Module::new(&crate::definitions::context()));
        let mut expected_gone = self.below(&tree);
        self.made.clear();
        let edits = 1 + self.random.below(4);
        match self.random.below(6) {
            // Beside the module, as on a thread of its own.
            0 => {
                let body = module.take_body(id).expect("a body of the module");
                let mut rw = Rewriter::new(&module, id, body);
                self.session(&mut tree, &mut rw, edits);
                let done = rw.finish();
                assert!(done.body_id() == id && module.body(id).is_err(), "the module has it back already");
                tree.check(done.body());
                module.put_rewritten(done).expect("it was taken");
            }
            // What was done before an error is done.
            1 => {
                let result: Result<(), Error> = module.rewrite(id, |rw| {
                    self.session(&mut tree, rw, edits);
                    Err(Error::misuse("no more"))
                });
                assert_eq!(result.expect_err("as it gave").message(), "no more");
            }
            _ => {
                let done = module.rewrite(id, |rw| {
                    self.session(&mut tree, rw, edits);
                    Ok(())
                });
                done.expect("edits");
            }
        }
        self.module = module;
        expected_gone.extend(&self.made);
        let there = self.below(&tree);
        self.trees.insert(id, tree);
        for child in expected_gone.difference(&there) {
            assert!(self.module.loaded(*child).is_none() && self.module.body(*child).is_err(), "it was freed");
        }
        // Bodies in those that were freed, however deep and entered or not, and those that were made meanwhile.
        let strays = strays(&self.module);
        assert!(strays.is_empty(), "no operation leads to {strays:?}");
        let module = &self.module;
        self.trees.retain(|&id, _| module.loaded(id).is_some());
        for holder in there.iter().chain([&id]).filter(|id| self.trees.contains_key(id)) {
            for (&op, known) in &self.trees[holder].ops {
                if let Some(child) = known.child {
                    assert_eq!(self.module.owner(child), Some((*holder, op)));
                    assert_eq!(self.module.depth(child), self.module.depth(*holder) + 1);
                }
            }
            self.trees[holder].check(self.module.body(*holder).expect("a body of the module"));
        }
    }

    /// The bodies that operations of the tree lead to, and those in them, as far as they were entered.
    fn below(&self, tree: &Tree) -> BTreeSet<BodyId> {
        let mut ids: Vec<BodyId> = tree.ops.values().filter_map(|op| op.child).collect();
        let mut at = 0;
        while let Some(id) = ids.get(at) {
            ids.extend(self.trees.get(id).into_iter().flat_map(|tree| tree.ops.values()).filter_map(|op| op.child));
            at += 1;
        }
        ids.into_iter().collect()
    }

    /// Edits of one body in a row.
    fn session(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>, edits: usize) {
        self.editing.push(rw.body_id());
        let known = rw.listen(Known::of(tree));
        for _ in 0..edits {
            let before = tree.clone();
            let listener = rw.listener(known).expect("it listens");
            listener.heard.clear();
            listener.moved.clear();
            self.done = 0;
            self.edit_rewriter(tree, rw);
            self.look(tree, rw);
            rw.listener(known).expect("it listens").check(&before, tree);
            let known = rw.listener(known).expect("it listens");
            assert!(self.done > 0 || known.heard.is_empty() && known.moved.is_empty(), "all of it was refused");
        }
        assert!(rw.unlisten(known).is_some() && rw.listener(known).is_none());
        assert_eq!(self.editing.pop(), Some(rw.body_id()));
    }

    /// Edits in the body of an operation that was made by this rewriter, or that has none yet.
    fn edit_inside(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let (made, any) = (self.made.clone(), self.random.one_in(4));
        let op =
            self.op_with(tree, |op| op.isolated > 0 && (any || op.child.is_none_or(|child| made.contains(&child))));
        let known = tree.ops.get(&op).map(|op| (op.isolated, op.child));
        let allowed =
            known.is_some_and(|(isolated, child)| child.map_or(isolated > 0, |child| self.made.contains(&child)));
        let (edits, top) = (1 + self.random.below(3), std::mem::replace(&mut self.top, false));
        let result = rw.inside(op, |inner| {
            let id = inner.body_id();
            let mut tree = self.trees.remove(&id).unwrap_or_else(|| Tree::of(inner.body()));
            self.made.insert(id);
            self.session(&mut tree, inner, edits);
            self.trees.insert(id, tree);
            Ok(id)
        });
        self.top = top;
        if let Some(id) = self.note("inside", allowed, result) {
            tree.ops.get_mut(&op).expect("an operation").child = Some(id);
        }
    }

    /// Reads the body of an operation of the tree, if it was not entered before.
    fn enter_child(&mut self, rw: &Rewriter<'_>, child: BodyId) {
        if !self.trees.contains_key(&child) && !self.editing.contains(&child) {
            self.trees.insert(child, Tree::of(rw.module().body(child).expect("well-formed")));
        }
    }

    /// Enters the body that a new operation has.
    fn take_made(&mut self, tree: &mut Tree, rw: &Rewriter<'_>, op: OpId) {
        let body = rw.child_body(op).expect("an operation").expect("a body of its own");
        let child = rw.body().region_body(op).expect("a body of its own");
        self.trees.insert(child, Tree::of(body));
        self.made.insert(child);
        tree.ops.get_mut(&op).expect("an operation").child = Some(child);
    }

    /// Gives the body of one operation to another.
    fn move_body(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let from = self.op_with(tree, |op| op.isolated > 0);
        let to = self.op_with(tree, |op| op.isolated > 0);
        if let Some(child) = tree.ops.get(&to).and_then(|op| op.child) {
            self.enter_child(rw, child);
        }
        let empty = |child: BodyId| {
            let tree = &self.trees[&child];
            tree.roots.iter().all(|root| tree.regions[root].blocks.is_empty())
        };
        let moved = tree.move_body(from, to, empty);
        let result = rw.move_body(from, to);
        self.note("move_body", moved.is_some(), result);
    }

    /// Compares the body with the tree, and what a rewriter alone knows.
    fn look(&mut self, tree: &Tree, rw: &mut Rewriter<'_>) {
        tree.check(rw.body());
        for (&op, known) in tree.ops.iter().filter(|op| op.1.child.is_some_and(|it| self.trees.contains_key(&it))) {
            let child = rw.child_body(op).expect("an operation").expect("a body of its own");
            let tree = &self.trees[&known.child.expect("it has one")];
            assert!(child.preorder().eq(tree.preorder()), "another body");
        }
        for (&block, known) in &tree.blocks {
            if !self.random.one_in(4) {
                continue;
            }
            let going = &tree.gone_to[&block];
            assert_eq!(rw.block_uses(block).as_ref(), Ok(going));
            let mut blocks: Vec<BlockId> = Vec::new();
            for from in going.iter().filter_map(|it| tree.ops[&it.0].block) {
                if !blocks.contains(&from) {
                    blocks.push(from);
                }
            }
            assert_eq!(rw.predecessors(block), Ok(blocks));
            let single = if going.len() == 1 { going.first().map(|it| it.0) } else { None };
            assert_eq!(rw.single_predecessor(block), Ok(single));
            for _ in 0..3 {
                let (Some(a), Some(b)) = (self.random.of(&known.ops), self.random.of(&known.ops)) else { break };
                let place = |op: OpId| known.ops.iter().position(|&it| it == op);
                assert_eq!(rw.is_before_in_block(a, b), Ok(place(a) < place(b)));
            }
        }
        if self.random.one_in(6) && tree.blocks.len() <= 40 {
            tree.check_dominance(&rw.dominance(), &mut |end| self.random.below(end));
        }
        match rw.insertion_point() {
            Some(InsertionPoint::Before(op)) => assert!(tree.ops[&op].block.is_some()),
            Some(InsertionPoint::End(block)) => assert!(tree.blocks.contains_key(&block)),
            None => {}
        }
    }

    /// Where the insertion point is once the operation is gone from its place.
    fn point_without(tree: &Tree, point: Option<InsertionPoint>, op: OpId) -> Option<InsertionPoint> {
        if point != Some(InsertionPoint::Before(op)) {
            return point;
        }
        let block = tree.ops[&op].block.expect("in a block");
        let ops = &tree.blocks[&block].ops;
        let next = ops.iter().position(|&it| it == op).and_then(|at| ops.get(at + 1));
        Some(next.map_or(InsertionPoint::End(block), |&next| InsertionPoint::Before(next)))
    }

    pub(super) fn go_to_a_point(&mut self, tree: &Tree, rw: &mut Rewriter<'_>) {
        let (op, block) = (self.op(tree), self.block(tree));
        let attached = tree.ops.get(&op).is_some_and(|op| op.block.is_some());
        let (allowed, result) = match self.random.below(6) {
            0 => (true, rw.set_insertion_point(None)),
            1 => {
                let point = match self.random.one_in(2) {
                    true => InsertionPoint::Before(op),
                    false => InsertionPoint::End(block),
                };
                let allowed = match point {
                    InsertionPoint::Before(_) => attached,
                    InsertionPoint::End(block) => tree.blocks.contains_key(&block),
                };
                (allowed, rw.set_insertion_point(Some(point)))
            }
            2 => (attached, rw.set_insertion_point_before(op)),
            3 => (attached, rw.set_insertion_point_after(op)),
            4 => (tree.blocks.contains_key(&block), rw.set_insertion_point_to_start(block)),
            _ => (tree.blocks.contains_key(&block), rw.set_insertion_point_to_end(block)),
        };
        self.note("insertion point", allowed, result);
    }

    /// Puts an operation that was made where the rewriter put it.
    pub(super) fn put_at_point(tree: &mut Tree, point: Option<InsertionPoint>, op: OpId) {
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
            self.done = 0;
        }
        if self.random.one_in(20) {
            rw.build_uses();
        }
        match self.random.below(22) {
            0..3 if !full => self.create_by(tree, rw),
            0..4 => self.erase_by(tree, rw),
            4..7 => self.replace_by(tree, rw),
            7..9 => self.move_by(tree, rw),
            9..12 => self.set_by(tree, rw),
            12 | 13 if !full => self.clone_by(tree, rw),
            14 => self.move_body(tree, rw),
            15 if self.editing.len() < 4 => self.edit_inside(tree, rw),
            16 => self.reorder(tree, rw),
            _ => self.blocks_by(tree, rw),
        }
    }
}
