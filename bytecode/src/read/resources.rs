//! Resources (`BytecodeFormat.md` of MLIR, "Resource Section"): groups of keys and sizes in one section, payloads in another.

use bytes::Bytes;
use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{Error, Identifier, ResourceEntry, ResourceGroup, ResourceHandle, ResourceKey, ResourceValue, Result};

use super::file::{BytecodeFile, Resources};
use super::lazy::lazily;
use crate::format::{Cursor, SectionId};

impl BytecodeFile {
    /// The resources, read when first needed.
    pub(crate) fn resources(&self) -> Result<&Resources> {
        lazily(&self.resources, || {
            let mut reader = Reader {
                file: self,
                offsets: self.cursor(SectionId::ResourceOffset),
                payloads: self.cursor(SectionId::Resource),
                resources: Resources::default(),
                seen: HashSet::new(),
                numbers: HashMap::new(),
            };
            reader.read().map_err(|error| {
                let at = reader.offsets.position() as u64;
                error.at(at).in_section(SectionId::ResourceOffset.name()).reading("the resources")
            })?;
            Ok(reader.resources)
        })
    }
}

struct Reader<'a> {
    file: &'a BytecodeFile,
    offsets: Cursor<'a>,
    payloads: Cursor<'a>,
    resources: Resources,
    /// Handles given out so far.
    seen: HashSet<ResourceHandle>,
    /// For keys that came twice, by the handle of the first: the last number that was tried.
    numbers: HashMap<ResourceHandle, u64>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<()> {
        if self.file.section(SectionId::ResourceOffset).is_none() {
            return Ok(());
        }
        let external = self.offsets.count(2, "group of external resources")?;
        for _ in 0..external {
            let owner = self.offsets.index()?;
            let owner = self.file.string(owner)?;
            self.file.allowance.take(owner.len() as u64)?;
            let owner = self.file.context().identifier(owner);
            let entries = self.entries(None)?;
            self.resources.groups.push(ResourceGroup { owner, dialect: false, entries });
        }
        while !self.offsets.is_empty() {
            let number = self.offsets.index()?;
            let owner = self.file.dialect_name(number)?;
            let encoding = self.file.known_dialects()?.get(number as usize).and_then(|known| known.encoding.as_ref());
            // A dialect that is not registered may have resources: they are kept as they are.
            if encoding.is_some_and(|encoding| !encoding.has_resources()) {
                let name = Error::quoted(self.file.context().bytes(owner));
                return Err(self.offsets.error(format!("the dialect {name} has no resources")));
            }
            let entries = self.entries(Some(owner))?;
            self.resources.handles.extend(entries.iter().filter_map(|entry| entry.handle));
            self.resources.groups.push(ResourceGroup { owner, dialect: true, entries });
        }
        match self.payloads.remaining() {
            0 => Ok(()),
            left => {
                let error =
                    Error::malformed(format!("{} of resources that no entry covers", Error::counted(left, "byte")));
                Err(error.at(self.payloads.position() as u64).in_section(SectionId::Resource.name()))
            }
        }
    }

    /// The handle and the key of a dialect's resource. A key may come twice: each time it is another resource, and as in MLIR
    /// (`DialectResourceBlobManager::insert`) the second one is called by the first number that makes the key another.
    fn handle(&mut self, dialect: Identifier, key: &[u8]) -> Result<(ResourceHandle, Option<Vec<u8>>)> {
        let (context, owner) = (self.file.context(), self.file.number());
        self.file.allowance.take(key.len() as u64)?;
        let first = context.resource(ResourceKey { dialect, key: key.into(), owner });
        if self.seen.insert(first) {
            return Ok((first, None));
        }
        loop {
            let number = self.numbers.entry(first).or_insert(0);
            *number = number.saturating_add(1);
            let other = [key, b"_", number.to_string().as_bytes()].concat();
            self.file.allowance.take(other.len() as u64)?;
            let handle = context.resource(ResourceKey { dialect, key: other.as_slice().into(), owner });
            if self.seen.insert(handle) {
                return Ok((handle, Some(other)));
            }
        }
    }

    /// The entries of a group: of a dialect, or of an external owner.
    fn entries(&mut self, dialect: Option<Identifier>) -> Result<Vec<ResourceEntry>> {
        let builtin = dialect.is_some_and(|dialect| self.file.context().bytes(dialect) == b"builtin");
        let count = self.offsets.count(3, "resource")?;
        let mut entries = Vec::new();
        for _ in 0..count {
            let key = self.offsets.index()?;
            let key = self.file.string(key)?;
            let size = self.offsets.varint()?;
            let kind = self.offsets.byte()?;
            if kind > 2 {
                return Err(self.offsets.error(format!("no resource has the kind {kind}")));
            }
            if builtin && kind != 0 {
                return Err(self.offsets.error("a resource of the builtin dialect is no blob"));
            }
            let (handle, other) = match dialect {
                Some(dialect) => {
                    let (handle, other) = self.handle(dialect, key)?;
                    (Some(handle), other)
                }
                None => (None, None),
            };
            if size == 0 && handle.is_none() {
                return Err(self.offsets.error("an external resource without data"));
            }
            let value = match size {
                0 => ResourceValue::Declared(kind),
                _ => self.value(size, kind).map_err(|error| error.in_section(SectionId::Resource.name()))?,
            };
            // Strings are shared: each of their copies counts.
            self.file.allowance.take(key.len() as u64)?;
            let key = other.map_or_else(|| self.file.view(key), Bytes::from);
            entries.push(ResourceEntry { key, handle, value });
        }
        Ok(entries)
    }

    fn value(&mut self, size: u64, kind: u8) -> Result<ResourceValue> {
        let size = self.payloads.check_count(size, 1, "byte of a resource")?;
        let start = self.payloads.position();
        self.payloads.skip(size);
        let mut payload = self.payloads;
        payload.jump(start, self.payloads.position());
        let value = match kind {
            0 => {
                let alignment = payload.varint()?;
                let length = payload.varint()?;
                payload.align(alignment)?;
                self.resources.alignment = self.resources.alignment.max(alignment);
                let length = payload.check_count(length, 1, "byte of a blob")?;
                let start = payload.position();
                payload.skip(length);
                ResourceValue::Blob { alignment, data: self.file.blob(start..payload.position()) }
            }
            1 => ResourceValue::Bool(payload.byte()? != 0),
            _ => {
                let index = payload.index()?;
                let string = self.file.string(index).map_err(|error| error.at(payload.position() as u64))?;
                self.file.allowance.take(string.len() as u64)?;
                ResourceValue::String(self.file.view(string))
            }
        };
        match payload.remaining() {
            0 => Ok(value),
            left => Err(payload.error(format!("{} left of a resource", Error::counted(left, "byte")))),
        }
    }
}
