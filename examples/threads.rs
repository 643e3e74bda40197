//! One module on several threads: its functions are read and looked at, changed, canonicalised and written.

use std::error::Error;
use std::thread;

use mlirbc::bytecode::{self, WriteOptions};
use mlirbc::ir::threads::in_order;
use mlirbc::rewrite::bodies::rewrite_inside;
use mlirbc::rewrite::{Greedy, Pipeline, RunOptions};
use mlirbc::{Context, OpRef};

fn main() -> Result<(), Box<dyn Error>> {
    let threads = thread::available_parallelism()?.get();
    let context = Context::new();
    let mut module = mlirbc::open(&context, "fixtures/arith.mlirbc")?;

    // To look at: a function that was not read yet is read by the thread that comes first.
    let top = module.operations()?.next().ok_or("the module is empty")?;
    let functions: Vec<OpRef> = top.ops()?.collect();
    let count = |_: &mut (), function: OpRef<'_>| function.walk().map(Iterator::count);
    let counts = in_order(threads, |_| 1000, functions.clone(), || (), count);
    for (function, count) in functions.iter().zip(counts) {
        println!("{}: {}", function.path(), count?);
    }

    // To change: what a function holds is a body of its own, and each body belongs to one thread meanwhile.
    let places: Vec<_> = functions.iter().map(|function| (function.body_id(), function.id())).collect();
    let constants = rewrite_inside(
        &mut module,
        &places,
        threads,
        || (),
        |_, rw| {
            let constants: Vec<_> = rw.body().preorder().filter(|&op| rw.op(op).is("arith.constant")).collect();
            for &op in &constants {
                rw.set_attribute(op, "seen", rw.context().unit())?;
            }
            Ok(constants.len())
        },
    )?;
    println!("{} constants", constants.iter().sum::<usize>());

    // Passes and the writer have threads as an option. What they give does not depend on how many there are.
    let pipeline = Pipeline::new().nest("func.func", Greedy::canonicalization());
    pipeline.run_with(&mut module, RunOptions::new().threads(threads))?;
    let bytes = bytecode::write(&module, &WriteOptions { threads, ..WriteOptions::default() })?;
    println!("{} bytes", bytes.len());
    Ok(())
}
