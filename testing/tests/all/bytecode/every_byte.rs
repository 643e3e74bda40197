//! A file in which everything occurs, cut at every byte, changed in every byte, and with every integer huge.
//!
//! How many of the changed files are read stands in the folder `every_byte`, part by part: text, the producer and numbers carry
//! no meaning that a reader could check. `BLESS=1` writes what is read now: a part of which more is read than before has lost
//! a check.

use crate::bytecode::common;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use common::*;
use mlirbc_bytecode::inspect::label_bytes;
use mlirbc_bytecode::{BytecodeFile, Index, ReadOptions, decode_all, read, read_with};

/// How many files were read of how many, by the part of them that was changed.
#[derive(Default)]
struct Tally(BTreeMap<String, (usize, usize)>);

impl Tally {
    fn try_one(&mut self, part: &str, bytes: &[u8]) {
        let (read, tried) = self.0.entry(part.to_owned()).or_default();
        *read += usize::from(try_one(bytes));
        *tried += 1;
    }

    /// Compares with what is expected, in the file of that name.
    fn expect(&self, name: &str) {
        let mut found = String::new();
        for (part, (read, tried)) in &self.0 {
            writeln!(found, "{part}: {read} of {tried} read").expect("a string");
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/bytecode/every_byte").join(name);
        if std::env::var_os(mlirbc_testing::BLESS).is_some() {
            std::fs::write(&path, &found).expect("the file is written");
        }
        let expected = std::fs::read_to_string(&path).expect("what is expected");
        for (found, expected) in found.lines().zip(expected.lines()) {
            assert_eq!(found, expected, "another than in {name}");
        }
        assert_eq!(found.lines().count(), expected.lines().count(), "parts in {name}");
    }
}

/// What each byte of a file belongs to.
fn labels(bytes: &[u8]) -> Vec<String> {
    let module = read(&crate::definitions::context(), bytes.to_vec()).expect("a file");
    let mut labels = Vec::new();
    let file = BytecodeFile::of(&module).expect("the file of a module");
    let label = &mut |range: std::ops::Range<u64>, label: &str| {
        labels.extend(range.map(|_| label.to_owned()));
        Ok(())
    };
    label_bytes(file, label).expect("labels");
    assert_eq!(labels.len(), bytes.len());
    labels
}

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
        let mut tally = Tally::default();
        for version in [0, 2, 5, 6] {
            let bytes = sample(version).bytes();
            for (at, label) in labels(&bytes).iter().enumerate() {
                let flips = (0..8).map(|bit| bytes[at] ^ 1 << bit);
                let others = flips.chain([0, 0xff, bytes[at].wrapping_add(2), bytes[at].wrapping_sub(2)]);
                for byte in others.filter(|&byte| byte != bytes[at]) {
                    let mut changed = bytes.clone();
                    changed[at] = byte;
                    tally.try_one(label, &changed);
                }
            }
        }
        tally.expect("changed.txt");
    });
}

#[test]
fn every_byte_left_out_or_doubled() {
    on_a_small_stack(|| {
        let mut tally = Tally::default();
        for version in [1, 6] {
            let bytes = sample(version).bytes();
            for (at, label) in labels(&bytes).iter().enumerate() {
                let mut changed = bytes.clone();
                changed.remove(at);
                tally.try_one(label, &changed);
                let mut changed = bytes.clone();
                changed.insert(at, bytes[at]);
                tally.try_one(label, &changed);
            }
        }
        // A file of version 6 is one of version 5 to a reader that does not look at segments, and a producer has any length.
        let read: Vec<&str> = tally.0.iter().filter(|part| part.1.0 > 0).map(|part| part.0.as_str()).collect();
        assert_eq!(read, ["bytecode version 1", "bytecode version 6", "producer \"hand\""]);
        let tried: usize = tally.0.values().map(|part| part.1).sum();
        assert!(tried > 1_000, "{tried}");
    });
}

/// At every byte of every table stands a number as large as it can be, and what encloses it says its new length.
#[test]
fn every_integer_huge() {
    on_a_small_stack(|| {
        let mut tally = Tally::default();
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
                for (place, (id, whole)) in sections.iter().enumerate() {
                    for at in 0..whole.len() {
                        let mut sections = sections.clone();
                        sections[place].1 = huge(whole, at, number);
                        tally.try_one(&format!("section {id}"), &assemble(version, &sections));
                    }
                }
                // Entries and blobs have their lengths in other places.
                for (place, entry) in file.attributes.iter().enumerate() {
                    for at in 0..entry.bytes.len() {
                        let mut file = file.clone();
                        file.attributes[place].bytes = huge(&entry.bytes, at, number);
                        tally.try_one(&format!("attribute {place}"), &file.bytes());
                    }
                }
                for (place, entry) in file.types.iter().enumerate() {
                    for at in 0..entry.bytes.len() {
                        let mut file = file.clone();
                        file.types[place].bytes = huge(&entry.bytes, at, number);
                        tally.try_one(&format!("type {place}"), &file.bytes());
                    }
                }
                for (place, blob) in file.properties.iter().enumerate() {
                    for at in 0..blob.len() {
                        let mut file = file.clone();
                        file.properties[place] = huge(blob, at, number);
                        tally.try_one(&format!("property blob {place}"), &file.bytes());
                    }
                }
            }
        }
        tally.expect("huge.txt");
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
    let index = Index::build(&read(&crate::definitions::context(), bytes.clone()).expect("opened")).expect("indexed");
    assert_eq!(index.symbol_count(), 40);
    let whole = index.as_bytes().to_vec();
    let look = |index: Vec<u8>| {
        let Ok(index) = Index::open(index) else { return 0 };
        let options = ReadOptions::new().index(index);
        let Ok(module) = read_with(&crate::definitions::context(), bytes.clone(), &options) else { return 0 };
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
