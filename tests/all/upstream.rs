//! What the command writes for mlir-opt, read by it.

use std::path::Path;
use std::process::{Command, Output};

use mlirbc::ir::ods::OpTable;
use mlirbc::ir::{CompareOptions, Dialect, compare};
use mlirbc::text::{ParseOptions, parse_module};
use mlirbc::{Context, Module};

const TOY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/ods/toy.json");

fn parse(context: &Context, text: &[u8]) -> Module {
    let options = ParseOptions::new().file("m.mlir").implicit_module(true);
    parse_module(context, text, &options).unwrap_or_else(|errors| panic!("{errors}"))
}

fn mlirbc(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mlirbc"));
    command.args(["--ods", TOY]).args(arguments).current_dir(folder).output().expect("the command runs")
}

/// Operations of a dialect that a table defines, with properties of every kind, beside those of MLIR's own.
const OPERATIONS: &str = r#"
%0 = toy.constant 3 : i32
%1 = toy.add %0, %0 {note = #toy.range<low = 1>} : i32
"toy.settings"() <{name = "n", count = 3 : i64, Ratio = 1.5 : f32, quiet, order = 1 : i64, width = 2 : i64,
  colour = #toy.colour<red>, users = [@a]}> {more = "discardable"} : () -> ()
toy.settings "n" down {count = 3 : i64, width = 2 : i64}
"toy.native"() <{attribute = "a", wide = -5 : i64, narrow = 3 : i8, positive = 7 : i32, truth = true, unit,
  text = "t", numbers = [1, 2], smaller = [3 : i32], maybe = [4], words = ["w"], flags = 3 : i32,
  named = 1 : i32, defaulted = 2 : i32, nine = 8 : i64}> : () -> ()
%f = arith.constant 1.0 : f32
%2:2 = "toy.segments"(%0, %f) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, resultSegmentSizes = array<i32: 1, 1>,
  group_sizes = array<i32>, last = true}> : (i32, f32) -> (i8, !toy.box<i32>)
toy.module @m {
  func.func @f(%arg0: i32 loc("there":7:8)) -> i32 {
    return %arg0 : i32
  }
}
"#;

#[test]
fn mlir_opt_reads_what_is_written_for_it_whatever_tables_are_loaded() {
    if !mlirbc_testing::tool("mlir-opt-22", "whether mlir-opt reads operations that a table defines") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.mlir"), OPERATIONS).expect("a text");
    let context = Context::new();
    let table = OpTable::from_json(&std::fs::read(TOY).expect("the fixture")).expect("a table");
    context.register(Dialect::new("toy").ops(table)).expect("registered once");
    let wanted = parse(&context, OPERATIONS.as_bytes());
    let read_by_mlir_opt = |file: &str| {
        let mut command = Command::new("mlir-opt-22");
        command.args(["--allow-unregistered-dialect", "--mlir-print-op-generic", "--mlir-print-debuginfo", file]);
        command.current_dir(folder.path()).output().expect("mlir-opt-22 runs")
    };
    let differences = |read: &Output| {
        let options = CompareOptions::new().locations(true);
        compare(&wanted, &parse(&context, &read.stdout), &options).expect("a comparison")
    };
    for flags in [&[][..], &["--encoding", "upstream"]] {
        let output = mlirbc(&[&["convert", "m.mlir", "-o", "m.mlirbc"], flags].concat(), folder.path());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let read = read_by_mlir_opt("m.mlirbc");
        assert!(read.status.success(), "{flags:?}: {}", String::from_utf8_lossy(&read.stderr));
        assert_eq!(differences(&read), [], "{flags:?}");
        // Once more, from bytecode.
        assert!(mlirbc(&["convert", "m.mlirbc", "-o", "again.mlirbc"], folder.path()).status.success());
        let bytes = |name: &str| std::fs::read(folder.path().join(name)).expect("bytecode");
        assert!(bytes("m.mlirbc") == bytes("again.mlirbc"));
    }
    // In the encodings of its own, it is for those who know the dialect.
    let output = mlirbc(&["convert", "m.mlir", "-o", "m.mlirbc", "--encoding", "custom"], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = read_by_mlir_opt("m.mlirbc");
    assert!(!read.status.success() || !differences(&read).is_empty());
}
