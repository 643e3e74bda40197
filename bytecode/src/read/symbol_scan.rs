//! Symbols of a body that has not been entered: its operations are stepped over, only as far as the symbol looked for.

use hashbrown::HashMap;
use mlirbc_ir::{OperationName, PendingBody, Result};

use super::index::hash;
use super::use_lists;
use crate::format::{Cursor, Data, SectionId, mask};

/// Where the name of a symbol stands among an operation's properties.
#[derive(Clone, Debug)]
pub(super) struct SymbolField {
    /// For each field up to the name, which is the last of them: whether it is optional.
    pub(super) before: Vec<bool>,
}

/// A walk over the operations directly in the one region of a body, with the symbols met so far.
#[derive(Debug)]
pub(super) struct SymbolScan {
    at: usize,
    end: usize,
    blocks: u64,
    operations: u64,
    /// Hash of a name to the place of the first operation with it.
    first: HashMap<u64, u64>,
    /// Where the last blob of properties ended.
    next_blob: Option<(usize, u64)>,
    /// Operations whose names have the hash of an earlier one.
    more: Vec<(u64, u64)>,
}

/// What a walk asks of the tables of its file.
pub(super) trait SymbolTables {
    /// The bytes of the file.
    fn data(&self) -> Data<'_>;

    /// The operation name of that number.
    fn operation(&self, index: u32) -> Result<OperationName>;

    /// How operations of that name tell their symbol.
    fn naming(&self, name: OperationName) -> Naming;

    /// The symbol's name in a blob of properties; `None` where it is not a plain string there. `next` is where the blob before was
    /// left.
    fn symbol(&self, blob: u32, field: &SymbolField, next: &mut Option<(usize, u64)>) -> Result<Option<&[u8]>>;
}

/// How operations of one name tell their symbol.
#[derive(Clone, Debug)]
pub(super) enum Naming {
    /// Its blob names a symbol.
    Blob(SymbolField),
    /// It names no symbol, unless among discardable attributes.
    None,
    Unknown,
}

impl SymbolScan {
    /// A walk from the start of a body in a file of version 5 or newer; `None` where it has another form than symbol tables have.
    pub(super) fn new(data: Data<'_>, body: PendingBody) -> Option<SymbolScan> {
        if body.regions != 1 {
            return None;
        }
        let start = body.offset as usize;
        let mut cursor = Cursor::new(data, start, start.saturating_add(body.length as usize));
        let blocks = cursor.varint().ok()?;
        if blocks > 0 {
            cursor.varint().ok()?;
        }
        Some(SymbolScan {
            at: cursor.position(),
            end: cursor.end(),
            blocks,
            operations: 0,
            first: HashMap::new(),
            next_blob: None,
            more: Vec::new(),
        })
    }

    /// Places of operations met so far that may define a symbol of that name, in the order of the file.
    pub(super) fn met(&self, name: &[u8]) -> Vec<u64> {
        let wanted = hash(name);
        let more = self.more.iter().filter(|&&(hash, _)| hash == wanted).map(|&(_, place)| place);
        self.first.get(&wanted).copied().into_iter().chain(more).collect()
    }

    /// Goes on to the next operation that defines a symbol of that name. The outer `None` says that the walk met what
    /// it does not understand: the body has to be read.
    pub(super) fn next(&mut self, file: &impl SymbolTables, name: &[u8]) -> Option<Option<u64>> {
        let mut last: Option<(OperationName, Naming)> = None;
        loop {
            let mut cursor = Cursor::new(file.data(), self.at, self.end);
            if self.operations == 0 {
                if self.blocks == 0 {
                    return cursor.is_empty().then_some(None);
                }
                let (operations, arguments) = cursor.varint_with_flag().ok()?;
                if arguments {
                    return None;
                }
                self.blocks = self.blocks.saturating_sub(1);
                self.operations = operations;
                self.at = cursor.position();
                continue;
            }
            let place = self.at as u64;
            let symbol = step(file, &mut cursor, &mut last, &mut self.next_blob).ok()??;
            self.at = cursor.position();
            self.operations = self.operations.saturating_sub(1);
            let Some(symbol) = symbol else { continue };
            let key = hash(symbol);
            if *self.first.entry(key).or_insert(place) != place {
                self.more.push((key, place));
            }
            if symbol == name {
                return Some(Some(place));
            }
        }
    }
}

/// Steps over one operation; gives its symbol. The outer `None` says that it may have one that is not seen.
fn step<'a>(
    file: &'a impl SymbolTables,
    cursor: &mut Cursor<'_>,
    last: &mut Option<(OperationName, Naming)>,
    next_blob: &mut Option<(usize, u64)>,
) -> Result<Option<Option<&'a [u8]>>> {
    let name = file.operation(cursor.index()?)?;
    if last.as_ref().is_none_or(|last| last.0 != name) {
        *last = Some((name, file.naming(name)));
    }
    let mask = cursor.byte()?;
    let has = |bit: u8| mask & bit != 0;
    cursor.varint()?;
    if has(mask::ATTRIBUTES) {
        cursor.varint()?;
    }
    let blob = if has(mask::PROPERTIES) { Some(cursor.index()?) } else { None };
    let symbol = match (last.as_ref().map(|last| &last.1), blob) {
        (Some(Naming::Blob(field)), Some(blob)) => file.symbol(blob, field, next_blob)?,
        (Some(Naming::None), _) if !has(mask::ATTRIBUTES) => None,
        _ => return Ok(None),
    };
    if symbol.is_none() && blob.is_some() && !matches!(last, Some((_, Naming::None))) {
        return Ok(None);
    }
    let mut results = 0;
    if has(mask::RESULTS) {
        results = cursor.count(1, "result")?;
        for _ in 0..results {
            cursor.varint()?;
        }
    }
    for list in [mask::OPERANDS, mask::SUCCESSORS] {
        if has(list) {
            for _ in 0..cursor.count(1, "value")? {
                cursor.varint()?;
            }
        }
    }
    if has(mask::USE_LISTS) {
        use_lists::read(cursor, results)?;
    }
    if has(mask::REGIONS) && !step_over_regions(cursor)? {
        return Ok(None);
    }
    Ok(Some(symbol))
}

/// Whether the regions stand in a section of their own, which is stepped over.
fn step_over_regions(cursor: &mut Cursor<'_>) -> Result<bool> {
    let (count, isolated) = cursor.varint_with_flag()?;
    if count == 0 {
        return Ok(true);
    }
    if !isolated {
        return Ok(false);
    }
    let end = cursor.end();
    let section = cursor.section()?;
    cursor.jump(section.end, end);
    Ok(section.id == SectionId::Ir as u8)
}
