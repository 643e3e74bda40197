//! What `mlirbc opt` says of how passes ran.

use std::path::Path;
use std::process::{Command, Stdio};

/// What it says on standard error, and that it ended well.
fn said(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mlirbc"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["opt", "fixtures/arith.mlirbc", "-o", "/dev/null"])
        .args(args)
        .output()
        .expect("it runs");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn every_pass_is_timed_and_what_it_counts_is_told() {
    let pipeline = "--pass-pipeline=builtin.module(func.func(canonicalize,cse),symbol-dce)";
    let timed = said(&[pipeline, "--timing"]);
    let lines: Vec<(&str, &str)> = timed.lines().map(|line| line.split_once(" ms  ").expect("a time")).collect();
    let what: Vec<&str> = lines.iter().map(|line| line.1).collect();
    assert_eq!(
        what,
        ["  canonicalize (3 operations)", "  cse (3 operations)", "symbol-dce (1 operation)", "verification"]
    );
    assert!(lines.iter().all(|line| line.0.trim().parse::<f64>().is_ok()), "{timed}");

    let counted = said(&[pipeline, "--pass-statistics"]);
    let counts: Vec<&str> = counted.lines().collect();
    assert!(counts.iter().any(|line| line.starts_with("cse: ")), "{counted}");
    assert!(
        counts.iter().all(|line| line.split(' ').nth(1).is_some_and(|count| count.parse::<u64>().is_ok())),
        "{counted}"
    );
    assert_eq!(said(&[pipeline]), "");
}

/// What a command shows on a terminal. `None` where there is no program that gives it one.
fn on_a_terminal(command: &str) -> Option<String> {
    if !mlirbc_testing::tool("script", "what is shown on a terminal was not looked at") {
        return None;
    }
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", command, "/dev/null"]).env("TERM", "xterm");
    let output = script.stdin(Stdio::null()).output().expect("script runs");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stdout));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn progress_is_shown_on_a_terminal_where_a_module_is_large() {
    let folder = tempfile::tempdir().expect("a folder");
    let (small, large) = (folder.path().join("small.mlir"), folder.path().join("large.mlir"));
    let text = "func.func @f() {\n  return\n}\n";
    std::fs::write(&small, text).expect("it is written");
    // More than 4 MiB, most of which says nothing.
    std::fs::write(&large, text.to_owned() + &"// Nothing.\n".repeat(400_000)).expect("it is written");
    let command = |file: &Path, rest: &str| {
        let name = env!("CARGO_BIN_EXE_mlirbc");
        format!("'{name}' opt '{}' --cse --canonicalize -o /dev/null {rest}", file.display())
    };
    let Some(shown) = on_a_terminal(&command(&large, "")) else { return };
    assert!(shown.contains(" 0/2 ") && shown.contains(" 2/2 writing"), "{shown:?}");
    assert!(!shown.contains("error"), "{shown:?}");
    // It is gone in the end, and what is no terminal gets nothing.
    assert!(shown.trim_end().ends_with("\x1b[2K") || shown.trim_end().ends_with('\r'), "{shown:?}");
    assert_eq!(on_a_terminal(&command(&small, "")).as_deref(), Some(""));
    assert_eq!(on_a_terminal(&command(&large, "2>&1 | cat")).as_deref(), Some(""));
}
