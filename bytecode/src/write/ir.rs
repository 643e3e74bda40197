//! The IR section (fact sheet, section 8): a twin of `read/ir.rs`.
//!
//! Regions are walked with an explicit stack. Each isolated region tree is a section of its own, written once what is
//! in it has been written.

use std::collections::HashMap;

use mlirbc_ir::{
    AttributeRef, BlockId, Body, BodyId, Error, IsolationMark, Module, OpId, RegionId, Result, TypeRef, Value,
};

use super::emitter::{Burst, Emitter, OpenSection};
use super::isolation;
use super::numbering::{Numbering, location_attribute};
use super::properties::Blobs;
use super::property_values;
use super::strings::Strings;
use super::tables::{Emit, Numbers};
use super::use_lists;
use crate::encoding::EntryWriter;
use crate::read::{SectionId, mask};

/// Writes operations.
pub(crate) struct IrWriter<'w, 'm> {
    pub(crate) numbering: &'w mut Numbering<'m>,
    pub(crate) numbers: &'w Numbers,
    pub(crate) strings: &'w mut Strings,
    pub(crate) blobs: &'w mut Blobs,
    /// Numbers by the number that the module's source knows an attribute or type by.
    attributes: Vec<u32>,
    types: Vec<u32>,
    emitter: &'w mut Emitter,
    frames: Vec<Frame<'m>>,
    scratch: Vec<Scratch>,
    spare: Vec<Scratch>,
    blob: Emitter,
    /// The number of the unknown location, if it has one.
    unknown_location: Option<u32>,
}

/// What writing needs to know of a body.
#[derive(Default)]
struct Scratch {
    /// Whether values and blocks have the numbers of their places in the body: one region, as a reader left it.
    plain: bool,
    /// By value: its number in its scope.
    values: Vec<u32>,
    /// By block: its number in its region, and how many operations it holds.
    blocks: Vec<(u32, u32)>,
    orders: HashMap<Value, Vec<u32>>,
    isolated: Option<Vec<bool>>,
}

struct Frame<'m> {
    body: &'m Body,
    regions: Vec<RegionId>,
    next_region: usize,
    /// The number of the first value of the next region.
    base: u32,
    /// The number behind the last value of the region being written.
    end: u32,
    block: Option<BlockId>,
    op: Option<OpId>,
    /// The section that the regions are.
    section: Option<OpenSection>,
    whole_body: bool,
}

/// Entries become their numbers, in place.
fn local_numbers(mut by_local: Vec<u32>, numbers: &[u32]) -> Vec<u32> {
    for entry in &mut by_local {
        *entry = entry.checked_sub(1).map_or(u32::MAX, |entry| numbers[entry as usize]);
    }
    by_local
}

impl<'w, 'm> IrWriter<'w, 'm> {
    pub(crate) fn new(
        numbering: &'w mut Numbering<'m>,
        numbers: &'w Numbers,
        strings: &'w mut Strings,
        blobs: &'w mut Blobs,
        emitter: &'w mut Emitter,
    ) -> Self {
        let unknown = numbering.context.unknown_location();
        let unknown_location = numbering.attribute_entry(unknown).map(|entry| numbers.attributes[entry as usize]);
        IrWriter {
            attributes: local_numbers(std::mem::take(&mut numbering.attribute_by_local), &numbers.attributes),
            types: local_numbers(std::mem::take(&mut numbering.type_by_local), &numbers.types),
            numbering,
            numbers,
            strings,
            blobs,
            emitter,
            frames: Vec::new(),
            scratch: Vec::new(),
            spare: Vec::new(),
            blob: Emitter::default(),
            unknown_location,
        }
    }

    /// Writes the whole section.
    pub(crate) fn section(mut self) -> Result<()> {
        let section = self.emitter.begin_section(SectionId::Ir as u8, 4);
        let id = BodyId::from_index(Module::TOP);
        let body = self.numbering.module.body(id)?;
        let ops: Vec<OpId> =
            body.roots().iter().flat_map(|&region| body.blocks(region)).flat_map(|block| body.operations(block)).collect();
        self.emitter.varint_with_flag(ops.len() as u64, false);
        self.enter_body(body);
        // The outermost operations have no block header: each is written as if its block went on.
        self.number_region(body, body.roots().first().copied(), 0);
        for op in ops {
            self.operation(body, op, 0)?;
            self.run()?;
        }
        self.emitter.end_section(section);
        Ok(())
    }

    fn enter_body(&mut self, body: &'m Body) {
        let mut scratch = self.spare.pop().unwrap_or_default();
        scratch.plain = body.is_plain();
        scratch.values.clear();
        scratch.blocks.clear();
        if !scratch.plain {
            scratch.values.resize(body.value_count(), u32::MAX);
            scratch.blocks.resize(body.block_count(), (u32::MAX, 0));
        }
        scratch.orders.clear();
        scratch.isolated = None;
        if body.region_count() > body.roots().len() && !isolation::marks_hold(body) {
            scratch.isolated = Some(isolation::isolated(body));
        }
        match body.uses() {
            None => scratch.orders.extend(body.stored_orders().map(|(value, places)| (value, places.to_vec()))),
            Some(uses) if uses.in_reference_order() => {}
            Some(_) => {
                let numbers = body.preorder_numbers();
                let values = (0..body.value_count()).map(Value::from_index);
                scratch.orders.extend(
                    values.filter_map(|value| Some((value, body.order_of_uses(value, &numbers)?))),
                );
            }
        }
        // Places are those of a list without identity: a file may state the order that it would have anyway.
        scratch.orders.retain(|_, places| places.iter().zip(0..).any(|(&place, at)| place != at));
        self.scratch.push(scratch);
    }

    fn push_frame(
        &mut self,
        body: &'m Body,
        regions: Vec<RegionId>,
        base: u32,
        section: Option<OpenSection>,
        whole_body: bool,
    ) {
        self.frames.push(Frame {
            body,
            regions,
            next_region: 0,
            base,
            end: base,
            block: None,
            op: None,
            section,
            whole_body,
        });
    }

    /// Gives the values and blocks directly in a region their numbers; how many there are of each.
    fn number_region(&mut self, body: &Body, region: Option<RegionId>, base: u32) -> (u32, u32) {
        let (Some(region), Some(scratch)) = (region, self.scratch.last_mut()) else { return (0, 0) };
        if scratch.plain {
            return (body.block_count() as u32, body.value_count() as u32);
        }
        let mut next = base;
        let mut blocks = 0;
        for block in body.blocks(region) {
            for &value in body.arguments(block) {
                scratch.values[value.index()] = next;
                next += 1;
            }
            let mut operations = 0;
            for op in body.operations(block) {
                operations += 1;
                for value in body.results(op) {
                    scratch.values[value.index()] = next;
                    next += 1;
                }
            }
            scratch.blocks[block.index()] = (blocks, operations);
            blocks += 1;
        }
        (blocks, next - base)
    }

    fn run(&mut self) -> Result<()> {
        while let Some(frame) = self.frames.last_mut() {
            if let Some(op) = frame.op {
                let (body, end) = (frame.body, frame.end);
                frame.op = body.next_operation(op);
                self.operation(body, op, end)?;
            } else if let Some(block) = frame.block {
                let body = frame.body;
                frame.block = body.next_block(block);
                frame.op = body.first_operation(block);
                self.block(body, block)?;
            } else if let Some(&region) = frame.regions.get(frame.next_region) {
                frame.next_region += 1;
                let (body, base) = (frame.body, frame.base);
                let (blocks, values) = self.number_region(body, Some(region), base);
                if let Some(frame) = self.frames.last_mut() {
                    frame.end = base + values;
                    frame.block = body.first_block(region);
                }
                self.emitter.varint(blocks.into());
                if blocks > 0 {
                    self.emitter.varint(values.into());
                }
            } else {
                let (section, whole_body) = (frame.section, frame.whole_body);
                self.frames.pop();
                if whole_body {
                    self.spare.extend(self.scratch.pop());
                }
                if let Some(section) = section {
                    self.emitter.end_section(section);
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, body: &Body, block: BlockId) -> Result<()> {
        let version = self.numbering.version;
        let operations = match self.scratch.last() {
            Some(scratch) if !scratch.plain => scratch.blocks[block.index()].1,
            // In one region operations stand in a row.
            _ => match (body.first_operation(block), body.last_operation(block)) {
                (Some(first), Some(last)) => (last.index() - first.index()) as u32 + 1,
                _ => 0,
            },
        };
        let arguments = body.arguments(block);
        self.emitter.varint_with_flag(operations.into(), !arguments.is_empty());
        if arguments.is_empty() {
            return Ok(());
        }
        self.emitter.varint(arguments.len() as u64);
        for (&value, &location) in arguments.iter().zip(body.argument_locations(block)) {
            let ty = self.ty(body.ty(value))?;
            // Only unknown locations are left out, however they are held.
            let location = match location {
                Some(location) => Some(self.attribute(self.numbering.shown_location(location))?),
                None => None,
            };
            let unknown = self.unknown_location;
            if version >= 4 {
                let location = location.filter(|&location| Some(location) != unknown);
                self.emitter.varint_with_flag(ty.into(), location.is_some());
                if let Some(location) = location {
                    self.emitter.varint(location.into());
                }
            } else {
                self.emitter.varint(ty.into());
                self.emitter.varint(location.or(unknown).unwrap_or(0).into());
            }
        }
        let orders = self.orders(arguments.iter().copied());
        if version >= 3 {
            self.emitter.byte(if orders.is_empty() { 0 } else { mask::USE_LISTS });
            if !orders.is_empty() {
                use_lists::write(self.emitter, arguments.len(), &orders);
            }
        } else if !orders.is_empty() {
            self.numbering.losses.note("the order of uses of a block's argument (version 3)".to_owned());
        }
        Ok(())
    }

    /// The orders of the uses of these values that are not the reference order.
    fn orders(&self, values: impl Iterator<Item = Value>) -> Vec<(u32, Vec<u32>)> {
        match self.scratch.last() {
            Some(scratch) if !scratch.orders.is_empty() => values
                .zip(0..)
                .filter_map(|(value, number)| Some((number, scratch.orders.get(&value)?.clone())))
                .collect(),
            _ => Vec::new(),
        }
    }

    #[inline]
    fn attribute(&self, attribute: AttributeRef) -> Result<u32> {
        let entry = match attribute.get() {
            Err(index) => match self.attributes.get(index as usize) {
                Some(&number) if number != u32::MAX => return Ok(number),
                _ => None,
            },
            Ok(handle) => self.numbering.attribute_entry(handle),
        };
        // A packed location that stands for an attribute met under another name.
        let entry = match entry {
            Some(entry) => Some(entry),
            None => self.numbering.attribute_entry(location_attribute(self.numbering.module, attribute)?),
        };
        let entry = entry.ok_or_else(|| Error::misuse("an attribute that was not numbered"))?;
        Ok(self.numbers.attributes[entry as usize])
    }

    #[inline]
    fn ty(&self, ty: TypeRef) -> Result<u32> {
        let entry = match ty.get() {
            Err(index) => match self.types.get(index as usize) {
                Some(&number) if number != u32::MAX => return Ok(number),
                _ => None,
            },
            Ok(handle) => self.numbering.type_entry(handle),
        };
        let entry = entry.ok_or_else(|| Error::misuse("a type that was not numbered"))?;
        Ok(self.numbers.types[entry as usize])
    }

    /// The number of the blob of properties that were met, written now if it has none.
    fn blob(&mut self, name: mlirbc_ir::OperationName, properties: AttributeRef) -> Result<u32> {
        let table = &mut self.numbering.properties;
        let place = table.find(name, properties).ok_or_else(|| Error::misuse("properties that were not numbered"))?;
        if let Some(blob) = table.blob(place) {
            return Ok(blob);
        }
        let (name, dictionary) = table.content(place);
        let (context, version) = (self.numbering.context, self.numbering.version);
        let plan = self.numbering.properties.plan(context, name, version);
        self.blob.bytes.clear();
        let mut sink = Emit {
            numbering: self.numbering,
            numbers: self.numbers,
            strings: self.strings,
            emitter: &mut self.blob,
        };
        let dialects = &self.numbering.client.versions;
        let mut writer = EntryWriter { context, version, dialects, sink: &mut sink };
        property_values::write(&mut writer, name, plan.as_deref(), dictionary)?;
        let blob = self.blobs.number(&self.blob.bytes);
        self.numbering.properties.set_blob(place, blob);
        Ok(blob)
    }

    /// Writes one operation; `end` is the number behind the last value of its region.
    fn operation(&mut self, body: &'m Body, op: OpId, end: u32) -> Result<()> {
        let version = self.numbering.version;
        let name = body.name(op);
        let entry = self.numbering.name_entry(name).ok_or_else(|| Error::misuse("a name that was not numbered"))?;
        let (attributes, properties) = self.numbering.parts(body, op)?;
        let location = self.attribute(self.numbering.shown_location(body.location(op)))?;
        let attributes = attributes.map(|attributes| self.attribute(attributes)).transpose()?;
        let blob = match properties {
            Some(properties) if version >= 5 => Some(self.blob(name, properties)?),
            _ => None,
        };
        let mut orders = self.orders(body.results(op));
        if version < 3 && !orders.is_empty() {
            let name = self.numbering.context.text(self.numbering.context.operation_identifier(name)).into_owned();
            self.numbering.losses.note(format!("the order of uses of a result of `{name}` (version 3)"));
            orders.clear();
        }
        let regions = body.region_number(op);
        if version >= 5 && regions == 0 && orders.is_empty() && self.burst(body, op, entry, location, attributes, blob)? {
            return Ok(());
        }
        let (operands, successors, results) = (body.operands(op), body.successors(op), body.results(op));
        let bit = |bit: u8, set: bool| if set { bit } else { 0 };
        let mask = bit(mask::ATTRIBUTES, attributes.is_some())
            | bit(mask::PROPERTIES, blob.is_some())
            | bit(mask::RESULTS, results.len() > 0)
            | bit(mask::OPERANDS, !operands.is_empty())
            | bit(mask::SUCCESSORS, !successors.is_empty())
            | bit(mask::USE_LISTS, !orders.is_empty())
            | bit(mask::REGIONS, regions > 0);
        let count = results.len();
        self.emitter.varint(self.numbers.names[entry as usize].into());
        self.emitter.byte(mask);
        self.emitter.varint(location.into());
        if let Some(attributes) = attributes {
            self.emitter.varint(attributes.into());
        }
        if let Some(blob) = blob {
            self.emitter.varint(blob.into());
        }
        if count > 0 {
            self.emitter.varint(count as u64);
            for value in results {
                let ty = self.ty(body.ty(value))?;
                self.emitter.varint(ty.into());
            }
        }
        if let Some(scratch) = self.scratch.last() {
            if !operands.is_empty() {
                self.emitter.varint(operands.len() as u64);
                for value in operands {
                    let number = if scratch.plain { value.index() as u32 } else { scratch.values[value.index()] };
                    if number == u32::MAX {
                        return Err(Error::verification("an operand that nothing in scope defines"));
                    }
                    self.emitter.varint(number.into());
                }
            }
            if !successors.is_empty() {
                let region = body.block_of(op).and_then(|block| body.region_of(block));
                self.emitter.varint(successors.len() as u64);
                for &block in successors {
                    let number = if scratch.plain { block.index() as u32 } else { scratch.blocks[block.index()].0 };
                    if number == u32::MAX || body.region_of(block) != region {
                        return Err(Error::verification("a successor in another region"));
                    }
                    self.emitter.varint(number.into());
                }
            }
        }
        if !orders.is_empty() {
            use_lists::write(self.emitter, count, &orders);
        }
        if regions > 0 { self.regions(body, op, regions, end) } else { Ok(()) }
    }

    /// Writes an operation of the common kind, few operands and nothing special, in one go; `false` where it is not one.
    #[inline]
    fn burst(
        &mut self,
        body: &Body,
        op: OpId,
        entry: u32,
        location: u32,
        attributes: Option<u32>,
        blob: Option<u32>,
    ) -> Result<bool> {
        let (operands, results) = (body.operands(op), body.results(op));
        // Name, mask, location, attributes, properties and two counts.
        if operands.len() + results.len() + 7 > Burst::INTEGERS || !body.successors(op).is_empty() {
            return Ok(false);
        }
        let Some(scratch) = self.scratch.last() else { return Ok(false) };
        let bit = |bit: u8, set: bool| if set { bit } else { 0 };
        let mut burst = Burst::new();
        burst.varint(self.numbers.names[entry as usize]);
        burst.byte(
            bit(mask::ATTRIBUTES, attributes.is_some())
                | bit(mask::PROPERTIES, blob.is_some())
                | bit(mask::RESULTS, results.len() > 0)
                | bit(mask::OPERANDS, !operands.is_empty()),
        );
        burst.varint(location);
        if let Some(attributes) = attributes {
            burst.varint(attributes);
        }
        if let Some(blob) = blob {
            burst.varint(blob);
        }
        if results.len() > 0 {
            burst.varint(results.len() as u32);
            for value in results {
                burst.varint(self.ty(body.ty(value))?);
            }
        }
        if !operands.is_empty() {
            burst.varint(operands.len() as u32);
            for value in operands {
                let number = if scratch.plain { value.index() as u32 } else { scratch.values[value.index()] };
                if number == u32::MAX {
                    return Err(Error::verification("an operand that nothing in scope defines"));
                }
                burst.varint(number);
            }
        }
        self.emitter.bytes.extend_from_slice(burst.bytes());
        Ok(true)
    }

    /// Writes the head of an operation's regions; the regions follow when the walk goes on.
    fn regions(&mut self, body: &'m Body, op: OpId, regions: usize, end: u32) -> Result<()> {
        let version = self.numbering.version;
        let local = body.regions(op).len() > 0;
        let isolated = !local
            || match self.scratch.last().and_then(|scratch| scratch.isolated.as_ref()) {
                Some(isolated) => isolated[op.index()],
                None => body.isolation_mark(op) == IsolationMark::Isolated,
            };
        self.emitter.varint_with_flag(regions as u64, isolated);
        let child = body.child(op).map(|child| self.numbering.module.body(child)).transpose()?;
        let section = (isolated && version >= 2).then(|| {
            // Some eight bytes an operation, where there are many.
            let guess = match child.map_or(0, Body::operation_count) {
                0..5 => 1,
                5..1500 => 2,
                1500..200_000 => 3,
                _ => 4,
            };
            self.emitter.begin_section(SectionId::Ir as u8, guess)
        });
        if local {
            let base = if isolated { 0 } else { end };
            self.push_frame(body, body.regions(op).collect(), base, section, false);
        } else if let Some(child) = child {
            self.enter_body(child);
            self.push_frame(child, child.roots().to_vec(), 0, section, true);
        } else {
            (0..regions).for_each(|_| self.emitter.varint(0));
            if let Some(section) = section {
                self.emitter.end_section(section);
            }
        }
        Ok(())
    }
}
