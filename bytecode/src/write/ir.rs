//! The IR section (`BytecodeFormat.md` of MLIR, "IR Section"): a twin of `read/ir.rs`.
//!
//! Regions are walked with an explicit stack. Each isolated region tree is a section of its own, written once what is
//! in it has been written.

use mlirbc_ir::threads::ahead;
use mlirbc_ir::{BlockId, Body, BodyId, Error, IsolationMark, Module, OpId, OpView, RegionId, Result, Value};

use super::blob_numbers::{BlobNumbers, NewBlobs};
use super::emitter::{Emitter, OpenSection, Pending, length_guess};
use super::lossy::Losses;
use super::numbering::Numbering;
use super::operation::{self, Numbered, OperationWriter, Scope, Sheets};
use super::parts::{Part, Parts};
use super::pieces::{Pieces, Written};
use super::properties::Blobs;
use super::strings::Strings;
use super::tables::Numbers;
use super::use_lists;
use crate::format::{SectionId, mask};
use crate::isolation;

/// Writes the whole section, and `parts` on several threads. `uses` are those that [`first_uses`](super::pieces::first_uses) found.
///
/// # Errors
/// Where the format cannot hold something: the first such thing in the order of what is written, however many threads there are.
pub(crate) fn section(
    numbering: &mut Numbering<'_>,
    numbers: &Numbers,
    (strings, blobs): (&mut Strings, &mut Blobs),
    emitter: &mut Emitter,
    parts: &Parts,
    (uses, sheets): (Result<Vec<u32>>, &mut Sheets),
) -> Result<()> {
    if parts.is_empty() {
        return alone(numbering, numbers, (strings, blobs), emitter, sheets, |writer| writer.section());
    }
    let losses = std::mem::take(&mut numbering.losses);
    blobs.reserve(numbering.properties.len());
    let mut new = NewBlobs::new(numbering.properties.take_blobs(), strings, blobs, Emitter::default());
    let mut types = Vec::new();
    operation::fill_types(&mut types, numbers);
    let numbered = Numbered { numbering, numbers, types: &types };
    let file = std::mem::take(emitter);
    new.write_all(numbering, numbers, uses?, parts.threads);
    let known = new.into_numbers();
    let blobs = || BlobNumbers::Written(&known);
    let start = || IrWriter::new(numbered, blobs(), Default::default(), Sheets::default());
    let write = |writer: &mut IrWriter<'_, '_>, chunk| writer.chunk(parts.chunk(&chunk));
    (*emitter, numbering.losses) =
        ahead(parts.threads, 4 * parts.threads, parts.chunks.clone(), start, write, |next| {
            let mut writer = IrWriter::new(numbered, blobs(), (file, losses), Sheets::default());
            writer.pieces = Some(Pieces::new(&parts.all, next));
            writer.section()?;
            Ok::<_, Error>((writer.writer.emitter, writer.writer.losses))
        })?;
    Ok(())
}

/// Writes the only operation at the top, as it stands in a body.
///
/// # Errors
/// Where the format cannot hold something of it.
pub(crate) fn operation(
    numbering: &mut Numbering<'_>,
    numbers: &Numbers,
    strings: &mut Strings,
    blobs: &mut Blobs,
    emitter: &mut Emitter,
) -> Result<()> {
    alone(numbering, numbers, (strings, blobs), emitter, &mut Sheets::default(), |writer| writer.operation())
}

/// Writes on this thread.
fn alone(
    numbering: &mut Numbering<'_>,
    numbers: &Numbers,
    (strings, blobs): (&mut Strings, &mut Blobs),
    emitter: &mut Emitter,
    kept: &mut Sheets,
    write: impl FnOnce(&mut IrWriter<'_, '_>) -> Result<()>,
) -> Result<()> {
    let losses = std::mem::take(&mut numbering.losses);
    let mut sheets = std::mem::take(kept);
    blobs.reserve(numbering.properties.len());
    let blob = std::mem::take(&mut sheets.blob);
    let new = NewBlobs::new(numbering.properties.take_blobs(), strings, blobs, blob);
    let mut types = std::mem::take(&mut sheets.types);
    operation::fill_types(&mut types, numbers);
    let numbered = Numbered { numbering, numbers, types: &types };
    let mut writer = IrWriter::new(numbered, BlobNumbers::Growing(new), (std::mem::take(emitter), losses), sheets);
    write(&mut writer)?;
    let OperationWriter { blobs, emitter: written, losses, mut sheets, .. } = writer.writer;
    if let BlobNumbers::Growing(new) = blobs {
        let (numbers, blob) = new.into_parts();
        sheets.blob = blob;
        numbering.properties.give_back(numbers);
    }
    sheets.types = types;
    (numbering.losses, *kept, *emitter) = (losses, sheets, written);
    Ok(())
}

/// Walks over regions, and writes what they hold.
pub(crate) struct IrWriter<'w, 'm> {
    writer: OperationWriter<'w, 'm>,
    frames: Vec<Frame<'m>>,
    /// Of the bodies that are being written; the last is that of the last frame.
    scopes: Vec<Scope>,
    /// The number of the unknown location, if it has one.
    unknown_location: Option<u32>,
    /// Bodies that others write.
    pieces: Option<Pieces<'w>>,
}

/// The regions of one operation.
#[derive(Clone, Copy)]
enum Regions<'m> {
    /// All of its body.
    Body(&'m [RegionId]),
    /// Those of an operation of the body.
    Operation(OpView<'m>),
}

impl Regions<'_> {
    fn get(self, at: usize) -> Option<RegionId> {
        match self {
            Regions::Body(roots) => roots.get(at).copied(),
            Regions::Operation(op) => op.regions().nth(at),
        }
    }
}

struct Frame<'m> {
    body: &'m Body,
    regions: Regions<'m>,
    next_region: usize,
    /// The number of the first value of the next region.
    base: u32,
    /// The number behind the last value of the region being written.
    end: u32,
    block: Option<BlockId>,
    op: Option<OpId>,
    /// The section that the regions are.
    section: Option<OpenSection>,
}

impl<'w, 'm> IrWriter<'w, 'm> {
    fn new(numbered: Numbered<'w, 'm>, blobs: BlobNumbers<'w>, file: (Emitter, Losses), sheets: Sheets) -> Self {
        let numbering = numbered.numbering;
        let unknown = numbering.attribute_slot(numbering.context.unknown_location());
        IrWriter {
            unknown_location: unknown.and_then(|slot| numbered.numbers.attributes.get(slot)),
            writer: OperationWriter::new(numbered, blobs, file, sheets),
            frames: Vec::new(),
            scopes: Vec::new(),
            pieces: None,
        }
    }

    fn section(&mut self) -> Result<()> {
        let section = self.writer.emitter.begin_section(SectionId::Ir as u8, 4);
        let body = self.writer.numbering.module.body(BodyId::from_index(Module::TOP))?;
        check_outermost(body)?;
        let blocks = || body.top_regions().iter().flat_map(|&region| body.blocks(region));
        let count = blocks().flat_map(|block| body.operations(block)).count();
        self.writer.emitter.varint_with_flag(count as u64, false);
        self.enter_body(body)?;
        self.number_region(body, body.top_regions().first().copied(), 0);
        for block in blocks() {
            let mut next = body.first_operation(block);
            while let Some(op) = next {
                next = self.operations(body, op, 0)?;
                self.run()?;
            }
        }
        self.leave_body();
        self.writer.emitter.end_section(section);
        Ok(())
    }

    fn operation(&mut self) -> Result<()> {
        let body = self.writer.numbering.module.body(BodyId::from_index(Module::TOP))?;
        check_outermost(body)?;
        self.enter_body(body)?;
        self.number_region(body, body.top_regions().first().copied(), 0);
        let block = body.top_regions().first().and_then(|&region| body.first_block(region));
        if let Some(op) = block.and_then(|block| body.first_operation(block)) {
            self.operations(body, op, 0)?;
            self.run()?;
        }
        Ok(())
    }

    /// Writes what some operations hold, each alone. What comes behind something wrong is not written.
    fn chunk(&mut self, parts: &[Part]) -> Written {
        let mut written = Written::default();
        // Some twelve bytes an operation, where there are many.
        let operations: usize = parts.iter().map(|part| part.operations as usize).sum();
        self.writer.emitter.bytes.reserve(16 * operations);
        for (part, at) in parts.iter().zip(0..) {
            let done = self.writer.numbering.module.body(part.body).and_then(|body| self.child(body));
            if let Err(error) = done.and_then(|()| self.run()) {
                written.wrong = Some(error);
                break;
            }
            written.ends.push(self.writer.emitter.bytes.len());
            if !self.writer.losses.is_empty() {
                written.losses.push((at, std::mem::take(&mut self.writer.losses)));
            }
        }
        written.bytes = std::mem::take(&mut self.writer.emitter.bytes);
        if written.wrong.is_some() {
            self.frames.clear();
            self.scopes.clear();
            self.writer.losses = Losses::default();
        }
        written
    }

    /// Begins to write the regions of an operation that has a body of its own.
    fn child(&mut self, child: &'m Body) -> Result<()> {
        child.fetch();
        let section = self.begin_section(child.operation_count());
        self.enter_body(child)?;
        self.push_frame(child, Regions::Body(child.top_regions()), 0, section);
        Ok(())
    }

    /// Begins a section of regions with so many operations, if the version has them.
    fn begin_section(&mut self, operations: usize) -> Option<OpenSection> {
        // Some twelve bytes an operation, where there are many.
        let guess = length_guess(12 * operations);
        (self.writer.numbering.version >= 2).then(|| self.writer.emitter.begin_section(SectionId::Ir as u8, guess))
    }

    fn enter_body(&mut self, body: &'m Body) -> Result<()> {
        let mut scope = self.writer.sheets.scopes.pop().unwrap_or_default();
        scope.plain = body.is_plain();
        scope.values.clear();
        scope.blocks.clear();
        if !scope.plain {
            scope.values.resize(body.value_count(), u32::MAX);
            scope.blocks.resize(body.block_count(), (u32::MAX, 0));
        }
        scope.orders.clear();
        scope.isolated = None;
        if body.region_count() > 1 && !isolation::marks_hold(body) {
            scope.isolated = Some(isolation::isolated(body)?);
        }
        match body.uses() {
            None => scope.orders.extend(body.stored_orders().map(|(value, places)| (value, places.to_vec()))),
            Some(_) if body.operand_count() < 2 => {}
            Some(uses) if uses.in_reference_order() || !uses.any_is_shared() => {}
            Some(_) => {
                let numbers = body.preorder_numbers();
                let values = (0..body.value_count()).map(Value::from_index);
                scope.orders.extend(values.filter_map(|value| Some((value, body.order_of_uses(value, &numbers)?))));
            }
        }
        // Places are those of a list without identity: a file may state the order that it would have anyway.
        if !scope.orders.is_empty() {
            scope.orders.retain(|_, places| places.iter().zip(0..).any(|(&place, at)| place != at));
        }
        self.scopes.push(scope);
        Ok(())
    }

    fn leave_body(&mut self) {
        self.writer.sheets.scopes.extend(self.scopes.pop());
    }

    fn push_frame(&mut self, body: &'m Body, regions: Regions<'m>, base: u32, section: Option<OpenSection>) {
        self.frames.push(Frame { body, regions, next_region: 0, base, end: base, block: None, op: None, section });
    }

    /// Gives the values and blocks directly in a region their numbers; how many there are of each.
    fn number_region(&mut self, body: &Body, region: Option<RegionId>, base: u32) -> (u32, u32) {
        let (Some(region), Some(scope)) = (region, self.scopes.last_mut()) else { return (0, 0) };
        if scope.plain {
            return (body.block_count() as u32, body.value_count() as u32);
        }
        let mut next = base;
        let mut blocks = 0;
        for block in body.blocks(region) {
            for &value in body.arguments(block) {
                scope.values[value.index()] = next;
                next += 1;
            }
            let mut operations = 0;
            for op in body.operations(block) {
                operations += 1;
                for value in body.results(op) {
                    scope.values[value.index()] = next;
                    next += 1;
                }
            }
            scope.blocks[block.index()] = (blocks, operations);
            blocks += 1;
        }
        (blocks, next - base)
    }

    fn run(&mut self) -> Result<()> {
        while let Some(frame) = self.frames.last_mut() {
            if let Some(op) = frame.op {
                let (body, end, depth) = (frame.body, frame.end, self.frames.len() - 1);
                self.frames[depth].op = self.operations(body, op, end)?;
            } else if let Some(block) = frame.block {
                let body = frame.body;
                frame.block = body.next_block(block);
                frame.op = body.first_operation(block);
                self.block(body, block)?;
            } else if let Some(region) = frame.regions.get(frame.next_region) {
                frame.next_region += 1;
                let (body, base) = (frame.body, frame.base);
                let (blocks, values) = self.number_region(body, Some(region), base);
                if let Some(frame) = self.frames.last_mut() {
                    frame.end = base + values;
                    frame.block = body.first_block(region);
                }
                self.writer.emitter.varint(blocks.into());
                if blocks > 0 {
                    self.writer.emitter.varint(values.into());
                }
            } else {
                let (section, regions) = (frame.section, frame.regions);
                self.frames.pop();
                if matches!(regions, Regions::Body(_)) {
                    self.leave_body();
                }
                if let Some(section) = section {
                    self.writer.emitter.end_section(section);
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, body: &Body, block: BlockId) -> Result<()> {
        let version = self.writer.numbering.version;
        let operations = match self.scopes.last() {
            Some(scope) if !scope.plain => scope.blocks[block.index()].1,
            // In one region operations stand in a row.
            _ => match (body.first_operation(block), body.last_operation(block)) {
                (Some(first), Some(last)) => (last.index() - first.index()) as u32 + 1,
                _ => 0,
            },
        };
        let arguments = body.arguments(block);
        self.writer.emitter.varint_with_flag(operations.into(), !arguments.is_empty());
        if arguments.is_empty() {
            return Ok(());
        }
        self.writer.emitter.varint(arguments.len() as u64);
        for (&value, &location) in arguments.iter().zip(body.argument_locations(block)) {
            let ty = self.writer.type_number(body.ty(value))?;
            // Only unknown locations are left out, however they are held.
            let location = match location {
                Some(location) => Some(self.writer.attribute(self.writer.numbering.shown_location(location))?),
                None => None,
            };
            let unknown = self.unknown_location;
            if version >= 4 {
                let location = location.filter(|&location| Some(location) != unknown);
                self.writer.emitter.varint_with_flag(ty.into(), location.is_some());
                if let Some(location) = location {
                    self.writer.emitter.varint(location.into());
                }
            } else {
                self.writer.emitter.varint(ty.into());
                self.writer.emitter.varint(location.or(unknown).unwrap_or(0).into());
            }
        }
        let orders = self.scopes.last().map_or_else(Vec::new, |scope| scope.orders(arguments.iter().copied()));
        if version >= 3 {
            self.writer.emitter.byte(if orders.is_empty() { 0 } else { mask::USE_LISTS });
            if !orders.is_empty() {
                let release = self.writer.numbering.target.release;
                use_lists::write(&mut self.writer.emitter, arguments.len(), &orders, release);
            }
        } else if !orders.is_empty() {
            self.writer.losses.note("the order of uses of a block's argument (version 3)".to_owned());
        }
        Ok(())
    }

    /// Writes the operations of a block from `op` on, up to one with regions, which are what comes next; gives the operation
    /// after it. `end` is the number behind the last value of the region.
    fn operations(&mut self, body: &'m Body, op: OpId, end: u32) -> Result<Option<OpId>> {
        let Some(scope) = self.scopes.last() else { return Ok(None) };
        let mut next = Some(op);
        let mut pending = Pending::new();
        while let Some(op) = next {
            let op = body.view(op);
            next = op.next();
            self.writer.operation(scope, body, op, &mut pending)?;
            if op.region_count() > 0 {
                pending.flush(&mut self.writer.emitter);
                self.regions(body, op, end)?;
                return Ok(next);
            }
        }
        pending.flush(&mut self.writer.emitter);
        Ok(next)
    }

    /// Writes the head of an operation's regions; the regions follow when the walk goes on.
    fn regions(&mut self, body: &'m Body, op: OpView<'m>, end: u32) -> Result<()> {
        let regions = op.region_count();
        let local = op.regions().len() > 0;
        let isolated = !local
            || match self.scopes.last().and_then(|scope| scope.isolated.as_ref()) {
                Some(isolated) => isolated[op.id().index()],
                None => body.isolation_mark(op.id()) == IsolationMark::Isolated,
            };
        self.writer.emitter.varint_with_flag(regions as u64, isolated);
        if let Some(pieces) = &mut self.pieces
            && let Some(piece) = op.region_body().and_then(|child| pieces.take(child))
        {
            let (bytes, lost) = piece?;
            self.writer.emitter.bytes.extend_from_slice(bytes);
            lost.into_iter().for_each(|lost| self.writer.losses.extend(lost));
        } else if local {
            let section = if isolated { self.begin_section(0) } else { None };
            let base = if isolated { 0 } else { end };
            self.push_frame(body, Regions::Operation(op), base, section);
        } else if let Some(child) = op.region_body() {
            self.child(self.writer.numbering.module.body(child)?)?;
        } else {
            let section = self.begin_section(0);
            (0..regions).for_each(|_| self.writer.emitter.varint(0));
            section.into_iter().for_each(|section| self.writer.emitter.end_section(section));
        }
        Ok(())
    }
}

/// The outermost operations have neither region nor block around them in a file: no other block can follow, and nothing
/// gives their results a number by which to use them.
fn check_outermost(body: &Body) -> Result<()> {
    let roots = body.top_regions();
    let mut blocks = roots.iter().flat_map(|&region| body.blocks(region));
    let first = blocks.next();
    if blocks.next().is_some() || first.is_some_and(|block| !body.arguments(block).is_empty()) {
        return Err(Error::verification("bytecode holds one outermost block, without arguments"));
    }
    let outermost = |&value: &Value| body.defining_region(value).is_some_and(|region| roots.contains(&region));
    if body.preorder().any(|op| body.operands(op).iter().any(outermost)) {
        return Err(Error::verification("bytecode cannot hold a use of a result of an outermost operation"));
    }
    Ok(())
}
