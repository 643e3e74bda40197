//! What the outermost operations of a file cannot say is refused when written.

use mlirbc_bytecode::{WriteOptions, read, write};
use mlirbc_ir::{BodyId, ErrorKind, Module, TypeRef};
use mlirbc_text::{ParseOptions, parse_module};

#[track_caller]
fn refused(module: &Module, message: &str) {
    let error = write(module, &WriteOptions::default()).expect_err(message);
    assert_eq!((error.kind(), error.message()), (ErrorKind::Verification, message));
}

#[test]
fn uses_of_outermost_results() {
    for text in [
        r#"%0 = "t.a"() : () -> i32 "t.b"(%0) : (i32) -> ()"#,
        r#"%0 = "t.a"() ({ "t.b"(%0) : (i32) -> () }) : () -> i32"#,
        r#"%0 = "t.a"() : () -> i32 "t.c"() ({ "t.c"() ({ "t.b"(%0) : (i32) -> () }) : () -> () }) : () -> ()"#,
    ] {
        let module = parse_module(&crate::definitions::context(), text.as_bytes(), &ParseOptions::new()).expect("text");
        refused(&module, "bytecode cannot hold a use of a result of an outermost operation");
    }
    let text = br#"%0 = "t.a"() : () -> i32 "t.c"() ({ %1 = "t.a"() : () -> i32 "t.b"(%1) : (i32) -> () }) : () -> ()"#;
    let module = parse_module(&crate::definitions::context(), text, &ParseOptions::new()).expect("text");
    let written = write(&module, &WriteOptions::default()).expect("unused results are no harm");
    assert_eq!(read(&crate::definitions::context(), written).expect("read").operations().expect("read").count(), 2);
}

#[test]
fn outermost_blocks() {
    let message = "bytecode holds one outermost block, without arguments";
    let context = crate::definitions::context();
    let mut module = Module::new(&context);
    let top = BodyId::from_index(Module::TOP);
    let region = module.top().expect("the top").top_regions()[0];
    let second = module.rewrite(top, |rw| rw.create_block(region, None, [] as [TypeRef; 0])).expect("a block");
    refused(&module, message);
    module.rewrite(top, |rw| rw.erase_block(second)).expect("an empty block");
    write(&module, &WriteOptions::default()).expect("one block");
    let first = module.top().expect("the top").first_block(region).expect("the block");
    module.rewrite(top, |rw| rw.add_argument(first, context.integer_type(1), None)).expect("the block");
    refused(&module, message);
}

/// An index that is made where the operations are not known has no table of symbols that would hide them.
#[test]
fn an_index_hides_no_symbol_that_its_maker_did_not_know() {
    let known = mlirbc_testing::context();
    let generated = mlirbc_testing::generate(&known, mlirbc_testing::Shape::Functions, 100_000).expect("generated");
    let bytes = mlirbc_bytecode::write(&generated, &mlirbc_bytecode::WriteOptions::default()).expect("written");
    for maker in [mlirbc_ir::Context::new(), known] {
        let opened = mlirbc_bytecode::read(&maker, bytes.clone()).expect("opened");
        let index = Some(mlirbc_bytecode::Index::build(&opened).expect("indexed"));
        let options = mlirbc_bytecode::ReadOptions::new().index(index);
        let module = mlirbc_bytecode::read_with(&mlirbc_testing::context(), bytes.clone(), &options).expect("opened");
        assert!(module.symbol("f5").expect("looked for").is_some());
        assert!(module.symbol("nothing").expect("looked for").is_none());
    }
}
