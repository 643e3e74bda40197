//! What the command reads: files, pipes and standard input, in every format, by every subcommand.

use crate::common;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{mlirbc, said, shell};
use mlirbc::{Context, Format, OpenOptions};
use mlirbc_testing::{fixture, fixtures};

/// Commands that read a file, with `IN` for it: those that take every format, those that take bytecode, others.
const EVERY_FORMAT: [&str; 11] = [
    "symbols IN",
    "strip IN --to mlir",
    "convert IN --to mlir",
    "print IN",
    "inspect IN",
    "report IN -o /dev/null",
    "verify IN",
    "diff IN fixtures/arith.mlirbc",
    "diff fixtures/arith.mlirbc IN",
    "resources list IN",
    "opt IN --strip-debuginfo",
];
const BYTECODE: [&str; 3] = ["inspect --bytes IN", "resources extract IN weights", "bench --reps 1 IN"];
const OTHERS: [(&str, &str); 7] = [
    ("extract IN --symbol f", "fixtures/arith.mlirbc"),
    ("store put --store STORE IN", "fixtures/arith.mlirbc"),
    ("ods import IN -o /dev/stdout", "fixtures/ods/toy.json"),
    ("ods coverage IN", "fixtures/ods/toy.json"),
    ("print fixtures/arith.mlirbc --ods IN", "fixtures/ods/toy.json"),
    ("compile IN --to mlir", "fixtures/kernels/saxpy.mlir"),
    ("link IN fixtures/spirv/control_flow.spv", "fixtures/spirv/shade.spv"),
];

/// Everything that is read, each with a file for it.
fn cases() -> Vec<(&'static str, &'static str)> {
    let mut cases = Vec::new();
    for file in ["fixtures/arith.mlirbc", "fixtures/arith.mlir", "fixtures/spirv/shade.spv"] {
        cases.extend(EVERY_FORMAT.map(|line| (line, file)));
    }
    cases.extend(BYTECODE.map(|line| (line, "fixtures/resources.mlirbc")));
    cases.extend(OTHERS);
    cases
}

/// Ways to hand over a file, as lines of bash around the command.
const WAYS: [(&str, &str); 6] = [
    ("-", "LINE < FILE"),
    ("-", "cat FILE | LINE"),
    ("/dev/stdin", "LINE < FILE"),
    ("/dev/stdin", "cat FILE | LINE"),
    ("<(cat FILE)", "LINE"),
    ("PIPE", "mkfifo PIPE; cat FILE > PIPE & LINE"),
];

fn bash(line: &str) -> Output {
    let mut command = Command::new("timeout");
    command.args(["60", "bash", "-c", line]).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command.output().expect("bash")
}

/// What a command says of its file, without the name of it, and without figures that differ from run to run.
fn outcome(output: &Output, names: &[&str]) -> (Option<i32>, String, String) {
    let without = |bytes: &[u8]| {
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        for name in names {
            text = text.replace(name, "IN");
        }
        text.lines().filter(|line| !line.contains("_us ") && !line.contains("_m")).collect::<Vec<_>>().join("\n")
    };
    (output.status.code(), without(&output.stdout), without(&output.stderr))
}

#[test]
fn pipes_and_standard_input_are_as_good_as_files() {
    let bin = env!("CARGO_BIN_EXE_mlirbc");
    for (case, file) in cases() {
        let run = |name: &str, way: &str| {
            let folder = tempfile::tempdir().unwrap();
            let pipe = folder.path().join("pipe");
            let store = folder.path().join("store");
            let line = format!("{bin} {case}").replace("IN", name);
            let line = way.replace("LINE", &line).replace("FILE", file).replace("PIPE", pipe.to_str().unwrap());
            bash(&line.replace("STORE", store.to_str().unwrap()))
        };
        let expected = run(file, "LINE");
        for (name, way) in WAYS {
            let output = run(name, way);
            let (expected, got) = (outcome(&expected, &[file]), outcome(&output, &["<stdin>", "/dev/stdin"]));
            // Errors name a pipe as it was given; what they say of it is the same.
            assert_eq!(got.0, expected.0, "{case} of {file} as {way}, {name}: {}", said(&output));
            assert_eq!(got.1, expected.1, "{case} of {file} as {way}, {name}");
        }
        assert!(
            matches!(expected.status.code(), Some(0 | 1)) && !said(&expected).contains("error"),
            "{}",
            said(&expected)
        );
    }
}

#[test]
fn every_subcommand_is_asked_to_read_pipes() {
    let help = mlirbc().arg("help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let list = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let all: BTreeSet<&str> = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let all: BTreeSet<&str> = all.into_iter().filter(|name| !name.is_empty() && *name != "help").collect();
    let asked: BTreeSet<&str> = cases().iter().map(|(line, _)| line.split(' ').next().unwrap()).collect();
    // An index stands beside a file: see below. The others read none.
    let not = all.difference(&asked).copied().collect::<Vec<_>>();
    assert_eq!(not, ["completions", "index", "man"], "{help}");
}

#[test]
fn what_is_no_bytecode_is_called_what_it_is() {
    for (file, what) in [("fixtures/arith.mlir", "text"), ("fixtures/spirv/shade.spv", "a SPIR-V binary")] {
        for command in [&["index"][..], &["bench"], &["inspect", "--bytes"]] {
            let output = mlirbc().args(command).arg(file).output().unwrap();
            assert_eq!(output.status.code(), Some(1));
            assert!(said(&output).starts_with(&format!("{file}: error: this is {what}: ")), "{}", said(&output));
        }
    }
    for place in ["-", "/dev/stdin"] {
        let line = format!(
            "{} index {place} < fixtures/arith.mlirbc | cat; cat fixtures/arith.mlirbc | {0} index {place}",
            env!("CARGO_BIN_EXE_mlirbc")
        );
        let output = bash(&line);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains("no file that an index could stand beside"), "{}", said(&output));
    }
}

#[test]
fn a_file_that_is_not_what_its_name_says_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, message) in [
        ("empty.mlirbc", &b""[..], "not MLIR bytecode: the file is empty"),
        ("text.mlirbc", b"module {}", "not MLIR bytecode, as its name says: it does not begin with 4D 4C EF 52"),
        ("empty.spv", b"", "not a SPIR-V binary: the file is empty"),
        (
            "text.spv",
            b"OpCapability Shader",
            "not a SPIR-V binary, as its name says: it does not begin with 03 02 23 07",
        ),
        ("picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "neither MLIR bytecode nor a SPIR-V binary nor text"),
        ("cut", b"ML\xef\0", "neither MLIR bytecode nor a SPIR-V binary nor text"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        for line in EVERY_FORMAT.iter().chain(&BYTECODE).chain(&["index IN"]) {
            let words = line.split(' ').map(|word| if word == "IN" { path.to_str().unwrap() } else { word });
            let output = mlirbc().args(words).output().unwrap();
            let failed = if line.starts_with("diff") { 2 } else { 1 };
            assert_eq!(output.status.code(), Some(failed), "{line} of {name}");
            let said = said(&output);
            assert!(said.contains(message) && said.matches(name).count() == 1, "{line} of {name}: {said}");
            assert!(output.stdout.is_empty(), "{line} of {name}");
        }
        let error = mlirbc::open_any(&Context::new(), &path).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    // Text needs no name, and may be empty.
    for name in ["empty.mlir", "empty", "empty.txt"] {
        fs::write(folder.path().join(name), "").unwrap();
        let output = mlirbc().arg("print").arg(folder.path().join(name)).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "module {\n}\n\n");
    }
}

#[test]
fn text_and_spirv_binaries_are_verified_too() {
    let files = |folder: &Path, extension: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
    };
    let mut all = files(&fixtures(), "mlir");
    all.extend(files(&fixtures().join("spirv"), "spv"));
    assert!(all.len() >= 12, "{} files", all.len());
    let output = mlirbc().arg("verify").args(&all).output().unwrap();
    assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()));

    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("wrong.mlir");
    fs::write(&text, "func.func @f(%a: i32) {\n  \"arith.addi\"(%a) : (i32) -> ()\n  return\n}\n").unwrap();
    let cut = folder.path().join("cut.spv");
    fs::write(&cut, &fs::read(fixture("spirv/kernel.spv")).unwrap()[..308]).unwrap();
    let output = mlirbc().arg("verify").args([&text, &cut]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = said(&output);
    assert!(said.contains("wrong.mlir: error: ") && said.contains("arith.addi"), "{said}");
    assert!(said.contains("cut.spv: error: expected 5 words, found 2 before the end"), "{said}");
    assert!(said.ends_with("2 of 2 inputs failed\n"), "{said}");
}

#[test]
fn standard_input_twice_is_wrong_usage() {
    for line in [
        "diff - -",
        "convert - - --to mlir --out-dir nowhere",
        "verify - -",
        "store put --store nowhere - -",
        "report - -",
    ] {
        let output = mlirbc().args(line.split(' ')).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {}", said(&output));
    }
    assert!(!Path::new(env!("CARGO_MANIFEST_DIR")).join("nowhere").exists());
}

#[test]
fn wrong_usage_ends_with_2_and_a_failing_input_with_1() {
    let two = "fixtures/arith.mlirbc fixtures/quant.mlirbc";
    let key = "0".repeat(64);
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        (2, format!("$B convert {two} --to mlir"), "several inputs need --out-dir"),
        (2, "$B convert fixtures/arith.mlirbc".into(), "say what to convert to"),
        (2, "$B convert fixtures/arith.mlirbc --to mlirbc --bytecode-version -1".into(), "-1 is not in 0..=6"),
        (2, "$B convert fixtures/arith.mlirbc --to mlirbc --mlir-version -1".into(), "-1 is not in 22..="),
        (2, "$B bench fixtures/arith.mlirbc --reps 0".into(), "0 is not in 1.."),
        (2, "$B bench fixtures/arith.mlirbc --reps -1".into(), "-1 is not in 1.."),
        (2, format!("$B store put --store $T/s --key {key} {two}"), "one key is for one file"),
        (2, "$B store gc --store $T/s --max-bytes 5x".into(), "no unit of bytes: x; there are K, M, G and T"),
        (2, "$B store gc --store $T/s --max-bytes -5".into(), "no number of bytes: -5"),
        (2, "$B store gc --store $T/s --max-entries -5".into(), "invalid value '-5'"),
        (
            2,
            "$B resources strip fixtures/resources.mlirbc --json -o -".into(),
            "--json needs standard output for itself",
        ),
        (2, "$B diff fixtures/arith.mlirbc fixtures/arith.mlirbc --ods none.json".into(), "none.json: No such file"),
        (2, "$B diff fixtures/arith.mlirbc none.mlirbc".into(), "error: none.mlirbc: No such file"),
        (1, "$B print fixtures/arith.mlirbc --ods none.json".into(), "error: none.json: No such file"),
        (1, "$B ods import none.json -o $T/table".into(), "error: none.json: No such file"),
        (1, "$B bench none.mlirbc".into(), "none.mlirbc: error: No such file"),
        (1, "$B bench fixtures/arith.mlirbc --symbol g".into(), "fixtures/arith.mlirbc: error: no symbol @g"),
    ];
    for (code, line, message) in cases {
        let line = format!("cd \"$R\" && {}", line.replace("$T", folder.path().to_str().unwrap()));
        let output = shell(folder.path(), &line);
        assert_eq!(output.status.code(), Some(code), "{line}: {}", said(&output));
        let said = said(&output);
        assert!(said.contains(message), "{line}: {said}");
        assert!(said.matches("none.").count() <= 1, "{line}: {said}");
    }
    let output = shell(
        folder.path(),
        "$B store put --store s $F/arith.mlirbc && $B store gc --store s --max-bytes 1k --dry-run",
    );
    assert!(output.status.success(), "1k is 1K: {}", said(&output));
}

#[test]
fn a_pipe_is_opened_once_by_the_library() {
    for (file, format) in
        [("arith.mlirbc", Format::Bytecode), ("arith.mlir", Format::Text), ("spirv/shade.spv", Format::Spirv)]
    {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let bytes = fs::read(fixture(file)).unwrap();
        assert_eq!(Format::of(&bytes, Path::new("-")).unwrap(), format);
        let writer = {
            let (pipe, bytes) = (pipe.clone(), bytes.clone());
            std::thread::spawn(move || fs::File::options().write(true).open(pipe).unwrap().write_all(&bytes).unwrap())
        };
        let context = Context::new();
        let module = mlirbc::open_any_with(&context, &pipe, &OpenOptions::new()).unwrap();
        writer.join().unwrap();
        let plain = mlirbc::open_any(&context, fixture(file)).unwrap();
        let differences = mlirbc::ir::compare(&module, &plain, &mlirbc::ir::CompareOptions::new()).unwrap();
        assert_eq!(differences, []);
    }
}
