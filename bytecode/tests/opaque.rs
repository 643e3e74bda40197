//! Files with encodings that nobody registered: kept as they are, and edited around.

mod common;
mod toy;

use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_bytecode::{WriteOptions, decode_all, read, write, write_with_losses};
use mlirbc_ir::{
    AttributeData, AttributeRef, BodyId, CompareOptions, Context, Dialect, Difference, Location, Module, OpId,
    OperationSpec, ResourceEntry, ResourceGroup, ResourceKey, ResourceValue, TypeData, Value, ValueMap, What, compare,
    fresh_number,
};
use toy::{Toy, append, canvas, colour, context, painting};

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

#[test]
fn what_is_pushed_into_a_file_with_opaque_parts_is_written() {
    let mut module = opaque();
    let (name, unknown) =
        (module.context().operation_name("new.operation", false), module.context().unknown_location());
    let body = module.body_mut(top()).unwrap();
    let block = body.first_block(body.roots()[0]).unwrap();
    body.append_simple(block, name, unknown.into(), None, body.operand_start(), None);
    let seen = seen(written(&module), true);
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!((seen[0].path.as_str(), &seen[0].what), ("new.operation#3", &What::Presence));
}

/// Sections of resources may be missing, though mlir-opt writes them even where they are empty.
#[test]
fn a_resource_comes_into_a_file_with_opaque_parts_that_had_no_section_for_it() {
    let mut file = common::File::new(6);
    let strange = file.dialect("strange");
    let attribute = file.attribute(strange, common::out().raw([1, 2, 3]));
    file.hold([attribute]);
    let context = Context::new();
    let mut module = read(&context, file.bytes()).unwrap();
    let owner = context.identifier("builtin");
    let resource = context.resource(ResourceKey { dialect: owner, key: b"late"[..].into(), owner: fresh_number() });
    let ty =
        context.ty(TypeData::RankedTensor { shape: [1].into(), element: context.integer_type(64), encoding: None });
    let value = ResourceValue::Blob { alignment: 8, data: vec![1, 2, 3, 4, 5, 6, 7, 8].into() };
    let entries = vec![ResourceEntry { key: b"late"[..].into(), handle: Some(resource), value: value.clone() }];
    module.resources_mut().unwrap().push(ResourceGroup { owner, dialect: true, entries });
    let data = context.attribute(AttributeData::DenseResource { ty, resource });
    append(&mut module, "new.operation", "data", data, &[]);
    let again = read(&context, written(&module)).unwrap();
    decode_all(&again).unwrap();
    let first = again.operations().unwrap().next().unwrap().attribute("a").unwrap().unwrap();
    assert!(matches!(context[first], AttributeData::Encoded(_)));
    let data = again.operations().unwrap().last().unwrap().attribute("data").unwrap().unwrap();
    let AttributeData::DenseResource { resource, .. } = context[data] else { panic!("a resource") };
    assert_eq!(again.resource(resource).unwrap().map(|entry| &entry.value), Some(&value));
}

/// A file of the toy dialect at a version that has no place for orders of uses, with two uses of one value.
fn used_twice(version: u64) -> Module {
    let context = context(1);
    let mut module = painting(&context);
    let unknown: AttributeRef = context.unknown_location().into();
    let named = |name: &str| OperationSpec::new(context.operation_name(name, false), unknown);
    let outer = module.create(top(), &OperationSpec { regions: 1, ..named("test.outer") }).unwrap();
    let body = module.body_mut(top()).unwrap();
    body.append(body.first_block(body.roots()[0]).unwrap(), outer).unwrap();
    let block = body.create_block(body.regions(outer).next().unwrap(), None).unwrap();
    let value = body.add_argument(block, context.integer_type(1).into(), None);
    for name in ["test.one", "test.two"] {
        let user = body.create(&OperationSpec { operands: &[value], ..named(name) }).unwrap();
        body.append(block, user).unwrap();
    }
    let bytes = write(&module, &WriteOptions { version, ..WriteOptions::default() }).unwrap();
    read(&Context::new(), bytes).unwrap()
}

#[test]
fn what_a_file_with_opaque_parts_cannot_hold_is_an_error_unless_it_may_be_lost() {
    for version in [2, 3] {
        let mut module = used_twice(version);
        let body = module.body_mut(top()).unwrap();
        let value = (0..body.value_count()).map(Value::from_index).find(|&value| body.is_used(value)).unwrap();
        let users: Vec<OpId> = body.preorder().filter(|&op| body.operands(op) == [value]).collect();
        body.move_to(users[1], body.block_of(users[0]).unwrap(), Some(users[0])).unwrap();
        let options = WriteOptions::like(&module);
        match (version, write(&module, &options)) {
            (3, Ok(bytes)) => {
                let again = read(&Context::new(), bytes).unwrap();
                assert_eq!(again.top().unwrap().stored_orders().count(), 1);
            }
            (2, Err(error)) => assert!(error.message().contains("order of uses"), "{error}"),
            (_, result) => panic!("version {version}: {:?}", result.map(drop)),
        }
        let (_, losses) = write_with_losses(&module, &WriteOptions { lossy: true, ..options }).unwrap();
        assert_eq!(losses.iter().count(), usize::from(version == 2));
    }
}

/// What has been read without a dialect stays as it is; what is opened later is read with it.
#[test]
fn a_dialect_registered_after_the_first_file_is_known_to_those_opened_after_it() {
    let context = Context::new();
    let early = read(&context, file()).unwrap();
    decode_all(&early).unwrap();
    // Opened before, and not looked into yet.
    let unread = read(&context, file()).unwrap();
    context.register(Dialect::new("toy").bytecode(Toy { current: 1 })).unwrap();
    let late = read(&context, file()).unwrap();
    decode_all(&late).unwrap();
    let first = |module: &Module| module.operations().unwrap().next().unwrap().attribute("color").unwrap().unwrap();
    assert!(matches!(context[first(&early)], AttributeData::Encoded(_)));
    assert_eq!(first(&late), colour(&context, 1, 2, 3));
    decode_all(&unread).unwrap();
    // Whichever way it was read, it is the file that it was.
    for module in [early, unread, late] {
        assert_eq!(written(&module), file());
        assert!(compare(&module, &module, &CompareOptions::new()).unwrap().is_empty());
    }
}
