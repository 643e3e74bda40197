//! Files with an unknown code, and with properties that no definition explains: made of every file of the corpora.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use mlirbc_bytecode::inspect::label_bytes;
use mlirbc_bytecode::{BytecodeFile, UnknownKind, WriteOptions, decode_all, read, unknown_parts, write};
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{BodyId, Module, OperationSpec};
use mlirbc_testing::{append, corpus};
use mlirbc_text::{PrintOptions, print_module};

/// The byte of an unknown code.
const UNKNOWN_CODE: u8 = 63 << 1 | 1;

/// The dialects whose encodings are known: what codes others have is not known here.
const KNOWN: [&str; 3] = ["`builtin`", "`llvm`", "`quant`"];

/// The folders, and how many files they hold; that of newer files, which hold operations that are not defined here, last.
const FOLDERS: [(&str, usize); 4] = [("bytecode", 826), ("spirv_dialect", 187), ("codes", 5), ("mlir24", 156)];

fn text(module: &Module, generic: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic), &mut text).expect("text of what was decoded");
    String::from_utf8_lossy(&text).into_owned()
}

/// Where the parts of a file stand whose label is taken.
fn places(bytes: &[u8], take: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let module = read(&crate::definitions::context(), bytes.to_vec()).expect("a file of the corpus");
    let file = BytecodeFile::of(&module).expect("its file");
    let mut places = Vec::new();
    let mut each = |range: Range<u64>, label: &str| {
        if take(label) {
            places.push(range.start as usize..range.end as usize);
        }
        Ok(())
    };
    label_bytes(file, &mut each).expect("a file of the corpus");
    places
}

/// The names of the symbols of a module's outermost operations and of what is directly in them.
fn symbols(module: &Module) -> Vec<String> {
    let context = module.context();
    let mut symbols = Vec::new();
    for outermost in module.operations().expect("decoded") {
        for op in outermost.ops().expect("decoded") {
            let name = op.symbol_name().expect("decoded");
            symbols.extend(name.map(|name| context.text(name).into_owned()));
        }
    }
    symbols
}

/// A file of the corpus: its text, line by line, and how many operations it has.
struct Original {
    lines: HashSet<String>,
    operations: usize,
}

impl Original {
    fn new(bytes: &[u8]) -> Self {
        let module = read(&crate::definitions::context(), bytes.to_vec()).expect("a file of the corpus");
        let lines = text(&module, true).lines().map(str::to_owned).collect();
        Original { lines, operations: operations(&module) }
    }
}

fn operations(module: &Module) -> usize {
    module.operations().expect("decoded").map(|op| op.walk().expect("decoded").count()).sum()
}

/// Opens a file with something unknown in it, which `original` does not have: the rest is there, and it goes back to the
/// same bytes. Says what is not known.
fn kept(bytes: &[u8], original: &Original) -> Vec<(UnknownKind, String)> {
    let context = crate::definitions::context();
    let module = read(&context, bytes.to_vec()).expect("opened");
    decode_all(&module).unwrap_or_else(|error| panic!("not decoded: {error}"));
    let text = self::text(&module, true);
    for line in text.lines() {
        assert!(line.contains(".encoded<") || original.lines.contains(line), "{line}");
    }
    assert_eq!(operations(&module), original.operations);
    self::text(&module, false);
    verify_module(&module, &mut |_| ()).expect("decoded, and to be verified");
    assert!(write(&module, &WriteOptions::like(&module)).expect("kept") == bytes, "other bytes when written back");
    for symbol in symbols(&module) {
        // Nothing else of the file has been read.
        let alone = read(&crate::definitions::context(), bytes.to_vec()).expect("opened");
        assert!(alone.symbol(&symbol).expect("decoded").is_some(), "@{symbol} is not found");
    }
    unknown_parts(&module).expect("decoded").iter().map(|part| (part.kind, part.to_string())).collect()
}

/// An operation more, written and read again: the rest of the file, kept, is as it was.
fn edited(bytes: &[u8]) {
    let context = crate::definitions::context();
    let mut module = read(&context, bytes.to_vec()).expect("opened");
    let before = text(&module, true);
    let name = context.operation_name("new.operation", false);
    let spec = OperationSpec::new(name, context.unknown_location().into());
    append(&mut module, BodyId::from_index(Module::TOP), &spec);
    let written = write(&module, &WriteOptions::like(&module)).expect("kept");
    let again = read(&context, written.clone()).expect("opened");
    decode_all(&again).unwrap_or_else(|error| panic!("not decoded once it was edited: {error}"));
    let after = text(&again, true);
    let (operations, resources) = before.split_once("\n{-#").unwrap_or((&before, ""));
    let (others, other) = after.split_once("\n{-#").unwrap_or((&after, ""));
    let others = others.trim_end().strip_suffix("\"new.operation\"() : () -> ()").expect("the new operation");
    assert_eq!((operations.trim_end(), resources), (others.trim_end(), other));
    assert!(write(&again, &WriteOptions::like(&again)).expect("kept") == written, "other bytes when written again");
}

/// What `each` counts of every file, on as many threads as there are processors.
fn count<K: Ord + Send>(
    paths: &[PathBuf],
    each: impl Fn(&Path, Vec<u8>, &mut BTreeMap<K, usize>) + Sync,
) -> BTreeMap<K, usize> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut counts = BTreeMap::new();
    let (each, paths) = (&each, &paths);
    std::thread::scope(|scope| {
        let of_threads: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn(move || {
                    let mut counts = BTreeMap::new();
                    for path in paths.iter().skip(first).step_by(threads) {
                        each(path, std::fs::read(path).expect("a file"), &mut counts);
                    }
                    counts
                })
            })
            .collect();
        for thread in of_threads {
            for (key, more) in thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
                *counts.entry(key).or_default() += more;
            }
        }
    });
    counts
}

/// Runs `check`, and names the file where it fails.
fn of_file<T>(path: &Path, at: usize, check: impl FnOnce() -> T) -> T {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(check));
    result.unwrap_or_else(|panic| {
        eprintln!("in {} at {at:#x}", path.display());
        std::panic::resume_unwind(panic)
    })
}

/// In each file one code after the other becomes an unknown one: so many of them, spread over its tables.
const CODES_PER_FILE: usize = 6;

#[test]
fn a_file_with_an_unknown_code_opens_prints_the_rest_and_goes_back() {
    let mut files = 0;
    for (folder, length) in FOLDERS {
        let Some(paths) = corpus(folder, "files with an unknown code") else { return };
        assert_eq!(paths.len(), length, "{folder}");
        let counts = count(&paths, |path, bytes, counts| {
            let is_known = |entry: &str| KNOWN.iter().any(|dialect| entry.ends_with(dialect));
            let is_code = |label: &str| label.split_once(": encoded, code ").is_some_and(|(entry, _)| is_known(entry));
            let codes = places(&bytes, is_code);
            assert!(!codes.is_empty(), "{}: nothing is encoded", path.display());
            let original = Original::new(&bytes);
            for place in codes.iter().step_by(codes.len().div_ceil(CODES_PER_FILE)) {
                let mut changed = bytes.clone();
                changed[place.start] = UNKNOWN_CODE;
                let unknown = of_file(path, place.start, || kept(&changed, &original));
                assert!(unknown.iter().any(|part| part.1.contains("has the code 63")), "{unknown:?}");
                unknown.iter().for_each(|part| *counts.entry(format!("{:?}", part.0)).or_default() += 1);
                *counts.entry("codes".into()).or_default() += 1;
            }
            let mut changed = bytes;
            changed[codes[codes.len() / 2].start] = UNKNOWN_CODE;
            of_file(path, codes[codes.len() / 2].start, || edited(&changed));
            *counts.entry("files".into()).or_default() += 1;
        });
        assert!(counts["Attribute"] > 0 && counts["Type"] > 0 && counts["codes"] > 3 * length, "{counts:?}");
        files += counts["files"];
    }
    assert_eq!(files, 1174);
}

#[test]
fn a_file_with_properties_that_no_definition_explains_opens_prints_the_rest_and_goes_back() {
    for &(folder, length) in &FOLDERS[..3] {
        let Some(paths) = corpus(folder, "files with properties that no definition explains") else { return };
        assert_eq!(paths.len(), length, "{folder}");
        let counts = count(&paths, |path, bytes, counts| {
            let blobs = places(&bytes, |label| label.starts_with("property blob "));
            let original = Original::new(&bytes);
            for place in blobs.iter().step_by(blobs.len().div_ceil(CODES_PER_FILE).max(1)) {
                let mut changed = bytes.clone();
                // Its size is a number before it, of one byte where it is small.
                let size = if changed[place.start] & 1 == 1 { 1 } else { continue };
                // Two bytes a number, and a large one: none of an attribute that there is.
                changed[place.start + size..place.end].fill(0xfe);
                let module = read(&crate::definitions::context(), changed.clone()).expect("opened");
                if let Err(error) = decode_all(&module) {
                    // Of unregistered operations it is one attribute, in any definition.
                    assert!(error.to_string().contains("reading properties"), "{error}");
                    *counts.entry("unregistered").or_default() += 1;
                    continue;
                }
                let unknown = of_file(path, place.start, || kept(&changed, &original));
                let kind = if unknown.is_empty() { "still understood" } else { "unknown" };
                assert!(unknown.iter().all(|part| part.0 == UnknownKind::Properties), "{unknown:?}");
                *counts.entry(kind).or_default() += 1;
            }
        });
        let (unknown, understood) = (counts["unknown"], counts.get("still understood").copied().unwrap_or(0));
        assert!(unknown > 20 * understood && unknown >= length, "{folder}: {counts:?}");
    }
}
