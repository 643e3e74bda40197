//! A reader that is kept between modules gives what a new one gives, whatever it read before.

use mlirbc_bytecode::{Reader, WriteOptions, decode_all, read, write};
use mlirbc_ir::{Module, Result};
use mlirbc_testing::Numbers;
use mlirbc_text::{PrintOptions, print_module};

use super::some_files;

/// What becomes of a file: its bytes and its text, or what is wrong with it.
fn outcome(module: Result<Module>) -> Result<(Vec<u8>, Vec<u8>), String> {
    let whole = |module: Module| {
        decode_all(&module)?;
        let mut text = Vec::new();
        print_module(&module, &PrintOptions::default(), &mut text)?;
        Ok((write(&module, &WriteOptions::like(&module))?, text))
    };
    module.and_then(whole).map_err(|error| error.to_string())
}

#[test]
fn what_was_read_before_does_not_show() {
    let paths = some_files("files that a kept reader reads");
    let reader = Reader::new(&mlirbc_dialects::context());
    let mut numbers = Numbers(1);
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        // As it is twice, then with some byte changed.
        for change in 0..5 {
            let mut bytes = bytes.clone();
            if change > 1 {
                let at = numbers.below(bytes.len());
                bytes[at] ^= 1 << numbers.below(8);
            }
            let (kept, new) = (reader.read(bytes.clone()), read(&mlirbc_dialects::context(), bytes));
            assert_eq!(outcome(kept), outcome(new), "{}, change {change}", path.display());
        }
    }
}
