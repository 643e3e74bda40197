//! The enums of `vector`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `vector::CombiningKind` of MLIR.
    CombiningKind = "vector::CombiningKind", 32;
    ADD = 0 "add",
    MUL = 1 "mul",
    MINUI = 2 "minui",
    MINSI = 3 "minsi",
    MINNUMF = 4 "minnumf",
    MAXUI = 5 "maxui",
    MAXSI = 6 "maxsi",
    MAXNUMF = 7 "maxnumf",
    AND = 8 "and",
    OR = 9 "or",
    XOR = 10 "xor",
    MAXIMUMF = 12 "maximumf",
    MINIMUMF = 11 "minimumf",
}

enumeration! {
    /// `vector::IteratorType` of MLIR.
    IteratorType = "vector::IteratorType", 32;
    Parallel = 0 "parallel",
    Reduction = 1 "reduction",
}

enumeration! {
    /// `vector::PrintPunctuation` of MLIR.
    PrintPunctuation = "vector::PrintPunctuation", 32;
    NoPunctuation = 0 "no_punctuation",
    NewLine = 1 "newline",
    Comma = 2 "comma",
    Open = 3 "open",
    Close = 4 "close",
}

enumeration! {
    /// `vector::VectorContractLowering` of MLIR.
    VectorContractLowering = "vector::VectorContractLowering", 32;
    Dot = 0 "dot",
    LLVMIntr = 1 "llvmintr",
    OuterProduct = 2 "outerproduct",
    ParallelArith = 3 "parallelarith",
}

enumeration! {
    /// `vector::VectorMultiReductionLowering` of MLIR.
    VectorMultiReductionLowering = "vector::VectorMultiReductionLowering", 32;
    InnerParallel = 0 "innerparallel",
    InnerReduction = 1 "innerreduction",
}

enumeration! {
    /// `vector::VectorTransferSplit` of MLIR.
    VectorTransferSplit = "vector::VectorTransferSplit", 32;
    None = 0 "none",
    VectorTransfer = 1 "vector-transfer",
    LinalgCopy = 2 "linalg-copy",
    ForceInBounds = 3 "force-in-bounds",
}

enumeration! {
    /// `vector::VectorTransposeLowering` of MLIR.
    VectorTransposeLowering = "vector::VectorTransposeLowering", 32;
    EltWise = 0 "eltwise",
    LLVMIntr = 1 "llvmintr",
    Shuffle1D = 2 "shuffle_1d",
    Shuffle16x16 = 3 "shuffle_16x16",
}

listed! {
    CombiningKind,
    IteratorType,
    PrintPunctuation,
    VectorContractLowering,
    VectorMultiReductionLowering,
    VectorTransferSplit,
    VectorTransposeLowering,
    ;
    IteratorType in Angle of "iterator_type",
    CombiningKind in Angle of "kind",
    PrintPunctuation in Angle of "punctuation",
}
