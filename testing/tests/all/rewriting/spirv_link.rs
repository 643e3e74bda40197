//! Linking of modules of `spirv`, beside the combiner of mlir-opt.

use mlirbc_ir::{Module, OpRef, Result};
use mlirbc_spirv::transforms::link;
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

use super::{by_mlir_opt, context, generic};

/// Modules that have names, variables and constants in common.
const MODULES: &str = include_str!("spirv_link.mlir");

fn parsed(text: &str) -> Module {
    parse_module(&context(), text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// The modules in a module as one.
fn linked(text: &str, rename: bool) -> Result<Module> {
    let module = parsed(text);
    let top = module.operations()?.next().expect("a module");
    link(&top.ops()?.collect::<Vec<OpRef<'_>>>(), rename)
}

#[test]
fn modules_become_what_the_combiner_of_mlir_opt_makes() {
    if !tool("mlir-opt-22", "linked modules were not compared with those of its combiner") {
        return;
    }
    let ours = linked(MODULES, false).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(by_mlir_opt(MODULES, "builtin.module(test-spirv-module-combiner)"), generic(&ours));
}

#[test]
fn variables_of_one_module_that_nothing_binds_stay_two() {
    let private = "spirv.module Logical GLSL450 {
      spirv.GlobalVariable @a : !spirv.ptr<f32, Private>
      spirv.GlobalVariable @b : !spirv.ptr<f32, Private>
    }\n";
    let ours = linked(&format!("module {{\n{private}{private}}}"), false).map(|module| generic(&module));
    assert!(matches!(&ours, Ok(text) if text.matches("spirv.GlobalVariable").count() == 2), "{ours:?}");
}

#[test]
fn structs_of_one_name_that_differ_get_two() {
    let context = context();
    let with = |member: &str| {
        let ty = format!("!spirv.ptr<!spirv.struct<Block, ({member} [0]), Block>, Uniform>");
        let text = format!("spirv.module Logical GLSL450 {{ spirv.GlobalVariable @v bind(0, 0) : {ty} }}");
        let options = ParseOptions::new().implicit_module(true);
        parse_module(&context, text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}"))
    };
    let modules = ["f32", "i32", "f32"].map(with);
    let tops = modules.each_ref().map(|module| module.operations().ok()?.next()?.ops().ok()?.next());
    let tops: Vec<OpRef<'_>> = tops.into_iter().flatten().collect();
    let text = link(&tops, false).map(|module| generic(&module)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(text.matches("spirv.GlobalVariable").count(), 2, "{text}");
    assert!(text.contains("struct<Block, (f32 [0])") && text.contains("struct<Block_0, (i32 [0])"), "{text}");
}

#[test]
fn structs_that_only_their_decorations_tell_apart_stay_two() {
    let with = |decoration: &str, class: &str| {
        let ty = format!("!spirv.ptr<!spirv.struct<S, (i32 [0]), {decoration}>, {class}>");
        format!("spirv.module Logical GLSL450 {{ spirv.GlobalVariable @v bind(0, 0) : {ty} }}\n")
    };
    let [old, new] = [with("BufferBlock", "Uniform"), with("Block", "StorageBuffer")];
    let text = linked(&format!("module {{\n{old}{new}{old}}}"), false).map(|module| generic(&module));
    let text = text.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(text.matches("spirv.GlobalVariable").count(), 2, "{text}");
    assert!(text.contains("struct<S, (i32 [0]), BufferBlock>, Uniform"), "{text}");
    assert!(text.contains("struct<S_0, (i32 [0]), Block>, StorageBuffer"), "{text}");
}

/// A module of a version, with something in it.
fn versioned(version: u32, inside: &str) -> String {
    format!("spirv.module Logical GLSL450 requires #spirv.vce<v1.{version}, [Shader], []> {{\n{inside}\n}}\n")
}

#[test]
fn what_later_versions_do_not_have_is_not_linked_with_them() {
    let old = "spirv.GlobalVariable @old bind(0, 0) : !spirv.ptr<!spirv.struct<(i32 [0]), BufferBlock>, Uniform>";
    let with = |version| linked(&format!("module {{\n{}{}}}", versioned(version, ""), versioned(0, old)), false);
    assert!(with(3).is_ok());
    let said = with(4).map(|_| ()).expect_err("of 1.4").to_string();
    assert!(said.contains("`BufferBlock`") && said.contains("1.3"), "{said}");
}

#[test]
fn entry_points_name_what_later_versions_ask_for() {
    let old = r#"spirv.GlobalVariable @block bind(0, 0) : !spirv.ptr<!spirv.struct<(i32 [0]), Block>, Uniform>
      spirv.func @f() "None" {
        %0 = spirv.mlir.addressof @block : !spirv.ptr<!spirv.struct<(i32 [0]), Block>, Uniform>
        spirv.Return
      }
      spirv.EntryPoint "GLCompute" @f"#;
    let with = |version| {
        let module = linked(&format!("module {{\n{}{}}}", versioned(0, old), versioned(version, "")), false);
        generic(&module.unwrap_or_else(|error| panic!("{error}")))
    };
    assert!(with(3).contains("interface = []"), "{}", with(3));
    assert!(with(4).contains("interface = [@block]"), "{}", with(4));
}

#[test]
fn entry_points_of_one_name_and_model_are_refused_or_renamed() {
    let module = versioned(0, "spirv.func @main() \"None\" { spirv.Return }\nspirv.EntryPoint \"GLCompute\" @main");
    let twice = format!("module {{\n{module}{module}}}");
    let said = linked(&twice, false).map(|_| ()).expect_err("two entry points").to_string();
    assert!(said.contains("entry point \"main\""), "{said}");
    let text = linked(&twice, true).map(|module| generic(&module)).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("fn = @main,") && text.contains("fn = @main_1,"), "{text}");
    // A function that is called as the other's entry point is.
    let other = r#"spirv.func @f() "None" { spirv.Return }
      "spirv.EntryPoint"() <{execution_model = #spirv.execution_model<GLCompute>, fn = @f, interface = []}> {spirv_binary.name = "main"} : () -> ()"#;
    let other = versioned(0, other);
    let text = linked(&format!("module {{\n{other}{module}}}"), true).map(|module| generic(&module));
    let text = text.unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("spirv_binary.name = \"main\"") && text.contains("spirv_binary.name = \"main_1\""), "{text}");
}

#[test]
fn models_have_to_be_the_same() {
    let text = "module {\nspirv.module Logical GLSL450 {}\nspirv.module Physical64 OpenCL {}\n}";
    let said = linked(text, true).map(|_| ()).expect_err("two models").to_string();
    assert!(said.contains("addressing model"), "{said}");
    assert!(link(&[], true).is_err());
    let module = parsed("module {}");
    let top: Vec<OpRef<'_>> = module.operations().map(Iterator::collect).unwrap_or_default();
    assert!(link(&top, true).is_err(), "no module of SPIR-V");
}
