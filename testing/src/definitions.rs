//! The definitions of upstream's dialects, all in one.

use std::sync::OnceLock;

use mlirbc_ir::ods::OpTable;

/// What the dialects of upstream define, `spirv` not among them.
pub fn definitions() -> &'static OpTable {
    static TABLE: OnceLock<OpTable> = OnceLock::new();
    TABLE.get_or_init(|| {
        let dialects = mlirbc_dialects::context().dialects();
        OpTable::union(dialects.iter().flat_map(|dialect| dialect.tables()))
    })
}
