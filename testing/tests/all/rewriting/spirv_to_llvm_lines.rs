//! `convert-spirv-to-llvm` and where operations come from: lines of a binary are those of what is made of it, and errors say them.

use std::process::Command;

use mlirbc_bytecode::{WriteOptions, write};
use mlirbc_ir::{ErrorKind, Module, OpRef};
use mlirbc_rewrite::{Pipeline, RunOptions};
use mlirbc_testing::{fixtures, tool};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

use super::spirv_to_llvm_runs::{outer, piped};
use super::{context, registry};

const PIPELINE: &str = "builtin.module(convert-spirv-to-llvm)";

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join("spirv").join(name)).expect(name)
}

fn raised(binary: Vec<u8>) -> Module {
    mlirbc_spirv::raise(&context(), binary).unwrap_or_else(|error| panic!("{error}"))
}

fn run(module: &mut Module) -> mlirbc_ir::Result<()> {
    Pipeline::parse(PIPELINE, &registry()).unwrap_or_else(|error| panic!("{error}")).run(module).map(drop)
}

fn converted(binary: Vec<u8>) -> Module {
    let mut module = raised(binary);
    run(&mut module).unwrap_or_else(|error| panic!("{error}"));
    module
}

fn located(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().locations(true), &mut text).expect("text");
    String::from_utf8(text).expect("UTF-8")
}

/// All operations.
fn every(module: &Module) -> Vec<OpRef<'_>> {
    let outer = module.operations().expect("operations");
    outer.flat_map(|op| op.walk().expect("operations")).collect()
}

/// What there is in functions, each with its line.
fn lines(module: &Module) -> Vec<(String, Option<String>)> {
    let functions = every(module).into_iter().filter(|op| op.is("llvm.func"));
    let inner = functions.flat_map(|function| function.walk().expect("operations"));
    inner.map(|op| (op.name().into_owned(), op.source_line())).collect()
}

#[test]
fn what_is_made_has_the_lines_of_the_binary() {
    let lines = lines(&converted(fixture("lines.spv")));
    let of = |name: &str| -> Vec<&str> {
        lines.iter().filter(|line| line.0 == name).map(|line| line.1.as_deref().expect(name)).collect()
    };
    assert_eq!(of("llvm.func"), ["lines.comp:10:11", "lines.comp:5:27"]);
    assert_eq!(of("llvm.fmul"), ["lines.comp:6:0"]);
    assert_eq!(of("llvm.fadd"), ["lines.comp:13:0"]);
    assert_eq!(of("llvm.icmp"), ["lines.comp:12:0"]);
    assert_eq!(of("llvm.call"), ["lines.comp:13:0"]);
    assert_eq!(of("llvm.store"), [11, 13, 13, 6].map(|line| format!("lines.comp:{line}:0")));
    let text = located(&converted(fixture("lines.spv")));
    for name in ["loc(\"at\")", "loc(\"twice\")", "loc(\"number\")"] {
        assert!(text.contains(name), "{name} is not in\n{text}");
    }
}

#[test]
fn a_function_without_a_line_has_the_first_one_in_it() {
    let mut module = raised(fixture("lines.spv"));
    let unknown = module.context().unknown_location();
    let functions = every(&module).into_iter().filter(|op| op.is("spirv.func"));
    let functions: Vec<_> = functions.map(|op| (op.body_id(), op.id())).collect();
    for (body, op) in functions {
        module.rewrite(body, |rw| rw.set_location(op, unknown)).expect("a location");
    }
    run(&mut module).unwrap_or_else(|error| panic!("{error}"));
    let lines = lines(&module);
    let functions: Vec<_> = lines.iter().filter(|line| line.0 == "llvm.func").map(|line| line.1.as_deref()).collect();
    assert_eq!(functions, [Some("lines.comp:11:0"), Some("lines.comp:6:0")]);
}

#[test]
fn debug_information_of_the_extended_set_says_the_same_lines() {
    if !tool("glslangValidator", "debug information was not compiled in both ways") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let made = |flag: &str| {
        let output = folder.path().join("made.spv");
        let source = fixtures().join("spirv");
        let mut command = Command::new("glslangValidator");
        command.current_dir(source).args(["-V", flag, "--quiet", "lines.comp", "-o"]).arg(&output);
        assert!(command.status().expect("it runs").success());
        std::fs::read(&output).expect("a binary")
    };
    let (plain, extended) = (made("-g"), made("-gV"));
    let set = b"NonSemantic.Shader.DebugInfo.100";
    assert!(extended.windows(set.len()).any(|window| window == set));
    let (plain, extended) = (lines(&converted(plain)), lines(&converted(extended)));
    let is_located = |lines: &[(String, Option<String>)]| lines.iter().filter(|line| line.1.is_some()).count();
    assert!(is_located(&plain) > 20, "{plain:?}");
    assert_eq!(plain, extended);
}

#[test]
fn llvm_makes_tables_of_the_lines() {
    let tools = ["mlir-opt-22", "mlir-translate-22"];
    if !tools.iter().all(|program| tool(program, "lines were not taken to LLVM")) {
        return;
    }
    let text = located(&converted(fixture("lines.spv")));
    let arguments = ["--ensure-debug-info-scope-on-llvm-func", "--mlir-print-debuginfo"];
    let (code, scoped) = piped("mlir-opt-22", &arguments, outer(&text).as_bytes());
    assert_eq!(code, Some(0), "{text}");
    let (code, llvm) = piped("mlir-translate-22", &["--mlir-to-llvmir"], &scoped);
    assert_eq!(code, Some(0));
    let llvm = String::from_utf8(llvm).expect("UTF-8");
    for line in [6, 7, 11, 12, 13] {
        assert!(llvm.contains(&format!("!DILocation(line: {line}, ")), "line {line} is not in\n{llvm}\nof\n{text}");
    }
    for function in ["main", "doubled(f1;"] {
        assert!(llvm.contains(&format!("distinct !DISubprogram(name: \"{function}\"")), "{function}: {llvm}");
    }
    assert!(llvm.contains("!DIFile(filename: \"lines.comp\""), "{llvm}");
}

/// The error of the pass on a module, which is the same bytes afterwards.
fn refused(mut module: Module) -> String {
    let bytes = |module: &Module| write(module, &WriteOptions::default()).expect("bytecode");
    let before = (bytes(&module), located(&module));
    let error = run(&mut module).expect_err("it is refused");
    assert_eq!(error.kind(), ErrorKind::Verification, "{error}");
    assert!((bytes(&module), located(&module)) == before, "{error}");
    error.to_string()
}

fn parsed(text: &str) -> Module {
    let options = ParseOptions::new().implicit_module(true).implicit_locations(true);
    parse_module(&context(), text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn what_a_processor_does_not_have_is_named_with_its_line() {
    let error = refused(raised(fixture("shade.spv")));
    let expected = "failed to legalize operation 'spirv.ImageSampleImplicitLod' that was explicitly marked illegal: \
                    a processor has no images and no samplers, at shade.frag:9:0, ";
    assert!(error.contains(expected), "{error}");
    assert!(error.contains("@main"), "{error}");
    for (operation, reason) in [
        ("%r = \"spirv.GL.InterpolateAtCentroid\"(%x) : (f32) -> f32", "rasteriser"),
        ("%r = \"spirv.DPdxFine\"(%x) : (f32) -> f32", "fragments"),
        ("\"spirv.EmitVertex\"() : () -> ()", "vertices"),
    ] {
        let text = format!(
            "spirv.module Logical GLSL450 {{\nspirv.func @f(%x: f32) \"None\" {{\n{operation}\nspirv.Return\n}}\n}}"
        );
        let error = refused(parsed(&text));
        let name = operation.split('"').nth(1).expect("a name");
        assert!(error.contains(&format!("'{name}'")) && error.contains(reason), "{error}");
        assert!(error.contains(":3:"), "its line is not in {error}");
    }
}

#[test]
fn types_that_are_too_large_are_named_with_their_place() {
    let large = "!spirv.array<4294967295 x !spirv.array<4294967295 x f32, stride=4294967295>, stride=4294967295>";
    let buffer = format!("!spirv.ptr<!spirv.struct<({large} [0]), Block>, StorageBuffer>");
    for (text, line, operation) in [
        (format!("spirv.module Logical GLSL450 {{\nspirv.GlobalVariable @g : {buffer}\n}}"), 2, "spirv.GlobalVariable"),
        (
            format!(
                "spirv.module Logical GLSL450 {{\nspirv.func @f(%p: {buffer}) \"None\" {{\n%c = spirv.Constant 0 : i32\n\
                 %q = spirv.AccessChain %p[%c] : {buffer}, i32 -> !spirv.ptr<{large}, StorageBuffer>\n\
                 %v = spirv.Load \"StorageBuffer\" %q : {large}\nspirv.Return\n}}\n}}"
            ),
            5,
            "spirv.Load",
        ),
    ] {
        let error = refused(parsed(&text));
        assert!(error.contains(&format!("'{operation}'")), "{error}");
        assert!(error.contains(&format!(":{line}:")), "line {line} is not in {error}");
        assert!(error.contains("@g") || error.contains("@f"), "{error}");
    }
}

#[test]
fn pointers_to_what_holds_them_are_pointers() {
    let node = "!spirv.struct<node, (i32, !spirv.ptr<!spirv.struct<node>, Generic>)>";
    let mut module = parsed(&format!(
        "spirv.module Physical64 OpenCL {{\nspirv.func @f(%p: !spirv.ptr<{node}, Generic>) -> {node} \"None\" {{\n\
         %v = spirv.Load \"Generic\" %p : {node}\nspirv.ReturnValue %v : {node}\n}}\n}}"
    ));
    run(&mut module).unwrap_or_else(|error| panic!("{error}"));
    assert!(located(&module).contains("!llvm.struct<(i32, ptr)>"), "{}", located(&module));
}

/// Nobody but the dialect's own pass asks which capabilities a module needs: MLIR converts one that names too few, and so does this.
#[test]
fn capabilities_that_are_not_named_change_nothing() {
    let text = |capabilities: &str| {
        format!(
            "spirv.module Logical GLSL450 requires #spirv.vce<v1.0, [{capabilities}], []> {{\n\
             spirv.func @f(%x: f64) -> f64 \"None\" {{\n%y = spirv.FAdd %x, %x : f64\nspirv.ReturnValue %y : f64\n}}\n}}"
        )
    };
    let made = ["Shader", "Shader, Float64"].map(|capabilities| {
        let mut module = parsed(&text(capabilities));
        run(&mut module).unwrap_or_else(|error| panic!("{error}"));
        located(&module)
    });
    assert_eq!(made[0], made[1]);
}

/// A few words of a module make thousands of operations: not without an end.
#[test]
fn vectors_and_copies_that_are_too_long_are_named() {
    for (operation, reason) in [
        ("%r = \"spirv.CL.tgamma\"(%x) : (vector<4000000000xf32>) -> vector<4000000000xf32>", "too many elements"),
        ("%r = \"spirv.CL.length\"(%x) : (vector<4000000000xf32>) -> f32", "too many elements"),
        (
            "%r = \"spirv.CL.shuffle2\"(%x, %x, %y) : (vector<4000000000xf32>, vector<4000000000xf32>, vector<2xi32>) -> vector<2xf32>",
            "too many elements",
        ),
        (
            "%r = \"spirv.CompositeConstructReplicateEXT\"(%z) : (f32) -> !spirv.array<4000000000 x f32>",
            "too many parts",
        ),
    ] {
        let error = refused(parsed(&format!(
            "spirv.module Physical64 OpenCL {{\nspirv.func @f(%x: vector<4000000000xf32>, %y: vector<2xi32>, %z: f32) \"None\" {{\n\
             {operation}\nspirv.Return\n}}\n}}"
        )));
        assert!(error.contains(reason) && error.contains(":3:"), "{error}");
    }
}

/// What is named is the same on any number of threads, though all take from what is left.
#[test]
fn what_all_functions_are_taken_apart_into_has_an_end() {
    let ty = "!spirv.array<500000 x !spirv.struct<(i32, i32)>>";
    let mut text = format!(
        "spirv.module Logical GLSL450 {{\nspirv.SpecConstant @a = 7 : i32\n\
         spirv.SpecConstantComposite @pair (@a, @a) : !spirv.struct<(i32, i32)>\n\
         spirv.EXT.SpecConstantCompositeReplicate @all (@pair) : {ty}\n"
    );
    for number in 0..4 {
        text += &format!(
            "spirv.func @f{number}() \"None\" {{\n%r = spirv.mlir.referenceof @all : {ty}\nspirv.Return\n}}\n"
        );
    }
    text += "}";
    let through = |threads: usize| {
        let mut module = parsed(&text);
        let before = located(&module);
        let pipeline = Pipeline::parse("builtin.module(convert-spirv-to-llvm)", &registry()).expect("a pipeline");
        let error = pipeline.run_with(&mut module, RunOptions::new().threads(threads)).expect_err("it is refused");
        assert_eq!(located(&module), before);
        error.to_string()
    };
    let alone = through(1);
    assert!(alone.contains("all that is taken apart has too many parts") && alone.contains("@f2"), "{alone}");
    for threads in [2, 4] {
        assert_eq!(through(threads), alone);
    }
}
