//! Binaries raised to the dialect `spirv`, and lowered again.

use std::path::Path;

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::{Context, Module};
use mlirbc_spirv::{Builder, SpirvForm, equal, has_dialect_module, lower, lower_words, raise, read_as, register};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn context() -> Context {
    let context = mlirbc_testing::context();
    register(&context).expect("a fresh context");
    context
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(mlirbc_testing::fixtures().join("spirv").join(name)).expect(name)
}

fn text(module: &Module, generic: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic).locations(true), &mut text).expect("text");
    String::from_utf8(text).expect("UTF-8")
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "spv"));
    paths.sort();
    paths.into_iter().map(|path| (path.display().to_string(), std::fs::read(path).expect("a module"))).collect()
}

/// Lowers a module by every way, and compares.
fn comes_back(name: &str, bytes: &[u8]) {
    let module = raise(&context(), bytes.to_vec()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let same = |module: &Module, how: &str| {
        let lowered = lower_words(module).unwrap_or_else(|error| panic!("{name}, {how}: {error}"));
        assert!(equal(&words(bytes), &lowered).expect("a module"), "{name}: another module {how}");
    };
    same(&module, "straight");
    let file = mlirbc_bytecode::write(&module, &WriteOptions::default()).expect("bytecode");
    same(&mlirbc_bytecode::read(&context(), file).expect("bytecode"), "through bytecode");
    for generic in [true, false] {
        let printed = text(&module, generic);
        let parsed = parse_module(&context(), printed.as_bytes(), &ParseOptions::new());
        same(&parsed.unwrap_or_else(|errors| panic!("{name}: {errors}\n{printed}")), "through text");
    }
}

#[test]
fn fixtures_come_back() {
    let files = files(&mlirbc_testing::fixtures().join("spirv"));
    assert_eq!(files.len(), 6);
    for (name, bytes) in files {
        comes_back(&name, &bytes);
    }
}

/// Files of the corpus that stay in the binary form: pointers to functions, which the dialect does not have.
const NOT_RAISED: &[&str] =
    &["KhronosGroup+SPIRV-Cross__shaders-reflection__comp__function-pointer.invalid.asm.comp.spv"];

#[test]
fn the_corpus_comes_back() {
    let Some(shared) = mlirbc_testing::shared("modules of corpus/spirv to be raised") else { return };
    let files = files(&shared.join("corpus/spirv"));
    assert_eq!(files.len(), 413);
    let mut binary = Vec::new();
    for (name, bytes) in &files {
        let module = read_as(&context(), bytes.clone(), SpirvForm::Auto).expect(name);
        if has_dialect_module(&module).expect("operations") {
            let back = words(&lower(&module).expect(name));
            assert!(equal(&words(bytes), &back).expect(name), "{name}");
        } else {
            binary.push(Path::new(name).file_name().expect("a file").to_string_lossy().into_owned());
        }
    }
    assert_eq!(binary, NOT_RAISED);
}

#[test]
fn constructs_are_regions_where_they_can_be() {
    let module = raise(&context(), fixture("control_flow.spv")).expect("a module");
    let printed = text(&module, true);
    let count = |what: &str| printed.matches(what).count();
    // The selection that breaks out of the loop stays as it is.
    assert_eq!((count("\"spirv.mlir.selection\""), count("\"spirv.mlir.loop\"")), (3, 1), "{printed}");
    assert_eq!(count("spirv_binary.merge"), 1, "{printed}");
    assert!(printed.contains("loop_control<Unroll|PartialCount>"), "{printed}");
}

#[test]
fn what_differs_is_not_equal() {
    // Any one word changed is another module, or cannot be read, but for these: the id of a block, of a difference, of an
    // extended instruction and of a call that nothing names, and a pointer that is announced before it is defined.
    let nothing: [(&str, &[usize]); 2] =
        [("control_flow.spv", &[70, 191]), ("declarations.spv", &[187, 188, 189, 318, 324])];
    for (name, nothing) in nothing {
        let original = words(&fixture(name));
        let mut same = Vec::new();
        for at in 5..original.len() {
            let mut changed = original.clone();
            changed[at] ^= 1;
            if equal(&original, &changed).unwrap_or(false) {
                same.push(at);
            }
        }
        assert_eq!(same, nothing, "words of {name}");
        assert!(equal(&original, &original.clone()).expect("a module"));
        let mut bound = original.clone();
        (bound[2], bound[3]) = (0, bound[3] + 7);
        assert!(equal(&original, &bound).expect("a module"));
    }
}

#[test]
fn what_stops_says_where() {
    // A function type as what a pointer points to.
    let mut module = words(&fixture("control_flow.spv"));
    let at = module.iter().position(|&word| word == 3 << 16 | 33).expect("OpTypeFunction");
    let function = module[at + 1];
    let bound = module[3];
    module[3] += 1;
    module.splice(at + 3..at + 3, [4 << 16 | 32, bound, 7, function]);
    let bytes: Vec<u8> = module.iter().flat_map(|word| word.to_le_bytes()).collect();
    let error = raise(&context(), bytes.clone()).expect_err("a pointer to a function");
    let shown = error.to_string();
    assert!(shown.contains("OpTypePointer, instruction ") && shown.contains("functions"), "{shown}");
    let module = read_as(&context(), bytes, SpirvForm::Auto).expect("the binary form");
    assert!(!has_dialect_module(&module).expect("operations"));
}

#[test]
fn a_line_between_a_merge_and_its_branch_is_not_raised() {
    let mut module = words(&fixture("control_flow.spv"));
    let at = module.iter().position(|&word| word == 3 << 16 | 247).expect("OpSelectionMerge");
    // OpNoLine.
    module.insert(at + 3, 1 << 16 | 317);
    let bytes: Vec<u8> = module.iter().flat_map(|word| word.to_le_bytes()).collect();
    let error = raise(&context(), bytes.clone()).expect_err("a place that the dialect has no room for").to_string();
    assert!(error.contains("between a merge and the end of its block, reading OpNoLine"), "{error}");
    let module = read_as(&context(), bytes.clone(), SpirvForm::Auto).expect("the binary form");
    assert!(mlirbc_spirv::write(&module).expect("words") == bytes);
}

#[test]
fn a_line_before_a_function_has_a_string_for_its_file() {
    let mut module = words(&fixture("lines.spv"));
    // OpLine, right before OpFunction.
    let at = module.windows(5).position(|words| words[0] == 4 << 16 | 8 && words[4] == 5 << 16 | 54).expect("OpLine");
    raise(&context(), module.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()).expect("a string");
    // The type of the function.
    module[at + 1] = module[at + 5];
    let bytes: Vec<u8> = module.iter().flat_map(|word| word.to_le_bytes()).collect();
    let error = raise(&context(), bytes.clone()).expect_err("a line that would be lost").to_string();
    assert!(error.contains("its file is no string"), "{error}");
    let module = read_as(&context(), bytes.clone(), SpirvForm::Auto).expect("the binary form");
    assert!(mlirbc_spirv::write(&module).expect("words") == bytes);
}

/// How many instructions of these opcodes a module of the dialect is written with, after passes.
fn written(text: &str, passes: &str, opcodes: [u16; 3]) -> [usize; 3] {
    let context = context();
    let mut module = parse_module(&context, text.as_bytes(), &ParseOptions::new().implicit_module(true)).expect(text);
    let registry = mlirbc_spirv::transforms::add_to(mlirbc_rewrite::Registry::default());
    let pipeline = mlirbc_rewrite::Pipeline::parse(passes, &registry).expect(passes);
    pipeline.run(&mut module).expect(text);
    let words = lower_words(&module).expect(text);
    let mut rest = &words[5..];
    let mut found = Vec::new();
    while let [head, ..] = rest {
        found.push(*head as u16);
        rest = &rest[(head >> 16) as usize..];
    }
    opcodes.map(|opcode| found.iter().filter(|&&it| it == opcode).count())
}

/// What has no place in a binary as it stands: two values for one block, blocks that are named and gone, constructs without an end.
#[test]
fn what_passes_leave_is_written() {
    let [label, branch, unreachable, phi, loop_merge, replicate] = [248, 249, 255, 245, 246, 4461];
    let nothing = "builtin.module(spirv.module())";
    let canonical = "builtin.module(spirv.module(spirv-canonicalize-gl))";
    let function = |body: &str| {
        format!(
            "spirv.module Logical GLSL450 attributes {{spirv_binary.imports = []}} {{ spirv.func @f(%c: i1, %x: i32, %y: i32) -> i32 \"None\" {{ {body} }} }}"
        )
    };
    let two = function(
        "spirv.BranchConditional %c, ^bb1(%x : i32), ^bb1(%y : i32) ^bb1(%z: i32): spirv.ReturnValue %z : i32",
    );
    assert_eq!(written(&two, nothing, [label, branch, phi]), [3, 1, 1]);
    let gone = function(
        "\"spirv.BranchConditional\"(%c)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> {spirv_binary.merge = array<i32: 247, 0, 0>} : (i1) -> () ^bb1: spirv.ReturnValue %x : i32 ^bb2: spirv.ReturnValue %y : i32",
    );
    assert_eq!(written(&gone, nothing, [label, unreachable, phi]), [4, 1, 0]);
    let endless = function(
        "spirv.mlir.loop { spirv.Branch ^bb1(%x : i32) ^bb1(%i: i32): spirv.BranchConditional %c, ^bb2, ^bb4
           ^bb2: spirv.ReturnValue %i : i32
           ^bb3: %j = spirv.IAdd %i, %i : i32 spirv.Branch ^bb1(%j : i32)
           ^bb4: spirv.mlir.merge } spirv.ReturnValue %y : i32",
    );
    assert_eq!(written(&endless, canonical, [loop_merge, phi, 128]), [1, 0, 0]);
    let back = function(
        "spirv.Branch ^bb1(%x : i32) ^bb1(%i: i32): \"spirv.BranchConditional\"(%c)[^bb2, ^bb3] <{operandSegmentSizes = array<i32: 1, 0, 0>}> {spirv_binary.merge = array<i32: 246, 0, 1, 0>} : (i1) -> () ^bb2: spirv.ReturnValue %i : i32 ^bb3: spirv.ReturnValue %y : i32",
    );
    assert_eq!(written(&back, nothing, [label, phi, loop_merge]), [6, 1, 1]);
    assert_eq!(written(&back, nothing, [1, branch, unreachable]), [1, 2, 1]);
    let same = function(
        "%v = spirv.EXT.ConstantCompositeReplicate [1 : i32] : !spirv.array<2 x vector<2xi32>> spirv.ReturnValue %x : i32",
    );
    assert_eq!(written(&same, nothing, [replicate, label, phi]), [2, 1, 0]);
}

#[test]
fn replicated_constants_come_back() {
    let build = || {
        let mut build = Builder::new(1, 3);
        build.append("Capability", &["Shader".into()])?;
        build.append("Capability", &["ReplicatedCompositesEXT".into()])?;
        build.append("Extension", &["SPV_EXT_replicated_composites".into()])?;
        build.append("MemoryModel", &["Logical".into(), "GLSL450".into()])?;
        let ids: [mlirbc_spirv::Id; 2] = [build.id(), build.id()];
        build.append("Name", &[ids[0].into(), "named".into()])?;
        let void = build.result("TypeVoid", &[])?;
        let int = build.result("TypeInt", &[32.into(), 0.into()])?;
        let two = build.result("Constant", &[int.into(), 2.into()])?;
        let vector = build.result("TypeVector", &[int.into(), 2.into()])?;
        let array = build.result("TypeArray", &[vector.into(), two.into()])?;
        let signature = build.result("TypeFunction", &[void.into()])?;
        let same = "ConstantCompositeReplicateEXT";
        let number = build.result("SpecConstant", &[int.into(), 3.into()])?;
        let null = build.result("ConstantNull", &[vector.into()])?;
        let pair = build.result("ConstantComposite", &[vector.into(), two.into(), two.into()])?;
        build.define(ids[0], same, &[vector.into(), two.into()])?;
        let plain = build.result(same, &[vector.into(), two.into()])?;
        let nested = build.result(same, &[array.into(), plain.into()])?;
        let of_named = build.result(same, &[array.into(), ids[0].into()])?;
        let of_null = build.result(same, &[array.into(), null.into()])?;
        let of_pair = build.result(same, &[array.into(), pair.into()])?;
        let spec = build.result("SpecConstantCompositeReplicateEXT", &[vector.into(), number.into()])?;
        let of_constant = build.result("SpecConstantCompositeReplicateEXT", &[vector.into(), two.into()])?;
        let function = build.result("Function", &[void.into(), "None".into(), signature.into()])?;
        build.result("Label", &[])?;
        for value in [ids[0], plain, spec, of_constant] {
            build.result("CopyObject", &[vector.into(), value.into()])?;
        }
        for value in [nested, of_named, of_null, of_pair] {
            build.result("CopyObject", &[array.into(), value.into()])?;
        }
        build.append("Return", &[])?;
        build.append("FunctionEnd", &[])?;
        let _ = function;
        build.finish(&Context::new())
    };
    let bytes = mlirbc_spirv::write(&build().expect("well-formed")).expect("words");
    comes_back("replicated constants", &bytes);
    let text = text(&raise(&context(), bytes).expect("well-formed"), false);
    let count = |what: &str| text.matches(what).count();
    assert_eq!((count("spirv.EXT.ConstantCompositeReplicate ["), count("replicated =")), (4, 4), "{text}");
    assert_eq!(
        (count("spirv.EXT.SpecConstantCompositeReplicate"), count("spirv.OpSpecConstantCompositeReplicateEXT")),
        (1, 1)
    );
}
