//! Typed access, held against the words: what the view says of an instruction makes that instruction again.

use crate::files;

use files::modules;
use mlirbc_bytecode::WriteOptions;
use mlirbc_spirv::{Builder, DIALECT, ModuleView, OperandValue, differences, read, write_words};

/// The words of a module from what the view says, its ids renamed.
fn assembled(view: &ModuleView<'_>, id: impl Fn(u32) -> u32) -> Vec<u32> {
    let header = view.header();
    let mut words = vec![0x0723_0203, header.version, header.generator, header.bound, header.schema];
    for instruction in view.instructions() {
        let start = words.len();
        let operands = instruction.operands().expect("operands");
        let Some(definition) = instruction.definition() else {
            let mut own = operands.iter().map(|operand| match operand.value {
                OperandValue::Word(word) => word,
                _ => panic!("{operand:?}"),
            });
            let opcode = own.next().expect("an opcode");
            words.push(opcode);
            words.extend(own);
            words[start] |= ((words.len() - start) as u32) << 16;
            continue;
        };
        words.push(definition.opcode.into());
        words.extend(instruction.result_type().into_iter().chain(instruction.result()).map(|it| id(view.id(it))));
        for operand in &operands {
            match &operand.value {
                OperandValue::Id(value) => words.push(id(view.id(*value))),
                OperandValue::Word(word) | OperandValue::Enumerant(word) => words.push(*word),
                OperandValue::String(string) => {
                    let mut bytes = string.to_vec();
                    bytes.push(0);
                    bytes.resize(bytes.len().next_multiple_of(4), 0);
                    words.extend(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)));
                }
            }
        }
        words[start] |= ((words.len() - start) as u32) << 16;
    }
    words
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn the_view_has_every_word() {
    for (name, file) in modules() {
        let context = mlirbc_testing::context();
        let module = read(&context, file.clone()).expect("a module");
        let words = write_words(&module).expect("words");
        assert!(assembled(&ModuleView::of(&module).expect("a view"), |id| id) == words, "{name}");

        // The same of operations that came from bytecode, and from bytecode that a tool made that did not know them.
        for unregistered in [vec![], vec![DIALECT.to_owned()]] {
            let options = WriteOptions { unregistered, ..WriteOptions::default() };
            let file = mlirbc_bytecode::write(&module, &options).expect("bytecode");
            let module = mlirbc_bytecode::read(&context, file).expect("bytecode");
            assert!(assembled(&ModuleView::of(&module).expect("a view"), |id| id) == words, "{name}");
        }
    }
}

#[test]
fn what_is_shown_has_its_kinds() {
    for (name, file) in modules() {
        let module = read(&mlirbc_testing::context(), file).expect("a module");
        let view = ModuleView::of(&module).expect("a view");
        for entry in view.entry_points() {
            let function = view.definition(entry.function).expect("a function");
            assert_eq!(function.name(), "Function", "{name}");
            for &value in &entry.interface {
                let variable = view.definition(value).expect("a variable");
                let ty = view.type_of(value).expect("a type");
                assert!(["Variable", "UntypedVariableKHR"].contains(&variable.name()), "{name}: {}", variable.name());
                assert!(ty.starts_with("ptr<") || ty.starts_with("UntypedPointer"), "{name}: {ty}");
            }
        }
        let (mut functions, mut blocks) = (0, 0);
        for instruction in view.instructions() {
            functions += usize::from(instruction.name() == "Function");
            blocks += usize::from(instruction.name() == "Label");
            for operand in instruction.operands().expect("operands") {
                assert!(!view.show(&operand).is_empty(), "{name}: {operand:?}");
            }
        }
        assert_eq!(view.functions().len(), functions, "{name}");
        assert_eq!(view.functions().iter().map(|function| function.blocks).sum::<usize>(), blocks, "{name}");
    }
}

#[test]
fn numbers_of_ids_make_no_difference() {
    let mut tried = 0;
    for (name, file) in modules() {
        let context = mlirbc_testing::context();
        let module = read(&context, file).expect("a module");
        let view = ModuleView::of(&module).expect("a view");
        if view.instructions().any(|instruction| instruction.definition().is_none()) {
            continue;
        }
        let renamed = bytes(&assembled(&view, |id| view.header().bound - id));
        let renamed = read(&context, renamed).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = differences(&module, &renamed).expect("modules");
        assert!(found.is_empty(), "{name}: {:#?}", &found[0]);
        tried += 1;
    }
    assert!(tried > 0);
}

/// A shader that multiplies by a constant, so many times.
fn shader(constant: u32, times: u32, entry: &str) -> Vec<u8> {
    let mut build = Builder::new(1, 3);
    build.append("Capability", &["Shader".into()]).unwrap();
    build.append("MemoryModel", &["Logical".into(), "GLSL450".into()]).unwrap();
    let (main, helper) = (build.id(), build.id());
    build.append("EntryPoint", &["GLCompute".into(), main.into(), entry.into()]).unwrap();
    build.append("ExecutionMode", &[main.into(), "LocalSize".into(), 64.into(), 1.into(), 1.into()]).unwrap();
    build.append("Name", &[helper.into(), "helper".into()]).unwrap();
    let void = build.result("TypeVoid", &[]).unwrap();
    let uint = build.result("TypeInt", &[32.into(), 0.into()]).unwrap();
    let signature = build.result("TypeFunction", &[void.into()]).unwrap();
    let of_uint = build.result("TypeFunction", &[uint.into()]).unwrap();
    let constant = build.result("Constant", &[uint.into(), constant.into()]).unwrap();
    build.define(main, "Function", &[void.into(), "None".into(), signature.into()]).unwrap();
    build.result("Label", &[]).unwrap();
    build.result("FunctionCall", &[uint.into(), helper.into()]).unwrap();
    build.append("Return", &[]).unwrap();
    build.append("FunctionEnd", &[]).unwrap();
    build.define(helper, "Function", &[uint.into(), "Inline|Pure".into(), of_uint.into()]).unwrap();
    build.result("Label", &[]).unwrap();
    let mut value = constant;
    for _ in 0..times {
        value = build.result("IMul", &[uint.into(), value.into(), constant.into()]).unwrap();
    }
    build.append("ReturnValue", &[value.into()]).unwrap();
    build.append("FunctionEnd", &[]).unwrap();
    build.into_bytes()
}

#[test]
fn differences_have_names() {
    let context = mlirbc_testing::context();
    let module = |constant, times, entry| read(&context, shader(constant, times, entry)).expect("a module");
    let first = module(3, 2, "main");
    let of = |second| {
        let found = differences(&first, &second).expect("modules");
        found.iter().map(|it| format!("{} {} {:?}", it.part.name(), it.name, it.only_in)).collect::<Vec<_>>()
    };
    assert!(of(module(3, 2, "main")).is_empty());
    assert_eq!(of(module(3, 3, "main")), ["function %helper None"]);
    assert_eq!(
        of(module(3, 2, "other")),
        [
            "entry point GLCompute \"main\" Some(First)",
            "entry point GLCompute \"other\" Some(Second)",
            "function %main Some(First)",
            "function %other Some(Second)",
        ]
    );
    assert_eq!(
        of(module(4, 2, "main")),
        [
            "declaration Constant (TypeInt 32 0) 3 Some(First)",
            "declaration Constant (TypeInt 32 0) 4 Some(Second)",
            "function %helper None",
        ]
    );
    let second = module(3, 3, "main");
    let found = differences(&first, &second).expect("modules");
    let added: Vec<_> = found[0].lines.iter().map(|(_, line)| line.as_str()).collect();
    let third = "%IMul.3 = IMul (TypeInt 32 0) (%IMul.2) (Constant (TypeInt 32 0) 3)";
    assert_eq!(added, ["ReturnValue (%IMul.2)", third, "ReturnValue (%IMul.3)"]);
}

#[test]
fn what_is_built_is_valid() {
    if !mlirbc_testing::tool("spirv-val", "whether what is built is valid") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("built.spv");
    std::fs::write(&path, shader(3, 5, "main")).expect("a file");
    let output = std::process::Command::new("spirv-val").arg(&path).output().expect("the tool runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_builder_says_what_is_wrong() {
    let mut build = Builder::new(1, 0);
    let id = build.id();
    let mut message = |name: &str, arguments: &[mlirbc_spirv::Argument<'_>]| {
        build.append(name, arguments).expect_err("wrong").to_string()
    };
    assert!(message("Frobnicate", &[]).contains("OpFrobnicate is no instruction of the grammar"));
    assert!(message("Capability", &[]).contains("needs an operand of kind Capability as number 1"));
    assert!(message("Capability", &["Shade".into()]).contains("kind Capability as number 1"));
    assert!(message("TypeVoid", &[]).contains("has a result"));
    assert!(message("Store", &[id.into(), 7.into()]).contains("kind IdRef as number 2"));
    assert!(message("Name", &[id.into(), "a\0b".into()]).contains("kind LiteralString as number 2"));
}

#[test]
fn what_many_share_is_not_copied() {
    // 2,000 entry points of one function with 2,000 modes; 2,000 values in a group of 2,000 decorations.
    const MANY: u32 = 2_000;
    let mut build = Builder::new(1, 3);
    let (main, group) = (build.id(), build.id());
    for at in 0..MANY {
        build.append("EntryPoint", &["GLCompute".into(), main.into(), at.to_string().as_str().into()]).unwrap();
    }
    for at in 0..MANY {
        build.append("ExecutionMode", &[main.into(), "OutputVertices".into(), at.into()]).unwrap();
    }
    for at in 0..MANY {
        build.append("Decorate", &[group.into(), "Location".into(), at.into()]).unwrap();
    }
    build.define(group, "DecorationGroup", &[]).unwrap();
    let void = build.result("TypeVoid", &[]).unwrap();
    for _ in 0..MANY {
        let value = build.result("Undef", &[void.into()]).unwrap();
        build.append("GroupDecorate", &[group.into(), value.into()]).unwrap();
    }
    let context = mlirbc_testing::context();
    let (first, second) =
        (build.clone().finish(&context).expect("a module"), build.finish(&context).expect("a module"));
    let view = ModuleView::of(&first).expect("a view");
    assert_eq!(view.entry_points().len(), MANY as usize);
    let modes = &view.entry_points()[0].modes;
    assert_eq!(modes.len(), MANY as usize);
    assert!(view.entry_points().iter().all(|entry| std::sync::Arc::ptr_eq(&entry.modes, modes)));
    assert!(differences(&first, &second).expect("modules").is_empty());
}
