//! What structured operations do to memory, and how they fold (`LinalgOps.cpp` of MLIR).

use std::sync::Arc;

use mlirbc_ir::interfaces::{Effect, MemoryEffect, MemoryEffects, Speculatable, Speculation};
use mlirbc_ir::text::integers;
use mlirbc_ir::{DYNAMIC, Dialect, OpRef, Result};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use crate::common::effects::is_memory;
use crate::common::mixed::mixed;
use crate::common::speculation::{OnTensors, always_if};
use crate::memref::folds::skip_casts;

/// The structured operations, and `softmax`, which has inputs and outputs as they have.
const STRUCTURED: &[&str] = &[
    "abs",
    "add",
    "batch_matmul",
    "batch_matvec",
    "batch_mmt4d",
    "batch_reduce_matmul",
    "batch_vecmat",
    "broadcast",
    "ceil",
    "contract",
    "conv_1d",
    "conv_1d_ncw_fcw",
    "conv_1d_nwc_wcf",
    "conv_2d",
    "conv_2d_nchw_fchw",
    "conv_2d_nchw_fchw_q",
    "conv_2d_ngchw_fgchw",
    "conv_2d_ngchw_gfchw",
    "conv_2d_ngchw_gfchw_q",
    "conv_2d_nhwc_fhwc",
    "conv_2d_nhwc_fhwc_q",
    "conv_2d_nhwc_hwcf",
    "conv_2d_nhwc_hwcf_q",
    "conv_2d_nhwgc_gfhwc",
    "conv_2d_nhwgc_gfhwc_q",
    "conv_3d",
    "conv_3d_ncdhw_fcdhw",
    "conv_3d_ndhwc_dhwcf",
    "conv_3d_ndhwc_dhwcf_q",
    "copy",
    "depthwise_conv_1d_ncw_cw",
    "depthwise_conv_1d_nwc_wc",
    "depthwise_conv_1d_nwc_wcm",
    "depthwise_conv_2d_nchw_chw",
    "depthwise_conv_2d_nhwc_hwc",
    "depthwise_conv_2d_nhwc_hwc_q",
    "depthwise_conv_2d_nhwc_hwcm",
    "depthwise_conv_2d_nhwc_hwcm_q",
    "depthwise_conv_3d_ncdhw_cdhw",
    "depthwise_conv_3d_ndhwc_dhwc",
    "depthwise_conv_3d_ndhwc_dhwcm",
    "div",
    "div_unsigned",
    "dot",
    "elementwise",
    "erf",
    "exp",
    "fill",
    "fill_rng_2d",
    "floor",
    "generic",
    "log",
    "map",
    "matmul",
    "matvec",
    "max",
    "min",
    "mmt4d",
    "mul",
    "negf",
    "pooling_nchw_max",
    "pooling_nchw_sum",
    "pooling_ncw_max",
    "pooling_ncw_sum",
    "pooling_ndhwc_max",
    "pooling_ndhwc_min",
    "pooling_ndhwc_sum",
    "pooling_nhwc_max",
    "pooling_nhwc_max_unsigned",
    "pooling_nhwc_min",
    "pooling_nhwc_min_unsigned",
    "pooling_nhwc_sum",
    "pooling_nwc_max",
    "pooling_nwc_max_unsigned",
    "pooling_nwc_min",
    "pooling_nwc_min_unsigned",
    "pooling_nwc_sum",
    "powf",
    "quantized_batch_matmul",
    "quantized_matmul",
    "reciprocal",
    "reduce",
    "round",
    "rsqrt",
    "select",
    "softmax",
    "sqrt",
    "square",
    "sub",
    "tanh",
    "transpose",
    "vecmat",
];

/// Effects of an operation whose last operands are what it writes to.
struct Structured;

impl MemoryEffects for Structured {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        let context = op.module().context();
        let outputs = op.operand_ranges()?.last().cloned().unwrap_or_default();
        let mut effects = Vec::new();
        for (number, &value) in op.operands().iter().enumerate() {
            if !is_memory(&context[op.type_of(value)?]) {
                continue;
            }
            effects.push(MemoryEffect { effect: Effect::Read, value: Some(value) });
            if outputs.contains(&number) {
                effects.push(MemoryEffect { effect: Effect::Write, value: Some(value) });
            }
        }
        Ok(effects)
    }
}

/// Cuts a tensor into tiles, or makes one of tiles: where these need not fit, it may not.
struct Tiled {
    packs: bool,
}

impl Speculatable for Tiled {
    fn speculation(&self, op: OpRef<'_>) -> Result<Speculation> {
        if self.packs && !op.operands_named("padding_value")?.is_empty() {
            return Ok(Speculation::Always);
        }
        let packed = op.operands_named(if self.packs { "dest" } else { "source" })?.first();
        let Some(tiles) = mixed(op, "static_inner_tiles", "inner_tiles")? else { return Ok(Speculation::Never) };
        let Some(&packed) = packed else { return Ok(Speculation::Never) };
        let shape = op.module().context()[op.type_of(packed)?].shape().unwrap_or_default();
        let Some(first) = shape.len().checked_sub(tiles.len()) else { return Ok(Speculation::Never) };
        let known = tiles.iter().all(|tile| tile.constant(op).is_some()) && !shape[first..].contains(&DYNAMIC);
        Ok(always_if(known))
    }
}

/// Says what the dialect's operations do.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let dialect = STRUCTURED.iter().fold(dialect, |dialect, name| {
        dialect.interface::<dyn MemoryEffects>(name, Arc::new(Structured)).fold(name, |fold| skip_casts(fold, None))
    });
    let of_tensors = || Arc::new(OnTensors(Speculation::WithWhatItHolds));
    let structured = STRUCTURED.iter().filter(|&&name| name != "softmax");
    let dialect = structured.fold(dialect, |dialect, name| dialect.interface::<dyn Speculatable>(name, of_tensors()));
    let dialect = dialect
        .interface::<dyn Speculatable>("pack", Arc::new(Tiled { packs: true }))
        .interface::<dyn Speculatable>("unpack", Arc::new(Tiled { packs: false }));
    dialect.fold("transpose", transpose)
}

/// Dimensions in the order that they have.
fn transpose(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let input = fold.operand(0);
    let Some(order) = fold.attribute("permutation")?.and_then(|order| integers(context, order)) else {
        return Ok(Folded::No);
    };
    let same = order.iter().zip(0..).all(|(&place, number)| place == number);
    let is_one = fold.op().results().len() == 1 && fold.type_of(input)? == fold.result_type()?;
    Ok(if same && is_one { Folded::value(input) } else { Folded::No })
}
