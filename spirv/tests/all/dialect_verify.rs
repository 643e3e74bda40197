//! Rules of the dialect, beside mlir-opt's.

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc_ir::verify::verify_module;
use mlirbc_spirv::register;
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

const MODULES: &str = include_str!("forms/modules.mlir");

/// What SPIR-V allows and mlir-opt does not, with the reason.
const RELAXED: &[(&str, &str)] = &[
    ("iadd_mixed", "integers that are read in different ways are added"),
    ("or_mixed", "and so are their bits put together"),
    ("equal_mixed", "and compared"),
    ("lowest_bit_mixed", "the place of a bit has a sign, as glslang has it"),
    ("highest_bit_signed", "a number that has a sign is of 32 bits, too"),
];

/// What is wrong with a module, if anything is.
fn first_error(text: &str) -> Option<String> {
    let context = mlirbc_testing::context();
    register(&context).expect("registered");
    let module = match parse_module(&context, text.as_bytes(), &ParseOptions::new().implicit_module(true)) {
        Ok(module) => module,
        Err(errors) => return Some(errors.to_string()),
    };
    let mut first = None;
    let mut report = |error: mlirbc_ir::Error| {
        first.get_or_insert(error.to_string());
    };
    verify_module(&module, &mut report).expect("decoded");
    first
}

fn mlir_opt_accepts(text: &str) -> bool {
    let mut child = Command::new("mlir-opt-22")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("mlir-opt");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("written");
    child.wait().expect("mlir-opt ends").success()
}

#[test]
fn types_too_long_to_be_shown_are_compared() {
    let load = |pointee: &str, result: &str| {
        format!(
            "spirv.func @load(%from: !spirv.ptr<{pointee}, StorageBuffer>) \"None\" {{
               %value = \"spirv.Load\"(%from) : (!spirv.ptr<{pointee}, StorageBuffer>) -> {result}
               spirv.Return
             }}"
        )
    };
    let name = "a".repeat(1 << 20);
    let [left, right] = ["l", "r"].map(|last| format!("!spirv.struct<{name}{last}, (i32)>"));
    assert_eq!(first_error(&load(&left, &left)), None);
    let error = first_error(&load(&left, &right)).expect("another type");
    assert!(error.contains("mismatch in result type and pointer type"), "{error}");
}

#[test]
fn rules_are_those_of_mlir_opt() {
    let with_tool = tool("mlir-opt-22", "rules of the SPIR-V dialect");
    let (mut count, mut wrong) = (0, Vec::new());
    for module in MODULES.split("// -----\n").skip(1) {
        let (head, text) = module.split_once('\n').expect("a name and a module");
        let (name, verdict) = head.trim_start_matches("// ").split_once(": ").expect("a verdict");
        let relaxed = RELAXED.iter().any(|relaxed| relaxed.0 == name);
        let found = first_error(text);
        if found.is_none() != (verdict == "accepted" || relaxed) {
            wrong.push(format!("{name} is {verdict}: {found:?}"));
        }
        assert!(!with_tool || mlir_opt_accepts(text) == (verdict == "accepted"), "{name}");
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 110, "{count}");
}

#[test]
fn instructions_of_other_sets_may_be_without_a_result() {
    let with = |type_of_results: &str, results: &str| {
        first_error(&format!(
            "spirv.func @f(%given: i32) \"None\" {{
               {results}\"spirv.ExtInst\"(%given) {{set = \"NonSemantic.DebugPrintf\", instruction = 1 : i32}} : (i32) -> {type_of_results}
               spirv.Return
             }}"
        ))
    };
    assert_eq!(with("()", ""), None);
    assert_eq!(with("i32", "%one = "), None);
    let error = with("(i32, i32)", "%two:2 = ").expect("one too many");
    assert!(error.contains("result"), "{error}");
}
