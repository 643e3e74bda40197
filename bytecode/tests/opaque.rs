//! Files with encodings that nobody registered: kept as they are, and edited around.

mod toy;

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::{
    AttributeData, BodyId, CompareOptions, Context, Difference, Location, Module, OpId, TypeData, ValueMap, What,
    compare,
};
use toy::{append, canvas, colour, context, painting};

fn top() -> BodyId {
    BodyId::from_index(Module::TOP)
}

/// A file of the toy dialect.
fn file() -> Vec<u8> {
    write(&painting(&context(1)), &WriteOptions::default()).expect("bytecode")
}

/// The file as one sees it who does not know the dialect.
fn opaque() -> Module {
    let module = read(&Context::new(), file()).expect("a module");
    decode_all(&module).expect("well-formed");
    module
}

fn written(module: &Module) -> Vec<u8> {
    write(module, &WriteOptions::like(module)).expect("bytecode")
}

/// What one who knows the dialect sees of a change.
fn seen(bytes: Vec<u8>, locations: bool) -> Vec<Difference> {
    let context = context(1);
    let (before, after) = (read(&context, file()).unwrap(), read(&context, bytes).unwrap());
    decode_all(&after).expect("well-formed");
    compare(&before, &after, &CompareOptions::new().locations(locations)).expect("a comparison")
}

fn operations(module: &Module) -> Vec<OpId> {
    module.operations().unwrap().map(|op| op.id()).collect()
}

#[test]
fn the_file_is_opaque_and_comes_back() {
    let module = opaque();
    let op = module.operations().unwrap().next().unwrap();
    let value = op.attribute("color").unwrap().unwrap();
    assert!(matches!(module.context()[value], AttributeData::Encoded(_)));
    let ty = op.type_of(op.results().next().unwrap()).unwrap();
    assert!(matches!(module.context()[ty], TypeData::Encoded(_)));
    assert_eq!(written(&module), file());
}

#[test]
fn an_operation_is_erased() {
    let mut module = opaque();
    let second = operations(&module)[1];
    module.body_mut(top()).unwrap().erase(second).unwrap();
    let seen = seen(written(&module), true);
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!((seen[0].path.as_str(), &seen[0].what), ("toy.paint#1", &What::Presence));
    assert!(seen[0].second.is_none());
}

#[test]
fn locations_are_stripped() {
    let options = |module: &Module| WriteOptions { strip_locations: true, ..WriteOptions::like(module) };
    let mut module = opaque();
    let bytes = write(&module, &options(&module)).unwrap();
    assert_eq!(seen(bytes.clone(), false), []);
    let stripped = read(&context(1), bytes).unwrap();
    let unknown = Location::Attribute(stripped.context().unknown_location());
    assert!(stripped.operations().unwrap().all(|op| op.location().unwrap() == unknown));
    // After an edit, too.
    let last = operations(&module)[2];
    module.body_mut(top()).unwrap().erase(last).unwrap();
    let unit = module.context().unit();
    append(&mut module, "new.operation", "unit", unit, &[]);
    let stripped = read(&context(1), write(&module, &options(&module)).unwrap()).unwrap();
    let unknown = Location::Attribute(stripped.context().unknown_location());
    assert_eq!(stripped.operations().unwrap().count(), 3);
    assert!(stripped.operations().unwrap().all(|op| op.location().unwrap() == unknown));
}

#[test]
fn the_producer_is_changed() {
    let module = opaque();
    let options = WriteOptions { producer: b"somebody".to_vec(), ..WriteOptions::like(&module) };
    let bytes = write(&module, &options).unwrap();
    assert_eq!(read(&Context::new(), bytes.clone()).unwrap().info.producer, b"somebody");
    assert_eq!(seen(bytes, true), []);
}

#[test]
fn attributes_and_operations_are_added() {
    let mut module = opaque();
    let context = module.context().clone();
    let first = operations(&module)[0];
    let mut entries = module.operation(top(), first).unwrap().attributes().unwrap().to_vec();
    entries.push((context.identifier("size"), context.integer(64, 99)));
    let dictionary = context.dictionary(entries).unwrap();
    module.body_mut(top()).unwrap().set_attributes(first, Some(dictionary.into()));
    append(&mut module, "new.operation", "text", context.string("hello"), &[context.integer_type(8)]);
    let seen = seen(written(&module), true);
    let what: Vec<_> = seen.iter().map(|it| (it.path.as_str(), it.what.clone())).collect();
    assert_eq!(
        what,
        [("new.operation#3", What::Presence), ("toy.paint#0", What::Attribute("size".into()))],
        "{seen:?}"
    );
}

#[test]
fn an_opaque_attribute_can_be_used_again_in_its_file() {
    let mut module = opaque();
    let value = module.operations().unwrap().next().unwrap().attribute("color").unwrap().unwrap();
    append(&mut module, "toy.paint", "color", value, &[]);
    let context = context(1);
    let again = read(&context, written(&module)).unwrap();
    let last = again.operations().unwrap().last().unwrap();
    assert_eq!(last.attribute("color").unwrap(), Some(colour(&context, 1, 2, 3)));
    let first = again.operations().unwrap().next().unwrap();
    assert_eq!(first.type_of(first.results().next().unwrap()).unwrap(), canvas(&context, 640));
}

#[test]
fn what_cannot_be_carried_is_an_error() {
    let mut module = opaque();
    for version in 0..6 {
        let error = write(&module, &WriteOptions { version, ..WriteOptions::like(&module) }).unwrap_err();
        assert!(error.message().contains("opaque"), "{error}");
    }
    module.set_dialect_versions(vec![(module.context().identifier("toy"), Default::default())]);
    assert!(write(&module, &WriteOptions::like(&module)).unwrap_err().message().contains("versions"));

    // Into another module: of the same context, with or without a file.
    let module = opaque();
    let (context, first) = (module.context().clone(), operations(&module)[0]);
    let value = module.operations().unwrap().next().unwrap().attribute("color").unwrap().unwrap();
    for mut other in [Module::new(&context), read(&context, file()).unwrap()] {
        assert!(other.clone_operation_from(&module, top(), first, top(), &mut ValueMap::default()).is_err());
        append(&mut other, "toy.paint", "color", value, &[]);
        let error = write(&other, &WriteOptions::default()).unwrap_err();
        assert!(error.message().contains("opaque"), "{error}");
    }
}
