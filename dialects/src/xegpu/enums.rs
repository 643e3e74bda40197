//! The enums of `xegpu`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `xegpu::CachePolicy` of MLIR.
    CachePolicy = "xegpu::CachePolicy", 32;
    CACHED = 0 "cached",
    UNCACHED = 1 "uncached",
    STREAMING = 2 "streaming",
    READ_INVALIDATE = 3 "read_invalidate",
    WRITE_BACK = 4 "write_back",
    WRITE_THROUGH = 5 "write_through",
}

enumeration! {
    /// `xegpu::FenceScope` of MLIR.
    FenceScope = "xegpu::FenceScope", 32;
    Workgroup = 0 "workgroup",
    GPU = 1 "gpu",
}

enumeration! {
    /// `xegpu::MemorySpace` of MLIR.
    MemorySpace = "xegpu::MemorySpace", 32;
    Global = 0 "global",
    SLM = 3 "slm",
}

listed! {
    CachePolicy,
    FenceScope,
    MemorySpace,
    ;
    CachePolicy in Angle of "cache_hint",
    FenceScope in None of "fence_scope",
    MemorySpace in None of "memory_space",
}
