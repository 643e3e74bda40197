//! Definitions and uses: what MLIR 22 accepts is right, and what it refuses is found at the same operation.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::definitions::upstream;
use mlirbc_bytecode::{WriteOptions, read, write};
use mlirbc_ir::verify::{verify_dominance, verify_module};
use mlirbc_ir::{BodyId, Dominance, Module, OpRef};
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

fn parse(text: &str) -> Module {
    let options = ParseOptions::new().file("-");
    parse_module(&crate::definitions::context(), text.as_bytes(), &options)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The messages about definitions and uses, each with the line of its operation.
fn errors(module: &Module) -> Vec<(u32, String)> {
    let mut errors = Vec::new();
    let mut note = |error: mlirbc_ir::Error| {
        let place = error.what_was_read().concat();
        let line = place.split("\"-\":").nth(1).and_then(|rest| rest.split(':').next()?.parse().ok());
        errors.push((line.unwrap_or_else(|| panic!("no line: {error}")), error.message().to_owned()));
    };
    verify_dominance(module, &mut note).expect("a module that was read");
    errors
}

/// The line of what mlir-opt refuses; nothing where it accepts.
fn line_of_mlir_opt(text: &str) -> Option<u32> {
    let mut child = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "-o", "/dev/null"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mlir-opt-22 runs");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("mlir-opt-22 reads");
    let output = child.wait_with_output().expect("mlir-opt-22 ends");
    if output.status.success() {
        return None;
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = text.lines().find(|line| line.contains("error:")).unwrap_or_else(|| panic!("no error: {text}"));
    assert!(first.contains("does not dominate this use"), "{text}");
    first.split(':').nth(1).and_then(|line| line.parse().ok())
}

const FUNCTION: &str = "func.func @f(%a: i32, %c: i1) {\n";

/// What stands in a function, and where and how it is wrong.
const CASES: &[(&str, &[(u32, &str)])] = &[
    ("%0 = arith.addi %a, %a : i32\n %1 = arith.addi %0, %a : i32\n return", &[]),
    (
        "%1 = arith.addi %0, %a : i32\n %0 = arith.addi %a, %a : i32\n return",
        &[(2, "operand 0 does not dominate this use: `arith.addi` defines it further down")],
    ),
    (
        "%0 = arith.addi %a, %0 : i32\n return",
        &[(2, "operand 1 does not dominate this use: it is a result of the operation itself")],
    ),
    // Into regions, and around them.
    ("%0 = arith.addi %a, %a : i32\n scf.if %c {\n \"t.use\"(%0, %a) : (i32, i32) -> ()\n }\n return", &[]),
    (
        "scf.if %c {\n \"t.use\"(%a, %0) : (i32, i32) -> ()\n }\n %0 = arith.addi %a, %a : i32\n return",
        &[(3, "operand 1 does not dominate this use: `arith.addi` defines it further down")],
    ),
    (
        "%0 = \"t.held\"() ({\n \"t.use\"(%0) : (i32) -> ()\n }) : () -> i32\n return",
        &[(3, "operand 0 does not dominate this use: it is a result of `t.held`, which holds the operation")],
    ),
    // Blocks: a diamond.
    (
        "%0 = arith.addi %a, %a : i32\n cf.cond_br %c, ^l, ^r\n ^l:\n %1 = arith.addi %0, %a : i32\n cf.br ^end(%1 : i32)\n \
         ^r:\n cf.br ^end(%0 : i32)\n ^end(%2: i32):\n \"t.use\"(%0, %2) : (i32, i32) -> ()\n return",
        &[],
    ),
    (
        "cf.cond_br %c, ^l, ^r\n ^l:\n %1 = arith.addi %a, %a : i32\n cf.br ^end\n ^r:\n cf.br ^end\n \
         ^end:\n \"t.use\"(%1) : (i32) -> ()\n return",
        &[(9, "operand 0 does not dominate this use: not every way here leads through the block that defines it")],
    ),
    // A block that dominates another may stand behind it.
    (
        "cf.br ^first\n ^second:\n \"t.use\"(%0) : (i32) -> ()\n return\n ^first:\n %0 = arith.addi %a, %a : i32\n cf.br ^second",
        &[],
    ),
    // A loop: what its head gives holds in its body, what its body gives does not hold in its head.
    (
        "cf.br ^head(%a : i32)\n ^head(%i: i32):\n cf.cond_br %c, ^body, ^end\n ^body:\n %n = arith.addi %i, %a : i32\n \
         cf.br ^head(%n : i32)\n ^end:\n \"t.use\"(%i) : (i32) -> ()\n return",
        &[],
    ),
    (
        "cf.br ^head(%a : i32)\n ^head(%i: i32):\n \"t.use\"(%n) : (i32) -> ()\n cf.cond_br %c, ^body, ^end\n ^body:\n \
         %n = arith.addi %i, %a : i32\n cf.br ^head(%n : i32)\n ^end:\n return",
        &[(4, "operand 0 does not dominate this use: not every way here leads through the block that defines it")],
    ),
    // What cannot be reached.
    ("return\n ^u:\n %0 = arith.addi %1, %a : i32\n %1 = arith.addi %0, %a : i32\n cf.br ^u", &[]),
    (
        "cf.br ^end\n ^u:\n %0 = arith.addi %a, %a : i32\n cf.br ^end\n ^end:\n \"t.use\"(%0) : (i32) -> ()\n return",
        &[(7, "operand 0 does not dominate this use: not every way here leads through the block that defines it")],
    ),
    (
        "return\n ^u:\n \"t.nest\"() ({\n \"t.use\"(%0, %a) : (i32, i32) -> ()\n }) : () -> ()\n cf.br ^v\n \
         ^v:\n %0 = arith.addi %a, %a : i32\n cf.br ^u",
        &[],
    ),
    (
        "return\n ^u:\n \"t.nest\"() ({\n \"t.use\"(%0) : (i32) -> ()\n }) : () -> ()\n %0 = arith.addi %a, %a : i32\n cf.br ^u",
        &[(5, "operand 0 does not dominate this use: `arith.addi` defines it further down")],
    ),
    // One block of an operation without a definition may be a graph; several are not.
    (
        "\"t.graph\"() ({\n %1 = \"t.a\"(%0, %1) : (i32, i32) -> i32\n %0 = \"t.b\"() : () -> i32\n }) : () -> ()\n return",
        &[],
    ),
    (
        "\"t.graph\"() ({\n %0 = \"t.a\"() ({\n \"t.use\"(%0) : (i32) -> ()\n }) : () -> i32\n }) : () -> ()\n return",
        &[],
    ),
    (
        "\"t.blocks\"() ({\n ^a:\n %1 = \"t.a\"(%0) : (i32) -> i32\n %0 = \"t.b\"() : () -> i32\n \"t.br\"()[^b] : () -> ()\n \
         ^b:\n \"t.end\"() : () -> ()\n }) : () -> ()\n return",
        &[(4, "operand 0 does not dominate this use: `t.b` defines it further down")],
    ),
    ("builtin.module {\n \"t.use\"(%0) : (i32) -> ()\n %0 = \"t.b\"() : () -> i32\n }\n return", &[]),
    // A graph by its trait, but not by the interface that is asked.
    (
        "%0 = \"emitc.expression\"(%a) ({\n ^b(%x: i32):\n %2 = \"emitc.add\"(%1, %x) : (i32, i32) -> i32\n \
         %1 = \"emitc.add\"(%x, %x) : (i32, i32) -> i32\n \"emitc.yield\"(%2) : (i32) -> ()\n }) : (i32) -> i32\n return",
        &[(4, "operand 0 does not dominate this use: `emitc.add` defines it further down")],
    ),
    // Every operation is looked at, whatever is wrong with others.
    (
        "%0 = arith.addi %1, %a : i32\n %1 = arith.addi %0, %2 : i32\n %2 = arith.addi %0, %1 : i32\n return",
        &[
            (2, "operand 0 does not dominate this use: `arith.addi` defines it further down"),
            (3, "operand 1 does not dominate this use: `arith.addi` defines it further down"),
        ],
    ),
];

#[test]
fn a_definition_dominates_its_uses() {
    let real = tool("mlir-opt-22", "dominance beside MLIR's");
    for (inside, wanted) in CASES {
        let text = format!("{FUNCTION} {inside}\n}}\n");
        let module = parse(&text);
        let found = errors(&module);
        let wanted: Vec<(u32, String)> = wanted.iter().map(|&(line, message)| (line, message.to_owned())).collect();
        assert_eq!(found, wanted, "{text}");
        if real {
            assert_eq!(line_of_mlir_opt(&text), found.first().map(|found| found.0), "{text}");
        }
        // What is checked on its own is part of what is checked of a module.
        let mut all = Vec::new();
        verify_module(&module, &mut |error| all.push(error.message().to_owned())).expect("a module that was read");
        assert!(wanted.iter().all(|(_, message)| all.contains(message)), "{all:?}\n{text}");
    }
}

/// The operations of that name inside the first symbol `f`, in order.
fn named<'m>(module: &'m Module, name: &str) -> Vec<OpRef<'m>> {
    let function = module.symbol("f").expect("readable").expect("@f");
    function.walk().expect("readable").filter(|op| op.name() == name).collect()
}

#[test]
fn an_edit_that_breaks_dominance_is_found() {
    let mut module =
        parse(&format!("{FUNCTION} %0 = arith.addi %a, %a : i32\n \"t.use\"(%0) : (i32) -> ()\n return\n}}"));
    let (body, add, used) = {
        let (add, used) = (named(&module, "arith.addi")[0], named(&module, "t.use")[0]);
        (add.body_id(), add.id(), used.id())
    };
    let find = |module: &Module| errors(module).into_iter().map(|error| error.1).collect::<Vec<_>>();
    assert_eq!(find(&module), [] as [&str; 0]);
    module.rewrite(body, |rw| rw.move_before(used, add)).expect("a move");
    assert_eq!(find(&module), ["operand 0 does not dominate this use: `arith.addi` defines it further down"]);
    module.rewrite(body, |rw| rw.detach(add)).expect("an operation");
    assert_eq!(find(&module), ["operand 0 is a value that nothing defines"]);
    module.rewrite(body, |rw| rw.move_before(add, used)).expect("a place");
    assert_eq!(find(&module), [] as [&str; 0]);
}

#[test]
fn a_value_is_used_inside_of_the_region_that_defines_it() {
    let text = format!(
        "{FUNCTION} scf.if %c {{\n %0 = arith.addi %a, %a : i32\n }}\n scf.if %c {{\n \"t.use\"(%a) : (i32) -> ()\n }}\n return\n}}"
    );
    let mut module = parse(&text);
    let (body, used, inner) = {
        let (add, used) = (named(&module, "arith.addi")[0], named(&module, "t.use")[0]);
        (used.body_id(), used.id(), add.results().next().expect("a result"))
    };
    module.rewrite(body, |rw| rw.set_operands(used, [inner])).expect("an operand of this body");
    let wanted = "operand 0, a result of `arith.addi`, is used outside of the region that defines it";
    assert_eq!(errors(&module), [(6, wanted.to_owned())]);
}

/// In bytecode nothing says that an operation isolated from above is, but that its regions are a section of their own.
#[test]
fn what_is_isolated_uses_nothing_from_outside() {
    let text = format!(
        "{FUNCTION} \"t.around\"() ({{\n \"t.a\"(%a) : (i32) -> ()\n cf.br ^b\n ^b:\n cf.br ^b\n \
         ^u:\n \"t.use\"(%a) : (i32) -> ()\n cf.br ^u\n }}) : () -> ()\n return\n}}"
    );
    let mut module = parse(&text);
    assert_eq!(errors(&module), []);
    let (body, around) = (named(&module, "t.around")[0].body_id(), named(&module, "t.around")[0].id());
    let name = module.name("builtin.module");
    module.rewrite(body, |rw| rw.set_name(around, name)).expect("an operation without properties");
    let wanted = "operand 0 is defined outside of the region of `builtin.module`, which is isolated from above";
    let both = [(3, wanted.to_owned()), (8, wanted.to_owned())];
    assert_eq!(errors(&module), both);
    // A use that cannot be reached is none the better for it. A file holds it as it is.
    let bytes = write(&module, &WriteOptions::default()).expect("bytes");
    let again = read(&crate::definitions::context(), bytes).expect("a module");
    assert_eq!(errors(&again), both);
}

#[test]
fn dominance_of_blocks_is_answered() {
    let text = format!(
        "{FUNCTION} cf.cond_br %c, ^l, ^r\n ^l:\n cf.br ^end\n ^r:\n cf.br ^end\n ^end:\n return\n ^u:\n cf.br ^end\n}}"
    );
    let module = parse(&text);
    let branch = named(&module, "cf.cond_br")[0];
    let (body, dominance) = (branch.body(), Dominance::new(&module, branch.body_id()).expect("readable"));
    let region = body.top_regions()[0];
    let blocks: Vec<_> = body.blocks(region).collect();
    let dominators: Vec<_> = blocks.iter().map(|&block| dominance.immediate_dominator(block)).collect();
    let first = Some(blocks[0]);
    assert_eq!(dominators, [None, first, first, first, None]);
    let reachable: Vec<_> = blocks.iter().map(|&block| dominance.is_reachable(block)).collect();
    assert_eq!(reachable, [true, true, true, true, false]);
    let table: Vec<String> = blocks
        .iter()
        .map(|&a| blocks.iter().map(|&b| if dominance.dominates(a, b) { '1' } else { '0' }).collect())
        .collect();
    assert_eq!(table, ["11111", "01001", "00101", "00011", "00001"]);
    assert!(!dominance.is_graph(region));
    let top = Dominance::new(&module, BodyId::from_index(Module::TOP)).expect("readable");
    assert!(top.is_graph(module.top().expect("readable").top_regions()[0]));
}

#[test]
fn graphs_are_those_of_upstream() {
    let found: Vec<String> = upstream().iter().filter(|op| op.has_graph_regions()).map(|op| op.name.clone()).collect();
    // In the .td files of LLVM 22: what has `GraphRegionNoTerminator`, and `ml_program.subgraph`, which names its parts.
    let wanted = [
        "builtin.module",
        "emitc.class",
        "emitc.file",
        "gpu.module",
        "ml_program.subgraph",
        "scf.forall.in_parallel",
        "transform.apply_conversion_patterns",
        "transform.apply_patterns",
        "transform.func.cast_and_call",
        "transform.structured.replace",
    ];
    assert_eq!(found, wanted);
}

/// Deep nesting and many blocks take neither the stack nor time that grows with their square.
#[test]
fn size_is_no_matter() {
    let deep = 20_000;
    let text = format!(
        "%0 = \"t.a\"() : () -> i32\n{}\"t.use\"(%0) : (i32) -> ()\n{}",
        "\"t.nest\"() ({\n".repeat(deep),
        "}) : () -> ()\n".repeat(deep)
    );
    assert_eq!(errors(&parse(&text)), []);
    let blocks = 50_000;
    let mut text = format!("{FUNCTION} %0 = arith.addi %a, %a : i32\n cf.cond_br %c, ^b0, ^b1\n");
    for block in 0..blocks {
        let (next, other) = (block + 1, (block * 7919) % blocks);
        text += &format!("^b{block}:\n \"t.use\"(%0) : (i32) -> ()\n cf.cond_br %c, ^b{next}, ^b{other}\n");
    }
    text += &format!("^b{blocks}:\n return\n}}\n");
    assert_eq!(errors(&parse(&text)), []);
}
