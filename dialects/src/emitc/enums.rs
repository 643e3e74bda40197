//! The enums of `emitc`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `emitc::CmpPredicate` of MLIR.
    CmpPredicate = "emitc::CmpPredicate", 64;
    Eq = 0 "eq",
    Ne = 1 "ne",
    Lt = 2 "lt",
    Le = 3 "le",
    Gt = 4 "gt",
    Ge = 5 "ge",
    ThreeWay = 6 "three_way",
}

listed! {
    CmpPredicate,
    ;
}
