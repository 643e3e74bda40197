//! Every hook is used, or left out by name.

use std::collections::BTreeSet;
use std::path::Path;

/// What stands in a file of the repository.
fn source(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The part of a source from a line that begins so to the line that is a closing brace alone.
fn blocks<'s>(source: &'s str, opening: &str) -> Vec<&'s str> {
    let starts = source.match_indices(opening).filter(|(at, _)| *at == 0 || source.as_bytes()[at - 1] == b'\n');
    starts.map(|(at, _)| source[at..].split("\n}").next().unwrap_or_default()).collect()
}

/// The names of the functions that a part of a source declares, at its top level, whose parameters begin so.
fn functions<'s>(block: &'s str, keyword: &str, parameters: &[&str]) -> Vec<&'s str> {
    let declared = block.lines().filter_map(|line| line.strip_prefix("    ")?.strip_prefix(keyword));
    let named = declared.filter_map(|declared| declared.split_once(['(', '<']));
    let taken = named.filter(|(name, _)| {
        let head = block.split_once(&format!("{keyword}{name}")).and_then(|(_, rest)| rest.split_once('('));
        let head = head.map(|(_, rest)| rest.trim_start());
        head.is_some_and(|head| parameters.iter().any(|wanted| head.starts_with(wanted)))
    });
    taken.map(|(name, _)| name).collect()
}

const BY_VALUE: &[&str] = &["self,", "mut self,", "self)", "mut self)"];

/// What a dialect is given: methods that take it and give it back.
fn of_dialects() -> Vec<String> {
    let mut found = Vec::new();
    for path in [
        "ir/src/dialect.rs",
        "ir/src/interfaces/mod.rs",
        "ir/src/verify/hooks.rs",
        "ir/src/fields/dialect.rs",
        "ir/src/text/dialect.rs",
    ] {
        let source = source(path);
        let own: Vec<_> =
            blocks(&source, "impl Dialect {").iter().flat_map(|block| functions(block, "pub fn ", BY_VALUE)).collect();
        assert!(!own.is_empty(), "{path}");
        found.extend(own.into_iter().map(str::to_owned));
    }
    for (path, name) in [
        ("text/src/hooks.rs", "DialectAssembly"),
        ("bytecode/src/encoding/mod.rs", "DialectExt"),
        ("rewrite/src/dialect.rs", "DialectRewrite"),
    ] {
        let source = source(path);
        let block = blocks(&source, &format!("pub trait {name}"));
        let own = functions(block[0], "fn ", BY_VALUE);
        assert!(!own.is_empty(), "{path}");
        found.extend(own.into_iter().map(str::to_owned));
    }
    found
}

/// What a definition is given.
fn of_definitions() -> Vec<String> {
    let source = source("ir/src/ods/builder.rs");
    let block = blocks(&source, "impl OpDefBuilder {");
    functions(block[0], "pub fn ", BY_VALUE).into_iter().map(str::to_owned).collect()
}

/// What is asked of a dialect's own code: the methods of the traits that the hooks take.
fn of_traits() -> Vec<String> {
    let mut found = Vec::new();
    for (path, name) in [
        ("ir/src/verify/hooks.rs", "DialectVerifier"),
        ("ir/src/text/dialect.rs", "DialectText"),
        ("bytecode/src/encoding/mod.rs", "DialectEncoding"),
        ("rewrite/src/inlining.rs", "DialectInliner"),
    ] {
        let source = source(path);
        let block = blocks(&source, &format!("pub trait {name}"));
        let own = functions(block[0], "fn ", &["&self"]);
        assert!(own.len() >= 4, "{path}: {own:?}");
        found.extend(own.into_iter().map(str::to_owned));
    }
    found
}

/// The interfaces that come with the IR.
fn interfaces() -> Vec<String> {
    let mut found = Vec::new();
    for file in ["branch", "calls", "constants", "effects", "region_branch", "regions"] {
        let source = source(&format!("ir/src/interfaces/{file}.rs"));
        let traits = source.lines().filter_map(|line| line.strip_prefix("pub trait ")?.split(':').next());
        found.extend(traits.map(str::to_owned));
    }
    found
}

#[test]
fn every_hook_is_used_or_left_out_by_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut toy = String::new();
    for entry in std::fs::read_dir(folder).expect("sources") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a source");
        toy.extend(text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")));
    }
    let head = source("examples/toy/src/lib.rs");
    let left_out: BTreeSet<&str> =
        head.lines().filter_map(|line| Some(line.strip_prefix("//! - `")?.split_once("`: ")?.0)).collect();

    let (dialects, definitions, traits, interfaces) = (of_dialects(), of_definitions(), of_traits(), interfaces());
    let counts = [&dialects, &definitions, &traits, &interfaces].map(Vec::len);
    assert!(counts.iter().zip([25, 25, 25, 8]).all(|(found, least)| *found >= least), "{counts:?}");
    let calls = dialects.iter().chain(&definitions).map(|name| (name, [format!(".{name}("), format!(".{name}::<")]));
    let methods = traits.iter().map(|name| (name, [format!("fn {name}("), format!("fn {name}<")]));
    let traits = interfaces.iter().map(|name| (name, [format!("<dyn {name}>"), format!("<dyn {name}>")]));
    let all = calls.chain(methods).chain(traits);
    let unused: BTreeSet<&str> = all
        .filter(|(_, uses)| !uses.iter().any(|used| toy.contains(used.as_str())))
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(unused, left_out, "hooks without a use beside those that the crate's documentation leaves out");
}
