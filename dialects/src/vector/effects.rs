//! What operations do to memory (`mlir/Dialect/Vector/IR/VectorOps.td`).

use mlirbc_ir::Dialect;
use mlirbc_ir::interfaces::Effect::{self, Read, Write};

use crate::common::effects;
use crate::common::effects::Part::{self, MemRef, Operand};

/// Says what the dialect's operations do.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let all: [(&str, &'static [(Effect, Part)]); 10] = [
        ("compressstore", &[(Write, Operand("base"))]),
        ("expandload", &[(Read, Operand("base"))]),
        ("gather", &[(Read, Operand("base"))]),
        ("load", &[(Read, Operand("base"))]),
        ("maskedload", &[(Read, Operand("base"))]),
        ("maskedstore", &[(Write, Operand("base"))]),
        ("scatter", &[(Write, Operand("base"))]),
        ("store", &[(Write, Operand("base"))]),
        ("transfer_read", &[(Read, MemRef("base"))]),
        ("transfer_write", &[(Write, MemRef("base"))]),
    ];
    effects::attach(dialect, all)
}
