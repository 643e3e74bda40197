//! One operation (fact sheet, section 8.2), but for its regions.

use mlirbc_ir::{AttributeRef, Body, BlockId, Error, OperationName, OperationView, RegionId, Result, TypeRef, Value};

use super::emitter::{BURST, Burst, Coded, Emitter};
use super::numbering::{Name, Numbering};
use super::properties::Blobs;
use super::property_values;
use super::strings::Strings;
use super::tables::{Emit, Numbers};
use super::use_lists;
use crate::encoding::EntryWriter;
use crate::read::mask;

/// Writes operations.
pub(crate) struct OperationWriter<'w, 'm> {
    pub(crate) numbering: &'w mut Numbering<'m>,
    pub(crate) numbers: &'w Numbers,
    strings: &'w mut Strings,
    blobs: &'w mut Blobs,
    pub(crate) emitter: &'w mut Emitter,
    /// Numbers by slot: there are few of these, and each is written often.
    names: Vec<(Coded, Name)>,
    types: Vec<Coded>,
    blob: Emitter,
}

/// What writing operations needs to know of their body.
#[derive(Default)]
pub(crate) struct Scope {
    /// Whether values and blocks have the numbers of their places in the body: one region, as a reader left it.
    pub(crate) plain: bool,
    /// By value: its number in its scope.
    pub(crate) values: Vec<u32>,
    /// By block: its number in its region, and how many operations it holds.
    pub(crate) blocks: Vec<(u32, u32)>,
    /// Orders of uses that are not the reference order.
    pub(crate) orders: hashbrown::HashMap<Value, Vec<u32>>,
    /// By operation, where its mark does not say it: whether it is isolated.
    pub(crate) isolated: Option<Vec<bool>>,
}

impl Scope {
    #[inline]
    fn value(&self, value: Value) -> Option<u32> {
        match self.plain {
            true => Some(value.index() as u32),
            false => Some(self.values[value.index()]).filter(|&number| number != u32::MAX),
        }
    }

    fn block(&self, block: BlockId) -> Option<u32> {
        match self.plain {
            true => Some(block.index() as u32),
            false => Some(self.blocks[block.index()].0).filter(|&number| number != u32::MAX),
        }
    }

    /// The orders of the uses of these values that are not the reference order, each with the place of its value.
    #[inline]
    pub(crate) fn orders(&self, values: impl Iterator<Item = Value>) -> Vec<(u32, Vec<u32>)> {
        if self.orders.is_empty() {
            return Vec::new();
        }
        let orders = values.zip(0..).filter_map(|(value, at)| Some((at, self.orders.get(&value)?.clone())));
        orders.collect()
    }
}

impl<'w, 'm> OperationWriter<'w, 'm> {
    pub(crate) fn new(
        numbering: &'w mut Numbering<'m>,
        numbers: &'w Numbers,
        strings: &'w mut Strings,
        blobs: &'w mut Blobs,
        emitter: &'w mut Emitter,
    ) -> Self {
        let coded = |number: Option<u32>| Coded::new(number.unwrap_or(0));
        let names = numbers.names.iter().map(coded).zip(numbering.name_keys.iter().copied()).collect();
        let types = numbers.types.iter().map(coded).collect();
        OperationWriter { numbering, numbers, strings, blobs, emitter, names, types, blob: Emitter::default() }
    }

    #[inline]
    pub(crate) fn attribute(&self, attribute: AttributeRef) -> Result<u32> {
        let slot = match attribute.get() {
            Err(index) if index < self.numbering.attributes.locals() => Some(index),
            _ => self.numbering.attribute_slot(self.numbering.module.attribute(attribute)?),
        };
        let number = slot.and_then(|slot| self.numbers.attributes.get(slot));
        number.ok_or_else(|| Error::misuse("an attribute that was not numbered"))
    }

    #[inline]
    fn ty(&self, ty: TypeRef) -> Result<Coded> {
        let number = self.numbering.type_slot(ty).and_then(|slot| self.types.get(slot as usize));
        number.copied().ok_or_else(no_type)
    }

    pub(crate) fn type_number(&self, ty: TypeRef) -> Result<u32> {
        self.numbering.type_slot(ty).and_then(|slot| self.numbers.types.get(slot)).ok_or_else(no_type)
    }

    /// The number of the blob of properties that were met, written now if it has none.
    #[inline]
    fn blob(&mut self, name: OperationName, properties: AttributeRef) -> Result<Coded> {
        let table = &self.numbering.properties;
        let place = table.find(name, properties).ok_or_else(|| Error::misuse("properties that were not numbered"))?;
        match table.blob(place) {
            Some(blob) => Ok(blob),
            None => self.new_blob(place),
        }
    }

    fn new_blob(&mut self, place: u32) -> Result<Coded> {
        let (name, dictionary) = self.numbering.properties.content(place);
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
        let blob = Coded::new(self.blobs.number(&self.blob.bytes));
        self.numbering.properties.set_blob(place, blob);
        Ok(blob)
    }

    /// Writes an operation up to its regions.
    #[inline]
    pub(crate) fn operation(&mut self, scope: &Scope, body: &Body, op: OperationView<'_>) -> Result<()> {
        let version = self.numbering.version;
        let slot = self.numbering.name_slot(op.name());
        let name = slot.and_then(|slot| self.names.get(slot as usize).copied());
        let (number, name) = name.ok_or_else(|| Error::misuse("a name that was not numbered"))?;
        let (attributes, properties) = self.numbering.parts(op, name)?;
        let location = self.attribute(self.numbering.shown_location(op.location()))?;
        let attributes = attributes.map(|attributes| self.attribute(attributes)).transpose()?;
        let blob = match properties {
            Some(properties) if version >= 5 => Some(self.blob(op.name(), properties)?),
            _ => None,
        };
        let mut orders = scope.orders(op.results());
        if version < 3 && !orders.is_empty() {
            self.lose_orders(op.name());
            orders.clear();
        }
        let (operands, successors, results) = (op.operands(), op.successors(), op.result_types());
        let bit = |bit: u8, set: bool| if set { bit } else { 0 };
        let mut room = [0; BURST];
        let mut burst = Burst::new(&mut room);
        burst.coded(number);
        burst.byte(
            bit(mask::ATTRIBUTES, attributes.is_some())
                | bit(mask::PROPERTIES, blob.is_some())
                | bit(mask::RESULTS, results.len() > 0)
                | bit(mask::OPERANDS, !operands.is_empty())
                | bit(mask::SUCCESSORS, !successors.is_empty())
                | bit(mask::USE_LISTS, !orders.is_empty())
                | bit(mask::REGIONS, op.region_number() > 0),
        );
        burst.varint(location);
        if let Some(attributes) = attributes {
            burst.varint(attributes);
        }
        if let Some(blob) = blob {
            burst.coded(blob);
        }
        let count = results.len();
        if count > 0 {
            burst.varint(count as u32);
            for ty in results {
                let ty = self.ty(ty)?;
                burst.relieve(self.emitter);
                burst.coded(ty);
            }
        }
        if !operands.is_empty() {
            burst.varint(operands.len() as u32);
            for &value in operands {
                let Some(number) = scope.value(value) else {
                    return Err(Error::verification("an operand that nothing in scope defines"));
                };
                burst.relieve(self.emitter);
                burst.varint(number);
            }
        }
        if !successors.is_empty() {
            let region = region_of(body, op);
            burst.varint(successors.len() as u32);
            for &block in successors {
                let Some(number) = scope.block(block).filter(|_| body.region_of(block) == region) else {
                    return Err(Error::verification("a successor in another region"));
                };
                burst.relieve(self.emitter);
                burst.varint(number);
            }
        }
        burst.flush(self.emitter);
        if !orders.is_empty() {
            use_lists::write(self.emitter, count, &orders);
        }
        Ok(())
    }

    #[cold]
    fn lose_orders(&mut self, name: OperationName) {
        let name = self.numbering.context.text(self.numbering.context.operation_identifier(name)).into_owned();
        self.numbering.losses.note(format!("the order of uses of a result of `{name}` (version 3)"));
    }
}

#[cold]
fn no_type() -> Error {
    Error::misuse("a type that was not numbered")
}

fn region_of(body: &Body, op: OperationView<'_>) -> Option<RegionId> {
    body.block_of(op.id()).and_then(|block| body.region_of(block))
}
