//! Types and attributes are values: nothing takes one apart by its text, or makes one by parsing a text that it put together.
//!
//! Outside of `ir/src/text`, which is the text of values, every call of what prints, parses or splits text stands here with its
//! reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::literals::{Piece, pieces, sources};

/// Folders of sources, those that are there.
const ROOTS: [&str; 9] = [
    "ir/src",
    "dialects/src",
    "bytecode/src",
    "spirv/src",
    "store/src",
    "text/src",
    "rewrite/src",
    "conversion/src",
    "src",
];

/// Where the text of values is printed and parsed.
const OF_VALUES: &str = "ir/src/text";

/// Functions that make text of a value or a value of text, or split the text of one. Methods of that name are those of parsers
/// and printers, which work on the text at hand.
const FUNCTIONS: [&str; 6] =
    ["parse_attribute", "parse_type", "print_attribute", "print_type", "split_symbol", "split_text"];

/// Types whose `new` begins to parse or to print.
const BEGUN: [&str; 2] = ["Parser", "Printer"];

/// File, function, how many calls, and why it may.
///
/// `@` stands for the folder of upstream's dialects.
const CALLS: &[(&str, &str, usize, &str)] = &[
    ("bytecode/src/read/decode.rs", "Parser", 1, "what has no encoding stands in bytecode as text"),
    ("bytecode/src/write/known.rs", "Printer", 1, "what has no encoding stands in bytecode as text"),
    ("ir/src/compare/show.rs", "Printer", 1, "shows people what differs, up to a length"),
    (
        "ir/src/verify/default.rs",
        "parse_attribute",
        2,
        "a default that a definition writes as a case of an enum or as a list",
    ),
    ("ir/src/verify/default.rs", "print_type", 1, "a default that a definition writes as a list"),
    ("ir/src/verify/term.rs", "split_text", 1, "a case of an enum, of a dialect whose attributes are kept as text"),
    ("@/gpu/outlining.rs", "parse_attribute", 1, "an option of a pass is an attribute that people write"),
    (
        "@/common/cases.rs",
        "split_symbol",
        1,
        "a case of another release, which is kept as text, has its word in common assembly",
    ),
    ("spirv/src/dialect/attributes.rs", "Parser", 1, "the float that its text without type reads back as"),
    ("spirv/src/dialect/attributes.rs", "Printer", 1, "the float that its text without type reads back as"),
    (
        "text/src/format/written.rs",
        "split_symbol",
        1,
        "whether an attribute that is kept as text reads back without its prefix",
    ),
    (
        "text/src/parse/assembly/attributes.rs",
        "parse_attribute",
        3,
        "a bare case of an enum, an attribute without parameters and a list in brackets have no prefix or type at hand",
    ),
    ("text/src/parse/assembly/attributes.rs", "print_type", 1, "the type that a list in brackets leaves out"),
    ("text/src/parse/module.rs", "Parser", 1, "begins to parse a module"),
    ("text/src/parse/values.rs", "print_type", 1, "a message shows the type that a use expects"),
    (
        "text/src/print/assembly/aliases.rs",
        "split_symbol",
        1,
        "the dialect of an attribute that is kept as text names its alias",
    ),
    (
        "text/src/print/assembly/format.rs",
        "split_symbol",
        4,
        "the mnemonic of an attribute that is kept as text, whether it is the default, and a type's prefix to leave out",
    ),
    ("text/src/print/assembly/mod.rs", "Printer", 2, "begins to print a module: once for its aliases, once for good"),
    ("text/src/print/operation.rs", "Printer", 1, "begins to print a module in generic form"),
    ("spirv/src/target/platform.rs", "parse_attribute", 1, "a target on a command line"),
];

/// Where upstream's dialects stand.
const DIALECTS: [&str; 1] = ["dialects/src"];

/// The words and characters of a source, without tests.
fn code(source: &str) -> Vec<String> {
    let (mut code, mut test, mut depth) = (Vec::<String>::new(), None, 0usize);
    // Whether what is next belongs to a test.
    let mut is_next = false;
    for piece in pieces(source) {
        let Piece::Other(word) = piece else { continue };
        let opens = word == "{";
        depth += usize::from(opens);
        if opens && is_next && test.is_none() {
            (test, is_next) = (Some(depth), false);
        }
        if word == "}" {
            if test == Some(depth) {
                test = None;
            }
            depth -= 1;
        }
        is_next &= word != ";";
        if test.is_none() {
            code.push(word);
            is_next |= code.ends_with(&["#", "[", "cfg", "(", "test", ")"].map(str::to_owned));
        }
    }
    code
}

/// How often each is called.
fn calls(source: &str) -> BTreeMap<&'static str, usize> {
    let code = code(source);
    let mut found = BTreeMap::new();
    for at in 0..code.len() {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| code[at].as_str());
        let behind = |ahead: usize| code.get(at + ahead).map_or("", String::as_str);
        let is_use = before(1) != "." && before(1) != "fn" && behind(1) == "(";
        // One of the file's own of that name is none of these.
        let is_own = |name: &str| before(1) != ":" && code.windows(2).any(|pair| pair[0] == "fn" && pair[1] == name);
        if let Some(function) = FUNCTIONS.into_iter().find(|function| *function == code[at] && is_use) {
            // A path that names no text: `attributes::print_attribute`.
            let is_path = before(1) == ":" && before(3) != "text";
            *found.entry(function).or_insert(0) += usize::from(!is_path && !is_own(function));
        }
        if let Some(begun) = BEGUN.into_iter().find(|begun| *begun == code[at])
            && [behind(1), behind(2), behind(3), behind(4)] == [":", ":", "new", "("]
        {
            *found.entry(begun).or_insert(0) += 1;
        }
    }
    found.retain(|_, count| *count > 0);
    found
}

#[test]
fn calls_are_found() {
    let source = r##"
        // print_type(a)
        fn f(a: A) { text::print_type(a); other::print_type(a); parser.parse_type(a)?; print_type(b); split_symbol(a) }
        fn split_symbol() {}
        #[cfg(test)] mod tests { fn f() { print_type(a) } }
        #[cfg(test)] mod others;
        fn g() { let p = Printer::new(x); "print_type(a)"; map(crate::text::parse_attribute(a)) }
    "##;
    assert_eq!(calls(source), BTreeMap::from([("print_type", 2), ("Printer", 1), ("parse_attribute", 1)]));
}

#[test]
fn no_value_is_taken_apart_as_text() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let mut files: Vec<PathBuf> = Vec::new();
    for root in ROOTS.iter().map(|root| repository.join(root)).filter(|root| root.exists()) {
        sources(&root, &mut files);
    }
    files.sort();
    let mut found = Vec::new();
    let mut read = 0;
    for path in files.iter().filter(|path| !path.starts_with(repository.join(OF_VALUES))) {
        let file = path.strip_prefix(repository).expect("a file of the repository").to_str().expect("its name");
        if file.ends_with("/tests.rs") {
            continue;
        }
        read += 1;
        let dialects = DIALECTS.iter().find_map(|folder| file.strip_prefix(folder));
        let file = dialects.map_or_else(|| file.to_owned(), |rest| format!("@{rest}"));
        let calls = calls(&std::fs::read_to_string(path).expect("a source"));
        found.extend(calls.into_iter().map(|(function, count)| format!("{file}: {function}, {count}")));
    }
    assert!(read > 300, "{read} sources were read");
    let mut known: Vec<String> =
        CALLS.iter().map(|(file, function, count, _)| format!("{file}: {function}, {count}")).collect();
    known.sort();
    found.sort();
    assert!(CALLS.iter().all(|call| !call.3.is_empty()));
    let others: Vec<&String> = found.iter().filter(|call| !known.contains(call)).collect();
    let gone: Vec<&String> = known.iter().filter(|call| !found.contains(call)).collect();
    assert!(
        others.is_empty() && gone.is_empty(),
        "calls without a reason: {others:#?}\nreasons without a call: {gone:#?}"
    );
}
