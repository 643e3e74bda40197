//! What the command does where what it writes is not read, and what it shows of names that are no text.

use crate::common;

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use common::{mlirbc, said, shell};

/// Everything that goes to standard output, with its exit code where it can be written; `STORE` holds an entry.
const PRINTING: [(&str, i32); 37] = [
    ("--help", 0),
    ("--version", 0),
    ("help store", 0),
    ("print --help", 0),
    ("convert fixtures/arith.mlirbc --to mlir", 0),
    ("convert fixtures/arith.mlirbc --to mlirbc", 0),
    ("print fixtures/arith.mlirbc", 0),
    ("print fixtures/arith.mlirbc --symbol f", 0),
    ("opt fixtures/arith.mlirbc --strip-debuginfo", 0),
    ("inspect fixtures/arith.mlirbc", 0),
    ("inspect --json fixtures/arith.mlirbc", 0),
    ("inspect --bytes fixtures/arith.mlirbc", 0),
    ("inspect fixtures/spirv/shade.spv", 0),
    ("report fixtures/arith.mlirbc", 0),
    ("diff fixtures/arith.mlirbc fixtures/quant.mlirbc", 1),
    ("diff --json fixtures/arith.mlirbc fixtures/quant.mlirbc", 1),
    ("diff fixtures/spirv/shade.spv fixtures/spirv/kernel.spv", 1),
    ("link fixtures/spirv/shade.spv fixtures/spirv/control_flow.spv", 0),
    ("symbols fixtures/arith.mlirbc", 0),
    ("symbols --json fixtures/arith.mlirbc fixtures/quant.mlirbc", 0),
    ("extract fixtures/arith.mlirbc --symbol f", 0),
    ("strip fixtures/arith.mlirbc", 0),
    ("completions bash", 0),
    ("man", 0),
    ("verify --json fixtures/arith.mlirbc", 0),
    ("diff --stat fixtures/arith.mlirbc fixtures/quant.mlirbc", 1),
    ("diff -q fixtures/arith.mlirbc fixtures/quant.mlirbc", 1),
    ("compile fixtures/kernels/saxpy.mlir", 0),
    ("resources list fixtures/resources.mlirbc", 0),
    ("resources extract fixtures/resources.mlirbc weights", 0),
    ("bench --reps 1 fixtures/arith.mlirbc", 0),
    ("bench --reps 1 --json fixtures/arith.mlirbc", 0),
    ("ods coverage", 0),
    ("store put --store STORE fixtures/arith.mlirbc", 0),
    ("store ls --store STORE", 0),
    ("store stats --store STORE", 0),
    ("store verify --store STORE", 0),
];

/// Subcommands that print nothing where all is well.
const SILENT: [&str; 1] = ["index"];

fn words(line: &str, store: &str) -> Vec<String> {
    line.split(' ').map(|word| word.replace("STORE", store)).collect()
}

#[test]
fn every_subcommand_is_in_the_list() {
    let help = mlirbc().arg("help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let list = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let all: BTreeSet<&str> = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let all: BTreeSet<&str> = all.into_iter().filter(|name| !name.is_empty()).collect();
    let listed = PRINTING.iter().map(|(line, _)| line.split(' ').next().unwrap()).filter(|name| !name.starts_with('-'));
    assert_eq!(listed.chain(SILENT).collect::<BTreeSet<_>>(), all);
}

#[test]
fn a_reader_that_goes_away_changes_no_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    for (line, code) in PRINTING {
        let mut child = mlirbc()
            .args(words(line, store.to_str().unwrap()))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Gone before anything is written.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        // What differs is different though the words are not read.
        assert_eq!(output.status.code(), Some(code), "{line}: {}", said(&output));
        assert_eq!(said(&output), "", "{line}");
    }
}

#[test]
fn a_full_standard_output_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let full = || fs::File::options().write(true).open("/dev/full").expect("a device that is always full");
    for (line, code) in PRINTING {
        let output = mlirbc().args(words(line, store.to_str().unwrap())).stdout(full()).output().unwrap();
        // Of `diff`, 1 says that files differ.
        let failed = if code == 1 { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(failed), "{line}: {}", said(&output));
        assert!(said(&output).contains("standard output: No space left on device"), "{line}: {}", said(&output));
    }
}

#[test]
fn nothing_panics_where_errors_cannot_be_said() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("verify none.mlirbc none.mlir", 1),
        ("print none.mlirbc", 1),
        ("frobnicate", 2),
        ("convert a b --to mlir", 2),
        ("diff none none", 2),
        ("store get --store STORE 0000000000000000000000000000000000000000000000000000000000000000", 3),
        ("resources strip fixtures/resources.mlirbc -o /dev/null", 0),
        ("convert fixtures/unregistered.mlirbc --to mlirbc -o /dev/null --bytecode-version 4 --lossy", 0),
    ];
    let store = folder.path().join("store");
    let put = mlirbc().args(["store", "put", "fixtures/arith.mlirbc", "--store"]).arg(&store).output().unwrap();
    assert!(put.status.success());
    for (line, code) in cases {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = mlirbc().args(words(line, store.to_str().unwrap())).stderr(full).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{line}");
        let mut child = mlirbc()
            .args(words(line, store.to_str().unwrap()))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{line}");
    }
}

#[test]
fn names_do_not_talk_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = "\u{1b}[31mred\u{7}.mlirbc";
    fs::write(folder.path().join(name), "no bytecode").unwrap();
    let text = r#""builtin.module"() ({
      "func.func"() <{function_type = () -> (), sym_name = "\1B[31mred"}> ({}) {sym_visibility = "private"} : () -> ()
    }) : () -> ()
    {-# external_resources: { "\1B[32m": { "\1B[33m": true } } #-}"#;
    fs::write(folder.path().join("m.mlir"), text).unwrap();
    let other = text.replace("() -> (), sym", "(i32) -> (), sym");
    fs::write(folder.path().join("n.mlir"), other).unwrap();
    for line in [
        "print $'\\e[31mred\\a.mlirbc'",
        "verify $'\\e[31mred\\a.mlirbc' $'none\\e[1m'",
        "convert m.mlir -o $'none\\e[1m/x.mlir'",
        "convert m.mlir $'./m.mlir' --to mlirbc --out-dir $'\\e[1m'",
        "print m.mlir --symbol $'\\e[32mgreen'",
        "print m.mlir",
        "inspect m.mlir",
        "resources list m.mlir",
        "resources extract m.mlir $'\\e[34m'",
        "diff m.mlir n.mlir",
        "$'\\e[31m'",
        "print $'--\\e[31m'",
        "convert m.mlir --to $'\\e[31m'",
    ] {
        let mut command = Command::new("bash");
        command.args(["-c", &format!("\"$B\" {line} 2>&1")]).current_dir(folder.path()).stdin(Stdio::null());
        let output = command.env("B", env!("CARGO_BIN_EXE_mlirbc")).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(!shown.is_empty(), "{line}");
        let control = |letter: char| letter.is_control() && letter != '\n';
        assert!(!shown.contains(control), "{line}: {:?}", shown);
    }
}

#[test]
fn labels_and_lists_are_written_in_large_pieces() {
    if Command::new("strace").arg("-V").output().is_err() {
        return mlirbc_testing::skipped("how often the command writes", "strace is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    for line in ["inspect --bytes $F/arith.mlirbc", "diff $F/arith.mlirbc $F/versions/portable.22.v6.mlirbc"] {
        let line = format!("strace -f -e trace=write -o trace $B {line} > out");
        let output = shell(folder.path(), &line);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", said(&output));
        let trace = fs::read_to_string(folder.path().join("trace")).unwrap();
        let writes = trace.lines().filter(|line| line.contains("write(")).count();
        let bytes = fs::metadata(folder.path().join("out")).unwrap().len();
        assert!(bytes > 300 && writes <= 3, "{writes} writes of {bytes} bytes: {trace}");
    }
}
