//! Files as memory: the one place that needs `unsafe`.

use std::fs::File;
use std::path::Path;

use bytes::Bytes;
use mlirbc_bytecode::ReadOptions;
use mlirbc_ir::{Context, Error, ErrorKind, Module, Result};

/// The bytes of a file, mapped into memory: pages are read when they are touched.
///
/// The file must not be changed in place while the bytes are in use: replace it by a rename, as all writers of this
/// crate do. Bytes that change all the same lead to errors or to another module, but a file that is truncated ends the
/// process with a bus error, as with every memory map.
///
/// # Errors
/// Where the file cannot be opened or mapped.
pub fn map_file(path: impl AsRef<Path>) -> Result<Bytes> {
    let path = path.as_ref();
    let map = || {
        let file = File::open(path)?;
        // An empty file cannot be mapped, and a pipe has no length.
        let metadata = file.metadata()?;
        if !metadata.is_file() || metadata.len() == 0 {
            return std::fs::read(path).map(Bytes::from);
        }
        map(&file).map(Bytes::from_owner)
    };
    map().map_err(|error: std::io::Error| Error::new(ErrorKind::Io, format!("{}: {error}", path.display())))
}

#[expect(unsafe_code, reason = "a memory map is only as constant as its file")]
fn map(file: &File) -> std::io::Result<memmap2::Mmap> {
    // SAFETY: the bytes are only ever read, as bytes: no type with invalid patterns is laid over them, and every
    // length or index among them is checked where it is used, each time it is read. What remains is that the file
    // must not shrink meanwhile, which `map_file` asks of its caller.
    unsafe { memmap2::Mmap::map(file) }
}

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
