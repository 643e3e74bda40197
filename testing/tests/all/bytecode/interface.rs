//! The dialect bytecode interface: versions, upgrades, and callbacks.

use crate::bytecode::toy;

use std::sync::Arc;

use mlirbc_bytecode::encoding::{ReadCallbacks, WriteCallbacks, Written};
use mlirbc_bytecode::{
    ReadOptions, UnknownKind, WriteOptions, decode_all, read, read_with, unknown_parts, upgrade, write,
};
use mlirbc_ir::{Attribute, AttributeData, CompareOptions, Context, Error, Module, compare};
use toy::{colour, context, painting};

fn write_plainly(module: &Module) -> Vec<u8> {
    write(module, &WriteOptions::like(module)).expect("bytecode")
}

/// The bytes of toy's version in a file.
fn stated(module: &Module) -> Vec<u8> {
    let toy = module.context().identifier("toy");
    let versions = module.dialect_versions().expect("versions");
    versions.iter().find(|version| version.0 == toy).map(|version| version.1.to_vec()).unwrap_or_default()
}

fn attribute(module: &Module, name: &str) -> Option<Attribute> {
    module.operations().expect("operations").next().expect("one").attribute(name).expect("attributes")
}

fn varint(value: u8) -> Vec<u8> {
    vec![value << 1 | 1]
}

#[test]
fn a_dialect_goes_through_two_versions() {
    let old = context(1);
    let bytes = write_plainly(&painting(&old));
    assert_eq!(stated(&read(&old, bytes.clone()).unwrap()), varint(1));

    // What is not upgraded stays at its version, and gives its bytes back.
    let new = context(2);
    let mut module = read(&new, bytes.clone()).unwrap();
    decode_all(&module).unwrap();
    assert_eq!(attribute(&module, "color"), Some(colour(&new, 1, 2, 3)));
    assert_eq!(write_plainly(&module), bytes);

    // Upgraded, it is written at the new version.
    upgrade(&mut module).unwrap();
    assert_eq!(attribute(&module, "color"), None);
    assert_eq!(attribute(&module, "colour"), Some(colour(&new, 1, 2, 3)));
    let upgraded = write_plainly(&module);
    let again = read(&new, upgraded.clone()).unwrap();
    assert_eq!(stated(&again), varint(2));
    assert_eq!(compare(&module, &again, &CompareOptions::new().locations(true)).unwrap(), []);
    upgrade(&mut module).unwrap();
    assert_eq!(write_plainly(&module), upgraded);

    // The old build keeps what it cannot read, and says what that is and why.
    let kept = read(&old, upgraded.clone()).unwrap();
    decode_all(&kept).unwrap();
    assert_eq!(write_plainly(&kept), upgraded);
    let parts = unknown_parts(&kept).unwrap();
    let kinds: Vec<_> = parts.iter().map(|part| part.kind).collect();
    assert_eq!(kinds, [UnknownKind::DialectVersion, UnknownKind::Attribute, UnknownKind::Attribute]);
    for part in &parts {
        assert!(part.to_string().contains("version 2 of toy is newer than this build"), "{part}");
    }

    // And gets it at its own version on request.
    let options = WriteOptions { dialect_versions: vec![("toy".into(), Arc::new(1u64))], ..WriteOptions::default() };
    for module in [&module, &again] {
        let lowered = read(&old, write(module, &options).unwrap()).unwrap();
        decode_all(&lowered).unwrap();
        assert_eq!(stated(&lowered), varint(1));
        assert_eq!(attribute(&lowered, "colour"), Some(colour(&old, 1, 2, 3)));
    }
}

#[test]
fn a_module_made_here_is_of_the_current_version() {
    let new = context(2);
    let mut module = read(&new, write_plainly(&painting(&new))).unwrap();
    assert_eq!(stated(&module), varint(2));
    let bytes = write_plainly(&module);
    upgrade(&mut module).unwrap();
    assert_eq!(write_plainly(&module), bytes);
}

#[test]
fn a_version_of_a_dialect_without_encodings_is_an_error() {
    let options =
        WriteOptions { dialect_versions: vec![("missing".into(), Arc::new(1u64))], ..WriteOptions::default() };
    assert!(write(&painting(&context(1)), &options).is_err());
}

/// Integers under the dialect `my`, as their lowest 64 bits.
fn integers() -> WriteCallbacks {
    let callbacks = WriteCallbacks::default().attribute(|_, writer| {
        writer.string(b"what is not taken does not count");
        Written::NotMine
    });
    callbacks.attribute(|attribute, writer| {
        let AttributeData::Integer { value, ty } = &writer.context()[attribute] else { return Written::NotMine };
        writer.varint(value.words()[0]);
        writer.ty(*ty);
        Written::Under("my".into())
    })
}

fn with_integer(context: &Context) -> Module {
    let mut module = painting(context);
    toy::append(&mut module, "other.note", "number", context.integer(32, 77), &[]);
    module
}

#[test]
fn callbacks_go_before_the_dialects() {
    let context = context(2);
    let module = with_integer(&context);
    let bytes = write(&module, &WriteOptions::new().callbacks(integers())).unwrap();
    let callbacks = ReadCallbacks::default().attribute(|reader, _| {
        // What is looked at and left is read again by the next.
        let _ = reader.byte();
        Ok(None)
    });
    let callbacks = callbacks.attribute(|reader, dialect| {
        if dialect != "my" {
            return Ok(None);
        }
        let value = reader.varint()?;
        let ty = reader.ty()?;
        let value = mlirbc_ir::number::ApInt::from_u64(32, value);
        Ok(Some(reader.context().attribute(AttributeData::Integer { ty, value })))
    });
    let options = ReadOptions::new().callbacks(callbacks);
    let again = read_with(&context, bytes.clone(), &options).unwrap();
    decode_all(&again).unwrap();
    assert_eq!(compare(&module, &again, &CompareOptions::new().locations(true)).unwrap(), []);
    // Nothing of it is opaque: without the callbacks it is written as any other module.
    assert_eq!(write_plainly(&again), write_plainly(&module));

    // Who has no such callback keeps it.
    let opaque = read(&context, bytes.clone()).unwrap();
    decode_all(&opaque).unwrap();
    assert_eq!(write_plainly(&opaque), bytes);

    let failing = ReadCallbacks::default().attribute(|reader, dialect| match dialect {
        "my" => Err(reader.error("not today")),
        _ => Ok(None),
    });
    let options = ReadOptions::new().callbacks(failing);
    let error: Error = decode_all(&read_with(&context, bytes.clone(), &options).unwrap()).unwrap_err();
    assert!(error.message().contains("not today"), "{error}");

    let lazy = ReadCallbacks::default().attribute(|reader, dialect| match dialect {
        "my" => Ok(Some(reader.context().unit())),
        _ => Ok(None),
    });
    let options = ReadOptions::new().callbacks(lazy);
    let error = decode_all(&read_with(&context, bytes, &options).unwrap()).unwrap_err();
    assert!(error.message().contains("bytes left of an entry"), "{error}");
}

#[test]
fn callbacks_of_types() {
    let context = context(2);
    let module = painting(&context);
    let callbacks = WriteCallbacks::default().ty(|ty, writer| {
        let mlirbc_ir::TypeData::Dialect(value) = &writer.context()[ty] else { return Written::NotMine };
        let [mlirbc_ir::Parameter::Unsigned(width)] = *value.parameters else { return Written::NotMine };
        writer.varint(width + 1);
        Written::Entry
    });
    let bytes = write(&module, &WriteOptions::new().callbacks(callbacks)).unwrap();
    let callbacks = ReadCallbacks::default().ty(|reader, dialect| {
        assert_eq!(dialect, "toy");
        let width = reader.varint()?;
        Ok(Some(toy::canvas(reader.context(), width - 1)))
    });
    let again = read_with(&context, bytes, &ReadOptions::new().callbacks(callbacks)).unwrap();
    assert_eq!(compare(&module, &again, &CompareOptions::new()).unwrap(), []);
}
