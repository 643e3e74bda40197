//! Bytecode that holds generic operations of the dialect `spv`, as `mlir-opt --allow-unregistered-dialect` writes it, is read as
//! `spirv`.

use std::path::Path;

use mlirbc::bytecode::write;
use mlirbc::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc::{Context, Module, OpenOptions, Result, dialects, read_any};
use mlirbc_testing::fixtures;

/// The bytecode of a text whose dialect `spv` nothing knows.
fn bytecode(text: &[u8]) -> Vec<u8> {
    let module = parse_module(&dialects::context(), text, &ParseOptions::new()).expect("text");
    write(&module, &Default::default()).expect("bytecode")
}

fn opened(bytes: Vec<u8>) -> Result<Module> {
    read_any(&Context::new(), bytes.into(), Path::new("old.mlirbc"), &OpenOptions::new())
}

fn print(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new(), &mut text).expect("text");
    String::from_utf8(text).expect("text")
}

#[test]
fn bytecode_with_old_operations_is_read() {
    let mut count = 0;
    for entry in std::fs::read_dir(fixtures().join("old_spv")).expect("the folder") {
        let path = entry.expect("an entry").path();
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        let Some(name) = file.strip_suffix(".old.generic.mlir") else { continue };
        let old = opened(bytecode(&std::fs::read(&path).expect("a fixture"))).expect(name);
        let new = mlirbc::open_any(&Context::new(), path.with_file_name(format!("{name}.mlir"))).expect(name);
        assert_eq!(print(&old), print(&new), "{name}");
        count += 1;
    }
    assert_eq!(count, 15);
}

#[test]
fn what_no_operation_of_today_does_is_an_error() {
    let text = b"\"spv.CooperativeMatrixLengthNV\"() : () -> ()";
    let error = opened(bytecode(text)).expect_err("it went away");
    assert!(
        error.message().starts_with("no operation of today does what `spv.CooperativeMatrixLengthNV` did"),
        "{error}"
    );
    let error =
        opened(bytecode(b"\"spv.use\"() {a = !spv.jointmatrix<8x8xi32>} : () -> ()")).expect_err("it went away");
    assert!(error.message().contains("no type of today is what `!spv.jointmatrix` was"), "{error}");
}
