//! Forms that are written by hand: each file of `forms` is what mlir-opt 22 prints, and comes back as it is.

use crate::ir::support;

use std::collections::BTreeMap;
use std::path::Path;

use mlirbc_text::{ParseOptions, parse_module};
use support::{print, read};

/// The files of `forms`, by name.
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms");
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of texts") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        texts.push((path.file_name().expect("a name").to_string_lossy().into_owned(), text));
    }
    texts.sort();
    assert_eq!(texts.len(), 23, "files in {}", folder.display());
    texts
}

#[test]
fn what_mlir_opt_prints_comes_back() {
    for (name, text) in texts() {
        let context = crate::definitions::context();
        let module = read(&context, &text);
        assert_eq!(print(&module, false), text, "{name}");
        // The same module, from another text.
        let generic = print(&module, true);
        let again = read(&context, &generic);
        assert_eq!(print(&again, false), text, "{name}, by way of its generic form");
        assert_eq!(print(&again, true), generic, "{name}");
    }
}

/// For each place in a text, whether some bracket or string is open there.
fn open_places(text: &str) -> Vec<bool> {
    let (mut depth, mut in_string, mut in_comment) = (0, false, false);
    let mut open = Vec::with_capacity(text.len());
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        open.push(in_string || depth > 0);
        if in_comment {
            in_comment = byte != b'\n';
        } else if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
        } else {
            match byte {
                b'"' => in_string = true,
                b'/' if text[at..].starts_with("//") => in_comment = true,
                b'{' | b'[' | b'(' => depth += 1,
                b'}' | b']' | b')' => depth -= 1,
                _ => {}
            }
        }
    }
    assert_eq!((depth, in_string), (0, false), "the text is whole");
    open
}

#[test]
fn text_that_ends_early_is_an_error_and_never_a_panic() {
    for (name, text) in texts() {
        let open = open_places(&text);
        let mut refused = 0;
        for end in (0..text.len()).step_by(37) {
            let parsed = parse_module(&crate::definitions::context(), &text.as_bytes()[..end], &ParseOptions::new());
            // Between brackets, what came before may be whole.
            if open[end] {
                assert!(parsed.is_err(), "{name} is taken without what follows byte {end}");
                refused += 1;
            }
        }
        assert!(refused > 0, "no end of {name} leaves something open");
    }
}

/// Operations of which the custom form would lose something.
const GENERIC: &[(&str, &str)] = &[
    // How many buffers are the workgroup's is not said.
    (
        "gpu.func",
        "\"gpu.func\"() <{function_type = () -> ()}> ({\n\"gpu.return\"() : () -> ()\n}) {sym_name = \"f\"} : () -> ()",
    ),
    // A dependency without a token.
    (
        "gpu.launch",
        "%0:2 = \"t.a\"() : () -> (!gpu.async.token, index)\n\"gpu.launch\"(%0#0, %0#1, %0#1, %0#1, %0#1, %0#1, %0#1) \
         <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({\n^bb0(%1: index, %2: index, %3: index, %4: \
         index, %5: index, %6: index, %7: index, %8: index, %9: index, %10: index, %11: index, %12: index):\n\
         \"gpu.terminator\"() : () -> ()\n}) {workgroup_attributions = 0 : i64} : (!gpu.async.token, index, index, index, index, \
         index, index) -> ()",
    ),
    // A terminator that gives something where nothing is taken.
    (
        "gpu.warp_execute_on_lane_0",
        "%0 = \"t.a\"() : () -> index\n\"gpu.warp_execute_on_lane_0\"(%0) <{warp_size = 32 : i64}> ({\n\"gpu.yield\"(%0) : \
         (index) -> ()\n}) : (index) -> ()",
    ),
    // A parser would take both values for one dimension.
    (
        "affine.load",
        "%0:2 = \"t.a\"() : () -> (memref<4x4xf32>, index)\n%1 = \"affine.load\"(%0#0, %0#1, %0#1) <{map = affine_map<(d0, d1) \
         -> (d0, d1)>}> : (memref<4x4xf32>, index, index) -> f32",
    ),
    // A value that no expression names.
    (
        "affine.load",
        "%0:2 = \"t.a\"() : () -> (memref<4xf32>, index)\n%1 = \"affine.load\"(%0#0, %0#1) <{map = affine_map<(d0) -> (3)>}> : \
         (memref<4xf32>, index) -> f32",
    ),
    // A stored value of another type.
    (
        "affine.store",
        "%0:3 = \"t.a\"() : () -> (memref<4xf32>, index, i32)\n\"affine.store\"(%0#2, %0#0, %0#1) <{map = affine_map<(d0) -> \
         (d0)>}> : (i32, memref<4xf32>, index) -> ()",
    ),
    // Attributes where a parser takes none.
    (
        "memref.prefetch",
        "%0 = \"t.a\"() : () -> memref<f32>\n\"memref.prefetch\"(%0) <{isDataCache = true, isWrite = false, localityHint = 3 : \
         i32}> {a.b} : (memref<f32>) -> ()",
    ),
    // An argument that is not what the value holds.
    (
        "async.execute",
        "%0 = \"t.a\"() : () -> !async.value<f32>\n%1 = \"async.execute\"(%0) <{operandSegmentSizes = array<i32: 0, 1>}> \
         ({\n^bb0(%2: i32):\n\"async.yield\"() : () -> ()\n}) : (!async.value<f32>) -> !async.token",
    ),
    // An initial value of another shape.
    (
        "tosa.variable",
        "\"tosa.variable\"() <{initial_value = dense<1> : tensor<2xi8>, sym_name = \"v\", type = i8, var_shape = dense<3> : \
         tensor<1xindex>}> : () -> ()",
    ),
    // A size for no dimension.
    (
        "tosa.variable",
        "\"tosa.variable\"() <{sym_name = \"v\", type = i8, var_shape = dense<2> : tensor<0xindex>}> : () -> ()",
    ),
];

#[test]
fn what_a_form_cannot_say_is_in_generic_form() {
    for (name, text) in GENERIC {
        let context = crate::definitions::context();
        let module = read(&context, text);
        let shown = print(&module, false);
        assert!(shown.contains(&format!("\"{name}\"(")), "{shown}");
        assert_eq!(print(&read(&context, &shown), true), print(&module, true));
    }
}

/// What is no operation of that form.
const WRONG: &[&str] = &[
    "affine.load %m[%i + ] : memref<4xf32>",
    "affine.load %m[symbol %i] : memref<4xf32>",
    "affine.load %m[%i * %j] : memref<4xf32>",
    "affine.load %m[%i] : f32",
    "affine.prefetch %m[%i], read, locality<99999999999>, data : memref<4xf32>",
    "affine.parallel (%a) = (max(%i, 3) to (4) {}",
    "affine.parallel (%a) = (0) to (4) reduce (\"none\") -> (f32) {}",
    "gpu.launch async blocks(%a, %b, %c) in (%d = %i, %e = %i, %f = %i)",
    "gpu.launch blocks(%a, %b) in (%d = %i, %e = %i, %f = %i)",
    "memref.dma_start %m[%i], %m[%i], %i, %m[%i], %i : memref<4xf32>, memref<4xf32>, memref<4xi32>",
    "tosa.variable @v : tensor<*xi8>",
    "tosa.variable @v = 3 : i32",
    "async.execute (%i as %x: index) {}",
];

#[test]
fn wrong_text_is_an_error() {
    for text in WRONG {
        let text = format!("func.func @f(%m: memref<4xf32>, %i: index, %j: index) {{\n{text}\nreturn\n}}");
        assert!(parse_module(&crate::definitions::context(), text.as_bytes(), &ParseOptions::new()).is_err(), "{text}");
    }
}

#[test]
fn only_empty_attributes_of_arguments_are_looked_past() {
    for (text, wanted) in [
        ("<{arg_attrs = [{}], function_type = 1}>", "<{function_type = 1}>"),
        ("<{arg_attrs = [{}, {}], function_type = 1}>", "<{function_type = 1}>"),
        ("<{arg_attrs = [{}, {a}], function_type = 1}>", "<{arg_attrs = [{}, {a}], function_type = 1}>"),
        ("<{linkage = #llvm.linkage<external>}> ({}) {}", "<{linkage = #llvm.linkage<external>}> ({}) {}"),
    ] {
        assert_eq!(without_empty_arguments(text), wanted);
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Where the words and the punctuation of a text begin and end.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |byte: char| byte.is_ascii_alphanumeric() || "_.%@#!^-".contains(byte);
        let end =
            if is_word(first) { rest.find(|byte| !is_word(byte)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// A generic text in which no function says of its arguments that there is nothing to say: its custom form does not tell
/// that from saying nothing. An array with anything in it stays.
fn without_empty_arguments(text: &str) -> String {
    const NAME: &str = "arg_attrs = [";
    let (mut shown, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(NAME) {
        let inside = at + NAME.len();
        let end = inside + rest[inside..].find(']').expect("the end of an array");
        let is_empty = rest[inside..end].split(", ").all(|argument| matches!(argument, "{}" | ""));
        // Others follow: the type of a function does.
        shown += if is_empty { &rest[..at] } else { &rest[..=end] };
        rest = &rest[end + 1..];
        rest = if is_empty { rest.strip_prefix(", ").unwrap_or(rest) } else { rest };
    }
    shown + rest
}

/// `MLIRBC_CASES` texts, custom and generic, with some of their words put in other places: what parses comes back as it was.
#[test]
fn what_parses_comes_back_from_its_custom_form() {
    let cases = mlirbc_testing::times("MLIRBC_CASES", 12_000);
    let texts: Vec<(String, String, String)> = texts()
        .into_iter()
        .map(|(name, text)| {
            let generic = print(&read(&crate::definitions::context(), &text), true);
            (name, text, generic)
        })
        .collect();
    let words: Vec<&str> = texts.iter().flat_map(|(_, text, _)| pieces(text)).collect();
    let mut random = Random(7);
    // By text and whether it is generic: how many parse.
    let mut good: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for case in 0..cases {
        let (name, text, generic) = &texts[random.below(texts.len())];
        let is_generic = case % 2 != 0;
        let parsed = good.entry((name, is_generic)).or_default();
        let mut pieces = pieces(if is_generic { generic } else { text });
        for _ in 0..=random.below(2) {
            let at = random.below(pieces.len());
            match random.below(5) {
                0 => drop(pieces.remove(at)),
                1 => {
                    pieces[at] = ["i32", "-1", "0", "array<i32: 1>", "{}", "[]", "()", "\"a\"", "ptr"][random.below(9)]
                }
                2 => pieces[at] = pieces[random.below(pieces.len())],
                3 => pieces[at] = words[random.below(words.len())],
                _ => pieces.insert(at, pieces[random.below(pieces.len())]),
            }
        }
        let text = pieces.concat();
        let context = crate::definitions::context();
        let Ok(module) = parse_module(&context, text.as_bytes(), &ParseOptions::new()) else { continue };
        let shown = print(&module, false);
        let again = parse_module(&context, shown.as_bytes(), &ParseOptions::new());
        let again = again.unwrap_or_else(|error| panic!("{name}: {error}\nof\n{text}"));
        let (wanted, found) = (print(&module, true), print(&again, true));
        assert_eq!(without_empty_arguments(&found), without_empty_arguments(&wanted), "{name}:\n{text}");
        assert_eq!(print(&again, false), shown, "{name}:\n{text}");
        *parsed += 1;
    }
    eprintln!("of {cases} parse {good:?}");
    let none: Vec<_> = good.iter().filter(|(_, parsed)| **parsed == 0).map(|(text, _)| *text).collect();
    assert!(cases < 12_000 || good.len() == 2 * texts.len() && none.is_empty(), "nothing parses of {none:?}");
}

/// With locations, nothing in an operation's assembly is taken for more types or a region where there are none.
#[test]
fn lists_that_are_empty_are_read_back_before_a_location() {
    for text in [
        "builtin.unrealized_conversion_cast to  loc(\"f\":1:2)",
        "memref.distinct_objects  :  loc(\"f\":1:2)",
        "transform.alternatives  loc(\"f\":1:2)",
    ] {
        let context = crate::definitions::context();
        let module = parse_module(&context, text.as_bytes(), &ParseOptions::new())
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let op = module.operations().expect("a module").next().expect("an operation");
        assert_eq!((op.operands().len(), op.results().len()), (0, 0), "{text}");
    }
}
