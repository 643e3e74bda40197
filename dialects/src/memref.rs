//! `memref`: references to memory.

mod assembly;
mod directives;
pub(crate) mod folds;
mod patterns;

use std::sync::Arc;

use super::common::branches::Once;
pub use super::common::layouts::Strides;
use super::common::speculation::Dimension;
use super::names;
use mlirbc_ir::interfaces::{RegionBranch, Speculatable};
use mlirbc_ir::verify::{Checker, rules};
use mlirbc_ir::{Dialect, LooksAt, OpRef, Result};
use mlirbc_rewrite::{DialectRewrite, InlineEverywhere};
use mlirbc_text::DialectAssembly;
use mlirbc_text::directives::INDEX_LIST;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    patterns::attach(folds::attach(assembly::attach(defined!("memref").inliner(InlineEverywhere))))
        .interface::<dyn RegionBranch>("alloca_scope", Arc::new(Once))
        .interface::<dyn Speculatable>("dim", Arc::new(Dimension))
        .verify_op_by("alloc", LooksAt::TypesAndAttributes, sizes_of_result)
        .verify_op_by("alloca", LooksAt::TypesAndAttributes, sizes_of_result)
        .directive("DynamicIndexList", INDEX_LIST)
        .directive("GlobalMemrefOpTypeAndInitialValue", directives::GLOBAL)
        .result_name("alloc", "alloc")
        .result_name("alloca", "alloca")
        .result_name("assume_alignment", "assume_align")
        .result_name("cast", "cast")
        .result_name("collapse_shape", "collapse_shape")
        .result_name("dim", "dim")
        .result_name("expand_shape", "expand_shape")
        .result_name("extract_aligned_pointer_as_index", "intptr")
        .result_name("memory_space_cast", "memspacecast")
        .result_name("reinterpret_cast", "reinterpret_cast")
        .result_name("reshape", "reshape")
        .result_name("subview", "subview")
        .result_name("transpose", "transpose")
        .result_name("view", "view")
        .result_names("extract_strided_metadata", metadata_names)
        .infer_types("rank", names::index_result)
}

fn sizes_of_result(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    rules::sizes_of_result(checker, op, "dynamicSizes")
}

fn metadata_names(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    set(0, b"base_buffer");
    set(1, b"offset");
    if op.results().len() > 2 {
        set(2, b"sizes");
        set(2 + (op.results().len() - 2) / 2, b"strides");
    }
    Ok(())
}
