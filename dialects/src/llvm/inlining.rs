//! What the dialect says where calls are inlined.

use mlirbc_ir::{OpRef, Result};
use mlirbc_rewrite::DialectInliner;

/// All operations but those that mean the function that they stand in.
pub(super) struct Llvm;

impl DialectInliner for Llvm {
    fn inlines_into(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn inlines_operation(&self, op: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(!op.is("llvm.blocktag") && !op.is("llvm.intr.vastart"))
    }
}
