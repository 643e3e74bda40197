//! The dialect through text and bytecode, at both of its versions. Beside that: [`drawing`], what the hooks of single operations do,
//! and [`hooks`], that there are no others.

mod drawing;
mod hooks;

use std::sync::Arc;

use mlirbc::bytecode::{WriteOptions, decode_all, read, upgrade, write, write_with_losses};
use mlirbc::ir::interfaces::{is_pure, is_speculatable};
use mlirbc::ir::text::{parse_attribute, parse_type};
use mlirbc::ir::verify::verify_module;
use mlirbc::ir::{CompareOptions, compare};
use mlirbc::rewrite::Pipeline;
use mlirbc::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc::{Context, ErrorKind, Module, OpRef};
use mlirbc_toy::{Canvas, Cost, Version, colour, register, register_version};

/// Every operation, in custom assembly.
const TEXT: &str = "\
#colour = #toy.colour<red = 1, green = 2, blue = 3>
func.func @f(%arg0: !toy.canvas<640>, %arg1: !toy.canvas<640>) -> !toy.canvas<640> {
  %mixed = toy.mix %arg0 with %arg1 : !toy.canvas<640>
  toy.frame %mixed : !toy.canvas<640> {
    %mixed_0 = toy.mix %mixed with %arg1 : !toy.canvas<640>
  }
  %0 = toy.paint %mixed in #colour at 50 : !toy.canvas<640>
  return %0 : !toy.canvas<640>
}
";

fn context(version: u64) -> Context {
    let context = Context::new();
    register_version(&context, Version(version)).expect("registered once");
    context
}

fn parse(context: &Context, text: &str) -> Module {
    parse_module(context, text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn print(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(false), &mut text).expect("a module to print");
    String::from_utf8(text).expect("text")
}

/// As the printer gives it: an empty line ends a module.
fn printed(text: &str) -> String {
    format!("{text}\n")
}

fn wrong(module: &Module) -> Vec<String> {
    let mut found = Vec::new();
    verify_module(module, &mut |error| found.push(error.to_string())).expect("a module that can be decoded");
    found
}

/// What passes make of a module.
fn run(context: &Context, text: &str, passes: &str) -> String {
    let mut module = parse(context, text);
    assert_eq!(wrong(&module), Vec::<String>::new());
    let pipeline = Pipeline::parse(passes, &mlirbc::opt::registry()).expect("a pipeline");
    pipeline.run(&mut module).expect("it runs");
    print(&module)
}

fn ops<'m>(module: &'m Module, name: &str) -> Vec<OpRef<'m>> {
    let all = module.operations().expect("operations").flat_map(|op| op.walk().expect("bodies"));
    all.filter(|op| op.name() == name).collect()
}

#[test]
fn text_comes_back_the_same() {
    let context = context(2);
    let module = parse(&context, TEXT);
    assert_eq!(wrong(&module), Vec::<String>::new());
    assert_eq!(print(&module), printed(TEXT));
    assert_eq!(print(&parse(&context, &print(&module))), printed(TEXT));
    // The type that the text of `toy.paint` leaves out.
    let paint = ops(&module, "toy.paint")[0];
    let result = paint.results().next().expect("a result");
    assert_eq!(paint.type_of(result).expect("decoded"), Canvas::new(&context, 640).into());
}

#[test]
fn types_that_a_builder_is_not_given_are_found_by_the_dialect() {
    let context = context(2);
    let mut module = parse(&context, TEXT);
    let paint = ops(&module, "toy.paint")[0];
    let (body, paint) = (paint.body_id(), paint.id());
    let ty = module.rewrite(body, |rw| {
        let on = rw.body().operands(paint)[0];
        rw.set_insertion_point_after(paint)?;
        let colour = colour(&context, [1, 2, 3]);
        let opacity = context.integer(32, 7);
        let built = rw.build("toy.paint").operands([on]).attribute("colour", colour).attribute("opacity", opacity);
        let built = built.create()?;
        rw.op(built).type_of(rw.result(built, 0)?)
    });
    assert_eq!(ty.expect("built"), Canvas::new(&context, 640).into());
    assert_eq!(wrong(&module), Vec::<String>::new());
}

#[test]
fn attributes_and_types_are_checked() {
    let context = context(2);
    assert_eq!(parse_type(&context, b"!toy.canvas<640>").expect("a type"), Canvas::new(&context, 640).into());
    let read = parse_attribute(&context, b"#toy.colour<blue = 3, red = 1, green = 2>").expect("an attribute");
    assert_eq!(read, colour(&context, [1, 2, 3]));
    for text in ["#toy.colour<red = 256, green = 0, blue = 0>", "#toy.colour<red = 1>"] {
        assert!(parse_attribute(&context, text.as_bytes()).is_err(), "{text}");
    }
    assert!(parse_type(&context, b"!toy.canvas<4294967296>").is_err());
    let narrow = Canvas::of(&context, Canvas::new(&context, 7).into()).expect("a canvas");
    assert_eq!(narrow.width(&context), 7);
    assert_eq!(Canvas::of(&context, context.integer_type(32)), None);
}

#[test]
fn what_custom_assembly_cannot_say_is_generic() {
    let context = context(2);
    let text = "func.func @f(%a: !toy.canvas<1>, %b: !toy.canvas<2>) {\n  %0 = \"toy.mix\"(%a, %b) : (!toy.canvas<1>, \
                !toy.canvas<2>) -> !toy.canvas<1>\n  return\n}\n";
    let module = parse(&context, text);
    assert!(print(&module).contains("%mixed = \"toy.mix\"(%arg0, %arg1)"), "{}", print(&module));
    let found = wrong(&module);
    assert!(found.len() == 1 && found[0].contains("the canvases on the right are"), "{found:?}");
    let found = wrong(&parse(&context, &TEXT.replace("%arg0 with %arg1", "%arg0 with %arg0")));
    assert!(found.len() == 1 && found[0].contains("a canvas is mixed with itself"), "{found:?}");
}

#[test]
fn bytecode_of_the_current_version_comes_back_the_same() {
    let context = context(2);
    let module = parse(&context, TEXT);
    let bytes = write(&module, &WriteOptions::default()).expect("bytecode");
    let again = read(&context, bytes.clone()).expect("a module");
    decode_all(&again).expect("all of it");
    assert_eq!(compare(&module, &again, &CompareOptions::new()).expect("decoded"), []);
    assert_eq!(print(&again), printed(TEXT));
    assert_eq!(write(&again, &WriteOptions::like(&again)).expect("bytecode"), bytes);
}

#[test]
fn version_1_is_read_written_and_brought_up_to_date() {
    let context = context(2);
    let module = parse(&context, TEXT);
    let old = || WriteOptions { dialect_versions: vec![("toy".into(), Arc::new(Version(1)))], ..WriteOptions::new() };
    // Version 1 has no opacity.
    let error = write(&module, &old()).expect_err("it would be lost");
    assert_eq!(error.kind(), ErrorKind::Verification);
    assert!(error.to_string().contains("`opacity` of `toy.paint` (version 2 or newer)"), "{error}");
    let (bytes, losses) = write_with_losses(&module, &old().lossy(true)).expect("bytecode");
    assert_eq!(losses.iter().collect::<Vec<_>>(), [("`opacity` of `toy.paint` (version 2 or newer)", 1)]);

    // Read, it is what it was: it has no opacity, and goes back to the same bytes.
    let mut read_again = read(&context, bytes.clone()).expect("a module");
    decode_all(&read_again).expect("all of it");
    assert_eq!(ops(&read_again, "toy.paint")[0].attribute("opacity").expect("decoded"), None);
    assert_eq!(
        ops(&read_again, "toy.paint")[0].attribute("colour").expect("decoded"),
        Some(colour(&context, [1, 2, 3]))
    );
    assert_eq!(write(&read_again, &WriteOptions::like(&read_again)).expect("bytecode"), bytes);
    // Upgraded, it is of version 2.
    upgrade(&mut read_again).expect("an older version");
    assert_eq!(print(&read_again), printed(&TEXT.replace("at 50", "at 100")));
    let new = write(&read_again, &WriteOptions::like(&read_again)).expect("bytecode");
    assert_eq!(print(&read(&context, new).expect("a module")), print(&read_again));
}

#[test]
fn a_build_of_version_1_keeps_what_version_2_wrote() {
    let bytes = write(&parse(&context(2), TEXT), &WriteOptions::default()).expect("bytecode");
    let old = context(1);
    let module = read(&old, bytes.clone()).expect("it opens");
    assert_eq!(write(&module, &WriteOptions::like(&module)).expect("bytecode"), bytes);
}

#[test]
fn operations_are_asked_through_an_interface_of_the_dialects_own() {
    let module = parse(&context(2), TEXT);
    let cycles = |op: &OpRef<'_>| op.interface::<dyn Cost>().map(|cost| cost.cycles(*op));
    assert_eq!(ops(&module, "toy.mix").iter().map(cycles).collect::<Vec<_>>(), [Some(6), Some(6)]);
    assert_eq!(ops(&module, "toy.paint").iter().map(cycles).collect::<Vec<_>>(), [Some(100)]);
    assert_eq!(ops(&module, "toy.frame").iter().map(cycles).collect::<Vec<_>>(), [None]);
}

#[test]
fn a_hook_says_what_may_move() {
    for (opacity, moves) in [("50", true), ("0", false)] {
        let module = parse(&context(2), &TEXT.replace("at 50", &format!("at {opacity}")));
        let paint = ops(&module, "toy.paint")[0];
        assert_eq!(is_speculatable(paint).expect("decoded"), moves, "{opacity}");
        assert_eq!(is_pure(paint).expect("decoded"), moves, "{opacity}");
        // Of these nothing says so.
        assert!(ops(&module, "toy.mix").iter().all(|&mix| !is_speculatable(mix).expect("decoded")));
    }
}

#[test]
fn a_second_registration_is_an_error() {
    let context = context(2);
    assert_eq!(register(&context).map_err(|error| error.kind()), Err(ErrorKind::Misuse));
}

#[test]
fn canonicalisation_folds_and_rewrites() {
    let context = context(2);
    let text = "\
#colour = #toy.colour<red = 1, green = 2, blue = 3>
func.func @f(%arg0: !toy.canvas<640>, %arg1: !toy.canvas<640>) -> !toy.canvas<640> {
  %mixed = toy.mix %arg0 with %arg1 : !toy.canvas<640>
  %mixed_0 = toy.mix %mixed with %arg1 : !toy.canvas<640>
  %0 = toy.paint %mixed_0 in #colour at 50 : !toy.canvas<640>
  %1 = toy.paint %0 in #colour at 100 : !toy.canvas<640>
  return %1 : !toy.canvas<640>
}
";
    let wanted = "\
#colour = #toy.colour<red = 1, green = 2, blue = 3>
func.func @f(%arg0: !toy.canvas<640>, %arg1: !toy.canvas<640>) -> !toy.canvas<640> {
  %mixed = toy.mix %arg0 with %arg1 : !toy.canvas<640>
  %0 = toy.paint %mixed in #colour at 100 : !toy.canvas<640>
  return %0 : !toy.canvas<640>
}
";
    assert_eq!(run(&context, text, "func.func(canonicalize)"), printed(wanted));
}
