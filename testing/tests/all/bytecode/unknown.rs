//! Unknown parts of known dialects: kept, and no way around what is checked of everything.

use crate::bytecode::common;

use common::*;
use mlirbc_bytecode::{
    Limits, ReadOptions, UnknownKind, WriteOptions, decode_all, detach, read, read_with, unknown_parts, write,
};
use mlirbc_ir::ods::Release;
use mlirbc_ir::{AttributeData, Location, Module, TypeData};

/// A code that no attribute or type has.
const UNKNOWN_CODE: u64 = 60;

/// Fields of an entry with that code, which mean nothing to anybody.
fn strange() -> Out {
    out().v(UNKNOWN_CODE).raw([0xff, 0, 7])
}

/// Makes the fields of an attribute that refers to something unknown, by its number.
type Make<'a> = &'a dyn Fn(&mut File, u64) -> Out;

/// A file whose operations hold what `make` adds to it.
fn holding(make: impl FnOnce(&mut File) -> Vec<u64>) -> Vec<u8> {
    let mut file = File::new(6);
    let held = make(&mut file);
    file.hold(held);
    file.bytes()
}

/// What is not known of a file, after it was found to be kept.
fn names(bytes: &[u8]) -> Vec<String> {
    unknown(bytes, "has the code 60");
    unknown_parts(&load(bytes).unwrap()).unwrap().iter().map(ToString::to_string).collect()
}

/// The attribute that the first operation holds.
fn held(module: &Module) -> &AttributeData {
    let held = module.operations().unwrap().next().unwrap().attribute("a").unwrap().unwrap();
    &module.context()[held]
}

#[test]
fn what_cannot_be_decoded_without_an_unknown_part_is_unknown_too() {
    // By the fields of an attribute that needs to know the type.
    let needs: [(&str, Make); 8] = [
        ("integer", &|_, ty| out().v(8).v(ty).raw([1, 2, 3])),
        ("float", &|_, ty| out().v(9).v(ty).z(1)),
        ("dense array", &|_, ty| out().v(17).v(ty).v(2).blob([1, 2])),
        ("dense elements", &|_, ty| out().v(18).v(ty).blob([1])),
        ("resource", &|_, ty| out().v(16).v(ty).v(0)),
        ("a complex type", &|file, ty| {
            let complex = file.ty(out().v(9).v(ty));
            out().v(6).v(complex)
        }),
        ("elements of a tensor", &|file, ty| {
            // The tensor is known, and what it is made of is not.
            let tensor = file.ty(out().v(13).v(1).z(4).v(ty));
            out().v(18).v(tensor).blob([1])
        }),
        ("strings of a tensor", &|_, ty| out().v(19).v(ty).v(0).raw([1, 1, 1])),
    ];
    for (what, make) in needs {
        let bytes = holding(|file| {
            let ty = file.ty(strange());
            let bytes = make(file, ty);
            vec![file.builtin(bytes)]
        });
        let module = load(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        match held(&module) {
            AttributeData::Encoded(_) => {
                assert!(names(&bytes).iter().any(|part| part.contains("of which not all is known")), "{what}");
            }
            AttributeData::Type(ty) => assert!(matches!(module.context()[*ty], TypeData::Encoded(_)), "{what}"),
            other => panic!("{what}: {other:?}"),
        }
    }
}

#[test]
fn what_can_be_decoded_around_an_unknown_part_is_known() {
    let bytes = holding(|file| {
        let (ty, attribute) = (file.ty(strange()), file.builtin(strange()));
        let function = file.ty(out().v(2).v(1).v(ty).v(1).v(I32));
        let tensor = file.ty(out().v(14).v(attribute).v(1).z(4).v(ty));
        let (function, tensor) = (file.builtin(out().v(6).v(function)), file.builtin(out().v(6).v(tensor)));
        let string = file.string("s");
        let typed = file.builtin(out().v(3).v(string).v(ty));
        vec![file.builtin(out().v(0).v(4).vs(&[attribute, function, tensor, typed]))]
    });
    assert_eq!(names(&bytes).len(), 2, "{:?}", names(&bytes));
    let module = load(&bytes).unwrap();
    assert!(matches!(held(&module), AttributeData::Array(elements) if elements.len() == 4));
    let text = text(&module);
    assert!(text.contains("(!builtin.encoded<\"entry 1, 4 bytes\">?) -> i32"), "{text}");
    assert!(text.contains("tensor<4x!builtin.encoded<\"entry 1, 4 bytes\">?, #builtin.encoded<"), "{text}");
}

#[test]
fn names_and_locations_of_an_unknown_kind_leave_the_operations_readable() {
    let mut file = File::new(6);
    let (name, place) = (file.builtin(strange()), file.builtin(strange()));
    let dictionary = file.builtin(out().v(1).v(1).v(name).v(UNKNOWN));
    let symbol = file.builtin(out().v(4).v(name));
    let file_location = file.builtin(out().v(11).v(name).v(1).v(2));
    let named = file.builtin(out().v(14).v(symbol).v(UNKNOWN));
    let call = file.builtin(out().v(10).v(place).v(file_location));
    let fused = file.builtin(out().v(12).v(2).v(call).v(UNKNOWN));
    let with_metadata = file.builtin(out().v(13).v(1).v(UNKNOWN).v(place));
    let argument = Block { arguments: Some(vec![(I32, Some(place))]), ..Block::default() };
    file.ops([
        op().at(place).attributes(dictionary),
        op().at(file_location).attributes(name),
        op().at(call),
        op().at(named),
        op().at(fused),
        op().at(with_metadata).regions([Region::blocks(1, [argument])]),
    ]);
    let bytes = file.bytes();
    let unknown = names(&bytes);
    assert_eq!(unknown.len(), 8, "{unknown:#?}");
    let module = load(&bytes).unwrap();
    let ops: Vec<_> = module.operations().unwrap().collect();
    let is_opaque = |at: usize| {
        let Location::Attribute(location) = ops[at].location().unwrap() else { panic!("a plain location") };
        matches!(module.context()[location], AttributeData::Encoded(_))
    };
    assert!((0..5).all(is_opaque));
    assert!(!is_opaque(5), "metadata may be anything");
    assert!(matches!(module.context()[ops[0].dictionaries().unwrap().0.unwrap()], AttributeData::Encoded(_)));
    assert_eq!(text(&module).matches("\"t.op\"").count(), 6);
    // Who strips locations strips these.
    for edited in [false, true] {
        let mut module = load(&bytes).unwrap();
        if edited {
            let top = mlirbc_ir::BodyId::from_index(Module::TOP);
            let first = module.operations().unwrap().next().unwrap().id();
            module.rewrite(top, |rw| rw.set_attributes(first, None)).unwrap();
        }
        let options = WriteOptions::like(&module).strip_locations(true);
        let stripped = load(&write(&module, &options).unwrap()).unwrap();
        let none = Location::Attribute(stripped.context().unknown_location());
        assert!(stripped.operations().unwrap().all(|op| op.location().unwrap() == none), "edited: {edited}");
        assert!(!text(&stripped).contains("loc(#builtin"), "{}", text(&stripped));
    }
}

#[test]
fn a_broken_part_beside_an_unknown_one_is_refused() {
    let beside: [(&str, Make); 5] = [
        ("attribute 100 of ", &|_, strange| out().v(0).v(2).v(strange).v(100)),
        ("holds itself", &|file, strange| {
            let own = file.attributes.len() as u64;
            out().v(0).v(2).v(strange).v(own)
        }),
        ("does not fit 32 bits", &|file, strange| {
            let broken = file.builtin(out().v(8).v(I32).z(1 << 40));
            out().v(10).v(strange).v(broken)
        }),
        ("1 byte left of an entry", &|_, strange| out().v(21).v(strange).b(0)),
        ("items announced", &|_, _| out().v(0).v(1 << 60)),
    ];
    for (message, make) in beside {
        let bytes = holding(|file| {
            let strange = file.builtin(strange());
            let bytes = make(file, strange);
            vec![file.builtin(bytes)]
        });
        refused(&bytes, "attribute and type", message);
    }
    // An entry without a byte has no code at all, and one past its section is none.
    refused(&holding(|file| vec![file.builtin(out())]), "attribute and type", "1 byte wanted, 0 left");
    let mut file = File::new(6);
    file.builtin(strange());
    let longer = file.with(OFFSETS, |bytes| *bytes.last_mut().unwrap() += 4);
    refused(&longer, "attribute and type offset", "goes past its section");
}

#[test]
fn a_broken_table_is_not_kept_beside_an_operation_without_a_definition() {
    let mut file = File::new(6);
    let dialect = file.dialect("nobody");
    let name = file.name(dialect, "knows", true);
    let none = file.properties(out());
    file.ops([Op::named(name).properties(none)]);
    file.builtin(strange());
    let written = |bytes: Vec<u8>| {
        let module = read(&crate::definitions::context(), bytes).expect("an operation");
        write(&module, &WriteOptions::like(&module))
    };
    assert_eq!(written(file.bytes()).expect("kept"), file.bytes());
    let broken = file.with(OFFSETS, |bytes| *bytes.last_mut().unwrap() += 4);
    let error = written(broken).expect_err("an entry that goes past its section").to_string();
    assert!(error.contains("goes past its section"), "{error}");
}

#[test]
fn an_unknown_part_is_no_way_around_the_limit_of_expansion() {
    let bytes = holding(|file| {
        let strange = file.builtin(strange());
        let long = file.string_attribute("x".repeat(2000));
        // Each sorts by a name that all of them share, next to something unknown.
        (0..100).map(|_| file.builtin(out().v(1).v(1).v(long).v(strange))).collect()
    });
    load(&bytes).expect("allowed");
    let mut limits = Limits::default();
    limits.expansion = 0;
    let options = ReadOptions::new().limits(limits);
    let module = read_with(&crate::definitions::context(), bytes, &options).expect("opened");
    let error = decode_all(&module).expect_err("more than the limit");
    assert!(error.message().contains("many times the memory"), "{error}");
}

#[test]
fn unknown_parts_far_down_take_no_stack_and_no_time() {
    const DEPTH: u64 = 100_000;
    on_a_small_stack(|| {
        let mut file = File::new(6);
        let name = file.string_attribute("n");
        // The outermost first, so that nothing has been decoded when it is.
        let first = file.attributes.len() as u64;
        for at in 0..DEPTH {
            file.builtin(out().v(14).v(name).v(first + at + 1));
        }
        file.builtin(strange());
        file.ops([op().at(first)]);
        let module = load(&file.bytes()).expect("kept");
        assert_eq!(unknown_parts(&module).unwrap().len() as u64, DEPTH + 1);
        let lazily = read(&crate::definitions::context(), file.bytes()).unwrap();
        let location = lazily.operations().unwrap().next().unwrap().location().unwrap();
        assert!(
            matches!(location, Location::Attribute(at) if matches!(lazily.context()[at], AttributeData::Encoded(_)))
        );
    });
}

#[test]
fn what_looks_like_a_symbol_hides_no_other() {
    let bytes = functions(&|file, ty| {
        let name = file.string_attribute("f");
        let plain = || out().v(0).v(ty).v(0).v(0).v(name).v(0);
        // With one member more: what it makes of the others is not known.
        vec![plain().v(0), plain()]
    });
    let module = read(&crate::definitions::context(), bytes).unwrap();
    let found = module.symbol("f").unwrap().expect("the second function");
    assert!(found.properties().unwrap().is_some_and(|of| matches!(module.context()[of], AttributeData::Dictionary(_))));
}

/// A module of functions without bodies, of these properties each.
fn functions(properties: &dyn Fn(&mut File, u64) -> Vec<Out>) -> Vec<u8> {
    let mut file = File::new(6);
    let dialect = file.dialect("func");
    let name = file.name(dialect, "func", true);
    let function = file.ty(out().v(2).v(0).v(0));
    let ty = file.builtin(out().v(6).v(function));
    let blobs: Vec<u64> = properties(&mut file, ty).into_iter().map(|blob| file.properties(blob)).collect();
    let functions = blobs.iter().map(|&blob| Op::named(name).properties(blob).isolated([Region::default()]));
    let inner: Vec<Op> = functions.collect();
    let none = file.properties(out().v(0).v(0));
    file.ops([Op::named(MODULE).properties(none).isolated([Region::of(0, inner)])]);
    file.bytes()
}

#[test]
fn symbols_are_found_beside_those_with_unknown_names_and_properties() {
    // Optional members are arguments' attributes, no inlining, results' attributes, and the visibility behind the name.
    let plain = |ty: u64, name: u64| out().v(0).v(ty).v(0).v(0).v(name).v(0);
    let bytes = functions(&|file, ty| {
        let (first, third, fourth) =
            (file.string_attribute("first"), file.string_attribute("third"), file.string_attribute("fourth"));
        let strange = file.builtin(strange());
        vec![
            plain(ty, first),
            plain(ty, strange),
            // With one member more.
            plain(ty, third).v(0),
            // With one that is not there.
            plain(ty, fourth),
            out().v(1 << 1 | 1).raw([0xfe]),
        ]
    });
    unknown(&bytes, "1 byte left of a property blob");
    let parts = unknown_parts(&load(&bytes).unwrap()).unwrap();
    let kinds: Vec<_> = parts.iter().map(|part| part.kind).collect();
    assert_eq!(kinds, [UnknownKind::Attribute, UnknownKind::Properties, UnknownKind::Properties], "{parts:?}");
    assert!(parts[1].to_string().starts_with("properties 2 of `func.func`: unknown to this build"), "{}", parts[1]);
    for (symbol, found) in [("first", true), ("fourth", true), ("third", false), ("none", false)] {
        for decoded in [false, true] {
            let module = read(&crate::definitions::context(), bytes.clone()).unwrap();
            if decoded {
                decode_all(&module).unwrap();
            }
            assert_eq!(module.symbol(symbol).unwrap().is_some(), found, "@{symbol}, decoded: {decoded}");
        }
    }
}

/// The file as a producer of that name would have written it.
fn by(producer: &[u8], bytes: &[u8]) -> Vec<u8> {
    let head = header(6).0;
    let rest = bytes.strip_prefix(&head[..]).expect("the header");
    let mut all = head[..head.len() - b"hand\0".len()].to_vec();
    all.extend_from_slice(producer);
    all.push(0);
    all.extend_from_slice(rest);
    all
}

#[test]
fn what_is_kept_stays_of_its_release_and_in_its_file() {
    let bytes = by(b"MLIR24.0.0git", &holding(|file| vec![file.builtin(strange())]));
    let mut module = load(&bytes).unwrap();
    assert_eq!(write(&module, &WriteOptions::like(&module)).unwrap(), bytes);
    let other = WriteOptions::like(&module).release(Release::new(22));
    let error = write(&module, &other).expect_err("blobs and codes are those of 24");
    assert!(error.message().contains("for another release than its own, MLIR 24"), "{error}");
    let error = write(&module, &WriteOptions::like(&module).version(5)).unwrap_err();
    assert!(error.message().contains("opaque parts"), "{error}");
    // Without its file it can be looked at, and not written.
    detach(&mut module).unwrap();
    assert!(text(&module).contains("#builtin.encoded<"));
    assert!(unknown_parts(&module).unwrap().is_empty());
    let error = write(&module, &WriteOptions::like(&module)).unwrap_err();
    assert!(error.message().contains("only be written into the file that it came from"), "{error}");
}
