//! The enums of `transform`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `transform::FailurePropagationMode` of MLIR.
    FailurePropagationMode = "transform::FailurePropagationMode", 32;
    Propagate = 1 "propagate",
    Suppress = 2 "suppress",
}

enumeration! {
    /// `transform::MatchCmpIPredicate` of MLIR.
    MatchCmpIPredicate = "transform::MatchCmpIPredicate", 32;
    Eq = 0 "eq",
    Ne = 1 "ne",
    Lt = 2 "lt",
    Le = 3 "le",
    Gt = 4 "gt",
    Ge = 5 "ge",
}

enumeration! {
    /// `transform::MatchInterfaceEnum` of MLIR.
    MatchInterfaceEnum = "transform::MatchInterfaceEnum", 32;
    LinalgOp = 0 "LinalgOp",
    TilingInterface = 1 "TilingInterface",
    LoopLikeInterface = 2 "LoopLikeInterface",
}

enumeration! {
    /// `transform::TransposeMatmulInput` of MLIR.
    TransposeMatmulInput = "transform::TransposeMatmulInput", 32;
    Lhs = 0 "lhs",
    Rhs = 1 "rhs",
}

listed! {
    FailurePropagationMode,
    MatchCmpIPredicate,
    MatchInterfaceEnum,
    TransposeMatmulInput,
    ;
}
