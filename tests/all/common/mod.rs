//! What tests of the command share.
#![allow(dead_code, reason = "each test uses some of it")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The command, run in the root of the repository with nothing on standard input.
pub fn mlirbc() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mlirbc"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null()).env_remove("MLIRBC_STORE");
    command
}

/// A line of shell, with `$B` for the command, run in `folder`; `$R` is the root of the repository.
pub fn shell(folder: &Path, line: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).stdin(Stdio::null());
    command.env("B", env!("CARGO_BIN_EXE_mlirbc")).env("R", env!("CARGO_MANIFEST_DIR")).env("F", fixtures());
    command.output().expect("a shell")
}

fn fixtures() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures").into()
}

/// What a command said on standard error.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The names in a folder, sorted, hidden ones too.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}
