//! What every byte of a file is, and what a file holds, without the dialects that wrote it.

mod walk;

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::ops::Range;

use mlirbc_ir::{Error, Result};

use self::walk::Walk;
use crate::encoding::Table;
use crate::format::SectionId;
use crate::read::BytecodeFile;

/// Names every byte of the file, once and in order: `each` gets ranges without gaps, and what stands there.
///
/// # Errors
/// Where the file is malformed: what comes before has been named by then. The first that `each` gives, which ends it.
pub fn label_bytes(file: &BytecodeFile, each: &mut dyn FnMut(Range<u64>, &str) -> Result<()>) -> Result<()> {
    walk_bytes(file, &mut |range, part| {
        let label = part.to_string();
        // Text may have lines of its own, a label is one.
        if !label.contains(char::is_control) {
            return each(range, &label);
        }
        let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
        each(range, &label.chars().map(escape).collect::<String>())
    })
}

/// As [`label_bytes`], with what stands there as a value, whose label is made when it is shown.
///
/// # Errors
/// As [`label_bytes`].
///
/// ```
/// use mlirbc_bytecode::{BytecodeFile, inspect, read};
///
/// # fn main() -> mlirbc_ir::Result<()> {
/// let module = read(&mlirbc_ir::Context::new(), &include_bytes!("../../fixtures/arith.mlirbc")[..])?;
/// let file = BytecodeFile::of(&module).expect("it was read from bytecode");
/// let mut operations = 0;
/// inspect::walk_bytes(file, &mut |range, part| {
///     if let inspect::PartOf::Operation { .. } = part.of {
///         operations += range.end - range.start;
///     }
///     Ok(())
/// })?;
/// assert_eq!(operations, 176);
/// # Ok(())
/// # }
/// ```
pub fn walk_bytes(file: &BytecodeFile, each: &mut dyn FnMut(Range<u64>, &Part<'_>) -> Result<()>) -> Result<()> {
    Walk::over(file, each)
}

/// Some bytes of a file, one thing; shown, it is their label.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Part<'a> {
    /// The section that they are of; `None` before the first.
    pub section: Option<SectionId>,
    /// What they say something of.
    pub of: PartOf<'a>,
    label: fmt::Arguments<'a>,
}

impl Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(self.label)
    }
}

/// What a [`Part`] says something of. Numbers are those of the file's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartOf<'a> {
    /// What holds others: the header, ids and lengths of sections, counts, padding.
    Frame,
    /// A string.
    String(u32),
    /// The size of a string.
    StringSize(u32),
    /// A dialect: its name, its version, names of its operations, what comes before entries of it.
    Dialect(u32),
    /// An attribute: the entry, or its size in the table of offsets.
    #[non_exhaustive]
    Attribute {
        /// Which it is.
        index: u32,
        /// The number of its dialect.
        dialect: u32,
        /// What its encoding begins with, which says the kind in its dialect; `None` of text, and in the table of offsets.
        code: Option<u64>,
    },
    /// A type, as an attribute.
    #[non_exhaustive]
    Type {
        /// Which it is.
        index: u32,
        /// The number of its dialect.
        dialect: u32,
        /// As of an attribute.
        code: Option<u64>,
    },
    /// Properties of operations: a blob, with its size.
    Properties(u32),
    /// A resource: what it holds, or its entry in the table of offsets.
    #[non_exhaustive]
    Resource {
        /// Whose it is.
        owner: &'a [u8],
        /// Its key.
        key: &'a [u8],
    },
    /// An operation, up to its regions. They come in the order in which a walk meets them.
    #[non_exhaustive]
    Operation {
        /// How many operations are around it.
        depth: usize,
        /// Its properties.
        properties: Option<u32>,
        /// How many of the bytes refer to its location.
        location: usize,
    },
    /// Regions and blocks, of an operation with so many others around it.
    Regions(usize),
}

/// How many there are of a kind of entry, and how many bytes they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Tally {
    fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes += bytes;
    }
}

/// What a file holds.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Attributes by dialect and form: `encoded`, `text`, `opaque` where the dialect has no registered encoding, or `unknown`
    /// where it has one that does not understand the entry.
    pub attributes: BTreeMap<(String, &'static str), Tally>,
    /// Types by dialect and form.
    pub types: BTreeMap<(String, &'static str), Tally>,
    /// Operation names that count as registered, but whose definition is not known: their properties are opaque.
    pub unknown_operations: Vec<String>,
    /// How many property blobs there are, and their bytes.
    pub properties: Tally,
    /// How many strings there are, and their bytes.
    pub strings: Tally,
}

/// Sums up the tables of a file.
///
/// # Errors
/// Where a table is malformed.
pub fn summarize(file: &BytecodeFile) -> Result<Summary> {
    let mut summary = Summary::default();
    let counts = file.counts()?;
    let known = file.known_dialects()?;
    for (table, count) in [(Table::Attributes, counts.attributes), (Table::Types, counts.types)] {
        for index in 0..count {
            let entry = file.entry(table, index)?;
            let dialect = known.get(entry.dialect as usize);
            let dialect = dialect.ok_or_else(|| Error::malformed(format!("dialect {}", entry.dialect)))?;
            let form = match (entry.custom, dialect.encoding.is_some()) {
                (false, _) => "text",
                (true, false) => "opaque",
                // One that is broken says so when it is read.
                (true, true) if matches!(file.unknown_entry(table, index), Ok(Some(_))) => "unknown",
                (true, true) => "encoded",
            };
            let name = file.context().text(dialect.name).into_owned();
            let tallies = match table {
                Table::Attributes => &mut summary.attributes,
                Table::Types => &mut summary.types,
            };
            tallies.entry((name, form)).or_default().add(entry.range.len() as u64);
        }
    }
    for index in 0..counts.properties {
        let range = file.property_blobs()?.get(file.guarded(), index)?.unwrap_or_default();
        summary.properties.add(range.len() as u64);
    }
    for index in 0..file.strings()?.len() as u32 {
        summary.strings.add(file.string(index)?.len() as u64);
    }
    for index in 0..file.dialects()?.operations.len() as u32 {
        let name = file.operation_name(index)?;
        let context = file.context();
        let is_known = context.definition(name).is_some() || file.undefined_layout(name).is_some();
        if context.is_registered(name) && !is_known {
            summary
                .unknown_operations
                .push(file.context().text(file.context().operation_identifier(name)).into_owned());
        }
    }
    Ok(summary)
}
