//! `mlirbc bench`: what it prints, warm and cold, and of files that are not fully understood.

use crate::common;

use std::path::Path;

use common::{mlirbc, said};
use mlirbc_testing::{corpus, fixture};
use serde_json::Value;

fn figures(file: &Path, options: &[&str]) -> serde_json::Map<String, Value> {
    let output = mlirbc().args(["bench", "--reps", "2", "--json"]).args(options).arg(file).output().unwrap();
    assert!(output.status.success(), "{}: {}", file.display(), said(&output));
    let line = String::from_utf8(output.stdout).unwrap();
    assert_eq!(line.lines().count(), 1, "one object, in one line");
    serde_json::from_str(&line).unwrap()
}

/// How many operations, operands and results there are.
fn counts(file: &Path) -> [u64; 3] {
    let module = mlirbc::open(&mlirbc::Context::new(), file).unwrap();
    let mut counts = [0; 3];
    for op in module.operations().unwrap().flat_map(|op| op.walk().unwrap()) {
        for (count, more) in counts.iter_mut().zip([1, op.operands().len(), op.results().len()]) {
            *count += more as u64;
        }
    }
    counts
}

const NAMES: [&str; 10] =
    ["bytes", "ops", "operands", "results", "open_us", "lazy_ms", "eager_ms", "full_ms", "write_ms", "rss_mib"];

#[test]
fn figures_are_of_what_was_asked_for() {
    let file = fixture("arith.mlirbc");
    for options in [&[][..], &["--warm"]] {
        let found = figures(&file, options);
        assert_eq!(found.keys().collect::<Vec<_>>(), NAMES);
        assert_eq!(found["bytes"], std::fs::metadata(&file).unwrap().len());
        assert_eq!([&found["ops"], &found["operands"], &found["results"]].map(Value::as_u64), counts(&file).map(Some));
        for name in &NAMES[4..9] {
            assert!(found[*name].as_f64().unwrap() > 0.0, "{name}");
        }
        let with_symbol = figures(&file, &[options, &["--symbol", "@f"]].concat());
        assert!(with_symbol["symbol_us"].as_f64().unwrap() > 0.0);
        assert_eq!(with_symbol.len(), NAMES.len() + 1);
    }
}

#[test]
fn threads_and_processes_are_timed_beside_one_thread() {
    let found = figures(&fixture("arith.mlirbc"), &["--threads", "1,2", "--processes"]);
    assert_eq!(found["pipeline"], "builtin.module(canonicalize,cse)");
    let rows = found["rows"].as_array().unwrap();
    let of =
        |row: &Value| row.as_object().unwrap().iter().next().map(|(of, count)| (of.clone(), count.as_u64())).unwrap();
    let wanted = [("threads", 1), ("threads", 2), ("processes", 2)].map(|(of, count)| (of.to_owned(), Some(count)));
    assert_eq!(rows.iter().map(of).collect::<Vec<_>>(), wanted);
    for row in rows {
        for stage in ["load", "decode", "verify", "passes", "write"] {
            assert!(row[format!("{stage}_ms")].as_f64().unwrap() > 0.0, "{stage}");
            assert!(row[format!("{stage}_factor")].as_f64().unwrap() > 0.0, "{stage}");
        }
    }
    assert_eq!(rows[0]["passes_factor"], 1.0);
}

#[test]
fn times_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("a<b&c.mlirbc"), folder.path().join("times.svg"));
    std::fs::copy(fixture("arith.mlirbc"), &file).unwrap();
    let plot = |options: &[&str]| mlirbc().args(["bench", "--reps", "1"]).args(options).arg(&file).output().unwrap();
    let output = plot(&["--symbol", "f", "--plot", out.to_str().unwrap()]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", said(&output));
    let svg = std::fs::read_to_string(&out).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("a&lt;b&amp;c.mlirbc, 895 bytes"));
    assert_eq!(svg.matches("<rect ").count(), 6);
    for what in ["open", "one symbol", "lazy", "eager", "full", "write"] {
        assert!(svg.contains(&format!(">{what}</text>")), "{what}");
    }
    let output = plot(&["--plot", "-"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap().matches("<rect ").count(), 5);
    for wrong in [&["--json", "--plot", "-"][..], &["--plot", file.to_str().unwrap()]] {
        assert_eq!(plot(wrong).status.code(), Some(2));
    }
}

#[test]
fn help_explains_every_column() {
    let output = mlirbc().args(["bench", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let explained = help.split("What is printed").nth(1).unwrap();
    for name in NAMES.iter().chain(&["symbol_us"]) {
        assert!(explained.contains(name), "{name} is not explained");
    }
}

#[test]
fn files_with_opaque_parts_are_timed() {
    // A dialect without definitions, in native properties and encodings of its own.
    let output = mlirbc().args(["bench", "--reps", "1", "fixtures/unregistered.mlirbc"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let Some(paths) = corpus("stablehlo", "bench of StableHLO's portable artifacts") else { return };
    assert_eq!(paths.len(), 46);
    for path in paths {
        figures(&path, &[]);
        figures(&path, &["--warm"]);
    }
}
