//! What passes make of operations that answer through interfaces: effects on memory, control between regions, calls.

use mlirbc_ir::interfaces::is_pure;
use mlirbc_ir::{Module, OpRef};
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

use super::{by_mlir_opt, by_us, context, differences};

const FUNCTIONS: &str = include_str!("interfaces.mlir");

/// Loops with operations of which each says whether it may be moved out.
const MOVES: &str = include_str!("moves.mlir");

#[test]
fn passes_ask_operations_of_all_dialects_as_mlir_opt_does() {
    if !tool("mlir-opt-22", "what passes ask of operations was not compared with mlir-opt") {
        return;
    }
    let (simple, others) = FUNCTIONS.split_once("// What other passes do more with").expect("parts");
    let (_, calls) = others.split_once("// Calls.").expect("parts");
    let with_calls = format!("{simple}{calls}");
    let mut different = String::new();
    // mlir-opt inlines calls of `llvm`, which stay here.
    for (pass, text) in [("canonicalize", &*with_calls), ("cse", FUNCTIONS), ("sccp", FUNCTIONS), ("inline", simple)] {
        for (theirs, ours) in differences(text, &format!("builtin.module({pass})")) {
            different += &format!("{pass}: mlir-opt makes\n{theirs}\nand we make\n{ours}\n");
        }
    }
    assert!(different.is_empty(), "{different}");
}

#[test]
fn constants_go_into_functions_of_llvm() {
    let text = by_us(FUNCTIONS, "builtin.module(sccp)");
    let callee = text.split("sym_name = \"callee\"").nth(1).and_then(|text| text.split("llvm.func").next());
    assert!(callee.is_some_and(|callee| callee.contains("value = 3 : i32")), "{callee:?}");
}

fn read(text: &str) -> Module {
    let options = ParseOptions::new().implicit_module(true);
    parse_module(&context(), text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}"))
}

/// The operations that say whether they may be moved, and whether they say so.
fn marked(module: &Module) -> Vec<(OpRef<'_>, bool)> {
    let ops = module.operations().expect("a body").flat_map(|op| op.walk().expect("bodies"));
    let is_there = |op: OpRef<'_>, name: &str| op.attribute(name).expect("decoded").is_some();
    ops.filter(|&op| is_there(op, "moves") || is_there(op, "stays")).map(|op| (op, is_there(op, "moves"))).collect()
}

#[test]
fn what_may_move_is_told_of_each_operation() {
    let module = read(MOVES);
    let marked = marked(&module);
    assert_eq!(marked.len(), MOVES.matches("{moves}").count() + MOVES.matches("{stays}").count());
    for (op, moves) in marked {
        let types: Vec<_> = op.operands().iter().map(|&operand| op.type_of(operand).expect("decoded")).collect();
        assert_eq!(is_pure(op).expect("decoded"), moves, "{} of {types:?}", op.name());
    }
}

#[test]
fn mlir_opt_moves_what_may_move() {
    if !tool("mlir-opt-22", "what may move was not compared with what it moves") {
        return;
    }
    let moved = read(&by_mlir_opt(MOVES, "builtin.module(func.func(loop-invariant-code-motion))"));
    for (op, moves) in marked(&moved) {
        let around = op.parent_op().expect("decoded").expect("one around it");
        assert_eq!(around.is("func.func"), moves, "{}", op.name());
    }
}
