//! The definitions of MLIR's own dialects, all in one.

use std::sync::OnceLock;

use mlirbc_ir::Context;
use mlirbc_ir::ods::OpTable;

/// A context that knows the dialects of upstream, and of `spirv` what MLIR defines: it is written as `mlir-opt` writes it.
pub fn context() -> Context {
    let context = mlirbc_testing::context();
    context.extend("spirv", |spirv| spirv.ops(mlirbc_spirv::dialect::definitions()));
    context
}

/// The tables of MLIR's own dialects, SPIR-V's among them.
pub fn tables() -> Vec<OpTable> {
    mlirbc_dialects::definitions().chain([mlirbc_spirv::dialect::definitions()]).collect()
}

/// What these define.
pub fn upstream() -> &'static OpTable {
    static TABLE: OnceLock<OpTable> = OnceLock::new();
    TABLE.get_or_init(|| OpTable::union(&tables()))
}
