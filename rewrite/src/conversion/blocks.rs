//! Blocks that a conversion makes, moves and takes away, and their arguments.

use mlirbc_ir::{AttributeRef, BlockId, Body, Error, ErrorCode, OpId, RegionId, Result, Rewriter, Type, Value};

use super::log::Change;
use super::rewriter::ConversionRewriter;
use super::state::{BodyTypes, Cast, CastKind};
use super::types::{Input, SignatureConversion, TypeConverter, TypesId};
use crate::outcome::{NoMatch, Outcome};

impl ConversionRewriter<'_, '_> {
    /// Makes a block: as [`Rewriter::create_block`].
    ///
    /// # Errors
    /// As that.
    pub fn create_block(
        &mut self,
        region: RegionId,
        before: Option<BlockId>,
        arguments: impl IntoIterator<Item = Type>,
    ) -> Result<BlockId> {
        self.rw.create_block(region, before, arguments)
    }

    /// Splits a block before `op`: that and all after it move to a new block that follows.
    ///
    /// # Errors
    /// Where `op` is in no block.
    pub fn split_block(&mut self, op: OpId) -> Result<BlockId> {
        let detached = || Error::misuse("the operation is in no block").with_code(ErrorCode::WrongPlace);
        let block = self.body().block_of(op).ok_or_else(detached)?;
        let region = self.body().region_of(block).ok_or_else(detached)?;
        let next = self.body().next_block(block);
        let new = self.rw.create_block(region, next, std::iter::empty::<Type>())?;
        let moved: Vec<OpId> = std::iter::successors(Some(op), |&op| self.body().next_operation(op)).collect();
        self.move_ops(block, moved, new, None)?;
        Ok(new)
    }

    /// Moves the last operations of a block.
    fn move_ops(&mut self, from: BlockId, ops: Vec<OpId>, to: BlockId, before: Option<OpId>) -> Result<()> {
        for &op in &ops {
            match before {
                Some(before) => self.rw.move_before(op, before)?,
                None => self.rw.move_to_end(op, to)?,
            }
        }
        self.note(Change::MovedFrom(from, ops))
    }

    /// Moves the operations of `from` to before `before` in `block`, or to its end; `arguments` stand for those of `from`, which is
    /// erased.
    ///
    /// # Errors
    /// Where the number of `arguments` differs, or `block` is `from` or stands in it.
    pub fn inline_block(
        &mut self,
        from: BlockId,
        block: BlockId,
        before: Option<OpId>,
        arguments: &[Value],
    ) -> Result<()> {
        let old = self.body().arguments(from).to_vec();
        if from == block || old.len() != arguments.len() {
            return Err(Error::misuse("a block cannot be inlined there with these arguments"));
        }
        for (old, &new) in old.into_iter().zip(arguments) {
            self.replace_argument(old, vec![new])?;
        }
        let ops = self.body().operations(from).collect();
        self.move_ops(from, ops, block, before)?;
        self.take_away(from)
    }

    /// Moves every block of `from` to before `before` in `region`, or to its end. Both are in this body:
    /// [`ConversionRewriter::move_body`] is for isolated operations.
    ///
    /// # Errors
    /// As [`Rewriter::inline_region`].
    pub fn inline_region(&mut self, from: RegionId, region: RegionId, before: Option<BlockId>) -> Result<()> {
        let blocks: Vec<BlockId> = self.body().blocks(from).collect();
        for block in blocks {
            let next = self.body().next_block(block);
            self.rw.move_block(block, region, before)?;
            self.note(Change::BlockMoved(block, from, next))?;
        }
        Ok(())
    }

    /// Erases a block with all that is in it.
    ///
    /// # Errors
    /// Where something in it is replaced already.
    pub fn erase_block(&mut self, block: BlockId) -> Result<()> {
        let ops: Vec<OpId> = self.body().operations(block).collect();
        for op in ops.into_iter().rev() {
            if !self.state.replaced.contains(op) {
                self.erase(op)?;
            }
        }
        self.take_away(block)
    }

    /// Takes a block out of its region until the conversion is done.
    fn take_away(&mut self, block: BlockId) -> Result<()> {
        let region = self
            .body()
            .region_of(block)
            .ok_or_else(|| Error::misuse("the block was erased").with_code(ErrorCode::Erased))?;
        let limbo = match self.state.limbo {
            Some((_, limbo)) => limbo,
            None => {
                let point = self.rw.insertion_point();
                self.rw.set_insertion_point(None)?;
                // It stays when patterns are undone.
                self.log()?.deaf = true;
                let name = self.context().static_operation_name(super::LIMBO, false);
                let op = self.rw.build_named(name).result_types(std::iter::empty::<Type>()).regions(1).create();
                self.log()?.deaf = false;
                self.rw.set_insertion_point(point)?;
                let op = op?;
                let limbo = self.region(op, 0)?;
                self.state.limbo = Some((op, limbo));
                limbo
            }
        };
        let next = self.body().next_block(block);
        self.rw.move_block(block, limbo, None)?;
        self.note(Change::BlockErased(block, region, next))
    }

    /// Sends all that goes on to one block to another.
    ///
    /// # Errors
    /// Where one of them is none of the body's.
    pub fn replace_block_uses(&mut self, block: BlockId, by: BlockId) -> Result<()> {
        let uses = self.rw.block_uses(block)?;
        self.rw.replace_block_uses(block, by)?;
        self.note(Change::Successors(block, uses))
    }

    // Arguments.

    /// Gives the block arguments of other types: a new block takes its place, which comes back, or the block where all types are as they
    /// were. By the pattern's type converter, values are made for those who still want the old ones.
    ///
    /// # Errors
    /// Where the block was erased, or has another number of arguments.
    pub fn convert_signature(&mut self, block: BlockId, signature: &SignatureConversion) -> Result<BlockId> {
        self.convert_block(block, signature, self.types)
    }

    pub(super) fn convert_block(
        &mut self,
        block: BlockId,
        signature: &SignatureConversion,
        types: Option<TypesId>,
    ) -> Result<BlockId> {
        let old = self.body().arguments(block).to_vec();
        if old.len() != signature.inputs().len() {
            return Err(Error::misuse("a signature is converted that has another number of arguments than the block"));
        }
        if super::mapping::have_types(self.rw, &old, signature.types())? {
            return Ok(block);
        }
        let region = self
            .body()
            .region_of(block)
            .ok_or_else(|| Error::misuse("the block was erased").with_code(ErrorCode::Erased))?;
        let locations: Vec<Option<AttributeRef>> = self.body().argument_locations(block).to_vec();
        let next = self.body().next_block(block);
        let new = self.rw.create_block(region, next, signature.types().iter().copied())?;
        let unknown: AttributeRef = self.context().unknown_location().into();
        self.replace_block_uses(block, new)?;
        let ops = self.body().operations(block).collect();
        self.move_ops(block, ops, new, None)?;
        for (number, &argument) in old.iter().enumerate() {
            let values = match &signature.inputs()[number] {
                Input::Dropped => {
                    let ty = self.rw.module().ty(self.body().ty(argument))?;
                    let cast = Cast { kind: CastKind::Source, pure: false, original: None, types };
                    let point = self.rw.insertion_point();
                    self.rw.set_insertion_point_to_start(new)?;
                    let values = self.cast_here(locations[number].unwrap_or(unknown), &[], &[], &[ty], cast)?;
                    self.rw.set_insertion_point(point)?;
                    values
                }
                Input::Values(values) => values.clone(),
                &Input::Arguments(start, count) => {
                    for at in start..start + count {
                        self.rw.set_argument_location(new, at, locations[number])?;
                    }
                    let arguments = self.body().arguments(new).get(start..start + count);
                    arguments.ok_or_else(|| Error::misuse("a signature has no such arguments"))?.to_vec()
                }
            };
            self.note(Change::ArgumentReplaced(argument, types))?;
            self.map(&[argument], &values)?;
        }
        self.take_away(block)?;
        Ok(new)
    }

    /// Converts the arguments of all blocks of a region by the pattern's type converter, but those of the first as `entry` says, and of
    /// blocks that are moved to it. Gives the first block, where there is one.
    ///
    /// # Errors
    /// No match where a type cannot be converted, or the pattern has no type converter.
    pub fn convert_region_types(
        &mut self,
        region: RegionId,
        entry: Option<&SignatureConversion>,
    ) -> Result<Option<BlockId>, NoMatch> {
        let types = self.types.ok_or(NoMatch::Reason("the pattern has no type converter"))?;
        self.convert_region(region, entry, types)
    }

    pub(super) fn convert_region(
        &mut self,
        region: RegionId,
        entry: Option<&SignatureConversion>,
        types: TypesId,
    ) -> Result<Option<BlockId>, NoMatch> {
        if self.state.regions.insert(region.index(), types).is_none() {
            self.note(Change::RegionTypes(region))?;
        }
        let blocks: Vec<BlockId> = self.body().blocks(region).collect();
        let Some((&first, others)) = blocks.split_first() else { return Ok(None) };
        for &block in others {
            let signature = self.signature_of(block, types)?;
            self.convert_block(block, &signature, Some(types))?;
        }
        let own;
        let signature = match entry {
            Some(entry) => entry,
            None => {
                own = self.signature_of(first, types)?;
                &own
            }
        };
        Ok(Some(self.convert_block(first, signature, Some(types))?))
    }

    pub(super) fn signature_of(&self, block: BlockId, types: TypesId) -> Result<SignatureConversion, NoMatch> {
        let arguments = self.body().arguments(block).iter();
        let old: Vec<Type> =
            arguments.map(|&argument| self.rw.module().ty(self.body().ty(argument))).collect::<Result<_>>()?;
        let signature = self.converters.get(types).convert_signature(self.context(), &old);
        signature.ok_or(NoMatch::Reason("the type of a block's argument cannot be converted"))
    }

    /// As [`ConversionRewriter::convert_region_types`], of the regions of an isolated operation: their blocks are converted before
    /// what is in them, after this body. `entry` is for the first block of the first region.
    ///
    /// # Errors
    /// No match where a type cannot be converted, or the pattern has no type converter.
    pub fn convert_body_types(&mut self, op: OpId, entry: Option<SignatureConversion>) -> Outcome {
        let types = self.types.ok_or(NoMatch::Reason("the pattern has no type converter"))?;
        if let Some(body) = self.rw.child_body(op)? {
            let mut wanted = Vec::new();
            for (number, &region) in body.top_regions().iter().enumerate() {
                let given = entry.as_ref().filter(|_| number == 0);
                if let (Some(entry), Some(first)) = (given, body.first_block(region))
                    && entry.inputs().len() != body.arguments(first).len()
                {
                    return Err(NoMatch::Reason("the first block has another number of arguments"));
                }
                wanted.extend(argument_types(body, region, given.is_some()));
            }
            for ty in wanted {
                if self.converters.get(types).became(self.context(), self.rw.module().ty(ty)?).is_none() {
                    return Err(NoMatch::Reason("the type of a block's argument cannot be converted"));
                }
            }
        }
        self.state.bodies.insert(op.index(), Box::new(BodyTypes { types, entry, others: true }));
        Ok(self.note(Change::BodyTypes(op))?)
    }

    /// As [`ConversionRewriter::convert_body_types`], of the first block of the first region alone: what goes on to others converts these.
    ///
    /// # Errors
    /// No match where the block has another number of arguments, or the pattern has no type converter.
    pub fn convert_entry_types(&mut self, op: OpId, entry: SignatureConversion) -> Outcome {
        let types = self.types.ok_or(NoMatch::Reason("the pattern has no type converter"))?;
        if let Some(body) = self.rw.child_body(op)?
            && let Some(first) = body.top_regions().first().and_then(|&region| body.first_block(region))
            && entry.inputs().len() != body.arguments(first).len()
        {
            return Err(NoMatch::Reason("the first block has another number of arguments"));
        }
        self.state.bodies.insert(op.index(), Box::new(BodyTypes { types, entry: Some(entry), others: false }));
        Ok(self.note(Change::BodyTypes(op))?)
    }

    /// Sets the types of a block's arguments to what they become, one type each, at once: who uses them gets what casts make of them.
    ///
    /// # Errors
    /// No match where a type cannot be converted, or the pattern has no type converter.
    pub fn convert_arguments_now(&mut self, block: BlockId) -> Outcome {
        let types = self.types().cloned().ok_or(NoMatch::Reason("the pattern has no type converter"))?;
        let arguments = self.body().arguments(block).to_vec();
        let first = self.body().first_operation(block);
        for argument in arguments {
            let old = self.rw.module().ty(self.body().ty(argument))?;
            let new = self.convert_type(old)?;
            if new == old {
                continue;
            }
            let point = self.rw.insertion_point();
            match first {
                Some(first) => self.rw.set_insertion_point_before(first)?,
                None => self.rw.set_insertion_point_to_end(block)?,
            }
            self.rw.build_uses();
            let uses: Vec<_> = self.body().uses_of(argument).collect();
            self.set_type(argument, new)?;
            self.log()?.casting = true;
            let made = source_of(self.rw, &types, argument, old);
            self.log()?.casting = false;
            let made = made?;
            self.rw.set_insertion_point(point)?;
            let wanted: std::collections::HashSet<(OpId, usize)> =
                uses.iter().map(|use_| (use_.op, use_.operand)).collect();
            self.rw.replace_uses_if(argument, made, |_, use_| wanted.contains(&(use_.op, use_.operand)))?;
            self.note(Change::Uses(argument, uses))?;
        }
        Ok(())
    }
}

/// A value of the type that another one had before it was converted.
fn source_of(rw: &mut Rewriter<'_>, types: &TypeConverter, value: Value, ty: Type) -> Result<Value> {
    for cast in types.sources.iter().rev() {
        if let Some(made) = cast(rw, &[value], ty)? {
            return Ok(made);
        }
    }
    let unknown = rw.context().unknown_location().into();
    let cast = super::rewriter::build_cast(rw, unknown, &[value], &[ty])?;
    rw.result(cast, 0)
}

/// The types of arguments of the blocks of a region, but for the first where that is left out.
fn argument_types(body: &Body, region: RegionId, but_first: bool) -> Vec<mlirbc_ir::TypeRef> {
    let blocks = body.blocks(region).skip(usize::from(but_first));
    blocks.flat_map(|block| body.arguments(block).iter().map(|&argument| body.ty(argument))).collect()
}
