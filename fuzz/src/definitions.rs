//! The definitions of MLIR's own dialects, all in one.

use std::sync::OnceLock;

use mlirbc_ir::ods::OpTable;

/// The definitions of MLIR's own dialects, SPIR-V's among them.
pub(crate) fn definitions() -> &'static OpTable {
    static TABLE: OnceLock<OpTable> = OnceLock::new();
    TABLE.get_or_init(|| {
        let tables: Vec<OpTable> =
            mlirbc_dialects::definitions().chain([mlirbc_spirv::dialect::definitions()]).collect();
        OpTable::union(&tables)
    })
}
