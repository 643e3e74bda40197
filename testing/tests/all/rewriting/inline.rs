//! Bodies of functions in the place of calls.

use mlirbc_ir::{Module, OpRef, Result, ValueMap};
use mlirbc_rewrite::{Pipeline, passes};
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

use super::{by_us, context, differences};

const PIPELINE: &str = "builtin.module(inline)";

const FUNCTIONS: &str = include_str!("inline.mlir");

const SPIRV: &str = include_str!("inline_spirv.mlir");

/// Pipelines of which each inlines otherwise.
const PIPELINES: [&str; 7] = [
    PIPELINE,
    "builtin.module(inline{default-pipeline=})",
    "builtin.module(inline{default-pipeline=cse,canonicalize max-iterations=1})",
    "builtin.module(inline{inlining-threshold=100})",
    "builtin.module(inline{inlining-threshold=0})",
    "builtin.module(inline{op-pipelines=func.func(cse) default-pipeline=})",
    "builtin.module(builtin.module(inline),inline)",
];

#[test]
fn calls_are_inlined_as_mlir_opt_inlines_them() {
    if !tool("mlir-opt-22", "inlined calls were not compared with those of mlir-opt") {
        return;
    }
    for pipeline in PIPELINES {
        if let Some((theirs, ours)) = differences(FUNCTIONS, pipeline).first() {
            panic!("{pipeline}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
        }
    }
    let pipeline = "builtin.module(spirv.module(inline))";
    if let Some((theirs, ours)) = differences(SPIRV, pipeline).first() {
        panic!("{pipeline}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
}

/// What is left of a function.
fn function<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let start = text.find(&format!("sym_name = \"{name}\""))?;
    text[start..].split("\"func.func\"").next()
}

#[test]
fn what_nothing_calls_any_more_is_erased() {
    let text = by_us(FUNCTIONS, PIPELINE);
    for erased in ["a", "looped", "two", "blocks", "nest"] {
        assert!(function(&text, erased).is_none(), "@{erased} is left:\n{text}");
    }
    // Its caller was not erased yet when it was looked at.
    assert!(function(&text, "onlydead").is_some() && function(&text, "dead1").is_none());
    // What calls itself, and what is named in other ways than by calls.
    assert!(function(&text, "rec").is_some_and(|rec| rec.contains("callee = @rec")));
    assert!(function(&text, "nest2").is_some() && function(&text, "ext").is_some());
    let swap = function(&text, "swap").expect("a public function");
    assert!(!swap.contains("func.call"), "{swap}");
}

#[test]
fn locations_say_who_called() {
    let text = "func.func private @f(%a: i32) -> i32 {
  %r = \"math.absi\"(%a) : (i32) -> i32 loc(\"inner\")
  return %r : i32
}
func.func private @g(%a: i32) -> i32 {
  %r = func.call @f(%a) : (i32) -> i32 loc(\"middle\")
  return %r : i32
}
func.func @h(%a: i32) -> i32 {
  %r = func.call @g(%a) : (i32) -> i32 loc(\"outer\")
  return %r : i32
}";
    let options = ParseOptions::new().implicit_module(true);
    let mut module = parse_module(&context(), text.as_bytes(), &options).expect("a module");
    let pipeline = Pipeline::parse(PIPELINE, &passes::registry()).expect("a pipeline");
    pipeline.run(&mut module).expect("it runs");
    let mut text = Vec::new();
    print_module(&module, &PrintOptions::new().generic(true).locations(true), &mut text).expect("it prints");
    let text = String::from_utf8(text).expect("text");
    let wanted = "callsite(\"inner\" at callsite(\"middle\" at \"outer\"))";
    assert!(text.contains(wanted) && !text.contains("func.call"), "{text}");
}

#[test]
fn calls_that_double_from_function_to_function_end() {
    let mut text = String::from(
        "func.func @f0(%a: i32) -> i32 {\n  %r = \"math.absi\"(%a) : (i32) -> i32\n  return %r : i32\n}\n",
    );
    for number in 1..60 {
        let callee = number - 1;
        text += &format!(
            "func.func @f{number}(%a: i32) -> i32 {{\n  %r = func.call @f{callee}(%a) : (i32) -> i32\n  \
             %s = func.call @f{callee}(%r) : (i32) -> i32\n  return %s : i32\n}}\n"
        );
    }
    let text = by_us(&text, "builtin.module(inline{default-pipeline=})");
    assert!(text.contains("func.call"), "some are left");
}

fn named<'m>(module: &'m Module, name: &str) -> OpRef<'m> {
    module.symbol(name).expect("it is read").expect("the function")
}

#[test]
fn a_region_of_another_body_is_copied() -> Result<()> {
    let text = "func.func @from(%a: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^one, ^two(%a : i32)
^one:
  %r = arith.addi %a, %a : i32
  cf.br ^two(%r : i32)
^two(%b: i32):
  return %b : i32
}
func.func @to(%x: i32, %d: i1) -> i32 {
  return %x : i32
}";
    let mut module = parse_module(&context(), text.as_bytes(), &ParseOptions::new().implicit_module(true))?;
    let (from, body, regions) = named(&module, "from").region_tree()?;
    let region = regions[0];
    let arguments = body.arguments(body.first_block(region).expect("a block")).to_vec();
    let (to, ..) = named(&module, "to").region_tree()?;
    module.rewrite(to, |rw| {
        let own = rw.body().top_regions()[0];
        let block = rw.body().first_block(own).expect("a block");
        let values = arguments.iter().copied().zip(rw.body().arguments(block).to_vec());
        // Without the arguments, there would be nothing that they stand for, but the copies of their own.
        let mut map = ValueMap { values: values.collect(), ..ValueMap::default() };
        let blocks = rw.clone_region_from((rw.module(), from), region, own, None, &mut map)?;
        assert_eq!(blocks.iter().map(|&block| rw.body().arguments(block).len()).collect::<Vec<_>>(), [0, 0, 1]);
        let all = rw.clone_region_from((rw.module(), from), region, own, Some(blocks[0]), &mut ValueMap::default())?;
        assert_eq!(rw.body().arguments(all[0]).len(), 2);
        let order: Vec<_> = rw.body().blocks(own).collect();
        assert_eq!(order, [&[block], &all[..], &blocks].concat());
        // The first block is never gone on to: that is no matter here.
        let sum = rw.body().first_operation(blocks[1]).expect("the sum");
        assert_eq!(rw.body().operands(sum), [rw.body().arguments(block)[0]; 2]);

        Ok(())
    })
}
