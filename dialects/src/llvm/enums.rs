//! The enums of `llvm`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::{bit_enumeration, enumeration};

use crate::common::cases::listed;

enumeration! {
    /// `LLVM::AsmDialect` of MLIR.
    AsmDialect = "LLVM::AsmDialect", 64;
    AD_ATT = 0 "att",
    AD_Intel = 1 "intel",
}

enumeration! {
    /// `LLVM::AtomicBinOp` of MLIR.
    AtomicBinOp = "LLVM::AtomicBinOp", 64;
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
    UsubCond = 17 "usub_cond",
    UsubSat = 18 "usub_sat",
    Fmaximum = 19 "fmaximum",
    Fminimum = 20 "fminimum",
}

enumeration! {
    /// `LLVM::AtomicOrdering` of MLIR.
    AtomicOrdering = "LLVM::AtomicOrdering", 64;
    NotAtomic = 0 "not_atomic",
    Unordered = 1 "unordered",
    Monotonic = 2 "monotonic",
    Acquire = 4 "acquire",
    Release = 5 "release",
    AcqRel = 6 "acq_rel",
    SeqCst = 7 "seq_cst",
}

enumeration! {
    /// `LLVM::DIEmissionKind` of MLIR.
    DIEmissionKind = "LLVM::DIEmissionKind", 64;
    None = 0 "None",
    Full = 1 "Full",
    LineTablesOnly = 2 "LineTablesOnly",
    DebugDirectivesOnly = 3 "DebugDirectivesOnly",
}

bit_enumeration! {
    /// `LLVM::DIFlags` of MLIR.
    DIFlags = "LLVM::DIFlags", 32, "|", true;
    ZERO = 0 "Zero",
    BIT0 = 1 "Bit0",
    BIT1 = 2 "Bit1",
    PRIVATE = 1 "Private" group,
    PROTECTED = 2 "Protected" group,
    PUBLIC = 3 "Public" group,
    FWD_DECL = 4 "FwdDecl",
    APPLE_BLOCK = 8 "AppleBlock",
    RESERVED_BIT4 = 16 "ReservedBit4",
    VIRTUAL = 32 "Virtual",
    ARTIFICIAL = 64 "Artificial",
    EXPLICIT = 128 "Explicit",
    PROTOTYPED = 256 "Prototyped",
    OBJC_CLASS_COMPLETE = 512 "ObjcClassComplete",
    OBJECT_POINTER = 1024 "ObjectPointer",
    VECTOR = 2048 "Vector",
    STATIC_MEMBER = 4096 "StaticMember",
    LVALUE_REFERENCE = 8192 "LValueReference",
    RVALUE_REFERENCE = 16384 "RValueReference",
    EXPORT_SYMBOLS = 32768 "ExportSymbols",
    SINGLE_INHERITANCE = 65536 "SingleInheritance",
    MULTIPLE_INHERITANCE = 65536 "MultipleInheritance",
    VIRTUAL_INHERITANCE = 65536 "VirtualInheritance",
    INTRODUCED_VIRTUAL = 262144 "IntroducedVirtual",
    BIT_FIELD = 524288 "BitField",
    NO_RETURN = 1048576 "NoReturn",
    TYPE_PASS_BY_VALUE = 4194304 "TypePassByValue",
    TYPE_PASS_BY_REFERENCE = 8388608 "TypePassByReference",
    ENUM_CLASS = 16777216 "EnumClass",
    THUNK = 33554432 "Thunk",
    NON_TRIVIAL = 67108864 "NonTrivial",
    BIG_ENDIAN = 134217728 "BigEndian",
    LITTLE_ENDIAN = 268435456 "LittleEndian",
    ALL_CALLS_DESCRIBED = 536870912 "AllCallsDescribed",
}

enumeration! {
    /// `LLVM::DINameTableKind` of MLIR.
    DINameTableKind = "LLVM::DINameTableKind", 64;
    Default = 0 "Default",
    GNU = 1 "GNU",
    None = 2 "None",
    Apple = 3 "Apple",
}

bit_enumeration! {
    /// `LLVM::DISubprogramFlags` of MLIR.
    DISubprogramFlags = "LLVM::DISubprogramFlags", 32, "|", true;
    VIRTUAL = 1 "Virtual",
    PURE_VIRTUAL = 2 "PureVirtual",
    LOCAL_TO_UNIT = 4 "LocalToUnit",
    DEFINITION = 8 "Definition",
    OPTIMIZED = 16 "Optimized",
    PURE = 32 "Pure",
    ELEMENTAL = 64 "Elemental",
    RECURSIVE = 128 "Recursive",
    MAIN_SUBPROGRAM = 256 "MainSubprogram",
    DELETED = 512 "Deleted",
    OBJ_CDIRECT = 2048 "ObjCDirect",
}

enumeration! {
    /// `LLVM::FCmpPredicate` of MLIR.
    FCmpPredicate = "LLVM::FCmpPredicate", 64;
    False = 0 "_false",
    Oeq = 1 "oeq",
    Ogt = 2 "ogt",
    Oge = 3 "oge",
    Olt = 4 "olt",
    Ole = 5 "ole",
    One = 6 "one",
    Ord = 7 "ord",
    Ueq = 8 "ueq",
    Ugt = 9 "ugt",
    Uge = 10 "uge",
    Ult = 11 "ult",
    Ule = 12 "ule",
    Une = 13 "une",
    Uno = 14 "uno",
    True = 15 "_true",
}

enumeration! {
    /// `LLVM::FPExceptionBehavior` of MLIR.
    FPExceptionBehavior = "LLVM::FPExceptionBehavior", 64;
    Ignore = 0 "ignore",
    MayTrap = 1 "maytrap",
    Strict = 2 "strict",
}

bit_enumeration! {
    /// `LLVM::FastmathFlags` of MLIR.
    FastmathFlags = "LLVM::FastmathFlags", 32, ", ", true;
    NONE = 0 "none",
    NNAN = 1 "nnan",
    NINF = 2 "ninf",
    NSZ = 4 "nsz",
    ARCP = 8 "arcp",
    CONTRACT = 16 "contract",
    AFN = 32 "afn",
    REASSOC = 64 "reassoc",
    FAST = 127 "fast" group,
}

bit_enumeration! {
    /// `LLVM::GEPNoWrapFlags` of MLIR.
    GEPNoWrapFlags = "LLVM::GEPNoWrapFlags", 32, "|", true;
    NONE = 0 "none",
    INBOUNDS_FLAG = 1 "inbounds_flag",
    NUSW = 2 "nusw",
    NUW = 4 "nuw",
    INBOUNDS = 3 "inbounds" group,
}

enumeration! {
    /// `LLVM::ICmpPredicate` of MLIR.
    ICmpPredicate = "LLVM::ICmpPredicate", 64;
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
    /// `LLVM::IntegerOverflowFlags` of MLIR.
    IntegerOverflowFlags = "LLVM::IntegerOverflowFlags", 32, ", ", true;
    NONE = 0 "none",
    NSW = 1 "nsw",
    NUW = 2 "nuw",
}

enumeration! {
    /// `LLVM::ModFlagBehavior` of MLIR.
    ModFlagBehavior = "LLVM::ModFlagBehavior", 64;
    Error = 1 "error",
    Warning = 2 "warning",
    Require = 3 "require",
    Override = 4 "override",
    Append = 5 "append",
    AppendUnique = 6 "append_unique",
    Max = 7 "max",
    Min = 8 "min",
}

enumeration! {
    /// `LLVM::ModRefInfo` of MLIR.
    ModRefInfo = "LLVM::ModRefInfo", 64;
    NoModRef = 0 "none",
    Ref = 1 "read",
    Mod = 2 "write",
    ModRef = 3 "readwrite",
}

enumeration! {
    /// `LLVM::ProfileSummaryFormatKind` of MLIR.
    ProfileSummaryFormatKind = "LLVM::ProfileSummaryFormatKind", 64;
    SampleProfile = 0 "SampleProfile",
    InstrProf = 1 "InstrProf",
    CSInstrProf = 2 "CSInstrProf",
}

enumeration! {
    /// `LLVM::RoundingMode` of MLIR.
    RoundingMode = "LLVM::RoundingMode", 64;
    TowardZero = 0 "towardzero",
    NearestTiesToEven = 1 "tonearest",
    TowardPositive = 2 "upward",
    TowardNegative = 3 "downward",
    NearestTiesToAway = 4 "tonearestaway",
    Dynamic = 7 "dynamic",
    Invalid = -1 "invalid",
}

enumeration! {
    /// `LLVM::UnnamedAddr` of MLIR.
    UnnamedAddr = "LLVM::UnnamedAddr", 64;
    None = 0 "",
    Local = 1 "local_unnamed_addr",
    Global = 2 "unnamed_addr",
}

enumeration! {
    /// `LLVM::Visibility` of MLIR.
    Visibility = "LLVM::Visibility", 64;
    Default = 0 "",
    Hidden = 1 "hidden",
    Protected = 2 "protected",
}

enumeration! {
    /// `LLVM::cconv::CConv` of MLIR.
    CConv = "LLVM::cconv::CConv", 64;
    C = 0 "ccc",
    Fast = 8 "fastcc",
    Cold = 9 "coldcc",
    GHC = 10 "cc_10",
    HiPE = 11 "cc_11",
    AnyReg = 13 "anyregcc",
    PreserveMost = 14 "preserve_mostcc",
    PreserveAll = 15 "preserve_allcc",
    Swift = 16 "swiftcc",
    CXX_FAST_TLS = 17 "cxx_fast_tlscc",
    Tail = 18 "tailcc",
    CFGuard_Check = 19 "cfguard_checkcc",
    SwiftTail = 20 "swifttailcc",
    X86_StdCall = 64 "x86_stdcallcc",
    X86_FastCall = 65 "x86_fastcallcc",
    ARM_APCS = 66 "arm_apcscc",
    ARM_AAPCS = 67 "arm_aapcscc",
    ARM_AAPCS_VFP = 68 "arm_aapcs_vfpcc",
    MSP430_INTR = 69 "msp430_intrcc",
    X86_ThisCall = 70 "x86_thiscallcc",
    PTX_Kernel = 71 "ptx_kernelcc",
    PTX_Device = 72 "ptx_devicecc",
    SPIR_FUNC = 75 "spir_funccc",
    SPIR_KERNEL = 76 "spir_kernelcc",
    Intel_OCL_BI = 77 "intel_ocl_bicc",
    X86_64_SysV = 78 "x86_64_sysvcc",
    Win64 = 79 "win64cc",
    X86_VectorCall = 80 "x86_vectorcallcc",
    DUMMY_HHVM = 81 "hhvmcc",
    DUMMY_HHVM_C = 82 "hhvm_ccc",
    X86_INTR = 83 "x86_intrcc",
    AVR_INTR = 84 "avr_intrcc",
    AVR_BUILTIN = 86 "avr_builtincc",
    AMDGPU_VS = 87 "amdgpu_vscc",
    AMDGPU_GS = 88 "amdgpu_gscc",
    AMDGPU_CS = 90 "amdgpu_cscc",
    AMDGPU_KERNEL = 91 "amdgpu_kernelcc",
    X86_RegCall = 92 "x86_regcallcc",
    AMDGPU_HS = 93 "amdgpu_hscc",
    MSP430_BUILTIN = 94 "msp430_builtincc",
    AMDGPU_LS = 95 "amdgpu_lscc",
    AMDGPU_ES = 96 "amdgpu_escc",
    AArch64_VectorCall = 97 "aarch64_vectorcallcc",
    AArch64_SVE_VectorCall = 98 "aarch64_sve_vectorcallcc",
    WASM_EmscriptenInvoke = 99 "wasm_emscripten_invokecc",
    AMDGPU_Gfx = 100 "amdgpu_gfxcc",
    M68k_INTR = 101 "m68k_intrcc",
}

enumeration! {
    /// `LLVM::comdat::Comdat` of MLIR.
    Comdat = "LLVM::comdat::Comdat", 64;
    Any = 0 "any",
    ExactMatch = 1 "exactmatch",
    Largest = 2 "largest",
    NoDeduplicate = 3 "nodeduplicate",
    SameSize = 4 "samesize",
}

enumeration! {
    /// `LLVM::framePointerKind::FramePointerKind` of MLIR.
    FramePointerKind = "LLVM::framePointerKind::FramePointerKind", 64;
    None = 0 "none",
    NonLeaf = 1 "non-leaf",
    All = 2 "all",
    Reserved = 3 "reserved",
    NonLeafNoReserve = 4 "non-leaf-no-reserve",
}

enumeration! {
    /// `LLVM::linkage::Linkage` of MLIR.
    Linkage = "LLVM::linkage::Linkage", 64;
    External = 0 "external",
    AvailableExternally = 1 "available_externally",
    Linkonce = 2 "linkonce",
    LinkonceODR = 3 "linkonce_odr",
    Weak = 4 "weak",
    WeakODR = 5 "weak_odr",
    Appending = 6 "appending",
    Internal = 7 "internal",
    Private = 8 "private",
    ExternWeak = 9 "extern_weak",
    Common = 10 "common",
}

enumeration! {
    /// `LLVM::tailcallkind::TailCallKind` of MLIR.
    TailCallKind = "LLVM::tailcallkind::TailCallKind", 64;
    None = 0 "none",
    NoTail = 3 "notail",
    MustTail = 2 "musttail",
    Tail = 1 "tail",
}

enumeration! {
    /// `LLVM::uwtable::UWTableKind` of MLIR.
    UWTableKind = "LLVM::uwtable::UWTableKind", 64;
    None = 0 "none",
    Sync = 1 "sync",
    Async = 2 "async",
}

listed! {
    AsmDialect,
    AtomicBinOp,
    AtomicOrdering,
    DIEmissionKind,
    DIFlags,
    DINameTableKind,
    DISubprogramFlags,
    FCmpPredicate,
    FPExceptionBehavior,
    FastmathFlags,
    GEPNoWrapFlags,
    ICmpPredicate,
    IntegerOverflowFlags,
    ModFlagBehavior,
    ModRefInfo,
    ProfileSummaryFormatKind,
    RoundingMode,
    UnnamedAddr,
    Visibility,
    CConv,
    Comdat,
    FramePointerKind,
    Linkage,
    TailCallKind,
    UWTableKind,
    ;
    FastmathFlags in Angle of "fastmath",
    IntegerOverflowFlags in Angle of "overflow",
}
