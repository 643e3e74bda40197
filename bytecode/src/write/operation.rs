//! One operation (`BytecodeFormat.md` of MLIR, "Operation Encoding"), but for its regions.

use mlirbc_ir::{AttributeRef, BlockId, Body, Error, OpKey, OpView, OperationName, RegionId, Result, TypeRef, Value};

use super::blob_numbers::BlobNumbers;
use super::emitter::{Coded, Emitter, Pending};
use super::known::Name;
use super::lossy::Losses;
use super::numbering::{Numbering, not_numbered};
use super::tables::Numbers;
use super::use_lists;
use crate::format::mask;

/// Writes operations.
pub(crate) struct OperationWriter<'w, 'm> {
    pub(crate) numbering: &'w Numbering<'m>,
    numbers: &'w Numbers,
    /// Numbers of types by slot: there are few, and each is written often.
    types: &'w [Coded],
    pub(crate) blobs: BlobNumbers<'w>,
    pub(crate) emitter: Emitter,
    pub(crate) losses: Losses,
    pub(crate) sheets: Sheets,
}

/// What those who write operations need, in room that the next have again.
#[derive(Default)]
pub(crate) struct Sheets {
    /// By the number of the name in the context.
    heads: Vec<Head>,
    /// Of bodies that were written.
    pub(crate) scopes: Vec<Scope>,
    /// Numbers of types by slot.
    pub(crate) types: Vec<Coded>,
    /// A blob of properties.
    pub(crate) blob: Emitter,
}

impl Sheets {
    /// Forgets what was written of operations of that name.
    pub(crate) fn forget(&mut self, name: OperationName) {
        if let Some(head) = self.heads.get_mut(name.raw() as usize) {
            (head.name, head.key, head.before) = (None, None, None);
        }
    }
}

/// What is written of an operation beside its location and operands. It is the same for most operations of a name as for
/// the one before.
#[derive(Default)]
struct Head {
    /// The name and its number, where it was met.
    name: Option<(Name, Coded)>,
    /// What operations have in common that have this head.
    key: Option<OpKey>,
    /// Whether the operation states orders of uses.
    ordered: bool,
    /// Name and mask.
    before: Option<Coded>,
    /// Attributes, properties, types of results, and the number of operands.
    after: Vec<Coded>,
}

impl Head {
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

    /// Whether orders of the uses of the operation's results are written.
    #[inline]
    fn is_ordered(&self, op: OpView<'_>) -> bool {
        !self.orders.is_empty() && op.results().any(|value| self.orders.contains_key(&value))
    }

    /// The orders of the uses of these values that are not the reference order, each with the place of its value.
    pub(crate) fn orders(&self, values: impl Iterator<Item = Value>) -> Vec<(u32, Vec<u32>)> {
        let orders = values.zip(0..).filter_map(|(value, at)| Some((at, self.orders.get(&value)?.clone())));
        orders.collect()
    }
}

/// What all writers of operations of one module have in common.
#[derive(Clone, Copy)]
pub(crate) struct Numbered<'w, 'm> {
    pub(crate) numbering: &'w Numbering<'m>,
    pub(crate) numbers: &'w Numbers,
    /// Numbers of types by slot.
    pub(crate) types: &'w [Coded],
}

/// Puts in numbers of types by slot.
pub(crate) fn fill_types(types: &mut Vec<Coded>, numbers: &Numbers) {
    types.clear();
    types.extend(numbers.types.iter().map(coded));
}

fn coded(number: Option<u32>) -> Coded {
    Coded::new(number.unwrap_or(0))
}

impl<'w, 'm> OperationWriter<'w, 'm> {
    pub(crate) fn new(
        numbered: Numbered<'w, 'm>,
        blobs: BlobNumbers<'w>,
        (emitter, losses): (Emitter, Losses),
        mut sheets: Sheets,
    ) -> Self {
        let Numbered { numbering, numbers, types } = numbered;
        for (number, name) in numbers.names.iter().map(coded).zip(&numbering.name_keys) {
            let at = name.name.raw() as usize;
            sheets.heads.resize_with(sheets.heads.len().max(at + 1), Head::default);
            sheets.heads[at].name = Some((*name, number));
        }
        OperationWriter { numbering, numbers, types, blobs, emitter, losses, sheets }
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
        let place = self.numbering.properties.find(name, properties);
        let place = place.ok_or_else(|| not_numbered("a dictionary of properties"))?;
        match self.blobs.get(place) {
            Some(blob) => Ok(blob),
            None => self.blobs.write(self.numbering, self.numbers, place),
        }
    }

    /// Works out the head of an operation.
    #[inline(never)]
    fn new_head(&mut self, ordered: bool, op: OpView<'_>) -> Result<()> {
        let at = op.name().raw() as usize;
        let mut head = self.sheets.heads.get_mut(at).map(std::mem::take).unwrap_or_default();
        let (name, number) = head.name.ok_or_else(|| not_numbered("a name"))?;
        head.after.clear();
        let mut mask = 0;
        let (attributes, properties) = self.numbering.met_parts((op.attributes(), op.properties()), name)?;
        if let Some(attributes) = attributes {
            mask |= mask::ATTRIBUTES;
            head.push(Coded::new(self.attribute(attributes)?));
        }
        if let Some(properties) = properties {
            mask |= mask::PROPERTIES;
            head.push(self.blob(op.name(), properties)?);
        }
        let results = op.result_types();
        if results.len() > 0 {
            mask |= mask::RESULTS;
            head.push(Coded::new(results.len() as u32));
        }
        for ty in results {
            head.push(self.ty(ty)?);
        }
        if !op.operands().is_empty() {
            mask |= mask::OPERANDS;
            head.push(Coded::new(op.operands().len() as u32));
        }
        if !op.successors().is_empty() {
            mask |= mask::SUCCESSORS;
        }
        if op.region_count() > 0 {
            mask |= mask::REGIONS;
        }
        head.ordered = ordered;
        if head.ordered && self.numbering.version < 3 {
            self.lose_orders(op.name());
            head.ordered = false;
        }
        if head.ordered {
            mask |= mask::USE_LISTS;
        }
        // Whether there are orders is said of single operations.
        head.key = op.key().filter(|_| !ordered);
        let mask = Coded::byte(mask);
        head.before = number.then(mask);
        self.sheets.heads[at] = head;
        Ok(())
    }

    /// Writes an operation up to its regions. What is pending then comes before all else.
    #[inline]
    pub(crate) fn operation(
        &mut self,
        scope: &Scope,
        body: &Body,
        op: OpView<'_>,
        pending: &mut Pending,
    ) -> Result<()> {
        let at = op.name().raw() as usize;
        let key = op.key();
        let is_repeated = key.is_some() && self.sheets.heads.get(at).is_some_and(|head| head.key == key);
        let ordered = scope.is_ordered(op);
        if !is_repeated || ordered {
            self.new_head(ordered, op)?;
        }
        let location = self.attribute(self.numbering.shown_location(op.location()))?;
        let Some((head, before)) = self.sheets.heads.get(at).and_then(|head| Some((head, head.before?))) else {
            return Err(not_numbered("a name"));
        };
        let mut burst = pending.burst(&mut self.emitter);
        burst.coded(before);
        burst.varint(location);
        for &part in &head.after {
            burst.relieve(&mut self.emitter);
            burst.coded(part);
        }
        for &value in op.operands() {
            let Some(number) = scope.value(value) else {
                return Err(invalid("an operand that nothing in scope defines"));
            };
            burst.relieve(&mut self.emitter);
            burst.varint(number);
        }
        let successors = op.successors();
        if !successors.is_empty() {
            let region = region_of(body, op);
            burst.relieve(&mut self.emitter);
            burst.varint(successors.len() as u32);
            for &block in successors {
                let Some(number) = scope.block(block).filter(|_| body.region_of(block) == region) else {
                    return Err(invalid("a successor in another region"));
                };
                burst.relieve(&mut self.emitter);
                burst.varint(number);
            }
        }
        burst.keep();
        if head.ordered {
            pending.flush(&mut self.emitter);
            let release = self.numbering.target.release;
            use_lists::write(&mut self.emitter, op.result_types().len(), &scope.orders(op.results()), release);
        }
        Ok(())
    }

    #[cold]
    fn lose_orders(&mut self, name: OperationName) {
        let name = self.numbering.context.text(self.numbering.context.operation_identifier(name)).into_owned();
        self.losses.note(format!("the order of uses of a result of `{name}` (version 3)"));
    }
}

#[cold]
fn invalid(what: &str) -> Error {
    Error::verification(what)
}

fn region_of(body: &Body, op: OpView<'_>) -> Option<RegionId> {
    body.block_of(op.id()).and_then(|block| body.region_of(block))
}
