//! Opening, loading and writing modules that the generator makes: `cargo bench -p mlirbc-benches --bench load`.
//!
//! The environment variable `MLIRBC_BENCH_SIZES` names other sizes of bytecode: `MLIRBC_BENCH_SIZES=10K,200M`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bytes::Bytes;
use criterion::{BenchmarkId, Criterion, Throughput};
use mlirbc::bytecode::{WriteOptions, decode_all, detach, read, read_with, write};
use mlirbc::ir::BodyId;
use mlirbc::{Context, Index, Module, ReadOptions, Result};
use mlirbc_testing::{Shape, generate, sizes};

const SIZES: &str = "10K,1M,20M";

/// Every operation read, every entry decoded, use-lists built.
fn load_full(context: &Context, bytes: &Bytes) -> Result<Module> {
    let mut module = read(context, bytes.clone())?;
    decode_all(&module)?;
    for at in 0..module.body_count() {
        module.build_uses(BodyId::from_index(at))?;
    }
    Ok(module)
}

/// Times `run` with a new context each time, and not the dropping of what it gives.
fn bench<T>(
    criterion: &mut Criterion,
    what: &str,
    input: &(String, Bytes),
    mut run: impl FnMut(&Context, &Bytes) -> Result<T>,
) {
    let (name, bytes) = input;
    let mut group = criterion.benchmark_group(what);
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_with_input(BenchmarkId::from_parameter(name), bytes, |bencher, bytes| {
        bencher.iter_custom(|times| {
            let mut total = Duration::ZERO;
            for _ in 0..times {
                let context = Context::new();
                let start = Instant::now();
                let got = black_box(run(&context, bytes)).expect("a generated module is well-formed");
                total += start.elapsed();
                drop(got);
            }
            total
        });
    });
    group.finish();
}

fn all(criterion: &mut Criterion, shape: Shape, name: &str, size: usize) -> Result<()> {
    let bytes: Bytes = {
        let context = Context::new();
        write(&generate(&context, shape, size)?, &WriteOptions::default())?.into()
    };
    let input = (format!("{}-{name}", shape.name()), bytes);
    bench(criterion, "open", &input, |context, bytes| read(context, bytes.clone()));
    bench(criterion, "symbol", &input, |context, bytes| {
        let module = read(context, bytes.clone())?;
        let count = module.symbol("f0")?.expect("the first function").walk()?.count();
        Ok((module, count))
    });
    let index = Index::build(&read(&Context::new(), input.1.clone())?)?;
    bench(criterion, "symbol with index", &input, |context, bytes| {
        let options = ReadOptions::new().index(index.clone());
        let module = read_with(context, bytes.clone(), &options)?;
        let count = module.symbol("f0")?.expect("the first function").walk()?.count();
        Ok((module, count))
    });
    bench(criterion, "lazy", &input, |context, bytes| {
        let module = read(context, bytes.clone())?;
        let count: usize = module.operations()?.filter_map(|op| op.ops().ok()).map(Iterator::count).sum();
        Ok((module, count))
    });
    bench(criterion, "eager", &input, |context, bytes| {
        let module = read(context, bytes.clone())?;
        module.load_all()?;
        Ok(module)
    });
    bench(criterion, "full", &input, load_full);
    let context = Context::new();
    let mut module = load_full(&context, &input.1)?;
    detach(&mut module)?;
    let options = WriteOptions::like(&module);
    bench(criterion, "write", &input, |_, _| write(&module, &options));
    Ok(())
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    for shape in Shape::ALL {
        for (name, size) in sizes(SIZES) {
            if let Err(error) = all(&mut criterion, shape, &name, size) {
                eprintln!("{} of {name}: {error}", shape.name());
                std::process::exit(1);
            }
        }
    }
    criterion.final_summary();
}
