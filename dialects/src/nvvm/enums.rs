//! The enums of `nvvm`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `NVVM::BarrierReduction` of MLIR.
    BarrierReduction = "NVVM::BarrierReduction", 32;
    POPC = 0 "popc",
    AND = 1 "and",
    OR = 2 "or",
}

enumeration! {
    /// `NVVM::BlockScaleFormat` of MLIR.
    BlockScaleFormat = "NVVM::BlockScaleFormat", 32;
    UE8M0 = 0 "ue8m0",
    UE4M3 = 1 "ue4m3",
}

enumeration! {
    /// `NVVM::CTAGroupKind` of MLIR.
    CTAGroupKind = "NVVM::CTAGroupKind", 32;
    CTA_1 = 0 "cta_1",
    CTA_2 = 1 "cta_2",
}

enumeration! {
    /// `NVVM::CacheEvictionPriority` of MLIR.
    CacheEvictionPriority = "NVVM::CacheEvictionPriority", 32;
    EvictNormal = 0 "evict_normal",
    EvictFirst = 1 "evict_first",
    EvictLast = 2 "evict_last",
    EvictUnchanged = 3 "evict_unchanged",
    NoAllocate = 4 "no_allocate",
}

enumeration! {
    /// `NVVM::ClusterLaunchControlQueryType` of MLIR.
    ClusterLaunchControlQueryType = "NVVM::ClusterLaunchControlQueryType", 32;
    IS_CANCELED = 0 "is_canceled",
    GET_FIRST_CTA_ID_X = 1 "get_first_cta_id_x",
    GET_FIRST_CTA_ID_Y = 2 "get_first_cta_id_y",
    GET_FIRST_CTA_ID_Z = 3 "get_first_cta_id_z",
}

enumeration! {
    /// `NVVM::DotAccumulateType` of MLIR.
    DotAccumulateType = "NVVM::DotAccumulateType", 32;
    SIGNED = 1 "signed",
    UNSIGNED = 0 "unsigned",
}

enumeration! {
    /// `NVVM::FPRoundingMode` of MLIR.
    FPRoundingMode = "NVVM::FPRoundingMode", 32;
    NONE = 0 "none",
    RN = 1 "rn",
    RM = 2 "rm",
    RP = 3 "rp",
    RZ = 4 "rz",
    RNA = 5 "rna",
    RS = 6 "rs",
}

enumeration! {
    /// `NVVM::GridDepActionKind` of MLIR.
    GridDepActionKind = "NVVM::GridDepActionKind", 32;
    Wait = 0 "wait",
    LaunchDependents = 1 "launch_dependents",
}

enumeration! {
    /// `NVVM::LdStMatrixEltType` of MLIR.
    LdStMatrixEltType = "NVVM::LdStMatrixEltType", 32;
    B16 = 0 "b16",
    B8 = 1 "b8",
    B8X16_B6X16_P32 = 2 "b8x16.b6x16_p32",
    B8X16_B4X16_P64 = 3 "b8x16.b4x16_p64",
}

enumeration! {
    /// `NVVM::LoadCacheModifierKind` of MLIR.
    LoadCacheModifierKind = "NVVM::LoadCacheModifierKind", 32;
    CA = 0 "ca",
    CG = 1 "cg",
    CS = 2 "cs",
    LU = 3 "lu",
    CV = 4 "cv",
}

enumeration! {
    /// `NVVM::MMAB1Op` of MLIR.
    MMAB1Op = "NVVM::MMAB1Op", 32;
    None = 0 "none",
    XorPopc = 1 "xor_popc",
    AndPopc = 2 "and_popc",
}

enumeration! {
    /// `NVVM::MMABlockScaleKind` of MLIR.
    MMABlockScaleKind = "NVVM::MMABlockScaleKind", 32;
    MXF8F6F4 = 0 "mxf8f6f4",
    MXF4 = 1 "mxf4",
    MXF4NVF4 = 2 "mxf4nvf4",
}

enumeration! {
    /// `NVVM::MMAFrag` of MLIR.
    MMAFrag = "NVVM::MMAFrag", 32;
    A = 0 "a",
    B = 1 "b",
    C = 2 "c",
}

enumeration! {
    /// `NVVM::MMAIntOverflow` of MLIR.
    MMAIntOverflow = "NVVM::MMAIntOverflow", 32;
    Satfinite = 1 "satfinite",
    Wrapped = 0 "wrapped",
}

enumeration! {
    /// `NVVM::MMAKind` of MLIR.
    MMAKind = "NVVM::MMAKind", 32;
    F8f6f4 = 0 "f8f6f4",
}

enumeration! {
    /// `NVVM::MMALayout` of MLIR.
    MMALayout = "NVVM::MMALayout", 32;
    Row = 0 "row",
    Col = 1 "col",
}

enumeration! {
    /// `NVVM::MMATypes` of MLIR.
    MMATypes = "NVVM::MMATypes", 32;
    F16 = 0 "f16",
    F32 = 1 "f32",
    Tf32 = 2 "tf32",
    Bf16 = 9 "bf16",
    S8 = 4 "s8",
    U8 = 3 "u8",
    S32 = 5 "s32",
    S4 = 8 "s4",
    U4 = 7 "u4",
    B1 = 6 "b1",
    F64 = 10 "f64",
    E4m3 = 11 "e4m3",
    E5m2 = 12 "e5m2",
    E3m2 = 13 "e3m2",
    E2m3 = 14 "e2m3",
    E2m1 = 15 "e2m1",
}

enumeration! {
    /// `NVVM::MatchSyncKind` of MLIR.
    MatchSyncKind = "NVVM::MatchSyncKind", 32;
    Any = 0 "any",
    All = 1 "all",
}

enumeration! {
    /// `NVVM::MemOrderKind` of MLIR.
    MemOrderKind = "NVVM::MemOrderKind", 32;
    WEAK = 0 "weak",
    RELAXED = 1 "relaxed",
    ACQUIRE = 2 "acquire",
    RELEASE = 3 "release",
    ACQ_REL = 4 "acq_rel",
    SC = 5 "sc",
    MMIO = 6 "mmio",
    VOLATILE = 7 "volatile",
}

enumeration! {
    /// `NVVM::MemScopeKind` of MLIR.
    MemScopeKind = "NVVM::MemScopeKind", 32;
    CTA = 0 "cta",
    CLUSTER = 1 "cluster",
    GPU = 2 "gpu",
    SYS = 3 "sys",
}

enumeration! {
    /// `NVVM::NVVMMemorySpace` of MLIR.
    NVVMMemorySpace = "NVVM::NVVMMemorySpace", 32;
    Generic = 0 "generic",
    Global = 1 "global",
    Shared = 3 "shared",
    Constant = 4 "constant",
    Local = 5 "local",
    Tensor = 6 "tensor",
    SharedCluster = 7 "shared_cluster",
}

enumeration! {
    /// `NVVM::PermuteMode` of MLIR.
    PermuteMode = "NVVM::PermuteMode", 32;
    DEFAULT = 0 "default",
    F4E = 1 "f4e",
    B4E = 2 "b4e",
    RC8 = 3 "rc8",
    ECL = 4 "ecl",
    ECR = 5 "ecr",
    RC16 = 6 "rc16",
}

enumeration! {
    /// `NVVM::PrefetchCacheLevel` of MLIR.
    PrefetchCacheLevel = "NVVM::PrefetchCacheLevel", 32;
    L1 = 0 "L1",
    L2 = 1 "L2",
}

enumeration! {
    /// `NVVM::ProxyKind` of MLIR.
    ProxyKind = "NVVM::ProxyKind", 32;
    Alias = 0 "alias",
    Async = 1 "async",
    AsyncGlobal = 2 "async.global",
    AsyncShared = 3 "async.shared",
    TENSORMAP = 4 "tensormap",
    GENERIC = 5 "generic",
}

enumeration! {
    /// `NVVM::ReduxKind` of MLIR.
    ReduxKind = "NVVM::ReduxKind", 32;
    ADD = 1 "add",
    AND = 2 "and",
    MAX = 3 "max",
    MIN = 4 "min",
    OR = 5 "or",
    UMAX = 6 "umax",
    UMIN = 7 "umin",
    XOR = 8 "xor",
    FMIN = 9 "fmin",
    FMAX = 10 "fmax",
}

enumeration! {
    /// `NVVM::SaturationMode` of MLIR.
    SaturationMode = "NVVM::SaturationMode", 32;
    NONE = 0 "none",
    SATFINITE = 1 "satfinite",
}

enumeration! {
    /// `NVVM::ScaleVecSize` of MLIR.
    ScaleVecSize = "NVVM::ScaleVecSize", 32;
    X1 = 0 "x1",
    X2 = 1 "x2",
    X4 = 2 "x4",
}

enumeration! {
    /// `NVVM::SetMaxRegisterAction` of MLIR.
    SetMaxRegisterAction = "NVVM::SetMaxRegisterAction", 32;
    Decrease = 1 "decrease",
    Increase = 0 "increase",
}

enumeration! {
    /// `NVVM::SharedSpace` of MLIR.
    SharedSpace = "NVVM::SharedSpace", 32;
    SharedCta = 0 "cta",
    SharedCluster = 1 "cluster",
}

enumeration! {
    /// `NVVM::ShflKind` of MLIR.
    ShflKind = "NVVM::ShflKind", 32;
    Bfly = 0 "bfly",
    Up = 1 "up",
    Down = 2 "down",
    Idx = 3 "idx",
}

enumeration! {
    /// `NVVM::TMALoadMode` of MLIR.
    TMALoadMode = "NVVM::TMALoadMode", 32;
    TILE = 0 "tile",
    IM2COL = 1 "im2col",
    IM2COL_W = 2 "im2col_w",
    IM2COL_W_128 = 3 "im2col_w_128",
    TILE_GATHER4 = 4 "tile_gather4",
}

enumeration! {
    /// `NVVM::TMAReduxKind` of MLIR.
    TMAReduxKind = "NVVM::TMAReduxKind", 32;
    ADD = 0 "add",
    MAX = 2 "max",
    MIN = 1 "min",
    INC = 3 "inc",
    DEC = 4 "dec",
    AND = 5 "and",
    OR = 6 "or",
    XOR = 7 "xor",
}

enumeration! {
    /// `NVVM::TMAStoreMode` of MLIR.
    TMAStoreMode = "NVVM::TMAStoreMode", 32;
    TILE = 0 "tile",
    IM2COL = 1 "im2col",
    TILE_SCATTER4 = 2 "tile_scatter4",
}

enumeration! {
    /// `NVVM::Tcgen05CpMulticast` of MLIR.
    Tcgen05CpMulticast = "NVVM::Tcgen05CpMulticast", 32;
    NONE = 0 "none",
    WARPX2_02_13 = 1 "warpx2_02_13",
    WARPX2_01_23 = 2 "warpx2_01_23",
    WARPX4 = 3 "warpx4",
}

enumeration! {
    /// `NVVM::Tcgen05CpShape` of MLIR.
    Tcgen05CpShape = "NVVM::Tcgen05CpShape", 32;
    SHAPE_128x256b = 0 "shape_128x256b",
    SHAPE_4x256b = 1 "shape_4x256b",
    SHAPE_128x128b = 2 "shape_128x128b",
    SHAPE_64x128b = 3 "shape_64x128b",
    SHAPE_32x128b = 4 "shape_32x128b",
}

enumeration! {
    /// `NVVM::Tcgen05CpSrcFormat` of MLIR.
    Tcgen05CpSrcFormat = "NVVM::Tcgen05CpSrcFormat", 32;
    B6x16_P32 = 0 "b6x16_p32",
    B4x16_P64 = 1 "b4x16_p64",
}

enumeration! {
    /// `NVVM::Tcgen05FenceKind` of MLIR.
    Tcgen05FenceKind = "NVVM::Tcgen05FenceKind", 32;
    BEFORE_THREAD_SYNC = 0 "before",
    AFTER_THREAD_SYNC = 1 "after",
}

enumeration! {
    /// `NVVM::Tcgen05LdStShape` of MLIR.
    Tcgen05LdStShape = "NVVM::Tcgen05LdStShape", 32;
    SHAPE_16X64B = 0 "shape_16x64b",
    SHAPE_16X128B = 1 "shape_16x128b",
    SHAPE_16X256B = 2 "shape_16x256b",
    SHAPE_32X32B = 3 "shape_32x32b",
    SHAPE_16X32BX2 = 4 "shape_16x32bx2",
}

enumeration! {
    /// `NVVM::Tcgen05MMABlockScale` of MLIR.
    Tcgen05MMABlockScale = "NVVM::Tcgen05MMABlockScale", 32;
    DEFAULT = 0 "default",
    BLOCK16 = 1 "block16",
    BLOCK32 = 2 "block32",
}

enumeration! {
    /// `NVVM::Tcgen05MMACollectorBBuffer` of MLIR.
    Tcgen05MMACollectorBBuffer = "NVVM::Tcgen05MMACollectorBBuffer", 32;
    B0 = 0 "b0",
    B1 = 1 "b1",
    B2 = 2 "b2",
    B3 = 3 "b3",
}

enumeration! {
    /// `NVVM::Tcgen05MMACollectorOp` of MLIR.
    Tcgen05MMACollectorOp = "NVVM::Tcgen05MMACollectorOp", 32;
    DISCARD = 0 "discard",
    LASTUSE = 1 "lastuse",
    FILL = 2 "fill",
    USE = 3 "use",
}

enumeration! {
    /// `NVVM::Tcgen05MMAKind` of MLIR.
    Tcgen05MMAKind = "NVVM::Tcgen05MMAKind", 32;
    F8F6F4 = 2 "f8f6f4",
    I8 = 3 "i8",
    F16 = 0 "f16",
    TF32 = 1 "tf32",
}

enumeration! {
    /// `NVVM::Tcgen05WaitKind` of MLIR.
    Tcgen05WaitKind = "NVVM::Tcgen05WaitKind", 32;
    LOAD = 0 "load",
    STORE = 1 "store",
}

enumeration! {
    /// `NVVM::VoteSyncKind` of MLIR.
    VoteSyncKind = "NVVM::VoteSyncKind", 32;
    Any = 0 "any",
    All = 1 "all",
    Ballot = 2 "ballot",
    Uni = 3 "uni",
}

enumeration! {
    /// `NVVM::WGMMAScaleIn` of MLIR.
    WGMMAScaleIn = "NVVM::WGMMAScaleIn", 32;
    One = 1 "one",
    Neg = -1 "neg",
}

enumeration! {
    /// `NVVM::WGMMAScaleOut` of MLIR.
    WGMMAScaleOut = "NVVM::WGMMAScaleOut", 32;
    Zero = 0 "zero",
    One = 1 "one",
}

enumeration! {
    /// `NVVM::WGMMATypes` of MLIR.
    WGMMATypes = "NVVM::WGMMATypes", 32;
    F16 = 0 "f16",
    Tf32 = 1 "tf32",
    U8 = 2 "u8",
    S8 = 3 "s8",
    B1 = 4 "b1",
    Bf16 = 5 "bf16",
    E4m3 = 6 "e4m3",
    E5m2 = 7 "e5m2",
    F32 = 8 "f32",
    S32 = 9 "s32",
}

listed! {
    BarrierReduction,
    BlockScaleFormat,
    CTAGroupKind,
    CacheEvictionPriority,
    ClusterLaunchControlQueryType,
    DotAccumulateType,
    FPRoundingMode,
    GridDepActionKind,
    LdStMatrixEltType,
    LoadCacheModifierKind,
    MMAB1Op,
    MMABlockScaleKind,
    MMAFrag,
    MMAIntOverflow,
    MMAKind,
    MMALayout,
    MMATypes,
    MatchSyncKind,
    MemOrderKind,
    MemScopeKind,
    NVVMMemorySpace,
    PermuteMode,
    PrefetchCacheLevel,
    ProxyKind,
    ReduxKind,
    SaturationMode,
    ScaleVecSize,
    SetMaxRegisterAction,
    SharedSpace,
    ShflKind,
    TMALoadMode,
    TMAReduxKind,
    TMAStoreMode,
    Tcgen05CpMulticast,
    Tcgen05CpShape,
    Tcgen05CpSrcFormat,
    Tcgen05FenceKind,
    Tcgen05LdStShape,
    Tcgen05MMABlockScale,
    Tcgen05MMACollectorBBuffer,
    Tcgen05MMACollectorOp,
    Tcgen05MMAKind,
    Tcgen05WaitKind,
    VoteSyncKind,
    WGMMAScaleIn,
    WGMMAScaleOut,
    WGMMATypes,
    ;
    SetMaxRegisterAction in None of "action",
    BlockScaleFormat in Angle of "block_scale_format",
    MMABlockScaleKind in Angle of "block_scale_kind",
    CacheEvictionPriority in None of "cache_eviction_priority",
    ClusterLaunchControlQueryType in None of "cluster_launch_control_query_type",
    CTAGroupKind in Angle of "cta_group",
    DotAccumulateType in Angle of "dot_accumulate_type",
    FPRoundingMode in Angle of "fp_rnd_mode",
    GridDepActionKind in None of "grid_dep_action",
    LdStMatrixEltType in Angle of "ld_st_matrix_elt_type",
    LoadCacheModifierKind in None of "load_cache_modifier",
    MatchSyncKind in None of "match_sync_kind",
    MemOrderKind in Angle of "mem_order",
    MemScopeKind in Angle of "mem_scope",
    NVVMMemorySpace in Angle of "memory_space",
    MMAB1Op in Angle of "mma_b1op",
    MMAFrag in Angle of "mma_frag",
    MMAIntOverflow in Angle of "mma_int_overflow",
    MMAKind in Angle of "mma_kind",
    MMALayout in Angle of "mma_layout",
    MMATypes in Angle of "mma_type",
    PermuteMode in Angle of "permute_mode",
    PrefetchCacheLevel in None of "prefetch_cache_level",
    ProxyKind in Angle of "proxy_kind",
    BarrierReduction in Angle of "reduction",
    ReduxKind in None of "redux_kind",
    SaturationMode in Angle of "sat_mode",
    ScaleVecSize in Angle of "scale_vec_size",
    SharedSpace in Angle of "shared_space",
    ShflKind in None of "shfl_kind",
    Tcgen05CpMulticast in Angle of "tcgen05_cp_multicast",
    Tcgen05CpShape in Angle of "tcgen05_cp_shape",
    Tcgen05CpSrcFormat in Angle of "tcgen05_cp_src_fmt",
    Tcgen05FenceKind in Angle of "tcgen05_fence",
    Tcgen05LdStShape in Angle of "tcgen05_ldst_shape",
    Tcgen05MMABlockScale in Angle of "tcgen05_mma_block_scale",
    Tcgen05MMACollectorBBuffer in Angle of "tcgen05_mma_collectorb",
    Tcgen05MMACollectorOp in Angle of "tcgen05_mma_collectorop",
    Tcgen05MMAKind in Angle of "tcgen05_mma_kind",
    Tcgen05WaitKind in Angle of "tcgen05_wait",
    TMALoadMode in Angle of "tma_load_mode",
    TMAReduxKind in Angle of "tma_redux_kind",
    TMAStoreMode in Angle of "tma_store_mode",
    VoteSyncKind in None of "vote_sync_kind",
    WGMMAScaleIn in Angle of "wgmma_scale_in",
    WGMMAScaleOut in Angle of "wgmma_scale_out",
    WGMMATypes in Angle of "wgmma_type",
}
