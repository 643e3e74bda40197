//! Operations next to others that differ from them in one thing: what is known of one is not taken for the other, neither where text is
//! parsed nor where it is printed.

use crate::ir::support::{print, read};
use mlirbc_ir::Context;
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

const VALUES: &str = "%0:8 = \"t.values\"() : () -> (i32, i32, i64, i64, index, index, i1, memref<4x4xi32>)\n";

/// The text of operations without results, or of those behind the name of their first one.
const OPERATIONS: &[&str] = &[
    "= arith.addi %0#0, %0#1 : i32",
    "= arith.addi %0#1, %0#0 : i32",
    "= arith.addi %0#0, %0#0 : i32",
    "= arith.addi %0#2, %0#3 : i64",
    "= arith.addi %0#0, %0#1 overflow<nsw> : i32",
    "= arith.addi %0#0, %0#1 {a.b = 1 : i32} : i32",
    "= \"arith.addi\"(%0#0, %0#2) <{overflowFlags = #arith.overflow<none>}> : (i32, i64) -> i32",
    "= \"arith.addi\"(%0#0, %0#1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i64",
    "= \"arith.addi\"(%0#0, %0#1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32",
    "= arith.subi %0#0, %0#1 : i32",
    "= arith.constant 1 : i32",
    "= arith.constant 1 : i64",
    "= arith.constant {a.b} 1 : i32",
    "= memref.load %0#7[%0#4, %0#5] : memref<4x4xi32>",
    "= memref.load %0#7[%0#4, %0#4] : memref<4x4xi32>",
    "= memref.load %0#7[%0#5, %0#4] : memref<4x4xi32>",
    "memref.store %0#0, %0#7[%0#4, %0#5] : memref<4x4xi32>",
    "= affine.load %0#7[%0#4 + 1, %0#5] : memref<4x4xi32>",
    "= affine.load %0#7[%0#4 + 1, %0#4] : memref<4x4xi32>",
    "= affine.load %0#7[%0#4 + 2, %0#5] : memref<4x4xi32>",
    "= affine.load %0#7[symbol(%0#4) + 1, %0#5] : memref<4x4xi32>",
    "\"t.x\"() : () -> ()",
    "\"t.x\"() {a = 1 : i32} : () -> ()",
    "\"t.x\"() <{a = 1 : i32}> : () -> ()",
    "\"t.x\"() {a = \"%0\"} : () -> ()",
    "\"t.x\"() {a = \"%1\"} : () -> ()",
    "\"t.x\"() ({\n}) : () -> ()",
    "\"t.x\"() ({\n}, {\n}) : () -> ()",
    "\"t.x\"() ({\n^bb0(%arg0: i32):\n}) : () -> ()",
    "\"t.x\"() ({\n^bb0(%arg0: i64):\n}) : () -> ()",
    "= \"t.x\"() : () -> i32",
    ":2 = \"t.x\"() : () -> (i32, i32)",
    ":3 = \"t.x\"() : () -> (i32, i32, i32)",
    "\"t.x\"(%0#0, %0#1) : (i32, i32) -> ()",
    "\"t.x\"(%0#0, %0#2) : (i32, i64) -> ()",
    "\"t.x\"(%0#0, %0#1, %0#0) : (i32, i32, i32) -> ()",
    "\"t.x\"(%0#0, %0#1, %0#1) : (i32, i32, i32) -> ()",
    "func.call @f(%0#0) : (i32) -> ()",
    "func.call @g(%0#0) : (i32) -> ()",
    "= func.call @f(%0#0) : (i32) -> i32",
    "scf.if %0#6 {\n}",
    "scf.if %0#6 {\n} else {\n}",
    "scf.if %0#6 {\n} else {\n\"t.x\"() : () -> ()\n}",
    "scf.if %0#6 {\n} {a}",
    "scf.if %0#6 {\nscf.yield {a}\n}",
    "\"scf.if\"(%0#6) ({\n\"t.x\"() : () -> ()\n}, {\n}) : (i1) -> ()",
    "\"scf.if\"(%0#6) ({\n}, {\n}) : (i1) -> ()",
    "= scf.if %0#6 -> (i32) {\nscf.yield %0#0 : i32\n} else {\nscf.yield %0#1 : i32\n}",
    "scf.for %arg0 = %0#4 to %0#5 step %0#4 {\n}",
    "scf.for %arg0 = %0#4 to %0#5 step %0#5 {\n}",
    "scf.for %arg0 = %0#0 to %0#1 step %0#0 : i32 {\n}",
    "scf.for %arg0 = %0#4 to %0#5 step %0#4 {\n\"t.x\"(%arg0) : (index) -> ()\n}",
    "= scf.for %arg0 = %0#4 to %0#5 step %0#4 iter_args(%arg1 = %0#0) -> (i32) {\nscf.yield %arg1 : i32\n}",
    "= scf.for %arg0 = %0#4 to %0#5 step %0#4 iter_args(%arg1 = %0#1) -> (i32) {\nscf.yield %arg1 : i32\n}",
    "affine.for %arg0 = 0 to 4 {\n}",
    "affine.for %arg0 = 0 to 8 {\n}",
    "affine.for %arg0 = 0 to %0#4 {\n}",
    "scf.execute_region {\nscf.yield\n}",
    "scf.execute_region {\ncf.br ^bb1\n^bb1:\nscf.yield\n}",
];

/// What an operation alone is in generic form, with `%1` for its first result.
fn generic(context: &Context, operation: &str) -> String {
    let result = if operation.starts_with(['=', ':']) { "%r" } else { "" };
    let shown = print(&read(context, &format!("{VALUES}{result}{operation}\n")), true);
    shown.trim_end().strip_prefix(VALUES).expect("the values first").to_owned()
}

#[test]
fn each_of_two_operations_is_itself() {
    let context = crate::definitions::context();
    let alone: Vec<_> = OPERATIONS.iter().map(|operation| (*operation, generic(&context, operation))).collect();
    for first in &alone {
        for second in &alone {
            let (mut text, mut wanted) = (VALUES.to_owned(), VALUES.to_owned());
            for (number, (operation, generic)) in [first, second, first, second, second, first].into_iter().enumerate()
            {
                let result = if operation.starts_with(['=', ':']) { format!("%r{number}") } else { String::new() };
                text += &format!("{result}{operation}\n");
                // Those with results are numbered, those without are not.
                let results = wanted.lines().filter(|line| line.starts_with('%')).count();
                match generic.strip_prefix("%1") {
                    Some(rest) => wanted += &format!("%{results}{rest}\n"),
                    None => wanted += &format!("{generic}\n"),
                }
            }
            let module = read(&context, &text);
            assert_eq!(print(&module, true).trim_end(), wanted.trim_end(), "from\n{text}");
            let custom = print(&module, false);
            assert_eq!(print(&read(&context, &custom), true).trim_end(), wanted.trim_end(), "by way of\n{custom}");
        }
    }
}

/// Several ways on, to blocks with arguments.
const WAYS: &[&str] = &[
    "cf.cond_br %0#6, ^bb1, ^bb2",
    "cf.cond_br %0#6, ^bb2, ^bb1",
    "cf.cond_br %0#6, ^bb1, ^bb1",
    "cf.cond_br %0#6, ^bb2, ^bb2",
    "cf.cond_br %0#6, ^bb1, ^bb3(%0#0 : i32)",
    "cf.cond_br %0#6, ^bb1, ^bb3(%0#1 : i32)",
    "cf.cond_br %0#6, ^bb3(%0#0 : i32), ^bb1",
    "cf.cond_br %0#6, ^bb3(%0#0 : i32), ^bb3(%0#1 : i32)",
    "cf.cond_br %0#6, ^bb3(%0#0 : i32), ^bb3(%0#0 : i32)",
    "cf.br ^bb1",
    "cf.br ^bb3(%0#0 : i32)",
    "\"t.br\"()[^bb1, ^bb2] : () -> ()",
    "\"t.br\"()[^bb2, ^bb1] : () -> ()",
    "\"t.br\"()[^bb1] : () -> ()",
];

/// The lines of generic text that go on to blocks.
fn ways(generic: &str) -> Vec<&str> {
    generic.lines().map(str::trim).filter(|line| line.contains("br\"(")).collect()
}

#[test]
fn each_of_two_operations_goes_its_own_way() {
    let context = crate::definitions::context();
    let module = |ways: &[&str]| {
        let blocks: String = ways.iter().enumerate().map(|(at, way)| format!("^from{at}:\n{way}\n")).collect();
        format!(
            "\"t.in\"() ({{\n{VALUES}cf.br ^bb1\n^bb1:\n\"t.end\"() : () -> ()\n^bb2:\n\"t.end\"() : () -> ()\n^bb3(%a: \
             i32):\n\"t.end\"() : () -> ()\n{blocks}}}) : () -> ()\n"
        )
    };
    let alone = |way: &str| {
        let generic = print(&read(&context, &module(&[way])), true);
        ways(&generic).last().expect("the way").to_string()
    };
    let known: Vec<_> = WAYS.iter().map(|way| (*way, alone(way))).collect();
    for first in &known {
        for second in &known {
            let all = [first, second, first, second, second, first];
            let read_back = read(&context, &module(&all.map(|way| way.0)));
            let generic = print(&read_back, true);
            assert_eq!(ways(&generic)[1..], all.map(|way| way.1.as_str()), "{} and {}", first.0, second.0);
            let custom = print(&read_back, false);
            assert_eq!(print(&read(&context, &custom), true), generic, "by way of\n{custom}");
        }
    }
}

#[test]
fn each_operation_has_its_own_location() {
    let context = crate::definitions::context();
    let text = "#a = loc(\"a\")\n%0 = arith.constant 1 : i32 loc(#a)\n%1 = arith.constant 1 : i32 loc(#b)\n%2 = arith.constant 1 : \
                i32\n%3 = arith.constant 1 : i32 loc(\"f\":1:2)\n%4 = arith.constant 1 : i32\n  loc(\"f\":3:4)\n%5 = arith.constant \
                1 : i32 // loc(\"c\")\n%6 = arith.constant {x.y = loc(\"a\")} 1 : i32 loc(\"f\":1:2)\n%7 = arith.constant {x.y = \
                loc(\"b\")} 1 : i32 loc(\"f\":1:2)\n#b = loc(\"b\")\n";
    let module = read(&context, text);
    let shown: Vec<String> = module
        .operations()
        .expect("operations")
        .map(|op| format!("{:?}", op.location().expect("a location")))
        .collect();
    // Neither has one: it is where it stands.
    assert!(shown[2].ends_with("line: 4, column: 6 }") && shown[5].ends_with("line: 8, column: 6 }"), "{shown:?}");
    assert_eq!((&shown[3], &shown[3]), (&shown[6], &shown[7]), "the same");
    let different: std::collections::BTreeSet<_> = [0, 1, 2, 3, 4].map(|at| &shown[at]).into();
    assert_eq!(different.len(), 5, "{shown:?}");
    let mut located = Vec::new();
    print_module(&module, &PrintOptions::new().generic(false).locations(true), &mut located).expect("text");
    let again = parse_module(&context, &located, &ParseOptions::new()).expect("a module");
    let back: Vec<String> =
        again.operations().expect("operations").map(|op| format!("{:?}", op.location().expect("a location"))).collect();
    assert_eq!(back, shown);
}

#[test]
fn what_is_wrong_in_one_line_is_wrong_behind_a_line_that_is_right() {
    let context = crate::definitions::context();
    let right = "%r = arith.addi %0#0, %0#1 : i32\n";
    let wrong = [
        "%s = arith.addi %0#0, %0#2 : i32\n",
        "%s = arith.addi %0#0, %0#9 : i32\n",
        "%s = arith.addi %0#0, %none : i32\n",
        "%s:2 = arith.addi %0#0, %0#1 : i32\n",
        "%s, %t = arith.addi %0#0, %0#1 : i32\n",
        "%r = arith.addi %0#0, %0#1 : i32\n",
        "%s = arith.addi %0#0, %0#1 : i32 {a}\n",
        "%s = arith.addi %0#0, %0#1 : i32 -> i32\n",
        "%s = arith.addi %0#0, %0#1 : i32, i32\n",
        "%s = arith.addi %0#0, %0#1 : i32 loc(\n",
        "%s = arith.addi %0#0, %0 #1 : i64\n",
    ];
    for wrong in wrong {
        let said = |text: &str| {
            let parsed = parse_module(&context, text.as_bytes(), &ParseOptions::new());
            parsed.map(|module| print(&module, true)).expect_err(text).to_string()
        };
        // As where the line before it is of another kind.
        let other = right.replace(" :", "  :");
        assert_eq!(said(&format!("{VALUES}{right}{wrong}")), said(&format!("{VALUES}{other}{wrong}")));
    }
}
