//! The dialect's own encodings in bytecode.

use crate::forms;

use std::sync::Arc;

use mlirbc_bytecode::encoding::DialectVersion;
use mlirbc_bytecode::{WriteOptions, decode_all, read, upgrade, write};
use mlirbc_ir::text::{parse_attribute, print_attribute};
use mlirbc_ir::{Attribute, BodyId, Context, Module, OperationSpec};
use mlirbc_spirv::dialect::encoding::{OLDEST_VERSION, VERSION};
use mlirbc_spirv::dialect::{DIALECT, EnumKind, attributes, types};
use mlirbc_spirv::{DIALECT as BINARY, register};
use mlirbc_testing::{append, corpus};

fn context() -> Context {
    let context = mlirbc_testing::context();
    register(&context).expect("registered");
    context
}

/// A module of one operation, which holds the attribute.
pub(super) fn holding(context: &Context, attribute: Attribute) -> Module {
    let mut module = Module::new(context);
    let attributes = context.dictionary(vec![(context.identifier("of"), attribute)]).expect("a dictionary");
    let name = context.operation_name("test.op", false);
    let spec = OperationSpec {
        attributes: Some(attributes.into()),
        ..OperationSpec::new(name, context.unknown_location().into())
    };
    append(&mut module, BodyId::from_index(Module::TOP), &spec);
    module
}

/// The text of what the one operation of a module holds.
fn held(module: &Module) -> String {
    let op = module.operations().expect("operations").next().expect("an operation");
    let attribute = op.attribute("of").expect("decoded").expect("an attribute");
    print_attribute(module.context(), attribute).expect("text")
}

fn contains(bytes: &[u8], part: &str) -> bool {
    bytes.windows(part.len()).any(|window| window == part.as_bytes())
}

fn upstream(module: &Module) -> Vec<u8> {
    let mut options = WriteOptions::like(module);
    options.unregistered = vec![BINARY.to_owned(), DIALECT.to_owned()];
    write(module, &options).expect("bytecode")
}

fn of_version(version: u64) -> WriteOptions {
    let version: DialectVersion = Arc::new(version);
    let dialect_versions = vec![(DIALECT.to_owned(), version)];
    WriteOptions { dialect_versions, producer: b"mlirbc".to_vec(), ..WriteOptions::default() }
}

#[test]
fn everything_has_an_encoding() {
    let known = forms::TYPES.iter().chain(forms::ATTRIBUTES).chain(forms::OURS);
    for (text, known) in known.map(|text| (text, true)).chain(forms::KEPT.iter().map(|text| (text, false))) {
        let context = context();
        let module = holding(&context, parse_attribute(&context, text.as_bytes()).expect(text));
        let wanted = held(&module);
        for version in OLDEST_VERSION..=VERSION {
            let bytes = write(&module, &of_version(version)).expect(text);
            assert_eq!(contains(&bytes, "#spirv") || contains(&bytes, "!spirv"), !known, "{text}");
            let again = read(&self::context(), bytes.clone()).expect(text);
            assert_eq!(held(&again), wanted, "{text}");
            // What is not upgraded stays at its version.
            assert!(write(&again, &WriteOptions::like(&again)).expect(text) == bytes, "{text}");
            // As text, and back.
            let plain = upstream(&again);
            let again = read(&self::context(), plain).expect(text);
            assert_eq!(held(&again), wanted, "{text}");
        }
    }
}

#[test]
fn every_enumerant_has_an_encoding() {
    let context = context();
    let mut count = 0;
    for kind in EnumKind::ALL {
        let values: Vec<u32> = match kind.is_mask() {
            true => [0, 1, 3, 0x8000_0000, u32::MAX].into(),
            false => (0..8192).filter(|value| kind.name(*value).is_some()).chain([8191, u32::MAX]).collect(),
        };
        for value in values {
            let attribute = attributes::enumerant(&context, *kind, value);
            let text = print_attribute(&context, attribute).expect("text");
            assert_eq!(parse_attribute(&context, text.as_bytes()).expect(&text), attribute);
            let bytes = write(&holding(&context, attribute), &WriteOptions::default()).expect(&text);
            assert_eq!(held(&read(&context, bytes).expect(&text)), text);
            count += 1;
        }
    }
    assert!(count > 1500, "{count}");
}

/// `#spirv.vce<v1.5, [Shader, Int64], [SPV_KHR_16bit_storage, SPV_NEW]>` as version 1 of the dialect wrote it.
const VERSION_1: &[u8] =
    b"ML\xefR\x0dmlirbc\x00\x01\x1f\x07\x03\x07\x05\x05\x01\x05\x0b\x07\x03\x03\x03\x01\x03\x0d\x03\x15\
    \x09\x01\x03\x07\x13\x0b\x07\x05\x03#\x02\x1f\x03\x03\x03\x07\x05\x09\x1f\x03\x0b\x05\x03\x17\x05\
    \x0b\x0d\x04\x0b\x05\x01\x01\x05\x01\x06\x03\x01\x05\x01\x00\x7f\x0f\x11-\x07\x07\x0d\x11\x0btest\
    \x00builtin\x00spirv\x00op\x00of\x00SPV_KHR_16bit_storage\x00SPV_NEW\x00\x08\x03\x01";

#[test]
fn older_versions_are_read() {
    let text = "#spirv.vce<v1.5, [Shader, Int64], [SPV_KHR_16bit_storage, SPV_NEW]>";
    let context = context();
    let module = holding(&context, parse_attribute(&context, text.as_bytes()).expect("an attribute"));
    let first = write(&module, &of_version(1)).expect("bytecode");
    assert!(first == VERSION_1, "{first:?}");
    let mut old = read(&self::context(), VERSION_1).expect("bytecode");
    assert_eq!(held(&old), text);
    assert!(write(&old, &WriteOptions::like(&old)).expect("bytecode") == VERSION_1);
    upgrade(&mut old).expect("upgraded");
    let new = write(&old, &WriteOptions::default()).expect("bytecode");
    assert_eq!(held(&read(&self::context(), new.clone()).expect("bytecode")), text);
    assert!(contains(VERSION_1, "SPV_KHR_16bit_storage") && !contains(&new, "SPV_KHR_16bit_storage"));
    assert!(contains(&new, "SPV_NEW"));
    assert!(write(&module, &of_version(VERSION + 1)).is_ok_and(|newer| {
        let error = read(&self::context(), newer).and_then(|module| decode_all(&module)).expect_err("a newer version");
        error.to_string().contains("version 3 of spirv")
    }));
}

/// How many bytes the entries of the dialect take as text, with their offsets.
fn text_entries(bytes: &[u8]) -> (usize, usize) {
    // The dialect is not registered: its entries are their text.
    let context = mlirbc_testing::context();
    let module = read(&context, bytes.to_vec()).expect("bytecode");
    let source = module.source().expect("a source");
    let (mut entries, mut total) = (0, 0);
    let mut add = |dialect: mlirbc_ir::Identifier, text: &[u8]| {
        if context.bytes(dialect) == DIALECT.as_bytes() {
            let length = text.len() + 1;
            // The offset is a varint of length and flag.
            total += length + if length < 64 { 1 } else { 2 };
            entries += 1;
        }
    };
    for index in 0..source.attribute_count() {
        if let mlirbc_ir::AttributeData::Text { dialect, text } =
            &context[source.attribute(&context, index).expect("an attribute")]
        {
            add(*dialect, text);
        }
    }
    for ty in (0..).map_while(|index| source.ty(&context, index).ok()) {
        if let mlirbc_ir::TypeData::Text { dialect, text } = &context[ty] {
            add(*dialect, text);
        }
    }
    (entries, total)
}

#[test]
fn encodings_are_compact() {
    let Some(paths) = corpus("spirv_dialect", "sizes of the SPIR-V dialect's encodings") else { return };
    let (mut entries, mut as_text, mut own) = (0, 0, 0);
    for path in &paths {
        let name = path.display();
        let bytes = std::fs::read(path).expect("a file");
        let module = read(&context(), bytes.clone()).expect("bytecode");
        let custom = write(&module, &WriteOptions::like(&module)).expect("bytecode");
        assert!(!contains(&custom, "#spirv.") && !contains(&custom, "!spirv."), "{name}");
        let again = read(&context(), custom.clone()).expect("bytecode");
        assert!(write(&again, &WriteOptions::like(&again)).expect("bytecode") == custom, "{name}");
        assert!(upstream(&again) == bytes, "{name}");
        let (count, size) = text_entries(&bytes);
        // All that differs between the files is these entries, what they refer to, and the version.
        (entries, as_text, own) = (entries + count, as_text + size, own + size + custom.len() - bytes.len());
    }
    println!("{entries} entries: {as_text} bytes as text, {own} in their encodings, {} %", own * 100 / as_text);
    assert_eq!(paths.len(), 187);
    assert!(own * 100 <= as_text * 30, "{own} of {as_text}");
}

/// A file cut anywhere, or with a byte changed, is read or refused.
#[test]
fn damaged_files_do_no_harm() {
    let all = forms::TYPES.iter().chain(forms::ATTRIBUTES).chain(forms::OURS);
    let context = context();
    let list = format!("[{}]", all.copied().collect::<Vec<_>>().join(", "));
    let module = holding(&context, parse_attribute(&context, list.as_bytes()).expect("an attribute"));
    let bytes = write(&module, &WriteOptions::default()).expect("bytecode");
    let attempt = |bytes: Vec<u8>| {
        let context = self::context();
        let Ok(module) = read(&context, bytes) else { return };
        if decode_all(&module).is_ok() {
            let _ = write(&module, &WriteOptions::default());
        }
    };
    for length in 0..bytes.len() {
        attempt(bytes[..length].to_vec());
    }
    for at in 0..bytes.len() {
        for flip in [0x01, 0x02, 0x10, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            attempt(changed);
        }
    }
}

/// Types nested as deep as a file can say are read without running out of stack.
#[test]
fn deep_types_are_read() {
    let context = context();
    let mut ty = context.integer_type(32);
    for _ in 0..50_000 {
        ty = types::pointer(&context, ty, 7);
    }
    let module = holding(&context, context.attribute(mlirbc_ir::AttributeData::Type(ty)));
    let bytes = write(&module, &WriteOptions::default()).expect("bytecode");
    let again = read(&self::context(), bytes.clone()).expect("bytecode");
    decode_all(&again).expect("decoded");
    assert!(write(&again, &WriteOptions::default()).expect("bytecode") == bytes);
}
