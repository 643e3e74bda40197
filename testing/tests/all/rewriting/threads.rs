//! The same bytes and the same reports, on any number of threads.

use std::io::Write;

use mlirbc_bytecode::{WriteOptions, decode_all_with, read, write};
use mlirbc_ir::verify::verify_module_with;
use mlirbc_ir::{Error, OpRef, Result};
use mlirbc_rewrite::passes::{PrintOpStats, StripDebuginfo};
use mlirbc_rewrite::{Counts, LookingPass, Pass, Pipeline, RunOptions, passes};
use mlirbc_testing::{Shape, generate};

/// Bytecode of a module, and how many rules it breaks after that many changes.
fn generated() -> Vec<u8> {
    let module = generate(&crate::definitions::context(), Shape::Functions, 400 << 10).expect("a module");
    write(&module, &WriteOptions::default()).expect("bytecode")
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let bytes = generated();
    let through = |pipeline: &str, threads: usize| {
        let mut module = read(&crate::definitions::context(), bytes.clone()).expect("bytecode");
        module.load_all_with(threads).expect("bodies");
        decode_all_with(&module, threads).expect("it decodes");
        let pipeline = Pipeline::parse(pipeline, &passes::registry()).expect("a pipeline");
        pipeline.run_with(&mut module, RunOptions::new().threads(threads)).expect("it runs");
        write(&module, &WriteOptions::default()).expect("bytecode")
    };
    let mut changed = 0;
    for pipeline in [
        "builtin.module(canonicalize,func.func(canonicalize),symbol-privatize,strip-debuginfo)",
        "builtin.module(cse)",
        "builtin.module(func.func(cse),inline)",
        "builtin.module(sccp)",
        "builtin.module(symbol-privatize{exclude=f0,f7},symbol-dce)",
        "builtin.module(reconcile-unrealized-casts,func.func(canonicalize,cse))",
    ] {
        let alone = through(pipeline, 1);
        changed += usize::from(alone != bytes);
        for threads in [2, 3, 8] {
            assert!(through(pipeline, threads) == alone, "{pipeline}, {threads} threads");
        }
    }
    assert!(changed >= 4, "{changed} pipelines changed something");
}

#[test]
fn what_is_printed_and_counted_comes_in_one_order() {
    let bytes = generated();
    let through = |threads: usize| {
        let mut module = read(&crate::definitions::context(), bytes.clone()).expect("bytecode");
        let mut printed = Vec::new();
        let pipeline = Pipeline::new().nested(Pipeline::on("func.func").pass(PrintOpStats { json: true }).pass(Sizes));
        let pipeline = pipeline.nest("func.func", StripDebuginfo);
        let options = RunOptions::new().threads(threads).output(&mut printed);
        let report = pipeline.run_with(&mut module, options).expect("it runs");
        (printed, report.counts, write(&module, &WriteOptions::default()).expect("bytecode"))
    };
    let alone = through(1);
    assert_eq!(alone.1.len(), 1);
    assert!(alone.1[0].1[0].value > 1000 && alone.0.len() > 10_000, "{:?}", alone.1);
    for threads in [2, 3, 8] {
        assert!(through(threads) == alone, "{threads} threads");
    }
}

/// Says how many operations there are.
struct Sizes;

impl LookingPass for Sizes {
    fn look(&self, op: OpRef<'_>, output: &mut dyn Write, counts: &mut Counts) -> Result<()> {
        let size = op.walk()?.count();
        counts.add("operations", size as u64);
        Ok(writeln!(output, "{}: {size}", op.path())?)
    }
}

impl Pass for Sizes {
    fn name(&self) -> &str {
        "sizes"
    }

    fn looking(&self) -> Option<&dyn LookingPass> {
        Some(self)
    }
}

/// Prints the name of each function, and fails at one of them.
struct Fails(&'static str);

impl LookingPass for Fails {
    fn look(&self, op: OpRef<'_>, output: &mut dyn Write, _: &mut Counts) -> Result<()> {
        let path = op.path();
        writeln!(output, "{path}")?;
        if path == self.0 { Err(Error::misuse("not this one")) } else { Ok(()) }
    }
}

impl Pass for Fails {
    fn name(&self) -> &str {
        "fails"
    }

    fn looking(&self) -> Option<&dyn LookingPass> {
        Some(self)
    }
}

#[test]
fn what_fails_on_one_operation_prints_no_more() {
    let text: String = (0..2000).map(|number| format!("func.func private @f{number}()\n")).collect();
    for threads in [1, 2, 3] {
        let options = mlirbc_text::ParseOptions::new().implicit_module(true);
        let context = crate::definitions::context();
        let mut module = mlirbc_text::parse_module(&context, text.as_bytes(), &options).expect("text");
        let mut printed = Vec::new();
        let options = RunOptions::new().threads(threads).output(&mut printed);
        let error = Pipeline::new().nest("func.func", Fails("@f40")).run_with(&mut module, options);
        assert_eq!(error.expect_err("it fails").message(), "the pass `fails` failed: not this one");
        assert_eq!(String::from_utf8_lossy(&printed).lines().count(), 41, "{threads} threads");
    }
}

#[test]
fn broken_rules_are_reported_in_one_order() {
    // Results of another type than the operands', in every function.
    let mut text = String::new();
    for number in 0..600 {
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
    assert_eq!(alone.len(), 600);
    for threads in [2, 3, 8] {
        assert_eq!(reports(threads), alone, "{threads} threads");
    }
}
