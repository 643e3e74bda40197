//! The enums of `sparse_tensor`, of its definitions. Not to be edited:
//! `BLESS=1 cargo test -p mlirbc-testing --test all enumerations::` makes it again.

use mlirbc_ir::enumeration;

use crate::common::cases::listed;

enumeration! {
    /// `sparse_tensor::CrdTransDirectionKind` of MLIR.
    CrdTransDirectionKind = "sparse_tensor::CrdTransDirectionKind", 32;
    Dim2lvl = 0 "dim_to_lvl",
    Lvl2dim = 1 "lvl_to_dim",
}

enumeration! {
    /// `sparse_tensor::SparseTensorSortKind` of MLIR.
    SparseTensorSortKind = "sparse_tensor::SparseTensorSortKind", 32;
    HybridQuickSort = 0 "hybrid_quick_sort",
    InsertionSortStable = 1 "insertion_sort_stable",
    QuickSort = 2 "quick_sort",
    HeapSort = 3 "heap_sort",
}

enumeration! {
    /// `sparse_tensor::StorageSpecifierKind` of MLIR.
    StorageSpecifierKind = "sparse_tensor::StorageSpecifierKind", 32;
    LvlSize = 0 "lvl_sz",
    PosMemSize = 1 "pos_mem_sz",
    CrdMemSize = 2 "crd_mem_sz",
    ValMemSize = 3 "val_mem_sz",
    DimOffset = 4 "dim_offset",
    DimStride = 5 "dim_stride",
}

listed! {
    CrdTransDirectionKind,
    SparseTensorSortKind,
    StorageSpecifierKind,
    ;
    CrdTransDirectionKind in None of "CrdTransDirection",
    SparseTensorSortKind in None of "SparseTensorSortAlgorithm",
    StorageSpecifierKind in None of "kind",
}
