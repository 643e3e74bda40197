//! What is undone, what is visited, and what becomes of types, blocks and isolated operations.

use std::sync::Arc;

use mlirbc_ir::{Context, Module, OpId};
use mlirbc_rewrite::conversion::{
    Adaptor, Conversion, ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted,
    SignatureConversion, TypeConverter,
};
use mlirbc_rewrite::{Match, Outcome};

use super::super::generic;
use super::{converted, renamed};

fn names(module: &Module) -> Vec<String> {
    let top = module.operations().expect("operations").next().expect("a module");
    top.walk().expect("operations").skip(1).map(|op| op.name().into_owned()).collect()
}

fn target() -> ConversionTarget {
    ConversionTarget::new().illegal_dialects(["toy"]).legal_dialects(["new", "builtin"])
}

/// Converts `text` and gives the names of all operations, or the message.
fn names_after(text: &str, conversion: &Conversion) -> Result<Vec<String>, String> {
    let context = super::super::context();
    let (module, done) = converted(&context, text, conversion);
    done.map(|()| names(&module)).map_err(|error| error.to_string())
}

/// Converts `text`, which fails: the module is as it was. Gives the message.
fn refused(text: &str, conversion: &Conversion) -> String {
    let context = super::super::context();
    let (before, _) =
        converted(&context, text, &Conversion::new(ConversionTarget::new(), ConversionPatterns::new()).partial());
    let (after, done) = converted(&context, text, conversion);
    assert_eq!(generic(&before), generic(&after));
    done.expect_err("it fails").to_string()
}

#[test]
fn a_pattern_is_undone_where_what_it_made_stays_illegal() {
    // The first leads to what no pattern is for, in two steps; the second is tried then.
    let patterns = ConversionPatterns::new()
        .on("toy.a", renamed("good", "new.a", false))
        .on("toy.a", renamed("bad", "toy.b", false).benefit(2))
        .on("toy.b", renamed("worse", "toy.c", false));
    let conversion = Conversion::new(target(), patterns).partial();
    let text = "\"toy.a\"() : () -> ()\n \"other.a\"() : () -> ()";
    assert_eq!(names_after(text, &conversion).expect("it converts"), ["new.a", "other.a"]);
    let full = Conversion::new(target(), ConversionPatterns::new().on("toy.a", renamed("good", "new.a", false)));
    let message = refused(text, &full);
    assert!(message.contains("failed to legalize operation 'other.a'"), "{message}");
}

#[test]
fn of_equal_patterns_the_last_is_tried_first() {
    let patterns = ConversionPatterns::new()
        .on("toy.a", renamed("first", "new.first", false))
        .on("toy.a", renamed("last", "new.last", false));
    let text = "\"toy.a\"() : () -> ()";
    assert_eq!(names_after(text, &Conversion::new(target(), patterns.clone())).expect("converted"), ["new.last"]);
    let any = ConversionPattern::of("any", |rw, _, _| rw.no_match("never"));
    assert_eq!(names_after(text, &Conversion::new(target(), patterns.on_any(any))).expect("converted"), ["new.first"]);
}

#[test]
fn a_pattern_is_not_applied_to_what_came_of_it() {
    let circle = ConversionPatterns::new()
        .on("toy.a", renamed("there", "toy.b", false))
        .on("toy.b", renamed("back", "toy.a", false));
    let message = refused("\"toy.a\"() : () -> ()", &Conversion::new(target(), circle).partial());
    assert!(message.contains("failed to legalize operation 'toy.a' that was explicitly marked illegal"), "{message}");
    // One that says that it ends, and does not.
    let endless = ConversionPatterns::new().on("toy.a", renamed("again", "toy.a", false).bounded_recursion());
    let message = refused("\"toy.a\"() : () -> ()", &Conversion::new(target(), endless).partial());
    assert!(
        message.ends_with("`again` is the last of 256 patterns, each applied to what came of the one before"),
        "{message}"
    );
    // Nor is each way tried on each level: those are too many.
    let doubled = ConversionPatterns::new()
        .on("toy.a", renamed("again", "toy.a", false).bounded_recursion())
        .on("toy.a", renamed("once more", "toy.a", false).bounded_recursion());
    assert!(refused("\"toy.a\"() : () -> ()", &Conversion::new(target(), doubled)).contains("`once more`"));
}

#[test]
fn all_is_undone_where_the_last_operation_fails() {
    let types = super::widened();
    let patterns = ConversionPatterns::new()
        .on("toy.a", renamed("a", "new.a", false).types(&types))
        .on("func.func", ConversionPattern::new("function", super::function).types(&types))
        .on(
            "toy.region",
            ConversionPattern::of("region", |rw, op, _| {
                let made = rw.build("new.region").regions(1).create()?;
                let (from, to) = (rw.region(op, 0)?, rw.region(made, 0)?);
                rw.inline_region(from, to, None)?;
                rw.convert_region_types(to, None)?;
                let first = rw.body().first_block(to).expect("a block");
                let second = rw.body().next_block(first).expect("a block");
                let argument = rw.body().arguments(first)[0];
                rw.inline_block(second, first, None, &[argument])?;
                let last = rw.body().last_operation(first).expect("an operation");
                let split = rw.split_block(last)?;
                rw.create_block(to, Some(split), [])?;
                rw.modify(last, |rw| rw.set_attribute(last, "changed", rw.context().unit()))?;
                Ok(rw.replace_with(op, made)?)
            })
            .types(&types),
        );
    let conversion = Conversion::new(target().legal_dialects(["spirv"]), patterns).partial();
    let region = "\"toy.region\"() ({\n^bb0(%x: i8):\n  %y = \"toy.a\"(%x) : (i8) -> i8\n\
                  ^bb1(%z: i8):\n  \"new.use\"(%x, %y, %z) {was} : (i8, i8, i8) -> ()\n}) : () -> ()\n";
    let function = "func.func @f(%a: i8) -> i8 {\n  %b = \"toy.a\"(%a) : (i8) -> i8\n  return %b : i8\n}\n\
                    module { func.func @g(%a: i8, %p: i1) {\n  cf.cond_br %p, ^one(%a : i8), ^two\n^one(%b: i8):\n\
                    %c = \"toy.a\"(%b) : (i8) -> i8\n  \"other.use\"(%c) : (i8) -> ()\n  return\n^two:\n  return\n} }\n";
    let text = format!("{region}{function}");
    let done = names_after(&text, &conversion).expect("it converts");
    assert!(done.contains(&"new.region".to_owned()) && !done.iter().any(|name| name.starts_with("toy.")), "{done:?}");
    for last in ["\"toy.b\"() : () -> ()", "module { func.func @h() {\n  \"toy.b\"() : () -> ()\n  return\n} }"] {
        let message = refused(&format!("{text}{last}"), &conversion);
        assert!(message.contains("'toy.b'"), "{message}");
    }
}

#[test]
fn what_is_recursively_legal_is_not_looked_at() {
    let conversion = |target: ConversionTarget| {
        Conversion::new(target, ConversionPatterns::new().on("toy.a", renamed("a", "new.a", false))).partial()
    };
    let text = "\"new.keep\"() ({ \"toy.a\"() : () -> ()\n module { \"toy.a\"() : () -> () } }) : () -> ()\n\
                module @keep { \"toy.a\"() : () -> () }";
    let all = names_after(text, &conversion(target())).expect("it converts");
    assert_eq!(all, ["new.keep", "new.a", "builtin.module", "new.a", "builtin.module", "new.a"]);
    let none = names_after(text, &conversion(target().legal_recursively("new.keep"))).expect("it converts");
    assert_eq!(none, ["new.keep", "toy.a", "builtin.module", "toy.a", "builtin.module", "new.a"]);
    let named = |op: mlirbc_ir::OpRef<'_>| Some(op.symbol_name().ok().flatten().is_some());
    let named = names_after(text, &conversion(target().recursive("builtin.module", named))).expect("it converts");
    assert_eq!(named, ["new.keep", "new.a", "builtin.module", "new.a", "builtin.module", "toy.a"]);
}

#[test]
fn legality_is_that_of_the_operation_then_of_the_dialect_then_of_all() {
    let target = ConversionTarget::new()
        .dynamic_others(|op| Some(op.name().ends_with("module")))
        .dynamic_dialect("toy", |op| (op.name() != "toy.unknown").then(|| op.operands().is_empty()))
        .illegal(["toy.bad"]);
    let conversion = Conversion::new(target, ConversionPatterns::new()).partial();
    assert!(names_after("\"toy.a\"() : () -> ()", &conversion).is_ok());
    assert!(names_after("\"toy.unknown\"() : () -> ()", &conversion).is_ok());
    refused("%x = \"toy.a\"() : () -> i8\n \"toy.b\"(%x) : (i8) -> ()", &conversion);
    refused("\"toy.bad\"() : () -> ()", &conversion);
    refused("\"other.a\"() : () -> ()", &conversion);
}

/// A pair becomes its parts, and what is empty becomes nothing.
fn flattened(context: &Context) -> Arc<TypeConverter> {
    let i32 = context.integer_type(32);
    let (pair, empty) = (context.integer_type(64), context.integer_type(2));
    Arc::new(TypeConverter::new().rule(move |_, ty| match ty {
        ty if ty == pair => Converted::Types(vec![i32, i32]),
        ty if ty == empty => Converted::Types(Vec::new()),
        ty => Converted::Type(ty),
    }))
}

#[test]
fn one_value_becomes_several_or_none() {
    let context = super::super::context();
    let types = flattened(&context);
    let make = |rw: &mut ConversionRewriter<'_, '_>, op: OpId, _: &Adaptor| {
        let i32 = rw.context().integer_type(32);
        let low = rw.build("new.low").result_type(i32).create()?;
        let high = rw.build("new.high").result_type(i32).create()?;
        let parts = vec![rw.result(low, 0)?, rw.result(high, 0)?];
        Ok(rw.replace_with_many(op, vec![parts, Vec::new()])?)
    };
    let take = |rw: &mut ConversionRewriter<'_, '_>, op: OpId, operands: &Adaptor| -> Outcome {
        assert_eq!((operands.len(), operands.many(0).len(), operands.many(1).len()), (2, 2, 0));
        assert!(operands.get(0).is_err() && operands.all().is_err());
        let made = rw.build("new.take").operands(operands.flat()).create()?;
        Ok(rw.replace_with(op, made)?)
    };
    let patterns = ConversionPatterns::new()
        .on("toy.make", ConversionPattern::of("make", make).types(&types))
        .on("toy.take", ConversionPattern::of("take", take).types(&types));
    let text = "%p:2 = \"toy.make\"() : () -> (i64, i2)\n\"toy.take\"(%p#0, %p#1) : (i64, i2) -> ()\n";
    let conversion = Conversion::new(target(), patterns).partial();
    let (module, done) = converted(&context, text, &conversion);
    done.expect("it converts");
    assert_eq!(names(&module), ["new.low", "new.high", "new.take"]);
    // Who was not converted gets one of several, and one of nothing.
    let text = format!("{text}\"other.use\"(%p#0, %p#1, %p#0) : (i64, i2, i64) -> ()");
    let (module, done) = converted(&context, &text, &conversion);
    done.expect("it converts");
    let cast = "builtin.unrealized_conversion_cast";
    assert_eq!(names(&module), ["new.low", "new.high", cast, cast, "new.take", "other.use"]);
}

#[test]
fn an_operation_is_legal_where_its_types_are() {
    let types = super::widened();
    let patterns = ConversionPatterns::new().on("toy.a", renamed("a", "toy.a", false).types(&types));
    let legal = types.clone();
    let target = ConversionTarget::new().dynamic_dialect("toy", move |op| Some(legal.is_legal_op(op)));
    let context = super::super::context();
    let conversion = Conversion::new(target, patterns).partial();
    let (module, done) = converted(&context, "%x = \"toy.a\"() : () -> i8\n\"toy.a\"(%x) : (i8) -> ()", &conversion);
    done.expect("it converts");
    let text = generic(&module);
    assert!(!text.contains("i8") && text.contains("(i32) -> ()"), "{text}");
}

#[test]
fn casts_are_what_the_type_converter_makes() {
    let context = super::super::context();
    let (i8, i32) = (context.integer_type(8), context.integer_type(32));
    let types = TypeConverter::new()
        .rule(move |_, ty| Converted::Type(if ty == i8 { i32 } else { ty }))
        .source(|rw, values, ty| {
            let made = rw.build("new.narrow").operands(values.iter().copied()).result_type(ty).create()?;
            rw.result(made, 0).map(Some)
        })
        .source(|_, _, _| Ok(None))
        .target(|rw, values, types, original| {
            assert!(original.is_some());
            let types = types.iter().copied();
            let made = rw.build("new.widen").operands(values.iter().copied()).result_types(types).create()?;
            Ok(Some(rw.body().results(made).collect()))
        });
    let types = Arc::new(types);
    let patterns = ConversionPatterns::new().on("toy.a", renamed("a", "new.a", false).types(&types));
    let text = "%x = \"other.x\"() : () -> i8\n%y = \"toy.a\"(%x) : (i8) -> i8\n%z = \"toy.a\"(%y) : (i8) -> i8\n\
                \"other.use\"(%y, %y) : (i8, i8) -> ()";
    let (module, done) = converted(&context, text, &Conversion::new(target(), patterns).partial());
    done.expect("it converts");
    assert_eq!(names(&module), ["other.x", "new.widen", "new.a", "new.narrow", "new.a", "other.use"]);
}

#[test]
fn arguments_are_dropped_added_and_replaced() {
    let types = super::widened();
    let pattern = ConversionPattern::of("region", |rw, op, operands| {
        let context = rw.context();
        let made = rw.build("new.region").regions(1).create()?;
        let (from, to) = (rw.region(op, 0)?, rw.region(made, 0)?);
        rw.inline_region(from, to, None)?;
        let first = rw.body().first_block(to).expect("a block");
        let mut signature = SignatureConversion::new(3);
        signature.add(&[context.index_type()]);
        signature.input(1, &[context.integer_type(32)]);
        signature.replace(2, vec![operands.get(0)?]);
        rw.convert_signature(first, &signature)?;
        Ok(rw.replace_with(op, made)?)
    });
    let patterns = ConversionPatterns::new()
        .on("toy.region", pattern.types(&types))
        .on("toy.a", renamed("a", "new.a", false).types(&types));
    let text = "%v = \"other.v\"() : () -> i32\n\"toy.region\"(%v) ({\n^bb0(%x: i8, %y: i8, %z: i32):\n\
                %w = \"toy.a\"(%y, %z) : (i8, i32) -> i8\n\"other.use\"(%x, %w) : (i8, i8) -> ()\n}) : (i32) -> ()";
    let context = super::super::context();
    let (module, done) = converted(&context, text, &Conversion::new(target(), patterns).partial());
    done.expect("it converts");
    let text = generic(&module);
    let cast = "builtin.unrealized_conversion_cast";
    assert_eq!(names(&module), ["other.v", "new.region", cast, "new.a", cast, "other.use"], "{text}");
    assert!(text.contains("index, %"), "{text}");
}

#[test]
fn what_cannot_be_replaced_is_refused() {
    let patterns = ConversionPatterns::new().on("builtin.module", renamed("module", "new.module", false));
    let target = ConversionTarget::new().illegal(["builtin.module"]).legal_dialects(["new"]);
    let message = refused("\"toy.a\"() : () -> ()", &Conversion::new(target, patterns).partial());
    assert!(message.contains("cannot be replaced"), "{message}");
    let twice = ConversionPattern::of("twice", |rw, op, _| {
        rw.erase(op)?;
        Ok(rw.erase(op)?)
    });
    let patterns = ConversionPatterns::new().on("toy.a", twice);
    refused("\"toy.a\"() : () -> ()", &Conversion::new(self::target(), patterns).partial());
}
