//! The two forms of a SPIR-V module, and going from one to the other.

use bytes::Bytes;
use mlirbc_ir::{Context, Module, Result};

use crate::binary::words::Words;
use crate::{binary, equal, has_module, lower, lower_words, raise, read};

/// What a SPIR-V binary is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SpirvForm {
    /// One operation of `spirv_binary` an instruction: gives back the same bytes.
    #[default]
    Binary,
    /// MLIR's dialect `spirv`: see [`raise`].
    Dialect,
    /// The dialect where that loses nothing, else the binary form.
    Auto,
}

/// Reads a SPIR-V binary in a form.
///
/// # Errors
/// As [`read()`] and, in the dialect form, [`raise()`].
pub fn read_as(context: &Context, bytes: impl Into<Bytes>, form: SpirvForm) -> Result<Module> {
    let bytes = bytes.into();
    match form {
        SpirvForm::Binary => read(context, bytes),
        SpirvForm::Dialect => raise(context, bytes),
        SpirvForm::Auto => match raise(context, bytes.clone()) {
            Ok(module) if gives_back(&module, bytes.clone()) => Ok(module),
            _ => read(context, bytes),
        },
    }
}

/// Whether a module is lowered to one equal to this binary.
fn gives_back(module: &Module, bytes: Bytes) -> bool {
    let compared = lower_words(module).and_then(|lowered| {
        let (_, words) = Words::open(bytes)?;
        equal(words.get(), &lowered)
    });
    compared.is_ok_and(|equal| equal)
}

/// Writes a module in either form as a SPIR-V binary.
///
/// # Errors
/// As [`lower()`] where it holds a `spirv.module`; else as it is in the binary form: where it holds no
/// `spirv_binary.module`, an operation is no instruction or has other operands than the grammar asks for, or properties
/// cannot be decoded.
pub fn write(module: &Module) -> Result<Vec<u8>> {
    match !has_module(module)? && crate::has_dialect_module(module)? {
        true => lower(module),
        false => binary::write(module),
    }
}

/// As [`write()`], as words in this machine's order.
///
/// # Errors
/// As [`write()`].
pub fn write_words(module: &Module) -> Result<Vec<u32>> {
    match !has_module(module)? && crate::has_dialect_module(module)? {
        true => lower_words(module),
        false => binary::write_words(module),
    }
}
