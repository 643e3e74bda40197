//! What does not end, and what nobody knows.

use mlirbc_ir::{Result, Type};
use mlirbc_rewrite::{AnyPattern, Greedy, Match, NoMatch, Outcome, Patterns, Pipeline, RunOptions, passes};
use mlirbc_text::{ParseOptions, parse_module};

use super::generic;

/// Runs these patterns on a module of two operations.
fn greedy(patterns: Patterns) -> Result<()> {
    run(Greedy::new(patterns), "\"toy.a\"() : () -> ()\n \"toy.b\"() : () -> ()")
}

fn run(greedy: Greedy, text: &str) -> Result<()> {
    let options = ParseOptions::new().implicit_module(true);
    let mut module = parse_module(&super::context(), text.as_bytes(), &options).expect("it parses");
    let pipeline = Pipeline::new().pass(greedy);
    pipeline.run_with(&mut module, RunOptions::new().verify_each(false)).map(drop)
}

fn becomes(rw: &mut mlirbc_ir::Rewriter<'_>, op: mlirbc_ir::OpId, to: &str) -> Outcome {
    let made = rw.build(to).create()?;
    Ok(rw.replace_with(op, made)?)
}

#[test]
fn a_pattern_that_does_not_end_is_named() {
    let again = AnyPattern::new("Again", |rw, op| becomes(rw, op, "toy.a"));
    let message = greedy(Patterns::new().on("toy.a", again)).expect_err("it does not end").to_string();
    assert!(message.contains("the pass `greedy` failed: the pattern `Again` is applied again and again"), "{message}");
    let there = AnyPattern::new("There", |rw, op| becomes(rw, op, "toy.b"));
    let back = AnyPattern::new("Back", |rw, op| becomes(rw, op, "toy.a"));
    let circle = Patterns::new().on("toy.a", there).on("toy.b", back);
    let message = greedy(circle).expect_err("it does not end").to_string();
    assert!(message.contains("`There`") || message.contains("`Back`"), "{message}");
    let ends = AnyPattern::new("Ends", |rw, op| becomes(rw, op, "toy.b"));
    greedy(Patterns::new().on("toy.a", ends)).expect("it ends");
}

#[test]
fn a_pattern_that_does_not_end_in_any_number_of_rounds_is_named() {
    let text = "\"toy.a\"() : () -> ()\n \"toy.b\"() : () -> ()";
    let wrong = |greedy: Greedy, text: &str, name: &str| {
        let message = run(greedy.clone().max_iterations(-1), text).expect_err("it does not end").to_string();
        assert!(message.contains(&format!("the pattern `{name}` is applied again and again: ")), "{message}");
        assert!(message.contains("rounds"), "{message}");
        run(greedy.max_iterations(20), text).expect("it stops after 20 rounds");
    };
    // It changes nothing, and says that it does.
    let idle = || AnyPattern::new("Idle", |_, _| Ok(()));
    wrong(Greedy::new(Patterns::new().on("toy.a", idle())), text, "Idle");
    wrong(Greedy::new(Patterns::new().on_any(idle())), text, "Idle");
    // Each round ends before it is seen that this one does not.
    let again = || Patterns::new().on("toy.a", AnyPattern::new("Again", |rw, op| becomes(rw, op, "toy.a")));
    wrong(Greedy::new(again()).max_rewrites(1), text, "Again");
    wrong(Greedy::new(again()).max_rewrites(7), text, "Again");
    // What it makes is erased where regions are simplified.
    let block = AnyPattern::new("Block", |rw, op| {
        let block = rw.body().block_of(op).and_then(|block| rw.body().region_of(block));
        let region = block.ok_or(NoMatch::Reason("it stands nowhere"))?;
        if rw.body().blocks(region).count() > 1 {
            return rw.no_match("there is one already");
        }
        rw.create_block(region, None, [] as [Type; 0])?;
        Ok(())
    });
    let function = "func.func @f() {\n \"toy.a\"() : () -> ()\n return\n}";
    wrong(Greedy::new(Patterns::new().on("toy.a", block)), function, "Block");
}

#[test]
fn many_rounds_are_none_too_many() {
    // So many rewrites, one a round.
    let count = 2_000;
    let text = "\"toy.a\"() : () -> ()\n".repeat(count);
    let ends = AnyPattern::new("Ends", |rw, op| becomes(rw, op, "toy.b"));
    let greedy = Greedy::new(Patterns::new().on("toy.a", ends)).max_iterations(-1).max_rewrites(1);
    run(greedy, &text).expect("it ends");
}

#[test]
fn what_nobody_knows_is_left_alone() {
    // Without uses, with constants for operands, twice the same, behind a return, in regions and in symbols.
    let text = r#"
        func.func @f(%a: i32) -> i32 {
          %c = arith.constant 1 : i32
          %0 = "nobody.knows"(%c, %a) {folded = false} : (i32, i32) -> i32
          %1 = "nobody.knows"(%c, %a) {folded = false} : (i32, i32) -> i32
          "nobody.holds"() ({
            %2 = "nobody.knows"(%c, %c) : (i32, i32) -> i32
            "nobody.ends"() : () -> ()
          }, {
          }) : () -> ()
          %3 = "nobody.makes"() : () -> !nobody.type
          return %a : i32
        }
        "nobody.symbol"() {sym_name = "s", sym_visibility = "private"} : () -> ()"#;
    let options = ParseOptions::new().implicit_module(true);
    let mut known = 0;
    for pass in passes::registry().passes() {
        let mut module = parse_module(&super::context(), text.as_bytes(), &options).expect("it parses");
        let counted = |text: &str| ["knows", "holds", "ends", "makes", "symbol"].map(|name| text.matches(name).count());
        let before = counted(&generic(&module));
        assert_eq!(before, [3, 1, 1, 1, 1]);
        let pipeline = format!("builtin.module({})", pass.name);
        let pipeline = Pipeline::parse(&pipeline, &passes::registry()).expect("a pipeline");
        let mut printed = Vec::new();
        pipeline.run_with(&mut module, RunOptions::new().output(&mut printed)).expect("it runs");
        assert_eq!(counted(&generic(&module)), before, "{}", pass.name);
        known += 1;
    }
    assert!(known >= 9, "{known} passes");
}
