//! What `compare` finds, and what it does not.

use mlirbc_ir::{CompareOptions, Context, Difference, Module, What, compare};
use mlirbc_testing::of_any;
use mlirbc_text::{ParseOptions, parse_module};

fn parse(context: &Context, text: &str) -> Module {
    parse_module(context, text.as_bytes(), &ParseOptions::new()).expect("a module")
}

fn differences(first: &str, second: &str) -> Vec<Difference> {
    let context = crate::definitions::context();
    compare(&parse(&context, first), &parse(&context, second), &CompareOptions::new()).expect("a comparison")
}

fn found(first: &str, second: &str) -> Vec<(String, String, What)> {
    differences(first, second).into_iter().map(|it| (it.symbol, it.path, it.what)).collect()
}

const MODULE: &str = r#""builtin.module"() ({
  "func.func"() ({
  ^bb0(%a: i32):
    %0 = "arith.constant"() {value = 1 : i32} : () -> i32
    %1 = "arith.addi"(%a, %0) {note = distinct[0]<"x">} : (i32, i32) -> i32
    "func.return"(%1) : (i32) -> ()
  }) {function_type = (i32) -> i32, sym_name = "f"} : () -> ()
  "func.func"() ({
  }) {function_type = () -> (), sym_name = "g", sym_visibility = "private"} : () -> ()
}) : () -> ()"#;

#[test]
fn the_same_text_is_equal() {
    assert_eq!(differences(MODULE, MODULE), []);
}

#[test]
fn changes_are_found_where_they_are() {
    let change = |from: &str, to: &str| found(MODULE, &MODULE.replace(from, to));
    let at = |path: &str, what: What| vec![("f".to_string(), format!("@f/{path}"), what)];
    assert_eq!(change("value = 1", "value = 2"), at("arith.constant#0", What::Property("value".into())));
    assert_eq!(change("<\"x\">", "<\"y\">"), at("arith.addi#1", What::Attribute("note".into())));
    assert_eq!(change("(%a, %0)", "(%0, %a)"), at("arith.addi#1", What::Operands));
    assert_eq!(change("arith.addi", "arith.subi"), {
        let mut all = at("arith.addi#1", What::Name);
        all.truncate(1);
        all
    });
    let removed = change("sym_name = \"g\"", "sym_name = \"h\"");
    let presence = |name: &str| (name.to_string(), format!("@{name}"), What::Presence);
    assert!(removed == [presence("g"), presence("h")] || removed.len() == 1, "{removed:?}");
}

#[test]
fn an_operation_more_is_one_difference() {
    let more = MODULE.replace("%1 = ", "%2 = \"arith.constant\"() {value = 3 : i32} : () -> i32\n %1 = ");
    assert_eq!(found(MODULE, &more), [("f".into(), "@f/arith.constant#1".into(), What::Presence)]);
    assert_eq!(found(&more, MODULE), [("f".into(), "@f/arith.constant#1".into(), What::Presence)]);
}

#[test]
fn a_dictionary_without_entries_is_none() {
    let first = "\"t.a\"() : () -> ()\n\"t.a\"() <{}> : () -> ()\n\"t.a\"() {} : () -> ()";
    let second = "\"t.a\"() <{}> : () -> ()\n\"t.a\"() : () -> ()\n\"t.a\"() : () -> ()";
    assert_eq!(differences(first, second), []);
}

#[test]
fn distinct_attributes_are_equal_by_place() {
    let two = |a: &str, b: &str| format!("\"t.a\"() {{x = distinct[{a}]<unit>, y = distinct[{b}]<unit>}} : () -> ()");
    assert_eq!(differences(&two("0", "1"), &two("4", "5")), []);
    assert_eq!(differences(&two("0", "0"), &two("4", "4")), []);
    assert_eq!(differences(&two("0", "0"), &two("4", "5")).len(), 1);
    assert_eq!(differences(&two("0", "1"), &two("4", "4")).len(), 1);
}

#[test]
fn locations_count_only_where_asked_for() {
    let context = crate::definitions::context();
    let module = |line: u32| parse(&context, &format!("\"t.a\"() : () -> () loc(\"a.c\":{line}:1)"));
    let (first, second) = (module(1), module(2));
    assert_eq!(compare(&first, &second, &CompareOptions::new()).unwrap(), []);
    let found = compare(&first, &second, &CompareOptions::new().locations(true)).unwrap();
    assert_eq!(found[0].what, What::Location);
    assert_eq!(found[0].first.as_deref(), Some("loc(\"a.c\":1:1)"));
}

#[test]
fn contexts_must_be_the_same() {
    let (first, second) =
        (parse(&crate::definitions::context(), MODULE), parse(&crate::definitions::context(), MODULE));
    assert!(compare(&first, &second, &CompareOptions::new()).is_err());
}

#[test]
fn a_path_is_where_a_difference_is_found() {
    let text = r#""builtin.module"() ({
      "t.symbol"() ({
        "t.several"() ({
          "t.first"() : () -> ()
        }, {
          "t.second"() : () -> ()
          "t.nest"() ({
            "t.branch"()[^next] : () -> ()
          ^next:
            "t.branch"()[^last] : () -> ()
          ^last:
            "t.named"() ({ "t.end"() : () -> () }) {sym_name = "inner"} : () -> ()
            "t.end"() : () -> ()
          }) : () -> ()
        }) : () -> ()
      }) {sym_name = "outer"} : () -> ()
      "func.func"() ({ "func.return"() : () -> () }) {function_type = () -> (), sym_name = "f"} : () -> ()
    }) : () -> ()"#;
    let two = format!("{text}\n\"t.other\"() : () -> ()");
    let mut asked = 0;
    for text in [text, &two, r#""t.alone"() {sym_name = "s"} : () -> ()"#] {
        let context = crate::definitions::context();
        let options = ParseOptions::new().implicit_module(false);
        let parse = || parse_module(&context, text.as_bytes(), &options).expect("a module");
        let first = parse();
        let places: Vec<_> = first
            .operations()
            .expect("a module")
            .flat_map(|op| op.walk().expect("bodies"))
            .map(|op| (op.body_id(), of_any(op.id()), op.path()))
            .collect();
        for (body, op, path) in places {
            let mut second = parse();
            let marked = context.dictionary(vec![(context.identifier("mark"), context.unit())]).expect("a dictionary");
            second.rewrite(body, |rw| rw.set_attributes(op, Some(marked.into()))).expect("an operation");
            let differences = compare(&first, &second, &CompareOptions::new()).expect("a comparison");
            let place = differences.iter().find(|found| found.what == What::Attribute("mark".into()));
            assert_eq!(place.map(|found| &found.path), Some(&path), "{differences:?}");
            asked += 1;
        }
    }
    assert_eq!(asked, 13 + 14 + 1);
}
