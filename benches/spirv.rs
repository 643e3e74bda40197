//! SPIR-V binaries into IR, IR into binaries, and through bytecode; beside them `rspirv`, which builds and writes its own
//! data representation of the same files.
//!
//! The files are those of the reference corpus where there is one, else the fixtures. Each is read into a context of its
//! own, as a program that opens one shader would, but for `IR to bytecode` and `bytecode to binary`: there one context is kept.
//!
//! Raising to MLIR's dialect and lowering from it have no peer in Rust; `cargo run --release -p mlirbc-spirv --example
//! raise_times` times them file by file, as libMLIR's deserializer and serializer can be timed.

#![allow(missing_docs, reason = "`criterion_group!` makes public functions")]

use std::hint::black_box;
use std::path::PathBuf;

use bytes::Bytes;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mlirbc::bytecode::{self, Reader, WriteOptions, Writer};
use mlirbc::ir::{BodyId, OpId};
use mlirbc::{Context, Module, spirv};
use rspirv::binary::Assemble;

fn files() -> Vec<Bytes> {
    let shared = std::env::var_os("MLIRBC_SHARED").map(|shared| PathBuf::from(shared).join("corpus/spirv"));
    let folder = shared.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/spirv"));
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "spv"));
    paths.sort();
    assert!(!paths.is_empty(), "no .spv in {}", folder.display());
    let files = paths.iter().map(|path| Bytes::from(std::fs::read(path).expect("a module")));
    // What `rspirv` cannot read is left out on both sides.
    files.filter(|file| rspirv::dr::load_bytes(file).is_ok()).collect()
}

fn context() -> Context {
    let context = Context::new();
    spirv::register(&context).expect("the dialect");
    context
}

fn read(context: &Context, file: &Bytes) -> Module {
    spirv::read(context, file.clone()).expect("a module")
}

/// The same module, one instruction of which was changed into itself: what was not touched is written by copying it.
fn edited(mut module: Module) -> Module {
    let last = BodyId::from_index(module.body_count() - 1);
    let first = OpId::from_index(0);
    let edit = module.rewrite(last, |rw| rw.set_properties(first, rw.body().properties(first)));
    edit.expect("an instruction");
    assert!(module.body(last).is_ok_and(|body| body.is_edited()));
    module
}

fn spirv_binaries(criterion: &mut Criterion) {
    let files = files();
    let bytes: usize = files.iter().map(Bytes::len).sum();
    eprintln!("{} modules, {bytes} bytes", files.len());
    let words: Vec<Vec<u32>> =
        files.iter().map(|file| file.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()).collect();
    let modules: Vec<Module> = files.iter().map(|file| read(&context(), file)).collect();
    let theirs: Vec<_> = words.iter().map(|words| rspirv::dr::load_words(words).expect("a module")).collect();
    let bytecode: Vec<Bytes> = modules
        .iter()
        .map(|module| bytecode::write(module, &WriteOptions::default()).expect("bytecode").into())
        .collect();

    let mut group = criterion.benchmark_group("spirv");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("binary to IR", |bencher| {
        let contexts = || files.iter().map(|_| context()).collect::<Vec<_>>();
        let read_all = |contexts: Vec<Context>| -> Vec<Module> {
            contexts.iter().zip(&files).map(|(context, file)| read(context, file)).collect()
        };
        bencher.iter_batched(contexts, read_all, BatchSize::LargeInput);
    });
    group.bench_function("binary to IR, context included", |bencher| {
        bencher.iter_with_large_drop(|| files.iter().map(|file| read(&context(), file)).collect::<Vec<_>>());
    });
    group.bench_function("rspirv: load_words", |bencher| {
        let load = |words: &Vec<u32>| rspirv::dr::load_words(words).expect("a module");
        bencher.iter_with_large_drop(|| words.iter().map(load).collect::<Vec<_>>());
    });
    group.bench_function("IR to binary", |bencher| {
        bencher.iter(|| modules.iter().for_each(|module| drop(black_box(spirv::write_words(module)))));
    });
    let edited: Vec<Module> = files.iter().map(|file| edited(read(&context(), file))).collect();
    group.bench_function("IR to binary, edited", |bencher| {
        bencher.iter(|| edited.iter().for_each(|module| drop(black_box(spirv::write_words(module)))));
    });
    group.bench_function("rspirv: assemble", |bencher| {
        bencher.iter(|| theirs.iter().for_each(|module| drop(black_box(module.assemble()))));
    });
    // One context, reader and writer, as a program keeps them that has many shaders.
    let kept = context();
    let (reader, writer) = (Reader::new(&kept), Writer::new(&kept));
    let in_kept: Vec<Module> = files.iter().map(|file| read(&kept, file)).collect();
    group.bench_function("IR to bytecode", |bencher| {
        let options = WriteOptions::default();
        bencher.iter(|| in_kept.iter().for_each(|module| drop(black_box(writer.write(module, &options)))));
    });
    group.bench_function("bytecode to binary", |bencher| {
        bencher.iter(|| {
            for file in &bytecode {
                let module = reader.read(file.clone()).expect("bytecode");
                drop(black_box(spirv::write(&module)));
            }
        });
    });
    group.bench_function("binary to bytecode, context included", |bencher| {
        bencher.iter(|| {
            for file in &files {
                let module = read(&context(), file);
                drop(black_box(bytecode::write(&module, &WriteOptions::default())));
            }
        });
    });
    group.bench_function("bytecode to binary, context included", |bencher| {
        bencher.iter(|| {
            for file in &bytecode {
                let module = bytecode::read(&context(), file.clone()).expect("bytecode");
                drop(black_box(spirv::write(&module)));
            }
        });
    });
    // Where the dialect has no place for a module, `auto` keeps the binary form.
    let raised: Vec<(&Bytes, Module)> =
        files.iter().filter_map(|file| Some((file, spirv::raise(&context(), file.clone()).ok()?))).collect();
    let bytes: usize = raised.iter().map(|(file, _)| file.len()).sum();
    eprintln!("{} of them in the dialect, {bytes} bytes", raised.len());
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("binary to dialect", |bencher| {
        let contexts = || raised.iter().map(|_| context()).collect::<Vec<_>>();
        let raise_all = |contexts: Vec<Context>| -> Vec<Module> {
            let raise = |(context, (file, _)): (&Context, &(&Bytes, Module))| spirv::raise(context, (*file).clone());
            contexts.iter().zip(&raised).map(raise).collect::<Result<_, _>>().expect("the dialect")
        };
        bencher.iter_batched(contexts, raise_all, BatchSize::LargeInput);
    });
    group.bench_function("dialect to binary", |bencher| {
        bencher.iter(|| raised.iter().for_each(|(_, module)| drop(black_box(spirv::lower_words(module)))));
    });
    group.finish();
}

criterion_group!(benches, spirv_binaries);
criterion_main!(benches);
