//! What the hooks of single operations do.

use mlirbc::bytecode::{WriteOptions, read, write};
use mlirbc::ir::interfaces::{
    Call, Callable, Callee, MemoryEffect, is_trivially_dead, memory_effects, successor_operands,
};
use mlirbc::ir::ods::{CppClasses, Effect, OpDef, OpTable, Predicate, TermClass, TypeConstraint};
use mlirbc::ir::text::parse_attribute;
use mlirbc_toy::{Canvas, Palette};

use super::{context, ops, parse, print, printed, run, wrong};

/// Every operation that `TEXT` has not.
const DRAWING: &str = "\
#colour = #toy.colour<red = 255, green = 0, blue = 0>
#colour1 = #toy.colour<red = 1, green = 2, blue = 3>
module attributes {test.signed = [#toy.curve<1 -> 2 -> 5>]} {
  toy.sketch @twice(%sheet: !toy.canvas<8>) -> !toy.canvas<8> attributes {toy.signed} {
    %red = blank #colour as !toy.canvas<8>
    %0 = blank #colour1 as !toy.canvas<8>
    %1 = draw @once(%sheet) : (!toy.canvas<8>) -> !toy.canvas<8>
    %2 = draw dotted @once(%red) : (!toy.canvas<8>) -> !toy.canvas<8>
    %mixed = mix %1 with %2 : !toy.canvas<8>
    done %mixed : !toy.canvas<8>
  }
  toy.sketch private @once(!toy.canvas<8>) -> !toy.canvas<8>
  toy.animation @walk : (!toy.canvas<8>) -> () {
  ^bb0(%arg0: !toy.canvas<8>, %arg1: i32):
    toy.done
  }
  func.func @marks(%arg0: !toy.canvas<8>, %arg1: i32) -> !toy.canvas<8> {
    toy.label %arg0, \"here\" copies 2 : !toy.canvas<8>
    toy.label %arg0, \"there\" size 9 title \"far\" copies 1 angle 90 : !toy.canvas<8>
    toy.move %arg0 by %arg1, %arg1 : !toy.canvas<8>, i32, i32
    toy.hang %arg0 : !toy.canvas<8>
    toy.wipe %arg0 : !toy.canvas<8>
    toy.wipe dry %arg0 : !toy.canvas<8>
    \"toy.stamp\"(%arg0) <{motif = \"a star\"}> : (!toy.canvas<8>) -> ()
    toy.sticker_7 on %arg0 : !toy.canvas<8>
    %0 = toy.layer : (!toy.canvas<8>) {
      toy.keep %arg1 of %arg0 : !toy.canvas<8>
    }
    toy.album {
      toy.wipe %0 : !toy.canvas<8>
    }, {
      toy.wipe %arg0 : !toy.canvas<8>
    }
    toy.scene {
      toy.pin %arg0 : !toy.canvas<8>
    }
    toy.easel loose {
      toy.wipe %arg0 : !toy.canvas<8>
    } dry {
      toy.wipe %arg0 : !toy.canvas<8>
    }
    return %0 : !toy.canvas<8>
  }
  func.func @paths(%arg0: i1, %arg1: i32) {
    toy.toss %arg0, ^bb1, ^bb1 show %arg1 : i32
  ^bb1(%0: i32):  // 4 preds: ^bb0, ^bb0, ^bb2, ^bb2
    toy.wander(^bb2, ^bb3)
  ^bb2:  // pred: ^bb1
    toy.toss %arg0, ^bb1, ^bb1 show %0 : i32
  ^bb3:  // pred: ^bb1
    return
  }
  toy.gallery {
    %red = toy.blank #colour as !toy.canvas<8>
    toy.wipe %red : !toy.canvas<8>
  }
}
";

/// In a function with two canvases.
fn function(body: &str) -> String {
    format!("func.func @f(%a: !toy.canvas<8>, %b: !toy.canvas<8>) {{\n{body}\n  return\n}}\n")
}

/// What is wrong with a module, if it is one thing.
fn one_wrong(text: &str) -> String {
    let found = wrong(&parse(&context(2), text));
    assert_eq!(found.len(), 1, "{text}\n{found:?}");
    found.into_iter().next().unwrap_or_default()
}

#[test]
fn every_operation_comes_back_from_text_and_bytecode() {
    let context = context(2);
    let module = parse(&context, DRAWING);
    assert_eq!(wrong(&module), Vec::<String>::new());
    assert_eq!(print(&module), printed(DRAWING));
    let bytes = write(&module, &WriteOptions::default()).expect("bytecode");
    let again = read(&context, bytes.clone()).expect("a module");
    assert_eq!(print(&again), printed(DRAWING));
    assert_eq!(write(&again, &WriteOptions::like(&again)).expect("bytecode"), bytes);
    // The motif of a stamp is among the properties, as the dialect writes it: a length, and the bytes.
    let motif = [&[(6 << 1) | 1][..], b"a star"].concat();
    assert!(bytes.windows(motif.len()).any(|part| part == motif));
}

#[test]
fn a_text_with_code_behind_it_is_checked() {
    let context = context(2);
    for (text, is_right) in [
        ("#toy.curve<1 -> 2>", true),
        ("#toy.curve<2>", true),
        ("#toy.curve<2 -> 2>", false),
        ("#toy.curve<2 -> >", false),
        ("#toy.curve<a>", false),
    ] {
        assert_eq!(parse_attribute(&context, text.as_bytes()).is_ok(), is_right, "{text}");
    }
}

#[test]
fn discardable_attributes_are_checked() {
    let text = |attribute: &str| function(&format!("  toy.wipe %a {{{attribute}}} : !toy.canvas<8>"));
    assert!(one_wrong(&text("toy.signed")).contains("`toy.signed` is for functions"));
    assert!(one_wrong(&text("toy.sined")).contains("toy has no attribute"), "{}", one_wrong(&text("toy.sined")));
    let signed = "func.func private @f() attributes {toy.signed}\n";
    assert_eq!(wrong(&parse(&context(2), signed)), Vec::<String>::new());
}

#[test]
fn what_holds_of_all_operations_is_checked() {
    let empty = "func.func @f(%a: !toy.canvas<0>) {\n  toy.wipe %a : !toy.canvas<0>\n  return\n}\n";
    assert!(one_wrong(empty).contains("there is nothing to draw on"));
    let hollow = function("  \"toy.scene\"() ({\n  ^bb0:\n  }) : () -> ()");
    assert!(one_wrong(&hollow).contains("it holds nothing"));
}

#[test]
fn single_operations_are_checked() {
    let kept = function("  %c = arith.constant 1 : i32\n  %0 = toy.layer : (i1) {\n    toy.keep %c of %c : i32\n  }");
    assert!(one_wrong(&kept).contains("value 0 is of type i32, and not i1"), "{}", one_wrong(&kept));
    let twice =
        "  %c = arith.constant 1 : i32\n  %0:2 = toy.layer : (i32, i32) {\n    toy.keep %c of %c, %c : i32, i32\n  }";
    assert!(one_wrong(&function(twice)).contains("kept twice"), "{}", one_wrong(&function(twice)));
    let angle = function("  toy.label %a, \"text\" copies 1 angle 360 : !toy.canvas<8>");
    assert!(one_wrong(&angle).contains("angle"), "{}", one_wrong(&angle));
    // Whether a pin is in a scene can be told up to the next symbol table.
    let pinned = |holder: &str| {
        let canvas = "%c = toy.blank #toy.torn as !toy.canvas<8>";
        format!("toy.gallery {{\n  toy.{holder} {{\n  {canvas}\n  toy.pin %c : !toy.canvas<8>\n  }}\n}}\n")
    };
    assert_eq!(wrong(&parse(&context(2), &pinned("scene"))), Vec::<String>::new());
    assert!(!one_wrong(&pinned("gallery")).is_empty());
    let returned = "toy.sketch @s(%a: !toy.canvas<8>) -> !toy.canvas<9> {\n  done %a : !toy.canvas<8>\n}\n";
    assert!(one_wrong(returned).contains("the returned values"), "{}", one_wrong(returned));
    // Only the toy's own code tells how wide a canvas is.
    let hung = |ty: &str| format!("func.func @f(%a: {ty}) {{\n  toy.hang %a : {ty}\n  return\n}}\n");
    assert_eq!(wrong(&parse(&context(2), &hung("!toy.canvas<9>"))), Vec::<String>::new());
    for narrow in ["!toy.canvas<7>", "i32"] {
        assert!(
            one_wrong(&hung(narrow)).contains("a canvas that is wide enough to hang"),
            "{}",
            one_wrong(&hung(narrow))
        );
    }
    let home = function("  toy.done");
    assert!(one_wrong(&home).contains("toy.sketch"), "{}", one_wrong(&home));
}

#[test]
fn what_tells_types_in_the_dialect_leaves_the_types_of_others_to_them() {
    // `llvm`, whose own code tells its types, has not been met by then.
    let context = context(2);
    context.extend("toy", |toy| {
        let told = |function: &str| TermClass::Told { function: function.into(), what: "told".into() };
        let taken = TypeConstraint::new("Compatible", Predicate::is(told("isCompatibleOuterType")));
        let lower = OpDef::builder("toy.lower").operand("on", &taken).finish().expect("a definition");
        toy.ops(OpTable::from_definitions([lower]))
    });
    let lowered = |ty: &str| {
        let text = format!("func.func @f(%a: {ty}) {{\n  \"toy.lower\"(%a) : ({ty}) -> ()\n  return\n}}\n");
        wrong(&parse(&context, &text)).len()
    };
    assert_eq!([lowered("i32"), lowered("index"), lowered("tensor<4xf32>")], [0, 1, 1]);
}

#[test]
fn how_far_is_of_one_width_with_a_sign_or_without() {
    let moved = |right: &str, down: &str| {
        let types = format!("!toy.canvas<8>, {right}, {down}");
        let taken = format!("%a: !toy.canvas<8>, %x: {right}, %y: {down}");
        format!("func.func @f({taken}) {{\n  toy.move %a by %x, %y : {types}\n  return\n}}\n")
    };
    for (right, down) in [("i32", "i32"), ("si32", "ui32"), ("vector<2xsi8>", "vector<2xi8>")] {
        assert_eq!(wrong(&parse(&context(2), &moved(right, down))), Vec::<String>::new());
    }
    for (right, down) in [("si32", "ui16"), ("i32", "f32")] {
        one_wrong(&moved(right, down));
    }
}

#[test]
fn symbols_that_are_used_are_checked() {
    let call = |callee: &str, ty: &str| {
        let drawn = format!("  %0 = toy.draw @{callee}(%a) : (!toy.canvas<8>) -> {ty}");
        let sketch = "toy.sketch private @s(!toy.canvas<8>) -> !toy.canvas<8>";
        format!("module {{\n{}{sketch}\n}}\n", function(&drawn))
    };
    assert_eq!(wrong(&parse(&context(2), &call("s", "!toy.canvas<8>"))), Vec::<String>::new());
    assert!(one_wrong(&call("nowhere", "!toy.canvas<8>")).contains("`callee` is not defined"));
    assert!(one_wrong(&call("f", "!toy.canvas<8>")).contains("`callee` names `func.func`, not `toy.sketch`"));
    assert!(one_wrong(&call("s", "!toy.canvas<9>")).contains("the results of the call"));
}

#[test]
fn the_body_of_an_animation_alone_may_take_more_than_its_type_says() {
    let function = |name: &str| {
        format!(
            "\"toy.{name}\"() <{{function_type = () -> (), sym_name = \"f\"}}> ({{\n^bb0(%n: i32):\n  \"toy.done\"() : () -> ()\n}}) : () -> ()\n"
        )
    };
    assert_eq!(wrong(&parse(&context(2), &function("animation"))), Vec::<String>::new());
    assert!(one_wrong(&function("sketch")).contains("argument"), "{}", one_wrong(&function("sketch")));
}

#[test]
fn regions_are_graphs_where_the_dialect_says_so() {
    let before = "  %m = toy.mix %later with %a : !toy.canvas<8>\n  %later = toy.blank #toy.torn as !toy.canvas<8>";
    let after = "  toy.wipe %a : !toy.canvas<8>";
    let easel = |loose: &str, dry: &str| function(&format!("toy.easel loose {{\n{loose}\n}} dry {{\n{dry}\n}}"));
    assert_eq!(wrong(&parse(&context(2), &easel(before, after))), Vec::<String>::new());
    assert!(one_wrong(&easel(after, before)).contains("dominate"), "{}", one_wrong(&easel(after, before)));
    assert_eq!(wrong(&parse(&context(2), &function(&format!("toy.scene {{\n{before}\n}}")))), Vec::<String>::new());
}

#[test]
fn what_cannot_be_seen_is_erased() {
    let module = parse(&context(2), DRAWING);
    let dead: Vec<bool> =
        ops(&module, "toy.wipe").into_iter().map(|op| is_trivially_dead(op).expect("decoded")).collect();
    assert_eq!(dead.iter().filter(|dead| **dead).count(), 1, "{dead:?}");
    // A label writes to what it stands on, by its definition.
    let label = ops(&module, "toy.label")[0];
    let write = MemoryEffect { effect: Effect::Write, value: label.operand("on").expect("decoded") };
    assert_eq!(memory_effects(label).expect("decoded"), Some(vec![write]));
    let text = function("  toy.wipe dry %a : !toy.canvas<8>\n  toy.wipe %b : !toy.canvas<8>");
    let left = run(&context(2), &text, "func.func(canonicalize)");
    assert!(left.contains("toy.wipe %arg1") && !left.contains("dry"), "{left}");
}

#[test]
fn constants_are_folded_and_made() {
    let text = "\
func.func @f(%a: !toy.canvas<8>) -> (!toy.canvas<8>, !toy.canvas<8>) {
  %blank = toy.blank #toy.colour<red = 1, green = 1, blue = 1> as !toy.canvas<8>
  %red = toy.paint %blank in #toy.colour<red = 255, green = 0, blue = 0> at 100 : !toy.canvas<8>
  %torn = toy.blank #toy.torn as !toy.canvas<8>
  %mixed = toy.mix %a with %torn : !toy.canvas<8>
  return %red, %mixed : !toy.canvas<8>, !toy.canvas<8>
}
";
    let wanted = "\
#colour = #toy.colour<red = 255, green = 0, blue = 0>
func.func @f(%arg0: !toy.canvas<8>) -> (!toy.canvas<8>, !toy.canvas<8>) {
  %red = toy.blank #colour as !toy.canvas<8>
  %0 = toy.blank #toy.torn as !toy.canvas<8>
  return %red, %0 : !toy.canvas<8>, !toy.canvas<8>
}
";
    assert_eq!(run(&context(2), text, "func.func(canonicalize)"), printed(wanted));
}

#[test]
fn calls_are_inlined_but_those_in_dotted_lines() {
    let text = "\
module {
  toy.sketch @f(%sheet: !toy.canvas<8>) -> !toy.canvas<8> {
    %0 = draw @mixed(%sheet, %sheet) : (!toy.canvas<8>, !toy.canvas<8>) -> !toy.canvas<8>
    %1 = draw dotted @mixed(%0, %sheet) : (!toy.canvas<8>, !toy.canvas<8>) -> !toy.canvas<8>
    done %1 : !toy.canvas<8>
  }
  toy.sketch @mixed(%a: !toy.canvas<8>, %b: !toy.canvas<8>) -> !toy.canvas<8> {
    wipe %b : !toy.canvas<8>
    cf.br ^bb1(%a : !toy.canvas<8>)
  ^bb1(%0: !toy.canvas<8>):
    done %0 : !toy.canvas<8>
  }
}
";
    let wanted = "\
module {
  toy.sketch @f(%sheet: !toy.canvas<8>) -> !toy.canvas<8> {
    wipe %sheet : !toy.canvas<8>
    cf.br ^bb1(%sheet : !toy.canvas<8>)
  ^bb1(%0: !toy.canvas<8>):  // pred: ^bb0
    cf.br ^bb2(%0 : !toy.canvas<8>)
  ^bb2(%1: !toy.canvas<8>):  // pred: ^bb1
    %2 = draw dotted @mixed(%1, %sheet) : (!toy.canvas<8>, !toy.canvas<8>) -> !toy.canvas<8>
    done %2 : !toy.canvas<8>
  }
  toy.sketch @mixed(%sheet: !toy.canvas<8>, %sheet_0: !toy.canvas<8>) -> !toy.canvas<8> {
    wipe %sheet_0 : !toy.canvas<8>
    cf.br ^bb1(%sheet : !toy.canvas<8>)
  ^bb1(%0: !toy.canvas<8>):  // pred: ^bb0
    done %0 : !toy.canvas<8>
  }
}
";
    assert_eq!(run(&context(2), text, "builtin.module(inline{default-pipeline=''})"), printed(wanted));
}

#[test]
fn constants_go_the_ways_that_are_taken() {
    let text = "\
func.func @f(%a: i32) -> (i32, i32) {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %kept = toy.layer : (i32) {
    toy.keep %c2 of %c1 : i32
  }
  toy.toss %true, ^bb1, ^bb2
^bb1:
  toy.toss %true, ^bb3, ^bb3 show %c1 : i32
^bb2:
  cf.br ^bb3(%c2 : i32)
^bb3(%0: i32):
  return %kept, %0 : i32, i32
}
";
    let found = run(&context(2), text, "func.func(sccp)");
    assert!(found.contains("return %c1_i32, %c1_i32 : i32, i32"), "{found}");
}

#[test]
fn branches_and_calls_say_what_they_hand_over() {
    let module = parse(&context(2), DRAWING);
    let toss = ops(&module, "toy.toss")[0];
    let handed = successor_operands(toss, 1).expect("decoded").expect("known");
    assert_eq!((handed.produced, handed.forwarded), (0, 1..2));
    let draw = ops(&module, "toy.draw")[0];
    let call = draw.interface::<dyn Call>().expect("a call");
    assert!(matches!(call.callee(draw), Ok(Some(Callee::Symbol(_)))));
    assert_eq!(call.arguments(draw).expect("decoded"), draw.operands());
    let [twice, once] = ops(&module, "toy.sketch")[..] else { panic!("two sketches") };
    let callable = twice.interface::<dyn Callable>().expect("callable");
    let canvas = Canvas::new(module.context(), 8).into();
    assert_eq!(callable.signature(once).expect("decoded"), Some((vec![canvas], vec![canvas])));
    assert_eq!([callable.body(twice), callable.body(once)].map(Result::unwrap), [Some(0), None]);
}

#[test]
fn what_is_attached_by_type_is_found_by_type() {
    let context = context(2);
    let palette = Palette::of(&context).expect("a palette");
    assert_eq!([palette.name([255, 0, 0]), palette.name([1, 2, 3])], [Some("red"), None]);
    let classes = context.dialect("toy").and_then(|toy| toy.get::<CppClasses>()).expect("classes");
    let blank = context.operation_name("toy.blank", true);
    let traits = &context.definition(blank).expect("a definition").details().other_traits;
    assert_eq!(*traits, ["toy::Drawable"]);
    let wanted = CppClasses::new().ty("toy::CanvasType", "canvas").attribute("toy::ColourAttr", "colour");
    assert_eq!(*classes, wanted.function("isWideCanvas", "a canvas that is wide enough to hang"));
}
