//! Every hook is used, or left out by name.

use std::collections::BTreeSet;
use std::path::Path;

/// All sources in a folder of the repository, one behind the other.
fn sources(folder: &str) -> String {
    let (mut all, mut folders) =
        (String::new(), vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                all.push_str(&std::fs::read_to_string(&path).expect("a source"));
            }
        }
    }
    all
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

/// The methods of a trait that begin with such parameters.
fn of_trait(source: &str, name: &str, parameters: &[&str]) -> Vec<String> {
    let block = *blocks(source, &format!("pub trait {name}")).first().unwrap_or_else(|| panic!("no trait {name}"));
    functions(block, "fn ", parameters).into_iter().map(str::to_owned).collect()
}

/// What a dialect is given: methods that take it and give it back.
fn of_dialects() -> Vec<String> {
    let ir = sources("ir/src");
    let own = blocks(&ir, "impl Dialect {").into_iter().flat_map(|block| functions(block, "pub fn ", BY_VALUE));
    let mut found: Vec<String> = own.map(str::to_owned).collect();
    for (crate_name, name) in [("text", "DialectAssembly"), ("bytecode", "DialectExt"), ("rewrite", "DialectRewrite")] {
        found.extend(of_trait(&sources(&format!("{crate_name}/src")), name, BY_VALUE));
    }
    found
}

/// What a definition is given.
fn of_definitions() -> Vec<String> {
    let ir = sources("ir/src");
    let own = blocks(&ir, "impl OpDefBuilder {").into_iter().flat_map(|block| functions(block, "pub fn ", BY_VALUE));
    own.map(str::to_owned).collect()
}

/// What is asked of a dialect's own code: the methods of the traits that the hooks take.
fn of_traits() -> Vec<String> {
    let traits = [
        ("ir", "DialectVerifier"),
        ("ir", "DialectText"),
        ("bytecode", "DialectEncoding"),
        ("rewrite", "DialectInliner"),
    ];
    let methods = |(crate_name, name)| of_trait(&sources(&format!("{crate_name}/src")), name, &["&self"]);
    traits.into_iter().flat_map(methods).collect()
}

/// What a dialect is given as a value: the types that are documented as attached with `Dialect::extension`.
fn of_extensions() -> Vec<String> {
    let (mut found, mut documentation) = (Vec::new(), String::new());
    for line in ["ir", "text", "bytecode", "rewrite"].map(|name| sources(&format!("{name}/src"))).concat().lines() {
        if let Some(text) = line.strip_prefix("/// ") {
            documentation.push_str(text);
            documentation.push(' ');
        } else if let Some(name) = line.strip_prefix("pub struct ") {
            if std::mem::take(&mut documentation).contains("with [`Dialect::extension`]") {
                found.push(name.split([' ', '(', '<', ';']).next().unwrap_or_default().to_owned());
            }
        } else if !line.starts_with("///") && !line.starts_with("#[") {
            documentation.clear();
        }
    }
    found
}

/// The interfaces that come with the IR.
fn interfaces() -> Vec<String> {
    let source = sources("ir/src/interfaces");
    let traits = source.lines().filter_map(|line| line.strip_prefix("pub trait ")?.split(':').next());
    traits.map(str::to_owned).collect()
}

#[test]
fn every_hook_is_used_or_left_out_by_name() {
    let source = sources("examples/toy/src");
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    // What stands on lines of its own in parentheses stands as if behind the first of these.
    let toy: String =
        code.map(|line| format!("{}{}", line.trim(), if line.ends_with('(') { "" } else { "\n" })).collect();
    let left_out: BTreeSet<&str> =
        source.lines().filter_map(|line| Some(line.strip_prefix("//! - `")?.split_once("`: ")?.0)).collect();

    let (dialects, definitions, traits, interfaces) = (of_dialects(), of_definitions(), of_traits(), interfaces());
    let counts = [&dialects, &definitions, &traits, &interfaces].map(Vec::len);
    assert!(counts.iter().zip([25, 25, 25, 8]).all(|(found, least)| *found >= least), "{counts:?}");
    let extensions = of_extensions();
    assert!(extensions.len() >= 2, "{extensions:?}");
    let attached =
        extensions.iter().map(|name| (name, [format!(".extension({name}("), format!(".extension({name}::")]));
    let calls = dialects.iter().chain(&definitions).map(|name| (name, [format!(".{name}("), format!(".{name}::<")]));
    let methods = traits.iter().map(|name| (name, [format!("fn {name}("), format!("fn {name}<")]));
    let traits = interfaces.iter().map(|name| (name, [format!("<dyn {name}>"), format!("<dyn {name}>")]));
    let all = calls.chain(attached).chain(methods).chain(traits);
    let unused: BTreeSet<&str> = all
        .filter(|(_, uses)| !uses.iter().any(|used| toy.contains(used.as_str())))
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(unused, left_out, "hooks without a use beside those that the crate's documentation leaves out");
}
