//! Small modules, read and written one after the other in one context that has seen them before, as processes do that keep many:
//! `cargo bench -p mlirbc-benches --bench small`.
//!
//! Files of the fixtures one by one, and where `MLIRBC_SHARED` names the reference data, 40 of each of two folders of it together: how many
//! are done in a second.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytes::Bytes;
use criterion::{BenchmarkId, Criterion, Throughput};
use mlirbc::bytecode::{Reader, WriteOptions, Writer, decode_all, detach};
use mlirbc::ir::BodyId;
use mlirbc::{Context, Module, Result};
use mlirbc_testing::{corpus, fixtures};

/// How many bytes a small file has.
const SMALL: std::ops::RangeInclusive<usize> = 200..=20_000;

/// How many files of a folder are taken, as far apart as they can be.
const FILES: usize = 40;

/// Every operation read.
fn eager(reader: &Reader, bytes: &Bytes) -> Result<Module> {
    let module = reader.read(bytes.clone())?;
    module.load_all()?;
    Ok(module)
}

/// Every operation read, every entry decoded, use-lists built.
fn full(reader: &Reader, bytes: &Bytes) -> Result<Module> {
    let mut module = reader.read(bytes.clone())?;
    decode_all(&module)?;
    for at in 0..module.body_count() {
        module.build_uses(BodyId::from_index(at))?;
    }
    Ok(module)
}

/// Times `run` on all of these, and not the dropping of what it gives.
fn bench<I, T>(criterion: &mut Criterion, what: &str, name: &str, inputs: &[I], run: impl Fn(&I) -> Result<T>) {
    let mut group = criterion.benchmark_group(format!("small {what}"));
    group.throughput(Throughput::Elements(inputs.len() as u64));
    group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
        bencher.iter_custom(|times| {
            let mut total = Duration::ZERO;
            for _ in 0..times {
                for input in inputs {
                    let start = Instant::now();
                    let got = black_box(run(input)).expect("it was read before");
                    total += start.elapsed();
                    drop(got);
                }
            }
            total
        });
    });
    group.finish();
}

/// Those of the files that are small and can be decoded.
fn all(criterion: &mut Criterion, name: &str, paths: &[PathBuf]) -> Result<usize> {
    let reader = Reader::new(&Context::new());
    let writer = Writer::new(reader.context());
    let (mut inputs, mut modules) = (Vec::new(), Vec::new());
    for path in paths {
        let bytes = Bytes::from(std::fs::read(path)?);
        if SMALL.contains(&bytes.len())
            && let Ok(mut module) = full(&reader, &bytes)
        {
            detach(&mut module)?;
            let options = WriteOptions::like(&module);
            inputs.push(bytes);
            modules.push((module, options));
        }
    }
    if !inputs.is_empty() {
        bench(criterion, "eager", name, &inputs, |bytes| eager(&reader, bytes));
        bench(criterion, "full", name, &inputs, |bytes| full(&reader, bytes));
        bench(criterion, "write", name, &modules, |(module, options)| writer.write(module, options));
    }
    Ok(inputs.len())
}

fn main() -> Result<()> {
    let mut criterion = Criterion::default().configure_from_args();
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(fixtures())?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    names.retain(|path| path.extension().is_some_and(|extension| extension == "mlirbc"));
    names.sort();
    let mut found = 0;
    for path in names {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        found += all(&mut criterion, &name, &[path])?;
    }
    assert!(found > 5, "{found} small files among the fixtures");
    for folder in ["bytecode", "spirv_dialect"] {
        let Some(mut paths) = corpus(folder, "small modules of the corpus") else { continue };
        paths.retain(|path| std::fs::metadata(path).is_ok_and(|data| SMALL.contains(&(data.len() as usize))));
        let step = (paths.len() / FILES).max(1);
        let paths: Vec<PathBuf> = paths.into_iter().step_by(step).take(FILES).collect();
        found = all(&mut criterion, folder, &paths)?;
        assert!(found > FILES / 2, "{found} small files of {folder} can be decoded");
    }
    criterion.final_summary();
    Ok(())
}
