//! `gpu`: kernels and their launches.

mod assembly;
mod directives;
mod enums;
mod folds;
mod mma;
pub(crate) mod outlining;
pub(crate) mod sinking;

pub use enums::*;
pub use mma::MmaMatrix;

use std::sync::Arc;

use super::common::branches::Once;
use super::common::cases::{Cases, word_of};
use super::common::speculation::always_if;
use super::common::values::{Own, Types, Values};
use mlirbc_ir::interfaces::{RegionBranch, RegionSuccessor, Speculatable, Speculation};
use mlirbc_ir::ods::CppClasses;
use mlirbc_ir::text::Elision;
use mlirbc_ir::{Attribute, Context, Dialect, InterfaceRule, OpRef, Parameter, Result, Type, TypeData};
use mlirbc_rewrite::{DialectRewrite, InlineOperations};
use mlirbc_text::DialectAssembly;

/// The dialect's name.
const NAME: &str = "gpu";

/// Its attributes that are cases of enums.
const CASES: Cases = Cases(enums::ENUM_ATTRIBUTES);

/// Its types.
const TYPES: Types = Types(&[("async.token", &[])]);

/// What takes one object of a `gpu.binary`: the first, or that of its number or target.
const SELECT_OBJECT: Own = Own {
    mnemonic: "select_object",
    holds: |_, parameters| matches!(parameters, [Parameter::None | Parameter::Attribute(_)]),
    print: |parameters, printer| {
        if let [Parameter::Attribute(target)] = parameters {
            printer.text("<").attribute(*target, Elision::Never).text(">");
        }
    },
    parse: |parser| {
        if !parser.eat_next(b'<') {
            return Some([Parameter::None].into());
        }
        let target = parser.attribute().ok()?;
        parser.eat(b'>').then(|| [Parameter::Attribute(target)].into())
    },
};

/// What handles a `gpu.binary` that does not say: the first of its objects is taken.
fn usual_handler(context: &Context) -> Attribute {
    context.dialect_attribute(NAME, SELECT_OBJECT.mnemonic, [Parameter::None])
}

/// The type of what is done at the same time.
fn token(context: &Context) -> Type {
    context.dialect_type(NAME, "async.token", [])
}

/// Executes its region once, and spreads the vectors that it yields over the lanes of a warp: each gets a part of their elements.
struct Warp;

impl RegionBranch for Warp {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        Once.successors(op, from)
    }

    fn takes(&self, context: &Context, handed: Type, taken: Type) -> bool {
        let is_vector = |ty: Type| matches!(context[ty], TypeData::Vector { .. });
        handed == taken || is_vector(handed) && is_vector(taken)
    }
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
    let dialect = folds::attach(assembly::attach(defined!("gpu").inliner(InlineOperations)))
        .interface::<dyn RegionBranch>("warp_execute_on_lane_0", Arc::new(Warp))
        .interface::<dyn Speculatable>("subgroup_broadcast", Arc::new(Broadcast))
        .text(Values { types: TYPES, own_types: &[mma::MMA_MATRIX], own: &[SELECT_OBJECT], cases: CASES })
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

/// Which lane is the first that is active depends on where the operation stands.
struct Broadcast;

impl Speculatable for Broadcast {
    fn speculation(&self, op: OpRef<'_>) -> Result<Speculation> {
        let context = op.module().context();
        let from = op.attribute("broadcast_type")?.and_then(|from| word_of(context, from, NAME, "broadcast", CASES));
        Ok(always_if(from.is_some_and(|from| from != BroadcastType::FirstActiveLane.name().as_bytes())))
    }
}

/// `thread_id_x` of `gpu.thread_id x`
fn place_name(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let Some(dimension) = op.attribute("dimension")? else { return Ok(()) };
    if let Some(dimension) = word_of(context, dimension, NAME, "dim", CASES)
        && let Some((_, place)) = op.name().split_once('.')
    {
        set(0, &[place.as_bytes(), b"_", &dimension].concat());
    }
    Ok(())
}
