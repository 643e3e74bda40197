//! The dialect bytecode interface: how a dialect writes its attributes and types into bytecode, and reads them back.
//!
//! A dialect implements [`DialectEncoding`] and attaches it with [`DialectExt::bytecode`]. What it does not encode is
//! written as text. Its files may state a version, which decoders and encoders can ask for, and which [`upgrade`] hands
//! to the dialect, to bring what an older version wrote up to date. Callers who want other encodings than those of
//! the dialects put [`ReadCallbacks`] and [`WriteCallbacks`] before them.
//!
//! [`upgrade`]: crate::upgrade
//!
//! # A dialect of one's own
//!
//! The attribute `#toy.colour` is three numbers. Version 1 of the dialect wrote them as one; version 2 writes a byte
//! each, reads both, and can still write version 1 when asked to.
//!
//! ```
//! use std::sync::Arc;
//!
//! use mlirbc_bytecode::encoding::{DialectEncoding, DialectExt, DialectVersion, EntryReader, EntryWriter};
//! use mlirbc_bytecode::{WriteOptions, read, upgrade, write};
//! use mlirbc_ir::{
//!     Attribute, AttributeData, BodyId, Context, Dialect, DialectValue, Module, OperationSpec, Parameter, Result,
//! };
//!
//! struct Toy;
//!
//! const CURRENT: u64 = 2;
//!
//! fn number(version: Option<&DialectVersion>) -> u64 {
//!     version.and_then(|version| version.downcast_ref()).copied().unwrap_or(CURRENT)
//! }
//!
//! fn colour(context: &Context, rgb: [u8; 3]) -> Attribute {
//!     let parameters = rgb.iter().map(|&part| Parameter::Unsigned(part.into())).collect();
//!     let (dialect, mnemonic) = (context.identifier("toy"), context.identifier("colour"));
//!     context.attribute(AttributeData::Dialect(DialectValue { dialect, mnemonic, parameters }))
//! }
//!
//! impl DialectEncoding for Toy {
//!     fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
//!         let rgb = match number(reader.dialect_version("toy")?.as_ref()) {
//!             1 => {
//!                 let packed = reader.varint()?;
//!                 [(packed >> 16) as u8, (packed >> 8) as u8, packed as u8]
//!             }
//!             _ => [reader.byte()?, reader.byte()?, reader.byte()?],
//!         };
//!         Ok(colour(reader.context(), rgb))
//!     }
//!
//!     fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
//!         let AttributeData::Dialect(value) = &writer.context()[attribute] else { return false };
//!         let [Parameter::Unsigned(r), Parameter::Unsigned(g), Parameter::Unsigned(b)] = *value.parameters else {
//!             return false;
//!         };
//!         match number(writer.dialect_version("toy")) {
//!             1 => writer.varint(r << 16 | g << 8 | b),
//!             _ => [r, g, b].into_iter().for_each(|part| writer.byte(part as u8)),
//!         }
//!         true
//!     }
//!
//!     fn write_version(&self, writer: &mut EntryWriter<'_>) {
//!         let version = number(writer.dialect_version("toy"));
//!         writer.varint(version);
//!     }
//!
//!     fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
//!         match reader.varint()? {
//!             version if version <= CURRENT => Ok(Arc::new(version)),
//!             version => Err(reader.unknown(format!("version {version} of toy is newer than this build"))),
//!         }
//!     }
//!
//!     fn upgrade(&self, _module: &mut Module, version: &DialectVersion) -> Result<()> {
//!         // Operations that changed between the versions are rewritten here.
//!         assert_eq!(number(Some(version)), 1);
//!         Ok(())
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = Context::new();
//! context.register(Dialect::new("toy").bytecode(Toy))?;
//!
//! let mut module = Module::new(&context);
//! let top = BodyId::from_index(Module::TOP);
//! let attributes = context.dictionary(vec![(context.identifier("of"), colour(&context, [1, 2, 3]))])?;
//! let name = context.operation_name("toy.paint", false);
//! let spec = OperationSpec {
//!     attributes: Some(attributes.into()),
//!     ..OperationSpec::new(name, context.unknown_location().into())
//! };
//! let block = module.top()?.first_block(module.top()?.top_regions()[0]).ok_or("no block")?;
//! module.rewrite(top, |rw| {
//!     rw.set_insertion_point_to_end(block)?;
//!     rw.create(&spec)
//! })?;
//!
//! // As an old build reads it.
//! let old = WriteOptions::new().dialect_version("toy", 1);
//! let bytes = write(&module, &old)?;
//!
//! // Read, it is still what its file says, and would be written at version 1 again; upgraded, it is of version 2.
//! let mut module = read(&context, bytes.clone())?;
//! assert_eq!(write(&module, &WriteOptions::default())?, bytes);
//! upgrade(&mut module)?;
//! assert_ne!(write(&module, &WriteOptions::default())?, bytes);
//! # Ok(())
//! # }
//! ```

mod affine;
mod alone;
pub(crate) mod builtin;
mod callbacks;
pub mod fields;
mod members;
mod reader;
mod versioned;
mod waiting;
mod writer;

use std::any::Any;
use std::sync::Arc;

use mlirbc_ir::fields::DialectFields;
use mlirbc_ir::{Attribute, Context, Dialect, Module, ModuleSource, OperationName, Result, Type};

pub use alone::EntryAlone;
pub(crate) use callbacks::{Read, Write};
pub use callbacks::{ReadCallbacks, WriteCallbacks, Written};
use fields::FieldsEncoding;
use members::MembersSince;
pub(crate) use members::{Missing, missing, without};
pub use reader::EntryReader;
pub(crate) use reader::{Met, Path, Resolution, Resolver, Table};
pub use versioned::Versioned;
pub(crate) use waiting::{Waiting, WaitingEntries};
pub use writer::EntryWriter;
pub(crate) use writer::{Sink, varint_bytes};

/// A dialect's version as its own decoder reads it.
pub type DialectVersion = Arc<dyn Any + Send + Sync>;

/// Encodings of a dialect's attributes and types.
///
/// A dialect without them is written as text. What a method does not take up (`None`) is text, too, when writing. What a
/// decoder does not know, for being newer, it says with [`EntryReader::unknown`]: that is kept as it is, and goes back into
/// its file unchanged. By default so is everything with an encoding. Each method may be called more than once for an entry, and
/// must answer alike each time.
pub trait DialectEncoding: Send + Sync {
    /// Decodes an attribute. All bytes of the entry must be consumed.
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        Err(reader.unknown("no encoding of the dialect's attributes is known"))
    }

    /// Decodes a type. All bytes of the entry must be consumed.
    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        Err(reader.unknown("no encoding of the dialect's types is known"))
    }

    /// Encodes an attribute of the dialect; `false`, with nothing written, where it is to be written as text.
    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let _ = (attribute, writer);
        false
    }

    /// Encodes a type of the dialect; `false`, with nothing written, where it is to be written as text.
    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        let _ = (ty, writer);
        false
    }

    /// Decodes the properties of an operation whose definition says that they are encoded by hand
    /// ([`OPAQUE_PROPERTIES`](mlirbc_ir::ods::Traits::OPAQUE_PROPERTIES)): a dictionary. All bytes must be consumed. `None`
    /// where they are to be kept as they are.
    fn read_properties(&self, name: OperationName, reader: &mut EntryReader<'_, '_>) -> Result<Option<Attribute>> {
        let _ = (name, reader);
        Ok(None)
    }

    /// Encodes the properties of such an operation; `false`, with nothing written, where that cannot be done.
    fn write_properties(&self, name: OperationName, properties: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let _ = (name, properties, writer);
        false
    }

    /// Whether [`DialectEncoding::write_from_source`] writes properties of such operations of modules that have this source: one that the
    /// dialect reads from files of another kind.
    fn knows_source(&self, source: &dyn ModuleSource) -> bool {
        let _ = source;
        false
    }

    /// Encodes properties that have this number in a source that [is known](DialectEncoding::knows_source), as
    /// [`DialectEncoding::write_properties`] encodes the dictionary that the source would make of them; `false` where that cannot be done.
    /// They refer to no attribute, type or resource.
    fn write_from_source(
        &self,
        name: OperationName,
        properties: (&dyn ModuleSource, u32),
        writer: &mut EntryWriter<'_>,
    ) -> bool {
        let _ = (name, properties, writer);
        false
    }

    /// Whether attributes of the dialect refer to resources of its own.
    fn has_resources(&self) -> bool {
        false
    }

    /// Whether this is how MLIR's own build of the dialect encodes: then it is used for a dialect that is written as
    /// [unregistered](crate::WriteOptions::unregistered), too.
    fn is_of_mlir(&self) -> bool {
        false
    }

    /// Encodes the version of the dialect; nothing written where it has none. That is the version that
    /// [`EntryWriter::dialect_version`] gives for the dialect itself, else the current one.
    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        let _ = writer;
    }

    /// Decodes the version that the dialect wrote into a file; called once a file, when first needed. Of a version that it
    /// does not [know](EntryReader::unknown), entries that ask for the version are kept as they are.
    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        Err(reader.unknown("no version of the dialect is known"))
    }

    /// The version as a number that grows from one version to the next, for [`DialectExt::since`]. A `u64` counts as itself unless
    /// told otherwise; a version without a number has all members.
    fn number(&self, version: &DialectVersion) -> Option<u64> {
        version.downcast_ref().copied()
    }

    /// Brings a module up to date that was written by an older version of the dialect: called by
    /// [`upgrade`](crate::upgrade), for any version that a file states, the current one included.
    fn upgrade(&self, module: &mut Module, version: &DialectVersion) -> Result<()> {
        let _ = (module, version);
        Ok(())
    }
}

/// What [`DialectExt::bytecode`] attaches to a dialect.
struct Attached(Arc<dyn DialectEncoding>);

/// Attaching encodings to a dialect.
pub trait DialectExt {
    /// Registers how the dialect's attributes and types are written in bytecode.
    #[must_use]
    fn bytecode(self, encoding: impl DialectEncoding + 'static) -> Self;

    /// The encoding of a dialect all of whose attributes and types are those of [`Dialect::fields`], which comes before: they are written as
    /// their definitions say, in versions from 1 to `current`. `upgrade` brings a module up to date whose file states an older version: it
    /// is told which one. [`DialectExt::bytecode`] takes a [`Versioned`] where some need code.
    ///
    /// ```
    /// use mlirbc_bytecode::encoding::DialectExt;
    /// use mlirbc_bytecode::{WriteOptions, read, upgrade, write};
    /// use mlirbc_ir::fields::{DialectFields, Field, FieldKind, FieldsDef};
    /// use mlirbc_ir::{Context, Dialect, Module, Parameter, Result};
    ///
    /// const BITS: &[Field] = &[Field::required("bits", FieldKind::Unsigned(8)).unnamed()];
    /// const NUMBER: FieldsDef = FieldsDef::new("number", 0, BITS);
    ///
    /// // Since version 2, each operation has a colour.
    /// fn colour(module: &mut Module, _from: u64) -> Result<()> {
    ///     let all = module.places(|_| true)?;
    ///     all.into_iter().try_for_each(|op| module.set_attribute(op, "colour", "red"))
    /// }
    ///
    /// let context = Context::new();
    /// context.register(Dialect::new("toy").fields(DialectFields::types(&[NUMBER])).versions(2, colour))?;
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
    #[must_use]
    fn versions(self, current: u64, upgrade: impl Fn(&mut Module, u64) -> Result<()> + Send + Sync + 'static) -> Self;

    /// What was registered by [`DialectExt::bytecode`].
    fn encoding(&self) -> Option<Arc<dyn DialectEncoding>>;

    /// Says that an operation (by its name without the dialect's) has these members of its properties since a
    /// [version](DialectEncoding::number) of the dialect. Files that state an older one have properties without them; a module
    /// that holds one cannot be written at such a version but with losses.
    #[must_use]
    fn since(self, operation: &str, members: &[&str], version: u64) -> Self;
}

impl DialectExt for Dialect {
    fn bytecode(self, encoding: impl DialectEncoding + 'static) -> Self {
        self.extension(Attached(Arc::new(encoding)))
    }

    fn versions(self, current: u64, upgrade: impl Fn(&mut Module, u64) -> Result<()> + Send + Sync + 'static) -> Self {
        let fields = self.get::<DialectFields>().map(|fields| *fields).unwrap_or_default();
        let encoding = FieldsEncoding { dialect: Box::<str>::from(self.name()), fields };
        let versioned = Versioned::new(self.name(), current, encoding).on_upgrade(upgrade);
        self.bytecode(versioned)
    }

    fn encoding(&self) -> Option<Arc<dyn DialectEncoding>> {
        Some(self.get::<Attached>()?.0.clone())
    }

    fn since(self, operation: &str, members: &[&str], version: u64) -> Self {
        self.amend(|since: &mut MembersSince| {
            let known = since.0.entry(operation.into()).or_default();
            known.extend(members.iter().map(|&member| (member.into(), version)));
        })
    }
}

/// The encodings of the dialect of that name: registered, or those of `builtin`.
pub(crate) fn find(context: &Context, dialect: &[u8]) -> Option<Arc<dyn DialectEncoding>> {
    let name = std::str::from_utf8(dialect).ok()?;
    let attached = context.dialect(name).and_then(|dialect| dialect.encoding());
    match name {
        "builtin" => attached.or_else(|| Some(Arc::new(builtin::Builtin))),
        _ => attached,
    }
}
