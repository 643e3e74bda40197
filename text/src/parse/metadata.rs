//! Parsing `{-# ... #-}`: the resources of a file.

use std::collections::hash_map::Entry;

use super::module::OpParser;
use mlirbc_ir::{Error, Identifier, ResourceEntry, ResourceGroup, ResourceKey, ResourceValue, Result};

impl<'a> OpParser<'a> {
    pub(super) fn metadata(&mut self) -> Result<()> {
        self.resume = self.at.here();
        self.at.seek(self.at.position() + 3);
        if self.metadata_ends() {
            return Ok(());
        }
        loop {
            let start = self.at.here();
            let title = self.at.word();
            let dialect = match title {
                b"dialect_resources" => true,
                b"external_resources" => false,
                b"" => return Err(self.at.expected("`dialect_resources` or `external_resources`")),
                _ => {
                    let message = format!("unknown key {} in file metadata", Error::quoted(title));
                    return Err(self.at.error_at(start, message));
                }
            };
            self.at.expect(b':')?;
            self.at.expect(b'{')?;
            self.list(b'}', |parser| parser.group(dialect))?;
            if self.metadata_ends() {
                return Ok(());
            }
            if !self.at.eat(b',') {
                return Err(self.at.expected("`,` or `#-}`"));
            }
        }
    }

    fn metadata_ends(&mut self) -> bool {
        self.at.skip();
        let ends = self.at.source()[self.at.position()..].starts_with(b"#-}");
        self.at.seek(self.at.position() + if ends { 3 } else { 0 });
        ends
    }

    fn name(&mut self, what: &str) -> Result<std::borrow::Cow<'a, [u8]>> {
        let name = if self.at.is_at(b'"') { self.at.string()? } else { self.at.word().into() };
        if name.is_empty() { Err(self.at.expected(what)) } else { Ok(name) }
    }

    fn group(&mut self, dialect: bool) -> Result<()> {
        let owner = self.name("the owner of resources")?;
        let owner = self.context().identifier(&owner);
        self.at.expect(b':')?;
        self.at.expect(b'{')?;
        // A group that comes again goes on.
        let found = self.resources.iter().position(|group| group.owner == owner && group.dialect == dialect);
        let group = found.unwrap_or_else(|| {
            self.resources.push(ResourceGroup { owner, dialect, entries: Vec::new() });
            self.resources.len() - 1
        });
        let scope_owner = self.at.scope().owner();
        self.list(b'}', |parser| {
            let entry = parser.resource(owner, dialect.then_some(scope_owner))?;
            let entries = &mut parser.resources[group].entries;
            // An attribute refers to one value: of a dialect's resource that is given twice it is the last, as in MLIR.
            match entry.handle.map(|handle| parser.resource_places.entry(handle)) {
                Some(Entry::Occupied(place)) => entries[*place.get()] = entry,
                place => {
                    if let Some(place) = place {
                        place.insert_entry(entries.len());
                    }
                    entries.push(entry);
                }
            }
            Ok(())
        })
    }

    fn resource(&mut self, dialect: Identifier, owner: Option<u64>) -> Result<ResourceEntry> {
        let key: bytes::Bytes = self.name("the key of a resource")?.into_owned().into();
        self.at.expect(b':')?;
        let is_blob = owner.is_some() && self.context().bytes(dialect) == b"builtin";
        let value = match self.at.peek() {
            Some(b'"') if owner.is_some() || self.at.source()[self.at.position()..].starts_with(b"\"0x") => {
                self.blob(&key)?
            }
            Some(b'"') => ResourceValue::String(self.at.string()?.into_owned().into()),
            _ if is_blob => return Err(self.at.expected("a string of hex digits for a resource of `builtin`")),
            _ if self.at.eat_word(b"true") => ResourceValue::Bool(true),
            _ if self.at.eat_word(b"false") => ResourceValue::Bool(false),
            _ => return Err(self.at.expected("a string, `true` or `false`")),
        };
        let handle = owner.map(|owner| self.context().resource(ResourceKey { dialect, key: (*key).into(), owner }));
        Ok(ResourceEntry { key, handle, value })
    }

    /// A string of hexadecimal digits: the alignment in four bytes, then the data.
    fn blob(&mut self, key: &[u8]) -> Result<ResourceValue> {
        let start = self.at.here();
        let end = self.at.skip_string()?;
        let digits = self.at.source()[start + 1..end].strip_prefix(b"0x").unwrap_or_default();
        if digits.len() < 8 || !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
            let message = format!(
                "expected a string of hex digits for resource `{}`: `0x`, its alignment in four bytes, its data",
                key.escape_ascii()
            );
            return Err(self.at.error_at(start, message));
        }
        let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
        let byte = |pair: &[u8]| digit(pair[0]) << 4 | digit(pair[1]);
        let (alignment, data) = digits.split_at(8);
        let alignment = alignment.chunks_exact(2).rev().fold(0, |value, pair| value << 8 | u64::from(byte(pair)));
        if !alignment.is_power_of_two() {
            let message = format!("the alignment of resource {} is no power of two", Error::quoted(key));
            return Err(self.at.error_at(start, message));
        }
        let data: Vec<u8> = data.chunks_exact(2).map(byte).collect();
        Ok(ResourceValue::Blob { alignment, data: data.into() })
    }
}
