//! One operation of a file changed by passes, all others copied as bytes: beside the same operation changed in the whole module.

use std::path::{Path, PathBuf};
use std::process::Command;

use mlirbc_bytecode::{OpaqueParts, Patch, PatchPart, Patched, WriteOptions, decode_all, read, write};
use mlirbc_ir::{Module, OpRef, Result};
use mlirbc_rewrite::{Pipeline, RunOptions, passes};
use mlirbc_testing::{corpus, fixture, fixtures, is_whole, tool};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// How many operations of a file are changed at most.
const MOST: usize = 4;

/// Bytecode of the fixtures, of every version, and of the corpora.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in [fixtures(), fixture("versions")] {
        let entries = std::fs::read_dir(folder).expect("the fixtures");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "mlirbc"));
    files.sort();
    for folder in ["bytecode", "spirv_dialect"] {
        let more = corpus(folder, "files of the corpora with one operation changed").unwrap_or_default();
        files.extend(more.into_iter().step_by(if is_whole() { 4 } else { 32 }));
    }
    files
}

/// The paths of symbols that passes may run on, and the names of the operations around each.
fn symbols(module: &Module) -> Vec<(Vec<Vec<u8>>, Vec<String>)> {
    fn inside(op: OpRef<'_>, path: &[Vec<u8>], around: &[String], found: &mut Vec<(Vec<Vec<u8>>, Vec<String>)>) {
        let Ok(Some(name)) = op.symbol_name() else { return };
        let path = [path, &[op.module().context().bytes(name).to_vec()]].concat();
        if op.body().region_body(op.id()).is_some() {
            found.push((path.clone(), around.to_vec()));
        }
        let around = [around, &[op.name().into_owned()]].concat();
        op.ops().into_iter().flatten().for_each(|op| inside(op, &path, &around, found));
    }
    let mut found = Vec::new();
    for top in module.operations().expect("it is loaded") {
        let around = [top.name().into_owned()];
        top.ops().into_iter().flatten().for_each(|op| inside(op, &[], &around, &mut found));
    }
    found
}

fn text(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(true).locations(true), &mut text).expect("it prints");
    String::from_utf8_lossy(&text).into_owned()
}

fn all_of(patched: &Patched) -> Vec<u8> {
    let mut bytes = Vec::new();
    patched.write_to(&mut bytes).expect("memory");
    bytes
}

/// Takes the operation of that symbol out of a file.
fn take_out(bytes: &[u8], path: &[Vec<u8>]) -> Result<Option<Patch>> {
    let mut module = read(&crate::definitions::context(), bytes.to_vec())?;
    let op = module.nested_symbol(path)?.expect("the symbol is there");
    let place = (op.body_id(), op.id());
    Patch::take_out(&mut module, place)
}

fn options() -> RunOptions<'static> {
    RunOptions::new().verify_each(false)
}

fn finish(patch: &Patch) -> Vec<u8> {
    let patched =
        patch.finish(&WriteOptions::like(patch.module())).expect("it can be written").expect("it has a place");
    all_of(&patched)
}

fn pipeline(text: &str) -> Pipeline {
    Pipeline::parse(text, &passes::registry()).unwrap_or_else(|error| panic!("{error}"))
}

/// The module of a file in which the passes ran on one operation.
fn wholly(bytes: &[u8], path: &[Vec<u8>], around: &[&str], passes: &Pipeline) -> Module {
    let mut module = read(&crate::definitions::context(), bytes.to_vec()).expect("it reads");
    module.load_all().expect("it reads");
    let op = module.nested_symbol(path).expect("it reads").expect("the symbol is there");
    let place = (op.body_id(), op.id());
    passes.run_on(&mut module, place, around, options()).expect("the passes run");
    module
}

/// Whether the file is of a version that has no lengths of regions.
fn is_old(bytes: &[u8]) -> bool {
    read(&crate::definitions::context(), bytes.to_vec()).is_ok_and(|module| module.info.version < Some(2))
}

#[test]
fn what_is_not_changed_keeps_the_bytes_of_the_file() {
    let mut kept = 0;
    for file in files() {
        let bytes = std::fs::read(&file).expect("a file");
        let Ok(module) = read(&crate::definitions::context(), bytes.clone()) else { continue };
        if module.load_all().is_err() {
            continue;
        }
        for (path, around) in symbols(&module).into_iter().take(MOST) {
            let Some(patch) = take_out(&bytes, &path).expect("it reads") else {
                assert!(is_old(&bytes), "{}: the operation has to stay", file.display());
                continue;
            };
            assert_eq!(patch.around(), around, "{}", file.display());
            let patched = patch.finish(&WriteOptions::like(patch.module())).expect("it is written").expect("it fits");
            let same = all_of(&patched) == bytes;
            // A file may be written otherwise than MLIR and this crate write it, and say the same.
            assert!(same || !module.info.producer.starts_with(b"MLIR"), "{}: {path:?}", file.display());
            kept += usize::from(same);
            // What is written anew is that operation.
            let new: usize =
                patched.parts().map(|part| if let PatchPart::New(new) = part { new.len() } else { 0 }).sum();
            assert!(new <= bytes.len(), "{new} of {} bytes", bytes.len());
        }
    }
    assert!(kept >= 10, "{kept} kept");
}

#[test]
fn passes_do_the_same_to_an_operation_alone() {
    let pipelines =
        ["any(canonicalize)", "any(cse,canonicalize)", "any(strip-debuginfo)", "any(canonicalize,strip-debuginfo)"];
    let (mut compared, mut changed) = (0, 0);
    for file in files() {
        let bytes = std::fs::read(&file).expect("a file");
        let Ok(module) = read(&crate::definitions::context(), bytes.clone()) else { continue };
        if decode_all(&module).is_err() {
            continue;
        }
        let is_opaque = OpaqueParts::may_be_in(&module).expect("it is decoded");
        for (number, (path, around)) in symbols(&module).into_iter().take(MOST).enumerate() {
            let passes = pipeline(pipelines[number % pipelines.len()]);
            let around: Vec<&str> = around.iter().map(String::as_str).collect();
            let Some(mut patch) = take_out(&bytes, &path).expect("it reads") else { continue };
            let op = patch.op().expect("one operation");
            let place = (op.body_id(), op.id());
            passes.run_on(patch.module_mut(), place, &around, options()).expect("the passes run");
            let patched = finish(&patch);
            let read = read(&crate::definitions::context(), patched.clone())
                .unwrap_or_else(|error| panic!("{}: {path:?}: {error}", file.display()));
            decode_all(&read).unwrap_or_else(|error| panic!("{}: {path:?}: {error}", file.display()));
            let whole = wholly(&bytes, &path, &around, &passes);
            assert_eq!(text(&read), text(&whole), "{}: {path:?}: `{passes}`", file.display());
            if !is_opaque {
                let options = WriteOptions::like(&whole);
                let written = |module| write(module, &options).expect("it is written");
                assert!(written(&read) == written(&whole), "{}: {path:?}: `{passes}`", file.display());
            }
            compared += 1;
            changed += usize::from(patched != bytes);
        }
    }
    assert!(compared >= 10 && changed >= 5, "{compared} compared, {changed} changed");
}

/// What mlir-opt makes of a file, as text.
fn by_mlir_opt(file: &Path) -> Option<String> {
    let mut command = Command::new("mlir-opt-22");
    command.args(["--allow-unregistered-dialect", "--mlir-print-op-generic", "--mlir-print-debuginfo"]);
    let output = command.arg(file).output().expect("mlir-opt-22 runs");
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn mlir_opt_reads_what_is_patched() {
    if !tool("mlir-opt-22", "patched files were not read by mlir-opt") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (patched, whole) = (folder.path().join("patched.mlirbc"), folder.path().join("whole.mlirbc"));
    let passes = pipeline("any(canonicalize)");
    let mut compared = 0;
    for file in files().into_iter().step_by(if is_whole() { 8 } else { 4 }) {
        let bytes = std::fs::read(&file).expect("a file");
        let Ok(module) = read(&crate::definitions::context(), bytes.clone()) else { continue };
        if module.load_all().is_err() || by_mlir_opt(&file).is_none() {
            continue;
        }
        let Some((path, around)) = symbols(&module).into_iter().next() else { continue };
        let around: Vec<&str> = around.iter().map(String::as_str).collect();
        let Some(mut patch) = take_out(&bytes, &path).expect("it reads") else { continue };
        let op = patch.op().expect("one operation");
        let place = (op.body_id(), op.id());
        passes.run_on(patch.module_mut(), place, &around, options()).expect("the passes run");
        std::fs::write(&patched, finish(&patch)).expect("a file");
        let all = wholly(&bytes, &path, &around, &passes);
        std::fs::write(&whole, write(&all, &WriteOptions::like(&all)).expect("it is written")).expect("a file");
        assert!(by_mlir_opt(&patched).is_some(), "{}: {path:?}: mlir-opt refuses it", file.display());
        assert!(by_mlir_opt(&patched) == by_mlir_opt(&whole), "{}: {path:?}", file.display());
        compared += 1;
    }
    assert!(compared >= 2, "{compared} compared");
}

/// Two functions, the first of which folds to what is nowhere else in the file: attributes, a type, a name of operations, a dialect.
const TEXT: &str = r#"
func.func @folds(%a: i32) -> (i32, i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 20 : i32
  %sum = arith.addi %one, %two : i32
  %less = arith.cmpi slt, %one, %two : i32
  return %sum, %less : i32, i1
}
module @inner {
  func.func @folds(%a: index) -> index {
    %one = index.constant 1
    %sum = index.add %one, %one
    return %sum : index
  }
}
func.func private @declared(i64)
"#;

fn made() -> Vec<u8> {
    let context = crate::definitions::context();
    let options = ParseOptions::new().implicit_module(true);
    let module = parse_module(&context, TEXT.as_bytes(), &options).expect("text");
    write(&module, &WriteOptions::default()).expect("bytecode")
}

#[test]
fn new_entries_stand_behind_those_of_the_file() {
    let bytes = made();
    let path = [b"folds".to_vec()];
    let mut patch = take_out(&bytes, &path).expect("it reads").expect("it can be taken out");
    let op = patch.op().expect("one operation");
    let place = (op.body_id(), op.id());
    pipeline("builtin.module(func.func(canonicalize))")
        .run_on(patch.module_mut(), place, &["builtin.module"], options())
        .expect("the pass runs");
    let patched = finish(&patch);
    let module = read(&crate::definitions::context(), patched).expect("it reads");
    let printed = text(&module);
    assert!(printed.contains("value = 21 : i32") && printed.contains("value = true"), "{printed}");
    assert!(printed.contains("index.add"), "the other function is as it was: {printed}");
    let whole = wholly(&bytes, &path, &["builtin.module"], &pipeline("any(canonicalize)"));
    assert_eq!(printed, text(&whole));
}

#[test]
fn what_a_pipeline_has_for_an_operation() {
    let bytes = made();
    let nested = [b"inner".to_vec(), b"folds".to_vec()];
    let around = ["builtin.module", "builtin.module"];
    let run = |text: &str| {
        let mut patch = take_out(&bytes, &nested).expect("it reads").expect("it can be taken out");
        assert_eq!(patch.around(), around);
        let op = patch.op().expect("one operation");
        let place = (op.body_id(), op.id());
        let report = pipeline(text).run_on(patch.module_mut(), place, &around, options())?;
        Ok::<_, mlirbc_ir::Error>((report.timing.len(), finish(&patch) != bytes))
    };
    for (text, passes) in [
        ("builtin.module(cse,builtin.module(func.func(canonicalize)))", 2),
        ("builtin.module(builtin.module(canonicalize),func.func(cse))", 1),
        ("builtin.module(any(any(canonicalize)))", 1),
        ("func.func(canonicalize)", 1),
        ("any(canonicalize)", 1),
        ("builtin.module(inline,canonicalize)", 0),
        ("builtin.module(builtin.module(func.func(sccp)))", 0),
        ("builtin.module(func.func(canonicalize))", 0),
        ("llvm.func(canonicalize)", 0),
    ] {
        match run(text) {
            Ok((ran, changed)) => assert_eq!((ran, changed), (passes, true), "{text}"),
            Err(error) => assert!(passes == 0 && !error.to_string().is_empty(), "{text}: {error}"),
        }
    }
}

#[test]
fn a_patch_says_what_it_cannot_do() {
    let bytes = made();
    let patch = take_out(&bytes, &[b"folds".to_vec()]).expect("it reads").expect("it can be taken out");
    let like = WriteOptions::like(patch.module());
    for wrong in [
        like.clone().version(5),
        like.clone().strip_locations(true),
        WriteOptions { producer: b"another".to_vec(), ..like.clone() },
    ] {
        assert!(patch.finish(&wrong).is_err(), "{wrong:?}");
    }
    // In version 1 regions have no length before them.
    let module = read(&crate::definitions::context(), bytes).expect("it reads");
    let old = write(&module, &like.version(1)).expect("version 1");
    assert!(take_out(&old, &[b"folds".to_vec()]).expect("it reads").is_none());
}
