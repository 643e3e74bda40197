//! Pipelines and the passes that are built in, beside those of mlir-opt.

use std::path::{Path, PathBuf};
use std::process::Command;

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::{ErrorKind, Module, Result};
use mlirbc_rewrite::{Pass, Pipeline, RunOptions, Target, passes};
use mlirbc_testing::{corpus, fixtures, tool};
use mlirbc_text::{ParseOptions, parse_module};

/// Bytecode of the fixtures and of the corpus that mlir-opt may read.
fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(fixtures()).expect("the fixtures");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "mlirbc"));
    files.sort();
    let more = corpus("bytecode", "files of corpus/bytecode for passes").unwrap_or_default();
    files.extend(more.into_iter().step_by(16));
    files
}

/// How many files are compared at least: of the fixtures alone, and where the corpus is there.
fn least(fixtures: usize, all: usize) -> usize {
    let shared = std::env::var_os("MLIRBC_SHARED").is_some_and(|folder| Path::new(&folder).is_dir());
    if shared { all } else { fixtures }
}

/// What mlir-opt writes of the file through a pipeline, and what it says. `None` where it refuses the file.
fn through_mlir_opt(file: &Path, pipeline: &str) -> Option<(Vec<u8>, String)> {
    let mut command = Command::new("mlir-opt-22");
    command.args(["--allow-unregistered-dialect", "--mlir-disable-threading", "--emit-bytecode", "-o", "-"]);
    let output = command.arg(format!("--pass-pipeline={pipeline}")).arg(file).output().expect("mlir-opt-22 runs");
    output.status.success().then(|| (output.stdout, String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// Runs a pipeline on the bytes of a file. Gives the module and what was printed.
fn run(bytes: Vec<u8>, pipeline: &str) -> Result<(Module, String)> {
    let mut module = read(&crate::definitions::context(), bytes)?;
    let pipeline = Pipeline::parse(pipeline, &passes::registry()).unwrap_or_else(|error| panic!("{error}"));
    let mut printed = Vec::new();
    pipeline.run(&mut module, RunOptions::new().verify_each(false).output(&mut printed))?;
    Ok((module, String::from_utf8_lossy(&printed).into_owned()))
}

#[test]
fn operations_are_counted_as_mlir_opt_counts_them() {
    if !tool("mlir-opt-22", "counts of operations were not compared with those of mlir-opt") {
        return;
    }
    let mut compared = 0;
    for file in files() {
        for pipeline in ["builtin.module(print-op-stats)", "builtin.module(print-op-stats{json=true})"] {
            let Some((_, said)) = through_mlir_opt(&file, pipeline) else { continue };
            // Its warnings stand before.
            let Some(start) = said.find("Operations encountered:").or_else(|| said.find("{\n")) else { continue };
            let bytes = std::fs::read(&file).expect("a file");
            let (_, printed) = run(bytes, pipeline).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            assert_eq!(printed.trim_end(), said[start..].trim_end(), "{}: {pipeline}", file.display());
            compared += 1;
        }
    }
    assert!(compared >= least(14, 60), "{compared} compared");
}

#[test]
fn locations_are_stripped_as_mlir_opt_strips_them() {
    if !tool("mlir-opt-22", "modules without locations were not compared with those of mlir-opt") {
        return;
    }
    let (mut compared, mut other) = (0, Vec::new());
    for file in files() {
        let Some((wanted, _)) = through_mlir_opt(&file, "builtin.module(strip-debuginfo)") else { continue };
        let bytes = std::fs::read(&file).expect("a file");
        let (module, _) = run(bytes, "builtin.module(strip-debuginfo)").expect("it reads");
        decode_all(&module).expect("it decodes");
        let producer = read(module.context(), wanted.clone()).expect("mlir-opt wrote it").info.producer;
        let options = mlirbc_testing::for_mlir_opt(WriteOptions { producer, ..WriteOptions::default() });
        compared += 1;
        if write(&module, &options).expect("bytecode") != wanted {
            other.push(file.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    assert!(compared >= least(7, 30), "{compared} compared");
    // Reading and writing alone, mlir-opt turns orders of uses into others: see `use_orders`.
    assert_eq!(other, ["use_lists.mlirbc"], "of {compared}");
}

/// Says on which operations it runs.
struct Say;

impl Pass for Say {
    fn name(&self) -> &str {
        "say"
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let name = target.op()?.path();
        Ok(writeln!(target.output(), "{name}")?)
    }
}

/// Takes an operand's definition away.
struct Break;

impl Pass for Break {
    fn name(&self) -> &str {
        "break"
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let op = target.op()?;
        let (name, wrong) = (op.operation_name(), target.context().operation_name("func.return", true));
        let (body, id) = target.place();
        assert_ne!(name, wrong);
        target.module().body_mut(body)?.set_name(id, wrong)
    }
}

const TEXT: &str =
    "module { func.func @a() { return } module @m { func.func @b() { return } } func.func private @c() }";

fn parsed() -> Module {
    parse_module(&crate::definitions::context(), TEXT.as_bytes(), &ParseOptions::new()).expect("it parses")
}

#[test]
fn nested_passes_run_on_what_stands_directly_inside() {
    let mut printed = Vec::new();
    let inner = Pipeline::new("builtin.module").nest(Pipeline::new("any").pass(Say));
    let pipeline = Pipeline::new("builtin.module").nest(Pipeline::new("func.func").pass(Say)).nest(inner).pass(Say);
    assert_eq!(pipeline.to_string(), "builtin.module(func.func(say),builtin.module(any(say)),say)");
    let report = pipeline.run(&mut parsed(), RunOptions::new().output(&mut printed)).expect("it runs");
    let ran: Vec<(usize, usize)> = report.timing.iter().map(|timing| (timing.depth, timing.operations)).collect();
    assert_eq!(ran, [(2, 2), (3, 1), (1, 1)]);
    assert_eq!(String::from_utf8_lossy(&printed).lines().count(), 4);
}

#[test]
fn a_pass_that_breaks_the_module_is_named() {
    let pipeline = Pipeline::new("builtin.module").nest(Pipeline::new("builtin.module").pass(Break));
    let error = pipeline.run(&mut parsed(), RunOptions::new()).expect_err("it is broken");
    assert_eq!(error.kind(), ErrorKind::Verification);
    assert!(error.message().contains("`break`"), "{error}");
    let unchecked = pipeline.run(&mut parsed(), RunOptions::new().verify_each(false));
    assert!(unchecked.is_ok(), "{unchecked:?}");
}

#[test]
fn a_pipeline_runs_only_on_its_operations() {
    let error = Pipeline::new("func.func").pass(Say).run(&mut parsed(), RunOptions::new()).expect_err("another one");
    assert_eq!(error.message(), "a pipeline for `func.func` cannot run on `builtin.module`");
    for (text, at) in [("builtin.module(no-such)", 15), ("builtin.module(print-op-stats{jsn})", 30), ("func.func", 0)] {
        let error = Pipeline::parse(text, &passes::registry()).expect_err(text);
        assert_eq!(error.offset(), at, "{error}");
    }
}
