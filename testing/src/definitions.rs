//! The definitions of upstream's dialects, all in one.

use std::sync::OnceLock;

use mlirbc_ir::ods::OpTable;

/// What the dialects of upstream define, `spirv` not among them.
pub fn definitions() -> &'static OpTable {
    static TABLE: OnceLock<OpTable> = OnceLock::new();
    TABLE.get_or_init(|| OpTable::union(&mlirbc_dialects::definitions().collect::<Vec<_>>()))
}
