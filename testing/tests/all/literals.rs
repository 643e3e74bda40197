//! What is known of a dialect stands with the dialect: no string in the sources of the crates that all dialects share names one,
//! but `builtin`.

use crate::definitions::upstream;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders of sources that name no dialect, those that are there.
const ROOTS: [&str; 5] = ["ir/src", "bytecode/src", "store/src", "text/src", "rewrite/src"];

/// Types of `builtin` whose names are those of dialects, too.
const KEYWORDS: [&str; 5] = ["complex", "index", "memref", "tensor", "vector"];

/// Where text of types is read, printed and shown. Besides the parser and the printer of types these are what shows people the terms
/// of a definition, `index` among them, and what says by the first word of a text whether it is that of a builtin type.
const OF_TYPES: [&str; 4] = [
    "ir/src/ods/show.rs",
    "text/src/parse/assembly/attributes.rs",
    "ir/src/text/parse/types.rs",
    "ir/src/text/print/types.rs",
];

/// Literals that are no names of dialects: file, literal and what it is.
const OTHERS: [(&str, &str, &str); 2] = [
    ("ir/src/tablegen/constraint.rs", "llvm::", "the namespace of LLVM's own C++"),
    ("ir/src/ods/show.rs", "shape", "what a message calls the sizes of a type"),
];

/// A string literal as it stands in the source, and its line.
pub(super) struct Literal {
    line: usize,
    text: String,
}

/// What a source is made of, as far as strings are concerned.
pub(super) enum Piece {
    Literal(Literal),
    /// A word, or one character of anything else.
    Other(String),
}

/// A source without comments.
pub(super) fn pieces(source: &str) -> Vec<Piece> {
    let bytes = source.as_bytes();
    let (mut at, mut line, mut found) = (0, 1, Vec::new());
    let is_word = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let end = match byte {
            b'/' if rest.starts_with(b"//") => rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with(b"/*") => {
                let (mut depth, mut end) = (1, 2);
                while depth > 0 && end < rest.len() {
                    match &rest[end..] {
                        [b'/', b'*', ..] => (depth, end) = (depth + 1, end + 2),
                        [b'*', b'/', ..] => (depth, end) = (depth - 1, end + 2),
                        _ => end += 1,
                    }
                }
                end
            }
            b'"' => {
                let mut end = 1;
                while rest.get(end).is_some_and(|&byte| byte != b'"') {
                    end += if rest[end] == b'\\' { 2 } else { 1 };
                }
                let text = String::from_utf8_lossy(&rest[1..end]).into_owned();
                found.push(Piece::Literal(Literal { line, text }));
                end + 1
            }
            // A character, or a lifetime.
            b'\'' => match rest {
                [_, b'\\', ..] => 3 + rest[3..].iter().position(|&byte| byte == b'\'').expect("the end of a character"),
                _ => {
                    let character = source[at + 1..].chars().next().map_or(1, char::len_utf8);
                    if rest.get(1 + character) == Some(&b'\'') { 2 + character } else { 1 }
                }
            },
            _ if is_word(byte) => {
                let word = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
                let hashes = rest[word..].iter().take_while(|&&byte| byte == b'#').count();
                let is_raw = matches!(&rest[..word], b"r" | b"br" | b"cr") && rest.get(word + hashes) == Some(&b'"');
                if is_raw {
                    let close = format!("\"{}", "#".repeat(hashes));
                    let start = at + word + hashes + 1;
                    let length = source[start..].find(&close).expect("the end of a raw string");
                    found.push(Piece::Literal(Literal { line, text: source[start..start + length].to_owned() }));
                    start + length + close.len() - at
                } else {
                    found.push(Piece::Other(source[at..at + word].to_owned()));
                    word
                }
            }
            b' ' | b'\n' => 1,
            _ => {
                found.push(Piece::Other(char::from(byte).to_string()));
                1
            }
        };
        let end = (at + end).min(bytes.len());
        line += bytes[at..end].iter().filter(|&&byte| byte == b'\n').count();
        at = end;
    }
    found
}

/// The strings of a source beside tests and documentation; what `concat!` makes of several is one more.
fn literals(source: &str) -> Vec<Literal> {
    let mut pieces = pieces(source).into_iter().peekable();
    let mut found = Vec::new();
    let mut before: [String; 6] = Default::default();
    // How deep in braces we are, from where on they are a test's, and what `concat!` has joined.
    let (mut depth, mut test, mut joined) = (0i32, None, None::<(i32, Literal)>);
    let mut is_test_next = false;
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Literal(literal) => {
                let is_documentation = before[4..] == ["doc", "="];
                if test.is_none() && !is_test_next && !is_documentation {
                    if let Some((_, joined)) = &mut joined {
                        joined.text.push_str(&literal.text);
                    }
                    found.push(literal);
                }
                before.rotate_left(1);
                before[5].clear();
            }
            Piece::Other(word) => {
                before.rotate_left(1);
                before[5] = word;
                is_test_next |= before == ["#", "[", "cfg", "(", "test", ")"];
                match before[5].as_str() {
                    "(" | "[" | "{" => {
                        if before[3..] == ["concat", "!", "("] {
                            let line = match pieces.peek() {
                                Some(Piece::Literal(first)) => first.line,
                                _ => 0,
                            };
                            joined = Some((depth, Literal { line, text: String::new() }));
                        }
                        if before[5] == "{" && std::mem::take(&mut is_test_next) && test.is_none() {
                            test = Some(depth);
                        }
                        depth += 1;
                    }
                    ")" | "]" | "}" => {
                        depth -= 1;
                        if test == Some(depth) {
                            test = None;
                        }
                        if joined.as_ref().is_some_and(|joined| joined.0 == depth) {
                            found.extend(joined.take().map(|joined| joined.1));
                        }
                    }
                    // A test that is one declaration: `#[cfg(test)] mod tests;`
                    ";" if test.is_none() => is_test_next = false,
                    _ => {}
                }
            }
        }
    }
    assert_eq!(depth, 0, "brackets of a source are in pairs");
    found
}

/// Whether the text is the dialect's name, or begins with something of the dialect.
fn names(text: &str, dialect: &str) -> bool {
    let bare = text.strip_prefix(['!', '#']);
    match bare.unwrap_or(text).strip_prefix(dialect) {
        None => false,
        Some(rest) if bare.is_some() => !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_'),
        Some(rest) => rest.is_empty() || rest.starts_with('.') || rest.starts_with("::"),
    }
}

/// All sources under a folder.
pub(super) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn strings_are_found_where_they_stand() {
    let source = r##"
        // "comment" it's
        /* "a" /* "b" */ "c" */
        fn f<'a>(x: &'a str) -> char { g("one\" two", b"three", br#"fo"ur"#); '"' }
        #[doc = "five"] const N: &str = concat!("si", "x.y"); const C: [char; 2] = ['\'', '\u{1f600}'];
        #[cfg(test)] mod inline { const T: &str = "seven"; fn g() { "eight" } }
        #[cfg(test)]
        mod tests;
        const LAST: &str = r"nine";
    "##;
    let found: Vec<(usize, String)> = literals(source).into_iter().map(|found| (found.line, found.text)).collect();
    let found: Vec<(usize, &str)> = found.iter().map(|(line, text)| (*line, text.as_str())).collect();
    let expected = [(4, "one\\\" two"), (4, "three"), (4, "fo\"ur"), (5, "si"), (5, "x.y"), (5, "six.y"), (9, "nine")];
    assert_eq!(found, expected);
    let named = ["llvm", "llvm.ptr", "!llvm.ptr", "!llvm<", "#llvm", "llvm::", "!llvm"];
    assert!(named.iter().all(|text| names(text, "llvm")));
    let others = ["llvmish", "an llvm", "!llvm_x", "llvm ", "llvm:", "", ".llvm", "#ll"];
    assert!(!others.iter().any(|text| names(text, "llvm")));
}

#[test]
fn no_shared_source_names_a_dialect() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let context = crate::definitions::context();
    let mut dialects: BTreeSet<String> = upstream().dialects().map(str::to_owned).collect();
    dialects.extend(context.dialects().iter().map(|dialect| dialect.name().to_owned()));
    dialects.insert("spirv".to_owned());
    assert!(dialects.remove("builtin") && dialects.len() >= 47, "{dialects:?}");
    let mut files = Vec::new();
    for root in ROOTS.iter().map(|root| repository.join(root)).filter(|root| root.exists()) {
        sources(&root, &mut files);
    }
    files.sort();
    let (mut read, mut wrong, mut others) = (0, Vec::new(), BTreeSet::new());
    for path in &files {
        let file = path.strip_prefix(repository).expect("a file of the repository").to_str().expect("its name");
        // Tests in files of their own.
        if file.ends_with("/tests.rs") {
            continue;
        }
        read += 1;
        for literal in literals(&std::fs::read_to_string(path).expect("a source")) {
            let text = literal.text.as_str();
            let Some(dialect) = dialects.iter().find(|dialect| names(text, dialect)) else { continue };
            if KEYWORDS.contains(&text) && OF_TYPES.contains(&file) {
                continue;
            }
            if let Some(other) = OTHERS.iter().find(|other| other.0 == file && other.1 == text) {
                others.insert(other);
                continue;
            }
            wrong.push(format!("{file}:{}: {text:?} is of `{dialect}`", literal.line));
        }
    }
    assert!(read > 150, "{read} sources were read");
    assert!(wrong.is_empty(), "{} strings name dialects:\n{}", wrong.len(), wrong.join("\n"));
    // The list does not outlive what it is for.
    assert_eq!(others.len(), OTHERS.len(), "only {others:?} are there");
}
