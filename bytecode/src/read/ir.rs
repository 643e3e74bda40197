//! The IR section (`BytecodeFormat.md` of MLIR, "IR Section"): operations, blocks and regions become a [`Body`].
//!
//! Regions are walked with an explicit stack, so that nesting costs memory and not stack.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "each count is checked against the bytes left and against `MOST` before it is added to another"
)]

mod operation;
mod scratch;

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{
    AttributeRef, BlockId, Body, BodyBuilder, BodyId, Error, IsolationMark, Module, OpHead, OpId, PendingBody,
    RegionId, Result, TypeRef, Value,
};

use super::entries::Counts;
use super::file::BytecodeFile;
use super::use_lists::{self, Order};
use crate::format::{Cursor, SectionId, mask};
use crate::isolation::isolated;
use scratch::Scratch;

/// How many values a region may announce beside as many as it defines.
const UNDEFINED: usize = 16;

/// There is room for so many operations of a block, whatever they take.
const FEW: usize = 16;

/// What stands for the number of values of other bodies, where that is unknown: no body has as many.
const UNKNOWN: usize = 1 << 31;

/// How many operations, operands, values or blocks one body can hold.
const MOST: usize = (1 << 31) - 2;

/// Reads bodies.
pub(crate) struct BodyReader<'a> {
    file: &'a BytecodeFile,
    module: &'a Module,
    cursor: Cursor<'a>,
    version: u64,
    counts: Counts,
    room: Scratch,
    /// Where the operations of the outermost regions stand, if the caller wants them.
    places: Option<Vec<(OpId, u64)>>,
    /// Whether one operation is read out of its block: bytes follow it.
    fragment: bool,
    /// Whether it uses a value by a number that cannot be told without what is before it.
    lost: bool,
    /// Where the outermost regions end.
    end: usize,
    /// Regions and blocks that were announced and are still to come. Each takes a byte at least.
    announced: usize,
    /// Values that the open regions have announced and not defined yet.
    undefined: usize,
    /// Where operations stand that are isolated from above and not marked so: none of them uses a value from outside. Found when a body
    /// that has some was read, which is then read again with them in bodies of their own.
    apart: HashSet<usize>,
    none: TypeRef,
}

/// A body being filled.
struct Build {
    id: BodyId,
    body: BodyBuilder,
    /// Orders of uses, kept until all uses are known.
    orders: Vec<(Value, Order, usize)>,
    /// The end of a region with values that nothing defines.
    undefined: Option<usize>,
    /// Operations that are isolated from above by their definition, whose regions stand inline all the same, and where they stand.
    unmarked: Vec<(OpId, usize)>,
}

/// The regions of one operation being read.
struct Frame {
    /// Regions not begun.
    regions: u32,
    /// The next region.
    next_region: usize,
    /// Where the values of the enclosing scope end: those of an isolated operation begin anew.
    scope_base: usize,
    /// How many values of other bodies have numbers before those.
    outside: usize,
    /// Where to go on after the section that holds these regions: its end, and the outer cursor's end.
    section: Option<(usize, usize)>,
    /// Whether the frame fills the whole of a body.
    whole_body: bool,
    /// The region being read.
    region: Option<OpenRegion>,
}

struct OpenRegion {
    /// Where the region's values begin in `scope`, how many it has, and how many are defined.
    values: usize,
    value_count: usize,
    defined: usize,
    first_block: usize,
    block_count: usize,
    /// The block being read, and the next one.
    block: Option<BlockId>,
    next_block: usize,
    operations: usize,
}

impl<'a> BodyReader<'a> {
    pub(crate) fn new(file: &'a BytecodeFile, module: &'a Module) -> Result<Self> {
        let counts = file.counts()?;
        Ok(BodyReader {
            file,
            module,
            cursor: Cursor::new(file.guarded(), 0, 0),
            version: file.version(),
            counts,
            room: Scratch::take(),
            places: None,
            fragment: false,
            lost: false,
            end: 0,
            announced: 0,
            undefined: 0,
            apart: HashSet::new(),
            none: file.none_type(),
        })
    }

    /// Reads the top-level operations.
    pub(crate) fn top(mut self, id: BodyId) -> Result<Body> {
        self.whole(|reader| reader.begin_top(id))
    }

    fn begin_top(&mut self, id: BodyId) -> Result<()> {
        self.cursor = self.file.cursor(SectionId::Ir);
        self.end = self.cursor.end();
        let operations = self.outermost_header().map_err(|error| error.reading("the outermost block"))?;
        self.outermost(id, operations);
        Ok(())
    }

    fn outermost_header(&mut self) -> Result<usize> {
        let (operations, arguments) = self.cursor.varint_with_flag()?;
        if arguments {
            return Err(self.cursor.error("the outermost block has arguments"));
        }
        // A name, a mask and a location at least.
        self.cursor.check_count(operations, 3, "operation")
    }

    /// Begins a body of one region of one block, which has no header.
    fn outermost(&mut self, id: BodyId, operations: usize) {
        let mut build = self.room.build(id, 1);
        let block = build.body.push_block(RegionId::from_index(0));
        self.room.frames.push(Frame {
            regions: 0,
            next_region: 0,
            scope_base: 0,
            outside: if self.fragment { UNKNOWN } else { 0 },
            section: None,
            whole_body: true,
            region: Some(OpenRegion {
                values: 0,
                value_count: 0,
                defined: 0,
                first_block: block.index(),
                block_count: 1,
                block: Some(block),
                next_block: 1,
                operations,
            }),
        });
        self.room.builds.push(build);
    }

    fn begin_regions(&mut self, id: BodyId, pending: PendingBody) -> Result<()> {
        let start = pending.offset as usize;
        self.cursor.jump(start, start.saturating_add(pending.length as usize));
        self.end = self.cursor.end();
        self.begin_body(id, pending.regions, 0)
    }

    /// Reads the regions of an operation that is isolated from above.
    pub(crate) fn regions(mut self, id: BodyId, pending: PendingBody) -> Result<Body> {
        if self.module.depth(id) > self.file.limits.region_depth {
            let message = format!("isolated operations nested deeper than {}", self.file.limits.region_depth);
            return Err(Error::malformed(message).at(pending.offset));
        }
        self.whole(|reader| reader.begin_regions(id, pending))
    }

    /// Reads the top-level operations, and where each stands.
    pub(crate) fn top_with_places(mut self, id: BodyId) -> Result<(Body, Vec<(OpId, u64)>)> {
        self.places = Some(Vec::new());
        let body = self.whole(|reader| reader.begin_top(id))?;
        Ok((body, self.places.take().unwrap_or_default()))
    }

    /// Reads the regions of an operation, and where each operation directly in them stands.
    pub(crate) fn regions_with_places(mut self, id: BodyId, pending: PendingBody) -> Result<(Body, Vec<(OpId, u64)>)> {
        self.places = Some(Vec::new());
        let body = self.whole(|reader| reader.begin_regions(id, pending))?;
        Ok((body, self.places.take().unwrap_or_default()))
    }

    /// Reads the one operation at `offset`; `None` where it, or something in its regions that are not marked as isolated, uses a value:
    /// numbers go on after those of the values before it, which are not known.
    pub(crate) fn fragment(mut self, id: BodyId, offset: u64) -> Result<Option<Body>> {
        let section = self.file.section(SectionId::Ir).unwrap_or_default();
        if !section.contains(&(offset as usize)) {
            return Err(Error::malformed("the index points outside the IR section").at(offset));
        }
        self.fragment = true;
        let body = self.whole(|reader| {
            reader.cursor.jump(offset as usize, section.end);
            reader.end = section.end;
            reader.outermost(id, 1);
            Ok(())
        });
        if self.lost { Ok(None) } else { body.map(Some) }
    }

    /// Reads what `begin` begins. Where that has operations that ought to have a body of their own and are not marked so, it is read
    /// again: only what is inside of them says whether they can have one.
    fn whole(&mut self, begin: impl Fn(&mut Self) -> Result<()>) -> Result<Body> {
        begin(self)?;
        let body = self.run()?;
        if self.apart.is_empty() {
            return Ok(body);
        }
        self.room.scope.clear();
        (self.announced, self.undefined) = (0, 0);
        self.places.iter_mut().for_each(Vec::clear);
        begin(self)?;
        self.run()
    }

    /// Begins a body of so many regions. Its values have numbers that begin behind so many of other bodies.
    fn begin_body(&mut self, id: BodyId, regions: u32, outside: usize) -> Result<()> {
        self.announce_parts(regions as usize)?;
        if self.room.builds.len() >= self.file.limits.body_depth as usize {
            let message = format!("isolated operations nested deeper than {}", self.file.limits.body_depth);
            return Err(self.cursor.error(message));
        }
        let build = self.room.build(id, regions);
        self.room.builds.push(build);
        self.room.frames.push(Frame {
            regions,
            next_region: 0,
            scope_base: self.room.scope.len(),
            outside,
            section: None,
            whole_body: true,
            region: None,
        });
        Ok(())
    }

    /// Notes that so many regions or blocks will come.
    ///
    /// Checked against the bytes left of all that is being read, not of this region alone: what encloses it has announced
    /// more, which has to come behind it.
    fn announce_parts(&mut self, count: usize) -> Result<()> {
        let left = self.end.saturating_sub(self.cursor.position());
        match self.announced.checked_add(count).filter(|&announced| announced <= left) {
            Some(announced) => self.announced = announced,
            None => {
                let message = format!("so many regions or blocks announced: {count} beside {} others", self.announced);
                return Err(self.cursor.error(format!("{message}, {} left", Error::counted(left, "byte"))));
            }
        }
        Ok(())
    }

    /// Notes that a region announces so many values, which makes room for them.
    fn announce_values(&mut self, count: usize) -> Result<()> {
        self.undefined = self.undefined.saturating_add(count);
        // Each takes a byte where it is defined; there may be a few that never are.
        let left = self.end.saturating_sub(self.cursor.position());
        if self.undefined > left.saturating_mul(2) {
            return Err(self.cursor.error(format!(
                "{} announced, {} left",
                Error::counted(self.undefined, "value"),
                Error::counted(left, "byte")
            )));
        }
        Ok(())
    }

    fn run(&mut self) -> Result<Body> {
        loop {
            let Some(frame) = self.room.frames.last_mut() else { return Err(Error::misuse("no body to read")) };
            match &mut frame.region {
                Some(region) if region.operations > 0 => {
                    region.operations -= 1;
                    if let Err(error) = self.operation() {
                        return Err(self.reading("operation", error));
                    }
                }
                Some(region) if region.next_block < region.first_block + region.block_count => {
                    region.block = Some(BlockId::from_index(region.next_block));
                    region.next_block += 1;
                    self.announced = self.announced.saturating_sub(1);
                    if let Err(error) = self.block() {
                        return Err(self.reading("block", error));
                    }
                }
                Some(_) => {
                    if let Err(error) = self.end_region() {
                        return Err(self.reading("region", error));
                    }
                }
                None if frame.regions > 0 => {
                    frame.regions -= 1;
                    let id = RegionId::from_index(frame.next_region);
                    frame.next_region += 1;
                    self.announced = self.announced.saturating_sub(1);
                    if let Err(error) = self.region(id) {
                        return Err(self.reading("region", error));
                    }
                }
                None => {
                    if let Some(body) = self.end_frame()? {
                        return Ok(body);
                    }
                }
            }
        }
    }

    /// Says what of the body was being read.
    #[cold]
    fn reading(&self, what: &str, error: Error) -> Error {
        let Some(build) = self.room.builds.last() else { return error };
        let count = build.body.operation_count();
        match what {
            "operation" => error.reading(format!("{what} {count} of its body")),
            _ => error.reading(format!("a {what} after {} of its body", Error::counted(count, "operation"))),
        }
    }

    fn region(&mut self, id: RegionId) -> Result<()> {
        let blocks = self.cursor.varint()?;
        if blocks == 0 {
            return Ok(());
        }
        let values = self.cursor.varint()?;
        let block_count = self.cursor.check_count(blocks, 1, "block")?;
        // Each value takes a byte at least, for its type, where it is defined.
        let value_count = self.cursor.check_count(values, 1, "value of a region")?;
        self.announce_parts(block_count)?;
        self.announce_values(value_count)?;
        let Some(build) = self.room.builds.last_mut() else { return Ok(()) };
        let body = &mut build.body;
        let first_block = body.block_count();
        if block_count > MOST - first_block || value_count > MOST - body.value_count() {
            return Err(self.cursor.error("more than 2^31 - 2 blocks or values in one body"));
        }
        body.reserve_blocks(block_count, 0);
        for _ in 0..block_count {
            body.push_block(id);
        }
        let first = body.push_values(value_count, self.none).index();
        let start = self.room.scope.len();
        self.room.scope.extend((first..first + value_count).map(Value::from_index));
        if let Some(frame) = self.room.frames.last_mut() {
            frame.region = Some(OpenRegion {
                values: start,
                value_count,
                defined: 0,
                first_block,
                block_count,
                block: None,
                next_block: first_block,
                operations: 0,
            });
        }
        Ok(())
    }

    fn end_region(&mut self) -> Result<()> {
        let Some(frame) = self.room.frames.last_mut() else { return Ok(()) };
        let Some(region) = frame.region.take() else { return Ok(()) };
        if region.defined < region.value_count {
            // More values announced than defined. What nothing uses does no harm, but room was made for it.
            let undefined = region.value_count - region.defined;
            if undefined > region.defined + UNDEFINED {
                return Err(self
                    .cursor
                    .error(format!("{} announced that nothing defines", Error::counted(undefined, "value"))));
            }
            self.undefined = self.undefined.saturating_sub(undefined);
            if let Some(build) = self.room.builds.last_mut() {
                build.undefined = Some(self.cursor.position());
            }
        }
        self.room.scope.truncate(region.values);
        Ok(())
    }

    /// Ends the regions of an operation; gives the body where it was the outermost one.
    fn end_frame(&mut self) -> Result<Option<Body>> {
        let Some(frame) = self.room.frames.pop() else { return Ok(None) };
        let ends = frame.section.is_some() || (frame.whole_body && self.room.builds.len() == 1 && !self.fragment);
        if ends && !self.cursor.is_empty() {
            let error = self
                .cursor
                .error(format!("{} after the last operation", Error::counted(self.cursor.remaining(), "byte")));
            return Err(error.reading("the end of regions"));
        }
        if let Some((end, outer)) = frame.section {
            self.cursor.jump(end, outer);
        }
        if !frame.whole_body {
            return Ok(None);
        }
        let Some(mut build) = self.room.builds.pop() else { return Ok(None) };
        build.finish().map_err(|error| error.reading("the uses of the values of a body"))?;
        let body = build.body.take();
        if !build.unmarked.is_empty() {
            // An error says that an operand is not in scope, which was checked when it was read.
            let isolated = isolated(&body).unwrap_or_default();
            let is_apart = |op: OpId| isolated.get(op.index()).copied().unwrap_or(false);
            self.apart.extend(build.unmarked.iter().filter(|unmarked| is_apart(unmarked.0)).map(|unmarked| unmarked.1));
        }
        let id = build.id;
        self.room.give_back(build);
        if self.room.builds.is_empty() {
            return Ok(Some(body));
        }
        self.module.fill(id, body);
        Ok(None)
    }

    fn block(&mut self) -> Result<()> {
        let (operations, has_arguments) = self.cursor.varint_with_flag()?;
        let operations = self.cursor.check_count(operations, 3, "operation")?;
        if let Some(region) = self.room.frames.last_mut().and_then(|frame| frame.region.as_mut()) {
            region.operations = operations;
        }
        if let Some(build) = self.room.builds.last_mut() {
            if operations > MOST - build.body.operation_count() {
                return Err(self.cursor.error("more than 2^31 - 2 operations in one body"));
            }
            // Smaller operations than these are rare: they are not worth as much room as a count can ask for.
            build.body.reserve(operations.min((self.cursor.remaining() / 6).max(FEW)), 0, 0);
        }
        if has_arguments { self.arguments() } else { Ok(()) }
    }

    fn arguments(&mut self) -> Result<()> {
        let least = if self.version < 4 { 2 } else { 1 };
        let count = self.cursor.count(least, "block argument")?;
        let Some(region) = self.room.frames.last_mut().and_then(|frame| frame.region.as_mut()) else { return Ok(()) };
        let (Some(build), Some(block)) = (self.room.builds.last_mut(), region.block) else { return Ok(()) };
        self.room.arguments.clear();
        for _ in 0..count {
            let (ty, has_location) = match self.version {
                0..4 => (self.cursor.varint()?, true),
                _ => self.cursor.varint_with_flag()?,
            };
            let ty = type_ref(&self.cursor, ty, self.counts.types)?;
            let location = match has_location {
                true => Some(attribute_ref(&mut self.cursor, self.counts.attributes)?),
                false => None,
            };
            self.room.arguments.push((ty, location));
        }
        if count > region.value_count - region.defined {
            return Err(self.cursor.error("more values than the region announced"));
        }
        self.undefined = self.undefined.saturating_sub(count);
        let first = region.values + region.defined;
        let values = self.room.scope.get(first..first + count).unwrap_or_default();
        region.defined += count;
        let defined = values.iter().zip(&self.room.arguments).map(|(&value, &(ty, location))| (value, ty, location));
        build.body.define_arguments(block, defined);
        if self.version >= 3 && self.cursor.byte()? != 0 {
            let at = self.cursor.position();
            for order in use_lists::read(&mut self.cursor, count)? {
                if let Some(&value) = values.get(order.value) {
                    build.orders.push((value, order.order, at));
                }
            }
        }
        Ok(())
    }
}

impl Build {
    fn new(id: BodyId) -> Self {
        Build { id, body: BodyBuilder::default(), orders: Vec::new(), undefined: None, unmarked: Vec::new() }
    }

    /// Checks what needs every use to be known.
    fn finish(&mut self) -> Result<()> {
        if let Some(at) = self.undefined
            && self.body.has_undefined_operands()
        {
            return Err(Error::malformed("an operand that nothing defines").at(at as u64));
        }
        if self.orders.is_empty() {
            return Ok(());
        }
        let mut counts: HashMap<Value, usize> = HashMap::with_capacity(self.orders.len());
        for (value, _, at) in &self.orders {
            if counts.insert(*value, 0).is_some() {
                return Err(use_lists::twice(*at));
            }
        }
        self.body.count_operands(&mut counts);
        for (value, order, at) in self.orders.drain(..) {
            let count = counts.get(&value).copied().unwrap_or(0);
            let places = order.places(count).filter(|places| use_lists::is_permutation(places, count));
            let places = places.ok_or_else(|| use_lists::misfit(at, count))?;
            // Orders of fewer than two uses say nothing.
            if count > 1 {
                self.body.push_order(value, places);
            }
        }
        Ok(())
    }
}

#[inline]
fn local(cursor: &Cursor<'_>, index: u32) -> Result<AttributeRef> {
    AttributeRef::local(index).ok_or_else(|| cursor.error(format!("index {index} is out of range")))
}

#[inline]
fn attribute_ref(cursor: &mut Cursor<'_>, count: u32) -> Result<AttributeRef> {
    let index = cursor.varint()?;
    if index < u64::from(count)
        && let Some(reference) = AttributeRef::local(index as u32)
    {
        return Ok(reference);
    }
    Err(cursor.error(format!("attribute {index} of {count}")))
}

#[inline]
fn type_ref(cursor: &Cursor<'_>, index: u64, count: u32) -> Result<TypeRef> {
    if index < u64::from(count)
        && let Some(reference) = TypeRef::local(index as u32)
    {
        return Ok(reference);
    }
    Err(cursor.error(format!("type {index} of {count}")))
}
