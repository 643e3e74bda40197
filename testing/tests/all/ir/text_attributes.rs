//! Attributes in the formats of operations: whatever a constraint says of them, what is printed reads back as it was.

use mlirbc_ir::ods::{AttributeConstraint, OpDef, OpTable, Predicate, Syntax, TermClass};
use mlirbc_ir::{Context, Dialect};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// What constraints say that attributes are held by.
const STORAGES: &[&str] = &[
    "",
    "Attribute",
    "R",
    "RAttr",
    "mine.r",
    "mine.s",
    "other.r",
    "mine",
    "mine::RAttr",
    "::mine::RAttr",
    "IntegerAttr",
    "StringAttr",
    "TypedAttr",
    "ElementsAttr",
    "ArrayAttr",
    "DenseArrayAttr",
    "DenseBoolArrayAttr",
    "DenseI32ArrayAttr",
    "DenseI64ArrayAttr",
    "DenseF32ArrayAttr",
    "SymbolRefAttr",
    "UnitAttr",
];

const ATTRIBUTES: &[&str] = &[
    "#mine.r<1>",
    "#mine.r<\"a>\", [1]>",
    "#mine.r",
    "#mine<r x>",
    "#mine<\"r\">",
    "#mine.s<1>",
    "#other.r<1>",
    "#other<r>",
    "5 : i32",
    "5",
    "true",
    "5 : index",
    "1.5 : f32",
    "\"a\"",
    "\"a\" : i32",
    "[]",
    "[1, 2]",
    "[#mine.r<1>]",
    "{a = 1 : i8}",
    "array<i1: true, false>",
    "array<i32: 1, 2>",
    "array<i32>",
    "array<i64: -1>",
    "array<f32: 1.5>",
    "dense<1> : tensor<2xi8>",
    "@a",
    "@a::@b",
    "unit",
    "i32",
    "tensor<2xf32>",
    "!mine.t<1>",
    "affine_map<(d0) -> (d0)>",
    "loc(unknown)",
];

/// Formats of an operation that has the attribute `r`, which must be there in the first ones.
const FORMATS: &[&str] = &[
    "$r attr-dict",
    "$r `,` `x` attr-dict",
    "`<` $r `>` attr-dict",
    "qualified($r) attr-dict",
    "(`k` $r^)? attr-dict",
    "($r^ `x`)? `y` attr-dict",
    "attr-dict",
];

/// Prints an operation that has the attribute, as its format says; and how it reads back.
fn round(context: &Context, attribute: &str) -> (String, String) {
    let text = format!("\"mine.req\"() <{{r = {attribute}}}> : () -> ()");
    let module = parse_module(context, text.as_bytes(), &ParseOptions::new()).expect("a module");
    let show = |module: &mlirbc_ir::Module, generic: bool| {
        let mut text = Vec::new();
        print_module(module, &PrintOptions::new().generic(generic), &mut text).expect("text");
        String::from_utf8(text).expect("text")
    };
    let printed = show(&module, false);
    let again = parse_module(context, printed.as_bytes(), &ParseOptions::new());
    let again = again.map_or_else(|error| error.to_string(), |again| show(&again, true));
    if again != show(&module, true) {
        return (printed.clone(), format!("{printed} reads back as {again}"));
    }
    (printed, String::new())
}

#[test]
fn an_attribute_reads_back_whatever_holds_it() {
    let (mut custom, mut tried, mut wrong) = (0, 0, Vec::new());
    for (number, storage) in STORAGES.iter().enumerate() {
        for format in FORMATS {
            let constraint =
                AttributeConstraint::new(if number % 2 == 0 { "" } else { "R" }, storage, Predicate::Always);
            let op = OpDef::builder("mine.req").format(*format);
            let op = match format.contains('^') {
                true => op.optional_attribute("r", &constraint),
                false => op.attribute("r", &constraint),
            };
            let context = crate::definitions::context();
            let op = op.finish().expect("a definition");
            assert!(matches!(op.syntax(), Syntax::Format(_)));
            context.register(Dialect::new("mine").ops(OpTable::from_definitions([op]))).expect("registered once");
            for attribute in ATTRIBUTES {
                let (printed, problem) = round(&context, attribute);
                tried += 1;
                custom += usize::from(!printed.contains("\"mine.req\""));
                if !problem.is_empty() {
                    wrong.push(format!("{attribute} held by {storage:?} in {format}: {problem}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(tried, STORAGES.len() * FORMATS.len() * ATTRIBUTES.len());
    // The others are in generic form: what the constraint names is something else.
    assert_eq!(custom, 2_957);
}

#[test]
fn a_class_that_is_no_dialect_and_mnemonic_leaves_an_attribute_whole() {
    let shown = |storage: &str| {
        let predicate = Predicate::is(TermClass::DialectAttribute("mine.r".into()));
        let constraint = AttributeConstraint::new("R", storage, predicate);
        let op = OpDef::builder("mine.req").attribute("r", &constraint).format("$r attr-dict").finish();
        let table = OpTable::from_definitions([op.expect("a definition")]);
        let context = crate::definitions::context();
        context.register(Dialect::new("mine").ops(table)).expect("registered once");
        let (printed, problem) = round(&context, "#mine.r<1>");
        assert_eq!(problem, "");
        printed.trim_end().to_owned()
    };
    assert_eq!(shown("RAttr"), "mine.req #mine.r<1>");
    assert_eq!(shown("Attribute"), "mine.req #mine.r<1>");
    assert_eq!(shown("mine.r"), "mine.req <1>");
    assert_eq!(shown("mine.s"), "mine.req #mine.r<1>");
}
