//! Header and section table: all that opening a file reads (`BytecodeFormat.md` of MLIR, "Sections").

use std::ops::Range;

use crate::format::{Cursor, Data, MAGIC, NEWEST_VERSION, SectionId};
use mlirbc_ir::{Error, ErrorCode, Result};

/// What opening a file finds.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) version: u64,
    pub(crate) producer: Range<usize>,
    sections: [Option<Range<usize>>; 9],
    /// The largest that a section asks for.
    pub(crate) alignment: u64,
}

impl Header {
    /// What stands before the sections, the version and the place of the producer, and a cursor behind it.
    #[inline(always)]
    fn front<'a>(data: Data<'a>) -> Result<(u64, Range<usize>, Cursor<'a>)> {
        let mut cursor = Cursor::new(data, 0, data.bytes().len());
        if cursor.bytes(4).ok() != Some(&MAGIC[..]) {
            let message = "not MLIR bytecode: the file does not begin with 4D 4C EF 52";
            return Err(Error::malformed(message).at(0).reading("the header"));
        }
        let version = cursor.varint().map_err(|error| error.reading("the version"))?;
        if version > NEWEST_VERSION {
            let message = format!("bytecode version {version} is newer than {NEWEST_VERSION}");
            let error = Error::malformed(message).with_code(ErrorCode::BytecodeVersion);
            return Err(error.at(4).reading("the version"));
        }
        let start = cursor.position();
        let producer = cursor.c_string().map_err(|error| error.reading("the producer"))?;
        Ok((version, start..start.saturating_add(producer.len()), cursor))
    }

    /// The header of a file whose sections are known: nothing behind the producer is looked at.
    ///
    /// # Errors
    /// Where the front is malformed, or the sections cannot be those of a file of that length.
    pub(crate) fn known(data: Data<'_>, sections: [Option<Range<usize>>; 9], alignment: u64) -> Result<Self> {
        let (version, producer, cursor) = Self::front(data)?;
        let header = Header { version, producer, sections, alignment };
        let mut end = cursor.position();
        for (id, at) in header.in_order() {
            if id == SectionId::DialectVersions || at.start <= end || at.end < at.start || at.end > data.bytes().len() {
                return Err(Error::malformed(format!("the {} section is not where it can be", id.name())));
            }
            end = at.end;
        }
        header.check(data.bytes().len())?;
        Ok(header)
    }

    pub(crate) fn read<'a>(data: impl Into<Data<'a>>) -> Result<Self> {
        let data = data.into();
        let (version, producer, mut cursor) = Self::front(data)?;
        let mut header = Header { version, producer, sections: Default::default(), alignment: 1 };
        while !cursor.is_empty() {
            let at = cursor.position() as u64;
            let section = cursor.section().map_err(|error| error.reading("a section header"))?;
            let number = usize::from(section.id);
            let (Some(&id), Some(slot)) = (SectionId::ALL.get(number), header.sections.get_mut(number)) else {
                return Err(Error::malformed(format!("no section has the id {number}")).at(at));
            };
            let misplaced = match id {
                // MLIR takes it and drops what it says.
                SectionId::DialectVersions => Some("a dialect versions section outside of the dialect section".into()),
                _ => slot.is_some().then(|| format!("a second {} section", id.name())),
            };
            if let Some(misplaced) = misplaced {
                return Err(Error::malformed(misplaced).at(at).reading("a section header"));
            }
            *slot = Some(section.start..section.end);
            header.alignment = header.alignment.max(section.alignment);
        }
        header.check(data.bytes().len())?;
        Ok(header)
    }

    fn check(&self, length: usize) -> Result<()> {
        use SectionId::*;
        let missing =
            [String, Dialect, AttrType, AttrTypeOffset, Ir].into_iter().find(|&id| self.section(id).is_none());
        let missing = missing.or((self.version >= 5 && self.section(Properties).is_none()).then_some(Properties));
        let missing = missing.or(match (self.section(Resource), self.section(ResourceOffset)) {
            (Some(_), None) => Some(ResourceOffset),
            (None, Some(_)) => Some(Resource),
            _ => None,
        });
        match missing {
            Some(id) => {
                let error = Error::malformed(format!("the {} section is missing", id.name()));
                Err(error.at(length as u64).reading("the section headers"))
            }
            None => Ok(()),
        }
    }

    /// The sections in the order of the file, each with where its data stands.
    pub(crate) fn in_order(&self) -> Vec<(SectionId, Range<usize>)> {
        let sections = SectionId::ALL.into_iter().zip(&self.sections);
        let mut order: Vec<_> = sections.filter_map(|(id, at)| Some((id, at.clone()?))).collect();
        order.sort_by_key(|(_, at)| at.start);
        order
    }

    /// Where the data of a section stands.
    pub(crate) fn section(&self, id: SectionId) -> Option<Range<usize>> {
        self.sections.get(id as usize).cloned().flatten()
    }

    /// A cursor over a section; over nothing where it is absent.
    pub(crate) fn cursor<'a>(&self, data: Data<'a>, id: SectionId) -> Cursor<'a> {
        let range = self.section(id).unwrap_or(0..0);
        Cursor::new(data, range.start, range.end)
    }
}
