//! Operations in generic form, region by region on an explicit stack.

use std::io::Write;

use super::numbering::{Name, Numbers, Taken};
use super::successor::push_successor;
use super::texts::{Text, Texts};
use mlirbc_ir::text::{Elision, PrintNames, Printer, push_decimal, push_escaped};
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BlockId, Body, BodyId, Identifier, Location, Module, OpId, OpRef,
    OperationName, RegionId, Result, TypeData, TypeRef, Value,
};

/// How operations are printed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PrintOptions {
    /// Whether each operation and block argument is followed by its location.
    pub locations: bool,
    /// Whether every operation is printed in generic form, without aliases.
    pub generic: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl PrintOptions {
    /// Generic form without locations.
    pub fn new() -> Self {
        PrintOptions { locations: false, generic: true }
    }

    /// Sets whether every operation is printed in generic form. Otherwise each is printed in the custom assembly of its
    /// dialect where that is known, and attributes, types and locations get aliases as mlir-opt gives them.
    #[must_use]
    pub fn generic(mut self, generic: bool) -> Self {
        self.generic = generic;
        self
    }

    /// Sets whether locations are printed.
    #[must_use]
    pub fn locations(mut self, locations: bool) -> Self {
        self.locations = locations;
        self
    }
}

/// Prints a module: its top-level operations, then its resources.
///
/// Nothing is held back, and nesting costs no call stack. Bodies that were not entered yet are read now.
///
/// # Errors
/// Where the writer fails, or something in the module cannot be decoded.
pub fn print_module(module: &Module, options: &PrintOptions, sink: &mut dyn Write) -> Result<()> {
    if !options.generic {
        return super::assembly::print_module(module, options, sink);
    }
    let mut printer = OperationPrinter::new(module, options, sink);
    let top = module.top()?;
    let mut numbers = Numbers::default();
    numbers.reset(top);
    let mut taken = Taken::default();
    for &region in top.top_regions() {
        taken = numbers.enter(top, region, taken)?.0;
    }
    printer.scopes.push(numbers);
    for op in module.operations()? {
        printer.operation(op, taken)?;
    }
    super::resources::all(&mut printer.print, module)?;
    printer.finish().map(drop)
}

/// Prints one operation with all that is in it, then the resources that it refers to.
///
/// # Errors
/// As for [`print_module`].
pub fn print_operation(op: OpRef<'_>, options: &PrintOptions, sink: &mut dyn Write) -> Result<()> {
    if !options.generic {
        return super::assembly::print_operation(op, options, sink);
    }
    let mut printer = OperationPrinter::new(op.module(), options, sink);
    let body = op.body();
    // Values have the numbers that they have where the whole body is printed.
    let regions: Vec<RegionId> = std::iter::successors(Some(op.id()), |&op| body.parent(op))
        .filter_map(|op| body.region_of(body.block_of(op)?))
        .collect();
    let mut numbers = Numbers::default();
    numbers.reset(body);
    let mut taken = Taken::default();
    for &region in regions.iter().rev() {
        taken = numbers.enter(body, region, taken)?.0;
    }
    printer.scopes.push(numbers);
    printer.operation(op, taken)?;
    super::resources::used(&mut printer.print, op.module())?;
    printer.finish().map(drop)
}

/// Nesting deeper than this is not shown by more spaces, which would take quadratic room.
const DEEPEST_INDENT: usize = 100;

/// The regions of one operation being printed.
struct Frame<'m> {
    /// The operation's body, and the operation.
    parent_op: (BodyId, &'m Body, OpId),
    /// The body that holds the regions.
    id: BodyId,
    body: &'m Body,
    /// Whether that is a body of its own, whose numbers are the last of `scopes`.
    own: bool,
    next_region: usize,
    /// What is taken outside of the regions, and in the region being printed.
    outer: Taken,
    taken: Taken,
    /// Whether the next block is the region's first, and that needs no label.
    bare: bool,
    block: Option<BlockId>,
    op: Option<OpId>,
}

struct OperationPrinter<'m> {
    module: &'m Module,
    options: PrintOptions,
    print: Printer<'m>,
    scopes: Vec<Numbers>,
    spare: Vec<Numbers>,
    frames: Vec<Frame<'m>>,
    names: Texts<OperationName>,
    types: Texts<TypeRef>,
    dictionaries: Texts<(OperationName, Option<AttributeRef>, Option<AttributeRef>, bool)>,
    locations: Texts<AttributeRef>,
    files: Texts<Identifier>,
}

impl<'m> OperationPrinter<'m> {
    fn new(module: &'m Module, options: &PrintOptions, sink: &'m mut dyn Write) -> Self {
        OperationPrinter {
            module,
            options: options.clone(),
            print: Printer::new(module.context(), sink),
            scopes: Vec::new(),
            spare: Vec::new(),
            frames: Vec::new(),
            names: Texts::new(),
            types: Texts::new(),
            dictionaries: Texts::new(),
            locations: Texts::new(),
            files: Texts::new(),
        }
    }

    fn finish(self) -> Result<PrintNames> {
        self.print.finish()
    }

    fn out(&mut self) -> &mut Vec<u8> {
        self.print.buffer()
    }

    fn new_line(&mut self, depth: usize) {
        const SPACES: [u8; 2 * DEEPEST_INDENT] = [b' '; 2 * DEEPEST_INDENT];
        let out = self.out();
        out.push(b'\n');
        out.extend_from_slice(&SPACES[..2 * depth.min(DEEPEST_INDENT)]);
    }

    /// Prints an operation and everything in it.
    fn operation(&mut self, op: OpRef<'m>, taken: Taken) -> Result<()> {
        let depth = self.frames.len();
        if let Some(frame) = self.begin(op.body_id(), op.body(), op.id(), taken)? {
            self.frames.push(frame);
        }
        while self.frames.len() > depth {
            self.step()?;
            self.print.spill()?;
        }
        self.out().push(b'\n');
        Ok(())
    }

    /// Goes on with the innermost operation whose regions are being printed.
    fn step(&mut self) -> Result<()> {
        let depth = self.frames.len();
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        if let Some(op) = frame.op {
            frame.op = frame.body.next_operation(op);
            let (id, body, taken) = (frame.id, frame.body, frame.taken);
            self.new_line(depth);
            if let Some(frame) = self.begin(id, body, op, taken)? {
                self.frames.push(frame);
            }
            return Ok(());
        }
        if let Some(block) = frame.block {
            frame.block = frame.body.next_block(block);
            frame.op = frame.body.first_operation(block);
            let body = frame.body;
            if !std::mem::take(&mut frame.bare) {
                self.block(body, block)?;
            }
            return Ok(());
        }
        self.next_region()
    }

    fn next_region(&mut self) -> Result<()> {
        let depth = self.frames.len();
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let (parent_op, body, number) = (frame.parent_op, frame.body, frame.next_region);
        frame.next_region += 1;
        if number == parent_op.1.region_count_of(parent_op.2) {
            if frame.own {
                self.spare.extend(self.scopes.pop());
            }
            self.frames.pop();
            self.new_line(depth - 1);
            self.out().extend_from_slice(b"})");
            return self.end(parent_op.0, parent_op.1, parent_op.2);
        }
        let region = if frame.own {
            body.top_regions().get(number).copied()
        } else {
            // Those of one operation stand side by side; there is none where no region has a block.
            body.regions(parent_op.2).next().map(|first| RegionId::from_index(first.index() + number))
        };
        if let (Some(region), Some(numbers)) = (region, self.scopes.last_mut()) {
            let (taken, label) = numbers.enter(body, region, frame.outer)?;
            frame.taken = taken;
            frame.block = body.first_block(region);
            frame.bare = frame.block.is_some_and(|first| {
                !label && body.arguments(first).is_empty() && body.first_operation(first).is_some()
            });
        }
        if number > 0 {
            self.new_line(depth - 1);
            self.out().extend_from_slice(b"}, {");
        }
        Ok(())
    }

    fn block(&mut self, body: &'m Body, block: BlockId) -> Result<()> {
        self.new_line(self.frames.len() - 1);
        let number = self.scopes.last().map_or(0, |numbers| numbers.block(block));
        let out = self.out();
        out.extend_from_slice(b"^bb");
        push_decimal(out, number.into());
        let arguments = body.arguments(block);
        for (at, (&argument, &location)) in arguments.iter().zip(body.argument_locations(block)).enumerate() {
            self.out().extend_from_slice(if at == 0 { b"(" } else { b", " });
            self.value(body, argument);
            self.out().extend_from_slice(b": ");
            self.ty(body.ty(argument), false)?;
            if self.options.locations {
                match location {
                    Some(location) => self.location(location)?,
                    None => self.out().extend_from_slice(b" loc(unknown)"),
                }
            }
            self.print.spill()?;
        }
        self.out().extend_from_slice(if arguments.is_empty() { b":" } else { b"):" });
        Ok(())
    }

    /// Prints an operation up to its regions, or whole where it has none.
    fn begin(&mut self, id: BodyId, body: &'m Body, op: OpId, taken: Taken) -> Result<Option<Frame<'m>>> {
        let count = body.result_count(op);
        if let Some(first) = body.results(op).next() {
            let name = self.scopes.last().map_or(Name::None, |numbers| numbers.name(body, first));
            let out = self.out();
            match name {
                Name::Single(number) | Name::Several(number, _) | Name::Argument(number) => {
                    out.push(b'%');
                    push_decimal(out, number.into());
                }
                Name::None => out.extend_from_slice(UNKNOWN),
            }
            if count > 1 {
                out.push(b':');
                push_decimal(out, count as u64);
            }
            out.extend_from_slice(b" = ");
        }
        self.name(body.name(op));
        for (at, &operand) in body.operands(op).iter().enumerate() {
            self.out().extend_from_slice(if at == 0 { b"(" } else { b", " });
            self.value(body, operand);
            self.print.spill()?;
        }
        self.out().extend_from_slice(if body.operands(op).is_empty() { b"()" } else { b")" });
        self.successors(body, op);
        self.dictionary(id, body, op, true)?;
        if body.region_count_of(op) == 0 {
            self.end(id, body, op)?;
            return Ok(None);
        }
        self.out().extend_from_slice(b" ({");
        let mut frame = Frame {
            parent_op: (id, body, op),
            id,
            body,
            own: false,
            next_region: 0,
            outer: taken,
            taken,
            bare: false,
            block: None,
            op: None,
        };
        if let Some(child) = body.region_body(op) {
            (frame.id, frame.body, frame.own) = (child, self.module.body(child)?, true);
            let mut numbers = self.spare.pop().unwrap_or_default();
            numbers.reset(frame.body);
            self.scopes.push(numbers);
        }
        Ok(Some(frame))
    }

    /// Prints what follows an operation's regions.
    fn end(&mut self, id: BodyId, body: &'m Body, op: OpId) -> Result<()> {
        self.dictionary(id, body, op, false)?;
        self.out().extend_from_slice(b" : (");
        for (at, &operand) in body.operands(op).iter().enumerate() {
            if at > 0 {
                self.out().extend_from_slice(b", ");
            }
            self.ty(body.ty(operand), false)?;
            self.print.spill()?;
        }
        self.out().extend_from_slice(b") -> ");
        let mut results = body.results(op);
        if results.len() == 1
            && let Some(result) = results.next()
        {
            self.ty(body.ty(result), true)?;
        } else {
            self.out().push(b'(');
            for (at, result) in results.enumerate() {
                if at > 0 {
                    self.out().extend_from_slice(b", ");
                }
                self.ty(body.ty(result), false)?;
                self.print.spill()?;
            }
            self.out().push(b')');
        }
        if self.options.locations {
            self.location(body.location(op))?;
        }
        Ok(())
    }

    fn successors(&mut self, body: &Body, op: OpId) {
        for (at, &block) in body.successors(op).iter().enumerate() {
            let number = self.scopes.last().map_or(0, |numbers| numbers.block(block));
            let out = self.out();
            out.extend_from_slice(if at == 0 { b"[" } else { b", " });
            push_successor(out, body, op, block, number);
        }
        if !body.successors(op).is_empty() {
            self.out().push(b']');
        }
    }

    #[inline]
    fn value(&mut self, body: &Body, value: Value) {
        let name = self.scopes.last().map_or(Name::None, |numbers| numbers.name(body, value));
        let out = self.out();
        match name {
            Name::Single(number) => {
                out.push(b'%');
                push_decimal(out, number.into());
            }
            Name::Argument(number) => {
                out.extend_from_slice(b"%arg");
                push_decimal(out, number.into());
            }
            Name::Several(number, result) => {
                out.push(b'%');
                push_decimal(out, number.into());
                out.push(b'#');
                push_decimal(out, result as u64);
            }
            Name::None => out.extend_from_slice(UNKNOWN),
        }
    }

    fn name(&mut self, name: OperationName) {
        match self.names.get(&name) {
            Some(text) => self.print.buffer().extend_from_slice(self.names.bytes(text)),
            None => {
                let context = self.module.context();
                let start = self.out().len();
                push_escaped(self.out(), context.bytes(context.operation_identifier(name)));
                self.names.keep(name, &self.print.buffer()[start..], false);
            }
        }
    }

    /// What has been printed since `start`, where it is still held back.
    fn printed(&self, start: u64) -> Option<&[u8]> {
        let length = usize::try_from(self.print.position() - start).ok()?;
        let buffer = self.print.buffered();
        buffer.get(buffer.len().checked_sub(length)?..)
    }

    #[inline]
    fn ty(&mut self, ty: TypeRef, result: bool) -> Result<()> {
        let Some(text) = self.types.get(&ty) else { return self.new_type(ty, result) };
        self.parenthesized(text, result);
        Ok(())
    }

    #[inline]
    fn parenthesized(&mut self, text: Text, result: bool) {
        let out = self.print.buffer();
        if result && text.function {
            out.push(b'(');
            out.extend_from_slice(self.types.bytes(text));
            out.push(b')');
        } else {
            out.extend_from_slice(self.types.bytes(text));
        }
    }

    fn new_type(&mut self, ty: TypeRef, result: bool) -> Result<()> {
        let resolved = self.module.ty(ty)?;
        let function = matches!(self.module.context()[resolved], TypeData::Function { .. });
        if result && function {
            self.out().push(b'(');
        }
        let start = self.print.position();
        self.print.ty(resolved)?;
        if let Some(text) = self.printed(start).map(<[u8]>::to_vec) {
            self.types.keep(ty, &text, function);
        }
        if result && function {
            self.out().push(b')');
        }
        Ok(())
    }

    /// Prints the properties of an operation, or its discardable attributes.
    fn dictionary(&mut self, id: BodyId, body: &'m Body, op: OpId, properties: bool) -> Result<()> {
        let key = (body.name(op), body.attributes(op), body.properties(op), properties);
        if let Some(text) = self.dictionaries.get(&key) {
            self.print.buffer().extend_from_slice(self.dictionaries.bytes(text));
            return Ok(());
        }
        let start = self.print.position();
        let context = self.module.context();
        let (discardable, inherent) = OpRef::new(self.module, id, body, op).dictionaries()?;
        let is_empty = |dictionary: Attribute| matches!(&context[dictionary], AttributeData::Dictionary(entries) if entries.is_empty());
        if properties {
            // Only of an operation without a definition does it matter whether there is an empty dictionary.
            let shown = inherent.filter(|&inherent| !context.is_registered(key.0) || !is_empty(inherent));
            if let Some(shown) = shown {
                self.out().extend_from_slice(b" <");
                self.print.attribute(shown, Elision::Never)?;
                self.out().push(b'>');
            }
        } else if let Some(shown) = discardable.filter(|&discardable| !is_empty(discardable)) {
            self.out().push(b' ');
            self.print.attribute(shown, Elision::Never)?;
        }
        if let Some(text) = self.printed(start).map(<[u8]>::to_vec) {
            self.dictionaries.keep(key, &text, false);
        }
        Ok(())
    }

    fn location(&mut self, location: AttributeRef) -> Result<()> {
        if let Some(text) = self.locations.get(&location) {
            self.print.buffer().extend_from_slice(self.locations.bytes(text));
            return Ok(());
        }
        let start = self.print.position();
        self.out().extend_from_slice(b" loc(");
        match self.module.location(location)? {
            Location::File { file, line, column } => {
                self.file(file);
                let out = self.out();
                out.push(b':');
                push_decimal(out, line.into());
                out.push(b':');
                push_decimal(out, column.into());
                out.push(b')');
                // Seldom shared, and quickly made.
                return Ok(());
            }
            Location::Attribute(attribute) => self.print.location(attribute)?,
        }
        self.out().push(b')');
        if let Some(text) = self.printed(start).map(<[u8]>::to_vec) {
            self.locations.keep(location, &text, false);
        }
        Ok(())
    }

    fn file(&mut self, file: Identifier) {
        match self.files.get(&file) {
            Some(text) => self.print.buffer().extend_from_slice(self.files.bytes(text)),
            None => {
                let start = self.out().len();
                push_escaped(self.print.buffer(), self.module.context().bytes(file));
                self.files.keep(file, &self.print.buffer()[start..], false);
            }
        }
    }
}

/// Stands for a value without a name; no parser takes it.
const UNKNOWN: &[u8] = b"%<unknown>";
