//! Operations that do the same.

use mlirbc_rewrite::{Pipeline, passes};
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

use super::{by_us, differences};

const PIPELINE: &str = "builtin.module(cse)";

const FUNCTIONS: &str = include_str!("cse.mlir");

#[test]
fn expressions_are_merged_as_mlir_opt_merges_them() {
    if !tool("mlir-opt-22", "merged expressions were not compared with those of mlir-opt") {
        return;
    }
    if let Some((theirs, ours)) = differences(FUNCTIONS, PIPELINE).first() {
        panic!("mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
}

/// How many operations of that name there are in a module.
fn count(text: &str, name: &str) -> usize {
    text.matches(&format!("\"{name}\"")).count()
}

#[test]
fn what_is_computed_twice_is_computed_once() {
    let text = by_us(FUNCTIONS, PIPELINE);
    let function = |name: &str| {
        let start = text.find(&format!("sym_name = \"{name}\"")).expect("the function");
        text[start..].split("func.func").next().expect("it")
    };
    assert_eq!(count(function("commutative"), "arith.addi"), 2);
    // Only what nothing used before anything was erased.
    assert_eq!([count(function("dead"), "arith.addi"), count(function("dead"), "arith.muli")], [1, 0]);
    assert_eq!(count(function("dominated"), "arith.addi"), 5);
    assert_eq!(count(function("regions"), "scf.if"), 2);
    assert_eq!(count(function("memory"), "memref.load"), 5);
    assert_eq!(count(function("unknown"), "any.pure"), 2);
}

#[test]
fn a_location_that_is_known_stays() {
    let text = "%0 = arith.constant 1 : i32 loc(unknown)\n%1 = arith.constant 1 : i32 loc(\"a\":1:2)\n\
                \"any.use\"(%0, %1) : (i32, i32) -> ()";
    let options = ParseOptions::new().implicit_module(true);
    let mut module = parse_module(&crate::definitions::context(), text.as_bytes(), &options).expect("text");
    let pipeline = Pipeline::parse(PIPELINE, &passes::registry()).expect("a pipeline");
    let report = pipeline.run(&mut module).expect("it runs");
    let counts: Vec<u64> = report.counts.iter().flat_map(|(_, counts)| counts).map(|count| count.value).collect();
    assert_eq!(counts, [1, 0]);
    let top = module.operations().expect("operations").next().expect("the module");
    let constant = top.ops().expect("operations").next().expect("the constant");
    let location = constant.location().expect("a location");
    assert!(matches!(location, mlirbc_ir::Location::File { line: 1, column: 2, .. }), "{location:?}");
}

#[test]
fn regions_in_regions_cost_neither_stack_nor_much_time() {
    let levels = 20_000;
    let level =
        |at: usize| format!("scf.execute_region {{ %{at} = arith.addi %a, %a : i32 \"any.use\"(%{at}) : (i32) -> () ");
    let open: String = (0..levels).map(level).collect();
    let close = "scf.yield }".repeat(levels);
    let text = format!("func.func @f(%a: i32) {{ {open}{close} {open}{close} return }}");
    let text = by_us(&text, PIPELINE);
    // The first one of both holds in all that follows it there.
    assert_eq!(count(&text, "arith.addi"), 2);
}

#[test]
fn many_that_look_alike_are_told_apart_at_once() {
    let mut text = "func.func @f(%c: i1) {\n".to_owned();
    for number in 0..20_000 {
        text += &format!("%{number} = scf.if %c -> i32 {{ %x = arith.constant {number} : i32 scf.yield %x : i32 }} ");
        text += &format!(
            "else {{ %x = arith.constant 0 : i32 scf.yield %x : i32 }} \"any.use\"(%{number}) : (i32) -> ()\n"
        );
    }
    text += "return }";
    assert_eq!(count(&by_us(&text, PIPELINE), "scf.if"), 20_000);
}
