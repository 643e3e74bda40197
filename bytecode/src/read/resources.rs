//! Resources (fact sheet, section 7): groups of keys and sizes in one section, payloads in another.

use bytes::Bytes;
use mlirbc_ir::{Error, ResourceEntry, ResourceGroup, ResourceHandle, ResourceKey, ResourceValue, Result};

use super::cursor::Cursor;
use super::file::BytecodeFile;
use super::sections::SectionId;

/// The resources of a file: views of it, not copies.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    pub(crate) groups: Vec<ResourceGroup>,
    /// Handles by number: all entries of dialects, in the order of the file.
    pub(crate) handles: Vec<ResourceHandle>,
    /// The largest alignment that a blob asks for.
    pub(crate) alignment: u64,
}

impl Resources {
    pub(crate) fn read(file: &BytecodeFile) -> Result<Self> {
        let mut reader = Reader {
            file,
            offsets: file.cursor(SectionId::ResourceOffset),
            payloads: file.cursor(SectionId::Resource),
            resources: Resources::default(),
        };
        reader.read().map_err(|error| error.in_section(SectionId::ResourceOffset.name()))?;
        Ok(reader.resources)
    }
}

struct Reader<'a> {
    file: &'a BytecodeFile,
    offsets: Cursor<'a>,
    payloads: Cursor<'a>,
    resources: Resources,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<()> {
        if self.file.section(SectionId::ResourceOffset).is_none() {
            return Ok(());
        }
        let external = self.offsets.count(2, "groups of external resources")?;
        for _ in 0..external {
            let owner = self.offsets.index()?;
            let owner = self.file.context().identifier(self.file.string(owner)?);
            let entries = self.entries(|_| None)?;
            self.resources.groups.push(ResourceGroup { owner, dialect: false, entries });
        }
        while !self.offsets.is_empty() {
            let number = self.offsets.index()?;
            let owner = self.file.dialect_name(number)?;
            let context = self.file.context().clone();
            let number = self.file.number();
            let entries = self.entries(|key| {
                Some(context.resource(ResourceKey { dialect: owner, key: key.into(), owner: number }))
            })?;
            self.resources.handles.extend(entries.iter().filter_map(|entry| entry.handle));
            self.resources.groups.push(ResourceGroup { owner, dialect: true, entries });
        }
        match self.payloads.remaining() {
            0 => Ok(()),
            left => {
                let error = Error::malformed(format!("{left} bytes of resources that no entry covers"));
                Err(error.at(self.payloads.position() as u64).in_section(SectionId::Resource.name()))
            }
        }
    }

    fn entries(&mut self, mut handle: impl FnMut(&[u8]) -> Option<ResourceHandle>) -> Result<Vec<ResourceEntry>> {
        let count = self.offsets.count(3, "resources")?;
        let mut entries = Vec::new();
        for _ in 0..count {
            let key = self.offsets.index()?;
            let key = self.file.string(key)?;
            let size = self.offsets.varint()?;
            let kind = self.offsets.byte()?;
            if kind > 2 {
                return Err(self.offsets.error(format!("no resource has the kind {kind}")));
            }
            let handle = handle(key);
            if size == 0 && handle.is_none() {
                return Err(self.offsets.error("an external resource without data"));
            }
            let value = match size {
                0 => ResourceValue::Declared(kind),
                _ => self.value(size, kind).map_err(|error| error.in_section(SectionId::Resource.name()))?,
            };
            entries.push(ResourceEntry { key: key.to_vec(), handle, value });
        }
        Ok(entries)
    }

    fn value(&mut self, size: u64, kind: u8) -> Result<ResourceValue> {
        let size = self.payloads.check_count(size, 1, "bytes of a resource")?;
        let start = self.payloads.position();
        let mut payload = self.payloads;
        payload.jump(start, start + size);
        self.payloads.bytes(size)?;
        let value = match kind {
            0 => {
                let alignment = payload.varint()?;
                let length = payload.varint()?;
                payload.align(alignment)?;
                self.resources.alignment = self.resources.alignment.max(alignment);
                let length = payload.check_count(length, 1, "bytes of a blob")?;
                let bytes = payload.bytes(length)?;
                let data = if bytes.is_empty() { Bytes::new() } else { self.file.data().slice_ref(bytes) };
                ResourceValue::Blob { alignment, data }
            }
            1 => ResourceValue::Bool(payload.byte()? != 0),
            _ => {
                let index = payload.index()?;
                ResourceValue::String(self.file.string(index)?.to_vec())
            }
        };
        match payload.remaining() {
            0 => Ok(value),
            left => Err(payload.error(format!("{left} bytes left of a resource"))),
        }
    }
}
