//! `gpu`: kernels and their launches.

mod assembly;
mod directives;
mod enums;

pub use enums::*;

use super::common::values::{Types, make};
use mlirbc_ir::ods::CppClasses;
use mlirbc_ir::text::{DialectAssembly, split_symbol};
use mlirbc_ir::{AttributeData, Context, Dialect, InterfaceRule, OpRef, Result, Type};

/// The dialect's name.
const NAME: &str = "gpu";

/// The type of what is done at the same time.
fn token(context: &Context) -> Type {
    make(context, NAME, "async.token", [])
}

/// The dialect.
pub(super) fn dialect() -> Dialect {
    const PLACES: [&str; 9] = [
        "block_dim",
        "block_id",
        "cluster_block_id",
        "cluster_dim_blocks",
        "cluster_dim",
        "cluster_id",
        "global_id",
        "grid_dim",
        "thread_id",
    ];
    let dialect = assembly::attach(defined!("gpu"))
        .text(Types(&[("async.token", &[])]))
        // Memory of the kernel follows the arguments that the type says.
        .without_rule("func", InterfaceRule::FunctionArguments)
        .extension(
            CppClasses::new()
                .ty("gpu::AsyncTokenType", "async.token")
                .ty("gpu::MMAMatrixType", "mma_matrix")
                .ty("gpu::SparseDnTensorHandleType", "sparse.dntensor_handle")
                .ty("gpu::SparseSpGEMMOpHandleType", "sparse.spgemmop_handle")
                .ty("gpu::SparseSpMatHandleType", "sparse.spmat_handle"),
        )
        .beside("func", "kernel", "gpu.kernel")
        .beside("func", "workgroup_attributions", "workgroup_attributions")
        .beside("launch", "workgroup_attributions", "workgroup_attributions")
        .directive("AllReduceOperation", directives::REDUCTION)
        .directive("AsyncDependencies", directives::ASYNC_DEPENDENCIES)
        .directive("LaunchDimType", directives::LAUNCH_TYPE)
        .directive("LaunchFuncOperands", directives::LAUNCH_OPERANDS)
        .directive("OffloadingHandler", directives::HANDLER);
    PLACES.iter().fold(dialect, |dialect, place| dialect.result_names(place, place_name))
}

/// `thread_id_x` of `gpu.thread_id x`
fn place_name(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let Some(dimension) = op.attribute("dimension")? else { return Ok(()) };
    if let AttributeData::Text { text, .. } = &context[dimension]
        && let Some((.., rest)) = split_symbol(text)
        && let Some((_, place)) = op.name().split_once('.')
    {
        set(0, &[place.as_bytes(), b"_", rest.trim_ascii()].concat());
    }
    Ok(())
}
