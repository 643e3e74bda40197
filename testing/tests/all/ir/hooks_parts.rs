//! The parts that a dialect's assembly is put together from, in a dialect that is none of MLIR's: successors behind a region,
//! terminators that hold regions, values in affine expressions, locations of arguments.

use mlirbc_ir::affine::AffineExpression;
use mlirbc_ir::ods::{AttributeConstraint, Multiplicity, OpDef, OpTable, Predicate, Traits, TypeConstraint};
use mlirbc_ir::text::AffineValues;
use mlirbc_ir::{AttributeData, Context, Dialect, Module};
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, ImpliedOp, NotCustom, OpParser, OpPrinter, OpState, ParseOptions,
    Parsed, PrintOptions, Printed, parse_module, print_module,
};

/// `%i over (%a, symbol(%n)) {...} then ^bb1`
fn print_each(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let AttributeData::AffineMap(map) = &printer.context()[printer.need("map")?] else {
        return Err(NotCustom::UseGeneric);
    };
    printer.expect_index(&printer.region_argument_types(0)?)?;
    let mut values = Vec::new();
    for result in &map.results {
        let (at, is_symbol) = match *result {
            AffineExpression::Dimension(at) => (at, false),
            AffineExpression::Symbol(at) => (map.dimensions + at, true),
            _ => return Err(NotCustom::UseGeneric),
        };
        let mut text = if is_symbol { b"symbol(".to_vec() } else { Vec::new() };
        printer.push_value(printer.at(at as usize)?, &mut text);
        text.extend_from_slice(if is_symbol { b")" } else { b"" });
        values.push(text);
    }
    printer.text(" ");
    printer.region_argument(0, 0, &[], true)?;
    printer.text(" over (");
    printer.text(values.join(&b", "[..]));
    printer.text(") ");
    printer.body(0, false, false)?;
    for &block in printer.successors() {
        printer.text(" then ");
        printer.block(block);
    }
    printer.dictionary(&["map"])
}

fn parse_each<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let index = parser.context().index_type();
    let name = parser.value_name()?;
    let argument = parser.located_argument(name, index.into())?;
    parser.text().expect_word("over")?;
    parser.text().expect(b'(')?;
    let mut values = AffineValues::default();
    let results = parser.text().affine_expressions_of(&mut values, b')')?;
    let (map, names) = parser.affine_map_of(&values, results)?;
    let map = parser.context().attribute(AttributeData::AffineMap(map));
    parser.set(op, "map", map);
    let types = vec![index.into(); names.len()];
    parser.add_operands(op, names, types)?;
    parser.open_brace()?;
    Ok(Continuation::Region(
        vec![argument],
        Box::new(|parser, op| {
            parser.ensure_implicit_terminator(op)?;
            while parser.text().eat_word(b"then") {
                parser.successor_block(op)?;
            }
            parser.optional_dictionary(op)?;
            Ok(Continuation::Done)
        }),
    ))
}

/// `[2 operands] : types`: as many operands as are named, with these types.
fn print_pair(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let operands = printer.op().operands();
    printer.text(" [");
    printer.values(operands);
    printer.text("] : ");
    printer.value_types(operands)?;
    printer.dictionary(&[])
}

fn parse_pair<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list_in(b'[', b']')?;
    parser.text().expect(b':')?;
    let types = parser.types()?;
    parser.add_operands(op, names, types)?;
    parser.optional_dictionary(op)?;
    Ok(Continuation::Done)
}

/// `%a, %b by toy.add {attributes} : type`: the region takes the operands, and is one operation and `toy.give` of what it gives.
fn print_fold(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let Some((arguments, mut inside)) = printer.only_block(0)? else { return Err(NotCustom::UseGeneric) };
    let (Some(one), Some(give), None) = (inside.next(), inside.next(), inside.next()) else {
        return Err(NotCustom::UseGeneric);
    };
    let operands = printer.op().operands();
    let result = printer.type_of(*operands.first().ok_or(NotCustom::UseGeneric)?)?;
    let fits = one.operands() == arguments
        && arguments.len() == operands.len()
        && one.results().len() == 1
        && one.type_of(one.results().next().ok_or(NotCustom::UseGeneric)?)? == result
        && give.name() == "toy.give"
        && give.operands().iter().copied().eq(one.results());
    if !fits || !printer.is_its_attributes(one)? || !printer.is_implied(give)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.expect_types(operands, &vec![result.into(); operands.len()])?;
    printer.expect_types(operands, &printer.region_argument_types(0)?)?;
    printer.text(" ");
    printer.values(operands);
    printer.text(" by ");
    printer.text(&*one.name());
    let attributes = printer.attributes_of(one)?;
    printer.dictionary_of(&attributes, &|_| false, false)?;
    printer.text(" : ");
    printer.ty(result)
}

fn parse_fold<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.text().expect_word("by")?;
    let one = parser.implied_operation()?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let count = names.len();
    parser.add_operands(op, names, vec![ty; count])?;
    let ty = parser.resolved(ty)?;
    let location = parser.location_of(op.place())?;
    let one = one.operands((0..count).collect::<Vec<_>>()).results(vec![ty]);
    let give = ImpliedOp::new("toy.give", [count], Vec::new());
    parser.implied_region(op, &vec![ty; count], [one, give], location)?;
    Ok(Continuation::Done)
}

/// `out of range`: makes an operation that takes what is not defined.
fn parse_wrong<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let location = parser.location_of(op.place())?;
    parser.implied_region(op, &[], [ImpliedOp::new("toy.give", [0], Vec::new())], location)?;
    Ok(Continuation::Done)
}

fn toy() -> Context {
    let context = crate::definitions::context();
    let any = TypeConstraint::any();
    let anything = || Predicate::All(Vec::new());
    let definitions = [
        OpDef::builder("toy.each")
            .traits(Traits::TERMINATOR)
            .operands("values", Multiplicity::Variadic, &any)
            .attribute("map", &AttributeConstraint::any())
            .region("body", anything())
            .successors("next")
            .implicit_terminator("toy.end")
            .custom_syntax()
            .finish(),
        OpDef::builder("toy.end").traits(Traits::TERMINATOR).region("rest", anything()).finish(),
        OpDef::builder("toy.pair").operands("values", Multiplicity::Variadic, &any).custom_syntax().finish(),
        OpDef::builder("toy.fold")
            .traits(Traits::ISOLATED_FROM_ABOVE)
            .operands("values", Multiplicity::Variadic, &any)
            .region("body", anything())
            .custom_syntax()
            .finish(),
        OpDef::builder("toy.wrong").region("body", anything()).custom_syntax().finish(),
        OpDef::builder("toy.add")
            .operands("values", Multiplicity::Variadic, &any)
            .optional_attribute("kind", &AttributeConstraint::any())
            .result("sum", &any)
            .finish(),
        OpDef::builder("toy.give").traits(Traits::TERMINATOR).operand("value", &any).finish(),
    ];
    let definitions = definitions.map(|definition| definition.expect("a definition"));
    let toy = Dialect::new("toy")
        .ops(OpTable::from_definitions(definitions))
        .assembly("each", CustomAssembly { print: print_each, parse: parse_each })
        .assembly("fold", CustomAssembly { print: print_fold, parse: parse_fold })
        .assembly("wrong", CustomAssembly { print: print_pair, parse: parse_wrong })
        .assembly("pair", CustomAssembly { print: print_pair, parse: parse_pair });
    context.register(toy).expect("registered");
    context
}

fn read(context: &Context, text: &str) -> Module {
    parse_module(context, text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

fn print(module: &Module, options: &PrintOptions) -> String {
    let mut text = Vec::new();
    print_module(module, options, &mut text).expect("a module to print");
    String::from_utf8(text).expect("text")
}

const EACH: &str = r#"func.func @f(%arg0: index, %arg1: index) {
  toy.each %arg2 over (symbol(%arg1), %arg0) {
  } then ^bb1 then ^bb2
^bb1:  // pred: ^bb0
  return
^bb2:  // pred: ^bb0
  return
}
"#;

#[test]
fn successors_stand_behind_a_region_and_a_terminator_is_made_with_its_region() {
    let context = toy();
    let options = PrintOptions::new().generic(false);
    let module = read(&context, EACH);
    assert_eq!(print(&module, &options).trim_end(), EACH.trim_end());
    let generic = print(&module, &PrintOptions::new().generic(true));
    let made = r#"  "toy.each"(%arg0, %arg1)[^bb1, ^bb2] <{map = affine_map<(d0)[s0] -> (s0, d0)>}> ({
  ^bb0(%arg2: index):
    "toy.end"() ({
    ^bb0:
    }) : () -> ()
  }) : (index, index) -> ()"#;
    assert!(generic.replace("\n    ", "\n  ").contains(&made.replace("\n    ", "\n  ")), "{generic}");
    assert_eq!(print(&read(&context, &generic), &options).trim_end(), EACH.trim_end());
}

#[test]
fn an_argument_has_the_location_that_its_text_says() {
    let context = toy();
    let options = PrintOptions::new().generic(false).locations(true);
    let text = EACH.replace("each %arg2 over", "each %arg2 loc(\"here\") over");
    let printed = print(&read(&context, &text), &options);
    assert!(printed.contains(r#"toy.each %arg2 loc("here") over"#), "{printed}");
    assert_eq!(print(&read(&context, &printed), &options), printed);
}

#[test]
fn as_many_types_as_operands() {
    let context = toy();
    let text =
        |types: &str| format!("func.func @f(%a: index, %b: i1) {{\n  toy.pair [%a, %b] : {types}\n  return\n}}\n");
    let module = read(&context, &text("index, i1"));
    assert!(print(&module, &PrintOptions::new().generic(false)).contains("toy.pair [%arg0, %arg1] : index, i1"));
    for types in ["index", "index, i1, i1"] {
        let error = parse_module(&context, text(types).as_bytes(), &ParseOptions::new()).expect_err("a wrong count");
        assert!(error.to_string().contains("of 2 operands"), "{error}");
    }
}

#[test]
fn a_body_that_text_leaves_out_is_made() {
    let context = toy();
    let (custom, generic) = (PrintOptions::new().generic(false), PrintOptions::new().generic(true));
    let text = "func.func @f(%arg0: i8, %arg1: i8) {\n  toy.fold %arg0, %arg1 by toy.add {kind = \"fast\"} : i8\n  return\n}\n";
    let module = read(&context, text);
    assert_eq!(print(&module, &custom).trim_end(), text.trim_end());
    let whole = print(&module, &generic);
    let body = r#"^bb0(%arg2: i8, %arg3: i8):
    %0 = "toy.add"(%arg2, %arg3) <{kind = "fast"}> : (i8, i8) -> i8
    "toy.give"(%0) : (i8) -> ()"#;
    assert!(whole.contains(body), "{whole}");
    assert_eq!(print(&read(&context, &whole), &custom).trim_end(), text.trim_end());
    // What the text would lose is printed whole.
    for (what, other) in
        [("(%0) : (i8)", "(%arg2) : (i8)"), ("(%arg2, %arg3)", "(%arg3, %arg2)"), ("(%0) :", "(%0) {more} :")]
    {
        let changed = whole.replace(what, other);
        assert_ne!(changed, whole);
        let printed = print(&read(&context, &changed), &custom);
        assert!(printed.contains("\"toy.fold\"("), "{printed}");
        assert_eq!(print(&read(&context, &printed), &generic), changed);
    }
}

#[test]
fn what_cannot_stand_in_a_body_that_is_made_is_an_error() {
    let context = toy();
    let text = |op: &str| format!("func.func @f(%a: i8) {{\n  {op}\n  return\n}}\n");
    for (op, message) in [
        ("toy.fold %a by toy.each : i8", "an operation with regions or successors cannot be all of a body"),
        ("toy.fold %a by toy.nothing : i8", "expected the name of an operation"),
        ("toy.wrong", "`toy.give` takes a value that is not there yet"),
    ] {
        let error = parse_module(&context, text(op).as_bytes(), &ParseOptions::new()).expect_err("an error");
        assert!(error.to_string().contains(message), "{error}");
    }
}
