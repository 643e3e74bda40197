//! Conditions 13 to 18, of what stands in the sections: operations, properties, resources and attributes that refer to others.

use super::*;

#[test]
fn condition_13_isolated_regions() {
    for id in [STRING, VERSIONS, RESOURCE] {
        let mut file = File::new(6);
        file.ir = out().v(1 << 1).v(OP).b(0x10).v(UNKNOWN).v(1 << 1 | 1).section(id, out().v(0)).0;
        refused(&file.bytes(), "IR", &format!("regions stand in a section of id {id}, not 4"));
    }
    // The bytes of a section are all there is for its regions.
    let isolated = |inside: Out| {
        let mut file = File::new(6);
        file.ir = out().v(2 << 1).v(OP).b(0x10).v(UNKNOWN).v(1 << 1 | 1).section(IR, inside).raw(op_bytes()).0;
        file.bytes()
    };
    accepted(&isolated(out().v(0)));
    refused(&isolated(out().v(1)), "IR", "1 byte wanted, 0 left");
    refused(&isolated(out().v(1).v(0)), "IR", "1 block announced, 0 bytes left");
    refused(&isolated(out()), "IR", "1 region in a section of 0 bytes");
}

fn op_bytes() -> Vec<u8> {
    let mut bytes = Vec::new();
    op().write(6, &mut bytes);
    bytes
}

#[test]
fn condition_14_values() {
    let more = "more values than the region announced";
    refused(&with_region(Region::of(1, [op().results(&[I32, I32])])), "IR", more);
    refused(&with_region(Region::of(1, [op().results(&[I32]), op().results(&[I32])])), "IR", more);
    refused(&with_region(Region::blocks(0, [Block::of([]).arguments(&[I32])])), "IR", more);
    let block = || Block::of([]).arguments(&[I32]);
    refused(&with_region(Region::blocks(1, [block(), block()])), "IR", more);
    let forward = [op().operands(&[2]), op().results(&[I32]), op().results(&[I32])];
    refused(&with_region(Region::of(3, forward.clone())), "IR", "an operand that nothing defines");
    let [_, a, b] = forward;
    accepted(&with_region(Region::of(2, [op().operands(&[1]), a, b])));
    // Used in a region inside, announced outside.
    let inner = op().regions([Region::of(0, [op().operands(&[1])])]);
    refused(&with_region(Region::of(2, [op().results(&[I32]), inner])), "IR", "an operand that nothing defines");
}

#[test]
fn condition_15_orders_of_uses() {
    let used = |results: u64, orders: Out| {
        let types = vec![I32; results as usize];
        let uses = [op().operands(&[0, 0]), op().operands(&[0])];
        let first = op().results(&types).orders(orders);
        with_region(Region::of(results, [first].into_iter().chain(uses)))
    };
    let dense = |places: &[u64]| out().v((places.len() as u64) << 1).vs(places);
    let pairs = |numbers: &[u64]| out().v((numbers.len() as u64) << 1 | 1).vs(numbers);
    accepted(&used(1, dense(&[2, 0, 1])));
    accepted(&used(1, pairs(&[1, 0, 0, 1])));
    let misfit = "a use-list order that is no permutation of the 3 uses of its value";
    for order in [
        dense(&[0, 0, 1]),
        dense(&[0, 1, 3]),
        dense(&[0, 1]),
        dense(&[0, 1, 2, 3]),
        dense(&[]),
        pairs(&[3, 0]),
        pairs(&[0, 3]),
        pairs(&[0, 1]),
        pairs(&[1 << 31, 0]),
    ] {
        refused(&used(1, order), "IR", misfit);
    }
    refused(&used(1, dense(&[0, 1 << 40, 2])), "IR", "is out of range");
    refused(&used(1, pairs(&[1, 0, 2])), "IR", "pairs with an odd count");
    refused(&used(2, out().v(1).v(2).raw(dense(&[2, 0, 1]))), "IR", "a use-list order of value 2 of 2");
    refused(&used(2, out().v(1).v(1 << 60).raw(dense(&[2, 0, 1]))), "IR", "a use-list order of value");
    refused(&used(2, out().v(0)), "IR", "an empty list of use-list orders");
    // A value that has one use, or none, has one order or none.
    refused(&used(2, out().v(1).v(1).raw(dense(&[0]))), "IR", "no permutation of the 0 uses");
    let twice = out().v(2).v(0).raw(dense(&[2, 0, 1])).v(0).raw(dense(&[2, 1, 0]));
    refused(&used(2, twice), "IR", "two orders of the uses of one value");
    // Of a block's arguments, and of an operation without results.
    let block = Block::of([op().operands(&[0, 0])]).arguments(&[I32, I32]).orders(out().v(0));
    refused(&with_region(Region::blocks(2, [block])), "IR", "an empty list of use-list orders");
    refused(&with_ops([op().mask(0x20).orders(out().v(0))]), "IR", "a use-list order of value 0 of 0");
}

#[test]
fn condition_16_properties() {
    let mut file = File::new(6);
    let blob = file.properties(out().v(UNKNOWN));
    file.ops([op().properties(blob)]);
    accepted(&file.bytes());
    refused(&file.with(PROPERTIES, |bytes| bytes.push(0)), "properties", "1 byte after the last blob");
    refused(&file.with(PROPERTIES, |bytes| *bytes = out().v(2).blob([1]).0), "properties", "");
    refused(
        &file.with(PROPERTIES, |bytes| *bytes = out().v(1).v(2).b(1).0),
        "properties",
        "2 bytes announced, 1 byte left",
    );
    refused(&file.with(PROPERTIES, |bytes| *bytes = out().v(1).v(0).0), "properties", "1 byte wanted, 0 left");
    // Too short for what the definition says: another one, of another release, would explain it.
    let mut file = File::new(6);
    let blob = file.properties(out().v(0));
    file.ops([Op::named(MODULE).properties(blob).regions([Region::of(0, [])])]);
    unknown(&file.bytes(), "1 byte wanted, 0 left");
    // Before version 5 there are none.
    for version in 0..5 {
        let mut file = File::new(version);
        file.ops([op().properties(0)]);
        refused(&file.bytes(), "IR", "properties before bytecode version 5");
    }
    // An unknown definition: the blob is kept.
    let mut file = File::new(6);
    let name = file.name(T, "registered", true);
    let blob = file.properties(out().raw([1, 2, 3]));
    file.ops([Op::named(name).properties(blob)]);
    let module = accepted(&file.bytes());
    let properties = module.operations().expect("read").next().expect("one").properties().expect("kept");
    let AttributeData::Encoded(kept) = &module.context()[properties.expect("a blob")] else { panic!("not opaque") };
    assert_eq!(&kept.bytes[..], [1, 2, 3]);
}

#[test]
fn condition_17_resources() {
    // (offsets, payload) of one entry of the builtin dialect, then of an external group.
    let builtin = |size: u64, kind: u8, payload: Out| {
        let mut file = File::new(6);
        let key = file.string("key");
        let tensor = file.ty(out().v(13).v(1).z(4).v(I32));
        // Only resources that something refers to are written again.
        let held = file.builtin(out().v(16).v(tensor).v(0));
        file.hold([held]);
        file.resources = Some((out().v(0).v(BUILTIN).v(1).v(key).v(size).b(kind), payload));
        file.bytes()
    };
    let external = |size: u64, kind: u8, payload: Out| resources(out().v(1).v(0).v(1).v(0).v(size).b(kind), payload);
    let blob = || out().v(1).blob([1, 2, 3]);
    accepted(&builtin(5, 0, blob()));
    accepted(&external(5, 0, blob()));
    accepted(&external(1, 1, out().b(1)));
    accepted(&external(1, 2, out().v(0)));
    refused(&builtin(6, 0, blob().b(0)), "resource", "1 byte left of a resource");
    refused(&builtin(4, 0, blob()), "resource", "3 bytes of a blob announced, 2 bytes left");
    refused(&builtin(6, 0, blob()), "resource", "6 bytes of a resource announced, 5 bytes left");
    refused(&builtin(1 << 60, 0, blob()), "resource", "bytes of a resource announced");
    refused(&external(2, 1, out().b(1).b(1)), "resource", "1 byte left of a resource");
    refused(&external(2, 2, out().v(0).b(1)), "resource", "1 byte left of a resource");
    refused(&external(1, 3, out().b(0)), "resource offset", "no resource has the kind 3");
    for kind in [1, 2] {
        refused(&builtin(1, kind, out().v(0)), "resource offset", "a resource of the builtin dialect is no blob");
    }
    for kind in [0, 1, 2] {
        refused(&external(0, kind, out()), "resource offset", "an external resource without data");
    }
    refused(&builtin(0, 0, out().b(0)), "resource", "1 byte of resources that no entry covers");
    // Text would say that it is one of `builtin`.
    let mut file = File::new(6);
    let key = file.string("key");
    let tensor = file.ty(out().v(13).v(1).z(4).v(I32));
    let held = file.builtin(out().v(16).v(tensor).v(0));
    file.hold([held]);
    file.resources = Some((out().v(0).v(T).v(1).v(key).v(5).b(0), blob()));
    refused(&file.bytes(), "attribute and type", "a resource of `t`, where one of `builtin` must be");
    // A dialect with encodings and without resources.
    let mut file = File::new(6);
    let quant = file.dialect("quant");
    file.string("key");
    file.resources = Some((out().v(0).v(quant).v(1).v(0).v(0).b(0), out()));
    refused(&file.bytes(), "resource offset", "the dialect `quant` has no resources");
    // Of one that is not registered everything is kept.
    file.resources = Some((out().v(0).v(T).v(2).v(0).v(1).b(1).v(1).v(0).b(2), out().b(1)));
    let module = load(&file.bytes()).expect("kept");
    let entries = &module.resources().expect("read")[0].entries;
    assert_eq!((&entries[0].value, &entries[1].value), (&ResourceValue::Bool(true), &ResourceValue::Declared(2)));
}

#[test]
fn condition_18_sparse_arrays() {
    // cf.cond_br: branch weights, then the sizes of three groups.
    let with = |version: u64, make: &dyn Fn(&mut File) -> Out| {
        let mut file = File::new(version);
        let dialect = file.dialect("cf");
        let name = file.name(dialect, "cond_br", true);
        let blob = make(&mut file);
        let blob = file.properties(blob);
        file.ops([Op::named(name).properties(blob)]);
        file.bytes()
    };
    let sparse = |sizes: Out| with(6, &|_| out().v(0).raw(&sizes));
    for good in [
        out().v(0),
        out().v(1),
        out().v(3 << 1).vs(&[1, 2, 0]),
        out().v(1 << 1).v(1),
        out().v(1 << 1 | 1).v(2).v(1 << 2 | 2),
    ] {
        accepted(&sparse(good));
    }
    unknown(&sparse(out().v(4 << 1).vs(&[1, 0, 0, 0])), "4 segment sizes of 3");
    unknown(&sparse(out().v(1 << 61).v(0)), "segment sizes of 3");
    unknown(&sparse(out().v(4 << 1 | 1).v(2).vs(&[4, 5, 6, 7])), "4 segment sizes of 3");
    unknown(&sparse(out().v(1 << 1 | 1).v(9).v(1)), "indices of 9 bits");
    unknown(&sparse(out().v(1 << 1 | 1).v(1 << 60).v(1)), "indices of");
    unknown(&sparse(out().v(1 << 1 | 1).v(2).v(1 << 2 | 3)), "segment 3 of 3");
    unknown(&sparse(out().v(1 << 1).v(1 << 31)), "a segment of 2147483648 values");
    unknown(&sparse(out().v(1 << 1 | 1).v(2).v(u64::MAX)), "values");
    // The same place twice: one of the two would be lost.
    unknown(&sparse(out().v(2 << 1 | 1).v(2).vs(&[1 << 2 | 1, 2 << 2 | 1])), "segment 1 comes twice");
    // Version 5: an attribute, not longer than the groups are many.
    let attribute = |sizes: &[i32]| {
        let data: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
        with(5, &move |file: &mut File| {
            let array = file.builtin(out().v(17).v(I32).v(sizes.len() as u64).blob(&data));
            out().v(0).v(array)
        })
    };
    accepted(&attribute(&[1, 0, 0]));
    accepted(&attribute(&[1]));
    unknown(&attribute(&[1, 0, 0, 0]), "no array of 3 i32");
    unknown(&with(5, &|_| out().v(0).v(UNKNOWN)), "segment sizes are no array");
}

#[test]
fn cycles() {
    let own = |bytes: &dyn Fn(u64) -> Out| {
        let mut file = File::new(6);
        let own = file.attributes.len() as u64;
        file.builtin(bytes(own));
        file.bytes()
    };
    refused(&own(&|own| out().v(0).v(1).v(own)), "attribute and type", "attribute 1 holds itself");
    refused(&own(&|own| out().v(0).v(2).v(UNKNOWN).v(own)), "attribute and type", "attribute 1 holds itself");
    refused(&own(&|own| out().v(10).v(UNKNOWN).v(own)), "attribute and type", "attribute 1 holds itself");
    refused(&own(&|own| out().v(11).v(own).v(1).v(1)), "attribute and type", "attribute 1 holds itself");
    refused(&own(&|own| out().v(21).v(own)), "attribute and type", "attribute 1 holds itself");
    // Of two, of many, and of a type and an attribute.
    for length in [2, 31, 32, 33, 34, 64, 65, 66, 1000] {
        let mut file = File::new(6);
        for at in 0..length {
            file.builtin(out().v(0).v(1).v(1 + (at + 1) % length));
        }
        refused(&file.bytes(), "attribute and type", "holds itself");
        let mut file = File::new(6);
        for at in 0..length {
            file.ty(out().v(15).v(1).v(1 + (at + 1) % length));
        }
        refused(&file.bytes(), "attribute and type", "holds itself");
    }
    let mut file = File::new(6);
    let attribute = file.builtin(out().v(6).v(1));
    file.ty(out().v(14).v(attribute).v(0).v(I32));
    refused(&file.bytes(), "attribute and type", "holds itself");
    // Through a reference that may be absent.
    let mut file = File::new(6);
    let llvm = file.dialect("llvm");
    file.attribute(llvm, out().v(16).v(1 << 1 | 1).v(0).v(0).v(0));
    refused(&file.bytes(), "attribute and type", "attribute 1 holds itself");
    // The same entry twice side by side is no cycle.
    accepted(&with_attribute(|file| {
        let inner = file.builtin(out().v(0).v(2).v(UNKNOWN).v(UNKNOWN));
        out().v(0).v(3).v(inner).v(inner).v(UNKNOWN)
    }));
}

#[test]
fn other_inputs_that_crash_mlir() {
    // The outermost block has arguments.
    let mut file = File::new(6);
    let mut ir = Vec::new();
    Block::of([op()]).arguments(&[I32]).write(6, &mut ir);
    file.ir = ir;
    refused(&file.bytes(), "IR", "the outermost block has arguments");
    // Dense elements of other lengths than one element or all.
    for (length, fits) in
        [(0, false), (3, false), (4, true), (5, false), (8, false), (15, false), (16, true), (17, false)]
    {
        let bytes = with_attribute(|file| {
            let tensor = file.ty(out().v(13).v(1).z(4).v(I32));
            out().v(18).v(tensor).blob(vec![7; length])
        });
        match fits {
            true => drop(accepted(&bytes)),
            false => refused(&bytes, "attribute and type", &format!("dense elements hold {length} bytes")),
        }
    }
    // Strings for a shape that is not static, or too large.
    for size in [i64::MIN, 1 << 40, i64::MAX] {
        let bytes = with_attribute(|file| {
            let element = file.types.len() as u64;
            file.types.push(Entry { dialect: T, custom: false, bytes: b"!t.string\0".to_vec() });
            let tensor = file.ty(out().v(13).v(1).z(size).v(element));
            out().v(19).v(tensor).v(0).v(0)
        });
        refused(&bytes, "attribute and type", if size < 0 { "without a static shape" } else { "strings announced" });
    }
    // More entries in a group than there are in all.
    let file = File::new(6);
    for counts in [[2, 1], [1, 2]] {
        let offsets =
            out().v(1).v(1).v(BUILTIN).v(counts[0]).v(1 << 1 | 1).v(BUILTIN).v(counts[1]).v(3 << 1 | 1).vs(&[1, 1]);
        refused(&file.with(OFFSETS, |bytes| *bytes = offsets.0), "attribute and type offset", "");
    }
    // A string of no bytes at all.
    let strings = file.with(STRING, |bytes| *bytes = out().v(2).v(0).v(8).raw("builtin\0").0);
    refused(&strings, "string", "a string of 0 bytes does not fit");
    // Counts larger than any memory.
    for (section, name) in
        [(STRING, "string"), (DIALECT, "dialect"), (PROPERTIES, "properties"), (OFFSETS, "attribute and type offset")]
    {
        for count in [1 << 20, 1 << 31, 1 << 32, 1 << 60, u64::MAX] {
            let rest = match section {
                STRING => file.string_section(),
                DIALECT => file.dialect_section(),
                PROPERTIES => file.property_section(),
                _ => file.offset_section(),
            };
            let huge = file.with(section, |bytes| *bytes = out().v(count).raw(&rest[1..]).0);
            refused(&huge, name, "announced");
        }
    }
}
