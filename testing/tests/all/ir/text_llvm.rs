//! Custom assembly of `llvm`: what it cannot say, and wrong text. The files `forms/llvm_*` are what it can say.

use crate::ir::support;

use mlirbc_text::{ParseOptions, parse_module};
use support::{print, read};

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
        let context = crate::definitions::context();
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
        let error = parse_module(&crate::definitions::context(), text.as_bytes(), &ParseOptions::new());
        let error = error.err().unwrap_or_else(|| panic!("this parses:\n{text}")).to_string();
        assert!(error.contains(wanted), "{error}\nin\n{text}");
    }
}

/// Inside of itself, a struct is shown by its name alone, but taken out it is all of it.
#[test]
fn a_struct_is_taken_out_of_itself() {
    let text = "%0 = \"t.a\"() : () -> !llvm.struct<\"a\", (i8, struct<\"a\">)>\n%1 = llvm.extractvalue %0[1, 1] : \
                !llvm.struct<\"a\", (i8, struct<\"a\">)> \n\"t.b\"(%1) : (!llvm.struct<\"a\", (i8, struct<\"a\">)>) -> ()";
    let shown = print(&read(&crate::definitions::context(), text), false);
    assert!(shown.contains("llvm.extractvalue %0[1, 1] : !llvm.struct<\"a\", (i8, struct<\"a\">)>"), "{shown}");
    assert_eq!(print(&read(&crate::definitions::context(), &shown), false), shown);
}

/// The text of types has a depth that it cannot go beyond.
#[test]
fn a_long_way_into_an_aggregate_is_refused() {
    let depth = 5_000;
    let ty = format!("!llvm.{}i8{}", "array<1 x ".repeat(depth), ">".repeat(depth));
    let position = vec!["0"; depth].join(", ");
    let text = format!("%0 = \"t.a\"() : () -> {ty}\n%1 = llvm.extractvalue %0[{position}] : {ty}");
    assert!(parse_module(&crate::definitions::context(), text.as_bytes(), &ParseOptions::new()).is_err());
}
