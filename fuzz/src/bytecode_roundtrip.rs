//! Bytecode that reads can be written, what was written reads back equal, and writing it again gives the same bytes, as does writing it
//! on several threads.

use mlirbc_bytecode::{WriteOptions, write, write_with_losses};

use crate::oracle::{
    gains_definitions, load, load_or_refuse, same_at_another_version, text_cannot_say, through_bytecode, through_text,
    unfit,
};
use crate::{Outcome, Seed, inputs};

/// Inputs to begin with.
pub fn seeds() -> Vec<Seed> {
    inputs::bytecode()
}

/// Reads a file, writes it as it was and at another version, and reads both back.
pub fn run(data: &[u8]) -> Outcome {
    let context = mlirbc_dialects::context();
    let module = match load_or_refuse(&context, data) {
        Ok(module) => module,
        Err(refused) => return refused,
    };
    let on_threads = write(&module, &WriteOptions::like(&module).threads(2));
    let (written, again) = match through_bytecode(&module, &WriteOptions::like(&module)) {
        Ok(both) => {
            assert!(on_threads.is_ok_and(|bytes| bytes == both.0), "other bytes on two threads");
            both
        }
        Err(error) => {
            assert_eq!(on_threads.err(), Some(error.clone()), "another error on two threads");
            assert!(unfit(&module, &error), "read, and cannot be written: {error}");
            return Outcome::Unwritable;
        }
    };
    if !text_cannot_say(&module) {
        through_text(&module);
    }
    // At another version something may be lost, and says so; what is left is a file like any other.
    let version = (written.len() % 7) as u64;
    let options = WriteOptions::like(&module).version(version).lossy(true);
    if let Ok((other, losses)) = write_with_losses(&again, &options) {
        let read = load(&context, &other).unwrap_or_else(|error| panic!("written at {version}, not read: {error}"));
        // Before version 5 a name does not say that its operation was unregistered, and so gets its definition back.
        if losses.is_empty() && (version >= 5 || !gains_definitions(&again)) {
            same_at_another_version(&again, &read, &options);
        }
    }
    Outcome::Accepted
}
