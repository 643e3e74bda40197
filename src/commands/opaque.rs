//! Text of modules with parts that cannot be decoded: it is to look at, and cannot be read back.

use std::path::Path;

use mlirbc::bytecode::OpaqueParts;
use mlirbc::{Error, Module, Result};

/// Refuses to make a file of such text.
pub(super) fn refuse(module: &Module) -> Result<()> {
    let opaque = OpaqueParts::of(module)?;
    if opaque.is_empty() {
        return Ok(());
    }
    let message = format!("text cannot hold what cannot be decoded here: {opaque}; bytecode can");
    Err(Error::verification(message))
}

/// Says on standard error what the text that is about to be shown only marks.
pub(super) fn note(path: &Path, module: &Module) -> Result<()> {
    let opaque = OpaqueParts::of(module)?;
    if !opaque.is_empty() {
        super::say(format_args!(
            "{}: note: `encoded<...>?` marks what cannot be decoded here: {opaque}; such text cannot be read back",
            super::shown_name(path, "<stdin>")
        ));
    }
    Ok(())
}
