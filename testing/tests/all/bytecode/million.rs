//! Files of a few megabytes that nest a million levels deep, or in a circle: an error or a right result within a second.
//!
//! The times are those of an optimised build, one test after the other: `cargo test --release --test all million:: --
//! --test-threads 1`. A build that checks everything goes less deep, and is only held to come to an end.

use crate::bytecode::common;

use std::time::{Duration, Instant};

use common::*;
use mlirbc_bytecode::{BytecodeFile, read};
use mlirbc_ir::text::{parse_attribute, parse_type};
use mlirbc_ir::{Module, ModuleSource, Result};
use mlirbc_text::{ParseOptions, parse_module};

const DEPTH: u64 = if cfg!(debug_assertions) { 150_000 } else { 1_000_000 };

/// Runs on a small stack, and takes no longer than it may.
fn quickly<T: Send>(what: &str, run: impl FnOnce() -> T + Send) -> T {
    let (result, time) = on_a_small_stack(|| {
        let (start, used) = (Instant::now(), processor_time());
        let result = run();
        let used = used.zip(processor_time()).map(|(before, after)| after - before);
        (result, used.unwrap_or_else(|| start.elapsed()))
    });
    println!("{what}: {time:?}");
    let most = if cfg!(debug_assertions) { 30 } else { 1 };
    assert!(time <= Duration::from_secs(most), "{what}: {time:?}");
    result
}

/// How long a processor has worked for this thread, where the system tells. Other programs do not count.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// Reads and decodes everything; what is read is dropped within the time as well.
fn decided(what: &str, bytes: &[u8], look: impl FnOnce(Result<Module>) + Send) {
    assert!(bytes.len() < 16 << 20, "{what}: {} bytes", bytes.len());
    quickly(what, || look(load(bytes)));
}

fn is_read(result: Result<Module>) {
    drop(result.unwrap_or_else(|error| panic!("{error}")));
}

fn is_refused(message: &str) -> impl FnOnce(Result<Module>) + '_ {
    move |result| {
        let error = result.err().unwrap_or_else(|| panic!("read, where `{message}` was expected"));
        assert!(error.message().contains(message), "{error}");
    }
}

/// A chain of attributes behind the two first; each names the one before it or after it, the end an unknown location.
fn attributes(towards_the_end: bool, mut link: impl FnMut(u64) -> Out) -> Vec<u8> {
    let mut file = File::new(6);
    file.string_attribute("x");
    for at in 0..DEPTH {
        let inner = match towards_the_end {
            true if at == DEPTH - 1 => UNKNOWN,
            true => 2 + at + 1,
            false if at == 0 => UNKNOWN,
            false => 2 + at - 1,
        };
        file.builtin(link(inner));
    }
    file.hold([if towards_the_end { 2 } else { 2 + DEPTH - 1 }]);
    file.bytes()
}

#[test]
fn attributes_and_locations() {
    for towards_the_end in [false, true] {
        decided("arrays", &attributes(towards_the_end, |inner| out().v(0).v(1).v(inner)), is_read);
        decided("dictionaries", &attributes(towards_the_end, |inner| out().v(1).v(1).v(1).v(inner)), is_read);
        decided("distinct", &attributes(towards_the_end, |inner| out().v(21).v(inner)), is_read);
        decided("names", &attributes(towards_the_end, |inner| out().v(14).v(1).v(inner)), is_read);
        decided("call sites", &attributes(towards_the_end, |inner| out().v(10).v(inner).v(inner)), is_read);
        decided("fused", &attributes(towards_the_end, |inner| out().v(13).v(1).v(inner).v(1)), is_read);
    }
}

#[test]
fn types() {
    for towards_the_end in [false, true] {
        let tuples = nested_types(DEPTH, towards_the_end, |inner| out().v(15).v(1).v(inner));
        decided("tuples", &tuples, is_read);
    }
}

/// Each of the entries holds the next, the last one the first.
#[test]
fn circles() {
    for length in [1, 2, 100, DEPTH] {
        let mut file = File::new(6);
        for at in 0..length {
            file.builtin(out().v(0).v(1).v(1 + (at + 1) % length));
        }
        file.hold([1]);
        let bytes = file.bytes();
        decided("a circle of arrays", &bytes, is_refused("itself"));
        // A look at one of them alone finds out as well.
        quickly("one of them", || {
            let module = read(&crate::definitions::context(), bytes.clone()).expect("opened");
            let file = BytecodeFile::of(&module).expect("a file");
            assert!(file.attribute(module.context(), 1 + length as u32 / 2).is_err());
        });
        let mut file = File::new(6);
        for at in 0..length {
            file.ty(out().v(15).v(1).v(1 + (at + 1) % length));
        }
        file.ops([op().results(&[1])]);
        decided("a circle of tuples", &file.bytes(), is_refused("itself"));
    }
}

/// Regions within regions: inline, in sections, and those of operations with bodies of their own.
#[test]
fn regions() {
    for (what, name, isolated) in [("inline", OP, false), ("isolated", OP, true), ("modules", MODULE, true)] {
        let mut file = File::new(6);
        let properties = (name == MODULE).then(|| file.properties(out().v(0).v(0)));
        file.ir = nested(name, isolated, properties, DEPTH);
        decided(what, &file.bytes(), is_refused("nested deeper than 131072"));
    }
}

/// The bytes of regions within each other, outermost first, made from the inside.
fn nested(name: u64, isolated: bool, properties: Option<u64>, depth: u64) -> Vec<u8> {
    let mask = 0x10 | if properties.is_some() { 0x40 } else { 0 };
    // Backwards, since a section's length comes before it.
    let mut reversed: Vec<u8> = Vec::new();
    for level in 0..depth {
        let region = if level == 0 { out().v(0) } else { out().v(1).v(0).v(1 << 1) };
        reversed.extend(region.0.iter().rev());
        if isolated {
            let length = out().v(reversed.len() as u64);
            reversed.extend(length.0.iter().rev());
            reversed.push(IR);
        }
        let head = properties.iter().fold(out().v(name).b(mask).v(UNKNOWN), |out, &blob| out.v(blob));
        reversed.extend(head.v(1 << 1 | u64::from(isolated)).0.iter().rev());
    }
    reversed.extend(out().v(1 << 1).0.iter().rev());
    reversed.reverse();
    reversed
}

/// The same in text.
#[test]
fn texts() {
    let deep = |open: &str, inner: &str, close: &str| {
        [open.repeat(DEPTH as usize), inner.to_owned(), close.repeat(DEPTH as usize)].concat().into_bytes()
    };
    for (open, inner, close) in [
        ("[", "", "]"),
        ("{a=", "1", "}"),
        ("distinct[0]<", "", ">"),
        ("loc(", "unknown", ")"),
        ("callsite(", "unknown", " at unknown)"),
        ("fused[", "unknown", "]"),
        ("\"a\"(", "unknown", ")"),
        ("#t.a<", "", ">"),
        ("#t.a<(", "", ")>"),
        ("affine_map<()->(", "", ")>"),
    ] {
        for prefix in ["", "loc("] {
            let text = [prefix.as_bytes(), &deep(open, inner, close)].concat();
            quickly(open, || drop(parse_attribute(&crate::definitions::context(), &text)));
        }
    }
    for (open, inner, close) in [
        ("tuple<", "i32", ">"),
        ("(", "i32", ") -> ()"),
        ("() -> (", "i32", ")"),
        ("complex<", "i32", ">"),
        ("memref<1x", "i32", ">"),
        ("!t.t<", "", ">"),
        ("tensor<1xi32, [", "", "]>"),
    ] {
        let text = deep(open, inner, close);
        quickly(open, || drop(parse_type(&crate::definitions::context(), &text)));
    }
    for (open, inner, close) in [
        ("\"t.a\"()({", "", "}):()->()"),
        ("builtin.module{", "", "}"),
        ("module{", "", "}"),
        ("\"t.a\"()({^a:", "", "}):()->()"),
        ("\"t.a\"(){a=[", "", "]}:()->()"),
        ("#a = [", "", "]\n"),
        ("(", "", ")"),
        ("((", "d0", "))"),
    ] {
        let text = deep(open, inner, close);
        quickly(open, || drop(parse_module(&crate::definitions::context(), &text, &ParseOptions::new())));
    }
    let map = format!("affine_map<(d0) -> ({}d0{})>", "(".repeat(DEPTH as usize), ")".repeat(DEPTH as usize));
    quickly("parentheses", || drop(parse_attribute(&crate::definitions::context(), map.as_bytes())));
    let map = format!("affine_map<(d0) -> ({}d0)>", "-".repeat(DEPTH as usize));
    quickly("signs", || drop(parse_attribute(&crate::definitions::context(), map.as_bytes())));
    let map = format!("affine_map<(d0) -> (d0{})>", " + d0".repeat(DEPTH as usize));
    quickly("sums", || drop(parse_attribute(&crate::definitions::context(), map.as_bytes())));
}
