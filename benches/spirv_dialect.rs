//! Decoding the types and attributes of MLIR's dialect `spirv` in bytecode: from the text that MLIR writes, and from this
//! crate's encodings.
//!
//! The files are those of the reference corpus, or a module like them. What is timed is the decoding of the dialect's
//! entries, and of what these refer to, of all files in one context: a new one, or one that has seen files before.

#![allow(missing_docs, reason = "`criterion_group!` makes public functions")]

use std::hint::black_box;
use std::path::PathBuf;

use bytes::Bytes;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use mlirbc::bytecode::{self, WriteOptions};
use mlirbc::ir::{AttributeData, TypeData};
use mlirbc::spirv::{self, dialect::DIALECT};
use mlirbc::text::{ParseOptions, parse_module};
use mlirbc::{Context, Module};

const LIKE_THEM: &str = r#"
spirv.module Logical GLSL450 requires #spirv.vce<v1.6, [Shader], [SPV_KHR_storage_buffer_storage_class]> {
  spirv.GlobalVariable @a bind(0, 0) : !spirv.ptr<!spirv.struct<A, (!spirv.matrix<4 x vector<4xf32>> [0, MatrixStride=16, ColMajor], vector<4xf32> [64]), Block>, Uniform>
  spirv.GlobalVariable @b {location = 0 : i32} : !spirv.ptr<vector<4xf32>, Output>
  spirv.func @main() "None" { spirv.Return }
  spirv.EntryPoint "Fragment" @main, @b
  spirv.ExecutionMode @main "OriginUpperLeft"
}
"#;

fn context() -> Context {
    let context = Context::new();
    spirv::register(&context).expect("the dialects");
    context
}

/// The files as MLIR writes them.
fn files() -> Vec<Bytes> {
    let Some(shared) = std::env::var_os("MLIRBC_SHARED") else {
        let context = context();
        let module = parse_module(&context, LIKE_THEM.as_bytes(), &ParseOptions::new()).expect("a module");
        return vec![as_text(&module)];
    };
    let folder = PathBuf::from(shared).join("corpus/spirv_dialect");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "mlirbc"));
    paths.sort();
    paths.iter().map(|path| Bytes::from(std::fs::read(path).expect("a module"))).collect()
}

fn as_text(module: &Module) -> Bytes {
    let mut options = WriteOptions::like(module);
    options.unregistered = vec![DIALECT.to_owned()];
    bytecode::write(module, &options).expect("bytecode").into()
}

/// The places of the dialect's entries in a file: of attributes, and of types.
fn entries(file: &Bytes) -> (Vec<u32>, Vec<u32>) {
    let context = context();
    let module = bytecode::read(&context, file.clone()).expect("bytecode");
    let source = module.source().expect("a source");
    let of_dialect = |name| context.bytes(name) == DIALECT.as_bytes();
    let attributes = (0..source.attribute_count()).filter(|&at| {
        matches!(&context[source.attribute(&context, at).expect("an attribute")],
            AttributeData::Dialect(value) if of_dialect(value.dialect))
    });
    let types = (0..).map_while(|at| source.ty(&context, at).ok()).zip(0..);
    let types = types.filter(|(ty, _)| matches!(&context[*ty], TypeData::Dialect(value) if of_dialect(value.dialect)));
    (attributes.collect(), types.map(|(_, at)| at).collect())
}

struct Input {
    file: Bytes,
    /// An attribute and a type of other dialects, to find the tables with.
    others: (Option<u32>, Option<u32>),
    attributes: Vec<u32>,
    types: Vec<u32>,
}

impl Input {
    fn new(file: Bytes) -> Self {
        let (attributes, types) = entries(&file);
        let other = |of: &[u32]| (0..=of.len() as u32).find(|at| !of.contains(at));
        let others = (other(&attributes), other(&types));
        Input { file, others, attributes, types }
    }

    /// The file opened, its tables found.
    fn open(&self, context: &Context) -> Module {
        let module = bytecode::read(context, self.file.clone()).expect("bytecode");
        let source = module.source().expect("a source");
        let _ = source.dialect_versions();
        let _ = self.others.0.map(|at| source.attribute(context, at));
        let _ = self.others.1.map(|at| source.ty(context, at));
        module
    }

    fn decode(&self, module: &Module) {
        let (context, source) = (module.context(), module.source().expect("a source"));
        for &at in &self.attributes {
            black_box(source.attribute(context, at).expect("an attribute"));
        }
        for &at in &self.types {
            black_box(source.ty(context, at).expect("a type"));
        }
    }
}

fn decoding(criterion: &mut Criterion) {
    let files = files();
    let custom = files.iter().map(|file| {
        let module = bytecode::read(&context(), file.clone()).expect("bytecode");
        Bytes::from(bytecode::write(&module, &WriteOptions::like(&module)).expect("bytecode"))
    });
    let custom: Vec<Input> = custom.map(Input::new).collect();
    let text: Vec<Input> = files.into_iter().map(Input::new).collect();
    let count = |inputs: &[Input]| inputs.iter().map(|it| it.attributes.len() + it.types.len()).sum::<usize>();
    eprintln!("{} files, {} entries as text, {} in encodings", text.len(), count(&text), count(&custom));
    let mut group = criterion.benchmark_group("spirv dialect entries");
    group.throughput(Throughput::Elements(count(&text) as u64));
    for (what, inputs, register) in
        [("text", &text, true), ("encodings", &custom, true), ("text kept as text", &text, false)]
    {
        let new = || {
            let context = Context::new();
            if register {
                spirv::register(&context).expect("the dialects");
                // Made here, and not while the clock runs.
                context.dialect(DIALECT);
            }
            context
        };
        let open = |context: &Context| inputs.iter().map(|input| input.open(context)).collect::<Vec<_>>();
        let decode = |modules: Vec<Module>| {
            inputs.iter().zip(&modules).for_each(|(input, module)| input.decode(module));
            modules
        };
        group.bench_function(format!("new context/{what}"), |bencher| {
            bencher.iter_batched(|| open(&new()), decode, BatchSize::LargeInput);
        });
        let known = new();
        decode(open(&known));
        group.bench_function(format!("known context/{what}"), |bencher| {
            bencher.iter_batched(|| open(&known), decode, BatchSize::LargeInput);
        });
    }
    group.finish();
}

criterion_group!(benches, decoding);
criterion_main!(benches);
