//! A reader that is kept between modules.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use mlirbc_ir::{Context, Module, Result};

use super::file::BytecodeFile;
use super::kept::Kept;
use super::options::ReadOptions;
use super::source::module_of;

/// Reads one module after the other, as [`read`](crate::read) does, in less time: for those who read many small ones.
///
/// It keeps the room that the tables of a file took, which comes back when the last module that was read from the file is
/// dropped, and what it has looked up in its context: dialects, names of operations, attributes and types that stand in files as text.
/// None of this grows with the number of modules. Register dialects before the first module is read: what was looked up
/// stays as it is.
///
/// A clone keeps the same things, and any number of threads may read with one; those that have one each do not wait for each
/// other.
///
/// ```
/// use mlirbc_bytecode::Reader;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let reader = Reader::new(&mlirbc_ir::Context::new());
/// # let bytes: &'static [u8] = include_bytes!("../../../fixtures/arith.mlirbc");
/// for _ in 0..3 {
///     let module = reader.read(bytes)?;
///     assert_eq!(module.operations()?.count(), 1);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Reader {
    context: Context,
    kept: Arc<Kept>,
}

impl Reader {
    /// A reader of modules of that context.
    pub fn new(context: &Context) -> Self {
        Reader { context: context.clone(), kept: Arc::default() }
    }

    /// The context of the modules that it reads.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Opens a module: see [`read`](crate::read).
    ///
    /// # Errors
    /// Where the header or the section table is malformed.
    pub fn read(&self, bytes: impl Into<Bytes>) -> Result<Module> {
        self.read_with(bytes, &ReadOptions::default())
    }

    /// Opens a module as `options` say.
    ///
    /// # Errors
    /// Where the header or the section table is malformed.
    pub fn read_with(&self, bytes: impl Into<Bytes>, options: &ReadOptions) -> Result<Module> {
        let file = BytecodeFile::open(&self.context, bytes.into(), options, Some(&self.kept))?;
        Ok(module_of(&self.context, file))
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("context", &self.context).finish_non_exhaustive()
    }
}
