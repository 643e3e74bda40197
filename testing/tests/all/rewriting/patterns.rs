//! What patterns begin with, and the order in which they are tried.

use mlirbc_ir::interfaces::Loop;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{OpId, Rewriter};
use mlirbc_rewrite::{AnyPattern, Greedy, Match, Outcome, Pattern, Patterns, Pipeline, With, handles};
use mlirbc_text::{ParseOptions, parse_module};

use super::{context, generic};

/// A pattern that is never for anything.
fn never(name: &'static str) -> AnyPattern {
    AnyPattern::new(name, |rw, _| rw.no_match("never"))
}

/// The names of the patterns for operations of that name.
fn tried(patterns: &Patterns, operation: &str) -> Vec<&'static str> {
    let context = context();
    let patterns = patterns.of(&context, context.operation_name(operation, true));
    patterns.iter().map(|pattern| pattern.name).collect()
}

#[test]
fn patterns_are_tried_by_benefit_and_then_in_the_order_in_which_they_were_added() {
    let patterns = Patterns::new()
        .on_any(never("any"))
        .on_trait(Traits::TERMINATOR, never("terminator"))
        .on("scf.for", never("for"))
        .on_interface::<dyn Loop>(never("loop"))
        .on("scf.for", never("second for"))
        .on_any(never("high any").benefit(3))
        .on("scf.yield", never("yield"))
        .on_implementing("LoopLikeOpInterface", never("like a loop").benefit(2));
    assert_eq!(tried(&patterns, "scf.for"), ["high any", "like a loop", "for", "loop", "second for", "any"]);
    assert_eq!(tried(&patterns, "scf.yield"), ["high any", "terminator", "yield", "any"]);
    assert_eq!(tried(&patterns, "affine.for"), ["high any", "like a loop", "loop", "any"]);
    assert_eq!(tried(&patterns, "nobody.knows"), ["high any", "any"]);
    assert_eq!(tried(&Patterns::new(), "scf.for"), [""; 0]);
}

#[test]
fn another_set_stands_behind() {
    let first = Patterns::new().on("scf.for", never("for")).on_any(never("any")).on_any(never("high").benefit(2));
    let second = Patterns::new()
        .on_interface::<dyn Loop>(never("loop"))
        .on("scf.for", never("other for"))
        .on("scf.for", never("high for").benefit(2))
        .on_any(never("other any"));
    let names = tried(&first.clone().with(second.clone()), "scf.for");
    assert_eq!(names, ["high for", "high", "for", "loop", "other for", "any", "other any"]);
    let names = tried(&second.with(first), "scf.for");
    assert_eq!(names, ["high for", "high", "loop", "other for", "for", "other any", "any"]);
}

handles! {
    /// Prints what it is given, in a format.
    "test.print" Print(first, others..) {format};
}

/// Erases loops that are never entered.
struct Never;

impl Pattern for Never {
    type Root = With<dyn Loop>;

    fn rewrite(&self, op: With<dyn Loop>, rw: &mut Rewriter<'_>) -> Outcome {
        let count = op.interface(rw)?.trip_count(rw.op(op.id()))?;
        match count.is_some_and(|count| count.is_zero()) {
            true => Ok(rw.erase(op)?),
            false => rw.no_match("it may be entered"),
        }
    }
}

/// Takes notes away, whatever has them.
struct Forget;

impl Pattern for Forget {
    type Root = OpId;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Outcome {
        match rw.op(op).attribute("note")? {
            Some(_) => Ok(rw.remove_attribute(op, "note")?),
            None => rw.no_match("there is no note"),
        }
    }
}

/// Of what is printed without a format only the first is.
struct PrintFirst;

impl Pattern for PrintFirst {
    type Root = Print;

    fn rewrite(&self, op: Print, rw: &mut Rewriter<'_>) -> Outcome {
        if op.format(rw)?.is_some() || op.others(rw).is_empty() {
            return rw.no_match("all of it is printed");
        }
        let first = op.first(rw);
        Ok(rw.modify(op.id(), |rw| rw.set_operands(op.id(), [first]))?)
    }
}

#[test]
fn patterns_begin_with_what_their_types_say() {
    let text = r#"
        func.func @f(%a: i32, %n: index) {
          %c5 = arith.constant 5 : index
          %c1 = arith.constant 1 : index
          scf.for %i = %c5 to %c1 step %c1 { "test.in"() : () -> () } {note = 1 : i32}
          scf.for %i = %c1 to %n step %c1 { "test.in"() {note} : () -> () }
          "test.print"(%a, %n, %a) : (i32, index, i32) -> ()
          "test.print"(%a, %n) {format = "x", note} : (i32, index) -> ()
          return
        }"#;
    let options = ParseOptions::new().implicit_module(true);
    let mut module = parse_module(&context(), text.as_bytes(), &options).expect("it parses");
    let patterns = Patterns::new().add(Never).add(Forget).add(PrintFirst);
    Pipeline::new().pass(Greedy::new(patterns)).run(&mut module).expect("it runs");
    let text = generic(&module);
    let count = |what: &str| text.matches(what).count();
    let counts = ["scf.for", "test.in", "note", "test.print"].map(count);
    assert_eq!(counts, [1, 1, 0, 2], "{text}");
    assert!(text.contains("(i32) -> ()") && text.contains("(i32, index) -> ()"), "{text}");
}

#[test]
fn a_pattern_for_operations_of_any_name_may_be_left_out() {
    let text = b"\"test.a\"() {note} : () -> ()";
    let left = |greedy: Greedy| {
        let options = ParseOptions::new().implicit_module(true);
        let mut module = parse_module(&context(), text, &options).expect("it parses");
        Pipeline::new().pass(greedy).run(&mut module).expect("it runs");
        generic(&module).contains("note")
    };
    let patterns = Patterns::new().add(Forget);
    assert!(!left(Greedy::new(patterns.clone())));
    assert!(left(Greedy::new(patterns.clone()).disable(["Forget"])));
    assert!(left(Greedy::new(patterns.clone()).enable(["Never"])));
    assert!(!left(Greedy::new(patterns).enable(["Forget"])));
}
