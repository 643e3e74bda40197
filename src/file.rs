//! Files of bytecode as modules.

use std::path::Path;

use mlirbc_bytecode::ReadOptions;
use mlirbc_ir::{Context, Module, Result};

#[cfg(feature = "store")]
pub use mlirbc_store::map_file;

/// Opens a module in bytecode over a memory map: its header and section table are read, all else on demand. Of what JAX makes of
/// `Exported.serialize()` (feature `stablehlo`), it is the artifact in it.
///
/// # Errors
/// Where the file cannot be opened, or its header or section table is malformed.
pub fn open(context: &Context, path: impl AsRef<Path>) -> Result<Module> {
    open_with(context, path, &ReadOptions::default())
}

/// Opens a module in bytecode over a memory map, as `options` say.
///
/// # Errors
/// Where the file cannot be opened, or its header or section table is malformed.
pub fn open_with(context: &Context, path: impl AsRef<Path>, options: &ReadOptions) -> Result<Module> {
    let bytes = map_file(path)?;
    #[cfg(feature = "stablehlo")]
    let bytes = mlirbc_stablehlo::exported::artifact(&bytes).unwrap_or(bytes);
    mlirbc_bytecode::read_with(context, bytes, options)
}

/// The bytes of a file. With the feature `store` they are a memory map; without it, the file is read to its end.
///
/// # Errors
/// Where the file cannot be read.
#[cfg(not(feature = "store"))]
pub fn map_file(path: impl AsRef<Path>) -> Result<bytes::Bytes> {
    use mlirbc_ir::{Error, ErrorKind};
    let path = path.as_ref();
    let bytes = std::fs::read(path).map(bytes::Bytes::from);
    bytes.map_err(|error| Error::new(ErrorKind::Io, format!("{}: {error}", path.display())))
}
