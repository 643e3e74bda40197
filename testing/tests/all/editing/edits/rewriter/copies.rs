//! Copies: within a body, from other bodies, and from another module.

use std::collections::HashMap;

use mlirbc_ir::{AttributeRef, BodyId, Module, OpId, Result, Rewriter, ValueMap};

use super::Run;
use crate::editing::edits::paste::{Outside, paste, paste_blocks};
use crate::editing::model::Tree;

/// What a copy may have in it: more takes too long to compare.
const SIZE: usize = 30;

impl Run {
    pub(super) fn clone_by(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        match self.random.below(6) {
            0..2 => self.clone_within(tree, rw),
            2 => self.clone_from_body(tree, rw),
            3 | 4 => self.clone_region(tree, rw),
            _ => self.clone_from_module(tree, rw),
        }
    }

    /// Enters the bodies in these operations of a body, and those in these. `None` where that is too much, else whether they may be
    /// copied.
    fn bodies_in(&mut self, source: &Tree, inside: &[OpId], tree: &Tree, rw: &Rewriter<'_>) -> Option<bool> {
        let mut bodies: Vec<BodyId> = inside.iter().filter_map(|op| source.ops[op].child).collect();
        let (mut at, mut size, mut allowed) = (0, inside.len(), true);
        while let Some(&id) = bodies.get(at) {
            at += 1;
            self.enter_child(rw, id);
            let inner = if id == rw.body_id() { Some(tree) } else { self.trees.get(&id) };
            // Bodies around this one are taken.
            let Some(inner) = inner else {
                allowed = false;
                continue;
            };
            let order = inner.preorder();
            size += order.len();
            bodies.extend(order.iter().filter_map(|op| inner.ops[op].child));
            allowed &= inner.is_closed();
        }
        if size > SIZE { None } else { Some(allowed) }
    }

    /// After a copy: enters the bodies that were made, each the copy of one. `own`: the body that the copy went to, as it was before.
    fn same_bodies(
        &mut self,
        tree: &mut Tree,
        rw: &mut Rewriter<'_>,
        pairs: Vec<(BodyId, OpId)>,
        own: (BodyId, &Tree),
    ) {
        for (old, op) in pairs {
            self.take_made(tree, rw, op);
            let child = tree.ops[&op].child.expect("it was made");
            let old = if old == own.0 { own.1.clone() } else { self.trees[&old].clone() };
            let inner = rw.inside(op, |inner| {
                let mut new = self.trees.remove(&child).expect("entered");
                let children = old.assert_same(&new);
                self.editing.push(child);
                self.same_bodies(&mut new, inner, children, own);
                assert_eq!(self.editing.pop(), Some(child));
                new.check(inner.body());
                self.trees.insert(child, new);
                Ok(())
            });
            inner.expect("a body that was made");
        }
    }

    fn clone_within(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let op = self.op(tree);
        let inside = if tree.ops.contains_key(&op) { tree.inside(op) } else { Vec::new() };
        let Some(closed) = self.bodies_in(&tree.clone(), &inside, tree, rw) else { return };
        let outside = Outside::of(tree, &inside, &[]);
        let ((mut map, _), point) = (self.map_for(&outside, tree), rw.insertion_point());
        let result = rw.clone_operation(op, &mut map);
        let Some(copy) = self.note("clone", !inside.is_empty() && closed, result) else { return };
        let source = tree.clone();
        self.pasted(tree, &source, rw, &inside, copy, &map);
        Self::put_at_point(tree, point, copy);
    }

    /// Enters the copy of an operation of this module.
    fn pasted(
        &mut self,
        tree: &mut Tree,
        source: &Tree,
        rw: &mut Rewriter<'_>,
        inside: &[OpId],
        copy: OpId,
        map: &ValueMap,
    ) {
        let own = tree.clone();
        let copies: Vec<OpId> = rw.body().preorder_of(copy).collect();
        paste(tree, source, rw.body(), inside, &copies, map, HashMap::new());
        let olds = inside.iter().map(|op| source.ops[op].child);
        let pairs = olds.zip(copies).filter_map(|(old, new)| Some((old?, new))).collect();
        self.same_bodies(tree, rw, pairs, (rw.body_id(), &own));
    }

    /// Another body of this module, or this one. What was made here and erased again is gone at once.
    fn another(&mut self, tree: &Tree, rw: &Rewriter<'_>) -> (BodyId, Tree) {
        let there = self.below(tree);
        let is_there = |id: BodyId| rw.module().loaded(id).is_some() || there.contains(&id);
        match self.random.key(&self.trees) {
            Some(id) if !self.random.one_in(6) && is_there(id) => (id, self.trees[&id].clone()),
            _ => (rw.body_id(), tree.clone()),
        }
    }

    fn clone_from_body(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let (from, source) = self.another(tree, rw);
        let op = self.op(&source);
        let inside = if source.ops.contains_key(&op) { source.inside(op) } else { Vec::new() };
        let Some(closed) = self.bodies_in(&source, &inside, tree, rw) else { return };
        let outside = Outside::of(&source, &inside, &[]);
        let (mut map, named) = self.map_for(&outside, tree);
        let (within, point) = (from == rw.body_id(), rw.insertion_point());
        let result = rw.clone_from((rw.module(), from), op, &mut map);
        let allowed = !inside.is_empty() && closed && (within || named);
        let Some(copy) = self.note("clone_from", allowed, result) else { return };
        self.pasted(tree, &source, rw, &inside, copy, &map);
        Self::put_at_point(tree, point, copy);
    }

    fn clone_region(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let (from, source) = self.another(tree, rw);
        let (region, to) = (self.region(&source), self.region(tree));
        if self.spares(tree, to) {
            return;
        }
        let before = self.block_before(tree, to);
        let blocks = source.regions.get(&region).map_or_else(Vec::new, |region| region.blocks.clone());
        let inside: Vec<OpId> =
            blocks.iter().flat_map(|it| &source.blocks[it].ops).flat_map(|&op| source.inside(op)).collect();
        let Some(closed) = self.bodies_in(&source, &inside, tree, rw) else { return };
        let (mut map, named) = self.map_for(&Outside::of(&source, &inside, &blocks), tree);
        // As a call gives values to the arguments of a function.
        if let Some(first) = blocks.first().filter(|_| self.random.one_in(2)) {
            for &(argument, _) in &source.blocks[first].arguments {
                map.values.extend(self.random.key(&tree.types).map(|value| (argument, value)));
            }
        }
        let seeded = map.clone();
        let within = from == rw.body_id();
        let result = rw.clone_region_from((rw.module(), from), region, to, before, &mut map);
        let allowed =
            source.regions.contains_key(&region) && tree.has_region(to, before) && closed && (within || named);
        let Some(made) = self.note("clone_region_from", allowed, result) else { return };
        assert_eq!(made.len(), blocks.len());
        let own = tree.clone();
        let pairs = paste_blocks(tree, &source, (to, before), (&blocks, &made), &seeded, &map);
        let body = rw.body();
        let copies: Vec<OpId> =
            made.iter().flat_map(|&block| body.operations(block)).flat_map(|op| body.preorder_of(op)).collect();
        paste(tree, &source, body, &inside, &copies, &map, pairs);
        let olds = inside.iter().map(|op| source.ops[op].child);
        let pairs = olds.zip(copies).filter_map(|(old, new)| Some((old?, new))).collect();
        self.same_bodies(tree, rw, pairs, (rw.body_id(), &own));
    }

    fn clone_from_module(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let Some(other) = self.other.clone() else { return };
        let bodies: Vec<BodyId> = other.bodies().map(|body| body.0).collect();
        let from = self.random.of(&bodies).expect("at least one");
        let source = Tree::of(other.body(from).expect("it was read"));
        let op = self.op(&source);
        let inside = if source.ops.contains_key(&op) { source.inside(op) } else { Vec::new() };
        let mut children: Vec<BodyId> = inside.iter().filter_map(|op| source.ops[op].child).collect();
        let (mut at, mut size) = (0, inside.len());
        while let Some(&child) = children.get(at) {
            let inner = other.body(child).expect("it was read");
            children.extend(inner.region_bodies());
            (at, size) = (at + 1, size + inner.operation_count());
        }
        if size > SIZE {
            return;
        }
        let outside = Outside::of(&source, &inside, &[]);
        let (mut map, named) = self.map_for(&outside, tree);
        let point = rw.insertion_point();
        let result = rw.clone_from((&*other, from), op, &mut map);
        // What belongs to the other file alone, and another resource of one key, the copy finds itself.
        let known = ["an opaque attribute or type refers to", "both modules have a resource"];
        if result.as_ref().is_err_and(|error| known.iter().any(|known| error.message().contains(known))) {
            return;
        }
        let Some(copy) = self.note("clone_from another module", !inside.is_empty() && named, result) else {
            return;
        };
        let copies: Vec<OpId> = rw.body().preorder_of(copy).collect();
        let resolved = resolved(&source, &other).expect("it was decoded");
        paste(tree, &resolved, rw.body(), &inside, &copies, &map, HashMap::new());
        Self::put_at_point(tree, point, copy);
        let olds = inside.iter().map(|op| source.ops[op].child);
        let pairs: Vec<(BodyId, OpId)> = olds.zip(copies).filter_map(|(old, new)| Some((old?, new))).collect();
        self.same_resolved(tree, rw, pairs, &other);
    }

    /// As `same_bodies`, of bodies of another module.
    fn same_resolved(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>, pairs: Vec<(BodyId, OpId)>, other: &Module) {
        for (old, op) in pairs {
            self.take_made(tree, rw, op);
            let child = tree.ops[&op].child.expect("it was made");
            let old = resolved(&Tree::of(other.body(old).expect("it was read")), other).expect("it was decoded");
            let inner = rw.inside(op, |inner| {
                let mut new = self.trees.remove(&child).expect("entered");
                let children = old.assert_same(&new);
                self.editing.push(child);
                self.same_resolved(&mut new, inner, children, other);
                assert_eq!(self.editing.pop(), Some(child));
                self.trees.insert(child, new);
                Ok(())
            });
            inner.expect("a body that was made");
        }
    }
}

/// The tree with all that is lazy decoded.
fn resolved(tree: &Tree, module: &Module) -> Result<Tree> {
    let mut tree = tree.clone();
    let attribute = |it: AttributeRef| module.attribute(it).map(AttributeRef::from);
    for op in tree.ops.values_mut() {
        op.location = attribute(op.location)?;
        op.attributes = op.attributes.map(attribute).transpose()?;
        op.properties = op.properties.map(|it| module.properties(op.name, it)).transpose()?.map(AttributeRef::from);
    }
    for argument in tree.blocks.values_mut().flat_map(|block| &mut block.arguments) {
        argument.1 = argument.1.map(attribute).transpose()?;
    }
    for ty in tree.types.values_mut() {
        *ty = module.ty(*ty)?.into();
    }
    Ok(tree)
}
