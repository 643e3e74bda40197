//! What every byte of a file is, and what a file holds, without the dialects that wrote it.

use std::collections::BTreeMap;
use std::ops::Range;

use mlirbc_ir::{Error, Result};

use crate::encoding::Table;
use crate::format::{Cursor, SectionId, mask};
use crate::read::{BytecodeFile, read_use_lists};

/// Names every byte of the file, once and in order: `each` gets ranges without gaps, and what stands there.
///
/// # Errors
/// Where the file is malformed: what comes before has been named by then. The first that `each` gives, which ends it.
pub fn label_bytes(file: &BytecodeFile, each: &mut dyn FnMut(Range<u64>, &str) -> Result<()>) -> Result<()> {
    file.check_bytes()?;
    let mut labels = Labels { file, cursor: Cursor::new(file.data(), 0, file.data().len()), marked: 0, each };
    labels.header()?;
    let sections: Vec<(SectionId, Range<usize>)> = file.sections().collect();
    for (id, range) in sections {
        labels.cursor.jump(range.start, range.end);
        labels.mark(&format!("{} section: id and length", id.name()))?;
        labels.section(id).map_err(|error| error.in_section(id.name()))?;
        labels.cursor.jump(range.end, range.end);
        labels.mark("bytes that nothing refers to")?;
    }
    Ok(())
}

fn counted(count: impl std::fmt::Display, one: &str) -> String {
    Error::counted(count, one)
}

struct Labels<'a, 'e> {
    file: &'a BytecodeFile,
    cursor: Cursor<'a>,
    marked: usize,
    each: &'e mut dyn FnMut(Range<u64>, &str) -> Result<()>,
}

impl Labels<'_, '_> {
    /// Names the bytes since the last mark, if there are any.
    fn mark(&mut self, label: &str) -> Result<()> {
        let at = self.cursor.position();
        if at == self.marked {
            return Ok(());
        }
        // Text may have lines of its own, a label is one.
        let escaped = label.contains(char::is_control).then(|| {
            let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
            label.chars().map(escape).collect::<String>()
        });
        let range = self.marked as u64..at as u64;
        self.marked = at;
        (self.each)(range, escaped.as_deref().unwrap_or(label))
    }

    fn header(&mut self) -> Result<()> {
        self.cursor.bytes(4)?;
        self.mark("magic")?;
        let version = self.cursor.varint()?;
        self.mark(&format!("bytecode version {version}"))?;
        let producer = self.cursor.c_string()?;
        let label = format!("producer {:?}", String::from_utf8_lossy(producer));
        self.mark(&label)?;
        Ok(())
    }

    fn section(&mut self, id: SectionId) -> Result<()> {
        match id {
            SectionId::String => self.strings(),
            SectionId::Dialect => self.dialects(),
            SectionId::AttrTypeOffset => self.offsets(),
            SectionId::AttrType => self.entries(),
            SectionId::Ir => self.operations(),
            SectionId::ResourceOffset => self.resource_offsets(),
            SectionId::Resource => self.resources(),
            SectionId::Properties => self.properties(),
            // Only nested ones mean something.
            SectionId::DialectVersions => Ok(()),
        }
    }

    fn string(&self, index: u64) -> String {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        match self.file.string(index) {
            Ok(string) => format!("{:?}", String::from_utf8_lossy(string)),
            Err(_) => format!("string {index}"),
        }
    }

    fn dialect(&self, index: u64) -> String {
        let name = u32::try_from(index).ok().and_then(|index| self.file.dialect_name(index).ok());
        name.map_or(format!("dialect {index}"), |name| format!("`{}`", self.file.context().text(name)))
    }

    fn strings(&mut self) -> Result<()> {
        let count = self.cursor.varint()?;
        self.mark(&counted(count, "string"))?;
        for index in (0..count).rev() {
            let size = self.cursor.varint()?;
            self.mark(&format!("size of string {index}: {size}"))?;
        }
        for index in 0..count as u32 {
            let string = self.file.string(index)?;
            let label = format!("string {index}: {:?}", String::from_utf8_lossy(string));
            self.cursor.bytes(string.len() + 1)?;
            self.mark(&label)?;
        }
        Ok(())
    }

    fn dialects(&mut self) -> Result<()> {
        let version = self.file.version();
        let count = self.cursor.varint()?;
        self.mark(&counted(count, "dialect"))?;
        for index in 0..count {
            let (name, versioned) = match version {
                0 => (self.cursor.varint()?, false),
                _ => self.cursor.varint_with_flag()?,
            };
            let name = self.string(name);
            self.mark(&format!("dialect {index}: {name}"))?;
            if versioned {
                let section = self.cursor.section()?;
                let (end, outer) = (self.cursor.position(), self.cursor.end());
                self.cursor.jump(section.start, outer);
                self.mark("dialect version section: id and length")?;
                self.cursor.jump(end, outer);
                self.mark(&format!("version of {name}"))?;
            }
        }
        if version >= 4 {
            let count = self.cursor.varint()?;
            self.mark(&counted(count, "operation name"))?;
        }
        let mut index = 0;
        while !self.cursor.is_empty() {
            let dialect = self.cursor.varint()?;
            let count = self.cursor.varint()?;
            let dialect = self.dialect(dialect);
            self.mark(&format!("{} of {dialect}", counted(count, "operation name")))?;
            for _ in 0..count {
                let (name, registered) = match version {
                    0..5 => (self.cursor.varint()?, true),
                    _ => self.cursor.varint_with_flag()?,
                };
                let name = self.string(name);
                let flag = if registered { "" } else { ", unregistered" };
                self.mark(&format!("operation name {index}: {name}{flag}"))?;
                index += 1;
            }
        }
        Ok(())
    }

    fn offsets(&mut self) -> Result<()> {
        let counts = [("attribute", self.cursor.varint()?), ("type", self.cursor.varint()?)];
        self.mark(&counts.map(|(what, count)| counted(count, what)).join(", "))?;
        for (what, count) in counts {
            let mut index = 0;
            while index < count {
                let dialect = self.cursor.varint()?;
                let group = self.cursor.varint()?;
                let dialect = self.dialect(dialect);
                self.mark(&format!("{} of {dialect}", counted(group, what)))?;
                for _ in 0..group {
                    let (size, custom) = self.cursor.varint_with_flag()?;
                    let form = if custom { "encoded" } else { "text" };
                    self.mark(&format!("{what} {index}: {}, {form}", counted(size, "byte")))?;
                    index += 1;
                }
            }
        }
        Ok(())
    }

    fn entries(&mut self) -> Result<()> {
        let counts = self.file.counts()?;
        let end = self.cursor.end();
        for (table, what, count) in
            [(Table::Attributes, "attribute", counts.attributes), (Table::Types, "type", counts.types)]
        {
            for index in 0..count {
                let entry = self.file.entry(table, index)?;
                let dialect = self.dialect(entry.dialect.into());
                let label = match (entry.custom, self.file.data().get(entry.range.clone())) {
                    (false, Some(text)) => {
                        let text = text.strip_suffix(&[0]).unwrap_or(text);
                        format!("{what} {index} of {dialect}: {}", String::from_utf8_lossy(text))
                    }
                    _ => {
                        let code = Cursor::new(self.file.data(), entry.range.start, entry.range.end).varint();
                        let code = code.map_or("no code".to_owned(), |code| format!("code {code}"));
                        format!("{what} {index} of {dialect}: encoded, {code}")
                    }
                };
                self.cursor.jump(entry.range.end, end);
                self.mark(&label)?;
            }
        }
        Ok(())
    }

    fn properties(&mut self) -> Result<()> {
        if self.cursor.is_empty() {
            return Ok(());
        }
        let count = self.cursor.varint()?;
        self.mark(&counted(count, "property blob"))?;
        for index in 0..count {
            let blob = self.cursor.blob()?.len();
            self.mark(&format!("property blob {index}: {}, the size before", counted(blob, "byte")))?;
        }
        Ok(())
    }

    fn resource_group(&mut self) -> Result<()> {
        let count = self.cursor.varint()?;
        self.mark(&counted(count, "resource"))?;
        for _ in 0..count {
            let key = self.cursor.varint()?;
            let size = self.cursor.varint()?;
            let kind = match self.cursor.byte()? {
                0 => "blob",
                1 => "bool",
                _ => "string",
            };
            let key = self.string(key);
            self.mark(&format!("resource {key}: {kind} of {}", counted(size, "byte")))?;
        }
        Ok(())
    }

    fn resource_offsets(&mut self) -> Result<()> {
        let external = self.cursor.varint()?;
        self.mark(&format!("{} of external resources", counted(external, "group")))?;
        for _ in 0..external {
            let owner = self.cursor.varint()?;
            let owner = self.string(owner);
            self.mark(&format!("external resources of {owner}"))?;
            self.resource_group()?;
        }
        while !self.cursor.is_empty() {
            let dialect = self.cursor.varint()?;
            let dialect = self.dialect(dialect);
            self.mark(&format!("resources of {dialect}"))?;
            self.resource_group()?;
        }
        Ok(())
    }

    fn resources(&mut self) -> Result<()> {
        // Sizes and keys stand in the other section.
        let mut offsets = self.file.cursor(SectionId::ResourceOffset);
        let mut groups = offsets.varint()?;
        while groups > 0 || !offsets.is_empty() {
            groups = groups.saturating_sub(1);
            offsets.varint()?;
            for _ in 0..offsets.varint()? {
                let key = offsets.varint()?;
                let size = offsets.varint()?;
                offsets.byte()?;
                let size = self.cursor.check_count(size, 1, "byte of a resource")?;
                self.cursor.bytes(size)?;
                let key = self.string(key);
                self.mark(&format!("resource {key}"))?;
            }
        }
        Ok(())
    }

    fn operations(&mut self) -> Result<()> {
        let (operations, _) = self.cursor.varint_with_flag()?;
        self.mark(&counted(operations, "outermost operation"))?;
        let mut frames = vec![Frame { operations, ..Frame::default() }];
        while let Some(frame) = frames.last_mut() {
            if frame.operations > 0 {
                frame.operations -= 1;
                if let Some(frame) = self.operation()? {
                    frames.push(frame);
                }
            } else if frame.blocks > 0 {
                frame.blocks -= 1;
                frame.operations = self.block()?;
            } else if frame.regions > 0 {
                frame.regions -= 1;
                frame.blocks = self.cursor.varint()?;
                let values = if frame.blocks > 0 { self.cursor.varint()? } else { 0 };
                let label = format!("region of {}, {}", counted(frame.blocks, "block"), counted(values, "value"));
                self.mark(&label)?;
            } else {
                if let Some((end, outer)) = frame.section {
                    self.cursor.jump(end, end);
                    self.mark("bytes after the last operation")?;
                    self.cursor.jump(end, outer);
                }
                frames.pop();
            }
        }
        Ok(())
    }

    fn block(&mut self) -> Result<u64> {
        let (operations, has_arguments) = self.cursor.varint_with_flag()?;
        let mut arguments = 0;
        if has_arguments {
            arguments = self.cursor.count(1, "block argument")?;
            let version = self.file.version();
            for _ in 0..arguments {
                let (_, has_location) = match version {
                    0..4 => (self.cursor.varint()?, true),
                    _ => self.cursor.varint_with_flag()?,
                };
                if has_location {
                    self.cursor.varint()?;
                }
            }
            if version >= 3 && self.cursor.byte()? != 0 {
                read_use_lists(&mut self.cursor, arguments)?;
            }
        }
        self.mark(&format!("block of {}, {}", counted(operations, "operation"), counted(arguments, "argument")))?;
        Ok(operations)
    }

    fn operation(&mut self) -> Result<Option<Frame>> {
        let name = self.cursor.index()?;
        let name = self.file.operation_name(name).map(|name| {
            let context = self.file.context();
            context.text(context.operation_identifier(name)).into_owned()
        })?;
        let mask = self.cursor.byte()?;
        let mut label = format!("operation `{name}`: location {}", self.cursor.varint()?);
        let mut results = 0;
        let has = |bit: u8| mask & bit != 0;
        if has(mask::ATTRIBUTES) {
            label += &format!(", attributes {}", self.cursor.varint()?);
        }
        if has(mask::PROPERTIES) {
            label += &format!(", properties {}", self.cursor.varint()?);
        }
        for (bit, what) in [(mask::RESULTS, "result"), (mask::OPERANDS, "operand"), (mask::SUCCESSORS, "successor")] {
            if has(bit) {
                let count = self.cursor.count(1, what)?;
                for _ in 0..count {
                    self.cursor.varint()?;
                }
                if bit == mask::RESULTS {
                    results = count;
                }
                label += &format!(", {}", counted(count, what));
            }
        }
        if has(mask::USE_LISTS) && self.file.version() >= 3 {
            read_use_lists(&mut self.cursor, results)?;
            label += ", use-list orders";
        }
        if !has(mask::REGIONS) {
            self.mark(&label)?;
            return Ok(None);
        }
        let (regions, isolated) = self.cursor.varint_with_flag()?;
        label += &format!(", {}{}", counted(regions, "region"), if isolated { ", isolated" } else { "" });
        self.mark(&label)?;
        let mut frame = Frame { regions, ..Frame::default() };
        if regions > 0 && isolated && self.file.version() >= 2 {
            let outer = self.cursor.end();
            let section = self.cursor.section()?;
            if section.id != SectionId::Ir as u8 {
                return Err(self.cursor.error("regions stand in no IR section"));
            }
            self.cursor.jump(section.start, section.end);
            self.mark(&format!("regions of `{name}`: id and length"))?;
            frame.section = Some((section.end, outer));
        }
        Ok(Some(frame))
    }
}

/// What is left of the regions of one operation.
#[derive(Default)]
struct Frame {
    regions: u64,
    blocks: u64,
    operations: u64,
    /// Where the section of the regions ends, and the one around it.
    section: Option<(usize, usize)>,
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
