//! Files that ask for many times their size, in memory or in time: refused, or read within bounds.
//!
//! One test, since it counts the memory of the whole process.

#[path = "all/bytecode/common/mod.rs"]
mod common;

use common::*;
use mlirbc_bytecode::{Limits, ReadOptions, decode_all, read_with};
use mlirbc_ir::Result;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What a reader may take of memory, whatever the file says.
fn bound(length: usize) -> usize {
    (64 << 20) + 8 * length
}

/// Reads a file and decodes everything in it; gives the bytes that it took at most.
fn measure(bytes: &[u8]) -> (usize, Result<()>) {
    let bytes = bytes.to_vec();
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let result = load(&bytes).map(drop);
    (MEMORY.peak_usage().saturating_sub(before), result)
}

/// Reads within the bound, and is refused or not as expected.
fn bomb(name: &str, bytes: &[u8], refused: bool) {
    let (peak, result) = measure(bytes);
    let verdict = result.as_ref().map_or_else(ToString::to_string, |()| "read".into());
    println!("{name}: {} bytes take {peak}: {verdict}", bytes.len());
    assert!(peak <= bound(bytes.len()), "{name}: {peak} bytes for a file of {}", bytes.len());
    assert_eq!(result.is_err(), refused, "{name}: {verdict}");
}

fn long(byte: u8) -> Vec<u8> {
    vec![byte; 1 << 20]
}

fn names_that_share_a_string() -> Vec<u8> {
    let mut file = File::new(6);
    let long = file.string(long(b'x'));
    let mut ops = Vec::new();
    for at in 0..1000 {
        let dialect = file.dialect(&format!("d{at}"));
        file.names.push((dialect, long, false));
        ops.push(Op::named(file.names.len() as u64 - 1));
    }
    file.ops(ops);
    file.bytes()
}

fn typed_strings() -> Vec<u8> {
    let mut file = File::new(6);
    let long = file.string(long(b'x'));
    for width in 1..1000 {
        let ty = file.ty(out().v(0).v(width << 2));
        file.builtin(out().v(3).v(long).v(ty));
    }
    file.bytes()
}

/// Equal attributes, but each a string to copy and to hash.
fn equal_strings() -> Vec<u8> {
    let mut file = File::new(6);
    let long = file.string(long(b'x'));
    for _ in 0..200_000 {
        file.builtin(out().v(2).v(long));
    }
    file.bytes()
}

fn dense_strings() -> Vec<u8> {
    let mut file = File::new(6);
    let long = file.string(long(b'x'));
    let element = file.types.len() as u64;
    file.types.push(Entry { dialect: T, custom: false, bytes: b"!t.string\0".to_vec() });
    let tensor = file.ty(out().v(13).v(1).z(100_000).v(element));
    file.builtin(out().v(19).v(tensor).v(0).vs(&vec![long; 100_000]));
    file.bytes()
}

fn debug_info_strings() -> Vec<u8> {
    let mut file = File::new(6);
    let long = file.string(long(b'x'));
    let llvm = file.dialect("llvm");
    for at in 0..2000 {
        let short = file.string(format!("{at}"));
        file.attribute(llvm, out().v(6).v(long).v(short));
    }
    file.bytes()
}

fn resource_keys(external: bool) -> Vec<u8> {
    let mut file = File::new(6);
    let long = file.string(long(b'x'));
    let count = 100_000;
    let entries = (0..count).fold(out(), |out, _| out.v(long).v(1).b(1));
    let head = if external { out().v(1).v(long) } else { out().v(0).v(T) };
    file.resources = Some((head.v(count).raw(entries), out().raw(vec![1; count as usize])));
    file.bytes()
}

fn resource_values() -> Vec<u8> {
    let mut file = File::new(6);
    let long = file.string(vec![b'x'; 255]);
    let count = 1_000_000;
    let entries = (0..count).fold(out(), |out, _| out.v(long).v(1).b(2));
    let values = (0..count).fold(out(), |out, _| out.v(long));
    file.resources = Some((out().v(1).v(long).v(count).raw(entries), values));
    file.bytes()
}

fn resource_owners() -> Vec<u8> {
    let mut file = File::new(6);
    let long = file.string(long(b'x'));
    let count = 200_000;
    file.resources = Some(((0..count).fold(out().v(count), |out, _| out.v(long).v(0)), out()));
    file.bytes()
}

fn wide_integers() -> Vec<u8> {
    let mut file = File::new(6);
    let wide = file.ty(out().v(0).v(((1 << 24) - 1) << 2));
    for value in 0..1000 {
        file.builtin(out().v(8).v(wide).v(1).z(value));
    }
    file.bytes()
}

/// Each level holds one location more, and all of the level below.
fn fused_locations() -> Vec<u8> {
    let mut file = File::new(6);
    let name = file.string_attribute("x");
    let mut last = UNKNOWN;
    for at in 0..100_000 {
        let other = file.builtin(out().v(11).v(name).v(at).v(1));
        last = file.builtin(out().v(12).v(2).v(last).v(other));
    }
    file.bytes()
}

/// Each holds the same many locations.
fn fused_locations_that_share() -> Vec<u8> {
    let mut file = File::new(6);
    let name = file.string_attribute("x");
    let many: Vec<u64> = (0..10_000).map(|at| file.builtin(out().v(11).v(name).v(at).v(1))).collect();
    let all = file.builtin(out().v(12).v(10_000).vs(&many));
    for at in 0..10_000 {
        let other = file.builtin(out().v(11).v(name).v(at).v(2));
        file.builtin(out().v(12).v(2).v(all).v(other));
    }
    file.bytes()
}

/// Each looks through the same indices.
fn sparse_elements_that_share() -> Vec<u8> {
    let mut file = File::new(6);
    let count = 100_000_i64;
    let index = file.ty(out().v(13).v(2).z(count).z(1).v(1));
    let values = file.ty(out().v(13).v(1).z(count).v(I32));
    let long = file.ty(out().v(0).v(64 << 2));
    file.types[index as usize].bytes = out().v(13).v(2).z(count).z(1).v(long).0;
    let shaped = file.ty(out().v(13).v(1).z(count).v(I32));
    let bytes: Vec<u8> = (0..count).flat_map(i64::to_le_bytes).collect();
    let indices = file.builtin(out().v(18).v(index).blob(bytes));
    let values = file.builtin(out().v(18).v(values).blob([1; 4]));
    for _ in 0..50_000 {
        file.builtin(out().v(20).v(shaped).v(indices).v(values));
    }
    file.bytes()
}

/// Sorting compares names that are alike for a million bytes.
fn dictionaries_of_long_names() -> Vec<u8> {
    let mut file = File::new(6);
    let names: Vec<u64> = [b'a', b'b']
        .map(|end| {
            let mut name = long(b'x');
            name.push(end);
            file.string_attribute(name)
        })
        .to_vec();
    for _ in 0..100_000 {
        file.builtin(out().v(1).v(2).v(names[1]).v(UNKNOWN).v(names[0]).v(UNKNOWN));
    }
    file.bytes()
}

fn dictionary_of_one_name() -> Vec<u8> {
    let mut file = File::new(6);
    let name = file.string_attribute(long(b'x'));
    let other = file.string_attribute({
        let mut name = long(b'x');
        name.push(b'y');
        name
    });
    let entries: Vec<u64> = (0..200_000).flat_map(|at| [if at % 2 == 0 { name } else { other }, UNKNOWN]).collect();
    file.builtin(out().v(1).v(200_000).vs(&entries));
    file.bytes()
}

/// Regions in regions, each announcing as many values or blocks as there are bytes left.
fn greedy_regions(values: bool, isolated: bool, name: u64) -> Vec<u8> {
    let depth = 20_000;
    let mut file = File::new(6);
    let properties = (name == MODULE).then(|| file.properties(out().v(0).v(0)));
    let mut reversed: Vec<u8> = vec![1; 100_000];
    let push = |reversed: &mut Vec<u8>, bytes: Out| reversed.extend(bytes.0.iter().rev());
    for _ in 0..depth {
        let most = reversed.len() as u64 / 2;
        push(&mut reversed, if values { out().v(1).v(most).v(1 << 1) } else { out().v(most).v(0).v(1 << 1) });
        if isolated {
            let mut length = Vec::new();
            push_varint(&mut length, reversed.len() as u64);
            reversed.extend(length.iter().rev());
            reversed.push(IR);
        }
        let mask = 0x10 | if properties.is_some() { 0x40 } else { 0 };
        let head = properties.iter().fold(out().v(name).b(mask).v(UNKNOWN), |out, &blob| out.v(blob));
        push(&mut reversed, head.v(1 << 1 | u64::from(isolated)));
    }
    push(&mut reversed, out().v(1 << 1));
    reversed.reverse();
    file.ir = reversed;
    file.bytes()
}

/// Regions side by side, each announcing many values and defining none.
fn idle_regions() -> Vec<u8> {
    let mut file = File::new(6);
    let count = 50_000;
    let regions = (0..count).fold(out(), |out, _| out.v(1).v(count).v(0));
    file.ir = out().v(1 << 1).v(OP).b(0x10).v(UNKNOWN).v(count << 1).raw(regions).0;
    file.bytes()
}

/// Operations in operations, each announcing many regions.
fn many_regions() -> Vec<u8> {
    let mut file = File::new(6);
    let depth = 10_000;
    let mut ir = out().v(1 << 1);
    for at in 0..depth {
        ir = ir.v(OP).b(0x10).v(UNKNOWN).v((200_000 - 10 * at) << 1).v(1).v(0).v(1 << 1);
    }
    file.ir = ir.raw(vec![1; 300_000]).0;
    file.bytes()
}

/// Lazily read bodies, each of which announces more regions than it has bytes.
fn hollow_modules() -> Vec<u8> {
    let mut file = File::new(6);
    let blob = file.properties(out().v(0).v(0));
    let count = 20_000;
    let one = out().v(MODULE).b(0x50).v(UNKNOWN).v(blob).v(100_000 << 1 | 1).section(IR, out().v(0).v(0));
    file.ir = (0..count).fold(out().v(count << 1), |out, _| out.raw(&one)).raw(vec![1; 200_000]).0;
    file.bytes()
}

fn orders(pairs: bool) -> Vec<u8> {
    let count = 50_000;
    let mut uses = out();
    for _ in 0..count {
        // One value of two has an order, over and over.
        uses = uses.v(0).v(if pairs { 1 } else { 0 });
    }
    let mut file = File::new(6);
    let first = op().results(&[I32, I32]).orders(out().v(count).raw(uses));
    let user = op().operands(&vec![0; count as usize]);
    file.ops([op().regions([Region::of(2, [first, user])])]);
    file.bytes()
}

/// A dialect section of nothing but dialects.
fn dialects() -> Vec<u8> {
    let mut file = File::new(6);
    let long = file.string(long(b'x'));
    let bytes = out().v(1_000_000).vs(&vec![long << 1; 1_000_000]).v(0);
    file.with(DIALECT, |section| *section = bytes.0)
}

fn operation_names() -> Vec<u8> {
    let mut file = File::new(6);
    let long = file.string(long(b'x'));
    file.names.extend(vec![(T, long, false); 100_000]);
    file.ops((0..100_000).map(|at| Op::named(at + 2)));
    file.bytes()
}

/// Files that are right, and made of what takes the least bytes for the most memory: how many times their size they take.
fn dense_files() -> Vec<(&'static str, Vec<u8>, usize)> {
    let count = 200_000u64;
    let one = |ir: Out| {
        let mut file = File::new(6);
        file.ir = ir.0;
        file.bytes()
    };
    let repeat = |bytes: &Out| bytes.0.repeat(count as usize);
    let tiny = out().v(OP).b(0).v(UNKNOWN);
    let ops = out().v(count << 1).raw(repeat(&tiny));
    let blocks = out().v(1 << 1).v(OP).b(0x10).v(UNKNOWN).v(1 << 1).v(count).v(0).raw(repeat(&out().v(0)));
    let regions = out().v(1 << 1).v(OP).b(0x10).v(UNKNOWN).v(count << 1).raw(repeat(&out().v(0)));
    let holders = out().v(count << 1).raw(repeat(&out().raw(&tiny.0[..1]).b(0x10).v(UNKNOWN).v(1 << 1).v(0)));
    let results = out().v(1 << 1).v(OP).b(2).v(UNKNOWN).v(count).raw(repeat(&out().v(I32)));
    let values = out().v(1 << 1).v(OP).b(0x10).v(UNKNOWN).v(1 << 1).v(1).v(count).v(1 << 1);
    let values = values.v(OP).b(2).v(UNKNOWN).v(count).raw(repeat(&out().v(I32)));
    let mut modules = File::new(6);
    let blob = modules.properties(out().v(0).v(0));
    let module = out().v(MODULE).b(0x50).v(UNKNOWN).v(blob).v(1 << 1 | 1);
    let module = module.section(IR, out().v(1).v(0).v(1 << 1).raw(&tiny));
    modules.ir = out().v(count << 1).raw(repeat(&module)).0;
    let mut distinct = File::new(6);
    let mut integers = File::new(6);
    let mut strings = File::new(6);
    let mut arrays = File::new(6);
    let mut names = File::new(6);
    for at in 0..count {
        distinct.builtin(out().v(21).v(UNKNOWN));
        integers.builtin(out().v(8).v(I32).z(at as i64));
        strings.strings.push(at.to_le_bytes()[..3].to_vec());
        let string = strings.strings.len() as u64 - 1;
        strings.builtin(out().v(2).v(string));
        arrays.builtin(out().v(0).v(1).v(at));
        names.names.push((T, 2, false));
    }
    vec![
        ("operations", one(ops), 40),
        ("blocks", one(blocks), 40),
        ("regions", one(regions), 24),
        ("operations with regions", one(holders), 48),
        ("results", one(results), 24),
        ("values", one(values), 32),
        ("modules", modules.bytes(), 80),
        ("distinct attributes", distinct.bytes(), 64),
        ("integers", integers.bytes(), 40),
        ("strings", strings.bytes(), 32),
        ("arrays", arrays.bytes(), 40),
        ("names", names.bytes(), 24),
    ]
}

#[test]
fn memory_stays_within_bounds() {
    bomb("names that share a string", &names_that_share_a_string(), true);
    bomb("typed strings", &typed_strings(), true);
    bomb("equal strings", &equal_strings(), true);
    bomb("dense strings", &dense_strings(), true);
    bomb("debug information", &debug_info_strings(), true);
    bomb("resource keys", &resource_keys(false), true);
    bomb("keys of external resources", &resource_keys(true), true);
    bomb("resource values", &resource_values(), true);
    bomb("owners of resources", &resource_owners(), true);
    bomb("wide integers", &wide_integers(), true);
    bomb("fused locations", &fused_locations(), true);
    bomb("fused locations that share", &fused_locations_that_share(), true);
    bomb("sparse elements that share", &sparse_elements_that_share(), true);
    bomb("dictionaries of long names", &dictionaries_of_long_names(), true);
    bomb("a dictionary of one name", &dictionary_of_one_name(), true);
    for name in [OP, MODULE] {
        for isolated in [false, true] {
            bomb("regions of many values", &greedy_regions(true, isolated, name), true);
            bomb("regions of many blocks", &greedy_regions(false, isolated, name), true);
        }
    }
    bomb("idle regions", &idle_regions(), true);
    bomb("many regions", &many_regions(), true);
    bomb("hollow modules", &hollow_modules(), true);
    bomb("dense orders", &orders(false), true);
    bomb("orders in pairs", &orders(true), true);
    bomb("dialects", &dialects(), true);
    bomb("operation names", &operation_names(), true);

    let mut over = Vec::new();
    for (name, bytes, most) in dense_files() {
        let (peak, result) = measure(&bytes);
        let times = peak as f64 / bytes.len() as f64;
        println!("{name}: {} bytes take {times:.1} times as much", bytes.len());
        result.unwrap_or_else(|error| panic!("{name}: {error}"));
        if peak > most * bytes.len() {
            over.push((name, times));
        }
    }
    assert!(over.is_empty(), "more memory than expected: {over:?}");

    // More has to be asked for.
    let mut options = ReadOptions::default();
    let bytes = wide_integers();
    let module = read_with(&mlirbc_testing::context(), bytes.clone(), &options).expect("opened");
    assert!(decode_all(&module).is_err());
    options.limits.expansion = 4 << 30;
    let context = mlirbc_testing::context();
    let module = read_with(&context, bytes, &options).expect("opened");
    let attribute = mlirbc_ir::AttributeRef::local(1).expect("a number");
    assert!(module.attribute(attribute).is_ok());
    assert_eq!(Limits::default(), ReadOptions::default().limits);
}
