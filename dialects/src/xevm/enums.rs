//! The enums of `xevm`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `xevm::AddrSpace` of MLIR.
    AddrSpace = "xevm::AddrSpace", 32;
    PRIVATE = 0 "private",
    GLOBAL = 1 "global",
    CONSTANT = 2 "constant",
    SHARED = 3 "shared",
    GENERIC = 4 "generic",
}

enumeration! {
    /// `xevm::ElemType` of MLIR.
    ElemType = "xevm::ElemType", 32;
    BF16 = 8 "bf16",
    F16 = 9 "f16",
    S8 = 10 "s8",
    U8 = 11 "u8",
    S4 = 12 "s4",
    U4 = 13 "u4",
    TF32 = 14 "tf32",
    F32 = 15 "f32",
    S32 = 16 "s32",
}

enumeration! {
    /// `xevm::LoadCacheControl` of MLIR.
    LoadCacheControl = "xevm::LoadCacheControl", 32;
    L1UC_L2UC_L3UC = 1 "L1uc_L2uc_L3uc",
    L1UC_L2UC_L3C = 2 "L1uc_L2uc_L3c",
    L1UC_L2C_L3UC = 3 "L1uc_L2c_L3uc",
    L1UC_L2C_L3C = 4 "L1uc_L2c_L3c",
    L1C_L2UC_L3UC = 5 "L1c_L2uc_L3uc",
    L1C_L2UC_L3C = 6 "L1c_L2uc_L3c",
    L1C_L2C_L3UC = 7 "L1c_L2c_L3uc",
    L1C_L2C_L3C = 8 "L1c_L2c_L3c",
    L1S_L2UC_L3UC = 9 "L1s_L2uc_L3uc",
    L1S_L2UC_L3C = 10 "L1s_L2uc_L3c",
    L1S_L2C_L3UC = 11 "L1s_L2c_L3uc",
    L1S_L2C_L3C = 12 "L1s_L2c_L3c",
    INVALIDATE_READ = 13 "ir",
}

enumeration! {
    /// `xevm::MemScope` of MLIR.
    MemScope = "xevm::MemScope", 32;
    LANE = 0 "lane",
    SUBGROUP = 1 "subgroup",
    WORKGROUP = 2 "workgroup",
    CLUSTER = 3 "cluster",
    DEVICE = 4 "device",
    SYSTEM = 5 "system",
}

enumeration! {
    /// `xevm::StoreCacheControl` of MLIR.
    StoreCacheControl = "xevm::StoreCacheControl", 32;
    L1UC_L2UC_L3UC = 1 "L1uc_L2uc_L3uc",
    L1UC_L2UC_L3WB = 2 "L1uc_L2uc_L3wb",
    L1UC_L2WB_L3UC = 3 "L1uc_L2wb_L3uc",
    L1UC_L2WB_L3WB = 4 "L1uc_L2wb_L3wb",
    L1WT_L2UC_L3UC = 5 "L1wt_L2uc_L3uc",
    L1WT_L2UC_L3WB = 6 "L1wt_L2uc_L3wb",
    L1WT_L2WB_L3UC = 7 "L1wt_L2wb_L3uc",
    L1WT_L2WB_L3WB = 8 "L1wt_L2wb_L3wb",
    L1S_L2UC_L3UC = 9 "L1s_L2uc_L3uc",
    L1S_L2UC_L3WB = 10 "L1s_L2uc_L3wb",
    L1S_L2WB_L3UC = 11 "L1s_L2wb_L3uc",
    L1S_L2WB_L3WB = 12 "L1s_L2wb_L3wb",
    L1WB_L2UC_L3UC = 13 "L1wb_L2uc_L3uc",
    L1WB_L2WB_L3UC = 14 "L1wb_L2wb_L3uc",
    L1WB_L2UC_L3WB = 15 "L1wb_L2uc_L3wb",
}

listed! {
    AddrSpace,
    ElemType,
    LoadCacheControl,
    MemScope,
    StoreCacheControl,
    ;
    AddrSpace in Angle of "addr_space",
    LoadCacheControl in Angle of "load_cache_control",
    MemScope in Angle of "mem_scope",
    StoreCacheControl in Angle of "store_cache_control",
}
