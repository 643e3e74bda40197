//! The enums of `ptr`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::{bit_enumeration, enumeration};

use crate::common::cases::listed;

enumeration! {
    /// `ptr::AtomicBinOp` of MLIR.
    AtomicBinOp = "ptr::AtomicBinOp", 32;
    Xchg = 0 "xchg",
    Add = 1 "add",
    Sub = 2 "sub",
    And = 3 "_and",
    Nand = 4 "nand",
    Or = 5 "_or",
    Xor = 6 "_xor",
    Max = 7 "max",
    Min = 8 "min",
    Umax = 9 "umax",
    Umin = 10 "umin",
    Fadd = 11 "fadd",
    Fsub = 12 "fsub",
    Fmax = 13 "fmax",
    Fmin = 14 "fmin",
    UincWrap = 15 "uinc_wrap",
    UdecWrap = 16 "udec_wrap",
}

enumeration! {
    /// `ptr::AtomicOrdering` of MLIR.
    AtomicOrdering = "ptr::AtomicOrdering", 32;
    NotAtomic = 0 "not_atomic",
    Unordered = 1 "unordered",
    Monotonic = 2 "monotonic",
    Acquire = 3 "acquire",
    Release = 4 "release",
    AcqRel = 5 "acq_rel",
    SeqCst = 6 "seq_cst",
}

enumeration! {
    /// `ptr::PtrAddFlags` of MLIR.
    PtrAddFlags = "ptr::PtrAddFlags", 32;
    None = 0 "none",
    Nusw = 1 "nusw",
    Nuw = 2 "nuw",
    Inbounds = 3 "inbounds",
}

bit_enumeration! {
    /// `ptr::PtrDiffFlags` of MLIR.
    PtrDiffFlags = "ptr::PtrDiffFlags", 8, "|", false;
    NONE = 0 "none",
    NUW = 1 "nuw",
    NSW = 2 "nsw",
}

listed! {
    AtomicBinOp,
    AtomicOrdering,
    PtrAddFlags,
    PtrDiffFlags,
    ;
}
