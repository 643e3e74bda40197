//! Modules in the dialect, as mlir-opt wrote them.

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{Context, Module};
use mlirbc_spirv::{DIALECT as BINARY, dialect, register};
use mlirbc_testing::corpus;
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

fn context() -> Context {
    let context = mlirbc_testing::context();
    register(&context).expect("registered");
    context
}

/// As mlir-opt writes it: types and attributes as text.
fn upstream(module: &Module) -> Vec<u8> {
    let mut options = WriteOptions::like(module);
    options.unregistered = vec![BINARY.to_owned(), dialect::DIALECT.to_owned()];
    mlirbc_bytecode::write(module, &options).expect("bytecode")
}

fn text(module: &Module, generic: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic).locations(true), &mut text).expect("text");
    String::from_utf8(text).expect("text")
}

#[test]
fn the_corpus_is_read_and_written() {
    let Some(paths) = corpus("spirv_dialect", "modules in the SPIR-V dialect") else { return };
    assert_eq!(paths.len(), 187);
    for path in &paths {
        let name = path.display();
        let bytes = std::fs::read(path).expect("a file");
        let context = context();
        let module = mlirbc_bytecode::read(&context, bytes.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        verify_module(&module, &mut |error| panic!("{name}: {error}")).expect("decoded");
        assert!(upstream(&module) == bytes, "{name}");
        // Whether all of the dialect is registered or its definitions alone does not show in generic form.
        let plain = mlirbc_testing::context();
        plain.extend(dialect::DIALECT, |spirv| spirv.ops(dialect::definitions()));
        let same = mlirbc_bytecode::read(&plain, bytes.clone()).expect("bytecode");
        assert_eq!(text(&same, true), text(&module, true), "{name}");
        for generic in [true, false] {
            let printed = text(&module, generic);
            let parsed = parse_module(&context, printed.as_bytes(), &ParseOptions::new());
            let mut parsed = parsed.unwrap_or_else(|errors| panic!("{name}: {errors}"));
            parsed.info = module.info.clone();
            assert!(upstream(&parsed) == bytes, "{name}");
        }
    }
}
