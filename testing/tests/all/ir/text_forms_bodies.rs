//! Custom assembly of `linalg`, `scf`, `transform`, `emitc` and smaller dialects: what it cannot say, and what it leaves out.

use crate::ir::support;

use support::{print, read};

/// Operations that the custom form would lose something of.
const UNFIT: &[(&str, &str)] = &[
    // A terminator with an attribute.
    ("emitc.if", "\"emitc.if\"(%c) ({\n\"emitc.yield\"() {a} : () -> ()\n}, {\n}) : (i1) -> ()"),
    // More than the name of a file.
    ("emitc.include", "\"emitc.include\"() <{include = \"a.h\"}> {a} : () -> ()"),
    ("emitc.include", "\"emitc.include\"() <{include = \"a\\22.h\"}> : () -> ()"),
    // As many regions as cases, and no more.
    (
        "scf.index_switch",
        "\"scf.index_switch\"(%i) <{cases = array<i64: 1, 2>}> ({\n\"scf.yield\"() : () -> ()\n}, {\n\"scf.yield\"() : () -> \
         ()\n}) : (index) -> ()",
    ),
    // Results that are not the tensors to write to.
    (
        "linalg.reduce",
        "\"linalg.reduce\"(%t, %t) <{dimensions = array<i64>}> ({\n^bb0(%a: f32, %b: f32):\n\"linalg.yield\"(%a) : (f32) -> \
         ()\n}) : (tensor<4xf32>, tensor<4xf32>) -> ()",
    ),
    // Parameters in another order than they are named in.
    (
        "transform.apply_registered_pass",
        "%0 = \"transform.apply_registered_pass\"(%o, %p, %p) <{options = {a = #transform.param_operand<index = 1 : i64>, b = \
         #transform.param_operand<index = 0 : i64>}, pass_name = \"x\"}> : (!transform.any_op, !transform.param<i64>, \
         !transform.param<i64>) -> !transform.any_op",
    ),
];

#[test]
fn what_custom_assembly_cannot_say_is_in_generic_form() {
    for (name, text) in UNFIT {
        let context = crate::definitions::context();
        let values = "%c, %i, %t, %o, %p = \"t.a\"() : () -> (i1, index, tensor<4xf32>, !transform.any_op, \
                      !transform.param<i64>)";
        let module = read(&context, &format!("{values}\n{text}"));
        let shown = print(&module, false);
        assert!(shown.contains(&format!("\"{name}\"(")), "{shown}");
        assert_eq!(print(&read(&context, &shown), false), shown);
    }
}

#[test]
fn a_body_of_one_operation_that_says_more_is_shown() {
    let context = crate::definitions::context();
    let body = |rest: &str| {
        format!(
            "%t = \"t.a\"() : () -> tensor<4xf32>\n%0 = linalg.map ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) {rest}"
        )
    };
    for (rest, shown) in [
        ("(%a: f32, %b: f32) {\n%1 = math.exp %a : f32\nlinalg.yield %1 : f32\n}", false),
        ("(%a: f32, %b: f32) {\n%1 = math.exp %a : f32\nlinalg.yield %a : f32\n}", true),
        ("(%a: f32, %b: f32) {\n%1 = math.exp %b : f32\nlinalg.yield %1 : f32\n}", true),
        ("(%a: f32, %b: f32) {\n%1 = math.exp %a : f32\nlinalg.yield %1 {x} : f32\n}", true),
        ("(%a: f32, %b: f32) {\nlinalg.yield %a : f32\n}", true),
    ] {
        let text = print(&read(&context, &body(rest)), false);
        assert_eq!(text.contains("linalg.map { math.exp } ins("), !shown, "{text}");
        assert_eq!(print(&read(&context, &text), false), text);
    }
}

#[test]
fn do_while() {
    let context = crate::definitions::context();
    let text = "func.func @f(%arg0: i32) {\n  emitc.do {\n    %0 = add %arg0, %arg0 : (i32, i32) -> i32\n  } while {\n    %0 = \
                \"t.a\"() : () -> i1\n    yield %0 : i1\n  } attributes {q}\n  emitc.do {\n  } while {\n    %0 = \"t.a\"() : () \
                -> i1\n    yield %0 : i1\n  }\n  return\n}\n\n";
    assert_eq!(print(&read(&context, text), false), text);
}

#[test]
fn cases_before_the_default_keep_the_order_of_uses() {
    // The default is the first region, and stands last in text: its use is the latest.
    let context = crate::definitions::context();
    let text = "func.func @f(%arg0: index, %arg1: i32) {\n  scf.index_switch %arg0 \n  case 1 {\n    \"t.a\"(%arg1) : (i32) -> \
                ()\n    scf.yield\n  }\n  default {\n    \"t.b\"(%arg1) : (i32) -> ()\n  }\n  return\n}\n\n";
    let module = read(&context, text);
    assert_eq!(print(&module, false), text);
    let names: Vec<String> =
        print(&module, true).lines().filter_map(|line| Some(line.split('"').nth(1)?.to_owned())).collect();
    assert!(names.iter().position(|name| name == "t.b") < names.iter().position(|name| name == "t.a"), "{names:?}");
}
