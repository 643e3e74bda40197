//! A writer that is kept between modules.

use std::fmt;
use std::io::Write;
use std::sync::Arc;

use mlirbc_ir::{Context, Module, Result};

use super::emitter::Emitter;
use super::kept::Kept;
use super::{Losses, WriteOptions, emit};

/// Writes one module after the other, as [`write`](crate::write()) does, in less time: for those who write many small ones.
///
/// It keeps the room that a module took while it was written, and what encoders of dialects have written of attributes, types and
/// properties, with the numbers of one file in it that stand for others in the next. None of this grows with the number of modules
/// beyond some megabytes. Register dialects before the first module is written: what was looked up stays as it is.
///
/// A clone keeps the same things, and any number of threads may write with one.
///
/// ```
/// use mlirbc_bytecode::{Reader, WriteOptions, Writer, write};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = mlirbc_ir::Context::new();
/// let (reader, writer) = (Reader::new(&context), Writer::new(&context));
/// # let bytes: &'static [u8] = include_bytes!("../../../fixtures/arith.mlirbc");
/// for _ in 0..3 {
///     let module = reader.read(bytes)?;
///     let options = WriteOptions::like(&module);
///     assert_eq!(writer.write(&module, &options)?, write(&module, &options)?);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Writer {
    context: Context,
    kept: Arc<Kept>,
}

impl Writer {
    /// A writer of modules of that context.
    pub fn new(context: &Context) -> Self {
        Writer { context: context.clone(), kept: Arc::default() }
    }

    /// The context of the modules that it writes. A module of another one it writes as [`write`](crate::write()) does.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Writes a module into memory.
    ///
    /// # Errors
    /// As [`write`](crate::write()).
    pub fn write(&self, module: &Module, options: &WriteOptions) -> Result<Vec<u8>> {
        self.write_with_losses(module, options).map(|written| written.0)
    }

    /// Writes a module into memory, and says what [`WriteOptions::lossy`] dropped.
    ///
    /// # Errors
    /// As [`write`](crate::write()).
    pub fn write_with_losses(&self, module: &Module, options: &WriteOptions) -> Result<(Vec<u8>, Losses)> {
        let mut file = Emitter::default();
        let losses = emit(module, options, &mut file, self.kept_for(module))?;
        Ok((file.into_bytes(), losses))
    }

    /// Writes a module to `to`: see [`write_to`](crate::write_to()).
    ///
    /// # Errors
    /// As [`write`](crate::write()), and where writing to `to` fails.
    pub fn write_to(&self, module: &Module, options: &WriteOptions, mut to: impl Write) -> Result<Losses> {
        let mut file = Emitter::default();
        let losses = emit(module, options, &mut file, self.kept_for(module))?;
        file.write_to(&mut to)?;
        Ok(losses)
    }

    fn kept_for(&self, module: &Module) -> Option<&Kept> {
        module.context().is(&self.context).then_some(&*self.kept)
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("context", &self.context).finish_non_exhaustive()
    }
}
