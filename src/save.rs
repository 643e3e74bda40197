//! Modules as files.

use std::path::Path;

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::{Error, ErrorCode, Module, Result};
use mlirbc_text::{PrintOptions, print_module};
use std::io::Write;

use crate::open::Format;
use crate::output::Output;

/// Writes modules to files, whole or not at all: as [`Output`] does.
///
/// ```
/// use mlirbc::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let context = Context::new();
/// let module = mlirbc::parse(&context, "func.func private @f()")?;
/// let path = folder.path().join("model.mlirbc");
/// module.save(&path)?;
/// assert!(mlirbc::open(&context, &path)?.symbol("f")?.is_some());
/// let error = module.save(folder.path().join("model.txt")).expect_err("that says nothing");
/// assert_eq!(error.code(), mlirbc::ErrorCode::FileFormat);
/// # Ok(())
/// # }
/// ```
pub trait Save {
    /// Writes the file that its name asks for: `.mlirbc` is bytecode, `.mlir` text and `.spv` a SPIR-V binary. See [`Save::save_as`].
    ///
    /// # Errors
    /// As [`Save::save_as`], and where the name ends in none of these ([`ErrorCode::FileFormat`]).
    fn save(&self, path: impl AsRef<Path>) -> Result<()>;

    /// Writes a file of that format. Bytecode is of the version that the module was read from, and of the newest where it was read from
    /// something else; text is in the custom assembly of dialects, without locations; a SPIR-V binary is that of the one SPIR-V module
    /// in it, in either form.
    ///
    /// # Errors
    /// Where the file cannot be written, the module not be decoded, or the format not hold it.
    fn save_as(&self, path: impl AsRef<Path>, format: Format) -> Result<()>;
}

impl Save for Module {
    fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("mlirbc") => Format::Bytecode,
            Some("mlir") => Format::Text,
            Some("spv") => Format::Spirv,
            _ => {
                let message = format!("{}: what is to be written? .mlirbc, .mlir and .spv say it", path.display());
                return Err(Error::misuse(message).with_code(ErrorCode::FileFormat));
            }
        };
        self.save_as(path, format)
    }

    fn save_as(&self, path: impl AsRef<Path>, format: Format) -> Result<()> {
        let mut output = Output::create(path)?;
        match format {
            Format::Bytecode => {
                mlirbc_bytecode::write_to(self, &WriteOptions::like(self), &mut output)?;
            }
            Format::Text => print_module(self, &PrintOptions::new().generic(false), &mut output)?,
            Format::Spirv => output.write_all(&mlirbc_spirv::write(self)?)?,
        }
        output.finish()
    }
}
