//! What writing takes of memory. One test, since it counts the memory of the whole process.

use std::io::Write;

use bytes::Bytes;
use mlirbc_bytecode::{WriteOptions, decode_all, read, write, write_to};
use mlirbc_ir::{AttributeData, Context, Module, ResourceEntry, ResourceGroup, ResourceValue, TypeData};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A module with blobs of these sizes, each aligned to 64.
fn module(context: &Context, sizes: &[usize]) -> Module {
    let mut module = parse_module(context, b"\"t.a\"() : () -> ()", &ParseOptions::new()).expect("text");
    let entries = sizes.iter().enumerate().map(|(at, &size)| ResourceEntry {
        key: format!("blob{at}").into_bytes().into(),
        handle: None,
        value: ResourceValue::Blob { alignment: 64, data: Bytes::from(vec![at as u8; size]).into() },
    });
    let group = ResourceGroup { owner: context.identifier("owner"), dialect: false, entries: entries.collect() };
    module.resources_mut().expect("resources").push(group);
    module
}

/// A module of one operation with dense attributes of these sizes, an array after each elements.
fn dense(context: &Context, sizes: &[usize]) -> Module {
    let mut module = parse_module(context, b"\"t.a\"() : () -> ()", &ParseOptions::new()).expect("text");
    let element = context.integer_type(8);
    let mut entries = Vec::new();
    for (at, &size) in sizes.iter().enumerate() {
        // No two the same, and none a splat.
        let data = |salt: usize| Bytes::from((0..size).map(|byte| (byte * 7 + at + salt) as u8).collect::<Vec<_>>());
        let ty = context.ty(TypeData::RankedTensor { shape: [size as i64].into(), element, encoding: None });
        let elements = AttributeData::dense_elements(context, ty, data(1)).expect("elements of the type");
        entries.push((context.identifier(format!("a{at}")), context.attribute(elements)));
        let array = AttributeData::DenseArray { element, data: data(2) };
        entries.push((context.identifier(format!("b{at}")), context.attribute(array)));
    }
    let dictionary = context.dictionary(entries).expect("names that differ");
    let op = module.operations().expect("operations").next().expect("an operation");
    let (body, op) = (op.body_id(), op.id());
    module.rewrite(body, |rw| rw.set_attributes(op, Some(dictionary.into()))).expect("an operation");
    module
}

/// Memory that writing to nowhere takes beside the module, and how many bytes were written.
fn peak(module: &Module) -> (usize, usize) {
    peak_on(module, 1)
}

fn peak_on(module: &Module, threads: usize) -> (usize, usize) {
    let mut counted = Counted(0);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    write_to(module, &WriteOptions::new().threads(threads), &mut counted).expect("written");
    (MEMORY.peak_usage().saturating_sub(before), counted.0)
}

#[test]
fn large_attributes_and_blobs_are_written_from_where_they_stand() {
    attributes();
    blobs();
    threads();
}

/// What was written on several threads is put in its place before all is written.
fn threads() {
    let context = mlirbc_testing::context();
    let module = mlirbc_testing::generate(&context, mlirbc_testing::Shape::Functions, 12 << 20).expect("a module");
    let (one, written) = peak(&module);
    for threads in [2, 3] {
        let (several, also) = peak_on(&module, threads);
        assert_eq!(also, written);
        // 65,536 operations a thread, of 20 bytes at most.
        let bound = one + ((threads * 20) << 16);
        println!("{threads} threads: {several} bytes of memory, {one} on one, for a file of {written}");
        assert!(several < bound, "{several} bytes of memory on {threads} threads, {one} on one");
    }
}

fn attributes() {
    // Around the size from which on they are not copied, and in every order.
    let sizes = [1, 2, 4095, 4096, 4097, 1 << 16];
    for from in 0..sizes.len() {
        for to in from..sizes.len() {
            let mut module = dense(&mlirbc_testing::context(), &sizes[from..=to]);
            for version in [0, 4, 6] {
                let options = WriteOptions::new().version(version);
                let whole = write(&module, &options).expect("written");
                let mut pieces = Vec::new();
                write_to(&module, &options, &mut pieces).expect("written");
                assert!(pieces == whole, "{from}..={to} of version {version}");
                let again = read(&mlirbc_testing::context(), whole.clone()).expect("read");
                decode_all(&again).expect("well-formed");
                assert!(write(&again, &WriteOptions::like(&again)).expect("written") == whole);
                let text = |module: &Module| {
                    let mut text = Vec::new();
                    print_module(module, &PrintOptions::new(), &mut text).expect("text");
                    text
                };
                assert!(text(&again) == text(&module), "{from}..={to} of version {version}");
            }
            // Beside a blob, whose alignment counts all before it.
            let blob = self::module(module.context(), &[1 << 13]).resources().expect("resources")[0].clone();
            module.resources_mut().expect("resources").push(blob);
            let whole = write(&module, &WriteOptions::default()).expect("written");
            let again = read(&mlirbc_testing::context(), whole.clone()).expect("read");
            assert!(write(&again, &WriteOptions::like(&again)).expect("written") == whole);
        }
    }
    const SIZE: usize = 100 << 20;
    let module = dense(&mlirbc_testing::context(), &[SIZE / 2, 17]);
    let (peak, written) = peak(&module);
    assert!(written > SIZE, "{written} bytes written");
    assert!(peak < 1 << 20, "{peak} bytes of memory for attributes of {SIZE}");
}

fn blobs() {
    let context = mlirbc_testing::context();
    // Around the size from which on they are not copied, and in every order, the file is the same as in memory.
    let sizes = [0, 1, 4095, 4096, 4097, 1 << 16];
    for from in 0..sizes.len() {
        for to in from..sizes.len() {
            let module = module(&context, &sizes[from..=to]);
            let whole = write(&module, &WriteOptions::default()).expect("written");
            let mut pieces = Vec::new();
            write_to(&module, &WriteOptions::default(), &mut pieces).expect("written");
            assert!(pieces == whole, "{from}..={to}");
            let again = read(&context, whole.clone()).expect("read");
            let blobs = again.resources().expect("resources").iter().flat_map(|group| &group.entries);
            let found: Vec<usize> = blobs
                .map(|entry| match &entry.value {
                    ResourceValue::Blob { data, .. } => data.bytes().expect("whole").len(),
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(found, &sizes[from..=to]);
            assert!(write(&again, &WriteOptions::like(&again)).expect("written") == whole);
        }
    }
    const BLOB: usize = 100 << 20;
    let module = module(&context, &[BLOB, 17]);
    let (peak, written) = peak(&module);
    assert!(written > BLOB, "{written} bytes written");
    assert!(peak < 1 << 20, "{peak} bytes of memory for a blob of {BLOB}");

    // In memory, the file and no more than that.
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let whole = write(&module, &WriteOptions::default()).expect("written");
    let peak = MEMORY.peak_usage().saturating_sub(before);
    assert!(peak < whole.len() + (1 << 20), "{peak} bytes of memory for a file of {}", whole.len());
}

/// Counts what is written to it.
struct Counted(usize);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
