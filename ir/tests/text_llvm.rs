//! Custom assembly of `llvm`. `text/llvm/` holds modules as mlir-opt 22 prints them.

use mlirbc_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc_ir::{Context, Module};

const FILES: &[(&str, &str)] = &[
    ("aggregates", include_str!("text/llvm/aggregates.mlir")),
    ("branches", include_str!("text/llvm/branches.mlir")),
    ("calls", include_str!("text/llvm/calls.mlir")),
    ("declared", include_str!("text/llvm/declared.mlir")),
    ("exceptions", include_str!("text/llvm/exceptions.mlir")),
    ("symbols", include_str!("text/llvm/symbols.mlir")),
];

fn read(context: &Context, text: &str) -> Module {
    parse_module(context, text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

fn print(module: &Module, generic: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic), &mut text).expect("a module to print");
    String::from_utf8(text).expect("text")
}

#[test]
fn what_mlir_opt_prints_comes_back() {
    let in_folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/text/llvm")).expect("the folder");
    assert_eq!(in_folder.count(), FILES.len(), "a file that no test reads");
    for (name, text) in FILES {
        let context = Context::new();
        let module = read(&context, text);
        assert_eq!(print(&module, false), *text, "{name}");
        // The same module, from another text.
        let generic = print(&module, true);
        let again = read(&context, &generic);
        assert_eq!(print(&again, false), *text, "{name}, through generic form");
        assert_eq!(print(&again, true), generic, "{name}, through generic form");
    }
}

/// Operations that the custom form would change, which stay in generic form.
const UNFIT: &[&str] = &[
    // No alignment reads back as none.
    "%0 = \"t.a\"() : () -> i32\n%1 = \"llvm.alloca\"(%0) <{alignment = 0 : i64, elem_type = i32}> : (i32) -> !llvm.ptr",
    // A convention that is none.
    "\"llvm.call\"() <{CConv = #llvm.cconv<nocc>, TailCallKind = #llvm.tailcallkind<none>, callee = @f, fastmathFlags = \
     #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()",
    // Dictionaries that say nothing.
    "\"llvm.call\"() <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @f, fastmathFlags = \
     #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0>, arg_attrs = []}> : () -> ()",
    // Tags of no bundles.
    "\"llvm.call\"() <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @f, fastmathFlags = \
     #llvm.fastmath<none>, op_bundle_sizes = array<i32>, op_bundle_tags = [], operandSegmentSizes = array<i32: 0, 0>}> : () -> ()",
    // Fewer tags than bundles.
    "%0 = \"t.a\"() : () -> i32\n\"llvm.call\"(%0, %0) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, \
     callee = @f, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32: 1, 1>, op_bundle_tags = [\"a\"], \
     operandSegmentSizes = array<i32: 0, 2>}> : (i32, i32) -> ()",
    // Neither a name nor a pointer.
    "\"llvm.call\"() <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, fastmathFlags = \
     #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()",
    // An attribute that the form has no place for.
    "%0 = \"llvm.landingpad\"() <{cleanup}> {a.b} : () -> !llvm.struct<(ptr, i32)>",
    // A value that no index stands for, and an index that no value stands for.
    "%0:2 = \"t.a\"() : () -> (!llvm.ptr, i32)\n%1 = \"llvm.getelementptr\"(%0#0, %0#1) <{elem_type = i8, noWrapFlags = 0 : \
     i32, rawConstantIndices = array<i32: 1>}> : (!llvm.ptr, i32) -> !llvm.ptr",
    "%0:2 = \"t.a\"() : () -> (!llvm.ptr, i32)\n%1 = \"llvm.getelementptr\"(%0#0) <{elem_type = i8, noWrapFlags = 0 : i32, \
     rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr) -> !llvm.ptr",
    // Other types than those at the position.
    "%0 = \"t.a\"() : () -> !llvm.struct<(i32, f32)>\n%1 = \"llvm.extractvalue\"(%0) <{position = array<i64: 1>}> : \
     (!llvm.struct<(i32, f32)>) -> i32",
    "%0 = \"t.a\"() : () -> !llvm.array<2 x f32>\n%1 = \"llvm.extractvalue\"(%0) <{position = array<i64: 2>}> : \
     (!llvm.array<2 x f32>) -> f32",
    "%0 = \"t.a\"() : () -> !llvm.array<2 x f32>\n%1 = \"llvm.extractvalue\"(%0) <{position = array<i64: -1>}> : \
     (!llvm.array<2 x f32>) -> f32",
    // Inside of itself, a struct is shown by its name alone.
    "%0 = \"t.a\"() : () -> !llvm.struct<\"a\", (struct<\"a\">)>\n%1 = \"llvm.extractvalue\"(%0) <{position = array<i64: 0>}> : \
     (!llvm.struct<\"a\", (struct<\"a\">)>) -> !llvm.struct<\"a\">",
    // A mask of another length than the result.
    "%0 = \"t.a\"() : () -> vector<4xi32>\n%1 = \"llvm.shufflevector\"(%0, %0) <{mask = array<i32: 0, 1>}> : (vector<4xi32>, \
     vector<4xi32>) -> vector<4xi32>",
    // Another result than an exchange has.
    "%0:2 = \"t.a\"() : () -> (!llvm.ptr, i32)\n%1 = \"llvm.cmpxchg\"(%0#0, %0#1, %0#1) <{failure_ordering = 2 : i64, \
     success_ordering = 2 : i64}> : (!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i8)>",
];

#[test]
fn what_the_custom_form_would_change_is_in_generic_form() {
    for text in UNFIT {
        let context = Context::new();
        let module = read(&context, text);
        let shown = print(&module, false);
        let last = shown.trim_end().lines().last().unwrap_or_default();
        assert!(last.contains("\"llvm."), "{shown}");
        assert_eq!(print(&read(&context, &shown), true), print(&module, true), "{shown}");
    }
}

/// Texts that are wrong, and a word of what is said about them.
const WRONG: &[(&str, &str)] = &[
    ("%0 = \"t.a\"() : () -> i32\nllvm.call @f(%0) : () -> ()", "operands"),
    ("llvm.call @f() : () -> (i32, i32)", "one result"),
    ("llvm.call @f::@g() : () -> ()", "name of a function"),
    ("llvm.call nocc @f() : () -> ()", "expected"),
    ("llvm.func nocc @f()", "expected"),
    ("%0 = \"t.a\"() : () -> !llvm.ptr\nllvm.call %0() : () -> ()", "expected"),
    ("llvm.call @f() [\"a\"(%0 : i32, i32)] : () -> ()", "types"),
    ("llvm.call @f() vararg(1 : i32) : () -> ()", "type"),
    ("%0:2 = \"t.a\"() : () -> (!llvm.ptr, i32)\n%1 = llvm.alloca %0#1 x i8 : (i32) -> ()", "one result"),
    (
        "%0 = \"t.a\"() : () -> !llvm.ptr\n%1 = llvm.getelementptr %0[-2147483648] : (!llvm.ptr) -> !llvm.ptr, i8",
        "32 bits",
    ),
    ("%0 = \"t.a\"() : () -> !llvm.ptr\n%1 = llvm.getelementptr %0[] : (!llvm.ptr) -> !llvm.ptr, i8", "expected"),
    ("%0 = \"t.a\"() : () -> !llvm.array<2 x i8>\n%1 = llvm.extractvalue %0[2] : !llvm.array<2 x i8>", "position"),
    ("%0 = \"t.a\"() : () -> i32\n%1 = llvm.extractvalue %0[0] : i32", "position"),
    ("llvm.func @f() vscale_range(1, 4294967296)", "32 bits"),
    ("llvm.func @f() {\n  %0 = llvm.mlir.zero : i32\n  llvm.switch %0 : i32, ^bb0 [a: ^bb0]\n}", "case"),
    ("llvm.mlir.alias @a : i32", "expected"),
];

#[test]
fn wrong_text_is_refused() {
    for (text, wanted) in WRONG {
        let error = parse_module(&Context::new(), text.as_bytes(), &ParseOptions::new());
        let error = error.err().unwrap_or_else(|| panic!("this parses:\n{text}")).to_string();
        assert!(error.contains(wanted), "{error}\nin\n{text}");
    }
}

#[test]
fn text_that_ends_early_is_an_error_and_never_a_panic() {
    for (_, text) in FILES {
        for end in (0..text.len()).step_by(37) {
            let _ = parse_module(&Context::new(), &text.as_bytes()[..end], &ParseOptions::new());
        }
    }
}

/// The way into a type has a limit, since each step names a type that is as long.
#[test]
fn a_long_way_into_an_aggregate_is_refused() {
    let depth = 5_000;
    let ty = format!("!llvm.{}i8{}", "array<1 x ".repeat(depth), ">".repeat(depth));
    let position = vec!["0"; depth].join(", ");
    let text = format!("%0 = \"t.a\"() : () -> {ty}\n%1 = llvm.extractvalue %0[{position}] : {ty}");
    assert!(parse_module(&Context::new(), text.as_bytes(), &ParseOptions::new()).is_err());
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

/// A generic text without what is the default where nobody says it: the custom form does not tell these from nothing.
fn without_defaults(text: &str) -> String {
    const DEFAULTS: &[&str] = &[
        "linkage = #llvm.linkage<external>",
        "CConv = #llvm.cconv<ccc>",
        "TailCallKind = #llvm.tailcallkind<none>",
        "tail_call_kind = #llvm.tailcallkind<none>",
        "fastmathFlags = #llvm.fastmath<none>",
        "unnamed_addr = 0 : i64",
        "visibility_ = 0 : i64",
        "addr_space = 0 : i32",
        "ordering = 0 : i64",
    ];
    let mut text = text.to_owned();
    for default in DEFAULTS {
        text = text.replace(&format!("{default}, "), "").replace(&format!(", {default}"), "").replace(default, "");
    }
    text.replace(" <{}>", "").replace(" {}", "")
}

/// `MLIRBC_CASES` texts, with some of their words put in other places: what parses comes back as it was.
#[test]
fn what_parses_prints_and_comes_back() {
    let cases = std::env::var("MLIRBC_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_000);
    let mut random = Random(7);
    let (mut good, mut generic) = (0, 0);
    for case in 0..cases {
        let (name, text) = FILES[random.below(FILES.len())];
        let text = if case % 2 == 0 { text.to_owned() } else { print(&read(&Context::new(), text), true) };
        let mut pieces = pieces(&text);
        for _ in 0..=random.below(2) {
            let at = random.below(pieces.len());
            match random.below(4) {
                0 => drop(pieces.remove(at)),
                1 => {
                    pieces[at] = ["i32", "-1", "0", "array<i32: 1>", "{}", "[]", "()", "\"a\"", "ptr"][random.below(9)]
                }
                2 => pieces[at] = pieces[random.below(pieces.len())],
                _ => pieces.insert(at, pieces[random.below(pieces.len())]),
            }
        }
        let text = pieces.concat();
        let context = Context::new();
        let Ok(module) = parse_module(&context, text.as_bytes(), &ParseOptions::new()) else { continue };
        let shown = print(&module, false);
        let again = parse_module(&context, shown.as_bytes(), &ParseOptions::new());
        let again = again.unwrap_or_else(|error| panic!("{name}: {error}\nof\n{text}"));
        let (wanted, found) = (print(&module, true), print(&again, true));
        assert_eq!(without_defaults(&found), without_defaults(&wanted), "{name}:\n{text}");
        assert_eq!(print(&again, false), shown, "{name}:\n{text}");
        good += 1;
        generic += usize::from(shown.contains("\"llvm.") && !text.contains("\"llvm."));
    }
    assert!(good > cases / 10, "{good} of {cases} parse");
    eprintln!("{good} of {cases} parse, {generic} with an operation in generic form");
}
