//! Files as modules.

use std::path::Path;

use mlirbc_bytecode::ReadOptions;
use mlirbc_ir::{Context, Module, Result};
use mlirbc_store::map_file;

/// Opens a module in bytecode over a memory map: its header and section table are read, all else when somebody looks.
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
    mlirbc_bytecode::read_with(context, map_file(path)?, options)
}
