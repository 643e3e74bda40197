//! The enums of `complex`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::bit_enumeration;

use crate::common::cases::listed;

bit_enumeration! {
    /// `complex::ComplexRangeFlags` of MLIR.
    ComplexRangeFlags = "complex::ComplexRangeFlags", 32, "|", false;
    IMPROVED = 1 "improved",
    BASIC = 2 "basic",
    NONE = 4 "none",
}

listed! {
    ComplexRangeFlags,
    ;
}
