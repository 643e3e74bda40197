//! What a dialect made in Rust brings to its operations: assembly by hand, directives, names of results, verifiers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::definitions::upstream;
use mlirbc_ir::ods::{
    AttributeConstraint, CppClasses, Multiplicity, OpDef, OpTable, Predicate, TermClass, TypeConstraint,
};
use mlirbc_ir::verify::{Checker, TypeTests, verify_module};
use mlirbc_ir::{AttributeData, Context, Dialect, DialectVerifier, Error, ErrorKind, LooksAt, Module, OpRef, Result};
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser,
    OpPrinter, OpState, ParseOptions, Parsed, PrintOptions, Printed, parse_module, print_module,
};

fn read(context: &Context, text: &str) -> Module {
    parse_module(context, text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

fn print(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(false), &mut text).expect("a module to print");
    String::from_utf8(text).expect("text")
}

/// Of a directive `custom<Mark>($mark)`: a string between these two bytes.
fn print_between(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>, around: [&str; 2]) -> Printed {
    let mark = arguments.attribute(printer, 0)?.ok_or(NotCustom::UseGeneric)?;
    let AttributeData::String { value, .. } = &printer.context()[mark] else { return Err(NotCustom::UseGeneric) };
    printer.text(around[0]);
    printer.text(value);
    printer.text(around[1]);
    Ok(())
}

fn parse_between<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
    around: [u8; 2],
) -> Result<()> {
    parser.text().expect(around[0])?;
    let word = parser.text().word();
    let mark = parser.context().string(word);
    state.set_attribute(parser, op, 0, mark)?;
    parser.text().expect(around[1])
}

const IN_PARENTHESES: Directive = Directive::new(
    |printer, arguments| print_between(printer, arguments, ["(", ")"]),
    |parser, op, state| parse_between(parser, op, state, [b'(', b')']),
)
.starts(|parser| parser.text().is_at(b'('));

const IN_BRACKETS: Directive = Directive::new(
    |printer, arguments| print_between(printer, arguments, ["[", "]"]),
    |parser, op, state| parse_between(parser, op, state, [b'[', b']']),
)
.starts(|parser| parser.text().is_at(b'['));

fn marked(dialect: &str, directive: &str) -> OpDef {
    let mark = AttributeConstraint::string();
    let builder = OpDef::builder(format!("{dialect}.mark")).attribute("mark", &mark);
    builder.format(format!("custom<{directive}>($mark) attr-dict")).finish().expect("a definition")
}

#[test]
fn directives_of_one_name_are_each_dialects_own() {
    // The second name is one that MLIR's own dialects use as well.
    for name in ["Mark", "SymbolVisibility", "DynamicIndexList"] {
        let context = crate::definitions::context();
        for (dialect, directive) in [("round", IN_PARENTHESES), ("square", IN_BRACKETS)] {
            let table = OpTable::from_definitions([marked(dialect, name)]);
            context.register(Dialect::new(dialect).ops(table).directive(name, directive)).expect("registered");
        }
        let text = "round.mark (a)\nsquare.mark [b]\n";
        let module = read(&context, text);
        assert_eq!(print(&module).trim_end(), text.trim_end(), "{name}");
        assert!(parse_module(&context, b"round.mark[a]", &ParseOptions::new()).is_err());
        assert!(parse_module(&context, b"square.mark(a)", &ParseOptions::new()).is_err());
    }
}

/// ` %condition {...} otherwise {...}`, the second region where it is not empty.
fn print_choose(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&[])?;
    let condition = printer.at(0)?;
    printer.text(" ");
    printer.value(condition);
    printer.text(" -> ");
    let result = printer.result(0)?;
    printer.value_type(result)?;
    printer.text(" ");
    printer.region(0, true, true);
    if !printer.is_empty_region(1)? {
        printer.text(" otherwise ");
        printer.region(1, true, true);
    }
    Ok(())
}

fn parse_choose<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let condition = parser.operand_name()?;
    op.add(condition, parser.context().integer_type(1).into());
    if !parser.text().eat_arrow() {
        return Err(parser.text().expected("`->` and the type of the result"));
    }
    let ty = parser.any_type()?;
    op.add_result(ty);
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser, _| {
            if !parser.text().eat_word(b"otherwise") {
                return Ok(Continuation::Done);
            }
            parser.open_brace()?;
            Ok(Continuation::Region(Vec::new(), Box::new(|_, _| Ok(Continuation::Done))))
        }),
    ))
}

fn name_choice(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    set(0, if op.name() == "toy.choose" { b"choice" } else { b"other" });
    Ok(())
}

/// The condition is no constant: a rule of the toy.
fn verify_choice(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let boolean = checker.context().integer_type(1);
    let condition = op.operands().first().copied().ok_or_else(|| Error::verification("no condition"))?;
    checker.expect_types("the conditions", &[op.type_of(condition)?], &[boolean])?;
    match op.defining_operation(condition) {
        Some(made) if made.name() == "toy.sure" => Err(Error::verification("the condition is sure")),
        _ => Ok(()),
    }
}

fn toy() -> Context {
    let context = crate::definitions::context();
    let any = TypeConstraint::any();
    let choose = OpDef::builder("toy.choose")
        .operand("condition", &any)
        .result("choice", &any)
        .region("first", Predicate::All(Vec::new()))
        .region("second", Predicate::All(Vec::new()))
        .custom_syntax()
        .finish()
        .expect("a definition");
    let values = OpDef::builder("toy.values").results("values", Multiplicity::Variadic, &any).finish();
    let sure = OpDef::builder("toy.sure").result("it", &any).finish();
    let table = OpTable::from_definitions([choose, values.expect("a definition"), sure.expect("a definition")]);
    let toy = Dialect::new("toy")
        .ops(table)
        .assembly("choose", CustomAssembly { print: print_choose, parse: parse_choose })
        .result_names("choose", name_choice)
        .verify_op("choose", verify_choice);
    context.register(toy).expect("registered");
    context
}

#[test]
fn assembly_by_hand_goes_through_text_with_its_regions() {
    let context = toy();
    let text = "%0 = \"toy.values\"() : () -> i1\n%choice = toy.choose %0 -> f32 {\n  \"t.a\"() : () -> ()\n} otherwise {\n  \
                %choice_0 = toy.choose %0 -> i8 {\n    \"t.b\"() : () -> ()\n  }\n  \"t.c\"() : () -> ()\n}\n\"t.use\"(%choice) : (f32) -> ()\n";
    let module = read(&context, text);
    verify_module(&module, &mut |error| panic!("{error}")).expect("decoded");
    assert_eq!(print(&module).trim_end(), text.trim_end());
    let wrong =
        parse_module(&context, b"%0 = \"toy.values\"() : () -> i1\n%1 = toy.choose %0 f32 {}", &ParseOptions::new());
    assert!(wrong.expect_err("no arrow").to_string().contains("`->` and the type of the result"));
}

#[test]
fn what_the_form_cannot_say_is_printed_in_generic_form() {
    let context = toy();
    let text = "%0 = \"toy.values\"() : () -> i1\n%1 = \"toy.choose\"(%0) ({\n}, {\n}) {a = 1 : i32} : (i1) -> f32";
    let module = read(&context, text);
    let printed = print(&module);
    assert!(printed.contains("\"toy.choose\"(%0)") && printed.contains("{a = 1 : i32}"), "{printed}");
}

#[test]
fn verifiers_of_operations_are_asked() {
    let errors = |text: &str| {
        let context = toy();
        let mut errors = Vec::new();
        verify_module(&read(&context, text), &mut |error| errors.push(error.to_string())).expect("decoded");
        errors
    };
    let body = "{\n \"t.a\"() : () -> ()\n}";
    let right = format!("%0 = \"toy.values\"() : () -> i1\n%1 = toy.choose %0 -> f32 {body}");
    assert_eq!(errors(&right), Vec::<String>::new());
    let wrong = format!("%0 = \"toy.sure\"() : () -> i1\n%1 = toy.choose %0 -> f32 {body}");
    let found = errors(&wrong);
    assert!(found.len() == 1 && found[0].contains("the condition is sure"), "{found:?}");
    let wrong = format!("%0 = \"toy.values\"() : () -> i8\n%1 = \"toy.choose\"(%0) ({body}, {{\n}}) : (i8) -> f32");
    let found = errors(&wrong);
    assert!(found.len() == 1 && found[0].contains("the conditions are (i8) where they must be (i1)"), "{found:?}");
}

#[test]
fn a_context_knows_the_dialects_that_upstream_defines_operations_of() {
    let context = crate::definitions::context();
    let known: Vec<&str> = mlirbc_dialects::DIALECTS.iter().map(|known| known.0).collect();
    // SPIR-V's is brought by the crate that has all of it. `dlti` has attributes only, `test` a version; `builtin` is in every
    // context, and folds in these.
    let mut defined: Vec<&str> = upstream().dialects().filter(|name| !["builtin", "spirv"].contains(name)).collect();
    defined.extend(["builtin", "dlti", "test"]);
    defined.sort_unstable();
    assert_eq!(known, defined);
    for name in known {
        assert_eq!(context.dialect(name).expect("it is known").name(), name);
        assert_eq!(context.register(Dialect::new(name)).map_err(|error| error.kind()), Err(ErrorKind::Misuse));
    }
}

#[test]
fn a_dialect_is_extended_and_keeps_what_it_had() {
    let context = crate::definitions::context();
    let more = OpDef::builder("arith.more").result("it", &TypeConstraint::any()).finish().expect("a definition");
    context.extend("arith", |arith| arith.ops(OpTable::from_definitions([more])).result_name("more", "lots"));
    let text = "%lots = \"arith.more\"() : () -> i32\n%c1_i32 = arith.constant 1 : i32\n";
    let printed = print(&read(&context, &format!("module {{\n{text}}}\n")));
    assert_eq!(printed, format!("module {{\n  {}\n}}\n\n", text.trim_end().replace('\n', "\n  ")));
    // A dialect that was not brought begins with the extension.
    context.extend("other", |other| other);
    assert!(context.has_dialect("other") && !context.has_dialect("another"));
}

/// How often `other` was made.
static OTHER_MADE: AtomicUsize = AtomicUsize::new(0);

/// A dialect that tells an `index` from other types.
fn other(_: &Context) -> Arc<Dialect> {
    OTHER_MADE.fetch_add(1, Ordering::Relaxed);
    let tests = TypeTests(|context, ty, function| (function == "isOthers").then(|| ty == context.index_type()));
    Arc::new(Dialect::new("other").extension(tests))
}

#[test]
fn what_tells_types_in_one_dialect_does_not_hide_another_s() {
    let context = Context::with_dialects(&[("other", other)]);
    let operation = |function: &str| {
        let told = TermClass::Told { function: function.to_owned(), what: format!("what {function} tells") };
        let told = TypeConstraint::new("Told", Predicate::is(told));
        OpDef::builder(format!("mine.{function}")).operand("on", &told).finish().expect("a definition")
    };
    let make = OpDef::builder("mine.make").result("made", &TypeConstraint::any()).finish().expect("a definition");
    let table = OpTable::from_definitions([make].into_iter().chain(["isMine", "isOthers", "isNoOnes"].map(operation)));
    // It knows no answer for what is neither `i1` nor `i8`.
    let tests = TypeTests(|context, ty, function| match [1, 8].map(|width| context.integer_type(width) == ty) {
        [true, _] if function == "isMine" => Some(true),
        [_, true] if function == "isMine" => Some(false),
        _ => None,
    });
    let classes = CppClasses::new().function("isMine", "what is mine");
    context.register(Dialect::new("mine").ops(table).extension(classes).extension(tests)).expect("registered");
    let wrong = |function: &str, ty: &str| {
        let text = format!("%0 = \"mine.make\"() : () -> {ty}\n\"mine.{function}\"(%0) : ({ty}) -> ()\n");
        let mut found = Vec::new();
        verify_module(&read(&context, &text), &mut |error| found.push(error.to_string())).expect("decoded");
        found.len()
    };
    // What a dialect that was met says it answers for needs no other dialect, whether it knows the answer or not.
    assert_eq!([wrong("isMine", "i1"), wrong("isMine", "i8"), wrong("isMine", "index")], [0, 1, 0]);
    assert_eq!(OTHER_MADE.load(Ordering::Relaxed), 0);
    assert_eq!([wrong("isOthers", "index"), wrong("isOthers", "i8"), wrong("isNoOnes", "i8")], [0, 1, 0]);
    assert_eq!(OTHER_MADE.load(Ordering::Relaxed), 1);
}

/// How often each rule was asked: of `mine.any`, of `mine.own`, and the dialect's.
static ASKED: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

fn ask(rule: usize, op: OpRef<'_>) -> Result<()> {
    ASKED[rule].fetch_add(1, Ordering::Relaxed);
    match op.type_of(op.operands()[0])? == op.module().context().integer_type(8) {
        true => Err(Error::verification("it is of 8 bits")),
        false => Ok(()),
    }
}

struct OfAll;

impl DialectVerifier for OfAll {
    fn operation(&self, op: OpRef<'_>) -> Result<()> {
        if op.is("mine.told") { ask(2, op) } else { Ok(()) }
    }

    fn looks_at(&self, operation: &str) -> LooksAt {
        if operation == "told" { LooksAt::TypesAndAttributes } else { LooksAt::Nothing }
    }
}

#[test]
fn a_rule_about_types_is_asked_once_of_all_that_have_them_but_for_those_that_break_it() {
    let any = TypeConstraint::any();
    let make = OpDef::builder("mine.make").result("made", &any).finish().expect("a definition");
    let operation = |name| OpDef::builder(format!("mine.{name}")).operand("on", &any).finish().expect("a definition");
    let table = OpTable::from_definitions([make].into_iter().chain(["any", "own", "told"].map(operation)));
    let dialect = Dialect::new("mine").ops(table).verify_with(OfAll).verify_op("any", |_, op| ask(0, op)).verify_op_by(
        "own",
        LooksAt::TypesAndAttributes,
        |_, op| ask(1, op),
    );
    let context = Context::new();
    context.register(dialect).expect("registered");
    let mut text = String::new();
    for (at, ty) in ["i32", "i8", "i32", "i32", "i8", "i64"].iter().enumerate() {
        text += &format!("%{at} = \"mine.make\"() : () -> {ty}\n");
        for name in ["any", "own", "told"] {
            text += &format!("\"mine.{name}\"(%{at}) : ({ty}) -> ()\n");
        }
    }
    let mut wrong = 0;
    verify_module(&read(&context, &text), &mut |_| wrong += 1).expect("decoded");
    // Both of 8 bits, of each name.
    assert_eq!(wrong, 6);
    assert_eq!([0, 1, 2].map(|rule| ASKED[rule].load(Ordering::Relaxed)), [6, 4, 4]);
}
