//! SPIR-V binaries to the dialect `llvm`: what is raised and valid is converted to a valid module, which can be written, or refused by an
//! error that names what cannot be.

use mlirbc_bytecode::WriteOptions;
use mlirbc_conversion::spirv_to_llvm::ConvertSpirvToLlvm;
use mlirbc_ir::ErrorKind;
use mlirbc_rewrite::Pipeline;
use mlirbc_spirv::{raise, register};

use crate::oracle::{through_bytecode, through_text};
use crate::rewrite::is_valid;
use crate::{Outcome, Seed, spirv_raise};

/// Inputs to begin with: those that are raised.
pub fn seeds() -> Vec<Seed> {
    spirv_raise::seeds()
}

/// Raises words and converts the module.
pub fn run(data: &[u8]) -> Outcome {
    let context = mlirbc_dialects::context();
    register(&context).expect("a fresh context");
    let Ok(mut module) = raise(&context, data.to_vec()) else { return Outcome::Refused };
    if !is_valid(&module) {
        return Outcome::Refused;
    }
    let pass = ConvertSpirvToLlvm { thread_local: data.len().is_multiple_of(8), ..Default::default() };
    if let Err(error) = Pipeline::new().pass(pass).run(&mut module) {
        assert_eq!(error.kind(), ErrorKind::Verification, "{error}");
        assert!(error.to_string().len() < 2_000, "{error}");
        return Outcome::Accepted;
    }
    assert!(is_valid(&module), "what is converted is broken");
    through_text(&module);
    through_bytecode(&module, &WriteOptions::default()).unwrap_or_else(|error| panic!("it cannot be written: {error}"));
    Outcome::Accepted
}
