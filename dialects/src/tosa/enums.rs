//! The enums of `tosa`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `tosa::BlockSize` of MLIR.
    BlockSize = "tosa::BlockSize", 32;
    BLOCK_SIZE_32 = 32 "BLOCK_SIZE_32",
}

enumeration! {
    /// `tosa::Extension` of MLIR.
    Extension = "tosa::Extension", 32;
    None = 0 "none",
    Int16 = 1 "int16",
    Int4 = 2 "int4",
    Bf16 = 3 "bf16",
    Fp8e4m3 = 4 "fp8e4m3",
    Fp8e5m2 = 5 "fp8e5m2",
    Fft = 6 "fft",
    Variable = 7 "variable",
    Controlflow = 8 "controlflow",
    Doubleround = 9 "doubleround",
    Inexactround = 10 "inexactround",
    Dynamic = 11 "dynamic",
    Mxfp = 12 "mxfp",
    Int64 = 13 "int64",
    Shape = 14 "shape",
}

enumeration! {
    /// `tosa::Level` of MLIR.
    Level = "tosa::Level", 32;
    None = 0 "none",
    EightK = 1 "8k",
}

enumeration! {
    /// `tosa::NanPropagationMode` of MLIR.
    NanPropagationMode = "tosa::NanPropagationMode", 32;
    PROPAGATE = 1 "PROPAGATE",
    IGNORE = 2 "IGNORE",
}

enumeration! {
    /// `tosa::Profile` of MLIR.
    Profile = "tosa::Profile", 32;
    ProInt = 1 "pro_int",
    ProFp = 2 "pro_fp",
    None = 0 "none",
}

enumeration! {
    /// `tosa::ResizeMode` of MLIR.
    ResizeMode = "tosa::ResizeMode", 32;
    NEAREST_NEIGHBOR = 1 "NEAREST_NEIGHBOR",
    BILINEAR = 2 "BILINEAR",
}

enumeration! {
    /// `tosa::RoundingMode` of MLIR.
    RoundingMode = "tosa::RoundingMode", 32;
    SINGLE_ROUND = 1 "SINGLE_ROUND",
    INEXACT_ROUND = 2 "INEXACT_ROUND",
    DOUBLE_ROUND = 3 "DOUBLE_ROUND",
}

enumeration! {
    /// `tosa::SpecificationVersion` of MLIR.
    SpecificationVersion = "tosa::SpecificationVersion", 32;
    V_1_0 = 0 "1.0",
    V_1_1_DRAFT = 1 "1.1.draft",
}

listed! {
    BlockSize,
    Extension,
    Level,
    NanPropagationMode,
    Profile,
    ResizeMode,
    RoundingMode,
    SpecificationVersion,
    ;
    BlockSize in Angle of "block_size",
    Extension in Angle of "ext",
    Level in Angle of "level",
    NanPropagationMode in Angle of "nan_mode",
    Profile in Angle of "prof",
    ResizeMode in Angle of "resize_mode",
    RoundingMode in Angle of "rounding_mode",
    SpecificationVersion in Angle of "specification_version",
}
