//! The IR section (fact sheet, section 8): a twin of `read/ir.rs`.
//!
//! Regions are walked with an explicit stack. Each isolated region tree is a section of its own, written once what is
//! in it has been written.

use std::collections::HashMap;

use mlirbc_ir::{
    AttributeRef, BlockId, Body, BodyId, Error, IsolationMark, Module, OpId, RegionId, Result, TypeRef, Value,
};

use super::emitter::Emitter;
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
    emitters: Vec<Emitter>,
    frames: Vec<Frame<'m>>,
    scratch: Vec<Scratch>,
    spare: Vec<Scratch>,
    blob: Emitter,
}

/// What writing needs to know of a body.
#[derive(Default)]
struct Scratch {
    /// By value: its number in its scope.
    values: Vec<u32>,
    /// By block: its number in its region.
    blocks: Vec<u32>,
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
    /// Whether the frame's emitter becomes a section of the one below.
    section: bool,
    whole_body: bool,
}

fn local_numbers(by_local: &[u32], numbers: &[u32]) -> Vec<u32> {
    let number = |&entry: &u32| entry.checked_sub(1).map_or(u32::MAX, |entry| numbers[entry as usize]);
    by_local.iter().map(number).collect()
}

impl<'w, 'm> IrWriter<'w, 'm> {
    pub(crate) fn new(
        numbering: &'w mut Numbering<'m>,
        numbers: &'w Numbers,
        strings: &'w mut Strings,
        blobs: &'w mut Blobs,
    ) -> Self {
        IrWriter {
            attributes: local_numbers(&numbering.attribute_by_local, &numbers.attributes),
            types: local_numbers(&numbering.type_by_local, &numbers.types),
            numbering,
            numbers,
            strings,
            blobs,
            emitters: Vec::new(),
            frames: Vec::new(),
            scratch: Vec::new(),
            spare: Vec::new(),
            blob: Emitter::default(),
        }
    }

    /// Writes the whole section.
    pub(crate) fn section(mut self) -> Result<Emitter> {
        let id = BodyId::from_index(Module::TOP);
        let body = self.numbering.module.body(id)?;
        let ops: Vec<OpId> =
            body.roots().iter().flat_map(|&region| body.blocks(region)).flat_map(|block| body.operations(block)).collect();
        let mut top = Emitter::default();
        top.varint_with_flag(ops.len() as u64, false);
        self.emitters.push(top);
        self.enter_body(body);
        // The outermost operations have no block header: each is written as if its block went on.
        self.number_region(body, body.roots().first().copied(), 0);
        for op in ops {
            self.operation(body, op, 0)?;
            self.run()?;
        }
        self.emitters.pop().ok_or_else(|| Error::misuse("no section"))
    }

    fn enter_body(&mut self, body: &'m Body) {
        let mut scratch = self.spare.pop().unwrap_or_default();
        scratch.values.clear();
        scratch.values.resize(body.value_count(), u32::MAX);
        scratch.blocks.clear();
        scratch.blocks.resize(body.block_count(), u32::MAX);
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

    fn push_frame(&mut self, body: &'m Body, regions: Vec<RegionId>, base: u32, section: bool, whole_body: bool) {
        if section {
            self.emitters.push(Emitter::default());
        }
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
        let mut next = base;
        let mut blocks = 0;
        for block in body.blocks(region) {
            scratch.blocks[block.index()] = blocks;
            blocks += 1;
            for &value in body.arguments(block) {
                scratch.values[value.index()] = next;
                next += 1;
            }
            for op in body.operations(block) {
                for value in body.results(op) {
                    scratch.values[value.index()] = next;
                    next += 1;
                }
            }
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
                if let (Some(frame), Some(emitter)) = (self.frames.last_mut(), self.emitters.last_mut()) {
                    frame.end = base + values;
                    frame.block = body.first_block(region);
                    emitter.varint(blocks.into());
                    if blocks > 0 {
                        emitter.varint(values.into());
                    }
                }
            } else {
                let (section, whole_body) = (frame.section, frame.whole_body);
                self.frames.pop();
                if whole_body {
                    self.spare.extend(self.scratch.pop());
                }
                if section && let (Some(inner), Some(outer)) = (self.emitters.pop(), self.emitters.last_mut()) {
                    outer.section(SectionId::Ir as u8, &inner);
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, body: &Body, block: BlockId) -> Result<()> {
        let version = self.numbering.version;
        let count = body.operations(block).count() as u64;
        let arguments = body.arguments(block);
        let orders = self.orders(arguments.iter().copied());
        let numbered: Vec<(u32, Option<u32>)> = arguments
            .iter()
            .zip(body.argument_locations(block))
            .map(|(&value, &location)| {
                let location = match location {
                    Some(location) => Some(self.attribute(self.numbering.shown_location(location))?),
                    None => None,
                };
                Ok((self.ty(body.ty(value))?, location))
            })
            .collect::<Result<_>>()?;
        let unknown = self.numbering.context.unknown_location();
        let unknown = self.numbering.attribute_entry(unknown).map(|entry| self.numbers.attributes[entry as usize]);
        let Some(emitter) = self.emitters.last_mut() else { return Ok(()) };
        emitter.varint_with_flag(count, !arguments.is_empty());
        if arguments.is_empty() {
            return Ok(());
        }
        emitter.varint(arguments.len() as u64);
        for (ty, location) in numbered {
            // Only unknown locations are left out, however they are held.
            let location = location.filter(|&location| version < 4 || Some(location) != unknown);
            if version >= 4 {
                emitter.varint_with_flag(ty.into(), location.is_some());
                if let Some(location) = location {
                    emitter.varint(location.into());
                }
            } else {
                emitter.varint(ty.into());
                emitter.varint(location.or(unknown).unwrap_or(0).into());
            }
        }
        if version >= 3 {
            emitter.byte(if orders.is_empty() { 0 } else { mask::USE_LISTS });
            if !orders.is_empty() {
                use_lists::write(emitter, arguments.len(), &orders);
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
        let mut writer = EntryWriter { context, version, sink: &mut sink };
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
        let mut emitter = self.emitters.pop().unwrap_or_default();
        emitter.varint(self.numbers.names[entry as usize].into());
        emitter.byte(mask);
        emitter.varint(location.into());
        if let Some(attributes) = attributes {
            emitter.varint(attributes.into());
        }
        if let Some(blob) = blob {
            emitter.varint(blob.into());
        }
        if count > 0 {
            emitter.varint(count as u64);
            for value in results {
                emitter.varint(self.ty(body.ty(value))?.into());
            }
        }
        if let Some(scratch) = self.scratch.last() {
            if !operands.is_empty() {
                emitter.varint(operands.len() as u64);
                for value in operands {
                    let number = scratch.values[value.index()];
                    if number == u32::MAX {
                        return Err(Error::verification("an operand that nothing in scope defines"));
                    }
                    emitter.varint(number.into());
                }
            }
            if !successors.is_empty() {
                emitter.varint(successors.len() as u64);
                for block in successors {
                    let number = scratch.blocks[block.index()];
                    if number == u32::MAX || body.region_of(*block) != body.block_of(op).and_then(|at| body.region_of(at)) {
                        return Err(Error::verification("a successor in another region"));
                    }
                    emitter.varint(number.into());
                }
            }
        }
        if !orders.is_empty() {
            use_lists::write(&mut emitter, count, &orders);
        }
        if regions > 0 {
            self.emitters.push(emitter);
            return self.regions(body, op, regions, end);
        }
        self.emitters.push(emitter);
        Ok(())
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
        let section = isolated && version >= 2;
        let Some(emitter) = self.emitters.last_mut() else { return Ok(()) };
        emitter.varint_with_flag(regions as u64, isolated);
        if local {
            let base = if isolated { 0 } else { end };
            self.push_frame(body, body.regions(op).collect(), base, section, false);
            return Ok(());
        }
        match body.child(op) {
            Some(child) => {
                let child = self.numbering.module.body(child)?;
                self.enter_body(child);
                self.push_frame(child, child.roots().to_vec(), 0, section, true);
            }
            None => {
                let mut empty = Emitter::default();
                (0..regions).for_each(|_| empty.varint(0));
                match section {
                    true => emitter.section(SectionId::Ir as u8, &empty),
                    false => emitter.bytes.extend_from_slice(&empty.bytes),
                }
            }
        }
        Ok(())
    }
}
