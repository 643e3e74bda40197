//! What operations do to memory (`mlir/Dialect/MemRef/IR/MemRefOps.td`).

use mlirbc_ir::Dialect;
use mlirbc_ir::interfaces::Effect::{self, Allocate, Free, Read, Write};

use crate::common::effects;
use crate::common::effects::Part::{self, Operand};

/// Says what the dialect's operations do.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let all: [(&str, &'static [(Effect, Part)]); 11] = [
        ("alloc", &[(Allocate, Part::Result)]),
        ("alloca", &[(Allocate, Part::Result)]),
        ("atomic_rmw", &[(Read, Operand("memref")), (Write, Operand("memref"))]),
        ("copy", &[(Read, Operand("source")), (Write, Operand("target"))]),
        ("dealloc", &[(Free, Operand("memref"))]),
        ("generic_atomic_rmw", &[(Read, Operand("memref")), (Write, Operand("memref"))]),
        ("load", &[(Read, Operand("memref"))]),
        ("prefetch", &[(Write, Operand("memref"))]),
        ("realloc", &[(Free, Operand("source")), (Allocate, Part::Result)]),
        ("reshape", &[(Read, Operand("shape"))]),
        ("store", &[(Write, Operand("memref"))]),
    ];
    effects::attach(dialect, all)
}
