//! `mlirbc store`, where files in `tests/cli/` cannot tell it.

use crate::common;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Output;

use common::{mlirbc, names, said, shell};

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The lines of `ls`: its keys.
fn listed(folder: &Path, options: &str) -> (Vec<String>, String) {
    let output = shell(folder, &format!("$B store ls --store s {options}"));
    assert!(output.status.success(), "{}", said(&output));
    (told(&output).lines().map(|line| line[..64].to_owned()).collect(), said(&output))
}

#[test]
fn what_is_listed_can_be_got() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let output = shell(folder, "$B store put --store s $F/*.mlirbc");
    let keys: Vec<String> = told(&output).lines().map(str::to_owned).collect();
    assert!(keys.len() >= 8, "{}", said(&output));
    let segment = names(&folder.join("s")).into_iter().find(|name| name.ends_with(".seg")).expect("a segment");
    let segment = folder.join("s").join(segment);
    let whole = fs::read(&segment).unwrap();
    let end = whole.iter().rposition(|byte| *byte != 0).unwrap();
    let mut refused = 0;
    for at in (130..end).step_by(end / 12) {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        fs::write(&segment, damaged).unwrap();
        let (listed, said) = listed(folder, "");
        let get = "if $B store get --store s $key -o got 2> said; then echo $key; fi";
        let got = shell(folder, &format!("for key in {}; do {get}; done", keys.join(" ")));
        let mut got: Vec<String> = told(&got).lines().map(str::to_owned).collect();
        got.sort();
        assert_eq!(got, listed, "byte {at}");
        let missing = keys.len() - listed.len();
        assert!(missing <= 1, "byte {at}: {missing} are missing");
        // One whose header is gone is no entry at all.
        assert!(said.is_empty() || (missing == 1 && said.contains("1 entry;")), "byte {at}: {said}");
        refused += missing;
    }
    assert!(refused > 5, "{refused} refused");
}

#[test]
fn quick_lists_read_no_entry() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let key = told(&shell(folder, "$B store put --store s $F/arith.mlirbc"));
    let segment = names(&folder.join("s")).into_iter().find(|name| name.ends_with(".seg")).expect("a segment");
    let segment = folder.join("s").join(segment);
    let mut bytes = fs::read(&segment).unwrap();
    bytes[400] ^= 1;
    fs::write(&segment, bytes).unwrap();
    assert_eq!(listed(folder, ""), (vec![], "damaged and not listed: 1 entry; `store verify` says more\n".into()));
    assert_eq!(listed(folder, "--quick"), (vec![key.trim().to_owned()], String::new()));
}

#[test]
fn only_put_and_import_make_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let key = "0".repeat(64);
    for command in ["gc", "ls", "stats", "verify", "export -o out", &format!("get {key}"), &format!("remove {key}")] {
        let output = shell(folder.path(), &format!("$B store {command} --store typo"));
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert_eq!(said(&output), "error: typo: no such store\n", "{command}");
        assert_eq!(names(folder.path()), Vec::<String>::new(), "{command} made something");
    }
}

#[test]
fn a_folder_with_other_files_becomes_no_store() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("documents")).unwrap();
    fs::write(folder.join("documents/letter"), "Dear").unwrap();
    shell(folder, "$B store put --store a $F/arith.mlirbc; $B store export --store a -o e");
    let key = "0".repeat(64);
    for command in [
        "put F",
        "import e",
        "gc",
        "ls",
        "stats",
        "verify",
        "export -o out",
        &format!("get {key}"),
        &format!("remove {key}"),
    ] {
        let command = command.replace('F', "$F/arith.mlirbc");
        let output = shell(folder, &format!("$B store {command} --store documents"));
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert!(said(&output).contains("documents: this directory has other files in it, and no store"), "{command}");
        assert_eq!(names(&folder.join("documents")), ["letter"], "{command} made something");
    }
    // An empty one does.
    fs::create_dir(folder.join("empty")).unwrap();
    assert!(shell(folder, "$B store put --store empty $F/arith.mlirbc").status.success());
    assert!(names(&folder.join("empty")).len() > 1);
}

#[test]
fn an_export_goes_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "$B store put --store a $F/*.mlirbc > keys && $B store export --store a -o - | $B store import --store b - &&
                $B store ls --store a > la && $B store ls --store b > lb && cmp la lb && wc -l < la";
    let output = shell(folder.path(), line);
    assert!(output.status.success(), "{}", said(&output));
    let told = told(&output);
    let (imported, lines) = told.trim().split_once('\n').expect("two lines");
    assert_eq!(imported, format!("{} entries", lines.trim()));
}

#[test]
fn a_reader_that_goes_away_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let output = shell(
        folder.path(),
        "$B store put --store s $F/*.mlirbc | true; $B store ls --store s | wc -l; ls $F/*.mlirbc | wc -l",
    );
    let told = told(&output);
    let (kept, files) = told.trim().split_once('\n').expect("two lines");
    assert_eq!((kept.trim(), said(&output).as_str()), (files.trim(), ""));
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let key = told(&shell(folder, "$B store put --store s $F/arith.mlirbc")).trim().to_owned();
    for command in [
        "put $F/nested.mlirbc",
        "ls",
        "stats",
        "verify",
        "gc",
        "export -o e",
        "export -o -",
        "import e",
        &format!("get {key}"),
    ] {
        let output =
            shell(folder, &format!("$B store {} --store s {} > /dev/full", first(command).0, first(command).1));
        assert_eq!(output.status.code(), Some(1), "{command}: {}", said(&output));
        assert!(said(&output).contains("No space left"), "{command}: {}", said(&output));
        // Where nothing can be said, that is no panic.
        let output = shell(folder, &format!("$B store {command} --store s > /dev/full 2> /dev/full"));
        assert_eq!(output.status.code(), Some(1), "{command}");
    }
}

/// The first word, and the others.
fn first(command: &str) -> (&str, &str) {
    command.split_once(' ').unwrap_or((command, ""))
}

#[test]
fn equal_content_under_five_keys_is_once_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let content: Vec<u8> = (0..100_000_u32).flat_map(|number| number.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
    fs::write(folder.join("kernel"), &content).unwrap();
    let taken = || {
        let sizes = fs::read_dir(folder.join("s")).unwrap().map(|entry| entry.unwrap().metadata().unwrap());
        sizes.map(|metadata| metadata.blocks() * 512).sum::<u64>()
    };
    let put = |key: u8| shell(folder, &format!("$B store put --store s --key {key:064x} kernel"));
    let stats = || -> serde_json::Value {
        serde_json::from_slice(&shell(folder, "$B store stats --store s --json").stdout).unwrap()
    };
    assert!(put(0).status.success());
    let (once, before) = (taken(), stats());
    assert_eq!(before["shared_bytes"], 0);
    for key in 1..5 {
        assert!(put(key).status.success());
    }
    // Beside it, notes of use and room that a small record makes its segment take ahead.
    assert!(taken() <= once + content.len() as u64, "{once} bytes, and then {}", taken());
    let after = stats();
    let bytes = |stats: &serde_json::Value, name: &str| stats[name].as_u64().unwrap();
    assert!(bytes(&after, "bytes") < bytes(&before, "bytes") + 2000, "{before} {after}");
    assert!(bytes(&after, "shared_bytes") >= 4 * content.len() as u64 && after["entries"] == 5, "{after}");
    let text = told(&shell(folder, "$B store stats --store s"));
    assert!(text.contains("saved     1.5 MiB, as equal content is kept once\n"), "{text}");
    for key in 0..5 {
        assert!(shell(folder, &format!("$B store get --store s {key:064x} -o got && cmp got kernel")).status.success());
    }
}

/// Each command is a process of its own, which writes down what it has counted when it ends.
#[test]
fn counters_are_set_back_to_zero() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let counted = || {
        let output = shell(folder, "$B store stats --store s --json");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        ["hits", "misses", "puts"].map(|name| json[name].as_u64().unwrap())
    };
    let key = told(&shell(folder, "$B store put --store s $F/arith.mlirbc")).trim().to_owned();
    let get = |key: &str| shell(folder, &format!("$B store get --store s {key} -o got")).status.code();
    assert_eq!((get(&key), get(&key), get(&"0".repeat(64))), (Some(0), Some(0), Some(3)));
    assert_eq!(counted(), [2, 1, 1]);
    assert_eq!(told(&shell(folder, "$B store stats --store s -z")), "counters set to zero\n");
    assert_eq!(counted(), [0; 3]);
    assert_eq!((get(&key), counted()), (Some(0), [1, 0, 0]));
    // Nobody makes a store by that.
    assert_eq!(said(&shell(folder, "$B store stats --store typo -z")), "error: typo: no such store\n");
}

#[test]
fn every_subcommand_has_examples() {
    let help = mlirbc().args(["store", "--help"]).output().unwrap();
    let help = told(&help);
    let names: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() >= 9, "{names:?}");
    for name in names {
        let help = told(&mlirbc().args(["store", name, "--help"]).output().unwrap());
        let examples = help.split_once("Examples:\n").map(|(_, examples)| examples.to_owned());
        let examples = examples.unwrap_or_else(|| panic!("no examples of {name}: {help}"));
        assert!(examples.contains(&format!("  mlirbc store {name} ")), "{name}: {examples}");
    }
}
