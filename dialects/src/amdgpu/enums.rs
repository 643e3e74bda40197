//! The enums of `amdgpu`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::{bit_enumeration, enumeration};

use crate::common::cases::listed;

enumeration! {
    /// `amdgpu::AddressSpace` of MLIR.
    AddressSpace = "amdgpu::AddressSpace", 32;
    FatRawBuffer = 0 "fat_raw_buffer",
    BufferRsrc = 1 "buffer_rsrc",
    FatStructuredBuffer = 2 "fat_structured_buffer",
}

enumeration! {
    /// `amdgpu::DPPPerm` of MLIR.
    DPPPerm = "amdgpu::DPPPerm", 32;
    QuadPerm = 0 "quad_perm",
    RowShl = 1 "row_shl",
    RowShr = 2 "row_shr",
    RowRor = 3 "row_ror",
    WaveShl = 4 "wave_shl",
    WaveShr = 5 "wave_shr",
    WaveRor = 6 "wave_ror",
    WaveRol = 7 "wave_rol",
    RowMirror = 8 "row_mirror",
    RowHalfMirror = 9 "row_half_mirror",
    RowBcast15 = 10 "row_bcast_15",
    RowBcast31 = 11 "row_bcast_31",
}

enumeration! {
    /// `amdgpu::MFMAPermB` of MLIR.
    MFMAPermB = "amdgpu::MFMAPermB", 32;
    None = 0 "none",
    BcastFirst32 = 1 "bcast_first_32",
    BcastSecond32 = 2 "bcast_second_32",
    Rotate16Right = 3 "rotate_16_right",
    BcastFirst16 = 4 "bcast_first_16",
    BcastSecond16 = 5 "bcast_second_16",
    BcastThird16 = 6 "bcast_third_16",
    BcastFourth16 = 7 "bcast_fourth_16",
}

bit_enumeration! {
    /// `amdgpu::sched_barrier_opt_enum` of MLIR.
    SchedBarrierOptEnum = "amdgpu::sched_barrier_opt_enum", 32, "|", false;
    NONE = 0 "none",
    NON_MEM_NON_SIDEFFECT = 1 "non_mem_non_sideffect",
    VALU = 2 "valu",
    SALU = 4 "salu",
    MFMA_WMMA = 8 "mfma_wmma",
    ALL_VMEM = 16 "all_vmem",
    VMEM_READ = 32 "vmem_read",
    VMEM_WRITE = 64 "vmem_write",
    ALL_DS = 128 "all_ds",
    DS_READ = 256 "ds_read",
    DS_WRITE = 512 "ds_write",
    TRANSCENDENTAL = 1024 "transcendental",
}

listed! {
    AddressSpace,
    DPPPerm,
    MFMAPermB,
    SchedBarrierOptEnum,
    ;
    AddressSpace in Angle of "address_space",
    DPPPerm in None of "dpp_perm",
    MFMAPermB in None of "mfma_perm_b",
    SchedBarrierOptEnum in Angle of "sched_barrier_opt",
}
