//! SPIR-V binaries raised to MLIR's dialect: what is raised is lowered to an equal module, straight, through bytecode and
//! through text.

use mlirbc_bytecode::{WriteOptions, decode_all};
use mlirbc_ir::{ErrorKind, Module};
use mlirbc_spirv::{equal, lower_words, raise, register};
use mlirbc_text::{ParseOptions, parse_module};

use crate::oracle::{shown, through_text};
use crate::{Outcome, Seed, files_below, fixtures};

/// Inputs to begin with: the shaders among the fixtures.
pub fn seeds() -> Vec<Seed> {
    files_below(&fixtures(), "spv")
}

/// Raises words, and gets an equal module back by every way.
pub fn run(data: &[u8]) -> Outcome {
    let context = mlirbc_dialects::context();
    register(&context).expect("a fresh context");
    let module = match raise(&context, data.to_vec()) {
        Ok(module) => module,
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Verification), "{error}");
            assert!(error.to_string().len() < 2_000, "{error}");
            return Outcome::Refused;
        }
    };
    let words = words(data);
    check(&words, &module, "straight");
    let file = mlirbc_bytecode::write(&module, &WriteOptions::default());
    let file = file.unwrap_or_else(|error| panic!("no bytecode: {error}"));
    let again = mlirbc_dialects::context();
    register(&again).expect("a fresh context");
    let read = mlirbc_bytecode::read(&again, file).unwrap_or_else(|error| panic!("bytecode not read: {error}"));
    decode_all(&read).unwrap_or_else(|error| panic!("bytecode not decoded: {error}"));
    check(&words, &read, "through bytecode");
    if let Some(printed) = through_text(&module) {
        let again = mlirbc_dialects::context();
        register(&again).expect("a fresh context");
        let parsed = parse_module(&again, &printed, &ParseOptions::new())
            .unwrap_or_else(|errors| panic!("what was printed does not parse: {errors}\n{}", shown(&printed)));
        check(&words, &parsed, "through text");
    }
    Outcome::Accepted
}

/// The words of a module, in this machine's order.
pub(crate) fn words(data: &[u8]) -> Vec<u32> {
    let little: Vec<u32> = data.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    match little.first() {
        Some(0x0723_0203) | None => little,
        Some(_) => little.iter().map(|word| word.swap_bytes()).collect(),
    }
}

fn check(words: &[u32], module: &Module, how: &str) {
    let lowered = lower_words(module).unwrap_or_else(|error| panic!("raised, and not lowered {how}: {error}"));
    let same = equal(words, &lowered).unwrap_or_else(|error| panic!("lowered {how} to what is malformed: {error}"));
    assert!(same, "another module {how}");
    assert!(equal(&lowered, words).expect("both were compared"), "another module {how}, the other way around");
}
