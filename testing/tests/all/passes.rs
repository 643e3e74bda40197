//! Pipelines and the passes that are built in, beside those of mlir-opt.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::{ErrorKind, Module, Result};
use mlirbc_rewrite::{FnPass, MakePass, Pass, PassInfo, Pipeline, Registry, RunOptions, Target, passes};
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
    pipeline.run_with(&mut module, RunOptions::new().verify_each(false).output(&mut printed))?;
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

/// The options that `mlir-opt --help` names of a pass: they stand behind it, deeper.
fn options_in(help: &str, pass: &str) -> Option<BTreeSet<String>> {
    let name_of = |line: &str| {
        let name = line.trim_start().strip_prefix("--")?;
        Some(name.split([' ', '=']).next().unwrap_or_default().to_owned())
    };
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut lines = help.lines().skip_while(|line| depth(line) != 6 || name_of(line).as_deref() != Some(pass));
    lines.next()?;
    // Values that an option may have begin with `=`.
    let behind = lines.take_while(|line| depth(line) != 6 || name_of(line).is_none());
    Some(behind.filter(|line| depth(line) == 8).filter_map(name_of).collect())
}

#[test]
fn passes_have_the_options_that_they_have_in_mlir_opt() {
    if !tool("mlir-opt-22", "options of passes were not compared with those of mlir-opt") {
        return;
    }
    let help = Command::new("mlir-opt-22").arg("--help").output().expect("mlir-opt-22 runs");
    let help = String::from_utf8(help.stdout).expect("text");
    let mut compared = 0;
    for pass in passes::registry().passes() {
        let wanted = options_in(&help, pass.name).unwrap_or_else(|| panic!("mlir-opt has no pass {}", pass.name));
        let ours: BTreeSet<String> = pass.options.iter().map(|option| option.name.to_owned()).collect();
        assert_eq!(ours, wanted, "{}", pass.name);
        compared += ours.len();
    }
    assert_eq!(compared, 13);
    // This one has more here.
    let converts = mlirbc_conversion::passes::add_to(Registry::new());
    let converts = converts.get("convert-spirv-to-llvm").expect("a pass");
    for wanted in options_in(&help, converts.name).expect("mlir-opt has it") {
        assert!(converts.options.iter().any(|option| option.name == wanted), "{wanted}");
    }
}

#[test]
fn options_take_the_values_that_they_take_in_mlir_opt() {
    if !tool("mlir-opt-22", "values of options were not compared with those of mlir-opt") {
        return;
    }
    let empty = tempfile::NamedTempFile::new().expect("a file");
    let both = [
        "canonicalize{top-down}",
        "canonicalize{top-down=false region-simplify=disabled max-iterations=-1 max-num-rewrites=0}",
        "canonicalize{top-down=yes}",
        "canonicalize{top-down=0}",
        "canonicalize{top-down=}",
        "canonicalize{top-down=false,max-iterations=2}",
        "canonicalize{region-simplify=aggressive test-convergence}",
        "canonicalize{region-simplify=true}",
        "canonicalize{region-simplify}",
        "canonicalize{max-iterations}",
        "canonicalize{max-iterations=0x10}",
        "canonicalize{max-iterations=08}",
        "canonicalize{max-num-rewrites=9223372036854775808}",
        "canonicalize{disable-patterns=A,B disable-patterns={C,D} enable-patterns='E'}",
        "canonicalize{nothing}",
        "cse{}",
        "cse{top-down}",
        "inline{max-iterations=4294967295 inlining-threshold=010}",
        "inline{inlining-threshold=4294967296}",
        "inline{max-iterations=-1}",
        "inline{default-pipeline= op-pipelines=func.func(cse),llvm.func(canonicalize{top-down=false})}",
        "inline{default-pipeline=cse,canonicalize op-pipelines=func.func(cse) op-pipelines=llvm.func(cse)}",
        "inline{op-pipelines=cse}",
        "print-op-stats{json=false}",
        "print-op-stats{json=2}",
        "symbol-privatize{exclude=a,,b exclude=c}",
        "symbol-dce{exclude=a}",
    ];
    for pass in both {
        let pipeline = format!("builtin.module({pass})");
        let command = Command::new("mlir-opt-22").arg(format!("--pass-pipeline={pipeline}")).arg(empty.path()).output();
        let theirs = command.expect("mlir-opt-22 runs");
        let ours = Pipeline::parse(&pipeline, &passes::registry());
        let said = String::from_utf8_lossy(&theirs.stderr).into_owned();
        assert_eq!(ours.is_ok(), theirs.status.success(), "{pipeline}: {ours:?}, and mlir-opt: {said}");
    }
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
        target.module().rewrite(body, |rw| rw.set_name(id, wrong))
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
    let inner = Pipeline::new().nested(Pipeline::on("any").pass(Say));
    let pipeline = Pipeline::new().nested(Pipeline::on("func.func").pass(Say)).nested(inner).pass(Say);
    assert_eq!(pipeline.to_string(), "builtin.module(func.func(say),builtin.module(any(say)),say)");
    let report = pipeline.run_with(&mut parsed(), RunOptions::new().output(&mut printed)).expect("it runs");
    let ran: Vec<(usize, usize)> = report.timing.iter().map(|timing| (timing.depth, timing.operations)).collect();
    assert_eq!(ran, [(2, 2), (3, 1), (1, 1)]);
    assert_eq!(String::from_utf8_lossy(&printed).lines().count(), 4);
}

#[test]
fn a_function_is_a_pass() {
    let registry = passes::registry().pass_fn("say", "say where it runs", |target| {
        let name = target.op()?.path();
        target.count("said", 1);
        Ok(writeln!(target.output(), "{name}")?)
    });
    let text = "builtin.module(func.func(say),cse,say)";
    let pipeline = Pipeline::parse(text, &registry).expect("a pipeline");
    assert_eq!(pipeline.to_string(), text);
    let mut printed = Vec::new();
    let report = pipeline.run_with(&mut parsed(), RunOptions::new().output(&mut printed)).expect("it runs");
    assert_eq!(String::from_utf8_lossy(&printed).lines().count(), 3);
    let said: Vec<u64> = report.counts.iter().filter(|counts| counts.0 == "say").map(|it| it.1[0].value).collect();
    assert_eq!(said.iter().sum::<u64>(), 3, "{said:?}");
    let error = Pipeline::parse("builtin.module(say{loud})", &registry).expect_err("it has no options");
    assert_eq!(error.message(), "`say` has no option `loud`: it has none");
}

#[test]
fn a_pass_that_breaks_the_module_is_named() {
    let pipeline = Pipeline::new().nested(Pipeline::new().pass(Break));
    let error = pipeline.run(&mut parsed()).expect_err("it is broken");
    assert_eq!(error.kind(), ErrorKind::Verification);
    assert!(error.message().contains("`break`"), "{error}");
    let unchecked = pipeline.run_with(&mut parsed(), RunOptions::new().verify_each(false));
    assert!(unchecked.is_ok(), "{unchecked:?}");
}

#[test]
fn a_pipeline_runs_only_on_its_operations() {
    let error = Pipeline::on("func.func").pass(Say).run(&mut parsed()).expect_err("another one");
    assert_eq!(error.message(), "a pipeline for `func.func` cannot run on `builtin.module`");
    let wrong = [
        ("builtin.module(no-such)", 15),
        ("builtin.module(print-op-stats{jsn})", 30),
        ("func.func", 0),
        ("any(canonicalize{top-down max-iterations=x test-convergence})", 26),
        ("any(cse,symbol-privatize{exclude=a},inline{max-iterations=1 op-pipelines=cse})", 60),
    ];
    for (text, at) in wrong {
        let error = Pipeline::parse(text, &passes::registry()).expect_err(text);
        assert_eq!(error.offset(), at, "{error}");
    }
}

/// Says where it runs, which may be in functions alone.
fn say_functions() -> Registry {
    let pass = FnPass::new("say-functions", |target| {
        let name = target.op()?.path();
        Ok(writeln!(target.output(), "{name}")?)
    });
    let make = MakePass::Once(Arc::new(pass.on("func.func")));
    passes::registry().pass(PassInfo { name: "say-functions", about: "say where it runs", options: &[], make })
}

#[test]
fn passes_are_for_operations_of_one_name() {
    let registry = mlirbc_conversion::passes::add_to(say_functions());
    for (text, at) in [
        ("builtin.module(cse,say-functions)", 19),
        ("builtin.module(func.func(cse,convert-spirv-to-llvm))", 29),
        ("builtin.module(inline{op-pipelines=func.func(convert-spirv-to-llvm)})", 22),
    ] {
        let error = Pipeline::parse(text, &registry).expect_err(text);
        assert_eq!(error.offset(), at, "{error}");
    }
    let error = Pipeline::parse("builtin.module(cse,say-functions)", &registry).expect_err("a module").to_string();
    let message = "the pass `say-functions` is for `func.func`, and what it stands in for `builtin.module`";
    assert_eq!(error.lines().next(), Some(&*format!("pipeline:1:20: {message}")));
    let function = || FnPass::new("say-functions", |_| panic!("it runs")).on("func.func");
    for built in [Pipeline::new().pass(Say).pass(function()), Pipeline::new().nest("builtin.module", function())] {
        let mut printed = Vec::new();
        let options = RunOptions::new().output(&mut printed);
        assert_eq!(built.run_with(&mut parsed(), options).expect_err("a module").message(), message);
        assert!(printed.is_empty(), "nothing ran");
    }
}

#[test]
fn passes_for_operations_of_one_name_pass_over_others() {
    let registry = mlirbc_conversion::passes::add_to(say_functions());
    let said = |pipeline: &str| {
        let pipeline = Pipeline::parse(pipeline, &registry).unwrap_or_else(|error| panic!("{error}"));
        let mut printed = Vec::new();
        let run = pipeline.run_with(&mut parsed(), RunOptions::new().output(&mut printed));
        run.map(|_| String::from_utf8_lossy(&printed).lines().map(str::to_owned).collect::<Vec<_>>())
    };
    assert_eq!(said("builtin.module(any(say-functions))").expect("it runs"), ["@a", "@c"]);
    assert_eq!(said("builtin.module(any(convert-spirv-to-llvm,say-functions))").expect("it runs"), [""; 0]);
    let error = said("any(say-functions)").expect_err("a module");
    assert_eq!(error.message(), "the pass `say-functions` is for `func.func`, and does not run on `builtin.module`");
}

#[test]
fn passes_for_operations_of_another_name_may_be_nested() {
    let nested = |text: &str| Pipeline::parse_nesting(text, &say_functions()).map(|pipeline| pipeline.to_string());
    let expected = "builtin.module(cse,func.func(say-functions),any(say-functions))";
    assert_eq!(nested("builtin.module(cse,say-functions,any(say-functions))").as_deref(), Ok(expected));
    assert_eq!(nested(expected).as_deref(), Ok(expected));
}
