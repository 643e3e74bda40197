//! What `--json` writes fits the schemas of `docs/schemas`, and each command that writes JSON has one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::mlirbc;
use serde_json::Value;

/// A schema, and a command whose JSON it describes, with `IN` for a file of each of these folders or for the file itself.
const COMMANDS: [(&str, &str, &[&str]); 24] = [
    ("inspect-bytecode", "inspect --json IN", &["fixtures/*.mlirbc", "$/bytecode/*.mlirbc", "$/stablehlo_artifacts/*"]),
    ("inspect-spirv", "inspect --json IN", &["fixtures/spirv/*.spv", "$/spirv/*.spv"]),
    ("inspect-text", "inspect --json IN", &["fixtures/*.mlir"]),
    ("requirements", "inspect --requirements --json IN", &["fixtures/spirv/*.spv", "$/spirv/*.spv"]),
    ("verify", "verify --json IN", &["fixtures/*.mlirbc", "fixtures/invalid/*", "$/bytecode/*.mlirbc"]),
    (
        "symbols",
        "symbols --json IN",
        &["fixtures/*.mlirbc", "fixtures/*.mlir", "fixtures/spirv/*.spv", "$/bytecode/*.mlirbc"],
    ),
    ("diff", "diff --json fixtures/arith.mlirbc IN", &["fixtures/*.mlirbc", "$/bytecode/*.mlirbc"]),
    ("diff-spirv", "diff --json fixtures/spirv/shade.spv IN", &["fixtures/spirv/*.spv"]),
    ("diff-stat", "diff --json --stat fixtures/arith.mlirbc IN", &["fixtures/*.mlirbc"]),
    ("resources-list", "resources list --json IN", &["fixtures/*.mlirbc"]),
    ("resources-strip", "resources strip --json IN -o FOLDER/small.mlirbc", &["fixtures/*.mlirbc"]),
    ("bench", "bench --json --reps 1 IN", &["fixtures/arith.mlirbc"]),
    ("ods-coverage", "ods coverage --json IN", &["", "fixtures/ods/toy.json"]),
    ("index", "index --json IN", &["FOLDER/copy.mlirbc"]),
    (
        "store-put",
        "store put --json --store FOLDER/store IN",
        &["fixtures/*.mlirbc", "fixtures/spirv/*.spv", "README.md"],
    ),
    ("store-ls", "store ls --json --store FOLDER/store", &[""]),
    ("store-ls", "store ls --json --quick --store FOLDER/store", &[""]),
    ("store-contains", "store contains --json --store FOLDER/store 8547 0000", &[""]),
    ("store-limits", "store limits --json --store FOLDER/store --max-bytes 1G", &[""]),
    ("store-stats", "store stats --json --store FOLDER/store", &[""]),
    ("store-verify", "store verify --json --store FOLDER/store", &[""]),
    ("store-export", "store export --json --store FOLDER/store -o FOLDER/all.export", &[""]),
    ("store-import", "store import --json --store FOLDER/other IN", &["FOLDER/all.export"]),
    ("store-gc", "store gc --json --store FOLDER/store --older-than 1d", &[""]),
];

/// What is written to standard error, beside the bytes.
const ON_ERRORS: (&str, &str) = ("store-get", "store get --json --store FOLDER/store 8547 -o /dev/null");

/// Every so many of the files of a reference corpus are looked at.
const ONE_IN: usize = 25;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files that a pattern means; none where the reference data is not there.
fn files(pattern: &str, folder: &Path) -> Vec<String> {
    let (pattern, one_in) = match pattern.strip_prefix("$/") {
        None => (root().join(pattern.replace("FOLDER", folder.to_str().unwrap())), 1),
        Some(rest) => match std::env::var_os("MLIRBC_SHARED") {
            Some(shared) => (PathBuf::from(shared).join("corpus").join(rest), ONE_IN),
            None => {
                eprintln!("skipped: {rest}: MLIRBC_SHARED names no folder with reference data");
                return Vec::new();
            }
        },
    };
    let name = pattern.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Some(extension) = name.strip_prefix('*') else { return vec![pattern.to_str().unwrap().to_owned()] };
    let entries = fs::read_dir(pattern.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<String> = entries
        .filter(|path| path.is_file())
        .map(|path| path.to_str().unwrap().to_owned())
        .filter(|path| path.ends_with(extension))
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{}", pattern.display());
    found.into_iter().step_by(one_in).collect()
}

/// What of a schema these schemas use; anything else in one is an error.
fn check(schema: &Value, value: &Value, place: &str) {
    for key in schema.as_object().unwrap().keys() {
        let known = ["$schema", "title", "type", "properties", "required", "additionalProperties", "items"];
        assert!(known.contains(&key.as_str()), "{place}: `{key}` is not understood");
    }
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is = |wanted: &Value| wanted == name || (wanted == "number" && name == "integer");
    let fits = match &schema["type"] {
        Value::Array(names) => names.iter().any(is),
        one => is(one),
    };
    assert!(fits, "{place}: {name}, and not {}", schema["type"]);
    match value {
        Value::Array(items) => items.iter().for_each(|item| check(&schema["items"], item, &format!("{place}[]"))),
        Value::Object(members) => {
            for required in schema["required"].as_array().into_iter().flatten() {
                assert!(members.contains_key(required.as_str().unwrap()), "{place}: no {required}");
            }
            for (key, member) in members {
                let place = format!("{place}.{key}");
                match (&schema["properties"][key], &schema["additionalProperties"]) {
                    (Value::Null, Value::Object(_)) => check(&schema["additionalProperties"], member, &place),
                    (Value::Null, _) => panic!("{place}: not in the schema"),
                    (schema, _) => check(schema, member, &place),
                }
            }
        }
        _ => {}
    }
}

/// Runs a command, checks what it writes, and says how many values that was.
fn run(name: &str, line: &str, on_errors: bool) -> usize {
    let schema = fs::read(root().join("docs/schemas").join(format!("{name}.json"))).unwrap();
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    let output = mlirbc().args(line.split(' ').filter(|word| !word.is_empty())).output().unwrap();
    let text = if on_errors { output.stderr } else { output.stdout };
    let values = serde_json::Deserializer::from_slice(&text).into_iter::<Value>();
    values.map(|value| check(&schema, &value.unwrap_or_else(|error| panic!("{line}: {error}")), name)).count()
}

#[test]
fn json_fits_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(root().join("fixtures/arith.mlirbc"), folder.path().join("copy.mlirbc")).unwrap();
    let inside = folder.path().to_str().unwrap();
    for (name, line, patterns) in COMMANDS {
        let mut count = 0;
        for input in patterns.iter().flat_map(|pattern| files(pattern, folder.path())) {
            count += run(name, &line.replace("IN", &input).replace("FOLDER", inside), false);
        }
        assert!(count > 0, "{line}");
    }
    assert_eq!(run(ON_ERRORS.0, &ON_ERRORS.1.replace("FOLDER", inside), true), 1);
}

#[test]
fn every_schema_is_of_a_command_and_every_command_has_one() {
    let entries = fs::read_dir(root().join("docs/schemas")).unwrap().map(|entry| entry.unwrap().path());
    let schemas = entries.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let schemas: BTreeSet<String> =
        schemas.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    let listed = COMMANDS.iter().map(|command| command.0.to_owned()).chain([ON_ERRORS.0.to_owned()]);
    assert_eq!(listed.collect::<BTreeSet<_>>(), schemas);
    // Every command that knows `--json`, by its help.
    let help = |words: &[&str]| {
        let output = mlirbc().args(words).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let inner = |text: &str| -> Vec<String> {
        let list = text.split("Commands:").nth(1).map_or("", |rest| rest.split("\n\n").next().unwrap_or_default());
        let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
    };
    let mut with_json = BTreeSet::new();
    for name in inner(&help(&[])) {
        let text = help(&[&name]);
        let subcommands = inner(&text);
        if subcommands.is_empty() && text.contains("--json") {
            with_json.insert(name.clone());
        }
        for inner in subcommands {
            if help(&[&name, &inner]).contains("--json") {
                with_json.insert(format!("{name} {inner}"));
            }
        }
    }
    let lines = COMMANDS.iter().map(|command| command.1).chain([ON_ERRORS.1]);
    let words = lines.map(|line| line.split(" --").next().unwrap().to_owned());
    let mut listed: BTreeSet<String> = words.collect();
    // It says by its exit code what there is to say.
    listed.insert("store remove".into());
    assert_eq!(listed, with_json);
}
