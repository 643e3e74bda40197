//! Types whose text follows from their definitions: values with parameters, not text.

use std::path::Path;
use std::process::Command;

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::ods::OpTable;
use mlirbc_ir::text::{parse_type, print_type};
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{AttributeData, Context, Dialect, DialectValue, Parameter, Type, TypeData};
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

fn value(context: &Context, ty: Type) -> Option<&DialectValue> {
    match &context[ty] {
        TypeData::Dialect(value) => Some(value),
        _ => None,
    }
}

/// Text, and how MLIR writes it.
const TYPES: [(&str, &str); 13] = [
    ("!emitc.ptr<i32>", "!emitc.ptr<i32>"),
    ("!emitc<ptr<i32>>", "!emitc.ptr<i32>"),
    (
        "!emitc.lvalue< !emitc.ptr<!emitc.opaque<\"x<y\\\"z\">> >",
        "!emitc.lvalue<!emitc.ptr<!emitc.opaque<\"x<y\\22z\">>>",
    ),
    ("!emitc.ptr<!emitc.size_t>", "!emitc.ptr<!emitc.size_t>"),
    ("!tosa.shape<0>", "!tosa.shape<0>"),
    ("!tosa.shape< 0x10>", "!tosa.shape<16>"),
    ("!amdgpu.tdm_base<i8>", "!amdgpu.tdm_base<i8>"),
    ("!amdgpu.tdm_gather_base<i8,i16>", "!amdgpu.tdm_gather_base<i8, i16>"),
    ("!transform.param<i64>", "!transform.param<i64>"),
    ("!transform.op<\"a.b\">", "!transform.op<\"a.b\">"),
    ("!transform.op<\"\">", "!transform.op<\"\">"),
    ("!transform.op<\"a\\\\b\">", "!transform.op<\"a\\\\b\">"),
    ("!transform.op<\"\\0A\">", "!transform.op<\"\\0A\">"),
];

#[test]
fn they_are_written_as_mlir_writes_them() {
    let context = mlirbc_dialects::context();
    for (text, printed) in TYPES {
        let ty = parse_type(&context, text.as_bytes()).expect(text);
        assert!(value(&context, ty).is_some(), "{text}");
        assert_eq!(print_type(&context, ty).expect(text), printed);
        assert_eq!(parse_type(&context, printed.as_bytes()).expect(printed), ty);
    }
    if tool("mlir-opt-22", "the text of types by their definitions") {
        let list = |texts: Vec<&str>| format!("module attributes {{t.a = [{}]}} {{\n}}\n", texts.join(", "));
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), list(TYPES.iter().map(|known| known.0).collect())).expect("its text");
        let output = Command::new("mlir-opt-22").arg("--allow-unregistered-dialect").arg(file.path()).output();
        let output = output.expect("it runs");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(shown.trim_end(), list(TYPES.iter().map(|known| known.1).collect()).trim_end());
    }
}

#[test]
fn what_is_written_otherwise_is_kept_as_it_is() {
    let context = mlirbc_dialects::context();
    for text in [
        "!tosa.shape<x>",
        "!tosa.shape<2147483648>",
        "!tosa.shape<1, 2>",
        "!tosa.shape",
        "!emitc.ptr<>",
        "!emitc.ptr<\"x\">",
        "!transform.op<x.y>",
    ] {
        let ty = parse_type(&context, text.as_bytes()).expect(text);
        assert!(value(&context, ty).is_none(), "{text}");
        assert_eq!(print_type(&context, ty).expect(text), text);
    }
}

#[test]
fn bytecode_keeps_them() {
    let texts: Vec<&str> = TYPES.iter().map(|known| known.0).collect();
    let text = format!("module attributes {{t.a = [{}]}} {{\n}}", texts.join(", "));
    let module = parse_module(&mlirbc_dialects::context(), text.as_bytes(), &ParseOptions::new()).expect("a module");
    let bytes = mlirbc_bytecode::write(&module, &WriteOptions::default()).expect("bytes");
    let context = mlirbc_dialects::context();
    let read = mlirbc_bytecode::read(&context, bytes).expect("a module");
    let top = read.operations().expect("operations").next().expect("an operation");
    let found = top.attribute("t.a").expect("attributes").expect("it is there");
    let type_of = |text: &&str| AttributeData::Type(parse_type(&context, text.as_bytes()).expect(text));
    let types = texts.iter().map(|text| context.attribute(type_of(text))).collect();
    assert_eq!(found, context.attribute(AttributeData::Array(types)));
}

/// A context with a dialect of which nothing but the definitions is known.
fn toy() -> Context {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/ods/toy.json");
    let table = OpTable::from_json(&std::fs::read(fixture).expect("the fixture")).expect("a dialect");
    let context = Context::new();
    context.register(Dialect::new("toy").ops(table)).expect("a new dialect");
    context
}

#[test]
fn a_parameter_at_its_default_is_not_shown() {
    let context = toy();
    let of = |text: &str| parse_type(&context, text.as_bytes()).expect(text);
    let (short, long, deep) = (of("!toy.box<f32>"), of("!toy.box<f32, 1>"), of("!toy.box<f32, 2>"));
    assert_eq!(short, long);
    assert_eq!(print_type(&context, long).expect("its text"), "!toy.box<f32>");
    assert_eq!(print_type(&context, deep).expect("its text"), "!toy.box<f32, 2>");
    let parameters = [Parameter::Type(of("f32")), Parameter::Unsigned(2)];
    assert_eq!(*value(&context, deep).expect("a value").parameters, parameters);
}

#[test]
fn rules_read_parameters() {
    let context = toy();
    let errors = |of: &str| {
        let text =
            format!("%0 = \"t.a\"() : () -> !toy.box<f32, 3>\n%1 = \"toy.unbox\"(%0) : (!toy.box<f32, 3>) -> {of}");
        let module = parse_module(&context, text.as_bytes(), &ParseOptions::new()).expect("a module");
        let mut errors = Vec::new();
        verify_module(&module, &mut |error| errors.push(error.message().to_owned())).expect("a module");
        errors
    };
    assert_eq!(errors("f32"), Vec::<String>::new());
    let wrong = errors("i32");
    assert!(wrong.iter().any(|error| error.contains("the content of the type of `box`")), "{wrong:?}");
}
