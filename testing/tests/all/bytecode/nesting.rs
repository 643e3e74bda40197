//! A hundred thousand levels of everything that can hold itself: read, printed, written back and dropped on a small
//! stack, in time and memory that grow with the file and not faster.

use crate::bytecode::common;

use common::*;
use mlirbc_bytecode::{decode_all, read};
use mlirbc_ir::text::{Elision, Printer};
use mlirbc_ir::{AttributeData, BodyId, Module, TypeData};
use mlirbc_text::{PrintOptions, print_module};

const DEPTH: u64 = 100_000;

/// Reads, prints, writes and drops the file on a small stack; gives what `look` makes of it.
fn survives<T: Send>(bytes: &[u8], look: impl FnOnce(&Module) -> T + Send) -> T {
    on_a_small_stack(|| {
        let module = load(bytes).unwrap_or_else(|error| panic!("{error}"));
        print(&module);
        let written = round_trip(&module).unwrap_or_else(|error| panic!("{error}"));
        assert!(written.len() < 2 * bytes.len() + 1000, "{} bytes of {}", written.len(), bytes.len());
        let seen = look(&module);
        let mut module = module;
        for at in 0..module.body_count() {
            module.build_uses(BodyId::from_index(at)).expect("read before");
        }
        drop(module);
        seen
    })
}

/// Prints to nowhere.
fn print(module: &Module) {
    print_module(module, &PrintOptions::new().locations(true), &mut std::io::sink()).expect("printed");
}

/// The attribute that the first operation holds.
fn held(module: &Module) -> &AttributeData {
    let op = module.operations().expect("read").next().expect("an operation");
    &module.context()[op.attribute("a").expect("decoded").expect("held")]
}

/// A file that holds the last of a chain of attributes. Every entry names the one before it, or after it.
fn chain(towards_the_end: bool, mut link: impl FnMut(&mut File, u64) -> Out) -> Vec<u8> {
    let mut file = File::new(6);
    let first = file.string_attribute("x");
    assert_eq!(first, 1);
    // Numbers of the chain are 2 and on; its end is the unknown location.
    for at in 0..DEPTH {
        let inner = match (towards_the_end, at) {
            (false, 0) => UNKNOWN,
            (true, at) if at == DEPTH - 1 => UNKNOWN,
            (false, at) => 2 + at - 1,
            (true, at) => 2 + at + 1,
        };
        let bytes = link(&mut file, inner);
        file.builtin(bytes);
    }
    file.hold([if towards_the_end { 2 } else { 2 + DEPTH - 1 }]);
    file.bytes()
}

#[test]
fn arrays() {
    for towards_the_end in [false, true] {
        let bytes = chain(towards_the_end, |_, inner| out().v(0).v(1).v(inner));
        survives(&bytes, |module| assert!(matches!(held(module), AttributeData::Array(_))));
    }
}

#[test]
fn dictionaries_and_distinct_attributes() {
    survives(&chain(true, |_, inner| out().v(1).v(1).v(1).v(inner)), |_| ());
    survives(&chain(true, |_, inner| out().v(21).v(inner)), |_| ());
}

#[test]
fn locations() {
    for towards_the_end in [false, true] {
        survives(&chain(towards_the_end, |_, inner| out().v(10).v(UNKNOWN).v(inner)), |_| ());
        survives(&chain(towards_the_end, |_, inner| out().v(10).v(inner).v(UNKNOWN)), |_| ());
        survives(&chain(towards_the_end, |_, inner| out().v(14).v(1).v(inner)), |_| ());
    }
}

/// Fused locations whose metadata differ from level to level; those of the same metadata are one (see `memory.rs`).
#[test]
fn fused_locations() {
    let mut odd = false;
    let bytes = chain(true, |_, inner| {
        odd = !odd;
        out().v(13).v(2).v(inner).v(UNKNOWN).v(if odd { 1 } else { UNKNOWN })
    });
    survives(&bytes, |module| assert!(matches!(held(module), AttributeData::FusedLocation { .. })));
}

#[test]
fn types() {
    for towards_the_end in [false, true] {
        for function in [false, true] {
            let bytes = nested_types(DEPTH, towards_the_end, |inner| match function {
                false => out().v(15).v(1).v(inner),
                true => out().v(2).v(1).v(inner).v(1).v(I32),
            });
            survives(&bytes, |module| {
                let body = module.top().expect("read");
                let op = module.operations().expect("read").next().expect("an operation").id();
                let ty = module.ty(body.ty(body.result(op, 0).expect("a result"))).expect("decoded");
                assert_eq!(matches!(module.context()[ty], TypeData::Function { .. }), function);
            });
        }
    }
}

/// Types and attributes that hold each other.
#[test]
fn types_in_attributes_in_types() {
    let mut file = File::new(6);
    for at in 0..DEPTH / 2 {
        file.builtin(out().v(6).v(at + 1));
        let last = at == DEPTH / 2 - 1;
        file.ty(out().v(14).v(if last { UNKNOWN } else { at + 2 }).v(0).v(I32));
    }
    file.hold([1]);
    survives(&file.bytes(), |module| assert!(matches!(held(module), AttributeData::Type(_))));
}

/// Trees instead of chains: both sides of every entry are deep, and lists are long.
#[test]
fn wide_and_deep() {
    // Each item of a long list is a chain that is deeper than decoders call each other.
    for (items, depth) in [(3_000, 40), (200, 500), (20_000, 2)] {
        let mut file = File::new(6);
        let mut heads = Vec::new();
        for _ in 0..items {
            heads.push(file.attributes.len() as u64);
            for _ in 1..depth {
                let next = file.attributes.len() as u64 + 1;
                file.builtin(out().v(0).v(1).v(next));
            }
            let leaf = heads.len() as i64;
            file.builtin(out().v(8).v(I32).z(leaf));
        }
        let list = file.builtin(out().v(0).v(items).vs(&heads));
        // Deep below another chain, so that the list itself is met late.
        let mut top = list;
        for _ in 0..100 {
            top = file.builtin(out().v(0).v(2).v(top).v(UNKNOWN));
        }
        file.hold([top]);
        survives(&file.bytes(), |_| ());
    }
    // Dictionaries, whose lists are of two fields an item.
    let mut file = File::new(6);
    let mut entries = Vec::new();
    for item in 0..2_000 {
        let name = file.string_attribute(format!("n{item:05}"));
        let head = file.attributes.len() as u64;
        for _ in 1..50 {
            let next = file.attributes.len() as u64 + 1;
            file.builtin(out().v(0).v(1).v(next));
        }
        file.builtin(out().v(8).v(I32).z(item));
        entries.extend([name, head]);
    }
    let mut top = file.builtin(out().v(1).v(2_000).vs(&entries));
    for _ in 0..100 {
        top = file.builtin(out().v(0).v(1).v(top));
    }
    file.hold([top]);
    survives(&file.bytes(), |_| ());
}

/// Each entry holds the next one twice, in fields that are no list: not decoded twice. Its text would be endless.
#[test]
fn shared_entries() {
    for bytes in [
        chain(true, |_, inner| out().v(10).v(inner).v(inner)),
        chain(true, |_, inner| out().v(0).v(2).v(inner).v(inner)),
    ] {
        on_a_small_stack(|| {
            let module = load(&bytes).expect("read");
            round_trip(&module).expect("written");
        });
    }
}

/// The bytes of regions nested in each other, outermost first, made from the inside.
fn nested(version: u64, name: u64, isolated: bool, properties: Option<u64>, depth: u64) -> Vec<u8> {
    let mask = 0x10 | if properties.is_some() { 0x40 } else { 0 };
    let sections = isolated && version >= 2;
    // Backwards, since a section's length comes before it.
    let mut reversed: Vec<u8> = Vec::new();
    let push = |reversed: &mut Vec<u8>, bytes: Out| reversed.extend(bytes.0.iter().rev());
    for level in 0..depth {
        let region = if level == 0 { out().v(0) } else { out().v(1).v(0).v(1 << 1) };
        push(&mut reversed, region);
        if sections {
            let mut length = Vec::new();
            let inside = reversed.len();
            push_varint(&mut length, inside as u64);
            reversed.extend(length.iter().rev());
            reversed.push(IR);
        }
        let mut head = out().v(name).b(mask).v(UNKNOWN);
        head = properties.iter().fold(head, |out, &blob| out.v(blob));
        push(&mut reversed, head.v(1 << 1 | u64::from(isolated)));
    }
    push(&mut reversed, out().v(1 << 1));
    reversed.reverse();
    reversed
}

fn regions(version: u64, name: u64, isolated: bool, depth: u64) -> Vec<u8> {
    let mut file = File::new(version);
    let properties = (version >= 5 && name == MODULE).then(|| file.properties(out().v(0).v(0)));
    file.ir = nested(version, name, isolated, properties, depth);
    file.bytes()
}

#[test]
fn inline_regions() {
    for version in [0, 6] {
        survives(&regions(version, OP, false, DEPTH), |module| {
            assert_eq!(module.body_count(), 1);
            assert_eq!(module.top().expect("read").operation_count() as u64, DEPTH);
        });
    }
}

#[test]
fn isolated_regions() {
    for version in [1, 6] {
        survives(&regions(version, OP, true, DEPTH), |module| {
            assert_eq!(module.body_count(), 1);
            assert_eq!(module.top().expect("read").operation_count() as u64, DEPTH);
        });
    }
}

/// Each module is a body of its own.
#[test]
fn modules_in_modules() {
    // Before version 2 all of them are read at once.
    for (version, depth) in [(0, 16_000), (6, DEPTH)] {
        survives(&regions(version, MODULE, true, depth), |module| {
            // The innermost has no block: from version 2 on it costs no body.
            let bodies = if version < 2 { depth + 1 } else { depth };
            assert_eq!(module.body_count() as u64, bodies);
            let op = module.operations().expect("read").next().expect("the outermost");
            assert_eq!(op.walk().expect("walked").count() as u64, depth);
        });
    }
    // Opening costs nothing: only the outermost is read.
    let bytes = regions(6, MODULE, true, DEPTH);
    let module = read(&crate::definitions::context(), bytes).expect("opened");
    assert_eq!(module.operations().expect("read").count(), 1);
    assert_eq!(module.body_count(), 2);
}

/// Deeper than the reader goes: an error, not an overflow.
#[test]
fn past_the_limit() {
    for (name, isolated, version, message) in [
        (OP, false, 0, "regions nested deeper than 131072"),
        (OP, false, 6, "regions nested deeper than 131072"),
        (OP, true, 6, "regions nested deeper than 131072"),
        (MODULE, true, 0, "isolated operations nested deeper than 16384"),
        (MODULE, true, 1, "isolated operations nested deeper than 16384"),
    ] {
        let bytes = regions(version, name, isolated, 140_000);
        on_a_small_stack(|| refused(&bytes, "IR", message));
    }
}

/// Cut in the middle, so that every level ends in an error.
#[test]
fn unfinished() {
    for (name, isolated, version) in [(OP, false, 6), (OP, true, 6), (MODULE, true, 6), (MODULE, true, 0)] {
        let mut file = File::new(version);
        let properties = (version >= 5 && name == MODULE).then(|| file.properties(out().v(0).v(0)));
        file.ir = nested(version, name, isolated, properties, DEPTH);
        file.ir.truncate(file.ir.len() / 2);
        on_a_small_stack(|| assert!(load(&file.bytes()).is_err()));
    }
}

/// Decoded one entry at a time, and by many threads at once, the result is the same.
#[test]
fn many_threads_decode_one_chain() {
    let bytes = chain(true, |_, inner| out().v(0).v(2).v(inner).v(UNKNOWN));
    let module = read(&crate::definitions::context(), bytes).expect("opened");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let module = &module;
            let run = move || decode_all(module).expect("decoded");
            std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, run).expect("a thread");
        }
    });
    let mut sink = std::io::sink();
    let mut printer = Printer::new(module.context(), &mut sink);
    let op = module.operations().expect("read").next().expect("an operation");
    printer.attribute(op.attribute("a").expect("decoded").expect("held"), Elision::Never).expect("printed");
}
