//! What structured operations do to memory, and how they fold (`LinalgOps.cpp` of MLIR).

use std::sync::Arc;

use mlirbc_ir::interfaces::{Effect, MemoryEffect, MemoryEffects};
use mlirbc_ir::text::integers;
use mlirbc_ir::{Dialect, OpRef, Result, TypeData};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use crate::memref::folds::skip_casts;

/// The structured operations.
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
            if !matches!(context[op.type_of(value)?], TypeData::MemRef { .. }) {
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

/// Says what the dialect's operations do.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let dialect = STRUCTURED.iter().fold(dialect, |dialect, name| {
        dialect.interface::<dyn MemoryEffects>(name, Arc::new(Structured)).fold(name, |fold| skip_casts(fold, None))
    });
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
