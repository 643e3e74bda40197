//! The text of the dialect's types and attributes, beside mlir-opt's.

use crate::forms;

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc_ir::text::{parse_attribute, print_attribute};
use mlirbc_ir::{AttributeData, Context};
use mlirbc_spirv::register;
use mlirbc_testing::tool;

use forms::{ATTRIBUTES, KEPT, OURS, TYPES, WRONG};

fn context() -> Context {
    let context = mlirbc_testing::context();
    register(&context).expect("registered");
    context
}

fn print(context: &Context, text: &str) -> String {
    let attribute = parse_attribute(context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    print_attribute(context, attribute).expect("text")
}

fn mlir_opt(input: &str) -> (bool, String) {
    let mut child = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "--mlir-print-op-generic"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("mlir-opt");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("mlir-opt ends");
    (output.status.success(), String::from_utf8(output.stdout).expect("text"))
}

fn operation(text: &str) -> String {
    format!("\"test.op\"() {{a = {text}}} : () -> ()\n")
}

#[test]
fn text_is_mlir_opts() {
    let context = context();
    let texts: Vec<&str> = TYPES.iter().chain(ATTRIBUTES).copied().collect();
    let printed: Vec<String> = texts.iter().map(|text| print(&context, text)).collect();
    for (text, printed) in texts.iter().zip(&printed) {
        assert_eq!(print(&context, printed), *printed, "{text}");
        let (first, again) =
            (parse_attribute(&context, text.as_bytes()), parse_attribute(&context, printed.as_bytes()));
        assert_eq!(first.expect(text), again.expect(printed), "{text}");
    }
    if !tool("mlir-opt-22", "the text of SPIR-V types and attributes") {
        return;
    }
    let (ok, output) = mlir_opt(&texts.iter().map(|text| operation(text)).collect::<String>());
    assert!(ok, "mlir-opt takes all of them");
    let lines: Vec<&str> = output
        .lines()
        .filter_map(|line| line.trim().strip_prefix("\"test.op\"() {a = ")?.strip_suffix("} : () -> ()"))
        .collect();
    assert_eq!(lines.len(), texts.len());
    for (line, printed) in lines.iter().zip(&printed) {
        assert_eq!(printed, line);
    }
}

#[test]
fn what_is_wrong_is_refused() {
    let context = context();
    for text in WRONG {
        assert!(parse_attribute(&context, text.as_bytes()).is_err(), "{text}");
    }
    if tool("mlir-opt-22", "wrong text of SPIR-V types and attributes") {
        for text in WRONG {
            assert!(!mlir_opt(&operation(text)).0, "{text}");
        }
    }
}

#[test]
fn what_mlir_lacks_has_text() {
    let context = context();
    for text in OURS.iter().chain(KEPT) {
        assert_eq!(print(&context, text), *text);
        assert_eq!(print(&context, &format!("[{text}]")), format!("[{text}]"));
    }
    // What is known is not kept as text.
    for text in TYPES.iter().chain(ATTRIBUTES).chain(OURS) {
        let attribute = parse_attribute(&context, text.as_bytes()).expect(text);
        match &context[attribute] {
            AttributeData::Type(ty) => assert!(mlirbc_spirv::dialect::types::view(&context, *ty).is_some(), "{text}"),
            _ => assert!(mlirbc_spirv::dialect::attributes::view(&context, attribute).is_some(), "{text}"),
        }
    }
    if tool("mlir-opt-22", "text that MLIR lacks") {
        for text in OURS.iter().chain(KEPT) {
            assert!(!mlir_opt(&operation(text)).0, "{text}");
        }
    }
}

/// Text cut anywhere, or with a byte changed, is read or refused.
#[test]
fn damaged_text_does_no_harm() {
    let context = context();
    for text in TYPES.iter().chain(ATTRIBUTES).chain(OURS).chain(KEPT) {
        let bytes = text.as_bytes();
        for at in 0..bytes.len() {
            let _ = parse_attribute(&context, &bytes[..at]);
            for byte in [b'<', b'>', b',', b'x', b'9', b'"', b'@', b'!', 0] {
                let mut changed = bytes.to_vec();
                changed[at] = byte;
                if let Ok(attribute) = parse_attribute(&context, &changed) {
                    let printed = print_attribute(&context, attribute).expect("text");
                    assert_eq!(parse_attribute(&context, printed.as_bytes()).ok(), Some(attribute), "{printed}");
                }
            }
        }
    }
    let deep = |levels: usize| format!("{}f32{}", "!spirv.ptr<".repeat(levels), ", Uniform>".repeat(levels));
    assert!(parse_attribute(&context, deep(100).as_bytes()).is_ok());
    assert!(parse_attribute(&context, deep(100_000).as_bytes()).is_err());
}
