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
    /// By slot of the name.
    heads: Vec<Head<'m>>,
    /// Numbers of types by slot: there are few, and each is written often.
    types: Vec<Coded>,
    blob: Emitter,
}

/// What is written of an operation beside its location and operands. It is the same for most operations of a name as for
/// the one before.
struct Head<'m> {
    name: Name,
    number: Coded,
    /// The operation that the rest is of, where others may be like it.
    like: Option<OperationView<'m>>,
    /// Name and mask.
    before: Coded,
    /// Attributes, properties, types of results, and the number of operands.
    after: Vec<Coded>,
}

impl Head<'_> {
    fn push(&mut self, next: Coded) {
        match self.after.last_mut().and_then(|last| Some((last.then(next)?, last))) {
            Some((both, last)) => *last = both,
            None => self.after.push(next),
        }
    }
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
        let names = numbers.names.iter().map(coded).zip(&numbering.name_keys);
        let head = |(number, &name)| Head { name, number, like: None, before: number, after: Vec::new() };
        let heads = names.map(head).collect();
        let types = numbers.types.iter().map(coded).collect();
        OperationWriter { numbering, numbers, strings, blobs, emitter, heads, types, blob: Emitter::default() }
    }

    #[inline]
    pub(crate) fn attribute(&self, attribute: AttributeRef) -> Result<u32> {
        let number = self.numbering.slot(attribute)?.and_then(|slot| self.numbers.attributes.get(slot));
        number.ok_or_else(|| not_numbered("an attribute"))
    }

    #[inline]
    fn ty(&self, ty: TypeRef) -> Result<Coded> {
        let number = self.numbering.type_slot(ty).and_then(|slot| self.types.get(slot as usize));
        number.copied().ok_or_else(|| not_numbered("a type"))
    }

    pub(crate) fn type_number(&self, ty: TypeRef) -> Result<u32> {
        self.numbering.type_slot(ty).and_then(|slot| self.numbers.types.get(slot)).ok_or_else(|| not_numbered("a type"))
    }

    /// The number of the blob of properties that were met, written now if it has none.
    #[inline]
    fn blob(&mut self, name: OperationName, properties: AttributeRef) -> Result<Coded> {
        let table = &self.numbering.properties;
        let place = table.find(name, properties).ok_or_else(|| not_numbered("a dictionary of properties"))?;
        match table.blob(place) {
            Some(blob) => Ok(blob),
            None => self.new_blob(place),
        }
    }

    #[cold]
    #[inline(never)]
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

    /// Works out the head of an operation. Orders of uses are part of it, but not of what others may be like.
    #[inline(never)]
    fn new_head(&mut self, slot: usize, op: OperationView<'m>, orders: bool) -> Result<()> {
        let head = &mut self.heads[slot];
        (head.like, head.after) = (None, Vec::new());
        let mut mask = if orders { mask::USE_LISTS } else { 0 };
        let (attributes, properties) = self.numbering.parts(op, self.heads[slot].name)?;
        if let Some(attributes) = attributes {
            mask |= mask::ATTRIBUTES;
            let number = self.attribute(attributes)?;
            self.heads[slot].push(Coded::new(number));
        }
        if let Some(properties) = properties {
            mask |= mask::PROPERTIES;
            let blob = self.blob(op.name(), properties)?;
            self.heads[slot].push(blob);
        }
        let results = op.result_types();
        if results.len() > 0 {
            mask |= mask::RESULTS;
            self.heads[slot].push(Coded::new(results.len() as u32));
        }
        for ty in results {
            let ty = self.ty(ty)?;
            self.heads[slot].push(ty);
        }
        let head = &mut self.heads[slot];
        if !op.operands().is_empty() {
            mask |= mask::OPERANDS;
            head.push(Coded::new(op.operands().len() as u32));
        }
        if !op.successors().is_empty() {
            mask |= mask::SUCCESSORS;
        }
        if op.region_number() > 0 {
            mask |= mask::REGIONS;
        }
        let mask = Coded::byte(mask);
        head.before = head.number.then(mask).unwrap_or(mask);
        head.like = Some(op).filter(|_| !orders);
        Ok(())
    }

    /// Writes an operation up to its regions.
    #[inline]
    pub(crate) fn operation(&mut self, scope: &Scope, body: &Body, op: OperationView<'m>) -> Result<()> {
        let mut orders = Vec::new();
        if !scope.orders.is_empty() {
            orders = self.orders(scope, op);
        }
        let slot = self.numbering.name_slot(op.name()).ok_or_else(|| not_numbered("a name"))? as usize;
        match self.heads.get(slot) {
            Some(Head { like: Some(like), .. }) if op.is_like(*like) && orders.is_empty() => {}
            _ => self.new_head(slot, op, !orders.is_empty())?,
        }
        let location = self.attribute(self.numbering.shown_location(op.location()))?;
        let head = &self.heads[slot];
        let mut room = [0; BURST];
        let mut burst = Burst::new(&mut room);
        burst.coded(head.before);
        burst.varint(location);
        for &part in &head.after {
            burst.relieve(self.emitter);
            burst.coded(part);
        }
        for &value in op.operands() {
            let Some(number) = scope.value(value) else {
                return Err(invalid("an operand that nothing in scope defines"));
            };
            burst.relieve(self.emitter);
            burst.varint(number);
        }
        let successors = op.successors();
        if !successors.is_empty() {
            let region = region_of(body, op);
            burst.relieve(self.emitter);
            burst.varint(successors.len() as u32);
            for &block in successors {
                let Some(number) = scope.block(block).filter(|_| body.region_of(block) == region) else {
                    return Err(invalid("a successor in another region"));
                };
                burst.relieve(self.emitter);
                burst.varint(number);
            }
        }
        burst.flush(self.emitter);
        if !orders.is_empty() {
            use_lists::write(self.emitter, op.result_types().len(), &orders);
        }
        Ok(())
    }

    /// The orders of the uses of the operation's results, as far as the version can hold them.
    #[cold]
    fn orders(&mut self, scope: &Scope, op: OperationView<'_>) -> Vec<(u32, Vec<u32>)> {
        let mut orders = scope.orders(op.results());
        if self.numbering.version < 3 && !orders.is_empty() {
            self.lose_orders(op.name());
            orders.clear();
        }
        orders
    }

    fn lose_orders(&mut self, name: OperationName) {
        let name = self.numbering.context.text(self.numbering.context.operation_identifier(name)).into_owned();
        self.numbering.losses.note(format!("the order of uses of a result of `{name}` (version 3)"));
    }
}

#[cold]
fn not_numbered(what: &str) -> Error {
    Error::misuse(format!("{what} that was not numbered"))
}

#[cold]
fn invalid(what: &str) -> Error {
    Error::verification(what)
}

fn region_of(body: &Body, op: OperationView<'_>) -> Option<RegionId> {
    body.block_of(op.id()).and_then(|block| body.region_of(block))
}
