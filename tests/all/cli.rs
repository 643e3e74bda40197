//! The command, as the files in `tests/cli/` tell it.
//!
//! A file is a sequence of commands and what they give:
//!
//! ```text
//! Any other line is a remark.
//! $ mlirbc verify fixtures/arith.mlirbc
//! > a line of standard output
//! ! a line of standard error
//! = 1                          the exit code, where it is not 0
//! ```
//!
//! Commands run in the root of the repository. `$TMP` is a folder of the file's own. An argument may stand in single
//! quotes; `< FILE` gives a file as standard input, `NAME=VALUE mlirbc` a variable of the environment. Beside `mlirbc` there are `cmp A B` (fails where two files differ),
//! `cut N FILE OUT` (the first N bytes), `patch FILE AT BYTE OUT` (one byte changed, both in hexadecimal), `rename FILE
//! FROM TO` (a text of the same length, in place), `cat FILE`, `ls FOLDER` and `write FILE TEXT`.
//!
//! `BLESS=1 cargo test -p mlirbc --test all cli::` writes what the commands give now into the files.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TMP: &str = "$TMP";

/// What a command gives.
#[derive(Default)]
struct Output {
    out: Vec<u8>,
    err: Vec<u8>,
    code: i32,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').expect("a closing quote"),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

fn mlirbc(variable: Option<(&str, &str)>, words: &[String]) -> Output {
    let (arguments, input) = match words.iter().position(|word| word == "<") {
        Some(at) => (&words[..at], Some(&words[at + 1])),
        None => (words, None),
    };
    let input = input.map_or_else(Stdio::null, |path| {
        let file = std::fs::File::open(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        file.into()
    });
    let output = Command::new(env!("CARGO_BIN_EXE_mlirbc"))
        .args(arguments)
        .current_dir(root())
        .env_remove("COLUMNS")
        .env_remove("MLIRBC_ODS")
        .env_remove("MLIRBC_STORE")
        .envs(variable)
        .stdin(input)
        .output()
        .expect("the command runs");
    let code = output.status.code().unwrap_or_else(|| panic!("{words:?} was killed: {}", output.status));
    Output { out: output.stdout, err: output.stderr, code }
}

fn run(words: &[String]) -> Output {
    let read = |path: &str| std::fs::read(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let words_as_text: Vec<&str> = words.iter().map(String::as_str).collect();
    match words_as_text.as_slice() {
        ["mlirbc", ..] => mlirbc(None, &words[1..]),
        [variable, "mlirbc", ..] => mlirbc(variable.split_once('='), &words[2..]),
        ["cmp", a, b] => Output { code: (read(a) != read(b)).into(), ..Output::default() },
        ["cat", path] => Output { out: read(path), ..Output::default() },
        ["cut", size, path, to] => {
            let size = size.parse().expect("a number of bytes");
            std::fs::write(to, &read(path)[..size]).expect("a file to write");
            Output::default()
        }
        ["patch", path, at, byte, to] => {
            let mut bytes = read(path);
            let at = usize::from_str_radix(at, 16).expect("a place");
            bytes[at] = u8::from_str_radix(byte, 16).expect("a byte");
            std::fs::write(to, bytes).expect("a file to write");
            Output::default()
        }
        ["rename", path, from, to] => {
            let mut bytes = read(path);
            let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).expect("the text is there");
            bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
            std::fs::write(path, bytes).expect("a file to write");
            Output::default()
        }
        ["write", path, text] => {
            std::fs::write(path, text).expect("a file to write");
            Output::default()
        }
        ["lines", path, lines @ ..] => {
            std::fs::write(path, lines.join("\n") + "\n").expect("a file to write");
            Output::default()
        }
        ["ls", folder] => {
            let entries = std::fs::read_dir(folder).expect("a folder");
            let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
            let mut names: Vec<String> = names.collect();
            names.sort();
            Output { out: names.iter().map(|name| format!("{name}\n")).collect::<String>().into(), ..Output::default() }
        }
        _ => panic!("no such command: {words:?}"),
    }
}

fn show(text: &mut String, mark: char, bytes: &[u8], temporary: &str) {
    let shown = String::from_utf8_lossy(bytes).replace(temporary, TMP);
    for line in shown.lines() {
        let space = if line.is_empty() { "" } else { " " };
        let _ = writeln!(text, "{mark}{space}{line}");
    }
}

/// The file as it would be if it told what happens now.
fn retell(file: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let temporary = folder.path().to_str().expect("a path that is text");
    let mut text = String::new();
    for line in file.lines() {
        if line.starts_with(['>', '!', '=']) {
            continue;
        }
        let _ = writeln!(text, "{line}");
        if let Some(command) = line.strip_prefix("$ ") {
            let words: Vec<String> = words(command).iter().map(|word| word.replace(TMP, temporary)).collect();
            let output = run(&words);
            show(&mut text, '>', &output.out, temporary);
            show(&mut text, '!', &output.err, temporary);
            if output.code != 0 {
                let _ = writeln!(text, "= {}", output.code);
            }
        }
    }
    text
}

/// The first lines that differ, with what stands before them.
fn difference(told: &str, now: &str) -> String {
    let at = told.lines().zip(now.lines()).take_while(|(told, now)| told == now).count();
    let from = at.saturating_sub(3);
    let part = |text: &str| text.lines().skip(from).take(12).map(|line| format!("    {line}\n")).collect::<String>();
    format!("line {}: told\n{}and now\n{}", at + 1, part(told), part(now))
}

#[test]
fn what_the_files_tell_is_what_happens() {
    let folder = root().join("tests/cli");
    let entries = std::fs::read_dir(&folder).expect("the folder of files");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let mut failures = String::new();
    let mut commands = 0;
    for path in &paths {
        let told = std::fs::read_to_string(path).expect("text");
        let now = retell(&told);
        commands += now.lines().filter(|line| line.starts_with("$ ")).count();
        if now == told {
            continue;
        }
        if std::env::var_os(mlirbc_testing::BLESS).is_some() {
            std::fs::write(path, now).expect("the file can be written");
            continue;
        }
        let _ = writeln!(failures, "{}: {}", path.display(), difference(&told, &now));
    }
    assert!(failures.is_empty(), "{failures}BLESS=1 rewrites the files: read the difference before you commit it");
    assert!(paths.len() >= 5 && commands >= 30, "{} files, {commands} commands", paths.len());
}
