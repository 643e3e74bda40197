//! What `mlirbc opt` says of how passes ran.

use std::process::Command;

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
