//! The dialect bytecode interface: how a dialect writes its attributes and types into bytecode, and reads them back.

pub(crate) mod builtin;
mod callbacks;
mod fields;
mod llvm;
mod quant;
mod test_dialect;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

use std::any::Any;
use std::sync::Arc;

use mlirbc_ir::{Attribute, Context, Dialect, Module, Result, Type};

pub use callbacks::{ReadCallbacks, WriteCallbacks, Written};
pub(crate) use callbacks::{Read, Write};
pub use reader::EntryReader;
pub use writer::EntryWriter;
pub(crate) use writer::{Sink, varint_bytes};
pub(crate) use reader::{Resolution, Resolver, Table};

/// A dialect's version as its own decoder reads it.
pub type DialectVersion = Arc<dyn Any + Send + Sync>;

/// Encodings of a dialect's attributes and types.
///
/// A dialect without them is written as text. What a method does not take up (`None`) is text, too, when writing, and
/// an error when reading.
pub trait DialectEncoding: Send + Sync {
    /// Decodes an attribute. All bytes of the entry must be consumed.
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        Err(reader.error("the dialect has no attributes with an encoding"))
    }

    /// Decodes a type. All bytes of the entry must be consumed.
    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        Err(reader.error("the dialect has no types with an encoding"))
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

    /// Encodes the version of the dialect; nothing written where it has none. That is the version that
    /// [`EntryWriter::dialect_version`] gives for the dialect itself, else the current one.
    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        let _ = writer;
    }

    /// Decodes the version that the dialect wrote into a file; called once a file, when first needed.
    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        Err(reader.error("the dialect has no versions"))
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
}

impl DialectExt for Dialect {
    fn bytecode(self, encoding: impl DialectEncoding + 'static) -> Self {
        self.extension(Attached(Arc::new(encoding)))
    }
}

/// The encodings of the dialect of that name: registered, or known to this crate.
pub(crate) fn find(context: &Context, dialect: &[u8]) -> Option<Arc<dyn DialectEncoding>> {
    let name = std::str::from_utf8(dialect).ok()?;
    if let Some(attached) = context.dialect(name).and_then(|dialect| dialect.get::<Attached>()) {
        return Some(attached.0.clone());
    }
    match name {
        "builtin" => Some(Arc::new(builtin::Builtin)),
        "llvm" => Some(Arc::new(llvm::Llvm::new(context))),
        "quant" => Some(Arc::new(quant::Quant)),
        "test" => Some(Arc::new(test_dialect::Test)),
        _ => None,
    }
}
