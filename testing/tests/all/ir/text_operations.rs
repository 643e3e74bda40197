//! Operations as text: what is read is printed again, and what is wrong is said where it stands.

use mlirbc_ir::{AttributeData, Context, Location, Module, ResourceValue};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module, print_operation};

fn parse(context: &Context, text: &str) -> Module {
    parse_module(context, text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|errors| panic!("{errors}\n\n{text}"))
}

fn print(module: &Module, locations: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().locations(locations), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Checks that the text is printed as `expected`, and that as itself.
#[track_caller]
fn becomes(text: &str, expected: &str) {
    let context = crate::definitions::context();
    let printed = print(&parse(&context, text), false);
    assert_eq!(printed, expected);
    assert_eq!(print(&parse(&context, &printed), false), expected);
    let located = print(&parse(&context, text), true);
    assert_eq!(print(&parse(&context, &located), true), located);
}

#[test]
fn values_blocks_and_regions() {
    let text = r#"%0 = "t.top"() : () -> i32
"t.reg"(%0) ({
  %2:2 = "t.two"() : () -> (i32, f32)
  %3 = "t.fn"() : () -> ((i32) -> i32)
  "t.inner"(%2#0, %2#1) ({
  ^bb0(%arg0: i32, %arg1: f32):
    %4 = "t.y"(%2#0, %arg0) : (i32, i32) -> i32
    "t.br"(%4)[^bb1, ^bb2] : (i32) -> ()
  ^bb1(%5: i32):
    "t.br"()[^bb2] : () -> ()
  ^bb2:
    "t.back"()[^bb0] : () -> ()
  }, {
  }, {
  ^bb0:
  ^bb1:
  }) {a = 1 : i32, "b c" = "x", u} : (i32, f32) -> ()
}) : (i32) -> ()
%1 = "t.after"() <{p = [1, 2]}> {d} : () -> i32
"#;
    becomes(text, text);
}

#[test]
fn names_are_free_and_layout_too() {
    becomes(
        "%x:2,%007, %arg = \"t.a\"():()->(i1,i1,i2,i3)// a comment\n\n\"t.b\"(%x#1,%007 ,%arg)({^e:^a:})\
         :(i1,i2,i3)->()\r\n",
        "%0:4 = \"t.a\"() : () -> (i1, i1, i2, i3)\n\"t.b\"(%0#1, %0#2, %0#3) ({\n^bb0:\n^bb1:\n}) : (i1, i2, i3) -> ()\n",
    );
    // The same name in regions that do not see each other.
    let text = r#"
        "t.a"() ({ %x = "t.b"() : () -> i1 }, { %x = "t.b"() : () -> i2 "t.c"(%x) : (i2) -> () }) : () -> ()
        %x = "t.b"() : () -> i3 "t.c"(%x) : (i3) -> ()"#;
    assert_eq!(parse(&crate::definitions::context(), text).operations().unwrap().count(), 3);
}

#[test]
fn aliases() {
    becomes(
        "#map = affine_map<(d0) -> (d0)>\n!t = tensor<2xi32>\n!f = (!t) -> !t\n#l = loc(\"a\":1:2)\n\
         %0 = \"t.a\"() {m = #map, t = !t, l = #l} : () -> !t loc(#later)\n%1 = \"t.b\"(%0) : !f loc(#l)\n\
         #later = loc(fused[\"x\", #l])",
        "%0 = \"t.a\"() {l = loc(\"a\":1:2), m = affine_map<(d0) -> (d0)>, t = tensor<2xi32>} : () -> tensor<2xi32>\n\
         %1 = \"t.b\"(%0) : (tensor<2xi32>) -> tensor<2xi32>\n",
    );
}

#[test]
fn modules_in_custom_form() {
    becomes(
        "module @a attributes {t.x, sym_visibility = \"private\"} {\n  builtin.module {}\n  module @b attributes {} { } loc(unknown)\n}",
        "\"builtin.module\"() <{sym_name = \"a\", sym_visibility = \"private\"}> ({\n  \"builtin.module\"() ({\n  ^bb0:\n  }) \
         : () -> ()\n  \"builtin.module\"() <{sym_name = \"b\"}> ({\n  ^bb0:\n  }) : () -> ()\n}) {t.x} : () -> ()\n",
    );
}

#[test]
fn inherent_attributes_become_properties() {
    becomes(
        "%0 = \"arith.constant\"() {value = 1 : i32, t.other} : () -> i32\n\
         %1 = \"arith.constant\"() <{value = 2 : i32}> {value = 3 : i32} : () -> i32\n\
         %2 = \"llvm.add\"(%0, %1) {overflowFlags = 1 : i32} : (i32, i32) -> i32\n\
         \"t.unknown\"() <{}> {value = 1 : i32} : () -> ()\n\"t.unknown\"() <5 : i32> : () -> ()\n",
        "%0 = \"arith.constant\"() <{value = 1 : i32}> {t.other} : () -> i32\n\
         %1 = \"arith.constant\"() <{value = 2 : i32}> : () -> i32\n\
         %2 = \"llvm.add\"(%0, %1) <{overflowFlags = 0 : i32}> {overflowFlags = 1 : i32} : (i32, i32) -> i32\n\
         \"t.unknown\"() <{}> {value = 1 : i32} : () -> ()\n\"t.unknown\"() <5 : i32> : () -> ()\n",
    );
}

#[test]
fn locations_of_operations_that_give_none() {
    let context = crate::definitions::context();
    let options = ParseOptions::new().file("x.mlir");
    let text = b"\n  %0 = \"t.a\"() : () -> i1\n\"t.b\"() ({\n^a(%a : i1, %b : i1 loc(unknown)):\n}) : () -> ()";
    let module = parse_module(&context, text, &options).unwrap();
    assert_eq!(
        print(&module, true),
        "%0 = \"t.a\"() : () -> i1 loc(\"x.mlir\":2:8)\n\"t.b\"() ({\n^bb0(%arg0: i1 loc(\"x.mlir\":4:4), %arg1: i1 \
         loc(unknown)):\n}) : () -> () loc(\"x.mlir\":3:1)\n"
    );
}

/// Text in which all but one of ten operations, two of them implied, and six arguments give no location.
const UNLOCATED: &str = r#"
"t.generic"() ({
^bb0(%0: i32):
  "t.inner"(%0) : (i32) -> () loc("written":1:2)
}) : () -> ()
func.func @f(%a: index, %m: memref<4xf32>) {
  scf.for %i = %a to %a step %a {
  }
  affine.for %i = 0 to 4 {
    %x = affine.load %m[%i] : memref<4xf32>
  }
  cf.br ^bb1(%a : index)
^bb1(%b: index):
  return
}
"#;

#[test]
fn operations_that_give_no_location_have_none_where_the_text_is_not_to_count() {
    let context = crate::definitions::context();
    for implicit_module in [false, true] {
        let locations = |implicit: bool| {
            let options = ParseOptions::new().implicit_module(implicit_module).implicit_locations(implicit);
            let module =
                parse_module(&context, UNLOCATED.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}"));
            let text = print(&module, true);
            [text.matches(" loc(").count(), text.matches("loc(unknown)").count(), text.matches("<text>").count()]
        };
        let all = 16 + usize::from(implicit_module);
        assert_eq!(locations(true), [all, 0, all - 1]);
        assert_eq!(locations(false), [all, all - 1, 0]);
    }
}

#[test]
fn locations_can_be_stripped() {
    let context = crate::definitions::context();
    let mut module = parse(&context, UNLOCATED);
    module.strip_locations().expect("all bodies are here");
    let text = print(&module, true);
    assert_eq!([text.matches(" loc(").count(), text.matches("loc(unknown)").count()], [16, 16]);
}

#[test]
fn an_implicit_module() {
    let context = crate::definitions::context();
    let wrapped = |text: &str| {
        let options = ParseOptions::new().file("x").implicit_module(true);
        print(&parse_module(&context, text.as_bytes(), &options).unwrap(), true)
    };
    assert_eq!(wrapped(""), "\"builtin.module\"() ({\n^bb0:\n}) : () -> () loc(\"x\":0:0)\n");
    let two = wrapped("\"t.a\"() : () -> ()\nmodule { \"t.b\"() : () -> () }");
    assert!(two.starts_with("\"builtin.module\"() ({\n  \"t.a\"() : () -> () loc(\"x\":1:1)\n"), "{two}");
    assert!(two.contains("    \"t.b\"() : () -> () loc(\"x\":2:10)\n"), "{two}");
    assert_eq!(wrapped("module {}"), "\"builtin.module\"() ({\n^bb0:\n}) : () -> () loc(\"x\":1:1)\n");
}

#[test]
fn a_resource_that_is_given_twice_is_the_last() {
    let text = r#""t.a"() {r = dense_resource<k> : tensor<1xi8>} : () -> ()
{-# dialect_resources: {
  builtin: {k: "0x0100000001", l: "0x0100000002", k: "0x0100000003"},
  builtin: {l: "0x0100000004"}
}, external_resources: {e: {a: true, a: false}} #-}"#;
    let context = crate::definitions::context();
    let module = parse_module(&context, text.as_bytes(), &ParseOptions::new()).unwrap();
    let blobs: Vec<u8> = module.resources().unwrap()[0]
        .entries
        .iter()
        .map(|entry| match &entry.value {
            ResourceValue::Blob { data, .. } => data.bytes().unwrap()[0],
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(blobs, [3, 4]);
    assert_eq!(module.resources().unwrap()[1].entries.len(), 2, "nothing refers to them, so that both stay");
}

#[test]
fn resources() {
    let text = r#""t.a"() {r = dense_resource<blob> : tensor<4xi8>} : () -> ()

{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001020304",
      "not used": "0x01000000"
    }
  },
  external_resources: {
    tool: {
      flag: true,
      off: false,
      name: "a string",
      data: "0x10000000FF"
    }
  }
#-}
"#;
    becomes(text, text);
    let context = crate::definitions::context();
    let module = parse(&context, text);
    let op = module.operations().unwrap().next().unwrap();
    let AttributeData::DenseResource { resource, .. } = context[op.attribute("r").unwrap().unwrap()] else {
        panic!("no resource");
    };
    let entry = module.resource(resource).unwrap().unwrap();
    assert_eq!(entry.value, ResourceValue::Blob { alignment: 4, data: vec![1, 2, 3, 4].into() });
    assert_eq!(module.resources().unwrap().len(), 2);
}

#[test]
fn one_operation() {
    let context = crate::definitions::context();
    let module = parse(
        &context,
        "module { %0 = \"t.a\"() : () -> i1\n\"func.func\"() <{sym_name = \"f\", function_type = () -> ()}> ({\n\
         %1 = \"t.b\"() {r = dense_resource<k> : tensor<0xi8>} : () -> i1\n\"t.c\"(%1) : (i1) -> ()}) : () -> () }\n\
         {-# dialect_resources: {builtin: {k: \"0x01000000\", l: \"0x01000000\"}} #-}",
    );
    let shown = |name: &str| {
        let mut text = Vec::new();
        print_operation(module.symbol(name).unwrap().unwrap(), &PrintOptions::new(), &mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    assert_eq!(
        shown("f"),
        "\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n  %1 = \"t.b\"() {r = dense_resource<k> : \
         tensor<0xi8>} : () -> i1\n  \"t.c\"(%1) : (i1) -> ()\n}) : () -> ()\n\n{-#\n  dialect_resources: {\n    builtin: \
         {\n      k: \"0x01000000\"\n    }\n  }\n#-}\n"
    );
    let inner = module.symbol("f").unwrap().unwrap().ops().unwrap().last().unwrap();
    let mut text = Vec::new();
    print_operation(inner, &PrintOptions::new(), &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "\"t.c\"(%0) : (i1) -> ()\n");
}

/// Bodies of isolated operations are bodies of their own, others are not.
#[test]
fn isolated_operations_have_bodies() {
    let context = crate::definitions::context();
    let text = "\"builtin.module\"() ({ \"t.a\"() ({ \"t.b\"() : () -> () }) : () -> () \
                \"func.func\"() <{sym_name = \"f\", function_type = () -> ()}> ({}) : () -> () }) : () -> () loc(\"f\":1:2)";
    let module = parse(&context, text);
    assert_eq!(module.body_count(), 2);
    let op = module.operations().unwrap().next().unwrap();
    assert_eq!(op.walk().unwrap().count(), 4);
    assert!(matches!(op.location().unwrap(), Location::File { line: 1, column: 2, .. }));
    assert_eq!(module.owner(op.body().region_body(op.id()).unwrap()), Some((op.body_id(), op.id())));
}

/// Late uses come first, the latest before all; uses before the definition come last, the earliest first.
#[test]
fn orders_of_uses() {
    let context = crate::definitions::context();
    let text = r#"
        "t.a"(%x) : (i1) -> ()
        "t.b"(%x, %x) : (i1, i1) -> ()
        %x = "t.def"() : () -> i1
        "t.c"(%x) ({ "t.d"(%x) : (i1) -> () }) : (i1) -> ()
        %y = "t.def"() : () -> i1
        "t.e"(%y) : (i1) -> ()
        "t.f"(%y) : (i1) -> ()"#;
    let mut module = parse(&context, text);
    let id = mlirbc_ir::BodyId::from_index(Module::TOP);
    module.build_uses(id).unwrap();
    let used_by = |name: &str| {
        let body = module.body(id).unwrap();
        let op = body.preorder().find(|&op| {
            body.result_count(op) > 0 && name == "x" || {
                name == "y"
                    && body.result_count(op) > 0
                    && body.previous_operation(op).is_some_and(|op| body.region_count_of(op) > 0)
            }
        });
        let names = body.uses_of(body.result(op.unwrap(), 0).unwrap()).map(|one| {
            let name = context.operation_identifier(body.name(one.op));
            format!("{}{}", context.text(name).trim_start_matches("t."), one.operand)
        });
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(used_by("x"), "c0 d0 a0 b0 b1");
    assert_eq!(used_by("y"), "f0 e0");
}

#[track_caller]
fn fails(text: &str, expected: &[&str]) {
    let context = crate::definitions::context();
    match parse_module(&context, text.as_bytes(), &ParseOptions::new().file("f")) {
        Ok(module) => panic!("accepted:\n{}", print(&module, false)),
        Err(errors) => {
            let found: Vec<String> = errors.iter().map(|error| error.to_string()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}

#[test]
fn errors_show_the_place() {
    fails(
        "%0 = \"t.a\"() : () -> i1\n\"t.b\"(%0) : (i2) -> ()",
        &[
            "f:2:7: error: use of value `%0` expects different type than its definition: `i2` vs `i1`\n  \"t.b\"(%0) : (i2) \
           -> ()\n        ^",
        ],
    );
    fails("\t\"t.a\" x", &["f:1:8: error: expected `(`, found `x`\n   \"t.a\" x\n         ^"]);
    fails(
        "\"t.a\"(",
        &["f:1:7: error: expected the name of a value, found the end of the text\n  \"t.a\"(\n        ^"],
    );
    fails(
        "\"t.a\"() : ()",
        &[
            "f:1:13: error: expected `->` and the types of the results, found the end of the text\n  \"t.a\"() : ()\n              ^",
        ],
    );
}

#[track_caller]
fn says(text: &str, expected: &[&str]) {
    let errors = parse_module(&crate::definitions::context(), text.as_bytes(), &ParseOptions::new()).expect_err(text);
    let found: Vec<String> =
        errors.iter().map(|error| format!("{}:{} {}", error.line, error.column, error.message)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn what_is_wrong_with_values() {
    says("%0 = \"t.a\"() : () -> ()", &["1:1 cannot name an operation with no results"]);
    says("%0:2 = \"t.a\"() : () -> i1", &["1:1 operation defines 1 result but was provided 2 to bind"]);
    says("%0:0 = \"t.a\"() : () -> i1", &["1:4 expected the number of results, at least 1"]);
    says("\"t.a\"(%x) : (i1) -> ()", &["1:7 use of undeclared SSA value name `%x`"]);
    says("%0 = \"t.a\"() : () -> i1 \"t.a\"(%0#1) : (i1) -> ()", &["1:31 reference to invalid result number"]);
    says("\"t.a\"(%0#1) : (i1) -> () %0 = \"t.a\"() : () -> i1", &["1:7 reference to invalid result number"]);
    says("%0 = \"t.a\"() : () -> i1\n%0 = \"t.a\"() : () -> i1", &["2:1 redefinition of SSA value `%0`"]);
    says("\"t.a\"(%0) : () -> ()", &["1:7 expected 1 operand type but had 0"]);
    says("\"t.a\"() ({ ^a(%0 : i1, %0 : i1): }) : () -> ()", &["1:24 redefinition of SSA value `%0`"]);
    // Defined in a region, used outside of it: before, behind, beside.
    says(
        "\"t.a\"(%0) : (i1) -> () \"t.b\"() ({ %0 = \"t.c\"() : () -> i1 }) : () -> ()",
        &["1:7 value `%0` is used outside of its region"],
    );
    says(
        "\"t.b\"() ({ %0 = \"t.c\"() : () -> i1 }) : () -> () \"t.a\"(%0) : (i1) -> ()",
        &["1:56 use of undeclared SSA value name `%0`"],
    );
    says(
        "\"t.b\"() ({ \"t.c\"(%0) : (i1) -> () }, { %0 = \"t.c\"() : () -> i1 }) : () -> ()",
        &["1:18 value `%0` is used outside of its region"],
    );
    says(
        "%0 = \"t.a\"() : () -> i1 module { \"t.b\"(%0) : (i1) -> () }",
        &["1:40 use of value `%0`, which is defined outside of an operation that is isolated from above"],
    );
    says(
        "\"t.b\"(%0) : (i1) -> () module { %0 = \"t.a\"() : () -> i1 }",
        &["1:33 value `%0` is used outside of what it is defined in"],
    );
}

#[test]
fn what_is_wrong_with_blocks_and_regions() {
    says("\"t.a\"()[^b] : () -> ()", &["1:9 reference to an undefined block `^b`"]);
    says("\"t.a\"() ({ \"t.b\"()[^b] : () -> () }, {^b:}) : () -> ()", &["1:20 reference to an undefined block `^b`"]);
    says("\"t.a\"() ({^a:^a:}) : () -> ()", &["1:14 redefinition of block `^a`"]);
    says("\"t.a\"() ({ \"t.b\"() : () -> ()", &["1:30 expected an operation or `}`, found the end of the text"]);
    says("\"t.a\"() ({}, ) : () -> ()", &["1:14 expected `{` and another region, found `)`"]);
    says("^a:", &["1:1 expected an operation: its name in quotes, or results before it, found `^`"]);
    says("}", &["1:1 expected an operation: its name in quotes, or results before it, found `}`"]);
    says("\"t.a\"()[] : () -> ()", &["1:9 expected the name of a block"]);
}

#[test]
fn what_is_wrong_with_names_types_and_attributes() {
    says("\"\"() : () -> ()", &["1:1 empty operation name is invalid"]);
    says("\"t.a\"() : i1", &["1:11 expected function type"]);
    says("\"t.a\"() : () -> tensor<-1xi1>", &["1:24 expected a type, found `-`"]);
    says("\"t.a\"() {a, a} : () -> ()", &["1:9 attribute `a` comes twice"]);
    says("\"t.a\"() : () -> () loc(#x)", &["1:24 operation location alias was never defined"]);
    says("#x = 1 #x = 2", &["1:8 redefinition of attribute alias id `x`"]);
    says("#x = loc(unknown) #x = 2", &["1:19 redefinition of attribute alias id `x`"]);
    says("!x = i1 !x = i2", &["1:9 redefinition of type alias id `x`"]);
    says("#x.y = 1", &["1:1 attribute names with a `.` are reserved for dialect-defined names"]);
    says("#x = #y", &["1:7 undefined symbol alias id `y`"]);
    says(
        "t.custom @f() { return }",
        &["1:1 cannot read the custom assembly of `t.custom`: expected the generic form, with the name in quotes"],
    );
    says("{-# foo: {} #-}", &["1:5 unknown key `foo` in file metadata"]);
    says(
        "{-# dialect_resources: {builtin: {k: \"0x0100\"}} #-}",
        &["1:38 expected a string of hex digits for resource `k`: `0x`, its alignment in four bytes, its data"],
    );
    says(
        "{-# dialect_resources: {builtin: {k: \"0x03000000\"}} #-}",
        &["1:38 the alignment of resource `k` is no power of two"],
    );
}

#[test]
fn several_errors_at_once() {
    let text = r#"
"t.a"(%0 : (i32) -> ()
%1 = "t.b"() {a = [1, 2, }, b = "x} : () -> ()
"t.c"(%1) ({
  "t.d"() {a = q} : () -> ()
  "t.e"()[^nope] : () -> ()
}) : (i32) -> ()
%2 = "t.f"() : () -> i1
"t.g"(%2) : (i2) -> ()
"t.h"() ({
  "t.i"() : () -> ()
}) : () -> x
"t.j"() : ) -> ()
"#;
    says(
        text,
        &[
            "2:10 expected `,` or `)` behind an operand, found `:`",
            "3:26 expected an attribute, found `}`",
            "5:16 expected an attribute, found `q`",
            "9:7 use of value `%2` expects different type than its definition: `i2` vs `i1`",
            "12:12 expected a type, found `x`",
            "13:11 expected a type, found `)`",
        ],
    );
}

#[test]
fn deep_nesting_costs_no_stack() {
    let context = crate::definitions::context();
    let nested = |depth: usize| ["\"t.a\"()({".repeat(depth), "}):()->()".repeat(depth)].concat();
    let module = parse(&context, &nested(100_000));
    print_module(&module, &PrintOptions::new(), &mut std::io::sink()).unwrap();
    let module = parse(&context, &nested(50_000));
    let printed = print(&module, false);
    assert!(printed.len() < 50_000 * 2 * 230, "indentation grows without end");
    assert_eq!(parse(&context, &printed).top().unwrap().operation_count(), 50_000);
    // Bodies within bodies.
    const BODIES: usize = 50_000;
    let text = ["module {".repeat(BODIES), "}".repeat(BODIES)].concat();
    let module = parse(&context, &text);
    assert_eq!(module.body_count(), BODIES + 1);
    assert!(print(&module, true).len() > BODIES);
    // Operands at each level, and no end.
    let text = ["\"t.a\"(%x)({".repeat(100_000), String::new()].concat();
    assert!(parse_module(&context, text.as_bytes(), &ParseOptions::new()).is_err());
}

#[test]
fn large_numbers_take_little_room() {
    let context = crate::definitions::context();
    let text = "%4000000000 = \"t.a\"() : () -> i1\n\"t.b\"(%4000000000) : (i1) -> () loc(#loc4000000000)\n\
                #loc4000000000 = loc(\"f\":4294967295:4294967295)\n";
    assert!(print(&parse(&context, text), true).contains("loc(\"f\":4294967295:4294967295)"));
}

#[test]
fn a_successor_in_another_region_has_no_label_that_reads_back() {
    let text = "func.func @f() {\n  \"t.a\"() ({\n    cf.br ^bb1\n  ^bb1:\n    cf.br ^bb2\n  ^bb2:\n    \"t.end\"() : () -> ()\n  }, {\n    \
                cf.br ^bb1\n  ^bb1:\n    \"t.end\"() : () -> ()\n  }) : () -> ()\n  cf.br ^bb1\n^bb1:\n  return\n}\n";
    let mut tried = 0;
    for (number, other) in (0..4).flat_map(|number| (0..7).map(move |other| (number, other))) {
        let context = crate::definitions::context();
        let mut module = parse(&context, text);
        let (mut jumps, mut blocks) = (Vec::new(), Vec::new());
        let (id, body) = module.bodies().nth(1).expect("the body of the function");
        for block in (0..body.block_count()).map(mlirbc_ir::BlockId::from_index) {
            blocks.push(block);
            jumps.extend(body.operations(block).filter(|&op| body.successors(op).len() == 1));
        }
        assert_eq!((jumps.len(), blocks.len()), (4, 7));
        let (jump, block) = (jumps[number], blocks[other]);
        let is_near = body.block_of(jump).and_then(|own| body.region_of(own)) == body.region_of(block);
        module.rewrite(id, |rw| rw.set_successor(jump, 0, block)).expect("a block of the body");
        for generic in [true, false] {
            let mut printed = Vec::new();
            print_module(&module, &PrintOptions::new().generic(generic), &mut printed).expect("text");
            let printed = String::from_utf8(printed).expect("text");
            assert_eq!(!printed.contains("^INVALIDBLOCK"), is_near, "{printed}");
            let again = parse_module(&context, printed.as_bytes(), &ParseOptions::new());
            assert_eq!(again.is_ok(), is_near, "{printed}");
            tried += usize::from(!is_near);
        }
    }
    assert!(tried > 30, "{tried} successors in another region");
}
