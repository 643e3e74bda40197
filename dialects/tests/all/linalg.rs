//! Named operations of `linalg` whose maps are noted beside their names.

use mlirbc_dialects::context;
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// Zero points are scalars, whose maps give nothing.
const QUANTIZED: &str = "\
module {
  func.func @zero_points(%arg0: tensor<1x14x16x5xi8>, %arg1: tensor<3x4x5x1024xi8>, %arg2: tensor<1x12x13x1024xi32>, %arg3: i32) -> tensor<1x12x13x1024xi32> {
    %0 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1, %arg3, %arg3 : tensor<1x14x16x5xi8>, tensor<3x4x5x1024xi8>, i32, i32) outs(%arg2 : tensor<1x12x13x1024xi32>) -> tensor<1x12x13x1024xi32>
    return %0 : tensor<1x12x13x1024xi32>
  }
}
";

#[test]
fn operands_that_are_scalars_have_maps_without_results() {
    let context = context();
    let module = parse_module(&context, QUANTIZED.as_bytes(), &ParseOptions::new()).expect("what mlir-opt 22 prints");
    let mut text = Vec::new();
    print_module(&module, &PrintOptions::new().generic(false), &mut text).expect("text");
    assert_eq!(String::from_utf8(text).expect("text").trim_end(), QUANTIZED.trim_end());
}
