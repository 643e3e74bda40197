//! What a user of the library writes, with `mlirbc` alone in the manifest.

use mlirbc::bytecode::{self, WriteOptions};
use mlirbc::ir::AttributeData;
use mlirbc::{Context, Module};

fn fixture(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// A member of the first operation of that name that has it.
fn member(module: &Module, name: &str, wanted: &str) -> Option<String> {
    let ops = module.operations().expect("operations").flat_map(|op| op.walk().expect("bodies"));
    ops.filter(|op| op.name() == name).find_map(|op| {
        let attribute = op.attribute(wanted).expect("attributes that can be decoded")?;
        Some(mlirbc::ir::text::print_attribute(module.context(), attribute).expect("text"))
    })
}

#[test]
fn properties_of_a_file_of_version_6_are_read_changed_and_written() {
    let context = Context::new();
    let mut module = mlirbc::open(&context, fixture("arith.mlirbc")).expect("a file of version 6");
    assert_eq!(module.info.version, Some(6));
    assert_eq!(member(&module, "arith.cmpi", "predicate").as_deref(), Some("0 : i64"));

    // Another value for one of them.
    let function = module.symbol("f").expect("symbols").expect("@f");
    let compare = function.walk().expect("a body").find(|op| op.name() == "arith.cmpi").expect("a comparison");
    let (body, op) = (compare.body_id(), compare.id());
    let properties = compare.dictionaries().expect("decoded").1.expect("properties");
    let AttributeData::Dictionary(entries) = &context[properties] else { panic!("no dictionary") };
    let mut entries = entries.to_vec();
    let unequal = mlirbc::ir::text::parse_attribute(&context, b"1 : i64").expect("an attribute");
    entries.iter_mut().filter(|entry| context.bytes(entry.0) == b"predicate").for_each(|entry| entry.1 = unequal);
    let properties = context.dictionary(entries).expect("no name twice");
    module.rewrite(body, |rw| rw.set_properties(op, Some(properties.into()))).expect("an operation");

    let bytes = bytecode::write(&module, &WriteOptions::like(&module)).expect("bytecode");
    let again = bytecode::read(&context, bytes).expect("a module");
    assert_eq!(member(&again, "arith.cmpi", "predicate").as_deref(), Some("1 : i64"));
}
