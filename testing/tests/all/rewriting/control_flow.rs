//! Branches, loops and casts: patterns of `cf`, `scf`, `func` and `builtin`.

use mlirbc_testing::tool;

use super::{by_us, differences};

const PIPELINE: &str = "builtin.module(canonicalize)";

/// For each pattern what it is for, and what it is not.
const FUNCTIONS: &str = include_str!("control_flow.mlir");

#[test]
fn canonicalized_as_mlir_opt_does() {
    if !tool("mlir-opt-22", "canonicalized branches and loops were not compared with those of mlir-opt") {
        return;
    }
    if let Some((theirs, ours)) = differences(FUNCTIONS, PIPELINE).first() {
        panic!("mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
}

/// What is done is looked for in generic text.
fn canonicalized(text: &str) -> String {
    by_us(text, PIPELINE)
}

#[test]
fn a_distance_that_is_no_signed_number_is_one_all_the_same() {
    // mlir-opt takes 200 for -56 and the loop away.
    let text = r#"
func.func @f(%x: i8) -> i8 {
  %lower = arith.constant -100 : i8
  %step = arith.constant 100 : i8
  %sum = scf.for %i = %lower to %step step %step iter_args(%of = %x) -> i8 : i8 {
    %next = "any.op"(%i, %of) : (i8, i8) -> i8
    scf.yield %next : i8
  }
  return %sum : i8
}
"#;
    assert!(canonicalized(text).contains("scf.for"));
    // mlir-opt takes a step of 200 for -56 and the loop away.
    let text = r#"
func.func @f(%x: i8) -> i8 {
  %lower = arith.constant 0 : i8
  %step = arith.constant 200 : i8
  %sum = scf.for unsigned %i = %lower to %step step %step iter_args(%of = %x) -> i8 : i8 {
    %next = "any.op"(%i, %of) : (i8, i8) -> i8
    scf.yield %next : i8
  }
  return %sum : i8
}
"#;
    assert!(canonicalized(text).contains("any.op"));
}

#[test]
fn what_is_moved_behind_the_condition_of_a_loop_takes_what_it_yields_along() {
    // mlir-opt leaves a use of `%x` where it is not to be had.
    let text = r#"
func.func @f(%a: i32, %b: i32) -> i32 {
  %r = scf.while (%x = %a) : (i32) -> i32 {
    %c = "any.condition"(%x) : (i32) -> i1
    %i = scf.if %c -> i32 {
      "any.op"() : () -> ()
      scf.yield %x : i32
    } else {
      scf.yield %b : i32
    }
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%p: i32):
    %n = "any.next"(%p) : (i32) -> i32
    scf.yield %n : i32
  }
  return %r : i32
}
"#;
    assert!(!canonicalized(text).contains("scf.if"));
}

#[test]
fn blocks_that_only_lead_to_each_other_are_erased() {
    let text = r#"
func.func @f(%a: i32) -> i32 {
  return %a : i32
^one(%b: i32):
  cf.br ^two(%b : i32)
^two(%c: i32):
  cf.br ^one(%c : i32)
^three(%d: i32):
  cf.br ^four
^four:
  cf.br ^three(%d : i32)
}
"#;
    assert!(!canonicalized(text).contains("cf.br"));
}
