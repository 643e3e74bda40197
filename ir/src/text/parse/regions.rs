//! Regions and blocks, and what follows the regions of an operation.

use super::module::{Frame, ModuleParser};
use super::operation::OpenOperation;
use crate::body::{AttributeRef, IsolationMark, Value};
use crate::error::Result;

impl<'a> ModuleParser<'a> {
    /// Ends a region, and begins the next one or ends the operation.
    pub(super) fn end_region(&mut self) -> Result<()> {
        self.at.expect(b'}')?;
        self.resume = self.at.at;
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        let holder = frame.holder.take();
        self.names.close_scope(frame.scope);
        self.resolve_successors(frame);
        let Some(mut holder) = holder else { return Ok(()) };
        let result = self.after_region(&mut holder);
        match result {
            Ok(true) => {
                self.begin_region(Some(holder));
                Ok(())
            }
            Ok(false) => Ok(()),
            Err(error) => {
                self.define_broken(&holder.results);
                Err(error)
            }
        }
    }

    /// What follows a region: true where it is another one.
    fn after_region(&mut self, holder: &mut OpenOperation<'a>) -> Result<bool> {
        let mut closed = Ok(());
        if !holder.custom {
            if self.at.eat(b',') {
                if self.at.eat(b'{') {
                    return Ok(true);
                }
                closed = Err(self.at.expected("`{` and another region"));
            } else if !self.at.eat(b')') {
                closed = Err(self.at.expected("`,` or `)` to end the list of regions"));
            }
        }
        let (op, count) = (holder.op, holder.regions.len());
        if holder.isolated {
            let child = self.end_body();
            self.body().set_child(op, child, count as u32, IsolationMark::Unknown);
        } else {
            self.body().close_regions(op, &holder.regions, IsolationMark::Unknown);
        }
        closed?;
        self.resume = self.at.at;
        let (attributes, location) = if holder.custom {
            self.inputs.clear();
            self.outputs.clear();
            let location = match self.at.trailing_location()? {
                Some(location) => location,
                None => self.location_of(holder.at)?,
            };
            (holder.attributes, location)
        } else {
            self.tail(holder.at)?
        };
        let nest = (!holder.isolated).then_some(holder.first_slot);
        if nest.is_some() {
            let last = self.body().operation_count() - 1;
            self.build().uses.nest(op, last);
        }
        let (operands, results) = (std::mem::take(&mut holder.operands), &holder.results);
        self.finish(op, holder.info, location, attributes, holder.properties, &operands, results, nest)?;
        Ok(false)
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
        let label = self.at.block_label()?;
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
        let unknown = AttributeRef::from(self.context().unknown_location());
        let body = self.body();
        let none = match arguments.first() {
            Some(first) => first.1,
            None => return Ok(()),
        };
        let first = body.push_values(arguments.len(), none).index();
        let defined = arguments.iter().enumerate().map(|(at, &(_, ty, location))| {
            (Value::from_index(first + at), ty, Some(location).filter(|&location| location != unknown))
        });
        body.define_arguments(block, defined);
        for (at, (name, ..)) in arguments.iter().enumerate() {
            self.define(name, (first + at) as u32, 1);
        }
        Ok(())
    }
}
