//! Operations made, replaced, moved, erased and changed.

use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, InsertionPoint, NamedAttribute, OpId, OperationSpec, Rewriter, Value,
};

use super::Run;
use crate::editing::model::{Op, Tree};

impl Run {
    /// Makes an operation, now and then one with a body of its own.
    pub(super) fn create_by(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let (point, block) = (rw.insertion_point(), rw.insertion_block());
        let (mut op, types, mut regions) = self.draft(tree, block);
        let isolated = self.random.one_in(6);
        if isolated {
            (op.name, op.isolated, regions) = (self.stock.isolated, 1, 0);
        }
        let allowed = tree.has_values(&op.operands) && op.successors.iter().all(|it| tree.blocks.contains_key(it));
        let (kind, result) = if self.random.one_in(2) {
            let spec = OperationSpec {
                attributes: op.attributes,
                operands: &op.operands,
                results: &types,
                successors: &op.successors,
                regions: (regions + op.isolated) as u32,
                ..OperationSpec::new(op.name, op.location)
            };
            ("create", rw.create(&spec))
        } else {
            let context = rw.context();
            let attributes = op.attributes.and_then(AttributeRef::in_context);
            let attributes: Vec<NamedAttribute> = attributes.map_or_else(Vec::new, |dictionary| {
                context.entries(dictionary).expect("a dictionary of the stock").to_vec()
            });
            let (elsewhere, by_name) = (self.random.one_in(2), self.random.one_in(2));
            let name = String::from_utf8_lossy(context.operation_text(op.name)).into_owned();
            rw.locate(if elsewhere { self.stock.locations[2] } else { op.location });
            let mut builder = if by_name { rw.build(&name) } else { rw.build_named(op.name) };
            if elsewhere {
                builder = builder.at(op.location);
            }
            builder = match op.operands.split_first() {
                Some((first, others)) if self.random.one_in(2) => {
                    builder.operand_groups([&[*first][..], others]).attributes(attributes)
                }
                _ => {
                    let named = |it: &NamedAttribute| (String::from_utf8_lossy(context.bytes(it.0)).into_owned(), it.1);
                    let all = attributes.iter().map(named);
                    all.fold(builder, |builder, (name, value)| builder.attribute(&name, value))
                        .operands(op.operands.iter().copied())
                }
            };
            builder = types.iter().fold(builder, |builder, &ty| builder.result_type(ty));
            let builder = builder.successors(op.successors.iter().copied());
            ("build", builder.regions((regions + op.isolated) as u32).create())
        };
        let Some(id) = self.note(kind, allowed, result) else { return };
        // A definition that names properties gives the operation some.
        op.properties = rw.body().properties(id);
        tree.add_op(id, op, &types, regions);
        Self::put_at_point(tree, point, id);
        assert_eq!(rw.insertion_point(), point);
        assert!(rw.body().region_body(id).is_none(), "it gets a body when something is put there");
    }

    pub(super) fn erase_by(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let op = self.op(tree);
        let (before, point) = (tree.clone(), rw.insertion_point());
        let result = rw.erase(op);
        let allowed = tree.erase(op);
        self.note("erase", allowed, result);
        if allowed {
            let expected = Self::point_without(&before, point, op).filter(|point| match point {
                InsertionPoint::Before(op) => tree.ops.contains_key(op),
                InsertionPoint::End(block) => tree.blocks.contains_key(block),
            });
            assert_eq!(rw.insertion_point(), expected);
        }
    }

    /// Puts values in the place of others.
    pub(super) fn replace_by(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        match self.random.below(5) {
            0 | 1 => self.replace_op(tree, rw),
            2 => {
                let op = self.op_with(tree, |op| !op.results.is_empty());
                let values = self.instead_of(tree, op);
                let known = tree.ops.get(&op).map(|op| op.results.clone());
                let known = known.filter(|results| results.len() == values.len() && tree.has_values(&values));
                let result = rw.replace_all_uses(op, &values);
                for (&old, &new) in known.iter().flatten().zip(&values) {
                    assert!(tree.replace_uses(old, new, |_| true));
                }
                self.note("replace_all_uses", known.is_some(), result);
            }
            3 => {
                let old = self.value(tree);
                let user = tree.uses.get(&old).and_then(|uses| uses.first()).and_then(|use_| tree.ops[&use_.0].block);
                let new = self.value_for(tree, user);
                let result = rw.replace_uses(old, new);
                let allowed = tree.replace_uses(old, new, |_| true);
                self.note("replace_uses", allowed, result);
            }
            _ => {
                let old = self.value(tree);
                let user = tree.uses.get(&old).and_then(|uses| uses.first()).and_then(|use_| tree.ops[&use_.0].block);
                let (new, odd) = (self.value_for(tree, user), self.random.below(3));
                let result = rw.replace_uses_if(old, new, |_, use_| (use_.op.index() + use_.operand) % 2 != odd);
                let allowed = tree.replace_uses(old, new, |(op, operand)| (op.index() + operand) % 2 != odd);
                self.note("replace_uses_if", allowed, result);
            }
        }
    }

    /// Puts the uses of a value in another order.
    pub(super) fn reorder(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let value = self.value(tree);
        let order = tree.preorder();
        let known = tree.uses.get(&value).cloned().unwrap_or_default();
        // An order that a file states is told from its operations as they stood.
        if known.len() < 2 || known.iter().any(|use_| !order.contains(&use_.0)) || !rw.body().is_edited() {
            self.note("reorder_uses", false, rw.reorder_uses(value, &vec![0; known.len() + 1]));
            return;
        }
        let mut places: Vec<u32> = (0..known.len() as u32).collect();
        for at in (1..places.len()).rev() {
            places.swap(at, self.random.below(at + 1));
        }
        let mut by_id = known;
        by_id.sort_by_key(|use_| std::cmp::Reverse((order.iter().position(|&op| op == use_.0), use_.1)));
        let list = tree.uses.get_mut(&value).expect("a value");
        for (use_, &place) in by_id.into_iter().zip(&places) {
            list[place as usize] = use_;
        }
        self.note("reorder_uses", true, rw.reorder_uses(value, &places));
        self.note("reorder_uses", false, rw.reorder_uses(value, &places[1..]));
        places[0] = places[1];
        self.note("reorder_uses", false, rw.reorder_uses(value, &places));
    }

    /// Values that may stand for the results of the operation, now and then one too many.
    fn instead_of(&mut self, tree: &Tree, op: OpId) -> Vec<Value> {
        let (count, block) = tree.ops.get(&op).map_or((0, None), |op| (op.results.len(), op.block));
        let count = if self.random.one_in(20) { count + 1 } else { count };
        (0..count).map(|_| self.value_for(tree, block)).collect()
    }

    fn replace_op(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let op = self.op_with(tree, |op| !op.results.is_empty());
        let alike = |tree: &Tree, by: &Op| tree.ops.get(&op).is_some_and(|op| op.results.len() == by.results.len());
        let by = match self.random.one_in(3) {
            true => Some(self.op_with(tree, |by| alike(tree, by))),
            false => None,
        };
        let values = match by {
            None => self.instead_of(tree, op),
            Some(by) => tree.ops.get(&by).map_or_else(Vec::new, |by| by.results.clone()),
        };
        let (kind, result) = match by {
            None => ("replace", rw.replace(op, &values)),
            Some(by) => ("replace_with", rw.replace_with(op, by)),
        };
        let mut after = tree.clone();
        let allowed = tree.ops.get(&op).is_some_and(|known| {
            let inside = tree.inside(op);
            let blocks = tree.blocks_inside(op);
            let own = tree.values_of(&inside, &blocks);
            known.results.len() == values.len()
                && tree.has_values(&values)
                && by.is_none_or(|by| tree.ops.contains_key(&by))
                && !values.iter().any(|value| own.contains(value))
                && {
                    for (&old, &new) in known.results.iter().zip(&values) {
                        assert!(after.replace_uses(old, new, |_| true));
                    }
                    after.erase(op)
                }
        });
        if self.note(kind, allowed, result).is_some() {
            *tree = after;
        }
    }

    /// Puts an operation elsewhere, or nowhere.
    pub(super) fn move_by(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let point = rw.insertion_point();
        let op = self.op(tree);
        let left = if tree.ops.contains_key(&op) { Self::point_without(tree, point, op) } else { point };
        match self.random.below(6) {
            0..3 => {
                let other = self.op(tree);
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
                if self.note("move", allowed, result).is_some() && before != Some(op) && !stays {
                    tree.detach(op);
                    tree.insert(block.expect("allowed"), before, op);
                    assert_eq!(rw.insertion_point(), left);
                }
            }
            3 => {
                let block = self.block_for(tree, op);
                let allowed = tree.can_stand(op, block, None);
                let result = rw.move_to_end(op, block);
                if self.note("move to end", allowed, result).is_some() {
                    tree.detach(op);
                    tree.insert(block, None, op);
                    assert_eq!(rw.insertion_point(), left);
                }
            }
            4 => {
                let result = rw.detach(op);
                if self.note("detach", tree.ops.contains_key(&op), result).is_some() {
                    tree.detach(op);
                }
            }
            _ => {
                let op = self.op_with(tree, |op| op.block.is_none());
                let detached = tree.ops.get(&op).is_some_and(|op| op.block.is_none());
                let (block, before) = match point {
                    Some(InsertionPoint::Before(before)) => (tree.ops[&before].block, Some(before)),
                    Some(InsertionPoint::End(block)) => (Some(block), None),
                    None => (None, None),
                };
                let allowed = detached && block.is_some_and(|block| tree.can_stand(op, block, before));
                let result = rw.insert(op);
                if self.note("insert", allowed, result).is_some() {
                    tree.insert(block.expect("allowed"), before, op);
                }
            }
        }
    }

    /// Changes what an operation is made of.
    pub(super) fn set_by(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        match self.random.below(10) {
            0 => {
                let op = self.op_with(tree, |op| !op.operands.is_empty());
                let (count, block) = tree.ops.get(&op).map_or((0, None), |op| (op.operands.len(), op.block));
                let (number, value) = (self.number(count), self.value_for(tree, block));
                if self.random.one_in(2) {
                    let result = rw.set_operand(op, number, value);
                    let allowed = tree.set_operand(op, number, value);
                    self.note("set_operand", allowed, result);
                    return;
                }
                let location = self.stock.locations[self.random.below(3)];
                let exists = tree.ops.contains_key(&op);
                let result = rw.modify(op, |rw| {
                    rw.set_location(op, location)?;
                    rw.set_operand(op, number, value)
                });
                if let Some(op) = tree.ops.get_mut(&op) {
                    op.location = location;
                }
                // What was done before it was refused is done.
                self.done += usize::from(exists);
                let allowed = tree.set_operand(op, number, value);
                self.note("modify", allowed, result);
            }
            1 => {
                let op = self.op(tree);
                let block = tree.ops.get(&op).and_then(|op| op.block);
                let values: Vec<Value> = (0..self.random.below(5)).map(|_| self.value_for(tree, block)).collect();
                let result = rw.set_operands(op, &values);
                let allowed = tree.set_operands(op, &values);
                self.note("set_operands", allowed, result);
            }
            2 => {
                let op = self.op_with(tree, |op| !op.successors.is_empty());
                let (count, block) = tree.ops.get(&op).map_or((0, None), |op| (op.successors.len(), op.block));
                let (number, to) = (self.number(count), self.successor(tree, block));
                let result = rw.set_successor(op, number, to);
                let allowed = tree.set_successor(op, number, to);
                self.note("set_successor", allowed, result);
            }
            3 => {
                let value = self.value(tree);
                let ty = self.stock.types[self.random.below(3)];
                let result = rw.set_type(value, ty);
                if self.note("set_type", tree.types.contains_key(&value), result).is_some() {
                    tree.types.insert(value, ty);
                }
            }
            4 => {
                let (op, location) = (self.op(tree), self.stock.locations[self.random.below(3)]);
                let result = rw.set_location(op, location);
                if self.note("set_location", tree.ops.contains_key(&op), result).is_some() {
                    tree.ops.get_mut(&op).expect("an operation").location = location;
                }
            }
            5 => {
                // What an operation of another name would say of its regions is left out.
                let op = self.op_with(tree, |op| op.isolated == 0);
                let known = tree.ops.get(&op);
                if known.is_some_and(|op| op.isolated > 0) {
                    return;
                }
                let properties = known.and_then(|op| Some((op.name, op.properties?)));
                let properties = properties.map(|(name, it)| rw.module().properties(name, it).expect("it was decoded"));
                // What is opaque is of one name.
                let is_opaque = |it: Attribute| !matches!(rw.context()[it], AttributeData::Dictionary(_));
                if properties.is_some_and(|it| self.old || is_opaque(it)) {
                    return;
                }
                let name = self.stock.names[self.random.below(3)];
                let result = rw.set_name(op, name);
                if self.note("set_name", known.is_some(), result).is_some() {
                    let op = tree.ops.get_mut(&op).expect("an operation");
                    // They are not those of the file any more, which its name said how to read.
                    (op.name, op.properties) = (name, properties.map(AttributeRef::from));
                }
            }
            6 => {
                let op = self.op(tree);
                let known = tree.ops.get(&op).map(|op| (op.attributes, op.properties));
                let name = tree.ops.get(&op).map(|op| op.name);
                if tree.ops.get(&op).is_some_and(|op| self.has_inherent(op)) {
                    return;
                }
                let attributes =
                    if self.random.one_in(3) { None } else { Some(self.stock.dictionaries[self.random.below(2)]) };
                let result = rw.set_attributes(op, attributes);
                self.note("set_attributes", known.is_some(), result);
                // As they are, or decoded; an operation without definition may have any, or none.
                let properties = known.and_then(|it| it.1);
                let properties = match name {
                    Some(name) if !self.old && self.stock.names.contains(&name) && self.random.one_in(2) => {
                        self.random.of(&self.stock.properties).filter(|_| self.random.one_in(2))
                    }
                    Some(name) if self.random.one_in(2) => properties.map(|properties| {
                        let decoded = rw.module().properties(name, properties).expect("they were decoded");
                        // What is opaque is written as the bytes of the file that it is.
                        let is_known = matches!(rw.context()[decoded], AttributeData::Dictionary(_));
                        if is_known { decoded.into() } else { properties }
                    }),
                    _ => properties,
                };
                let result = rw.set_properties(op, properties);
                self.note("set_properties", known.is_some(), result);
                if let Some(op) = tree.ops.get_mut(&op) {
                    (op.attributes, op.properties) = (attributes, properties);
                }
            }
            _ => self.set_attribute(tree, rw),
        }
    }

    /// Sets a discardable attribute or takes it away, or sets another one to what it is.
    fn set_attribute(&mut self, tree: &mut Tree, rw: &mut Rewriter<'_>) {
        let op = self.op(tree);
        let Some(known) = tree.ops.get_mut(&op) else {
            let unit = rw.context().unit();
            let result = rw.set_attribute(op, "test.note", unit);
            self.note("set_attribute", false, result);
            return;
        };
        let context = rw.context();
        let all = |rw: &Rewriter<'_>| {
            let (attributes, properties) = rw.op(op).dictionaries().expect("well-formed");
            let mut all: Vec<NamedAttribute> = Vec::new();
            for dictionary in [attributes, properties].into_iter().flatten() {
                let AttributeData::Dictionary(entries) = &context[dictionary] else { return None };
                all.extend_from_slice(entries);
            }
            all.sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
            Some(all)
        };
        // What is in opaque ones is not known.
        let Some(before) = all(rw) else { return };
        let text = |name| String::from_utf8_lossy(context.bytes(name)).into_owned();
        let (name, value) = match self.random.of(&before) {
            Some((name, value)) if self.random.one_in(3) => (text(name), Some(value)),
            _ => {
                let name = ["test.note", "test.more"][self.random.below(2)].to_owned();
                let value = if self.random.one_in(3) { None } else { Some(context.integer(64, 7)) };
                (name, value)
            }
        };
        let (kind, result) = match value {
            Some(value) => ("set_attribute", rw.set_attribute(op, &name, value)),
            None => ("remove_attribute", rw.remove_attribute(op, &name)),
        };
        self.note(kind, true, result);
        let mut expected = before;
        expected.retain(|entry| text(entry.0) != name);
        expected.extend(value.map(|value| (context.identifier(&name), value)));
        expected.sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        assert_eq!(all(rw), Some(expected), "{name}");
        // Which of both has it is the operation's affair. One is what it was, entry of the file or not, or was decoded.
        let (attributes, properties) = (rw.body().attributes(op), rw.body().properties(op));
        let is_settled = |old: Option<AttributeRef>, new: Option<AttributeRef>| {
            old == new || new.is_none_or(|new| new.in_context().is_some())
        };
        assert!(is_settled(known.attributes, attributes) && is_settled(known.properties, properties), "{name}");
        (known.attributes, known.properties) = (attributes, properties);
    }
}
