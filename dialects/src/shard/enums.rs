//! The enums of `shard`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `shard::ReductionKind` of MLIR.
    ReductionKind = "shard::ReductionKind", 32;
    Sum = 1 "sum",
    Max = 2 "max",
    Min = 3 "min",
    Product = 4 "product",
    Average = 5 "average",
    BitwiseAnd = 6 "bitwise_and",
    BitwiseOr = 7 "bitwise_or",
    BitwiseXor = 8 "bitwise_xor",
    Generic = 100 "generic",
}

listed! {
    ReductionKind,
    ;
    ReductionKind in None of "partial",
}
