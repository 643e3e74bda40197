//! In which order modules are checked: what is said first is what mlir-opt 22 says, of the same line.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use mlirbc::ir::verify::{verify_module, verify_module_with};
use mlirbc::text::{ParseOptions, parse_module};
use mlirbc::{Context, Module};
use mlirbc_testing::tool;

/// What can be wrong in a function, each a line that is wrong by itself or makes one so, in generic form.
const IN_FUNCTIONS: &[&str] = &[
    // A discardable attribute.
    r#""test.a"() {spirv.entry_point_abi = 1 : i32} : () -> ()"#,
    // An attribute, the type of an operand, a rule of the definition, its own verifier.
    r#""arith.constant"() : () -> i32"#,
    r#""arith.negf"(%a) : (i32) -> i32"#,
    r#""arith.addi"(%a, %a) : (i32, i32) -> i64"#,
    r#""memref.alloc"(%i) {operandSegmentSizes = array<i32: 1, 0>} : (index) -> memref<2xi32>"#,
    r#""func.return"(%a) : (i32) -> ()"#,
    // Who holds it.
    r#""scf.yield"() : () -> ()"#,
    // What it holds.
    r#""scf.if"(%c) ({"scf.yield"(%a) : (i32) -> ()}, {"scf.yield"(%a) : (i32) -> ()}) : (i1) -> i64"#,
    r#""scf.if"(%c) ({"arith.addi"(%a, %a) : (i32, i32) -> i64}, {}) : (i1) -> ()"#,
    r#""scf.execute_region"() ({"arith.negf"(%a) : (i32) -> i32}) : () -> ()"#,
    r#""scf.if"(%c) ({^bb0: "scf.yield"() : () -> () ^bb1: "scf.yield"() : () -> ()}, {}) : (i1) -> ()"#,
    r#""scf.if"(%c) ({"test.a"() : () -> ()}, {}) : (i1) -> ()"#,
    r#""scf.execute_region"() ({^bb0: "test.a"() [^bb0] : () -> ()}) : () -> ()"#,
    // A symbol.
    r#""func.call"(%a) {callee = @missing} : (i32) -> ()"#,
    // Where a value is defined.
    r#""test.a"(%later) : (i32) -> () %later = "arith.addi"(%a, %a) : (i32, i32) -> i32"#,
    // An operation that is isolated, and one in such a one.
    r#""builtin.module"() ({"test.a"() : () -> () "arith.negf"(%b) : (i32) -> i32 %b = "test.a"() : () -> i32}) : () -> ()"#,
    r#""builtin.module"() ({"test.b"() : () -> () ^bb1: "test.b"() : () -> ()}) : () -> ()"#,
];

/// The same of what can be wrong beside functions.
const BESIDE: &[&str] = &[
    "",
    r#""memref.global"() {sym_name = 1 : i32, type = memref<2xi32>} : () -> ()"#,
    "func.func private @f0()",
    "builtin.module { func.func private @x() func.func private @x() }",
    r#""builtin.module"() ({"func.func"() ({}) {function_type = () -> ()} : () -> ()}) : () -> ()"#,
    r#"func.func @x(%a: i32) { "func.call"(%a) {callee = @x} : (i32) -> i32 return }"#,
    r#""func.func"() ({^bb0: "cf.br"() [^bb0] : () -> ()}) {sym_name = "x", function_type = () -> ()} : () -> ()"#,
    r#""func.func"() ({^bb0(%b: i32): "func.return"() : () -> ()}) {sym_name = "x", function_type = () -> ()} : () -> ()"#,
];

/// A function with one of these lines, and another one perhaps in an operation of its own.
fn function(name: &str, first: &str, second: &str) -> String {
    let lines = format!("{first}\n{second}\n");
    format!("func.func @{name}(%a: i32, %c: i1, %i: index) {{\n{lines}\nfunc.return\n}}\n")
}

fn held(line: &str) -> String {
    format!("scf.if %c {{\n{line}\n}}")
}

/// Each two of what can be wrong, in one function, one held by an operation, and in two functions; and beside all of them.
fn modules() -> Vec<String> {
    let mut modules = Vec::new();
    for (number, first) in IN_FUNCTIONS.iter().enumerate() {
        // Where `%later` is defined in the one, the other may not define it.
        for second in IN_FUNCTIONS.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, second)| second) {
            modules.push(function("f0", first, second));
            modules.push(function("f0", &held(first), second));
            modules.push(function("f0", first, &held(second)));
        }
        for beside in BESIDE {
            modules.push(format!("{}\n{beside}\n", function("f0", first, "")));
            modules.push(format!("{beside}\n{}\n", function("f0", first, "")));
        }
    }
    for first in BESIDE {
        modules.extend(BESIDE.iter().filter(|second| *second != first).map(|second| format!("{first}\n{second}\n")));
    }
    // As mlir-opt reads what has no module around it.
    modules.into_iter().map(|text| format!("builtin.module {{\n{text}}}\n")).collect()
}

/// The lines of all that is found wrong, in the order in which it is said.
fn lines(module: &Module) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let mut note = |error: mlirbc::Error| {
        let place = error.what_was_read().concat();
        let line = place.split("\"-\":").nth(1).and_then(|rest| rest.split(':').next()?.parse().ok());
        found.push((line.unwrap_or_else(|| panic!("no line: {error}")), error.to_string()));
    };
    verify_module(module, &mut note).expect("decoded");
    found
}

/// For each module the line that mlir-opt finds wrong first, and what it says.
fn of_mlir_opt(modules: &[String]) -> Vec<Option<(u32, String)>> {
    let mut child = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "--mlir-disable-threading", "--split-input-file", "-o", "/dev/null"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mlir-opt-22 runs");
    let mut pipe = child.stdin.take().expect("a pipe");
    let text = modules.join("// -----\n");
    let writer = std::thread::spawn(move || pipe.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("mlir-opt-22 ends");
    writer.join().expect("the writer ends").expect("mlir-opt-22 reads");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors: Vec<(u32, &str)> = said
        .lines()
        .filter_map(|line| {
            let (place, message) = line.split_once(": error: ")?;
            Some((place.split(':').nth(1)?.parse().ok()?, message))
        })
        .collect();
    let mut from = 0;
    let place = |module: &String| {
        let (start, end) = (from, from + module.lines().count() as u32);
        // The line between two of them.
        from = end + 1;
        let first = errors.iter().find(|(line, _)| (start + 1..=end).contains(line));
        first.map(|(line, message)| (line - start, (*message).to_owned()))
    };
    modules.iter().map(place).collect()
}

/// Whether what is said first is what mlir-opt says.
fn is_same(first: &(u32, String), ours: &[(u32, String)], (line, said): &(u32, String)) -> bool {
    if first.1.contains("is defined twice") {
        // Of a symbol table here, of the second symbol there.
        return said.contains("redefinition of symbol");
    }
    // Calls are checked together, here in the order of the text; there those of the last function come first.
    let is_call = first.1.contains("`func.call`") && said.contains("'func.call'");
    first.0 == *line || is_call && ours.iter().any(|(ours, _)| ours == line)
}

#[test]
fn what_is_said_first_is_what_mlir_opt_says() {
    let modules = modules();
    assert!(modules.len() > 1000, "{}", modules.len());
    let context = Context::new();
    let options = ParseOptions::new().file("-");
    let theirs = match tool("mlir-opt-22", "which of several errors mlir-opt finds first") {
        true => of_mlir_opt(&modules),
        false => vec![None; modules.len()],
    };
    let mut differ = String::new();
    let mut compared = 0;
    for (text, theirs) in modules.iter().zip(theirs) {
        let module =
            parse_module(&context, text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let ours = lines(&module);
        let mut on_threads = Vec::new();
        verify_module_with(&module, 3, &mut |error| on_threads.push(error.to_string())).expect("decoded");
        assert!(on_threads.iter().eq(ours.iter().map(|(_, said)| said)), "{text}");
        let Some(theirs) = theirs else { continue };
        compared += 1;
        if !ours.first().is_some_and(|first| is_same(first, &ours, &theirs)) {
            let _ = writeln!(differ, "{text}theirs {theirs:?}\nours {ours:#?}\n");
        }
    }
    assert!(differ.is_empty(), "{differ}");
    println!("{compared} of {} compared", modules.len());
}

/// Operations with two things wrong each: what is said of them here, and by mlir-opt.
const TWICE_WRONG: &[(&str, &str, &str)] = &[
    // A discardable attribute before its own verifier, and before its definition.
    (
        "func.func @f() -> i32 { \"func.return\"() {spirv.entry_point_abi = 1 : i32} : () -> () }",
        "`spirv.entry_point_abi` is no",
        "'spirv.entry_point_abi' attribute must be",
    ),
    (
        "\"func.func\"() ({}) {function_type = (i32) -> (), spirv.bogus = 1 : i32} : () -> ()",
        "no attribute `spirv.bogus`",
        "unsupported 'spirv.bogus'",
    ),
    // How many results before an attribute that does not fit.
    ("%0:2 = \"arith.constant\"() : () -> (i32, i32)", "2 results where there must be 1", "requires one result"),
    // Traits of regions before the type of an operand, and that before how a region ends.
    (
        "%0 = \"test.a\"() : () -> f32 \
         \"scf.if\"(%0) ({^bb0: \"scf.yield\"() : () -> () ^bb1: \"scf.yield\"() : () -> ()}, {}) : (f32) -> ()",
        "several blocks",
        "0 or 1 blocks",
    ),
    (
        "%0 = \"test.a\"() : () -> f32 \"scf.if\"(%0) ({\"test.a\"() : () -> ()}, {}) : (f32) -> ()",
        "operand 0 is of type `f32`",
        "operand #0 must be 1-bit",
    ),
    // An attribute before the type of a result.
    (
        "%0 = \"test.a\"() : () -> i32 %1 = \"arith.cmpi\"(%0, %0) {predicate = 77 : i64} : (i32, i32) -> i64",
        "attribute `predicate`",
        "attribute 'predicate'",
    ),
    // The type of an operand before a trait of all of them.
    (
        "%0:2 = \"test.a\"() : () -> (i32, f32) %1 = \"arith.addi\"(%0#0, %0#1) : (i32, f32) -> i64",
        "operand 1 is of type `f32`",
        "operand #1 must be",
    ),
    // A rule of the definition before the operation's own verifier.
    (
        "%0 = \"test.a\"() : () -> vector<2xi32> %1 = \"vector.extract_strided_slice\"(%0) \
         {offsets = [0], sizes = [9], strides = [1]} : (vector<2xi32>) -> vector<2xf32>",
        "rule 0 of its definition does not hold",
        "failed to verify that operand and result have same element type",
    ),
    // The blocks of a module before the names in it.
    (
        "\"builtin.module\"() ({ func.func private @x() func.func private @x() ^bb1: }) : () -> ()",
        "several blocks",
        "0 or 1 blocks",
    ),
];

#[test]
fn of_two_things_wrong_with_an_operation_the_first_is_said() {
    let modules: Vec<String> =
        TWICE_WRONG.iter().map(|(text, ..)| format!("builtin.module {{\n{text}\n}}\n")).collect();
    if tool("mlir-opt-22", "what mlir-opt says of operations with two errors") {
        for ((text, _, theirs), found) in TWICE_WRONG.iter().zip(of_mlir_opt(&modules)) {
            assert!(found.as_ref().is_some_and(|(_, said)| said.contains(theirs)), "{text}: {found:?}");
        }
    }
    let context = Context::new();
    for ((text, ours, _), module) in TWICE_WRONG.iter().zip(&modules) {
        let module = parse_module(&context, module.as_bytes(), &ParseOptions::new().file("-")).expect("text");
        let found = lines(&module);
        assert!(found.first().is_some_and(|(_, said)| said.contains(ours)), "{text}: {found:?}");
    }
}
