//! Files know each other in one direction: no circle of `use` among the files of a folder, or among the rooms of a crate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::literals::{Piece, pieces, sources};

/// Files of a folder, each with the folder of its own name.
const FILES: Units = |module, is_folder| (2..=module.len()).find(|&end| !is_folder(&module[..end])).unwrap_or(0);

/// What stands directly in the sources of a crate: files and folders.
const ROOMS: Units = |module, _| module.len().min(1);

/// How much of the path of a module is the unit that it belongs to; 0 where it belongs to none. Asked whether a path is that of a
/// folder with a `mod.rs`.
type Units = fn(&[String], &dyn Fn(&[String]) -> bool) -> usize;

/// Sources of a crate, and how many units and arrows there are at least, in its rooms and in all its folders together.
const CRATES: [(&str, usize, usize); 9] = [
    ("bytecode/src", 60, 130),
    ("conversion/src", 19, 33),
    ("dialects/src", 170, 100),
    ("ir/src", 150, 280),
    ("rewrite/src", 50, 65),
    ("spirv/src", 70, 95),
    ("src", 20, 12),
    ("store/src", 22, 90),
    ("text/src", 36, 60),
];

/// Circles that are left: sources of a crate, the folder in them ("" for rooms), its units, and why they know each other.
const CIRCLES: &[(&str, &str, &[&str], &str)] = &[
    (
        "bytecode/src",
        "encoding",
        &["encoding/reader", "encoding/waiting"],
        "a reader holds the entries that wait, and these name a table as the reader does",
    ),
    (
        "dialects/src",
        "",
        &["common", "ub"],
        "a constant that `arith.constant` cannot hold may be poison, and `ub` uses what is common",
    ),
    ("dialects/src", "", &["scf", "tensor"], "loops carry tensors through casts, and `tensor.dim` looks through loops"),
    (
        "dialects/src",
        "llvm",
        &["llvm/facts", "llvm/types"],
        "a type is checked by facts about its parts, which are types",
    ),
    (
        "ir/src",
        "ods",
        &["ods/constraint", "ods/definition", "ods/history", "ods/lazy"],
        "a definition is made of constraints, changes and parts that are read late, and each of these holds parts of definitions",
    ),
    (
        "ir/src",
        "ods",
        &["ods/table/index", "ods/table/wire"],
        "the lists of a table are read with the cursor, which knows the table's strings",
    ),
    (
        "rewrite/src",
        "",
        &["dialect", "fold", "greedy", "inlining", "known", "regions"],
        "what a dialect brings names the folds and the inliner that ask for it, and drivers and regions keep what they found there",
    ),
    (
        "rewrite/src",
        "",
        &["pipeline", "registry"],
        "a pipeline is parsed with the passes that are registered, and these parse their options",
    ),
    (
        "rewrite/src",
        "conversion",
        &["conversion/log", "conversion/state"],
        "the state keeps a list of changes, and what undoes them changes the state",
    ),
    (
        "spirv/src",
        "",
        &["binary", "grammar"],
        "names of operations in the grammar begin with the name of the binary's dialect",
    ),
    (
        "text/src",
        "",
        &["directive", "format", "hooks", "parse", "print"],
        "printing and parsing an operation asks for what its dialect brings, whose signatures name the printer and the parser",
    ),
    (
        "text/src",
        "parse",
        &["parse/former", "parse/lines", "parse/module", "parse/operation", "parse/texts"],
        "an operation is parsed with the parser of its module, which goes from one operation to the next",
    ),
];

/// A path of a source, and whether it is made public there under its last name.
struct Named {
    path: Vec<String>,
    alias: String,
    public: bool,
}

/// The words and characters of a source that are no test's.
fn words(source: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for piece in pieces(source) {
        if let Piece::Other(word) = piece {
            words.push(word);
        }
    }
    // Tests stand at the end of a file.
    let test = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let end = words.windows(test.len()).position(|window| window == test).unwrap_or(words.len());
    words.truncate(end);
    words
}

/// The paths of one `use` from `at` on, up to its end.
fn tree(words: &[String], at: &mut usize, prefix: &[String], public: bool, found: &mut Vec<Named>) {
    let mut path = prefix.to_vec();
    let mut alias = None;
    while let Some(word) = words.get(*at) {
        match word.as_str() {
            ":" => *at += 1,
            "{" => {
                *at += 1;
                while words.get(*at).is_some_and(|word| word != "}") {
                    tree(words, at, &path, public, found);
                    if words.get(*at).is_some_and(|word| word == ",") {
                        *at += 1;
                    }
                }
                *at += 1;
                return;
            }
            "," | "}" | ";" => break,
            "as" => {
                alias = words.get(*at + 1).cloned();
                *at += 2;
            }
            // `{self}` is the path itself.
            "self" if !path.is_empty() => *at += 1,
            _ => {
                path.push(word.clone());
                *at += 1;
            }
        }
    }
    let alias = alias.or_else(|| path.last().cloned()).unwrap_or_default();
    found.push(Named { path, alias, public });
}

/// What a source names by a path.
fn named(source: &str) -> Vec<Named> {
    let (words, mut found, mut at) = (words(source), Vec::new(), 0);
    while let Some(word) = words.get(at) {
        let before = |back: usize| at.checked_sub(back).and_then(|at| words.get(at)).map_or("", String::as_str);
        match word.as_str() {
            // Not what an `impl` captures: `use<'a>`.
            "use" if words.get(at + 1).is_some_and(|next| next != "<") => {
                // `pub`, or `pub(in path)`.
                let open = words[..at].iter().rposition(|word| word == "(").filter(|_| before(1) == ")");
                let public = words[..open.unwrap_or(at)].last().is_some_and(|word| word == "pub");
                at += 1;
                tree(&words, &mut at, &[], public, &mut found);
            }
            "crate" | "super" | "self" if words.get(at + 1).is_some_and(|word| word == ":") => {
                let mut path = vec![word.clone()];
                while words.get(at + 1).is_some_and(|word| word == ":")
                    && words.get(at + 2).is_some_and(|word| word == ":")
                {
                    path.extend(words.get(at + 3).filter(|word| word.as_str() != "<").cloned());
                    at += 3;
                }
                found.push(Named { path, alias: String::new(), public: false });
                at += 1;
            }
            _ => at += 1,
        }
    }
    found
}

/// The modules of a crate by their paths.
struct Modules {
    /// What each names, by absolute paths.
    names: BTreeMap<Vec<String>, Vec<Named>>,
    folders: BTreeSet<Vec<String>>,
}

impl Modules {
    fn read(root: &Path) -> Self {
        let mut files = Vec::new();
        sources(root, &mut files);
        let mut modules = Modules { names: BTreeMap::new(), folders: BTreeSet::new() };
        for file in files {
            let relative = file.strip_prefix(root).expect("a file under it").with_extension("");
            let mut module: Vec<String> =
                relative.iter().map(|part| part.to_str().expect("a name").to_owned()).collect();
            if module.last().is_some_and(|last| last == "tests") {
                continue;
            }
            if module.last().is_some_and(|last| last == "mod" || last == "lib") {
                module.pop();
                modules.folders.insert(module.clone());
            }
            modules.names.insert(module, named(&std::fs::read_to_string(&file).expect("a source")));
        }
        let known: BTreeSet<Vec<String>> = modules.names.keys().cloned().collect();
        for (module, names) in &mut modules.names {
            for name in names {
                let (mut base, mut rest) = (module.clone(), name.path.as_slice());
                match rest.first().map(String::as_str) {
                    Some("crate") => (base, rest) = (Vec::new(), &rest[1..]),
                    Some("self") => rest = &rest[1..],
                    Some("super") => {}
                    // A module of its own, or another crate.
                    Some(first) if known.contains(&[module.as_slice(), &[first.to_owned()]].concat()) => {}
                    _ => {
                        name.path.clear();
                        continue;
                    }
                }
                while rest.first().is_some_and(|first| first == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
                name.path = [base.as_slice(), rest].concat();
                // So that nothing at the root of the crate is taken for another crate.
                name.path.insert(0, "crate".to_owned());
            }
        }
        modules
    }

    /// The module that a path leads to, through what modules make public of each other.
    fn resolve(&self, path: &[String], steps: usize) -> Option<Vec<String>> {
        let path = path.get(1..)?;
        let end = (0..=path.len()).rev().find(|&end| self.names.contains_key(&path[..end]))?;
        let (module, rest) = path.split_at(end);
        let reexport = rest.first().and_then(|first| {
            let mut names = self.names[module].iter().filter(|name| name.public && !name.path.is_empty());
            names.find(|name| name.alias == *first)
        });
        match reexport {
            Some(name) if steps > 0 => {
                self.resolve(&[name.path.as_slice(), rest.get(1..).unwrap_or_default()].concat(), steps - 1)
            }
            _ => Some(module.to_vec()),
        }
    }

    /// Which units under a folder use which others.
    fn arrows(&self, folder: &str, units: Units) -> BTreeMap<String, BTreeSet<String>> {
        let is_folder = |module: &[String]| self.folders.contains(module);
        let unit = |module: &[String]| {
            let is_inside = folder.is_empty() || module.first().is_some_and(|first| first == folder);
            let end = if is_inside { units(module, &is_folder) } else { 0 };
            (end > 0).then(|| module[..end].join("/"))
        };
        let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (module, names) in &self.names {
            let Some(from) = unit(module) else { continue };
            let to = arrows.entry(from.clone()).or_default();
            for name in names.iter().filter(|name| !(name.path.is_empty() || name.public && is_folder(module))) {
                to.extend(self.resolve(&name.path, 8).and_then(|module| unit(&module)).filter(|unit| *unit != from));
            }
        }
        arrows
    }
}

/// Groups of units each of which leads to each other.
fn circles(arrows: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<Vec<String>> {
    let reached = |from: &String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(unit) = open.pop() {
            open.extend(arrows[unit].iter().filter(|next| seen.insert((*next).clone())));
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<String>> = arrows.keys().map(|unit| (unit, reached(unit))).collect();
    let circle = |unit: &String| -> Vec<String> {
        reached[unit].iter().filter(|other| reached[other].contains(unit)).cloned().collect()
    };
    arrows.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

#[test]
fn paths_are_found_where_they_are_used() {
    let source = r#"
        //! use crate::comment;
        use super::{a::{self, B}, c as d};
        pub(crate) use self::e::F;
        pub(in crate::g) use h::*;
        fn f() { crate::i::j::<u8>(); super::k!(); "use crate::string;"; }
        #[cfg(test)]
        mod tests { use crate::test; }
    "#;
    let found: Vec<(String, bool)> = named(source).iter().map(|name| (name.path.join("/"), name.public)).collect();
    let found: Vec<(&str, bool)> = found.iter().map(|(path, public)| (path.as_str(), *public)).collect();
    let expected = [
        ("super/a", false),
        ("super/a/B", false),
        ("super/c", false),
        ("self/e/F", true),
        ("crate/g", false),
        ("h/*", true),
        ("crate/i/j", false),
        ("super/k", false),
    ];
    assert_eq!(found, expected);
    let arrows = |pairs: &[(&str, &str)]| {
        let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in pairs {
            arrows.entry((*from).into()).or_default().insert((*to).into());
            arrows.entry((*to).into()).or_default();
        }
        circles(&arrows)
    };
    assert!(arrows(&[("a", "b"), ("b", "c"), ("a", "c")]).is_empty());
    let circle: Vec<String> = ["b", "c", "d"].map(str::to_owned).to_vec();
    assert_eq!(arrows(&[("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")]), BTreeSet::from([circle]));
}

/// The folders directly in the sources of a crate, and "" for its rooms.
fn groups(root: &Path) -> BTreeSet<String> {
    let mut groups = BTreeSet::from([String::new()]);
    for entry in std::fs::read_dir(root).expect("the sources of a crate") {
        let entry = entry.expect("an entry");
        if entry.path().is_dir() {
            groups.insert(entry.file_name().to_str().expect("a name").to_owned());
        }
    }
    groups
}

#[test]
fn files_know_each_other_in_one_direction() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let mut found = BTreeSet::new();
    for (root, least_units, least_arrows) in CRATES {
        let path = repository.join(root);
        let modules = Modules::read(&path);
        let (mut units, mut count) = (0, 0);
        for folder in groups(&path) {
            let arrows = modules.arrows(&folder, if folder.is_empty() { ROOMS } else { FILES });
            units += arrows.len();
            count += arrows.values().map(BTreeSet::len).sum::<usize>();
            for circle in circles(&arrows) {
                found.insert(format!("{root}/{folder}: {}", circle.join(", ")));
            }
        }
        assert!(units >= least_units && count >= least_arrows, "{units} units and {count} arrows in {root}");
    }
    let known: BTreeSet<String> =
        CIRCLES.iter().map(|(root, folder, units, _)| format!("{root}/{folder}: {}", units.join(", "))).collect();
    assert!(CIRCLES.iter().all(|circle| !circle.3.is_empty()));
    let others: Vec<&String> = found.difference(&known).collect();
    let gone: Vec<&String> = known.difference(&found).collect();
    assert!(
        others.is_empty() && gone.is_empty(),
        "circles without a reason: {others:#?}\nreasons without a circle: {gone:#?}"
    );
}
