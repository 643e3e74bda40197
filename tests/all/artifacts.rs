//! Portable artifacts of StableHLO, through the command.

use std::path::Path;

use mlirbc::ir::verify::verify_module;
use mlirbc::ir::{CompareOptions, compare};
use mlirbc::{Context, open, open_any, stablehlo};
use mlirbc_testing::{corpus, fixture};

use super::common::mlirbc;

/// What `mlirbc convert` makes of a file.
fn convert(path: &Path, flags: &[&str]) -> Vec<u8> {
    let output = mlirbc().arg("convert").arg(path).args(flags).output().expect("the command");
    assert!(output.status.success(), "{flags:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// An artifact is one without any operation of StableHLO, too: its attributes are known, and its text ends as libStablehlo ends it.
#[test]
fn an_artifact_without_operations_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, artifact) = (folder.path().join("in.mlir"), folder.path().join("out.mlirbc"));
    let text = "module attributes {x.y = #stablehlo.dot<lhs_batching_dimensions = [0]>} {\n}\n";
    std::fs::write(&source, text).expect("written");
    let bytes = convert(&source, &["--to", "mlirbc", "--stablehlo-version", "1.10.0"]);
    std::fs::write(&artifact, bytes).expect("written");
    for flags in [&["--to", "mlir"][..], &["--to", "mlir", "--dialect", "stablehlo"]] {
        assert_eq!(String::from_utf8_lossy(&convert(&artifact, flags)), text, "{flags:?}");
    }
    // What mlir-opt writes ends with an empty line.
    assert_eq!(String::from_utf8_lossy(&convert(&source, &["--to", "mlir"])), format!("{text}\n"));
}

/// What JAX saves is opened by the library, too, whichever function opens it.
#[test]
fn the_artifact_in_an_export_is_opened() {
    let (context, export) = (Context::new(), fixture("stablehlo/dot.jax"));
    let any = open_any(&context, &export).expect("an export");
    let one = open(&context, &export).expect("an export");
    assert!(any.operations().expect("read").count() > 0);
    assert!(compare(&any, &one, &CompareOptions::new()).expect("read").is_empty());
}

/// No check refuses what libStablehlo takes.
#[test]
fn real_artifacts_are_valid() {
    let Some(paths) = corpus("stablehlo_artifacts", "artifacts were not verified") else { return };
    for path in paths {
        let module = open_any(&Context::new(), &path).expect("an artifact");
        let lowered = stablehlo::to_stablehlo(&module).expect("an artifact");
        for module in [&module, &lowered] {
            verify_module(module, &mut |error| panic!("{}: {error}", path.display())).expect("read");
        }
    }
}
