//! Files that are wrong, condition by condition of what MLIR's `BytecodeReader.cpp` refuses.
//!
//! Each is refused, with an error that says where, in which section and why. Some conditions are none here, since what
//! is not registered is kept and not refused: a dialect that is unknown (14.1, 9), and a version, encodings or resources
//! (8, 12, 17) of one. So is what something newer may have written: unknown codes (11), and properties that no
//! known definition explains (16, 18). Verifying operations (19) is not a reader's work.

mod contents;

use crate::bytecode::common;

use common::*;
use mlirbc_bytecode::encoding::{DialectEncoding, DialectExt, DialectVersion, EntryReader};
use mlirbc_bytecode::{UnknownKind, WriteOptions, decode_all, read, unknown_parts, write};
use mlirbc_ir::{AttributeData, Dialect, ErrorKind, ResourceValue, Result};
use std::sync::Arc;

const HEADER: Option<&str> = None;

fn resources(offsets: Out, payloads: Out) -> Vec<u8> {
    let mut file = File::new(6);
    file.string("key");
    file.resources = Some((offsets, payloads));
    file.bytes()
}

/// A file with one more attribute, which an operation holds.
fn with_attribute(make: impl FnOnce(&mut File) -> Out) -> Vec<u8> {
    let mut file = File::new(6);
    let bytes = make(&mut file);
    let attribute = file.builtin(bytes);
    file.hold([attribute]);
    file.bytes()
}

/// A file with one more type, which an operation holds.
fn with_type(make: impl FnOnce(&mut File) -> Out) -> Vec<u8> {
    with_attribute(|file| {
        let bytes = make(file);
        let ty = file.ty(bytes);
        out().v(6).v(ty)
    })
}

fn with_ops(ops: impl IntoIterator<Item = Op>) -> Vec<u8> {
    let mut file = File::new(6);
    file.ops(ops);
    file.bytes()
}

/// A file whose only region is this one.
fn with_region(region: Region) -> Vec<u8> {
    with_ops([op().regions([region])])
}

#[test]
fn condition_1_headers() {
    let good = File::new(6).bytes();
    accepted(&good);
    for bytes in [&b""[..], b"ML", b"ML\xefS", b"module {}", b"RFLM\x01\x01\x01\x01"] {
        refused(bytes, HEADER, "not MLIR bytecode");
    }
    for version in [7, 8, 127, 1 << 20, 1 << 60, u64::MAX] {
        let bytes = assemble(version, &File::new(6).sections());
        refused(&bytes, HEADER, "is newer than 6");
    }
    refused(b"ML\xefR", HEADER, "1 byte wanted, 0 left");
    refused(b"ML\xefR\x02", HEADER, "2 bytes wanted, 1 left");
    refused(b"ML\xefR\x0dMLIR", HEADER, "no terminating zero");
    refused(b"ML\xefR\x0dMLIR\0", HEADER, "the string section is missing");
}

#[test]
fn condition_2_past_the_end() {
    let file = sample(6);
    for (id, message, section) in [
        (STRING, "no terminating zero", "string"),
        (DIALECT, "bytes", "dialect"),
        (OFFSETS, "bytes", "attribute and type offset"),
        (ATTR_TYPE, "goes past its section", "attribute and type offset"),
        (IR, "bytes", "IR"),
        (RESOURCE, "bytes", "resource"),
        (RESOURCE_OFFSET, "bytes", "resource offset"),
        (PROPERTIES, "bytes", "properties"),
    ] {
        refused(&file.with(id, |bytes| bytes.truncate(bytes.len() - 1)), section, message);
        // An integer that goes on past the end of the section.
        if [DIALECT, OFFSETS, IR, PROPERTIES].contains(&id) {
            let cut = file.with(id, |bytes| *bytes.last_mut().expect("not empty") = 0);
            match id {
                // The blob is whole; what it says is not.
                PROPERTIES => unknown(&cut, "9 bytes wanted, 1 left"),
                _ => refused(&cut, section, "9 bytes wanted, 1 left"),
            }
        }
    }
    // Within one entry the next one's bytes must not be read.
    refused(&with_attribute(|_| out().v(8).v(I32)), "attribute and type", "1 byte wanted, 0 left");
    refused(&with_attribute(|_| out().v(6).b(2)), "attribute and type", "2 bytes wanted, 1 left");
    refused(&with_attribute(|_| out().v(18).v(I32).v(4).raw([0; 3])), "attribute and type", "4 bytes announced, 3 ");
}

#[test]
fn condition_3_sections_that_are_none() {
    let file = File::new(6);
    for id in [9, 10, 0x7f, 0x89, 0xff] {
        let bytes = out().raw(file.bytes()).section(id, []).0;
        refused(&bytes, HEADER, &format!("no section has the id {}", id & 0x7f));
    }
    for (id, bytes) in sample(6).sections() {
        let twice = out().raw(sample(6).bytes()).section(id, bytes).0;
        refused(&twice, HEADER, "a second ");
    }
    refused(&out().raw(file.bytes()).b(0).0, HEADER, "1 byte wanted, 0 left");
    refused(&out().raw(file.bytes()).b(8).v(5).0, HEADER, "5 bytes of a section announced, 0 bytes left");
    refused(&out().raw(file.bytes()).b(8).v(1 << 60).0, HEADER, "bytes of a section announced");
}

#[test]
fn condition_4_sections_that_are_missing() {
    for version in 0..=6 {
        let sections = sample(version).sections();
        assert_eq!(sections.len(), if version < 5 { 7 } else { 8 });
        for missing in &sections {
            let rest: Vec<_> = sections.iter().filter(|section| section.0 != missing.0).cloned().collect();
            refused(&assemble(version, &rest), HEADER, "section is missing");
        }
        let sections = File::new(version).sections();
        accepted(&assemble(version, &sections));
    }
}

#[test]
fn condition_5_alignment() {
    let file = File::new(6);
    let aligned = |alignment: u64, padding: &[u8]| {
        let resources = out().v(0);
        out().raw(file.bytes()).section(RESOURCE_OFFSET, resources).b(RESOURCE | 0x80).v(0).v(alignment).raw(padding).0
    };
    for alignment in [0, 3, 24, (1 << 31) + 1, 1 << 32, (1 << 32) + 8, 1 << 63, u64::MAX] {
        refused(&aligned(alignment, &[]), HEADER, "is not a power of two up to 2^31");
    }
    let length = aligned(8, &[]).len();
    let padding = length.next_multiple_of(8) - length;
    let good = aligned(8, &vec![0xcb; padding]);
    assert!(padding > 1, "{padding}");
    accepted(&good);
    let mut wrong = vec![0xcb; padding];
    wrong[padding - 1] = 0;
    refused(&aligned(8, &wrong), HEADER, "padding is not 0xCB");
    refused(&aligned(1 << 31, &[0xcb; 50]), HEADER, "1 byte wanted, 0 left");
    // Blobs are aligned in the same way.
    let blob = |alignment: u64, rest: &[u8]| {
        let payload = out().v(alignment).v(0).raw(rest);
        resources(out().v(0).v(BUILTIN).v(1).v(0).v(payload.0.len() as u64).b(0), payload)
    };
    refused(&blob(0, &[]), "resource", "is not a power of two up to 2^31");
    refused(&blob(6, &[]), "resource", "is not a power of two up to 2^31");
    refused(&blob(1 << 31, &[0xcb]), "resource", "1 byte wanted, 0 left");
}

#[test]
fn condition_6_strings() {
    let file = File::new(6);
    let strings = |section: Out| file.with(STRING, |bytes| *bytes = section.0);
    refused(&strings(out().v(1).v(9).raw("builtin\0")), "string", "a string of 9 bytes does not fit");
    refused(&strings(out().v(1).v(1 << 60).raw("builtin\0")), "string", "bytes does not fit");
    refused(&strings(out().v(2).v(5).v(u64::MAX).raw("builtin\0t\0")), "string", "does not fit");
    refused(&strings(out().v(1).v(7).raw("builtin\0")), "string", "1 byte between sizes and strings");
    refused(&strings(out().v(0).raw("x\0")), "string", "2 bytes between sizes and strings");
    // The first string would begin among the sizes.
    refused(&strings(out().v(2).v(2).v(3).raw("\0t\0")), "string", "does not fit");
}

#[test]
fn condition_7_numbers_out_of_range() {
    let huge = [100, 1 << 31, 1 << 32, 1 << 60, u64::MAX];
    // Strings.
    for index in huge {
        let mut file = File::new(6);
        file.dialects[1].0 = index & !(1 << 63);
        refused(&file.bytes(), "dialect", "string ");
        let mut file = File::new(6);
        file.names[1].1 = index & !(1 << 63);
        refused(&file.bytes(), "dialect", "string ");
        let entry = with_attribute(|_| out().v(2).v(index));
        refused(&entry, "attribute and type", if index >> 32 == 0 { "string " } else { "is out of range" });
        refused(&resources(out().v(1).v(index).v(0), out()), "resource offset", "");
        refused(&resources(out().v(1).v(0).v(1).v(index).v(1).b(1), out().b(1)), "resource offset", "");
        let value = out().v(index);
        refused(&resources(out().v(1).v(0).v(1).v(0).v(value.0.len() as u64).b(2), value), "resource", "");
    }
    // Dialects.
    for index in huge {
        let mut file = File::new(6);
        file.names[1].0 = index;
        refused(&file.bytes(), "dialect", "");
        let mut file = File::new(6);
        file.attribute(index, out().v(7));
        refused(&file.bytes(), "attribute and type offset", "");
        refused(&resources(out().v(0).v(index).v(0), out()), "resource offset", "");
    }
    for index in huge {
        // Names, attributes, types, values, blocks, handles, blobs.
        refused(&with_ops([Op::named(index)]), "IR", "");
        refused(&with_ops([op().at(index)]), "IR", "attribute ");
        refused(&with_ops([op().attributes(index)]), "IR", "attribute ");
        refused(&with_attribute(|_| out().v(0).v(1).v(index)), "attribute and type", "");
        refused(&with_attribute(|_| out().v(21).v(index)), "attribute and type", "");
        refused(&with_ops([op().results(&[index])]), "IR", "type ");
        let argument = Block::of([]).arguments(&[index & !(1 << 63)]);
        refused(&with_region(Region::blocks(1, [argument])), "IR", "type ");
        let argument = Block { arguments: Some(vec![(I32, Some(index))]), ..Block::default() };
        refused(&with_region(Region::blocks(1, [argument])), "IR", "attribute ");
        refused(&with_attribute(|_| out().v(6).v(index)), "attribute and type", "");
        refused(&with_type(|_| out().v(15).v(1).v(index)), "attribute and type", "");
        refused(&with_ops([op().operands(&[index])]), "IR", "value ");
        let region = Region::of(1, [op().results(&[I32]), op().operands(&[index])]);
        refused(&with_region(region), "IR", "value ");
        let region = Region::of(0, [op().successors(&[index])]);
        refused(&with_region(region), "IR", "block ");
        refused(&with_attribute(|_| out().v(16).v(I32).v(index)), "attribute and type", "");
        refused(&with_ops([op().properties(index)]), "IR", "property blob ");
    }
    // Within a blob.
    let mut file = File::new(6);
    let blob = file.properties(out().v(100));
    file.ops([op().properties(blob)]);
    refused(&file.bytes(), "properties", "attribute 100 of ");
    let mut file = File::new(6);
    let blob = file.properties(out().v(100 << 1 | 1).v(0));
    file.ops([Op::named(MODULE).properties(blob).regions([Region::of(0, [])])]);
    unknown(&file.bytes(), "attribute 100 of ");
    // The value of the enclosing region is out of sight behind an isolated operation.
    let hidden = op().isolated([Region::of(0, [op().operands(&[0])])]);
    refused(&with_region(Region::of(1, [op().results(&[I32]), hidden])), "IR", "value 0 of 0");
    // A sibling region's values are gone.
    let first = Region::of(1, [op().results(&[I32])]);
    let second = Region::of(0, [op().operands(&[0])]);
    refused(&with_ops([op().regions([first, second])]), "IR", "value 0 of 0");
}

#[test]
fn condition_8_versions_of_dialects() {
    let mut file = File::new(6);
    file.dialects[1].1 = Some(vec![1]);
    let section = file.dialect_section();
    let at = section.windows(3).position(|bytes| bytes == [VERSIONS, 3, 1]).expect("the section of the version");
    for id in [STRING, IR, PROPERTIES] {
        let message = format!("a dialect version stands in a section of id {id}, not 7");
        refused(&file.with(DIALECT, |bytes| bytes[at] = id), "dialect", &message);
    }
    // What this crate has encodings of has no versions yet.
    let mut file = File::new(6);
    file.dialects[0].1 = Some(vec![1]);
    unknown(&file.bytes(), "no version of the dialect is known");
    // Opening and looking at what needs no version is not troubled by it.
    assert_eq!(
        read(&crate::definitions::context(), file.bytes()).expect("opened").operations().expect("read").count(),
        0
    );
}

#[test]
fn condition_10_entries() {
    refused(&with_attribute(|_| out().v(7).b(0)), "attribute and type", "1 byte left of an entry");
    refused(&with_type(|_| out().v(1).raw([1, 1])), "attribute and type", "2 bytes left of an entry");
    let file = File::new(6);
    let longer = file.with(OFFSETS, |bytes| {
        let last = bytes.len() - 1;
        bytes[last] += 4;
    });
    refused(&longer, "attribute and type offset", "goes past its section");
    refused(&file.with(OFFSETS, |bytes| bytes.push(1)), "attribute and type offset", "1 byte after the last type");
    for (text, message) in [
        (&b"unit"[..], "no terminating zero"),
        (b"", "no terminating zero"),
        (b"unit\0\0", "1 byte after the text of an entry"),
        (b"unit unit\0", "expected the end of the text, found `unit`"),
        (b"unit \x01\0", "expected the end of the text"),
        (b"\0", "expected an attribute"),
        (b"dense<[1, 2]> : tensor<3xi32>\0", ""),
        (b"#builtin.nothing<\0", ""),
        (b"@\0", ""),
        (b"\xff\0", "expected an attribute"),
    ] {
        let mut file = File::new(6);
        file.attributes.push(Entry { dialect: T, custom: false, bytes: text.to_vec() });
        refused(&file.bytes(), "attribute and type", message);
    }
    // The place is that in the file, not in the text.
    let mut file = File::new(6);
    file.text("[1, %]");
    let error = load(&file.bytes()).expect_err("no attribute");
    let at = error.place().offset.expect("a place") as usize;
    assert_eq!(file.bytes()[at], b'%', "{error}");
}

#[test]
fn condition_11_codes_and_kinds() {
    let strange = |bytes: Out, message: &str| {
        refused(&with_attribute(|_| bytes), "attribute and type", message);
    };
    for code in [33, 100, 1 << 40, u64::MAX] {
        unknown(&with_attribute(|_| out().v(code)), &format!("no builtin attribute has the code {code}"));
        unknown(&with_type(|_| out().v(code).v(7)), &format!("no builtin type has the code {code}"));
    }
    strange(out().v(1).v(1).v(UNKNOWN).v(UNKNOWN), "a string attribute is wanted here");
    strange(out().v(4).v(UNKNOWN), "a string attribute is wanted here");
    strange(out().v(11).v(UNKNOWN).v(1).v(1), "a string attribute is wanted here");
    strange(out().v(14).v(UNKNOWN).v(UNKNOWN), "a string attribute is wanted here");
    strange(out().v(8).v(I32).z(1 << 40), "an integer that does not fit 32 bits");
    strange(out().v(9).v(I32).z(1), "a float attribute of a type that is no float");
    strange(out().v(16).v(I32).v(0), "resource 0 of 0");
    strange(out().v(17).v(I32).v(2).blob([0; 7]), "a dense array of 2 elements in 7 bytes");
    strange(out().v(17).v(I32).v(1 << 62).blob([0; 8]), "a dense array of");
    strange(out().v(18).v(I32).blob([0; 4]), "a shaped type");
    strange(out().v(19).v(I32).v(1).v(0), "");
    strange(out().v(20).v(I32).v(UNKNOWN).v(UNKNOWN), "a shaped type");
    refused(
        &with_attribute(|file| {
            let string = file.string_attribute("s");
            out().v(10).v(string).v(UNKNOWN)
        }),
        "attribute and type",
        "a location is wanted here",
    );
    refused(
        &with_attribute(|file| {
            let string = file.string_attribute("s");
            out().v(12).v(1).v(string)
        }),
        "attribute and type",
        "a location is wanted here",
    );
    refused(
        &with_attribute(|file| {
            let string = file.string_attribute("s");
            out().v(5).v(string).v(1).v(string)
        }),
        "attribute and type",
        "a flat symbol reference is wanted here",
    );
    refused(
        &with_attribute(|file| {
            let string = file.string_attribute("s");
            out().v(22).v(string).v(5).vs(&[1, 2, 3, 4, 5])
        }),
        "attribute and type",
        "a location range of 5 numbers",
    );
    refused(
        &with_attribute(|file| {
            let string = file.string_attribute("s");
            out().v(11).v(string).v(1 << 32).v(0)
        }),
        "attribute and type",
        "is over 32 bits",
    );
    // Types.
    for (bytes, message) in [
        (out().v(0).v(32 << 2 | 3), "no integer type has the signedness 3"),
        (out().v(0).v(1 << 26), "integer bitwidth is limited"),
        (out().v(0).v(u64::MAX >> 1 & !3), "bits"),
        (out().v(10).v(0).v(I32).v(UNKNOWN), "memref layout is neither"),
        (out().v(13).v(1).z(-5).v(I32), "invalid tensor dimension size"),
        (out().v(19).v(1).z(0).v(I32), "vector types must have positive constant sizes"),
        (out().v(20).v(2).b(1).b(0).v(1).z(4).v(I32), "scalable dimensions"),
    ] {
        refused(&with_type(|_| bytes), "attribute and type", message);
    }
    refused(
        &with_type(|file| {
            let none = file.ty(out().v(12));
            out().v(9).v(none)
        }),
        "attribute and type",
        "invalid element type for complex",
    );
    // What an operation refers to.
    let mut file = File::new(6);
    let string = file.string_attribute("s");
    file.ops([op().at(string)]);
    refused(&file.bytes(), "attribute and type", "stands for a location, and is not one");
    file.ops([op().attributes(string)]);
    refused(&file.bytes(), "attribute and type", "stands for a dictionary, and is not one");
    let argument = Block { arguments: Some(vec![(I32, Some(string))]), ..Block::default() };
    file.ops([op().regions([Region::blocks(1, [argument])])]);
    refused(&file.bytes(), "attribute and type", "stands for a location, and is not one");
}

/// Encodings of types alone.
struct TypesOnly;

impl DialectEncoding for TypesOnly {
    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        Ok(Arc::new(reader.varint()?))
    }
}

#[test]
fn condition_12_encodings_that_a_dialect_does_not_have() {
    let mut file = File::new(6);
    let attribute = file.attribute(T, out().v(0));
    file.hold([attribute]);
    let context = crate::definitions::context();
    context.register(Dialect::new("t").bytecode(TypesOnly)).expect("registered once");
    let module = read(&context, file.bytes()).expect("opened");
    decode_all(&module).expect("kept");
    let parts = unknown_parts(&module).expect("decoded");
    let [part] = &parts[..] else { panic!("{parts:?}") };
    assert_eq!((part.kind, part.error.kind()), (UnknownKind::Attribute, ErrorKind::Unknown));
    assert_eq!(part.error.message(), "no encoding of the dialect's attributes is known");
    assert!(part.error.place().offset.is_some());
    assert_eq!(write(&module, &WriteOptions::like(&module)).expect("kept"), file.bytes());
    // It is not said of a dialect that is not registered: its bytes are kept.
    let module = accepted(&file.bytes());
    assert!(unknown_parts(&module).expect("decoded").is_empty());
    let held = module.operations().expect("read").next().expect("one").attribute("a").expect("decoded");
    assert!(matches!(module.context()[held.expect("held")], AttributeData::Encoded(_)));
    // A version of the registered dialect is read to its end.
    file.attributes.clear();
    let mut file = File::new(6);
    for (version, message) in
        [(vec![3], None), (vec![], Some("1 byte wanted, 0 left")), (vec![3, 3], Some("1 byte left"))]
    {
        file.dialects[1].1 = Some(version);
        let context = crate::definitions::context();
        context.register(Dialect::new("t").bytecode(TypesOnly)).expect("registered once");
        let module = read(&context, file.bytes()).expect("opened");
        match (decode_all(&module), message) {
            (Ok(()), None) => {}
            (Err(error), Some(message)) => {
                assert!(error.message().contains(message), "{error}");
                assert_eq!(error.place().section, Some("dialect versions"));
            }
            (result, _) => panic!("{result:?}"),
        }
        accepted(&file.bytes());
    }
}

// Section 14.3: what makes mlir-opt crash.
