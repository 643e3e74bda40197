//! How long op definitions take to load: the whole upstream table, one dialect of it, one operation.

#![allow(missing_docs, reason = "`criterion_group!` makes public functions")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use mlirbc::ir::ods::OpTable;

fn load(criterion: &mut Criterion) {
    let upstream = OpTable::union(&mlirbc::definitions());
    let whole = upstream.to_bytes();
    let dialect = |name: &str| OpTable::from_definitions(upstream.dialect(name)).to_bytes();
    let (arith, llvm) = (dialect("arith"), dialect("llvm"));
    let mut group = criterion.benchmark_group("ods");
    group.bench_function("whole table, checked", |bencher| {
        bencher.iter(|| OpTable::from_bytes(black_box(whole.clone())).expect("a table"));
    });
    group.bench_function("whole table, every operation", |bencher| {
        bencher.iter(|| black_box(&upstream).iter().map(|op| op.properties.len()).sum::<usize>());
    });
    for (name, bytes) in [("arith", arith), ("llvm", llvm)] {
        group.bench_function(format!("one dialect ({name}), checked"), |bencher| {
            bencher.iter(|| OpTable::from_bytes(black_box(bytes.clone())).expect("a table"));
        });
        group.bench_function(format!("one dialect ({name}), every operation"), |bencher| {
            bencher.iter(|| black_box(&upstream).dialect(name).map(|op| op.properties.len()).sum::<usize>());
        });
    }
    group.bench_function("one operation", |bencher| {
        bencher.iter(|| black_box(&upstream).get(black_box("arith.addi")).expect("defined"));
    });
    group.bench_function("one operation with its details", |bencher| {
        bencher.iter(|| black_box(&upstream).get(black_box("arith.addi")).expect("defined").operands().len());
    });
    group.finish();
}

criterion_group!(benches, load);
criterion_main!(benches);
