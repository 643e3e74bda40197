//! Going through the bytes of a file.

use std::fmt::{self, Display};
use std::ops::Range;

use mlirbc_ir::{Error, Result};

use super::{Part, PartOf};
use crate::encoding::Table;
use crate::format::{Cursor, SectionId, mask};
use crate::read::{BytecodeFile, read_use_lists};

/// So many of something, as text when it is shown.
struct Counted(u64, &'static str);

impl Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Error::counted(self.0, self.1))
    }
}

/// A string of the file, by its number, in quotes.
struct Quoted<'a>(&'a BytecodeFile, u64);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match string(self.0, self.1) {
            Some(string) => write!(f, "{:?}", String::from_utf8_lossy(string)),
            None => write!(f, "string {}", u32::try_from(self.1).unwrap_or(u32::MAX)),
        }
    }
}

fn string(file: &BytecodeFile, index: u64) -> Option<&[u8]> {
    file.string(u32::try_from(index).ok()?).ok()
}

/// A dialect of the file, by its number.
struct Named<'a>(&'a BytecodeFile, u64);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match dialect(self.0, self.1) {
            Some(name) => write!(f, "`{}`", String::from_utf8_lossy(name)),
            None => write!(f, "dialect {}", self.1),
        }
    }
}

fn dialect(file: &BytecodeFile, index: u64) -> Option<&[u8]> {
    let name = file.dialect_name(u32::try_from(index).ok()?).ok()?;
    Some(file.context().bytes(name))
}

pub(super) struct Walk<'a, 'e> {
    file: &'a BytecodeFile,
    cursor: Cursor<'a>,
    marked: usize,
    section: Option<SectionId>,
    each: &'e mut dyn FnMut(Range<u64>, &Part<'_>) -> Result<()>,
}

impl<'a> Walk<'a, '_> {
    pub(super) fn over(
        file: &'a BytecodeFile,
        each: &mut dyn FnMut(Range<u64>, &Part<'_>) -> Result<()>,
    ) -> Result<()> {
        file.check_bytes()?;
        let cursor = Cursor::new(file.data(), 0, file.data().len());
        let mut walk = Walk { file, cursor, marked: 0, section: None, each };
        walk.header()?;
        let sections: Vec<(SectionId, Range<usize>)> = file.sections().collect();
        for (id, range) in sections {
            walk.section = Some(id);
            walk.cursor.jump(range.start, range.end);
            walk.frame(format_args!("{} section: id and length", id.name()))?;
            walk.section(id).map_err(|error| error.in_section(id.name()))?;
            walk.cursor.jump(range.end, range.end);
            walk.frame(format_args!("bytes that nothing refers to"))?;
        }
        Ok(())
    }

    /// Names the bytes since the last mark, if there are any.
    fn mark(&mut self, of: PartOf<'_>, label: fmt::Arguments<'_>) -> Result<()> {
        let at = self.cursor.position();
        if at == self.marked {
            return Ok(());
        }
        let range = self.marked as u64..at as u64;
        self.marked = at;
        (self.each)(range, &Part { section: self.section, of, label })
    }

    fn frame(&mut self, label: fmt::Arguments<'_>) -> Result<()> {
        self.mark(PartOf::Frame, label)
    }

    fn counted(&mut self, count: u64, one: &'static str) -> Result<()> {
        self.frame(format_args!("{}", Counted(count, one)))
    }

    fn quoted(&self, index: u64) -> Quoted<'a> {
        Quoted(self.file, index)
    }

    fn header(&mut self) -> Result<()> {
        self.cursor.bytes(4)?;
        self.frame(format_args!("magic"))?;
        let version = self.cursor.varint()?;
        self.frame(format_args!("bytecode version {version}"))?;
        let producer = self.cursor.c_string()?;
        self.frame(format_args!("producer {:?}", String::from_utf8_lossy(producer)))
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

    fn strings(&mut self) -> Result<()> {
        let count = self.cursor.varint()?;
        self.counted(count, "string")?;
        for index in (0..count).rev() {
            let size = self.cursor.varint()?;
            self.mark(PartOf::StringSize(index as u32), format_args!("size of string {index}: {size}"))?;
        }
        for index in 0..count as u32 {
            let string = self.file.string(index)?;
            self.cursor.bytes(string.len() + 1)?;
            let text = String::from_utf8_lossy(string);
            self.mark(PartOf::String(index), format_args!("string {index}: {text:?}"))?;
        }
        Ok(())
    }

    fn dialects(&mut self) -> Result<()> {
        let version = self.file.version();
        let count = self.cursor.varint()?;
        self.counted(count, "dialect")?;
        for index in 0..count {
            let (name, versioned) = match version {
                0 => (self.cursor.varint()?, false),
                _ => self.cursor.varint_with_flag()?,
            };
            let (of, name) = (PartOf::Dialect(index as u32), self.quoted(name));
            self.mark(of, format_args!("dialect {index}: {name}"))?;
            if versioned {
                let section = self.cursor.section()?;
                let (end, outer) = (self.cursor.position(), self.cursor.end());
                self.cursor.jump(section.start, outer);
                self.mark(of, format_args!("dialect version section: id and length"))?;
                self.cursor.jump(end, outer);
                self.mark(of, format_args!("version of {name}"))?;
            }
        }
        if version >= 4 {
            let count = self.cursor.varint()?;
            self.counted(count, "operation name")?;
        }
        let mut index = 0;
        while !self.cursor.is_empty() {
            let dialect = self.cursor.varint()?;
            let count = self.cursor.varint()?;
            let of = PartOf::Dialect(dialect as u32);
            let names = Counted(count, "operation name");
            self.mark(of, format_args!("{names} of {}", Named(self.file, dialect)))?;
            for _ in 0..count {
                let (name, registered) = match version {
                    0..5 => (self.cursor.varint()?, true),
                    _ => self.cursor.varint_with_flag()?,
                };
                let flag = if registered { "" } else { ", unregistered" };
                let name = self.quoted(name);
                self.mark(of, format_args!("operation name {index}: {name}{flag}"))?;
                index += 1;
            }
        }
        Ok(())
    }

    fn offsets(&mut self) -> Result<()> {
        let counts = [(Table::Attributes, self.cursor.varint()?), (Table::Types, self.cursor.varint()?)];
        let [attributes, types] = counts.map(|(table, count)| Counted(count, table.what()));
        self.frame(format_args!("{attributes}, {types}"))?;
        for (table, count) in counts {
            let what = table.what();
            let mut index = 0;
            while index < count {
                let dialect = self.cursor.varint()?;
                let group = self.cursor.varint()?;
                let entries = Counted(group, what);
                let label = format_args!("{entries} of {}", Named(self.file, dialect));
                self.mark(PartOf::Dialect(dialect as u32), label)?;
                for _ in 0..group {
                    let (size, custom) = self.cursor.varint_with_flag()?;
                    let form = if custom { "encoded" } else { "text" };
                    let of = PartOf::entry(table, index as u32, dialect as u32, None);
                    self.mark(of, format_args!("{what} {index}: {}, {form}", Counted(size, "byte")))?;
                    index += 1;
                }
            }
        }
        Ok(())
    }

    fn entries(&mut self) -> Result<()> {
        let counts = self.file.counts()?;
        let end = self.cursor.end();
        for (table, count) in [(Table::Attributes, counts.attributes), (Table::Types, counts.types)] {
            let what = table.what();
            for index in 0..count {
                let entry = self.file.entry(table, index)?;
                let dialect = Named(self.file, entry.dialect.into());
                self.cursor.jump(entry.range.end, end);
                let of = |code| PartOf::entry(table, index, entry.dialect, code);
                match (entry.custom, self.file.data().get(entry.range.clone())) {
                    (false, Some(text)) => {
                        let text = String::from_utf8_lossy(text.strip_suffix(&[0]).unwrap_or(text));
                        self.mark(of(None), format_args!("{what} {index} of {dialect}: {text}"))?;
                    }
                    _ => match Cursor::new(self.file.data(), entry.range.start, entry.range.end).varint() {
                        Ok(code) => {
                            let label = format_args!("{what} {index} of {dialect}: encoded, code {code}");
                            self.mark(of(Some(code)), label)?;
                        }
                        Err(_) => self.mark(of(None), format_args!("{what} {index} of {dialect}: encoded, no code"))?,
                    },
                }
            }
        }
        Ok(())
    }

    fn properties(&mut self) -> Result<()> {
        if self.cursor.is_empty() {
            return Ok(());
        }
        let count = self.cursor.varint()?;
        self.counted(count, "property blob")?;
        for index in 0..count {
            let bytes = Counted(self.cursor.blob()?.len() as u64, "byte");
            let label = format_args!("property blob {index}: {bytes}, the size before");
            self.mark(PartOf::Properties(index as u32), label)?;
        }
        Ok(())
    }

    /// What says of a resource that it is `owner`'s and called so.
    fn resource(&self, owner: &'a [u8], key: u64) -> PartOf<'a> {
        PartOf::Resource { owner, key: string(self.file, key).unwrap_or_default() }
    }

    fn resource_group(&mut self, owner: &'a [u8]) -> Result<()> {
        let count = self.cursor.varint()?;
        self.counted(count, "resource")?;
        for _ in 0..count {
            let key = self.cursor.varint()?;
            let size = Counted(self.cursor.varint()?, "byte");
            let kind = match self.cursor.byte()? {
                0 => "blob",
                1 => "bool",
                _ => "string",
            };
            let (of, key) = (self.resource(owner, key), self.quoted(key));
            self.mark(of, format_args!("resource {key}: {kind} of {size}"))?;
        }
        Ok(())
    }

    fn resource_offsets(&mut self) -> Result<()> {
        let external = self.cursor.varint()?;
        self.frame(format_args!("{} of external resources", Counted(external, "group")))?;
        for _ in 0..external {
            let owner = self.cursor.varint()?;
            self.frame(format_args!("external resources of {}", Quoted(self.file, owner)))?;
            self.resource_group(string(self.file, owner).unwrap_or_default())?;
        }
        while !self.cursor.is_empty() {
            let owner = self.cursor.varint()?;
            self.frame(format_args!("resources of {}", Named(self.file, owner)))?;
            self.resource_group(dialect(self.file, owner).unwrap_or_default())?;
        }
        Ok(())
    }

    fn resources(&mut self) -> Result<()> {
        // Sizes and keys stand in the other section.
        let mut offsets = self.file.cursor(SectionId::ResourceOffset);
        let mut external = offsets.varint()?;
        while external > 0 || !offsets.is_empty() {
            let owner = offsets.varint()?;
            let owner = if external > 0 { string(self.file, owner) } else { dialect(self.file, owner) };
            external = external.saturating_sub(1);
            for _ in 0..offsets.varint()? {
                let key = offsets.varint()?;
                let size = offsets.varint()?;
                offsets.byte()?;
                let size = self.cursor.check_count(size, 1, "byte of a resource")?;
                self.cursor.bytes(size)?;
                let (of, key) = (self.resource(owner.unwrap_or_default(), key), self.quoted(key));
                self.mark(of, format_args!("resource {key}"))?;
            }
        }
        Ok(())
    }

    fn operations(&mut self) -> Result<()> {
        let (operations, _) = self.cursor.varint_with_flag()?;
        self.counted(operations, "outermost operation")?;
        let mut frames = vec![Frame { operations, ..Frame::default() }];
        loop {
            let depth = frames.len().saturating_sub(1);
            // Regions are those of the operation around them.
            let of = PartOf::Regions(depth.saturating_sub(1));
            let Some(frame) = frames.last_mut() else { return Ok(()) };
            if frame.operations > 0 {
                frame.operations -= 1;
                if let Some(frame) = self.operation(depth)? {
                    frames.push(frame);
                }
            } else if frame.blocks > 0 {
                frame.blocks -= 1;
                frame.operations = self.block(of)?;
            } else if frame.regions > 0 {
                frame.regions -= 1;
                frame.blocks = self.cursor.varint()?;
                let values = if frame.blocks > 0 { self.cursor.varint()? } else { 0 };
                let (blocks, values) = (Counted(frame.blocks, "block"), Counted(values, "value"));
                self.mark(of, format_args!("region of {blocks}, {values}"))?;
            } else {
                if let Some((end, outer)) = frame.section {
                    self.cursor.jump(end, end);
                    self.mark(of, format_args!("bytes after the last operation"))?;
                    self.cursor.jump(end, outer);
                }
                frames.pop();
            }
        }
    }

    fn block(&mut self, of: PartOf<'_>) -> Result<u64> {
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
        let label = (Counted(operations, "operation"), Counted(arguments as u64, "argument"));
        self.mark(of, format_args!("block of {}, {}", label.0, label.1))?;
        Ok(operations)
    }

    fn operation(&mut self, depth: usize) -> Result<Option<Frame>> {
        let name = self.cursor.index()?;
        let (file, name) = (self.file, self.file.operation_name(name)?);
        let name = file.context().text(file.context().operation_identifier(name));
        let mask = self.cursor.byte()?;
        let has = |bit: u8| mask & bit != 0;
        let start = self.cursor.position();
        let mut label = OperationLabel { name: &name, location: self.cursor.varint()?, ..OperationLabel::default() };
        let location = self.cursor.position().saturating_sub(start);
        for (bit, number) in [(mask::ATTRIBUTES, &mut label.attributes), (mask::PROPERTIES, &mut label.properties)] {
            if has(bit) {
                *number = Some(self.cursor.varint()?);
            }
        }
        for (bit, (what, list)) in
            [mask::RESULTS, mask::OPERANDS, mask::SUCCESSORS].into_iter().zip(LISTS.into_iter().zip(&mut label.lists))
        {
            if has(bit) {
                let count = self.cursor.count(1, what)?;
                for _ in 0..count {
                    self.cursor.varint()?;
                }
                *list = Some(count as u64);
            }
        }
        if has(mask::USE_LISTS) && file.version() >= 3 {
            read_use_lists(&mut self.cursor, label.lists[0].unwrap_or_default() as usize)?;
            label.use_lists = true;
        }
        if has(mask::REGIONS) {
            label.regions = Some(self.cursor.varint_with_flag()?);
        }
        let properties = label.properties.and_then(|number| u32::try_from(number).ok());
        self.mark(PartOf::Operation { depth, properties, location }, format_args!("{label}"))?;
        let Some((regions, isolated)) = label.regions else { return Ok(None) };
        let mut frame = Frame { regions, ..Frame::default() };
        if regions > 0 && isolated && self.file.version() >= 2 {
            let outer = self.cursor.end();
            let section = self.cursor.section()?;
            if section.id != SectionId::Ir as u8 {
                return Err(self.cursor.error("regions stand in no IR section"));
            }
            self.cursor.jump(section.start, section.end);
            self.mark(PartOf::Regions(depth), format_args!("regions of `{name}`: id and length"))?;
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

/// What an operation has lists of, in the order of the file.
const LISTS: [&str; 3] = ["result", "operand", "successor"];

/// What is said of an operation.
#[derive(Default)]
struct OperationLabel<'a> {
    name: &'a str,
    location: u64,
    attributes: Option<u64>,
    properties: Option<u64>,
    /// How many there are of [`LISTS`].
    lists: [Option<u64>; LISTS.len()],
    use_lists: bool,
    /// How many, and whether they are isolated.
    regions: Option<(u64, bool)>,
}

impl Display for OperationLabel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation `{}`: location {}", self.name, self.location)?;
        for (what, number) in [("attributes", self.attributes), ("properties", self.properties)] {
            if let Some(number) = number {
                write!(f, ", {what} {number}")?;
            }
        }
        for (what, count) in LISTS.into_iter().zip(self.lists) {
            if let Some(count) = count {
                write!(f, ", {}", Counted(count, what))?;
            }
        }
        if self.use_lists {
            write!(f, ", use-list orders")?;
        }
        match self.regions {
            Some((regions, isolated)) => {
                write!(f, ", {}{}", Counted(regions, "region"), if isolated { ", isolated" } else { "" })
            }
            None => Ok(()),
        }
    }
}

impl PartOf<'_> {
    fn entry(table: Table, index: u32, dialect: u32, code: Option<u64>) -> Self {
        match table {
            Table::Attributes => PartOf::Attribute { index, dialect, code },
            Table::Types => PartOf::Type { index, dialect, code },
        }
    }
}
