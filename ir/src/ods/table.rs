//! Definitions of many operations, in compact form.
//!
//! Bytes: a magic, five little-endian `u32` (strings, bytes of strings, dialects, operations, bytes of records), the
//! offsets of the strings and one more, the strings, the dialects sorted by name (name, first operation), the offsets of
//! the records sorted by name within a dialect, the records. Inside a record every number is a LEB128 varint.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::definition::{NATIVE_DEPTH, NativeProperty, OpDef, PropertyDef, PropertyKind};
use super::traits::Traits;
use crate::error::{Error, Result};

const MAGIC: &[u8; 8] = b"mlirODS\x01";
const HEADER: usize = MAGIC.len() + 5 * 4;

/// Definitions of many operations, in compact form: only what is looked up is decoded.
///
/// A clone is another handle to the same table.
#[derive(Clone, Default)]
pub struct OpTable(Arc<Inner>);

#[derive(Default)]
struct Inner {
    bytes: Bytes,
    string_count: usize,
    strings: Range<usize>,
    dialect_count: usize,
    dialects: usize,
    op_count: usize,
    ops: usize,
    records: Range<usize>,
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
    pub fn from_definitions(definitions: impl IntoIterator<Item = OpDef>) -> Self {
        let mut ops: BTreeMap<(String, String), OpDef> = BTreeMap::new();
        for op in definitions {
            let (dialect, rest) = split(&op.name);
            ops.entry((dialect.to_owned(), rest.to_owned())).or_insert(op);
        }
        // Twice: the strings used most get the shortest numbers.
        let mut pool = Pool::default();
        encode(&ops, &mut pool);
        pool.renumber();
        let bytes = encode(&ops, &mut pool);
        Self::open(bytes.into()).expect("what was just written")
    }

    /// The table in these bytes; its index is checked, its records are not.
    pub(super) fn open(bytes: Bytes) -> Result<Self> {
        Inner::open(bytes).map(|inner| OpTable(Arc::new(inner))).ok_or_else(|| bad("its header or index is wrong"))
    }

    /// The bytes of the table, as [`OpTable::from_bytes`] takes them.
    pub fn to_bytes(&self) -> Bytes {
        self.0.bytes.clone()
    }

    /// How many operations the table defines.
    pub fn len(&self) -> usize {
        self.0.op_count
    }

    /// Whether the table defines nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The definition of the operation of that full name.
    pub fn get(&self, name: &str) -> Option<OpDef> {
        let (dialect, rest) = split(name);
        let inner = &*self.0;
        let at = search(0..inner.dialect_count, |at| Some(inner.dialect_name(at)?.cmp(dialect)))?;
        let op = search(inner.dialect_ops(at)?, |op| Some(inner.mnemonic(op)?.cmp(rest)))?;
        inner.op(dialect, op)
    }

    /// The names of the dialects that the table has operations of, sorted.
    pub fn dialects(&self) -> impl Iterator<Item = &str> {
        (0..self.0.dialect_count).filter_map(|at| self.0.dialect_name(at))
    }

    /// The operations of that dialect, sorted by name.
    pub fn dialect(&self, name: &str) -> impl Iterator<Item = OpDef> {
        let inner = &*self.0;
        let at = search(0..inner.dialect_count, |at| Some(inner.dialect_name(at)?.cmp(name)));
        let ops = at.and_then(|at| inner.dialect_ops(at)).unwrap_or_default();
        let name = name.to_owned();
        ops.filter_map(move |op| inner.op(&name, op))
    }

    /// Every operation, sorted by dialect and name.
    pub fn iter(&self) -> impl Iterator<Item = OpDef> {
        self.dialects().flat_map(|name| self.dialect(name))
    }

    /// Decodes every record.
    fn check(&self) -> Result<()> {
        let inner = &*self.0;
        let mut previous: Option<&str> = None;
        for at in 0..inner.dialect_count {
            let name = inner.dialect_name(at).ok_or_else(|| bad("a dialect has no name"))?;
            if name.contains('.') || previous.is_some_and(|previous| previous >= name) {
                return Err(bad("its dialects are not sorted, or not named"));
            }
            previous = Some(name);
            let mut previous: Option<&str> = None;
            for op in inner.dialect_ops(at).ok_or_else(|| bad("a dialect has no operations"))? {
                let rest = inner.mnemonic(op).ok_or_else(|| bad("an operation has no name"))?;
                if previous.is_some_and(|previous| previous >= rest) {
                    return Err(bad(format!("the operations of `{name}` are not sorted")));
                }
                previous = Some(rest);
                inner.op(name, op).ok_or_else(|| bad(format!("the record of `{name}.{rest}` is wrong")))?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for OpTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OpTable({} operations of {} dialects)", self.len(), self.0.dialect_count)
    }
}

fn bad(what: impl Into<String>) -> Error {
    Error::malformed(format!("not a table of op definitions: {}", what.into()))
}

/// A full name as dialect and rest.
fn split(name: &str) -> (&str, &str) {
    name.split_once('.').unwrap_or((name, ""))
}

fn search(range: Range<usize>, compare: impl Fn(usize) -> Option<std::cmp::Ordering>) -> Option<usize> {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        match compare(middle)? {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Some(middle),
        }
    }
    None
}

impl Inner {
    fn open(bytes: Bytes) -> Option<Self> {
        if bytes.get(..MAGIC.len())? != MAGIC {
            return None;
        }
        let field = |at: usize| word(&bytes, MAGIC.len() + 4 * at);
        let (string_count, string_bytes, dialect_count, op_count, record_bytes) =
            (field(0)?, field(1)?, field(2)?, field(3)?, field(4)?);
        let strings = string_count.checked_add(1)?.checked_mul(4)?.checked_add(HEADER)?;
        let dialects = strings.checked_add(string_bytes)?;
        let ops = dialect_count.checked_mul(8)?.checked_add(dialects)?;
        let records = op_count.checked_mul(4)?.checked_add(ops)?;
        let end = records.checked_add(record_bytes)?;
        if end != bytes.len() {
            return None;
        }
        std::str::from_utf8(&bytes[strings..dialects]).ok()?;
        let inner = Inner {
            string_count,
            strings: strings..dialects,
            dialect_count,
            dialects,
            op_count,
            ops,
            records: records..end,
            bytes,
        };
        let first = |at| word(&inner.bytes, dialects + 8 * at + 4);
        // Every operation belongs to a dialect, and every dialect has one.
        let starts_at_first = dialect_count == 0 || first(0)? == 0;
        let complete = starts_at_first && (dialect_count == 0) == (op_count == 0);
        let ends = (0..dialect_count).map(|at| if at + 1 < dialect_count { first(at + 1) } else { Some(op_count) });
        let ascending = ends.enumerate().all(|(at, end)| first(at).zip(end).is_some_and(|(start, end)| start < end));
        (complete && ascending).then_some(inner)
    }

    fn string(&self, number: usize) -> Option<&str> {
        if number >= self.string_count {
            return None;
        }
        let at = HEADER + 4 * number;
        let (start, end) = (word(&self.bytes, at)?, word(&self.bytes, at + 4)?);
        std::str::from_utf8(self.bytes[self.strings.clone()].get(start..end)?).ok()
    }

    fn dialect_name(&self, at: usize) -> Option<&str> {
        self.string(word(&self.bytes, self.dialects + 8 * at)?)
    }

    fn dialect_ops(&self, at: usize) -> Option<Range<usize>> {
        let first = |at| word(&self.bytes, self.dialects + 8 * at + 4);
        let end = if at + 1 < self.dialect_count { first(at + 1)? } else { self.op_count };
        Some(first(at)?..end)
    }

    fn record(&self, op: usize) -> Option<Cursor<'_>> {
        let start = word(&self.bytes, self.ops + 4 * op)?;
        Some(Cursor { table: self, bytes: self.bytes[self.records.clone()].get(start..)? })
    }

    fn mnemonic(&self, op: usize) -> Option<&str> {
        self.record(op)?.string()
    }

    fn op(&self, dialect: &str, op: usize) -> Option<OpDef> {
        let mut at = self.record(op)?;
        let rest = at.string()?;
        let name = if rest.is_empty() { dialect.to_owned() } else { format!("{dialect}.{rest}") };
        let traits = Traits(at.varint()?);
        let properties = at.list(Cursor::property)?;
        let owned = |at: &mut Cursor<'_>| at.string().map(str::to_owned);
        let parents = if traits.0 & (Traits::HAS_PARENT | Traits::AT_MOST_ONE_CHILD_OF).0 != 0 {
            at.list(owned)?
        } else {
            Vec::new()
        };
        let implicit_terminator =
            if traits.contains(Traits::IMPLICIT_TERMINATOR) { Some(owned(&mut at)?) } else { None };
        Some(OpDef { name, traits, properties, parents, implicit_terminator })
    }
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    usize::try_from(u32::from_le_bytes(word.try_into().ok()?)).ok()
}

/// A place in a record.
struct Cursor<'t> {
    table: &'t Inner,
    bytes: &'t [u8],
}

impl<'t> Cursor<'t> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn number<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.varint()?).ok()
    }

    fn string(&mut self) -> Option<&'t str> {
        let number = self.number()?;
        self.table.string(number)
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count: usize = self.number()?;
        // An item takes a byte or more.
        if count > self.bytes.len() {
            return None;
        }
        (0..count).map(|_| item(self)).collect()
    }

    fn property(&mut self) -> Option<PropertyDef> {
        let name = self.string()?.to_owned();
        let kind = match self.byte()? {
            0 => PropertyKind::Required,
            1 => PropertyKind::Optional,
            2 => PropertyKind::OperandSegments(self.number()?),
            3 => PropertyKind::ResultSegments(self.number()?),
            4 => PropertyKind::Native(self.native(NATIVE_DEPTH)?),
            _ => return None,
        };
        Some(PropertyDef { name, kind })
    }

    fn native(&mut self, depth: usize) -> Option<NativeProperty> {
        let depth = depth.checked_sub(1)?;
        Some(match self.byte()? {
            0 => NativeProperty::Bool,
            1 => NativeProperty::Boolean,
            tag @ (2 | 3) => NativeProperty::Integer { width: self.number()?, signed: tag == 3 },
            4 => NativeProperty::String,
            5 => NativeProperty::Array(Box::new(self.native(depth)?)),
            6 => NativeProperty::OptionalOf(Box::new(self.native(depth)?)),
            7 => NativeProperty::Attribute,
            _ => return None,
        })
    }
}

/// The strings of a table that is being written.
#[derive(Default)]
struct Pool {
    numbers: HashMap<String, u64>,
    uses: HashMap<String, u64>,
}

impl Pool {
    fn number(&mut self, string: &str) -> u64 {
        let next = self.numbers.len() as u64;
        *self.uses.entry(string.to_owned()).or_default() += 1;
        *self.numbers.entry(string.to_owned()).or_insert(next)
    }

    fn renumber(&mut self) {
        let mut strings: Vec<_> = self.uses.drain().collect();
        strings.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        self.numbers = strings.into_iter().map(|(string, _)| string).zip(0..).collect();
    }
}

fn encode(ops: &BTreeMap<(String, String), OpDef>, pool: &mut Pool) -> Vec<u8> {
    let (mut dialects, mut index, mut records) = (Vec::new(), Vec::new(), Vec::new());
    let (mut dialect_count, mut previous) = (0, None);
    for (number, ((dialect, rest), op)) in ops.iter().enumerate() {
        if previous.replace(dialect) != Some(dialect) {
            push_word(&mut dialects, pool.number(dialect) as usize);
            push_word(&mut dialects, number);
            dialect_count += 1;
        }
        push_word(&mut index, records.len());
        let mut out = Out { bytes: &mut records, pool };
        out.string(rest);
        out.op(op);
    }
    let mut strings: Vec<_> = pool.numbers.iter().collect();
    strings.sort_by_key(|&(_, &number)| number);
    let mut bytes = MAGIC.to_vec();
    let length: usize = strings.iter().map(|(string, _)| string.len()).sum();
    for word in [strings.len(), length, dialect_count, ops.len(), records.len()] {
        push_word(&mut bytes, word);
    }
    let mut offset = 0;
    push_word(&mut bytes, 0);
    for (string, _) in &strings {
        offset += string.len();
        push_word(&mut bytes, offset);
    }
    strings.iter().for_each(|(string, _)| bytes.extend_from_slice(string.as_bytes()));
    for part in [dialects, index, records] {
        bytes.extend_from_slice(&part);
    }
    bytes
}

fn push_word(bytes: &mut Vec<u8>, value: usize) {
    bytes.extend_from_slice(&u32::try_from(value).expect("a table of less than 4 GiB").to_le_bytes());
}

/// Where a record is written.
struct Out<'a> {
    bytes: &'a mut Vec<u8>,
    pool: &'a mut Pool,
}

impl Out<'_> {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn string(&mut self, string: &str) {
        let number = self.pool.number(string);
        self.varint(number);
    }

    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        self.varint(items.len() as u64);
        items.iter().for_each(|it| item(self, it));
    }

    fn op(&mut self, op: &OpDef) {
        let mut traits = op.traits;
        if op.implicit_terminator.is_none() {
            traits.0 &= !Traits::IMPLICIT_TERMINATOR.0;
        }
        self.varint(traits.0);
        self.list(&op.properties, |out, property| {
            out.string(&property.name);
            match &property.kind {
                PropertyKind::Required => out.bytes.push(0),
                PropertyKind::Optional => out.bytes.push(1),
                PropertyKind::OperandSegments(groups) => {
                    out.bytes.push(2);
                    out.varint(u64::from(*groups));
                }
                PropertyKind::ResultSegments(groups) => {
                    out.bytes.push(3);
                    out.varint(u64::from(*groups));
                }
                PropertyKind::Native(native) => {
                    out.bytes.push(4);
                    out.native(native);
                }
            }
        });
        if traits.0 & (Traits::HAS_PARENT | Traits::AT_MOST_ONE_CHILD_OF).0 != 0 {
            self.list(&op.parents, |out, parent| out.string(parent));
        }
        if let (true, Some(terminator)) = (traits.contains(Traits::IMPLICIT_TERMINATOR), &op.implicit_terminator) {
            self.string(terminator);
        }
    }

    fn native(&mut self, native: &NativeProperty) {
        match native {
            NativeProperty::Bool => self.bytes.push(0),
            NativeProperty::Boolean => self.bytes.push(1),
            NativeProperty::Integer { width, signed } => {
                self.bytes.push(2 + u8::from(*signed));
                self.varint(u64::from(*width));
            }
            NativeProperty::String => self.bytes.push(4),
            NativeProperty::Array(element) => {
                self.bytes.push(5);
                self.native(element);
            }
            NativeProperty::OptionalOf(element) => {
                self.bytes.push(6);
                self.native(element);
            }
            NativeProperty::Attribute => self.bytes.push(7),
        }
    }
}
