//! SPIR-V binaries: what reads writes back to the same bytes, straight, through bytecode and through text.

use mlirbc_bytecode::{WriteOptions, decode_all};
use mlirbc_ir::ErrorKind;
use mlirbc_spirv::{DIALECT, equal, read, register, write};
use mlirbc_text::{ParseOptions, parse_module};

use crate::oracle::{shown, through_text};
use crate::spirv_raise::words;
use crate::{Outcome, Seed, spirv_structured};

/// Inputs to begin with: what the structured target makes.
pub fn seeds() -> Vec<Seed> {
    spirv_structured::binaries()
}

/// Reads words, and gets them back by every way.
pub fn run(data: &[u8]) -> Outcome {
    let context = mlirbc_dialects::context();
    let module = match read(&context, data.to_vec()) {
        Ok(module) => module,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Malformed, "{error}");
            assert!(error.place().offset.is_some_and(|offset| offset <= data.len() as u64), "no place: {error}");
            assert!(error.to_string().len() < 2_000, "{error}");
            return Outcome::Refused;
        }
    };
    let back = write(&module).unwrap_or_else(|error| panic!("read, and cannot be written: {error}"));
    assert!(back == data, "other words");

    // Comparing goes through any module that reads, and the tool that made it says nothing of it.
    let (one, mut other) = (words(data), words(data));
    other[2] ^= 1;
    match equal(&one, &other) {
        Ok(same) => assert!(same, "another module by the number of its tool"),
        Err(error) => assert!(matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Verification), "{error}"),
    }

    // As the dialect encodes it, as text inside bytecode, and at an older version.
    let upstream = WriteOptions::new().unregistered([DIALECT]);
    let older = WriteOptions::new().version(4);
    for options in [WriteOptions::default(), upstream, older] {
        let file = mlirbc_bytecode::write(&module, &options).unwrap_or_else(|error| panic!("no bytecode: {error}"));
        let again = mlirbc_dialects::context();
        register(&again).expect("a fresh context");
        let module = mlirbc_bytecode::read(&again, file).unwrap_or_else(|error| panic!("bytecode not read: {error}"));
        decode_all(&module).unwrap_or_else(|error| panic!("bytecode not decoded: {error}"));
        let back = write(&module).unwrap_or_else(|error| panic!("no words from bytecode: {error}"));
        assert!(back == data, "other words through bytecode version {}", options.version);
    }

    register(&context).expect("a dialect that is not registered twice");
    if let Some(printed) = through_text(&module) {
        let parsed = parse_module(&context, &printed, &ParseOptions::new())
            .unwrap_or_else(|errors| panic!("what was printed does not parse: {errors}\n{}", shown(&printed)));
        let back = write(&parsed).unwrap_or_else(|error| panic!("no words from text: {error}\n{}", shown(&printed)));
        assert!(back == data, "other words through text:\n{}", shown(&printed));
    }
    Outcome::Accepted
}
