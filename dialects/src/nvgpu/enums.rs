//! The enums of `nvgpu`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `nvgpu::RcpRoundingMode` of MLIR.
    RcpRoundingMode = "nvgpu::RcpRoundingMode", 32;
    APPROX = 0 "approx",
    RN = 1 "rn",
    RZ = 2 "rz",
    RM = 3 "rm",
    RP = 4 "rp",
}

enumeration! {
    /// `nvgpu::TensorMapInterleaveKind` of MLIR.
    TensorMapInterleaveKind = "nvgpu::TensorMapInterleaveKind", 32;
    INTERLEAVE_NONE = 0 "none",
    INTERLEAVE_16B = 1 "interleave_16b",
    INTERLEAVE_32B = 2 "interleave_32b",
}

enumeration! {
    /// `nvgpu::TensorMapL2PromoKind` of MLIR.
    TensorMapL2PromoKind = "nvgpu::TensorMapL2PromoKind", 32;
    L2PROMO_NONE = 0 "none",
    L2PROMO_64B = 1 "l2promo_64b",
    L2PROMO_128B = 2 "l2promo_128b",
    L2PROMO_256B = 3 "l2promo_256b",
}

enumeration! {
    /// `nvgpu::TensorMapOOBKind` of MLIR.
    TensorMapOOBKind = "nvgpu::TensorMapOOBKind", 32;
    OOB_ZERO = 0 "zero",
    OOB_NAN = 1 "nan",
}

enumeration! {
    /// `nvgpu::TensorMapSwizzleKind` of MLIR.
    TensorMapSwizzleKind = "nvgpu::TensorMapSwizzleKind", 32;
    SWIZZLE_NONE = 0 "none",
    SWIZZLE_32B = 1 "swizzle_32b",
    SWIZZLE_64B = 2 "swizzle_64b",
    SWIZZLE_128B = 3 "swizzle_128b",
}

listed! {
    RcpRoundingMode,
    TensorMapInterleaveKind,
    TensorMapL2PromoKind,
    TensorMapOOBKind,
    TensorMapSwizzleKind,
    ;
    TensorMapInterleaveKind in None of "interleave",
    TensorMapL2PromoKind in None of "l2promo",
    TensorMapOOBKind in None of "oob",
    RcpRoundingMode in None of "rcp_rounding_mode",
    TensorMapSwizzleKind in None of "swizzle",
}
