//! One operation of a file in bytecode changed by passes, all others copied as bytes: what comes of it reads back, and everything
//! but the operation is as it was.

use mlirbc_bytecode::{Patch, WriteOptions, read};
use mlirbc_ir::{Module, OpRef};
use mlirbc_rewrite::{Pipeline, RunOptions, passes};
use mlirbc_text::{PrintOptions, print_operation};

use crate::oracle::{load, load_or_refuse, unfit};
use crate::{Outcome, Random, Seed, inputs, number_of};

/// Inputs to begin with.
pub fn seeds() -> Vec<Seed> {
    inputs::bytecode()
}

/// Reads a file, changes one operation and reads what comes of it.
pub fn run(data: &[u8]) -> Outcome {
    let context = mlirbc_dialects::context();
    let module = match load_or_refuse(&context, data) {
        Ok(module) => module,
        Err(refused) => return refused,
    };
    let places: Vec<_> = inner(&module).filter(|op| op.body().region_body(op.id()).is_some()).collect();
    if places.is_empty() {
        return Outcome::Accepted;
    }
    let random = &mut Random::new(number_of(data));
    let chosen = random.below(places.len());
    let place = (places[chosen].body_id(), places[chosen].id());
    let at = inner(&module).position(|op| (op.body_id(), op.id()) == place);
    // The same module twice: one is looked at, the other one is taken apart.
    let Ok(mut other) = load(&context, data) else { return Outcome::Accepted };
    let Ok(Some(mut patch)) = Patch::take_out(&mut other, place) else { return Outcome::Accepted };
    let Ok(op) = patch.op() else { return Outcome::Accepted };
    let place = (op.body_id(), op.id());
    let names = patch.around();
    let around: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = ["any(canonicalize)", "any(strip-debuginfo)", "any(cse)"][random.below(3)];
    let pipeline = Pipeline::parse(text, &passes::registry()).unwrap_or_else(|error| panic!("{error}"));
    // Of a broken module passes end, with an error or not.
    if pipeline.run_on(patch.module_mut(), place, &around, RunOptions::new().verify_each(false)).is_err() {
        return Outcome::Accepted;
    }
    let patched = match patch.finish(&WriteOptions::like(patch.module())) {
        Ok(Some(patched)) => patched,
        Ok(None) => return Outcome::Accepted,
        Err(error) => {
            assert!(unfit(patch.module(), &error), "`{text}`, and then it cannot be written: {error}");
            return Outcome::Unwritable;
        }
    };
    let mut bytes = Vec::new();
    patched.write_to(&mut bytes).unwrap_or_else(|error| panic!("{error}"));
    let again = read(&context, bytes).unwrap_or_else(|error| panic!("patched by `{text}`, not read: {error}"));
    again.load_all().unwrap_or_else(|error| panic!("patched by `{text}`, not read: {error}"));
    let (before, after): (Vec<_>, Vec<_>) = (inner(&module).collect(), inner(&again).collect());
    assert_eq!(before.len(), after.len(), "`{text}` of one operation changed how many there are");
    for (number, (before, after)) in before.into_iter().zip(after).enumerate() {
        if Some(number) != at {
            assert_eq!(printed(before), printed(after), "`{text}` changed another operation");
        }
    }
    Outcome::Accepted
}

/// The operations at the top and those directly in them.
fn inner(module: &Module) -> impl Iterator<Item = OpRef<'_>> {
    let inside = |op: OpRef<'_>| op.ops().into_iter().flatten().map(|op| (op.body_id(), op.id())).collect::<Vec<_>>();
    let places: Vec<_> = module.operations().into_iter().flatten().flat_map(inside).collect();
    places.into_iter().filter_map(|(body, op)| module.operation(body, op).ok())
}

fn printed(op: OpRef<'_>) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    print_operation(op, &PrintOptions::new().generic(true).locations(true), &mut text).ok().map(|()| text)
}
