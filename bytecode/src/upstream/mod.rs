//! Encodings of upstream's dialects: a file each, on nothing but what a user's crate could use.

mod llvm;
mod quant;
mod test;

#[cfg(test)]
pub(crate) use llvm::Llvm;
#[cfg(test)]
pub(crate) use quant::Quant;

use std::sync::Arc;

use mlirbc_ir::Context;

use crate::encoding::DialectEncoding;

/// The encodings of the dialect of that name.
pub(crate) fn encoding(context: &Context, dialect: &str) -> Option<Arc<dyn DialectEncoding>> {
    match dialect {
        "llvm" => Some(Arc::new(llvm::Llvm::new(context))),
        "quant" => Some(Arc::new(quant::Quant)),
        "test" => Some(Arc::new(test::Test)),
        _ => None,
    }
}
