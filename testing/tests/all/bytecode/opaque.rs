//! Files with encodings that are not registered: kept as they are, and edited around.

use crate::bytecode::common;
use crate::bytecode::toy;

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_bytecode::inspect::summarize;
use mlirbc_bytecode::{BytecodeFile, OpaqueParts, WriteOptions, decode_all, read, write, write_with_losses};
use mlirbc_ir::text::{parse_attribute, parse_type, print_attribute, print_type};
use mlirbc_ir::{
    AttributeData, AttributeRef, BodyId, CompareOptions, Dialect, Difference, Location, Module, OpId, OperationSpec,
    ResourceEntry, ResourceGroup, ResourceKey, ResourceValue, TypeData, Value, ValueMap, What, compare, fresh_number,
};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};
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
    let module = read(&crate::definitions::context(), file()).expect("a module");
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
    module.rewrite(top(), |rw| rw.erase(second)).unwrap();
    let seen = seen(written(&module), true);
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!((seen[0].path.as_str(), &seen[0].what), ("toy.paint#1", &What::Presence));
    assert!(seen[0].second.is_none());
}

#[test]
fn locations_are_stripped() {
    let options = |module: &Module| WriteOptions::like(module).strip_locations(true);
    let mut module = opaque();
    let bytes = write(&module, &options(&module)).unwrap();
    assert_eq!(seen(bytes.clone(), false), []);
    let stripped = read(&context(1), bytes).unwrap();
    let unknown = Location::Attribute(stripped.context().unknown_location());
    assert!(stripped.operations().unwrap().all(|op| op.location().unwrap() == unknown));
    // After an edit, too.
    let last = operations(&module)[2];
    module.rewrite(top(), |rw| rw.erase(last)).unwrap();
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
    let options = WriteOptions { producer: b"another".to_vec(), ..WriteOptions::like(&module) };
    let bytes = write(&module, &options).unwrap();
    assert_eq!(read(&crate::definitions::context(), bytes.clone()).unwrap().info.producer, b"another");
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
    module.rewrite(top(), |rw| rw.set_attributes(first, Some(dictionary.into()))).unwrap();
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
        let error = write(&module, &WriteOptions::like(&module).version(version)).unwrap_err();
        assert!(error.message().contains("opaque"), "{error}");
    }
    module.set_dialect_versions(vec![(module.context().identifier("toy"), Default::default())]);
    assert!(write(&module, &WriteOptions::like(&module)).unwrap_err().message().contains("versions"));

    // Into another module: of the same context, with or without a file.
    let module = opaque();
    let (context, first) = (module.context().clone(), operations(&module)[0]);
    let value = module.operations().unwrap().next().unwrap().attribute("color").unwrap().unwrap();
    for mut other in [Module::new(&context), read(&context, file()).unwrap()] {
        let copied = other.rewrite(top(), |rw| rw.clone_from((&module, top()), first, &mut ValueMap::default()));
        assert!(copied.is_err());
        append(&mut other, "toy.paint", "color", value, &[]);
        let error = write(&other, &WriteOptions::default()).unwrap_err();
        assert!(error.message().contains("opaque"), "{error}");
    }
}

/// A file of `arith`, as one sees it who knows no such dialect: its operations have properties that cannot be decoded.
fn opaque_properties() -> Module {
    let mut bytes = std::fs::read(mlirbc_testing::fixture("arith.mlirbc")).expect("a fixture");
    let at = bytes.windows(6).position(|name| name == b"arith\0").expect("the name of the dialect");
    bytes[at..at + 5].copy_from_slice(b"earth");
    let module = read(&crate::definitions::context(), bytes).expect("a module");
    decode_all(&module).expect("well-formed");
    module
}

#[test]
fn opaque_parts_are_counted_by_dialect() {
    let module = opaque();
    let parts = OpaqueParts::of(&module).expect("well-formed");
    let summary = summarize(BytecodeFile::of(&module).expect("a file")).expect("well-formed");
    let row = ("toy".to_owned(), "opaque");
    let (attributes, types) = (summary.attributes[&row].count, summary.types[&row].count);
    assert!(attributes > 1 && types > 1, "{attributes}, {types}");
    assert_eq!(parts.attributes, [("toy".to_owned(), attributes)].into());
    assert_eq!(parts.types, [("toy".to_owned(), types)].into());
    assert_eq!(parts.to_string(), format!("{attributes} attributes of `toy`, {types} types of `toy`"));
    assert!(!parts.is_empty());
    let mut one = OpaqueParts::default();
    one.types.insert("toy".into(), 1);
    assert_eq!(one.to_string(), "1 type of `toy`");

    let module = opaque_properties();
    let parts = OpaqueParts::of(&module).expect("well-formed");
    let with_properties = module.operations().unwrap().flat_map(|op| op.walk().unwrap());
    let with_properties =
        with_properties.filter(|op| op.name().starts_with("earth.") && op.properties().unwrap().is_some());
    let count = with_properties.count() as u64;
    assert!(count > 1 && parts.attributes.is_empty() && parts.types.is_empty());
    assert_eq!(parts.to_string(), format!("the properties of {count} operations of `earth`"));

    let known = read(&context(1), file()).expect("a module");
    assert!(OpaqueParts::of(&known).expect("well-formed").is_empty());
}

/// Whether mlir-opt reads a text.
fn mlir_opt_takes(text: &[u8]) -> bool {
    let mut command = Command::new("mlir-opt-22");
    command.args(["--allow-unregistered-dialect", "-o", "-"]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("mlir-opt-22");
    child.stdin.take().expect("piped").write_all(text).expect("a text of a few lines");
    child.wait().expect("mlir-opt-22 ends").success()
}

#[test]
fn no_parser_takes_what_is_opaque() {
    let mlir_opt = mlirbc_testing::tool("mlir-opt-22", "whether mlir-opt takes text of opaque parts");
    for module in [opaque(), opaque_properties()] {
        for (generic, locations) in [(true, true), (true, false), (false, true), (false, false)] {
            let mut text = Vec::new();
            let options = PrintOptions::new().generic(generic).locations(locations);
            print_module(&module, &options, &mut text).expect("text to look at");
            let shown = String::from_utf8_lossy(&text);
            let errors =
                parse_module(&crate::definitions::context(), &text, &ParseOptions::new()).expect_err("a marked text");
            assert!(errors.to_string().contains("could not be decoded when it was printed"), "{errors}\n{shown}");
            if mlir_opt {
                assert!(!mlir_opt_takes(&text), "{shown}");
                // Without the mark, it would have.
                assert!(mlir_opt_takes(shown.replace(">?", ">").as_bytes()), "{shown}");
            }
        }
    }
    let (module, fresh) = (opaque(), crate::definitions::context());
    let op = module.operations().unwrap().next().unwrap();
    let attribute = print_attribute(module.context(), op.attribute("color").unwrap().unwrap()).expect("text");
    let ty = print_type(module.context(), op.type_of(op.results().next().unwrap()).unwrap()).expect("text");
    for text in [&attribute, attribute.trim_end_matches('?'), &format!("#other.pair<{attribute}>")] {
        assert!(parse_attribute(&fresh, text.as_bytes()).is_err(), "{text}");
    }
    for text in [&ty, ty.trim_end_matches('?'), &format!("!other.of<{ty}>"), &format!("tensor<4x{ty}>")] {
        assert!(parse_type(&fresh, text.as_bytes()).is_err(), "{text}");
    }
    // What only looks like it.
    for text in
        ["#toy.encoded<\"entry\">", "#toy.encoded<5>", "#toy.other<\"entry 1, 5 bytes\">", "\"entry 1, 5 bytes\""]
    {
        assert!(parse_attribute(&fresh, text.as_bytes()).is_ok(), "{text}");
    }
}

#[test]
fn what_is_added_to_a_file_with_opaque_parts_is_written() {
    let mut module = opaque();
    let (name, unknown) =
        (module.context().operation_name("new.operation", false), module.context().unknown_location());
    mlirbc_testing::append(&mut module, top(), &OperationSpec::new(name, unknown.into()));
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
    let context = crate::definitions::context();
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
    let outer = OperationSpec { regions: 1, ..named("test.outer") };
    let outer = mlirbc_testing::append(&mut module, top(), &outer);
    let filled = module.rewrite(top(), |rw| {
        let region = rw.body().regions(outer).next().unwrap();
        let block = rw.create_block(region, None, [context.integer_type(1)])?;
        let value = rw.body().arguments(block)[0];
        rw.set_insertion_point_to_end(block)?;
        for name in ["test.one", "test.two"] {
            rw.create(&OperationSpec { operands: &[value], ..named(name) })?;
        }
        Ok(())
    });
    filled.unwrap();
    let bytes = write(&module, &WriteOptions::new().version(version)).unwrap();
    read(&crate::definitions::context(), bytes).unwrap()
}

#[test]
fn what_a_file_with_opaque_parts_cannot_hold_is_an_error_unless_it_may_be_lost() {
    for version in [2, 3] {
        let mut module = used_twice(version);
        let body = module.top().unwrap();
        let value = (0..body.value_count()).map(Value::from_index).find(|&value| body.is_used(value)).unwrap();
        let users: Vec<OpId> = body.preorder().filter(|&op| body.operands(op) == [value]).collect();
        module.rewrite(top(), |rw| rw.move_before(users[1], users[0])).unwrap();
        let options = WriteOptions::like(&module);
        match (version, write(&module, &options)) {
            (3, Ok(bytes)) => {
                let again = read(&crate::definitions::context(), bytes).unwrap();
                assert_eq!(again.top().unwrap().stored_orders().count(), 1);
            }
            (2, Err(error)) => assert!(error.message().contains("order of uses"), "{error}"),
            (_, result) => panic!("version {version}: {:?}", result.map(drop)),
        }
        let (_, losses) = write_with_losses(&module, &options.lossy(true)).unwrap();
        assert_eq!(losses.iter().count(), usize::from(version == 2));
    }
}

/// What has been read without a dialect stays as it is; what is opened later is read with it.
#[test]
fn a_dialect_registered_after_the_first_file_is_known_to_those_opened_after_it() {
    let context = crate::definitions::context();
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
