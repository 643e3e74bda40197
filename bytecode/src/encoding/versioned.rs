//! Dialects whose versions are numbers.

use std::sync::Arc;

use mlirbc_ir::{Attribute, Module, ModuleSource, OperationName, Result, Type};

use super::{DialectEncoding, DialectVersion, EntryReader, EntryWriter};

type Upgrade = Box<dyn Fn(&mut Module, u64) -> Result<()> + Send + Sync>;

/// An encoding with versions that are numbers from 1 on: files say which one they are of, those of a newer one than this build has are
/// kept as they are, and those of an older one are brought up to date by [`upgrade`](crate::upgrade).
///
/// What of the encoding differs from version to version asks [`EntryReader::dialect_number`] and [`EntryWriter::dialect_number`]; members
/// of operations are told of with [`DialectExt::since`](super::DialectExt::since).
///
/// [`DialectExt::versions`](super::DialectExt::versions) makes one where all attributes and types have definitions. This is for encodings by code:
///
/// ```
/// use mlirbc_bytecode::encoding::{DialectEncoding, DialectExt, Versioned};
///
/// struct Encoding; // what it says nothing of is text
///
/// impl DialectEncoding for Encoding {}
///
/// let encoding = Versioned::new("toy", 2, Encoding).on_upgrade(|module, from| {
///     println!("a file of version {from}");
///     module.places(|op| op.is("toy.make"))?.into_iter().try_for_each(|op| module.set_attribute(op, "colour", "red"))
/// });
/// let dialect = mlirbc_ir::Dialect::new("toy").bytecode(encoding);
/// assert!(dialect.encoding().is_some());
/// ```
pub struct Versioned<E> {
    dialect: Box<str>,
    current: u64,
    encoding: E,
    upgrade: Option<Upgrade>,
}

impl<E> Versioned<E> {
    /// The encoding of a dialect, whose newest version that is.
    pub fn new(dialect: impl Into<Box<str>>, current: u64, encoding: E) -> Self {
        Versioned { dialect: dialect.into(), current, encoding, upgrade: None }
    }

    /// Sets what brings a module up to date whose file states an older version: it is told which one.
    #[must_use]
    pub fn on_upgrade(mut self, upgrade: impl Fn(&mut Module, u64) -> Result<()> + Send + Sync + 'static) -> Self {
        self.upgrade = Some(Box::new(upgrade));
        self
    }
}

impl<E: DialectEncoding> DialectEncoding for Versioned<E> {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        self.encoding.read_attribute(reader)
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        self.encoding.read_type(reader)
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        self.encoding.write_attribute(attribute, writer)
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        self.encoding.write_type(ty, writer)
    }

    fn read_properties(&self, name: OperationName, reader: &mut EntryReader<'_, '_>) -> Result<Option<Attribute>> {
        self.encoding.read_properties(name, reader)
    }

    fn write_properties(&self, name: OperationName, properties: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        self.encoding.write_properties(name, properties, writer)
    }

    fn knows_source(&self, source: &dyn ModuleSource) -> bool {
        self.encoding.knows_source(source)
    }

    fn write_from_source(
        &self,
        name: OperationName,
        properties: (&dyn ModuleSource, u32),
        writer: &mut EntryWriter<'_>,
    ) -> bool {
        self.encoding.write_from_source(name, properties, writer)
    }

    fn has_resources(&self) -> bool {
        self.encoding.has_resources()
    }

    fn is_of_mlir(&self) -> bool {
        self.encoding.is_of_mlir()
    }

    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        writer.varint(writer.dialect_number(&self.dialect).unwrap_or(self.current));
    }

    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        match reader.varint()? {
            version if (1..=self.current).contains(&version) => Ok(Arc::new(version)),
            version => {
                Err(reader.unknown(format!("this build has no version {version} of the dialect {}", self.dialect)))
            }
        }
    }

    fn upgrade(&self, module: &mut Module, version: &DialectVersion) -> Result<()> {
        match (self.number(version), &self.upgrade) {
            (Some(version), Some(upgrade)) if version < self.current => upgrade(module, version),
            _ => Ok(()),
        }
    }
}
