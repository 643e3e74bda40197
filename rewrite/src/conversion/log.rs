//! What a conversion has changed, so that it can be undone.

use mlirbc_ir::{
    AttributeRef, BlockId, Body, Listener, OpId, OpRef, OperationName, RegionId, Result, Rewriter, TypeRef, Use, Value,
};

use super::mapping::Stand;
use super::state::State;
use super::types::TypesId;

/// One change.
pub(super) enum Change {
    /// An operation was made.
    Created(OpId),
    /// An operation was made to get values of other types, which need not be made legal.
    Cast(OpId),
    /// A block was made.
    BlockCreated(BlockId),
    /// An operation was changed in place.
    Modified(OpId, Box<Snapshot>),
    /// An operation was put to another place: the block and the next operation where it was.
    Moved(OpId, Option<BlockId>, Option<OpId>),
    /// Operations that stood together up to the end of a block were put to another place.
    MovedFrom(BlockId, Vec<OpId>),
    /// A block was put to another place: the region and the next block where it was.
    BlockMoved(BlockId, RegionId, Option<BlockId>),
    /// A block was taken out of its region for good.
    BlockErased(BlockId, RegionId, Option<BlockId>),
    /// What is in an isolated operation went to another one.
    BodyMoved(OpId, OpId),
    /// What went on to the block goes on to another one.
    Successors(BlockId, Vec<(OpId, usize)>),
    /// An operation is replaced, with these in it, and will be erased.
    Replaced(OpId, Box<[OpId]>, Option<TypesId>),
    /// A block's argument is replaced.
    ArgumentReplaced(Value, Option<TypesId>),
    /// What stood for a value before others came to do so.
    Mapped(Value, Stand),
    /// The same of several values together.
    SeveralMapped(Box<(Vec<Value>, Option<Vec<Value>>)>),
    /// Operations that need not be looked at any more.
    Ignored(Vec<OpId>),
    /// What used a value uses another one, from now on.
    Uses(Value, Vec<Use>),
    /// A value had another type.
    Retyped(Value, TypeRef),
    /// How types in a region are converted was said.
    RegionTypes(RegionId),
    /// How an isolated operation's body is converted was said.
    BodyTypes(OpId),
}

/// What an operation was.
pub(super) struct Snapshot {
    name: OperationName,
    location: AttributeRef,
    attributes: Option<AttributeRef>,
    properties: Option<AttributeRef>,
    operands: Vec<Value>,
    successors: Vec<BlockId>,
    types: Vec<TypeRef>,
}

impl Snapshot {
    pub(super) fn of(body: &Body, op: OpId) -> Self {
        Snapshot {
            name: body.name(op),
            location: body.location(op),
            attributes: body.attributes(op),
            properties: body.properties(op),
            operands: body.operands(op).to_vec(),
            successors: body.successors(op).to_vec(),
            types: body.results(op).map(|result| body.ty(result)).collect(),
        }
    }

    fn restore(self, rw: &mut Rewriter<'_>, op: OpId) -> Result<()> {
        if rw.body().name(op) != self.name {
            // What it holds now is not to be decoded as the properties of another operation.
            rw.set_properties(op, None)?;
            rw.set_name(op, self.name)?;
        }
        rw.set_location(op, self.location)?;
        rw.set_attributes(op, self.attributes)?;
        rw.set_properties(op, self.properties)?;
        if rw.body().operands(op) != self.operands {
            rw.set_operands(op, &self.operands)?;
        }
        for (number, block) in self.successors.into_iter().enumerate() {
            if rw.body().successors(op).get(number) != Some(&block) {
                rw.set_successor(op, number, block)?;
            }
        }
        for (number, ty) in self.types.into_iter().enumerate() {
            let result = rw.result(op, number)?;
            if rw.body().ty(result) != ty {
                rw.set_type(result, ty)?;
            }
        }
        Ok(())
    }
}

/// All changes, in order. What a rewriter makes is put in by itself.
#[derive(Default)]
pub(super) struct Log {
    pub(super) changes: Vec<Change>,
    /// Whether what is made is there to get values of other types.
    pub(super) casting: bool,
    /// Whether what is made is not noted.
    pub(super) deaf: bool,
}

impl Listener for Log {
    fn created(&mut self, op: OpRef<'_>) {
        match (self.deaf, self.casting) {
            (true, _) => {}
            (false, true) => self.changes.push(Change::Cast(op.id())),
            (false, false) => self.changes.push(Change::Created(op.id())),
        }
    }

    fn block_created(&mut self, _: &Body, block: BlockId) {
        self.changes.push(Change::BlockCreated(block));
    }
}

/// Undoes one change, the last one that is not undone yet.
pub(super) fn undo(rw: &mut Rewriter<'_>, state: &mut State, change: Change) -> Result<()> {
    match change {
        Change::Created(op) => rw.erase(op)?,
        Change::Cast(op) => {
            state.casts.remove(&op);
            rw.erase(op)?;
        }
        Change::BlockCreated(block) => rw.erase_block(block)?,
        Change::Modified(op, was) => was.restore(rw, op)?,
        Change::Moved(op, _, Some(next)) => rw.move_before(op, next)?,
        Change::Moved(op, Some(block), None) => rw.move_to_end(op, block)?,
        Change::Moved(op, None, None) => rw.detach(op)?,
        Change::MovedFrom(block, ops) => ops.into_iter().try_for_each(|op| rw.move_to_end(op, block))?,
        Change::BlockMoved(block, region, next) | Change::BlockErased(block, region, next) => {
            rw.move_block(block, region, next)?;
        }
        Change::BodyMoved(from, to) => rw.move_body(to, from)?,
        Change::Successors(block, uses) => {
            for (op, number) in uses.into_iter().rev() {
                rw.set_successor(op, number, block)?;
            }
        }
        Change::Replaced(op, inside, _) => {
            state.replaced.remove(op);
            rw.body().results(op).for_each(|result| state.mapping.unfold(result));
            inside.iter().for_each(|&op| state.replaced.remove(op));
        }
        Change::ArgumentReplaced(..) => {}
        Change::Mapped(value, was) => {
            state.mapping.set(value, was);
        }
        Change::SeveralMapped(mapped) => {
            let (values, was) = *mapped;
            state.mapping.set_several(&values, was);
        }
        Change::Ignored(ops) => ops.iter().for_each(|&op| state.ignored.remove(op)),
        Change::Uses(value, uses) => {
            for use_ in uses.into_iter().rev() {
                rw.set_operand(use_.op, use_.operand, value)?;
            }
        }
        Change::Retyped(value, ty) => rw.set_type(value, ty)?,
        Change::RegionTypes(region) => {
            state.regions.remove(region.index());
        }
        Change::BodyTypes(op) => {
            state.bodies.remove(op.index());
        }
    }
    Ok(())
}

/// Undoes changes, the last first.
pub(super) fn undo_all(rw: &mut Rewriter<'_>, state: &mut State, changes: Vec<Change>) -> Result<()> {
    for change in changes.into_iter().rev() {
        undo(rw, state, change).map_err(|error| {
            let message = format!("a change cannot be undone: {error}");
            error.wrapped(message)
        })?;
    }
    Ok(())
}
