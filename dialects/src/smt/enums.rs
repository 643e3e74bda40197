//! The enums of `smt`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `smt::BVCmpPredicate` of MLIR.
    BVCmpPredicate = "smt::BVCmpPredicate", 64;
    Slt = 0 "slt",
    Sle = 1 "sle",
    Sgt = 2 "sgt",
    Sge = 3 "sge",
    Ult = 4 "ult",
    Ule = 5 "ule",
    Ugt = 6 "ugt",
    Uge = 7 "uge",
}

enumeration! {
    /// `smt::IntPredicate` of MLIR.
    IntPredicate = "smt::IntPredicate", 64;
    Lt = 0 "lt",
    Le = 1 "le",
    Gt = 2 "gt",
    Ge = 3 "ge",
}

listed! {
    BVCmpPredicate,
    IntPredicate,
    ;
}
