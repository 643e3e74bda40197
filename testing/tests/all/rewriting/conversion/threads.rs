//! Conversions give the same on any number of threads, errors too.

use std::sync::{Arc, Mutex};

use mlirbc_bytecode::{WriteOptions, read, write};
use mlirbc_ir::{Error, Module, OpId, Rewriter};
use mlirbc_rewrite::conversion::{Conversion, ConversionPattern, ConversionPatterns, ConversionTarget};
use mlirbc_rewrite::{Pipeline, RunOptions};
use mlirbc_text::{ParseOptions, parse_module};

use super::super::generic;
use super::{converted, function, renamed, widened};

/// Functions in modules in a module: those of `bad`, by number, hold what no pattern is for.
fn text(bad: &[usize]) -> String {
    let mut text = String::new();
    for number in 0..60 {
        let inner = if bad.contains(&number) { "\"toy.bad\"() : () -> ()" } else { "" };
        let function = format!(
            "func.func private @f{number}(%a: i8) {{\n  %0 = \"toy.a\"(%a) : (i8) -> i8\n  {inner}\n  \
             \"toy.b\"(%0) : (i8) -> ()\n  return\n}}\n"
        );
        match number % 3 {
            0 => text += &format!("module @m{number} {{\n{function}}}\n"),
            _ => text += &function,
        }
    }
    text
}

fn conversion(threads: usize) -> Conversion {
    let types = widened();
    let patterns = ConversionPatterns::new()
        .on("func.func", ConversionPattern::new("function", function).types(&types))
        .on("func.return", renamed("return", "spirv.Return", false).types(&types))
        .on("toy.a", renamed("a", "new.a", false).types(&types))
        .on("toy.b", renamed("b", "new.b", false).types(&types));
    let target = ConversionTarget::new().illegal_dialects(["toy", "func"]).legal_dialects(["new", "spirv", "builtin"]);
    Conversion::new(target, patterns).threads(threads)
}

fn after(text: &str, threads: usize) -> (String, Result<(), String>) {
    let (module, done) = converted(&super::super::context(), text, &conversion(threads));
    (generic(&module), done.map_err(|error| error.to_string()))
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (alone, done) = after(&text(&[]), 1);
    assert_eq!(done, Ok(()));
    assert!(!alone.contains("toy.") && !alone.contains("func.func"), "{alone}");
    assert_eq!(alone.matches("\"new.a\"").count(), 60);
    for threads in [2, 8] {
        assert!(after(&text(&[]), threads) == (alone.clone(), Ok(())), "{threads} threads");
    }
}

#[test]
fn of_several_errors_the_first_is_told() {
    // Number 30 stands in a module, one level below the others, and before 31 and 50.
    let bad = [31, 30, 50];
    let (_, done) = after(&text(&bad), 1);
    let message = done.clone().expect_err("it fails");
    assert!(message.contains("toy.bad"), "{message}");
    let (only, only_first) = after(&text(&[30]), 1);
    assert_eq!(Err(message), only_first);
    assert!(only.contains("toy.a"), "all is undone");
    let untouched = {
        let options = ParseOptions::new().implicit_module(true);
        let text = text(&bad);
        generic(&parse_module(&super::super::context(), text.as_bytes(), &options).expect("it parses"))
    };
    for threads in [1, 2, 8] {
        assert!(after(&text(&bad), threads) == (untouched.clone(), done.clone()), "{threads} threads");
    }
}

#[test]
fn spirv_becomes_llvm_on_any_number_of_threads() {
    let mut text = "module { spirv.module Logical GLSL450 {\n".to_owned();
    for number in 0..80 {
        text += &format!(
            "spirv.func @f{number}(%a: vector<4xf32>) -> f32 \"None\" {{\n  %0 = spirv.Dot %a, %a : vector<4xf32> -> f32\n  \
             %1 = spirv.GL.Pow %0, %0 : f32\n  %2 = spirv.GL.Acosh %1 : f32\n  spirv.ReturnValue %2 : f32\n}}\n"
        );
    }
    text += "} }";
    let registry = mlirbc_conversion::passes::add_to(mlirbc_rewrite::passes::registry());
    let pipeline = Pipeline::parse("builtin.module(convert-spirv-to-llvm)", &registry).expect("a pipeline");
    let through = |threads: usize| {
        let mut module: Module =
            parse_module(&super::super::context(), text.as_bytes(), &ParseOptions::new()).expect("it parses");
        pipeline.run_with(&mut module, RunOptions::new().threads(threads)).expect("it runs");
        generic(&module)
    };
    let alone = through(1);
    assert!(!alone.contains("spirv."), "{alone}");
    for threads in [2, 8] {
        assert!(through(threads) == alone, "{threads} threads");
    }
}

#[test]
fn patterns_that_are_one_body_s_own_are_undone_with_it() {
    // Every body is changed by one pattern before another one fails in the last.
    let seen = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counter = seen.clone();
    let count = move |rw: &mut mlirbc_rewrite::conversion::ConversionRewriter<'_, '_>, op: OpId, _: &_| {
        counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let made = rw.build("new.seen").create()?;
        Ok(rw.replace_with(op, made)?)
    };
    let patterns = ConversionPatterns::new().on("toy.seen", ConversionPattern::of("count", count));
    let target = ConversionTarget::new().illegal_dialects(["toy"]).legal_dialects(["new", "builtin", "func"]);
    let mut text = String::new();
    for number in 0..40 {
        let last = if number == 39 { "\"toy.bad\"() : () -> ()" } else { "" };
        text += &format!("func.func @f{number}() {{\n  \"toy.seen\"() : () -> ()\n  {last}\n  return\n}}\n");
    }
    let conversion = Conversion::new(target, patterns).partial().threads(4);
    let (module, done) = converted(&super::super::context(), &text, &conversion);
    let message = done.expect_err("it fails").to_string();
    assert!(message.contains("toy.bad") && message.contains("@f39"), "{message}");
    assert_eq!(seen.load(std::sync::atomic::Ordering::Relaxed), 40);
    let after = generic(&module);
    assert_eq!((after.matches("toy.seen").count(), after.matches("new.seen").count()), (40, 0));
}

/// A module of the bytecode that this text becomes, of which no body has been read.
fn read_back(text: &str) -> Module {
    let options = ParseOptions::new().implicit_module(true);
    let parsed = parse_module(&super::super::context(), text.as_bytes(), &options).expect("it parses");
    let bytes = write(&parsed, &WriteOptions::default()).expect("bytecode");
    read(&super::super::context(), bytes).expect("it is read")
}

fn run(module: &mut Module, conversion: &Conversion) -> mlirbc_ir::Result<()> {
    let place = module.operations().expect("operations").next().map(|op| (op.body_id(), op.id())).expect("a module");
    conversion.run(module, place)
}

#[test]
fn what_a_file_says_is_read_once_more_where_a_conversion_fails() {
    for threads in [1, 3] {
        let mut module = read_back(&text(&[59]));
        let untouched = generic(&read_back(&text(&[59])));
        let message = run(&mut module, &conversion(threads)).expect_err("it fails").to_string();
        assert!(message.contains("toy.bad") && message.contains("@f59"), "{message}");
        assert_eq!(generic(&module), untouched, "{threads} threads");
        let mut good = read_back(&text(&[]));
        run(&mut good, &conversion(threads)).expect("it is converted");
        assert_eq!(generic(&good), after(&text(&[]), 1).0, "{threads} threads");
    }
}

#[test]
fn small_bodies_keep_no_records_of_what_was_replaced() {
    let mut module = read_back(&text(&[]));
    run(&mut module, &conversion(2)).expect("it is converted");
    let functions: Vec<_> = module.bodies().map(|(_, body)| body).filter(|body| body.value_count() > 0).collect();
    assert_eq!(functions.len(), 60);
    for body in functions {
        assert_eq!(body.operation_count(), body.preorder().count());
        assert_eq!((body.operation_count(), body.value_count(), body.block_count()), (3, 2, 1));
    }
}

#[test]
fn what_is_done_finally_is_done_once_with_each_body() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    for threads in [1, 4] {
        let (all, fails) = (seen.clone(), threads == 4);
        let finish = move |rw: &mut Rewriter<'_>| {
            let left = rw.body().preorder().filter(|&op| rw.op(op).name().starts_with("toy.")).count();
            assert_eq!(left, 0, "what was replaced is gone");
            all.lock().expect("a list").push(rw.body_id());
            let last = rw.body().preorder().any(|op| rw.op(op).is("new.b")) && fails;
            if last { Err(Error::verification("no more")) } else { Ok(()) }
        };
        let mut module = read_back(&text(&[]));
        let done = run(&mut module, &conversion(threads).finally(finish));
        let mut bodies = std::mem::take(&mut *seen.lock().expect("a list"));
        let count = bodies.len();
        bodies.sort();
        bodies.dedup();
        assert_eq!(bodies.len(), count, "each is seen once");
        match fails {
            false => assert_eq!((done, count), (Ok(()), 1 + 20 + 60)),
            true => {
                assert_eq!(done.map_err(|error| error.to_string()), Err("no more".to_owned()));
                assert_eq!(generic(&module), generic(&read_back(&text(&[]))));
            }
        }
    }
}
