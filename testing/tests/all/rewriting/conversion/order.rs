//! In which order patterns are tried: by steps, by benefit, by when they were added; and which are not.

use mlirbc_rewrite::Match;
use mlirbc_rewrite::conversion::{Conversion, ConversionPattern, ConversionPatterns, ConversionTarget};

use super::{converted, renamed};

fn target() -> ConversionTarget {
    ConversionTarget::new().illegal_dialects(["toy"]).legal_dialects(["new", "builtin"])
}

/// The operation becomes `to`, and the pattern, which is named so, says that.
fn to(to: &'static str) -> ConversionPattern {
    renamed(to, to, false).generates([to])
}

fn tried(patterns: &ConversionPatterns, operation: &str) -> Vec<&'static str> {
    Conversion::new(target(), patterns.clone()).patterns_of(operation).map(ConversionPattern::name).collect()
}

/// What `"toy.a"` becomes, or the message.
fn becomes(conversion: &Conversion) -> Result<String, String> {
    let context = super::super::context();
    let (module, done) = converted(&context, "\"toy.a\"() : () -> ()", conversion);
    let top = module.operations().expect("operations").next().expect("a module");
    let name = top.ops().expect("operations").next().expect("an operation").name().into_owned();
    done.map(|()| name).map_err(|error| error.to_string())
}

#[test]
fn fewer_steps_come_first() {
    // Three steps, two and one; benefits say the opposite.
    let patterns = ConversionPatterns::new()
        .on("toy.a", to("toy.b").benefit(9))
        .on("toy.a", to("toy.c").benefit(8))
        .on("toy.a", to("new.a"))
        .on("toy.b", to("toy.c"))
        .on("toy.c", to("new.c"));
    assert_eq!(tried(&patterns, "toy.a"), ["new.a", "toy.c", "toy.b"]);
    assert_eq!(becomes(&Conversion::new(target(), patterns)), Ok("new.a".to_owned()));
    // What is farthest of all that a pattern makes counts.
    let patterns = ConversionPatterns::new()
        .on("toy.a", to("toy.c"))
        .on("toy.a", to("new.a").generates(["toy.b"]).benefit(3))
        .on("toy.b", to("toy.c"))
        .on("toy.c", to("new.c"));
    assert_eq!(tried(&patterns, "toy.a"), ["toy.c", "new.a"]);
    // Of an operation that may become others in several ways the shortest counts.
    let patterns = ConversionPatterns::new()
        .on("toy.a", to("toy.b"))
        .on("toy.a", to("toy.c").benefit(2))
        .on("toy.b", to("toy.d").benefit(9))
        .on("toy.b", to("new.b"))
        .on("toy.c", to("toy.d").benefit(3))
        .on("toy.d", to("new.d"));
    assert_eq!(tried(&patterns, "toy.a"), ["toy.b", "toy.c"]);
    assert_eq!(becomes(&Conversion::new(target(), patterns)), Ok("new.b".to_owned()));
}

#[test]
fn benefit_decides_where_steps_are_equal() {
    let patterns = ConversionPatterns::new()
        .on("toy.a", to("new.low"))
        .on("toy.a", to("new.high").benefit(2))
        .on("toy.a", to("toy.b").benefit(7))
        .on("toy.a", to("new.last"))
        .on("toy.b", to("new.b"));
    assert_eq!(tried(&patterns, "toy.a"), ["new.high", "new.last", "new.low", "toy.b"]);
    // One that does not say what it makes counts as one step, and so do those that make what may be legal, or what is not said of.
    let silent = renamed("silent", "toy.b", false).benefit(3);
    assert_eq!(tried(&patterns.on("toy.a", silent), "toy.a")[..2], ["silent", "new.high"]);
    let dynamic = target().dynamic("toy.maybe", |_| Some(false));
    let patterns = ConversionPatterns::new().on("toy.a", to("new.a")).on("toy.a", to("toy.maybe").benefit(2));
    let conversion = Conversion::new(dynamic, patterns);
    let names: Vec<&str> = conversion.patterns_of("toy.a").map(ConversionPattern::name).collect();
    assert_eq!(names, ["toy.maybe", "new.a"]);
    assert_eq!(becomes(&conversion), Ok("new.a".to_owned()));
}

#[test]
fn what_leads_nowhere_is_not_tried() {
    let patterns = ConversionPatterns::new()
        .on("toy.a", to("toy.nothing").benefit(5))
        .on("toy.a", to("other.unknown").benefit(4))
        .on("toy.a", to("toy.b"))
        .on("toy.b", to("toy.c"))
        .on("toy.c", to("toy.b"))
        .on("new.a", to("new.b"));
    assert!(tried(&patterns, "toy.a").is_empty(), "{:?}", tried(&patterns, "toy.a"));
    assert!(tried(&patterns, "new.a").is_empty(), "it is legal");
    let error = becomes(&Conversion::new(target(), patterns.clone())).expect_err("nothing leads there");
    assert!(error.contains("failed to legalize operation 'toy.a'"), "{error}");
    // One way out of the circle is enough.
    let out = patterns.clone().on("toy.c", to("new.c"));
    assert_eq!(tried(&out, "toy.a"), ["toy.b"]);
    assert_eq!(becomes(&Conversion::new(target(), out)), Ok("new.c".to_owned()));
    // Where a pattern is for any operation, nobody knows.
    let any = ConversionPattern::of("any", |rw, _, _| rw.no_match("never")).benefit(3);
    assert_eq!(tried(&patterns.on_any(any), "toy.a"), ["toy.nothing", "other.unknown", "any", "toy.b"]);
}

#[test]
fn patterns_for_any_operation_stand_between_the_others_by_benefit() {
    let any = |name, benefit| ConversionPattern::of(name, |rw, _, _| rw.no_match("never")).benefit(benefit);
    let patterns = ConversionPatterns::new()
        .on("toy.a", to("new.a").benefit(2))
        .on("toy.a", to("toy.b").benefit(9))
        .on("toy.b", to("new.b"))
        .on_any(any("low", 1))
        .on_any(any("equal", 2))
        .on_any(any("high", 3));
    // The one of benefit 9 takes two steps, and waits for the one of benefit 2.
    assert_eq!(tried(&patterns, "toy.a"), ["high", "new.a", "toy.b", "equal", "low"]);
    assert_eq!(tried(&patterns, "toy.else"), ["high", "equal", "low"]);
}

#[test]
fn a_pattern_that_makes_its_own_operation_counts_one_step() {
    // As in MLIR, where the operation that is being asked about adds nothing.
    let patterns = ConversionPatterns::new()
        .on("toy.a", to("toy.a").benefit(2).bounded_recursion())
        .on("toy.a", to("toy.b").benefit(5))
        .on("toy.a", to("new.a"))
        .on("toy.b", to("new.b"));
    assert_eq!(tried(&patterns, "toy.a"), ["toy.a", "new.a", "toy.b"]);
}

#[test]
fn a_pattern_for_any_operation_is_not_applied_to_what_came_of_it() {
    let next = |rw: &mut mlirbc_rewrite::conversion::ConversionRewriter<'_, '_>, op, _: &_| {
        let to = match &*rw.op(op).name() {
            "toy.a" => "toy.b",
            "toy.b" => "new.b",
            _ => return rw.no_match("another one"),
        };
        let made = rw.build(to).create()?;
        Ok(rw.replace_with(op, made)?)
    };
    let pattern = ConversionPattern::of("next", next);
    let conversion = Conversion::new(target(), ConversionPatterns::new().on_any(pattern.clone()));
    let error = becomes(&conversion).expect_err("it would be applied to what it made");
    assert!(error.contains("failed to legalize operation 'toy.a'"), "{error}");
    let bounded = Conversion::new(target(), ConversionPatterns::new().on_any(pattern.bounded_recursion()));
    assert_eq!(becomes(&bounded), Ok("new.b".to_owned()));
}
