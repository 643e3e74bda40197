//! Valid modules of every kind: written at every version and read back, printed and parsed back, they are the same.

use mlirbc_bytecode::{WriteOptions, write, write_with_losses};
use mlirbc_ir::{Module, OpRef, Value};

use crate::oracle::{load, same, through_bytecode, through_text};
use crate::structured::build;
use crate::{Outcome, Random, Seed};

/// Inputs to begin with: bytes at random, few and many.
pub fn seeds() -> Vec<Seed> {
    let seed = |number: u64| (format!("{number:03}"), Random::new(number).bytes(40 << (number % 6)));
    (0..96).map(seed).collect()
}

/// Builds a module of the bytes, and takes it through bytecode and text.
pub fn run(data: &[u8]) -> Outcome {
    let context = mlirbc_dialects::context();
    let Ok(mut built) = build(&context, data) else { return Outcome::Refused };
    let module = &built.module;
    let newest = WriteOptions { producer: built.producer.clone(), ..WriteOptions::default() };
    let (_, mut read) =
        through_bytecode(module, &newest).unwrap_or_else(|error| panic!("a valid module cannot be written: {error}"));
    assert_eq!(read.info.producer, built.producer);

    // Older versions cannot hold everything: what they drop they say, and nothing else is lost.
    let older = newest.clone().version(built.version).lossy(true);
    let (bytes, losses) =
        write_with_losses(module, &older).unwrap_or_else(|error| panic!("not even with losses: {error}"));
    let lossless = write(module, &older.clone().lossy(false));
    assert_eq!(lossless.is_ok(), losses.is_empty(), "losses: {losses:?}");
    let on_threads = write_with_losses(module, &older.clone().threads(3));
    assert!(on_threads == Ok((bytes.clone(), losses.clone())), "not the same on three threads");
    let from_older =
        load(&context, &bytes).unwrap_or_else(|error| panic!("written at {}, not read: {error}", built.version));
    if losses.is_empty() {
        same(module, &from_older);
    }
    let again = write(&from_older, &older).unwrap_or_else(|error| panic!("not written again: {error}"));
    assert!(again == bytes, "written again at {}, the bytes are others", built.version);

    through_text(module);
    same_orders(&mut built.module, &mut read);
    Outcome::Accepted
}

/// Every value has its uses in the same order.
fn same_orders(first: &mut Module, second: &mut Module) {
    for module in [&mut *first, &mut *second] {
        for at in 0..module.body_count() {
            module.build_uses(mlirbc_ir::BodyId::from_index(at)).expect("read");
        }
    }
    let orders = |module: &Module| {
        let mut orders = Vec::new();
        for outermost in module.operations().expect("read") {
            for op in outermost.walk().expect("read") {
                let arguments = inner_arguments(op);
                for value in op.results() {
                    orders.push(uses(op, value));
                }
                for (holder, value) in arguments {
                    orders.push(uses(holder, value));
                }
            }
        }
        orders
    };
    assert_eq!(orders(first), orders(second), "uses are in another order");
}

/// The arguments of the blocks of an operation, each with an operation of the body that they are of.
fn inner_arguments(op: OpRef<'_>) -> Vec<(OpRef<'_>, Value)> {
    let Ok((_, body, regions)) = op.region_tree() else { return Vec::new() };
    let Some(inside) = op.ops().ok().and_then(|mut inside| inside.next()) else { return Vec::new() };
    let blocks = regions.into_iter().flat_map(|region| body.blocks(region));
    blocks.flat_map(|block| body.arguments(block)).map(|&value| (inside, value)).collect()
}

/// The uses of a value: in the body's order, which operation and which operand.
fn uses(op: OpRef<'_>, value: Value) -> Vec<(u32, usize)> {
    let numbers = op.body().preorder_numbers();
    op.body().uses_of(value).map(|found| (numbers[found.op.index()], found.operand)).collect()
}
