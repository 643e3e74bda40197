//! Portable artifacts of StableHLO, through the command.

use std::path::Path;

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
