//! What printers of operations print of regions, successors, and operations in the middle of others.

use super::op::{NotCustom, OpPrinter, Printed};
use super::{Hole, Piece, RegionPiece};
use crate::print::successor::push_successor;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{BlockId, Body, NamedAttribute, OpRef, TypeRef, Value};

impl<'m> OpPrinter<'_, 'm> {
    /// A region.
    pub fn region(&mut self, number: usize, arguments: bool, terminator: bool) {
        self.region_piece(RegionPiece { number, arguments, terminator, empty_block: false, indent: 0 });
    }

    /// A region whose terminator text leaves out, unless it is shown. One that says more than its name cannot be left out.
    pub fn body(&mut self, number: usize, arguments: bool, terminator: bool) -> Printed {
        if !terminator && self.shows_terminator(number)? {
            return Err(NotCustom::UseGeneric);
        }
        self.region(number, arguments, terminator);
        Ok(())
    }

    /// A region, all of it, where text has no place for arguments of its first block.
    ///
    /// # Errors
    /// [`NotCustom::UseGeneric`] where it has some.
    pub fn region_without_arguments(&mut self, number: usize, terminator: bool) -> Printed {
        if !self.region_argument_types(number)?.is_empty() {
            return Err(NotCustom::UseGeneric);
        }
        self.region(number, false, terminator);
        Ok(())
    }

    /// A region, all of it, whose lines stand that much deeper than usual: its first block shows no arguments.
    pub fn indented_region(&mut self, number: usize, indent: usize) {
        self.region_piece(RegionPiece { number, arguments: false, terminator: true, empty_block: false, indent });
    }

    pub(super) fn region_piece(&mut self, piece: RegionPiece) {
        if self.to.print.is_collecting() {
            self.to.flush_visits();
            self.to.pieces.push(Piece::Region(piece));
        } else {
            let at = self.out().len();
            self.to.marks.push((at, piece));
            self.to.holes.push((at..at, Hole::Region(piece)));
        }
    }

    /// How many regions the operation has.
    pub fn region_count(&self) -> usize {
        self.op.body().region_count_of(self.op.id())
    }

    /// Whether the region is one block without arguments and operations, which text shows as no block.
    pub(super) fn is_empty_block(&self, number: usize) -> Printed<bool> {
        let inside = self.op.inside()?;
        let body = inside.body;
        let Some(block) = inside.region(number).and_then(|region| body.first_block(region)) else { return Ok(false) };
        Ok(body.next_block(block).is_none()
            && body.first_operation(block).is_none()
            && body.arguments(block).is_empty())
    }

    /// Whether the region has no block.
    pub fn is_empty_region(&self, number: usize) -> Printed<bool> {
        let inside = self.op.inside()?;
        Ok(inside.region(number).is_none_or(|region| inside.body.first_block(region).is_none()))
    }

    /// Prints an argument of a region's first block: `%arg0: type loc(...)`, with attributes between.
    pub fn region_argument(
        &mut self,
        region: usize,
        number: usize,
        attributes: &[NamedAttribute],
        omit_type: bool,
    ) -> Printed {
        let (body, block) = self.first_block(region)?;
        let argument = *body.arguments(block).get(number).ok_or(NotCustom::UseGeneric)?;
        let location = body.argument_locations(block).get(number).copied().ok_or(NotCustom::UseGeneric)?;
        if self.to.locations {
            self.to.is_particular.set(true);
        }
        self.region_argument_name(region, number)?;
        if !omit_type {
            self.text(": ");
        }
        if !omit_type || self.to.print.is_collecting() {
            self.to.ty(body.ty(argument))?;
        }
        if !self.to.print.is_collecting() {
            self.dictionary_of(attributes, &|_| false, false)?;
        }
        Ok(self.to.argument_location(location)?)
    }

    /// Prints the arguments of a region's first block: `(%arg0: type, %arg1: type)`.
    pub fn region_arguments(&mut self, region: usize) -> Printed {
        self.text("(");
        for at in 0..self.region_argument_types(region)?.len() {
            self.text(if at == 0 { "" } else { ", " });
            self.region_argument(region, at, &[], false)?;
        }
        self.text(")");
        Ok(())
    }

    /// The types of the arguments of a region's first block.
    pub fn region_argument_types(&self, region: usize) -> Printed<Vec<TypeRef>> {
        let inside = self.op.inside()?;
        let body = inside.body;
        let Some(block) = inside.region(region).and_then(|region| body.first_block(region)) else {
            return Ok(Vec::new());
        };
        Ok(body.arguments(block).iter().map(|&argument| body.ty(argument)).collect())
    }

    /// Prints the name of an argument of a region's first block.
    pub fn region_argument_name(&mut self, region: usize, number: usize) -> Printed {
        let (body, block) = self.first_block(region)?;
        let argument = *body.arguments(block).get(number).ok_or(NotCustom::UseGeneric)?;
        let start = self.out().len();
        let id = self.op.inside()?.id;
        self.to.names.push_use(id, body, argument, self.to.print.buffer());
        let end = self.out().len();
        self.to.holes.push((start..end, Hole::Argument(region as u32, number as u32)));
        Ok(())
    }

    /// The first block of a region, with its body.
    fn first_block(&self, region: usize) -> Printed<(&'m Body, BlockId)> {
        let inside = self.op.inside()?;
        let block = inside.region(region).and_then(|region| inside.body.first_block(region));
        Ok((inside.body, block.ok_or(NotCustom::UseGeneric)?))
    }

    /// The last operation of a region's first block.
    pub fn terminator(&self, region: usize) -> Printed<Option<OpRef<'m>>> {
        self.to.is_particular.set(true);
        self.last_operation(region)
    }

    fn last_operation(&self, region: usize) -> Printed<Option<OpRef<'m>>> {
        let inside = self.op.inside()?;
        let block = inside.region(region).and_then(|region| inside.body.first_block(region));
        let last = block.and_then(|block| inside.body.last_operation(block));
        Ok(last.map(|last| OpRef::new(self.to.module, inside.id, inside.body, last)))
    }

    /// Whether the terminator that text may leave out has something to say.
    pub fn shows_terminator(&self, region: usize) -> Printed<bool> {
        let Some(last) = self.last_operation(region)? else { return Ok(true) };
        // Behind another one a parser adds none.
        let before = last.body().previous_operation(last.id());
        if before.is_some_and(|before| last.at(before).has_trait(Traits::TERMINATOR)) {
            return Ok(true);
        }
        let named = self.op.definition().and_then(|definition| definition.implicit_terminator.as_deref());
        if named.is_some_and(|named| named != last.name()) {
            return Ok(true);
        }
        Ok(!last.operands().is_empty() || !self.says_nothing(last)?)
    }

    /// Prints the name of a successor: `^bb1`.
    pub fn block(&mut self, block: BlockId) {
        let (body, op) = (self.op.body(), self.op.id());
        let number = self.to.names.block(self.op.body_id(), block);
        let start = self.out().len();
        push_successor(self.out(), body, op, block, number);
        self.names_one_of(self.successors(), &block, start, Hole::Successor);
    }

    /// The blocks that the operation goes on to.
    pub fn successors(&self) -> &'m [BlockId] {
        self.op.body().successors(self.op.id())
    }

    /// `^bb1(%a, %b : type, type)`
    pub fn successor_with(&mut self, number: usize, values: &[Value]) -> Printed {
        let block = *self.successors().get(number).ok_or(NotCustom::UseGeneric)?;
        self.block(block);
        if !values.is_empty() {
            self.text("(");
            self.values(values);
            self.text(" : ");
            self.value_types(values)?;
            self.text(")");
        }
        Ok(())
    }

    /// Prints another operation, without regions, in the middle of this one.
    ///
    /// # Errors
    /// Where it has regions, or something of it could not be decoded.
    pub fn inline(&mut self, op: OpRef<'m>) -> Printed {
        if op.body().region_count_of(op.id()) > 0 {
            return Err(NotCustom::UseGeneric);
        }
        Ok(self.to.inline(op)?)
    }

    /// Prints another operation in generic form in the middle of this one.
    ///
    /// # Errors
    /// Where something of it could not be decoded.
    pub fn generic_operation(&mut self, op: OpRef<'m>) -> Printed {
        OpPrinter::new(self.to, op)?.generic()
    }
}
