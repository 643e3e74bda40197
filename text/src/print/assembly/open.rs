//! Regions that are being printed: block by block, operation by operation.

use super::*;

impl<'m> Assembly<'m> {
    pub(super) fn region(&mut self, op: OpRef<'m>, piece: RegionPiece) -> Result<()> {
        let inside = op.inside()?;
        let (id, body) = (inside.id, inside.body);
        self.out().extend_from_slice(b"{\n");
        self.depth += 1 + piece.indent;
        let region = inside.region(piece.number);
        let first = region.and_then(|region| body.first_block(region));
        let context = self.module.context();
        let find = || TextHooks::default_dialect(context, op.operation_name());
        let dialect = *self.default_dialects.entry(op.operation_name()).or_insert_with(find);
        let mut open = Open {
            id,
            body,
            label: false,
            skip: None,
            block: first,
            op: None,
            dialect,
            predecessors: Predecessors::default(),
            indent: piece.indent,
        };
        if let (Some(first), Some(region)) = (first, region) {
            open.label = piece.arguments && !body.arguments(first).is_empty()
                || piece.empty_block && body.first_operation(first).is_none();
            if !piece.terminator {
                open.skip = body.last_operation(first).filter(|&last| {
                    let definition = context.definition(body.name(last));
                    definition.is_some_and(|definition| definition.traits.contains(Traits::TERMINATOR))
                });
            }
            if self.collector.is_none() {
                for (number, block) in body.blocks(region).enumerate() {
                    for op in body.operations(block) {
                        for &to in body.successors(op) {
                            open.predecessors.entry(to).or_default().push(number as u32);
                        }
                    }
                }
                open.label |= open.predecessors.contains_key(&first);
            }
        }
        self.frames.push(Frame::Region(open));
        Ok(())
    }

    /// Goes on with the innermost region.
    pub(super) fn step(&mut self) -> Result<()> {
        let Some(Frame::Region(open)) = self.frames.last_mut() else { return Ok(()) };
        if let Some(op) = open.op {
            open.op = open.body.next_operation(op);
            let (id, body, dialect) = (open.id, open.body, open.dialect);
            let skip = open.skip == Some(op);
            return if skip { Ok(()) } else { self.begin(OpRef::new(self.module, id, body, op), dialect) };
        }
        if let Some(block) = open.block {
            open.block = open.body.next_block(block);
            open.op = open.body.first_operation(block);
            if std::mem::replace(&mut open.label, true)
                && let Some(Frame::Region(open)) = self.frames.pop()
            {
                self.block(&open, block)?;
                self.frames.push(Frame::Region(open));
            }
            return Ok(());
        }
        let indent = open.indent;
        self.frames.pop();
        self.depth -= 1;
        self.indent(self.depth);
        self.depth -= indent;
        self.out().push(b'}');
        Ok(())
    }

    fn block(&mut self, open: &Open<'m>, block: BlockId) -> Result<()> {
        let body = open.body;
        self.indent(self.depth - 1);
        let number = self.names.block(open.id, block);
        self.out().extend_from_slice(b"^bb");
        push_decimal(self.out(), number.into());
        let arguments = body.arguments(block);
        for (at, (&argument, &location)) in arguments.iter().zip(body.argument_locations(block)).enumerate() {
            self.out().extend_from_slice(if at == 0 { b"(" } else { b", " });
            self.names.push_use(open.id, body, argument, self.print.buffer());
            self.out().extend_from_slice(b": ");
            self.ty(body.ty(argument))?;
            self.argument_location(location)?;
            self.print.spill()?;
        }
        if self.collector.is_some() {
            for symbol in self.print.collected().map(std::mem::take).unwrap_or_default() {
                if let Some(collector) = &mut self.collector {
                    collector.visit(self.module.context(), symbol, false);
                }
            }
            return Ok(());
        }
        self.out().extend_from_slice(if arguments.is_empty() { b":" } else { b"):" });
        match open.predecessors.get(&block).map(Vec::as_slice).unwrap_or_default() {
            [] if number == 0 => {}
            [] => self.out().extend_from_slice(b"  // no predecessors"),
            [one] => {
                let one = u64::from(*one);
                self.out().extend_from_slice(b"  // pred: ^bb");
                push_decimal(self.out(), one);
            }
            several => {
                self.out().extend_from_slice(b"  // ");
                push_decimal(self.out(), several.len() as u64);
                self.out().extend_from_slice(b" preds: ");
                for (at, &block) in several.iter().enumerate() {
                    self.out().extend_from_slice(if at == 0 { b"^bb" } else { b", ^bb" });
                    push_decimal(self.out(), block.into());
                }
            }
        }
        self.out().push(b'\n');
        Ok(())
    }

    /// Prints the location of a block argument, or notes it.
    pub(super) fn argument_location(&mut self, location: Option<AttributeRef>) -> Result<()> {
        if !self.locations {
            return Ok(());
        }
        let context = self.module.context();
        let location = match location {
            Some(location) => self.module.location(location)?,
            None => Location::Attribute(context.unknown_location()),
        };
        match self.print.collected() {
            Some(visits) => visits.push(Aliasable::location(context, location)),
            None => self.trailing_location(location, false)?,
        }
        Ok(())
    }
}
