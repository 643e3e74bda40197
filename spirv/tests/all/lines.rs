//! Lines: which of them a SPIR-V binary gets, and where they may stand.

use crate::files;

use std::process::Command;

use files::modules;
use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::{Context, Module};
use mlirbc_spirv::{lower, raise, read, register, strip_lines, write};
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

const LINE: u16 = 8;
const NO_LINE: u16 = 317;
const MERGES: [u16; 2] = [246, 247];
const BRANCHES: [u16; 3] = [249, 250, 251];

fn context() -> Context {
    let context = mlirbc_testing::context();
    register(&context).expect("a fresh context");
    context
}

fn text(module: &Module, generic: bool) -> Vec<u8> {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic), &mut text).expect("text");
    text
}

fn parse(text: &[u8], implicit_locations: bool) -> Module {
    let options = ParseOptions::new().implicit_locations(implicit_locations);
    parse_module(&context(), text, &options).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The words of a binary, in either order of bytes.
fn words(binary: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8; 4]| match binary[0] {
        3 => u32::from_le_bytes(*bytes),
        _ => u32::from_be_bytes(*bytes),
    };
    binary.as_chunks().0.iter().map(word).collect()
}

/// The instructions of a binary.
fn instructions(words: &[u32]) -> Vec<&[u32]> {
    let mut rest = &words[5..];
    let mut found = Vec::new();
    while let Some(head) = rest.first() {
        let (one, after) = rest.split_at((head >> 16) as usize);
        found.push(one);
        rest = after;
    }
    found
}

fn opcodes(binary: &[u8]) -> Vec<u16> {
    instructions(&words(binary)).iter().map(|instruction| instruction[0] as u16).collect()
}

fn is_line(opcode: u16) -> bool {
    matches!(opcode, LINE | NO_LINE)
}

/// The modules that can be raised: all but one.
fn raised() -> Vec<(String, Vec<u8>, Module)> {
    let all = modules();
    let count = all.len();
    let raise = |(name, bytes): (String, Vec<u8>)| raise(&context(), bytes.clone()).ok().map(|it| (name, bytes, it));
    let raised: Vec<_> = all.into_iter().filter_map(raise).collect();
    assert!(raised.len() + 1 >= count, "{} of {count} modules can be raised", raised.len());
    raised
}

#[test]
fn text_without_locations_becomes_a_binary_without_lines() {
    for (name, _, module) in raised() {
        for generic in [false, true] {
            let lowered =
                lower(&parse(&text(&module, generic), false)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!opcodes(&lowered).into_iter().any(is_line), "{name}");
        }
    }
}

#[test]
fn a_merge_instruction_immediately_precedes_its_branch_whatever_the_locations() {
    let validate = tool("spirv-val", "whether binaries with lines are valid");
    let folder = tempfile::tempdir().expect("a folder");
    let is_valid = |binary: &[u8]| {
        let path = folder.path().join("module.spv");
        std::fs::write(&path, binary).expect("a file");
        let mut command = Command::new("spirv-val");
        command.args(["--target-env", "vulkan1.3"]).arg(path).output().expect("the tool runs").status.success()
    };
    let (mut merges, mut valid) = (0, 0);
    for (name, original, module) in raised() {
        // Every operation and argument has a place of its own.
        let located = parse(&text(&module, false), true);
        let lowered = lower(&located).unwrap_or_else(|error| panic!("{name}: {error}"));
        let opcodes = opcodes(&lowered);
        assert!(opcodes.contains(&LINE) || !opcodes.iter().any(|opcode| BRANCHES.contains(opcode)), "{name}");
        for pair in opcodes.windows(2).filter(|pair| MERGES.contains(&pair[0])) {
            assert!(BRANCHES.contains(&pair[1]), "{name}: {} behind a merge", pair[1]);
            merges += 1;
        }
        if validate && is_valid(&original) {
            assert!(is_valid(&lowered), "{name} is not valid any more");
            valid += 1;
        }
    }
    assert!(merges > 0 && (valid > 0 || !validate), "{merges} merge instructions, {valid} valid modules");
}

/// A loop and a selection in it, whose operations have locations as the lines say.
const LOCATED: &str = r#"
spirv.module Logical GLSL450 requires #spirv.vce<v1.0, [Shader], []> {
  spirv.func @f(%c: i1) "None" {
    spirv.mlir.selection {
      spirv.BranchConditional %c, ^then, ^end BRANCH
    ^then:
      spirv.Branch ^end loc("then":3:1)
    ^end:
      spirv.mlir.merge
    } CONSTRUCT
    spirv.Return loc("return":4:1)
  }
}
"#;

#[test]
fn a_merge_and_its_branch_have_the_line_of_the_construct_or_else_that_of_the_branch() {
    for (construct, branch, line) in [("c", "b", Some("c")), ("c", "", Some("c")), ("", "b", Some("b")), ("", "", None)]
    {
        let location = |file: &str| if file.is_empty() { String::new() } else { format!("loc({file:?}:1:1)") };
        let text = LOCATED.replace("CONSTRUCT", &location(construct)).replace("BRANCH", &location(branch));
        let words = words(&lower(&parse(text.as_bytes(), false)).expect("a binary"));
        let instructions = instructions(&words);
        let merge = instructions.iter().position(|it| it[0] as u16 == MERGES[1]).expect("a merge");
        let before = instructions[merge - 1];
        assert_eq!(is_line(before[0] as u16), line.is_some(), "{construct:?} and {branch:?}");
        if let Some(file) = line {
            let string = [3 << 16 | 7, before[1], u32::from_le_bytes([file.as_bytes()[0], 0, 0, 0])];
            assert!(instructions.contains(&string.as_slice()), "{construct:?} and {branch:?}");
        }
    }
}

#[test]
fn a_string_with_a_zero_in_it_is_an_error() {
    let text = LOCATED.replace("CONSTRUCT", "").replace("BRANCH", "loc(\"a\\00b\":1:1)");
    let error = lower(&parse(text.as_bytes(), false)).expect_err("a file of that name");
    assert!(error.to_string().contains("no string with a zero in it"), "{error}");
}

#[test]
fn stripped_of_its_lines_a_binary_is_its_other_instructions() {
    let mut stripped = 0;
    for (name, binary) in modules() {
        let all = words(&binary);
        let other = instructions(&all).into_iter().filter(|instruction| !is_line(instruction[0] as u16));
        let wanted: Vec<u32> = all[..5].iter().copied().chain(other.flatten().copied()).collect();
        let straight = read(&context(), binary).expect("read before");
        let file = mlirbc_bytecode::write(&straight, &WriteOptions::default()).expect("bytecode");
        let through = mlirbc_bytecode::read(&context(), file).expect("bytecode");
        for mut module in [straight, through] {
            strip_lines(&mut module).expect("its instructions");
            assert!(words(&write(&module).expect("words")) == wanted, "{name}");
        }
        stripped += usize::from(wanted.len() < all.len());
    }
    assert!(stripped > 0, "no module has lines");
}

#[test]
fn stripped_of_its_locations_a_module_is_lowered_as_by_way_of_bytecode() {
    let mut lines = 0;
    for (name, binary, mut module) in raised() {
        let options = WriteOptions::new().strip_locations(true);
        let file = mlirbc_bytecode::write(&module, &options).expect("bytecode");
        let through = mlirbc_bytecode::read(&context(), file).expect("bytecode");
        module.strip_locations().expect("its bodies");
        let stripped = lower(&module).expect("a binary");
        assert!(!opcodes(&stripped).into_iter().any(is_line), "{name}");
        assert!(stripped == lower(&through).expect("a binary"), "{name}");
        lines += opcodes(&binary).into_iter().filter(|&opcode| is_line(opcode)).count();
    }
    assert!(lines > 0, "no module has lines");
}
