//! The enums of `acc`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::{bit_enumeration, enumeration};

use crate::common::cases::listed;

enumeration! {
    /// `acc::ClauseDefaultValue` of MLIR.
    ClauseDefaultValue = "acc::ClauseDefaultValue", 32;
    Present = 0 "present",
    None = 1 "none",
}

enumeration! {
    /// `acc::CombinedConstructsType` of MLIR.
    CombinedConstructsType = "acc::CombinedConstructsType", 32;
    KernelsLoop = 1 "kernels_loop",
    ParallelLoop = 2 "parallel_loop",
    SerialLoop = 3 "serial_loop",
}

enumeration! {
    /// `acc::Construct` of MLIR.
    Construct = "acc::Construct", 64;
    AccConstructParallel = 0 "acc_construct_parallel",
    AccConstructKernels = 1 "acc_construct_kernels",
    AccConstructLoop = 2 "acc_construct_loop",
    AccConstructData = 3 "acc_construct_data",
    AccConstructEnterData = 4 "acc_construct_enter_data",
    AccConstructExitData = 5 "acc_construct_exit_data",
    AccConstructHostData = 6 "acc_construct_host_data",
    AccConstructAtomic = 7 "acc_construct_atomic",
    AccConstructDeclare = 8 "acc_construct_declare",
    AccConstructInit = 9 "acc_construct_init",
    AccConstructShutdown = 10 "acc_construct_shutdown",
    AccConstructSet = 11 "acc_construct_set",
    AccConstructUpdate = 12 "acc_construct_update",
    AccConstructRoutine = 13 "acc_construct_routine",
    AccConstructWait = 14 "acc_construct_wait",
    AccConstructRuntimeApi = 15 "acc_construct_runtime_api",
    AccConstructSerial = 16 "acc_construct_serial",
}

enumeration! {
    /// `acc::DataClause` of MLIR.
    DataClause = "acc::DataClause", 64;
    AccCopyin = 1 "acc_copyin",
    AccCopyinReadonly = 2 "acc_copyin_readonly",
    AccCopy = 3 "acc_copy",
    AccCopyout = 4 "acc_copyout",
    AccCopyoutZero = 5 "acc_copyout_zero",
    AccPresent = 6 "acc_present",
    AccCreate = 7 "acc_create",
    AccCreateZero = 8 "acc_create_zero",
    AccDelete = 9 "acc_delete",
    AccAttach = 10 "acc_attach",
    AccDetach = 11 "acc_detach",
    AccNoCreate = 12 "acc_no_create",
    AccPrivate = 13 "acc_private",
    AccFirstprivate = 14 "acc_firstprivate",
    AccDeviceptr = 15 "acc_deviceptr",
    AccGetdeviceptr = 16 "acc_getdeviceptr",
    AccUpdateHost = 17 "acc_update_host",
    AccUpdateSelf = 18 "acc_update_self",
    AccUpdateDevice = 19 "acc_update_device",
    AccUseDevice = 20 "acc_use_device",
    AccReduction = 21 "acc_reduction",
    AccDeclareDeviceResident = 22 "acc_declare_device_resident",
    AccDeclareLink = 23 "acc_declare_link",
    AccCache = 24 "acc_cache",
    AccCacheReadonly = 25 "acc_cache_readonly",
}

bit_enumeration! {
    /// `acc::DataClauseModifier` of MLIR.
    DataClauseModifier = "acc::DataClauseModifier", 32, ",", true;
    NONE = 0 "none",
    ZERO = 1 "zero",
    READONLY = 2 "readonly",
    ALWAYSIN = 4 "alwaysin",
    ALWAYSOUT = 8 "alwaysout",
    ALWAYS = 12 "always" group,
    CAPTURE = 16 "capture",
}

enumeration! {
    /// `acc::DeviceType` of MLIR.
    DeviceType = "acc::DeviceType", 32;
    None = 0 "none",
    Star = 1 "star",
    Default = 2 "default",
    Host = 3 "host",
    Multicore = 4 "multicore",
    Nvidia = 5 "nvidia",
    Radeon = 6 "radeon",
}

enumeration! {
    /// `acc::GangArgType` of MLIR.
    GangArgType = "acc::GangArgType", 32;
    Num = 0 "Num",
    Dim = 1 "Dim",
    Static = 2 "Static",
}

enumeration! {
    /// `acc::LoopParMode` of MLIR.
    LoopParMode = "acc::LoopParMode", 32;
    LoopAuto = 1 "loop_auto",
    LoopIndependent = 2 "loop_independent",
    LoopSeq = 0 "loop_seq",
}

enumeration! {
    /// `acc::ParLevel` of MLIR.
    ParLevel = "acc::ParLevel", 32;
    Seq = 0 "seq",
    GangDim1 = 1 "gang_dim1",
    GangDim2 = 2 "gang_dim2",
    GangDim3 = 3 "gang_dim3",
    Worker = 4 "worker",
    Vector = 5 "vector",
}

enumeration! {
    /// `acc::RecipeKind` of MLIR.
    RecipeKind = "acc::RecipeKind", 32;
    PrivateRecipe = 0 "private_recipe",
    FirstprivateRecipe = 1 "firstprivate_recipe",
    ReductionRecipe = 2 "reduction_recipe",
}

enumeration! {
    /// `acc::ReductionOperator` of MLIR.
    ReductionOperator = "acc::ReductionOperator", 32;
    AccNone = 0 "none",
    AccAdd = 1 "add",
    AccMul = 2 "mul",
    AccMax = 3 "max",
    AccMin = 4 "min",
    AccIand = 5 "iand",
    AccIor = 6 "ior",
    AccXor = 7 "xor",
    AccEqv = 8 "eqv",
    AccNeqv = 9 "neqv",
    AccLand = 10 "land",
    AccLor = 11 "lor",
}

bit_enumeration! {
    /// `acc::VariableTypeCategory` of MLIR.
    VariableTypeCategory = "acc::VariableTypeCategory", 32, ",", true;
    UNCATEGORIZED = 0 "uncategorized",
    SCALAR = 1 "scalar",
    ARRAY = 2 "array",
    COMPOSITE = 4 "composite",
    NONSCALAR = 8 "nonscalar",
    AGGREGATE = 14 "aggregate" group,
}

listed! {
    ClauseDefaultValue,
    CombinedConstructsType,
    Construct,
    DataClause,
    DataClauseModifier,
    DeviceType,
    GangArgType,
    LoopParMode,
    ParLevel,
    RecipeKind,
    ReductionOperator,
    VariableTypeCategory,
    ;
    CombinedConstructsType in Angle of "combined_constructs",
    Construct in None of "construct",
    DataClause in None of "data_clause",
    DataClauseModifier in None of "data_clause_modifier",
    ClauseDefaultValue in None of "defaultvalue",
    DeviceType in Angle of "device_type",
    GangArgType in Angle of "gang_arg_type",
    ParLevel in Angle of "par_level",
    RecipeKind in Angle of "recipe_kind",
    ReductionOperator in Angle of "reduction_operator",
}
