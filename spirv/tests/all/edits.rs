//! Modules that were edited are written as what they are now, whichever way they take.

use crate::files;

use files::modules;
use mlirbc_bytecode::{WriteOptions, Writer};
use mlirbc_ir::{BodyId, Module, OpId, Rewriter, Value, ValueOwner};
use mlirbc_spirv::{DIALECT, read, write};

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % bound
    }
}

/// Puts other values of the same kind of instruction in the place of some operands, moves some instructions that define
/// nothing, and takes some away.
fn edit(module: &mut Module, random: &mut Random) -> usize {
    let id = BodyId::from_index(module.body_count() - 1);
    module.rewrite(id, |rw| Ok(edit_body(rw, random))).expect("the instructions")
}

fn edit_body(rw: &mut Rewriter<'_>, random: &mut Random) -> usize {
    let block = rw.body().first_block(rw.body().top_regions()[0]).expect("a block");
    let ops: Vec<OpId> = rw.body().operations(block).collect();
    let mut edits = 0;
    for _ in 0..8 {
        let op = ops[random.below(ops.len())];
        let body = rw.body();
        if body.is_erased(op) {
            continue;
        }
        let operands = body.operands(op).to_vec();
        let name = rw.op(op).name().into_owned();
        let is_debug = name.ends_with("Name") || name.ends_with("Decorate");
        match random.below(3) {
            0 if !operands.is_empty() => {
                let at = random.below(operands.len());
                let kind = |value: Value| match body.owner(value) {
                    Some(ValueOwner::Result(op, _)) => Some(body.name(op)),
                    _ => None,
                };
                let alike: Vec<Value> = ops
                    .iter()
                    .filter(|&&other| !body.is_erased(other))
                    .flat_map(|&other| body.results(other))
                    .filter(|&value| kind(value).is_some() && kind(value) == kind(operands[at]))
                    .collect();
                if !alike.is_empty() {
                    rw.set_operand(op, at, alike[random.below(alike.len())]).expect("an operand");
                    edits += 1;
                }
            }
            1 if is_debug && body.result_count(op) == 0 => {
                rw.erase(op).expect("no uses");
                edits += 1;
            }
            2 if is_debug => {
                let before = ops[random.below(ops.len())];
                if before != op && !body.is_erased(before) {
                    rw.move_before(op, before).expect("the same block");
                    edits += 1;
                }
            }
            _ => {}
        }
    }
    edits
}

#[test]
fn edited_modules_are_what_they_became() {
    let mut random = Random(7);
    let mut edits = 0;
    for (name, file) in modules() {
        let context = mlirbc_testing::context();
        let mut module = read(&context, file.clone()).expect("a module");
        let count = edit(&mut module, &mut random);
        let words = write(&module).unwrap_or_else(|error| panic!("{name}: {error}"));
        edits += usize::from(count > 0 && words != file);
        for unregistered in [vec![], vec![DIALECT.to_owned()]] {
            let options = WriteOptions { unregistered, ..WriteOptions::default() };
            let bytecode = mlirbc_bytecode::write(&module, &options).expect("bytecode");
            let again = mlirbc_bytecode::read(&context, bytecode).expect("bytecode");
            assert!(write(&again).unwrap_or_else(|error| panic!("{name}: {error}")) == words, "{name}");
        }
        let again = read(&context, words.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(write(&again).expect("words") == words, "{name}");
    }
    assert!(edits > 0, "nothing was edited");
}

/// Has all properties of a module as attributes, where they were words of a binary.
fn as_attributes(module: &mut Module) {
    for at in 0..module.body_count() {
        let id = BodyId::from_index(at);
        let body = module.body(id).expect("a body");
        let given = body.preorder().filter_map(|op| Some((op, body.properties(op)?)));
        let known: Vec<_> = given.map(|(op, given)| (op, module.properties(body.name(op), given))).collect();
        let set = |rw: &mut Rewriter<'_>| {
            let mut known = known.into_iter();
            known.try_for_each(|(op, properties)| rw.set_properties(op, Some(properties?.into())))
        };
        module.rewrite(id, set).expect("properties");
    }
}

#[test]
fn properties_are_the_same_as_words_and_as_attributes() {
    let context = mlirbc_testing::context();
    let writer = Writer::new(&context);
    for (name, file) in modules() {
        let mut module = read(&context, file.clone()).expect("a module");
        let options = WriteOptions::default();
        let bytecode = writer.write(&module, &options).expect("bytecode");
        for options in [options.clone(), WriteOptions::new().threads(2)] {
            assert!(mlirbc_bytecode::write(&module, &options).expect("bytecode") == bytecode, "{name}");
        }
        as_attributes(&mut module);
        assert!(writer.write(&module, &options).expect("bytecode") == bytecode, "{name}");
        let mut again = mlirbc_bytecode::read(&context, bytecode).expect("bytecode");
        assert!(write(&again).expect("words") == file, "{name}");
        mlirbc_bytecode::detach(&mut again).expect("attributes");
        assert!(write(&again).expect("words") == file, "{name}");
    }
}
