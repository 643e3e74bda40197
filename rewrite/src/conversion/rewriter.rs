//! What a conversion pattern changes with.

use std::ops::Deref;
use std::sync::Arc;

use mlirbc_ir::{
    AttributeRef, BlockId, Builder, Error, ErrorCode, InsertionPoint, ListenerId, OpId, RegionId, Result, Rewriter,
    Type, Value, ValueMap,
};

use super::log::{self, Change, Log, Snapshot};
use super::mapping::{Stand, have_types};
use super::state::{Cast, CastKind, State};
use super::types::{Became, Converters, TypeConverter, TypesId};
use crate::known::Knowledge;
use crate::outcome::{NoMatch, Outcome};

/// The [`Rewriter`] of conversion patterns: all that it does can be undone.
///
/// Operations and blocks that are made are there at once. Those that are replaced stay until the conversion is done, with the operands
/// that they had: patterns get what stands for these as an [`Adaptor`](super::Adaptor). To look at the body, it is a [`Rewriter`].
pub struct ConversionRewriter<'r, 'm> {
    pub(super) rw: &'r mut Rewriter<'m>,
    pub(super) log: ListenerId<Log>,
    pub(super) state: Box<State>,
    pub(super) converters: &'r Converters,
    pub(super) types: Option<TypesId>,
    /// How operations fold.
    pub(super) knowledge: Knowledge<'static>,
}

impl<'m> Deref for ConversionRewriter<'_, 'm> {
    type Target = Rewriter<'m>;

    fn deref(&self) -> &Rewriter<'m> {
        self.rw
    }
}

impl<'m> ConversionRewriter<'_, 'm> {
    pub(super) fn log(&mut self) -> Result<&mut Log> {
        self.rw.listener(self.log).ok_or_else(|| Error::misuse("the list of changes is gone"))
    }

    pub(super) fn note(&mut self, change: Change) -> Result<()> {
        self.log()?.changes.push(change);
        Ok(())
    }

    pub(super) fn change_count(&mut self) -> Result<usize> {
        Ok(self.log()?.changes.len())
    }

    /// Undoes all but so many changes.
    pub(super) fn undo_to(&mut self, count: usize) -> Result<()> {
        let log = self.log()?;
        let undone = log.changes.split_off(count.min(log.changes.len()));
        log::undo_all(self.rw, &mut self.state, undone)
    }

    // Operations.

    /// Begins an operation: as [`Rewriter::build`].
    pub fn build(&mut self, name: impl AsRef<[u8]>) -> Builder<'_, 'm> {
        self.rw.build(name)
    }

    /// Sets where operations are made: as [`Rewriter::set_insertion_point`].
    ///
    /// # Errors
    /// As that.
    pub fn set_insertion_point(&mut self, point: Option<InsertionPoint>) -> Result<()> {
        self.rw.set_insertion_point(point)
    }

    /// From now on, operations are made before this one.
    ///
    /// # Errors
    /// As [`Rewriter::set_insertion_point_before`].
    pub fn set_insertion_point_before(&mut self, op: OpId) -> Result<()> {
        self.rw.set_insertion_point_before(op)
    }

    /// From now on, operations are made after this one.
    ///
    /// # Errors
    /// As [`Rewriter::set_insertion_point_after`].
    pub fn set_insertion_point_after(&mut self, op: OpId) -> Result<()> {
        self.rw.set_insertion_point_after(op)
    }

    /// From now on, operations are made at the start of the block.
    ///
    /// # Errors
    /// As [`Rewriter::set_insertion_point_to_start`].
    pub fn set_insertion_point_to_start(&mut self, block: BlockId) -> Result<()> {
        self.rw.set_insertion_point_to_start(block)
    }

    /// From now on, operations are made at the end of the block.
    ///
    /// # Errors
    /// As [`Rewriter::set_insertion_point_to_end`].
    pub fn set_insertion_point_to_end(&mut self, block: BlockId) -> Result<()> {
        self.rw.set_insertion_point_to_end(block)
    }

    /// Changes what is in an isolated operation that was made here: as [`Rewriter::inside`]. What is made there is converted with the
    /// rest of that body.
    ///
    /// # Errors
    /// As that.
    pub fn inside<R>(&mut self, op: OpId, change: impl FnOnce(&mut Rewriter<'_>) -> Result<R>) -> Result<R> {
        self.rw.inside(op, change)
    }

    /// Copies an operation to the insertion point: as [`Rewriter::clone_operation`].
    ///
    /// # Errors
    /// As that.
    pub fn clone_operation(&mut self, op: OpId, map: &mut ValueMap) -> Result<OpId> {
        self.rw.clone_operation(op, map)
    }

    /// Puts values in the place of the results of an operation, which will be erased with all that is in it. They may be of other
    /// types: what needs another one gets a cast.
    ///
    /// # Errors
    /// Where there are not as many values as results, or the operation is replaced already.
    pub fn replace(&mut self, op: impl Into<OpId>, values: impl AsRef<[Value]>) -> Result<()> {
        let (op, values) = (op.into(), values.as_ref());
        self.check_replace(op, values.len())?;
        for (number, &value) in values.iter().enumerate() {
            self.put(op, number, &[value])?;
        }
        self.note_replaced(op)
    }

    /// As [`ConversionRewriter::replace`], of the results of another operation.
    ///
    /// # Errors
    /// As that.
    pub fn replace_with(&mut self, op: impl Into<OpId>, by: OpId) -> Result<()> {
        let results: Vec<Value> = self.body().results(by).collect();
        self.replace(op, results)
    }

    /// As [`ConversionRewriter::replace`], several values, or none, for each result.
    ///
    /// # Errors
    /// As that.
    pub fn replace_with_many(&mut self, op: impl Into<OpId>, values: Vec<Vec<Value>>) -> Result<()> {
        let op = op.into();
        self.check_replace(op, values.len())?;
        for (number, values) in values.iter().enumerate() {
            self.put(op, number, values)?;
        }
        self.note_replaced(op)
    }

    fn check_replace(&self, op: OpId, count: usize) -> Result<()> {
        if self.body().is_erased(op) || self.state.replaced.contains(op) {
            return Err(Error::misuse("an operation is replaced twice"));
        }
        let results = self.body().result_count(op);
        match results == count {
            true => Ok(()),
            false => {
                let counted = Error::counted(count, "value");
                Err(Error::misuse(format!("{counted} for {results} results of an operation")))
            }
        }
    }

    /// Puts values in the place of one result.
    fn put(&mut self, op: OpId, number: usize, values: &[Value]) -> Result<()> {
        let result = self.rw.result(op, number)?;
        if values.contains(&result) {
            return Err(Error::misuse("a result cannot stand for itself"));
        }
        match values.is_empty() {
            true => self.put_nothing(result),
            false => self.map(&[result], values),
        }
    }

    /// Notes that an operation is replaced, with all that is in it.
    fn note_replaced(&mut self, op: OpId) -> Result<()> {
        let inside: Box<[OpId]> = match self.body().region_count_of(op) {
            0 => Box::default(),
            _ => {
                let inner = self.body().preorder_of(op).filter(|&inner| inner != op);
                inner.filter(|&inner| !self.state.replaced.contains(inner)).collect()
            }
        };
        self.state.replaced.insert(op);
        inside.iter().for_each(|&inner| {
            self.state.replaced.insert(inner);
        });
        self.note(Change::Replaced(op, inside, self.types))
    }

    /// Erases an operation. Who still uses its results in the end gets a cast of nothing.
    ///
    /// # Errors
    /// Where the operation is replaced already.
    pub fn erase(&mut self, op: impl Into<OpId>) -> Result<()> {
        let op = op.into();
        let count = self.body().result_count(op);
        self.check_replace(op, count)?;
        (0..count).try_for_each(|number| self.put(op, number, &[]))?;
        self.note_replaced(op)
    }

    /// Where the operation comes from that defines the value.
    fn location_of(&self, value: Value) -> AttributeRef {
        match self.body().defining_operation(value) {
            Some(op) => self.body().location(op),
            None => self.context().unknown_location().into(),
        }
    }

    /// A value that comes from nothing stands for this one.
    fn put_nothing(&mut self, value: Value) -> Result<()> {
        let ty = self.rw.module().ty(self.body().ty(value))?;
        let cast = Cast { kind: CastKind::Source, pure: false, original: None, types: self.types };
        let location = self.location_of(value);
        self.cast(location, (&[value], &[value]), &[], &[ty], cast)?;
        Ok(())
    }

    /// Changes an operation in place: its operands, successors, attributes, name, location or the types of its results, and nothing
    /// else. It has to be legal then, or is converted again.
    ///
    /// # Errors
    /// What `change` gives.
    pub fn modify<R>(&mut self, op: OpId, change: impl FnOnce(&mut Rewriter<'m>) -> Result<R>) -> Result<R> {
        if self.body().is_erased(op) {
            return Err(Error::misuse("the operation was erased").with_code(ErrorCode::Erased));
        }
        let was = Box::new(Snapshot::of(self.body(), op));
        self.note(Change::Modified(op, was))?;
        change(self.rw)
    }

    /// Moves an operation to before another one.
    ///
    /// # Errors
    /// As [`Rewriter::move_before`].
    pub fn move_before(&mut self, op: OpId, before: OpId) -> Result<()> {
        let was = Change::Moved(op, self.body().block_of(op), self.body().next_operation(op));
        self.rw.move_before(op, before)?;
        self.note(was)
    }

    /// Moves an operation to the end of a block.
    ///
    /// # Errors
    /// As [`Rewriter::move_to_end`].
    pub fn move_to_end(&mut self, op: OpId, block: BlockId) -> Result<()> {
        let was = Change::Moved(op, self.body().block_of(op), self.body().next_operation(op));
        self.rw.move_to_end(op, block)?;
        self.note(was)
    }

    /// Gives what is in an isolated operation to another one: as [`Rewriter::move_body`].
    /// [`ConversionRewriter::convert_body_types`] says how its blocks are converted.
    ///
    /// # Errors
    /// As that.
    pub fn move_body(&mut self, from: OpId, to: OpId) -> Result<()> {
        self.rw.move_body(from, to)?;
        self.note(Change::BodyMoved(from, to))
    }

    // Values.

    pub(super) fn map(&mut self, from: &[Value], to: &[Value]) -> Result<()> {
        let change = match from {
            &[from] => Change::Mapped(from, self.state.mapping.set(from, Stand::of(to))),
            from => {
                let was = self.state.mapping.set_several(from, Some(to.to_vec()));
                Change::SeveralMapped(Box::new((from.to_vec(), was)))
            }
        };
        self.note(change)
    }

    /// Puts values in the place of a block's argument, when the conversion is done.
    ///
    /// # Errors
    /// Where there is none: then the argument is to be dropped by a [`SignatureConversion`](super::SignatureConversion).
    pub fn replace_argument(&mut self, argument: Value, values: Vec<Value>) -> Result<()> {
        if values.is_empty() || values.contains(&argument) {
            return Err(Error::misuse("nothing stands for an argument"));
        }
        self.note(Change::ArgumentReplaced(argument, self.types))?;
        self.map(&[argument], &values)
    }

    /// Puts a value where another one is used, at once: what the other one was is not known any more to patterns that come later.
    ///
    /// # Errors
    /// As [`Rewriter::replace_uses`].
    pub fn replace_uses_now(&mut self, value: Value, by: Value) -> Result<()> {
        self.rw.build_uses();
        let uses = self.body().uses_of(value).collect();
        self.rw.replace_uses(value, by)?;
        self.note(Change::Uses(value, uses))
    }

    /// Sets the type of a value at once.
    ///
    /// # Errors
    /// As [`Rewriter::set_type`].
    pub fn set_type(&mut self, value: Value, ty: Type) -> Result<()> {
        let was = self.body().ty(value);
        self.rw.set_type(value, ty)?;
        self.note(Change::Retyped(value, was))
    }

    /// What stands for a value, of converted types where the pattern has a type converter.
    ///
    /// # Errors
    /// No match where its type cannot be converted.
    pub fn remapped(&mut self, value: Value) -> Result<Vec<Value>, NoMatch> {
        let location = self.location_of(value);
        let mut values = Vec::new();
        self.remap(value, location, &mut values)?;
        Ok(values)
    }

    /// Adds what stands for an operand.
    pub(super) fn remap(&mut self, value: Value, location: AttributeRef, values: &mut Vec<Value>) -> Outcome {
        let Some(types) = self.types else {
            values.extend(self.uncast(value));
            return Ok(());
        };
        let original = self.rw.module().ty(self.body().ty(value))?;
        let Some(wanted) = self.became(types, original) else {
            return Err(NoMatch::Reason("the type of an operand cannot be converted"));
        };
        match wanted.as_slice() {
            [] => return Ok(()),
            &[ty] => {
                if let Some(found) = self.state.mapping.lookup_one(self.rw, value, ty)? {
                    values.push(found);
                    return Ok(());
                }
            }
            wanted => {
                let found = self.state.mapping.lookup(self.rw, value, wanted)?;
                if have_types(self.rw, &found, wanted)? {
                    values.extend(found);
                    return Ok(());
                }
            }
        }
        let found = self.uncast(value);
        let cast = Cast { kind: CastKind::Target, pure: true, original: Some(original), types: self.types };
        values.extend(self.cast(location, (&found, &found), &found, wanted.as_slice(), cast)?);
        Ok(())
    }

    fn uncast(&self, value: Value) -> Vec<Value> {
        self.state.mapping.lookup_uncast(value, |values| self.state.is_cast(self.body(), values))
    }

    /// Makes a cast behind what defines `near`, which stands for `mapped`.
    pub(super) fn cast(
        &mut self,
        location: AttributeRef,
        (near, mapped): (&[Value], &[Value]),
        inputs: &[Value],
        types: &[Type],
        cast: Cast,
    ) -> Result<Vec<Value>> {
        let point = self.rw.insertion_point();
        set_point_behind(self.rw, near)?;
        let results = self.cast_here(location, mapped, inputs, types, cast);
        self.rw.set_insertion_point(point)?;
        results
    }

    /// Makes a cast at the insertion point, which stands for `mapped`.
    pub(super) fn cast_here(
        &mut self,
        location: AttributeRef,
        mapped: &[Value],
        inputs: &[Value],
        types: &[Type],
        cast: Cast,
    ) -> Result<Vec<Value>> {
        self.log()?.casting = true;
        let made = build_cast(self.rw, location, inputs, types);
        self.log()?.casting = false;
        let op = made?;
        self.state.casts.insert(op, cast);
        let results: Vec<Value> = self.body().results(op).collect();
        if !mapped.is_empty() {
            self.map(mapped, &results)?;
        }
        Ok(results)
    }

    // Types.

    /// The pattern's type converter.
    pub fn types(&self) -> Option<&Arc<TypeConverter>> {
        self.types.map(|types| self.converters.get(types))
    }

    /// What a type becomes.
    fn became(&self, types: TypesId, ty: Type) -> Option<Became> {
        self.state.last_types.became(self.context(), self.converters, types, ty)
    }

    /// What a type becomes by the pattern's type converter, or itself where there is none.
    ///
    /// # Errors
    /// No match where it cannot be converted, or to several.
    pub fn convert_type(&self, ty: Type) -> Result<Type, NoMatch> {
        let Some(types) = self.types else { return Ok(ty) };
        let became = self.became(types, ty).and_then(|became| became.one());
        became.ok_or(NoMatch::Reason("a type cannot be converted"))
    }

    /// What the types of an operation's results become, each one type.
    ///
    /// # Errors
    /// As [`ConversionRewriter::convert_type`].
    pub fn converted_results(&self, op: OpId) -> Result<Vec<Type>, NoMatch> {
        let results = self.body().results(op);
        results.map(|result| self.convert_type(self.rw.module().ty(self.body().ty(result))?)).collect()
    }

    /// The region of that number of an operation that is not isolated.
    ///
    /// # Errors
    /// Where it has no such region in this body.
    pub fn region(&self, op: OpId, number: usize) -> Result<RegionId> {
        let region = self.body().regions(op).nth(number);
        region.ok_or_else(|| Error::misuse(format!("the operation has no region {number} in this body")))
    }
}

/// Makes a cast at the insertion point.
pub(super) fn build_cast(
    rw: &mut Rewriter<'_>,
    location: AttributeRef,
    inputs: &[Value],
    types: &[Type],
) -> Result<OpId> {
    let types = types.iter().copied();
    rw.build(super::CAST).operands(inputs.iter().copied()).result_types(types).at(location).create()
}

/// Operations are made directly behind what defines the last of these values from now on: at the start of the block where that is an
/// argument of it.
pub(super) fn set_point_behind(rw: &mut Rewriter<'_>, values: &[Value]) -> Result<()> {
    let Some((&first, others)) = values.split_first() else { return Ok(()) };
    let mut last = first;
    for &value in others {
        let (a, b) = (rw.body().defining_operation(last), rw.body().defining_operation(value));
        last =
            match (a, b) {
                (_, None) => last,
                (None, Some(_)) => value,
                (Some(a), Some(b)) if rw.body().block_of(a) == rw.body().block_of(b) => {
                    if rw.is_before_in_block(a, b)? { value } else { last }
                }
                (Some(_), Some(_)) => value,
            };
    }
    match rw.body().defining_operation(last) {
        Some(op) => rw.set_insertion_point_after(op),
        None => {
            let block = rw.body().defining_block(last).ok_or_else(|| Error::misuse("a value of nothing"))?;
            rw.set_insertion_point_to_start(block)
        }
    }
}
