//! The programs of `examples/`: what each prints. `cargo test` builds them; where only these tests were built, they say so and pass.

use std::path::Path;
use std::process::Command;

/// What a program prints, on standard output and then on standard error. `None` where it was not built, or was changed since.
fn printed(name: &str, source: &str, arguments: &[&str]) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_mlirbc")).with_file_name("examples").join(name);
    let modified = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    if modified(&program) < modified(&Path::new("examples").join(source)) {
        eprintln!("SKIPPED: `cargo build --examples` makes the program {name}");
        return None;
    }
    let output = Command::new(program).args(arguments).output().expect("the program runs");
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    assert!(output.status.success(), "{name}: {printed}");
    Some(printed)
}

/// Runs a program that is one file.
fn run(name: &str, arguments: &[&str]) -> Option<String> {
    printed(name, &format!("{name}.rs"), arguments)
}

fn expect(name: &str, arguments: &[&str], expected: &str) {
    if let Some(found) = run(name, arguments) {
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn load_lazily() {
    let Some(found) = run("load_lazily", &[]) else { return };
    assert!(
        found.starts_with("func.func @f(%arg0: i32, %arg1: i32) -> i32 {\n  %c0_i32 = arith.constant 0 : i32\n"),
        "{found}"
    );
    let expected = "\n}\n{\"arith\": 10, \"builtin\": 1, \"cf\": 3, \"func\": 6, \"memref\": 2, \"scf\": 2}\n";
    assert!(found.ends_with(expected), "{found}");
}

#[test]
fn build_function() {
    let expected = "\
module {
  func.func @scale(%arg0: memref<?xf32>, %arg1: index, %arg2: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg1 step %c1 {
      %0 = memref.load %arg0[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %arg2 : f32
      memref.store %1, %arg0[%arg3] : memref<?xf32>
    }
    return
  }
}
kept in ";
    let Some(found) = run("build_function", &[]) else { return };
    assert!(found.starts_with(expected), "{found}");
}

#[test]
fn walk_and_edit() {
    let expected = "\
dead: %0 = arith.muli %arg0, %arg0 : i32
func.call of @f at loc(\"<text>\":8:12)
{\"arith\": 3, \"builtin\": 1, \"func\": 5}
module {
  func.func private @same(%arg0: i32) -> i32 {
    return %arg0 : i32
  }
  func.func private @g(%arg0: i32) -> i32 {
    %0 = call @same(%arg0) : (i32) -> i32
    return %0 : i32
  }
}
";
    expect("walk_and_edit", &[], expected);
}

#[test]
fn pattern_and_pass() {
    let expected = "\
module {
  func.func @f(%arg0: i32) -> i32 {
    return %arg0 : i32
  }
}
@f: 4 operations
@f: 2 operations
";
    expect("pattern_and_pass", &[], expected);
}

#[test]
fn bring_a_dialect() {
    let expected = "\
module {
  func.func @f(%arg0: !fixed.number<8>) -> !fixed.number<8> {
    %0 = fixed.add %arg0, %arg0 : !fixed.number<8>
    return %0 : !fixed.number<8>
  }
}
";
    expect("bring_a_dialect", &[], expected);
}

#[test]
fn resources() {
    expect("resources", &[], "100000000 bytes, the last number [1.0]\n");
}

#[test]
fn threads() {
    let expected = "[(\"@arith/@f\", 8), (\"@arith/@fold\", 14), (\"@arith/@elsewhere\", 1)]\n4 constants\n";
    expect("threads", &[], expected);
}

#[test]
fn store() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("modules");
    let cache = cache.to_str().expect("text");
    expect("store", &[cache], "compiled\n@fold has 14 operations\n");
    expect("store", &[cache], "@fold has 14 operations\n");
}

#[test]
fn spirv() {
    expect("spirv", &[], "GLCompute main: LocalSize\n3104 bytes\n");
}

#[test]
fn compile_kernel() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("kernels");
    let arguments = ["2.5", "vulkan1.1", cache.to_str().expect("text")];
    for how in ["compiled", "found"] {
        let Some(found) = run("compile_kernel", &arguments) else { return };
        assert!(found.contains(&format!("bytes for vulkan1.1, {how} in ")), "{found}");
    }
}

#[test]
fn run_kernel() {
    let is_installed = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    if let Some(missing) = ["mlir-translate-22", "llc-22", "cc"].into_iter().find(|tool| !is_installed(tool)) {
        eprintln!("SKIPPED: {missing} is not installed");
        return;
    }
    let Some(found) = printed("run_kernel", "run_kernel/main.rs", &[]) else { return };
    assert_eq!(found, "988 bytes of SPIR-V, for a driver\n1 3.5 6 8.5 ... 2558.5\n");
}

#[test]
fn opt_with_a_pass() {
    expect("opt_with_a_pass", &["fixtures/arith.mlirbc", "--hello", "-o", "/dev/null"], "hello, builtin.module\n");
}

#[test]
fn watch_passes() {
    let expected = "\
canonicalize @arith/@f: 8 operations became 8
canonicalize @arith/@fold: 14 operations became 14
canonicalize @arith/@elsewhere: 1 operations became 1
cse @arith/@f: 8 operations became 8
cse @arith/@fold: 14 operations became 14
cse @arith/@elsewhere: 1 operations became 1
symbol-dce @arith: 24 operations became 23
";
    expect("watch_passes", &[], expected);
}

#[test]
fn op_layouts() {
    let Some(found) = run("op_layouts", &[]) else { return };
    assert!(found.contains("operation arith.addi\nmember overflowFlags optional\n"), "{found}");
}
