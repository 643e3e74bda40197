//! Linking: what comes of valid modules is valid and the same every time, or an error says why not; a binary comes out as a binary.

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::{ErrorKind, Module, OpRef, Result};
use mlirbc_spirv::transforms::link;
use mlirbc_spirv::{is_spirv, lower_words};
use mlirbc_text::{PrintOptions, print_module};

use crate::oracle::{through_bytecode, through_text};
use crate::rewrite::is_valid;
use crate::{Outcome, Seed, inputs, number_of, spirv_passes, spirv_raise};

/// Inputs to begin with: modules beside each other that have much in common, and binaries, which are linked with themselves.
pub fn seeds() -> Vec<Seed> {
    let mut seeds = vec![("modules.mlir".to_owned(), inputs::of_a_test("spirv_link.mlir").into_bytes())];
    seeds.extend(spirv_raise::seeds());
    seeds
}

/// Links the modules that stand in one, or the one with itself.
fn linked(module: &Module, rename: bool) -> Result<Module> {
    let mut parts: Vec<OpRef<'_>> = Vec::new();
    for top in module.operations()? {
        parts.extend(top.ops()?.filter(|op| op.is("spirv.module")));
    }
    if let &[one] = &parts[..] {
        parts.push(one);
    }
    link(&parts, rename)
}

fn generic(module: &Module) -> Vec<u8> {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new(), &mut text).expect("it is whole");
    text
}

/// Reads a module and links what stands in it.
pub fn run(data: &[u8]) -> Outcome {
    let Some(module) = spirv_passes::module(data) else { return Outcome::Refused };
    let valid = is_valid(&module);
    let rename = number_of(data).is_multiple_of(2);
    match (linked(&module, rename), linked(&module, rename)) {
        (Ok(first), Ok(second)) if valid => {
            assert!(is_valid(&first), "linking breaks the modules");
            assert_eq!(generic(&first), generic(&second), "another result");
            through_text(&first);
            through_bytecode(&first, &WriteOptions::default()).unwrap_or_else(|error| panic!("not written: {error}"));
            if is_spirv(data) {
                lower_words(&first).unwrap_or_else(|error| panic!("no binary: {error}"));
            }
        }
        (Err(error), Err(_)) if valid => {
            assert!(matches!(error.kind(), ErrorKind::Verification | ErrorKind::Misuse), "{error}");
        }
        (first, second) => assert_eq!(first.is_ok(), second.is_ok(), "another result"),
    }
    Outcome::Accepted
}
