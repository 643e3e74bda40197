//! The enums of `gpu`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `gpu::AddressSpace` of MLIR.
    AddressSpace = "gpu::AddressSpace", 32;
    Global = 1 "global",
    Workgroup = 2 "workgroup",
    Private = 3 "private",
}

enumeration! {
    /// `gpu::AllReduceOperation` of MLIR.
    AllReduceOperation = "gpu::AllReduceOperation", 32;
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
    MINIMUMF = 11 "minimumf",
    MAXIMUMF = 12 "maximumf",
}

enumeration! {
    /// `gpu::BroadcastType` of MLIR.
    BroadcastType = "gpu::BroadcastType", 32;
    FirstActiveLane = 0 "first_active_lane",
    SpecificLane = 1 "specific_lane",
}

enumeration! {
    /// `gpu::CompilationTarget` of MLIR.
    CompilationTarget = "gpu::CompilationTarget", 32;
    Offload = 1 "offload",
    Assembly = 2 "assembly",
    Binary = 3 "bin",
    Fatbin = 4 "fatbin",
}

enumeration! {
    /// `gpu::Dimension` of MLIR.
    Dimension = "gpu::Dimension", 32;
    X = 0 "x",
    Y = 1 "y",
    Z = 2 "z",
}

enumeration! {
    /// `gpu::MMAElementwiseOp` of MLIR.
    MMAElementwiseOp = "gpu::MMAElementwiseOp", 32;
    ADDF = 0 "addf",
    MULF = 1 "mulf",
    SUBF = 2 "subf",
    MAXF = 3 "maxf",
    MINF = 4 "minf",
    DIVF = 5 "divf",
    ADDI = 6 "addi",
    MULI = 7 "muli",
    SUBI = 8 "subi",
    DIVS = 9 "divs",
    DIVU = 10 "divu",
    NEGATEF = 11 "negatef",
    NEGATES = 12 "negates",
    EXTF = 13 "extf",
}

enumeration! {
    /// `gpu::MappingId` of MLIR.
    MappingId = "gpu::MappingId", 64;
    DimX = 0 "x",
    DimY = 1 "y",
    DimZ = 2 "z",
    LinearDim0 = 3 "linear_dim_0",
    LinearDim1 = 4 "linear_dim_1",
    LinearDim2 = 5 "linear_dim_2",
    LinearDim3 = 6 "linear_dim_3",
    LinearDim4 = 7 "linear_dim_4",
    LinearDim5 = 8 "linear_dim_5",
    LinearDim6 = 9 "linear_dim_6",
    LinearDim7 = 10 "linear_dim_7",
    LinearDim8 = 11 "linear_dim_8",
    LinearDim9 = 12 "linear_dim_9",
}

enumeration! {
    /// `gpu::Processor` of MLIR.
    Processor = "gpu::Processor", 64;
    BlockX = 0 "block_x",
    BlockY = 1 "block_y",
    BlockZ = 2 "block_z",
    ThreadX = 3 "thread_x",
    ThreadY = 4 "thread_y",
    ThreadZ = 5 "thread_z",
    Sequential = 6 "sequential",
}

enumeration! {
    /// `gpu::Prune2To4SpMatFlag` of MLIR.
    Prune2To4SpMatFlag = "gpu::Prune2To4SpMatFlag", 32;
    NONE = 0 "NONE",
    PRUNE_ONLY = 1 "PRUNE_ONLY",
    PRUNE_AND_CHECK = 2 "PRUNE_AND_CHECK",
}

enumeration! {
    /// `gpu::ShuffleMode` of MLIR.
    ShuffleMode = "gpu::ShuffleMode", 32;
    XOR = 0 "xor",
    UP = 2 "up",
    DOWN = 1 "down",
    IDX = 3 "idx",
}

enumeration! {
    /// `gpu::SpGEMMWorkEstimationOrComputeKind` of MLIR.
    SpGEMMWorkEstimationOrComputeKind = "gpu::SpGEMMWorkEstimationOrComputeKind", 32;
    WORK_ESTIMATION = 0 "WORK_ESTIMATION",
    COMPUTE = 1 "COMPUTE",
}

enumeration! {
    /// `gpu::TransposeMode` of MLIR.
    TransposeMode = "gpu::TransposeMode", 32;
    NON_TRANSPOSE = 0 "NON_TRANSPOSE",
    TRANSPOSE = 1 "TRANSPOSE",
    CONJUGATE_TRANSPOSE = 2 "CONJUGATE_TRANSPOSE",
}

listed! {
    AddressSpace,
    AllReduceOperation,
    BroadcastType,
    CompilationTarget,
    Dimension,
    MMAElementwiseOp,
    MappingId,
    Processor,
    Prune2To4SpMatFlag,
    ShuffleMode,
    SpGEMMWorkEstimationOrComputeKind,
    TransposeMode,
    ;
    AddressSpace in Angle of "address_space",
    AllReduceOperation in None of "all_reduce_op",
    BroadcastType in None of "broadcast",
    Dimension in None of "dim",
    TransposeMode in None of "mat_transpose_mode",
    MMAElementwiseOp in None of "mma_element_wise",
    Prune2To4SpMatFlag in None of "prune_2to4_spmat_flag",
    ShuffleMode in None of "shuffle_mode",
    SpGEMMWorkEstimationOrComputeKind in None of "spgemm_work_estimation_or_compute_kind",
}
