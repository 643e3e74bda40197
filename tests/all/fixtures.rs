//! Every file in `fixtures/` is read, decoded in full, and written back.

use std::fmt::Write;
use std::path::PathBuf;

use bytes::Bytes;
use mlirbc::bytecode::{WriteOptions, decode_all, detach, read, write, write_with_losses};
use mlirbc::ir::text::{print_attribute, print_type};
use mlirbc::ir::{AttributeData, ResourceValue};
use mlirbc::{Context, ErrorKind, Index, Module, ReadOptions, Result};
use mlirbc_testing::{fixture, fixtures};

fn bytes(name: &str) -> Bytes {
    let path = fixture(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into()
}

/// The bytecode files, by their names in the folder of fixtures.
fn names() -> Vec<String> {
    let mut names = Vec::new();
    for folder in ["", "versions/"] {
        let entries = std::fs::read_dir(fixtures().join(folder)).expect("the folder of fixtures");
        let paths = entries.map(|entry| PathBuf::from(entry.expect("an entry").file_name()));
        let bytecode = paths.filter(|path| path.extension().is_some_and(|extension| extension == "mlirbc"));
        names.extend(bytecode.map(|path| format!("{folder}{}", path.display())));
    }
    names.sort();
    names
}

/// What a module holds: an operation a line, with its place, operands, types, attributes and location.
fn outline(module: &Module) -> Result<String> {
    let context = module.context();
    let mut text = String::new();
    for top in module.operations()? {
        for op in top.walk()? {
            let body = op.body();
            let operands: Vec<usize> = op.operands().iter().map(|value| value.index()).collect();
            let successors: Vec<usize> = body.successors(op.id()).iter().map(|block| block.index()).collect();
            let _ = write!(text, "{} {operands:?} -> {successors:?} (", op.name());
            for result in op.results() {
                let _ = write!(text, "{} ", print_type(context, op.type_of(result)?)?);
            }
            let location = print_attribute(context, op.location()?.attribute(context))?;
            let _ = writeln!(text, ") regions {} {location}", body.region_count_of(op.id()));
            let mut entries = op.attributes()?.to_vec();
            if let Some(properties) = op.properties()?
                && let AttributeData::Dictionary(inherent) = &context[properties]
            {
                entries.extend(inherent);
            }
            entries.sort_by_key(|&(name, _)| context.bytes(name));
            for (name, value) in entries {
                let _ = writeln!(text, "  {} = {}", context.text(name), print_attribute(context, value)?);
            }
            let (_, inside, regions) = op.region_tree()?;
            if !std::ptr::eq(inside, body) {
                inside.stored_orders().for_each(|(value, places)| {
                    let _ = writeln!(text, "  uses of {}: {places:?}", value.index());
                });
            }
            for region in regions {
                for block in inside.blocks(region) {
                    for (&argument, location) in inside.arguments(block).iter().zip(inside.argument_locations(block)) {
                        let ty = print_type(context, module.ty(inside.ty(argument))?)?;
                        let location = match location {
                            Some(location) => module.location(*location)?.attribute(context),
                            None => context.unknown_location(),
                        };
                        let _ = writeln!(text, "  ^ {ty} {}", print_attribute(context, location)?);
                    }
                }
            }
        }
    }
    Ok(text)
}

fn outline_of(name: &str) -> String {
    let module = read(&Context::new(), bytes(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    outline(&module).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_file_is_decoded_in_full() {
    let mut decoded = 0;
    for name in names() {
        let module = read(&Context::new(), bytes(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        decode_all(&module).unwrap_or_else(|error| panic!("{name}: {error}"));
        decoded += 1;
    }
    assert_eq!(decoded, 27);
}

#[test]
fn every_file_of_the_same_llvm_is_written_back_byte_for_byte() {
    let mut same = 0;
    // Other releases of LLVM number entries in another order.
    for name in names().into_iter().filter(|name| !name.contains(".19.") && !name.contains(".16.")) {
        let original = bytes(&name);
        let mut module = read(&Context::new(), original.clone()).expect("a module");
        let options = WriteOptions::like(&module);
        let lazily = write(&module, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(lazily == original, "{name}: other bytes");
        detach(&mut module).unwrap_or_else(|error| panic!("{name}: {error}"));
        let detached = write(&module, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(detached == original, "{name}: other bytes without the file");
        same += 1;
    }
    assert_eq!(same, 16);
}

#[test]
fn every_file_of_another_llvm_is_written_back_with_the_same_content() {
    let mut same = 0;
    for name in names().into_iter().filter(|name| name.contains(".19.") || name.contains(".16.")) {
        let context = Context::new();
        let module = read(&context, bytes(&name)).expect("a module");
        let again = write(&module, &WriteOptions::like(&module)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = read(&context, again).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again.info, module.info, "{name}");
        assert_eq!(outline(&again).expect("an outline"), outline_of(&name), "{name}");
        same += 1;
    }
    assert_eq!(same, 11);
}

#[test]
fn one_module_from_every_version_and_release() {
    for (module, count) in [("arith", 15), ("portable", 4)] {
        let names: Vec<String> =
            names().into_iter().filter(|name| name.starts_with(&format!("versions/{module}."))).collect();
        assert_eq!(names.len(), count);
        let first = outline_of(&names[0]);
        assert!(first.lines().count() > 30, "{first}");
        for name in &names[1..] {
            assert_eq!(outline_of(name), first, "{name} and {}", names[0]);
        }
    }
}

#[test]
fn versions_and_producers_are_those_of_the_names() {
    let mut checked = 0;
    for name in names().iter().filter(|name| name.starts_with("versions/")) {
        let mut parts = name.split('.').skip(1);
        let (release, version) = (parts.next().expect("a release"), parts.next().expect("a version"));
        let module = read(&Context::new(), bytes(name)).expect("a module");
        assert_eq!(module.info.version, version[1..].parse().ok(), "{name}");
        let producer = String::from_utf8_lossy(&module.info.producer).into_owned();
        assert!(producer.starts_with(&format!("MLIR{release}.")), "{name}: {producer}");
        checked += 1;
    }
    assert_eq!(checked, 19);
}

#[test]
fn a_version_that_holds_a_module_gives_it_back() {
    let (mut kept, mut lost) = (0, 0);
    for name in ["arith", "resources", "use_lists", "debug_info", "nested", "unregistered"] {
        let name = format!("{name}.mlirbc");
        let context = Context::new();
        let module = read(&context, bytes(&name)).expect("a module");
        let wanted = outline(&module).expect("an outline");
        for version in 0..=6 {
            let options = WriteOptions::like(&module).version(version);
            let lossy = options.clone().lossy(true);
            let (written, losses) =
                write_with_losses(&module, &lossy).unwrap_or_else(|error| panic!("{name} v{version}: {error}"));
            let again = read(&context, written.clone()).unwrap_or_else(|error| panic!("{name} v{version}: {error}"));
            assert_eq!(again.info.version, Some(version));
            let same = outline(&again).expect("an outline") == wanted;
            let nothing_lost = losses.iter().next().is_none();
            assert_eq!(same, nothing_lost, "{name} in version {version}");
            match write(&module, &options) {
                Ok(bytes) => assert!(nothing_lost && bytes == written, "{name} in version {version}"),
                Err(error) => assert!(!nothing_lost && error.kind() == ErrorKind::Verification, "{name}: {error}"),
            }
            *(if nothing_lost { &mut kept } else { &mut lost }) += 1;
        }
    }
    // Before version 5, `debug_info` and `unregistered` lose properties that have no place in a dictionary, and before
    // version 3 `use_lists` loses the orders of uses.
    assert_eq!((kept, lost), (29, 13));
}

#[test]
fn resources_are_views_of_the_file() {
    let file = bytes("resources.mlirbc");
    let module = read(&Context::new(), file.clone()).expect("a module");
    let groups = module.resources().expect("resources");
    let context = module.context();
    let owners: Vec<_> = groups.iter().map(|group| (context.text(group.owner).into_owned(), group.dialect)).collect();
    let wanted = [("compiler", false), ("profiler", false), ("builtin", true)];
    assert_eq!(owners, wanted.map(|(owner, dialect)| (owner.to_owned(), dialect)));
    let mut blobs = 0;
    for entry in groups.iter().flat_map(|group| &group.entries) {
        if let ResourceValue::Blob { alignment, data } = &entry.value {
            let data = data.bytes().expect("whole");
            let inside = file.as_ptr_range();
            assert!(inside.contains(&data.as_ptr()), "a copy of {:?}", entry.key);
            let place = data.as_ptr() as usize - file.as_ptr() as usize;
            assert_eq!(place as u64 % alignment, 0, "{:?} at {place}", entry.key);
            blobs += 1;
        }
    }
    assert_eq!(blobs, 5);
    let external = &groups[0].entries;
    let value = |key: &[u8]| external.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
    assert_eq!(value(b"verified"), Some(&ResourceValue::Bool(true)));
    assert_eq!(value(b"stripped"), Some(&ResourceValue::Bool(false)));
    assert_eq!(value(b"passes"), Some(&ResourceValue::String(b"cse,canonicalize"[..].into())));
}

#[test]
fn a_symbol_is_found_with_and_without_an_index() {
    for name in names() {
        if !name.contains("arith") {
            continue;
        }
        let context = Context::new();
        let plain = read(&context, bytes(&name)).expect("a module");
        let index = Index::build(&plain).unwrap_or_else(|error| panic!("{name}: {error}"));
        let options = ReadOptions::new().index(index);
        let indexed = mlirbc::bytecode::read_with(&context, bytes(&name), &options).expect("a module");
        for module in [&plain, &indexed] {
            for (symbol, operations) in [("f", 8), ("fold", 14), ("elsewhere", 1)] {
                let op = module.symbol(symbol).expect("a symbol table");
                let op = op.unwrap_or_else(|| panic!("{name}: no @{symbol}"));
                assert_eq!(op.walk().expect("a body").count(), operations, "{name}: @{symbol}");
            }
            assert!(module.symbol("g").expect("a symbol table").is_none());
        }
    }
}

#[test]
fn nesting_is_as_deep_as_the_file_says() {
    let module = read(&Context::new(), bytes("nested.mlirbc")).expect("a module");
    let mut op = module.operations().expect("operations").next().expect("a module");
    let mut names = vec![op.name().into_owned()];
    while let Some(next) = op.ops().expect("a body").next() {
        op = next;
        names.push(op.name().into_owned());
    }
    let of = |wanted: &str| names.iter().filter(|name| *name == wanted).count();
    // mlir-opt puts what it parses into the one module that is there.
    assert_eq!((of("builtin.module"), of("sample.nest"), of("sample.innermost")), (100, 200, 1));
}
