//! Operations made, replaced, moved and erased.

use super::{InsertionPoint, Rewriter};
use crate::attribute::AttributeData;
use crate::body::{AttributeRef, BlockId, Body, BodyId, IsolationMark, OpId, OperationSpec, Use, Value};
use crate::error::{Error, ErrorCode, Result};
use crate::ods::Traits;

impl Rewriter<'_> {
    /// Makes an operation at the insertion point, or a detached one where there is none. Where its definition says that it is
    /// isolated from above, its regions are not of this body: [`Rewriter::inside`] gives them one, [`Rewriter::move_body`] that of another
    /// operation. It has what its definition [gives a value](crate::Context::default_attributes) where `spec` has none.
    ///
    /// # Errors
    /// Where an operand or successor is none of the body's, or was erased.
    pub fn create(&mut self, spec: &OperationSpec<'_>) -> Result<OpId> {
        let (attributes, properties) = self.with_defaults(spec)?;
        self.create_whole(&OperationSpec { attributes, properties, ..spec.clone() })
    }

    /// As [`Rewriter::create`], of an operation that is given all that it has.
    pub(super) fn create_whole(&mut self, spec: &OperationSpec<'_>) -> Result<OpId> {
        let definition = self.context().definition(spec.name).filter(|_| spec.regions > 0);
        let op = match definition.is_some_and(|definition| definition.traits.contains(Traits::ISOLATED_FROM_ABOVE)) {
            false => self.body.create(spec)?,
            true => {
                let op = self.body.create(&OperationSpec { regions: 0, ..spec.clone() })?;
                self.body.set_region_body(op, None, spec.regions, IsolationMark::Unknown);
                op
            }
        };
        // The insertion point is one of the body.
        match self.point {
            Some(InsertionPoint::Before(before)) => self.body.put_before(op, before)?,
            Some(InsertionPoint::End(block)) => self.body.put_last(op, block),
            None => {}
        }
        self.tell(op, |listener, op| listener.created(op));
        Ok(op)
    }

    /// The discardable attributes and the properties of an operation to be made, with what it has where it is not given. What is not
    /// decoded has all.
    fn with_defaults(&self, spec: &OperationSpec<'_>) -> Result<(Option<AttributeRef>, Option<AttributeRef>)> {
        let (attributes, properties) = (spec.attributes, spec.properties);
        let context = self.context();
        let defaults = context.default_attributes(spec.name);
        let is_lazy = |it: Option<AttributeRef>| it.is_some_and(|it| it.in_context().is_none());
        if defaults.is_empty() || is_lazy(attributes) || is_lazy(properties) {
            return Ok((attributes, properties));
        }
        let entries = |it: Option<AttributeRef>| match it.and_then(AttributeRef::in_context).map(|it| &context[it]) {
            None => Some(Vec::new()),
            Some(AttributeData::Dictionary(entries)) => Some(entries.to_vec()),
            Some(_) => None,
        };
        let (Some(mut discardable), Some(mut inherent)) = (entries(attributes), entries(properties)) else {
            return Ok((attributes, properties));
        };
        let layout = context.definition(spec.name).map_or(&[][..], |definition| &definition.properties);
        let given = (discardable.len(), inherent.len());
        for (name, value) in defaults {
            if !discardable.iter().chain(&inherent).any(|entry| entry.0 == name) {
                let is_property = layout.iter().any(|property| property.name.as_bytes() == context.bytes(name));
                if is_property { &mut inherent } else { &mut discardable }.push((name, value));
            }
        }
        let put = |old: Option<AttributeRef>, given: usize, entries: Vec<_>| match entries.len() == given {
            true => Ok(old),
            false => context.dictionary(entries).map(|dictionary| Some(dictionary.into())),
        };
        Ok((put(attributes, given.0, discardable)?, put(properties, given.1, inherent)?))
    }

    /// Gives an operation a body for its regions, which the module gets in the end.
    pub(super) fn give_body(&mut self, op: OpId, regions: u32, body: Body) -> BodyId {
        let child = self.module.declare(None, None, Some((self.id, op)));
        self.body.set_region_body(op, Some(child), regions, IsolationMark::Unknown);
        self.made.insert(child, body.into());
        child
    }

    /// Puts a detached operation at the insertion point, if there is one.
    pub(super) fn put_at_point(&mut self, op: OpId) -> Result<()> {
        match self.point {
            Some(InsertionPoint::Before(before)) => self.body.insert_before(op, before),
            Some(InsertionPoint::End(block)) => self.body.append(block, op),
            None => Ok(()),
        }
    }

    /// Puts a detached operation, such as one that was made where there is no insertion point, at the insertion point.
    ///
    /// # Errors
    /// Where there is no insertion point, the operation is in a block already, or the point is inside of it.
    pub fn insert(&mut self, op: OpId) -> Result<()> {
        if self.point.is_none() {
            return Err(Error::misuse("there is no insertion point").with_code(ErrorCode::WrongPlace));
        }
        self.body.check_operation(op)?;
        self.put_at_point(op)?;
        self.tell(op, |listener, op| listener.moved(op));
        Ok(())
    }

    /// Puts values in the place of the results of an operation, and erases it.
    ///
    /// # Errors
    /// Where there are not as many values as results, one of them is defined by the operation or in it, or something outside uses what
    /// is defined in its regions or goes on to a block in them.
    pub fn replace(&mut self, op: impl Into<OpId>, values: impl AsRef<[Value]>) -> Result<()> {
        let (op, values) = (op.into(), values.as_ref());
        self.body.check_operation(op)?;
        self.check_count(self.body.result_count(op), values)?;
        let inside = self.body.check_erase(op, true)?;
        for &value in values {
            self.body.check_value(value)?;
            let definer = self.body.defining_operation(value).or_else(|| {
                let region = self.body.defining_region(value)?;
                self.body.operation_of(region)
            });
            if definer.is_some_and(|definer| self.body.is_inside(definer, op)) {
                return Err(Error::misuse("what an operation defines cannot replace its results"));
            }
        }
        self.replace_results(op, values)?;
        self.erase_inside(op, &inside);
        Ok(())
    }

    /// Puts the results of one operation in the place of those of another, and erases that.
    ///
    /// # Errors
    /// As [`Rewriter::replace`].
    pub fn replace_with(&mut self, op: impl Into<OpId>, by: OpId) -> Result<()> {
        self.body.check_operation(by)?;
        let results: Vec<Value> = self.body.results(by).collect();
        self.replace(op, results)
    }

    fn check_count(&self, results: usize, values: &[Value]) -> Result<()> {
        match results == values.len() {
            true => Ok(()),
            false => Err(Error::misuse(format!("{} for {results}", Error::counted(values.len(), "value")))),
        }
    }

    fn replace_results(&mut self, op: OpId, values: &[Value]) -> Result<()> {
        self.tell(op, |listener, op| listener.replaced(op, values));
        let results: Vec<Value> = self.body.results(op).collect();
        for (result, &value) in results.into_iter().zip(values) {
            self.replace_uses(result, value)?;
        }
        Ok(())
    }

    /// Puts values in the place of the results of an operation, which stays.
    ///
    /// # Errors
    /// Where there are not as many values as results, or one is none of the body's.
    pub fn replace_all_uses(&mut self, op: OpId, values: impl AsRef<[Value]>) -> Result<()> {
        let values = values.as_ref();
        self.body.check_operation(op)?;
        self.check_count(self.body.result_count(op), values)?;
        values.iter().try_for_each(|&value| self.body.check_value(value))?;
        self.replace_results(op, values)
    }

    /// Puts `by` where `value` was an operand. As in MLIR, the uses are visited in the order of the list, and each moves to the front
    /// of the other list.
    ///
    /// # Errors
    /// Where nothing in the body defines one of the values.
    pub fn replace_uses(&mut self, value: Value, by: Value) -> Result<()> {
        self.body.check_value(value)?;
        self.body.check_value(by)?;
        if value == by {
            return Ok(());
        }
        self.body.tables().build_uses();
        let mut users: Vec<OpId> = match self.has_listeners() {
            true => self.body.uses_of(value).map(|used| used.op).collect(),
            false => Vec::new(),
        };
        self.body.replace_uses(value, by)?;
        users.dedup();
        users.into_iter().for_each(|user| self.tell_modified(user));
        Ok(())
    }

    /// As [`Rewriter::replace_uses`], of the uses of which `wanted` says so.
    ///
    /// # Errors
    /// As [`Rewriter::replace_uses`].
    pub fn replace_uses_if(
        &mut self,
        value: Value,
        by: Value,
        mut wanted: impl FnMut(&Body, Use) -> bool,
    ) -> Result<()> {
        self.body.check_value(value)?;
        self.body.check_value(by)?;
        if value == by {
            return Ok(());
        }
        self.body.tables().build_uses();
        let uses: Vec<Use> = self.body.uses_of(value).filter(|&use_| wanted(&self.body, use_)).collect();
        if uses.is_empty() {
            return Ok(());
        }
        // They come in this order again.
        let mut left = uses.iter().peekable();
        self.body.replace_uses_if(value, by, |use_| left.next_if_eq(&&use_).is_some())?;
        if !self.has_listeners() {
            return Ok(());
        }
        let mut users: Vec<OpId> = uses.iter().map(|use_| use_.op).collect();
        users.dedup();
        users.into_iter().for_each(|user| self.tell_modified(user));
        Ok(())
    }

    /// Gives the uses of a value this order: `places[k]` is the place of the use with the k-th largest id, where an id is the place of
    /// the operation in a pre-order walk, and then the number of the operand. Bytecode states orders so; no text shows them.
    ///
    /// # Errors
    /// Where that is no permutation of the uses, or nothing in the body defines the value.
    pub fn reorder_uses(&mut self, value: Value, places: &[u32]) -> Result<()> {
        self.body.reorder_uses(value, places)
    }

    /// Erases an operation and all that is in it; the bodies of isolated operations in it are freed in the end.
    ///
    /// # Errors
    /// Where a value that it or something in it defines is used by an operation that is not itself inside it, or a block in it is
    /// gone on to by one.
    pub fn erase(&mut self, op: impl Into<OpId>) -> Result<()> {
        let op = op.into();
        let inside = self.body.check_erase(op, false)?;
        self.erase_inside(op, &inside);
        Ok(())
    }

    /// Erases operations, each with all that is in it, which may use each other.
    ///
    /// # Errors
    /// As [`Rewriter::erase`], of all of them together.
    pub fn erase_together(&mut self, ops: &[OpId]) -> Result<()> {
        let inside = self.body.check_erase_together(ops)?;
        self.tell_erased(&inside);
        self.note_erased(&inside);
        for &op in ops {
            self.leave(op);
            self.body.detach(op);
        }
        self.body.erase_together_checked(&inside);
        self.check_point();
        Ok(())
    }

    /// Erases an operation with all that is in it.
    fn erase_inside(&mut self, op: OpId, inside: &[OpId]) {
        self.tell_erased(inside);
        self.erase_told(op, inside);
    }

    /// As that, of which listeners have been told.
    pub(super) fn erase_told(&mut self, op: OpId, inside: &[OpId]) {
        self.leave(op);
        self.note_erased(inside);
        self.body.erase_checked(op, inside);
        self.check_point();
    }

    /// Before operations are erased: notes the bodies that they lead to. Those that were made here are freed at once.
    pub(super) fn note_erased(&mut self, ops: &[OpId]) {
        let mut at = self.erased.len();
        self.erased.extend(ops.iter().filter_map(|&op| self.body.region_body(op)));
        while let Some(id) = self.erased.get(at).copied() {
            at += 1;
            if let Some(made) = self.made.remove(&id) {
                self.erased.extend(made.region_bodies());
            }
        }
    }

    // To other places.

    /// Moves an operation, detached or not, to before another one.
    ///
    /// # Errors
    /// Where that is detached or stands inside the operation.
    pub fn move_before(&mut self, op: OpId, before: OpId) -> Result<()> {
        let block = self.attached(before)?;
        self.move_to(op, block, Some(before))
    }

    /// Moves an operation, detached or not, to behind another one.
    ///
    /// # Errors
    /// As [`Rewriter::move_before`].
    pub fn move_after(&mut self, op: OpId, after: OpId) -> Result<()> {
        let block = self.attached(after)?;
        if op == after {
            return Ok(());
        }
        self.move_to(op, block, self.body.next_operation(after))
    }

    /// Moves an operation, detached or not, to the end of a block.
    ///
    /// # Errors
    /// Where the block stands inside the operation.
    pub fn move_to_end(&mut self, op: OpId, block: BlockId) -> Result<()> {
        self.move_to(op, block, None)
    }

    fn move_to(&mut self, op: OpId, block: BlockId, before: Option<OpId>) -> Result<()> {
        self.body.check_move(op, block, before)?;
        if before == Some(op) {
            return Ok(());
        }
        self.leave(op);
        self.body.move_to(op, block, before)?;
        self.tell(op, |listener, op| listener.moved(op));
        Ok(())
    }

    /// Takes the operation out of its block; it keeps its operands, results and regions. Nothing where it is in none.
    ///
    /// A detached operation is not written, but still uses its operands.
    ///
    /// # Errors
    /// Where the body has no such operation.
    pub fn detach(&mut self, op: OpId) -> Result<()> {
        self.body.check_operation(op)?;
        self.leave(op);
        self.body.detach(op);
        self.check_point();
        Ok(())
    }
}
