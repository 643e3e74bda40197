//! The enums of `index`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `index::IndexCmpPredicate` of MLIR.
    IndexCmpPredicate = "index::IndexCmpPredicate", 32;
    EQ = 0 "eq",
    NE = 1 "ne",
    SLT = 2 "slt",
    SLE = 3 "sle",
    SGT = 4 "sgt",
    SGE = 5 "sge",
    ULT = 6 "ult",
    ULE = 7 "ule",
    UGT = 8 "ugt",
    UGE = 9 "uge",
}

listed! {
    IndexCmpPredicate,
    ;
    IndexCmpPredicate in None of "cmp_predicate",
}
