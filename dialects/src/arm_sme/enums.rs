//! The enums of `arm_sme`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `arm_sme::ArmSMETileType` of MLIR.
    ArmSMETileType = "arm_sme::ArmSMETileType", 32;
    ZAB = 0 "za.b",
    ZAH = 1 "za.h",
    ZAS = 2 "za.s",
    ZAD = 3 "za.d",
    ZAQ = 4 "za.q",
}

enumeration! {
    /// `arm_sme::ArmStreamingMode` of MLIR.
    ArmStreamingMode = "arm_sme::ArmStreamingMode", 32;
    Disabled = 0 "disabled",
    Streaming = 1 "arm_streaming",
    StreamingLocally = 2 "arm_locally_streaming",
    StreamingCompatible = 3 "arm_streaming_compatible",
}

enumeration! {
    /// `arm_sme::ArmZaMode` of MLIR.
    ArmZaMode = "arm_sme::ArmZaMode", 32;
    Disabled = 0 "disabled",
    NewZA = 1 "arm_new_za",
    InZA = 2 "arm_in_za",
    OutZA = 3 "arm_out_za",
    InOutZA = 4 "arm_inout_za",
    PreservesZA = 5 "arm_preserves_za",
}

enumeration! {
    /// `arm_sme::CombiningKind` of MLIR.
    CombiningKind = "arm_sme::CombiningKind", 32;
    Add = 0 "add",
    Sub = 1 "sub",
}

enumeration! {
    /// `arm_sme::TileSliceLayout` of MLIR.
    TileSliceLayout = "arm_sme::TileSliceLayout", 32;
    Horizontal = 0 "horizontal",
    Vertical = 1 "vertical",
}

enumeration! {
    /// `arm_sme::TypeSize` of MLIR.
    TypeSize = "arm_sme::TypeSize", 32;
    Byte = 0 "byte",
    Half = 1 "half",
    Word = 2 "word",
    Double = 3 "double",
}

listed! {
    ArmSMETileType,
    ArmStreamingMode,
    ArmZaMode,
    CombiningKind,
    TileSliceLayout,
    TypeSize,
    ;
    CombiningKind in Angle of "kind",
    TileSliceLayout in Angle of "layout",
    TypeSize in Angle of "type_size",
}
