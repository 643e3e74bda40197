//! What operations have to hold beside their definitions, which libStablehlo checks in code: how shapes fit, dimensions that there
//! are, and what regions take and give.
//!
//! What a type does not say (a rank, a size, what a quantised number stands for) is taken to be right.

mod calls;
mod collectives;
mod dynamic;
mod numbers;
mod regions;
mod shaped;
mod shapes;
mod windows;

use mlirbc_ir::verify::Checker;
use mlirbc_ir::{Dialect, LooksAt, OpRef, Result};

use shaped::Shaped;

/// Operations whose operands and results are all of one type, but for sizes that one says and another does not.
const ELEMENTWISE: &str = "add and atan2 cbrt ceil cosine count_leading_zeros divide exponential exponential_minus_one floor log \
     log_plus_one logistic maximum minimum multiply negate not or popcnt power remainder round_nearest_afz \
     round_nearest_even rsqrt shift_left shift_right_arithmetic shift_right_logical sign sine sqrt subtract \
     tan tanh xor";

type Check = fn(&Shaped<'_>) -> Result<()>;

/// Attaches the checks to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    macro_rules! checks {
        ($dialect:expr, $($name:literal => $check:path,)*) => {
            $dialect$(.verify_op_by($name, LooksAt::TypesAndAttributes, |checker, op| run(checker, op, $check)))*
        };
    }
    let dialect = attach_elementwise(dialect, ELEMENTWISE);
    checks! { dialect,
        "abs" => numbers::part,
        "all_gather" => collectives::all_gather,
        "all_to_all" => collectives::all_to_all,
        "async_done" => calls::async_done,
        "batch_norm_grad" => numbers::batch_norm,
        "batch_norm_inference" => numbers::batch_norm,
        "batch_norm_training" => numbers::batch_norm,
        "bitcast_convert" => numbers::bitcast_convert,
        "broadcast" => numbers::broadcast,
        "broadcast_in_dim" => shapes::broadcast_in_dim,
        "cholesky" => numbers::cholesky,
        "clamp" => numbers::clamp,
        "collective_broadcast" => collectives::collective_broadcast,
        "collective_permute" => collectives::collective_permute,
        "compare" => shapes::compare,
        "complex" => numbers::complex,
        "concatenate" => shapes::concatenate,
        "constant" => shapes::constant,
        "convert" => shapes::convert,
        "convolution" => windows::convolution,
        "cross-replica-sum" => shapes::elementwise,
        "custom_call" => calls::custom_call,
        "dot" => numbers::dot,
        "dot_general" => shapes::dot_general,
        "dynamic_conv" => windows::convolution,
        "dynamic_gather" => shapes::dynamic_gather,
        "dynamic_pad" => dynamic::dynamic_pad,
        "dynamic_slice" => shapes::dynamic_slice,
        "dynamic_update_slice" => shapes::dynamic_update_slice,
        "fft" => numbers::fft,
        "gather" => shapes::gather,
        "get_dimension_size" => dynamic::get_dimension_size,
        "get_tuple_element" => shapes::get_tuple_element,
        "imag" => numbers::part,
        "infeed" => calls::infeed,
        "iota" => shapes::iota,
        "is_finite" => numbers::same_shape,
        "optimization_barrier" => calls::optimization_barrier,
        "pad" => shapes::pad,
        "partition_id" => numbers::gives_a_scalar,
        "real" => numbers::part,
        "real_dynamic_slice" => dynamic::real_dynamic_slice,
        "recv" => calls::recv,
        "reduce_precision" => numbers::reduce_precision,
        "replica_id" => numbers::gives_a_scalar,
        "reshape" => shapes::reshape,
        "reverse" => shapes::reverse,
        "rng_bit_generator" => numbers::rng_bit_generator,
        "select" => shapes::select,
        "send" => calls::send,
        "slice" => shapes::slice,
        "transpose" => shapes::transpose,
        "triangular_solve" => numbers::triangular_solve,
        "tuple" => calls::tuple,
        "uniform_dequantize" => numbers::same_shape,
        "uniform_quantize" => numbers::same_shape,
    }
    .verify_op("all_reduce", collectives::all_reduce)
    .verify_op("async_start", calls::async_start)
    .verify_op("case", regions::branches)
    .verify_op("dynamic_broadcast_in_dim", dynamic::dynamic_broadcast_in_dim)
    .verify_op("dynamic_iota", dynamic::dynamic_iota)
    .verify_op("dynamic_reshape", dynamic::dynamic_reshape)
    .verify_op("if", regions::branches)
    .verify_op("map", regions::map)
    .verify_op("reduce", regions::reduce)
    .verify_op("reduce_scatter", collectives::reduce_scatter)
    .verify_op("reduce_window", windows::reduce_window)
    .verify_op("rng", dynamic::rng)
    .verify_op("scatter", regions::scatter)
    .verify_op("select_and_scatter", windows::select_and_scatter)
    .verify_op("set_dimension_size", dynamic::set_dimension_size)
    .verify_op("sort", regions::sort)
    .verify_op("while", regions::r#while)
}

/// Attaches the check of operations whose operands and results are all of one type to those of these names.
pub(crate) fn attach_elementwise(dialect: Dialect, names: &str) -> Dialect {
    names.split(' ').fold(dialect, |dialect, name| {
        dialect.verify_op_by(name, LooksAt::TypesAndAttributes, |checker, op| run(checker, op, shapes::elementwise))
    })
}

fn run(_: &Checker<'_>, op: OpRef<'_>, check: Check) -> Result<()> {
    check(&Shaped::of(op)?)
}
