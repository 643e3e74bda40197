//! The `test` dialect of mlir-opt. It is part of no library, but mlir-opt knows it and writes its version.

use std::sync::Arc;

use mlirbc_bytecode::encoding::{DialectEncoding, DialectExt, DialectVersion, EntryReader, EntryWriter};
use mlirbc_ir::{Dialect, Result};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    Dialect::new("test").bytecode(Test)
}

struct Test;

/// Major and minor version (MLIR's `TestDialectInterfaces.cpp`).
const VERSION: (u64, u64) = (2, 0);

impl DialectEncoding for Test {
    fn is_of_mlir(&self) -> bool {
        true
    }

    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        Ok(Arc::new((reader.varint()?, reader.varint()?)))
    }

    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        writer.varint(VERSION.0);
        writer.varint(VERSION.1);
    }
}
