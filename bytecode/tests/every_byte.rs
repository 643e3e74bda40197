//! A file in which everything occurs, cut at every byte, changed in every byte, and with every integer huge.

mod common;

use common::*;
use mlirbc_bytecode::{Index, ReadOptions, decode_all, read, read_with};
use mlirbc_ir::Context;

/// Reads a file that may be wrong. What is read is printed, and written, read and written again.
fn try_one(bytes: &[u8]) -> bool {
    match load(bytes) {
        Ok(module) => {
            text(&module);
            // What has no meaning (an operation whose properties do not fit its definition) may be refused here.
            let _ = round_trip(&module);
            true
        }
        Err(error) => {
            assert!(error.place().offset.is_some_and(|offset| offset <= bytes.len() as u64), "{error}");
            false
        }
    }
}

#[test]
fn cut_at_every_byte() {
    on_a_small_stack(|| {
        let mut cut = 0;
        for version in 0..=6 {
            let bytes = sample(version).bytes();
            assert!(try_one(&bytes));
            for end in 0..bytes.len() {
                let error = load(&bytes[..end]).expect_err("a file that is cut");
                assert!(error.place().offset.is_some_and(|offset| offset <= end as u64), "{error}");
                cut += 1;
            }
        }
        assert!(cut > 2_000, "{cut}");
    });
}

#[test]
fn every_section_cut_at_every_byte() {
    on_a_small_stack(|| {
        let mut cut = 0;
        for version in [0, 1, 6] {
            let sections = sample(version).sections();
            for (number, (_, whole)) in sections.iter().enumerate() {
                for end in 0..whole.len() {
                    let mut sections = sections.clone();
                    sections[number].1.truncate(end);
                    // Without its last bytes no section is right, but one of entries that are all that is left.
                    assert!(!try_one(&assemble(version, &sections)));
                    cut += 1;
                }
            }
        }
        assert!(cut > 800, "{cut}");
    });
}

#[test]
fn every_byte_changed() {
    on_a_small_stack(|| {
        let (mut read, mut refused) = (0, 0);
        for version in [0, 2, 5, 6] {
            let bytes = sample(version).bytes();
            for at in 0..bytes.len() {
                let flips = (0..8).map(|bit| bytes[at] ^ 1 << bit);
                for byte in flips.chain([0, 0xff, bytes[at].wrapping_add(2), bytes[at].wrapping_sub(2)]) {
                    let mut changed = bytes.clone();
                    changed[at] = byte;
                    *(if try_one(&changed) { &mut read } else { &mut refused }) += 1;
                }
            }
        }
        // Some bytes carry no meaning that a reader could check: text, numbers, the producer.
        assert!(read > 3_000 && refused > 8_000, "{read} read, {refused} refused");
    });
}

#[test]
fn every_byte_left_out_or_doubled() {
    on_a_small_stack(|| {
        let mut refused = 0;
        for version in [1, 6] {
            let bytes = sample(version).bytes();
            for at in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed.remove(at);
                refused += usize::from(!try_one(&changed));
                let mut changed = bytes.clone();
                changed.insert(at, bytes[at]);
                refused += usize::from(!try_one(&changed));
            }
        }
        assert!(refused > 1_000, "{refused}");
    });
}

/// At every byte of every table stands a number as large as it can be, and what encloses it says its new length.
#[test]
fn every_integer_huge() {
    on_a_small_stack(|| {
        let mut tried = 0;
        let mut refused = 0;
        let mut one = |bytes: &[u8]| {
            tried += 1;
            refused += usize::from(!try_one(bytes));
        };
        let huge = |bytes: &[u8], at: usize, number: u64| {
            let mut changed = bytes[..at].to_vec();
            push_varint(&mut changed, number);
            changed.extend(bytes.get(at + varint_length(bytes[at])..).unwrap_or_default());
            changed
        };
        for version in [0, 1, 6] {
            let file = sample(version);
            let sections = file.sections();
            for number in [1 << 20, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 60, 1 << 61, u64::MAX - 1, u64::MAX] {
                for (place, (_, whole)) in sections.iter().enumerate() {
                    for at in 0..whole.len() {
                        let mut sections = sections.clone();
                        sections[place].1 = huge(whole, at, number);
                        one(&assemble(version, &sections));
                    }
                }
                // Entries and blobs have their lengths in other places.
                for (place, entry) in file.attributes.iter().enumerate() {
                    for at in 0..entry.bytes.len() {
                        let mut file = file.clone();
                        file.attributes[place].bytes = huge(&entry.bytes, at, number);
                        one(&file.bytes());
                    }
                }
                for (place, entry) in file.types.iter().enumerate() {
                    for at in 0..entry.bytes.len() {
                        let mut file = file.clone();
                        file.types[place].bytes = huge(&entry.bytes, at, number);
                        one(&file.bytes());
                    }
                }
                for (place, blob) in file.properties.iter().enumerate() {
                    for at in 0..blob.len() {
                        let mut file = file.clone();
                        file.properties[place] = huge(blob, at, number);
                        one(&file.bytes());
                    }
                }
            }
        }
        assert!(tried > 8_000, "{tried}");
        // What is left is text, and numbers that may be large.
        assert!(refused * 100 > tried * 85, "{refused} of {tried} refused");
    });
}

/// An index that is wrong leads to an error, a miss, or the right answer.
#[test]
fn every_byte_of_an_index_changed() {
    let mut file = File::new(6);
    let func = file.dialect("func");
    let name = file.name(func, "func", true);
    let function = file.ty(out().v(2).v(0).v(0));
    let ty = file.builtin(out().v(6).v(function));
    let module = file.properties(out().v(0).v(0));
    let mut functions = Vec::new();
    for at in 0..40 {
        let symbol = file.string_attribute(format!("f{at}"));
        let blob = file.properties(out().v(0).v(ty).v(0).v(0).v(symbol).v(0));
        functions.push(Op::named(name).properties(blob).isolated([Region::of(0, [op()])]));
    }
    file.ops([Op::named(MODULE).properties(module).isolated([Region::of(0, functions)])]);
    let bytes = file.bytes();
    let index = Index::build(&read(&Context::new(), bytes.clone()).expect("opened")).expect("indexed");
    assert_eq!(index.symbol_count(), 40);
    let whole = index.as_bytes().to_vec();
    let look = |index: Vec<u8>| {
        let Ok(index) = Index::open(index) else { return 0 };
        let options = ReadOptions { index: Some(index), ..ReadOptions::default() };
        let Ok(module) = read_with(&Context::new(), bytes.clone(), &options) else { return 0 };
        let mut found = 0;
        for symbol in ["f0", "f17", "f39", "f40"] {
            if let Ok(Some(op)) = module.symbol(symbol) {
                let name = op.symbol_name();
                if let Ok(Some(name)) = name {
                    assert_eq!(module.context().text(name), symbol);
                    found += 1;
                }
            }
        }
        let _ = decode_all(&module);
        found
    };
    on_a_small_stack(|| {
        assert_eq!(look(whole.clone()), 3);
        let mut misses = 0;
        for at in 0..whole.len() {
            for byte in (0..8).map(|bit| whole[at] ^ 1 << bit).chain([0, 0xff]) {
                let mut changed = whole.clone();
                changed[at] = byte;
                misses += usize::from(look(changed) < 3);
            }
            look(whole[..at].to_vec());
            // Eight bytes at once: a number as large as it can be.
            let mut changed = whole.clone();
            let end = changed.len().min(at + 8);
            changed[at..end].fill(0xff);
            look(changed);
        }
        assert!(misses > 500, "{misses}");
    });
}
