//! What mlir-opt takes although it is questionable (`BytecodeReader.cpp` of MLIR).
//!
//! Nothing is lost silently: what has a meaning, or none to lose, is read and written back; bytes that no reader looks at
//! are refused, and so is what says one thing twice.

use crate::bytecode::common;

use common::*;
use mlirbc_bytecode::{WriteOptions, read, write};
use mlirbc_ir::{AttributeData, ResourceValue};

/// The attribute that the first operation holds under the name `a`, as text.
fn held(bytes: &[u8]) -> String {
    let module = accepted(bytes);
    let op = module.operations().expect("read").next().expect("an operation");
    let attribute = op.attribute("a").expect("decoded").expect("held");
    mlirbc_ir::text::print_attribute(module.context(), attribute).expect("short")
}

fn holding(make: impl FnOnce(&mut File) -> Out) -> Vec<u8> {
    let mut file = File::new(6);
    let bytes = make(&mut file);
    let attribute = file.builtin(bytes);
    file.hold([attribute]);
    file.bytes()
}

/// Refused: no reader looks at these bytes, so what they are for cannot be told.
#[test]
fn leftover_bytes() {
    let mut file = sample(6);
    for (id, section) in [(ATTR_TYPE, "attribute and type"), (RESOURCE, "resource"), (IR, "IR")] {
        // Entries are found by a section of their own, which is the one that does not fit.
        let section = if id == ATTR_TYPE { "attribute and type offset" } else { section };
        refused(&file.with(id, |bytes| bytes.push(1)), section, "1 byte ");
    }
    let blob = file.properties.first_mut().expect("a blob");
    blob.push(1);
    refused(&file.bytes(), "properties", "1 byte left of a property blob");
    // Behind the last operation of regions that stand apart.
    for name in [OP, MODULE] {
        let mut file = File::new(6);
        let inside = out().v(1).v(0).v(0).b(1);
        file.ir = out().v(1 << 1).v(name).b(0x10).v(UNKNOWN).v(1 << 1 | 1).section(IR, inside).0;
        refused(&file.bytes(), "IR", "1 byte after the last operation");
    }
}

/// Kept: the bytes belong to a dialect that is not registered. (Where it is registered, see `malformed.rs`, 12.)
#[test]
fn leftover_bytes_of_a_version() {
    let mut file = File::new(6);
    file.ops([op()]);
    file.dialects[1].1 = Some(vec![2, 0, 0xff, 7]);
    let module = accepted(&file.bytes());
    let versions = module.dialect_versions().expect("read");
    assert_eq!(versions.len(), 1);
    assert_eq!(&versions[0].1[..], [2, 0, 0xff, 7]);
}

/// Accepted: the number says only how much memory to reserve.
#[test]
fn a_wrong_number_of_operation_names() {
    for number in [0, 1, 3, 127] {
        let mut file = File::new(6);
        file.ops([op()]);
        let bytes = file.with(DIALECT, |bytes| {
            assert_eq!(bytes[..4], [5, 1, 5, 5], "two dialects, then two names");
            bytes[3] = (number << 1 | 1) as u8;
        });
        assert_eq!(accepted(&bytes).operations().expect("read").count(), 1);
    }
}

/// Accepted: a group of nothing says nothing.
#[test]
fn empty_groups() {
    let mut file = File::new(6);
    file.ops([op()]);
    accepted(&file.with(DIALECT, |bytes| bytes.extend(out().v(0).v(0).v(1).v(0).0)));
    let empty = out().v(T).v(0).v(BUILTIN).v(0);
    let offsets = out().v(1).v(1).raw(&empty).v(BUILTIN).v(1).v(1 << 1 | 1).raw(&empty).v(BUILTIN).v(1).v(3 << 1 | 1);
    accepted(&file.with(OFFSETS, |bytes| *bytes = offsets.clone().0));
    // Behind the last entry there is no room for one.
    let trailing = offsets.raw(&empty);
    refused(&file.with(OFFSETS, |bytes| *bytes = trailing.0), "attribute and type offset", "bytes after the last type");
}

/// Refused: each of the two could have a version, and nothing says which is meant.
#[test]
fn a_dialect_that_comes_twice() {
    let mut file = File::new(6);
    file.dialect("t");
    refused(&file.bytes(), "dialect", "the dialect `t` comes twice");
    file.dialects[2].0 = {
        file.strings.push(b"t".to_vec());
        file.strings.len() as u64 - 1
    };
    refused(&file.bytes(), "dialect", "the dialect `t` comes twice");
}

/// Sorted when read, as MLIR keeps them; refused where a key comes twice, since one value would be lost.
#[test]
fn dictionaries() {
    let file = |keys: &[&str]| {
        holding(|file| {
            let keys: Vec<u64> = keys.iter().map(|key| file.string_attribute(key)).collect();
            let values: Vec<u64> = (0..keys.len()).map(|at| file.builtin(out().v(8).v(I32).z(at as i64))).collect();
            let entries: Vec<u64> = keys.iter().zip(values).flat_map(|(&key, value)| [key, value]).collect();
            out().v(1).v(keys.len() as u64).vs(&entries)
        })
    };
    assert_eq!(held(&file(&["b", "c", "a"])), "{a = 2 : i32, b = 0 : i32, c = 1 : i32}");
    refused(&file(&["b", "c", "b"]), "attribute and type", "attribute `b` comes twice");
    refused(&file(&["b", "b"]), "attribute and type", "attribute `b` comes twice");
}

/// The file opens, and is of use; decoding everything refuses it.
#[test]
fn broken_entries_that_nothing_uses() {
    let mut file = File::new(6);
    file.ops([op().results(&[I32])]);
    file.builtin(out().v(6));
    refused(&file.bytes(), "attribute and type", "1 byte wanted, 0 left");
    let module = read(&crate::definitions::context(), file.bytes()).expect("opened");
    assert!(text(&module).contains("\"t.op\"() : () -> i32 loc(unknown)"));
    write(&module, &WriteOptions::like(&module)).expect("written without it");
    let mut file = File::new(6);
    file.ops([op()]);
    file.ty(out().v(9));
    refused(&file.bytes(), "attribute and type", "1 byte wanted, 0 left");
    // An unknown one is not broken, and what does not use it does not write it.
    let mut file = File::new(6);
    file.ops([op()]);
    file.ty(out().v(99));
    accepted(&file.bytes());
    let mut file = File::new(6);
    file.ops([op()]);
    file.properties(out());
    // A blob that nothing refers to has no layout: there is nothing to check.
    accepted(&file.bytes());
}

/// Refused: the byte would be lost.
#[test]
fn a_string_without_a_zero() {
    let file = File::new(6);
    let string = file.with(STRING, |bytes| *bytes.last_mut().expect("a zero") = b'x');
    refused(&string, "string", "a string has no terminating zero");
    // Zeros within a string, and bytes that are no UTF-8, are like all others.
    assert_eq!(held(&holding(|file| out().v(2).v(file.string(b"a\0\xff\0")))), r#""a\00\FF\00""#);
}

/// Refused: no version gives the bit a meaning, and what it asks for may stand behind it.
#[test]
fn the_unused_bit_of_a_mask() {
    let mut file = File::new(6);
    file.ops([op().mask(0x80)]);
    refused(&file.bytes(), "IR", "the highest bit of an operation's mask");
}

/// Accepted: nothing is nothing.
#[test]
fn counts_of_zero() {
    for version in 0..=6 {
        let mut file = File::new(version);
        file.ops([op().mask(0x02 | 0x04 | 0x08)]);
        let plain = { File::new(version).ops([op()]).bytes() };
        assert_eq!(text(&accepted(&file.bytes())), text(&accepted(&plain)));
        for isolated in [false, true] {
            file.ir = out().v(1 << 1).v(OP).b(0x10).v(UNKNOWN).v(u64::from(isolated)).0;
            assert_eq!(text(&accepted(&file.bytes())), text(&accepted(&plain)));
        }
        file.ops([op().regions([Region::blocks(0, [Block::of([op()]).arguments(&[])])])]);
        let without = { File::new(version).ops([op().regions([Region::of(0, [op()])])]).bytes() };
        assert_eq!(text(&accepted(&file.bytes())), text(&accepted(&without)));
    }
}

/// Accepted where nothing uses them: values that are nowhere cannot be lost.
#[test]
fn more_values_announced_than_defined() {
    for version in 0..=6 {
        let mut file = File::new(version);
        let region = Region::of(9, [op().results(&[I32]), op().operands(&[0]).regions([Region::of(0, [op()])])]);
        file.ops([op().regions([region.clone(), region.clone()])]);
        let less = Region { values: 1, ..region };
        let exact = { File::new(version).ops([op().regions([less.clone(), less])]).bytes() };
        assert_eq!(text(&accepted(&file.bytes())), text(&accepted(&exact)));
    }
    // MLIR takes a region that announces none, and makes results that nothing can name.
    let mut file = File::new(6);
    file.ops([op().regions([Region::of(0, [op().results(&[I32, I32])])])]);
    let exact = { File::new(6).ops([op().regions([Region::of(2, [op().results(&[I32, I32])])])]).bytes() };
    assert_eq!(text(&accepted(&file.bytes())), text(&accepted(&exact)));
}

/// Refused: it stands where no version of the format puts it, and says nothing of which dialect.
#[test]
fn versions_outside_of_a_dialect() {
    let bytes = out().raw(File::new(6).bytes()).section(VERSIONS, [1]).0;
    refused(&bytes, None, "a dialect versions section outside of the dialect section");
}

/// Accepted: the same number in more bytes.
#[test]
fn integers_longer_than_needed() {
    let file = sample(6);
    let plain = text(&accepted(&file.bytes()));
    let mut changed = 0;
    for id in [STRING, DIALECT, OFFSETS, PROPERTIES, RESOURCE_OFFSET] {
        let longer = file.with(id, |bytes| {
            assert_eq!(bytes[0] & 1, 1, "a short integer begins the section");
            let long = u64::from(bytes[0] >> 1).to_le_bytes();
            bytes.splice(..1, [0].into_iter().chain(long));
        });
        assert_eq!(text(&accepted(&longer)), plain);
        changed += 1;
    }
    assert_eq!(changed, 5);
    assert_eq!(held(&holding(|_| out().raw([0x22, 0x00]).v(I32).raw([0x54, 0, 0]))), "5 : i32");
}

/// Accepted: any byte but 0 is true.
#[test]
fn truth_that_is_not_one() {
    for byte in [1, 2, 0xff] {
        let vector = holding(|file| {
            let vector = file.ty(out().v(20).v(2).b(0).b(byte).v(2).z(4).z(8).v(I32));
            out().v(6).v(vector)
        });
        assert_eq!(held(&vector), "vector<4x[8]xi32>");
    }
    let mut file = File::new(6);
    let key = file.string("key");
    file.resources = Some((out().v(1).v(key).v(1).v(key).v(1).b(1), out().b(7)));
    assert!(text(&accepted(&file.bytes())).contains("key: true"));
}

/// Refused: mlir-opt says that it is wrong, and goes on.
#[test]
fn integers_of_no_integer_type() {
    for ty in [out().v(5), out().v(12), out().v(15).v(0)] {
        let bytes = holding(|file| {
            let ty = file.ty(ty);
            out().v(8).v(ty).z(1)
        });
        refused(&bytes, "attribute and type", "an integer attribute of a type that is no integer");
    }
}

/// A number may be written as signed or as unsigned; bits that neither explains would be lost.
#[test]
fn numbers_too_large_for_their_type() {
    let integer = |width: u64, bytes: Out| {
        holding(|file| {
            let ty = file.ty(out().v(0).v(width << 2));
            out().v(8).v(ty).raw(bytes)
        })
    };
    for (width, bytes, text) in [
        (1, out().b(1), "true"),
        (1, out().b(0xff), "true"),
        (7, out().b(0x7f), "-1 : i7"),
        (7, out().b(0xff), "-1 : i7"),
        (8, out().b(0x80), "-128 : i8"),
        (9, out().z(511), "-1 : i9"),
        (9, out().z(-1), "-1 : i9"),
        (32, out().z(0xffff_ffff), "-1 : i32"),
        (32, out().z(-1), "-1 : i32"),
        (64, out().z(-1), "-1 : i64"),
        (65, out().v(2).z(-1).z(1), "-1 : i65"),
        (65, out().v(2).z(-1).z(-1), "-1 : i65"),
        (65, out().v(1).z(7), "7 : i65"),
        (0, out().b(0), "0 : i0"),
    ] {
        assert_eq!(held(&integer(width, bytes)), text);
    }
    for (width, bytes) in [
        (0, out().b(1)),
        (1, out().b(2)),
        (1, out().b(3)),
        (7, out().b(0x80)),
        (7, out().b(0xbf)),
        (9, out().z(512)),
        (9, out().z(-257)),
        (32, out().z(1 << 32)),
        (32, out().z(i64::MIN)),
        (65, out().v(2).z(-1).z(2)),
        (65, out().v(2).z(-1).z(-2)),
    ] {
        refused(&integer(width, bytes), "attribute and type", &format!("an integer that does not fit {width} bit"));
    }
    refused(&integer(65, out().v(3).z(0).z(0).z(0)), "attribute and type", "3 words for an integer of 65 bits");
    let float = holding(|file| {
        let half = file.ty(out().v(4));
        out().v(9).v(half).z(1 << 16)
    });
    refused(&float, "attribute and type", "an integer that does not fit 16 bits");
}

/// Kept as it is: mlir-opt drops the number.
#[test]
fn absent_attributes_with_a_number() {
    let mut file = File::new(6);
    let blob = file.properties(out().v(5 << 1).v(0));
    file.ops([Op::named(MODULE).properties(blob).isolated([Region::of(0, [])])]);
    unknown(&file.bytes(), "attribute 5 is marked as absent");
}

/// Accepted: before version 3 no orders follow the bit.
#[test]
fn the_bit_of_orders_before_there_were_orders() {
    for version in 0..3 {
        let mut file = File::new(version);
        file.ops([op().results(&[I32]).mask(0x20)]);
        accepted(&file.bytes());
    }
}

/// Read as it was written, where mlir-opt inverts it: (place, number).
#[test]
fn orders_in_pairs() {
    let uses = (0..8).map(|_| op().operands(&[0]));
    // The uses with the largest, third and sixth largest ids trade places in a circle.
    let orders = out().v(6 << 1 | 1).vs(&[2, 0, 5, 2, 0, 5]);
    let first = op().results(&[I32]).orders(orders);
    let mut file = File::new(6);
    file.ops([op().regions([Region::of(1, [first].into_iter().chain(uses))])]);
    let module = accepted(&file.bytes());
    let body = module.top().expect("read");
    let stored: Vec<Vec<u32>> = body.stored_orders().map(|(_, places)| places.to_vec()).collect();
    assert_eq!(stored, [vec![2, 1, 5, 3, 4, 0, 6, 7]]);
    let again = load(&round_trip(&module).expect("written")).expect("read");
    let again: Vec<Vec<u32>> = again.top().expect("read").stored_orders().map(|(_, places)| places.to_vec()).collect();
    assert_eq!(again, stored);
}

/// Accepted, and each is another resource with another key, as in MLIR.
#[test]
fn resources_of_one_key() {
    let mut file = File::new(6);
    let key = file.string("key");
    let tensor = file.ty(out().v(13).v(1).z(2).v(I32));
    let attributes: Vec<u64> = (0..3).map(|at| file.builtin(out().v(16).v(tensor).v(at))).collect();
    file.hold(attributes);
    let blob = |byte: u8| out().v(1).blob([byte; 8]);
    let entry = |out: Out| out.v(key).v(10).b(0);
    let offsets = entry(entry(entry(out().v(0).v(BUILTIN).v(2))).v(BUILTIN).v(1));
    file.resources = Some((offsets, blob(1).raw(blob(2)).raw(blob(3))));
    let module = load(&file.bytes()).expect("read");
    let again = load(&round_trip(&module).expect("written")).expect("read");
    for module in [module, again] {
        let ops = module.operations().expect("read");
        let found: Vec<(String, u8)> = ops
            .map(|op| {
                let held = op.attribute("a").expect("decoded").expect("held");
                let AttributeData::DenseResource { resource, .. } = module.context()[held] else {
                    panic!("no resource")
                };
                let entry = module.resource(resource).expect("read").expect("there");
                let ResourceValue::Blob { data, .. } = &entry.value else { panic!("no blob") };
                let handle = &module.context()[resource];
                assert_eq!(&*handle.key, &entry.key[..]);
                (String::from_utf8_lossy(&entry.key).into_owned(), data.bytes().expect("whole")[0])
            })
            .collect();
        let wanted = [("key", 1), ("key_1", 2), ("key_2", 3)].map(|(key, byte)| (key.to_owned(), byte));
        assert_eq!(found, wanted);
    }
}

/// MLIR reduces a fused location without metadata when it reads one, and keeps one with metadata as it is.
#[test]
fn fused_locations() {
    let shown = |code: u64, metadata: bool, parts: &[u64]| {
        let mut file = File::new(6);
        let [a, b, m] = ["a", "b", "m"].map(|name| file.string_attribute(name));
        let [a, b] = [a, b].map(|name| file.builtin(out().v(14).v(name).v(UNKNOWN)));
        let end = if metadata { out().v(m) } else { out() };
        let inner = file.builtin(out().v(code).v(2).v(a).v(b).raw(&end));
        let parts: Vec<u64> = parts.iter().map(|&part| [UNKNOWN, a, b, inner][part as usize]).collect();
        let outer = file.builtin(out().v(code).v(parts.len() as u64).vs(&parts).raw(&end));
        file.ops([op().at(outer)]);
        let module = accepted(&file.bytes());
        let text = text(&module);
        text[text.find("loc(").expect("a location")..].trim_end().to_owned()
    };
    assert_eq!(shown(12, false, &[0, 1]), r#"loc("a")"#);
    assert_eq!(shown(12, false, &[1, 1, 2]), r#"loc(fused["a", "b"])"#);
    assert_eq!(shown(12, false, &[3, 1, 2]), r#"loc(fused["a", "b"])"#);
    assert_eq!(shown(12, false, &[]), "loc(unknown)");
    assert_eq!(shown(13, true, &[0, 1]), r#"loc(fused<"m">[unknown, "a"])"#);
    assert_eq!(shown(13, true, &[1, 1, 2]), r#"loc(fused<"m">["a", "a", "b"])"#);
    assert_eq!(shown(13, true, &[3, 1, 2]), r#"loc(fused<"m">[fused<"m">["a", "b"], "a", "b"])"#);
    assert_eq!(shown(13, true, &[]), r#"loc(fused<"m">[])"#);
}

/// Where attributes stand that are no dictionary, every look at them says so, in the same words whatever was read before.
#[test]
fn attributes_that_are_no_dictionary() {
    let mut file = File::new(6);
    let x = file.string_attribute("x");
    file.ops([op().attributes(x)]);
    let bytes = file.bytes();
    refused(&bytes, "attribute and type", "stands for a dictionary, and is not one");
    let module = read(&crate::definitions::context(), bytes).expect("opened");
    let first = module.operations().expect("read").next().expect("an operation");
    let error = first.dictionaries().expect_err("no dictionary");
    assert!(error.place().offset.is_some() && error.message().contains("stands for a dictionary"), "{error}");
}
