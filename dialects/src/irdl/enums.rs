//! The enums of `irdl`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `irdl::Variadicity` of MLIR.
    Variadicity = "irdl::Variadicity", 32;
    Single = 0 "single",
    Optional = 1 "optional",
    Variadic = 2 "variadic",
}

listed! {
    Variadicity,
    ;
    Variadicity in None of "variadicity",
}
