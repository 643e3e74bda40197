//! The enums of `arith`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::{bit_enumeration, enumeration};

use crate::common::cases::listed;

enumeration! {
    /// `arith::AtomicRMWKind` of MLIR.
    AtomicRMWKind = "arith::AtomicRMWKind", 64;
    Addf = 0 "addf",
    Addi = 1 "addi",
    Andi = 2 "andi",
    Assign = 3 "assign",
    Maximumf = 4 "maximumf",
    Maxnumf = 5 "maxnumf",
    Maxs = 6 "maxs",
    Maxu = 7 "maxu",
    Minimumf = 8 "minimumf",
    Minnumf = 9 "minnumf",
    Mins = 10 "mins",
    Minu = 11 "minu",
    Mulf = 12 "mulf",
    Muli = 13 "muli",
    Ori = 14 "ori",
    Xori = 15 "xori",
}

enumeration! {
    /// `arith::CmpFPredicate` of MLIR.
    CmpFPredicate = "arith::CmpFPredicate", 64;
    AlwaysFalse = 0 "false",
    OEQ = 1 "oeq",
    OGT = 2 "ogt",
    OGE = 3 "oge",
    OLT = 4 "olt",
    OLE = 5 "ole",
    ONE = 6 "one",
    ORD = 7 "ord",
    UEQ = 8 "ueq",
    UGT = 9 "ugt",
    UGE = 10 "uge",
    ULT = 11 "ult",
    ULE = 12 "ule",
    UNE = 13 "une",
    UNO = 14 "uno",
    AlwaysTrue = 15 "true",
}

enumeration! {
    /// `arith::CmpIPredicate` of MLIR.
    CmpIPredicate = "arith::CmpIPredicate", 64;
    Eq = 0 "eq",
    Ne = 1 "ne",
    Slt = 2 "slt",
    Sle = 3 "sle",
    Sgt = 4 "sgt",
    Sge = 5 "sge",
    Ult = 6 "ult",
    Ule = 7 "ule",
    Ugt = 8 "ugt",
    Uge = 9 "uge",
}

bit_enumeration! {
    /// `arith::FastMathFlags` of MLIR.
    FastMathFlags = "arith::FastMathFlags", 32, ",", true;
    NONE = 0 "none",
    REASSOC = 1 "reassoc",
    NNAN = 2 "nnan",
    NINF = 4 "ninf",
    NSZ = 8 "nsz",
    ARCP = 16 "arcp",
    CONTRACT = 32 "contract",
    AFN = 64 "afn",
    FAST = 127 "fast" group,
}

bit_enumeration! {
    /// `arith::IntegerOverflowFlags` of MLIR.
    IntegerOverflowFlags = "arith::IntegerOverflowFlags", 32, ", ", true;
    NONE = 0 "none",
    NSW = 1 "nsw",
    NUW = 2 "nuw",
}

enumeration! {
    /// `arith::RoundingMode` of MLIR.
    RoundingMode = "arith::RoundingMode", 32;
    ToNearestEven = 0 "to_nearest_even",
    Downward = 1 "downward",
    Upward = 2 "upward",
    TowardZero = 3 "toward_zero",
    ToNearestAway = 4 "to_nearest_away",
}

listed! {
    AtomicRMWKind,
    CmpFPredicate,
    CmpIPredicate,
    FastMathFlags,
    IntegerOverflowFlags,
    RoundingMode,
    ;
    FastMathFlags in Angle of "fastmath",
    IntegerOverflowFlags in Angle of "overflow",
}
