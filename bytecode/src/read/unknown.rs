//! What cannot be decoded: kept as it is, and named on demand.

use std::collections::HashSet;
use std::fmt;

use mlirbc_ir::{BodyId, Error, ErrorKind, Identifier, Module, OpId, OperationName, Result};

use super::file::BytecodeFile;
use super::slots::is_opaque;
use crate::encoding::{Resolution, Resolver, Table};

/// What a part of a file is that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnknownKind {
    /// An entry of the table of attributes.
    Attribute,
    /// An entry of the table of types.
    Type,
    /// The properties of operations of one name.
    Properties,
    /// The version of a dialect.
    DialectVersion,
}

/// A part of a file that this build does not understand, though it knows its dialect or operation: made, most likely, by
/// something newer. It is kept as it is.
#[derive(Clone, Debug)]
pub struct UnknownPart {
    /// What it is.
    pub kind: UnknownKind,
    /// Its place in its table, from 0.
    pub index: u32,
    /// The dialect; of properties, the name of the operation.
    pub of: Identifier,
    /// What is not understood of it, and where.
    pub error: Error,
    name: String,
}

impl fmt::Display for UnknownPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownPart { kind, index, name, error, .. } = self;
        match kind {
            UnknownKind::Attribute => write!(f, "attribute {index} of {name}"),
            UnknownKind::Type => write!(f, "type {index} of {name}"),
            UnknownKind::Properties => write!(f, "properties {index} of {name}"),
            UnknownKind::DialectVersion => write!(f, "the version of the dialect {name}"),
        }?;
        write!(f, ": unknown to this build: {error}")
    }
}

impl BytecodeFile {
    fn part(&self, kind: UnknownKind, index: u32, of: Identifier, error: Error) -> UnknownPart {
        UnknownPart { kind, index, of, error, name: Error::quoted(self.context.bytes(of)) }
    }

    /// What is not known of the version of a dialect, if it is not.
    ///
    /// # Errors
    /// Where the version is broken.
    pub(crate) fn unknown_version(&self, dialect: Identifier) -> Result<Option<UnknownPart>> {
        let Ok(name) = std::str::from_utf8(self.context.bytes(dialect)) else { return Ok(None) };
        match self.dialect_version(name) {
            Err(error) if error.kind() == ErrorKind::Unknown => {
                Ok(Some(self.part(UnknownKind::DialectVersion, 0, dialect, error)))
            }
            result => result.map(|_| None),
        }
    }

    /// Why an entry is opaque whose dialect has encodings; `None` for any other entry.
    ///
    /// # Errors
    /// Where the entry is broken.
    pub(crate) fn unknown_entry(&self, table: Table, index: u32) -> Result<Option<UnknownPart>> {
        if !is_opaque(self.resolve(table, index)?) {
            return Ok(None);
        }
        let (entry, known) = (self.entry(table, index)?, self.known_dialects()?);
        let Some(dialect) = known.get(entry.dialect as usize) else { return Ok(None) };
        // What is nested in it is decoded by now.
        let error = match self.decode_custom(table, &entry, dialect, &mut Resolution::alone()) {
            Ok(None) => return Ok(None),
            Ok(Some(_)) => Error::new(ErrorKind::Unknown, "it was not known when it was read"),
            Err(error) => error.at(entry.range.start as u64),
        };
        let kind = match table {
            Table::Attributes => UnknownKind::Attribute,
            Table::Types => UnknownKind::Type,
        };
        Ok(Some(self.part(kind, index, dialect.name, error)))
    }
}

/// What a module's file has that this build does not understand, of dialects and operations that it knows: attributes,
/// types, versions of dialects, and properties of operations. All of the module is read for that.
///
/// What belongs to dialects without registered encodings, and the properties of operations without a definition, is
/// kept in the same way, and is not named here: it is not expected to be understood. A module that was not read from bytecode, or that
/// was [detached](crate::detach), has none.
///
/// # Errors
/// Where part of the file is broken: as [`decode_all`](crate::decode_all).
pub fn unknown_parts(module: &Module) -> Result<Vec<UnknownPart>> {
    let Some(file) = BytecodeFile::of(module).filter(|file| !file.data().is_empty()) else { return Ok(Vec::new()) };
    let mut parts = Vec::new();
    for dialect in file.known_dialects()? {
        parts.extend(file.unknown_version(dialect.name)?);
    }
    let counts = file.counts()?;
    for (table, count) in [(Table::Attributes, counts.attributes), (Table::Types, counts.types)] {
        for index in 0..count {
            parts.extend(file.unknown_entry(table, index)?);
        }
    }
    module.load_all()?;
    let mut seen: HashSet<(OperationName, u32)> = HashSet::new();
    for at in 0..module.body_count() {
        let id = BodyId::from_index(at);
        let Some(body) = module.loaded(id).filter(|_| !module.is_fragment(id)) else { continue };
        for op in (0..body.operation_count()).map(OpId::from_index) {
            let Some(blob) = body.properties(op).and_then(|properties| properties.in_source()) else { continue };
            let name = body.name(op);
            if seen.insert((name, blob))
                && let Some(error) = file.unknown_properties(name, blob)?
            {
                parts.push(file.part(UnknownKind::Properties, blob, file.context.operation_identifier(name), error));
            }
        }
    }
    Ok(parts)
}
