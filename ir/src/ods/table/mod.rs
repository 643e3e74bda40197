//! Definitions of many operations, in compact form.

mod index;
mod records;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;

use super::constraint::{AttrOrTypeDef, EnumDef};
use super::coverage::Tally;
use super::definition::{OpDef, OpDetails, PropertyDef};
use super::history::Change;
use super::lazy::Lazy;
use super::traits::Traits;
use super::undefined::UndefinedOp;
use crate::error::{Error, Result};
pub(crate) use index::split;
use index::{Inner, List};
use wire::{In, Out, Pool, Wire};

/// Definitions of many operations, attributes, types and enums in compact form: only what is looked up is decoded.
///
/// A clone is another handle to the same table.
#[derive(Clone, Default)]
pub struct OpTable(Arc<Inner>);

/// What a table is made of.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// The operations.
    pub ops: Vec<OpDef>,
    /// The attributes of dialects.
    pub attributes: Vec<AttrOrTypeDef>,
    /// The types of dialects.
    pub types: Vec<AttrOrTypeDef>,
    /// The enums.
    pub enums: Vec<EnumDef>,
    /// The operations that are known without a definition.
    pub undefined: Vec<UndefinedOp>,
    pub(crate) tally: Option<Tally>,
}

impl Definitions {
    /// Every string in the table of these.
    #[cfg(feature = "ods-json")]
    pub(crate) fn strings(&self) -> std::collections::BTreeSet<String> {
        let mut pool = Pool::default();
        encode(self, &mut pool);
        pool.into_parts().0.into_iter().collect()
    }
}

impl OpTable {
    /// The table in these bytes, checked whole.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::ErrorKind::Malformed) where the bytes are no table.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        let table = Self::open(bytes.into())?;
        table.check()?;
        Ok(table)
    }

    /// The table of these definitions. Where two have one name, the first one counts.
    pub fn new(definitions: &Definitions) -> Self {
        // Twice: what is used most gets the shortest numbers.
        let mut pool = Pool::default();
        encode(definitions, &mut pool);
        let mut pool = pool.renumber();
        let sections = encode(definitions, &mut pool);
        Self::open(index::assemble(sections, pool).into()).expect("what was just written")
    }

    /// The table of these operations. Where two have one name, the first one counts.
    pub fn from_definitions(ops: impl IntoIterator<Item = OpDef>) -> Self {
        Self::new(&Definitions { ops: ops.into_iter().collect(), ..Definitions::default() })
    }

    /// The table of all that these define. Where two have one name, that of the first counts.
    pub fn union<'t>(tables: impl IntoIterator<Item = &'t OpTable>) -> Self {
        let mut all = Definitions::default();
        for Definitions { ops, attributes, types, enums, undefined, tally: _ } in
            tables.into_iter().map(Self::to_definitions)
        {
            all.ops.extend(ops);
            all.attributes.extend(attributes);
            all.types.extend(types);
            all.enums.extend(enums);
            all.undefined.extend(undefined);
        }
        Self::new(&all)
    }

    /// Everything in the table.
    pub fn to_definitions(&self) -> Definitions {
        Definitions {
            ops: self.iter().collect(),
            attributes: self.attribute_definitions().collect(),
            types: self.type_definitions().collect(),
            enums: self.enumerations().collect(),
            undefined: self.undefined_operations().collect(),
            tally: self.tally(),
        }
    }

    /// The table in bytes that are part of a program: its index is checked now, and of records that are wrong nothing is known.
    /// Empty where they are no table; [`OpTable::from_bytes`] says what is wrong with them.
    pub fn embedded(bytes: &'static [u8]) -> Self {
        Self::open(Bytes::from_static(bytes)).unwrap_or_default()
    }

    /// The table in these bytes; its index is checked, its records are not.
    fn open(bytes: Bytes) -> Result<Self> {
        Inner::open(bytes).map(|inner| OpTable(Arc::new(inner))).ok_or_else(|| bad("its header or index is wrong"))
    }

    /// The bytes of the table, as [`OpTable::from_bytes`] takes them.
    pub fn to_bytes(&self) -> Bytes {
        self.0.bytes()
    }

    /// Whether both are handles to one table.
    pub(crate) fn is_same(&self, other: &OpTable) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// How many operations the table defines.
    pub fn len(&self) -> usize {
        self.0.count(List::Ops)
    }

    /// Whether the table defines no operations.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The definition of the operation of that full name.
    pub fn get(&self, name: &str) -> Option<OpDef> {
        let (dialect, rest) = split(name);
        let at = self.0.find_dialect(dialect)?;
        let op = self.0.find(List::Ops, self.0.dialect_ops(at)?, rest)?;
        self.op(dialect, op)
    }

    /// Whether the table defines the operation of that full name.
    pub fn has(&self, name: &str) -> bool {
        let (dialect, rest) = split(name);
        let ops = self.0.find_dialect(dialect).and_then(|at| self.0.dialect_ops(at));
        ops.and_then(|ops| self.0.find(List::Ops, ops, rest)).is_some()
    }

    /// The names of the dialects that the table has operations of, sorted.
    pub fn dialects(&self) -> impl Iterator<Item = &str> {
        (0..self.0.count(List::Dialects)).filter_map(|at| self.0.dialect_name(at))
    }

    /// The operations of that dialect, sorted by name.
    pub fn dialect(&self, name: &str) -> impl Iterator<Item = OpDef> {
        let ops = self.0.find_dialect(name).and_then(|at| self.0.dialect_ops(at)).unwrap_or_default();
        let name = name.to_owned();
        ops.filter_map(move |op| self.op(&name, op))
    }

    /// Every operation, sorted by dialect and name.
    pub fn iter(&self) -> impl Iterator<Item = OpDef> {
        self.dialects().flat_map(|name| self.dialect(name))
    }

    /// The definition of an attribute by dialect and mnemonic: `llvm.di_file`.
    pub fn attribute_definition(&self, name: &str) -> Option<AttrOrTypeDef> {
        self.named(List::Attributes, name)
    }

    /// The definitions of all attributes, sorted by name.
    pub fn attribute_definitions(&self) -> impl Iterator<Item = AttrOrTypeDef> {
        self.all(List::Attributes)
    }

    /// The definition of a type by dialect and mnemonic: `llvm.ptr`.
    pub fn type_definition(&self, name: &str) -> Option<AttrOrTypeDef> {
        self.named(List::Types, name)
    }

    /// The definitions of all types, sorted by name.
    pub fn type_definitions(&self) -> impl Iterator<Item = AttrOrTypeDef> {
        self.all(List::Types)
    }

    /// The enum of that name: `arith::CmpIPredicate`.
    pub fn enumeration(&self, name: &str) -> Option<EnumDef> {
        self.named(List::Enums, name)
    }

    /// All enums, sorted by name.
    pub fn enumerations(&self) -> impl Iterator<Item = EnumDef> {
        self.all(List::Enums)
    }

    /// An operation that is known without a definition, by its full name.
    pub fn undefined(&self, name: &str) -> Option<UndefinedOp> {
        self.named(List::Undefined, name)
    }

    /// The operations that are known without a definition, sorted by name.
    pub fn undefined_operations(&self) -> impl Iterator<Item = UndefinedOp> {
        self.all(List::Undefined)
    }

    fn named<T: Wire>(&self, list: List, name: &str) -> Option<T> {
        let at = self.0.find(list, 0..self.0.count(list), name)?;
        T::take(&mut self.0.record(list, at)?)
    }

    fn all<T: Wire>(&self, list: List) -> impl Iterator<Item = T> {
        (0..self.0.count(list)).filter_map(move |at| T::take(&mut self.0.record(list, at)?))
    }

    pub(crate) fn tally(&self) -> Option<Tally> {
        Tally::take(&mut self.0.record(List::Tally, 0)?)
    }

    fn op(&self, dialect: &str, op: usize) -> Option<OpDef> {
        let mut at = self.0.record(List::Ops, op)?;
        let mut op = take_op(dialect, &mut at)?;
        op.details = Lazy::at(self.clone(), self.0.offset_of(at.rest()));
        Some(op)
    }

    /// The details that start at that offset.
    pub(crate) fn details(&self, offset: usize) -> Option<OpDetails> {
        OpDetails::take(&mut self.0.at(offset)?)
    }

    /// Reads every record.
    fn check(&self) -> Result<()> {
        let inner = &*self.0;
        let wrong = |what: &str, name: Option<&str>| bad(format!("{what} `{}` is wrong", name.unwrap_or_default()));
        if !inner.check_strings() {
            return Err(bad("a string is wrong"));
        }
        inner.check_names().ok_or_else(|| bad("its names are not sorted"))?;
        for at in 0..inner.count(List::Dialects) {
            for op in inner.dialect_ops(at).unwrap_or_default() {
                let read = || {
                    let mut at = inner.record(List::Ops, op)?;
                    skip_op(&mut at)?;
                    OpDetails::skip(&mut at)
                };
                read().ok_or_else(|| wrong("operation", inner.name(List::Ops, op)))?;
            }
        }
        for list in [List::Attributes, List::Types] {
            for at in 0..inner.count(list) {
                let read = || AttrOrTypeDef::skip(&mut inner.record(list, at)?);
                read().ok_or_else(|| wrong("attribute or type", inner.name(list, at)))?;
            }
        }
        for at in 0..inner.count(List::Enums) {
            let read = || EnumDef::skip(&mut inner.record(List::Enums, at)?);
            read().ok_or_else(|| wrong("enum", inner.name(List::Enums, at)))?;
        }
        for at in 0..inner.count(List::Undefined) {
            let read = || UndefinedOp::skip(&mut inner.record(List::Undefined, at)?);
            read().ok_or_else(|| wrong("operation", inner.name(List::Undefined, at)))?;
        }
        for at in 0..inner.count(List::Tally) {
            inner
                .record(List::Tally, at)
                .and_then(|mut at| Tally::skip(&mut at))
                .ok_or_else(|| bad("its tally is wrong"))?;
        }
        let shared = |number| {
            let mut at = inner.record(List::Shared, number)?.inside_shared();
            let kind = at.byte()?;
            records::is_shared(kind, &mut at).then_some(())
        };
        let mut numbers = 0..inner.count(List::Shared);
        numbers.try_for_each(shared).ok_or_else(|| bad("what operations share is wrong"))
    }
}

impl std::fmt::Debug for OpTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let dialects = Error::counted(self.0.count(List::Dialects), "dialect");
        write!(f, "OpTable({} of {dialects})", Error::counted(self.len(), "operation"))
    }
}

fn bad(what: impl Into<String>) -> Error {
    Error::malformed(format!("not a table of op definitions: {}", what.into()))
}

/// Marks of an operation, below its traits.
const OF_MLIR: u64 = 1;
const CHANGES: u64 = 2;

const WITH_PARENTS: u64 = Traits::HAS_PARENT.0 | Traits::AT_MOST_ONE_CHILD_OF.0;

fn take_op(dialect: &str, at: &mut In<'_>) -> Option<OpDef> {
    let rest = at.string()?;
    let name = if rest.is_empty() { dialect.to_owned() } else { [dialect, ".", rest].concat() };
    let flags = at.varint()?;
    let traits = Traits(flags >> 2);
    let properties = Wire::take(at)?;
    let changes = if flags & CHANGES != 0 { Wire::take(at)? } else { Vec::new() };
    let parents = if traits.0 & WITH_PARENTS != 0 { Wire::take(at)? } else { Vec::new() };
    let implicit_terminator = match traits.contains(Traits::IMPLICIT_TERMINATOR) {
        true => Some(Wire::take(at)?),
        false => None,
    };
    let is_of_mlir = flags & OF_MLIR != 0;
    Some(OpDef { name, traits, properties, parents, implicit_terminator, is_of_mlir, changes, ..OpDef::default() })
}

/// Checks what [`take_op`] reads.
fn skip_op(at: &mut In<'_>) -> Option<()> {
    String::skip(at)?;
    let flags = at.varint()?;
    let traits = Traits(flags >> 2);
    Vec::<PropertyDef>::skip(at)?;
    if flags & CHANGES != 0 {
        Vec::<Change>::skip(at)?;
    }
    if traits.0 & WITH_PARENTS != 0 {
        Vec::<String>::skip(at)?;
    }
    if traits.contains(Traits::IMPLICIT_TERMINATOR) { String::skip(at) } else { Some(()) }
}

fn put_op(op: &OpDef, rest: &str, out: &mut Out<'_>) {
    out.string(rest);
    let mut traits = op.traits;
    if op.implicit_terminator.is_none() {
        traits.0 &= !Traits::IMPLICIT_TERMINATOR.0;
    }
    let marks = [(op.is_of_mlir, OF_MLIR), (!op.changes.is_empty(), CHANGES)];
    out.varint(marks.iter().filter(|mark| mark.0).fold(traits.0 << 2, |flags, mark| flags | mark.1));
    op.properties.put(out);
    if !op.changes.is_empty() {
        op.changes.put(out);
    }
    if traits.0 & WITH_PARENTS != 0 {
        op.parents.put(out);
    }
    if let (true, Some(terminator)) = (traits.contains(Traits::IMPLICIT_TERMINATOR), &op.implicit_terminator) {
        terminator.put(out);
    }
    op.details().put(out);
}

fn encode(definitions: &Definitions, pool: &mut Pool) -> index::Sections {
    let mut sections = index::Sections::default();
    let mut ops: BTreeMap<(&str, &str), &OpDef> = BTreeMap::new();
    for op in &definitions.ops {
        ops.entry(split(&op.name)).or_insert(op);
    }
    let mut out = Out { bytes: Vec::new(), pool };
    for (&(dialect, rest), op) in &ops {
        let name = out.pool.number(dialect);
        sections.dialect(name);
        sections.start(List::Ops, &out);
        put_op(op, rest, &mut out);
    }
    for (list, definitions) in [(List::Attributes, &definitions.attributes), (List::Types, &definitions.types)] {
        let mut sorted: BTreeMap<&str, &AttrOrTypeDef> = BTreeMap::new();
        for definition in definitions {
            sorted.entry(&definition.name).or_insert(definition);
        }
        for definition in sorted.values() {
            sections.start(list, &out);
            definition.put(&mut out);
        }
    }
    let mut enums: BTreeMap<&str, &EnumDef> = BTreeMap::new();
    for definition in &definitions.enums {
        enums.entry(&definition.name).or_insert(definition);
    }
    for definition in enums.values() {
        sections.start(List::Enums, &out);
        definition.put(&mut out);
    }
    let mut undefined: BTreeMap<&str, &UndefinedOp> = BTreeMap::new();
    for op in &definitions.undefined {
        undefined.entry(&op.name).or_insert(op);
    }
    for op in undefined.values() {
        sections.start(List::Undefined, &out);
        op.put(&mut out);
    }
    if let Some(tally) = &definitions.tally {
        sections.start(List::Tally, &out);
        tally.put(&mut out);
    }
    sections.body = out.bytes;
    sections
}
