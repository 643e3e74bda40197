//! Constants over branches, regions and calls.

use mlirbc_testing::tool;

use super::{by_us, differences};

const PIPELINE: &str = "builtin.module(sccp)";

const FUNCTIONS: &str = include_str!("sccp.mlir");

#[test]
fn constants_are_put_in_place_as_mlir_opt_does() {
    if !tool("mlir-opt-22", "constants were not compared with those of mlir-opt") {
        return;
    }
    if let Some((theirs, ours)) = differences(FUNCTIONS, PIPELINE).first() {
        panic!("mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
}

#[test]
fn what_is_never_executed_counts_for_nothing() {
    let text = by_us(FUNCTIONS, PIPELINE);
    let start = text.find("sym_name = \"branches\"").expect("the function");
    let function = &text[start..];
    let function = &function[..function.find("func.func").expect("another one")];
    // Two times two: what is added twice in the region that nothing is known of.
    assert!(function.contains("value = 4 : i32") && function.contains("value = 8 : i32"), "{function}");
    // What adds to the argument is in a block that is not executed.
    assert_eq!(function.matches("arith.addi").count(), 3, "{function}");
    assert!(!function.contains("scf.if"), "{function}");
}

#[test]
fn a_function_that_an_inner_module_names_may_be_called_by_anyone() {
    // mlir-opt looks for the name in the outer module.
    let text = r#"
module {
  func.func private @f(%x: i32) -> i32 {
    return %x : i32
  }
  func.func @g() -> (i32, (i32) -> i32) {
    %f = func.constant @f : (i32) -> i32
    %k = arith.constant 7 : i32
    %0 = func.call @f(%k) : (i32) -> i32
    return %0, %f : i32, (i32) -> i32
  }
}
"#;
    let text = by_us(&format!("module {{ {text} }}"), PIPELINE);
    assert_eq!(text.matches("arith.constant").count(), 1, "{text}");
}

#[test]
fn many_calls_and_deep_regions_take_neither_long_nor_stack() {
    let mut text = "func.func private @f(%x: i32) -> i32 { return %x : i32 }\nfunc.func @g() {\n".to_owned();
    text += "%k = arith.constant 7 : i32 %t = arith.constant true\n";
    for number in 0..20_000 {
        text += &format!("%{number} = func.call @f(%k) : (i32) -> i32\n");
    }
    text += &"scf.if %t { \"any.op\"() : () -> () ".repeat(10_000);
    text += &"}".repeat(10_000);
    text += " return }";
    let text = by_us(&text, PIPELINE);
    assert_eq!(text.matches("func.call").count(), 20_000);
}

#[test]
fn constants_of_llvm_are_told_by_more_than_numbers() {
    if !tool("mlir-opt-22", "constants of llvm were not compared with those of mlir-opt") {
        return;
    }
    for pipeline in [PIPELINE, "builtin.module(canonicalize)"] {
        if let Some((theirs, ours)) = differences(include_str!("llvm.mlir"), pipeline).first() {
            panic!("{pipeline}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
        }
    }
}
