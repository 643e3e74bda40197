//! The enums of `bufferization`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `bufferization::LayoutMapOption` of MLIR.
    LayoutMapOption = "bufferization::LayoutMapOption", 32;
    InferLayoutMap = 0 "InferLayoutMap",
    IdentityLayoutMap = 1 "IdentityLayoutMap",
    FullyDynamicLayoutMap = 2 "FullyDynamicLayoutMap",
}

listed! {
    LayoutMapOption,
    ;
}
