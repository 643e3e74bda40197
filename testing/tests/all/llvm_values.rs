//! Values of `llvm` that were text once: address spaces, pointers into them, and languages.

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc_dialects::{llvm, ptr};
use mlirbc_ir::text::{parse_attribute, parse_type};
use mlirbc_ir::{AttributeData, Context, Parameter};
use mlirbc_testing::tool;

use crate::definitions::context;

#[test]
fn pointers_into_address_spaces_are_types_of_llvm() {
    let context = context();
    let space = |text: &str| ptr::memory_space(&context, parse_type(&context, text.as_bytes()).expect(text));
    let seven = space("!ptr.ptr< #llvm<address_space< 7 >> >").expect("a space");
    assert_eq!(llvm::parameter(&context, seven, "addressSpace"), Some(&Parameter::Unsigned(7)));
    assert_eq!(context.show(seven).to_string(), "#llvm.address_space<7>");
    assert_eq!(space("!llvm.ptr"), None);
    let compatible = |text: &str| llvm::is_compatible(&context, parse_type(&context, text.as_bytes()).expect(text));
    for (text, expected) in [
        ("!ptr.ptr<#llvm.address_space<3>>", true),
        ("!ptr.ptr<#ptr.generic_space>", false),
        ("!llvm.struct<(ptr, !ptr.ptr<#llvm.address_space<3>>)>", true),
        ("!llvm.struct<(ptr, !ptr.ptr<#ptr.generic_space>)>", false),
    ] {
        assert_eq!(compatible(text), expected, "{text}");
        assert_eq!(context.show(parse_type(&context, text.as_bytes()).expect(text)).to_string(), text);
    }
    for wrong in ["#llvm.address_space<>", "#llvm.address_space<4294967296>"] {
        assert!(parse_attribute(&context, wrong.as_bytes()).is_err(), "{wrong}");
    }
}

#[test]
fn languages_are_a_number_or_a_name_and_a_version() {
    let context = context();
    let language = |inside: &str| {
        parse_attribute(&context, format!("#llvm.di_source_language_name<{inside}>").as_bytes())
            .map_err(|error| error.to_string())
    };
    let named = language("dialect = DW_LLVM_LANG_DIALECT_tile, version = 0, name = DW_LNAME_Rust").expect("a name");
    assert_eq!(
        context.show(named).to_string(),
        "#llvm.di_source_language_name<name = DW_LNAME_Rust, version = 0, dialect = DW_LLVM_LANG_DIALECT_tile>"
    );
    assert_eq!(llvm::parameter(&context, named, "name"), Some(&Parameter::Unsigned(0x19)));
    for (wrong, why) in [
        ("", "either a `language` or a `name`"),
        ("version = 1", "either a `language` or a `name`"),
        ("language = DW_LANG_C, name = DW_LNAME_C, version = 1", "either a `language` or a `name`"),
        ("language = DW_LANG_C, version = 1", "has no `version`"),
        ("name = DW_LNAME_C", "asks for a `version`"),
    ] {
        let error = language(wrong).expect_err(wrong);
        assert!(error.contains(why), "{error}");
    }
    // One that only a later release knows is kept, and may stand in a unit.
    let newer = language("name = DW_LNAME_Klingon, version = 1").expect("text");
    assert!(matches!(context[newer], AttributeData::Text { .. }));
    let unit = |language: &str| {
        let text =
            format!("#llvm.di_compile_unit<sourceLanguage = {language}, isOptimized = false, emissionKind = None>");
        parse_attribute(&context, text.as_bytes())
            .map(|unit| llvm::parameter(&context, unit, "sourceLanguage").cloned())
    };
    let of = |attribute| Some(Parameter::Attribute(attribute));
    let shown = |attribute| context.show(attribute).to_string();
    assert_eq!(unit(&shown(newer)).expect("a unit"), of(newer));
    assert_eq!(unit(&shown(named)).expect("a unit"), of(named));
    // A number that every release has a word for is that number, however it is written.
    assert_eq!(
        unit(&shown(language("language = DW_LANG_C").expect("C"))).expect("a unit"),
        Some(Parameter::Unsigned(2))
    );
    let roc = language("language = DW_LANG_Roc").expect("Roc");
    assert_eq!(unit(&shown(roc)).expect("a unit"), of(roc));
    assert!(unit("#llvm.di_null_type").is_err());
}

/// What `mlir-opt` prints of an attribute, and whether it reads that again.
fn printed(attribute: &str) -> (String, bool) {
    let run = |text: &str| {
        let mut child = Command::new("mlir-opt-22")
            .arg("--allow-unregistered-dialect")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("mlir-opt");
        child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("written");
        let output = child.wait_with_output().expect("mlir-opt ends");
        (String::from_utf8(output.stdout).expect("text"), output.status.success())
    };
    let (text, accepted) = run(&format!("\"t.op\"() {{a = {attribute}}} : () -> ()"));
    assert!(accepted, "{attribute}");
    let read = run(&text).1;
    (text, read)
}

/// What `docs/compatibility.md` says of them: what is given, and what `mlir-opt` prints of it.
const UNREADABLE: [(&str, &str); 2] = [
    ("#llvm<di_expression_elem DW_OP_deref>", "#llvm.di_expression_elemDW_OP_deref"),
    ("#llvm<di_expression_elem DW_OP_plus_uconst(4)>", "#llvm<di_expression_elemDW_OP_plus_uconst(4)>"),
];

#[test]
fn what_mlir_opt_prints_and_does_not_read_is_printed_as_it_reads_it() {
    let docs = include_str!("../../../docs/compatibility.md");
    let context: Context = context();
    let with_tool = tool("mlir-opt-22", "attributes whose text it does not read again");
    for (given, theirs) in UNREADABLE {
        assert!(docs.contains(&format!("| `{given}` | `{theirs}` |")), "{given} is not in docs/compatibility.md");
        let attribute = parse_attribute(&context, given.as_bytes()).expect(given);
        assert_eq!(context.show(attribute).to_string(), given);
        if with_tool {
            let (text, read) = printed(given);
            assert!(text.contains(&format!("a = {theirs}}}")), "{text}");
            assert!(!read, "mlir-opt reads {theirs} now: it is no difference any more");
        }
    }
}
