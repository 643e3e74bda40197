//! What the dialect says where calls are inlined.

use mlirbc_ir::{Dialect, OpRef, Result};
use mlirbc_rewrite::{DialectInliner, DialectRewrite};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.inliner(Spirv)
}

struct Spirv;

fn is_construct(op: OpRef<'_>) -> bool {
    op.is("spirv.mlir.selection") || op.is("spirv.mlir.loop")
}

impl DialectInliner for Spirv {
    fn inlines_call(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn inlines_into(&self, into: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(is_construct(into) || into.is("spirv.func"))
    }

    fn inlines_operation(&self, op: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        // Out of a construct nothing goes back to the caller.
        let returns = is_construct(op) && op.ops()?.any(|op| self.branch_of(op).is_some());
        Ok(!returns && !op.is("spirv.Kill"))
    }

    fn branch_of(&self, terminator: OpRef<'_>) -> Option<&'static str> {
        let returns = terminator.is("spirv.Return") || terminator.is("spirv.ReturnValue");
        returns.then_some("spirv.Branch")
    }
}
