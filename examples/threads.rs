//! One module on several threads: its functions are read and looked at, then changed.

use mlirbc::ir::threads;
use mlirbc::prelude::*;
use mlirbc::rewrite::{RunOptions, bodies::rewrite_inside};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cores = std::thread::available_parallelism()?.get();
    let context = Context::new();
    let mut module = mlirbc::open(&context, "fixtures/arith.mlirbc")?;

    // To look at: all functions are read at once, and then each is looked at by one thread.
    module.load_all_with(cores)?;
    let functions = module.walk()?.filter(|op| op.is("func.func")).collect();
    let counts = threads::map(cores, functions, |function| Ok((function.path(), function.walk()?.count())));
    println!("{:?}", counts.into_iter().collect::<Result<Vec<_>>>()?);

    // To change: what a function holds is a body of its own, and each body belongs to one thread meanwhile.
    let places = module.places(|op| op.is("func.func"))?;
    let constants = rewrite_inside(
        &mut module,
        &places,
        cores,
        || (),
        |_, rw| {
            let constants: Vec<_> = rw.body().preorder().filter(|&op| rw.op(op).is("arith.constant")).collect();
            constants.iter().try_for_each(|&op| rw.set_attribute(op, "seen", rw.context().unit()))?;
            Ok(constants.len())
        },
    )?;
    println!("{} constants", constants.iter().sum::<usize>());

    // Passes take threads as an option. What they give does not depend on how many there are.
    let pipeline = Pipeline::new().nest("func.func", Greedy::canonicalization());
    pipeline.run_with(&mut module, RunOptions::new().threads(cores))?;
    Ok(())
}
