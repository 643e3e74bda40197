//! The custom assembly of the dialect's operations: what mlir-opt prints, and what is read back.

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc_ir::Module;
use mlirbc_spirv::register;
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

const MODULES: &str = include_str!("forms/modules.mlir");

/// What mlir-opt 22 prints.
const PRINTED: &str = "spirv.module Logical GLSL450 requires #spirv.vce<v1.0, [Shader], []> {\n  spirv.GlobalVariable @g bind(0, 1) : \
     !spirv.ptr<f32, Uniform>\n  spirv.func @f(%arg0: i32) -> i32 \"None\" {\n    %cst5_i32 = spirv.Constant 5 : i32\n    \
     %g_addr = spirv.mlir.addressof @g : !spirv.ptr<f32, Uniform>\n    %0 = spirv.Load \"Uniform\" %g_addr [\"Aligned\", 4] : \
     f32\n    spirv.mlir.selection {\n      %true = spirv.Constant true\n      spirv.BranchConditional %true [1, 2], ^bb1, ^bb2\n\
     \x20   ^bb1:  // pred: ^bb0\n      spirv.Branch ^bb2\n    ^bb2:  // 2 preds: ^bb0, ^bb1\n      spirv.mlir.merge\n    }\n    \
     spirv.ReturnValue %cst5_i32 : i32\n  }\n  spirv.EntryPoint \"GLCompute\" @f, @g\n  spirv.ExecutionMode @f \"LocalSize\", 32, \
     1, 1\n}\n";

fn read(text: &str) -> Module {
    let context = mlirbc_testing::context();
    register(&context).expect("registered");
    parse_module(&context, text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

fn print(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(false), &mut text).expect("a module to print");
    String::from_utf8(text).expect("text")
}

fn mlir_opt(input: &str) -> String {
    let mut child = Command::new("mlir-opt-22").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("mlir-opt");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("mlir-opt ends");
    assert!(output.status.success(), "{input}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn what_mlir_opt_prints_comes_back() {
    assert_eq!(print(&read(PRINTED)), format!("{PRINTED}\n"));
}

/// Every module that mlir-opt accepts is printed as mlir-opt prints it, and that is read back.
#[test]
fn modules_are_printed_as_mlir_opt_prints_them() {
    let with_tool = tool("mlir-opt-22", "the assembly of the SPIR-V dialect");
    let mut count = 0;
    for module in MODULES.split("// -----\n").skip(1) {
        let (head, text) = module.split_once('\n').expect("a name and a module");
        if !head.ends_with(": accepted") {
            continue;
        }
        let text = format!("module {{\n{text}}}\n");
        let printed = print(&read(&text));
        assert_eq!(print(&read(&printed)), printed, "{head}");
        if with_tool {
            assert_eq!(printed, mlir_opt(&text), "{head}");
        }
        count += 1;
    }
    assert!(count >= 20, "{count}");
}
