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
/// ```
/// use mlirbc_bytecode::encoding::{DialectExt, Versioned, fields::FieldsEncoding};
/// use mlirbc_bytecode::{WriteOptions, read, upgrade, write};
/// use mlirbc_ir::fields::{DialectFields, Field, FieldKind, FieldsDef};
/// use mlirbc_ir::{Context, Dialect, Module, Parameter};
///
/// const NUMBER: FieldsDef =
///     FieldsDef { mnemonic: "number", code: Some(0), fields: &[Field::required("bits", FieldKind::Unsigned(8)).unnamed()] };
/// const FIELDS: DialectFields = DialectFields { attributes: &[], types: &[NUMBER] };
///
/// // Since version 2, each operation has a colour.
/// let encoding = Versioned::new("toy", 2, FieldsEncoding { dialect: "toy", fields: FIELDS }).on_upgrade(|module, _from| {
///     let all: Vec<_> = module.walk()?.map(|op| op.place()).collect();
///     all.into_iter().try_for_each(|op| module.set_attribute(op, "colour", "red"))
/// });
/// let context = Context::new();
/// context.register(Dialect::new("toy").fields(FIELDS).bytecode(encoding))?;
///
/// let mut module = Module::new(&context);
/// let ty = NUMBER.make_type(&context, "toy", [Parameter::Unsigned(8)]);
/// module.build(|rw| rw.build("toy.make").result_type(ty).create())?;
/// // As an old build writes it.
/// let old = write(&module, &WriteOptions::new().dialect_version("toy", 1))?;
/// let mut module = read(&context, old)?;
/// upgrade(&mut module)?;
/// assert!(module.walk()?.all(|op| op.string("colour").is_ok_and(|colour| colour.as_deref() == Some("red"))));
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
pub struct Versioned<E> {
    dialect: &'static str,
    current: u64,
    encoding: E,
    upgrade: Option<Upgrade>,
}

impl<E> Versioned<E> {
    /// The encoding of a dialect, whose newest version that is.
    pub fn new(dialect: &'static str, current: u64, encoding: E) -> Self {
        Versioned { dialect, current, encoding, upgrade: None }
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
        writer.varint(writer.dialect_number(self.dialect).unwrap_or(self.current));
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
