//! The enums of `omp`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::{bit_enumeration, enumeration};

use crate::common::cases::listed;

enumeration! {
    /// `omp::ClauseBindKind` of MLIR.
    ClauseBindKind = "omp::ClauseBindKind", 32;
    Parallel = 0 "parallel",
    Teams = 1 "teams",
    Thread = 2 "thread",
}

enumeration! {
    /// `omp::ClauseCancellationConstructType` of MLIR.
    ClauseCancellationConstructType = "omp::ClauseCancellationConstructType", 32;
    Parallel = 0 "parallel",
    Loop = 1 "loop",
    Sections = 2 "sections",
    Taskgroup = 3 "taskgroup",
}

enumeration! {
    /// `omp::ClauseDepend` of MLIR.
    ClauseDepend = "omp::ClauseDepend", 32;
    Dependsource = 0 "dependsource",
    Dependsink = 1 "dependsink",
}

enumeration! {
    /// `omp::ClauseGrainsizeType` of MLIR.
    ClauseGrainsizeType = "omp::ClauseGrainsizeType", 32;
    Strict = 0 "strict",
}

bit_enumeration! {
    /// `omp::ClauseMapFlags` of MLIR.
    ClauseMapFlags = "omp::ClauseMapFlags", 32, "|", false;
    NONE = 0 "none",
    STORAGE = 1 "storage",
    TO = 2 "to",
    FROM = 4 "from",
    ALWAYS = 8 "always",
    DEL = 16 "del",
    RETURN_PARAM = 32 "return_param",
    PRIV = 64 "priv",
    LITERAL = 128 "literal",
    IMPLICIT = 256 "implicit",
    CLOSE = 512 "close",
    PRESENT = 1024 "present",
    OMPX_HOLD = 2048 "ompx_hold",
    ATTACH = 4096 "attach",
    ATTACH_ALWAYS = 8192 "attach_always",
    ATTACH_NONE = 16384 "attach_none",
    ATTACH_AUTO = 32768 "attach_auto",
    REF_PTR = 65536 "ref_ptr",
    REF_PTEE = 131072 "ref_ptee",
    REF_PTR_PTEE = 262144 "ref_ptr_ptee",
    IS_DEVICE_PTR = 524288 "is_device_ptr",
}

enumeration! {
    /// `omp::ClauseMemoryOrderKind` of MLIR.
    ClauseMemoryOrderKind = "omp::ClauseMemoryOrderKind", 32;
    Seq_cst = 0 "seq_cst",
    Acq_rel = 1 "acq_rel",
    Acquire = 2 "acquire",
    Release = 3 "release",
    Relaxed = 4 "relaxed",
}

enumeration! {
    /// `omp::ClauseNumTasksType` of MLIR.
    ClauseNumTasksType = "omp::ClauseNumTasksType", 32;
    Strict = 0 "strict",
}

enumeration! {
    /// `omp::ClauseNumThreadsType` of MLIR.
    ClauseNumThreadsType = "omp::ClauseNumThreadsType", 32;
    Strict = 0 "strict",
}

enumeration! {
    /// `omp::ClauseOrderKind` of MLIR.
    ClauseOrderKind = "omp::ClauseOrderKind", 32;
    Concurrent = 1 "concurrent",
}

enumeration! {
    /// `omp::ClauseProcBindKind` of MLIR.
    ClauseProcBindKind = "omp::ClauseProcBindKind", 32;
    Primary = 0 "primary",
    Master = 1 "master",
    Close = 2 "close",
    Spread = 3 "spread",
}

bit_enumeration! {
    /// `omp::ClauseRequires` of MLIR.
    ClauseRequires = "omp::ClauseRequires", 32, "|", false;
    NONE = 0 "none",
    REVERSE_OFFLOAD = 1 "reverse_offload",
    UNIFIED_ADDRESS = 2 "unified_address",
    UNIFIED_SHARED_MEMORY = 4 "unified_shared_memory",
    DYNAMIC_ALLOCATORS = 8 "dynamic_allocators",
}

enumeration! {
    /// `omp::ClauseScheduleKind` of MLIR.
    ClauseScheduleKind = "omp::ClauseScheduleKind", 32;
    Static = 0 "static",
    Dynamic = 1 "dynamic",
    Guided = 2 "guided",
    Auto = 3 "auto",
    Runtime = 4 "runtime",
    Distribute = 5 "distribute",
}

enumeration! {
    /// `omp::ClauseTaskDepend` of MLIR.
    ClauseTaskDepend = "omp::ClauseTaskDepend", 32;
    Taskdependin = 0 "taskdependin",
    Taskdependout = 1 "taskdependout",
    Taskdependinout = 2 "taskdependinout",
    Taskdependmutexinoutset = 3 "taskdependmutexinoutset",
    Taskdependinoutset = 4 "taskdependinoutset",
}

enumeration! {
    /// `omp::DataSharingClauseType` of MLIR.
    DataSharingClauseType = "omp::DataSharingClauseType", 32;
    Private = 0 "private",
    FirstPrivate = 1 "firstprivate",
}

enumeration! {
    /// `omp::DeclareTargetCaptureClause` of MLIR.
    DeclareTargetCaptureClause = "omp::DeclareTargetCaptureClause", 32;
    None = 0 "none",
    To = 1 "to",
    Link = 2 "link",
    Enter = 3 "enter",
}

enumeration! {
    /// `omp::DeclareTargetDeviceType` of MLIR.
    DeclareTargetDeviceType = "omp::DeclareTargetDeviceType", 32;
    Any = 0 "any",
    Host = 1 "host",
    Nohost = 2 "nohost",
}

enumeration! {
    /// `omp::OrderModifier` of MLIR.
    OrderModifier = "omp::OrderModifier", 32;
    Reproducible = 0 "reproducible",
    Unconstrained = 1 "unconstrained",
}

enumeration! {
    /// `omp::ReductionModifier` of MLIR.
    ReductionModifier = "omp::ReductionModifier", 32;
    Defaultmod = 0 "defaultmod",
    Inscan = 1 "inscan",
    Task = 2 "task",
}

enumeration! {
    /// `omp::ScheduleModifier` of MLIR.
    ScheduleModifier = "omp::ScheduleModifier", 32;
    None = 0 "none",
    Monotonic = 1 "monotonic",
    Nonmonotonic = 2 "nonmonotonic",
    Simd = 3 "simd",
}

bit_enumeration! {
    /// `omp::TargetRegionFlags` of MLIR.
    TargetRegionFlags = "omp::TargetRegionFlags", 32, "|", false;
    NONE = 0 "none",
    GENERIC = 1 "generic",
    SPMD = 2 "spmd",
    TRIP_COUNT = 4 "trip_count",
    NO_LOOP = 8 "no_loop",
}

enumeration! {
    /// `omp::VariableCaptureKind` of MLIR.
    VariableCaptureKind = "omp::VariableCaptureKind", 32;
    This = 0 "This",
    ByRef = 1 "ByRef",
    ByCopy = 2 "ByCopy",
    VLAType = 3 "VLAType",
}

listed! {
    ClauseBindKind,
    ClauseCancellationConstructType,
    ClauseDepend,
    ClauseGrainsizeType,
    ClauseMapFlags,
    ClauseMemoryOrderKind,
    ClauseNumTasksType,
    ClauseNumThreadsType,
    ClauseOrderKind,
    ClauseProcBindKind,
    ClauseRequires,
    ClauseScheduleKind,
    ClauseTaskDepend,
    DataSharingClauseType,
    DeclareTargetCaptureClause,
    DeclareTargetDeviceType,
    OrderModifier,
    ReductionModifier,
    ScheduleModifier,
    TargetRegionFlags,
    VariableCaptureKind,
    ;
    ClauseBindKind in None of "bindkind",
    ClauseCancellationConstructType in None of "cancellationconstructtype",
    DeclareTargetCaptureClause in Round of "capture_clause",
    ClauseDepend in Round of "clause_depend",
    ClauseMapFlags in None of "clause_map_flags",
    ClauseRequires in None of "clause_requires",
    ClauseTaskDepend in Round of "clause_task_depend",
    DataSharingClauseType in Member of "data_sharing_type",
    DeclareTargetDeviceType in Round of "device_type",
    ClauseGrainsizeType in None of "grainsizetype",
    ClauseMemoryOrderKind in None of "memoryorderkind",
    ClauseNumTasksType in None of "numtaskstype",
    ClauseNumThreadsType in None of "numthreadstype",
    OrderModifier in None of "order_mod",
    ClauseOrderKind in None of "orderkind",
    ClauseProcBindKind in None of "procbindkind",
    ReductionModifier in Round of "reduction_modifier",
    ScheduleModifier in None of "sched_mod",
    ClauseScheduleKind in None of "schedulekind",
    VariableCaptureKind in Round of "variable_capture_kind",
}
