//! Regions and blocks, and what follows the regions of an operation.

use super::module::{Frame, OpParser};
use super::names::ValueName;
use super::operation::OpenOperation;
use super::texts::block_label;
use mlirbc_ir::{AttributeRef, BlockId, IsolationMark, OpId, RegionId, Result, TypeRef, Value};

/// An argument of a block: its name, type and location.
pub type Argument<'a> = (ValueName<'a>, TypeRef, AttributeRef);

impl<'a> OpParser<'a> {
    /// Ends a region, and begins the next one or ends the operation.
    pub(super) fn end_region(&mut self) -> Result<()> {
        self.at.expect(b'}')?;
        self.resume = self.at.position();
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        let parent_op = frame.parent_op.take();
        self.names.close_scope(frame.scope);
        self.resolve_successors(frame);
        let Some(mut parent_op) = parent_op else { return Ok(()) };
        if let Some(rest) = parent_op.custom.take() {
            return self.resume_op(parent_op.regions, rest);
        }
        let result = self.after_region(&mut parent_op);
        match result {
            Ok(true) => {
                self.begin_region(Some(parent_op));
                Ok(())
            }
            Ok(false) => Ok(()),
            Err(error) => {
                self.define_broken(&parent_op.results);
                Err(error)
            }
        }
    }

    /// What follows a region: true where it is another one.
    fn after_region(&mut self, parent_op: &mut OpenOperation<'a>) -> Result<bool> {
        let mut closed = Ok(());
        if self.at.eat(b',') {
            if self.at.eat(b'{') {
                return Ok(true);
            }
            closed = Err(self.at.expected("`{` and another region"));
        } else if !self.at.eat(b')') {
            closed = Err(self.at.expected("`,` or `)` to end the list of regions"));
        }
        self.close_regions(parent_op.op, parent_op.isolated, &parent_op.regions);
        closed?;
        self.resume = self.at.position();
        let (attributes, location) = self.tail(parent_op.at)?;
        let nest = self.nest(parent_op.op, parent_op.isolated, parent_op.first_slot);
        let (operands, results) = (std::mem::take(&mut parent_op.operands), &parent_op.results);
        self.finish(parent_op.op, parent_op.info, location, attributes, parent_op.properties, &operands, results, nest)
            .map_err(|error| error.at(parent_op.at as u64))?;
        Ok(false)
    }

    /// Gives an operation the regions that have been parsed.
    pub(super) fn close_regions(&mut self, op: OpId, isolated: bool, regions: &[RegionId]) {
        if isolated {
            let child = self.end_body();
            self.body().set_region_body(op, child, regions.len() as u32, IsolationMark::Unknown);
        } else {
            self.body().close_regions(op, regions, IsolationMark::Unknown);
        }
    }

    /// Notes that an operation's regions have ended; gives where the operands inside begin, if they are of this body.
    pub(super) fn nest(&mut self, op: OpId, isolated: bool, first_slot: u32) -> Option<u32> {
        if isolated {
            return None;
        }
        let last = self.body().operation_count() - 1;
        self.build().uses.nest(op, last);
        Some(first_slot)
    }

    /// Resolves the names of blocks in a region that ends.
    pub(super) fn resolve_successors(&mut self, frame: Frame<'a>) {
        for (op, names) in frame.successors {
            let mut blocks = Vec::with_capacity(names.len());
            for (name, at) in names {
                match frame.blocks.get(name) {
                    Some(&block) => blocks.push(block),
                    None if self.lost => {}
                    None => {
                        self.report(at, format!("reference to an undefined block `^{}`", name.escape_ascii()));
                    }
                }
            }
            self.body().push_successors(op, blocks.into_iter());
        }
    }

    /// Parses `^name(%a: type, ...):`
    pub(super) fn block(&mut self) -> Result<()> {
        let start = self.at.here();
        self.resume = start;
        let label = block_label(&mut self.at)?;
        let mut arguments = Vec::new();
        if self.at.eat(b'(') && !self.at.eat(b')') {
            loop {
                let name = self.value_name()?;
                self.at.expect(b':')?;
                let ty = self.any_type()?;
                let location = match self.at.trailing_location()? {
                    Some(location) => location,
                    None => self.location_of(name.at)?,
                };
                arguments.push((name, ty, location));
                if self.at.eat(b')') {
                    break;
                }
                if !self.at.eat(b',') {
                    return Err(self.at.expected("`,` or `)` behind a block argument"));
                }
            }
        }
        self.at.expect(b':')?;
        let region = self.frame().region;
        let block = self.body().push_block(region);
        self.frame().block = Some(block);
        if self.frame().blocks.insert(label, block).is_some() {
            self.report(start, format!("redefinition of block `^{}`", label.escape_ascii()));
        }
        self.arguments(block, &arguments);
        Ok(())
    }

    /// Gives a block its arguments.
    pub(super) fn arguments(&mut self, block: BlockId, arguments: &[Argument<'a>]) {
        let unknown = AttributeRef::from(self.context().unknown_location());
        let body = self.body();
        let Some(&(_, none, _)) = arguments.first() else { return };
        let first = body.push_values(arguments.len(), none).index();
        let defined = arguments.iter().enumerate().map(|(at, &(_, ty, location))| {
            (Value::from_index(first + at), ty, Some(location).filter(|&location| location != unknown))
        });
        body.define_arguments(block, defined);
        for (at, (name, ..)) in arguments.iter().enumerate() {
            self.define(name, (first + at) as u32, 1);
        }
    }
}
