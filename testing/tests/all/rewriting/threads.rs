//! The same bytes and the same reports, on any number of threads.

use mlirbc_bytecode::{WriteOptions, decode_all_with, read, write};
use mlirbc_ir::verify::verify_module_with;
use mlirbc_rewrite::{Pipeline, RunOptions, passes};
use mlirbc_testing::{Shape, generate};

/// Bytecode of a module, and how many rules it breaks after that many changes.
fn generated() -> Vec<u8> {
    let module = generate(&crate::definitions::context(), Shape::Functions, 400 << 10).expect("a module");
    write(&module, &WriteOptions::default()).expect("bytecode")
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let bytes = generated();
    let through = |threads: usize| {
        let mut module = read(&crate::definitions::context(), bytes.clone()).expect("bytecode");
        module.load_all_with(threads).expect("bodies");
        decode_all_with(&module, threads).expect("it decodes");
        let pipeline = "builtin.module(canonicalize,func.func(canonicalize),symbol-privatize,strip-debuginfo)";
        let pipeline = Pipeline::parse(pipeline, &passes::registry()).expect("a pipeline");
        pipeline.run(&mut module, RunOptions::new().threads(threads)).expect("it runs");
        write(&module, &WriteOptions::default()).expect("bytecode")
    };
    let alone = through(1);
    assert_ne!(alone, bytes, "the passes changed something");
    for threads in [2, 3, 8] {
        assert!(through(threads) == alone, "{threads} threads");
    }
}

#[test]
fn broken_rules_are_reported_in_one_order() {
    // Results of another type than the operands', in every function.
    let mut text = String::new();
    for number in 0..200 {
        text += &format!(
            "\"func.func\"() <{{function_type = (i32) -> (), sym_name = \"f{number}\"}}> ({{\n^bb0(%a: i32):\n  \
             %0 = \"arith.addi\"(%a, %a) : (i32, i32) -> i64\n  \"func.return\"() : () -> ()\n}}) : () -> ()\n"
        );
    }
    let options = mlirbc_text::ParseOptions::new().implicit_module(true);
    let module = mlirbc_text::parse_module(&crate::definitions::context(), text.as_bytes(), &options).expect("text");
    let reports = |threads: usize| {
        let mut reports = Vec::new();
        verify_module_with(&module, threads, &mut |error| reports.push(error.to_string())).expect("it decodes");
        reports
    };
    let alone = reports(1);
    assert_eq!(alone.len(), 200);
    for threads in [2, 3, 8] {
        assert_eq!(reports(threads), alone, "{threads} threads");
    }
}
